"""Run a port: vectors, fresh problems, outcomes and failures. The wire format lives in ``protocol``."""
