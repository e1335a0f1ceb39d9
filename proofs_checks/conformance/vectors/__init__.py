"""Generation, reading and explanation of vector files. The files themselves are in ``proofs_checks/vectors``."""
