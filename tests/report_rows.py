"""Rows and reports for tests of the texts about them."""

from dualgap.proofs_checks.claims.result import AuditReport, ClaimResult, ControlResult, Counts, EvidenceEntry

PLAIN = ClaimResult(
    id="p.c",
    paper="p",
    statement="1: s",
    hypotheses="h",
    place="1",
    quote="a b c",
    status="HOLDS",
    expected="HOLDS",
    evidence=(EvidenceEntry("EXACT(3)"),),
    counts=Counts(3),
    control=ControlResult("caught", "c"),
    seconds=0.1,
)


def row(**changes):
    """The entry of a claim that is as expected."""
    return PLAIN.to_json() | changes


def result(**changes):
    """Its record."""
    return ClaimResult.from_json(row(**changes))


def of(found):
    """The record of a report's JSON."""
    return AuditReport.from_json(found)


def whole(*rows, **changes):
    """A report of these rows."""
    told = {
        "schema": 2,
        "verdict": "pass",
        "claims": list(rows),
        "size": "full",
        "entropy": 1,
        "delta_total": 1e-6,
        "mutants": ["p.m"],
        "papers": {},
        "interrupted": False,
        "mutants_without_killer": [],
        "not_run": [],
        "draw": {"how": "", "differences": []},
        "seconds": 1.0,
        "environment": {},
    }
    return of(told | changes)
