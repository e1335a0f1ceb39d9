"""Methods that are no exact function of their state, and whether the checks say so."""

import re
from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import partial
from typing import Any

from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.engines.purity import Impure, require_pure
from dualgap.reference import Problem
from dualgap.reference.methods.base import DualState
from dualgap.reference.methods.sdca import SDCA
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.problem import Vector

TWO_ROWS = Instance((Qs(1, 0), Qs(1, 2)), Qs(1, -1), Qs(0, 0), Q(1))


class Table(DualState):
    """A state with a list of lists."""

    __slots__ = ("g",)
    g: list[list[Number]]


class Shallow(Table):
    """Its copy has its own lists, and shares the lists in them."""

    __slots__ = ()

    def copy(self) -> "Shallow":
        return self.with_fields({k: list(v) if isinstance(v, list) else v for k, v in self.fields().items()})


class Counting(SDCA):
    """SDCA that counts its steps in a table: pure."""

    kind: type[Table] = Table

    def init(self, problem: Problem, alpha: Vector | None = None) -> DualState:
        state = super().init(problem, alpha)
        return self.kind(v=state.v, alpha=state.alpha, g=[[problem.zero] for _ in range(problem.n)])

    def advance(self, problem: Problem, state: DualState, choice: int) -> None:
        super().advance(problem, state, choice)
        assert isinstance(state, Table)
        state.g[choice][0] = state.g[choice][0] + 1


class InPlace(Counting):
    """Its step changes the table of its argument."""

    kind = Shallow


class Restarted(SDCA):
    """Each first state is another one."""

    calls = 0

    def init(self, problem: Problem, alpha: Vector | None = None) -> DualState:
        state, self.calls = super().init(problem, alpha), self.calls + 1
        state.v[0] = state.v[0] + self.calls
        return state


class Tired(SDCA):
    """After 40 steps, of whatever run, it steps otherwise: no two calls in a row show it."""

    steps = 0

    def advance(self, problem: Problem, state: DualState, choice: object) -> None:
        self.steps += 1
        state.v[0] = state.v[0] + (1 if self.steps <= 40 else 2)


class Floats(SDCA):
    """A step in floats."""

    def advance(self, problem: Problem, state: DualState, choice: int) -> None:
        super().advance(problem, state, choice)
        state.alpha[choice] = state.alpha[choice] * 0.5


class FloatChances(SDCA):
    """Probabilities 1/n as floats."""

    def choices(self, problem: Problem, state: DualState) -> list[tuple[int, Any]]:
        return [(i, 1 / problem.n) for i in range(problem.n)]


class HalfChances(SDCA):
    """Probabilities whose sum is 1/2."""

    def choices(self, problem: Problem, state: DualState) -> list[tuple[int, Fraction]]:
        return [(i, Fraction(1, 2 * problem.n)) for i in range(problem.n)]


IMPURE: dict[type[SDCA], str] = {  # method: the expected message
    InPlace: r"step changes the state that it is given .*g\[\d\]\[0\] was 0(\.0)? and is then 1",
    Restarted: "init gives two answers to one question",
    Tired: "the same walk from equal states ends elsewhere",
    Floats: r"step computes in floats .*choice \d: alpha\[\d\] = ",
    FloatChances: r"choices.*choice 0 has the probability (0\.\d+|1\.0), of type float",
    HalfChances: r"probabilities >= 0 whose sum is 1 \(got the sum 1/2\)",
}


def said(ask: Callable[..., object], *arguments: object) -> str:
    """Return the message of the Impure error, or of one in the chain of causes; "" if there is none."""
    try:
        ask(*arguments)
    except Exception as error:
        return next((str(found) for found in (error, error.__cause__) if isinstance(found, Impure)), "")
    return ""


def methods() -> Iterator[str]:
    """The check of a method: each is refused for its own reason, but the pure one."""
    problem = TWO_ROWS.problem()
    expected: dict[type[SDCA], str] = {Counting: "^$", **IMPURE}
    for kind, due in expected.items():
        method = kind()
        found = said(require_pure, method, problem, partial(method.init, problem))
        if not re.search(due, found):
            yield f"{kind.__name__}: {due!r} is not reported, but {found!r}"
