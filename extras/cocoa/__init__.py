"""CoCoA and CoCoA+: the method, the claims on it, and runs over processes and machines (``cluster``). What the folder
registers is found by the names of its files, as in ``baselines``.

May import: proofs_checks, fast, reference.
"""
