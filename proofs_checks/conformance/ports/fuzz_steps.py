"""New requests, drawn by Hypothesis: steps for every method and loss, and published calls with other numbers. What is
expected is computed as for a vector.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.methods.random_data import DECIMAL, DYADIC, SHAPES, Draw
from dualgap.proofs_checks.conformance.methods.registry import ROWS
from dualgap.proofs_checks.conformance.ports.outcomes import Outcome, judge
from dualgap.proofs_checks.conformance.protocol.hex_floats import decode, encode, mapped, plain
from dualgap.proofs_checks.conformance.protocol.port import Port
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


def steps(method: str) -> SearchStrategy[Request]:
    """``requests``, with the name of the call."""
    return requests(method).map(lambda given: ("step", given))


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
