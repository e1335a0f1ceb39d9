"""One file for each method: its kernels, which repeat the reference bit for bit. What runs them to a tolerance lives in
``solver``.

May import: compiler, problem, reference.
"""
