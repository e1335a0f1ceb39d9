"""Certificates: P, D and the gap, recomputed from a pair (w, alpha), and the expected progress of the next step.

A ``Certificate`` cannot be made in any other way: its numbers are what its constructor computes from the pair that
it holds, it cannot be changed, and copying or unpickling one computes them again.
"""

import math
from collections.abc import Iterator
from functools import partial
from typing import Any, NamedTuple, NoReturn

import numpy as np

from dualgap.fast.compiler.subnormals import require_subnormals
from dualgap.fast.problem.arrays import Array, require_unchanged
from dualgap.fast.problem.block_objective import objective_of
from dualgap.fast.problem.gap_bound import LOST, TINY, UNIT, gap_bound
from dualgap.fast.problem.intercept import ENOUGH, InterceptObjective, share, signs
from dualgap.fast.problem.native import numbers
from dualgap.fast.problem.objective import Objective, Sums
from dualgap.fast.problem.own_loss import OwnLossObjective
from dualgap.fast.problem.pnorm import largest
from dualgap.reference.problem.problem import Problem


class Certificate:
    """P(w), D(alpha) and P(w) - D(alpha) >= 0 of one pair: a proof that P(w) - min P <= gap_bound.

    The gap is the sum of nonnegative terms (the gap identity, see ``dualgap.reference.problem.problem``)

        gap = (1/n) sum_i FY_i(x_i^T w, alpha_i) + [g(w) + g*(-u) + u^T w],   u = X^T alpha / n,

    without cancellation, so that it is meaningful far below the rounding of P and D themselves. It is computed from
    rounded x_i^T w and u, though, and so can be below the gap in the reals, where sums cancel without limit:
    ``gap_bound`` never is.

    Parameters
    ----------
    problem : Problem over float, or BlockProblem
    w : (d,) finite; alpha : (n,) in the domain of phi*, or n blocks
    compensated : whether x_i^T w and u are summed as if in twice the precision: four times the time, for a tighter
        bound
    intercept : of an InterceptProblem, b; None: the best one of that w
    compared : whether the caller compares X and y with what they were (``require_unchanged``), as a run does at both of
        its ends

    Attributes
    ----------
    primal, dual, gap : the three numbers; with a free intercept, dual and gap are those of alpha' (``intercept``)
    intercept : b, None for a problem without a free one
    regularizer_part : the second term, 0 for w = w(alpha)
    gap_bound : >= P(w) - D(alpha) in the reals, for these very doubles; infinite where nothing can be said. See
        ``gap_bound``
    resolution : what gap_bound would be, by plain sums, if gap were 0: what a run in doubles does not see
    rounding : how far primal - dual and gap may be apart (``allowance``)
    minus_u : -X^T alpha/n, shape (d,), read-only: w(alpha) = grad g*(-u)
    w, alpha : the pair, as read-only copies; alpha is an array of shape (n,), or (n, K) where all blocks are x_i (x)
        I_K, and a tuple of n tuples for blocks of other shapes

    Raises
    ------
    ValueError
        w or alpha has the wrong shape or is not finite, or alpha is outside the domain.
    InputChanged
        X or y of the problem was changed in place since it was first used. It is a ValueError.
    OverflowError
        The pair is finite, but P or D is not.
    ArithmeticError
        primal - dual and gap, which are computed apart, differ by more than rounding allows (``allowance``), or the
        gap is negative. That is a mistake in the code, never in the data.
    RuntimeError
        The processor takes subnormal numbers for 0, in this thread (``compiler.subnormals``).

    Examples
    --------
    >>> from dualgap.reference import L2, Problem, Squared
    >>> problem = Problem([[1.0, 0.0], [0.0, 1.0]], [1, -1], Squared(), L2(2))
    >>> Certificate(problem, [0.25, -0.25], [-0.5, 0.5]).gap
    0.0625
    """

    __slots__ = (
        "problem",
        "w",
        "alpha",
        "compensated",
        "intercept",
        "primal",
        "dual",
        "gap",
        "gap_bound",
        "resolution",
        "regularizer_part",
        "rounding",
        "minus_u",
    )
    problem: Problem
    w: Array
    alpha: Any
    compensated: bool
    intercept: float | None
    primal: float
    dual: float
    gap: float
    gap_bound: float
    resolution: float
    regularizer_part: float
    rounding: float
    minus_u: Array

    def __init__(
        self,
        problem: Problem,
        w: Any,
        alpha: Any,
        compensated: bool = False,
        *,
        compared: bool = False,
        intercept: float | None = None,
    ) -> None:
        require_subnormals()
        if not compared:
            require_unchanged(problem)
        objective = objective_of(problem)
        w, alpha = _require_w(w, problem.d), objective.require_alpha(alpha)
        if isinstance(objective, InterceptObjective):
            intercept = objective.intercept(w) if intercept is None else require_number(intercept, "intercept")
            objective = objective.at(intercept)
            found = balanced(objective, w, alpha, compensated)
        elif intercept is not None:
            raise ValueError("intercept is for an InterceptProblem: this problem has none")
        else:
            found = evaluated(objective, w, alpha, compensated)
        for own in (w, alpha, found.minus_u):
            if isinstance(own, np.ndarray):  # else a tuple
                own.flags.writeable = False
        values = (problem, w, alpha, compensated, intercept, *found)
        for name, value in zip(self.__slots__, values, strict=True):
            object.__setattr__(self, name, value)

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError("a certificate cannot be changed: make one from a pair (w, alpha)")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError("a certificate cannot be changed: make one from a pair (w, alpha)")

    def __reduce__(self) -> tuple[Any, ...]:
        make = partial(Certificate, intercept=self.intercept)
        return make, (self.problem, self.w, self.alpha, self.compensated)

    def __init_subclass__(cls) -> NoReturn:
        raise TypeError("Certificate cannot be subclassed: its constructor is what makes it a certificate")

    def __repr__(self) -> str:
        return (
            f"Certificate(primal={self.primal!r}, dual={self.dual!r}, gap={self.gap!r}, gap_bound={self.gap_bound!r})"
        )

    def target(self, tol: float, rtol: float) -> float:
        """The gap_bound that meets a request: the larger of tol and rtol |P|."""
        return max(tol, rtol * abs(self.primal))

    def meets(self, tol: float, rtol: float) -> bool:
        """Whether P(w) - min P is at most the tolerance."""
        return self.gap_bound <= self.target(tol, rtol)


class Evaluated(NamedTuple):
    """What ``Certificate`` says of a pair, in the order of its attributes."""

    primal: float
    dual: float
    gap: float
    gap_bound: float
    resolution: float
    regularizer_part: float
    rounding: float
    minus_u: Array


def evaluated(objective: Objective, w: Array, alpha: Any, compensated: bool) -> Evaluated:
    """The numbers of a pair; raises as ``Certificate`` does."""
    evaluation = objective.evaluate_compensated(w, alpha) if compensated else objective.evaluate(w, alpha)
    sums, magnitudes, minus_u = evaluation[:3]
    primal, dual = objective.P_from(sums, w), objective.D_from(sums, minus_u)
    part = objective.regularizer_residual(w, minus_u)
    gap = objective.gap_from(sums, part)
    if not (math.isfinite(primal) and math.isfinite(dual) and math.isfinite(gap)):
        raise OverflowError(f"P = {primal}, D = {dual}, gap = {gap}: the objectives overflow at this pair")
    rounding = allowance(objective, sums, magnitudes, w, minus_u)
    _require_agreement(primal - dual, gap, rounding + evaluation.errors, objective)
    mean = mean_length(objective, alpha, magnitudes[1])
    errors = formula_errors(objective, sums, magnitudes, w, minus_u) + evaluation.errors
    coefficients = np.append(w, objective.b or 0.0) if isinstance(objective, InterceptObjective) else w
    bound = gap_bound(objective, gap, errors, coefficients, mean, evaluation)
    exact = objective.exact_gap(w, alpha)
    bound = bound if exact is None else bound._replace(value=max(exact, gap))
    return Evaluated(primal, dual, gap, *bound, part, rounding, minus_u)


def balanced(objective: InterceptObjective, w: Array, alpha: Array, compensated: bool) -> Evaluated:
    """``evaluated`` at alpha', see ``intercept``; with an infinite bound where no alpha+ is found."""
    found = evaluated(objective, w, alpha, compensated)
    sides = [
        min(attempts(objective, w, alpha, sign, found, compensated), key=lambda one: one.gap_bound, default=None)
        for sign in signs(objective, alpha)
    ]
    known = [side for side in sides if side is not None]
    if len(known) < len(sides):
        return found._replace(gap_bound=math.inf, resolution=math.inf)
    return max(known, key=lambda one: one.gap_bound, default=found)


def attempts(
    objective: InterceptObjective, w: Array, alpha: Array, sign: float, found: Evaluated, compensated: bool
) -> Iterator[Evaluated]:
    """What each alpha+ of that sign certifies."""
    for step in objective.directions(alpha, sign):
        eta, tried = 1.0, False
        for _ in range(2):
            chosen = share(objective, alpha, step, eta)
            if chosen is None:
                break
            other, t = chosen
            try:
                there = evaluated(objective, w, other, compensated)
            except OverflowError:
                break
            tried = True
            yield between(found, there, t)
            if t * there.gap_bound <= ENOUGH * found.gap_bound or not 0 < found.gap_bound < there.gap_bound < math.inf:
                break
            eta = math.sqrt(found.gap_bound / there.gap_bound)
        if tried:
            return


def between(one: Evaluated, other: Evaluated, t: float) -> Evaluated:
    """At alpha': the bounds from above, the other numbers as convex functions are on a line, at most."""
    up = 1 + 8 * UNIT
    return one._replace(
        dual=(1 - t) * one.dual + t * other.dual,
        gap=(1 - t) * one.gap + t * other.gap,
        gap_bound=(one.gap_bound + t * other.gap_bound) * up + TINY,
        resolution=(one.resolution + t * other.resolution) * up + TINY,
        rounding=one.rounding + t * other.rounding,
    )


def certified(problem: Problem, w: Any, alpha: Any, tol: float, rtol: float) -> Certificate:
    """The certificate of a pair in a run; a compensated one where the plain one does not meet the request and is mostly
    rounding.
    """
    found = Certificate(problem, w, alpha, compared=True)
    if found.meets(tol, rtol) or found.gap > max(found.target(tol, rtol), found.gap_bound / 2):
        return found
    return Certificate(problem, found.w, found.alpha, compensated=True, compared=True, intercept=found.intercept)


def certificate_of_bound(problem: Problem, w: Array, alpha: Any, compensated: bool, told: float) -> Certificate:
    """The certificate of a pair whose bound is known: bit-identical on the same machine, nearly the same on another
    one.

    Raises
    ------
    ValueError
        The pair has another bound.
    """
    found = Certificate(problem, w, alpha, compensated)
    if not math.isclose(told, found.gap_bound, rel_tol=1e-6, abs_tol=found.rounding):
        raise ValueError(f"its best gap is at most {told}, that of its best pair {found.gap_bound}")
    return found


def allowance(objective: Objective, sums: Sums, magnitudes: tuple[float, float], w: Array, minus_u: Array) -> float:
    """How far primal - dual and gap may differ by rounding.

    With the same rounded z_i and u on both sides, (primal - dual) - gap = (1/n) sum_i alpha_i z_i - u^T w except for
    the rounding of the final formulas and sums. In exact arithmetic this is 0. A sum of k terms, rounded k times, is
    off by at most k eps times the sum of their sizes (first order, eps = 2^-53), so that with the longest row k <= d

        |alpha_i (z_i - x_i^T w)| <= d eps |alpha_i| ||x_i|| ||w||,   and u likewise with n + 1 for d.

    Each formula of ``losses`` is a handful of operations on terms no larger than M_i = |phi_i| + |y_i alpha_i| +
    gamma alpha_i^2 + |alpha_i z_i| + 1 + gamma + |z_i|; the worst, alpha ln alpha next to 0, loses 40 eps M_i. Their
    sums lose n eps more, those of the regularizer (d + 8) eps of its terms (``regularizer_sizes``; 32 times that for a
    p-norm, see ``sizes_pnorm``). Blocks have an M_i and a count of their own (``BlockObjective``). The second order is
    covered by a factor 2.
    """
    n, d = objective.n, objective.d
    rows, lengths = magnitudes
    rows = (sums.values + rows) / n + 1 + objective.gamma
    if objective.pnorm is None:
        squares, regularizer = objective.regularizer_sizes(w, minus_u)
        length = math.sqrt(squares)
    else:
        length, regularizer = objective.pnorm.norm(w), sizes_pnorm(objective, w, minus_u)  # ||w||_2 <= ||w||_p
    products = lengths / n * length
    return float(2 * UNIT * ((n + d + 1) * products + (n + objective.roundings) * rows + (d + 8) * regularizer))


def formula_errors(
    objective: Objective, sums: Sums, magnitudes: tuple[float, float], w: Array, minus_u: Array
) -> float:
    """A of ``gap_bound``: what the formulas of a p-norm, or of block losses that are no sums, lose (``allowance``)."""
    if objective.pnorm is not None:
        return 2 * UNIT * (objective.d + 8) * sizes_pnorm(objective, w, minus_u) + lost_in_ball(objective, w, minus_u)
    if objective.row_sizes.outside > 0:
        return float(
            8 * UNIT * objective.roundings * ((sums.values + magnitudes[0]) / objective.n + 1 + objective.gamma)
        )
    return 0.0


def mean_length(objective: Objective, alpha: Any, lengths: float) -> float:
    """mean(|alpha_i| ||x_i||), from above; lengths: the sum of the rows' products, as computed."""
    rows, numbers = objective.row_sizes, objective.numbers_of(alpha)
    return lengths / objective.n * (1 + UNIT * (rows.terms + rows.longest + 8)) + LOST * math.sqrt(
        rows.longest
    ) * float(largest(numbers))


def sizes_pnorm(objective: Objective, w: Array, minus_u: Array) -> float:
    """32 [g(w) + g*(-u) + ||u||_q ||w||_p]: with v = -u, m = lam/(p-1), C = ||grad g*(v)||_p and eps = 2^-53 the parts
    lose

        g(w)      (4d + 24) eps of itself: d terms, their powers and sum, a power 2/p <= 2 of it
        g*(v)     (4d + 48) eps of itself, since s = sum (|v_j|/M)^q enters it to the power 2/q or 1/q: the error q eps
                  of a term, from v_j/M, is 2 eps there; a rounded exponent costs |u^q ln u^(q-1)| < 1 eps a term, u <=
                  1
        radial    (8d + 64) eps [g(w) + g*(v)] for (m/2)(||w||_p - C)^2, m C^2/2 <= g*(v); on the clip, as ||v||_q C <=
                  2 g*(v), (20d + 64) eps g*(v) + (2d + 32) eps ||v||_q ||w||_p more, the 8d eps by which w may be out
                  of the ball included
        angular   (8d + 64) eps ||v||_q ||w||_p: with w^, h, v^ of norm 1 the sizes of |w^_j|^p, |v^_j h_j| and
                  |v^_j w^_j| sum up to 1 each, by Hoelder. The error (q-1) eps of h_j, the condition of grad g*, enters
                  times v^_j h_j/q only, where h_j is a minimizer (next to it: times (p-1) |w^_j/h_j - 1|).

    Together less than 32 (d + 8) eps of each size. p = 2 has fewer roundings, and the same sizes.
    """
    return float(32 * objective.pnorm.size(w, minus_u))


def lost_in_ball(objective: Objective, w: Array, minus_u: Array) -> float:
    """What the residual of a p-norm loses to underflow beyond 16 (4 + gamma + mu) (1 + d) 2^-1074, which
    ``gap_bound.upper`` counts.

    p = 2 with a ball: (m/2)||w - w*||^2 + ((m - lam)/2)(ball^2 - ||w||^2), where m = ||v||/||w*|| is no constant. At
    most 3 (d + 1) squares lose 2^-1075 each. Other p: lam/(p-1) (||w|| - C) may underflow before it meets ||w|| - C
    again.
    """
    point = objective.pnorm.point(minus_u)
    sizes = float(objective.pnorm.norm(w)) + float(point.c) * math.sqrt(objective.d)  # ||grad g*||, each |bent_j| <= 1
    if objective.pnorm.euclidean and point.clipped:
        sizes = sizes + float(point.M) / float(point.c)
    return 4 * (objective.d + 1) * TINY * (1 + sizes)


def _require_agreement(difference: float, gap: float, allowed: float, objective: Objective) -> None:
    if not gap >= 0 or abs(difference - gap) > allowed:
        said = "this is a mistake in dualgap; please report it with the data"
        if isinstance(objective, OwnLossObjective):
            said = (
                f"value or conjugate of loss {objective.problem.loss.name!r} is off by more than 64 roundings of its"
                " terms"
            )
        raise ArithmeticError(
            f"primal - dual = {difference!r} and the gap as a sum of nonnegative terms, {gap!r}, differ by more than"
            f" rounding allows ({allowed!r}): {said}"
        )


def require_number(given: Any, name: str) -> float:
    """A finite float, or ValueError."""
    try:
        number = float(given)
    except (TypeError, ValueError):
        number = math.nan
    if not math.isfinite(number):
        raise ValueError(f"{name} must be a finite number (got {given!r:.80})")
    return number


def _require_w(w: Any, d: int) -> Array:
    checked = numbers(w, "w").copy()
    if checked.shape != (d,):
        raise ValueError(f"w must have shape ({d},) (got {checked.shape})")
    if not np.isfinite(checked).all():
        j = int(np.argmin(np.isfinite(checked)))
        raise ValueError(f"w[{j}] must be a finite number (got {checked[j]})")
    return checked


# -- the expected progress of one ASPDC step ------------------------------------------------------------------


class Progress(NamedTuple):
    """What one ASPDC step from (w(alpha), alpha) gains in the mean, against the gap."""

    ratio: float  # n E[D(alpha+) - D(alpha)] / gap; NaN where the gap is 0, or mu times it in doubles
    floor: float  # s = 1 - K, which the ratio is never below; -infinity where gamma = 0
    gap: float  # P(w(alpha)) - D(alpha)
    allowance: float  # by how much rounding can put the ratio below the floor


def progress(problem: Problem, alpha: Any) -> Progress:
    """The exact conditional expectation of ASPDC's next dual increase, in one pass and without randomness.

    ASPDC, sharp one-step lemma: with w = w(alpha) and Delta_i = phi_i'(x_i^T w) - alpha_i,

        D(alpha + Delta_i e_i) - D(alpha) = FY_i/n - ||x_i||^2 Delta_i^2 / (2 mu n^2)      (L2; >= otherwise),

    so that the mean over i, divided by gap/n, is 1 - sum_i ||x_i||^2 Delta_i^2 / (2 mu n sum_i FY_i), which is at
    least s = 1 - R^2/(mu n gamma) because FY_i >= (gamma/2) Delta_i^2.

    The last inequality holds at the rounded z_i too, row by row. Rounding enters through the sums (n u each), a
    handful of operations on each row and, for the logistic loss, through Delta_i = b - p, known to within 4 u, where
    FY_i >= 2 Delta_i^2 and FY_i is about Delta_i^2 / (2 p (1 - p)): together at most 24 u K / sqrt(mean FY) in the
    first order and 64 u^2 K / mean FY in the second. That is ``allowance``.

    Raises
    ------
    ValueError
        alpha has the wrong length or lies outside the domain.

    Examples
    --------
    >>> from dualgap.reference import L2, Problem, Squared
    >>> problem = Problem([[1.0, 0.0], [0.0, 1.0]], [1, -1], Squared(), L2(2))
    >>> progress(problem, [0.0, 0.0])[:3]
    (0.75, 0.75, 0.5)
    """
    require_unchanged(problem)
    objective = objective_of(problem)
    alpha = objective.require_alpha(alpha)
    residuals, losses = objective.progress_sums(objective.z(objective.w(alpha)), alpha)
    gap = residuals / objective.n
    divisor = objective.scale * objective.gamma  # 0 by underflow, too
    K = objective.arrays.R2 / divisor if divisor > 0 else math.inf
    divisor = 2 * objective.scale * residuals
    if divisor == 0 or not math.isfinite(gap):
        return Progress(math.nan, 1 - K, gap, 0.0)
    ratio = 1 - losses / divisor
    noise = UNIT / math.sqrt(gap) if problem.loss.name == "logistic" else 0.0
    rounding = 2 * UNIT * (2 * objective.n + 32) * (1 + K) + (24 * noise + 64 * noise * noise) * K
    return Progress(ratio, 1 - K, gap, rounding)
