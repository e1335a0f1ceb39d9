"""Numbers that carry a bound of their rounding error, and results expected with such bounds. Nothing here talks to a
port."""
