"""Formulas in n and K that fit the kept rates."""

from fractions import Fraction
from itertools import product

import pytest
from support import ROOT

from dualgap.extras.sharpen.page import kept, page, row_of
from dualgap.extras.sharpen.pattern import pattern, rational
from dualgap.extras.sharpen.published import CLAIMS

KEPT = kept(ROOT / "docs/rates.tar.xz")
ROWS = {name: [row_of(bracket, (), claim) for bracket, claim in KEPT if claim == name] for name in CLAIMS}
SPDC = "1 - (1 + 4 x)/(n (1 + 4 x + 4 x^2)), x = sqrt(K)"  # 1 - (1 - (1 + 1/(2 sqrt(K)))^-2)/n
FORMULAS = {
    "sdca.theorem-2": ("1 - 1/(n (1 + x)), x = K", r"1 - \frac{1}{n (1 + x)}, x = K"),
    "aspdc.dual-rate": ("1 - (1 - x)/n, x = K", r"1 - \frac{1 - x}{n}, x = K"),
    "spdc.theorem-1": (SPDC, r"1 - \frac{1 + 4 x}{n (1 + 4 x + 4 x^{2})}, x = \sqrt{K}"),
    "adaspdc.contraction": (SPDC, r"1 - \frac{1 + 4 x}{n (1 + 4 x + 4 x^{2})}, x = \sqrt{K}"),
    "baselines.sag.theorem-outside.repaired": (
        "(225 + 480 x + 256 x^2)/(256 + 512 x + 256 x^2), x = n K",  # (1 - 1/(16 (1 + n K)))^2
        r"\frac{225 + 480 x + 256 x^{2}}{256 + 512 x + 256 x^{2}}, x = n K",
    ),
}


@pytest.mark.parametrize("claim", FORMULAS)
def test_the_formula_of_each_claim_is_found(claim) -> None:
    found = pattern(ROWS[claim])
    assert found is not None and (found.text(), found.latex()) == FORMULAS[claim]
    assert FORMULAS[claim][0] in str(page(ROWS[claim], "dualgap sharpen ...", found).sections[-1].texts)


@pytest.mark.parametrize("claim", FORMULAS)
def test_one_other_rate_leaves_no_formula(claim) -> None:
    for k, row in enumerate(ROWS[claim]):
        if row["width"] == 0:
            rows = list(ROWS[claim])
            rows[k] = row | {"proved": str(Fraction(row["proved"]) + Fraction(1, 10**9))}
            assert pattern(rows) is None


def test_one_n_or_few_values_or_open_brackets_give_no_formula() -> None:
    rows = ROWS["aspdc.dual-rate"]  # two coefficients, so four values of K
    assert pattern([row for row in rows if row["n"] == 2]) is None
    values = list(dict.fromkeys(row["K"] for row in rows))
    few, enough = ([row for row in rows if row["K"] in values[:size]] for size in (3, 4))
    assert pattern(few) is None and pattern(enough) is not None
    assert pattern([row | {"width": 1e-5} for row in rows]) is None


def test_quotients_of_each_degree_are_found_and_no_smaller_one_fits() -> None:
    for top, bottom in product(([2], [1, 3], [0, 0, 5]), ([1], [7, 2], [0, 1])):
        points = {}
        for x in map(Fraction, range(1, 8)):
            points[x] = sum(a * x**k for k, a in enumerate(top)) / sum(a * x**k for k, a in enumerate(bottom))
        p, q = rational(points)  # type: ignore[misc]
        assert all(
            sum(a * x**k for k, a in enumerate(p)) == y * sum(a * x**k for k, a in enumerate(q))
            for x, y in points.items()
        )
        assert len(p) + len(q) <= len(top) + len(bottom)
    assert rational({Fraction(x): Fraction(2) ** x for x in range(9)}) is None
