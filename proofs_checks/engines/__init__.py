"""Mathematics of verification that knows no claim: exact moments, optima, paths, e-values, certificates. Levels of
evidence live in ``evidence``.

May import: fast, reference.
"""
