"""The central path of a cone program, to an optimum that floats do not reach, and without a guess of its face.

From a point strictly inside, t times the objective minus the logarithms of all scalars and determinants is minimised
for larger and larger t. The minimum is strictly inside, so rounding succeeds, and its objective is at most
(rows of all matrices)/t above the optimum. Slacks of 10^-13 need more than floats: a number x is the integer x 2^BITS,
and floats only precondition the conjugate gradients that find Newton's step.
"""

import time
from collections.abc import Sequence
from contextlib import suppress
from fractions import Fraction
from importlib import import_module
from typing import Any

import numpy as np
import scipy.linalg as la

from dualgap.extras.exact.cone import (
    ONE,
    Cone,
    Entries,
    Form,
    Point,
    add_to,
    eliminated,
    elimination,
    point_of,
    refusals,
    substituted,
    value,
)
from dualgap.extras.exact.floats import Array
from dualgap.extras.exact.roots import Root

BITS = 256
ROOM = 64  # the sum of all scalars and traces is at most so many times that at the start, or the path may be infinite
WIDER = 12  # the logarithm of how much more room there is where that limits the optimum
FASTEST = 4  # t grows at most by 2^FASTEST from one point of the path to the next
STEPS = 300  # of Newton's method, at most
ENOUGH = 2.0**-20  # of the first residual of the conjugate gradients
CENTRED = 1 / 4  # Newton decrement of a point that counts as on the path
Whole = Any  # integers: numbers times 2^BITS; one, or an array


def whole(x: Any) -> Any:
    """Return a number times 2^BITS, as an integer."""
    x = x.above() if isinstance(x, Root) else Fraction(x)
    return import_module("gmpy2").mpz((x.numerator << BITS) // x.denominator)  # optional


def wholes(xs: Any) -> Whole:
    """Return an array of integers, for numbers or an array of floats."""
    shape = np.shape(xs)
    return np.array([*map(whole, np.ravel(xs)), None], object)[:-1].reshape(shape)


def floats(x: Whole) -> Array:
    """Return an array of floats."""
    found: Array = x.astype(float) / 2.0**BITS
    return found


def times(A: Whole, B: Whole) -> Whole:
    """Return the product of two arrays."""
    return (A @ B) >> BITS


class _Matrices:
    """Symmetric matrices of k rows as affine functions of n unknowns: entry (m, a, b) is constant + sum of c y[u]."""

    def __init__(self, k: int, entries: list[Entries], index: dict[int, int]) -> None:
        self.k, self.n = k, len(index)
        self.constant, rows = wholes(np.zeros((len(entries), k, k))), []
        for m, forms in enumerate(entries):
            for (i, j), form in forms.items():
                for a, b in {(i, j), (j, i)}:
                    self.constant[m, a, b] = whole(form.get(None, 0))
                    rows += [(m, a, b, index[u], c) for u, c in form.items() if u is not None]
        *at, self.u = (np.array([row[n] for row in rows], int) for n in range(4))
        self.at, self.c = tuple(at), wholes([row[4] for row in rows])

    def linear(self, y: Whole) -> Whole:
        """Return the matrices at y without their constants."""
        M = 0 * self.constant
        np.add.at(M, self.at, (self.c * y[self.u]) >> BITS)
        return M

    def adjoint(self, S: Whole) -> Whole:
        """Return the sum of <S, coefficients> for each unknown."""
        found = wholes(np.zeros(self.n))
        np.add.at(found, self.u, (self.c * S[self.at]) >> BITS)
        return found

    def factor(self, y: Whole) -> Whole | None:
        """Return W with W M W^T = 1 for the matrices M at y; None unless all are positive definite."""
        M, k = self.constant + self.linear(y), self.k
        U = wholes(np.linalg.eigh(floats(M))[1].transpose(0, 2, 1))
        A = np.concatenate([times(times(U, M), U.transpose(0, 2, 1)), U], axis=2)
        for p in range(k):
            if (A[:, p, p] <= 0).any():
                return None
            factors = (A[:, p + 1 :, p] << BITS) // A[:, p, p, None]
            A[:, p + 1 :, p + 1 :] -= (factors[:, :, None] * A[:, None, p, p + 1 :]) >> BITS
        roots = np.vectorize(import_module("gmpy2").isqrt, otypes=[object])(A[:, range(k), range(k)] << BITS)
        return (A[:, :, k:] << BITS) // roots[:, :, None]

    def images(self, W: Whole) -> Array:
        """Return columns of floats for all unknowns; their Gram matrix is the Hessian of -log det."""
        T, w = np.zeros((self.n, *self.constant.shape)), floats(W)
        T[(self.u, *self.at)] = floats(self.c)
        i, j = np.triu_indices(self.k)
        weights = np.where(i == j, 1.0, np.sqrt(2))
        return ((w @ T @ w.transpose(0, 2, 1))[:, :, i, j] * weights).reshape(self.n, -1).T


class Path:
    """The central path of a cone program.

    Attributes
    ----------
    y : the free unknowns at the present point, which is strictly inside.
    steps : how many of Newton's steps were taken.
    """

    def __init__(self, cone: Cone, start: "Sequence[float] | Array") -> None:
        """Begin near a point in floats. Raises ValueError if that is not strictly inside."""
        self.start, self.solved, self.steps = [Fraction(x) for x in start], elimination(cone, start), 0
        room: Form = {}
        for form in [*cone.scalars, *(e[i, j] for _, e in cone.matrices for i, j in e if i == j)]:
            add_to(room, form, -ONE)
        self.total = -value(room, self.start)
        add_to(room, {None: ROOM * self.total})
        groups: dict[int, list[Entries]] = {}
        for k, entries in [*((1, {(0, 0): form}) for form in [*cone.scalars, room]), *cone.matrices]:
            groups.setdefault(k, []).append({ij: substituted(form, self.solved) for ij, form in entries.items()})
        left = [u for u in range(cone.size) if u not in self.solved]
        linear = [dict(form) for group in groups.values() for entries in group for form in entries.values()]
        for form in linear:
            form.pop(None, None)
        self.free = sorted(eliminated(linear, left) or ())  # the others change nothing
        fixed: dict[int, Form] = {u: {None: self.start[u]} for u in left if u not in set(self.free)}
        for entries in (entries for group in groups.values() for entries in group):
            entries |= {ij: substituted(form, fixed) for ij, form in entries.items()}
        index = {u: n for n, u in enumerate(self.free)}
        self.room = len(cone.scalars)
        self.parts = [_Matrices(k, group, index) for k, group in groups.items() if k]
        self.rows = sum(k * len(group) for k, group in groups.items())
        objective = substituted(cone.objective, self.solved)
        self.c, self.y = wholes([objective.get(u, 0) for u in self.free]), wholes([self.start[u] for u in self.free])
        if not self._moved(0 * self.y):
            raise ValueError("the start is not inside")

    def point(self) -> Point:
        """Return the present point in exact numbers that satisfy all equations."""
        point, half = list(self.start), BITS // 2
        for u, x in zip(self.free, self.y):
            point[u] = Fraction(int(x) >> half, 1 << half)
        return point_of(self.solved, point)

    def widened(self) -> float:
        """Give the sum of all scalars and traces 2^WIDER times the room; return how much smaller the optimum may be."""
        gain = ROOM * self.total * Fraction(int(self.P[0][self.room, 0, 0]), int(self.weight))
        self.parts[0].constant[self.room, 0, 0] += whole(self.total * (ROOM << WIDER))
        self._moved(0 * self.y)
        return float(gain)

    def follow(self, t: float, gap: float, deadline: float) -> float:
        """Move until the objective is at most ``gap`` above the optimum, or the time is over; return what is left."""
        self.weight, left, last = whole(t), self.rows / t, self.steps + STEPS
        while left > gap and time.monotonic() < deadline and self.steps < last:
            R, order = self._factor()
            rhs = -((self.weight * self.c) >> BITS) - self._gradient()
            step = self._solution(rhs, R, order)
            if float(times(rhs, step)) > CENTRED**2 * 2.0**BITS:
                self._descend(step)
            else:
                tangent, k = -((self.weight * self._solution(self.c, R, order)) >> BITS), FASTEST
                while k and not self._moved(tangent - (tangent >> k)):
                    k -= 1
                self.weight <<= max(k, 2)
            self.steps += 1
            left = self.rows * 2.0**BITS / float(self.weight)
        return left

    def _moved(self, step: Whole) -> bool:
        """Move if that is strictly inside."""
        found: list[Whole] = []
        for part in self.parts:
            found.append(part.factor(self.y + step))
            if found[-1] is None:
                return False
        self.y, self.W = self.y + step, found
        self.P = [times(W.transpose(0, 2, 1), W) for W in found]
        return True

    def _descend(self, step: Whole) -> None:
        """Move by 2^k times the step for the largest k at which the function still falls."""
        start, k, best = self.y, 0, None
        while k > -BITS // 2:
            self.y = start
            falls = self._moved(step << k if k >= 0 else step >> -k)
            falls = falls and times(step, ((self.weight * self.c) >> BITS) + self._gradient()) <= 0
            best = (self.y, self.W, self.P) if falls else best
            if k and falls == (k < 0):
                break
            k += 1 if falls else -1
        if best is None:
            raise ValueError("no step descends")
        self.y, self.W, self.P = best

    def _gradient(self) -> Whole:
        """Return the gradient of the logarithms."""
        return -sum(part.adjoint(P) for part, P in zip(self.parts, self.P))

    def _factor(self) -> tuple[Array, Any]:
        """Return R and an order of the unknowns in which R^T R is nearly the Hessian."""
        images = np.vstack([part.images(W) for part, W in zip(self.parts, self.W)])
        images = images[np.argsort(-np.abs(images).max(axis=1))]  # large rows first: small ones keep their digits
        found: Any = la.qr(images, mode="r", pivoting=True, check_finite=False)
        R, order = found[0][: len(found[1])], found[1]
        diagonal, least = np.diag(R), 1e-200 + 1e-30 * abs(float(R[0, 0]))
        R[range(len(R)), range(len(R))] = np.where(np.abs(diagonal) > least, diagonal, least)
        return R, order

    def _solution(self, rhs: Whole, R: Array, order: Any) -> Whole:
        """Return the Hessian's inverse times a vector, to three digits, by conjugate gradients."""

        def preconditioned(r: Whole) -> Whole:
            x, largest = np.empty(len(r)), max(map(abs, r)) or 1
            scaled = np.array([float(v / largest) for v in r[order]])
            x[order] = la.solve_triangular(R, la.solve_triangular(R, scaled, trans=1))
            return (wholes(x) * largest) >> BITS

        x, r, d = 0 * rhs, rhs, preconditioned(rhs)
        size = first = times(r, d)
        for _ in range(2 * len(rhs)):
            Hd = sum(part.adjoint(times(times(P, part.linear(d)), P)) for part, P in zip(self.parts, self.P))
            length = (size << BITS) // times(d, Hd)
            x, r = x + ((length * d) >> BITS), r - ((length * Hd) >> BITS)
            z = preconditioned(r)
            size, last = times(r, z), size
            if size <= first * ENOUGH:
                break
            d = z + (((size << BITS) // last * d) >> BITS)
        return x


def central(
    cone: Cone, start: "Sequence[float] | Array", scale: float, deadline: float
) -> tuple[Point | None, list[str]]:
    """Return an exact point of the central path that is near the optimum, or None, and why there is none.

    ``start`` is strictly inside in floats, and ``scale`` is the size of the objective.
    """
    try:
        path = Path(cone, start)
    except ValueError as error:
        return None, [str(error)]
    with suppress(ValueError, ZeroDivisionError, la.LinAlgError):  # the last point is inside, too
        left = path.follow(path.rows / scale, 1e-13 * scale, deadline)
        while left <= 1e-13 * scale < (gain := path.widened()):
            left = path.follow(path.rows / (10 * gain), 1e-13 * scale, deadline)
    point = path.point()
    reasons = refusals(cone, point)
    return (None, reasons) if reasons else (point, [])
