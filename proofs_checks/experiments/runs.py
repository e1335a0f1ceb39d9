"""What the experiments share: curves of P - P* against passes, runs to a certified gap, and how they are drawn.

A pass is n dual steps, or every evaluation of a gradient of all n losses. Reading and preparing the data is not timed.
"""

import math
import time
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from dualgap.fast.matrix import Array
from dualgap.proofs_checks.experiments import CANNOT, NOT_REPRODUCED, REPRODUCED
from dualgap.reference import L2, Problem

if TYPE_CHECKING:
    from matplotlib.axes import Axes

COLOURS = ("#2b4c73", "#b5482f", "#b98a1d", "#2f6b4f", "#7a5a8c", "#5b9aa8", "#8b6f4e", "#c2577e")
Suboptimality = Callable[[Array], float]


@lru_cache(maxsize=4)
def dataset(name: str, unit_rows: bool = False, bias: bool = False, positive: str = "") -> Any:
    """A data set, generator or LIBSVM file by name, prepared; ``positive`` is for labels other than -1 and +1."""
    from dualgap.fast.data import load, prepare

    data = load(name)
    labels = positive if positive and len(np.unique(data.y)) > 2 else None
    return prepare(data, positive=labels, bias=bias, unit_rows=unit_rows)


def problem_of(
    name: str, loss: Any, lam: float, unit_rows: bool = False, bias: bool = False, positive: str = ""
) -> Problem:
    """Loss and L2 on a data set."""
    data = dataset(name, unit_rows, bias, positive if loss.margin else "")
    return Problem(data.X, data.y, loss, L2(lam))


def curve(problem: Problem, method: str, passes: int, seed: int, suboptimality: Suboptimality, **options: Any) -> dict[str, Any]:
    """P(w) - P* after 0, 1, ..., passes passes of the method's own w; {"suboptimality": [...], "seconds": ...}.

    A value that is not finite ends the curve: the method has diverged.
    """
    from dualgap.fast.backends import backend_of

    driver = backend_of("fast", method, options)
    driver.require(problem, "unchecked")
    state, found, seconds = driver.init(problem, None), [], 0.0
    for epoch in range(passes + 1):
        value = suboptimality(driver.implementation.view(problem, state)[0])
        if not math.isfinite(value):
            break
        found.append(value)
        if epoch < passes:
            choices = driver.implementation.draw(problem, "uniform", seed, epoch)
            started = time.perf_counter()
            driver.advance(problem, state, choices)
            seconds += time.perf_counter() - started
    return {"suboptimality": found, "seconds": seconds}


def lbfgs_curve(problem: Problem, passes: int, suboptimality: Suboptimality, memory: int = 30) -> dict[str, Any]:
    """scipy's L-BFGS-B from 0, one pass for each evaluation of P and its gradient; the best point so far."""
    from scipy.optimize import minimize

    from dualgap.fast.objective import Objective

    objective, best = Objective(problem), [math.inf]
    slope = np.vectorize(problem.loss.derivative, otypes=[float])
    y, lam = objective.arrays.y, float(problem.regularizer.modulus)
    found: list[float] = []

    def value_and_gradient(w: Array) -> tuple[float, Array]:
        found.append(min([suboptimality(w), *best]))
        best[0] = found[-1]
        gradient = -objective.minus_u(slope(objective.z(w), y)) + lam * w
        return objective.P(w), gradient

    started = time.perf_counter()
    options = {"maxcor": memory, "maxfun": passes, "maxiter": passes, "ftol": 0.0, "gtol": 0.0}
    minimize(value_and_gradient, np.zeros(problem.d), jac=True, method="L-BFGS-B", options=options)
    return {"suboptimality": (found + [found[-1]] * passes)[: passes + 1], "seconds": time.perf_counter() - started}


def certified(problem: Problem, method: str, tol: float, max_seconds: float, seed: int, mode: str = "unchecked", **options: Any) -> dict[str, Any]:
    """``solve`` to a certified gap: passes, seconds, the gap reached and the status."""
    from dualgap.fast import solve

    result = solve(
        problem, method, tol=tol, max_epochs=10**7, max_seconds=max_seconds, seed=seed, mode=mode, **options
    )
    return {
        "passes": result.epochs, "seconds": result.seconds, "gap": result.gap, "primal": result.primal,
        "dual": result.dual, "status": result.status,
    }


def ridge_suboptimality(problem: Problem) -> Suboptimality:
    """P(w) - P* = (1/2n)||X(w - w*)||^2 + (lam/2)||w - w*||^2 for the squared loss, without cancellation."""
    data = problem.X.toarray() if hasattr(problem.X, "toarray") else np.asarray(problem.X, dtype=np.float64)
    n, lam, gamma = problem.n, float(problem.regularizer.modulus), float(problem.gamma)
    y = np.asarray(problem.y, dtype=np.float64)
    matrix = data.T @ data / (n * gamma) + lam * np.eye(problem.d)
    best = np.linalg.solve(matrix, data.T @ y / (n * gamma))

    def suboptimality(w: Array) -> float:
        error = w - best
        product = data @ error
        return float(product @ product / (2 * n * gamma) + lam * (error @ error) / 2)

    return suboptimality


def certified_suboptimality(problem: Problem, lower: float) -> Suboptimality:
    """P(w) - lower for a certified lower bound of min P (the dual value of a long run)."""
    from dualgap.fast.objective import Objective

    objective = Objective(problem)
    return lambda w: objective.P(w) - lower


def best_dual(problem: Problem, max_seconds: float, tol: float = 1e-13) -> float:
    """D(alpha) of a long permuted SDCA run: a lower bound of min P, as close to it as the time allows."""
    from dualgap.fast import solve

    result = solve(problem, "sdca", tol=tol, max_epochs=10**7, max_seconds=max_seconds, order="permuted")
    return result.dual


def at_pass(values: Sequence[float], passes: int) -> float:
    """The value after that many passes; infinity where the curve has ended before (the method diverged)."""
    return values[passes] if passes < len(values) else math.inf


def median(values: Sequence[float]) -> float:
    """The median; infinities count."""
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def verdict(holds: Sequence[bool]) -> str:
    """Reproduced where it holds at every setting, not reproduced where at none, else at how many."""
    if not holds:
        return f"{CANNOT}: no such setting was run"
    if all(holds):
        return REPRODUCED
    return NOT_REPRODUCED if not any(holds) else f"{NOT_REPRODUCED} at {len(holds) - sum(holds)} of {len(holds)} settings"


def log10(value: float) -> str:
    """The decimal logarithm with two digits."""
    return "diverged" if value == math.inf else f"{math.log10(value):.2f}" if value > 0 else "-inf"


def draw_curves(axes: "Axes", curves: Mapping[str, Sequence[float]], title: str = "", floor: float = 1e-16) -> None:
    """Suboptimality against passes, on a logarithmic scale, one line for each method."""
    for (name, values), colour in zip(curves.items(), COLOURS * 2):
        shown = [max(v, floor) for v in values]
        style = "--" if "sharp" in name else "-"  # it may lie on another line
        axes.plot(range(len(shown)), shown, color=colour, linestyle=style, label=name)
    axes.set_yscale("log")
    axes.set_xlabel("passes")
    axes.set_ylabel("P(w) − min P")
    axes.set_title(title, fontsize=8)
    axes.legend(fontsize=6.5)
