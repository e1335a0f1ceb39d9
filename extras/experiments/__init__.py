"""The experiments of the papers, one folder a paper. Files ``experiments*.py`` define EXPERIMENTS, and ``dualgap
reproduce`` finds them by that name. ``reading`` has what they share. ``proofs_checks.experiments`` defines experiments,
runs and resumes them, and writes their results.

May import: proofs_checks, fast, reference.
"""
