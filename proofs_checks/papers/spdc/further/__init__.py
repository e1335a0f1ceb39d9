"""SPDC, beyond its two theorems: complexities, costs, Table 1, Corollary 3 in expectation, weighted mini-batches,
matrices.
"""
