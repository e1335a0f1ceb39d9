"""A formula in n and K that fits all exact rates of a method. It is a pattern: nothing is proved of other n and K."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import isqrt, lcm

from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.engines.optimum import solve_linear

SPARE = 2  # values that the coefficients were not computed from, and that must fit
LARGEST_DEGREE = 4

Points = dict[Fraction, Fraction]


@dataclass(frozen=True)
class Pattern:
    """rate = 1 - c(x)/n or rate = c(x), with c a quotient of polynomials.

    Parameters
    ----------
    top, bottom : integer coefficients of c, the constants first.
    x : what c depends on, "K", "sqrt(K)" or "n K".
    over_n : whether the rate is 1 - c/n.
    """

    top: list[int]
    bottom: list[int]
    x: str
    over_n: bool

    def text(self) -> str:
        """Plain text, such as "1 - 1/(n (1 + x)), x = K"."""
        top, bottom = (_polynomial(of, "{}") for of in (self.top, self.bottom))
        top = f"({top})" if " " in top else top
        if self.over_n:
            c = f"1 - {top}/" + ("n" if self.bottom == [1] else f"(n ({bottom}))")
        else:
            c = top if self.bottom == [1] else f"{top}/({bottom})"
        return f"{c}, x = {self.x}"

    def latex(self) -> str:
        r"""The same as LaTeX, such as "1 - \frac{1}{n (1 + x)}, x = K"."""
        top, bottom = (_polynomial(of, "{{{}}}") for of in (self.top, self.bottom))
        bottom = (f"n ({bottom})" if self.bottom != [1] else "n") if self.over_n else bottom
        x = {"K": "K", "sqrt(K)": r"\sqrt{K}", "n K": "n K"}[self.x]
        return "1 - " * self.over_n + rf"\frac{{{top}}}{{{bottom}}}, x = {x}"

    def lines(self, rows: Sequence[Json]) -> list[str]:
        """The formula, and what is known of it."""
        exact = sum(row["width"] == 0 for row in rows)
        return [
            f"Pattern: the rate is {self.text()}",
            f"  LaTeX: {self.latex()}",
            f"  It fits the {exact} exact rates above. It is not a theorem: other n and K may have other rates.",
        ]


def pattern(rows: Sequence[Json]) -> Pattern | None:
    """The simplest formula that fits all exact rates, for at least two n; None if no form fits or the rows are too few.

    Parameters
    ----------
    rows : of ``page.row_of``, for one method, quantity and class. Those with a width are left out.
    """
    exact = [(row["n"], Fraction(row["K"]), Fraction(row["proved"])) for row in rows if row["width"] == 0]
    found = []
    if len({n for n, _, _ in exact}) >= 2:
        for x, of in FORMS.items():
            for over_n in (True, False):
                points = _points([(of(n, K), n * (1 - rate) if over_n else rate) for n, K, rate in exact])
                if points and (c := rational(points)):
                    found.append(Pattern(*c, x, over_n))
    return min(found, key=lambda one: len(one.top) + len(one.bottom), default=None)


def _root(n: int, K: Fraction) -> Fraction | None:
    root = Fraction(isqrt(K.numerator), isqrt(K.denominator))
    return root if root * root == K else None


FORMS: dict[str, Callable[[int, Fraction], Fraction | None]] = {
    "K": lambda _, K: K,
    "n K": lambda n, K: n * K,
    "sqrt(K)": _root,
}


def _points(pairs: Sequence[tuple[Fraction | None, Fraction]]) -> Points:
    """The value at each x; empty if an x is missing or has two values."""
    found: Points = {}
    for x, value in pairs:
        if x is None or found.setdefault(x, value) != value:
            return {}
    return found


def rational(points: Points) -> tuple[list[int], list[int]] | None:
    """The quotient of polynomials with the fewest coefficients through all points, ``SPARE`` of them not used; or None.

    Parameters
    ----------
    points : values at distinct x.

    >>> rational({Fraction(x): Fraction(1, 1 + x) for x in range(4)})
    ([1], [1, 1])
    """
    xs, values = list(points), list(points.values())
    for total in range(min(LARGEST_DEGREE + 1, len(xs) - SPARE)):
        for Q in range(total + 1):
            P, used = total - Q, total + 1
            table = [[x**k for k in range(P + 1)] + [-y * x**k for k in range(Q)] for x, y in points.items()]
            right = [y * x**Q for x, y in points.items()]
            try:
                a = solve_linear(table[:used], right[:used])
            except ZeroDivisionError:
                continue
            top, bottom = a[: P + 1], [*a[P + 1 :], Fraction(1)]
            if all(_value(bottom, x) and _value(top, x) == y * _value(bottom, x) for x, y in zip(xs, values)):
                return _integers(top, bottom)
    return None


def _value(coefficients: Sequence[Fraction], x: Fraction) -> Fraction:
    return sum((a * x**k for k, a in enumerate(coefficients)), Fraction(0))


def _integers(top: list[Fraction], bottom: list[Fraction]) -> tuple[list[int], list[int]]:
    """Numerator and denominator times the least common denominator."""
    scale = lcm(*(a.denominator for a in [*top, *bottom]))
    return [int(a * scale) for a in top], [int(a * scale) for a in bottom]


def _polynomial(coefficients: Sequence[int], power: str) -> str:
    """Text of a polynomial in x; ``power`` encloses an exponent."""
    text = ""
    for k, a in enumerate(coefficients):
        if a:
            x = "" if k == 0 else "x" if k == 1 else "x^" + power.format(k)
            number = str(abs(a)) if abs(a) != 1 or not x else ""
            sign = (" - " if a < 0 else " + ") if text else "-" * (a < 0)
            text += sign + " ".join(part for part in (number, x) if part)
    return text or "0"
