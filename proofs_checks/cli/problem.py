"""Options and readers that several commands share: the data and their preparation, the loss, the regularizer."""

import argparse
from collections.abc import Callable
from typing import TYPE_CHECKING, TypedDict

if TYPE_CHECKING:
    from dualgap.fast.data.dataset import Dataset
    from dualgap.reference import Loss, Problem, Regularizer

MOST_CLASSES = 1000  # of --multinomial: more different labels are numbers to be predicted


def require_intercept(given: argparse.Namespace) -> None:
    """Refuse two intercepts; --intercept penalised is --bias."""
    if given.intercept == "free" and (
        given.bias or getattr(given, "p", None) is not None or getattr(given, "ball", None) is not None
    ):
        raise ValueError("--intercept free cannot be combined with --bias, --p or --ball: remove one of them")
    given.bias = given.bias or given.intercept == "penalised"


def loss_of(given: argparse.Namespace) -> "Loss":
    from dualgap.reference import LOSSES

    if given.loss not in LOSSES:
        raise ValueError(f"unknown loss {given.loss!r}; known: {', '.join(LOSSES)}")
    return LOSSES[given.loss](given.gamma)


def regularizer_of(given: argparse.Namespace) -> "Regularizer":
    """Return L2 or elastic net, restricted to w >= 0 on request, or the squared p-norm if --p or --ball is given."""
    from dualgap.reference import ElasticNet, NonNegative
    from dualgap.reference.problem.pnorm import PNorm

    if given.non_negative and (given.bias or given.p is not None or given.ball is not None):
        raise ValueError(
            "--non-negative cannot be combined with --bias, --intercept penalised, --p or --ball: a constant column"
            " would also have a coefficient >= 0. Use --intercept free or none"
        )
    if given.p is None and given.ball is None:
        return (NonNegative if given.non_negative else ElasticNet)(given.lam, given.l1)
    if given.l1:
        raise ValueError(f"--l1 cannot be combined with --p or --ball (got --l1 {given.l1:g}): remove one of them")
    return PNorm(given.lam, 2 if given.p is None else given.p, given.ball)


class Preparation(TypedDict):
    """The preparation of data, as ``prepare``, ``map_data`` and ``map_parts`` take it."""

    positive: str | None
    standardize: bool
    bias: bool
    unit_rows: bool


def preparation(given: argparse.Namespace) -> Preparation:
    """The options of the preparation that change the data."""
    return {
        "positive": given.positive,
        "standardize": given.standardize,
        "bias": given.bias,
        "unit_rows": given.unit_rows,
    }


def prepared(given: argparse.Namespace) -> "Dataset":
    """Load the data set and prepare it."""
    from dualgap.fast.data.load import prepare

    return prepare(loaded(given), **preparation(given))


def loaded(given: argparse.Namespace) -> "Dataset":
    """Load the data set without preparing it."""
    from dualgap.fast.data.load import load

    try:
        return load(
            given.data, given.zero_based, given.target, given.one_hot.split(",") if given.one_hot is not None else ()
        )
    except ImportError as error:  # scikit-learn, which carries the data set, is not installed
        raise ValueError(error) from error


def rows_read(tick: Callable[[str], None]) -> Callable[[int, int], None]:
    """The progress of reading data, for ``map_data`` and ``map_parts``, as text for ``tick``."""
    return lambda rows, entries: tick(f"{rows} rows, {entries} entries")


def multinomial(dataset: "Dataset", regularizer: "Regularizer", free: bool) -> tuple["Dataset", "Problem"]:
    """Return the data with the names of the classes, and the problem with one class for each label."""
    from dataclasses import replace

    import numpy as np

    from dualgap.fast.data.dataset import label_name
    from dualgap.fast.problem.multinomial import MultinomialProblem

    if hasattr(dataset, "facts"):  # of a Mapped
        raise ValueError("--multinomial needs the data file, not a mapped folder")
    values, codes = np.unique(dataset.y, return_inverse=True)
    if not 3 <= values.size <= MOST_CLASSES:
        raise ValueError(
            f"{dataset.name}: --multinomial requires 3 to {MOST_CLASSES} different labels (got {values.size}); leave it"
            " out for two labels, and use another loss for numbers"
        )
    names = tuple(dataset.classes[int(value)] if dataset.classes else label_name(value) for value in values.tolist())
    problem = MultinomialProblem(dataset.X, codes, values.size, regularizer, None, free)
    return replace(dataset, labels=names), problem


def require_two_classes(dataset: "Dataset", loss: str, others: str = "") -> None:
    """Labels of a margin loss are -1 and +1, and both occur; others: what the command offers for more classes."""
    import numpy as np

    from dualgap.fast.data.dataset import label_name

    labels, counts = np.unique(dataset.y, return_counts=True)
    if labels.tolist() == [-1.0, 1.0]:
        return
    names = [dataset.classes[int(label)] if dataset.classes else label_name(label) for label in labels.tolist()]
    found = ", ".join(f"{label}: {count}" for label, count in list(zip(names, counts))[:6])
    found += f", ... ({len(labels)} different labels)" if len(labels) > 6 else ""
    need = f"{dataset.name}: loss {loss} needs both labels -1 and +1 (got label: rows {found})"
    if len(labels) == 1:
        raise ValueError(f"{need}. Only one class occurs; add rows of the other class")
    way = f"Choose the labels that become +1, for example --positive {names[-1]}, or use the loss squared or absolute"
    raise ValueError(f"{need}. {way}{others if loss == 'logistic' and len(labels) > 2 else ''}")
