"""State machines of Hypothesis for solvers that continue from where they were: a warm start, or ``partial_fit`` and a
pickle in between.

>>> from dualgap.fast import solve
>>> from dualgap.reference import LOSSES, ElasticNet, Problem
>>> def mine(X, y, *, loss, lam, l1, gamma, tol, seed, start=None):
...     problem = Problem(X, y, LOSSES[loss](gamma), ElasticNet(lam, l1))
...     result = solve(problem, "sdca", alpha=None if start is None else start[1], tol=tol, seed=seed)
...     return result.w, result.alpha, result.status == "converged"
>>> machine = state_machine(mine, losses=["squared", "hinge"])
>>> issubclass(machine, RuleBasedStateMachine)
True

    TestMine = machine.TestCase         # pytest and unittest run it
"""

import copy
import pickle
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from dualgap.proofs_checks.conformance.solvers.cases import TABLE, TARGETS, Array, SolverCase, gamma_of
from dualgap.proofs_checks.conformance.solvers.checks import TOL, solver_checks
from dualgap.proofs_checks.conformance.solvers.diagnosis import require
from dualgap.proofs_checks.conformance.solvers.trial import Answer, CheckFailed, Solver, Trial, name_of, read, takes

QUARTERS = st.integers(-8, 8).map(lambda k: k / 4)
STRENGTHS = st.sampled_from((4.0, 1.0, 0.25, 0.0625))


def state_machine(
    solver: Solver,
    *,
    losses: Iterable[str] | None = None,
    l1: bool | None = None,
    tol: float = TOL,
    answer: Callable[[Any], object] | None = None,
) -> type[RuleBasedStateMachine]:
    """The machine for a solver, to be run as ``machine.TestCase`` or by ``run_state_machine_as_test``.

    A callable ``solver(X, y, ..., start=(w, alpha))`` is called cold, warm, for another lam, with labels turned, with
    rows added, with an earlier call repeated; every convergence is certified, no start is written to, and equal calls
    return bit-identical answers whatever came between. A class, or a function, whose instances have ``partial_fit(X,
    y)`` and that is called as ``solver(loss=, lam=, l1=, gamma=, seed=)`` is stepped, pickled and resumed, copied and
    stepped apart: an interrupted run is bit-identical to the uninterrupted one.

    Parameters
    ----------
    solver : the callable, or the class.
    losses, l1, tol : as for ``solver_checks``.
    answer : for partial_fit: the instance to w or (w, alpha); default its ``coef_``, with ``dual_coef_`` where it has
        one.

    Raises
    ------
    ValueError
        The solver takes no ``start`` and its instances have no ``partial_fit``; an unknown loss, or tol <= 0.
    """
    checks = solver_checks(solver, losses=losses, l1=l1, tol=tol)
    names, net = list(dict.fromkeys(check.loss for check in checks)), checks[0].l1
    if takes(solver, "start"):
        members: dict[str, object] = {"trials": [checks[0].trial(solver, loss) for loss in names]}
        return type(f"WarmStartsOf{name_of(solver)}", (WarmStarts,), members)
    if hasattr(solver if isinstance(solver, type) else solver(**_parameters(names[0], 1.0, 0.0)), "partial_fit"):
        members = {
            "make": staticmethod(solver),
            "names": names,
            "net": net,
            "answer": staticmethod(answer or fitted_answer),
        }
        return type(f"PartialFitsOf{name_of(solver)}", (PartialFits,), members)
    raise ValueError(
        f"{name_of(solver)} takes no start=(w, alpha) and has no partial_fit: there is nothing that goes on"
    )


def fitted_answer(model: Any) -> Array | tuple[Array, Array]:
    """w, or (w, alpha), of an instance that was fitted: ``coef_`` and ``dual_coef_``, flat."""
    w = np.ravel(model.coef_)
    return (w, np.ravel(model.dual_coef_)) if hasattr(model, "dual_coef_") else w


def _parameters(loss: str, lam: float, l1: float) -> dict[str, object]:
    return {"loss": loss, "lam": lam, "l1": l1, "gamma": gamma_of(loss), "seed": 1}


class WarmStarts(RuleBasedStateMachine):
    """Calls of one solver, each from a start that an earlier one left."""

    trials: list[Trial]

    @initialize(data=st.data())
    def begin(self, data: st.DataObject) -> None:
        self.trial = data.draw(st.sampled_from(self.trials), label="loss")
        self.case = self.trial.dressed(SolverCase("drawn rows", TABLE, TARGETS, data.draw(STRENGTHS, label="lam")))
        self.calls: list[tuple[SolverCase, Any, Answer]] = []
        self.ask(None)

    def ask(self, start: tuple[Array, Array | None] | None) -> Answer:
        kept = copy.deepcopy(start)
        answer = self.trial.ask(self.case, **({} if start is None else {"start": start}))  # type: ignore[arg-type]
        if start is not None and any(
            a is not None and b is not None and not np.array_equal(a, b) for a, b in zip(start, kept or ())
        ):
            self.trial.fail(self.case, "the solver has changed the start that it was given: copy it", "start changed")
        self.calls.append((self.case, kept, answer))
        return answer

    @property
    def last(self) -> Answer:
        return self.calls[-1][2]

    @rule()
    def go_on(self) -> None:
        self.ask(self.last[:2])

    @rule(lam=STRENGTHS)
    def change_lam(self, lam: float) -> None:
        self.case = self.case._replace(lam=lam)
        self.ask(self.last[:2])

    @rule()
    def turn_the_targets(self) -> None:
        """alpha turns with them, so that it stays in its domain."""
        self.case = self.case._replace(y=-self.case.y)
        w, alpha, _ = self.last
        self.ask((-w, None if alpha is None else -alpha))

    @precondition(lambda self: len(self.case.y) < 8)
    @rule(row=st.tuples(QUARTERS, QUARTERS), y=st.sampled_from((1.0, -1.0, 0.5, -2.0)))
    def add_a_row(self, row: tuple[float, float], y: float) -> None:
        """Its alpha starts at 0."""
        self.case = self.case._replace(X=np.vstack([self.case.X, row]), y=np.append(self.case.y, y))
        w, alpha, _ = self.last
        self.ask((w, None if alpha is None else np.append(alpha, 0.0)))

    @rule(which=st.integers(0, 7))
    def repeat_a_call(self, which: int) -> None:
        case, start, before = self.calls[which % len(self.calls)]
        self.case = case
        if not self.ask(copy.deepcopy(start)).same_bits(before):
            self.trial.fail(
                case,
                "the same call gives different bits: something is kept from call to call, or not seeded",
                "state kept",
            )

    @invariant()
    def is_certified_where_it_says_so(self) -> None:
        if self.last.converged:
            require(self.trial, self.case, self.last)


class PartialFits(RuleBasedStateMachine):
    """A model that is saved, copied, resumed and one that is never interrupted must stay bit-identical."""

    make: Callable[..., object]
    answer: Callable[[object], object]
    names: list[str]
    net: bool

    @initialize(data=st.data())
    def begin(self, data: st.DataObject) -> None:
        loss = data.draw(st.sampled_from(self.names), label="loss")
        lam, l1 = (
            data.draw(STRENGTHS, label="lam"),
            (data.draw(st.sampled_from((0.0, 0.0625)), label="l1") if self.net else 0.0),
        )
        self.case, self.loss = SolverCase("four rows", TABLE, TARGETS, lam, l1), loss
        self.model, self.twin = (self.make(**_parameters(loss, lam, l1)) for _ in range(2))
        self.steps = 0
        self.saved: tuple[bytes, int] | None = None

    def step(self, model: Any) -> None:
        X, y = self.case.X.copy(), self.case.labels(self.loss).copy()
        model.partial_fit(X, y)
        if not (np.array_equal(X, self.case.X) and np.array_equal(y, self.case.labels(self.loss))):
            self.fail("partial_fit has changed X or y: copy what is to be scaled or centred", "input changed")

    @rule(times=st.integers(1, 3))
    def partial_fit(self, times: int) -> None:
        for _ in range(times):
            self.step(self.model)
            self.step(self.twin)
        self.steps += times

    @rule()
    def save(self) -> None:
        self.saved = pickle.dumps(self.model), self.steps

    @precondition(lambda self: getattr(self, "saved", None) is not None)
    @rule()
    def resume(self) -> None:
        """Replace the model by its pickle, which catches up with the uninterrupted one."""
        assert self.saved is not None
        self.model = pickle.loads(self.saved[0])
        for _ in range(self.steps - self.saved[1]):
            self.step(self.model)

    @rule(times=st.integers(1, 2))
    def step_a_copy(self, times: int) -> None:
        """Steps of a copy must not change the original."""
        other = copy.deepcopy(self.model)
        for _ in range(times):
            self.step(other)

    @precondition(lambda self: getattr(self, "steps", 0) > 0)
    @invariant()
    def has_the_bits_of_the_uninterrupted_run(self) -> None:
        one, two = (read(self.answer(model)) for model in (self.model, self.twin))
        for name, a, b in (("w", one[0], two[0]), ("alpha", one[1], two[1])):
            if (a is None) != (b is None) or a is not None and a.tobytes() != b.tobytes():
                self.fail(
                    f"{name} after {self.steps} steps with saving, copying and resuming is not bit-identical to the"
                    f" uninterrupted run",
                    "resume",
                )
        if not np.isfinite(one[0]).all() or one[1] is not None and not self.in_domain(one[1]):
            self.fail("w is not finite, or alpha outside its domain", "domain")

    def in_domain(self, alpha: Array) -> bool:
        problem = self.case.problem(self.loss)
        return all(map(problem.loss.in_domain, alpha.tolist(), problem.y))

    def fail(self, text: str, cause: str) -> None:
        raise CheckFailed(
            f"{self.case.name}, loss {self.loss}, lam = {self.case.lam:g}, l1 = {self.case.l1:g}: {text}", cause
        )


__all__ = ["PartialFits", "Solver", "WarmStarts", "fitted_answer", "state_machine"]
