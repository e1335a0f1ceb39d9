"""Why L-BFGS has no vectors."""

from dualgap.proofs_checks.conformance.methods.spec import WITHOUT

WITHOUT["lbfgs"] = "its steps are scipy's: another implementation has others that are as right"
