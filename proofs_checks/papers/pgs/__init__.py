"""PGS: claims, mutants, strategies, terms."""
