"""Experiments of PASSCoDe."""
