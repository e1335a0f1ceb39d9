"""The losses of several numbers on traced numbers: the reference's own code where it is rational, softmax from
decimals.

The reference's softmax runs on floats alone. What is due is its definition in 60 digits, and the reference's floats
must be within the tolerance of it, or there is no case. A port's exp and log may be wrong by 8u relatively, u = 2^-53.
With Z = max |z_k| + max |q beta_k|:

- p_k = e^(z_k)/sum: 8u for each exp, 2 Z u for the rounded argument of each, q + 2 for the sum and the quotient: below
  (24 + q + 4Z) u; the same absolutely for log sum - z_c, and 8u of the logarithm, which is at most log q + Z;
- sum beta ln beta: 10u |ln beta_k| for each;
- the dual step beta solves ln beta_k + q beta_k - a_k + mu = 0, sum beta = 1, the minimiser of a function that is
  1-strongly convex in the l1-norm: an error of e in these equations moves no beta_k by more than e. A port's equations
  are wrong by less than 16u (|ln beta_k| + q + Z), of which |ln beta_k| <= 2 Z + q + log q, and it stops as near to
  their zero.

Every bound below is 2 c u M with c = 64 and M = 1 + q + Z + ln q, or the sum of the logarithms.
"""

import math
from decimal import Context, Decimal, localcontext
from fractions import Fraction
from typing import Any

from dualgap.proofs_checks.conformance.error_bounds.number import RunningError, Trace, given
from dualgap.reference.numbers.rational import nearest
from dualgap.reference.problem.block_losses import BallHuber, MulticlassSmoothedHinge, Softmax

EXP_LOG = 64
DIGITS = 60
KINDS = {"ball-huber": BallHuber, "multiclass-smoothed-hinge": MulticlassSmoothedHinge}


def traced_block_loss(name: str, gamma: Fraction, trace: Trace) -> Any:
    """The reference's loss with traced constants."""
    loss: Any = RunningErrorSoftmax(trace) if name == Softmax.name else KINDS[name](gamma)
    loss.gamma, loss.zero, loss.one = given(loss.gamma, trace), given(0, trace), given(1, trace)
    return loss


class RunningErrorSoftmax:
    """See the module."""

    def __init__(self, trace: Trace) -> None:
        self.trace, self.own = trace, Softmax().over(float)
        self.gamma: Any = Fraction(2)

    def in_domain(self, alpha: tuple[RunningError, ...], c: int) -> bool:
        """beta = alpha + e_c in the simplex."""
        beta = [a.value + (k == c) for k, a in enumerate(alpha)]
        return min(beta) >= 0 and sum(beta) == 1

    def value(self, z: tuple[RunningError, ...], c: int) -> RunningError:
        with localcontext(Context(prec=DIGITS)):
            points = [decimal(z_k.value) for z_k in z]
            expected = sum((point.exp() for point in points), Decimal(0)).ln() - points[c]
        return self.known(expected, self.own.value(floats(z), c), 1 + size(z) + Fraction(math.log(len(z))))

    def derivative(self, z: tuple[RunningError, ...], c: int) -> tuple[RunningError, ...]:
        with localcontext(Context(prec=DIGITS)):
            powers = [decimal(z_k.value).exp() for z_k in z]
            expected = [power / sum(powers) - (k == c) for k, power in enumerate(powers)]
        own = self.own.derivative(floats(z), c)
        return tuple(self.known(one, two, 1 + size(z)) for one, two in zip(expected, own))

    def conjugate(self, alpha: tuple[RunningError, ...], c: int) -> RunningError:
        with localcontext(Context(prec=DIGITS)):
            beta = [decimal(a.value + (k == c)) for k, a in enumerate(alpha)]
            terms = [(b, b.ln()) for b in beta if b > 0]
            expected = sum((b * logarithm for b, logarithm in terms), Decimal(0))
            magnitude = 1 + sum((abs(Fraction(logarithm)) for _, logarithm in terms), Fraction(0))
        return self.known(expected, self.own.conjugate(floats(alpha), c), magnitude)

    def dual_step(
        self, z: tuple[RunningError, ...], alpha: tuple[RunningError, ...], c: int, q: RunningError
    ) -> tuple[RunningError, ...]:
        if q.value == 0:
            return self.derivative(z, c)
        with localcontext(Context(prec=DIGITS)):
            stiffness = decimal(q.value)
            a = [
                decimal(z_k.value) + stiffness * decimal(alpha_k.value + (k == c))
                for k, (z_k, alpha_k) in enumerate(zip(z, alpha))
            ]
            beta = entropy_prox(a, stiffness)
        magnitude = 1 + size(z) + 2 * q.value + Fraction(math.log(len(z)))
        own = self.own.dual_step(floats(z), floats(alpha), c, nearest(q.value))
        return tuple(self.known(b - (k == c), own[k], magnitude) for k, b in enumerate(beta))

    def known(self, expected: Decimal, own: float, magnitude: Fraction) -> RunningError:
        """A result with its tolerance, confirmed by the reference in floats."""
        self.trace.exact, self.trace.irrational = False, True
        found = RunningError(Fraction(expected), self.trace, magnitude, EXP_LOG, False, 0)
        if not abs(Fraction(own) - found.value) <= found.tolerance:
            raise AssertionError(f"the reference has {own!r}, due is {float(expected)!r}")
        return found


def floats(values: tuple[RunningError, ...]) -> tuple[float, ...]:
    """The doubles that were given."""
    return tuple(nearest(value.value) for value in values)


def size(z: tuple[RunningError, ...]) -> Fraction:
    """max |z_k|."""
    return max(abs(z_k.value) for z_k in z)


def decimal(value: Fraction) -> Decimal:
    """Round to the digits of the context."""
    return Decimal(int(value.numerator)) / Decimal(int(value.denominator))


def entropy_prox(a: list[Decimal], q: Decimal) -> list[Decimal]:
    """The beta with ln beta_k + q beta_k = a_k - mu and sum 1: Newton in mu, and for each beta_k in its logarithm."""
    mu = max(a) - q
    for _ in range(200):
        beta = [_root(a_k - mu, q) for a_k in a]
        step = (sum(beta, Decimal(-1))) / sum((b / (1 + q * b) for b in beta), Decimal(0))
        mu += step
        if abs(step) < Decimal(1).scaleb(6 - DIGITS):
            return beta
    raise AssertionError("Newton's method does not end")


def _root(level: Decimal, q: Decimal) -> Decimal:
    """e^v with v + q e^v = level: convex in v, so that Newton from the right only falls."""
    v = min(level, ((level if level > 1 else Decimal(1)) / q).ln() + 1)
    for _ in range(500):
        step = (v + q * v.exp() - level) / (1 + q * v.exp())
        v -= step
        if abs(step) < Decimal(1).scaleb(4 - DIGITS):
            return v.exp()
    raise AssertionError("Newton's method does not end")
