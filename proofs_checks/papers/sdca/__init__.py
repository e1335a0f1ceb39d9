"""SDCA: items, claims."""
