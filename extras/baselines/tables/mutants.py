"""Planted bugs that implementations of the baselines have: each with one line wrong."""

import math
from typing import Any

from dualgap.extras.baselines.afg.reference import AFG
from dualgap.extras.baselines.asdca.reference import ASDCA
from dualgap.extras.baselines.sag.lazy import LazySAG
from dualgap.extras.baselines.sag.reference import SAG
from dualgap.extras.baselines.svrg.lazy import LazySVRG
from dualgap.extras.baselines.svrg.reference import SVRG
from dualgap.proofs_checks.claims.instance import Q
from dualgap.proofs_checks.evidence.planted import planted
from dualgap.proofs_checks.papers.vocabulary import square
from dualgap.reference.methods.pegasos import Pegasos
from dualgap.reference.numbers.arithmetic import Number, sqrt
from dualgap.reference.numbers.rational import to_fraction
from dualgap.reference.problem.problem import Problem, Vector

# texts of the sources that several bugs change
SEEN = "state.m += 1 - state.seen[i]"
KEEP = "        if keep:\n            state.kept = list(state.w)"
MEAN = "[total_j / problem.n for total_j in total]"
REPLACE, LATE = "self.replace(problem, state, i, c_new)", "keep and state.t < self.steps_of_round(problem)"
SLOPE = "problem.loss.derivative(problem.dot(problem.rows[i], w), problem.y[i])"
CORRECTED = "[now_j - then_j + mu_j for now_j, then_j, mu_j in zip(now, then, state.mu_tilde)]"
ETA = '1 / (10 * self.L(problem)) if self.own_eta is None else convert(self.own_eta, problem.number, "eta")'
SHARE, SHRINK = "slope / len(A_t) * x", "w_j - w_j / state.t"


def without_its_part(inner: Problem, w: Vector, alpha: Vector) -> Number:
    """|P~ - D| with (kappa/2)||y||^2 in D alone."""
    g: Any = inner.regularizer
    gap = inner.P(w) - (inner.D(alpha) + g.kappa / 2 * square(g.centre))
    return gap if gap >= 0 else -gap


def unsquared(problem: Problem) -> Number:
    """R. Where that is not rational, R^2: a kill must be no accident."""
    R2 = to_fraction(problem.R2)
    root = Q(math.isqrt(R2.numerator), math.isqrt(R2.denominator))
    return root if root * root == R2 else problem.R2


def without_label(problem: Problem, i: int, z: Number) -> Number:
    """phi_i'(z); the smoothed hinge's in its quadratic zone without the y."""
    y = problem.y[i]
    if problem.loss.name == "smoothed-hinge" and 1 - problem.gamma < y * z < 1:
        return (y * z - 1) / problem.gamma
    return problem.loss.derivative(z, y)


BUGS: dict[type[object], dict[str, tuple[object, ...]]] = {
    AFG: {
        "afg-twice-the-weight": ("line 2: a^2/(A + a) = 4(1 + mu A)/L", ("AFG.weight", "b = 2 *", "b = 4 *")),
        "afg-low-cap": (
            "line 6: decided by a lower estimate of L_f, as power iteration gives; here R^2/(n gamma)",
            ("AFG.most", "/ problem.gamma", "/ (problem.n * problem.gamma)"),
        ),
        "afg-gradient-at-y": (
            "line 7: s takes a grad f(y)",
            ("AFG.advance", "zip(state.s, at_T)", "zip(state.s, at_y)"),
        ),
    },
    ASDCA: {
        "asdca-momentum-from-y": ("line 6: w^(t) + beta (w^(t) - y^(t-1))", ("zip(w, state.w_t)", "zip(w, state.y_t)")),
        "asdca-inner-cap": (
            "line 5: an inner call ends after n steps, whatever its gap, and its gap then counts as 0",
            ("ASDCA.gap", "inner.gap(w, alpha)", "inner.zero"),
        ),
        "asdca-absolute-gap": (
            "line 5: (kappa/2)||y||^2 in D~ alone; the absolute value hides that the difference is below zero",
            ("ASDCA.gap", "inner.gap(w, alpha)", "without_its_part(inner, w, alpha)"),
        ),
        "asdca-kappa-of-r": (
            "line 1: R for R^2",
            ("ASDCA.constants", "(problem.R2 if R2 is None else R2)", "unsquared(problem)"),
        ),
        "asdca-first-rule": (
            "line 8: t - 1 >= ln(xi_1/epsilon)/(2 eta), four times too few calls",
            ("ASDCA.promised", "if not ratio > 1:", "eta = 4 * eta\n        if not ratio > 1:"),
        ),
    },
    Pegasos: {
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
    SAG: {
        "sag-forgotten-new": ("m grows at every step, not at new rows alone", (SEEN, "state.m += 1")),
        "sag-stale-count": (
            "G is divided by the m before the step, by 1 in the first",
            (SEEN, "self.was_new = 1 - state.seen[i]\n        state.m += self.was_new"),
            ("SAG.divisor", "return m if", "return (m - self.was_new or 1) if"),
        ),
        "sag-no-difference": (
            "the old gradient stays in G",
            ("(c_new - state.c[i]) * x", "c_new * x"),
            ("[G_j - old_j + new_j for", "[G_j + new_j for"),
        ),
        "sag-radius": (
            "the step with L = R/gamma + lam: R is not squared",
            (
                "STEPS[self.step_option] * self.L(problem)",
                "STEPS[self.step_option] * (sqrt(problem.R2) / problem.gamma + problem.regularizer.lam)",
            ),
        ),
    },
    LazySAG: {
        "sag-late-catch-up": (
            "the lazy form; columns catch up after G has changed",
            (
                "            self.catch_up(state, j)\n            z = z + x * state.v[j]",
                "            z = z + x * (state.v[j] - state.G[j] * (state.S - state.mark[j]))",
            ),
            (REPLACE, f"{REPLACE}\n        for j, _ in problem.rows[i]:\n            self.catch_up(state, j)"),
        )
    },
    SVRG: {
        "svrg-dropped-label": (
            "the smoothed hinge's derivative in its quadratic zone is (y z - 1)/gamma, without the y",
            ("SVRG.gradient", SLOPE, "without_label(problem, i, problem.dot(problem.rows[i], w))"),
        ),
        "svrg-stale-snapshot": (
            "mu~ stays that of the first round",
            (f"state.mu_tilde = {MEAN}", f"state.mu_tilde = {MEAN} if state.s == 0 else state.mu_tilde"),
        ),
        "svrg-no-correction": ("line 5 is a plain stochastic gradient step", (CORRECTED, "now")),
        "svrg-correction-added": ("line 5 with + f_i'(w~) - mu~", ("now_j - then_j + mu_j", "now_j + then_j - mu_j")),
        "svrg-unscaled": ("eta = gamma/10, for rows of norm 1 alone", ("Rounds.eta", ETA, "problem.gamma / 10")),
        "svrg-late-output": (
            "option II keeps w_t, so that t is uniform on 1 .. m",
            ("SVRG.advance", KEEP, ""),
            ("SVRG.advance", "state.t += 1", f"state.t += 1\n{KEEP.replace('keep', LATE)}"),
        ),
    },
    LazySVRG: {
        "svrg-one-more": (
            "the lazy form; a column that stood still for k steps makes k + 1",
            ("LazySVRG.current", "state.t - state.last[j]", "state.t - state.last[j] + (state.t > state.last[j])"),
        )
    },
}
NAMES = {"without_its_part": without_its_part, "unsquared": unsquared, "without_label": without_label, "sqrt": sqrt}
MUTANTS = {
    name: bug for method, bugs in BUGS.items() for name, bug in planted(method, "baselines", bugs, **NAMES).items()
}
