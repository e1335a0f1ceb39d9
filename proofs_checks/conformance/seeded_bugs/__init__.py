"""Bugs that are put into the independent implementation on purpose: they say which case of the vectors shows which bug.
Mutants of claims live in ``papers``.
"""
