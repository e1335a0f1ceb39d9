"""Certificates of problems with a free intercept (``InterceptProblem``), and the best intercept of a w.

The dual of min over (w, b) has the constraint C(alpha) = sum_i s_i alpha_i = 0, which alphas in doubles violate by
rounding: there D is -infinity. The certificate is therefore that of a real alpha' that satisfies it exactly, which lies
between alpha and a second point alpha+ in doubles, with a sum of the other sign:

    alpha' = (1 - t) alpha + t alpha+,    t = |C(alpha)| / (|C(alpha)| + |C(alpha+)|),    C(alpha') = 0

Then P(w, b) - min P <= F(alpha) + t F(alpha+), where F is the gap as it is without the constraint. The proof is in
docs/certificates.md, "The proof for a free intercept".
"""

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.problem.arrays import Array
from dualgap.fast.problem.compensated import add_product
from dualgap.fast.problem.evaluated import Evaluated, evaluated
from dualgap.fast.problem.gap_bound import TINY, UNIT, RowSizes, k
from dualgap.fast.problem.losses import LOGISTIC, curvature, derivative
from dualgap.fast.problem.objective import Objective, Sums
from dualgap.fast.problem.row_sums import sums_and_sizes
from dualgap.reference.problem.data import shallow_copy
from dualgap.reference.problem.intercept_problem import InterceptProblem
from dualgap.reference.problem.problem import Problem

STEPS = 400  # of the search for b, at most
LEAST_SHARE = 1e-3  # of the largest change of C that a step within the domain must make
ENOUGH = 0.125  # t F(alpha+) is small against F(alpha)
KEPT = 4  # best intercepts


class InterceptObjective(Objective):
    """P(w) = min_b P(w, b), D, gap and the maps between alpha, u, v and w; at a fixed b, if one is given.

    >>> from dualgap.reference import L2, Squared
    >>> problem = InterceptProblem([[1.0], [0.0]], [1, 3], Squared(), L2(2))
    >>> InterceptObjective(problem).intercept(np.zeros(1)), InterceptObjective(problem).P(np.zeros(1))
    (2.0, 0.5)
    """

    problem: InterceptProblem

    given: Any = None  # w and X w + b, where an intercept is given
    known: tuple[tuple[Array, tuple[float, float]], ...] = ()  # see ``weighted_sum``
    start = 0.0  # where the search for the best one begins
    inexact = unseen = 0.0  # ``RowSizes.shift`` and ``unseen``
    evaluate = Objective.evaluate_in_parts

    def at(self, b: float, w: Array) -> "InterceptObjective":
        """The objective at that w and b; ``shift`` is the intercept of the centred rows, b + m^T w (``centring``)."""
        found = shallow_copy(self)
        found.shift, found.known = b, ()
        if self.arrays.means is not None:
            found.shift, size = summed_products(np.append(self.arrays.means, 1.0), np.append(w, b))
            rounded = 2 * UNIT * abs(found.shift)
            found.inexact = rounded + 2 * k(2 * self.d + 2) ** 2 * size + 8 * (self.d + 1) * TINY
            found.unseen = 2 * UNIT * abs(b)
        found.given = w, self.products(w) + found.shift
        return found

    def near(self, shift: float) -> "InterceptObjective":
        """The objective whose search for the best intercept, of the centred rows, begins there."""
        found = shallow_copy(self)
        found.start = shift if math.isfinite(shift) else 0.0
        return found

    def intercept(self, w: Array) -> float:
        """The best b of that w, up to rounding."""
        shift = self.best_at(w, self.products(w))
        if self.arrays.means is None:
            return shift
        return float(summed_products(np.append(self.arrays.means, 1.0), np.append(-w, shift))[0])

    def best(self, z: Array) -> float:
        """The best intercept at z = Xw."""
        return float(best_intercept(self.code, self.gamma, self.weights, z, self.arrays.y, self.start))

    def best_at(self, w: Array, z: Array) -> float:
        """``best``, kept for the last few w: the same one is needed for alpha, P and the certificate."""
        key = w.tobytes(), self.start
        kept: dict[object, float] = self.problem.cached("best intercepts", dict)
        b = kept.get(key)
        if b is None:
            if len(kept) >= KEPT:
                kept.clear()
            b = kept[key] = self.best(z)
        return b

    def coefficients(self, w: Array) -> Array:
        return np.append(w, self.shift)

    def z(self, w: Array) -> Array:
        """Xw + b, shape (n,)."""
        if self.given is not None:
            return np.asarray(self.given[1] if w is self.given[0] else super().z(w) + self.shift)
        z = self.products(w)
        return z + self.best_at(w, z)

    def products(self, w: Array) -> Array:
        """Xw, kept for the last w, like ``best_at``."""
        kept: dict[bytes, Array] = self.problem.cached("last products", dict)
        key = w.tobytes()
        if key not in kept:
            kept.clear()
            kept[key] = super().z(w)
        return kept[key]

    def sums(self, z: Array, alpha: Array) -> Sums:
        return self.sums_and_sizes(z, alpha)[0]

    def magnitudes(self, z: Array, alpha: Array) -> tuple[float, float]:
        return self.sums_and_sizes(z, alpha)[1]

    def sums_and_sizes(self, z: Array, alpha: Array) -> tuple[Sums, tuple[float, float]]:
        """Of the losses phi_i(. + b), whose conjugates are phi_i*(alpha_i) - b alpha_i."""
        rows, share = (self.arrays.y, self.arrays.norms2), self.n / self.mass
        of_rows = self.code, self.gamma, self.weights, z, alpha, *rows, (0.0, 0.0, 0.0), (0.0, 0.0)
        sums, (size, lengths) = sums_and_sizes(*of_rows)
        found, (total, tilt) = self.scaled(sums), self.weighted_sum(alpha)
        conjugates = found.conjugates - self.shift * (total * share)
        return found._replace(conjugates=conjugates), (size * share + abs(self.shift) * (tilt * share), lengths * share)

    def weighted_sum(self, alpha: Array) -> tuple[float, float]:
        """The sum of s_i alpha_i, and of the sizes; kept for the last two alphas of a certificate."""
        for known, sums in self.known:
            if known is alpha:
                return sums
        found: tuple[float, float] = summed_products(self.weights, alpha)
        if self.given is not None:
            self.known = (*self.known[-1:], (alpha, found))
        return found

    @property
    def row_sizes(self) -> RowSizes:
        """See ``gap_bound``; of the rows (1, x_i)."""
        found = super().row_sizes
        return found._replace(longest=found.longest + 1, norm2=found.norm2 + 1, shift=self.inexact, unseen=self.unseen)

    def balance(self, alpha: Array) -> tuple[float, float]:
        """C~(alpha), and e >= |C - C~|."""
        if not alpha.any():
            return 0.0, 0.0
        total, size = self.weighted_sum(alpha)
        return total, 2 * UNIT * abs(total) + 2 * k(2 * self.n) ** 2 * size + 8 * self.n * TINY

    def directions(self, alpha: Array, sign: float) -> Iterator[Array]:
        """Directions p with sum_i s_i p_i of that sign, alpha + p in the domain up to rounding: away from its ends, if
        that is enough, and to them.
        """
        low, high = self.ends()
        size = float(np.abs(alpha).max()) or 1.0
        ahead = high - alpha if sign > 0 else alpha - low
        ahead = np.minimum(ahead, size)
        inside = np.minimum(np.minimum(high - alpha, alpha - low), ahead)
        if (self.weights * inside).sum() >= LEAST_SHARE * (self.weights * ahead).sum():
            yield sign * inside
        yield sign * ahead

    def ends(self) -> tuple[Array, Array]:
        """The ends of the domain of every alpha_i."""
        found: tuple[Array, Array] = self.problem.cached("ends", self.make_ends)
        return found

    def make_ends(self) -> tuple[Array, Array]:
        """``ends``, made once."""
        bottom, top = self.problem.loss.ends
        low, high = -math.inf if bottom is None else float(bottom), math.inf if top is None else float(top)
        if not self.problem.loss.margin:
            return np.full(self.n, low), np.full(self.n, high)
        positive = self.arrays.y > 0
        return np.where(positive, -high, low), np.where(positive, -low, high)


def share(
    objective: InterceptObjective, alpha: Array, step: Array, eta: float, sign: float
) -> tuple[Array, float] | None:
    """alpha+ = alpha + eta p, and an upper bound of t; None unless C(alpha+) is known to have that sign."""
    other = np.clip(alpha + eta * step, *objective.ends())
    if objective.first_outside(other) < objective.n:
        return None
    (total, error), (opposite, off) = objective.balance(alpha), objective.balance(other)
    if not sign * opposite > off:
        return None
    t = (abs(total) + error) / (abs(opposite) - off) * (1 + 8 * UNIT) + TINY
    return (other, min(t, 1.0)) if t >= 0 else None


def signs(objective: InterceptObjective, alpha: Array) -> tuple[float, ...]:
    """The signs that C(alpha+) must have: that of -C(alpha), or both where that sign is not known; none for C = 0."""
    total, error = objective.balance(alpha)
    if total == 0 and error == 0:
        return ()
    return (-math.copysign(1.0, total),) if abs(total) > error else (1.0, -1.0)


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
    """Return the certificates of each alpha+ of that sign."""
    first = math.sqrt(min(1.0, found.gap_bound / (abs(found.primal) or 1.0)))
    for step in objective.directions(alpha, sign):
        eta, tried = first or 1.0, False
        for _ in range(3):
            chosen = share(objective, alpha, step, eta, sign)
            if chosen is None:
                if tried or eta == 1.0:
                    break
                eta = 1.0
                continue
            other, t = chosen
            try:
                there = evaluated(objective, w, other, compensated)
            except OverflowError:
                break
            tried = True
            yield between(found, there, t)
            if t * there.gap_bound <= ENOUGH * found.gap_bound or not 0 < found.gap_bound < there.gap_bound < math.inf:
                break
            eta = eta * math.sqrt(found.gap_bound / there.gap_bound)
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


# -- kernels -----------------------------------------------------------------------------------------------------------


@kernel
def summed_products(p, q):
    """sum_i p_i q_i in twice the precision, and the sum of the sizes of the products."""
    high = low = size = 0.0
    for i in range(p.size):
        high, low = add_product(high, low, p[i], q[i])
        size = size + abs(p[i] * q[i])
    return high + low, size


@kernel
def slope_at(code, gamma, weights, z, y, b):
    """The sums of s_i phi_i'(z_i + b), of their sizes, and of s_i phi_i''(z_i + b), 0 for gamma = 0."""
    slope = size = bend = 0.0
    for i in range(z.size):
        one = derivative(code, gamma, z[i] + b, y[i])
        slope, size = slope + weights[i] * one, size + weights[i] * abs(one)
        if code == LOGISTIC:  # p (1 - p), and p is known
            bend = bend + weights[i] * (abs(one) * (1.0 - abs(one)))
        elif gamma > 0.0:
            bend = bend + weights[i] * curvature(code, gamma, z[i] + b, y[i])
    return slope, size, bend


@kernel
def best_intercept(code, gamma, weights, z, y, start):
    """argmin_b of sum_i s_i phi_i(z_i + b), up to rounding: Newton's steps while they halve the slope, else halves."""
    low, high, b, previous, scale = -np.inf, np.inf, start, np.inf, 0.0
    for i in range(z.size):
        scale = max(scale, abs(z[i]) + abs(y[i]))
    step = scale if scale > 0.0 else 1.0
    for _ in range(STEPS):
        slope, size, bend = slope_at(code, gamma, weights, z, y, b)
        if abs(slope) <= 2.0**-52 * size or not size < np.inf:
            return b
        if slope > 0.0:
            high = b
        else:
            low = b
        following = b - slope / bend if bend > 0.0 else np.nan
        if high - low < np.inf:
            if high - low <= 2.0**-52 * (abs(low) + abs(high)) or high - low <= 2.0**-54 * scale:
                return b
            if not low < following < high or abs(slope) > 0.5 * previous:
                following = low + (high - low) / 2.0
        elif not abs(following - b) <= step:
            following = b - step if slope > 0.0 else b + step
            step = 2.0 * step
        b, previous = following, abs(slope)
    return b


def objective_of_rows(problem: Problem) -> Objective:
    """The objective of a problem of one number for each row, weighted or not: what a method's passes need, whatever the
    loss is.
    """
    if isinstance(problem, InterceptProblem):
        return InterceptObjective(problem)
    return Objective(problem)
