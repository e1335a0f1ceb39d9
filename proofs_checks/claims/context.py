"""The quantities of an instance that a check uses. Each is computed on first use.

P, D and w(alpha) are always evaluated from their definitions, never through the identities under test;
expectations are sums of the method's own ``step`` over its own ``choices``.
"""

from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from dualgap.proofs_checks.claims.exact import arithmetic
from dualgap.proofs_checks.claims.extra import E, Extras
from dualgap.proofs_checks.claims.instance import Instance
from dualgap.proofs_checks.engines.lazily import cached_property
from dualgap.proofs_checks.engines.paths import expectations, weighed
from dualgap.reference import Interval, LinearSystem, Method
from dualgap.reference.numbers.arithmetic import Number, NumberLike, NumberType, convert
from dualgap.reference.problem.problem import Problem, Vector

if TYPE_CHECKING:
    from dualgap.proofs_checks.claims.drawing import Trail

T = TypeVar("T")


class NoDual(ValueError):
    """A claim needs alpha, or a quantity computed from it, and the method has none."""


def dual_of(method: object, alpha: Vector | None) -> Vector:
    """alpha of a view. Raises NoDual if the method has none."""
    if alpha is None:
        name = getattr(method, "name", type(method).__name__)
        raise NoDual(
            f"method {name} has no dual: its view is (w, None); a claim about it must use successor.w and"
            f" context.iterate"
        )
    found: Vector = alpha
    return found


class Successor(NamedTuple):
    """One possible next state: its choice, its probability, and its view."""

    choice: Any
    probability: Fraction
    state: Any
    view: tuple[Vector, object]
    method: Any

    @property
    def w(self) -> Vector:
        """The method's own w."""
        return self.view[0]

    @property
    def alpha(self) -> Vector:
        """The method's alpha. Raises NoDual if it has none."""
        alpha: Any = self.view[1]
        return dual_of(self.method, alpha) if alpha is None else alpha


class Context:
    """An instance with the quantities of the proofs.

    Parameters
    ----------
    instance : Instance
    method : Method, optional
        Replaces the instance's own method: this is how mutants and foreign solvers are audited.
    number : Fraction (exact) or Interval (rigorous, for the logistic loss).
        ``arithmetic`` is the type that it computes in: for Fraction the one that is in force (``exact``), else the
        same.
    problem : the instance's problem in that number, where it is another one than ``instance.problem`` makes.
    start : the state from which the path leads, where it is another one than ``method.init`` at the instance's alpha.
    """

    _trail: "Trail | None" = None  # of the instance, where its strategy has one

    def __init__(
        self,
        instance: Instance,
        method: Method[Any] | None = None,
        number: NumberType = Fraction,
        problem: Problem | None = None,
        start: object = None,
    ) -> None:
        self.instance, self.number = instance, number
        self.arithmetic = arithmetic() if number is Fraction else number
        self.method = instance.reference_method() if method is None else method
        self._problem, self._start = problem, start
        self._made: dict[object, Any] = {}

    def once(self, make: Callable[["Context"], T]) -> T:
        """``make(self)``, computed on first use: a quantity that the claims of a paper share."""
        if make not in self._made:
            self._made[make] = make(self)
        found: T = self._made[make]
        return found

    def started(self, start: Callable[["Context"], object]) -> "Context":
        """The same from the state ``start(self)``, made once; itself where it was given a start."""
        if self._start is not None:
            return self
        key = (Context.started, start)
        if key not in self._made:
            self._made[key] = Context(self.instance, self.method, self.number, self.problem, start(self))
        found: Context = self._made[key]
        return found

    def q(self, value: NumberLike) -> Number:
        """A rational constant in the context's number."""
        return convert(value, self.arithmetic)

    @cached_property
    def given(self) -> Extras:
        """The instance's further numbers by name, its rationals in the context's number."""
        return self.instance.extra.map(self._own)

    def extra(self, kind: type[E]) -> E:
        """The same as a record of that class."""
        return self.given[kind]

    def _own(self, value: object) -> Any:
        if isinstance(value, tuple):
            return tuple(map(self._own, value))
        return self.q(value) if isinstance(value, Fraction) else value

    # -- the problem ------------------------------------------------------------------------------------------

    @cached_property
    def problem(self) -> Problem:
        return self.instance.problem(self.arithmetic) if self._problem is None else self._problem

    @property
    def n(self) -> int:
        return self.problem.n

    @property
    def gamma(self) -> Number:
        return self.problem.gamma

    @property
    def mu(self) -> Number:
        return self.problem.regularizer.modulus

    @property
    def R2(self) -> Number:
        return self.problem.R2

    @property
    def K(self) -> Number:
        """R^2/(mu n gamma)."""
        return self.problem.K_max

    @property
    def s(self) -> Number:
        """1 - K: the sharp one-step rate is s/n."""
        return 1 - self.K

    # -- the state ----------------------------------------------------------------------------------------------

    @cached_property
    def start(self) -> Any:
        return self.instance.begin(self.method, self.problem) if self._start is None else self._start

    @cached_property
    def states(self) -> list[Any]:
        """The start and the state after each choice of the path."""
        states = [self.start]
        for choice in self.instance.path:  # through ``step``, the one verb that every method has
            states.append(self.method.step(self.problem, states[-1], choice))
        return states

    @property
    def state(self) -> Any:
        return self.states[-1]

    @cached_property
    def view(self) -> tuple[Vector, Any]:
        """Return the method's view of the state: (w, alpha), or (w, None) if it has no dual."""
        return self.method.view(self.problem, self.state)

    @property
    def iterate(self) -> Vector:
        """The method's own w, shape (d,)."""
        return self.view[0]

    @property
    def alpha(self) -> Vector:
        """The method's alpha, shape (n,). Raises NoDual if it has none, as does all that follows from it."""
        return dual_of(self.method, self.view[1])

    @cached_property
    def w(self) -> Vector:
        """w(alpha), from its definition; the method's own w is ``view[0]``."""
        return self.problem.w(self.alpha)

    @cached_property
    def P(self) -> Number:
        return self.problem.P(self.w)

    @cached_property
    def D(self) -> Number:
        return self.problem.D(self.alpha)

    @cached_property
    def gap(self) -> Number:
        """P(w(alpha)) - D(alpha), by subtraction."""
        return self.P - self.D

    @cached_property
    def z(self) -> Vector:
        """x_i^T w(alpha), shape (n,)."""
        return [self.problem.dot(row, self.w) for row in self.problem.rows]

    @cached_property
    def best(self) -> Vector:
        """phi_i'(z_i), the best response, shape (n,)."""
        return [self.problem.loss.derivative(z, y) for z, y in zip(self.z, self.problem.y)]

    @cached_property
    def delta(self) -> Vector:
        """Delta_i = phi_i'(z_i) - alpha_i, shape (n,)."""
        return [b - a for b, a in zip(self.best, self.alpha)]

    @cached_property
    def FY(self) -> Vector:
        """phi_i(z_i) + phi_i*(alpha_i) - alpha_i z_i, by the definition, shape (n,)."""
        loss = self.problem.loss
        return [loss.value(z, y) + loss.conjugate(a, y) - a * z for z, a, y in zip(self.z, self.alpha, self.problem.y)]

    @property
    def mean_FY(self) -> Number:
        return self.mean(self.FY)

    def mean(self, values: Vector) -> Number:
        """(1/n) sum of n numbers."""
        total = self.problem.zero
        for value in values:
            total = total + value
        return total / self.n

    # -- one step ---------------------------------------------------------------------------------------------------

    @cached_property
    def successors(self) -> list[Successor]:
        """Every choice with its probability and what the method's own step makes of it."""
        problem, method, state = self.problem, self.method, self.state
        found = []
        for choice, probability in weighed(problem, method.choices(problem, state)):
            reached = method.step(problem, state, choice)
            found.append(Successor(choice, probability, reached, method.view(problem, reached), method))
        return found

    def expect(self, value: Callable[[Successor], Number]) -> Number:
        """E[value(successor)], exactly."""
        total = self.problem.zero
        for successor in self.successors:
            total = total + successor.probability * value(successor)
        return total

    @cached_property
    def increases(self) -> list[Number]:
        """D(alpha+) - D(alpha) for each successor, D from its definition."""
        D, before = self.problem.D, self.D
        return [D(successor.alpha) - before for successor in self.successors]

    @cached_property
    def expected_increase(self) -> Number:
        """E[D(alpha+)] - D(alpha)."""
        total = self.problem.zero
        for successor, increase in zip(self.successors, self.increases):
            total = total + successor.probability * increase
        return total

    # -- trajectories --------------------------------------------------------------------------------------------------

    def expected(
        self, horizon: int, observable: Callable[[Vector, Vector], Number], method: Method[Any] | None = None
    ) -> list[Number]:
        """[E observable(w_t, alpha_t) for t = 0..horizon] over all paths from the state.

        method : another one, to compare with: its expectations on the same instance, from its own start.
        """
        if method is not None:
            return Context(self.instance, method, self.number, self._problem).expected(horizon, observable)
        return expectations(
            self.method, self.problem, self.state, horizon, lambda s: observable(*self.method.view(self.problem, s))
        )

    def expected_gaps(self, horizon: int) -> list[Number]:
        """[E gap_t for t = 0..horizon], gap_t = P(w(alpha_t)) - D(alpha_t), over all paths from the state."""
        return self.expected(horizon, lambda w, alpha: self.problem.gap(self.problem.w(alpha), alpha))

    # -- the optimum ---------------------------------------------------------------------------------------------------

    @cached_property
    def optimum(self) -> Vector:
        """alpha*, shape (n,), exactly (gap 0), in intervals as points; w* is ``problem.w(optimum)``.

        Where gamma = 0 alpha* is one of the optima, w* the only one. Raises ValueError where phi*(a) is not y a +
        (gamma/2) a^2 on its domain: of the six losses for the logistic one, whose optimum is not rational.
        """
        from dualgap.proofs_checks.engines.optimum import exact_optimum

        exact = self.problem if self.number not in (float, Interval) else self.instance.problem()
        return [self.q(a) for a in exact_optimum(exact)]

    @cached_property
    def solution(self) -> Vector:
        """x* of a system, shape (d,), exact, in intervals as points. Raises ValueError if it is not the only one."""
        from dualgap.proofs_checks.engines.optimum import exact_solution

        system = self.instance.problem()
        if not isinstance(system, LinearSystem):
            raise ValueError(
                "solution is that of a system of equations (SystemInstance); of a loss and a regularizer it is optimum,"
                " alpha*"
            )
        return [self.q(x) for x in exact_solution(system)]

    @cached_property
    def D_star(self) -> Number:
        """D* = P*."""
        return self.problem.D(self.optimum)
