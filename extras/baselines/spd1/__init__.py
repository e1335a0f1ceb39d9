"""SPD1: one entry of X a step."""
