"""The problems that the checks for solvers use: small ones with special cases, some with many rows, some sparse.

The targets of a margin loss are the signs of y. gamma is 3/4 where it can be chosen. With gamma = 1, the usual default,
a solver that ignores gamma would pass. With gamma = 1/2 and the squared loss, the same error would look like 2 lam
instead of lam.

>>> [case.name for case in cases(l1=False)][:3]
['four rows', 'one row', 'a zero row']
>>> case = next(cases(l1=False))
>>> case.problem("hinge").n, case.labels("hinge").tolist()
(4, [1.0, -1.0, 1.0, -1.0])
"""

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from dualgap.reference import LOSSES, ElasticNet, Problem

Array = NDArray[np.float64]

GAMMA = 0.75  # of the losses whose gamma can be chosen
TABLE = np.array([[1.0, 0.5], [-0.5, 1.0], [0.25, -1.0], [-1.0, -0.75]])
TARGETS = np.array([1.0, -0.5, 2.0, -1.0])


class SolverCase(NamedTuple):
    """A problem by name: X (n, d) dense or CSR, y (n,), lam > 0, l1 >= 0."""

    name: str
    X: Any
    y: Array
    lam: float = 0.25
    l1: float = 0.0

    def problem(self, loss: str) -> Problem:
        """The problem that a solver gets."""
        return Problem(self.X, self.labels(loss), LOSSES[loss](gamma_of(loss)), ElasticNet(self.lam, self.l1))

    def labels(self, loss: str) -> Array:
        """y as the loss takes it, shape (n,)."""
        return np.where(self.y >= 0, 1.0, -1.0) if LOSSES[loss].margin else self.y


def gamma_of(loss: str) -> float | None:
    """The gamma that a solver gets with this loss: 3/4, or None if the loss has its own."""
    return GAMMA if LOSSES[loss].adjustable else None


def cases(l1: bool) -> Iterator[SolverCase]:
    """Problems with at most 8 rows and 4 columns; those with l1 > 0 only if ``l1`` is true."""
    yield SolverCase("four rows", TABLE, TARGETS)
    yield SolverCase("one row", TABLE[:1], TARGETS[:1])
    yield SolverCase("a zero row", np.vstack([TABLE[:3], np.zeros((1, 2))]), TARGETS)
    yield SolverCase("every row twice", np.vstack([TABLE, TABLE]), np.concatenate([TARGETS, TARGETS]))
    yield SolverCase("one label", TABLE, np.abs(TARGETS))
    yield SolverCase("a zero column, more columns than rows", np.hstack([TABLE[:2], np.zeros((2, 2))]), TARGETS[:2])
    yield SolverCase("rows of very different norms", TABLE * np.array([[1.0], [8.0], [0.125], [1.0]]), TARGETS)
    yield SolverCase("opposite labels on equal rows", np.vstack([TABLE[:1], TABLE[:1]]), np.array([1.0, -1.0]))
    yield SolverCase("a large lam", TABLE, TARGETS, lam=16.0)
    if l1:
        yield SolverCase("l1 that keeps w", TABLE, TARGETS, l1=0.0625)
        yield SolverCase("l1 that makes w zero", TABLE, TARGETS, l1=4.0)


def scaled_targets() -> Iterator[SolverCase]:
    """Problems on which a tolerance in other units than P's shows: P(0) more than 10^3 times min P, min P above 10^3,
    and P(0) about 10^-3 (about 1/30 for the absolute loss).
    """
    near = np.array([[1.0, 0.0], [0.25, 1.0]])  # nearly orthogonal rows: a pass gains a factor of 16
    yield SolverCase("targets of size 1000", near, np.array([1024.0, -512.0]), lam=2.0**-21)
    yield SolverCase("targets of size 1000, a large lam", TABLE, 1024 * TARGETS, lam=16.0)
    yield SolverCase("targets of size 1/32", TABLE, TARGETS / 32)


# n, d, lam, l1 in units of lam; the third and the fifth have rows of zeros
FURTHER: tuple[tuple[int, int, float, float], ...] = (
    (5, 3, 0.25, 0.0),
    (7, 2, 0.5, 0.0),
    (6, 4, 1.0, 0.0),
    (3, 5, 0.125, 0.0),
    (7, 3, 0.25, 0.0),
    (5, 2, 0.0625, 0.25),
    (8, 3, 0.125, 0.5),
)


def further(l1: bool, targets: float = 1.0, entropy: int | None = None) -> Iterator[SolverCase]:
    """Problems with random numbers, the same at each call or others for each ``entropy``.

    Two have rows of zeros, and two others have a 0 at the end of a row.
    """
    for k, (n, d, lam, ratio) in enumerate(FURTHER):
        draw = np.random.default_rng(100 + k if entropy is None else [entropy, k])
        X = draw.choice([-1, 1], (n, d)) * draw.integers(5, 20, (n, d)) / 16
        y = np.where(np.arange(n) % 2 == k % 2, 1, -1) * draw.integers(5, 30, n) / 16
        if k in (2, 4):
            X[[1, n - 2]] = 0
        elif k in (0, 3):
            X[0, -1] = 0
        if ratio == 0 or l1:
            name = "further problem" if entropy is None else f"entropy {entropy}, problem"
            yield SolverCase(f"{name} {k + 1}", X, targets * y, lam, ratio * lam)


def many_rows(n: int, lam: float) -> SolverCase:
    """n rows in 4 columns, entries multiples of 2^-6, targets of size 1/2 to 5/2; a different distribution in every
    eighth of the rows.

    Leaving out any row moves the optimum by much more than any tolerance.
    """
    draw = np.random.default_rng(n)
    X = np.round(draw.uniform(-1, 1, (n, 4)) * 64) / 64
    turn = np.cos(2 * np.pi * np.arange(n) / n)
    sign = np.where(X[:, 0] + turn * X[:, 1] + draw.uniform(-0.5, 0.5, n) >= 0, 1.0, -1.0)
    return SolverCase(f"{n} rows", X, sign * (0.5 + np.round(draw.uniform(0, 2, n) * 8) / 8), lam)


def cancelling(small: float = 2.0**-10) -> SolverCase:
    """Four pairs of nearly orthogonal rows, each pair in separate columns; x_i^T w of the first is a difference of
    two numbers 2^9 times its size (1/(2 small)).

    float32 is off by up to 2^-14 there. Rows hardly influence each other, so no coordinate method is slowed down; but
    one pass from w = 0, where nothing cancels, is not enough.
    """
    X, y = np.zeros((8, 8)), np.array([1.0, 1.0, -1.0, -1.0] * 2)
    for k, factor in enumerate((1.0, 1.25, 1.5, 1.75)):
        X[2 * k, 2 * k : 2 * k + 2] = 1.0, 1.0
        X[2 * k + 1, 2 * k : 2 * k + 2] = factor * small, -1.25 * factor * small
    return SolverCase("nearly orthogonal rows, inner products that cancel", y[:, None] * X, y, lam=2.0**-23)


def sparse() -> SolverCase:
    """CSR rows whose columns are unsorted, with a stored zero and an empty row, indices of 64 bits."""
    X = _csr([0.5, 1.0, 1.0, 0.0, -0.5, -1.0, 0.25, -0.75, -1.0], [1, 0, 2, 1, 0, 2, 0, 1, 0], [0, 2, 5, 5, 7, 9], 3)
    return SolverCase("CSR: unsorted columns, a stored zero, an empty row", X, np.array([1.0, -0.5, 0.75, 2.0, -1.0]))


def with_duplicates() -> SolverCase:
    """CSR rows in which one column is stored twice; scipy means their sum."""
    X = _csr([1.0, -0.25, 0.5, -0.5, 1.0, 0.25, -1.0], [0, 0, 1, 0, 1, 0, 1], [0, 3, 5, 7], 2)
    return SolverCase("CSR: a column stored twice", X, np.array([1.0, -0.5, 2.0]))


def _csr(data: list[float], columns: list[int], ends: list[int], d: int) -> Any:
    from scipy.sparse import csr_array

    return csr_array(
        (np.array(data), np.array(columns, dtype=np.int64), np.array(ends, dtype=np.int64)), (len(ends) - 1, d)
    )


def dense(case: SolverCase) -> SolverCase:
    """The same with X as an array; what is stored twice is added up."""
    return case._replace(X=case.X.toarray()) if hasattr(case.X, "toarray") else case
