"""Planted bugs that implementations of Pegasos have: one line wrong."""

from dualgap.proofs_checks.evidence.planted import planted
from dualgap.reference.methods.pegasos import Pegasos

SHARE, SHRINK = "slope / len(A_t) * x", "w_j - w_j / state.t"

MUTANTS = planted(
    Pegasos,
    "baselines",
    {
        "pegasos-late-start": (
            "w_1 = (1, .., 1) != 0 with eta_t = 1/(lam (t + 1)), so that the first step does not forget it",
            ("PegasosState(w=[problem.zero] * problem.d", "PegasosState(w=[problem.zero + 1] * problem.d"),
            ("1 / (lam * state.t)", "1 / (lam * (state.t + 1))"),
            (SHRINK, "w_j - w_j / (state.t + 1)"),
        ),
        "pegasos-sum-for-mean": ("a mini-batch without its 1/k", (SHARE, "slope * x")),
        "pegasos-half-step": (
            "eta_t = 1/(2 lam t)",
            ("1 / (lam * state.t)", "1 / (2 * lam * state.t)"),
            (SHRINK, "w_j - w_j / (2 * state.t)"),
        ),
    },
)
