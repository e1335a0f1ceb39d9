"""The logistic loss on traced numbers: values from rigorous intervals, tolerances for exp and log wrong by 4 places.

A port's exp and log may be wrong by 8u relatively, u = 2^-53. With the usual formulas, in either branch, and s(t) =
1/(1 + e^-t):

- s(t): the error of t times s' = s(t) s(-t), which grows by less than 2 over so short a way, and 12u more;
- log(1 + e^t): the error of t times its slope s(t), likewise, and 8u of the value, and 9u for 1 + e^t;
- b ln b + (1 - b) ln(1 - b): 10u of |ln b| + |ln(1 - b)|, and as much for the rounding of 1 - b;
- the dual step: t is the root of h(t) = t + m + q (s(t) - b), h' >= 1. A port evaluates h with an error of at most 16u
  (|t| + |m| + q) and stops as near to its zero, |t| <= |m| + q, so t is wrong by at most 64u (|m| + q), and s(t) by 2
  s'(t) times that and 12u more; errors of the given m and q count 2 s'(t) too (|s - b| <= 1), that of b at most 1.

Every bound below is 2 c u M with c = 16 + those of the arguments, M the sum of these magnitudes.
"""

from collections.abc import Callable
from fractions import Fraction

from dualgap.proofs_checks.conformance.error_bounds.number import RunningError, given
from dualgap.reference import Interval, Logistic
from dualgap.reference.numbers.interval import digits

DIGITS = 34
FINE = 2**160  # values are kept as multiples of its inverse
EXP_LOG = 16  # roundings that stand for exp and log


class RunningErrorLogistic(Logistic):
    """The reference's logistic loss; see the module."""

    def value(self, z: RunningError, y: RunningError) -> RunningError:
        m = y * z
        value = rigorous(lambda loss: loss.value(Interval(z.value), Interval(y.value)))
        return transcendental(value, 2 * s_of(-m.value) * m.magnitude + abs(value) + 1, m)

    def derivative(self, z: RunningError, y: RunningError) -> RunningError:
        m = y * z
        value = rigorous(lambda loss: loss.derivative(Interval(z.value), Interval(y.value)))
        return transcendental(value, 2 * s_of(m.value) * s_of(-m.value) * m.magnitude + 1, m)

    def conjugate(self, alpha: RunningError, y: RunningError) -> RunningError:
        b = -y * alpha
        value = rigorous(lambda loss: loss.conjugate(Interval(alpha.value), Interval(y.value)))
        logarithms = [abs(log_of(part)) for part in (b.value, 1 - b.value) if part > 0]
        return transcendental(value, 1 + sum(logarithms, Fraction(0)), b)

    def dual_step(self, z: RunningError, alpha: RunningError, y: RunningError, q: RunningError) -> RunningError:
        m, b = y * z, -y * alpha
        value = rigorous(lambda loss: loss.dual_step(*(Interval(x.value) for x in (z, alpha, y, q))))
        slope = abs(value) * (1 - abs(value))  # s'(t) = s(t) (1 - s(t))
        return transcendental(value, 1 + 4 * slope * (m.magnitude + q.magnitude) + b.magnitude, m, b, q)

    def residual(self, z: RunningError, alpha: RunningError, y: RunningError) -> RunningError:
        a = given(alpha, z.trace)  # of init as it came, checked and converted
        value = rigorous(lambda loss: loss.residual(Interval(z.value), Interval(a.value), Interval(y.value)))
        return transcendental(value, abs(value), z, a)


def s_of(t: Fraction) -> Fraction:
    """1/(1 + e^-t)."""
    return rigorous(lambda _: Interval(t).logistic())


def log_of(x: Fraction) -> Fraction:
    """ln x."""
    return rigorous(lambda _: Interval(x).log())


def rigorous(compute: Callable[[Logistic], Interval]) -> Fraction:
    """The value of a formula in intervals, known to more than 27 digits."""
    with digits(DIGITS):
        found = compute(Logistic().over(Interval))  # type: ignore[arg-type]
        middle = found.midpoint()
        if Fraction(found.width()) > Fraction(1, 10**27) * (1 + abs(middle)):
            raise AssertionError(f"{DIGITS} digits are too few: {found!r}")
        return Fraction(round(middle * FINE), FINE)


def transcendental(value: Fraction, magnitude: Fraction, *parts: RunningError) -> RunningError:
    """A result of exp or log of ``parts``."""
    parts[0].trace.exact = False
    return RunningError(value, parts[0].trace, magnitude, EXP_LOG + max(part.roundings for part in parts), False, 0)
