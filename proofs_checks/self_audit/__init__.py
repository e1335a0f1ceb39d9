"""``dualgap audit --self``: mistakes planted into checkers, certificates, the judge and the samplers, and what notices them."""
