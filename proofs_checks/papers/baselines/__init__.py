"""The methods that the papers compare with: items, claims, mutants, strategies."""
