"""Planted bugs that real implementations of AFG have: one line wrong."""

from dualgap.extras.baselines.afg.reference import AFG
from dualgap.proofs_checks.evidence.planted import planted

MUTANTS = planted(
    AFG,
    "baselines",
    {
        "afg-twice-the-weight": ("line 2: a^2/(A + a) = 4(1 + mu A)/L", ("AFG.weight", "b = 2 *", "b = 4 *")),
        "afg-low-cap": (
            (
                "line 6: decided by a lower estimate of L_f, such as power iteration gives; here the smallest one,"
                " R^2/(n gamma)"
            ),
            ("AFG.most", "/ problem.gamma", "/ (problem.n * problem.gamma)"),
        ),
        "afg-gradient-at-y": (
            "line 7: s takes a grad f(y)",
            ("AFG.advance", "zip(state.s, at_T)", "zip(state.s, at_y)"),
        ),
    },
)
