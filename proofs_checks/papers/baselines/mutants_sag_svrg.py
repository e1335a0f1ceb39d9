"""Planted bugs that real implementations of SAG and SVRG have: each with one line wrong."""

from dualgap.proofs_checks.evidence.planted import planted
from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.reference.methods.lazy.sag import LazySAG
from dualgap.reference.methods.sag import SAG

SEEN = "state.m += 1 - state.seen[i]"
KEEP = "        if keep:\n            state.kept = list(state.w)"
MEAN = "[total_j / problem.n for total_j in total]"


def without_label(problem: Problem, i: int, z: Number) -> Number:
    """phi_i'(z); the smoothed hinge's in its quadratic zone without the y."""
    y = problem.y[i]
    if problem.loss.name == "smoothed-hinge" and 1 - problem.gamma < y * z < 1:
        return (y * z - 1) / problem.gamma
    return problem.loss.derivative(z, y)


MUTANTS = (
    planted(
        SAG,
        "baselines",
        {
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
            "sag-radius": ("L = R/gamma + lam: R is not squared", ("FiniteSum.L", "problem.R2", "sqrt(problem.R2)")),
        },
        sqrt=sqrt,
    )
    | planted(
        LazySAG,
        "baselines",
        {
            "sag-late-catch-up": (
                "the lazy form; columns catch up after G has changed",
                (
                    "            self.catch_up(state, j)\n            z = z + x * state.v[j]",
                    "            z = z + x * (state.v[j] - state.G[j] * (state.S - state.mark[j]))",
                ),
                (
                    "self.replace(problem, state, i, c_new)",
                    (
                        "self.replace(problem, state, i, c_new)\n        for j, _ in problem.rows[i]:\n           "
                        " self.catch_up(state, j)"
                    ),
                ),
            )
        },
    )
    | planted(
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
            "svrg-correction-added": (
                "line 5 with + f_i'(w~) - mu~",
                ("now_j - then_j + mu_j", "now_j + then_j - mu_j"),
            ),
            "svrg-unscaled": (
                "eta = gamma/10, for rows of norm 1 alone",
                (
                    "Rounds.eta",
                    (
                        "1 / (10 * self.L(problem)) if self.own_eta is None else convert(self.own_eta, problem.number,"
                        ' "eta")'
                    ),
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
    )
    | planted(
        LazySVRG,
        "baselines",
        {
            "svrg-one-more": (
                "the lazy form; a column that stood still for k steps makes k + 1",
                ("LazySVRG.current", "state.t - state.last[j]", "state.t - state.last[j] + (state.t > state.last[j])"),
            )
        },
    )
)
