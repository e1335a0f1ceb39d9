"""ASPDC, Algorithm 1: claims and mutants."""
