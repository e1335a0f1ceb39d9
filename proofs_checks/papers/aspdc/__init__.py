"""ASPDC, Algorithm 1: claims and mutants."""

from dualgap.proofs_checks.claims.papers import register_paper

register_paper("aspdc", "*Accelerated SPDC Regularized Empirical Risk Minimization*: Liang, Cai, Wu, Shang, Cheng, Li, Electronics 11(15), 2022", "docs/aspdc.md")
