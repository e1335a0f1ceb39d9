"""Experiments of AdaSPDC."""
