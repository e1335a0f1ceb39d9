"""Planted bugs that real implementations of ASDCA, AFG, L-BFGS and Newton have: one line wrong."""

import math

from dualgap.proofs_checks.evidence.planted import planted
from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.reference.methods.afg import AFG, dot
from dualgap.reference.methods.asdca import ASDCA
from dualgap.reference.methods.lbfgs import LBFGS
from dualgap.reference.methods.newton import Newton
from dualgap.reference.problem.problem import Vector


def without_its_part(inner: Problem, w: Vector, alpha: Vector) -> Number:
    """|P~ - D| with (kappa/2)||y||^2 in D alone."""
    g: Any = inner.regularizer
    gap = inner.P(w) - (inner.D(alpha) + g.kappa / 2 * dot(inner, g.centre, g.centre))
    return gap if gap >= 0 else -gap


def unsquared(problem: Problem) -> Number:
    """R. Where that is not rational, R^2: a kill must be no accident."""
    R2 = to_fraction(problem.R2)
    root = Q(math.isqrt(R2.numerator), math.isqrt(R2.denominator))
    return root if root * root == R2 else problem.R2


MUTANTS = (
    planted(
        ASDCA,
        "baselines",
        {
            "asdca-momentum-from-y": (
                "line 6: w^(t) + beta (w^(t) - y^(t-1))",
                ("ASDCA.momentum", "zip(w, state.w_t)", "zip(w, state.y_t)"),
            ),
            "asdca-inner-cap": (
                "line 5: an inner call ends after n steps, whatever its gap, and its gap then counts as 0",
                ("ASDCA.gap", "inner.gap(w, alpha)", "inner.zero"),
            ),
            "asdca-absolute-gap": (
                "line 5: (kappa/2)||y||^2 in D~ alone; the difference falls below zero, which its absolute value hides",
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
        without_its_part=without_its_part,
        unsquared=unsquared,
    )
    | planted(
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
    | planted(
        LBFGS,
        "baselines",
        {
            "lbfgs-default-options": (
                "scipy's defaults: memory 10, ftol 2.2e-9, gtol 1e-5",
                ("options = OPTIONS", "options = {}"),
            )
        },
    )
    | planted(
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
)
