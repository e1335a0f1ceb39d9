"""SPDC: items, claims, mutants, strategies, terms."""
