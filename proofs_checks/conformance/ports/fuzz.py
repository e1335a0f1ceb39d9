"""Hypothesis through the pipe: new requests and new problems for as long as there is time, and shrunk failures.

Three kinds of check: *fresh calls*, which are published requests with other numbers, and *fresh steps* of any data,
each due as a vector's result is; and *theorems* on problems where doubles make no rounding, judged exactly, with the
expectations taken over all choices of the port's own step.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

from hypothesis.strategies import SearchStrategy

from dualgap.proofs_checks.claims.by_hypothesis import by_hypothesis as draw
from dualgap.proofs_checks.claims.by_hypothesis import smallest as shrunk
from dualgap.proofs_checks.claims.instance import Instance
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.ports import fuzz_steps, port_method
from dualgap.proofs_checks.conformance.ports.exact_instances import exact_instances
from dualgap.proofs_checks.conformance.ports.outcomes import FAILED
from dualgap.proofs_checks.conformance.ports.outcomes import SKIPPED as CASE_SKIPPED
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
    problems : on how many the check was made; skipped : how many the port skipped.
    cases : of fresh calls, the published cases of which they are made.
    text : what is false on the smallest problem found, or "".
    on : that problem, as data.
    requests : the requests that show it, as they went through the pipe.
    hint : what the first wrong number is to the right one; "" where it is nothing simple.
    """

    method: str
    check: str
    cases: Sequence[Case] = ()
    problems: int = 0
    skipped: int = 0
    text: str = ""
    on: Json = field(default_factory=dict)
    requests: list[Json] = field(default_factory=list)
    hint: str = ""

    @property
    def failed(self) -> bool:
        """Whether the check was false somewhere."""
        return bool(self.text)


def checks_of(methods: tuple[str, ...] = fuzz_steps.METHODS, cases: Sequence[Case] = ()) -> list[Drawn]:
    """All checks of the steps of these methods and of the calls of these cases, of which nothing is found yet."""
    by_method: dict[str, list[Case]] = {}
    for case in cases:
        if case.predicate is None and fuzz_steps.varied(case):
            by_method.setdefault(case.method, []).append(case)
    calls = [Drawn(method, CALLS, tuple(own)) for method, own in by_method.items()]
    return [*(Drawn(method, check) for method in methods for check in (FRESH, *port_method.checks(method))), *calls]


def search(
    port: Port, found: list[Drawn], seconds: float, entropy: int, watch: Callable[[str], None] = lambda name: None
) -> None:
    """Draw for about ``seconds``, at least one batch for each method; of each method the first false check is shrunk.

    Parameters
    ----------
    found : ``checks_of`` the methods, written as it goes on, so that what was found is there also when it is cut short.
    entropy : the one number from which everything is drawn.
    watch : called with the name of the method before each batch.

    Raises Unreachable when the port is given up or the time for the whole run is over.
    """
    left = list(dict.fromkeys(drawn.method for drawn in found))
    end, batch, shrinking = time.monotonic() + seconds, 0, min(SHRINKING, max(seconds, 0.2))
    while left and (batch == 0 or time.monotonic() < end):
        for method in tuple(left):
            watch(method)
            mine = [drawn for drawn in found if drawn.method == method]
            fresh = [drawn for drawn in mine if drawn.check in (FRESH, CALLS)]
            for drawn in fresh:
                _fresh(drawn, port, shrinking, entropy + batch)
            if not any(drawn.failed for drawn in fresh):
                _theorems([drawn for drawn in mine if drawn not in fresh], port, shrinking, entropy + batch)
            if any(drawn.failed for drawn in mine):
                left.remove(method)
        batch += 1


def _fresh(drawn: Drawn, port: Port, seconds: float, seed_value: int) -> None:
    """A batch of fresh calls or steps."""
    strategy = fuzz_steps.calls(drawn.cases) if drawn.check == CALLS else fuzz_steps.steps(drawn.method)
    for given_here in draw(strategy, BATCH, seed_value):
        outcome = fuzz_steps.ask(port, given_here)
        if outcome is None:
            continue
        if outcome.status == CASE_SKIPPED:
            drawn.skipped += 1
            continue
        drawn.problems += 1
        if outcome.status == FAILED:
            drawn.text, drawn.on, drawn.requests = outcome.reason, given_here[1], [given_here[1]]
            shrunk = smallest(strategy, partial(fuzz_steps.fails, port), given_here, seconds, seed_value)
            again = fuzz_steps.ask(port, shrunk)
            wrong = again is not None and again.status == FAILED
            drawn.text = again.reason if again is not None and wrong else TWICE
            drawn.on, drawn.requests = shrunk[1], [shrunk[1]]
            drawn.hint = again.hint if again is not None else ""
            return


def _theorems(checks: list[Drawn], port: Port, seconds: float, seed_value: int) -> None:
    """A batch of exact problems; the first that is false for a check is shrunk, and that is the end for this method."""
    if not checks:
        return
    for instance in draw(exact_instances(checks[0].method), BATCH, seed_value):
        for drawn in checks:
            check = port_method.checks(drawn.method)[drawn.check]
            try:
                false = port_method.first_false(check, instance, port)
            except port_method.Skipped:
                drawn.skipped += 1
                continue
            drawn.problems += 1
            if false is not None:
                drawn.text = false
                _shrink(drawn, instance, port, seconds, seed_value)
                return


def _shrink(drawn: Drawn, instance: Instance, port: Port, seconds: float, seed_value: int) -> None:
    """Keep the smallest instance on which the check is false of the port, and the requests that show it."""
    check = port_method.checks(drawn.method)[drawn.check]
    drawn.on, drawn.requests = instance.to_json(), port_method.requests_of(instance)

    def bad(candidate: Instance) -> bool:
        try:
            return port_method.first_false(check, candidate, port) is not None
        except port_method.Skipped:
            return False

    shrunk = smallest(exact_instances(drawn.method), bad, instance, seconds, seed_value)
    drawn.text = port_method.first_false(check, shrunk, port) or TWICE
    drawn.on, drawn.requests = shrunk.to_json(), port_method.requests_of(shrunk)


class _Enough(BaseException):
    """The time for shrinking is over, or the port is given up. Hypothesis lets it through."""


def smallest(
    strategy: SearchStrategy[Any], fails: Callable[[Any], bool], first: object, seconds: float, seed_value: int
) -> Any:
    """The shortest value on which ``fails`` that is found in ``seconds``, at worst ``first``."""
    best, end = first, time.monotonic() + seconds

    def bad(value: object) -> bool:
        nonlocal best
        if time.monotonic() > end:
            raise _Enough
        try:
            failed = fails(value)
        except Unreachable as reason:  # which Hypothesis would take for a failure to be shrunk
            raise _Enough from reason
        if failed and len(repr(value)) < len(repr(best)):
            best = value
        return failed

    try:
        shrunk(strategy, bad, seed_value)
    except _Enough:
        pass
    return best
