"""L-BFGS with memory 30 (Nocedal and Wright, Numerical Optimization, section 7.2), as scipy implements it.

Problem    min_w P(w) for a smooth loss and g = (lam/2)||w||^2. Deterministic.
Method     scipy.optimize.minimize(method="L-BFGS-B") with the options below. Its defaults end a run early: at a
           gradient of 1e-5, or when P falls by less than 2e-9 of itself.
Guarantee  linear convergence for strongly convex smooth P (Liu and Nocedal 1989), with a constant that says nothing of
           use; none is claimed here. The dual variable alpha_i = phi_i'(x_i^T w) certifies every iterate:
           P(w) - D(alpha) = ||grad P(w)||^2/(2 lam).

One choice, 0, is one evaluation of (P, grad P), a pass. scipy asks for evaluations and cannot be stepped, so that it
runs in a thread of its own (``Search``), which hands out one point and waits for its value. The state is (w_0,
evaluations): what scipy does next is a function of these. The search is only kept to save work; of a copied state, or
after an interrupt, it is made again by the same evaluations in the same order.

scipy's own steps are vector operations in BLAS, which may start threads for vectors too short for them: on a busy
machine OPENBLAS_NUM_THREADS=1 was measured to make an evaluation ten times faster (123 columns, 2 cores).
"""

import threading
import weakref
from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

from dualgap.extras.baselines.afg.reference import Deterministic, gradient, slopes
from dualgap.reference.methods.base import State
from dualgap.reference.methods.registry import register_method
from dualgap.reference.problem.problem import Problem, Vector

OPTIONS = {"maxcor": 30, "ftol": 0.0, "gtol": 0.0, "maxiter": 10**9, "maxfun": 10**9}

Evaluation = tuple[float, Any]  # P(w), and grad P(w), shape (d,)


class Stopped(Exception):
    """Ends scipy's run from inside the function that it minimizes."""


class Search:
    """A run of scipy's minimizer, from outside: ``point`` is the array where it waits for (P, grad P), None at its end.

    The thread ends with the run, and when this object is closed or no longer used.

    >>> search, seen = Search([3.0], OPTIONS), []
    >>> while search.point is not None:
    ...     seen += search.point.tolist()
    ...     search.answer((search.point[0] ** 2 / 2, search.point))
    >>> seen[:2], abs(seen[-1]) < 1e-9
    ([3.0, 2.0], True)
    """

    def __init__(self, w_0: Any, options: dict[str, Any]) -> None:
        from scipy.optimize import minimize

        self._points: SimpleQueue[Any] = SimpleQueue()
        self._answers: SimpleQueue[Evaluation | None] = SimpleQueue()
        self.close = weakref.finalize(self, self._answers.put, None)
        arguments = (minimize, w_0, options, self._points.put, self._answers.get)
        self.thread = threading.Thread(target=_minimize, args=arguments, daemon=True, name="dualgap L-BFGS")
        self.thread.start()
        self.point: Any = self._next()

    def answer(self, evaluation: Evaluation) -> None:
        """Give the value at ``point``; ``point`` is then the next one."""
        self._answers.put(evaluation)
        self.point = self._next()

    def _next(self) -> Any:
        found = self._points.get()
        if isinstance(found, BaseException):
            raise found
        return found


def _minimize(minimize: Any, w_0: Any, options: dict[str, Any], put: Callable[[Any], None], get: Any) -> None:
    """What the thread does. It holds no reference to its Search, so that this can end."""

    def function(w: Any) -> Evaluation:
        put(w.copy())
        evaluation: Evaluation | None = get()
        if evaluation is None:
            raise Stopped
        return evaluation

    try:
        minimize(function, w_0, jac=True, method="L-BFGS-B", options=options)
        put(None)
    except BaseException as error:  # to be raised where the run is driven, if it still is
        put(error)


class LBFGSState(State):
    """w_0, shape (d,), the evaluations made, the best w so far and its P, and whether scipy has ended.

    ``search`` is no part of the state: None, or scipy's run after these evaluations.
    """

    __slots__ = ("w_0", "evaluations", "w", "P", "ended", "search")
    w_0: Any  # a list; in the compiled counterpart an array
    evaluations: int
    w: Any
    P: float
    ended: bool
    search: Search | None

    def __init__(self, **fields: Any) -> None:
        super().__init__(**fields)
        self.search = None

    @classmethod
    def names(cls) -> tuple[str, ...]:
        return tuple(name for name in super().names() if name != "search")


@register_method
class LBFGS(Deterministic[LBFGSState]):
    """The output is the best point evaluated.

    >>> from dualgap.reference import L2, Problem, Squared
    >>> p = Problem([[1.0, 0.0], [0.0, 1.0]], [1, -1], Squared(), L2(0.5))
    >>> w, alpha = LBFGS().view(p, LBFGS().run(p, [0] * 10))
    >>> [round(w_j, 9) for w_j in w], p.gap(w, alpha) < 1e-20
    ([0.5, -0.5], True)
    """

    name = "lbfgs"
    summary = "limited-memory BFGS, with which SPDC and PGS compare"
    resumable = False
    options = OPTIONS

    def require_start(self, problem: Problem, alpha: Vector | None = None) -> None:
        """No start but 0, and floats."""
        super().require_start(problem)
        if problem.number is not float:
            raise ValueError(
                f"method lbfgs runs in scipy, on floats (got number={problem.number.__name__}): use number=float"
            )
        if alpha is not None:
            raise ValueError("method lbfgs starts at w_0 = 0 and keeps no alpha: leave alpha out")

    def notes(self, problem: Problem) -> list[str]:
        return ["No useful bound on the passes of lbfgs is known, and scipy may end before the gap is met."]

    def init(self, problem: Problem, alpha: Vector | None = None) -> LBFGSState:
        """w_0 = 0."""
        self.require_start(problem, alpha)
        zeros = [problem.zero] * problem.d
        return LBFGSState(w_0=zeros, evaluations=0, w=list(zeros), P=float("inf"), ended=False)

    def advance(self, problem: Problem, state: LBFGSState, choice: Any) -> None:
        step(state, lambda point: evaluate(problem, point.tolist()), self.options)

    def view(self, problem: Problem, state: LBFGSState) -> tuple[Vector, Vector]:
        """(w, alpha) with alpha_i = phi_i'(x_i^T w)."""
        return list(state.w), slopes(problem, state.w)


def evaluate(problem: Problem, w: Vector) -> Evaluation:
    """P(w) and grad P(w)."""
    return problem.P(w), [h_j + problem.regularizer.lam * w_j for h_j, w_j in zip(gradient(problem, w), w)]


def step(state: Any, evaluate: Callable[[Any], Evaluation], options: dict[str, Any]) -> None:
    """One evaluation, for both backends; the state's vectors stay what they are, lists or arrays."""
    if state.ended:
        return
    search, state.search = state.search, None  # an exception or an interrupt from here on leaves no search behind
    if search is None or not search.thread.is_alive():  # a copied state, or another process
        search = Search(state.w_0, options)
        for _ in range(state.evaluations):
            search.answer(evaluate(search.point))
    point = search.point
    P, slope = evaluate(point)
    search.answer((P, slope))
    if P < state.P:
        state.w, state.P = point.tolist() if isinstance(state.w, list) else point, P
    state.evaluations, state.ended = state.evaluations + 1, search.point is None
    state.search = None if state.ended else search
