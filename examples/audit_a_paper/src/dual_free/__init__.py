"""Dual-free SDCA, its compiled form, its claims and mutants. Importing this registers all of it."""

from dual_free import claims, compiled, method

__all__ = ["claims", "compiled", "method"]
