"""Exact proofs of worst-case rates that PEPit computes in floats: ``prove`` for a PEP, and a file that others can
check.

``rationals`` runs a script with rational numbers, ``facts`` reads the facts of its PEP, and ``programs`` states the
proof and the worst case as cone programs. A solver proposes floats (``floats``, ``polish``), ``faces`` finds exact
points near them, ``barrier`` needs no floats at the end, and only the exact conditions of ``cone`` count.

May import: proofs_checks, fast.
"""
