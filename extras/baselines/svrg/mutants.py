"""Planted bugs that real implementations of SVRG have: each with one line wrong."""

from dualgap.extras.baselines.svrg.lazy import LazySVRG
from dualgap.extras.baselines.svrg.reference import SVRG
from dualgap.proofs_checks.evidence.planted import planted
from dualgap.reference import Problem
from dualgap.reference.numbers.arithmetic import Number

KEEP = "        if keep:\n            state.kept = list(state.w)"
MEAN = "[total_j / problem.n for total_j in total]"


def without_label(problem: Problem, i: int, z: Number) -> Number:
    """phi_i'(z); the smoothed hinge's in its quadratic zone without the y."""
    y = problem.y[i]
    if problem.loss.name == "smoothed-hinge" and 1 - problem.gamma < y * z < 1:
        return (y * z - 1) / problem.gamma
    return problem.loss.derivative(z, y)


MUTANTS = planted(
    SVRG,
    "baselines",
    {
        "svrg-dropped-label": (
            (
                "the smoothed hinge's derivative in its quadratic zone is (y z - 1)/gamma, without the y; labels +1"
                " hide it"
            ),
            (
                "SVRG.gradient",
                "problem.loss.derivative(problem.dot(problem.rows[i], w), problem.y[i])",
                "without_label(problem, i, problem.dot(problem.rows[i], w))",
            ),
        ),
        "svrg-stale-snapshot": (
            "mu~ stays that of the first round",
            (f"state.mu_tilde = {MEAN}", f"state.mu_tilde = {MEAN} if state.s == 0 else state.mu_tilde"),
        ),
        "svrg-no-correction": (
            "line 5 is a plain stochastic gradient step",
            ("[now_j - then_j + mu_j for now_j, then_j, mu_j in zip(now, then, state.mu_tilde)]", "now"),
        ),
        "svrg-correction-added": ("line 5 with + f_i'(w~) - mu~", ("now_j - then_j + mu_j", "now_j + then_j - mu_j")),
        "svrg-unscaled": (
            "eta = gamma/10, for rows of norm 1 alone",
            (
                "Rounds.eta",
                '1 / (10 * self.L(problem)) if self.own_eta is None else convert(self.own_eta, problem.number, "eta")',
                "problem.gamma / 10",
            ),
        ),
        "svrg-late-output": (
            "option II keeps w_t, so that t is uniform on 1 .. m",
            ("SVRG.advance", KEEP, ""),
            (
                "SVRG.advance",
                "state.t += 1",
                f"state.t += 1\n{KEEP.replace('keep', 'keep and state.t < self.steps_of_round(problem)')}",
            ),
        ),
    },
    without_label=without_label,
) | planted(
    LazySVRG,
    "baselines",
    {
        "svrg-one-more": (
            "the lazy form; a column that stood still for k steps makes k + 1",
            ("LazySVRG.current", "state.t - state.last[j]", "state.t - state.last[j] + (state.t > state.last[j])"),
        )
    },
)
