"""Automatic mutants of the reference's source, the battery that kills them, and those proved equivalent. Named mutants
live in ``papers``."""
