"""The targets and facts of a proof, derived from the method: which quantity must contract, and what one step implies
for it.

distance   a Lyapunov function V, quadratic in the state, with V >= ||w - w*||^2 + ||alpha - alpha*||^2
two-steps  the same, where V may also contain expectations of these terms after the next step
dual       D* - D(alpha)
gap        P(w) - D(alpha) at the method's own pair
epoch      P(w~) - P*, from one snapshot to the next, for methods with rounds (SVRG)
"""

from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

from dualgap.extras.sharpen.certificate import Record
from dualgap.extras.sharpen.states import Reached, Relations, expected, free_state, ingredients, successors
from dualgap.extras.sharpen.symbols import Expr, Nonlinear
from dualgap.extras.sharpen.world import AnyProblem, Facts
from dualgap.reference import Method, method
from dualgap.reference.methods.base import State

Parts: TypeAlias = Callable[[State], dict[str, Expr]]  # of a state, by name
Target: TypeAlias = tuple[Expr, dict[str, Expr]]  # constant + sum of parameter * part, to be proved >= 0
QUANTITIES = ("distance", "two-steps", "dual", "gap", "epoch")


@dataclass(frozen=True)
class Task:
    """A method with its options, the class of problems and the quantity.

    Parameters
    ----------
    method, options : as for ``dualgap.reference.method``; numbers as texts "p/q".
    n : rows.
    lam, gamma, R : strong convexity of g and of the conjugates, and the bound of the norms.
    norms : "own" or "bound", see ``AnyProblem``.
    general : any lam-strongly convex g instead of L2.
    quantity : one of ``QUANTITIES``.
    spectral : a bound of ||X||_2 of the class, which the method is given; None for no such bound.
    """

    method: str
    n: int
    lam: Fraction
    quantity: str = "distance"
    options: dict[str, Any] = field(default_factory=dict)
    gamma: Fraction = Fraction(1)
    R: Fraction = Fraction(1)
    norms: str = "own"
    general: bool = False
    spectral: Fraction | None = None

    @property
    def is_distance(self) -> bool:
        """True if any Lyapunov function V >= ||w - w*||^2 + ||alpha - alpha*||^2 counts."""
        return self.quantity in ("distance", "two-steps")

    def built(self, **more: object) -> Method[Any]:
        """The method."""
        return method(self.method, **{**self.options, **more})

    def problem(self) -> AnyProblem:
        """A new unknown problem of the class."""
        return AnyProblem(self.n, self.lam, self.gamma, self.R, self.norms, self.general, self.spectral)

    def to_json(self) -> Record:
        """Plain data."""
        found = {name: str(value) if isinstance(value, Fraction) else value for name, value in asdict(self).items()}
        return {name: value for name, value in found.items() if name != "spectral" or value is not None}

    @classmethod
    def from_json(cls, record: Record) -> "Task":
        """The task of a file. Raises ValueError if it is none."""
        try:
            numbers = {name: Fraction(record[name]) for name in ("lam", "gamma", "R")}
            if "spectral" in record:
                numbers["spectral"] = Fraction(record["spectral"])
            task = cls(**{**record, **numbers})
        except (KeyError, TypeError, ValueError, ZeroDivisionError) as error:
            raise ValueError(f"the file holds no valid task: {error}") from None
        if not (isinstance(task.n, int) and 1 <= task.n <= 8 and min(numbers.values()) > 0):
            raise ValueError("the task of the file needs 1 <= n <= 8 and lam, gamma, R > 0")
        return task


class Derived(NamedTuple):
    """Targets to be proved for one rate, with the facts of each; world, relations and names of the parameters."""

    targets: list[Target]
    facts: list[Facts]
    problem: AnyProblem
    follows: Relations
    parameters: list[str]


def derive(task: Task, rate: Fraction) -> Derived:
    """The targets. A rate that is a parameter (of all quantities but distances) is minimized by the program itself.

    Raises Nonlinear: the method is outside the class; the message is one line.
    """
    try:
        if task.quantity == "epoch":
            return _epoch(task)
        steps = task.built()
        problem, state, follows = free_state(steps, task.problem)
        reached = successors(steps, problem, state)
        if task.is_distance:
            return _distance(rate, steps, problem, state, reached, follows, task.quantity == "two-steps")
        quantity = _dual if task.quantity == "dual" else _gap
        before = quantity(steps, problem, state)
        after = expected(reached, lambda s: quantity(steps, problem, s))
        return Derived([(-after, {"rate": before})], [problem.facts()], problem, follows, ["rate"])
    except (TypeError, AttributeError, NotImplementedError) as error:
        said = error if isinstance(error, Nonlinear) else f"it uses what an unknown problem does not have ({error})"
        where = f"method {task.method} is outside the class of methods that can be sharpened"
        raise Nonlinear(f"{where}: {said}") from error
    except ValueError as error:
        raise ValueError(f"method {task.method} cannot run on an unknown problem: {error}") from error


def _dual(steps: Method[Any], problem: AnyProblem, state: State) -> Expr:
    found: Expr = -problem.D(steps.view(problem, state)[1])
    return found


def _gap(steps: Method[Any], problem: AnyProblem, state: State) -> Expr:
    found: Expr = problem.gap(*steps.view(problem, state))
    return found


def averaged(reached: Reached, parts: Parts) -> dict[str, Expr]:
    """The expectations of parts by name."""
    found: dict[str, Expr] = {}
    for probability, state in reached:
        for name, part in parts(state).items():
            found[name] = found.get(name, Expr({})) + probability * part
    return found


def _distance(
    rate: Fraction, steps: Any, problem: AnyProblem, state: Any, reached: Reached, follows: Relations, ahead: bool
) -> Derived:
    """rate V - E V+ >= 0 and V - ||w||^2 - ||alpha||^2 >= 0."""

    def parts(one: State) -> dict[str, Expr]:
        found = terms(one)
        if ahead:
            found |= {f"{name} next": part for name, part in averaged(successors(steps, problem, one), terms).items()}
        return found

    terms: Parts = lambda one: ingredients(problem, one, follows)
    before, after = parts(state), averaged(reached, parts)
    (w,), alpha = steps.view(problem, state)
    floor = sum((a * a for a in alpha), Expr({})) + w * w
    contraction: Target = (Expr({}), {name: rate * part - after[name] for name, part in before.items()})
    return Derived([contraction, (-floor, before)], [problem.facts()] * 2, problem, follows, list(before))


# -- methods with rounds ----------------------------------------------------------------------------------------------


def rounds(task: Task) -> tuple[int, str]:
    """The steps of a round, and the option that says which iterate a round hands on."""
    steps: Any = task.built()
    if not hasattr(steps, "snapshot"):
        raise Nonlinear(f"quantity epoch is for methods with rounds, and {task.method} has none")
    return steps.steps_of_round(task.problem()), steps.option


def _parts(problem: AnyProblem, state: Any) -> dict[str, Expr]:
    vectors = {"w": state.w[0], "w~": state.w_tilde[0], "g": state.mu_tilde[0]}
    names = list(vectors)
    found = {f"<{a},{b}>": vectors[a] * vectors[b] for j, a in enumerate(names) for b in names[j:]}
    return found | {"P(w)": problem.P(state.w), "P(w~)": problem.P(state.w_tilde)}


def _epoch(task: Task) -> Derived:
    """A chain of potentials: rate (P(w~) - P*) >= V_0, V_t >= E V_(t+1) and V_m = P(w_m) - P* for option I; for
    option II, whose output is a uniform one of w_0 .. w_(m-1), V_t >= E V_(t+1) + (P(w_t) - P*)/m and V_m = 0.
    """
    m, option = rounds(task)
    steps: Any = task.built(m=10**6, option="I")

    def started() -> tuple[AnyProblem, Any]:
        problem, scratch = task.problem(), task.problem()
        state, w = steps.init(scratch, scratch.free_alpha()), [problem.world.vector("W")]
        state.w, state.w_tilde = list(w), list(w)
        steps.snapshot(problem, state)
        return problem, state

    start, first = started()
    problem, state = started()
    state.w, state.t = [problem.world.vector("W")], 1
    opening, here = _parts(start, first), _parts(problem, state)
    after = averaged(successors(steps, problem, state), lambda one: _parts(problem, one))
    targets: list[Target] = [(Expr({}), {"rate": opening["P(w~)"], **{f"{k} 0": -part for k, part in opening.items()}})]
    for t in range(m):
        later = {f"{name} {t + 1}": -part for name, part in after.items()} if t + 1 < m else {}
        constant = -Fraction(1, m) * here["P(w)"] if option == "II" else Expr({}) if later else -after["P(w)"]
        targets.append((constant, {f"{name} {t}": part for name, part in here.items()} | later))
    names = ["rate", *(f"{name} {t}" for t in range(m) for name in here)]
    return Derived(targets, [start.facts(), *[problem.facts()] * m], problem, {}, names)


# -- replay -----------------------------------------------------------------------------------------------------------


def at(target: Target, parameters: dict[str, Fraction]) -> Expr:
    """A target with its parameters."""
    constant, parts = target
    return sum((part * parameters[name] for name, part in parts.items()), constant)


def with_known_norms(task: Task) -> Task:
    """The task with norms "own" if the method can run on unknown norms, else "bound"."""
    try:
        derive(task, Fraction(1))
        return task
    except Nonlinear:
        bounded = replace(task, norms="bound")
        derive(bounded, Fraction(1))
        return bounded
