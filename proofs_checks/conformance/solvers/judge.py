"""Judge an answer by a certified P(w) - D(alpha) <= tol. For w alone, the best dual point found here is used.

Our rounding errors never change a verdict: the certified bounds of the gap decide, and if they do not, exact arithmetic
does. With G the gap in the reals and G~ as computed, ``fast.problem.gap_bound`` is (sqrt(G~) + sqrt(E))^2 + A >= G. Its
argument holds with the two exchanged, so that G >= (sqrt(G~) - sqrt(E))^2 - A >= 2 G~ - gap_bound. What is allowed
beyond tol are the roundings of a P - D in doubles at the pair (``Certificate.rounding``), for a solver may compute it
so, and nothing else.
"""

import math
from fractions import Fraction

import numpy as np

from dualgap.fast import Certificate, solve
from dualgap.proofs_checks.conformance.solvers.cases import Array
from dualgap.proofs_checks.engines.certificate import certificate
from dualgap.reference import Problem
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.numbers.interval import decide

EXTRA = 2.0**-10  # of tol: the gap of a dual point that is found here
PASSES = 20_000


def at_most(problem: Problem, w: Array, alpha: Array, tol: float) -> bool:
    """Return whether P(w) - D(alpha) <= tol, up to the roundings of a P - D in doubles; where intervals of 160 digits
    cannot tell, it is not refuted.

    Raises ValueError for alpha outside the domain.
    """
    try:
        found = Certificate(problem, w, alpha)
    # P or D is beyond the doubles, and D <= P(0): so is the gap, unless exact arithmetic says otherwise
    except OverflowError:
        return problem.loss.rational and bool(gap_of(problem, w, alpha) <= Fraction(tol))
    limit = Fraction(tol) + Fraction(found.rounding)
    if found.gap_bound <= limit:
        return True
    if 2 * found.gap - found.gap_bound > limit:
        return False
    return decide(lambda: bool(gap_of(problem, w, alpha) <= limit))[0] is not False


def gap_of(problem: Problem, w: Array, alpha: Array) -> Number:
    """P(w) - D(alpha), exactly; an interval for the logistic loss. Raises ValueError for alpha outside the domain."""
    return certificate(problem, alpha, w).gap


def derivatives(problem: Problem, w: Array) -> Array:
    """phi_i'(x_i^T w), shape (n,): the dual point of w where the loss is smooth."""
    values = [problem.loss.derivative(problem.dot(row, w.tolist()), y) for row, y in zip(problem.rows, problem.y)]
    return np.array(values, dtype=np.float64)


def dual_point(problem: Problem, w: Array, tol: float) -> tuple[Array, float]:
    """A dual point for w, and a number s >= D* - D(alpha) where alpha is not w's own.

    P(w) - D(alpha) <= tol + s is then implied by P(w) - min P <= tol: what is larger refutes it.
    """
    if problem.gamma > 0:
        alpha = derivatives(problem, w)
        if np.isfinite(alpha).all() and at_most(problem, w, alpha, tol):
            return alpha, 0.0
    result = solve(problem, "sdca", tol=tol * EXTRA, max_epochs=PASSES)
    return result.alpha, result.gap_bound


def optimal(problem: Problem, w: Array, tol: float) -> bool:
    """Return whether w alone has P(w) - min P <= tol, as far as a dual point that is found here can tell; False is
    certain."""
    alpha, slack = dual_point(problem, w, tol)
    return at_most(problem, w, alpha, tol + slack)


def in_domain(problem: Problem, alpha: Array) -> bool:
    """Return whether D(alpha) is finite."""
    return all(map(problem.loss.in_domain, alpha.tolist(), problem.y))


def seen_gap(problem: Problem, w: Array, alpha: Array) -> Number:
    """The gap for a message: exact for few rows, as computed for many; infinite beyond the doubles."""
    try:
        return gap_of(problem, w, alpha) if problem.n <= 50 else Certificate(problem, w, alpha).gap
    except OverflowError:
        return math.inf


def shown(gap: Number) -> str:
    """A gap to nine digits; an interval by its middle; by its power of ten where no double is so large.

    >>> shown(Fraction(1, 3)), shown(Fraction(10**400)), shown(math.inf)
    ('0.333333333', 'about 1e400', 'above 1e308')
    """
    middle = gap.midpoint() if hasattr(gap, "midpoint") else gap
    try:
        return f"{float(middle):.9g}" if float(middle) < math.inf else "above 1e308"
    except OverflowError:
        return f"about 1e{math.log10(middle.numerator) - math.log10(middle.denominator):.0f}"
