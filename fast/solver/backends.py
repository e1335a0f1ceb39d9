"""The two ways to run a method, with the same verbs: compiled, or by the reference itself."""

import difflib
import inspect
import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dualgap.fast.methods.base import FastMethod
from dualgap.fast.methods.registry import kernels
from dualgap.fast.problem.arrays import Array, arrays
from dualgap.fast.problem.block_objective import objective_of
from dualgap.fast.problem.certificate import Certificate, certified
from dualgap.fast.problem.intercept import InterceptObjective
from dualgap.fast.problem.losses import BUILT_IN
from dualgap.fast.problem.native import Native, numbers
from dualgap.fast.problem.objective import Objective
from dualgap.reference import all_methods, as_compiled, method
from dualgap.reference.methods.base import DualMethod, Method, State
from dualgap.reference.methods.registry import parameters_of
from dualgap.reference.problem.block_problem import BlockProblem
from dualgap.reference.problem.intercept_problem import InterceptProblem
from dualgap.reference.problem.problem import Problem
from dualgap.reference.problem.weighted_problem import WeightedProblem

BACKENDS = ("fast", "reference")


class Backend(Native):
    """A compiled method that takes arrays of choices and gives certificates."""

    def make_native(self, problem: Problem) -> Objective:
        """The objective, which the certificates of a run evaluate: that of the steps, where they have made the same."""
        problem_of_steps, own = getattr(self.implementation, "_native", (None, None))
        if problem_of_steps is problem and type(own) is Objective and type(problem.loss) in BUILT_IN:
            return own
        return objective_of(problem)

    def __init__(self, implementation: Any, consistent: bool) -> None:
        self.implementation = implementation
        self.reference = getattr(implementation, "reference", implementation)  # the method of the reference
        self.consistent = consistent  # whether the method keeps w = w(alpha), up to rounding

    @property
    def name(self) -> str:
        """The name of the method."""
        return str(self.reference.name)

    def require(self, problem: Problem, mode: str) -> None:
        try:
            self.implementation.require(problem, mode)
        except (ZeroDivisionError, OverflowError) as error:
            raise constant_out_of_range(error, self.name) from error

    def notes(self, problem: Problem) -> tuple[str, ...]:
        """Return warnings about a problem that the method accepts, before a run."""
        try:
            return tuple(self.reference.notes(problem))
        except (ZeroDivisionError, OverflowError) as error:
            raise constant_out_of_range(error, self.name) from error

    def passes(self, problem: Problem, state: State, drawn: int) -> int:
        """Passes over the data after that many draws (``reference.Method.passes``)."""
        return int(self.reference.passes(problem, state, drawn))

    def least_passes(self, problem: Problem, state: State, drawn: int) -> int:
        """Return the least number of passes after one more draw (``reference.Method.least_passes``)."""
        return int(self.reference.least_passes(problem, state, drawn))

    def tells_own_gap(self) -> bool:
        """Return whether the method has an ``own_gap``."""
        return type(self.reference).own_gap is not Method.own_gap

    def tells_gap(self) -> bool:
        """Return whether the method has an ``own_gap`` or an ``expected_gap``."""
        return self.tells_own_gap() or type(self.reference).expected_gap is not Method.expected_gap

    def expected_gap(self, problem: Problem, state: State) -> float | None:
        """The gap that the steps tell, if they do (``reference.Method.expected_gap``)."""
        told = self.reference.expected_gap(problem, state)
        return None if told is None else float(told)

    def own_primal(self, problem: Problem, state: State) -> float | None:
        """P(w) there, if the steps tell it without a pass (``reference.Method.own_primal``)."""
        told = getattr(self.implementation, "primal", self.reference.own_primal)(problem, state)
        return None if told is None else float(told)

    def least_primal(self, problem: Problem, state: State) -> float:
        """(mu/2)||w||^2 <= P(w), where a state has w; else 0. It costs no pass over the rows."""
        w, g = getattr(state, "w", None), problem.regularizer
        return 0.0 if w is None or g.kappa > 0 else float(g.modulus) / 2 * float(np.dot(w[: problem.d], w[: problem.d]))

    def init(self, problem: Problem, alpha: ArrayLike | None) -> State:
        try:
            state: State = self.implementation.init(problem, alpha)
        except (ZeroDivisionError, OverflowError) as error:
            raise constant_out_of_range(error, self.name) from error
        return state

    def require_restored(self, problem: Problem, state: State) -> None:
        """Raise ValueError unless the state, which comes from a file, is one that the method can continue from."""
        self.implementation.require_state(problem, state)
        objective = self.native(problem)
        for alpha in (getattr(state, "alpha", None), self.implementation.view(problem, state)[1]):
            if alpha is not None and objective.finite_alpha(alpha) is not None:
                objective.require_alpha(alpha)

    def advance(self, problem: Problem, state: State, choices: Array, deadline: float = math.inf) -> None:
        """Make steps. A method with long steps looks within a step at the deadline, a ``time.perf_counter()``.

        Raises
        ------
        OverflowError
            A number of the steps is beyond the range of a double.
        OutOfTime
            The deadline is reached within a step; the state is the one before that step.
        """
        limits = (deadline,) if self.reference.long_steps else ()
        try:
            for piece in self.pieces(choices):
                self.implementation.advance(problem, state, piece, *limits)
        except ZeroDivisionError as error:
            raise divisor_out_of_range(error) from error

    def takes_several(self) -> bool:
        """Return whether the method has ``steps_until``."""
        return hasattr(self.implementation, "steps_until")

    def steps_until(self, problem: Problem, state: State, most: int, gap: float, deadline: float = math.inf) -> int:
        """Make steps until they tell a gap of at most that, and at most that many; how many. Raises what ``advance``
        raises.
        """
        try:
            return int(self.implementation.steps_until(problem, state, most, gap, deadline))
        except ZeroDivisionError as error:
            raise divisor_out_of_range(error) from error

    def pieces(self, choices: Array) -> Sequence[Any]:
        """The choices as the implementation takes them: here all in one array."""
        return (choices,)

    def gap_tracks_step_size(self, problem: Problem) -> bool:
        """Return whether the movement of a pass tells the gap (see ``schedule``): the pair is that of the steps, and
        the loss smooth.
        """
        return type(self.reference).view is DualMethod.view and problem.gamma > 0

    def monitored_vector(self, problem: Problem, state: Any) -> Array:
        """alpha, or v where it is the shorter one, of a method whose gap tracks the step size."""
        return np.asarray(state.alpha if problem.n <= problem.d else state.v)

    def refresh(self, state: Any, v: Array) -> None:
        """Put v(alpha), shape (d,), instead of the v that the steps have kept up."""
        state.v = v

    def certificate(self, problem: Problem, state: State, tol: float = 0.0, rtol: float = 0.0) -> Certificate | None:
        """The certificate of the state's pair, or None where it is not finite (or P or D overflow).

        Of a method that does not keep w = w(alpha), such as ASPDC-i or PGS, the better of (w, alpha) and (w(alpha),
        alpha); both are legal, and the second is not made where the first meets tol and rtol, or where the steps tell
        the gap of the first. In a method that does, rounding lets v drift away from v(alpha); when that could hold up
        the gap, and the gap is not yet the tolerance, v is computed again.
        """
        w, alpha = getattr(self.implementation, "pair", self.implementation.view)(problem, state)
        objective = self.native(problem)
        if isinstance(objective, InterceptObjective):
            objective = objective.near(self.implementation.near(state))
        w, given = numbers(w, "w"), None if alpha is None else objective.finite_alpha(alpha)
        if given is None and alpha is not None or not np.isfinite(w).all():
            return None
        try:
            found = certified(objective, w, given, tol, rtol)
        except OverflowError:
            return None
        if found.meets(tol, rtol) or (not drift_matters(found) if self.consistent else self.tells_own_gap()):
            return found
        minus_u = found.minus_u.copy()  # kernels are compiled for arrays that can be written
        of_alpha = objective.gradient_conjugate(minus_u)
        if not self.consistent and np.array_equal(of_alpha, w):
            return found
        try:
            exact = certified(objective, of_alpha, found.alpha, tol, rtol)
        except OverflowError:
            return None if self.consistent else found
        if self.consistent:
            self.refresh(state, objective.dual_point(minus_u))
        return exact if self.consistent or exact.gap_bound < found.gap_bound else found

    def loses_writes(self) -> bool:
        """Return whether no more can be expected than the minimum of a perturbed problem."""
        return bool(getattr(self.implementation, "loses_writes", False))


class ReferenceBackend(Backend):
    """The reference's own method, step by step in Python."""

    def pieces(self, choices: Array) -> Sequence[Any]:
        found: list[Any] = choices.tolist()
        return found

    def refresh(self, state: Any, v: Array) -> None:
        state.v = v.tolist() if isinstance(state.v, list) else v


def constant_out_of_range(error: ArithmeticError, method: str) -> Exception:
    """What is raised for an error of the arithmetic before the first step: it says what to do."""
    return ValueError(
        f"method {method} cannot start: a constant of its steps is beyond the range or the precision of a double"
        f" ({error}), because the sizes of the rows, lam, gamma and n are too far apart. Scale X, change lam or gamma,"
        " or use another method"
    )


def divisor_out_of_range(error: ArithmeticError) -> Exception:
    """What is raised for the division by a number that has become 0 by underflow: it ends a run as diverged."""
    return OverflowError(f"a step divides by a number that is 0 in doubles ({error})")


def drift_matters(certificate: Certificate) -> bool:
    """Return whether the rounding error e = w - w(alpha) could hold the gap above what alpha deserves.

    ||e||^2 <= (2/mu) regularizer_part. For a (1/gamma)-smooth loss FY_i is convex in z, (1/gamma)-smooth and >= 0, so
    that sqrt(2 FY_i) has slopes of at most 1/sqrt(gamma), and e moves sqrt(mean FY) by at most R ||e|| / sqrt(2 gamma).
    For hinge and absolute FY_i has slopes of at most 2, and e moves mean FY by at most 2 R ||e||. It matters where
    this is more than an eighth of sqrt(gap), or of the gap.
    """
    problem, gap, part = certificate.problem, certificate.gap, certificate.regularizer_part
    R2, mu, gamma = arrays(problem).R2, problem.regularizer.modulus, problem.gamma
    if gamma > 0:
        return bool(R2 / (gamma * mu) * part > gap / 64) if gamma * mu > 0 else part > 0
    return 2 * math.sqrt(2 * R2 * part / mu) > gap / 8


def backend_of(
    backend: str,
    name: str,
    options: Mapping[str, object],
    threads: int = 1,
    mode: str = "paper",
    kind: type[Problem] = Problem,
    settings: Iterable[str] = (),
) -> Backend:
    """The backend of that name, for the method of that name, on that many threads and problems of that kind.

    settings: names that are no options of a method, but that an unknown option may be meant for.

    Mode sharp chooses theta = "sharp" of a method that has that choice: the constant that we prove, not the paper's.
    """
    known = known_methods(backend, name, kind)
    if options:
        _require_options(name, options, options_of(known[name], name), settings)
    if threads != 1:
        _require_threaded(backend, name)
        options = {**options, "threads": threads}
    if mode == "sharp" and "theta" in inspect.signature(all_methods()[name]).parameters:
        options = {"theta": "sharp", **options}
    consistent = issubclass(all_methods()[name], DualMethod)
    if backend == "reference":
        return ReferenceBackend(
            (method if issubclass(kind, BlockProblem) else as_compiled)(name, **options), consistent
        )
    implementation: FastMethod[Any] = known[name](**options)
    return Backend(implementation, consistent)


def known_methods(backend: str, name: str, kind: type[Problem]) -> Mapping[str, Any]:
    """The methods of that backend that run on problems of that kind; ValueError unless the named one is among them."""
    if backend not in BACKENDS:
        raise ValueError(f"backend must be one of {', '.join(BACKENDS)} (got {backend!r})")
    known: Mapping[str, Any] = all_methods() if backend == "reference" else kernels()
    if kind is Problem and name in known:
        return known
    if name not in known and name in all_methods():
        raise ValueError(
            f'method {name} has a reference only and no compiled form: use backend="reference", or register a compiled'
            " form with @register_compiled_method"
        )
    if name not in known:
        raise ValueError(f"unknown method {name!r} for backend {backend}; known: {', '.join(sorted(known))}, auto")
    special = special_kernels(kind)
    if issubclass(kind, BlockProblem) and backend == "fast":
        raise ValueError(
            'compiled methods keep one number for each row and do not run on a BlockProblem: give backend="reference"'
        )
    if issubclass(kind, InterceptProblem) and (name not in special or backend == "reference"):
        raise ValueError(
            f"method {name}, backend {backend}, has no free intercept: use auto, sdca, or for a smooth loss"
            " afg, or without l1 proximal-newton, newton or lbfgs, with backend fast; or a penalised intercept, a"
            " constant column"
        )
    if special and name not in special:
        able = ", ".join(sorted(special)) + " or auto"
        if issubclass(kind, WeightedProblem):
            able = (
                "auto, sdca, sdca-newton, afg and l1-newton for a smooth loss; without l1 proximal-newton, or lbfgs or"
                " newton if it is smooth"
            )
        raise ValueError(
            f"method {name} is for problems of one number and one weight for each row and does not run on a"
            f" {kind.__name__}; use {able}"
        )
    return special or known


def special_kernels(kind: type[Problem]) -> dict[str, Any]:
    """The methods that run on a BlockProblem, or on a WeightedProblem; empty for a Problem, on which all do."""
    if issubclass(kind, BlockProblem):
        return {name: all_methods()[name] for name in ("adaspdc", "adaspdc-r", "pdcp")}
    if issubclass(kind, InterceptProblem):
        from dualgap.fast.methods.specialized.intercept import intercept_kernels

        return intercept_kernels()
    if issubclass(kind, WeightedProblem):
        return {name: cls for name, cls in kernels().items() if cls.weighted}
    return {}


def options_of(implementation: type, name: str) -> list[str]:
    """Return the options of the method of that name: those of its class, and of the reference's class if it passes them
    on.

    >>> options_of(kernels()["sdca"], "sdca"), options_of(kernels()["aspdc-i-fixed"], "aspdc-i-fixed")
    ([], ['kappa', 'm'])
    """
    own = inspect.signature(implementation).parameters.values()
    named = [parameter.name for parameter in own if parameter.kind is not parameter.VAR_KEYWORD]
    if len(named) < len(own):
        named += parameters_of(all_methods()[name])
    return [option for option in dict.fromkeys(named) if option != "threads"]  # a setting of solve


def _require_options(name: str, options: Iterable[str], known: Sequence[str], settings: Iterable[str]) -> None:
    """Raise ValueError for an option that the method does not have, with the name that it may be meant for."""
    for option in options:
        if option not in known:
            near = difflib.get_close_matches(option, [*known, *settings], n=1)
            meant = f"; {near[0]} is the nearest name" if near else ""
            raise ValueError(
                f"method {name} has no option {option!r}{meant}: it takes {', '.join(known) or 'none'}; the others are"
                " settings of solve"
            )


def _require_threaded(backend: str, name: str) -> None:
    """Raise ValueError unless that method can be run on several threads."""
    threaded = [known for known, cls in sorted(kernels().items()) if "threads" in inspect.signature(cls).parameters]
    if name not in threaded:
        raise ValueError(f"method {name} runs on one thread only; several threads are for {', '.join(threaded)}")
    if backend == "reference":
        raise ValueError(
            "backend reference has one thread and only simulates more "
            f"(dualgap.reference.method({name!r}, threads=T)); use backend fast"
        )
