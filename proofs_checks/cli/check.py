"""The command ``check``: the kit of checks for a solver in Python, without pytest."""

import argparse
import time
from typing import Any

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


def add_check(commands: Any) -> None:
    """dualgap check MODULE:SOLVER [--loss L ...] [--only CHECK ...] [--no-l1] [--tol T] [--json]."""
    text = "property checks for a solver in Python: what is wrong, by which convention, and how to repeat it (docs/own_solver.md)"
    command = commands.add_parser("check", help=text, description=text, allow_abbrev=False)
    command.set_defaults(run=check)
    command.add_argument("solver", metavar="SOLVER", help="package.module:name or file.py:name")
    command.add_argument("--loss", action="append", metavar="L", help="a loss that it knows; may be repeated (default: the solver's own list, or all)")
    command.add_argument("--only", action="append", metavar="CHECK", help="a check, with or without [loss]; may be repeated")
    command.add_argument("--no-l1", action="store_true", help="do not ask for problems with an l1 term")
    command.add_argument("--tol", type=float, default=1e-6, metavar="T", help="the gap that is asked for (default 1e-6)")
    command.add_argument("--json", action="store_true", help="one JSON object on standard output, nothing else")


def check(given: argparse.Namespace) -> int:
    """Exit 0 when every check passed, or failed as the solver's ``expected_failed_checks`` says; 1 otherwise."""
    from dualgap.proofs_checks.conformance.solvers.checks import expected_failures, solver_checks
    from dualgap.proofs_checks.conformance.solvers.spec import load_solver

    with input_errors():
        solver = load_solver(given.solver)
        checks = solver_checks(solver, losses=given.loss, l1=False if given.no_l1 else None, tol=given.tol)
        expected = expected_failures(solver, checks)
    if unknown := sorted(set(given.only or ()) - {name for one in checks for name in (one.name, one.kind)}):
        raise Refused(f"--only {printable(unknown[0])}: known are {', '.join(dict.fromkeys(one.kind for one in checks))}")
    chosen = [one for one in checks if not given.only or one.name in given.only or one.kind in given.only]
    rows: list[dict[str, Any]] = []
    with progress() as advance:
        for k, one in enumerate(chosen):
            advance(one.name, k, len(chosen))
            rows.append(_judged(one, solver, expected.get(one.name), given))
    verdict = "fail" if any(row["status"] in BAD for row in rows) else "pass"
    if given.json:
        print_json({"schema": 1, "verdict": verdict, "solver": given.solver, "tol": given.tol, "checks": rows})
    else:
        _print(rows, verdict)
    return 0 if verdict == "pass" else FAILED


def _judged(one: Any, solver: Any, reason: str | None, given: argparse.Namespace) -> dict[str, Any]:
    """One check as a row: status, cause, what it says, how to repeat it."""
    start, said, cause = time.perf_counter(), "", None
    try:
        one(solver)
        status = "passed" if reason is None else "passed unexpectedly"
    except AssertionError as failure:
        status, said, cause = "failed" if reason is None else "failed as expected", printable(str(failure), True), getattr(failure, "cause", None)
    options = f"{' --no-l1' if given.no_l1 else ''}{f' --tol {given.tol:g}' if given.tol != 1e-6 else ''}"
    repeat = f"dualgap check {given.solver} --loss {one.loss} --only {one.kind}{options}"
    return {
        "check": one.kind, "loss": one.loss, "status": status, "cause": cause, "says": said, "expected": reason, "repeat": repeat,
        "seconds": round(time.perf_counter() - start, 3),
    }  # fmt: skip


def _print(rows: list[dict[str, Any]], verdict: str) -> None:
    """The failures, check by loss, and the verdict."""
    for row in rows:
        if row["status"] == "failed":
            print(f"FAILED {row['check']}: {row['says']}\n  cause: {row['cause'] or 'none of those that were tried'}\n  again: {row['repeat']}\n")
        if row["status"] == "passed unexpectedly":
            print(f"PASSED {row['check']}[{row['loss']}], which is expected to fail ({printable(row['expected'], True)}): take it off\n")
    losses = list(dict.fromkeys(row["loss"] for row in rows))
    kinds = list(dict.fromkeys(row["check"] for row in rows))
    status = {(row["check"], row["loss"]): row["status"] for row in rows}
    table = [(kind, *(status.get((kind, loss), "") for loss in losses)) for kind in kinds]
    print_table(("", *losses), table, [k for k, line in enumerate(table) if set(line) & set(BAD)])
    count = sum(row["status"] in BAD for row in rows)
    print(f"\nVerdict: {verdict} ({len(rows)} checks, {count} failed)")
