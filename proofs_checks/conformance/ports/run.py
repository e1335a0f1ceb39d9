"""Drive a port through the vectors and the drawn problems; judge what comes back; nothing that goes wrong ends
the run.
"""

import math
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from dualgap.proofs_checks.claims.parallel import in_order, on_cluster, usable
from dualgap.proofs_checks.conformance.ports import fuzz_steps
from dualgap.proofs_checks.conformance.ports.fuzz import Drawn, checks_of, search
from dualgap.proofs_checks.conformance.ports.outcomes import FAILED, NOT_RUN, PASSED, SKIPPED, Outcome, judge
from dualgap.proofs_checks.conformance.protocol.port import Port
from dualgap.proofs_checks.conformance.protocol.process import OutOfTime, Unreachable
from dualgap.proofs_checks.conformance.vectors.limits import SUBNORMALS
from dualgap.proofs_checks.conformance.vectors.load import Case

MOST_TIMEOUTS = 5  # after so many time-outs in a run, no more requests are sent to a port
MOST_SECONDS = 600.0  # for the whole run: about 0.15 s for each case

Watch = Callable[[str, int, int], None]


@dataclass
class Conformance:
    """The run of one port.

    Attributes
    ----------
    about : name, language and version, from the port's greeting.
    outcomes : one for each case.
    known : case id to reason, of the failures that are listed.
    drawn : what Hypothesis found.
    without : what the port declares that its machine lacks; it is not tested.
    complaints : about the port as a program: no greeting, given up, no good exit. None is a failure of the run.
    """

    about: dict[str, str]
    outcomes: list[Outcome] = field(default_factory=list)
    known: dict[str, str] = field(default_factory=dict)
    drawn: list[Drawn] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    without: tuple[str, ...] = ()
    entropy: int = 0
    asked: int = 0
    seconds: float = 0.0

    def failures(self) -> list[Outcome]:
        """What failed and is not listed as known."""
        return [o for o in self.outcomes if o.status == FAILED and o.case.id not in self.known]

    def stale(self) -> list[Outcome]:
        """What is listed as a known failure and did not fail."""
        return [o for o in self.outcomes if o.status in (PASSED, SKIPPED) and o.case.id in self.known]

    def counts(self) -> Counter[str]:
        """Cases by status."""
        return Counter(outcome.status for outcome in self.outcomes)

    def hints(self) -> list[tuple[str, int]]:
        """What the first wrong numbers are to the right ones, with the number of failures, most of them first."""
        return Counter(outcome.hint for outcome in self.failures() if outcome.hint).most_common()

    def incomplete(self) -> dict[str, str]:
        """What is skipped of each method of which something is answered: the port has a part of it."""
        answered = {o.case.method for o in self.outcomes if o.status in (PASSED, FAILED)}
        skipped = Counter(o.case.method for o in self.outcomes if o.status == SKIPPED)
        asked = Counter(o.case.method for o in self.outcomes)
        said = {name: [f"{skipped[name]} of {asked[name]} vectors"] for name in skipped if name in answered}
        for drawn in self.drawn:
            if drawn.skipped and drawn.method in answered:
                said.setdefault(drawn.method, []).append(f"{drawn.skipped} {drawn.check}")
        return {name: " and ".join(parts) for name, parts in said.items()}

    def complete(self) -> list[str]:
        """The methods, losses and other rows of the table that passed all their vectors."""
        statuses: dict[str, set[str]] = {}
        for outcome in self.outcomes:
            statuses.setdefault(outcome.case.method, set()).add(outcome.status)
        wrong = {drawn.method for drawn in self.drawn if drawn.failed} | self.incomplete().keys()
        return [name for name, found in statuses.items() if found == {PASSED} and name not in wrong]

    @property
    def verdict(self) -> str:
        """ "pass", "fail", "incomplete" with a method answered in part, or "empty" where nothing was checked."""
        if self.complaints or self.failures() or self.stale() or any(drawn.failed for drawn in self.drawn):
            return "fail"
        return "incomplete" if self.incomplete() else "pass" if self.counts()[PASSED] else "empty"


def conform(
    port: Port,
    cases: Iterable[Case],
    known: dict[str, str] | None = None,
    seconds: float = 5.0,
    entropy: int = 0,
    watch: Watch = lambda name, done, total: None,
    limit: float = MOST_SECONDS,
    jobs: int = 1,
) -> Conformance:
    """Greet the port, run every case, then draw problems for about ``seconds`` (0: none) for the calls that it does not
    skip.

    After ``limit`` seconds, > 0, no request is sent: the outcomes so far are reported, the rest is "not run", and the
    run fails. With several ``jobs``, or on the cluster of ``joblib.parallel_config``, each copy of the port gets a part
    of the cases. The outcomes are the same. Raises Unreachable if the program cannot be started at all; everything else
    is in the report.
    """
    if not 0 < limit < math.inf:
        raise ValueError(f"the time limit of a run must be > 0 seconds and finite (got {limit})")
    started = time.perf_counter()
    found = Conformance(port.about, known=known or {}, entropy=entropy)

    def ask() -> None:
        nonlocal cases
        if not port.subnormals:
            found.without = ("subnormals",)
            cases = [case for case in cases if not case.id.startswith(f"{SUBNORMALS}.")]
        if jobs == 1 and not on_cluster():
            _ask_all(found, port, list(cases), watch, limit)
        else:
            _ask_in_parts(found, port, list(cases), watch, limit, jobs)
        if seconds > 0 and not found.complaints:
            answered = [o.case for o in found.outcomes if o.status in (PASSED, FAILED)]
            steps = {case.method for case in answered if case.call == "step"}
            methods = tuple(name for name in fuzz_steps.METHODS if name in steps)
            found.drawn = checks_of(methods, answered)
            search(port, found.drawn, seconds, entropy, lambda name: watch(f"drawn problems: {name}", 0, 1))

    _visit(found, port, limit, ask)
    found.seconds = time.perf_counter() - started
    return found


def _visit(found: Conformance, port: Port, limit: float, ask: Callable[[], None]) -> None:
    """Greet the port, ask it and let it go; errors become complaints. Raises Unreachable when it cannot be started."""
    port.pipe.deadline = time.monotonic() + limit
    try:
        port.greet()
        found.about = port.about
        ask()
        if port.pipe.alive and (status := port.stop()) != 0 and not found.complaints:
            seen = "it did not exit" if status is None else f"got {status}"
            found.complaints.append(f"after stop the port must exit with status 0 ({seen})")
    except Unreachable as reason:
        if port.pipe.starts == 0:
            raise
        found.complaints.append(_why(reason, limit) if port.asked else _silent(reason, limit))
    found.asked += port.asked


class _Cases(list[Case]):
    """A part of the cases."""

    def __str__(self) -> str:
        return f"{len(self)} cases, {self[0].id} the first"


@dataclass(frozen=True)
class _Part:
    """Run a part of the cases on a new copy of the port, until the time (``time.time``) at which the limit is over."""

    command: tuple[str, ...]
    seconds: float
    limit: float
    until: float

    def __call__(self, cases: list[Case]) -> Conformance:
        found = Conformance({})
        with Port(self.command, self.seconds) as port:
            left = max(self.until - time.time(), 1e-3)
            _visit(found, port, left, lambda: _ask_all(found, port, cases, lambda name, done, total: None, self.limit))
        missing = cases[len(found.outcomes) :]  # the port failed in the greeting
        found.outcomes += [Outcome(case, NOT_RUN, reason=found.complaints[0]) for case in missing]
        return found


def _ask_in_parts(found: Conformance, port: Port, cases: list[Case], watch: Watch, limit: float, jobs: int) -> None:
    """An outcome for every case, in the order of the cases. The cases are dealt in turn to the copies of the port."""
    count = min(4 * (usable(None) if on_cluster() else jobs), len(cases))
    part = _Part(tuple(port.pipe.command), port.pipe.seconds, limit, time.time() + limit)
    parts = [_Cases(cases[k::count]) for k in range(count)]
    found.outcomes = [Outcome(case, NOT_RUN) for case in cases]
    try:
        asked = in_order(part, parts, jobs, lambda cases, done: watch(str(cases), done, count))
    except RuntimeError as lost:  # our own process failed, not the port
        found.complaints.append(str(lost))
        return
    for k, there in enumerate(asked):
        found.outcomes[k::count] = there.outcomes
        found.complaints += [complaint for complaint in there.complaints if complaint not in found.complaints]
        found.asked += there.asked


def _ask_all(found: Conformance, port: Port, cases: list[Case], watch: Watch, limit: float) -> None:
    """An outcome for every case; "not run" after the port was given up."""
    timeouts = 0
    for done, case in enumerate(cases):
        if done % 50 == 0:
            watch(case.id, done, len(cases))
        if found.complaints:
            found.outcomes.append(Outcome(case, NOT_RUN, reason=found.complaints[0]))
            continue
        try:
            outcome = judge(case, port.run(case.call, case.request))
        except Unreachable as reason:  # the previous case ended the port, and it could not be restarted
            found.complaints.append(_why(reason, limit))
            outcome = Outcome(case, NOT_RUN, reason=found.complaints[0])
        found.outcomes.append(outcome)
        timeouts += outcome.kind == "time-out"
        if timeouts == MOST_TIMEOUTS and not found.complaints:
            found.complaints.append(f"given up after {MOST_TIMEOUTS} requests without an answer in time")


def _silent(reason: Unreachable, limit: float) -> str:
    """Why the port was not asked anything."""
    return f"it did not answer the greeting within {limit:g} s" if isinstance(reason, OutOfTime) else str(reason)


def _why(reason: Unreachable, limit: float) -> str:
    """Why no further request is sent."""
    if isinstance(reason, OutOfTime):
        return f"the time limit of {limit:g} s ended before all cases were run; set a longer one with --max-seconds"
    return str(reason)
