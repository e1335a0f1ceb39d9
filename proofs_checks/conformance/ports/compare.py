"""Compare several ports: a table of methods by ports, and the steps per second of each port, of the reference in
floats, and of the compiled code, on one problem from one start.

The request for a measurement is for the state after the last of many choices (call ``last``), so that the text of the
answer does not count. A port that skips this call gets a request for a trajectory, of which it writes every state. The
time is wall-clock time, so other load on the machine changes it.
"""

import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from dualgap.fast.methods.registry import kernels
from dualgap.proofs_checks.conformance.methods.random_data import Draw
from dualgap.proofs_checks.conformance.ports.outcomes import FAILED, NOT_RUN, PASSED, SKIPPED
from dualgap.proofs_checks.conformance.ports.port_method import problem_to_json
from dualgap.proofs_checks.conformance.ports.run import Conformance
from dualgap.proofs_checks.conformance.ports.whole_runs import start
from dualgap.proofs_checks.conformance.protocol.port import Port
from dualgap.proofs_checks.report.terminal import printable
from dualgap.reference import ElasticNet, Method, Problem, SmoothedHinge, method

Table = tuple[tuple[str, ...], list[tuple[str, ...]]]
Rate = tuple[float, str]  # steps a second, and the call that was timed
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


METHODS = ("aspdc", "sdca", "spdc", "pgs")  # whose choices are drawn without the state
ROWS, COLUMNS, ENTRIES = 1000, 100, 10
LONG = 0.2  # seconds that the last measurement takes at least
MOST = 2**17  # steps of one measurement at most: their choices are a line of less than a megabyte
SHORT = 2**9  # the same where every state is written


def problem_of_speed() -> Problem:
    """A thousand rows of ten entries of +-0.3, labels +-1, smoothed hinge with gamma 1, lam 0.05, no l1: the average of
    PGS has no lazy form with it.
    """
    draw = Draw("speed")
    rows = [[(j, draw.pick([0.3, -0.3])) for j in draw.some(COLUMNS, ENTRIES)] for _ in range(ROWS)]
    return Problem(rows, [draw.pick([1.0, -1.0]) for _ in rows], SmoothedHinge(1.0), ElasticNet(0.05, 0), d=COLUMNS)


def choices_of(made_of: Method[Any], problem: Problem, steps: int) -> list[Any]:
    """The first choices of seed 0, order uniform, over as many passes as it takes."""
    found: list[Any] = []
    for epoch in range(steps):  # of one step at least
        if len(found) >= steps:
            break
        found += made_of.draw(problem, "uniform", 0, epoch).tolist()
    return found[:steps]


def rate(run: Callable[[int], object], most: int = MOST) -> float:
    """Steps a second of ``run(steps)``: twice as many steps, until one call takes long enough."""
    steps = 32
    while True:
        begun = time.perf_counter()
        run(steps)
        taken = time.perf_counter() - begun
        if taken >= LONG or 2 * steps > most:
            return steps / taken
        steps *= 2


def of_port(port: Port, problem: Problem) -> dict[str, Rate]:
    """Steps a second of each method that the port does not skip. Raises Unreachable."""
    found = {name: _of_method(port, problem, name) for name in METHODS}
    return {name: pair for name, pair in found.items() if pair is not None}


def _of_method(port: Port, problem: Problem, name: str) -> Rate | None:
    made_of = method(name)
    given = {"method": name, "problem": problem_to_json(problem), **start(made_of, problem)}
    drawn = choices_of(made_of, problem, MOST)
    for call, most in (("last", MOST), ("trajectory", SHORT)):
        if port.run(call, {**given, "choices": drawn[:1]}).result is not None:
            return (rate(lambda steps: port.run(call, {**given, "choices": drawn[:steps]}), most), call)  # noqa: B023  # called at once
    return None


def of_reference(problem: Problem) -> dict[str, Rate]:
    """The same of the reference, in floats."""

    def timed(name: str) -> float:
        made_of = method(name)
        drawn = choices_of(made_of, problem, MOST)
        return rate(lambda steps: made_of.run(problem, drawn[:steps]))

    return {name: (timed(name), "in Python") for name in METHODS}


def of_compiled(problem: Problem) -> dict[str, Rate]:
    """The same of the compiled code, once it is compiled."""
    import numpy as np

    def timed(name: str) -> float:
        fast = kernels()[name]()
        drawn = np.array(choices_of(fast.reference, problem, MOST), dtype=np.int64)
        fast.run(problem, drawn)
        return rate(lambda steps: fast.run(problem, drawn[:steps]))

    return {name: (timed(name), "compiled") for name in METHODS}
