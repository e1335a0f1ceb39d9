"""Randomized Kaczmarz, its compiled form, its claims and mutants. Importing this registers all of it."""

from kaczmarz import claims, compiled, method

__all__ = ["claims", "compiled", "method"]
