"""Experiments of ASPDC and ASPDC-i."""
