"""Three findings that an audit is told by: the one that holds with the strongest evidence and a figure, the false
theorem, the planted mistakes.

Which they are, and every number in their sentences, is taken from the report.
"""

from collections import Counter
from dataclasses import dataclass
from fractions import Fraction

from dualgap.proofs_checks.claims.registry import HOLDS, REFUTED
from dualgap.proofs_checks.claims.result import AuditReport, ClaimResult
from dualgap.proofs_checks.report import claim_view, figures, summary
from dualgap.proofs_checks.report.charts import Chart, Curve


@dataclass(frozen=True)
class Finding:
    """A heading, two sentences, a figure, and the claim that says more (an id, or "")."""

    heading: str
    sentences: tuple[str, str]
    chart: Chart
    claim: str = ""


def findings(report: AuditReport) -> list[Finding]:
    """At most three, in this order: what holds, what is false, what the planted mistakes show."""
    found = (_holds(report), _false(report), _mistakes(report))
    return [one for one in found if one is not None]


def name_of(report: AuditReport, paper: str) -> str:
    """A paper as it is spoken of, such as AdaSPDC."""
    return report.papers[paper]["name"] if paper in report.papers else paper


def _label(row: ClaimResult) -> str:
    return row.statement.partition(":")[0]


def _printed(report: AuditReport, status: str) -> list[ClaimResult]:
    return [row for row in report.claims if row.kind == "printed" and row.status == status and row.as_expected]


def _holds(report: AuditReport) -> Finding | None:
    """The printed statement with a curve between a stated and a sharp bound, of those the one with the strongest
    evidence.
    """
    rows = [
        (row, series)
        for row in _printed(report, HOLDS)
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
        f"{_label(row)} of {name_of(report, row.paper)} holds, and is loose",
        (
            f"No violation in {row.counts.instances} instances, by {kinds} kinds of evidence.",
            f"After the {steps[last]} steps below, the stated bound is {stated / reached:,.0f} times the exact"
            " expectation"
            + (
                f"; the sharp one that holds in its place ({ours.id}) is {sharp / reached:,.0f} times." if ours else "."
            ),
        ),
        figures.of_series({"": series})[0],
        row.id,
    )


def _false(report: AuditReport) -> Finding | None:
    """The refuted statement whose counterexample says most: a theorem of a titled paper before others, the smallest
    instance first.
    """
    told = []
    for row in _printed(report, REFUTED):
        example = claim_view.counterexample(row)
        line = next((line for line in example.lines if line.first), None) if example else None
        if example and line and line.sign != "==" and (sides := _sides(line)) is not None and sides[1] > 0:
            citation = report.papers[row.paper]["citation"] if row.paper in report.papers else ""
            rank = (not _label(row).startswith("Theorem"), not citation.startswith("*"), len(str(example.instance)))
            told.append((rank, row, line, sides, example))
    if not told:
        return None
    _, row, line, (left, right), example = min(told, key=lambda entry: entry[0])
    size = dict(example.instance).get("rows", "")
    repaired = [
        other
        for other in report.claims
        if other.id.startswith(row.id.rpartition(".")[0]) and ".repaired" in other.id and other.status == HOLDS
    ]
    number = len(_printed(report, REFUTED))
    return Finding(
        f"{_label(row).partition(',')[0]} of {name_of(report, row.paper)} is false as printed",
        (
            (
                f"On the data {size}, all in rational numbers, what must be at most {float(right):.4g} is"
                f" {float(left):.4g}."
            ),
            f"It is one of {number} printed statements with an exact counterexample"
            + (f"; repaired forms hold ({', '.join(other.id for other in repaired[:2])})." if repaired else "."),
        ),
        Chart(
            f"The left side of {_label(row)} passes its bound by a factor of {float(left / right):.2g}",
            "",
            "exact value of either side",
            [Curve("allowed", [0], [float(right)], "stated"), Curve("found", [1], [float(left)])],
            bars=True,
            names=("what it allows", "what happens"),
        ),
        row.id,
    )


def _sides(line: claim_view.Line) -> tuple[Fraction, Fraction] | None:
    """Both sides as numbers, where they are short rationals."""
    try:
        return Fraction(line.left), Fraction(line.right)
    except ValueError:
        return None


def _mistakes(report: AuditReport) -> Finding | None:
    """By how many claims each planted mistake is noticed."""
    if not report.mutants:
        return None
    kills = Counter(mutant for row in report.claims for mutant in row.kills.killed)
    numbers = [kills[mutant] for mutant in report.mutants]
    noticed, several = sum(number > 0 for number in numbers), sum(number > 1 for number in numbers)
    caught = sum(row.control.caught for row in report.claims)
    return Finding(
        f"{noticed} of {len(numbers)} mistakes put into the methods are noticed",
        (
            f"Each is a method with one line wrong; {several} of them are noticed by more than one claim.",
            (
                f"And {caught} of {len(report.claims)} claims came out the other way where the opposite is known: the"
                " checks can fail."
            ),
        ),
        figures.noticed(numbers),
    )
