"""Hypothesis through the pipe: new requests for as long as there is time, and shrunk failures.

There are two kinds of check: *fresh calls*, which are published requests with other numbers, and *fresh steps* of any
data. What is due is computed as for a vector.
"""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dualgap.proofs_checks.claims.by_hypothesis import by_hypothesis, smallest
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.methods.random_data import DECIMAL, DYADIC, SHAPES, Draw
from dualgap.proofs_checks.conformance.methods.registry import ROWS
from dualgap.proofs_checks.conformance.ports.outcomes import FAILED, SKIPPED, Outcome, judge
from dualgap.proofs_checks.conformance.protocol.hex_floats import decode, encode, mapped, plain
from dualgap.proofs_checks.conformance.protocol.port import Port
from dualgap.proofs_checks.conformance.protocol.process import Unreachable
from dualgap.proofs_checks.conformance.vectors.load import Case
from dualgap.proofs_checks.conformance.vectors.make_case import make_case

METHODS = tuple(ROWS)
Request = tuple[str, Json]  # the call, and what it is given


class Drawing(Draw):
    """What a row draws from, by Hypothesis: any number between those of its lists, and any of these."""

    def __init__(self, draw: DrawFn) -> None:
        self.draw = draw

    def below(self, n: int) -> int:
        return self.draw(st.integers(0, n - 1))

    def pick(self, values: Sequence[Any]) -> Any:
        chosen = st.sampled_from(list(values))
        if not isinstance(values[0], float) or set(values) == {1.0, -1.0}:  # names, counts, labels
            return self.draw(chosen)
        between = st.floats(min(values), max(values)).filter(lambda x: abs(x) >= 2.0**-10)
        return self.draw(st.one_of(chosen, between))

    def some(self, n: int, m: int) -> list[int]:
        return self.draw(st.permutations(range(n)))[:m]

    def rows(self, shape: str) -> list[list[int]]:
        """Those of a published problem, or up to 4 with entries in any of up to 3 columns; ``shape`` is not read."""
        columns = st.integers(0, self.draw(st.integers(0, 2)))
        row = st.lists(columns, max_size=3, unique=True)
        drawn = st.lists(row, min_size=1, max_size=4).filter(any)
        return self.draw(st.one_of(drawn, st.sampled_from(list(SHAPES.values()))))


@st.composite
def requests(draw: DrawFn, /, method: str) -> Json:
    """What ``step`` is given, for one of ``METHODS``, as its row draws it for the vectors."""
    row, drawing, kind = ROWS[method], Drawing(draw), draw(st.sampled_from((DECIMAL, DYADIC)))
    loss, with_l1 = draw(st.sampled_from(row.losses)), draw(st.sampled_from(row.nets))
    found: Json = plain(row.request(drawing, kind, row.problem(drawing, kind, loss, with_l1, "")))
    return found


VARIED = ("primal", "dual", "z", "alpha", "w", "u", "q", "state")  # of a request, what takes other numbers


def varied(case: Case) -> bool:
    """Whether a fresh call can be made of a published one."""
    return not set(VARIED).isdisjoint(case.given)


@st.composite
def calls(draw: DrawFn, /, cases: Sequence[Case]) -> Request:
    """A published request in which each of ``VARIED`` is multiplied by a number between 1/2 and 1.

    The domain of every conjugate contains 0 and is convex, so that alpha stays in it.
    """
    case = draw(st.sampled_from(cases))
    given = dict(case.request)
    for name in [name for name in VARIED if name in given]:
        given[name] = mapped(given[name], partial(_times, draw(st.floats(0.5, 1.0, exclude_max=True))))
    return case.call, given


def _times(factor: float, text: str) -> str:
    return encode(factor * decode(text))


def ask(port: Port, request: Request) -> Outcome | None:
    """The port's answer, judged; None where a branch is too near for one answer to be due, or every answer is right."""
    call, given = request
    answer = port.run(call, plain(given))
    if answer.kind == "skipped":
        return judge(Case("drawn", "L1", call, "R", (), given, None, None, ""), answer)
    result = make_case(call, given)
    if result is None:
        return None
    return judge(Case("drawn", "L1", call, result.tolerance_class, (), given, result.due, None, ""), answer)


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
    def strategy(self) -> SearchStrategy[Request]:
        """What its requests are drawn by."""
        if self.check == CALLS:
            return calls(self.cases)
        return requests(self.method).map(lambda given: ("step", given))

    @property
    def failed(self) -> bool:
        """Whether an answer was wrong."""
        return bool(self.text)


def checks_of(methods: tuple[str, ...] = METHODS, cases: Sequence[Case] = ()) -> list[Drawn]:
    """The checks of the steps of these methods and of the calls of these cases, of which nothing is found yet."""
    by_method: dict[str, list[Case]] = {}
    for case in cases:
        if case.predicate is None and varied(case):
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
    for request in by_hypothesis(drawn.strategy, BATCH, seed_value):
        outcome = ask(port, request)
        if outcome is None:
            continue
        if outcome.status == SKIPPED:
            drawn.skipped += 1
            continue
        drawn.problems += 1
        if outcome.status == FAILED:
            drawn.text, drawn.on = outcome.reason, request[1]
            shrunk = _shrunk(drawn, port, request, seconds, seed_value)
            again = ask(port, shrunk)
            drawn.on, drawn.text = shrunk[1], TWICE
            if again is not None and again.status == FAILED:
                drawn.text, drawn.hint = again.reason, again.hint
            return


class _Enough(BaseException):
    """The time for shrinking is over, or the port is given up. Hypothesis lets it through."""


def _shrunk(drawn: Drawn, port: Port, first: Request, seconds: float, seed_value: int) -> Request:
    """The shortest request with a wrong answer that is found in ``seconds``, at worst ``first``."""
    best, end = first, time.monotonic() + seconds

    def fails(request: Request) -> bool:
        nonlocal best
        if time.monotonic() > end:
            raise _Enough
        try:
            outcome = ask(port, request)
        except Unreachable as reason:  # which Hypothesis would take for a failure to be shrunk
            raise _Enough from reason
        failed = outcome is not None and outcome.status == FAILED
        if failed and len(repr(request)) < len(repr(best)):
            best = request
        return failed

    try:
        smallest(drawn.strategy, fails, seed_value)
    except _Enough:
        pass
    return best
