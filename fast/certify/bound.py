"""The bound at one dual point, or between two of them, for a w that is fixed.

The formulas are those of ``gap_bound``: (sqrt(G~) + sqrt(E))^2 + A. With a free intercept the constraint sum_i s_i
alpha_i = 0 is met by a point between two, as in ``intercept``. docs/certificates.md has the proofs.
"""

import math
from collections.abc import Iterator
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from dualgap.fast.certify.losses import KINDS, residual, step, value
from dualgap.fast.certify.rows import AT_ONCE, Array, Rows, vector
from dualgap.fast.problem import gap_bound
from dualgap.fast.problem.gap_bound import LOST, TINY, UNIT, Constants, RowSizes, length_of

LEAST_WEIGHT = 2.0**-1000  # where the mean is in [1, 2)
SHARES = 1e-3, 1e-5, 1e-7  # of P(w), tried as the price of a penalty without a square
LEAST_SHARE = 1e-3  # of the largest change of the sum that a step away from the ends of the domain must make


class Point(NamedTuple):
    """A dual point with u = (1/S) sum_i s_i alpha_i x_i, and what is known there."""

    alpha: Array
    u: Array
    gap: float  # P(w) - D(alpha) as computed; without the constraint of a free intercept
    bound: float  # an upper bound of it
    resolution: float  # the bound if gap were 0


class Pair:
    """A problem and w: everything that does not depend on alpha.

    Attributes
    ----------
    z : (n,) Xw, plus the intercept
    s, S : weights, scaled by a power of two so that their mean is in [1, 2), and their sum; 1.0 and n without weights
    """

    def __init__(
        self, X: Any, y: Any, w: Any, loss: str, lam: float, l1: float, gamma: Any, weights: Any, intercept: Any
    ) -> None:
        self.loss, self.kind = loss, KINDS[loss]
        self.rows, self.lam, self.l1, self.shift = Rows(X), lam, l1, intercept
        n, d = self.n, self.d = self.rows.n, self.rows.d
        self.y, self.w = vector(y, "y", n), vector(w, "w", d)
        if self.kind.margin and not (np.abs(self.y) == 1).all():
            i = int(np.argmax(np.abs(self.y) != 1))
            raise ValueError(
                f"loss {loss} needs the labels -1 and 1 (got y[{i}] = {self.y[i]:g}): map them first, for example by"
                " np.where(y == 1, 1, -1), or by --positive 1"
            )
        self.gamma = gamma
        self.s: Any
        self.s, self.S = (1.0, float(n)) if weights is None else scaled(vector(weights, "sample_weight", n))
        z, squares = self.rows.first_pass(self.w)
        self.z = z if intercept is None else z + intercept
        self.lengths = np.sqrt(squares)
        weighted, free = weights is not None, intercept is not None
        self.sizes = RowSizes(
            2 * n + 4 if weighted else n,
            self.rows.longest + 2 * weighted + free,
            self.mean(squares) + free,
            self.mean(self.y * self.y),
            self.kind.slope,
            0.0,
            float(self.lengths.sum()) / self.S if weighted else 0.0,
        )
        self.w_length = length_of(float(np.sum(self.w * self.w)) + (intercept or 0.0) ** 2, d + free)

    def mean(self, values: Any) -> float:
        """The weighted mean over the rows."""
        return float(np.sum(self.s * values)) / self.S

    def best(self, minus_u: Array) -> Array:
        """grad g*(-u): the w that belongs to u."""
        v, limit = minus_u / self.lam, self.l1 / self.lam
        return v - np.clip(v, -limit, limit)

    def primal(self, z: Array, w: Array) -> float:
        """P(w), z = Xw + b, in doubles."""
        squares, ones = float(np.sum(w * w)), float(np.sum(np.abs(w)))
        return self.mean(value(self.loss, self.gamma, z, self.y)) + self.lam * squares / 2 + self.l1 * ones

    def squares(self) -> list[tuple[float, float]]:
        """Pairs (lam, price): with (lam/2) ||w||^2 added to a P without a square, min P grows by at most the price.

        l1 ||w*||_1 <= P(w*) <= P(w) <= P+, so lam ||w*||^2/2 <= lam (P+/l1)^2/2. P+ has in each row the larger one of
        phi(z - e) and phi(z + e), where e is at least the error of z: phi is convex.
        """
        lengths = self.lengths + (self.shift is not None) + LOST * math.sqrt(self.sizes.longest)
        e = 2 * gap_bound.k(self.sizes.longest + 4) * lengths * self.w_length + 8 * self.sizes.longest * TINY
        ends = (value(self.loss, self.gamma, self.z + sign * e, self.y) for sign in (-1, 1))
        most = 1.001 * (self.mean(np.maximum(*ends)) + self.l1 * float(np.sum(np.abs(self.w))))
        pairs = [(2 * share * self.l1 * (self.l1 / most), 1.001 * share * most) for share in SHARES if most > 0]
        return [(lam, price) for lam, price in pairs if min(lam, price) > 2.0**-900 and max(lam, price) < math.inf]

    def at(self, alpha: Array) -> Point:
        """The bound at alpha, in one pass over the rows."""
        u = self.rows.combine(self.s * alpha) / self.S
        gap = self.residuals(alpha) + self.regularizer_residual(-u)
        sizes = self.sizes
        lengths = self.mean(np.abs(alpha) * self.lengths) * (1 + UNIT * (sizes.terms + sizes.longest + 8))
        lengths += LOST * math.sqrt(sizes.longest) * float(np.abs(alpha).max())
        if not gap >= 0:
            return Point(alpha, u, gap, math.inf, math.inf)
        errors = gap_bound.plain(sizes, self.n, self.w_length, lengths)
        constants = Constants(self.d, self.gamma, self.lam, self.l1, 0.0, self.loss)
        bounds = [gap_bound.upper(constants, sizes, errors, root, 0.0) for root in (math.sqrt(gap), 0.0)]
        return Point(alpha, u, gap, *bounds)

    def residuals(self, alpha: Array) -> float:
        """The weighted mean of FY_i(z_i, alpha_i); in pieces, for logistic has many arrays of that size."""
        total = 0.0
        for i in range(0, self.n, AT_ONCE // 4):
            rows = slice(i, i + AT_ONCE // 4)
            s = self.s if isinstance(self.s, float) else self.s[rows]
            total += float(np.sum(s * residual(self.loss, self.gamma, self.z[rows], alpha[rows], self.y[rows])))
        return total / self.S

    def regularizer_residual(self, minus_u: Array) -> float:
        """g(w) + g*(-u) + u^T w >= 0, by the expressions of ``quadratic.regularizer_residual``."""
        v, w, limit = minus_u / self.lam, self.w, self.l1 / self.lam
        r = np.clip(v, -limit, limit)
        apart = w - (v - r)
        found = self.lam * (apart * apart) / 2.0
        if limit != 0.0:
            found = found + self.lam * np.where(w >= 0.0, w * (limit - r), -w * (r + limit))
        return float(np.sum(found))

    # -- a free intercept ----------------------------------------------------------------------------------------------

    def step(self, z: Array, alpha: Array, q: float, b: float) -> tuple[Array, float]:
        """The dual step of every row at z + b; with a free intercept the b is one for which the sum of s_i alpha_i is
        about 0, sought from b on.
        """

        def at(b: float) -> Array:
            return np.asarray(step(self.loss, self.gamma, z + b, alpha, self.y, q))

        if self.shift is not None:
            b = root(lambda b: float(np.sum(self.s * at(b))), b)
        return at(b), b

    def balance(self, alpha: Array) -> tuple[float, float]:
        """C~(alpha) = sum_i s_i alpha_i, and e >= |C - C~|: one rounding of the sum, and one of each product."""
        products = self.s * alpha
        total = exact_sum(products)
        if isinstance(self.s, float):
            return total, 2 * UNIT * abs(total)
        return total, 4 * UNIT * float(np.sum(np.abs(products))) + 8 * self.n * TINY

    def certified(self, point: Point) -> tuple[float, tuple[Array, ...]]:
        """The bound on P(w) - min P, and the dual points that it uses."""
        if self.shift is None:
            return point.bound, (point.alpha,)
        total, error = self.balance(point.alpha)
        if total == 0 and error == 0:
            return point.bound, (point.alpha,)
        signs = (-math.copysign(1.0, total),) if abs(total) > error else (1.0, -1.0)
        sides = [min(self.between(point, sign), default=(math.inf, ()), key=lambda one: one[0]) for sign in signs]
        return max(one for one, _ in sides), (point.alpha, *(other[0] for _, other in sides if other))

    def between(self, point: Point, sign: float) -> Iterator[tuple[float, tuple[Array, ...]]]:
        """The bounds by each alpha+ that is tried, whose sum has that sign."""
        total, error = self.balance(point.alpha)
        for direction in self.directions(point.alpha, sign):
            eta, known = 1.0, False
            for _ in range(2):
                other = np.clip(point.alpha + eta * direction, *self.ends())
                opposite, off = self.balance(other)
                if not sign * opposite > off:
                    break
                t = min((abs(total) + error) / (abs(opposite) - off) * (1 + 8 * UNIT) + TINY, 1.0)
                there, known = self.at(other).bound, True
                yield (point.bound + t * there) * (1 + 8 * UNIT) + TINY, (other,)
                if not 0 < point.bound < there < math.inf:
                    break
                eta = math.sqrt(point.bound / there)
            if known:
                return

    def directions(self, alpha: Array, sign: float) -> Iterator[Array]:
        """Away from the ends of the domain, if that is enough, and to them (``InterceptObjective.directions``)."""
        low, high = self.ends()
        size = float(np.abs(alpha).max()) or 1.0
        ahead = np.minimum(high - alpha if sign > 0 else alpha - low, size)
        inside = np.minimum(np.minimum(high - alpha, alpha - low), ahead)
        if np.sum(self.s * inside) >= LEAST_SHARE * np.sum(self.s * ahead):
            yield sign * inside
        yield sign * ahead

    def ends(self) -> tuple[Any, Any]:
        """The ends of the domain of every alpha_i."""
        low, high = self.kind.ends
        if not self.kind.margin:
            return low, high
        return np.where(self.y > 0, -high, low), np.where(self.y > 0, -low, high)


def scaled(weights: Array) -> tuple[Array, float]:
    """The weights times the power of two that brings their mean into [1, 2), and their sum (``WeightedProblem``)."""
    weights = np.ldexp(weights, 1 - math.frexp(exact_sum(weights) / weights.size)[1])
    if not (weights >= LEAST_WEIGHT).all():
        raise ValueError("sample_weight must be in 2^-500..2^500; leave out the rows of weight 0")
    return weights, exact_sum(weights)


def exact_sum(values: Array) -> float:
    """The sum, rounded once; infinite or NaN where it is beyond the doubles."""
    parts = (values[i : i + AT_ONCE].tolist() for i in range(0, values.size, AT_ONCE))
    try:
        return math.fsum(chain.from_iterable(parts))
    except (OverflowError, ValueError):
        return math.nan


def root(rising: Any, start: float) -> float:
    """A zero of a function that does not fall, or a point next to it: doubled steps, then false position (Illinois)."""
    ends, values, width = [start, start], [rising(start)] * 2, 2.0**-10
    side = 1 if values[0] < 0 else 0
    while values[side] != 0 and (values[side] < 0) == (side == 1) and width < 2.0**100:
        ends[1 - side], values[1 - side] = ends[side], values[side]
        ends[side] += width if side else -width
        values[side], width = rising(ends[side]), 4 * width
    small, last = 2.0**-46 * max(map(abs, values)), -1
    weight = list(values)
    for _ in range(60):
        b = ends[0] - weight[0] * (ends[1] - ends[0]) / (weight[1] - weight[0]) if weight[1] > weight[0] else math.nan
        if min(map(abs, values)) <= small or not ends[0] < b < ends[1]:
            break
        found = rising(b)
        side = 1 if found >= 0 else 0
        ends[side], values[side], weight[side] = b, found, found
        if side == last:
            weight[1 - side] /= 2
        last = side
    return ends[0] if abs(values[0]) < abs(values[1]) else ends[1]
