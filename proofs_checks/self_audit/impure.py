"""Methods that are no exact function of their state, and whether the checks say so."""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from dualgap.fast.data.temporary import temporary_folder
from dualgap.proofs_checks.auditing import counterexamples
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.origins import OURS
from dualgap.proofs_checks.claims.registry import HOLDS, Claim
from dualgap.proofs_checks.claims.relations import Le
from dualgap.proofs_checks.claims.run import Run
from dualgap.proofs_checks.engines.paths import distributions
from dualgap.proofs_checks.engines.purity import Impure, require_pure
from dualgap.proofs_checks.evidence.levels import examine
from dualgap.reference import State
from dualgap.reference.methods.sdca import SDCA

TWO_ROWS = Instance((Qs(1, 0), Qs(1, 2)), Qs(1, -1), Qs(0, 0), Q(1))
CHECK = Claim("self.impure", "0 <= 1", lambda c: [Le(0, 1, "0 <= 1")], HOLDS, "", (), None, OURS)


class Table(State):
    """A state with a list of lists."""

    __slots__ = ("alpha", "g", "v")


class Counting(SDCA):
    """SDCA that counts its steps in a table: pure."""

    name = "counting"

    def init(self, problem: Any, alpha: Any = None) -> Any:
        state = super().init(problem, alpha)
        return Table(v=state.v, alpha=state.alpha, g=[[problem.zero] for _ in range(problem.n)])

    def advance(self, problem: Any, state: Any, choice: Any) -> None:
        super().advance(problem, state, choice)
        state.g[choice][0] = state.g[choice][0] + 1


class InPlace(SDCA):
    """Its step changes its argument, and gives it back."""

    def step(self, problem: Any, state: Any, choice: Any) -> Any:
        self.advance(problem, state, choice)
        return state


class Restarted(SDCA):
    """Each first state is another one."""

    def __init__(self) -> None:
        self.calls = 0

    def init(self, problem: Any, alpha: Any = None) -> Any:
        self.calls += 1
        return super().init(problem, [problem.number(self.calls)] * problem.n)


class Tired(SDCA):
    """After 40 steps, of whatever run, it stands still: no two calls in a row show it."""

    def __init__(self) -> None:
        self.steps = 0

    def advance(self, problem: Any, state: Any, choice: Any) -> None:
        self.steps += 1
        state.v[0] = state.v[0] + (1 if self.steps <= 40 else 2)


class Floats(SDCA):
    """A step in floats."""

    def advance(self, problem: Any, state: Any, choice: Any) -> None:
        state.v[0] = 0.5


class FloatChances(SDCA):
    """Probabilities 1/2 as floats, which are exact by chance."""

    def choices(self, problem: Any, state: Any) -> Any:
        return [(0, 0.5), (1, 0.5)]


class HalfChances(SDCA):
    """Probabilities whose sum is 1/2."""

    def choices(self, problem: Any, state: Any) -> Any:
        return [(0, Fraction(1, 4)), (1, Fraction(1, 4))]


def said(ask: Callable[[], Any]) -> str:
    """What Impure says, be it as the cause of what is raised; "" without it."""
    try:
        ask()
    except Exception as error:
        return next((str(found) for found in (error, error.__cause__) if isinstance(found, Impure)), "")
    return ""


SAID = (
    (Counting, ""),
    (InPlace, "changes the state"),
    (Restarted, "init gives two answers"),
    (Tired, "the same walk"),
    (Floats, "in floats"),
    (FloatChances, "of type float"),
    (HalfChances, "the sum 1/2"),
)


def methods() -> Iterator[str]:
    """The check of a method: each is refused for its own reason, but the pure one."""
    for kind, due in SAID:
        method, problem = kind(), TWO_ROWS.problem()
        found = said(lambda method=method, problem=problem: require_pure(method, problem, lambda: method.init(problem)))  # type: ignore[misc]
        if due not in found or bool(due) != bool(found):
            yield f"{kind.__name__}: {due!r} is not said, but {found!r}"


def expectations() -> Iterator[str]:
    """The sums over all paths: probabilities that are floats, or have another sum."""
    for kind in (FloatChances, HalfChances):
        method, problem = kind(), TWO_ROWS.problem()
        layers = distributions(method, problem, method.init(problem))
        if not said(lambda layers=layers: [next(layers) for _ in range(3)]):  # type: ignore[misc]
            yield f"expectations over {kind.__name__} are computed"


def collected() -> Iterator[str]:
    """Evidence, and a file of a refutation, of a method that changes its argument; here dualgap's own methods count as
    other people's.
    """
    InPlace.__module__ = "elsewhere"
    if not said(lambda: examine(CHECK, [Context(TWO_ROWS, InPlace())], None, Run())):
        yield "evidence of an impure method is collected"
    with temporary_folder() as folder:
        if not said(lambda: counterexamples.write(folder, CHECK, TWO_ROWS, InPlace())):
            yield "a refutation by an impure method is evaluated"
