"""AFG: Nesterov's accelerated gradient method (4.9)."""
