"""What the documentation says of a claim is what the registry says."""

import pathlib
import re

import pytest

from dualgap.proofs_checks.registry import all_claims

ROOT = pathlib.Path(__file__).parent.parent
PAGES = ["README.md", "CONTRIBUTING.md", *(f"docs/{p.name}" for p in sorted((ROOT / "docs").glob("*.md")))]
CLAIM = re.compile(r"`(aspdc\.[a-z0-9.-]+)`")


@pytest.mark.parametrize("page", PAGES)
def test_every_claim_that_a_page_names_exists(page):
    named = set(CLAIM.findall((ROOT / page).read_text(encoding="utf-8")))
    assert named <= set(all_claims()), sorted(named - set(all_claims()))


def test_every_verdict_in_the_tables_is_the_registered_one():
    rows = [line for line in (ROOT / "docs/aspdc.md").read_text(encoding="utf-8").splitlines() if CLAIM.search(line) and "|" in line]
    assert len(rows) > 15
    for line in rows:
        verdict = line.split("|")[2].strip()
        for name in CLAIM.findall(line):
            assert all_claims()[name].expected == verdict, (name, verdict)


def test_every_refuted_and_every_open_claim_of_the_paper_is_on_the_page():
    page = (ROOT / "docs/aspdc.md").read_text(encoding="utf-8")
    ours = {"aspdc.n10", "aspdc.n11", "aspdc.f1.elastic-net"}  # misreadings that the paper does not make
    missing = [name for name, claim in all_claims().items() if claim.paper.startswith("aspdc") and claim.expected != "HOLDS" and name not in page and name not in ours]
    assert not missing


def test_the_python_examples_of_the_readme_run():
    import numpy as np

    from dualgap.reference.aspdc import ASPDC

    blocks = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(encoding="utf-8"), flags=re.DOTALL)
    assert len(blocks) == 3
    names = {"X": np.array([[1.0, 0.0], [0.5, -1.0]]), "y": np.array([1.0, -1.0]), "MySolver": ASPDC, "alpha": [0.0, 0.0]}
    for block in blocks:
        exec(block, names)
        if "Fraction(35907" in block:
            assert names["problem"].gap(*names["aspdc"].view(names["problem"], names["state"])) == names["Fraction"](35907, 1280000)
            names["problem"] = names["Problem"](names["X"], names["y"], names["Squared"](), names["L2"](1.0))
        if "solve(" in block:
            assert names["result"].status == "converged"
