"""PGS's Figures 5 to 8: rounds and time to a fixed accuracy against the number of samples m, on text instead of
RCV1 (Figure 9: ``experiments_toy``).
"""

import time
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from dualgap.extras.experiments.pgs import experiments_toy as pgs_toy
from dualgap.extras.experiments.pgs.experiments_toy import Groups, first_hit, of, picture, sample
from dualgap.extras.experiments.reading import grid
from dualgap.fast.problem.arrays import Array
from dualgap.proofs_checks import experiments as ex
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.experiments import runs, seed
from dualgap.reference import L2, Logistic, Loss, Problem, Regularizer, Squared
from dualgap.reference.problem.pnorm import PNorm

METHODS: dict[str, tuple[str, Loss, Callable[[float], Regularizer]]] = {
    "l2-logistic": ("Figure 6", Logistic(), L2),
    "l2-squared": ("Figure 7", Squared(), lambda lam: PNorm(lam, 2, ball=0.5 / lam**0.5)),  # holds the minimizer
    "l1.8-logistic": ("Figure 8", Logistic(), lambda lam: PNorm(lam, 1.8)),
}
LBFGS, LBFGS_PASSES = "l-bfgs", 200


class Split(NamedTuple):
    """Rows in a random order: those to train on, and those that are held out."""

    X: Any
    y: Array
    held_X: Any
    held_y: Array

    def error(self, w: Array) -> float:
        """Per cent of the held-out labels that the sign of Xw does not give; a 0 counts as -1."""
        return float(100 * (np.where(self.held_X @ w > 0, 1.0, -1.0) != self.held_y).mean())


@lru_cache(maxsize=1)
def split(data: str, positive: str, held: int) -> Split:
    """The data set, shuffled once."""
    from scipy.sparse import csr_array

    found = runs.dataset(data, positive=positive)
    if not 1 <= held < found.n:
        raise ValueError(f"held must lie in 1..{found.n - 1}, {data} having {found.n} rows (got {held})")
    order = np.random.default_rng(0).permutation(found.n)
    X, y = csr_array(found.X)[order], found.y[order]
    return Split(X[held:], y[held:], X[:held], y[:held])


@lru_cache(maxsize=1)
def problem_of(data: str, positive: str, held: int, method: str, lam: float) -> Problem:
    """The method's loss and regularizer on the rows to train on."""
    rows, (_, loss, regularizer) = split(data, positive, held), METHODS[method]
    return Problem(rows.X, rows.y, loss, regularizer(lam))


def cells(options: ex.Options) -> list[ex.Cell]:
    pgs_toy.require_rounds(options["cap"], options["fixed"], options["every"])
    if len(options["lams"]) != len(METHODS):
        raise ValueError(f"lams must have one entry for each of {', '.join(METHODS)} (got {len(options['lams'])})")
    lams, ms = dict(zip(METHODS, options["lams"])), sorted(options["ms"])
    train = problem_of(options["data"], options["positive"], options["held"], "l2-logistic", lams["l2-logistic"]).n
    if not 1 <= ms[0] <= ms[-1] <= train:
        raise ValueError(
            f"every one of ms must lie in 1..{train}, the rows that are not held out (got {ms[0]}..{ms[-1]})"
        )
    cells = grid(method=(*METHODS, LBFGS), m=ms, repetition=range(options["repetitions"]))
    return [{**cell, "lam": lams.get(cell["method"], lams["l2-logistic"])} for cell in cells]


def run(cell: ex.Cell, options: ex.Options) -> Json:
    source = (options["data"], options["positive"], options["held"])
    rows, target = split(*source), 100 - options["accuracy"]
    start, choices = sample(len(rows.y), cell["m"], options["cap"], seed("pgs-text", cell["m"], cell["repetition"]))
    if cell["method"] == LBFGS:
        window = slice(start, start + cell["m"])
        return lbfgs(rows.X[window], rows.y[window], cell["lam"], rows.error, target)
    problem = problem_of(*source, cell["method"], cell["lam"])
    return first_hit(problem, choices, rows.error, target, options["every"], options["fixed"])


def lbfgs(X: Any, y: Array, lam: float, error: Callable[[Array], float], target: float) -> dict[str, object]:
    """As ``first_hit``, for scipy's L-BFGS-B on l2-logistic; a round is one evaluation of P and its gradient.

    The time, up to the hit, is without what it takes to measure the error; ``error`` is that of the minimizer.
    """
    from scipy.optimize import minimize
    from scipy.special import expit

    rounds, hit, seconds, started = 0, None, 0.0, time.perf_counter()

    def value_and_gradient(w: Array) -> tuple[float, Array]:
        nonlocal rounds, hit, seconds, started
        margins = y * (X @ w)
        gradient = X.T @ (-y * expit(-margins)) / len(y) + lam * w
        value = float(np.logaddexp(0, -margins).mean() + lam / 2 * (w @ w))
        rounds += 1
        if hit is None:
            seconds += time.perf_counter() - started
            hit = rounds if error(w) <= target else None
        started = time.perf_counter()
        return value, gradient

    options = {"maxfun": LBFGS_PASSES, "maxiter": LBFGS_PASSES}
    found = minimize(value_and_gradient, np.zeros(X.shape[1]), jac=True, method="L-BFGS-B", options=options)
    return {"hit": hit, "error": error(found.x), "seconds": seconds}


# -- what was found -------------------------------------------------------------------------------------------


def summary(results: ex.Results, options: ex.Options) -> ex.Summary:
    groups: Groups = {name: {} for name in (*METHODS, LBFGS)}
    for cell, result in results:
        groups[cell["method"]].setdefault(cell["m"], []).append(result)
    pgs = {name: groups[name] for name in METHODS}
    where, aim = (
        f"{options['data']}, {options['accuracy']:g} % of {options['held']:,} held-out labels",
        f"{options['accuracy']:g} % accuracy",
    )
    findings = [
        finding
        for name, (figure, _, _) in METHODS.items()
        for finding in pgs_toy.findings_on({name: pgs[name]}, f"{figure}, {name}, {where}: the rounds")
    ]
    longest = max(float(result["seconds"]) for _, result in results)
    pictures = [
        picture("text-rounds", f"{where}: rounds of PGS", pgs, options["cap"]),
        picture(
            "text-seconds",
            f"{where}: seconds of PGS and L-BFGS",
            groups,
            longest,
            "seconds",
            "seconds to the first hit",
        ),
    ]
    tables = pgs_toy.tables(
        groups,
        f"{where}; a round of L-BFGS is a pass",
        options["fixed"],
        "per cent of held-out labels missed (L-BFGS: at its minimum)",
        ".2f",
    )
    return ex.Summary([*findings, figure_5(groups, aim)], tables, pictures)


def figure_5(groups: Groups, aim: str) -> ex.Finding:
    """Seconds at the largest m against those at the smallest m at which the median runs of both hit."""
    paper = (
        f"Figure 5: PGS's time to a fixed accuracy (here {aim}) does not grow with m, that of L-BFGS on l2-logistic"
        " does"
    )
    both = (groups["l2-logistic"], groups[LBFGS])
    ms = [m for m in both[0] if all(of(line[m], "hit").middle < float("inf") for line in both)]
    if len(ms) < 2:
        return ex.Finding(paper, "most runs of one of them never hit", f"{ex.CANNOT}: at fewer than two m both hit")
    ends = [[of(line[m], "seconds").middle for m in (ms[0], ms[-1])] for line in both]
    told = "; ".join(
        f"{name}: {1e3 * first:.3g} ms at m = {ms[0]:,}, {1e3 * last:.3g} ms at m = {ms[-1]:,}"
        for name, (first, last) in zip(("PGS", "L-BFGS"), ends)
    )
    return ex.Finding(paper, told, runs.verdict([ends[0][1] <= ends[0][0] and ends[1][1] > ends[1][0]]))


EXPERIMENTS = {
    "pgs-inverse-time": ex.Experiment(
        "PGS, Figures 5 to 8: rounds and time to a fixed accuracy against the number of samples, on text",
        {
            "data": "rcv1-like:n=64000,d=4000",
            "positive": "",
            "held": 4000,
            "ms": [7500, 15_000, 30_000, 60_000],
            "accuracy": 80.0,
            "lams": [3e-5, 1e-4, 3e-5],
            "cap": 100_000,
            "fixed": 50_000,
            "every": 500,
            "repetitions": 20,
        },
        cells,
        run,
        summary,
    )
}
