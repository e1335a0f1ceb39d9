"""exp, 1 - e^-x, log and log1p of ``reference.numbers.elementary``: how far their doubles are from the reals, for every
argument.

Each function takes its argument apart (``reduced``, ``split``), exactly except for k LN2_LOW, and evaluates one short
expression, which here is evaluated on ranges that cover all arguments, with a bound of its roundings
(``engines.roundings``); what its series leaves out is added.
"""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import cache, partial
from math import factorial, prod

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.relations import Eq, Le, Relation
from dualgap.proofs_checks.engines.roundings import Polynomial, Rounded, require
from dualgap.proofs_checks.evidence.levels import all_of, altered, golden
from dualgap.proofs_checks.papers.vocabulary import LONE_ROW, implemented
from dualgap.reference.numbers import elementary as code
from dualgap.reference.numbers.arithmetic import Number

# the claims are about functions, not about a problem
ANY = LONE_ROW.but(loss="logistic")
U = Fraction(1, 2**53)
WIDEST = Fraction(347, 1000)  # of r
LOWEST, HIGHEST = Fraction(code.ROOT_HALF) - 1, 2 * Fraction(code.ROOT_HALF) - 1  # of f
STEEPEST = max(-LOWEST / (2 + LOWEST), HIGHEST / (2 + HIGHEST))  # |s|, at most
ALL_K = range(-1074, 1025)  # of log
Series = Callable[[Number], Number]


@cache
def ln2() -> tuple[Fraction, Fraction]:
    """Bounds of ln 2 = 2 artanh(1/3), 2^-200 apart."""
    below = sum((Fraction(2, (2 * i + 1) * 3 ** (2 * i + 1)) for i in range(64)), Fraction(0))
    return below, below + Fraction(1, 3**127)


@cache
def missing() -> Fraction:
    """Return an upper bound on ln 2 - (LN2_HIGH + LN2_LOW)."""
    return max(abs(bound - Fraction(code.LN2_HIGH) - Fraction(code.LN2_LOW)) for bound in ln2())


def pieces(low: Fraction, high: Fraction, count: int) -> Iterator[tuple[Fraction, Fraction]]:
    """[low, high] in equal parts."""
    width = (high - low) / count
    yield from ((low + i * width, low + (i + 1) * width) for i in range(count))


def binades(least: int, high: Fraction, count: int) -> Iterator[tuple[Fraction, Fraction]]:
    """[2^least, high] from power of two to power of two, each in equal parts."""
    low = Fraction(2) ** least
    while low < high:
        yield from pieces(low, min(2 * low, high), count)
        low = 2 * low


# -- e^r ---------------------------------------------------------------------------------------------------------------


def reduction(ks: Iterable[int]) -> tuple[Rounded, list[Relation]]:
    """0 with the error of r, the largest over all k; and that |r| <= WIDEST, with k the integer next to x/ln 2 as it is
    computed.

    The computed x PER_LN2 is off by at most 2^-42. It is below 2^11, so that its rounding adds at most 2^-43. PER_LN2
    is off by at most u/4 of itself, which adds at most 1077/4 u < 0.14 2^-42, because 746/ln 2 < 1077. (As PER_LN2 is,
    0.57 2^-42 in all.)
    """
    off = Fraction(0)
    reach = (Fraction(1, 2) + Fraction(1, 2**42)) * ln2()[1]
    for k in ks:
        x = Rounded(k * ln2()[0] - reach, k * ln2()[0] + reach, grid=-54 if k else -1074)  # |x| >= 1/4 where k is not 0
        r = (x - Rounded.of(k) * code.LN2_HIGH) - Rounded.of(k) * code.LN2_LOW
        off = max(off, r.error + abs(k) * missing())
    inverse = Fraction(code.PER_LN2) * ln2()[0], Fraction(code.PER_LN2) * ln2()[1]
    relations = [Le(max(abs(side - 1) for side in inverse), U / 4, "PER_LN2"), Le(reach, WIDEST, "|r|")]
    return Rounded(0, 0, off), relations


def left_out(series: Series) -> Fraction:
    """An upper bound of |series(r) - (e^r - 1)|/|r| in the reals for |r| <= WIDEST, coefficient by coefficient."""
    constant, *coefficients = series(Polynomial.x()).coefficients
    require(constant == 0, "the series begins with r")
    off = [abs(c - Fraction(1, factorial(i))) * WIDEST ** (i - 1) for i, c in enumerate(coefficients, 1)]
    size = sum(off, Fraction(0))
    count = len(coefficients) + 1
    return size + WIDEST ** (count - 1) / factorial(count) / (1 - WIDEST / (count + 1))


def with_term(power: int, off: float) -> Series:
    """The series with ``off`` more in front of r^power."""
    return lambda r: code.power_series(r) + prod([r] * power) * off


def exp(c: Context, series: Series = code.power_series, share: Fraction = Fraction(1)) -> Iterator[Relation]:
    """1 + series(r) against e^r, for every r."""
    off, relations = reduction(range(-1077, 1))
    missed = left_out(series)
    yield from relations
    for low, high in pieces(-WIDEST, WIDEST, 32):
        value = 1 + series(Rounded(low, high, off.error))
        error = value.error + missed * WIDEST
        allowed = share * Fraction(9, 4) * U * (value.least - error)
        yield Le(error, allowed, f"exp, r in [{float(low):.3f}, {float(high):.3f}]")
    yield Eq(code.exp(-746.0), 0.0, "e^-746")


def one_minus_exp(c: Context, series: Series = code.power_series, share: Fraction = Fraction(1)) -> Iterator[Relation]:
    """(1 - 2^k) - 2^k series(r) against 1 - 2^k e^r."""
    off, relations = reduction(range(-58, 1))
    missed = left_out(series)
    yield from relations
    for k in range(-58, 1):
        power = Rounded.of(Fraction(2) ** k)
        small = ((-b, -a) for a, b in binades(-60, WIDEST, 8))
        for low, high in pieces(-WIDEST, WIDEST, 16 if k > -3 else 2) if k else small:
            value = (1 - power) - power * series(Rounded(low, high, off.error if k else 0))
            error = value.error + Fraction(2) ** k * missed * (WIDEST if k else -low)  # r is x where k = 0
            allowed = share * 3 * U * (value.least - error)
            yield Le(error, allowed, f"1 - e^-x, k = {k}, r in [{float(low):.3g}, {float(high):.3g}]")


# -- the logarithm -----------------------------------------------------------------------------------------------------


def odd_left_out(series: Series) -> Fraction:
    """|series(z) - R(z)| in the reals, at most, for z = s^2 <= STEEPEST^2."""
    coefficients, z = series(Polynomial.x()).coefficients, STEEPEST * STEEPEST
    size = sum((abs(c - Fraction(1, 2 * i + 3)) * z**i for i, c in enumerate(coefficients)), Fraction(0))
    count = len(coefficients)
    return size + z**count / (2 * count + 3) / (1 - z)


def log_relations(
    ks: Iterable[int],
    bound: Fraction,
    rests: Callable[[int, Fraction], Iterable[Rounded]],
    least: int,
    series: Series = code.odd_part,
) -> Iterator[Relation]:
    """``log_near_1`` against k ln 2 + ln(1 + f) + rest for multiples f of 2^least; f >= 0 in log1p, where u >= 1."""
    missed = 2 * odd_left_out(series)
    for k in ks:
        if k == 0:
            ranges: Iterable[tuple[Fraction, Fraction]] = [
                *((j * Fraction(2) ** least, j * Fraction(2) ** least) for j in range(1, 16)),
                *binades(least + 4, HIGHEST, 8),
                *((-b, -a) for a, b in binades(-53, -LOWEST, 8) if least == -53),
            ]
        else:
            ranges = pieces(LOWEST, HIGHEST, 32 if abs(k) < 3 else 8 if abs(k) < 8 else 1)
        for low, high in ranges:
            for rest in rests(k, max(-low, high)):
                value = code.log_near_1(Rounded(low, high), Rounded.of(k), rest)
                error = value.error + missed * max(-low / (2 + low), high / (2 + high)) ** 3
                allowed = bound * U * (value.least - error)
                yield Le(error, allowed, f"log, k = {k}, f in [{float(low):.3g}, {float(high):.3g}]")


def rest_of_log(k: int, f: Fraction) -> list[Rounded]:
    """k LN2_LOW, off by what it is to k (ln 2 - LN2_HIGH)."""
    low = Rounded.of(k) * code.LN2_LOW
    return [Rounded(Fraction(low.ends[0], 2**160), Fraction(low.ends[1], 2**160), low.error + abs(k) * missing())]


def rest_of_log1p(k: int, f: Fraction) -> list[Rounded]:
    """``rest_of_log`` plus lost/u, |lost| <= U u, which is within 0.51 (lost/u)^2 of ln(1 + lost/u), rounded."""
    (low,) = rest_of_log(k, f)
    parts = pieces(-U, U, 8) if f < Fraction(1, 2**40) else [(-U, U)]
    return [low + Rounded(a, b, U * U / 2 + U * U * Fraction(51, 100)) for a, b in parts]


# -- the claim ---------------------------------------------------------------------------------------------------------


@implemented(
    "certificate.elementary",
    "This library: exp, 1 - e^-x, log and log1p in doubles, u = 2^-53: |exp~(x) - e^x| <= 9/4 u e^x + 2^-1074 for every"
    " double -746 <= x <= 0; 1 - e^-x is off by at most 3u of itself for every x >= 0; |log~(x) - ln x| <= 9/4 u |ln x|"
    " for every x > 0; |log1p~(x) - ln(1 + x)| <= 4u ln(1 + x) for every x >= 0",
    hypotheses="finite doubles; e^x for x below -746 is 0; compiled code is bit-identical",
    evidence=[golden(ANY, detail="every x, in ranges of r or f and for every k", level="PROVED")],
    control=all_of(
        altered("exp: three quarters of the bound", partial(exp, share=Fraction(3, 4)), ANY),
        altered("exp: r^5/120 with 1/121", partial(exp, series=with_term(5, 1 / 121 - 1 / 120)), ANY),
        altered("1 - e^-x: two thirds of the bound", partial(one_minus_exp, share=Fraction(2, 3)), ANY),
        altered("1 - e^-x: r^3/6 with 1/7", partial(one_minus_exp, series=with_term(3, 1 / 7 - 1 / 6)), ANY),
        altered("log: half of the bound", lambda c: log_relations((-1, 0, 1), Fraction(9, 8), rest_of_log, -53), ANY),
        altered("log1p: half of the bound", lambda c: log_relations((0, 1), Fraction(2), rest_of_log1p, -52), ANY),
    ),
    proof=(
        "exp: 2^k times it is exact but below 2^-1022, where the second of its two factors rounds once more. 1 - e^-x:"
        " for x < 2^-60 all terms after the first are below 2^-60 of it; beyond x = 40, 1 - e^-x is closer to 1 than u."
        " log: f = m - 1 is exact and a multiple of 2^-53; f = 0 gives k LN2_HIGH + k LN2_LOW. log1p: 1 + x = u + lost"
        " exactly (Dekker); where u = 1 the result is x, and x - x^2/2 < ln(1 + x) < x for x <= 2^-53."
    ),
)
def elementary(c: Context) -> Iterable[Relation]:
    yield from exp(c)
    yield from one_minus_exp(c)
    yield from log_relations(ALL_K, Fraction(9, 4), rest_of_log, -53)
    yield from log_relations(ALL_K[1074:], Fraction(4), rest_of_log1p, -52)
