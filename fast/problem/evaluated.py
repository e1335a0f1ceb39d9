"""The content of a certificate about a pair: P, D, the gap, its bound, and bounds on their rounding errors."""

import math
from typing import Any, NamedTuple

from dualgap.fast.problem.arrays import Array
from dualgap.fast.problem.gap_bound import LOST, TINY, UNIT, gap_bound
from dualgap.fast.problem.objective import Objective, RegularizerTerms, Sums
from dualgap.fast.problem.own_loss import OwnLossObjective
from dualgap.fast.problem.pnorm import largest


class Evaluated(NamedTuple):
    """The values of a ``Certificate``, in the order of its attributes."""

    primal: float
    dual: float
    gap: float
    gap_bound: float
    resolution: float
    regularizer_part: float
    rounding: float
    minus_u: Array


def evaluated(objective: Objective, w: Array, alpha: Any, compensated: bool, slopes: bool = False) -> Evaluated:
    """The numbers of a pair; raises as ``Certificate`` does. slopes: whether alpha is room for the phi_i'(x_i^T w)."""
    kind = "evaluate_compensated" if compensated else "evaluate_slopes" if slopes else "evaluate"
    evaluation = getattr(objective, kind)(w, alpha)
    sums, magnitudes, minus_u = evaluation[:3]
    terms = objective.regularizer_terms(w, minus_u, evaluation.terms)
    primal, dual = objective.P_from(sums, terms.value), objective.D_from(sums, terms.conjugate)
    gap = objective.gap_from(sums, terms.residual)
    if not (math.isfinite(primal) and math.isfinite(dual) and math.isfinite(gap)):
        raise OverflowError(f"P = {primal}, D = {dual}, gap = {gap}: the objectives overflow at this pair")
    rounding = allowance(objective, sums, magnitudes, terms)
    require_agreement(primal - dual, gap, rounding + evaluation.errors, objective)
    mean = mean_length(objective, alpha, magnitudes[1], evaluation.largest)
    errors = formula_errors(objective, sums, magnitudes, w, minus_u, terms) + evaluation.errors
    bound = gap_bound(objective, gap, errors, objective.coefficients(w), mean, evaluation)
    exact = objective.exact_gap(w, alpha)
    bound = bound if exact is None else bound._replace(value=max(exact, gap))
    return Evaluated(primal, dual, gap, *bound, terms.residual, rounding, minus_u)


def allowance(objective: Objective, sums: Sums, magnitudes: tuple[float, float], terms: RegularizerTerms) -> float:
    """Return the largest difference of primal - dual and gap that rounding can cause, with the same rounded z_i and u
    on both sides: the sum of alpha_i z_i and u^T w, the final formulas and sums. docs/certificates.md, "Comparison of
    primal - dual and gap", derives it.
    """
    n, d = objective.n, objective.d
    rows, lengths = magnitudes
    rows = (sums.values + rows) / n + 1 + objective.gamma
    products = lengths / n * terms.length
    return float(2 * UNIT * ((n + d + 1) * products + (n + objective.roundings) * rows + (d + 8) * terms.size))


def formula_errors(
    objective: Objective, sums: Sums, magnitudes: tuple[float, float], w: Array, minus_u: Array, terms: RegularizerTerms
) -> float:
    """A of ``gap_bound``: what the formulas of a p-norm, or of block losses that are no sums, lose (``allowance``)."""
    if objective.pnorm is not None:
        return 2 * UNIT * (objective.d + 8) * terms.size + lost_in_ball(objective, w, minus_u)
    if objective.row_sizes.outside > 0:
        return float(
            8 * UNIT * objective.roundings * ((sums.values + magnitudes[0]) / objective.n + 1 + objective.gamma)
        )
    return 0.0


def mean_length(objective: Objective, alpha: Any, lengths: float, most: float | None = None) -> float:
    """mean(|alpha_i| ||x_i||), from above; lengths: the sum of the rows' products, as computed; most: ``largest`` of
    alpha, where it is known.
    """
    rows = objective.row_sizes
    most = float(largest(objective.numbers_of(alpha))) if most is None else most
    mean = lengths / objective.n * (1 + UNIT * (rows.terms + rows.longest + 8))
    return float(mean + LOST * math.sqrt(rows.longest) * most)


def lost_in_ball(objective: Objective, w: Array, minus_u: Array) -> float:
    """Return the loss of a p-norm's residual to underflow beyond 16 (4 + gamma + mu) (1 + d) 2^-1074, which
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


def require_agreement(difference: float, gap: float, allowed: float, objective: Objective) -> None:
    """Raise ArithmeticError if the gap and primal - dual, which are computed apart, differ by more than rounding."""
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
