"""Implementations independent of the reference, from the formulas, for comparison. They import nothing of the
reference's mathematics."""
