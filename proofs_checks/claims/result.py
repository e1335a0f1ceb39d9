"""The results of an audit: the record of one claim and the report of all claims, with their form in report.json.

``to_json`` writes the schema of report.json, and ``from_json`` takes it back.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, NamedTuple, TypedDict, cast

from dualgap.proofs_checks.claims.origins import KINDS

SCHEMA = 2
SeriesValue = str | float | Sequence[float | None] | None
Series = dict[str, SeriesValue]  # named data of a figure; in a file null stands for what is not finite
Environment = dict[str, str | bool | dict[str, str] | None]


class AssumedJson(TypedDict):
    """A hypothesis, where the paper states it, and whether the audit evaluates it."""

    text: str
    place: str
    evaluated: bool


class NotRunJson(TypedDict):
    """A claim that was not run with the user's own method, and why."""

    id: str
    reason: str


class DrawJson(TypedDict):
    """The comparison of a method's draws with its ``choices``: how it was made, and the differences."""

    how: str
    differences: list[str]


class ItemJson(TypedDict):
    """An item of a paper and the claims that say it."""

    label: str
    place: str
    claims: list[str]


class PaperJson(TypedDict):
    """A paper, with those of its items that claims are about."""

    name: str
    citation: str
    page: str
    assessment: dict[str, str]
    items: list[ItemJson]


class PluginJson(TypedDict):
    """Other people's code, and what it has registered by kind."""

    package: str
    module: str
    file: str
    registers: dict[str, list[str]]


class ReportJson(TypedDict):
    """report.json."""

    schema: int
    verdict: str
    claims: list[dict[str, Any]]  # the entries of ``ClaimResult.to_json``
    counts: dict[str, dict[str, int]]
    size: str
    entropy: int
    delta_total: float
    mutants: list[str]
    papers: dict[str, PaperJson]
    interrupted: bool
    mutants_without_killer: list[str]
    not_run: list[NotRunJson]
    draw: DrawJson
    seconds: float
    environment: Environment
    plugins: list[PluginJson]


class EvidenceEntry(NamedTuple):
    """A level of evidence in a report: "EXACT(300)", "ENCLOSED(20, 40 digits)", "FORMAL(coq)", "SKIPPED(reason)"."""

    text: str

    @property
    def level(self) -> str:
        """Return the text before the parenthesis."""
        return self.text.partition("(")[0]

    @property
    def instances(self) -> int:
        """The number with which the parenthesis begins; 0 without one."""
        number = re.match(r"[0-9]+", self.text.partition("(")[2])
        return int(number[0]) if number else 0

    @property
    def skipped(self) -> str | None:
        """The reason why the level was skipped, or None if it was not skipped."""
        return self.text[len("SKIPPED(") : -1] if self.text.startswith("SKIPPED(") else None


class Counts(NamedTuple):
    """Instances of all levels together."""

    instances: int = 0
    violations: int = 0
    vacuous: int = 0
    undecided: int = 0


class ControlResult(NamedTuple):
    """The result of the negative control: "caught", "missed", "vacuous" or "none", and a description."""

    outcome: str = "none"
    text: str = ""

    @property
    def caught(self) -> bool:
        """True if the check failed where it must."""
        return self.outcome == "caught"


class Kills(NamedTuple):
    """The mutants that a claim declares to kill, and those that its check has killed."""

    declared: tuple[str, ...] = ()
    killed: tuple[str, ...] = ()

    @property
    def survived(self) -> list[str]:
        """Declared and not killed."""
        return [mutant for mutant in self.declared if mutant not in self.killed]


@dataclass(frozen=True, kw_only=True)
class ClaimResult:
    """The result of an audit for one claim.

    Attributes
    ----------
    id, paper, statement, hypotheses, statement_tex, hypotheses_tex, kind, gravity, instead, place, quote, note,
        assumes, proof, expected : of the claim; gravity and instead are "" unless it is expected to be false.
    file : where the claim stands, "file:line".
    status : HOLDS, REFUTED, OPEN, UNDECIDED, VACUOUS or ERROR.
    evidence : one entry for each level, in order.
    counts : instances of all levels together.
    control, kills : whether the check fails where it must.
    counterexample : the path of its file, or its text before it is stored; None without one.
    unmet : hypotheses that the counterexample does not satisfy.
    tightness : left/right of the inequalities.
    series : data of figures, by name.
    error : the traceback of a check that broke; "".
    not_run : why the claim could not be run with the user's own method, else "".
    seconds : that the examination took.
    """

    id: str
    paper: str
    statement: str = ""
    hypotheses: str = ""
    statement_tex: str = ""
    hypotheses_tex: str = ""
    file: str = ""
    kind: str = "printed"
    gravity: str = ""
    instead: str = ""
    place: str = ""
    quote: str = ""
    note: str = ""
    assumes: Sequence[AssumedJson] = ()
    proof: str = ""
    status: str
    expected: str
    evidence: tuple[EvidenceEntry, ...] = ()
    counts: Counts = Counts()
    control: ControlResult = ControlResult()
    kills: Kills = Kills()
    counterexample: str | None = None
    unmet: Sequence[str] = ()
    tightness: Sequence[float] = ()
    series: dict[str, Series] = field(default_factory=dict)
    error: str = ""
    not_run: str = ""
    seconds: float = 0.0

    @property
    def as_expected(self) -> bool:
        """True if the status is as expected, the control caught, every declared mutant killed and hypotheses met."""
        return (
            self.status == self.expected
            and self.control.caught
            and self.kills.killed == self.kills.declared
            and not self.unmet
        )

    def to_json(self) -> dict[str, Any]:
        """The entry of report.json: the fields, with counts, control and kills as separate values."""
        found: dict[str, Any] = {
            **{name: list(value) if isinstance(value, tuple) else value for name, value in vars(self).items()},
            **self.counts._asdict(),
            "evidence": [entry.text for entry in self.evidence],
            "control": self.control.outcome,
            "control_text": self.control.text,
            "killed": list(self.kills.killed),
            "declared_kills": list(self.kills.declared),
            "as_expected": self.as_expected,
        }
        return {name: value for name, value in found.items() if name not in ("counts", "kills")}

    @classmethod
    def from_json(cls, entry: dict[str, Any]) -> "ClaimResult":
        """The record of an entry of report.json."""
        names = {f.name for f in fields(cls)}
        given: dict[str, Any] = {
            **{name: tuple(v) if isinstance(v, list) else v for name, v in entry.items() if name in names},
            "evidence": tuple(map(EvidenceEntry, entry["evidence"])),
            "counts": Counts(entry["instances"], entry["violations"], entry["vacuous"], entry["undecided"]),
            "control": ControlResult(entry["control"], entry["control_text"]),
            "kills": Kills(tuple(entry["declared_kills"]), tuple(entry["killed"])),
        }
        return cls(**given)


def counts(results: Iterable[ClaimResult]) -> dict[str, dict[str, int]]:
    """Return the number of claims of each kind and status."""
    found: dict[str, dict[str, int]] = {kind: {} for kind in KINDS}
    for result in results:
        found[result.kind][result.status] = found[result.kind].get(result.status, 0) + 1
    return found


@dataclass(frozen=True, kw_only=True)
class AuditReport:
    """The report of an audit.

    Attributes
    ----------
    verdict : "pass" or "fail".
    claims : the result for each claim.
    size, entropy, delta_total : of the run.
    mutants : named mutants of the audited papers.
    papers : what is claimed of each item of a paper, by the paper's key.
    interrupted : whether claims are missing.
    mutants_without_killer : named mutants that no claim has killed.
    not_run : claims that could not be run with the user's own method, with the reason.
    draw : how the draws of a method were compared with its ``choices``, and the differences.
    seconds : that the audit took.
    environment : versions and machine.
    plugins : other people's code that was run.
    """

    verdict: str
    claims: tuple[ClaimResult, ...]
    size: str
    entropy: int
    delta_total: float
    mutants: list[str]
    papers: dict[str, PaperJson]
    interrupted: bool
    mutants_without_killer: list[str]
    not_run: list[NotRunJson]
    draw: DrawJson
    seconds: float
    environment: Environment
    plugins: list[PluginJson]

    def to_json(self) -> ReportJson:
        """The content of report.json, except for numbers that are not finite (``strict_json.finite``)."""
        told = {
            **vars(self),
            "schema": SCHEMA,
            "claims": [result.to_json() for result in self.claims],
            "counts": counts(self.claims),
        }
        return cast(ReportJson, {key: told[key] for key in ReportJson.__annotations__})

    @classmethod
    def from_json(cls, found: ReportJson) -> "AuditReport":
        """The report of what ``to_json`` gives."""
        names = {f.name for f in fields(cls)}
        given: dict[str, Any] = {name: value for name, value in found.items() if name in names}
        return cls(**{"plugins": [], **given, "claims": tuple(map(ClaimResult.from_json, found["claims"]))})
