"""``certify``: an upper bound on P(w) - min P that includes every rounding error, for the w of any solver.

The dual point is made here. It begins with alpha_i = phi_i'(z_i), and then follows an accelerated projected gradient
method on the dual, within a budget of seconds. Every alpha gives a valid bound, so nothing has to be proved of the
method.
"""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from dualgap.fast.certify.bound import Pair, Point
from dualgap.fast.certify.losses import KINDS
from dualgap.fast.certify.rows import Array, number, vector

LEAST_NORMAL = 2.0**-1022
CLOSE = 1.05  # a bound that is so near to a lower bound is not improved


@dataclass(frozen=True)
class Certified:
    """What ``certify`` found.

    Attributes
    ----------
    gap_bound : P(w) - min P is at most this, whatever doubles have rounded; infinite if nothing is certified
    primal : P(w), as computed in doubles
    resolution : the smallest bound that doubles can give at a pair of this size, about
    points : the dual points, shape (n,) each, that the bound uses: alpha, and with a free intercept one or two more
    passes : how many dual points were tried; each costs two passes over the data
    seconds : how long it took
    stopped : why no further one was tried
    """

    gap_bound: float
    primal: float
    resolution: float
    points: tuple[Array, ...] = field(repr=False)
    passes: int
    seconds: float
    stopped: str


def certify(
    X: Any,
    y: Any,
    w: Any,
    *,
    loss: str,
    lam: float,
    l1: float = 0.0,
    gamma: float | None = None,
    alpha: Any = None,
    sample_weight: Any = None,
    intercept: float | None = None,
    seconds: float = 1.0,
    tol: float = 0.0,
) -> Certified:
    """Bound P(w) - min P, P(w) = (1/S) sum_i s_i phi_i(x_i^T w + b) + (lam/2) ||w||^2 + l1 ||w||_1.

    Parameters
    ----------
    X : (n, d), dense or CSR, in memory or mapped from a file; it is read in blocks
    y : (n,) labels, -1 and 1 for the losses of classification
    w : (d,), or one row or column of a matrix, as ``coef_`` of scikit-learn is; vectors may be that
    loss : squared, smoothed-hinge, squared-hinge, hinge, logistic or absolute (``dualgap.reference.LOSSES``)
    lam : >= 0; 0 needs l1 > 0, and then the bound is at least 1e-7 P(w)
    l1 : >= 0
    gamma : > 0, of squared and smoothed-hinge only (default 1)
    alpha : (n,) a dual point to begin with, in the sign convention alpha = phi'(x^T w); by default it is made from w
    sample_weight : (n,) s_i in 2^-500..2^500 (default 1)
    intercept : b, which has no penalty; min P is over w and b then
    seconds : >= 0, for improving the dual point; 0 judges the first one
    tol : >= 0, a bound that is small enough

    Raises
    ------
    ValueError
        An argument is not as above.
    InputChanged
        X is a mapped folder, and a file of it was written to meanwhile.
    RuntimeError
        The processor takes numbers below 2^-1022 for 0, so that no bound would be valid.

    Examples
    --------
    >>> certify([[1.0, 0.0], [0.0, 1.0]], [1, -1], [0.2, -0.2], loss="smoothed-hinge", lam=2.0).gap_bound < 1e-28
    True
    """
    begin = time.perf_counter()
    with np.errstate(all="ignore"):
        require_subnormals()
        lam, l1, seconds, tol = number(lam, "lam"), number(l1, "l1"), number(seconds, "seconds"), number(tol, "tol")
        gamma = checked(loss, lam, l1, None if gamma is None else number(gamma, "gamma"), seconds, tol)
        intercept = None if intercept is None else number(intercept, "intercept")
        if intercept is not None and not math.isfinite(intercept):
            raise ValueError(f"intercept must be a finite number (got {intercept})")
        pair = Pair(X, y, w, loss, lam, l1, gamma, sample_weight, intercept)
        at = None if alpha is None else in_domain(pair, vector(alpha, "alpha", pair.n))
        found, squares = [], [(lam, 0.0)] if lam > 0 else pair.squares()
        primal = pair.primal(pair.z, pair.w)
        for tried, (pair.lam, price) in enumerate(squares, 1):
            first, until = start(pair) if at is None else at, seconds * tried / len(squares)
            point, passes, stopped = improved(pair, first, lambda: time.perf_counter() - begin, until, tol - price)
            at = point.alpha
            if alpha is None and not point.bound <= primal:  # D(0) >= 0, as phi >= 0
                point = min(point, pair.at(np.zeros(pair.n)), key=lambda one: one.bound)
            bound, points = pair.certified(point)
            bound, resolution = ((one + price) * (1 + 2.0**-50) if price else one for one in (bound, point.resolution))
            found.append(Certified(bound, primal, resolution, points, passes, time.perf_counter() - begin, stopped))
            if bound <= tol:
                break
    if hasattr(X, "require_unchanged"):  # of a mapped folder
        X.require_unchanged()
    if not found:
        return Certified(math.inf, primal, math.inf, (), 0, time.perf_counter() - begin, "numbers overflow")
    best = min(found, key=lambda one: one.gap_bound)
    return replace(best, passes=sum(one.passes for one in found), seconds=found[-1].seconds)


def of_problem(
    problem: Any, w: Any, alpha: Any = None, intercept: float | None = None, seconds: float = 1.0, tol: float = 0.0
) -> Certified | None:
    """``certify`` for a Problem over float; None where its class, loss or regularizer is none that ``certify`` has.

    intercept : b, for an InterceptProblem
    """
    known = ("Problem", "WeightedProblem") if intercept is None else ("InterceptProblem",)
    parts = problem, problem.loss, problem.regularizer
    own = all(type(part).__module__.startswith("dualgap.reference.problem.") for part in parts)
    regularizer = problem.regularizer
    if not (own and type(problem).__name__ in known and problem.number is float and problem.loss.name in KINDS):
        return None
    if type(regularizer).__name__ not in ("L2", "ElasticNet", "Regularizer") or regularizer.kappa != 0:
        return None
    weights = getattr(problem, "weights", None)
    X = problem.X if hasattr(problem.X, "shape") else [[float(x) for x in row] for row in problem.X]
    return certify(
        X,
        problem.y,
        w,
        loss=problem.loss.name,
        lam=regularizer.lam,
        l1=regularizer.l1,
        gamma=problem.loss.gamma if problem.loss.adjustable else None,
        alpha=alpha,
        sample_weight=None if weights is not None and set(weights) == {1.0} else weights,
        intercept=intercept,
        seconds=seconds,
        tol=tol,
    )


def checked(loss: str, lam: float, l1: float, gamma: float | None, seconds: float, tol: float) -> float:
    """The gamma of the loss. Raises ValueError if a parameter is out of its range."""
    if loss not in KINDS:
        raise ValueError(f"unknown loss {loss!r}; known: {', '.join(KINDS)}")
    if not 0 <= lam < math.inf or not 0 <= l1 < math.inf or lam == l1 == 0:
        raise ValueError(
            f"lam must be > 0, or 0 where l1 > 0, and l1 >= 0, both finite (got lam = {lam}, l1 = {l1}): without a"
            " penalty there is no such bound"
        )
    if not seconds >= 0 or not tol >= 0:
        raise ValueError(f"seconds and tol must be >= 0 (got {seconds} and {tol})")
    own = KINDS[loss].gamma
    if own is not None:
        if gamma is not None:
            raise ValueError(f"loss {loss} has the fixed gamma = {own}; leave gamma out (got {gamma})")
        return own
    if gamma is not None and not 0 < gamma < math.inf:
        raise ValueError(f"gamma must be > 0 and finite (got {gamma})")
    return 1.0 if gamma is None else gamma


def require_subnormals() -> None:
    """Raise RuntimeError if this thread's processor takes subnormal numbers for 0 (``compiler.subnormals``)."""
    least = np.full(16, LEAST_NORMAL)
    if (least * 0.5 * 2.0 != least).any() or LEAST_NORMAL * 0.5 * 2.0 != float(least[0]):
        raise RuntimeError(
            "no certificate can be made: this thread's processor takes numbers below 2^-1022 for 0 (flush-to-zero), and"
            " a bound of rounding errors would be false. A library that was built with -ffast-math sets this mode when"
            " it is loaded: import dualgap in a process without it, or reset the mode"
        )


def in_domain(pair: Pair, alpha: Array) -> Array:
    """The alpha. Raises ValueError if one of its numbers is outside the domain of phi*."""
    low, high = pair.ends()
    outside = ~((low <= alpha) & (alpha <= high))
    if outside.any():
        i = int(np.argmax(outside))
        raise ValueError(f"alpha[{i}] = {alpha[i]} is outside the domain of phi* of loss {pair.loss}")
    return alpha


def start(pair: Pair) -> Array:
    """phi'(z); where the loss has a kink and the intercept is free, a step from 0 that has no jumps."""
    q = 0.0 if pair.gamma > 0 or pair.shift is None else pair.sizes.norm2 / pair.lam
    return pair.step(pair.z, np.zeros(pair.n), q, 0.0)[0]


def improved(
    pair: Pair, first: Array, passed: Callable[[], float], seconds: float, tol: float
) -> tuple[Point, int, str]:
    """The best point on the way of FISTA on the dual, with restarts; how many were tried; why it stopped.

    The step of a row has q = L/lam, where L ||.||^2 bounds the mean of (x_i^T .)^2. L is doubled where a step shows
    that it is too small, and then that step is made again.
    """
    here = best = pair.at(first)
    before, momentum, q, tried = here, 1.0, pair.sizes.norm2 / pair.lam / 8, 1
    low, longest, b = 0.0, 0.0, pair.shift or 0.0
    primal = pair.primal(pair.z, pair.w)
    while True:
        if best.bound <= tol:
            return best, tried, "the bound is at most tol"
        if best.bound <= 2 * best.resolution:
            return best, tried, "doubles resolve no smaller bound"
        if best.bound <= CLOSE * low:
            return best, tried, f"P(w) - min P is at least {low:.3g} up to rounding"
        if passed() + longest > seconds or not best.bound < math.inf or not q < math.inf:
            return best, tried, "the time is over" if best.bound < math.inf and q < math.inf else "numbers overflow"
        begin = passed()
        following = (1 + math.sqrt(1 + 4 * momentum * momentum)) / 2
        weight = (momentum - 1) / following
        alpha, u = here.alpha + weight * (here.alpha - before.alpha), here.u + weight * (here.u - before.u)
        w = pair.best(-u)
        z = pair.rows.times(w)
        moved, b = pair.step(z, alpha, q, b)
        next_ = pair.at(moved)
        low = max(low, primal - pair.primal(z + b, w))
        tried += 1
        best = min(best, next_, key=lambda one: one.bound)
        moved, need = next_.alpha - alpha, next_.u - u
        length = pair.mean(moved * moved)
        if float(np.sum(need * need)) > (1 + 1e-9) * q * pair.lam * length:
            q, before, momentum = 2 * q, here, 1.0
        elif pair.mean((alpha - next_.alpha) * (next_.alpha - here.alpha)) > 0:
            here, before, momentum = next_, next_, 1.0
        else:
            here, before, momentum = next_, here, following
        longest = max(longest, passed() - begin)
