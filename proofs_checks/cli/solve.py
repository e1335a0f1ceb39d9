"""The command ``solve``: a certified run on data."""

import argparse
import math
import os
from typing import TYPE_CHECKING, Any

from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.cli.certificate import add_certificate_file, keep_certificate, require_certificate
from dualgap.proofs_checks.cli.choices import choices_of, keep_choices
from dualgap.proofs_checks.cli.commands import Commands
from dualgap.proofs_checks.cli.jobs import losing_dask
from dualgap.proofs_checks.cli.method_options import add_method_options, method_options
from dualgap.proofs_checks.cli.numbers import number, whole
from dualgap.proofs_checks.cli.pages import add_page, command_of, require_page, write_page
from dualgap.proofs_checks.cli.problem import add_preparation, loss_of, prepared, regularizer_of, require_two_classes
from dualgap.proofs_checks.report.screen import note
from dualgap.proofs_checks.report.terminal import FAILED, input_errors, print_json, print_pairs, ticker
from dualgap.reference.numbers.shown_bound import shown_bound

if TYPE_CHECKING:
    from dualgap.fast.data.dataset import Dataset
    from dualgap.fast.solver.choices import Recorded, Replayed
    from dualgap.fast.solver.result import Entry, Result
    from dualgap.reference import Problem

LONG_ROWS = 100.0  # the squared norm above which scaling is advised
STOPPED = ("max_epochs", "max_seconds")  # the statuses of runs for which fewer passes would have been enough
BEYOND = "nothing is certified: the bound is beyond the range of a float; scale the data, or take smaller parameters"
OPTIONS: tuple[tuple[str, str, Any, Any, str], ...] = (
    ("--method", "M", str, "auto", ""),
    ("--loss", "L", str, None, "squared, smoothed-hinge, squared-hinge, hinge, logistic or absolute"),
    ("--gamma", "G", number, None, "> 0, of squared and smoothed-hinge (default 1)"),
    ("--lam", "X", number, None, "> 0, the weight of ||w||^2/2"),
    ("--l1", "Y", number, 0.0, ">= 0, the weight of ||w||_1 (default 0)"),
    ("--p", "P", number, None, "in (1, 2]: lam ||w||_p^2/(2 (p-1)) instead of the other two; for pgs"),
    ("--ball", "B", number, None, "> 0: on the ball ||w||_p <= B alone; for pgs"),
    ("--tol", "E", number, None, "stop at a gap of at most E"),
    ("--rtol", "E", number, None, "or at a gap of at most E |primal|, whichever is met first"),
    ("--seed", "S", whole, 0, ">= 0 (default 0)"),
    ("--max-epochs", "N", whole, None, "stop after N passes over the data (default 1000)"),
    ("--max-seconds", "T", number, None, "stop after T seconds (default: no limit)"),
    ("--backend", "B", str, "fast", "fast (default) or reference: the same bits, slowly"),
    ("--mode", "MODE", str, "paper", "paper (default), sharp or unchecked: the hypothesis that is enforced"),
    ("--threads", "T", whole, 1, "1 (default) to the number of cores; more than one for passcode-* alone"),
    (
        "--order",
        "ORDER",
        str,
        None,
        "uniform (default; the theorems need it), permuted, or blocks for data that do not fit into memory",
    ),
    (
        "--storage",
        "S",
        str,
        None,
        "full (default) or compact: half the memory traffic, not bit for bit; for sdca and aspdc",
    ),
    ("--dask", "ADDRESS", str, None, "the partitions on the workers of that Dask scheduler (docs/cocoa.md)"),
    ("--checkpoint", "FILE", str, None, "write the run there at every certificate and when it is interrupted"),
)


def add_solve(commands: Commands) -> None:
    """dualgap solve DATA [--method M] --loss L [--gamma G] --lam X [--l1 Y] --tol E [...] [--json]."""
    from dualgap.reference import all_methods

    text = "minimise a regularized empirical risk, down to a certified duality gap"
    command = commands.add_parser("solve", help=text, description=text, allow_abbrev=False)
    command.set_defaults(run=solve)
    command.add_argument(
        "data",
        metavar="DATA",
        nargs="+",
        help=(
            "LIBSVM file, data set or generator; see dualgap data. Several: mapped folders, the partitions of one"
            " matrix, for cocoa"
        ),
    )
    for name, symbol, kind, default, words in OPTIONS:
        needed = name in ("--loss", "--lam")
        words = words or f"auto (default), which chooses one and says why, {', '.join(sorted(all_methods()))}"
        command.add_argument(name, metavar=symbol, type=kind, default=default, required=needed, help=words)
    add_method_options(command)
    add_preparation(command)
    command.add_argument(
        "--choices",
        metavar="FILE",
        help="what every pass draws: written there, or taken from there where the file exists (docs/ports.md)",
    )
    command.add_argument("--resume", action="store_true", help="continue from the checkpoint, where there is one")
    add_certificate_file(command, "--certificate", "--certificate-data")
    add_page(command)
    command.add_argument("--json", action="store_true", help="one JSON object on standard output, nothing else")


def solve(given: argparse.Namespace) -> int:
    """Exit 0 when the tolerance is met."""
    require_page(given)
    dataset: Dataset | Joined
    partitions = given.data if len(given.data) > 1 or given.dask is not None else None
    problem: Problem | None = None
    if partitions is None:
        given.data = given.data[0]
        dataset, problem = _problem(given)
        where: Json = {"problem": problem}
    else:
        where = _where(given)
    require_certificate(given, problem, *given.data if partitions else (given.data,))
    recorder = choices_of(given)
    from numba.core.event import TimingListener, install_listener

    with install_listener("numba:compiler_lock", TimingListener()) as clock:
        result = _run(given, where, problem, recorder)
    compiled = clock.duration if clock.done else 0.0
    if problem is None:
        problem = result.certificate.problem
        dataset = Joined(given.data, problem)
    if recorder is not None:
        keep_choices(given, recorder, problem, result)
    kept = keep_certificate(given, problem, result.w, result.alpha)
    facts = {**_facts(dataset, problem, result), "compile_seconds": compiled}
    if given.json:
        print_json(facts)
    else:
        print_pairs(_pairs(facts))
    if given.report is not None:
        from dualgap.proofs_checks.report import pages

        if not write_page(pages.solve(facts, _pairs(facts), command_of(given)), given.report):
            return FAILED
    return 0 if kept and result.status == "converged" else FAILED


def _run(
    given: argparse.Namespace, where: Json, problem: "Problem | None", recorder: "Recorded | Replayed | None"
) -> "Result":
    """Run the method, with its progress on standard error.

    where : what ``dualgap.fast.solve`` is given as the problem, or as partitions; problem is then None.
    """
    from dualgap.fast import solve as run  # numba, once the input is known to be good

    others = {"max_epochs": given.max_epochs, "max_seconds": given.max_seconds, "storage": given.storage}
    with input_errors() as commit, losing_dask(given.dask), ticker() as tick:
        if problem is not None:
            _print_notes(problem, given)
        if given.resume and given.checkpoint is not None and os.path.exists(given.checkpoint):
            note("continuing from {}", given.checkpoint)
        reached = ""

        def watch(entry: "Entry") -> None:
            nonlocal reached
            commit()
            if math.isfinite(entry.gap_bound):
                reached = f"gap <= {shown_bound(entry.gap_bound)} after {entry.epochs} passes"

        def progress(epochs: int, seconds: float) -> None:
            tick(f"pass {epochs}  {reached}  {seconds:.1f} s")

        return run(
            method=given.method,
            **where,
            tol=given.tol or 0.0,
            rtol=given.rtol or 0.0,
            seed=given.seed,
            order=given.order,
            mode=given.mode,
            backend=given.backend,
            callback=watch,
            progress=progress,
            threads=given.threads,
            checkpoint=given.checkpoint,
            resume=given.resume,
            draw=recorder,
            **method_options(given),
            **{name: value for name, value in others.items() if value is not None},
        )


class Joined:
    """What is told of the data of a run over partitions."""

    def __init__(self, partitions: list[str], problem: Any) -> None:
        from dualgap.fast.data.memory_mapped import open_mapped

        told = [open_mapped(name) for name in partitions]
        self.name, self.preparation = (
            f"{len(told)} partitions, {partitions[0]} to {partitions[-1]}",
            told[0].preparation,
        )
        self.nnz = sum(int(part.facts["nnz"]) for part in told)


def _where(given: argparse.Namespace) -> Json:
    """What ``solve`` is given for partitions; what cannot go with them is refused."""
    with input_errors():
        if given.method not in ("cocoa", "auto"):
            raise ValueError(f"several folders, or --dask, are for method cocoa (got {given.method})")
        if given.zero_based or given.positive or given.standardize or given.bias or given.unit_rows:
            raise ValueError(
                "partitions are prepared when they are written: dualgap data FILE --map DIR --parts K, with --unit-rows"
                " and the like"
            )
        given.method = "cocoa"
        _require_tolerance(given)
        return {
            "partitions": given.data,
            "loss": loss_of(given),
            "regularizer": regularizer_of(given),
            "cluster": given.dask,
        }


def _require_tolerance(given: argparse.Namespace) -> None:
    if given.tol is None and given.rtol is None:
        raise ValueError("give --tol E (bound on the gap), --rtol E (bound on gap/|primal|), or both")


def _print_notes(problem: "Problem", given: argparse.Namespace) -> None:
    """What the method has to say before it starts, on standard error."""
    from dualgap.fast.solver.backends import backend_of

    if given.method != "auto":
        driver = backend_of(given.backend, given.method, method_options(given), given.threads, given.mode)
        driver.require(problem, given.mode)
        for text in driver.notes(problem):
            note("{}", text)


def _facts(dataset: "Dataset | Joined", problem: "Problem", result: "Result") -> Json:
    """What --json prints. smallest_lam: what method aspdc admits in mode paper and in mode sharp (excluded there), for
    p None.
    """
    from dualgap.fast.problem.arrays import arrays

    R2, n, gamma = float(arrays(problem).R2), problem.n, float(problem.gamma)
    p, ball = (getattr(problem.regularizer, name, None) for name in ("p", "ball"))
    boundary = R2 / (n * gamma) if gamma > 0 and p is None else None
    return {
        "method": result.method,
        "loss": problem.loss.name,
        "lam": float(problem.regularizer.lam),
        "n": n,
        "d": problem.d,
        "nnz": _nonzeros(dataset),
        "primal": result.primal,
        "dual": result.dual,
        "gap": result.gap,
        "gap_bound": result.gap_bound,
        "epochs": result.epochs,
        "seconds": result.seconds,
        "status": result.status,
        "seed": result.seed,
        "backend": result.backend,
        "data": dataset.name,
        "preparation": list(dataset.preparation),
        "gamma": gamma,
        "l1": float(problem.regularizer.l1),
        "p": p,
        "ball": ball,
        "tol": result.tol,
        "rtol": result.rtol,
        "mode": result.mode,
        "order": result.order,
        "reason": result.reason,
        "R2": R2,
        "smallest_lam": None if boundary is None else {"paper": 4 * boundary, "sharp": boundary},
        "threads": result.threads,
        "replayable": result.replayable,
        "perturbation": _perturbation(result),
        "notes": list(result.notes),
        "advice": result.advice + _scaling(dataset, R2, result.status),
        "history": [entry._asdict() for entry in result.history],
    }


def _scaling(dataset: "Dataset | Joined", R2: float, status: str) -> str:
    """Advice to scale data with long rows, where a run has not met its tolerance."""
    from dualgap.fast.data.memory_mapped import Mapped

    scaled = any("norm" in words or "deviation" in words for words in dataset.preparation)
    if status not in STOPPED or scaled or R2 <= LONG_ROWS:
        return ""
    if isinstance(dataset, Joined):
        way = "write the partitions again with dualgap data FILE --map DIR --parts K --unit-rows"
    elif isinstance(dataset, Mapped):
        way = "write the folder again with dualgap data FILE --map DIR --unit-rows"
    elif hasattr(dataset.X, "indptr"):
        way = "scale the rows with --unit-rows"
    else:
        way = "scale the data with --unit-rows or --standardize"
    return f" The longest row has norm {R2**0.5:.3g}. The longer the rows, the more passes are needed: {way}."


def _nonzeros(dataset: "Dataset | Joined") -> int:
    """Entries other than zero; of mapped data as they were counted when they were written."""
    if isinstance(dataset, Joined):
        return dataset.nnz
    import numpy as np

    from dualgap.fast.data.memory_mapped import Mapped

    if isinstance(dataset, Mapped):
        return int(dataset.facts["nnz"])
    return int(np.count_nonzero(dataset.X.data if hasattr(dataset.X, "indptr") else dataset.X))


def _perturbation(result: "Result") -> dict[str, float] | None:
    """Of Wild: ||w(alpha) - w|| for the pair that the threads maintained, and its gap, with a bound, for the problem it
    solves.
    """
    if result.perturbed is None:
        return None
    import numpy as np

    from dualgap.fast.problem.objective import Objective

    found = result.perturbed
    eps = Objective(result.certificate.problem).w(found.alpha) - found.w
    return {"norm": float(np.sqrt((eps * eps).sum())), "gap": found.gap, "gap_bound": found.gap_bound}


def _compilation(facts: Json) -> str:
    """Name the compilation of kernels if it is a noticeable part of the time.

    >>> _compilation({"compile_seconds": 7.3, "seconds": 7.39}), _compilation({"compile_seconds": 0.1, "seconds": 7.0})
    (', up to 7.30 s of them to compile or load kernels', '')
    """
    spent = min(facts["compile_seconds"], facts["seconds"])
    return f", up to {spent:.2f} s of them to compile or load kernels" if spent > facts["seconds"] / 10 else ""


def _pairs(facts: Json) -> list[tuple[str, str]]:
    """The result as one reads it, what was done to the data first."""
    least, allowed = facts["smallest_lam"], ""
    if least:
        allowed = f"; aspdc needs lam >= {least['paper']:.4g} (mode paper), > {least['sharp']:.4g} (mode sharp)"
    asked = [f"gap <= {facts['tol']:g}"] if facts["tol"] or not facts["rtol"] else []
    asked += [f"gap <= {facts['rtol']:g} |primal|"] if facts["rtol"] else []
    relative = f", {facts['gap'] / abs(facts['primal']):.3g} of |primal|" if facts["primal"] else ""
    penalty = f"l1 {facts['l1']:g}" if facts["p"] is None else f"p {facts['p']:g}"
    penalty += "" if facts["ball"] is None else f", ball {facts['ball']:g}"
    constants = f"(gamma {facts['gamma']:g}), lam {facts['lam']:g}, {penalty}, R^2 = {facts['R2']:.6g}"
    settings = ", ".join(f"{name} {facts[name]}" for name in ("mode", "order", "seed", "backend", "threads"))
    settings += "" if facts["replayable"] else " (cannot be replayed)"
    lost = facts["perturbation"]
    bounded = (
        f"; gap <= {shown_bound(lost['gap_bound'])} for the problem so perturbed"
        if lost and math.isfinite(lost["gap_bound"])
        else ""
    )
    return [
        ("data", f"{facts['data']}: {facts['n']} rows, {facts['d']} columns, {facts['nnz']} nonzeros"),
        *(("", sentence) for sentence in facts["preparation"]),
        ("problem", f"{facts['loss']} {constants}{allowed}"),
        ("method", f"{facts['method']}, {settings}"),
        *([("", f"chosen because {facts['reason']}")] if facts["reason"] else []),
        ("primal", repr(facts["primal"])),
        ("dual", repr(facts["dual"])),
        ("gap", f"{facts['gap']:.6g}{relative} (asked for {' or '.join(asked)})"),
        (
            "",
            (
                f"certified, roundings included: P(w) - min P <= {shown_bound(facts['gap_bound'], 6)}"
                if math.isfinite(facts["gap_bound"])
                else BEYOND
            ),
        ),
        ("passes", f"{facts['epochs']} in {facts['seconds']:.2f} s{_compilation(facts)}"),
        *([("lost writes", f"||w(alpha) - w|| = {lost['norm']:.3g}{bounded}")] if lost else []),
        ("status", f"{facts['status']}: {facts['advice']}"),
    ]


def _problem(given: argparse.Namespace) -> tuple["Dataset", "Problem"]:
    """The data, prepared, and the problem; what can be refused without reading data is refused first."""
    from dualgap.reference import Problem, method

    with input_errors():
        options = method_options(given)
        if given.method != "auto":
            method(given.method, **options)
        loss, regularizer = loss_of(given), regularizer_of(given)
        _require_tolerance(given)
        dataset = prepared(given)
        if loss.margin:
            require_two_classes(dataset, loss.name)
        return dataset, Problem(dataset.X, dataset.y, loss, regularizer)
