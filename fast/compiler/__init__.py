"""How kernels are compiled, cached and probed, with atomic operations and order statistics. No mathematics of a method
lives here.

May import: reference.
"""
