"""Pegasos: what is claimed of it; the method itself is one of the core, of which PGS speaks."""
