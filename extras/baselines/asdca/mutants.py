"""Planted bugs that real implementations of ASDCA have: one line wrong."""

import math

from dualgap.extras.baselines.afg.reference import dot
from dualgap.extras.baselines.asdca.reference import ASDCA
from dualgap.proofs_checks.evidence.planted import planted
from dualgap.proofs_checks.papers.vocabulary import *
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


MUTANTS = planted(
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
