"""Kernels for special cases of a method: a free intercept, SPDC with L2. The general ones are in the folder above."""
