"""The command ``sweep``: runs over lam, seeds, methods and data sets, with warm starts along lam."""

import argparse
import itertools
import pathlib
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from dualgap.proofs_checks.claims.strict_json import Json, finite, json_text, read_json
from dualgap.proofs_checks.cli.numbers import number, whole
from dualgap.proofs_checks.report.screen import say
from dualgap.proofs_checks.report.sweep_facts import COLUMNS, coefficient_paths, score_rows, score_words
from dualgap.proofs_checks.report.terminal import FAILED, input_errors, print_json, print_table, progress
from dualgap.reference.numbers.shown_bound import shown_bound

if TYPE_CHECKING:
    from dualgap.fast.data.dataset import Dataset
    from dualgap.reference import Loss

Value = TypeVar("Value")
MOST_SEEDS = 10**6


def sweep(given: argparse.Namespace) -> int:
    """Exit 0 if every run met its tolerance."""
    from dualgap.proofs_checks.cli.problem import loss_of, regularizer_of, require_intercept

    with input_errors():
        require_intercept(given)
        chosen, lams, seeds = _chosen(given), _listed("--lam", given.lam, number), _seeds(given.seeds)
        one = regularizer_of(argparse.Namespace(**{**vars(given), "lam": 1.0, "p": None, "ball": None}))
        loss, regularizer = loss_of(given), partial(type(one), l1=given.l1)
        datasets = _datasets(given, loss)
        if given.cv is not None:
            _require_cv(given.cv, seeds, datasets, loss)
    from dualgap.fast.solver.sweep import Cell
    from dualgap.fast.solver.sweep import sweep as run  # numba, once the input is known to be good

    cells: list[Cell] = []
    scores: list[Json] = []
    runs = len(datasets) * len(chosen) * len(seeds) * len(set(lams))
    total, done = runs * (1 + (given.cv or 0)), 0
    options: Json = {"regularizer": regularizer, **_options(given)}
    interrupted = False
    with input_errors() as commit, progress() as advance:

        def watch(cell: Cell) -> None:
            nonlocal done
            commit()
            advance(f"{cell.data}  {cell.method}  lam {cell.lam:g}  seed {cell.seed}: {cell.status}", done, total)
            done += 1

        def keep(cell: Cell) -> None:
            watch(cell)
            cells.append(cell)

        try:
            cells[:] = run(datasets, loss, lams, method=chosen, seeds=seeds, watch=keep, **options)
            if given.cv is not None and len(cells) == runs:
                _cross_validate(given, scores, loss, lams, chosen, {"seed": seeds[0], "watch": watch, **options})
        except KeyboardInterrupt:
            interrupted = True
    paths = coefficient_paths(datasets, cells, seeds[0], given.bias)
    facts = {"loss": given.loss, "runs": runs, "cells": [finite(cell.facts()) for cell in cells], "paths": paths}
    due = 0 if given.cv is None else len(datasets) * len(chosen)
    _print(given, {**facts, "cross_validation": scores}, due)
    met = [cell.status == "converged" for cell in cells]
    met += [row["converged"] == told["folds"] for told in scores for row in told["scores"]]
    return 0 if all(met) and len(cells) == runs and not interrupted else FAILED


def _require_cv(folds: int, seeds: list[int], datasets: "list[Dataset]", loss: "Loss") -> None:
    """Raise ValueError if the data sets cannot be split into folds by one seed."""
    from dualgap.fast.data.folds import require_folds

    if len(seeds) > 1:
        raise ValueError(
            f"--cv requires a single seed, which draws the folds (got {len(seeds)} seeds): give one with --seeds"
        )
    for dataset in datasets:
        require_folds(dataset, folds, loss.margin)


def _options(given: argparse.Namespace) -> Json:
    """The options of every run, as ``dualgap.fast.solver.sweep`` takes them."""
    return {
        **{name: getattr(given, name) for name in ("max_epochs", "max_seconds", "order", "mode", "jobs")},
        "tol": 0.0 if given.tol is None and given.rtol else given.tol,
        "rtol": given.rtol or 0.0,
        "warm": not given.cold,
        "folder": given.out,
        "intercept": given.intercept == "free",
    }


def _cross_validate(
    given: argparse.Namespace, scores: list[Json], loss: Any, lams: list[float], chosen: dict[str, Json], options: Json
) -> None:
    """Add the scores of every data set and method."""
    from dualgap.fast.solver.cross_validation import cross_validate

    how = {name: getattr(given, name) for name in ("standardize", "bias", "unit_rows")}
    for dataset in _datasets(argparse.Namespace(**{**vars(given), **dict.fromkeys(how, False)}), loss):
        for name, own in chosen.items():
            found = cross_validate(dataset, loss, lams, folds=given.cv, method={name: own}, **how, **options)
            scores.append(found.facts())


def _print(given: argparse.Namespace, facts: Json, due: int) -> None:
    """Print the table or the JSON, and write sweep.json of --out. due: cross-validations that the command requests."""
    from dualgap.fast.data.atomic_file import write_text

    cells, scores = facts["cells"], facts["cross_validation"]
    rows = [
        (
            cell["data"],
            cell["method"],
            f"{cell['lam']:g}",
            str(cell["seed"]),
            "" if cell["warm_from"] is None else f"{cell['warm_from']:g}",
            cell["status"],
            "no bound" if cell["gap_bound"] is None else shown_bound(cell["gap_bound"]),
            str(cell["epochs"]),
            f"{cell['seconds']:.2f}",
        )
        for cell in cells
    ]
    columns = ("data", "method", "lam", "seed", "from lam", "status", "gap <=", "passes", "seconds")
    failed = [k for k, cell in enumerate(cells) if cell["status"] != "converged"]
    words = [score_words(told) for told in scores]
    if given.out is not None:
        folder = pathlib.Path(given.out)
        write_text(_unused(folder, facts), json_text({"schema": 1, **facts}))
    if given.json:
        print_json(facts)
        return
    print_table(columns, rows)
    for sentence in dict.fromkeys(f"{cells[k]['status']}: {cells[k]['advice']}" for k in failed):
        say("\n{}", sentence)
    way = "" if given.out is None else f"; the same command continues from {given.out}"
    if len(cells) < facts["runs"]:
        say("\n{} of {} runs{}", len(cells), facts["runs"], way)
    elif len(scores) < due:
        say("\n{} of {} cross-validations{}", len(scores), due, way)
    if scores:
        say("")
        print_table(COLUMNS, score_rows(scores))
    for sentence in words:
        say("\n{}.", sentence)


def _unused(folder: pathlib.Path, facts: Json) -> pathlib.Path:
    """sweep.json, sweep-2.json, ..., the first that is not there or has no finished run that this result lacks."""
    from dualgap.fast.solver.sweep import UNFINISHED

    for k in itertools.count(1):
        path = folder / ("sweep.json" if k == 1 else f"sweep-{k}.json")
        if not path.exists():
            return path
        try:
            told = read_json(path)
            now = [{**cell, "seconds": None} for cell in facts["cells"]]  # a cell that was run again has another time
            then = [{**cell, "seconds": None} for cell in told["cells"] if cell["status"] not in UNFINISHED]
            same = told.get("cross_validation", []) in ([], finite(facts["cross_validation"]))
            if told["loss"] == facts["loss"] and same and all(cell in now for cell in then):
                return path
        except (ValueError, KeyError, TypeError):  # not ours, or damaged: it stays
            continue
    raise AssertionError("there is always a next number")


def _chosen(given: argparse.Namespace) -> dict[str, Json]:
    """Return the methods with the parameters that --option gave to them."""
    from dualgap.proofs_checks.cli.method_options import general_options
    from dualgap.reference import method

    names = given.method.split(",")
    if given.option and len(names) > 1:
        raise ValueError(
            f"--option {given.option[0]} requires a single method (got --method {given.method}): run one sweep per"
            f" method"
        )
    chosen = {name: general_options(name, given.option) for name in names}
    if given.option:
        method(names[0], **chosen[names[0]])  # refuses a value out of range
    return chosen


def _datasets(given: argparse.Namespace, loss: "Loss") -> "list[Dataset]":
    """Return all data sets, prepared. ValueError if one does not fit the loss."""
    from dualgap.proofs_checks.cli.problem import prepared, require_two_classes

    datasets = [prepared(argparse.Namespace(**{**vars(given), "data": name})) for name in given.data]
    for dataset in datasets if loss.margin else []:
        require_two_classes(dataset, loss.name)
    return datasets


def _listed(option: str, text: str, kind: Callable[[str], Value]) -> list[Value]:
    """Numbers separated by commas."""
    try:
        return [kind(word) for word in text.split(",")]
    except ValueError:
        raise ValueError(f"{option} must be one or more numbers, separated by commas (got {text})") from None


def _seeds(text: str) -> list[int]:
    """0,1,2 or 0..2."""
    first, dots, last = text.partition("..")
    try:
        seeds = range(whole(first), whole(last) + 1) if dots else [whole(word) for word in text.split(",")]
        if not 0 < len(seeds) <= MOST_SEEDS or min(seeds) < 0:
            raise ValueError
    except (OverflowError, ValueError):
        raise ValueError(
            f"--seeds must be at most {MOST_SEEDS} whole numbers >= 0, such as 0,1,2 or 0..2 (got {text})"
        ) from None
    return list(seeds)
