"""The methods as the protocol has them: one ``MethodSpec`` each, which holds all that is particular to it.

A new method is a row in one of the modules beside this one (of another package: under ``@register_vectors``), its rules
in the independent implementation (``independent``), and its lines in docs/ports-methods.md; schema.json, vectors,
explanations and reports follow.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, ClassVar

from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.methods import random_data
from dualgap.proofs_checks.conformance.methods.random_data import Draw, Kind
from dualgap.proofs_checks.conformance.protocol import hex_floats
from dualgap.reference import Method, Problem
from dualgap.reference.methods.base import State
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.losses import losses
from dualgap.reference.problem.registry import Registry

LOSSES, SMOOTH = losses(), losses(smooth=True)
MANY, LONG = {"E": 4, "R": 2, "T": 2}, {"E": 6, "R": 4, "T": 3}  # of the methods that the ports begin with
Equation = tuple[Any, Any, str]  # got, due, what it says


class MethodSpec:
    """One method.

    Attributes
    ----------
    name, of : in the protocol, and in ``dualgap.reference.all_methods()``, where that is another.
    source, formula, start : where it comes from; what a step and what init evaluate.
    kind : the reference's state, the one with the most fields; fields : what schema.json says of its fields that are no
        numbers, integers, or lists of them.
    losses, nets : what it is defined for, l1 > 0 among ``nets``; long : the losses with trajectories.
    number, length : of steps for one loss and regularizer, and of the steps of a trajectory at most, by class.
    from_alpha : whether a run starts at a given alpha; else it starts at 0, whatever alpha.
    setting : the calls beside step that are given the parameters.
    """

    name: ClassVar[str]
    of: ClassVar[str] = ""
    source: ClassVar[str]
    formula: ClassVar[str]
    start: ClassVar[str]
    kind: ClassVar[type[State]]
    fields: ClassVar[dict[str, Json]] = {}
    losses: ClassVar[tuple[str, ...]] = LOSSES
    long: ClassVar[tuple[str, ...]] = ("squared", "smoothed-hinge", "logistic")
    nets: ClassVar[tuple[bool, ...]] = (False, True)
    number: ClassVar[dict[str, int]] = {"E": 2, "R": 1, "T": 1}
    length: ClassVar[dict[str, int]] = {"E": 4, "R": 3, "T": 2}
    from_alpha: ClassVar[bool] = True
    setting: ClassVar[tuple[str, ...]] = ()

    # -- what is drawn ------------------------------------------------------------------------------------------------

    def problem(self, draw: Draw, kind: Kind, loss: str, with_l1: bool, shape: str) -> Json:
        """A problem."""
        return random_data.problem(draw, kind, loss, with_l1, shape)

    def parameters(self, draw: Draw, kind: Kind, p: Json) -> Json:
        """The constants of a run."""
        return {}

    def state(self, draw: Draw, kind: Kind, p: Json, parameters: Json) -> Json:
        """A state as a run might hold it; what follows from alpha is drawn too, so that a port cannot get it from
        alpha.
        """
        raise NotImplementedError

    def choice(self, draw: Draw, p: Json, parameters: Json, state: Json, i: int | None = None) -> int | list[int]:
        """A choice; i is its first row, where given."""
        return draw.below(p["n"]) if i is None else i

    def every_choice(self, draw: Draw, p: Json, parameters: Json, state: Json) -> list[Any]:
        """The choices of a branches case: one for each row."""
        return [self.choice(draw, p, parameters, state, i) for i in range(p["n"])]

    def row_of(self, given: Json) -> int:
        """The first row that the choice of a step draws."""
        choice = given["choice"]
        first: int = choice if isinstance(choice, int) else choice[0]
        return first

    def is_uninformative(self, number: int, given: Json, after: Json) -> bool:
        """Whether a case says too little: from the third on alpha_i must not land where every clip puts it, at 0 or 1
        in size.
        """
        if number < 2 or "alpha" not in after:
            return False
        alpha = after["alpha"][self.row_of(given)].value
        return bool(alpha == 0 or abs(alpha) == 1)

    def classes(self, loss: str) -> tuple[str, ...]:
        """The classes in which there are cases."""
        return ("T",) if loss == "logistic" else ("E", "R")

    # -- the reference -------------------------------------------------------------------------------------------------

    def method(self, parameters: Json, choice: Any) -> Method[Any]:
        """The reference's method with these parameters, for this choice (None: for init and view)."""
        raise NotImplementedError

    def read(self, values: Json) -> State:
        """The reference's state of a state of the protocol, whose numbers are those of the run already."""
        return self.kind(**values)

    def written(self, state: State) -> Json:
        """The reverse."""
        return state.fields()

    # -- what must be true ---------------------------------------------------------------------------------------------

    def predicates(self, loss: str) -> tuple[str, ...]:
        """What must be true of the branches from a state that a run can hold."""
        return ("consistent",)

    def bounds(
        self, problem: Problem, state: Json, w_best: list[Fraction]
    ) -> Iterator[tuple[list[Fraction], Fraction, str]]:
        """Points w with a bound on P(w) - P* and what it says, w_best the minimizer."""
        return iter(())

    def invariant(self, problem: Problem, parameters: Json, state: Json) -> Iterator[Equation]:
        """What every state keeps, in exact arithmetic; nothing where the method has no such thing."""
        return iter(())


class Gradient(MethodSpec):
    """Steps along gradients: smooth losses, L2."""

    losses, long = SMOOTH, ("squared", "logistic")
    nets: ClassVar[tuple[bool, ...]] = (False,)

    def predicates(self, loss: str) -> tuple[str, ...]:
        return ()


ROWS: Registry[MethodSpec] = Registry("method of the vectors")  # whole in ``registry``
WITHOUT: dict[str, str] = {}  # method without vectors to the reason


def register_vectors(cls: type[MethodSpec]) -> type[MethodSpec]:
    """Decorate a MethodSpec: vectors, explanations and reports have it. Raises ValueError for a name that another place
    has taken.

    Parameters
    ----------
    cls : the class; it is made without arguments.
    """
    ROWS.enter(cls.name, cls())
    return cls


def vector_of(draw: Draw, kind: Kind, d: int) -> list[str]:
    """d given numbers."""
    return random_data.vector([draw.pick([0.0, *kind.coordinates]) for _ in range(d)])


def some_rows(draw: Draw, n: int, i: int | None) -> list[int]:
    """Two different rows, or the one that there is; i first, where given."""
    i = draw.below(n) if i is None else i
    others = [k for k in draw.some(n, n) if k != i]
    return [i, *others[: min(n, 2) - 1]]


def spelled(**numbers: float) -> Json:
    """Given numbers by name."""
    return {name: hex_floats.spell_given(value) for name, value in numbers.items()}


def u_of(problem: Problem, alpha: list[Fraction]) -> list[Fraction]:
    """X^T alpha/n."""
    return [-minus for minus in problem.minus_u(alpha)]


def equations(name: str, got: list[Number], expected: list[Number], formula: str) -> Iterator[Equation]:
    """got = due, number by number."""
    if len(got) != len(expected):
        raise ValueError(f"{name} has {len(got)} entries, {len(expected)} are due")
    for j, (one, two) in enumerate(zip(got, expected)):
        yield one, two, f"{name}[{j}] = ({formula})[{j}]"
