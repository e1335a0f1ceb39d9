"""report.html: an audit as one page that needs no network and no script, made from the report and the counterexamples
next to it.
"""

import pathlib
import shlex
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeVar

from dualgap.fast.data.atomic_file import write_text
from dualgap.proofs_checks.claims.origins import GRAVITIES, KINDS, PRINTED, READING
from dualgap.proofs_checks.claims.registry import all_claims
from dualgap.proofs_checks.claims.result import AuditReport, ClaimResult, Environment
from dualgap.proofs_checks.report import claim_view, refutation, summary, templating
from dualgap.proofs_checks.report import counts as counting

T = TypeVar("T")
FEW = 6  # claims that a command names one by one


def write(report: AuditReport, folder: str | pathlib.Path) -> pathlib.Path | None:
    """Write ``report.html`` into the folder and return its path; None, with a warning, if it cannot be written.

    Raises ValueError if the report cannot be shown. It may hold the series of a plugin's claim.
    """
    path = pathlib.Path(folder) / "report.html"
    try:
        page = render(report)
    # its types are right, its content is not
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise ValueError(f"no page can be made of the report in {folder} ({type(error).__name__}: {error})") from error
    return path if write_text(path, page) else None


def render(report: AuditReport) -> str:
    """The page of a report of ``audit``."""
    views = [claim_view.View(row, report) for row in report.claims]
    return templating.render(
        "audit.html",
        report=report,
        headline=headline(report),
        verdict=verdict(report),
        numbers=list(numbers(report)),
        wrong=[v for v in views if v.mark == "wrong"],
        general=[summary.INTERRUPTED] * report.interrupted + summary.unnoticed(report),
        papers=list(papers(report)),
        refutations=refutation.refutations(report),
        groups=groups(report, views),
        words=claim_view.WORDS,
        tested={row.id: row.status for row in report.claims},
        marks={view.mark for view in views if view.row.kind == PRINTED},
        kinds=KINDS,
        gravities=GRAVITIES,
        mistakes=list(mistakes(report.claims, report.mutants)),
        not_shown=summary.not_shown(report),
        evidence=list(evidence(report)),
        sentences=summary.sentences(report),
        environment=list(environment(report.environment)),
        plugins=list(plugins(report)),
        repeat=repeat(report),
    )


def repeat(report: AuditReport) -> str:
    """The command that repeats the audit: with the ids of its claims if they are few, else with the papers that it has
    claims of, and without names if these are all papers.
    """
    ids = [row.id for row in report.claims]
    keys = sorted({row.paper for row in report.claims})
    names = ids if len(ids) <= FEW else keys if {claim.paper for claim in all_claims().values()} - set(keys) else []
    size = [] if report.size == "default" else [f"--{report.size}"]
    return shlex.join(["dualgap", "audit", *names, *size, "--entropy", str(report.entropy)])


def headline(report: AuditReport) -> str:
    """Return how many printed statements were tested and how many are false, in one sentence."""
    printed = [row for row in report.claims if row.kind == PRINTED]
    if not printed:
        return f"{summary.count_of(len(report.claims), 'claim')} tested."
    about = counting.of_theorems(printed, report.papers)
    return (
        f"We tested {summary.count_of(len(printed), 'printed statement')}: {summary.tally(printed)}. {about}".rstrip()
    )


def verdict(report: AuditReport) -> str:
    """Return one sentence: whether all checks gave the expected result."""
    total, wrong = len(report.claims), sum(not row.as_expected for row in report.claims)
    if report.interrupted:
        return f"The audit was interrupted after {summary.count_of(total, 'claim')}. The others are not listed."
    if report.verdict == "pass":
        return f"All {total} checks gave the expected result." if total > 1 else "The check gave the expected result."
    return (
        f"{wrong} of {summary.count_of(total, 'check')} did not give the expected result."
        if wrong
        else "The audit failed; the reason is below."
    )


def numbers(report: AuditReport) -> Iterator[tuple[str, str]]:
    """The few numbers next to the verdict: (number, what it counts)."""
    rows = report.claims
    killed = {mutant for row in rows for mutant in row.kills.killed}
    yield f"{sum(row.as_expected for row in rows)} of {len(rows)}", "claims as expected"
    yield f"{sum(row.control.outcome == 'caught' for row in rows)} of {len(rows)}", "controls failed, as they must"
    if report.mutants:
        yield f"{len(killed)} of {len(report.mutants)}", "planted bugs caught"
    yield f"{sum(row.counts.instances for row in rows):,}", "instances"
    yield (
        f"≤ {report.delta_total:g}".replace("e-0", "e-"),
        "probability of a false alarm in all statistical tests together",
    )


@dataclass(frozen=True)
class Square:
    """A printed statement of a paper: its label, its mark, and its claim."""

    label: str
    mark: str
    claim: str


@dataclass(frozen=True)
class Paper:
    """A paper as the page shows it: key, name, the three parts of its citation, its printed statements, a sentence
    about them, and the parts of its assessment as (heading, text).
    """

    key: str
    name: str
    before: str
    title: str
    after: str
    squares: list[Square]
    counts: str
    assessment: list[tuple[str, str]]


PARTS = {  # of an assessment
    "tested": "Tested",
    "good": "Correct",
    "wrong": "Wrong",
    "repaired": "Repaired or sharper",
    "untested": "Not tested",
}


ORDER = ("aspdc", "spdc", "sdca", "passcode", "adaspdc", "pdcp", "pgs")  # of papers, everywhere


def papers(report: AuditReport) -> Iterator[Paper]:
    """Papers with their printed statements in order; the papers in the order of README, others by most claims."""
    rows = {row.id: row for row in report.claims}
    largest_first = _largest_first(report.papers, (row.paper for row in report.claims))
    for key, paper in sorted(largest_first, key=lambda item: ORDER.index(item[0]) if item[0] in ORDER else len(ORDER)):
        named = dict.fromkeys(name for item in paper["items"] for name in item["claims"] if name in rows)
        labels = {name: item["label"] for item in reversed(paper["items"]) for name in item["claims"]}
        found = [rows[name] for name in named]
        own = [row for row in report.claims if row.kind == PRINTED and row.paper == key and row.id not in named]
        printed = [row for row in found if row.kind == PRINTED] + own
        readings = [row for row in report.claims if row.kind == READING and row.paper == key]
        if not printed and not paper["assessment"]:
            continue
        before, title, after = _title(paper["citation"])
        yield Paper(
            key,
            paper["name"],
            before,
            title,
            after,
            [Square(labels.get(row.id, row.id), claim_view.mark(row), row.id) for row in printed],
            _counts(printed, readings),
            [(said, paper["assessment"][part]) for part, said in PARTS.items() if paper["assessment"].get(part)],
        )


def _counts(printed: Sequence[ClaimResult], readings: Sequence[ClaimResult]) -> str:
    """Return how many printed statements hold, as printed or restored; how many readings there are."""
    told = [
        f"{summary.count_of(len(printed), 'printed statement')}: {summary.tally(printed)}" if printed else "",
        f"{summary.count_of(len(readings), 'reading')} of damaged or ambiguous passages" if readings else "",
    ]
    return "; ".join(part for part in told if part)


def _largest_first(found: dict[str, T], papers: Iterable[str]) -> list[tuple[str, T]]:
    """The items of ``found``, by paper, in the order of how often each is among ``papers``."""
    counts = Counter(papers)
    return sorted(found.items(), key=lambda item: (-counts[item[0]], item[0]))


def _title(citation: str) -> tuple[str, str, str]:
    """Return the text before, inside and after the asterisks."""
    before, _, rest = citation.partition("*")
    title, _, after = rest.partition("*")
    return (before, title, after.lstrip(":, ")) if title else ("", citation, "")


def groups(report: AuditReport, views: Iterable[claim_view.View]) -> dict[str, list[claim_view.View]]:
    """Claims by the start of their ids, the most first, in the paper's order, a repaired form below its original."""
    items = (name for paper in report.papers.values() for item in paper["items"] for name in item["claims"])
    place = {name: k for k, name in enumerate(dict.fromkeys(items))}
    found: dict[str, list[claim_view.View]] = {}

    def key(view: claim_view.View) -> tuple[int, str]:
        parts = view.row.id.split(".")
        family = [".".join(parts[:k]) for k in range(len(parts), 1, -1)]
        return next((place[name] for name in family if name in place), len(place)), view.row.id

    for one in sorted(views, key=key):
        found.setdefault(one.row.paper, []).append(one)
    return dict(_largest_first(found, (key for key, ones in found.items() for _ in ones)))


def evidence(report: AuditReport) -> Iterator[tuple[str, str, int, float]]:
    """Count the claims by their strongest evidence: (key, words, number, share in per cent)."""
    counts = Counter(summary.strongest(row) for row in report.claims)
    order = [*((key, words) for key, words, _ in summary.STRENGTH), summary.NOT_EXAMINED]
    yield from (
        (key, words, counts[key, words], 100 * counts[key, words] / len(report.claims))
        for key, words in order
        if counts[key, words]
    )


def mistakes(
    claims: Sequence[ClaimResult], mutants: Sequence[str]
) -> Iterator[tuple[str, list[tuple[str, list[str]]]]]:
    """The planted bugs of each paper, and the claims that catch each."""
    for paper in dict.fromkeys(name.partition(".")[0] for name in mutants):
        own = [name for name in mutants if name.startswith(f"{paper}.")]
        yield paper, [(name, [row.id for row in claims if name in row.kills.killed]) for name in own]


def plugins(report: AuditReport) -> Iterator[str]:
    """Return the third-party code that the audit ran: package or file, and its registrations."""
    for plugin in report.plugins:
        kinds = "; ".join(f"{kind} {', '.join(names)}" for kind, names in plugin["registers"].items())
        yield f"{plugin['package'] or plugin['file']} (module {plugin['module']}), which registers {kinds or 'nothing'}"


def environment(facts: Environment) -> Iterator[str]:
    """Versions and machine, a few words each."""
    for name, value in facts.items():
        if isinstance(value, dict):
            yield from (f"{inner} {part}" for inner, part in value.items())
        else:
            yield f"{name}: {value}"
