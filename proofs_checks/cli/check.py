"""The command ``check``: check a solver without pytest."""

import argparse
import math
import shlex
import shutil
import time
from contextlib import ExitStack

from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.cli.numbers import entropy_of
from dualgap.proofs_checks.conformance.protocol.process import Unreachable
from dualgap.proofs_checks.conformance.solvers.checks import Check, expected_failures, solver_checks
from dualgap.proofs_checks.conformance.solvers.command_solver import CommandSolver
from dualgap.proofs_checks.conformance.solvers.spec import load_solver
from dualgap.proofs_checks.conformance.solvers.trial import Incomplete, Solver
from dualgap.proofs_checks.report.screen import say
from dualgap.proofs_checks.report.terminal import (
    FAILED,
    Refused,
    input_errors,
    print_json,
    print_table,
    printable,
    progress,
)

BAD = ("failed", "passed unexpectedly")
UNCLAIMED = 3  # exit status: nothing failed, and the solver did not claim convergence everywhere


def check(given: argparse.Namespace) -> int:
    """Exit 0 when every check passed or failed as ``expected_failed_checks`` says; 3 for incomplete ones; else 1."""
    with ExitStack() as running:
        solver = _solver(given, running)
        return _check(given, solver)


def _solver(given: argparse.Namespace, running: ExitStack) -> Solver:
    """The callable of the command line; a program is started, and ends with ``running``."""
    with input_errors():
        given.entropy = entropy_of(given.entropy)
        if not 0 < given.timeout < math.inf:
            raise Refused(f"--timeout must be > 0 and finite (got {given.timeout:g})")
        if len(given.solver) == 1 and shutil.which(given.solver[0]) is None:
            return load_solver(given.solver[0])
        try:
            return running.enter_context(CommandSolver(given.solver, given.timeout))
        except Unreachable as reason:
            raise Refused(printable(str(reason))) from None


def _check(given: argparse.Namespace, solver: Solver) -> int:
    with input_errors():
        checks = solver_checks(
            solver,
            losses=given.loss or None,
            l1=False if given.no_l1 else None,
            tol=given.tol,
            seconds=None if isinstance(solver, CommandSolver) else given.timeout,
            entropy=given.entropy,
        )
        expected = expected_failures(solver, checks)
    if unknown := sorted(set(given.only) - {name for one in checks for name in (one.name, one.kind)}):
        raise Refused(
            f"--only {printable(unknown[0])}: there is no such check; the checks are"
            f" {', '.join(dict.fromkeys(one.kind for one in checks))}"
        )
    chosen = [one for one in checks if not given.only or one.name in given.only or one.kind in given.only]
    if chosen and (said := chosen[0].trial(solver).signature()):
        raise Refused(printable(said))
    rows: list[Json] = []
    with progress() as advance:
        for k, one in enumerate(chosen):
            advance(one.name, k, len(chosen))
            rows.append(_judged(one, solver, expected.get(one.name), given))
    statuses = {row["status"] for row in rows}
    verdict = "fail" if statuses & set(BAD) else "incomplete" if "incomplete" in statuses else "pass"
    if given.json:
        print_json(
            {
                "schema": 1,
                "verdict": verdict,
                "solver": shlex.join(given.solver),
                "tol": given.tol,
                "entropy": given.entropy,
                "checks": rows,
            }
        )
    else:
        _print(rows, verdict, given.entropy)
    return {"pass": 0, "fail": FAILED, "incomplete": UNCLAIMED}[verdict]


def _judged(one: Check, solver: Solver, reason: str | None, given: argparse.Namespace) -> Json:
    """Run one check and return its row of the report: the status, the message, and the command that repeats it."""
    start, said = time.perf_counter(), ""
    try:
        one(solver)
        status = "passed" if reason is None else "passed unexpectedly"
    except AssertionError as failure:
        status = (
            "failed as expected"
            if reason is not None
            else "incomplete"
            if isinstance(failure, Incomplete)
            else "failed"
        )
        said = printable(str(failure), True)
    options = " --no-l1" if given.no_l1 else ""
    options += f" --tol {given.tol:g}" if given.tol != 1e-6 else ""
    options += f" --entropy {given.entropy}" if one.kind.startswith("drawn") else ""
    program = isinstance(solver, CommandSolver)
    asked = f"--loss {one.loss} --only {one.kind}{options}"
    repeat = (
        f"dualgap check {asked} -- {shlex.join(given.solver)}"
        if program
        else f"dualgap check {given.solver[0]} {asked}"
    )
    return {
        "check": one.kind,
        "loss": one.loss,
        "status": status,
        "says": said,
        "cause": None,  # leaves in the next minor version
        "expected": reason,
        "repeat": repeat,
        "seconds": round(time.perf_counter() - start, 3),
    }


def _print(rows: list[Json], verdict: str, entropy: int) -> None:
    """Print the failures, a table of checks by losses, and the verdict."""
    for row in rows:
        if row["status"] in ("failed", "incomplete"):
            say("{status} {check}: {says}\n  repeat: {repeat}\n", **{**row, "status": row["status"].upper()})
        if row["status"] == "passed unexpectedly":
            say(
                "PASSED {check}[{loss}], which is listed as an expected failure ({expected}): remove it from the"
                " list\n",
                **row,
            )
    losses = list(dict.fromkeys(row["loss"] for row in rows))
    kinds = list(dict.fromkeys(row["check"] for row in rows))
    status = {(row["check"], row["loss"]): row["status"] for row in rows}
    table = [(kind, *(status.get((kind, loss), "") for loss in losses)) for kind in kinds]
    print_table(("", *losses), table)
    count, silent = sum(row["status"] in BAD for row in rows), sum(row["status"] == "incomplete" for row in rows)
    unclaimed = f", {silent} in which the solver did not claim convergence" if silent else ""
    say("\nVerdict: {} ({} checks, {} failed{}, entropy {})", verdict, len(rows), count, unclaimed, entropy)
