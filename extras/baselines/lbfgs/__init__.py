"""L-BFGS, through scipy."""
