"""Planted bugs that real implementations of SAG have: each with one line wrong."""

from dualgap.extras.baselines.sag.lazy import LazySAG
from dualgap.extras.baselines.sag.reference import SAG
from dualgap.proofs_checks.evidence.planted import planted
from dualgap.reference.numbers.arithmetic import sqrt

SEEN = "state.m += 1 - state.seen[i]"

MUTANTS = planted(
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
) | planted(
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
