"""How vector files are made, read and explained. The files themselves lie in ``proofs_checks/vectors``."""
