"""The command ``sweep``: runs over lam, seeds, methods and data sets, with warm starts along lam."""

import argparse
import math
import pathlib
from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.cli.commands import Commands
from dualgap.proofs_checks.cli.numbers import number, whole
from dualgap.proofs_checks.cli.pages import command_of, write_page
from dualgap.proofs_checks.report.screen import line, note, say
from dualgap.proofs_checks.report.terminal import FAILED, input_errors, print_json, print_table, progress
from dualgap.reference.numbers.shown_bound import shown_bound

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from dualgap.fast.data.dataset import Dataset

Value = TypeVar("Value")
MOST_SEEDS = 10**6

OPTIONS: tuple[tuple[str, str, Any, Any, str], ...] = (
    ("--gamma", "G", number, None, "> 0, of squared and smoothed-hinge (default 1)"),
    ("--l1", "Y", number, 0.0, ">= 0, the weight of ||w||_1 (default 0)"),
    ("--seeds", "S[,S]", str, "0", ">= 0, or a range such as 0..4 (default 0)"),
    ("--tol", "E", number, None, "stop each run at a gap of at most E"),
    ("--rtol", "E", number, None, "or at a gap of at most E |primal|, whichever is met first"),
    ("--max-epochs", "N", whole, 1000, "stop each run after N passes (default 1000)"),
    ("--max-seconds", "T", number, None, "stop each run after T seconds (default: no limit)"),
    ("--order", "ORDER", str, None, "uniform (default), permuted or blocks"),
    ("--mode", "MODE", str, "paper", "paper (default), sharp or unchecked: the hypothesis that is enforced"),
    ("--jobs", "J", whole, 1, "runs at a time (default 1); more need joblib"),
    ("--out", "DIR", str, None, "keep every finished run, the table and figures there; a sweep resumes from there"),
)


def add_sweep(commands: Commands) -> None:
    """dualgap sweep DATA [DATA ...] [--method M[,M]] --loss L --lam L1,L2,... [...] [--jobs J] [--out DIR] [--json]."""
    from dualgap.proofs_checks.cli.method_options import add_option
    from dualgap.proofs_checks.cli.problem import add_preparation

    text = "run methods over lam, seeds and data sets, each lam warm-started from the next larger one"
    command = commands.add_parser("sweep", help=text, description=text, allow_abbrev=False)
    command.set_defaults(run=sweep)
    command.add_argument(
        "data", nargs="+", metavar="DATA", help="LIBSVM files, data sets or generators; see dualgap data"
    )
    command.add_argument("--method", metavar="M[,M]", default="auto", help="methods of dualgap solve (default auto)")
    command.add_argument("--loss", metavar="L", required=True, help="as in dualgap solve")
    command.add_argument("--lam", metavar="X[,X]", required=True, help="> 0, the weights of ||w||^2/2")
    for name, symbol, kind, default, words in OPTIONS:
        command.add_argument(name, metavar=symbol, type=kind, default=default, help=words)
    add_option(command)
    command.add_argument("--cold", action="store_true", help="start every run at alpha = 0")
    add_preparation(command)
    command.add_argument("--json", action="store_true", help="one JSON object on standard output, nothing else")


def sweep(given: argparse.Namespace) -> int:
    """Exit 0 when every run met its tolerance."""
    from dualgap.proofs_checks.cli.problem import loss_of
    from dualgap.reference import ElasticNet

    with input_errors():
        if given.tol is None and given.rtol is None:
            raise ValueError("give --tol E (bound on the gap), --rtol E (bound on gap/|primal|), or both")
        chosen, lams, seeds = _chosen(given), _listed("--lam", given.lam, number), _seeds(given.seeds)
        loss, regularizer = loss_of(given), partial(ElasticNet, l1=given.l1)
        regularizer(1.0)
        datasets = _datasets(given, loss)
    from dualgap.fast.solver.sweep import Cell
    from dualgap.fast.solver.sweep import sweep as run  # numba, once the input is known to be good

    cells: list[Cell] = []
    total = len(datasets) * len(chosen) * len(seeds) * len(set(lams))
    options = {name: getattr(given, name) for name in ("max_epochs", "max_seconds", "order", "mode", "jobs")}
    interrupted = False
    with input_errors() as commit, progress() as advance:

        def watch(cell: Cell) -> None:
            commit()
            advance(f"{cell.data}  {cell.method}  lam {cell.lam:g}  seed {cell.seed}: {cell.status}", len(cells), total)
            cells.append(cell)

        try:
            cells[:] = run(
                datasets,
                loss,
                lams,
                method=chosen,
                seeds=seeds,
                regularizer=regularizer,
                warm=not given.cold,
                folder=given.out,
                watch=watch,
                tol=given.tol or 0.0,
                rtol=given.rtol or 0.0,
                **options,
            )
        except KeyboardInterrupt:
            interrupted = True
    _print(given, cells, total)
    met = all(cell.status == "converged" for cell in cells)
    return 0 if met and len(cells) == total and not interrupted else FAILED


def _print(given: argparse.Namespace, cells: Sequence[Any], total: int) -> None:
    """The table or the JSON, and the files of --out."""
    from dualgap.proofs_checks.claims.strict_json import finite
    from dualgap.proofs_checks.report import drawing, pages

    facts = {"loss": given.loss, "runs": total, "cells": [finite(cell.facts()) for cell in cells]}
    rows = [
        (
            cell.data,
            cell.method,
            f"{cell.lam:g}",
            str(cell.seed),
            "" if cell.warm_from is None else f"{cell.warm_from:g}",
            cell.status,
            shown_bound(cell.gap_bound) if math.isfinite(cell.gap_bound) else "no bound",
            str(cell.epochs),
            f"{cell.seconds:.2f}",
        )
        for cell in cells
    ]
    columns = ("data", "method", "lam", "seed", "from lam", "status", "gap <=", "passes", "seconds")
    if given.out is not None:
        folder = pathlib.Path(given.out)
        _write(folder, facts)
        write_page(pages.sweep(facts, columns, rows, command_of(given)), folder / "sweep.html")
        if not drawing.available():
            note('no figures: matplotlib is not installed (pip install "dualgap[cli]")')
    if given.json:
        print_json(facts)
        return
    print_table(columns, rows, [k for k, cell in enumerate(cells) if cell.status != "converged"])
    for sentence in dict.fromkeys(f"{cell.status}: {cell.advice}" for cell in cells if cell.status != "converged"):
        say("\n{}", sentence)
    if len(cells) < total:
        say(
            "\n{} of {} runs{}",
            len(cells),
            total,
            "" if given.out is None else f"; the same command continues from {given.out}",
        )


def _write(folder: pathlib.Path, facts: Json) -> None:
    """sweep.json and, where matplotlib is installed, passes.svg and gap.svg."""
    from dualgap.fast.data.atomic_file import write_text
    from dualgap.proofs_checks.claims.strict_json import json_text
    from dualgap.proofs_checks.report import drawing

    write_text(folder / "sweep.json", json_text({"schema": 1, **facts}))
    for name, key, label in (
        ()
        if not drawing.available()
        else (("passes", "epochs", "passes over the data"), ("gap", "gap_bound", "certified bound on the gap"))
    ):
        svg = drawing.draw(name, partial(_paint, cells=facts["cells"], key=key, label=label), 5.2, 3.2)
        write_text(folder / f"{name}.svg", svg + "\n")


def _paint(axes: "Axes", cells: Sequence[Json], key: str, label: str) -> None:
    """One curve over lam for each data set and method: the median over the seeds."""
    from statistics import median

    from matplotlib.ticker import FormatStrFormatter, MaxNLocator, NullFormatter

    values: dict[tuple[str, str], dict[float, list[float]]] = {}
    for cell in cells:
        if cell[key] is not None and cell["status"] not in ("refused", "failed"):
            values.setdefault((cell["data"], cell["method"]), {}).setdefault(cell["lam"], []).append(cell[key])
    for (data, method), curve in values.items():
        # a dollar begins a formula
        axes.plot(
            sorted(curve),
            [median(curve[lam]) for lam in sorted(curve)],
            marker=".",
            label=line(f"{method}, {data}").replace("$", r"\$"),
        )
    axes.set(xscale="log", yscale="symlog" if key == "epochs" else "log", xlabel="lam", ylabel=label)
    low, high = axes.get_ylim()
    if sum(low <= tick <= high for tick in axes.get_yticks()) < 2:  # less than a power of ten
        axes.set_ylim(*((low - 1, high + 1) if key == "epochs" else (low, high)))
        axes.yaxis.set_major_locator(MaxNLocator(4, integer=key == "epochs"))
        axes.yaxis.set_major_formatter(FormatStrFormatter("%.3g"))
        axes.yaxis.set_minor_formatter(NullFormatter())
    if values:
        axes.legend(fontsize=7)


def _chosen(given: argparse.Namespace) -> dict[str, Json]:
    """The methods, and what --option gave to the one that it goes with."""
    from dualgap.proofs_checks.cli.method_options import general_options
    from dualgap.reference import method

    names = given.method.split(",")
    if given.option and len(names) > 1:
        raise ValueError(
            f"--option {given.option[0]} goes with one method (got --method {given.method}): sweep each by itself"
        )
    chosen = {name: general_options(name, given.option) for name in names}
    if given.option:
        method(names[0], **chosen[names[0]])  # refuses a value out of range
    return chosen


def _datasets(given: argparse.Namespace, loss: Any) -> "list[Dataset]":
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
        raise ValueError(f"{option} {text}: give one or more numbers, separated by commas") from None


def _seeds(text: str) -> list[int]:
    """0,1,2 or 0..2."""
    first, dots, last = text.partition("..")
    try:
        seeds = range(whole(first), whole(last) + 1) if dots else [whole(word) for word in text.split(",")]
        if not 0 < len(seeds) <= MOST_SEEDS or min(seeds) < 0:
            raise ValueError
    except (OverflowError, ValueError):
        raise ValueError(
            f"--seeds {text}: give whole numbers >= 0, as 0,1,2 or 0..2, at most {MOST_SEEDS} of them"
        ) from None
    return list(seeds)
