"""Pairs (w, alpha) that are hard to certify in doubles: sums that cancel, distant scales, kinks, underflow, optima.

One generator, driven by ``pick``: a random generator's choice, or a Hypothesis draw, which shrinks to the first entries
of the lists. All numbers are doubles, given as exact rationals.
"""

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from hypothesis.strategies import DrawFn, SearchStrategy

from dualgap.proofs_checks.claims import drawing as st
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Instance, Qs
from dualgap.reference import LOSSES, Problem
from dualgap.reference.numbers.arithmetic import Number, NumberType
from dualgap.reference.problem.losses import losses

Pick = Callable[[Sequence[Any]], Any]

SCALES = tuple(2.0**e for e in (0, 0, 0, 1, -3, 10, -10, 27, 53, 80, -40, 170, -170, 400, -500, -530))
DIVISORS = (1.0, 1.0, 3.0, 7.0, 10.0, 2.0**27 + 1)
LAMS = (1.0, 1e-3, 0.1, 1e-8, 1e3, 1e-12, 1e-30, 1e-100, 1e-300)
KINDS = ("free", "free", "opposite labels", "cancelling rows", "one scale a row", "one scale a column")
PAIRS = ("w(alpha)", "w(alpha)", "near w(alpha)", "free", "zero", "steps", "steps")
SHARES = (0.0, 1.0, 0.5, 0.25, 1 / 3, 1e-300, 1 - 2.0**-53, 2.0**-40)


def hostile(pick: Pick, losses: Sequence[str], largest: int = 5) -> Instance:
    """Draw one instance and its ``Point``, with at most ``largest`` rows.

    The pair may be (w, alpha) of a few steps of SDCA in floats, w = w(alpha) as floats compute it, next to it, or free.
    """
    loss, kind = pick(losses), pick(KINDS)
    n, d, scale = pick(range(1, largest + 1)), pick(range(1, 4)), pick(SCALES)
    rows = [[_number(pick) * scale for _ in range(d)] for _ in range(n)]
    if kind == "one scale a row":
        rows = [[x * power for x in row] for row, power in zip(rows, (pick(SCALES) for _ in rows))]
    if kind == "one scale a column":
        powers = [pick(SCALES) for _ in range(d)]
        rows = [[x * power for x, power in zip(row, powers)] for row in rows]
    if kind in ("opposite labels", "cancelling rows"):
        rows += [[x if kind == "opposite labels" else -x for x in row] for row in rows]
        rows.append([_number(pick) for _ in range(d)])
    margin = LOSSES[loss].margin
    y = [pick((1.0, -1.0)) if margin else _number(pick) * pick(SCALES[:8]) for _ in rows]
    if kind == "opposite labels":
        y[n : 2 * n] = [-y_i for y_i in y[:n]]
    rows, limit = [[x if math.isfinite(x) and abs(x) < 1e150 else 1.0 for x in row] for row in rows], LOSSES[loss]
    gamma = Fraction(pick((1.0, 0.5, 1e-6, 100.0))) if limit.adjustable else None
    l1 = pick((0.0, 0.0, 0.125, 1e-9, 1e3))
    alpha = [_alpha(pick, loss, y_i) for y_i in y]
    exact, lam = tuple(Qs(*row) for row in rows), Fraction(pick(LAMS))
    return _with_w(pick, Instance(exact, Qs(*y), Qs(*alpha), lam, loss, gamma, Fraction(l1), "sdca"))


def _number(pick: Pick) -> float:
    return float(pick(range(-3, 4)) if pick((True, False)) else pick(range(-999, 1000)) / pick(DIVISORS))


def _alpha(pick: Pick, loss: str, y: float) -> float:
    if LOSSES[loss].margin:
        return -y * float(pick(SHARES) * (pick(SCALES[:6]) if loss == "squared-hinge" else 1.0))
    return float(pick((1.0, -1.0, 0.0)) * pick(SHARES) if loss == "absolute" else _number(pick) * pick(SCALES[:8]))


def _with_w(pick: Pick, instance: Instance) -> Instance:
    """The instance with a w of one of ``PAIRS``; where floats overflow on the way, w = 0."""
    kind, problem, d = pick(PAIRS), instance.problem(float), len(instance.rows[0])
    alpha = [float(a) for a in instance.alpha]
    w = [0.0] * d
    if kind == "free":
        w = [_number(pick) * pick(SCALES[:12]) for _ in range(d)]
    elif kind != "zero":
        try:
            if kind == "steps":
                w, alpha = _steps(problem, instance, [pick(range(len(alpha))) for _ in range(3 * len(alpha))])
            else:
                w = problem.w(alpha)
        except (ArithmeticError, ValueError):
            w = [0.0] * d
        if kind == "near w(alpha)":
            w = [w_j * (1 + pick((0, 1, -4, 2**20)) * 2.0**-52) for w_j in w]
    if not all(math.isfinite(number) for number in (*w, *alpha)):
        w, alpha = [0.0] * d, [float(a) for a in instance.alpha]
    return instance.but(alpha=Qs(*alpha), extra=further(w=Qs(*w)))


def _steps(problem: Problem, instance: Instance, choices: list[int]) -> tuple[list[float], list[float]]:
    """The pair after SDCA's steps."""
    method = instance.reference_method()
    state = method.init(problem, [float(a) for a in instance.alpha])
    for i in choices:
        state = method.step(problem, state, i)
    w, alpha = method.view(problem, state)
    return list(w), list(alpha)


RATIONAL = losses(rational=True, foreign=False)


def hostile_pairs() -> SearchStrategy[Instance]:
    """``hostile`` for the losses that are exact in rationals."""
    return _drawn(RATIONAL)


def hostile_logistic() -> SearchStrategy[Instance]:
    """``hostile`` for the logistic loss."""
    return _drawn(("logistic",))


@st.composite
def _drawn(draw: DrawFn, losses: Sequence[str]) -> Instance:
    return hostile(lambda options: draw(st.sampled_from(options)), losses)


def floats(instance: Instance) -> tuple[Problem, list[float], list[float]]:
    """(problem, w, alpha) in floats. ValueError where the problem is refused."""
    return instance.problem(float), [float(w_j) for w_j in instance.extra.w], [float(a) for a in instance.alpha]


def exact_gap(instance: Instance, number: NumberType = Fraction) -> Number:
    """P(w) - D(alpha) from the definitions, in ``number``."""
    problem = instance.problem(number)
    w, alpha = [number(w_j) for w_j in instance.extra.w], [number(a) for a in instance.alpha]
    return problem.P(w) - problem.D(alpha)
