"""AdaSPDC and PDCP: items, setting, instances, mutants, and a file for each section or numbered statement."""

from dualgap.proofs_checks.claims.papers import register_paper

register_paper("pdcp", "the batch method that AdaSPDC starts from: Chambolle, Pock, 2011", "docs/adaspdc.md")
