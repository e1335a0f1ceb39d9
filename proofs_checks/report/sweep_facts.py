"""Facts and sentences of ``dualgap sweep``: coefficients over lam, and the scores of cross-validation."""

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from dualgap.proofs_checks.claims.strict_json import Json

if TYPE_CHECKING:
    from dualgap.fast.data.dataset import Dataset
    from dualgap.fast.solver.sweep import Cell

MOST_CURVES = 12  # coefficients of one data set
COLUMNS = ("data", "method", "lam", "held-out loss", "+-", "accuracy or R^2", "+-", "converged")


def coefficient_paths(datasets: "Sequence[Dataset]", cells: "Iterable[Cell]", seed: int, bias: bool) -> list[Json]:
    """The largest coefficients of each data set over lam; of the first seed, and at each lam the first method."""
    from dualgap.fast.data.tables import features

    found: dict[str, dict[float, Cell]] = {}
    for cell in cells:
        if cell.seed == seed and cell.w.size:
            found.setdefault(cell.data, {}).setdefault(cell.lam, cell)
    paths = []
    for dataset in datasets:
        path = [cell for _, cell in sorted(found.get(dataset.name, {}).items())]
        names = features(dataset.columns) or tuple(f"column {j}" for j in range(dataset.d - bias))
        names = ("intercept", *names) if bias else names
        sizes = [max((abs(float(cell.w[j])) for cell in path), default=0.0) for j in range(dataset.d)]
        kept = sorted(sorted(range(dataset.d), key=lambda j: -sizes[j])[:MOST_CURVES])
        curves = [{"name": names[j], "values": [float(cell.w[j]) for cell in path]} for j in kept]
        if path and path[0].intercept is not None:
            curves.append({"name": "intercept", "values": [cell.intercept for cell in path]})
        paths.append(
            {
                "data": dataset.name,
                "lams": [cell.lam for cell in path],
                "coefficients": curves,
                "left_out": dataset.d - len(kept),
            }
        )
    return paths


def score_rows(scores: Iterable[Json]) -> list[tuple[str, ...]]:
    """The table of cross-validation."""
    return [
        (
            told["data"],
            told["method"],
            f"{row['lam']:g}",
            *(f"{row[key]:.4g}" for key in ("loss", "loss_error", "share", "share_error")),
            f"{row['converged']} of {told['folds']}",
        )
        for told in scores
        for row in told["scores"]
    ]


def score_words(told: Json) -> str:
    """The best lam of one cross-validation, its uncertainty, and what to do if it is at an end of the lams."""
    head = f"{told['data']}, {told['method']}: "
    if told["best"] is None:
        return f"{head}no lam has a finite held-out loss in every fold"
    best, lams = told["best"], [row["lam"] for row in told["scores"]]
    row = told["scores"][lams.index(best)]
    low, high = told["within"]
    said = f"{head}the best lam is {best:g}, with a held-out loss of {row['loss']:.4g} +- {row['loss_error']:.2g}"
    if math.isfinite(row["share"]):
        said += f" and {told['share']} {row['share']:.4g} +- {row['share_error']:.2g}"
    said += f" (mean and standard error over {told['folds']} folds, drawn by seed {told['seed']}). "
    said += (
        "No other lam is within one standard error of it"
        if low == high
        else f"The lams from {low:g} to {high:g} are within one standard error of it; the one-standard-error rule"
        f" takes the largest, {high:g}"
    )
    if len(lams) > 1 and best in (lams[0], lams[-1]):
        end = "largest, so also give larger ones" if best == lams[0] else "smallest, so also give smaller ones"
        said += f". The best lam is the {end}"
    return said
