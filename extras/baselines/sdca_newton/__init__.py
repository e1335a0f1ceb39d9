"""SDCA with shrinking, and Newton's method on the rows that are not at an end."""
