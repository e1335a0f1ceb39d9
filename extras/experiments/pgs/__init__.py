"""Experiments of PGS."""
