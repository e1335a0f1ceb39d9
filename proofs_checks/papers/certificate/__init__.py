"""No paper's claims, ours: what the certificates of this library say."""
