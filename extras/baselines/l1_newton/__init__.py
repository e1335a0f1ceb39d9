"""Newton's method for an l1 part or coefficients >= 0."""
