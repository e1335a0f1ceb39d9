"""ASPDC-i, Algorithms 2 and 3: claims, strategies, terms."""
