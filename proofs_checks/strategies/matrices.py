"""Instances of named symmetric matrices: ``matrices(5, 3, least=0)`` are five that are positive semidefinite.

A claim about them is looked for with gradients, too (``evidence.climbing``): ``Space`` says of which points of floats
its instances are.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar

import numpy as np
from hypothesis.strategies import DrawFn, SearchStrategy
from scipy.linalg import qr

from dualgap.proofs_checks.claims import drawing as st
from dualgap.proofs_checks.claims.drawing import Trail
from dualgap.proofs_checks.claims.extra import as_tuples, further
from dualgap.proofs_checks.claims.instance import NumbersInstance, Q
from dualgap.proofs_checks.engines.between import definite

Array = Any  # of numpy: of floats, or of exact numbers as objects

# denominators of the entries: most draws have a small one, the last are for what a search has found
DENOMINATORS = (1, 2, 3, 4, 1, 2, 3, 4, 5, 6, 8, 10, 12, 16, 24, 50, 100, 1000, 10**4, 10**6)
WIDTH = 2  # of the entries of matrices without bounds


def matrices(
    k: int,
    n: int | Sequence[int],
    least: Fraction | int | None = None,
    most: Fraction | int | None = None,
    only: Sequence[Fraction | int] = (),
    vectors: int = 0,
) -> SearchStrategy[NumbersInstance]:
    """Draw k symmetric matrices of size n, ``array(c.given.A)`` of shape (k, n, n), with eigenvalues in one
    range.

    Parameters
    ----------
    k : >= 1.
    n : the size, >= 1, or several.
    least, most : the ends of the range, None for none. ``least=0`` are the positive semidefinite matrices.
    only : instead of them the two eigenvalues that occur: ``only=(0, 1)`` are the orthogonal projections.
    vectors : how many vectors x of n numbers there are besides, ``array(c.given.x)`` of shape (vectors, n).

    Raises
    ------
    ValueError
        There are both ends and ``only``, not two of ``only``, or least > most.
    """
    sizes = (n,) if isinstance(n, int) else tuple(n)
    if (only and (len(only) != 2 or (least, most) != (None, None))) or min(k, *sizes, 1) < 1:
        raise ValueError(
            f"matrices need k, n >= 1 and a range, or only= with two eigenvalues (got k = {k}, n = {n}, only = {only})"
        )
    ends: list[Any] = [None if end is None else Q(end) for end in (only or (least, most))]
    if None not in ends and ends[0] > ends[1]:
        raise ValueError(f"matrices need least <= most (got {least} and {most})")
    space = Space(k, sizes, ends[0], ends[1], bool(only), vectors)
    found: Any = _drawn(space)
    found.space = space
    return found  # type: ignore[no-any-return]


@dataclass(frozen=True)
class Space:
    """What ``matrices`` draws, and how floats give an instance of it.

    An instance is made of whole numbers: a size, a denominator, and the entries in the order 0, 1, -1, 2, ... A matrix
    outside of the range is moved into it, so each choice of whole numbers gives an instance.
    """

    k: int
    sizes: tuple[int, ...]
    least: Any
    most: Any
    only: bool
    vectors: int

    @property
    def width(self) -> Fraction:
        """The largest entry of a matrix that is drawn."""
        bounds = [abs(end) for end in (self.least, self.most) if end is not None]
        return Q(1) if self.only else Q(max(bounds)) if len(bounds) == 2 else WIDTH + Q(max(bounds, default=0))

    def above(self, size: int) -> Any:
        """The places of the entries of a matrix that are drawn; the columns that span the space of a projection."""
        return np.indices((size, size)).reshape(2, -1) if self.only else np.triu_indices(size)

    denominators: ClassVar[tuple[int, ...]] = DENOMINATORS

    def flat(self, first: Array, rank: int) -> Array:
        """The numbers of which ``arrays`` makes matrices: of matrices (k, n, n), symmetric unless they only span."""
        return (first[:, :, :rank] if self.only else first[(slice(None), *np.triu_indices(first.shape[-1]))]).ravel()

    def arrays(self, points: Array, size: int) -> tuple[Array, Array]:
        """Matrices in the range, shape (k, ..., n, n), and vectors (vectors, ..., n), for numbers (..., numbers)."""
        cut, shape = points.shape[-1] - self.vectors * size, points.shape[:-1]
        A, x = points[..., :cut].reshape(*shape, self.k, -1), points[..., cut:].reshape(*shape, self.vectors, size)
        if self.only:
            low, high = float(self.least), float(self.most)
            spanned = np.linalg.qr(A.reshape(*shape, self.k, size, -1))[0]
            found = low * np.eye(size) + (high - low) * (spanned @ np.swapaxes(spanned, -1, -2))
        else:
            whole, (rows, columns) = np.zeros((*shape, self.k, size, size)), np.triu_indices(size)
            whole[..., rows, columns] = whole[..., columns, rows] = A
            values, basis = np.linalg.eigh(whole)
            found = (basis * self.values(values)[..., None, :]) @ np.swapaxes(basis, -1, -2)
        return np.moveaxis(found, -3, 0), np.moveaxis(x, -2, 0)

    def values(self, free: Array) -> Array:
        """Eigenvalues in the range, smooth in numbers without a range."""
        least, most = (None if end is None else float(end) for end in (self.least, self.most))
        if least is not None and most is not None:
            return least + (most - least) * np.sin(free) ** 2
        return free if least is most else most - free**2 if least is None else least + free**2

    def instance(self, A: Array, x: Array) -> NumbersInstance:
        """The instance of arrays of floats, of several at once with (k, points, n, n) and (vectors, points, n)."""
        return NumbersInstance(further(A=A, x=x if self.vectors else None))

    def trail(self, A: Array, x: Array, denominator: int) -> Trail:
        """The whole numbers of the instance that is nearest to arrays of floats (k, n, n) and (vectors, n)."""
        size, largest, (low, high) = A.shape[-1], float(self.width), (self.least, self.most)
        if self.only:
            A = np.array([_spanning((matrix - float(low) * np.eye(size)) / float(high - low)) for matrix in A])
        elif None in (self.least, self.most):  # what is too large is made smaller, all alike
            A = A * min(1, largest / max(np.abs(A).max(), 1e-300))
        numbers = [*A[(slice(None), *self.above(size))].ravel(), *x.ravel()]
        whole = [round(float(value) * denominator) for value in numbers]
        count = 2 * int(self.width * denominator) + 1
        return (
            (self.sizes.index(size), len(self.sizes)),
            (DENOMINATORS.index(denominator), len(DENOMINATORS)),
            *((min(2 * abs(value) - (value > 0), count - 1), count) for value in whole),
        )

    def moved(self, matrix: Array, step: Fraction) -> Array:
        """A symmetric matrix of rationals, moved into the range in multiples of a step; itself if it is inside."""
        one, ladder = _diagonal(1, len(matrix)), [Q(0), *(step * 2**j for j in range(40))]
        if self.only:
            low, high = self.least, self.most
            return low * one + (high - low) * _projection(matrix.T)
        if self.least is None or self.most is None:
            sign = 1 if self.most is None else -1
            return next(found for t in ladder if self.inside(found := matrix + sign * t * one))
        middle = (self.least + self.most) / 2 * one
        shares = (max(1 - t, Q(0)) for t in ladder)
        return next(found for share in shares if self.inside(found := middle + share * (matrix - middle)))

    def inside(self, matrix: Array) -> bool:
        """Return whether all eigenvalues lie in the range."""
        one = _diagonal(1, len(matrix))
        return (self.least is None or definite(matrix - self.least * one) >= 0) and (
            self.most is None or definite(self.most * one - matrix) >= 0
        )


def _diagonal(value: int, size: int) -> Array:
    """value I, of rationals."""
    rows: Any = [[Q(value * (i == j)) for j in range(size)] for i in range(size)]
    return np.array(rows, dtype=object)


def _spanning(projection: Array) -> Array:
    """A matrix with as many columns of a projection of floats as its rank is, and 0 in the others."""
    order, rank = qr(projection, pivoting=True)[2], round(float(np.trace(projection)))
    return np.where(np.isin(np.arange(len(order)), order[:rank]), projection, 0)


def _projection(columns: Array) -> Array:
    """The orthogonal projection on the span of vectors of rationals, by Gram and Schmidt."""
    found, one = _diagonal(0, len(columns)), _diagonal(1, len(columns))
    for column in columns:
        rest = (one - found) @ column
        if rest.any():
            found = found + np.outer(rest, rest) / (rest @ rest)
    return found


@st.composite
def _drawn(draw: DrawFn, /, space: Space) -> NumbersInstance:
    size, denominator = draw(st.sampled_from(space.sizes)), draw(st.sampled_from(DENOMINATORS))
    entry = st.integers(0, 2 * int(space.width * denominator)).map(
        lambda code: Q((code + 1) // 2 * (1 if code % 2 else -1), denominator)
    )
    drawn, places = list[Array](), space.above(size)
    for _ in range(space.k):
        matrix = _diagonal(0, size)
        for row, column in zip(*places):
            matrix[row, column] = draw(entry)
            if not space.only:
                matrix[column, row] = matrix[row, column]
        drawn.append(space.moved(matrix, Q(1, denominator)))
    x = tuple(tuple(draw(entry) for _ in range(size)) for _ in range(space.vectors))
    return NumbersInstance(further(A=as_tuples(drawn), x=x or None))
