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
CELLS = [
    {
        "data": "breast_cancer",
        "method": method,
        "lam": lam,
        "status": status,
        "epochs": 8,
        "gap": 1e-7,
        "gap_bound": 1e-7,
    }
    for method in ("sdca", "aspdc")
    for lam, status in ((0.1, "converged"), (0.01, "converged"), (0.001, "refused"))
]
PORT = {
    "port": {"name": "a-port-with-a-long-name", "language": "Zig", "version": "1"},
    "verdict": "fail",
    "counts": {"passed": 5, "failed": 1},
    "table": {"L0": {"hinge": {"passed": 3, "failed": 1}, "squared": {"skipped": 2}}, "L1": {"sdca": {"passed": 2}}},
    "failures": [
        {"id": "hinge/conjugate/3", "reason": "differs", "place": "value", "got": {"decimal": "0.5"}, "due": None}
    ],
    "hints": {"the number is -1 times what is due": 1},
    "complaints": ["no good exit"],
}


@pytest.fixture(scope="session")
def audited(tmp_path_factory):
    """A real quick audit of a few claims, one of them false as published."""
    assert all_claims()[NAMES[-1]].expected == REFUTED
    return audit(NAMES, size="quick", entropy=5, out=tmp_path_factory.mktemp("report"))


def generic_pages():
    """One page of every command but audit."""
    return {
        "solve": pages.solve(SOLVED, [("data", "breast_cancer"), ("", "rows scaled")], "dualgap solve breast_cancer"),
        "sweep": pages.sweep(
            {"cells": CELLS, "runs": 6},
            ("data", "method"),
            [("breast_cancer", cell["method"]) for cell in CELLS],
            "dualgap sweep",
        ),
        "conform": pages.conform(PORT, {"L0": "formulas"}, "dualgap conform -- ./run"),
    }


@pytest.fixture(scope="session")
def written_pages(tmp_path_factory, audited):
    """Name -> the file of its page."""
    folder = tmp_path_factory.mktemp("pages")
    for name, page in generic_pages().items():
        assert pages.write(page, folder / f"{name}.html")
    assert report.write(AuditReport.from_json(audited), folder)
    return {name: folder / f"{name}.html" for name in ("report", *generic_pages())}
