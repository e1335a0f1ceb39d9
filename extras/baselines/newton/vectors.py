"""Why Newton's method has no vectors."""

from dualgap.proofs_checks.conformance.methods.spec import WITHOUT

WITHOUT["newton"] = (
    "conjugate gradients solve its system: another order of their sums is as right, and in Fractions the reference is"
    " compared with the definition"
)
