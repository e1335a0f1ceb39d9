"""ASPDC-i, Algorithms 2 and 3 of the paper on ASPDC, whose claims these are: claims, strategies, terms."""
