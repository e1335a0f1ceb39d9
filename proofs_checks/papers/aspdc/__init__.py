"""ASPDC, Algorithm 1: items, claims and mutants."""
