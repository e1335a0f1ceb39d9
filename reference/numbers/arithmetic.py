"""The few operations that differ between the three numbers: float, Fraction and Interval.

Everything else in this package uses only ``+ - * /``, comparisons and integer constants, so one source
runs on all three:

- ``float``     the arithmetic that the fast kernels repeat bit for bit;
- ``Fraction``  exact; exp and log do not exist, the error says what to use instead. Another type of rationals, such as
  gmpy2's ``mpq``, may replace it (``rational``);
- ``Interval``  rigorous decimal enclosures; a comparison that cannot be decided raises ``Undecided``.

The two-branch forms below cannot overflow and never evaluate log(0), where Python raises and compiled
code returns an infinity.
"""

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Any, SupportsFloat, TypeAlias

from dualgap.reference.numbers import elementary
from dualgap.reference.numbers.interval import Interval
from dualgap.reference.numbers.rational import is_rational, to_fraction

Number: TypeAlias = Any  # float | Fraction | Interval
# what ``convert`` takes: int, float, any rational, "p/q", numpy scalar, Interval
NumberLike: TypeAlias = str | SupportsFloat | Interval
NumberType: TypeAlias = type[float] | type[Fraction] | type[Interval]  # or a type that replaces Fraction

ULP = 2.0**-52
GRAIN = Fraction(1, 2**600)  # the narrowest bracket of the bisection in intervals: finer than its 160 digits


def convert(value: NumberLike, number: NumberType, name: str = "value") -> Number:
    """Bring ``value`` (int, float, any rational, "p/q", numpy scalar, Interval) into ``number``, once, on entry.

    A float is taken as the exact rational that its bits are. Raises ValueError, naming ``name``, for
    anything that is not a finite number (booleans included) or that a float can only hold as 0 or infinity.
    A fraction or a text with decimals becomes the nearest float. A whole number of any type, or a long double, that no
    float holds is refused: the caller would get an answer about another number.

    >>> convert("1/4", float), convert(0.25, Fraction)
    (0.25, Fraction(1, 4))
    """
    if type(value) is number and (type(value) is not float or math.isfinite(value)):
        return value  # the common case, kept short: millions of matrix entries pass here
    if isinstance(value, Interval):
        if number is Interval:
            return value
        raise ValueError(
            f"{name} is an Interval and cannot become a {number.__name__}; build the problem with number=Interval"
        )
    # an instance holds Fractions
    exact = value if type(value) is Fraction or type(value) is int else _exact(value, name)
    if number is not float and is_rational(number):
        rational: Any = number
        return exact if type(exact) is number else rational(*exact.as_integer_ratio())
    if number is Interval:
        return Interval(exact)
    numerator, denominator = exact.as_integer_ratio()
    try:
        nearest = numerator / denominator  # Python rounds a quotient of integers once
    except OverflowError:
        nearest = math.inf
    if nearest == math.inf or (nearest == 0 and numerator != 0):
        raise ValueError(f"{name} = {shortened(value)} is beyond the range of a float")
    whole = denominator == 1  # then the comparison is one of floats and integers
    if (whole or hasattr(value, "dtype")) and nearest != (numerator if whole else exact):
        raise ValueError(not_held(name, value, nearest))
    return nearest


def not_held(name: str, value: object, nearest: float) -> str:
    """The message for a number that no float64 holds."""
    return (
        f"{name} is {shortened(value)}, which no float64 holds (the nearest is {nearest!r}): a float64 holds every"
        " whole number up to 2^53 = 9007199254740992. Subtract a constant, treat a number that only names something as"
        " a category, or round the numbers yourself, e.g. by astype(float)"
    )


def shortened(value: Any) -> str:
    """A number for a message: all digits of a long double (a format would round it), the first of a long integer."""
    text = str(value)
    return text if len(text) <= 60 else f"{text[:40]}... ({len(text)} characters)"


def _exact(value: Any, name: str) -> Fraction:
    """The rational that a finite number is."""
    try:
        if type(value) is float:
            return Fraction(value)
        if hasattr(value, "mask"):  # of a masked array of numpy: its item() is what lies under the mask
            raise TypeError
        value = getattr(value, "item", lambda: value)()  # a numpy scalar: as a Python number
        if isinstance(value, bool):
            raise TypeError
        if hasattr(value, "dtype"):  # a long double stays one
            return Fraction(*value.as_integer_ratio())
        return to_fraction(value)
    except (AttributeError, TypeError, ValueError, OverflowError, ZeroDivisionError):
        raise ValueError(f"{name} must be a finite number (got {value!r})") from None


def _refuse(operation: str) -> TypeError:
    return TypeError(
        f"{operation} of a Fraction is not rational; build the problem with number=Interval (rigorous) or number=float"
    )


def exp(x: Number) -> Number:
    """e^x. Callers keep x <= 0 in floats, so that nothing overflows."""
    if isinstance(x, float):
        return elementary.exp(x)
    if isinstance(x, Interval):
        return x.exp()
    raise _refuse("exp")


def log(x: Number) -> Number:
    """Natural logarithm of x > 0."""
    if isinstance(x, float):
        return elementary.log(x)
    if isinstance(x, Interval):
        return x.log()
    raise _refuse("log")


def sqrt(x: Number) -> Number:
    """Square root of x >= 0; a Fraction must be the square of a rational."""
    if isinstance(x, float):
        return math.sqrt(x)
    if isinstance(x, Interval):
        return x.sqrt()
    root = type(x)(math.isqrt(x.numerator), math.isqrt(x.denominator))
    if root * root != x:
        raise ValueError(f"sqrt({x}) is not rational; choose lam and kappa so that it is a square, or number=Interval")
    return root


def maximum(a: Number, b: Number) -> Number:
    """The larger of two numbers; for intervals always decided: both ends are taken apart."""
    if isinstance(a, Interval):
        return Interval.hull(Fraction(max(a.low, b.low)), Fraction(max(a.high, b.high)))
    return a if a > b else b


def logistic(t: Number) -> Number:
    """The logistic function 1/(1 + e^-t), without overflow."""
    if isinstance(t, Interval):
        return t.logistic()
    if t < 0:
        e = exp(t)
        return e / (1 + e)
    return 1 / (1 + exp(-t))


LARGE_EXPONENT = 10**18  # e^t is within the exponents of decimal up to here


def softplus(t: Number) -> Number:
    """log(1 + e^t), without overflow."""
    if isinstance(t, float):
        if t > 0:
            return t + elementary.log1p(elementary.exp(-t))
        return elementary.log1p(elementary.exp(t))
    if not isinstance(t, Interval) or t.high <= LARGE_EXPONENT:
        return exp(t).log1p()
    if t.low > 0:
        return t + (-t).exp().log1p()
    return Interval.hull(0, t + 1)  # wider than any argument of a loss: between 0 and max(t, 0) + ln 2


# -- the scalar solve of the logistic dual step ------------------------------------------------------------

NEAR = 2.0**-13  # so short a step changes logistic by its cubic, to within a 2^-56th of its value


def logit_root(m: Number, b: Number, q: Number) -> Number:
    """The root t of h(t) = t + m + q (logistic(t) - b), for 0 <= b <= 1 and q >= 0; see ``logistic_of_root``."""
    if isinstance(m, float):
        return _solve(m, b, q)[0]
    if isinstance(m, Interval):
        return _logit_root_interval(m, Interval(b), Interval(q))
    raise _refuse("the logistic dual step")


def logistic_of_root(m: Number, b: Number, q: Number) -> Number:
    """logistic(t) at the root t of h(t) = t + m + q (logistic(t) - b), for 0 <= b <= 1 and q >= 0.

    h increases strictly (1 <= h' <= 1 + q/4), so the root is unique. Bracket: logistic lies in (0, 1). Intervals:
    bisection. Floats: Halley's iteration, with bisection whenever the step leaves the bracket; it stops when |h(t)| is
    at the rounding level of its own terms, or when it is known to be so after the step. With c = q logistic'(t), |h''|
    <= c and h' = 1 + c: Halley's step d solves h + h' d + (h''/2) d N = 0 with Newton's step N, and d - N = -(h''/2h')
    d N. So

        h(t + d) = (h''/2) d (d - N) + (1/6) (third derivative, at most c e^|d|) d^3,    |h(t + d)| <= c |d|^3/2 for |d| <= 1/8.
    """  # noqa: E501
    if isinstance(m, float):
        return _solve(m, b, q)[1]
    return logistic(logit_root(m, b, q))


def _solve(m: float, b: float, q: float) -> tuple[float, float]:
    """t and logistic(t). Of whole = 1 + e^-|t| the multiples H = whole h, G = whole^2 h', K = whole^3 h'' need no
    division.
    """
    if q == 0:
        return -m, logistic(-m)
    low = -m - q * (1 - b)
    high = -m + q * b
    t, c = -m, q * b * (1 - b)
    if c > 1:  # h is steep at logit b, where it is known: Newton's step from there
        t = (c * elementary.log(b / (1 - b)) - m) / (1 + c)
        if not low < t < high:
            t = low if low > 0 else high if high < 0 else 0.0
    for _ in range(200):
        e = elementary.exp(-abs(t))
        part, whole = (e if t < 0 else 1.0), 1 + e  # logistic(t) = part/whole
        share = b * whole
        H = (t + m) * whole + q * (part - share)
        allowed = 4 * ULP * ((abs(t) + abs(m)) * whole + q * (part if part > share else share))
        if abs(H) <= allowed:
            return t, part / whole
        G = whole * whole + q * e
        K = q * e * (whole - 2 * part)
        d = -2 * (H * G * whole) / (2 * (G * G) - H * K)  # 2 h'^2 - h h'' > h'^2 > 0 inside the bracket
        if abs(d) < NEAR and q * e * (abs(d) * d * d) <= allowed:
            s, slope = part / whole, e / (whole * whole)
            return t + d, s + slope * d * (1 + (1 - 2 * s) * d / 2 + (1 - 6 * slope) * (d * d) / 6)
        if H > 0:
            high = t
        else:
            low = t
        following = t + d
        if not low < following < high:
            following = low + (high - low) / 2
            if not low < following < high:
                return t, part / whole
        t = following
    return t, logistic(t)


def _logit_root_interval(m: Interval, b: Interval, q: Interval) -> Interval:
    def sign(t: Fraction) -> int:
        h = Interval(t) + m + q * (Interval(t).logistic() - b)
        return (h.low > 0) - (h.high < 0)

    root = _contracted(_bracket(m, b, q, sign), m, b, q)
    low, high = Fraction(root.low), Fraction(root.high)
    while high - low > GRAIN:
        middle = (low + high) / 2
        side = sign(middle)
        if side == 0:  # so close to the root that the sign is undecided: bring in both ends while theirs is decided
            while middle - low > GRAIN and sign(nearer := (low + middle) / 2) < 0:
                low = nearer
            while high - middle > GRAIN and sign(nearer := (high + middle) / 2) > 0:
                high = nearer
            break
        low, high = (low, middle) if side > 0 else (middle, high)
    return Interval.hull(low, high)


def _bracket(m: Interval, b: Interval, q: Interval, sign: Callable[[Fraction], int]) -> Interval:
    """Return an interval around the root: a small one around the float root if the signs of h at its ends confirm it,
    else one with h(low) < 0 < h(high)."""
    given = [float(x.low) for x in (m, b, q)]
    low, high = Fraction((-m - q).low) - 1, Fraction((-m + q).high) + 1
    if all(map(math.isfinite, given)):
        t = _solve(*given)[0]
        near = Fraction((1 + abs(t)) * 2.0**-40)
        below, above = Fraction(t) - near, Fraction(t) + near
        low, high = (below if sign(below) < 0 else low), (above if sign(above) > 0 else high)
    return Interval.hull(low, high)


def _contracted(root: Interval, m: Interval, b: Interval, q: Interval) -> Interval:
    """The interval Newton method: the root is t - h(t)/h'(r), t any point of a bracket and r another; again while it
    halves the bracket.
    """
    while True:
        t = Interval(Fraction(Interval((Fraction(root.low) + Fraction(root.high)) / 2).low))
        h, slope = t + m + q * (t.logistic() - b), 1 + q * (root.logistic() * (-root).logistic())
        step = t - h / slope
        before, root = root, Interval.hull(Fraction(max(root.low, step.low)), Fraction(min(root.high, step.high)))
        if 2 * (Fraction(root.high) - Fraction(root.low)) >= Fraction(before.high) - Fraction(before.low):
            return root


# -- the Fenchel-Young residual of the logistic loss -----------------------------------------------------------


def logistic_divergence(b: Number, m: Number) -> Number:
    """KL(b || p) with p = logistic(-m), the logistic loss' Fenchel-Young residual; b in [0, 1].

    Floats: the sum of the two nonnegative Bregman terms b ln(b/p) - b + p (and the same for 1 - b, 1 - p),
    each without cancellation, so that a duality gap near zero is not rounding noise.
    """
    if isinstance(m, float):
        p, p_complement = logistic(-m), logistic(m)
        delta = b - p if m >= 0 else p_complement - (1 - b)  # from the smaller side, whose rounding is the finer
        return elementary.bregman(b, p, -softplus(m), delta) + elementary.bregman(
            1 - b, p_complement, -softplus(-m), -delta
        )
    entropy = 0 * m
    for part in (b, 1 - b):
        if part != 0:  # 0 ln 0 = 0
            entropy = entropy + part * log(part)
    return entropy + b * m + softplus(-m)


# -- powers -----------------------------------------------------------------------------------------------------


def power(x: Number, exponent: Number) -> Number:
    """x ** exponent for x >= 0 (x > 0 where exponent < 0), both of one kind: float or rational.

    A float that overflows is infinity, as in compiled code. Raises ValueError for a Fraction whose power is not
    rational.

    >>> power(Fraction(8, 27), Fraction(-2, 3)), power(10.0, 1e6)
    (Fraction(9, 4), inf)
    """
    if isinstance(x, float):
        try:
            return float(x**exponent)
        except OverflowError:
            return math.inf
    if not is_rational(type(x)):
        raise TypeError(
            f"powers are for float and Fraction (got {type(x).__name__}); build the problem with number=float"
        )
    degree = int(exponent.denominator)
    if degree == 1 and x >= 0:
        return x ** int(exponent.numerator)
    above, below = _whole_root(x.numerator, degree), _whole_root(x.denominator, degree)
    if above**degree != x.numerator or below**degree != x.denominator:
        raise ValueError(f"({x}) ** ({exponent}) is not rational; choose p and the data so that it is, or number=float")
    return type(x)(above, below) ** int(exponent.numerator)


def _whole_root(value: int, degree: int) -> int:
    """The largest integer r >= 0 with r^degree <= value, for value >= 0."""
    if degree == 2:
        return math.isqrt(value)
    low, high = 0, 1 << (value.bit_length() // degree + 1)  # low^degree <= value < high^degree
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if middle**degree <= value else (low, middle)
    return low


# -- geometric sequences ----------------------------------------------------------------------------------------


def shrink(rate: Number, S: int) -> Number:
    """1 - (1 + rate)^-S for rate >= 0 and an integer S >= 0, without cancellation: what S steps of shrinking take away.

    >>> shrink(Fraction(1, 2), 2), shrink(1e-12, 1000)
    (Fraction(5, 9), 9.999999994995e-10)
    """
    if isinstance(rate, float):
        return elementary.one_minus_exp(S * elementary.log1p(rate))
    if isinstance(rate, Interval):
        return 1 - (-(rate.log1p() * S)).exp()
    return 1 - 1 / (1 + rate) ** S


def deepen(level: Number, rate: Number) -> Number:
    """The level after one more step of shrinking: sum of log(1 + rate) in floats and intervals, else the product of the
    1 + rate.

    The first level is 0 or 1 accordingly (``surface``); rates >= 0 may differ from step to step.
    """
    if isinstance(level, float):
        return level + elementary.log1p(rate)
    if isinstance(level, Interval):
        return level + rate.log1p()
    return level * (1 + rate)


def surface(number: NumberType) -> Number:
    """The level before the first step."""
    return convert(1 if is_rational(number) else 0, number)


def shrunk(before: Number, after: Number) -> Number:
    """Return the reduction by the steps between two levels, without cancellation: 1 - prod 1/(1 + rate) over them.

    >>> levels = [surface(Fraction)]
    >>> for rate in (Fraction(1, 2), Fraction(1, 3)):
    ...     levels.append(deepen(levels[-1], rate))
    >>> shrunk(levels[0], levels[2]), shrunk(levels[1], levels[2])
    (Fraction(1, 2), Fraction(1, 4))
    """
    if isinstance(before, float):
        return elementary.one_minus_exp(after - before)
    if isinstance(before, Interval):
        return 1 - (before - after).exp()
    return 1 - before / after
