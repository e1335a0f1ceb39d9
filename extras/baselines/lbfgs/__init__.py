"""L-BFGS with an exact line search."""
