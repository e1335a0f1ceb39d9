"""New requests, drawn by Hypothesis: steps for every method and loss, and published calls with other numbers. What is
expected is computed as for a vector.
"""

from collections.abc import Sequence
from functools import partial
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.methods.random_data import DECIMAL, DYADIC, GAMMA, REGRESSION, Draw
from dualgap.proofs_checks.conformance.methods.registry import FIRST_ROWS, ROWS
from dualgap.proofs_checks.conformance.methods.spec import MethodSpec
from dualgap.proofs_checks.conformance.ports.outcomes import FAILED, Outcome, judge
from dualgap.proofs_checks.conformance.protocol.hex_floats import decode, encode, mapped, plain
from dualgap.proofs_checks.conformance.protocol.port import Port
from dualgap.proofs_checks.conformance.vectors.load import Case
from dualgap.proofs_checks.conformance.vectors.make_case import make_case
from dualgap.reference import LOSSES

FIRST = tuple(row.name for row in FIRST_ROWS)  # with numbers of any kind; others as their rows draw
METHODS = tuple(ROWS)
Request = tuple[str, Json]  # the call, and what it is given
SMOOTH_ONLY = ("aspdc",)
ZERO = encode(0.0)
EASY = (0.0, 1.0, -1.0, 0.5, 2.0, -1.5)


def numbers(low: float = -4.0, high: float = 4.0) -> SearchStrategy[float]:
    """Short numbers and full ones, none so small that its square would be lost; no negative zero."""
    full = st.floats(low, high).map(lambda x: x + 0.0 if abs(x) >= 2.0**-10 else 0.0)
    return st.one_of(st.sampled_from([x for x in EASY if low <= x <= high]), full)


def positive(low: float = 0.05) -> SearchStrategy[float]:
    """Numbers from ``low`` to 4."""
    return st.one_of(st.sampled_from((1.0, 0.5, 2.0)), st.floats(low, 4.0))


@st.composite
def problems(draw: DrawFn, /, method: str) -> Json:
    """A problem as it goes through the pipe, with alpha in the domain under "alpha"."""
    loss = draw(st.sampled_from(ROWS[method].losses if method in SMOOTH_ONLY else list(LOSSES)))
    d = draw(st.integers(1, 3))
    rows = draw(st.lists(st.lists(st.integers(0, d - 1), max_size=d, unique=True), min_size=1, max_size=4))
    columns = [j for row in rows for j in row]
    targets = numbers() if loss in REGRESSION else st.sampled_from((1.0, -1.0))
    y = [draw(targets) for _ in rows]
    inside = numbers() if loss == "squared" else numbers(-1.0, 1.0) if loss == "absolute" else numbers(0.0, 1.0)
    sign = [1.0 if loss in REGRESSION else -v for v in y]
    gamma = GAMMA[loss] if loss in GAMMA else draw(positive())
    return {
        "n": len(rows),
        "d": d,
        "starts": [sum(len(row) for row in rows[:i]) for i in range(len(rows) + 1)],
        "columns": columns,
        "values": vector([draw(numbers()) for _ in columns]),
        "y": vector(y),
        "loss": loss,
        "gamma": encode(gamma),
        "lam": encode(draw(positive())),
        "l1": encode(draw(st.one_of(st.just(0.0), positive()))),
        "alpha": vector([s * draw(inside) for s in sign]),
    }


@st.composite
def drafts(draw: DrawFn, /, method: str) -> Json:
    """What ``step`` is given."""
    problem = draw(problems(method))
    alpha = problem.pop("alpha")

    def point() -> list[str]:
        return vector([draw(numbers()) for _ in range(problem["d"])])

    one, parameters = st.integers(0, problem["n"] - 1), {}
    batches = st.lists(one, min_size=1, max_size=min(2, problem["n"]), unique=True)
    if method.startswith("spdc"):
        delta = positive() if GAMMA.get(problem["loss"]) == 0.0 else st.just(0.0)
        drawn = {"tau": positive(), "sigma": positive(), "theta": st.sampled_from((0.5, 0.75, 0.9)), "delta": delta}
        parameters = {name: encode(draw(strategy)) for name, strategy in drawn.items()}
    if method == "spdc-nonuniform":
        parameters["weight"] = vector([draw(positive(0.2)) for _ in range(problem["n"])])  # type: ignore[assignment]
    state: Json
    if method == "pgs":
        state = {"w": point(), "acc": point(), "total": point(), "t": draw(st.integers(0, 5))}
    else:
        names = ("v",) if method in ("aspdc", "sdca") else ("w", "w_bar", "u")
        state = {**{name: point() for name in names}, "alpha": alpha}
    choice = draw(batches if method in ("spdc-minibatch", "pgs") else one)
    return {"method": method, "problem": problem, "parameters": parameters, "state": state, "choice": choice}


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


@st.composite
def row_drafts(draw: DrawFn, /, row: MethodSpec) -> Json:
    """What ``step`` is given, as a row draws it for its vectors."""
    drawing, kind = Drawing(draw), draw(st.sampled_from((DECIMAL, DYADIC)))
    loss, with_l1 = draw(st.sampled_from(row.losses)), draw(st.sampled_from(row.nets))
    problem = row.problem(drawing, kind, loss, with_l1, draw(st.sampled_from(kind.shapes)))
    found: Json = plain(row.request(drawing, kind, problem))
    return found


def requests(method: str) -> SearchStrategy[Json]:
    """What ``step`` is given, for one of ``METHODS``; not SPDC on zero rows alone: the reference takes no step."""
    if method not in FIRST:
        return row_drafts(ROWS[method])
    drawn = drafts(method)
    return (
        drawn.filter(lambda r: any(x != ZERO for x in r["problem"]["values"])) if method.startswith("spdc") else drawn
    )


def vector(values: list[float]) -> list[str]:
    """Numbers as they go through the pipe; no negative zero."""
    return [encode(value + 0.0) for value in values]


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


def fails(port: Port, request: Request) -> bool:
    """Whether the answer is wrong."""
    outcome = ask(port, request)
    return outcome is not None and outcome.status == FAILED
