"""Property checks for solvers in Python, and the audit of other people's estimators. Ports in other languages live in
``ports``."""
