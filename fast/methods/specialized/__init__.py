"""Kernels for special cases of a method: blocks, compact storage, SPDC with L2. The general kernels live in the folder
above."""
