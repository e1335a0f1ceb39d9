"""Planted bugs that implementations of SPD1 have: one line wrong."""

from dualgap.extras.baselines.spd1.reference import SPD1
from dualgap.proofs_checks.evidence.planted import planted

DRAWN = "x, w_j, alpha_i = entry(problem, i, j), state.w[j], state.alpha[i]"
DUAL_STEP = "problem.loss.dual_step(z, alpha_i, problem.y[i], q)"

MUTANTS = planted(
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
                    '(z - problem.y[i] + q * alpha_i) / (problem.gamma + q) if problem.loss.name == "smoothed-hinge"'
                    f" else {DUAL_STEP}"
                ),
            ),
        ),
        "spd1-lost-label": (
            "line 3 for the smoothed hinge, without the factor y in front",
            (DUAL_STEP, f'{DUAL_STEP} * (problem.y[i] if problem.loss.name == "smoothed-hinge" else 1)'),
        ),
        "spd1-step-without-d": (
            (
                "eta_t = 2/(mu (t + 4)), tau_t = 2nd/(gamma (t + 4)), as in a published implementation: as if w_j moved"
                " in every step"
            ),
            ("2 * d / (problem.regularizer.modulus * (t + 4 * d))", "2 / (problem.regularizer.modulus * (t + 4))"),
            ("t + 4 * n", "t + 4"),
        ),
    },
)
