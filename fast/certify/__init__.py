"""A bound on P(w) - min P from w alone, in numpy: no compiler is loaded.

May import: problem, reference.
"""
