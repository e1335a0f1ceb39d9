"""Planted bugs that implementations of SPD1, SPD1-VR and Pegasos have: one line wrong."""

from dualgap.proofs_checks.evidence.planted import planted
from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.reference.methods.pegasos import Pegasos
from dualgap.reference.methods.spd1 import SPD1
from dualgap.reference.methods.spd1_vr import SPD1VR

DRAWN = "x, w_j, alpha_i = entry(problem, i, j), state.w[j], state.alpha[i]"
DUAL_STEP = "problem.loss.dual_step(z, alpha_i, problem.y[i], q)"
SHARE, SHRINK = "slope / len(A_t) * x", "w_j - w_j / state.t"

MUTANTS = (
    planted(
        SPD1,
        "baselines",
        {
            "spd1-skip-zeros": (
                (
                    "a step on an entry 0 does nothing: column j then has the regularizer p_j g_j, p_j the share of its"
                    " entries that are not 0"
                ),
                (DRAWN, f"{DRAWN}\n        if x == 0:\n            state.t += 1\n            return"),
            ),
            "spd1-touch-average": (
                "line 4: w_j and alpha_i are added up when they are drawn, once, and the sums divided by T",
                ("(state.t - state.since_w[j]) * state.w[j]", "state.w[j]"),
                ("(state.t - state.since_alpha[i]) * state.alpha[i]", "state.alpha[i]"),
                ("(total + (state.t - s) * value) / state.t", "total / state.t"),
            ),
            "spd1-unclipped": (
                "line 3 for the smoothed hinge, without its clip",
                (
                    DUAL_STEP,
                    (
                        "(z - problem.y[i] + q * alpha_i) / (problem.gamma + q) if problem.loss.name =="
                        f' "smoothed-hinge" else {DUAL_STEP}'
                    ),
                ),
            ),
            "spd1-lost-label": (
                "line 3 for the smoothed hinge, without the factor y in front",
                (DUAL_STEP, f'{DUAL_STEP} * (problem.y[i] if problem.loss.name == "smoothed-hinge" else 1)'),
            ),
            "spd1-step-without-d": (
                (
                    "eta_t = 2/(mu (t + 4)), tau_t = 2nd/(gamma (t + 4)), as in a published implementation: as if w_j"
                    " moved in every step"
                ),
                ("2 * d / (problem.regularizer.modulus * (t + 4 * d))", "2 / (problem.regularizer.modulus * (t + 4))"),
                ("t + 4 * n", "t + 4"),
            ),
        },
    )
    | planted(
        SPD1VR,
        "baselines",
        {
            "spd1-vr-estimate-without-d": (
                "SPD1-VR, line 3: the estimate x_ij' (w_j' - w~_j') + z~_i, without d",
                (
                    "problem.d * (entry(problem, i, other_j) * primal_change)",
                    "entry(problem, i, other_j) * primal_change",
                ),
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
    | planted(
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
)
