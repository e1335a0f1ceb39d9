"""The methods that the papers compare with: claims, mutants, strategies."""
