"""The command ``conform``: a solver in any language, driven through a pipe and judged case by case."""

import argparse
import math
from collections import Counter

from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.cli.numbers import entropy_of
from dualgap.proofs_checks.conformance.methods.registry import ROWS
from dualgap.proofs_checks.conformance.ports import failures
from dualgap.proofs_checks.conformance.ports.failures import across_methods, describe, describe_drawn
from dualgap.proofs_checks.conformance.ports.run import Conformance
from dualgap.proofs_checks.conformance.ports.run import conform as run
from dualgap.proofs_checks.conformance.protocol.port import Port
from dualgap.proofs_checks.conformance.protocol.process import Unreachable
from dualgap.proofs_checks.conformance.vectors.load import LEVELS, TITLES, load, require_name, selected
from dualgap.proofs_checks.report.screen import say
from dualgap.proofs_checks.report.terminal import (
    FAILED,
    Refused,
    input_errors,
    print_json,
    print_lines,
    print_table,
    printable,
    progress,
)

EMPTY = 3  # exit status where nothing failed, and a method is incomplete or nothing was checked
LONGEST = 40  # characters of a name that a port gives itself
NAMED = 6  # incomplete methods in the verdict; --json has all


def conform(given: argparse.Namespace) -> int:
    """Exit 0 if at least one case passed and no unlisted case failed, 1 if one failed, 3 if a method is incomplete or
    nothing was checked.
    """
    if not 0 <= given.seconds < math.inf:
        raise Refused(f"--seconds must be >= 0 and finite (got {given.seconds:g})")
    if not 0 < given.max_seconds < math.inf:
        raise Refused(f"--max-seconds must be > 0 and finite (got {given.max_seconds:g})")
    with input_errors() as commit:
        vectors = load()
        cases = selected(vectors.cases.values(), names(given.only))
        for method in names(given.require):
            require_name(method, ROWS, "--require", "method with vectors")
        port, entropy = Port(given.program, given.timeout), entropy_of(given.entropy)
        commit()
        try:
            with port, progress() as advance:
                report = run(port, cases, given.seconds, entropy, advance, given.max_seconds)
        except Unreachable as reason:
            raise Refused(printable(str(reason))) from None
    report.complaints += report.missing(names(given.require))
    if given.json:
        print_json(to_json(report, given.program))
    else:
        print_report(report, given.all)
    return {"pass": 0, "fail": FAILED}.get(report.verdict, EMPTY)


def names(given: list[str]) -> list[str]:
    """Return the names in the values of a repeatable option, each a list separated by commas."""
    return [name for text in given for name in text.split(",") if name]


def print_report(report: Conformance, everything: bool = False) -> None:
    """Print the failures, the table and the verdict."""
    failures = report.failures()
    shown = failures if everything else across_methods(failures)[: len({outcome.case.method for outcome in failures})]
    for outcome in shown:
        _print_described("FAILED", describe(outcome))
    if len(failures) > len(shown):
        say("{} more failures; --all prints them\n", len(failures) - len(shown))
    for drawn in report.drawn:
        if drawn.failed:
            _print_described("FALSE", describe_drawn(drawn, report.entropy))
    print_table(*table(report))
    for drawn in report.drawn:
        state = "FALSE" if drawn.failed else "holds" if drawn.problems else "skipped" if drawn.skipped else "not run"
        say("{:<7}  {}: {} fresh calls", state, drawn.method, drawn.problems)
    say("")
    print_lines(verdict(report))


def _print_described(mark: str, text: str) -> None:
    """A failure of several lines, the first after its mark, then an empty one."""
    print_lines([*f"{mark} {text}".split("\n"), ""])


def table(report: Conformance) -> tuple[tuple[str, ...], list[tuple[str, ...]]]:
    """Return the columns and rows of passed and sent vectors by method and level."""
    counts: dict[str, Counter[tuple[str, str]]] = {}
    for outcome in report.outcomes:
        counts.setdefault(outcome.case.method, Counter())[outcome.case.level, outcome.status] += 1
    rows = [(method, *(_cell(count, level) for level in LEVELS)) for method, count in counts.items()]
    return ("", *(f"{level} {TITLES[level]}" for level in LEVELS)), rows


def _cell(count: Counter[tuple[str, str]], level: str) -> str:
    total = sum(number for (there, _), number in count.items() if there == level)
    if not total:
        return ""
    rest = [f"{count[level, status]} {status}" for status in ("failed", "skipped", "not run") if count[level, status]]
    return ", ".join([f"{count[level, 'passed']}/{total}", *rest])


def verdict(report: Conformance) -> list[str]:
    """Return the last lines of the report."""
    counts, failures = report.counts(), report.failures()
    about = " ".join(cut(part) for part in report.about.values() if part)
    drawn = sum(d.problems for d in report.drawn)
    complete, incomplete = len(report.complete()), report.incomplete()
    lines = [
        f"Verdict: {report.verdict}{_named(incomplete)} ({about or 'a port without a name'}: {counts['passed']} of"
        f" {len(report.outcomes)} vectors passed, {len(failures)} failed, {counts['skipped']} skipped;"
        f" {complete} methods and formulas complete; {drawn} checks on drawn problems;"
        f" entropy {report.entropy}, {report.asked} calls in {report.seconds:.1f} s)"
    ]
    if report.complaints and not report.asked:
        lines = [f"Verdict: fail: no vector was sent ({about or 'a port without a name'}, {report.seconds:.1f} s)"]
    lines += [f"Not tested: {name} (the port declares that it lacks it)" for name in report.without]
    lines += [f"Incomplete: {name} skips {said}" for name, said in list(incomplete.items())[:NAMED]]
    lines += [f"Hint: in {count} of {len(failures)} failures {text}" for text, count in report.hints()[:1]]
    lines += ["docs/ports.md lists the usual mistakes by symptom."] if failures else []
    if report.verdict == "empty":
        lines.append("Nothing was checked: the port skipped every case.")
    lines += [f"The port: {printable(complaint)}" for complaint in report.complaints]
    return lines


def _named(incomplete: dict[str, str]) -> str:
    """The incomplete methods as the verdict names them."""
    if not incomplete:
        return ""
    more = len(incomplete) - NAMED
    return f": {', '.join(list(incomplete)[:NAMED])}{f' and {more} more' if more > 0 else ''} incomplete"


def cut(text: str) -> str:
    """Shorten a text of the port to fit a line."""
    return printable(text if len(text) <= LONGEST else f"{text[: LONGEST - 3]}...")


def to_json(report: Conformance, command: list[str]) -> Json:
    """Return the report as the object that --json prints."""
    counts: dict[str, dict[str, Counter[str]]] = {}
    for outcome in report.outcomes:
        counts.setdefault(outcome.case.level, {}).setdefault(outcome.case.method, Counter())[outcome.status] += 1
    return {
        "schema": 1,
        "verdict": report.verdict,
        "port": report.about,
        "command": command,
        "counts": report.counts(),
        "table": counts,
        "failures": [failures.to_json(outcome) for outcome in report.failures()],
        "hints": dict(report.hints()),
        "diagnosis": {},  # this, flags and causes leave in the next minor version
        "flags": {},
        "drawn": [
            {
                "method": d.method,
                "problems": d.problems,
                "skipped": d.skipped,
                "false": d.text,
                "hint": d.hint,
                "causes": [],
                "on": d.on,
            }
            for d in report.drawn
        ],
        "complete": report.complete(),
        "incomplete": report.incomplete(),
        "complaints": report.complaints,
        "entropy": report.entropy,
        "calls": report.asked,
        "seconds": report.seconds,
    }
