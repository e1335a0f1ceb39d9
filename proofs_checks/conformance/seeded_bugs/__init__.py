"""The catalogue of bugs put into implementations on purpose, and the diagnosis of a failure by them. Mutants of claims
live in ``papers``."""
