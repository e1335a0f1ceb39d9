"""The command ``solve``: a certified run on data."""

import argparse
import math
import os
from typing import TYPE_CHECKING

from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.cli.certificate import keep_certificate, require_certificate
from dualgap.proofs_checks.cli.jobs import losing_dask
from dualgap.proofs_checks.cli.method_options import method_options
from dualgap.proofs_checks.cli.pages import command_of, require_different, require_page, require_place, write_page
from dualgap.proofs_checks.cli.predict import keep_model, require_model
from dualgap.proofs_checks.cli.problem import (
    loss_of,
    multinomial,
    prepared,
    regularizer_of,
    require_intercept,
    require_two_classes,
)
from dualgap.proofs_checks.cli.solve_facts import Joined, pairs_of, solve_facts
from dualgap.proofs_checks.report.screen import note
from dualgap.proofs_checks.report.terminal import FAILED, input_errors, print_json, print_pairs, ticker
from dualgap.reference.numbers.shown_bound import shown_bound

if TYPE_CHECKING:
    from dualgap.fast.data.dataset import Dataset
    from dualgap.fast.solver.choices import Recorded, Replayed
    from dualgap.fast.solver.result import Entry, Result
    from dualgap.reference import Problem


def solve(given: argparse.Namespace) -> int:
    """Exit 0 if the tolerance is met."""
    _require_options(given)
    dataset: Dataset | Joined
    partitions = given.data if len(given.data) > 1 or given.dask is not None else None
    problem: Problem | None = None
    if partitions is None:
        given.data = given.data[0]
        dataset, problem = _problem(given)
        where: Json = {"problem": problem}
    else:
        where = _where(given)
    require_model(given, partitions is not None or hasattr(dataset, "facts"))  # of a Mapped
    require_certificate(given, problem)
    recorder = choices_of(given)
    from numba.core.event import TimingListener, install_listener

    from dualgap.fast.compiler.first_calls import interpreting

    with interpreting(problem is not None), install_listener("numba:compiler_lock", TimingListener()) as clock:
        result = _run(given, where, problem, recorder)
    compiled = clock.duration if clock.done else 0.0
    if problem is None:
        problem = result.certificate.problem
        dataset = Joined(given.data, problem)
    if recorder is not None:
        keep_choices(given, recorder, problem, result)
    kept = keep_certificate(given, problem, result.w, result.alpha, result.intercept)
    facts = {**solve_facts(dataset, problem, result), "compile_seconds": compiled}
    kept = _print(given, dataset, problem, result, facts) and kept
    return 0 if kept and result.status == "converged" else FAILED


def _print(
    given: argparse.Namespace, dataset: "Dataset | Joined", problem: "Problem", result: "Result", facts: Json
) -> bool:
    """Print the result, and write the model and the page if they are requested; False if one cannot be written."""
    from dualgap.proofs_checks.report import pages

    if given.multinomial:
        facts["classes"] = list(getattr(dataset, "labels", None) or ())
    if given.json:
        pair = given.save is None
        facts |= {"model": given.save, "w": result.w.tolist() if pair else None}
        print_json(facts | {"alpha": result.alpha.tolist() if pair else None})
    else:
        print_pairs(pairs_of(facts))
    kept = keep_model(given, dataset, problem, result)
    return (
        kept
        if given.report is None
        else write_page(pages.solve(facts, pairs_of(facts), command_of(given)), given.report) and kept
    )


def _require_options(given: argparse.Namespace) -> None:
    """Refuse options that contradict each other, before any data are read."""
    require_page(given)
    files = ("save", "certificate", "certificate_data", "checkpoint", "choices", "report")
    outputs = {f"--{name.replace('_', '-')}": getattr(given, name) for name in files}
    require_different(outputs, *given.data, given.target)
    with input_errors():
        require_intercept(given)
        if given.intercept == "free" and (len(given.data) > 1 or given.dask is not None):
            raise ValueError("--intercept free is for one data set, not for partitions: use --intercept penalised")
        if given.multinomial and (given.loss != "logistic" or given.positive or len(given.data) > 1 or given.dask):
            raise ValueError(
                "--multinomial is for --loss logistic, one data set, without --positive: the classes are its labels"
            )


def _run(
    given: argparse.Namespace, where: Json, problem: "Problem | None", recorder: "Recorded | Replayed | None"
) -> "Result":
    """Run the method, with its progress on standard error.

    where : what ``solve`` is given as the problem, or ``solve_partitions``; problem is then None.
    """
    from dualgap import fast  # numba, once the input is known to be good

    others = {"max_epochs": given.max_epochs, "max_seconds": given.max_seconds}
    with input_errors() as commit, losing_dask(given.dask), ticker() as tick:
        if problem is not None:
            if not given.multinomial:
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

        run = fast.solve if problem is not None else fast.solve_partitions
        return run(
            method=given.method,
            **where,
            tol=given.tol,
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


def _where(given: argparse.Namespace) -> Json:
    """Return the arguments of ``solve`` for partitions; refuse options that they exclude."""
    with input_errors():
        if given.method not in ("cocoa", "auto"):
            raise ValueError(f"several folders and --dask work only with --method cocoa or auto (got {given.method})")
        names = "zero_based target one_hot positive standardize bias unit_rows".split()
        if any(getattr(given, name) for name in names):
            raise ValueError(
                "partitions are prepared when they are written: dualgap new data FILE --map DIR --parts K, with"
                " --unit-rows"
                " and the like"
            )
        given.method = "cocoa"
        return {
            "partitions": given.data,
            "loss": loss_of(given),
            "regularizer": regularizer_of(given),
            "cluster": given.dask,
        }


def _print_notes(problem: "Problem", given: argparse.Namespace) -> None:
    """Print the method's warnings about the problem on standard error."""
    from dualgap.fast.solver.backends import backend_of

    if given.method != "auto":
        options = method_options(given)
        driver = backend_of(given.backend, given.method, options, given.threads, given.mode, type(problem))
        driver.require(problem, given.mode)
        for text in driver.notes(problem):
            note("{}", text)


def _problem(given: argparse.Namespace) -> tuple["Dataset", "Problem"]:
    """The data, prepared, and the problem; what can be refused without reading data is refused first."""
    from dualgap.reference import InterceptProblem, Problem, method

    with input_errors():
        options = method_options(given)
        if given.method != "auto":
            method(given.method, **options)
        loss, regularizer = loss_of(given), regularizer_of(given)
        dataset = prepared(given)
        if given.multinomial:
            return multinomial(dataset, regularizer, given.intercept == "free")
        if loss.margin:
            require_two_classes(dataset, loss.name, ", or use --multinomial for one model of all classes")
        kind = InterceptProblem if given.intercept == "free" else Problem
        return dataset, kind(dataset.X, dataset.y, loss, regularizer)


def choices_of(given: argparse.Namespace) -> "Recorded | Replayed | None":
    """Return the recorder or player of choices if --choices names a file."""
    if given.choices is None:
        return None
    from dualgap.fast.solver.choices import Recorded, Replayed

    with input_errors():
        if given.checkpoint is not None or given.threads != 1 or isinstance(given.data, list):
            raise ValueError(
                "--choices requires one thread and one data set, and excludes --checkpoint: the file lists all choices"
                " in order"
            )
        if os.path.exists(given.choices):
            return Replayed(given.choices)
    require_place("--choices", given.choices)
    return Recorded()


def keep_choices(
    given: argparse.Namespace, recorder: "Recorded | Replayed", problem: "Problem", result: "Result"
) -> None:
    """Write the file after the run, or compare the run with the bits at its end; warn where it is not written."""
    from dualgap.fast.data.atomic_file import warn_not_written
    from dualgap.proofs_checks.conformance.ports import whole_runs

    with input_errors():
        try:
            whole_runs.keep_choices(given.choices, recorder, problem, result, method_options(given))
        except OSError as error:
            warn_not_written(given.choices, error)
