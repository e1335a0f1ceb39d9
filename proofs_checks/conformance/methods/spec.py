"""The methods as the protocol has them: one ``MethodSpec`` each, which holds all that is particular to it.

A new method is one class under ``@register_vectors``, in the file of its claims or in a separate file. What the
reference says is not repeated: the state follows from the one that ``init`` returns, the choice from ``choices``, the
method from its constructor. The schemas, vectors, explanations and reports follow.
"""

import inspect
from collections.abc import Iterator
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar

from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.independent.problems import Problems, Rule
from dualgap.proofs_checks.conformance.independent.registry import (
    register_independent_method,
    register_independent_part,
)
from dualgap.proofs_checks.conformance.methods import random_data
from dualgap.proofs_checks.conformance.methods.random_data import Draw, Kind
from dualgap.proofs_checks.conformance.protocol import hex_floats
from dualgap.proofs_checks.conformance.seeded_bugs.flags import register_flag
from dualgap.proofs_checks.conformance.seeded_bugs.planting import Flag
from dualgap.reference import L2, Method, Problem, Regularizer, all_methods
from dualgap.reference import LOSSES as KINDS
from dualgap.reference.methods.base import State
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.losses import losses
from dualgap.reference.problem.registry import Registry

LOSSES = losses()
ALPHA = [-0.25, 0.5]  # of the problem below, whose n and d differ; in the domain of every loss
Equation = tuple[object, object, str]  # got, due, what it says
Bug = Flag | list[str]  # a planted bug, or another way to plant one that has a flag


def small_problem(loss: str) -> Problem:
    """A problem with n = 2 and d = 3, for what a method says of itself."""
    kind = KINDS[loss]
    phi = kind(1.0) if kind.adjustable else kind()
    return Problem([[1.0, 0.0, 2.0], [0.0, 3.0, 1.0]], [1.0, -1.0], phi, L2(1.0))


class MethodSpec:
    """One method.

    Where it comes from and what is drawn for it (source, losses, nets, options, setting, truths and the functions
    ``problem`` to ``request``) says what the first vectors of a new method are. Those of a published method are data,
    and its class is without.

    Attributes
    ----------
    name, of : in the protocol, and in ``dualgap.reference.all_methods()``, where that is another.
    source, formula, start : where it comes from; what a step and what init evaluate.
    kind : the reference's state, the one with the most fields; fields : what schema.json says of its fields that are no
        numbers, integers, or lists of them.
    losses, nets : what it is defined for, l1 > 0 among ``nets``.
    options : the constants of a run, each with the values that are drawn.
    setting : the calls other than step that are given the parameters.
    truths : what must be true of the branches from a state that a run can hold.
    rules : init, step and view of the independent implementation, where it does not have the method already.
    independent : a class below ``Problems`` with the functions that the rules name, where these are the method's own.
    bugs : planted bugs by flag; an edit "Class.function: old -> new" changes a function of ``independent``.
    """

    name: ClassVar[str]
    of: ClassVar[str] = ""
    source: ClassVar[str]
    formula: ClassVar[str]
    start: ClassVar[str]
    fields: ClassVar[dict[str, Json]] = {}
    losses: ClassVar[tuple[str, ...]] = LOSSES
    nets: ClassVar[tuple[bool, ...]] = (False, True)
    options: ClassVar[dict[str, tuple[int | str, ...]]] = {}
    setting: ClassVar[tuple[str, ...]] = ()
    truths: ClassVar[tuple[str, ...]] = ("consistent",)
    rules: ClassVar[tuple[Rule, Rule, Rule] | None] = None
    independent: ClassVar[type[Problems] | None] = None
    bugs: ClassVar[dict[str, Bug]] = {}

    @cached_property
    def from_alpha(self) -> bool:
        """True if a run starts at a given alpha; else it starts at 0, whatever alpha."""
        method, problem = self.method({}, None), small_problem(self.losses[0])
        try:
            method.init(problem, list(ALPHA))
        except ValueError:
            method.init(problem)  # raises where init is wrong, whatever alpha
            return False
        return True

    @cached_property
    def first(self) -> State:
        """The state with which the method begins on ``small_problem``."""
        alpha = list(ALPHA) if self.from_alpha else None
        state: State = self.method({}, None).init(small_problem(self.losses[0]), alpha)
        return state

    @cached_property
    def kind(self) -> type[State]:
        """The state's class."""
        return type(self.first)

    # -- what is drawn ------------------------------------------------------------------------------------------------

    def problem(self, draw: Draw, kind: Kind, loss: str, with_l1: bool, shape: str) -> Json:
        """A problem."""
        return random_data.problem(draw, kind, loss, with_l1, shape)

    def parameters(self, draw: Draw, kind: Kind, p: Json) -> Json:
        """The constants of a run."""
        return {name: draw.pick(values) for name, values in self.options.items()}

    def state(self, draw: Draw, kind: Kind, p: Json, parameters: Json) -> Json:
        """A state that a run might hold; what follows from alpha is drawn too: a port must read it."""
        return self.drawn(draw, kind, p, *self.kind.names())

    def drawn(self, draw: Draw, kind: Kind, p: Json, *names: str) -> Json:
        """These fields of a state, in this order."""
        return {name: self._field(draw, kind, p, getattr(self.first, name)) for name in names}

    def _field(self, draw: Draw, kind: Kind, p: Json, first: object) -> int | str | list[int] | list[str]:
        """A field of a state, like its first value in kind and length."""
        if not isinstance(first, list):
            return draw.below(4) if isinstance(first, int) else hex_floats.spell_given(draw.pick(kind.coordinates))
        size = int(p["n" if len(first) == len(ALPHA) else "d"])
        if isinstance(first[0], int):
            return [draw.below(4) for _ in range(size)]
        return random_data.vector(random_data.alpha(draw, kind, p)) if first == ALPHA else vector_of(draw, kind, size)

    @cached_property
    def choices(self) -> list[Any]:
        """The choices of a step on ``small_problem``."""
        return [choice for choice, _ in self.method({}, None).choices(small_problem(self.losses[0]), self.first)]

    def choice(self, draw: Draw, p: Json, parameters: Json, state: Json, i: int | None = None) -> int | list[int]:
        """A choice: a row, some rows, or a row and others; i is its first row, where given."""
        if len(self.choices) == 1:
            return 0
        if isinstance(self.choices[0], int):
            return draw.below(p["n"]) if i is None else i
        if len(self.choices[0]) == 1:
            return some_rows(draw, p["n"], i)
        ends = [1 + max(entries) for entries in zip(*self.choices)]
        first = draw.below(p["n"]) if i is None else i
        return [first, *(draw.below(p["n" if end == len(ALPHA) else "d"]) for end in ends[1:])]

    def request(self, draw: Draw, kind: Kind, p: Json, i: int | None = None) -> Json:
        """Return the arguments of ``step`` on the problem; i as for ``choice``."""
        parameters = self.parameters(draw, kind, p)
        state = self.state(draw, kind, p, parameters)
        choice = self.choice(draw, p, parameters, state, i)
        return {"method": self.name, "problem": p, "parameters": parameters, "state": state, "choice": choice}

    def classes(self, loss: str) -> tuple[str, ...]:
        """The classes in which there are cases."""
        return ("T",) if loss == "logistic" else ("E", "R")

    # -- the reference -------------------------------------------------------------------------------------------------

    def method(self, parameters: Json, choice: object) -> Method[Any]:
        """The reference's method with these parameters, for this choice (None: for init and view)."""
        kind = all_methods()[self.of or self.name]
        known = inspect.signature(kind.__init__).parameters
        sizes = {name: len(choice) for name in ("m", "k") if name in known} if isinstance(choice, list) else {}
        options = {name: value for name, value in parameters.items() if name in known}
        switches = {name: bool(value) for name, value in options.items() if isinstance(known[name].default, bool)}
        return kind(**sizes, **options | switches)

    def read(self, values: Json) -> State:
        """The reference's state of a state of the protocol, whose numbers are those of the run already."""
        return self.kind(**values)

    def written(self, state: State) -> Json:
        """The reverse."""
        return state.fields()

    # -- what must be true ---------------------------------------------------------------------------------------------

    def bounds(
        self, problem: Problem, state: Json, w_best: list[Fraction]
    ) -> Iterator[tuple[list[Fraction], Fraction, str]]:
        """Points w with a bound on P(w) - P* and what it says, w_best the minimizer."""
        return iter(())

    def invariant(self, problem: Problem, parameters: Json, state: Json) -> Iterator[Equation]:
        """Return the quantity that every step preserves in exact arithmetic; None if the method has none."""
        return iter(())


ROWS: Registry[MethodSpec] = Registry("method of the vectors")  # whole in ``registry``


def register_vectors(cls: type[MethodSpec]) -> type[MethodSpec]:
    """Decorate a MethodSpec: vectors, explanations and reports have it, and the independent implementation its rules.

    Raises ValueError for a name that another place has taken.

    Parameters
    ----------
    cls : the class; it is made without arguments.
    """
    ROWS.enter(cls.name, cls())
    if cls.independent is not None:
        register_independent_part(cls.independent)
    if cls.rules is not None:
        register_independent_method(cls.name, *cls.rules)
    for flag, bug in vars(cls).get("bugs", {}).items():
        register_flag(flag, bug)
    return cls


def problem_of(p: Json) -> Problem:
    """The reference's problem of one in the protocol's words, whose numbers are Fractions."""
    starts, kind = p["starts"], KINDS[p["loss"]]
    rows = [list(zip(p["columns"][a:b], p["values"][a:b])) for a, b in zip(starts, starts[1:])]
    loss = kind(p["gamma"]) if kind.adjustable else kind()
    return Problem(rows, p["y"], loss, Regularizer(p["lam"], p["l1"]), number=Fraction, d=p["d"])


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
