"""Packages beyond the five papers: methods that they compare with, CoCoA+ and runs over clusters, estimators,
experiments.

Everything here registers through the interface that packages of other people use (docs/plugins.md). ``reference``,
``fast`` and ``proofs_checks`` import nothing from here.
"""
