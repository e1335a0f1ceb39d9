"""Planted bugs that implementations of SPD1-VR have: one line wrong."""

from dualgap.extras.baselines.spd1_vr.reference import SPD1VR
from dualgap.proofs_checks.evidence.planted import planted

MUTANTS = planted(
    SPD1VR,
    "baselines",
    {
        "spd1-vr-estimate-without-d": (
            "SPD1-VR, line 3: the estimate x_ij' (w_j' - w~_j') + z~_i, without d",
            ("problem.d * (entry(problem, i, other_j) * primal_change)", "entry(problem, i, other_j) * primal_change"),
        ),
        "spd1-vr-stale-sums": (
            "a later snapshot renews w~ and alpha~, and not u~ and z~",
            (
                "setattr(state, name, values)",
                'setattr(state, name, values if name in ("w_tilde", "alpha_tilde") else getattr(state, name))',
            ),
        ),
    },
)
