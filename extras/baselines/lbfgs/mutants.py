"""A planted bug that real implementations of L-BFGS have: one line wrong."""

from dualgap.extras.baselines.lbfgs.reference import LBFGS
from dualgap.proofs_checks.evidence.planted import planted

MUTANTS = planted(
    LBFGS,
    "baselines",
    {
        "lbfgs-default-options": (
            "scipy's defaults: memory 10, ftol 2.2e-9, gtol 1e-5",
            ("options = OPTIONS", "options = {}"),
        )
    },
)
