"""Hypothesis through the pipe: new requests for as long as there is time, and shrunk failures.

There are two kinds of check: *fresh calls*, which are published requests with other numbers, and *fresh steps* of any
data. What is due is computed as for a vector.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dualgap.proofs_checks.claims.by_hypothesis import by_hypothesis as draw
from dualgap.proofs_checks.claims.by_hypothesis import smallest
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.ports import fuzz_steps
from dualgap.proofs_checks.conformance.ports.fuzz_steps import Request
from dualgap.proofs_checks.conformance.ports.outcomes import FAILED, SKIPPED
from dualgap.proofs_checks.conformance.protocol.port import Port
from dualgap.proofs_checks.conformance.protocol.process import Unreachable
from dualgap.proofs_checks.conformance.vectors.load import Case

BATCH = 25  # problems drawn at a time
SHRINKING = 3.0  # seconds for one failure at most
FRESH, CALLS = "fresh steps", "fresh calls"
TWICE = "the port answered the same request in two ways: a step must depend on its request alone"


@dataclass
class Drawn:
    """What was found of one check of one method.

    Attributes
    ----------
    cases : of fresh calls, the published cases of which they are made.
    problems : on how many the check was made; skipped : how many the port skipped.
    text : what is wrong with the answer to the smallest request found, or "".
    on : that request, as it went through the pipe.
    hint : what the first wrong number is to the right one; "" where it is nothing simple.
    """

    method: str
    check: str
    cases: Sequence[Case] = ()
    problems: int = 0
    skipped: int = 0
    text: str = ""
    on: Json | None = None
    hint: str = ""

    @property
    def failed(self) -> bool:
        """Whether an answer was wrong."""
        return bool(self.text)


def checks_of(methods: tuple[str, ...] = fuzz_steps.METHODS, cases: Sequence[Case] = ()) -> list[Drawn]:
    """The checks of the steps of these methods and of the calls of these cases, of which nothing is found yet."""
    by_method: dict[str, list[Case]] = {}
    for case in cases:
        if case.predicate is None and fuzz_steps.varied(case):
            by_method.setdefault(case.method, []).append(case)
    calls = [Drawn(method, CALLS, tuple(own)) for method, own in by_method.items()]
    return [*(Drawn(method, FRESH) for method in methods), *calls]


def search(
    port: Port, found: list[Drawn], seconds: float, entropy: int, watch: Callable[[str], None] = lambda name: None
) -> None:
    """Draw for about ``seconds``, at least one batch for each check; the first wrong answer of each is shrunk.

    Parameters
    ----------
    found : ``checks_of`` the methods, written as it goes on, so that what was found is there also when it is cut short.
    entropy : the one number from which everything is drawn.
    watch : called with the name of the method before each batch.

    Raises Unreachable when the port is given up or the time for the whole run is over.
    """
    end, batch, shrinking = time.monotonic() + seconds, 0, min(SHRINKING, max(seconds, 0.2))
    while (left := [drawn for drawn in found if not drawn.failed]) and (batch == 0 or time.monotonic() < end):
        for drawn in left:
            watch(drawn.method)
            _draw_batch(drawn, port, shrinking, entropy + batch)
        batch += 1


def _draw_batch(drawn: Drawn, port: Port, seconds: float, seed_value: int) -> None:
    """A batch of requests; the first that is answered wrongly is shrunk and ends it."""
    strategy = fuzz_steps.calls(drawn.cases) if drawn.check == CALLS else fuzz_steps.steps(drawn.method)
    for request in draw(strategy, BATCH, seed_value):
        outcome = fuzz_steps.ask(port, request)
        if outcome is None:
            continue
        if outcome.status == SKIPPED:
            drawn.skipped += 1
            continue
        drawn.problems += 1
        if outcome.status == FAILED:
            drawn.text, drawn.on = outcome.reason, request[1]
            shrunk = _shrunk(drawn, port, request, seconds, seed_value)
            again = fuzz_steps.ask(port, shrunk)
            drawn.on, drawn.text = shrunk[1], TWICE
            if again is not None and again.status == FAILED:
                drawn.text, drawn.hint = again.reason, again.hint
            return


class _Enough(BaseException):
    """The time for shrinking is over, or the port is given up. Hypothesis lets it through."""


def _shrunk(drawn: Drawn, port: Port, first: Request, seconds: float, seed_value: int) -> Request:
    """The shortest request with a wrong answer that is found in ``seconds``, at worst ``first``."""
    strategy = fuzz_steps.calls(drawn.cases) if drawn.check == CALLS else fuzz_steps.steps(drawn.method)
    best, end = first, time.monotonic() + seconds

    def fails(request: Request) -> bool:
        nonlocal best
        if time.monotonic() > end:
            raise _Enough
        try:
            outcome = fuzz_steps.ask(port, request)
        except Unreachable as reason:  # which Hypothesis would take for a failure to be shrunk
            raise _Enough from reason
        failed = outcome is not None and outcome.status == FAILED
        if failed and len(repr(request)) < len(repr(best)):
            best = request
        return failed

    try:
        smallest(strategy, fails, seed_value)
    except _Enough:
        pass
    return best
