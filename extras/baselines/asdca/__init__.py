"""ASDCA: accelerated SDCA."""
