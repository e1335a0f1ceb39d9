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

    Where it comes from and what its first requests have (source, losses, nets, options, setting, truths) says what the
    first vectors of a new method are. Those of a published method are data, and its class is without.

    Attributes
    ----------
    name, of : in the protocol, and in ``dualgap.reference.all_methods()``, where that is another.
    source, formula, start : where it comes from; what a step and what init evaluate.
    kind : the reference's state, the one with the most fields; fields : what schema.json says of its fields that are no
        numbers, integers, or lists of them.
    losses, nets : what it is defined for, l1 > 0 among ``nets``.
    options : the constants of a run, each with its values in the first requests.
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

    # -- what a request has --------------------------------------------------------------------------------------------

    @cached_property
    def choices(self) -> list[Any]:
        """The choices of a step on ``small_problem``."""
        return [choice for choice, _ in self.method({}, None).choices(small_problem(self.losses[0]), self.first)]

    def choice(self, n: int, i: int) -> int | list[int]:
        """The choice of row i among n: the row, it and the next one, or it and the first of whatever else is chosen."""
        if len(self.choices) == 1:
            return 0
        if isinstance(self.choices[0], int):
            return i
        if len(self.choices[0]) == 1:
            return [i, (i + 1) % n][: min(n, 2)]
        return [i, *[0] * (len(self.choices[0]) - 1)]

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


def u_of(problem: Problem, alpha: list[Fraction]) -> list[Fraction]:
    """X^T alpha/n."""
    return [-minus for minus in problem.minus_u(alpha)]


def equations(name: str, got: list[Number], expected: list[Number], formula: str) -> Iterator[Equation]:
    """got = due, number by number."""
    if len(got) != len(expected):
        raise ValueError(f"{name} has {len(got)} entries, {len(expected)} are due")
    for j, (one, two) in enumerate(zip(got, expected)):
        yield one, two, f"{name}[{j}] = ({formula})[{j}]"
