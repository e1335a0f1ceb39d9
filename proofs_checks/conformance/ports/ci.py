"""Options for build servers: a part of the vectors, methods that must pass, and reports in standard formats."""

import json
import pathlib
from collections.abc import Iterable
from typing import TYPE_CHECKING
from xml.etree import ElementTree

from dualgap.fast.data.atomic_file import write_text
from dualgap.proofs_checks.conformance.ports.outcomes import FAILED, NOT_RUN, PASSED, SKIPPED, Outcome
from dualgap.proofs_checks.conformance.vectors.explain import near_names
from dualgap.proofs_checks.conformance.vectors.load import LEVELS, Case
from dualgap.proofs_checks.report.terminal import printable

if TYPE_CHECKING:
    from dualgap.proofs_checks.conformance.ports.run import Conformance


def selected(cases: Iterable[Case], only: Iterable[str]) -> list[Case]:
    """Cases with one of these methods, levels or ids; all for none. Raises ValueError for a name that no case has."""
    cases, only = list(cases), list(only)
    for name in only:
        require_name(
            name,
            {name for case in cases for name in (case.id, case.method, case.level)},
            "--only",
            "a method, level or case",
        )
    return [case for case in cases if not only or not {case.id, case.method, case.level}.isdisjoint(only)]


def require_name(name: str, known: set[str], option: str, what: str) -> None:
    """Raise ValueError, with the names that are most like it, where a name is not there."""
    if name not in known:
        near = near_names(name, known)
        raise ValueError(
            f"{option}: no {what} is named {name!r}{'; similar names: ' + ', '.join(near) if near else ''} (see:"
            " dualgap vectors)"
        )


def missing(report: "Conformance", required: Iterable[str]) -> list[str]:
    """A sentence for each required method that is not green: every case of it must have passed, or be known."""
    found = []
    for method in required:
        own = [o for o in report.outcomes if o.case.method == method]
        wanting = {
            status: sum(o.status == status and o.case.id not in report.known for o in own)
            for status in (FAILED, SKIPPED, NOT_RUN)
        }
        said = ", ".join(f"{count} {status}" for status, count in wanting.items() if count)
        if said or not any(o.status == PASSED for o in own):
            found.append(f"--require {method}: {said or 'none of its cases was run'}, of {len(own)} cases")
    return found


def write_junit(report: "Conformance", path: str | pathlib.Path) -> None:
    """JUnit's XML: a suite for each method, a case for each vector; warn where it cannot be written."""
    root = ElementTree.Element(
        "testsuites", name=f"dualgap conform: {printable(' '.join(filter(None, report.about.values())))}"
    )
    for method, outcomes in by_method(report).items():
        suite = ElementTree.SubElement(
            root,
            "testsuite",
            name=method,
            tests=str(len(outcomes)),
            failures=str(sum(failed(report, o) for o in outcomes)),
            skipped=str(sum(passed_over(report, o) for o in outcomes)),
        )
        for outcome in outcomes:
            case = ElementTree.SubElement(
                suite, "testcase", classname=f"{method}.{outcome.case.level}", name=outcome.case.id
            )
            if failed(report, outcome):
                ElementTree.SubElement(case, "failure", type=outcome.kind, message=said(outcome))
            elif passed_over(report, outcome):
                ElementTree.SubElement(case, "skipped", message=report.known.get(outcome.case.id) or said(outcome))
    if report.complaints or any(drawn.failed for drawn in report.drawn):
        suite = ElementTree.SubElement(root, "testsuite", name="port")
        for text in [*report.complaints, *(drawn.text for drawn in report.drawn if drawn.failed)]:
            case = ElementTree.SubElement(suite, "testcase", classname="port", name=printable(text)[:100])
            ElementTree.SubElement(case, "failure", message=printable(text))
        suite.set("tests", str(len(suite)))
        suite.set("failures", str(len(suite)))
    ElementTree.indent(root)
    write_text(path, ElementTree.tostring(root, encoding="unicode", xml_declaration=True))


def tap(report: "Conformance") -> list[str]:
    """The lines of the Test Anything Protocol, version 14: a point for each vector, one for the port as a program."""
    points: list[str] = []
    for number, outcome in enumerate(report.outcomes, start=1):
        good = not failed(report, outcome)
        directive = (
            f" # SKIP {report.known.get(outcome.case.id) or said(outcome)}" if passed_over(report, outcome) else ""
        )
        points.append(f"{'ok' if good else 'not ok'} {number} - {outcome.case.id}{printable(directive)}")
        if not good:
            points += ["  ---", f"  message: {json.dumps(said(outcome))}", "  ..."]
    number = len(report.outcomes) + 1
    wrong = [*report.complaints, *(drawn.text for drawn in report.drawn if drawn.failed)]
    points += [
        f"{'not ok' if wrong else 'ok'} {number} - the port, and drawn problems",
        *(f"# {printable(text)}" for text in wrong),
    ]
    return ["TAP version 14", f"1..{number}", *points]


def failed(report: "Conformance", outcome: Outcome) -> bool:
    """Whether the outcome fails a run: it failed or was not run, and is not listed as known."""
    return outcome.status in (FAILED, NOT_RUN) and outcome.case.id not in report.known


def passed_over(report: "Conformance", outcome: Outcome) -> bool:
    """Whether it says nothing: skipped, or a known failure."""
    return outcome.status == SKIPPED or (outcome.status in (FAILED, NOT_RUN) and outcome.case.id in report.known)


def said(outcome: Outcome) -> str:
    """Reason and hint in one line of ASCII."""
    return printable("; ".join(filter(None, [outcome.reason, outcome.hint])))


def by_method(report: "Conformance") -> dict[str, list[Outcome]]:
    """The outcomes of each method, in the order of the levels."""
    found: dict[str, list[Outcome]] = {}
    for outcome in sorted(report.outcomes, key=lambda o: LEVELS.index(o.case.level)):
        found.setdefault(outcome.case.method, []).append(outcome)
    return found
