"""Hypothesis through the pipe: published requests with other numbers, while there is time, and shrunk failures.

What is due is computed as for a vector.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from dualgap.proofs_checks.claims.by_hypothesis import by_hypothesis, smallest
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.ports.outcomes import FAILED, SKIPPED, Outcome, judge
from dualgap.proofs_checks.conformance.protocol.hex_floats import decode, encode, mapped, plain
from dualgap.proofs_checks.conformance.protocol.port import Port
from dualgap.proofs_checks.conformance.protocol.process import Unreachable
from dualgap.proofs_checks.conformance.vectors.load import Case
from dualgap.proofs_checks.conformance.vectors.make_case import make_case
from dualgap.reference import LOSSES

Request = tuple[str, Json]  # the call, and what it is given
VARIED = ("primal", "dual", "z", "alpha", "w", "u", "q")  # of a request, what takes other numbers
LONGEST = 40  # entries of a problem that is varied
BATCH = 25  # requests drawn at a time
SHRINKING = 3.0  # seconds for one failure at most
FRESH = "fresh calls"
TWICE = "the port answered the same request in two ways: a step must depend on its request alone"


def varied(case: Case) -> bool:
    """Return whether fresh calls are made of a published one."""
    long = len(case.given.get("problem", {}).get("values", ())) > LONGEST
    return case.predicate is None and not long and not {*VARIED, "state"}.isdisjoint(case.given)


@st.composite
def calls(draw: DrawFn, /, cases: Sequence[Case]) -> Request:
    """A published request in which numbers are multiplied by numbers between 1/2 and 1, one for each member, and for
    each entry of a problem. The columns of the problem change their places.

    The domain of every conjugate contains 0 and is convex, so that alpha stays in it. For a loss of classes the entries
    of alpha add up to 0, which powers of two keep.
    """
    factor = st.floats(0.5, 1.0, exclude_max=True)
    case = draw(st.sampled_from(cases))
    given = dict(case.request)
    for name in [name for name in VARIED if name in given]:
        exact = name == "alpha" and isinstance(given.get("target"), int)
        given[name] = _times(draw(st.sampled_from((0.5, 0.25)) if exact else factor), given[name])
    if "state" in given:
        given["state"] = {name: _times(draw(factor), value) for name, value in given["state"].items()}
    if "problem" in given:
        p = dict(given["problem"])
        others = ["lam", "l1", *["y"] * (not LOSSES[p["loss"]].margin), *["gamma"] * LOSSES[p["loss"]].adjustable]
        p |= {name: _times(draw(factor), p[name]) for name in others}
        places = draw(st.permutations(range(p["d"])))
        p["columns"] = [places[j] for j in p["columns"]]
        p["values"] = [_times(draw(factor), value) for value in p["values"]]
        given["problem"] = p
    return case.call, given


def _times(factor: float, value: object) -> Json:
    """Every number of a JSON value times the factor."""
    found: Json = mapped(value, lambda text: encode(factor * decode(text)))
    return found


def ask(port: Port, request: Request) -> Outcome | None:
    """Judge the port's answer. Return None if a branch is too close to expect one answer, or if every answer is
    right."""
    call, given = request
    answer = port.run(call, plain(given))
    if answer.kind == "skipped":
        return judge(Case("drawn", "L1", call, "R", (), given, None, None, ""), answer)
    result = make_case(call, given)
    if result is None:
        return None
    return judge(Case("drawn", "L1", call, result.tolerance_class, (), given, result.due, None, ""), answer)


@dataclass
class Drawn:
    """The results of one method, loss or other row of the report.

    Attributes
    ----------
    cases : the published cases of which fresh calls are made.
    problems : how many were judged; skipped : how many the port skipped.
    text : what is wrong with the answer to the smallest request found, or "".
    on : that request, as it went through the pipe.
    hint : what the first wrong number is to the right one; "" if it is nothing simple.
    """

    method: str
    cases: Sequence[Case]
    problems: int = 0
    skipped: int = 0
    text: str = ""
    on: Json | None = None
    hint: str = ""

    @property
    def failed(self) -> bool:
        """True if an answer was wrong."""
        return bool(self.text)


def checks_of(cases: Iterable[Case]) -> list[Drawn]:
    """The rows of the report that have such cases, of which nothing is found yet."""
    by_method: dict[str, list[Case]] = {}
    for case in filter(varied, cases):
        by_method.setdefault(case.method, []).append(case)
    return [Drawn(method, own) for method, own in by_method.items()]


def search(
    port: Port, found: list[Drawn], seconds: float, entropy: int, watch: Callable[[str], None] = lambda name: None
) -> None:
    """Draw for about ``seconds``, at least one batch for each row; the first wrong answer of each is shrunk.

    Parameters
    ----------
    found : ``checks_of`` the cases, written as it goes on, so that what was found is there also when it is cut short.
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
    for request in by_hypothesis(calls(drawn.cases), BATCH, seed_value):
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
        smallest(calls(drawn.cases), fails, seed_value)
    except _Enough:
        pass
    return best
