"""AdaSPDC and PDCP: claims, mutants, strategies, terms."""
