"""The experiments of the papers, a folder for each paper. Files ``experiments*.py`` define EXPERIMENTS, and ``dualgap
reproduce`` finds them by that name. What an experiment is, and how it is run, resumed and told, stands in
``proofs_checks.experiments``.

May import: proofs_checks, fast, reference.
"""
