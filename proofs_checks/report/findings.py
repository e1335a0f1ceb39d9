"""Two findings with a figure: the statement that holds with the strongest evidence, and the planted bugs.

Which they are, and every number in their sentences, is taken from the report.
"""

from collections import Counter
from dataclasses import dataclass

from dualgap.proofs_checks.claims.registry import HOLDS
from dualgap.proofs_checks.claims.result import AuditReport, ClaimResult
from dualgap.proofs_checks.report import figures, summary
from dualgap.proofs_checks.report.charts import Chart


@dataclass(frozen=True)
class Finding:
    """A heading, two sentences, a figure, and the claim that says more (an id, or "")."""

    heading: str
    sentences: tuple[str, str]
    chart: Chart
    claim: str = ""


def findings(report: AuditReport) -> list[Finding]:
    """Return the statements with the strongest evidence, and the results of the planted bugs."""
    found = (_holds(report), _mistakes(report))
    return [one for one in found if one is not None]


def name_of(report: AuditReport, paper: str) -> str:
    """A paper as it is spoken of, such as AdaSPDC."""
    return report.papers[paper]["name"] if paper in report.papers else paper


def _label(row: ClaimResult) -> str:
    return row.statement.partition(":")[0]


def _holds(report: AuditReport) -> Finding | None:
    """The printed statement with a curve between a stated and a sharp bound, the one with the strongest evidence."""
    rows = [
        (row, series)
        for row in report.claims
        if row.kind == "printed" and row.status == HOLDS and row.as_expected
        for series in row.series.values()
        if {"expected", "bound", "sharp"} <= series.keys()
    ]
    if not rows:
        return None
    order = [key for key, _, _ in summary.STRENGTH]
    row, series = min(rows, key=lambda pair: (order.index(summary.strongest(pair[0])[0]), -pair[0].counts.instances))
    steps, last = figures.numbers(series, "t"), len(figures.numbers(series, "expected")) - 1
    reached, stated, sharp = (figures.numbers(series, key)[last] for key in ("expected", "bound", "sharp"))
    kinds = len({entry.level for entry in row.evidence if entry.level != "SKIPPED"})
    further = [
        other
        for other in report.claims
        if other.id.startswith(f"{row.id}.") and other.kind == "ours" and other.status == HOLDS
    ]
    ours = next((other for other in further if other.id.endswith(".sharp")), None)
    return Finding(
        f"No counterexample to {_label(row)} of {name_of(report, row.paper)} was found, and its bound is loose",
        (
            f"{summary.tried(row)}, with {summary.count_of(kinds, 'kind')} of evidence.",
            f"After the {steps[last]} steps below, the stated bound is {stated / reached:,.0f} times the exact"
            " expectation."
            + (f" The sharp bound ({ours.id}) is {sharp / reached:,.0f} times the expectation." if ours else ""),
        ),
        figures.of_series({"": series})[0],
        row.id,
    )


def _mistakes(report: AuditReport) -> Finding | None:
    """Return how many claims catch each planted bug."""
    if not report.mutants:
        return None
    kills = Counter(mutant for row in report.claims for mutant in row.kills.killed)
    numbers = [kills[mutant] for mutant in report.mutants]
    noticed, several = sum(number > 0 for number in numbers), sum(number > 1 for number in numbers)
    caught = sum(row.control.caught for row in report.claims)
    return Finding(
        f"{noticed} of {len(numbers)} planted bugs are caught",
        (
            f"Each is a copy of a method with one wrong line. More than one claim catches {several} of them.",
            f"{caught} of {summary.count_of(len(report.claims), 'check')} failed on an input where they must fail.",
        ),
        figures.noticed(numbers),
    )
