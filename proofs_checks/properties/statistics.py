"""Statistics of property tests: repetitions, entropy, large float runs with a known saddle point."""

import math
import secrets
from fractions import Fraction
from functools import cache
from itertools import chain, count, islice
from random import Random
from typing import Any

from dualgap.proofs_checks.claims.instance import Instance
from dualgap.proofs_checks.properties.runs import begun, float_problem
from dualgap.reference import Problem
from dualgap.reference.problem.problem import Vector


def rounds(number: int) -> int:
    """A number of repetitions, for the profile's 100 examples; more of these, more repetitions."""
    from hypothesis import settings

    return max(2, number * settings.default.max_examples // 100)  # type: ignore[union-attr]


def entropy() -> int:
    """The seed of float runs: 0 in a derandomised profile, else fresh once a process; a failure names it."""
    from hypothesis import settings

    return 0 if settings.default.derandomize else _fresh()  # type: ignore[union-attr]


@cache
def _fresh() -> int:
    return secrets.randbelow(2**31)


Pair = tuple[list[float], list[float]]


def large_run(method: str, K: Fraction, n: int, seed: int) -> tuple[Instance, Problem, Pair, Pair]:
    """A run, its float problem, a start and the saddle point: n unit rows in 5 dimensions, R^2/(lam n gamma) = K.

    The loss is squared (gamma = 1); for the averages of SDCA it is absolute (gamma = 0, read as 1 in K). The saddle
    point is planted: alpha* is drawn and y_i = x_i^T w(alpha*) - gamma alpha*_i; rounding moves it by parts in 1e-15.
    """
    random = Random(f"{method} {seed}")
    rows = [[random.gauss(0, 1) for _ in range(5)] for _ in range(n)]
    rows = [[x / math.hypot(*row) for x in row] for row in rows]
    alpha = [random.uniform(-1, 1) for _ in rows]
    lam = 1 / (n * float(K))
    w = [-math.fsum(a * row[j] for a, row in zip(alpha, rows)) / (lam * n) for j in range(5)]
    loss, gamma = ("absolute", 0) if method == "sdca-averaged" else ("squared", 1)
    y = [math.fsum(x * w_j for x, w_j in zip(row, w)) - gamma * a for row, a in zip(rows, alpha)]
    known: dict[str, dict[str, object]] = {
        "aspdc-i": {"epsilon": Fraction(1, 2**20)},
        "sdca-averaged": {"T0": 2 * n},
        "spdc": {"R": 1 + Fraction(1, 2**40)},
        "spdc-nonuniform": {"mix": Fraction(1, 2)},
        "adaspdc-r": {"m": 1, "preset": "a"},
        "pgs": {"output": "last"},
    }
    exact = [tuple(map(Fraction, values)) for values in (*rows, y, alpha)]
    run = Instance(tuple(exact[:n]), exact[n], (), Fraction(lam), loss, method=method, options=known.get(method, {}))
    problem = float_problem(run)
    start = [random.uniform(-1, 1) for _ in rows]
    return run.but(alpha=tuple(map(Fraction, start))), problem, (problem.w(start), start), (w, alpha)


def along(T: int, method: Any, problem: Problem, run: Instance, seed: int) -> tuple[list[object], list[Vector]]:
    """T choices as the compiled method draws them pass by pass, and w before each of these steps and at the end."""
    choices = _drawn(T, method, problem, seed)
    state, w = begun(method, problem, run), []
    for choice in choices:
        w.append(list(method.view(problem, state)[0]))
        method.advance(problem, state, [choice])
    return choices, [*w, list(method.view(problem, state)[0])]


def after(T: int, method: Any, problem: Problem, run: Instance, seed: int) -> Any:
    """The state after T steps of a compiled method, its choices drawn pass by pass."""
    state = begun(method, problem, run)
    method.advance(problem, state, _drawn(T, method, problem, seed))
    return state


def _drawn(T: int, method: Any, problem: Problem, seed: int) -> list[object]:
    passes = (method.draw(problem, "uniform", seed, epoch).tolist() for epoch in count())
    return list(islice(chain.from_iterable(passes), T))
