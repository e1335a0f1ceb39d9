"""Why the proximal Newton method has no vectors."""

from dualgap.proofs_checks.conformance.methods.spec import WITHOUT

WITHOUT["proximal-newton"] = (
    "auto runs it, it has no counterpart in plain Python, and another order of its sums is as right"
)
