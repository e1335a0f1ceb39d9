"""Experiments of SPDC."""
