"""Problems from life, at the solvers' default tolerances: P(w) - min P between certified bounds, in units of P(0), and
the time it took.

The witness is a pair of ours; with G the certified bounds of P(w) - D(alpha'), G is the upper end, and G less the gap
of the witness the lower.

>>> [life.name for life in PROBLEMS][:2]
['breast_cancer, standardized', 'breast_cancer as it is']
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from functools import cache
from typing import NamedTuple

import numpy as np

from dualgap.extras.released_solvers.environments import environment
from dualgap.extras.released_solvers.table import Released, released
from dualgap.fast.problem.arrays import Array
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.protocol.hex_floats import decode
from dualgap.proofs_checks.conformance.protocol.process import Unreachable
from dualgap.proofs_checks.conformance.solvers.command_solver import CommandSolver, NoAnswer
from dualgap.reference import LOSSES, ElasticNet, Problem

SECONDS = 30.0  # for an answer
EPOCHS = 3000  # for the witness; no time ends it, so that the bounds are the same on a machine with other work


class Life(NamedTuple):
    """A problem by name: X (n, d) dense, y (n,) of -1 and 1, targets of the squared loss too; lam = 1/n, C = 1."""

    name: str
    data: Callable[[], tuple[Array, Array]]

    def problem(self, loss: str, net: bool) -> Problem:
        """P with lam = 1/n, or lam = l1 = 1/n."""
        X, y = self.data()
        strength = 1 / len(y)
        return Problem(
            X, y, LOSSES[loss](1.0 if loss == "squared" else None), ElasticNet(strength, strength if net else 0.0)
        )


@cache
def _cancer(standardize: bool = True) -> tuple[Array, Array]:
    from dualgap.fast.data.load import load, prepare

    data = prepare(load("breast_cancer"), standardize=standardize, unit_rows=standardize)
    return data.X, np.where(data.y > 0, 1.0, -1.0)


def _changed(change: Callable[[Array, Array], tuple[Array, Array]]) -> Callable[[], tuple[Array, Array]]:
    def data() -> tuple[Array, Array]:
        X, y = _cancer()
        return change(X[:200].copy(), y[:200].copy())

    return data


def _loaded(name: str) -> Callable[[], tuple[Array, Array]]:
    def data() -> tuple[Array, Array]:
        from dualgap.fast.data.load import load

        found = load(name)
        return np.asarray(getattr(found.X, "toarray", lambda: found.X)()), np.where(np.asarray(found.y) > 0, 1.0, -1.0)

    return data


PROBLEMS = (
    Life("breast_cancer, standardized", _cancer),
    Life("breast_cancer as it is", lambda: _cancer(False)),
    Life("one feature of 1e6", _changed(lambda X, y: (X * np.where(np.arange(X.shape[1]) == 0, 1e6, 1.0), y))),
    Life("collinear columns", _changed(lambda X, y: (np.hstack([X, X[:, :5] + X[:, 5:10]]), y))),
    Life("every row twice, with opposite labels", _changed(lambda X, y: (np.vstack([X, X]), np.concatenate([y, -y])))),
    Life("half of the rows zero", _changed(lambda X, y: (X * (np.arange(len(y)) % 2)[:, None], y))),
    Life("one row of the second class", _changed(lambda X, y: (X, np.where(np.arange(len(y)) == 7, 1.0, -1.0)))),
    Life("n < d", _changed(lambda X, y: (X[:20], y[:20]))),
    Life("digits", _loaded("digits")),
    Life("a9a-like, 1000 rows", _loaded("a9a-like:n=1000")),
    Life("text-like, 200 rows of 1000 columns", _loaded("rcv1-like:n=200,d=1000")),
)


@cache
def witness(number: int, loss: str, net: bool) -> tuple[Problem, Array, float]:
    """The problem, the best dual point that a run of ours finds, and the certified gap of its pair."""
    from dualgap.fast import solve

    problem = PROBLEMS[number].problem(loss, net)
    result = solve(problem, "sdca", tol=1e-10 * float(problem.P([0.0] * problem.d)), max_epochs=EPOCHS)
    return problem, result.alpha, result.gap_bound


def distance(problem: Problem, w: Array, alpha: Array, gap: float) -> tuple[float, float]:
    """Certified bounds of P(w) - min P in units of P(0)."""
    from dualgap.fast import Certificate

    found, unit = Certificate(problem, w, alpha), float(problem.P([0.0] * problem.d))
    low = Fraction(2) * Fraction(found.gap) - Fraction(found.gap_bound) - Fraction(gap)
    return max(0.0, float(low)) / unit, found.gap_bound / unit


def rows_of(name: str) -> Iterator[Json]:
    """One solver on all of them, as plain data; nothing where it is not installed."""
    solver = released(name)
    home = environment(solver.environment)
    if home.missing:
        return
    try:
        with CommandSolver(home.command(solver.setting), SECONDS) as program:
            for k, life in enumerate(PROBLEMS):
                yield {
                    "solver": solver.name,
                    "problem": life.name,
                    "loss": solver.loss,
                    "net": solver.net,
                    "tol": solver.tol,
                } | _answer(program, k, solver)
    except Unreachable:
        return


def _answer(program: CommandSolver, number: int, solver: Released) -> Json:
    X, y = PROBLEMS[number].data()
    strength = 1 / len(y)
    gamma = 1.0 if solver.loss == "squared" else None
    try:
        w, _, converged = program(
            X, y, loss=solver.loss, lam=strength, l1=strength if solver.net else 0.0, gamma=gamma, tol=None, seed=0
        )
        problem, alpha, gap = witness(number, solver.loss, solver.net)
        low, high = distance(problem, w, alpha, gap)
    except (ValueError, NoAnswer, ArithmeticError) as error:
        return {"refused": f"{type(error).__name__}: {error}"[:120]}
    return {"converged": converged, "low": low, "high": high, "seconds": decode(program.last["seconds"])}
