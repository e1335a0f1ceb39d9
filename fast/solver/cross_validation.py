"""Cross-validation along lam: the held-out loss of every lam, with its standard error over the folds.

A seed draws the folds. Each is held out once, and ``sweep`` solves the problem of the other rows for every lam, with
warm starts. The columns are standardized by the rows that are not held out.

The best lam has the least mean held-out loss. The standard error of a mean is the standard deviation over the folds
(with folds - 1 in the denominator) over sqrt(folds). Folds share rows, so that it tends to be too small. The
one-standard-error rule takes the largest lam whose mean loss is at most that of the best lam plus its standard error
(Breiman, Friedman, Olshen, Stone, Classification and Regression Trees, 1984, section 3.4.3).
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from dualgap.fast.data.dataset import Dataset
from dualgap.fast.data.folds import folds_of, require_folds
from dualgap.fast.data.load import prepare, standardized
from dualgap.fast.problem.objective import Objective
from dualgap.fast.problem.row_sums import values as values_of
from dualgap.fast.solver.parameters import COUNT, POSITIVE, SEVERAL, require
from dualgap.fast.solver.sweep import NO_RUN, Cell, sweep
from dualgap.reference import L2, Loss, Problem
from dualgap.reference.numbers.own_context import in_own_context


class Score(NamedTuple):
    """One lam.

    ``loss`` is the mean over the folds of the mean loss of the rows that are held out. ``share`` is the mean share of
    right labels, or of a loss for numbers the mean R^2. Each has its standard error. NaN where a fold has no value.
    """

    lam: float
    loss: float
    loss_error: float
    share: float
    share_error: float
    losses: tuple[float, ...]  # of every fold
    converged: int  # runs that met their tolerance, at most one for each fold


class CrossValidation(NamedTuple):
    """The scores of every lam over the folds.

    Parameters
    ----------
    data, method : the names of the data set and of the method
    folds, seed : how many, and what drew them
    share : what the second score is: "accuracy" or "R^2"
    best : the lam with the least mean loss, of equal ones the largest; None if no lam has a finite loss
    within : the smallest and the largest lam whose mean loss is at most one standard error above that of the best; the
        second is that of the one-standard-error rule
    scores : of every lam, the largest first: lam, mean loss, its standard error, mean share, its standard error, the
        loss of every fold, and how many runs have converged
    """

    data: str
    method: str
    folds: int
    seed: int
    share: str
    best: float | None
    within: tuple[float, float] | None
    scores: tuple[Score, ...]  # lam descending

    def facts(self) -> dict[str, Any]:
        return {**self._asdict(), "scores": [score._asdict() for score in self.scores]}


@in_own_context
def cross_validate(
    dataset: Dataset,
    loss: Loss,
    lams: Iterable[float],
    *,
    folds: int = 5,
    seed: int = 0,
    standardize: bool = False,
    bias: bool = False,
    unit_rows: bool = False,
    method: str | dict[str, dict[str, Any]] = "auto",
    watch: Callable[[Cell], object] = lambda cell: None,
    **options: Any,
) -> CrossValidation:
    """Score every lam by rows that its runs have not seen.

    Parameters
    ----------
    dataset : not yet standardized, with labels -1 and +1 for a margin loss
    loss, lams : as in ``sweep``
    folds : >= 2, at most the number of rows, and of rows of each label for a margin loss, whose folds are stratified
    seed : >= 0, of the folds and of the runs
    standardize, bias, unit_rows : as in ``prepare``; the first with the mean and deviation of the other folds
    method : one name, or a dictionary of one name, with its options
    watch : called with every cell
    options : of ``sweep`` and of ``solve``: regularizer, intercept, warm, jobs, folder, tol, ...

    Raises
    ------
    ValueError
        What ``sweep`` refuses; several methods; too many folds; rows on disk.
    KeyboardInterrupt
        A run was interrupted.

    >>> from dualgap.fast.data.load import load
    >>> from dualgap.reference import Squared
    >>> found = cross_validate(load("spdc-synthetic:n=40,d=3"), Squared(), [10.0, 1e9], tol=1e-9)
    >>> found.best, [score.converged for score in found.scores]
    (10.0, [5, 5])
    """
    require({"seed": COUNT, "lams": SEVERAL}, {"seed": seed, "lams": lams})
    for lam in (lams := list(lams)):
        require({"lams": POSITIVE}, {"lams": lam})
    names = [method] if isinstance(method, str) else list(method)
    if len(names) != 1:
        raise ValueError(f"method must be a name, or a dictionary with one entry (got {method!r})")
    require_folds(dataset, folds, loss.margin)
    fold = folds_of(dataset.y, folds, seed, loss.margin)
    parts = []
    for k in range(folds):
        train, held = (
            replace(dataset, name=f"{dataset.name}, fold {k + 1} of {folds}", X=dataset.X[rows], y=dataset.y[rows])
            for rows in (fold != k, fold == k)
        )
        train = prepare(train, standardize=standardize, bias=bias, unit_rows=unit_rows)
        if train.standard is not None:
            held = replace(held, X=standardized(held.X, train.standard))
        parts.append((train, prepare(held, bias=bias, unit_rows=unit_rows)))
    lams = sorted({float(lam) for lam in lams}, reverse=True)
    cells = sweep([train for train, _ in parts], loss, lams, method=method, seeds=[seed], watch=watch, **options)
    if len(cells) < folds * len(lams):
        raise KeyboardInterrupt
    found = scored([held for _, held in parts], loss, lams, cells)
    return CrossValidation(
        dataset.name, names[0], folds, seed, "accuracy" if loss.margin else "R^2", *choice(found), found
    )


def scored(held: list[Dataset], loss: Loss, lams: list[float], cells: list[Cell]) -> tuple[Score, ...]:
    """The score of every lam; cells: by data set, lam descending."""
    values = np.full((2, len(lams), len(held)), math.nan)
    for k, rows in enumerate(held):
        objective = Objective(Problem(rows.X, rows.y, loss, L2(1.0)))
        spread = np.square(rows.y - rows.y.mean()).sum()
        for j in range(len(lams)):
            cell = cells[k * len(lams) + j]
            if cell.status in NO_RUN:
                continue
            with np.errstate(over="ignore", invalid="ignore"):
                z = objective.z(cell.w) + (cell.intercept or 0.0)
                values[0, j, k] = values_of(objective.code, objective.gamma, objective.weights, z, rows.y) / rows.n
                if loss.margin:
                    values[1, j, k] = np.mean((z > 0) == (rows.y > 0))
                elif spread > 0:
                    values[1, j, k] = 1 - np.square(rows.y - z).sum() / spread
    with np.errstate(over="ignore", invalid="ignore"):
        means, errors = values.mean(axis=2).tolist(), (values.std(axis=2, ddof=1) / math.sqrt(len(held))).tolist()
    met = [sum(cell.status == "converged" for cell in cells[j :: len(lams)]) for j in range(len(lams))]
    return tuple(
        Score(lam, means[0][j], errors[0][j], means[1][j], errors[1][j], tuple(values[0, j].tolist()), met[j])
        for j, lam in enumerate(lams)
    )


def choice(scores: Iterable[Score]) -> tuple[float | None, tuple[float, float] | None]:
    """The best lam, and the smallest and largest within one standard error of it; scores: lam descending.

    >>> rows = [(4.0, 3.0, 0.5), (2.0, 1.25, 0.5), (1.0, 1.0, 0.25), (0.5, 1.5, 0.25)]
    >>> choice([Score(*row, 0.0, 0.0, (), 5) for row in rows])
    (1.0, (1.0, 2.0))
    """
    known = [score for score in scores if math.isfinite(score.loss)]
    if not known:
        return None, None
    best = min(known, key=lambda score: score.loss)
    near = [score.lam for score in known if score.loss <= best.loss + best.loss_error]
    return best.lam, (min(near), max(near))
