"""Compilation, caching and probing of kernels, atomic operations and order statistics. No mathematics of a method is
here.

May import: reference.
"""
