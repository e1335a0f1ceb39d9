"""PGS: items, claims, mutants, strategies, terms."""
