"""SPDC: claims, mutants, strategies, terms."""
