"""PGS: claims, mutants, strategies, terms."""

from dualgap.proofs_checks.claims.papers import register_paper

register_paper("pgs", "*Inverse Time Dependency in Convex Regularized Learning*: Zhu, Chen, Zhu, Wang, Wang, Chen, ICDM 2009", "docs/pgs.md")
