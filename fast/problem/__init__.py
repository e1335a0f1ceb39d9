"""The compiled losses, norms and row operations, the objective, and the certificate of a pair. No method lives here.

May import: compiler, reference.
"""
