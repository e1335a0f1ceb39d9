"""Compare several ports: a table of methods by ports, and the steps per second of each port, the reference and compiled
code.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from dualgap.proofs_checks.conformance.ports.outcomes import FAILED, NOT_RUN, PASSED, SKIPPED
from dualgap.proofs_checks.conformance.ports.run import Conformance
from dualgap.proofs_checks.conformance.ports.speed import Rate
from dualgap.proofs_checks.report.terminal import printable

Table = tuple[tuple[str, ...], list[tuple[str, ...]]]
LONGEST = 24  # characters of a port's name


def titles(reports: Sequence[Conformance], commands: Sequence[Sequence[str]]) -> list[str]:
    """What the ports call themselves, or their commands without a name; with a number where two say the same."""
    said = [
        printable(report.about.get("name", ""))[:LONGEST] or printable(" ".join(command))[-LONGEST:]
        for report, command in zip(reports, commands)
    ]
    return [f"{name} ({k})" if said.count(name) > 1 else name for k, name in enumerate(said, 1)]


def by_port(names: Sequence[str], reports: Sequence[Conformance]) -> Table:
    """Method by port: passed of sent, or "skipped"; and how many failed, are known, or were not run."""
    counts: list[dict[str, Counter[str]]] = []
    for report in reports:
        counts.append({})
        for outcome in report.outcomes:
            status = "known" if outcome.status == FAILED and outcome.case.id in report.known else outcome.status
            counts[-1].setdefault(outcome.case.method, Counter())[status] += 1
    methods = list(dict.fromkeys(method for one in counts for method in one))
    rows = [(method, *(_cell(one.get(method, Counter())) for one in counts)) for method in methods]
    return ("", *names), [*rows, ("verdict", *(report.verdict for report in reports))]


def _cell(count: Counter[str]) -> str:
    if set(count) <= {SKIPPED}:
        return SKIPPED if count else ""
    rest = [f"{count[status]} {status}" for status in (FAILED, "known", SKIPPED, NOT_RUN) if count[status]]
    return ", ".join([f"{count[PASSED]}/{sum(count.values())}", *rest])


def speeds(columns: Mapping[str, Mapping[str, Rate]]) -> Table:
    """Method by who runs it: steps a second to two digits; a star where every state of a trajectory was written."""
    methods = list(dict.fromkeys(method for rates in columns.values() for method in rates))
    rows = [(method, *(_rate(rates.get(method)) for rates in columns.values())) for method in methods]
    return ("steps a second", *columns), rows


def _rate(measured: Rate | None) -> str:
    if measured is None:
        return ""
    return f"{float(f'{measured[0]:.2g}'):,.0f}{'*' if measured[1] == 'trajectory' else ''}"
