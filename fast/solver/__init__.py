"""``solve`` and ``sweep``: choice of a method, schedule of certificates, checkpoints, results. No kernel of a method
lives here.

May import: compiler, data, methods, problem, reference.
"""
