"""Pages of every command, made once."""

import pytest

from dualgap.proofs_checks.auditing.audit import audit
from dualgap.proofs_checks.claims.registry import REFUTED, all_claims
from dualgap.proofs_checks.claims.result import AuditReport
from dualgap.proofs_checks.report import pages, report

NAMES = tuple(
    (
        "aspdc.algorithm-1 aspdc.a17 aspdc.a17.sharp aspdc.one-step.sharp aspdc.lemma-2 adaspdc.theorem-1.every-reading"
    ).split()
)
HISTORY = [
    {"epochs": epochs, "seconds": epochs / 7, "gap": gap, "gap_bound": gap}
    for epochs, gap in ((0, 0.7), (5, 1e-3), (11, 3e-9))
]
SOLVED = {
    "method": "sdca",
    "gap_bound": 3e-9,
    "gap": 3e-9,
    "epochs": 11,
    "seconds": 1.6,
    "status": "converged",
    "data": "breast_cancer",
    "history": HISTORY,
    "tol": 1e-8,
    "advice": "It is certified.",
    "notes": ["a note"],
    "primal": 0.52,
    "n": 569,
    "d": 31,
}


@pytest.fixture(scope="session")
def audited(tmp_path_factory):
    """A real quick audit of a few claims, one of them false as published."""
    assert all_claims()[NAMES[-1]].expected == REFUTED
    return audit(NAMES, size="quick", entropy=5, out=tmp_path_factory.mktemp("report"))


@pytest.fixture(scope="session")
def written_pages(tmp_path_factory, audited):
    """Name -> the file of its page."""
    folder = tmp_path_factory.mktemp("pages")
    page = pages.solve(SOLVED, [("data", "breast_cancer"), ("", "rows scaled")], "dualgap solve breast_cancer")
    assert pages.write(page, folder / "solve.html")
    assert report.write(AuditReport.from_json(audited), folder)
    return {name: folder / f"{name}.html" for name in ("report", "solve")}
