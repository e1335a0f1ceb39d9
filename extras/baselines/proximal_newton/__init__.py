"""Newton's method for losses with a kink, smoothed by proximal steps."""
