"""SDCA: claims."""

from dualgap.proofs_checks.claims.papers import register_paper

register_paper("sdca", "slides on *Stochastic Dual Coordinate Ascent*, Liu, 2017, after Shalev-Shwartz, Zhang, JMLR 14, 2013", "docs/sdca.md")
