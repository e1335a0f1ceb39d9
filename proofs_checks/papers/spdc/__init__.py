"""SPDC: claims, mutants, strategies, terms."""

from dualgap.proofs_checks.claims.papers import register_paper

register_paper("spdc", "*Stochastic Primal-Dual Coordinate Method*: Zhang, Xiao, arXiv:1409.3257, JMLR 18, 2017", "docs/spdc.md")
