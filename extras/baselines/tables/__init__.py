"""Tables over all baselines: their planted bugs, and their rows of the vectors."""
