"""AdaSPDC and PDCP: claims, mutants, strategies, terms."""

from dualgap.proofs_checks.claims.papers import register_paper

register_paper("adaspdc", "*Adaptive Stochastic Primal-Dual Coordinate Descent*: Zhu, Storkey, ECML PKDD 2015", "docs/adaspdc.md")
register_paper("pdcp", "the batch method that AdaSPDC starts from: Chambolle, Pock, 2011", "docs/adaspdc.md")
