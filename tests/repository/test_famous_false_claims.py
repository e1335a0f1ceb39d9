"""docs/gallery/famous_false_claims.py: each claim has at most 40 lines, and is refuted without a hint by a small
counterexample.
"""

import re
import runpy

import pytest
from support import ROOT, by_day, nothing_left

from dualgap.proofs_checks import audit

PAGE = ROOT / "docs" / "gallery" / "famous_false_claims.py"


@pytest.fixture(scope="module")
def page():
    with nothing_left():
        yield runpy.run_path(str(PAGE))


@pytest.mark.parametrize("name", by_day(["admm", "arrow-hurwicz", "heavy-ball", "jacobi", "shuffled"]))
def test_it_is_refuted_by_an_instance_that_fits_on_a_screen(page, name, tmp_path):
    """Of the default size, and with another entropy than the page."""
    (row,) = audit([f"famous.{name}"], entropy=2, out=tmp_path, jobs=1)["claims"]
    assert (row["status"], row["control"]) == ("REFUTED", "caught") and "not shrunk" not in str(row["evidence"])
    text = (tmp_path / f"counterexample-famous.{name}.json").read_text()
    numbers = re.findall(r'"-?\d+(?:/\d+)?"', text[text.index('"instance"') : text.index('"chain"')])
    assert len(numbers) <= 24
