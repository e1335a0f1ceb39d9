"""The logistic one-step inequality a second time, in ball arithmetic. Needs the package python-flint.

Nothing is shared with the first engine: neither ``Interval`` nor the reference. The step, w(alpha), P and D
are written out here for the logistic loss with L2. Both engines must decide every instance alike, and their
enclosures of one real number must meet.
"""

from fractions import Fraction
from functools import partial
from typing import Any

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Instance
from dualgap.proofs_checks.claims.registry import Claim, Evidence, Source
from dualgap.proofs_checks.claims.run import Run, Strategy, draw_instances
from dualgap.reference import Interval
from dualgap.reference.numbers.interval import decide

BITS = (64, 128, 256, 512)  # tried in turn, like the 20 to 160 digits of the decimal intervals


def agrees_with_arb(strategy: Strategy, scale: float = 0.4) -> Source:
    """ENCLOSED: E[increase] >= (s/n) gap in balls, on fresh instances, each compared with the decimal intervals.

    Raises RuntimeError if the engines contradict each other, and if balls do not refute the variant
    E[increase] >= (1 + 1/100)/n gap, which is false if the gap is positive: D+ - D <= FY_i/n.
    """

    def source(claim: Claim, run: Run) -> Evidence:
        evidence = Evidence("ENCLOSED")
        for instance in draw_instances(strategy(), run.count(scale), run.seed(f"{claim.id} arb")):
            ball, decimal = in_balls(instance), decide(partial(_in_decimals, instance))[0]
            evidence.instances += 1
            if ball is None or decimal is None:
                evidence.undecided += 1
                continue
            if ball[0] != decimal[0] or not _meet(ball[1], decimal[1]):
                raise RuntimeError(f"arb finds {ball}, decimal intervals {decimal}, on {instance}")
            if ball[2]:
                raise RuntimeError(f"arb does not refute the false variant on {instance}")
            evidence.violations += not ball[0]
            evidence.counterexample = evidence.counterexample or (None if ball[0] else instance)
        evidence.detail = f"arb, agrees with the decimals, {evidence.undecided} undecided"
        return evidence

    return source


def _in_decimals(instance: Instance) -> tuple[bool, Interval]:
    c = Context(instance, number=Interval)
    slack = c.expected_increase - c.s * c.gap / c.n
    return bool(slack >= 0), slack


def _meet(ball: Any, decimal: Interval) -> bool:
    """Whether the ball and the interval have a point in common."""
    import flint  # pyright: ignore[reportMissingImports]

    low, high = (flint.arb(flint.fmpq(*Fraction(end).as_integer_ratio())) for end in (decimal.low, decimal.high))
    return bool(ball.overlaps(low.union(high)))


def in_balls(instance: Instance) -> tuple[bool, object, bool] | None:
    """(whether E[increase] >= (s/n) gap, the ball of their difference, the same with s = 101/100), or None."""
    import flint  # pyright: ignore[reportMissingImports]

    before = flint.ctx.prec
    try:
        for bits in BITS:
            flint.ctx.prec = bits
            increase, gap, s = _expected_increase(instance, flint.arb, flint.fmpq)
            slack = increase - s * gap / len(instance.y)
            variant = increase - gap * flint.arb(flint.fmpq(101, 100)) / len(instance.y)
            if (slack >= 0 or slack < 0) and (variant >= 0 or variant < 0):  # a ball that straddles 0 is neither
                return bool(slack >= 0), slack, bool(variant >= 0)
        return None
    finally:
        flint.ctx.prec = before


def _expected_increase(instance: Instance, arb: Any, fmpq: Any) -> tuple[Any, Any, Any]:
    """(E[D(alpha+)] - D(alpha), P(w(alpha)) - D(alpha), s), after the steps of ``instance.path``."""
    n, d = len(instance.y), len(instance.rows[0])

    def ball(value: Fraction) -> Any:
        return arb(fmpq(value.numerator, value.denominator))

    lam = ball(instance.lam)
    rows = [[ball(x) for x in row] for row in instance.rows]
    labels = [int(y) for y in instance.y]

    def w(alpha: list[Any]) -> list[Any]:
        return [-sum((a * row[j] for a, row in zip(alpha, rows)), arb(0)) / (lam * n) for j in range(d)]

    def z(alpha: list[Any], i: int) -> Any:
        return sum((x * w_j for x, w_j in zip(rows[i], w(alpha))), arb(0))

    def entropy(b: Any) -> Any:
        return sum((part * part.log() for part in (b, 1 - b) if not part == 0), arb(0))

    def square(alpha: list[Any]) -> Any:
        return lam * sum((w_j * w_j for w_j in w(alpha)), arb(0)) / 2

    def D(alpha: list[Any]) -> Any:
        return -sum((entropy(-y * a) for y, a in zip(labels, alpha)), arb(0)) / n - square(alpha)

    def P(alpha: list[Any]) -> Any:
        return sum(((-y * z(alpha, i)).exp().log1p() for i, y in enumerate(labels)), arb(0)) / n + square(alpha)

    def after(alpha: list[Any], i: int) -> list[Any]:
        best = -labels[i] / (1 + (labels[i] * z(alpha, i)).exp())
        return [*alpha[:i], best, *alpha[i + 1 :]]

    alpha = [ball(a) for a in instance.alpha]
    for i in instance.path:
        alpha = after(alpha, i)
    increase = sum((D(after(alpha, i)) for i in range(n)), arb(0)) / n - D(alpha)
    R2 = max(sum((x * x for x in row), Fraction(0)) for row in instance.rows)
    return increase, P(alpha) - D(alpha), 1 - ball(R2 / (4 * n * instance.lam))
