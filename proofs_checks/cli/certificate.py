"""The command ``certify``: what somebody else's solver returned, judged exactly.

A certificate needs no cooperation: two files with w and alpha, and the problem that they are meant to solve. The doubles in
them are rationals, so the gap is a rational too (for the logistic loss two decimals that enclose it), and nothing is rounded.
"""

import argparse
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from dualgap.proofs_checks.cli import solve as cli_solve
from dualgap.proofs_checks.report.terminal import FAILED, input_errors, print_json, print_pairs

if TYPE_CHECKING:
    from dualgap.fast.data.dataset import Dataset
    from dualgap.proofs_checks.engines.certificate import ExactCertificate
    from dualgap.reference import Problem
    from dualgap.reference.numbers.arithmetic import Number

PROBLEM: tuple[tuple[str, str, Any, str], ...] = (
    ("--loss", "L", str, "squared, smoothed-hinge, squared-hinge, hinge, logistic or absolute"),
    ("--gamma", "G", float, "> 0, of squared and smoothed-hinge (default 1)"),
    ("--lam", "X", float, "> 0, the weight of ||w||^2/2"),
    ("--l1", "Y", float, ">= 0, the weight of ||w||_1 (default 0)"),
    ("--tol", "E", float, ">= 0; exit 1 where the gap is larger"),
)


def add_certify(commands: Any) -> None:
    """dualgap certify W.npy ALPHA.npy DATA --loss L --lam X [...]."""
    text = "the gap of anybody's pair (w, alpha), exactly"
    command = commands.add_parser("certify", help=text, description=text, allow_abbrev=False)
    command.set_defaults(run=certify)
    command.add_argument("w", metavar="W.npy", help="w, shape (d,)")
    command.add_argument("alpha", metavar="ALPHA.npy", help="alpha ~ +phi'(x^T w), shape (n,)")
    command.add_argument("data", metavar="DATA", help="a name of `dualgap data`, a LIBSVM file or a mapped folder")
    for name, symbol, kind, words in PROBLEM:
        command.add_argument(name, metavar=symbol, type=kind, help=words, required=name in ("--loss", "--lam"))
    cli_solve.add_preparation(command)
    command.add_argument("--json", action="store_true", help="one JSON object on standard output, nothing else")


def certify(given: argparse.Namespace) -> int:
    """Exit 0 when there is a certificate and, where --tol is given, its gap is at most that."""
    from dualgap.proofs_checks.engines.certificate import certificate
    from dualgap.reference.numbers.interval import decide

    with input_errors():
        dataset, problem = _problem(given)
        w, alpha = _vector(given.w, "w", problem.d), _vector(given.alpha, "alpha", problem.n)
        found = certificate(problem, alpha, w)
    tol = None if given.tol is None else Fraction(given.tol)
    met = None if tol is None else bool(decide(lambda: certificate(problem, alpha, w).gap <= tol)[0])
    facts = _facts(dataset, problem, found, given.tol, met)
    print_json(facts) if given.json else _print_facts(facts, found)
    return FAILED if met is False else 0


def _problem(given: argparse.Namespace) -> tuple["Dataset", "Problem"]:
    from dualgap.reference import ElasticNet, Problem

    if given.tol is not None and not given.tol >= 0:
        raise ValueError(f"--tol must be >= 0 (got {given.tol:g})")
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
    from dualgap.proofs_checks.auditing.replay_file import number_to_json

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
        ("primal", spell_number(found.primal)),
        ("dual", spell_number(found.dual)),
        ("gap", spell_number(found.gap) + verdict[facts["met"]]),
        ("", "P(w) - min P and max D - D(alpha) are at most the gap; exact but for the digits shown, --json has them all"),
    ])


def spell_number(value: "Number") -> str:
    """A rational as a decimal of 12 digits, an interval by its ends."""
    if not isinstance(value, Fraction):
        return str(value)
    try:
        return f"{float(value):.12g}"
    except OverflowError:
        return f"{Decimal(value.numerator) / Decimal(value.denominator):.12g}"
