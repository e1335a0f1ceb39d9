"""Newton's method, sub-sampled."""
