"""Planted bugs that real implementations of Newton's method have: one line wrong."""

from dualgap.extras.baselines.newton.reference import Newton
from dualgap.proofs_checks.evidence.planted import planted

MUTANTS = planted(
    Newton,
    "baselines",
    {
        "newton-without-lam": (
            "line 2: H without half of lam I",
            ("Newton.matrix", "total[j][j] + problem.regularizer.lam", "total[j][j] + problem.regularizer.lam / 2"),
        ),
        "newton-accepts-all": (
            "line 4: every point is accepted",
            ("return bool(problem.P(x) <= problem.P(state.w) + state.t * slope / SHARE)", "return True"),
        ),
        "newton-flat": (
            "line 2: the sum over one row of s is divided by n",
            ("Newton.matrix", "total[j][k] / mass", "total[j][k] / problem.n"),
        ),
    },
)
