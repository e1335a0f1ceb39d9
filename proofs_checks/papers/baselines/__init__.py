"""The methods that the papers compare with: claims, mutants, strategies."""

from dualgap.proofs_checks.claims.papers import register_paper

register_paper("baselines", "the methods that the papers compare with, each cited in its file", "docs/baselines.md")
