"""SPDC: items, setting, instances, mutants, and a file for each section or numbered statement."""
