"""An upper bound on the gap of a pair that includes all rounding errors.

Let G be the exact gap of (w, alpha), G = (1/n) sum_i FY_i(x_i^T w, alpha_i) + Reg(w, u), and G~ the value that the
compiled code computes from z~_i, which approximates x_i^T w, and u~, which approximates u = X^T alpha / n. Then
P(w) - min P <= G <= ``Bound.value``:

    Bound.value = (sqrt(G~) + sqrt(E))^2 + A,      E = e_z^2/(2 gamma) + e_u^2/(2 mu),

up to the relative rounding errors of the sums. e_z (root mean square over the rows) and e_u (Euclidean norm) bound the
errors of z and u, including the rounding errors of the formulas. A contains the errors outside the square root.

The proof and the errors of every formula are in docs/certificates.md, "The proof of the bound". ``fast.certify`` uses
this file without the compiler, so it imports none.
"""

import math
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from dualgap.fast.problem.arrays import Array

UNIT = 2.0**-53
TINY = 2.0**-1074
LOST = 2.0**-537  # a number below it has a square below TINY, which may be lost
LOGISTIC = 2.0**17  # roundings


class RowSizes(NamedTuple):
    """Sizes of the rows of a problem that the bound needs."""

    terms: int  # number of terms of a sum over the rows: n, or all columns of all blocks
    longest: int  # m
    norm2: float  # mean of ||x_i||^2
    label2: float  # mean of y_i^2
    slope: float  # L; infinite where the domain of phi* is not bounded
    outside: float  # largest distance of an alpha_i from its domain
    lost: float = 0.0  # for weighted rows: the sum of ||x_i||/S, the change of u if every s_i alpha_i changes by 1
    shift: float = 0.0  # the error of an intercept of centred rows, and so of every z_i
    unseen: float = 0.0  # the change of that intercept by the rounding of the one of the rows as given


class Constants(NamedTuple):
    """Constants of a problem that the bound needs."""

    d: int
    gamma: float
    mu: float
    l1: float
    pull: float  # kappa ||centre||
    loss: str  # its name


class Bound(NamedTuple):
    """``value`` bounds G. ``resolution`` is the bound for plain sums at G~ = 0, the smallest gap that a run in doubles
    can resolve at pairs of that size.
    """

    value: float
    resolution: float


class Sizes(NamedTuple):
    """Norms that determine the errors of z~ and u~, and these errors."""

    norm: float  # N
    w: float  # ||w||
    z: float  # root mean square of x_i^T w
    u: float  # ||u||
    e_z: float
    e_u: float


def gap_bound(objective: Any, gap: float, additive: float, w: "Array", alpha: float, evaluation: Any) -> Bound:
    """Return the bound of the module's docstring. It is infinite if a size is infinite.

    Parameters
    ----------
    objective : Objective
    gap : G~ >= 0
    additive : A, except for the part of hinge and absolute
    w : (d,)
    alpha : mean(|alpha_i| ||x_i||), as computed
    evaluation : ``Evaluation`` at the pair
    """
    rows, n = objective.row_sizes, objective.n
    rounded = plain(rows, n, length(w) if evaluation.terms is None else beyond(evaluation.terms[3], w.size), alpha)
    sizes = rounded if evaluation.z is None else compensated(rows, w, alpha, evaluation, objective)
    pull = objective.kappa * length(objective.centre) if objective.kappa > 0 else 0.0
    constants = Constants(objective.d, objective.gamma, objective.mu, objective.l1, pull, objective.problem.loss.name)
    return Bound(
        upper(constants, rows, sizes, math.sqrt(gap), additive),
        upper(constants, rows._replace(shift=rows.shift + rows.unseen), rounded, 0.0, additive),
    )


def upper(constants: Constants, rows: RowSizes, sizes: Sizes, root: float, additive: float) -> float:
    """Return (root + sqrt(E))^2 + A, or the second bound of the module's docstring if that is less than half of it."""
    d, gamma, mu, l1, pull, loss = constants
    at = 8 * (sizes.u + pull) + 4 * (l1 * math.sqrt(d) + mu * sizes.w)
    e_u = (
        sizes.e_u
        + UNIT * at
        + rows.outside * sizes.norm
        + 8 * (1 + mu) * TINY * (d + rows.terms)
        + 8 * TINY * rows.lost
    )
    error, additive = e_u / math.sqrt(2 * mu), additive + 16 * (4 + gamma + mu) * (1 + d) * TINY
    e_z = sizes.e_z + 8 * rows.longest * TINY + rows.shift
    slopes, alone = additive, error
    if gamma > 0:
        e_z += 16 * UNIT * (sizes.z + math.sqrt(rows.label2) + 1 + gamma)
        error = math.hypot(error, e_z / math.sqrt(2 * gamma))
        slopes += rows.slope * e_z
    else:
        additive += rows.slope * e_z
    logistic = LOGISTIC if loss in ("logistic", "softmax") else 0.0
    relative = 1 + UNIT * (2 * (rows.terms + d) + 128 + logistic)
    value = relative * ((root + error) * (root + error) + additive)
    if gamma > 0 and (other := relative * ((root + alone) * (root + alone) + slopes)) < value / 2:
        value = other
    return value if value >= 0 else math.inf  # a NaN is no bound


def plain(rows: RowSizes, n: int, w_length: float, alpha: float) -> Sizes:
    """Return the sizes for sums that are rounded at every term, in any order."""
    norm = _norm(rows, n)
    e_z, e_u = k(rows.longest + 4) * norm * w_length, k(rows.terms + 4) * alpha
    return Sizes(norm, w_length, norm * w_length, alpha, e_z, e_u)


def compensated(rows: RowSizes, w: "Array", alpha: float, evaluation: Any, objective: Any) -> Sizes:
    """Return the sizes for compensated sums (module ``compensated``)."""
    norm, w_length = _norm(rows, objective.n), length(w)
    z, u = objective.mean_square_root(evaluation.z), length(evaluation.minus_u)
    e_z = 2 * UNIT * z + k(2 * rows.longest) * k(2 * rows.longest) * norm * w_length
    e_u = 4 * UNIT * u + k(2 * rows.terms) * k(2 * rows.terms) * alpha
    return Sizes(norm, w_length, z, u, e_z, e_u)


def _norm(rows: RowSizes, n: int) -> float:
    """Return an upper bound on N."""
    return math.sqrt(rows.norm2) * (1 + UNIT * (n + rows.longest + 8)) + LOST * math.sqrt(rows.longest)


def length(x: "Array") -> float:
    """Return an upper bound on ||x||."""
    from dualgap.fast.problem.rows import squared_length

    return length_of(squared_length(x), x.size)


def length_of(squares: float, count: int) -> float:
    """Return an upper bound on the root of a sum of so many squares, added in any order."""
    return beyond(math.sqrt(squares), count)


def beyond(norm: float, count: int) -> float:
    """Return an upper bound on the norm that was computed as the root of a sum of so many squares."""
    return norm * (1 + UNIT * (count + 8)) + LOST * math.sqrt(count)


def k(count: int) -> float:
    """Return an upper bound on count u/(1 - count u), the distance from 1 of a product of that many factors 1 + delta,
    |delta| <= u.
    """
    return UNIT * count * (1 + 2 * UNIT * count)
