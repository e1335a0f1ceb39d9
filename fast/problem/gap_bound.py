"""An upper bound on the gap of a pair that includes all rounding errors.

Let G be the exact gap of (w, alpha), G = (1/n) sum_i FY_i(x_i^T w, alpha_i) + Reg(w, u), and G~ the value that the
compiled code computes from z~_i, which approximates x_i^T w, and u~, which approximates u = X^T alpha / n. Then P(w) - min P <= G <=
``Bound.value``:

    Bound.value = (sqrt(G~) + sqrt(E))^2 + A,      E = e_z^2/(2 gamma) + e_u^2/(2 mu),

up to the relative rounding errors of the sums. e_z (root mean square over the rows) and e_u (Euclidean norm) bound the
errors of z and u, including the rounding errors of the formulas. A contains the errors outside the square root.

Proof. FY_i(., alpha_i) >= 0 is convex with a (1/gamma)-Lipschitz derivative, so the slope of its square root is at most
1/sqrt(2 gamma): sqrt(FY_i(z)) <= sqrt(FY_i(z~)) + |z - z~|/sqrt(2 gamma). Reg(w, u) = sup_v F(v) with

    F(v) = (-u)^T (v - w) - g(v) + g(w),  F(v) <= Reg(w, u) - (mu/2) ||v - v*||^2,  so Reg(w, u) >= (mu/2) ||w - v*||^2.

Moving u by e adds at most ||e|| ||v - w|| to F(v), hence Reg(w, u - e) <= Reg + ||e|| ||v* - w|| + ||e||^2/(2 mu)
<= (sqrt(Reg) + ||e||/sqrt(2 mu))^2. An error delta of l1 adds delta | ||v||_1 - ||w||_1 | <= delta sqrt(d) ||v - w||:
it counts as an e of delta sqrt(d). Minkowski's inequality combines the rows and the regularizer. If gamma = 0 (hinge,
absolute), FY_i has slopes of at most L = 1 (hinge, as alpha is in the domain) or 2, and L mean|z~ - z| is added to A.

The same is true for every gamma if the dual domain is bounded with length L, because phi_i' and alpha_i are in it. So
for gamma > 0 there is a second bound, with only e_u under the root and L e_z in A. Both bounds hold. The second is used
if it is less than half of the first, for example with gamma = 1e-30, which makes e_z^2/(2 gamma) large. It needs no
further analysis of the formulas, because their rounding errors are an error of z in both bounds. (Logistic: the 10u |b - p| + 25u^2 below are
less than the 16u (Y + 1 + gamma) >= 96u of e_z, as L = 1.)

The errors (u = 2^-53, k(m) = m u/(1 - m u); N the root mean square of ||x_i||, Y that of y_i, 1 for classes; m <= d the
longest row):

    z~    is a sum of at most m products: |z~_i - z_i| <= k(m) ||x_i|| ||w||, so its root mean square is k(m) N ||w||
    u~    has sums of at most n products, and a division: ||u~ - u|| <= k(n + 1) mean(|alpha_i| ||x_i||)
    FY~   is, up to relative roundings (below), FY_i at a z that is off by at most 16 u (|z_i| + Y + 1 + gamma) more.
          Squared: (z - y)/gamma - alpha has the relative error 2u in its first term, an error 2u |z - y| of z. Smoothed
          hinge, curved: the same; straight: linear in z with slope 1 - b, whose 1 - gamma - z has an error u (1 +
          gamma); on the wrong side of a rounded 1 - gamma the two formulas differ by (u gamma)^2/(2 gamma). Squared
          hinge: u |1 - z|. Logistic: p and 1 - p are known to within 5u of themselves, which adds 10u |b - p| + 25u^2
          to FY >= 2 (b - p)^2, as an error of 28u in z. Hinge, absolute: none.
    Reg~  v = (-u + kappa centre)/mu: an e of 8u (||u|| + kappa ||centre||); l1/mu: 4u l1 sqrt(d); the rounding of v -+
          l1/mu, and of mu where kappa > 0: 4u mu ||w||; their effect on ||v|| - ||w|| is relative
    both  the rest is products and sums of nonnegative numbers: relative, (n + d + 64) u in all. Logistic: 2^17 u, from
          the branch b (ln b - ln p) - b + p >= 0.023 max(b, p), |b - p| >= p/4, whose logarithms are below 746 in size
          (beyond, the difference is of the size of -ln p), ln b off by 9/4 u of itself and ln p = -m - log1p(e^-m) by u
          of itself and 5u more: (746 (9/4 + 1) + 5)/0.023 u, and less than 400 u for the rest. exp, log and log1p:
          ``certificate.exp`` and so on
    underflow  is gradual: ``Certificate`` raises an error if the processor flushes subnormal numbers to 0
          (``compiler.subnormals``). It adds less than 2^-1074 to a product or quotient; a square lost in ||x||^2 or
          ||w||^2 is below 2^-1074 too. A third factor multiplies the loss of a product. Three formulas
          have a third factor that may be large: s_i alpha_i is multiplied by x_ij in u (``RowSizes.lost``, derived in
          ``weighted_objective``), the squares of the alpha of a block by ||A_i|| (``BlockObjective.magnitudes`` scales
          them first), and squares by the multiplier of a ball (``certificate.lost_in_ball``). In all other formulas the
          third factor is gamma or mu, which appear in ``upper``, an average of weights, or a number that keeps the
          product small. If gamma = 0, the part of A for underflow covers it, except if Reg is small compared with the
          error of u. Then u is close to mu w, and the slack of e_u or e_z covers the rest: a third, k(m + 4) instead of
          k(m) (``ComputedHinge.v``)

Compensated sums (``compensated``) have u |z_i| + k(2m)^2 ||x_i|| ||w|| and 3u |u_j| + k(2n)^2 mean(|alpha_i| ||x_i||)
instead of the first two. For the p-norm and the block losses, A contains the rounding errors of their formulas, which
``certificate.allowance`` derives. An alpha of a simplex or a ball may be outside of it by q (q + 6) u, which moves u by
that amount times mean ||A_i||; A contains twice this value.

The code uses slightly larger constants, to cover the rounding errors of the bound itself: k(m + 4), k(n + 4), 2u |z_i|, 4u |u_j|, (2n + 2d +
128) u.
"""  # noqa: E501

import math
from typing import Any, NamedTuple

from dualgap.fast.problem.arrays import Array
from dualgap.fast.problem.rows import squared_length

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


def gap_bound(objective: Any, gap: float, additive: float, w: Array, alpha: float, evaluation: Any) -> Bound:
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
    rounded = plain(rows, n, w, alpha)
    sizes = rounded if evaluation.z is None else compensated(rows, w, alpha, evaluation, objective)
    return Bound(
        upper(objective, rows, sizes, math.sqrt(gap), additive), upper(objective, rows, rounded, 0.0, additive)
    )


def upper(objective: Any, rows: RowSizes, sizes: Sizes, root: float, additive: float) -> float:
    """Return (root + sqrt(E))^2 + A, or the second bound of the module's docstring if that is less than half of it."""
    d, gamma, mu = objective.d, objective.gamma, objective.mu
    pull = objective.kappa * length(objective.centre) if objective.kappa > 0 else 0.0
    at = 8 * (sizes.u + pull) + 4 * (objective.l1 * math.sqrt(d) + mu * sizes.w)
    e_u = (
        sizes.e_u
        + UNIT * at
        + rows.outside * sizes.norm
        + 8 * (1 + mu) * TINY * (d + rows.terms)
        + 8 * TINY * rows.lost
    )
    error, additive = e_u / math.sqrt(2 * mu), additive + 16 * (4 + gamma + mu) * (1 + d) * TINY
    e_z = sizes.e_z + 8 * rows.longest * TINY
    slopes, alone = additive, error
    if gamma > 0:
        e_z += 16 * UNIT * (sizes.z + math.sqrt(rows.label2) + 1 + gamma)
        error = math.hypot(error, e_z / math.sqrt(2 * gamma))
        slopes += rows.slope * e_z
    else:
        additive += rows.slope * e_z
    logistic = LOGISTIC if objective.problem.loss.name in ("logistic", "softmax") else 0.0
    relative = 1 + UNIT * (2 * (rows.terms + d) + 128 + logistic)
    value = relative * ((root + error) * (root + error) + additive)
    if gamma > 0 and (other := relative * ((root + alone) * (root + alone) + slopes)) < value / 2:
        value = other
    return value if value >= 0 else math.inf  # a NaN is no bound


def plain(rows: RowSizes, n: int, w: Array, alpha: float) -> Sizes:
    """Return the sizes for sums that are rounded at every term."""
    norm, w_length = _norm(rows, n), length(w)
    e_z, e_u = k(rows.longest + 4) * norm * w_length, k(rows.terms + 4) * alpha
    return Sizes(norm, w_length, norm * w_length, alpha, e_z, e_u)


def compensated(rows: RowSizes, w: Array, alpha: float, evaluation: Any, objective: Any) -> Sizes:
    """Return the sizes for compensated sums (module ``compensated``)."""
    norm, w_length = _norm(rows, objective.n), length(w)
    z, u = objective.mean_square_root(evaluation.z), length(evaluation.minus_u)
    e_z = 2 * UNIT * z + k(2 * rows.longest) * k(2 * rows.longest) * norm * w_length
    e_u = 4 * UNIT * u + k(2 * rows.terms) * k(2 * rows.terms) * alpha
    return Sizes(norm, w_length, z, u, e_z, e_u)


def _norm(rows: RowSizes, n: int) -> float:
    """Return an upper bound on N."""
    return math.sqrt(rows.norm2) * (1 + UNIT * (n + rows.longest + 8)) + LOST * math.sqrt(rows.longest)


def length(x: Array) -> float:
    """Return an upper bound on ||x||."""
    return math.sqrt(squared_length(x)) * (1 + UNIT * (x.size + 8)) + LOST * math.sqrt(x.size)


def k(count: int) -> float:
    """Return an upper bound on count u/(1 - count u), the distance from 1 of a product of that many factors 1 + delta,
    |delta| <= u.
    """
    return UNIT * count * (1 + 2 * UNIT * count)
