"""The kept rate files, from which the site draws its picture."""

import math
import random
from contextlib import suppress
from dataclasses import replace
from fractions import Fraction

import pytest
from support import ROOT

from dualgap.extras.sharpen.certificate import check
from dualgap.extras.sharpen.comparison import differences
from dualgap.extras.sharpen.published import CLAIMS
from dualgap.extras.sharpen.rows import kept, name_of, row_of

with suppress(ImportError):  # now: what a test imports is removed after it, and cannot be imported twice
    import clarabel  # noqa: F401
    import scipy.optimize  # noqa: F401
F = Fraction
KEPT = kept(ROOT / "docs/rates.tar.xz")
pytestmark = pytest.mark.usefixtures("nothing_is_left")


def holds(brackets) -> bool:
    return all(check(r) == [] and differences(r) == [] for b, _ in brackets for r in (b.refuted, b.proved))


def test_kept_rate_files_hold() -> None:
    assert holds(random.Random(0).sample(KEPT, 8))
    bracket, _ = KEPT[0]
    assert differences(bracket.proved | {"rate": str(bracket.high / 2)}), "the control"


@pytest.mark.nightly
def test_every_kept_rate_file_holds() -> None:
    assert holds(KEPT)


def test_kept_rate_files_are_a_sweep_for_each_claim_but_svrgs() -> None:
    """SVRG's published rate is above 1 for all rounds that can be proved in a minute."""
    found: dict[tuple[str, int], list[F]] = {}
    for bracket, claim in KEPT:
        found.setdefault((claim, bracket.task.n), []).append(1 / (bracket.task.n * bracket.task.lam))
    assert found.keys() == {(claim, n) for claim in CLAIMS if "svrg" not in claim for n in (2, 3)}
    assert all(len(set(values)) >= 7 and max(values) > 9 * min(values) for values in found.values())


def spdc(n: int, K: F) -> F:
    """Of the page, with x = sqrt(K)."""
    x = F(math.isqrt(K.numerator), math.isqrt(K.denominator))
    return 1 - (1 + 4 * x) / (n * (1 + 2 * x) ** 2)


FORMULAS = {  # of docs/sharpen.md
    "sdca.theorem-2": lambda n, K: 1 - 1 / (n * (1 + K)),
    "aspdc.dual-rate": lambda n, K: 1 - (1 - K) / n,
    "spdc.theorem-1": spdc,
    "adaspdc.contraction": spdc,
    "baselines.sag.theorem-outside.repaired": lambda n, K: ((15 + 16 * n * K) / (16 + 16 * n * K)) ** 2,
}


@pytest.mark.parametrize("claim", FORMULAS)
def test_the_formula_of_the_page_gives_every_exact_rate(claim) -> None:
    exact = [(b.high, b.task.n, 1 / (b.task.n * b.task.lam)) for b, name in KEPT if name == claim and b.low == b.high]
    assert {n for _, n, _ in exact} == {2, 3} and all(FORMULAS[claim](n, K) == rate for rate, n, K in exact)


def test_files_and_rows_of_two_classes_differ(tmp_path) -> None:
    bracket, _ = KEPT[0]
    classes = [bracket.task, replace(bracket.task, general=True), replace(bracket.task, spectral=F(2))]
    found = [replace(bracket, task=task) for task in classes]
    assert len({path for one in found for path in one.write(tmp_path)}) == 6
    assert len({name_of(row_of(one)) for one in found}) == 3
