"""One table over all baselines: their planted bugs."""
