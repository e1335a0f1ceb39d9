"""``dualgap audit --certificate`` and ``--estimators``: what somebody else's solver returned, judged exactly.

A certificate needs no cooperation: two files with w and alpha, and the problem that they are meant to solve. The doubles in
them are rationals, so the gap is a rational too (for the logistic loss two decimals that enclose it), and nothing is rounded.
"""

import argparse
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from dualgap.proofs_checks import cli_solve
from dualgap.proofs_checks.terminal import (
    FAILED,
    Refused,
    door,
    print_json,
    print_pairs,
    print_table,
    printable,
    progress,
)

if TYPE_CHECKING:
    from dualgap.fast.dataset import Dataset
    from dualgap.proofs_checks.certificates import ExactCertificate
    from dualgap.reference import Problem
    from dualgap.reference.arithmetic import Number

PROBLEM: tuple[tuple[str, str, Any, str], ...] = (
    ("--loss", "L", str, "squared, smoothed-hinge, squared-hinge, hinge, logistic or absolute"),
    ("--gamma", "G", float, "> 0, of squared and smoothed-hinge (default 1)"),
    ("--lam", "X", float, "> 0, the weight of ||w||^2/2"),
    ("--l1", "Y", float, ">= 0, the weight of ||w||_1 (default 0)"),
    ("--tol", "E", float, ">= 0; exit 1 where the gap is larger"),
)
PREPARATION = ("positive", "standardize", "bias", "unit_rows")


def add_options(command: argparse.ArgumentParser) -> None:
    """The options of ``dualgap audit`` that are about somebody else's solver."""
    group = command.add_argument_group("a certificate of any (w, alpha), exactly: dualgap audit --certificate W.npy ALPHA.npy DATA --loss L --lam X")
    group.add_argument("--certificate", nargs=2, metavar=("W", "ALPHA"), help=".npy files: w, shape (d,), and alpha ~ +phi'(x^T w), shape (n,)")
    for name, symbol, kind, words in PROBLEM:
        group.add_argument(name, metavar=symbol, type=kind, help=words)
    cli_solve.add_preparation(command)
    text = "other people's estimators on 300 tiny problems: is it true when they say that they have converged?"
    command.add_argument("--estimators", action="store_true", help=f"{text} (names: as printed; default all)")


def wanted(given: argparse.Namespace) -> bool:
    """Whether one of the two is asked for. Raises Refused for options that do not go together."""
    asked = [f"--{name}" for name in ("certificate", "estimators") if getattr(given, name)]
    if len(asked) == 2:
        raise Refused("--certificate and --estimators are two different audits: give one of them")
    of_problem = [name[2:] for name, *_ in PROBLEM if getattr(given, name[2:]) is not None] + [p for p in PREPARATION if getattr(given, p)]
    if of_problem and asked != ["--certificate"]:
        raise Refused(f"--{of_problem[0].replace('_', '-')} goes with --certificate W.npy ALPHA.npy DATA")
    if asked and (given.size or given.entropy is not None):
        raise Refused(f"{asked[0]} has neither --quick nor --full nor --entropy: what it does is fixed")
    return bool(asked)


def run(given: argparse.Namespace) -> int:
    """The audit that ``wanted`` has seen."""
    return certify(given) if given.certificate else estimators(given)


# -- certificate --------------------------------------------------------------------------------------------------------


def certify(given: argparse.Namespace) -> int:
    """Exit 0 when there is a certificate and, where --tol is given, its gap is at most that."""
    from dualgap.proofs_checks.certificates import certificate
    from dualgap.reference.interval import decide

    with door():
        dataset, problem = _problem(given)
        w, alpha = _vector(given.certificate[0], "w", problem.d), _vector(given.certificate[1], "alpha", problem.n)
        found = certificate(problem, alpha, w)
    tol = None if given.tol is None else Fraction(given.tol)
    met = None if tol is None else bool(decide(lambda: certificate(problem, alpha, w).gap <= tol)[0])
    facts = _facts(dataset, problem, found, given.tol, met)
    print_json(facts) if given.json else _print_facts(facts, found)
    return FAILED if met is False else 0


def _problem(given: argparse.Namespace) -> tuple["Dataset", "Problem"]:
    from dualgap.reference import ElasticNet, Problem

    missing = [name for name in ("loss", "lam") if getattr(given, name) is None]
    if len(given.names) != 1 or missing:
        what = f"--{missing[0]}" if missing else f"one DATA (got {len(given.names)})"
        raise ValueError(f"--certificate needs {what}: dualgap audit --certificate W.npy ALPHA.npy DATA --loss L --lam X")
    if given.tol is not None and not given.tol >= 0:
        raise ValueError(f"--tol must be >= 0 (got {given.tol:g})")
    given.data = given.names[0]
    loss, regularizer = cli_solve.loss_of(given), ElasticNet(given.lam, given.l1 or 0.0)
    dataset = cli_solve.prepared(given)
    return dataset, Problem(dataset.X, dataset.y, loss, regularizer)


def _vector(path: str, name: str, length: int) -> Any:
    """A vector from a .npy file. Raises ValueError naming the file and what it holds."""
    import numpy as np

    try:
        vector = np.load(path, allow_pickle=False)
    except (ValueError, EOFError, OSError) as error:
        reason = getattr(error, "strerror", None) or "it is not a .npy file of numbers"
        raise ValueError(f"{path}: cannot read {name} ({reason}); write it with numpy.save") from None
    if not isinstance(vector, np.ndarray) or vector.dtype.kind not in "fiu" or vector.dtype.itemsize > 8:
        raise ValueError(f"{path}: {name} must be real numbers of at most 64 bits (got {getattr(vector, 'dtype', 'an archive')})")
    if vector.shape != (length,):
        raise ValueError(f"{path}: {name} must have shape ({length},), as the prepared data have (got {vector.shape})")
    if not np.isfinite(vector).all():
        place = int(np.flatnonzero(~np.isfinite(vector))[0])
        raise ValueError(f"{path}: {name}[{place}] is {vector[place]}: every entry must be finite")
    return vector


def _facts(dataset: "Dataset", problem: "Problem", found: "ExactCertificate", tol: float | None, met: bool | None) -> dict[str, Any]:
    """What --json prints: every number exactly, with its decimal."""
    from dualgap.proofs_checks.counterexamples import number_to_json

    return {
        "schema": 1, "data": dataset.name, "preparation": list(dataset.preparation), "n": problem.n, "d": problem.d,
        "loss": problem.loss.name, "gamma": float(problem.gamma), "lam": float(problem.regularizer.lam),
        "l1": float(problem.regularizer.l1),
        **{name: number_to_json(getattr(found, name)) for name in ("primal", "dual", "gap")},
        "tol": tol, "met": met,
    }


def _print_facts(facts: dict[str, Any], found: "ExactCertificate") -> None:
    verdict = {None: "", True: f": at most the {facts['tol']} asked for", False: f": more than the {facts['tol']} asked for"}
    print_pairs([
        ("data", f"{facts['data']}: {facts['n']} rows, {facts['d']} columns"),
        *(("", sentence) for sentence in facts["preparation"]),
        ("problem", f"{facts['loss']} (gamma {facts['gamma']:g}), lam {facts['lam']:g}, l1 {facts['l1']:g}"),
        ("primal", _digits(found.primal)),
        ("dual", _digits(found.dual)),
        ("gap", _digits(found.gap) + verdict[facts["met"]]),
        ("", "P(w) - min P and max D - D(alpha) are at most the gap; exact but for the digits shown, --json has them all"),
    ])


def _digits(value: "Number") -> str:
    """A rational as a decimal of 12 digits, an interval by its ends."""
    if not isinstance(value, Fraction):
        return str(value)
    try:
        return f"{float(value):.12g}"
    except OverflowError:
        return f"{Decimal(value.numerator) / Decimal(value.denominator):.12g}"


# -- estimators ---------------------------------------------------------------------------------------------------------


def estimators(given: argparse.Namespace) -> int:
    """Exit 0 always: what is found is a fact about them, not a failure of ours."""
    import json
    import pathlib

    from dualgap.proofs_checks.conformance.estimators import audit_estimators

    with door() as shut, progress() as advance:

        def watch(name: str, done: int, total: int) -> None:
            shut()
            advance(name, done, total)

        report = audit_estimators(given.names, out=given.out, progress=watch)
    with door():
        folder = pathlib.Path(given.out)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "estimators.json").write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")
    if given.json:
        print_json(report)
        return 0
    table = [_estimator_row(row) for row in report["rows"]]
    columns = ("estimator", "says converged", "false", "undecided", "worst", "claim")
    print_table(columns, table, [k for k, row in enumerate(report["rows"]) if row.get("false")])
    print(f"\nOf {report['problems']} problems. worst: the largest lower bound of P(w) - min P, in units of what is claimed.")
    print(f"{folder / 'estimators.json'}; the smallest example of each beside it")
    return 0


def _estimator_row(row: dict[str, Any]) -> tuple[str, ...]:
    if row["skipped"]:
        return row["name"], "", "", "", "", f"SKIPPED({row['skipped']})"
    worst = "" if row["worst_ratio"] is None else f"{row['worst_ratio']:.3g}"
    return row["name"], str(row["converged"]), str(row["false"]), str(row["undecided"]), worst, row["claim"]


def is_finding(path: str) -> bool:
    """Whether a replay file is about an estimator; anything that cannot be read is not."""
    from dualgap.proofs_checks.strict_json import read_json

    try:
        record = read_json(path)
    except ValueError:
        return False
    return isinstance(record, dict) and record.get("kind") == "false-convergence"


def replay(path: str) -> int:
    """Exit 0 when the file's numbers come back and the convergence is false."""
    from dualgap.proofs_checks.conformance.estimators import replay as again

    with door():
        record, found, verdict, same = again(path)
    print(printable(f"{record['estimator']}, {', '.join(f'{name} {version}' for name, version in record['versions'].items())}"))
    print(f"says that it has converged, which claims {record['claim']} (tol {record['tol']:g})\n\nProblem")
    print_pairs([(f"  {name}", printable(str(value))) for name, value in record["instance"].items() if value])
    print(f"\nw = {', '.join(item['decimal'] for item in record['w'])}")
    print_pairs([
        ("P(w) - P(w')", _digits(found.below)), ("claimed at most", _digits(found.allowed)), ("P(w) - D(alpha')", _digits(found.above)),
    ])
    if not same:
        print("\nThe numbers in the file do not come back: the file or the code has changed since it was written.")
        return FAILED
    if verdict != "false":
        print("\nThe claim is not refuted by these numbers.")
        return FAILED
    print("\nFALSE: another point is better by more than was claimed. Every number in the file came back.")
    return 0
