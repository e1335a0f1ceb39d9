"""Drive a port through the vectors and the drawn problems; judge what comes back; nothing that goes wrong ends
the run.
"""

import math
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field

from dualgap.proofs_checks.conformance.ports.fuzz import FRESH, Drawn, checks_of, search
from dualgap.proofs_checks.conformance.ports.outcomes import FAILED, NOT_RUN, PASSED, SKIPPED, Outcome, judge
from dualgap.proofs_checks.conformance.protocol.port import Port
from dualgap.proofs_checks.conformance.protocol.process import OutOfTime, Unreachable
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
    drawn : what Hypothesis found.
    without : what the port declares that its machine lacks; it is not tested.
    complaints : about the port as a program: no greeting, given up, no good exit. None is a failure of the run.
    """

    about: dict[str, str]
    outcomes: list[Outcome] = field(default_factory=list)
    drawn: list[Drawn] = field(default_factory=list)
    complaints: list[str] = field(default_factory=list)
    without: tuple[str, ...] = ()
    entropy: int = 0
    asked: int = 0
    seconds: float = 0.0

    def failures(self) -> list[Outcome]:
        """Return the failures."""
        return [o for o in self.outcomes if o.status == FAILED]

    def counts(self) -> Counter[str]:
        """Cases by status."""
        return Counter(outcome.status for outcome in self.outcomes)

    def hints(self) -> list[tuple[str, int]]:
        """Return the hints of the failures with their counts, the most frequent first."""
        return Counter(outcome.hint for outcome in self.failures() if outcome.hint).most_common()

    def incomplete(self) -> dict[str, str]:
        """Return the skipped cases of each method that the port has in part."""
        answered = {o.case.method for o in self.outcomes if o.status in (PASSED, FAILED)}
        skipped = Counter(o.case.method for o in self.outcomes if o.status == SKIPPED)
        asked = Counter(o.case.method for o in self.outcomes)
        said = {name: [f"{skipped[name]} of {asked[name]} vectors"] for name in skipped if name in answered}
        for drawn in self.drawn:
            if drawn.skipped and drawn.method in answered:
                said.setdefault(drawn.method, []).append(f"{drawn.skipped} {FRESH}")
        return {name: " and ".join(parts) for name, parts in said.items()}

    def complete(self) -> list[str]:
        """The methods, losses and other rows of the table that passed all their vectors."""
        statuses: dict[str, set[str]] = {}
        for outcome in self.outcomes:
            statuses.setdefault(outcome.case.method, set()).add(outcome.status)
        wrong = {drawn.method for drawn in self.drawn if drawn.failed} | self.incomplete().keys()
        return [name for name, found in statuses.items() if found == {PASSED} and name not in wrong]

    def missing(self, required: Iterable[str]) -> list[str]:
        """A sentence for each required method that is not green: every case of it must have passed."""
        found = []
        for method in required:
            own = [o for o in self.outcomes if o.case.method == method]
            counts = Counter(o.status for o in own)
            said = ", ".join(f"{counts[status]} {status}" for status in (FAILED, SKIPPED, NOT_RUN) if counts[status])
            if said or not counts[PASSED]:
                found.append(f"--require {method}: {said or 'none of its cases was run'}, of {len(own)} cases")
        return found

    @property
    def verdict(self) -> str:
        """ "pass", "fail", "incomplete" with a method answered in part, or "empty" where nothing was checked."""
        if self.complaints or self.failures() or any(drawn.failed for drawn in self.drawn):
            return "fail"
        return "incomplete" if self.incomplete() else "pass" if self.counts()[PASSED] else "empty"


def conform(
    port: Port,
    cases: Iterable[Case],
    seconds: float = 5.0,
    entropy: int = 0,
    watch: Watch = lambda name, done, total: None,
    limit: float = MOST_SECONDS,
) -> Conformance:
    """Greet the port, run every case, then draw problems for about ``seconds`` (0: none) for the calls that it does not
    skip.

    After ``limit`` seconds, > 0, no request is sent: the outcomes so far are reported, the rest is "not run", and the
    run fails. Raises Unreachable if the program cannot be started at all; everything else is in the report.
    """
    if not 0 < limit < math.inf:
        raise ValueError(f"the time limit of a run must be > 0 seconds and finite (got {limit})")
    started = time.perf_counter()
    found = Conformance(port.about, entropy=entropy)
    port.pipe.deadline = time.monotonic() + limit
    try:
        port.greet()
        found.about = port.about
        if not port.subnormals:
            found.without = ("subnormals",)
            cases = [case for case in cases if not case.id.startswith("subnormals.")]
        _ask_all(found, port, list(cases), watch, limit)
        if seconds > 0 and not found.complaints:
            answered = [o.case for o in found.outcomes if o.status in (PASSED, FAILED)]
            found.drawn = checks_of(answered)
            search(port, found.drawn, seconds, entropy, lambda name: watch(f"drawn problems: {name}", 0, 1))
        if port.pipe.alive and (status := port.stop()) != 0 and not found.complaints:
            seen = "it did not exit" if status is None else f"got {status}"
            found.complaints.append(f"after stop the port must exit with status 0 ({seen})")
    except Unreachable as reason:
        if port.pipe.starts == 0:
            raise
        found.complaints.append(_why(reason, limit, port.asked))
    found.asked = port.asked
    found.seconds = time.perf_counter() - started
    return found


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
            found.complaints.append(_why(reason, limit, port.asked))
            outcome = Outcome(case, NOT_RUN, reason=found.complaints[0])
        found.outcomes.append(outcome)
        timeouts += outcome.kind == "time-out"
        if timeouts == MOST_TIMEOUTS and not found.complaints:
            found.complaints.append(f"given up after {MOST_TIMEOUTS} requests without an answer in time")


def _why(reason: Unreachable, limit: float, asked: int) -> str:
    """Return why no further request is sent."""
    if not isinstance(reason, OutOfTime):
        return str(reason)
    if not asked:
        return f"it did not answer the greeting within {limit:g} s"
    return f"the time limit of {limit:g} s ended before all cases were run; set a longer one with --max-seconds"
