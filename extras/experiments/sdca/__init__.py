"""Experiments of SDCA."""
