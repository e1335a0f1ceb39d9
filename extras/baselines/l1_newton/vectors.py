"""Why this method has no vectors."""

from dualgap.proofs_checks.conformance.methods.spec import WITHOUT

WITHOUT["l1-newton"] = "auto runs it, it has no counterpart in plain Python, and another order of its sums is as right"
