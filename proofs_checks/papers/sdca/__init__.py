"""SDCA: claims."""
