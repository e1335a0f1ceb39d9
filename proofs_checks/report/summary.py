"""The sentences of an audit's report, for the terminal and the HTML page.

Everything here is read from the report of ``audit``, nothing is computed again.
"""

import pathlib
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction

from dualgap.proofs_checks.claims.registry import ERROR, HOLDS, OPEN, REFUTED
from dualgap.proofs_checks.claims.relations import show
from dualgap.proofs_checks.claims.result import AuditReport, ClaimResult
from dualgap.proofs_checks.claims.strict_json import read_json
from dualgap.proofs_checks.report import counts as counting

TITLES = {  # of the kinds of claims, in the order of the page
    "printed": "Printed statements",
    "reading": "Readings",
    "code": "Companion code",
    "inference": "Inferences",
    "ours": "Repaired, sharper and new",
    "implementation": "This library",
}

# What each level of evidence leaves undone. Only the levels that a report contains are printed.
LIMITS = {
    "EXACT": (
        "Exact arithmetic on the instances drawn (few rows and columns, small rationals). It proves nothing about "
        "other instances: for those there is the paper's proof, or the one printed with the claim."
    ),
    "EXACT AT FLOAT STATES": (
        "The inequality at the states of one run on the data named; other runs visit other states."
    ),
    "ENUMERATED": "Exact expectations over all paths, but only up to the number of steps named.",
    "ENCLOSED": (
        "Signs decided by rigorous intervals on the instances drawn. Equalities of transcendental numbers can "
        "never be decided that way: they are counted as undecided, not as success."
    ),
    "PROVED": (
        "A formula proved for all real numbers, as it is written in the claim. That the code computes this formula "
        "is shown by the other levels only."
    ),
    "FORMAL": (
        "A proof checked by Coq, about real arithmetic and an ideal uniform sampler, under the hypotheses that the"
        " formal text states. Runs of the reference are tied to its definitions by the bridge, on the instances"
        " recorded there."
    ),
    "NUMERICAL": "Computed in floating point, within a bound that is derived; no exact arithmetic.",
    "NOT-REFUTED": (
        "Statistics: the claim passed a test with a bounded probability of a false alarm. This does not show that it is"
        " true."
    ),
    "CERTIFIED": "Statistics: true except with the stated probability of error.",
    "SEARCHED": "A search that found no counterexample. This is no evidence that there is none.",
}
ALWAYS = (
    ("Planted bugs", "Mutants are bugs that we thought of. A bug of another kind may go unnoticed."),
    (
        "Rounding",
        (
            "The theorems are about real numbers. For a run in floats the audit checks that the two backends agree and"
            " that a gap is recomputed from the pair for which it is reported. It does not prove a theorem for rounded"
            " steps."
        ),
    ),
    ("Your data", "Hypotheses hold on the audited instances. On your data, dualgap solve checks them on entry."),
    ("This machine", "Results were compared bit by bit with the versions and on the machine named below alone."),
)


STRENGTH = (  # of evidence, the strongest first: (key, in words, what its levels begin with)
    ("proved", "proof checked by machine", ("FORMAL", "PROVED")),
    ("exact", "exact arithmetic", ("EXACT", "ENUMERATED")),
    ("enclosed", "rigorous intervals", ("ENCLOSED",)),
    ("numerical", "floating point within a derived bound", ("NUMERICAL",)),
    ("statistical", "statistics or search", ("NOT-REFUTED", "CERTIFIED", "SEARCHED")),
)
NOT_EXAMINED = ("none", "not tested")


def strongest(row: ClaimResult) -> tuple[str, str]:
    """The strongest level of evidence of a claim: (key, in words)."""
    for key, words, levels in STRENGTH:
        if any(entry.text.startswith(levels) for entry in row.evidence):
            return key, words
    return NOT_EXAMINED


def tried(row: ClaimResult) -> str:
    """State that no counterexample was found, and on how many instances."""
    silent = f", and on {row.counts.vacuous} of them the claim says nothing" if row.counts.vacuous else ""
    return f"No counterexample on {count_of(row.counts.instances, 'instance')}{silent}"


def levels(row: ClaimResult) -> str:
    """The levels of evidence with the instances of each, added up: EXACT(12), ENCLOSED(4), SKIPPED."""
    found: dict[str, int] = {}
    for entry in row.evidence:
        found[entry.level] = found.get(entry.level, 0) + entry.instances
    return ", ".join(f"{name}({count})" if count else name for name, count in found.items())


def outcome(row: ClaimResult) -> str:
    """The status, and what was expected where that is not plain."""
    if row.status != row.expected:
        return f"{row.status}, expected {row.expected}"
    if row.status == REFUTED and row.kind != "printed":
        return "false, as expected"
    if row.status == HOLDS:
        proofs = [level for level in ("FORMAL", "PROVED") if any(e.text.startswith(level) for e in row.evidence)]
        return f"HOLDS, {proofs[0]}" if proofs else HOLDS
    return f"{row.status} as expected"


SAID = {  # the kind, its heading, and the words for a count of its claims
    "printed": ("The papers", "printed statement", "printed statements"),
    "reading": ("Readings", "reading of a damaged or ambiguous passage", "readings of damaged or ambiguous passages"),
    "code": ("Companion code", "statement", "statements"),
    "inference": ("Inferences", "conclusion that no paper states", "conclusions that no paper states"),
    "ours": ("Ours", "repaired, sharper or further statement", "repaired, sharper or further statements"),
}


def sentences(report: AuditReport) -> list[tuple[str, str]]:
    """The verdict in parts: the claims of each kind, the code, and whether the claims are about that code."""
    rows = report.claims
    said = []
    for kind, (heading, one, many) in SAID.items():
        found = [row for row in rows if row.kind == kind]
        if found:
            about = counting.of_theorems(found, report.papers) if kind == "printed" else ""
            counted = f"{len(found)} {one if len(found) == 1 else many}: {_tally(found, kind)}."
            said.append((heading, f"{counted} {about}".rstrip()))
    said += [("Code", _code(report)), ("Claim and code", _match(rows))]
    return said + ([("Not run", not_run(report))] if report.not_run else [])


PROTOCOL = (
    "A method has init, choices, step and view, its states key(), and v and alpha where a claim needs them:"
    " dualgap.reference.AuditedMethod."
)


def not_run(report: AuditReport) -> str:
    """Claims that the user's method cannot run: a count for each reason, and the protocol if it lacks something."""
    left_out = report.not_run
    reasons = Counter(row["reason"] for row in left_out)
    told = "; ".join(f"{reason} ({count})" for reason, count in reasons.most_common())
    lacked = any(reason.startswith("needs ") for reason in reasons)
    return f"{len(left_out)} of {len(left_out) + len(report.claims)} claims: {told}." + (
        f" {PROTOCOL}" if lacked else ""
    )


def tally(rows: Iterable[ClaimResult], named: Callable[[ClaimResult], bool] = lambda row: False) -> str:
    """Return how many of these claims have each status, those that are false by their gravity.

    named : of which claims the ids follow the count of their status.
    """
    groups: dict[str, list[ClaimResult]] = {"holds": [], "false": [], "unexpected": []}
    for row in rows:
        unexpected = row.status == REFUTED and not row.as_expected
        key = "unexpected" if unexpected else {HOLDS: "holds", REFUTED: "false"}.get(row.status, row.status.lower())
        groups.setdefault(key, []).append(row)
    said = []
    for key, found in groups.items():
        ids = ", ".join(row.id for row in found if named(row))
        if found:
            said.append(_counted(key, found) + (f": {ids}" if ids else ""))
    return "; ".join(said) or "none"


def _counted(key: str, rows: Sequence[ClaimResult]) -> str:
    """Return how many claims have one status, in words."""
    count = len(rows)
    if key == "holds":
        proved = sum(strongest(row)[0] == "proved" for row in rows)
        restored = sum(map(counting.is_restored, rows)) if all(row.kind == "printed" for row in rows) else 0
        parts = [f"{count - restored} legible and tested as printed, {restored} restored by us"] if restored else []
        parts += [f"{proved} of them proved"] if proved else []
        return f"no counterexample to {count}" + (f" ({'; '.join(parts)})" if parts else "")
    if key == "unexpected":
        return f"{count} refuted, but not as expected"
    if key != "false":
        return f"{count} {key}"
    kinds = counting.errors(rows)
    return f"{count} {'is' if count == 1 else 'are'} false" + (f" ({kinds})" if kinds else "")


def _tally(rows: Sequence[ClaimResult], kind: str) -> str:
    """The tally with the ids of claims that do not hold; one that no paper prints only if its verdict surprises."""
    return tally(
        rows, lambda row: row.status != HOLDS and (kind == "printed" or row.status != REFUTED or not row.as_expected)
    )


def _code(report: AuditReport) -> str:
    """Return whether the code makes the steps of the pseudocode, and whether its two backends agree."""
    rows = report.claims
    killed = {mutant for row in rows for mutant in row.kills.killed}
    lines = [f"The reference follows the pseudocode: {_named(rows, 'algorithm(-[0-9]+)?')}."]
    lines.append(f"Planted bugs caught: {len(killed)} of {len(report.mutants)}.")
    lines.append(f"The compiled code is bit-identical to the reference: {_named(rows, 'code.real-data')}.")
    return " ".join(lines)


def _match(rows: Sequence[ClaimResult]) -> str:
    """Return whether the claims that were checked speak of the code that runs."""
    caught = sum(row.control.caught for row in rows)
    return (
        "Expectations are sums over all random choices of the method, on instances that satisfy the hypotheses. "
        f"{caught} of {count_of(len(rows), 'control')} failed, as they must. The sampler draws as the claims assume: "
        f"{_named(rows, 'code.sampler')}. At the states of a run on data: {_named(rows, 'code.real-data')}."
    )


def _named(rows: Sequence[ClaimResult], pattern: str) -> str:
    """The status of the claims whose ids, after the paper, match ``pattern``."""
    found = [
        f"{row.status} ({row.id}, {count_of(row.counts.instances, 'instance')})"
        for row in rows
        if re.fullmatch(pattern, row.id.partition(".")[2])
    ]
    return ", ".join(found) or "not tested in this audit"


def not_shown(report: AuditReport) -> list[tuple[str, str]]:
    """Return what the audit leaves open: pairs (what, why), from the levels that it used and from what it could not
    do."""
    rows = report.claims
    used = dict.fromkeys(entry.level for row in rows for entry in row.evidence)
    table = [(level, LIMITS.get(level, "Its limits are not written down.")) for level in used if level != "SKIPPED"]
    skipped = defaultdict(list)
    for row in rows:
        for entry in row.evidence:
            if entry.skipped is not None:
                skipped[entry.skipped].append(row.id)
    table += [(f"Skipped: {reason}", ", ".join(dict.fromkeys(ids))) for reason, ids in skipped.items()]
    undecided = [f"{row.id} ({row.counts.undecided} of {row.counts.instances})" for row in rows if row.counts.undecided]
    if undecided:
        table.append(("Undecided", ", ".join(undecided)))
    opened = [row.id for row in rows if row.status == OPEN]
    if opened:
        table.append(("Open", ", ".join(opened)))
    if report.size != "full":
        table.append(("Size", f"This was a {report.size} run; --full takes more instances and the Coq proofs."))
    return [*table, *ALWAYS]


INTERRUPTED = "Interrupted: the claims that are not listed were not tested."


def differences(report: AuditReport) -> list[str]:
    """Return the lines about unexpected results, the first claim in full, of others why they broke; empty if there
    are none."""
    wrong = [row for row in report.claims if not row.as_expected]
    lines = [INTERRUPTED] if report.interrupted else []
    if wrong:
        lines += [f"First difference: {wrong[0].id}", *(f"  {line}" for line in reasons(wrong[0]))]
    if len(wrong) > 1:
        lines.append(f"Also not as expected: {', '.join(row.id for row in wrong[1:])}")
        lines += [f"  {row.id}: {broke(row)}" for row in wrong[1:] if row.status == ERROR]
    return [*lines, *unnoticed(report)]


def unnoticed(report: AuditReport) -> list[str]:
    """Failures of an audit other than its claims: a method's draws, mutants that no check caught."""
    lines = [f"What is drawn is not what choices says: {words}" for words in report.draw["differences"]]
    if report.mutants_without_killer:
        lines.append(f"No check caught these mutants: {', '.join(report.mutants_without_killer)}")
    return lines


def trouble(row: ClaimResult) -> str:
    """Describe, in a sentence, a row with an unexpected result."""
    expected = {HOLDS: "to hold", REFUTED: "to be false", OPEN: "to stay open"}[row.expected]
    if row.status == ERROR:
        return f"It could not be tested: {broke(row)}"
    if row.status == REFUTED != row.expected:
        return (
            f"It was expected {expected}, and is false on {row.counts.violations} of"
            f" {count_of(row.counts.instances, 'instance')}."
        )
    if row.status != row.expected:
        return f"It was expected {expected}, but it is {row.status} after {count_of(row.counts.instances, 'instance')}."
    if not row.control.caught:
        return (
            "Its verdict is the expected one, but its control was not caught. A check that cannot fail shows nothing."
        )
    if row.unmet:
        return "Its counterexample does not satisfy the hypotheses, so it refutes nothing."
    return "Its verdict is the expected one, but it did not catch every planted bug that it should."


def broke(row: ClaimResult) -> str:
    """The error of a check as one line: the exception without its traceback and, for third-party code, the line."""
    lines = row.error.rstrip().splitlines()
    return lines[-1] if lines[0].startswith("Traceback") else lines[0]


def tracebacks(report: AuditReport) -> list[str]:
    """The full tracebacks of the checks of this library that raised an exception."""
    broken = [row for row in report.claims if row.status == ERROR and row.error.startswith("Traceback")]
    return [f"{row.id}\n{row.error.rstrip()}" for row in broken]


def reasons(row: ClaimResult) -> list[str]:
    """Why one row is not as expected."""
    reasons = [trouble(row), row.statement]
    if row.status != row.expected:
        counts = (
            f"{row.counts.violations} of {row.counts.instances} instances violate it, {row.counts.vacuous} are vacuous"
        )
        found = ", ".join(entry.text for entry in row.evidence) or "none"
        reasons.append(f"status {row.status}, expected {row.expected}; evidence {found}; {counts}")
    if row.counterexample:
        reasons.append(f"counterexample: {row.counterexample}")
        reasons.append(f"first false relation: {first_false(row.counterexample)}")
    if row.status == ERROR:
        return reasons
    reasons += [f"its counterexample does not satisfy the hypothesis: {text}" for text in row.unmet]
    if not row.control.caught:
        reasons.append(f"control {row.control.outcome}: {row.control.text or 'this claim has none'}")
    if survived := row.kills.survived:
        reasons.append(f"mutants that it should kill but did not: {', '.join(survived)}")
    return reasons


def first_false(path: str | pathlib.Path) -> str:
    """The first relation of a counterexample file that does not hold, with both sides."""
    chain = read_json(path)["chain"]
    item = next((item for item in chain if not item["holds"]), None)
    if item is None:
        return "none when it is evaluated again: the step depends on something that is not in the state"
    left, right = (side_of(item[side]["exact"]) for side in ("left", "right"))
    return f"{item['label']}: {left} {item['sign']} {right}"


def count_of(number: int, thing: str, many: str = "") -> str:
    """A number with what it counts, in the singular or the plural."""
    return f"{number} {thing if number == 1 else many or thing + 's'}"


def side_of(exact: str) -> str:
    """A rational shortened; an interval, or what is no number, as it is."""
    try:
        return show(Fraction(exact))
    except (ValueError, ZeroDivisionError):
        return exact
