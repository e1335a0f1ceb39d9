"""The text about one claim on the page, from its row of the report and its counterexample file."""

import pathlib
import re
import shlex
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from dualgap.proofs_checks.claims.instance import shown
from dualgap.proofs_checks.claims.origins import PRINTED, READING
from dualgap.proofs_checks.claims.registry import HOLDS, OPEN, REFUTED
from dualgap.proofs_checks.claims.result import AuditReport, ClaimResult
from dualgap.proofs_checks.claims.strict_json import Json, read_json
from dualgap.proofs_checks.report import figures, summary

MARKS = {HOLDS: "holds", REFUTED: "refuted", OPEN: "open"}
WORDS = {  # the first two are of printed statements alone
    "holds": "no counterexample found",
    "refuted": "false",
    "reading holds": "a reading: no counterexample found",
    "reading refuted": "a reading: false",
    "other holds": "not printed: no counterexample found",
    "other refuted": "not printed: false, as it should be",
    "open": "open",
    "wrong": "not as expected",
}
LEAST = 5  # inequalities, of which it is said how tight they are
AROUND = 3  # lines of a chain that are shown before and after the first false one
# results by hand that an instance of adaspdc.theorem-1 gives its own check: no part of the counterexample
HIDDEN = ("left_last", "left_dropped", "right_expected", "right_one")
# fields of an instance that are shown where they hold something
NOT_SAID = ("method", "options", "p", "ball", "path", "extra")


@dataclass(frozen=True)
class Line:
    """One relation of a counterexample's chain, both sides as they are shown; ``first`` of those that are false."""

    label: str
    left: str
    sign: str
    right: str
    holds: bool
    first: bool


@dataclass(frozen=True)
class Example:
    """A counterexample: its file, its instance's fields, the lines around the first false one, and how many others."""

    file: str
    instance: list[tuple[str, str]]
    lines: list[Line]
    left_out: int


class View:
    """A claim's result and what is derived from it: mark, words, evidence, tightness, figures, counterexample,
    commands.
    """

    def __init__(self, row: ClaimResult, report: AuditReport) -> None:
        self.row, self.mark, self.outcome = row, mark(row), summary.outcome(row)
        self.level, self.level_words = summary.strongest(row)
        self.tight, self.charts, self.counted = tight(row.tightness), figures.of_series(row.series), counted(row)
        self.example, self.commands = counterexample(row), commands(row, report)
        self.reasons = [] if row.as_expected else summary.reasons(row)


def mark(row: ClaimResult) -> str:
    """One of WORDS: "wrong" where the row is not as expected."""
    found = MARKS.get(row.status, "wrong") if row.as_expected else "wrong"
    if row.kind == PRINTED or found not in ("holds", "refuted"):
        return found
    return f"reading {found}" if row.kind == READING else f"other {found}"


def counted(row: ClaimResult) -> str:
    """Return how many instances were tried, and their results."""
    parts = [summary.count_of(row.counts.instances, "instance"), summary.count_of(row.counts.violations, "violation")]
    parts += [f"{row.counts.vacuous} vacuous"] if row.counts.vacuous else []
    parts += [f"{row.counts.undecided} undecided"] if row.counts.undecided else []
    return ", ".join([*parts, f"{row.seconds:.2f} s"])


MISSED = 0.01  # the probability with which a larger share of false instances is missed


def missed(draws: int) -> float:
    """The share of false instances that ``draws`` independent draws miss with probability MISSED."""
    return float(1 - MISSED ** (1 / draws))


def meaning(row: ClaimResult) -> list[str]:
    """Explain HOLDS for one claim in sentences; none if it does not hold, or if no draws are recorded."""
    if row.status != HOLDS:
        return []
    proofs = [entry.text for entry in row.evidence if entry.text.startswith(("FORMAL", "PROVED"))]
    if proofs:
        return [f"Proved: {'; '.join(proofs)}."]
    draws = row.series.get("draws", {})
    if not isinstance(count := draws.get("drawn"), (int, float)) or not count >= 1:
        return [f"{summary.tried(row)}. This is no proof."]
    silent = int(told) if isinstance(told := draws.get("silent"), (int, float)) else 0
    few = f", on {silent} of which the claim says nothing," if silent else ""
    share = f"{100 * missed(int(count - silent)):.2g} %" if count > silent else "100 %"
    entries = next((entry.text for entry in row.evidence if "steps of search" in entry.text), "")
    steps, ratio = re.search(r"(\d+) steps of search", entries), re.search(r"tightest ratio ([^,)]+)", entries)
    search = f" and {steps[1]} steps of search ({row.seconds:.0f} s in all)" if steps else ""
    tightest = f" The tightest ratio seen was {ratio[1]}." if ratio else ""
    said = [
        f"No counterexample in {count:.0f} draws{few}{search}. The draws may have missed a share of false instances of"
        f" up to {share}, with 99 % confidence.{tightest} This is no proof."
    ]
    if draws.get("sizes"):
        said.append(
            f"Drawn, rows x columns: {draws['sizes']}; {draws['reached'] or 'none of the regions of interest'}."
        )
    if draws.get("never"):
        said.append(f"Never drawn: {draws['never']}.")
    return said


def tight(values: Sequence[float]) -> str:
    """Return how near the left sides of the inequalities come to the right ones; "" if too few are comparable."""
    if len(values) < LEAST:
        return ""
    equal = sum(value == 1 for value in values)
    least = f"{len(values):,} inequalities, left/right: median {median(values):.2g}, largest {max(values):.3g}"
    return least + (f", {equal:,} equal to 6 digits" if equal else "")


def commands(row: ClaimResult, report: AuditReport) -> list[str]:
    """The commands that repeat the audit of this claim and the evaluation of its counterexample."""
    size = "" if report.size == "default" else f" --{report.size}"
    again = [f"dualgap audit {row.id}{size} --entropy {report.entropy}"]
    return again + ([replay_of(row)] if row.counterexample else [])


def replay_of(row: ClaimResult) -> str:
    """The command that evaluates the counterexample again, in the folder in which the audit was started."""
    return f"dualgap replay {shlex.quote(str(row.counterexample))}"


def counterexample(row: ClaimResult) -> Example | None:
    """The instance, its lines around the first false one, and how many others hold; None if the row has none.

    Raises ValueError if the file is missing or invalid.
    """
    if not row.counterexample:
        return None
    path = pathlib.Path(row.counterexample)
    record = read_json(path)
    false = next((k for k, item in enumerate(record["chain"]) if not item["holds"]), None)
    lines = [
        Line(
            item["label"],
            summary.side_of(item["left"]["exact"]),
            item["sign"],
            summary.side_of(item["right"]["exact"]),
            item["holds"],
            k == false,
        )
        for k, item in enumerate(record["chain"])
    ]
    near = lines[max(0, (false or 0) - AROUND) : (false or 0) + AROUND + 1]
    return Example(path.name, _instance(record["instance"]), near, len(lines) - len(near))


def _instance(fields: Json) -> list[tuple[str, str]]:
    """Names and values, without empty ones and without ``HIDDEN``."""
    known = {name: value for name, value in (fields.get("extra") or {}).items() if name not in HIDDEN}
    fields = {**fields, "extra": known}
    return [
        (name, shown(value)) for name, value in fields.items() if value or (name not in NOT_SAID and value is not None)
    ]
