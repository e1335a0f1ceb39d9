"""SAG: stochastic average gradient."""
