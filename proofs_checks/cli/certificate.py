"""The command ``certify``: judge the answer of any solver, by a bound (``fast.certify``) or in exact arithmetic.

Both need a file with w, and the problem that it is meant to solve. Exact arithmetic takes alpha from a file, or the
one that the bound has found. The doubles in these files are rationals, so the gap is a rational too (for the logistic
loss two decimals that enclose it), and nothing is rounded. A file that ends in .npy is numpy's, one that ends in .hex
holds the bits of doubles, any other one decimals or C's 0x1.8p-1.
"""

import argparse
import math
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.cli.commands import surroundings
from dualgap.proofs_checks.cli.pages import require_different, require_place
from dualgap.proofs_checks.cli.problem import loss_of, prepared
from dualgap.proofs_checks.report.screen import note
from dualgap.proofs_checks.report.terminal import FAILED, Refused, input_errors, print_json, print_pairs

if TYPE_CHECKING:
    from dualgap.fast.certify.certify import Certified
    from dualgap.fast.data.dataset import Dataset
    from dualgap.fast.problem.arrays import Array
    from dualgap.proofs_checks.engines.certificate import ExactCertificate
    from dualgap.reference import Problem
    from dualgap.reference.numbers.arithmetic import Number


def certify(given: argparse.Namespace) -> int:
    """Exit 0 if there is a certificate and its gap is at most --tol, if that is given."""
    if given.tol is not None and not given.tol >= 0:
        raise Refused(f"--tol must be >= 0 (got {given.tol:g})")
    exactly = given.exact or given.alpha is not None
    options = ["intercept", "sample_weight"] if exactly else ["certificate", "certificate_data"]
    for option in options if given.alpha is None else [*options, "seconds"]:
        if getattr(given, option) is not None:
            name = {"certificate": "out", "certificate_data": "out-data"}.get(option, option.replace("_", "-"))
            raise Refused(f"--{name} is for a call {'without' if exactly else 'with'} ALPHA or --exact")
    if not exactly and _plain(given):
        return bounded(given)
    with surroundings(given):
        return exact(given) if exactly else bounded(given)


def bounded(given: argparse.Namespace) -> int:
    """Print a bound on P(w) - min P."""
    with input_errors():
        X, y, name, done, unchanged = _rows(given)
        found = _certified(given, X, y, _vector(given.w, "w", X.shape[1]))
        unchanged()
    met = None if given.tol is None else found.gap_bound <= given.tol
    finite = found.gap_bound < math.inf
    facts: Json = {
        "schema": 1,
        "data": name,
        "preparation": list(done),
        "n": X.shape[0],
        "d": X.shape[1],
        "loss": given.loss,
        **{option: getattr(given, option) for option in ("gamma", "lam", "l1", "intercept", "sample_weight")},
        "gap_bound": found.gap_bound if finite else None,
        "primal": found.primal if math.isfinite(found.primal) else None,
        "points": found.passes,
        "seconds": found.seconds,
        "stopped": found.stopped,
        "tol": given.tol,
        "met": met,
    }
    print_json(facts) if given.json else _print_bound(facts, found)
    return 0 if finite and met is not False else FAILED


def _certified(given: argparse.Namespace, X: Any, y: "Array", w: "Array") -> "Certified":
    from dualgap.fast.certify.certify import certify as certified

    weights = given.sample_weight
    return certified(
        X,
        y,
        w,
        loss=given.loss,
        lam=given.lam,
        l1=given.l1,
        gamma=given.gamma,
        sample_weight=None if weights is None else _vector(weights, "sample_weight", X.shape[0]),
        intercept=given.intercept,
        seconds=1.0 if given.seconds is None else given.seconds,
        tol=given.tol or 0.0,
    )


def _print_bound(facts: Json, found: "Certified") -> None:
    finite = found.gap_bound < math.inf
    verdict = {None: "", True: f": at most --tol {facts['tol']}", False: f": larger than --tol {facts['tol']}"}
    print_pairs(
        [
            ("data", f"{facts['data']}: {facts['n']} rows, {facts['d']} columns"),
            *(("", sentence) for sentence in facts["preparation"]),
            ("problem", f"{facts['loss']}, lam {facts['lam']:g}, l1 {facts['l1']:g}"),
            ("primal", f"{found.primal:.12g} (as computed in doubles)"),
            ("bound", (f"{found.gap_bound:.6g}" if finite else "none: numbers overflow") + verdict[facts["met"]]),
            ("", "P(w) - min P is at most the bound. It includes every rounding error"),
            ("tried", f"{found.passes} dual points in {found.seconds:.2g} seconds; stopped because {found.stopped}"),
        ]
    )


def _plain(given: argparse.Namespace) -> bool:
    """Return whether the data are two .npy files as they are, which need neither scipy nor plugins."""
    changed = given.positive or given.standardize or given.bias or given.unit_rows or given.one_hot is not None
    return not (changed or given.zero_based) and {given.data[-4:], (given.target or "")[-4:]} == {".npy"}


def _rows(given: argparse.Namespace) -> "tuple[Any, Array, str, tuple[str, ...], Callable[[], None]]":
    """X, y, the name of the data, what was done to them, and a check that they have not changed since. The X of two
    .npy files is mapped.
    """
    from dualgap.fast.data.bounded_file import npy_array, open_regular

    if _plain(given):
        with _read_as(given.data, "X"), open_regular(given.data) as file:
            X, before = npy_array(file, mapped=True), os.fstat(file.fileno())
            if X.ndim != 2 or 0 in X.shape:
                raise ValueError(f"a matrix must have rows and columns, but its shape is {X.shape}")

        def require_unchanged() -> None:
            now = os.stat(given.data)
            if (now.st_size, now.st_mtime_ns) != (before.st_size, before.st_mtime_ns):
                raise ValueError(f"{given.data} has changed while it was read: leave it alone and start again")

        return X, _vector(given.target, "y", len(X)), given.data, (), require_unchanged
    dataset = prepared(given)
    return dataset.X, dataset.y, dataset.name, dataset.preparation, lambda: None


def exact(given: argparse.Namespace) -> int:
    """Print the gap in exact arithmetic."""
    from dualgap.proofs_checks.engines.certificate import certificate
    from dualgap.reference.numbers.interval import decide

    with input_errors():
        dataset, problem = _problem(given)
        outputs = {"--out": given.certificate, "--out-data": given.certificate_data}
        require_different(outputs, given.w, given.alpha, given.data, given.target)
        require_certificate(given, problem)
        w = _vector(given.w, "w", problem.d)
        own = given.alpha is None
        alpha = (
            _certified(given, dataset.X, dataset.y, w).points[0] if own else _vector(given.alpha, "alpha", problem.n)
        )
        found = certificate(problem, alpha, w)
    tol = None if given.tol is None else Fraction(given.tol)
    met = None if tol is None else bool(decide(lambda: certificate(problem, alpha, w).gap <= tol)[0])
    facts = _facts(dataset, problem, found, given.tol, met)
    kept = keep_certificate(given, problem, w, alpha)
    print_json(facts) if given.json else _print_facts(facts, found)
    return 0 if kept and met is not False else FAILED


def require_certificate(given: argparse.Namespace, problem: "Problem | None") -> None:
    """Refuse, before the run, problems that a certificate file cannot describe and files that cannot be written.

    problem : None for rows in partitions
    """
    from dualgap.proofs_checks.certificate_file.write import require_covered

    if given.certificate is None:
        if given.certificate_data is not None:
            raise Refused(
                "the data can be written only together with the certificate file: also name that file"
                " (--certificate or --out)"
            )
        return
    if problem is None:
        raise Refused(
            "a certificate file describes one data file, but the data are partitions: join them, or leave out"
            " --certificate"
        )
    with input_errors():
        require_covered(problem)
    files = [file for file in (given.certificate, given.certificate_data) if file is not None]
    for file in files:
        require_place("the certificate file or its data", file)


def keep_certificate(
    given: argparse.Namespace, problem: "Problem", w: object, alpha: object, intercept: float | None = None
) -> bool:
    """Write the files of the options of ``add_certificate_file``. If that fails, print the reason and return False."""
    from dualgap.fast.data.atomic_file import warn_not_written
    from dualgap.proofs_checks.certificate_file.write import write_certificate

    if given.certificate is not None:
        try:
            write_certificate(given.certificate, problem, w, alpha, given.certificate_data, intercept)
        except OSError as error:
            warn_not_written(error.filename or given.certificate, error)
            return False
        except ValueError as error:
            note("dualgap {}: {}", given.command, error)
            return False
    return True


def _problem(given: argparse.Namespace) -> tuple["Dataset", "Problem"]:
    from dualgap.reference import ElasticNet, Problem

    loss, regularizer = loss_of(given), ElasticNet(given.lam, given.l1 or 0.0)
    dataset = prepared(given)
    return dataset, Problem(dataset.X, dataset.y, loss, regularizer)


def _vector(path: str, name: str, length: int) -> "Array":
    """A vector from a file. Raises ValueError naming the file and what it holds."""
    import numpy as np

    vector = _from_npy(path, name, length) if path.lower().endswith((".npy", ".npz")) else _from_text(path, name)
    if vector.shape != (length,):
        raise _wrong_shape(path, name, vector.shape, length)
    if not np.isfinite(vector).all():
        place = int(np.flatnonzero(~np.isfinite(vector))[0])
        raise ValueError(f"{path}: {name}[{place}] is {vector[place]}: every entry must be finite")
    return vector


def _wrong_shape(path: str, name: str, shape: tuple[int, ...], length: int) -> ValueError:
    return ValueError(f"{path}: {name} must have shape ({length},) to match the prepared data (got {shape})")


def _from_npy(path: str, name: str, length: int) -> Any:
    """The vector of a .npy file, whose shape is looked at before its numbers are read; one row or column is one."""
    from dualgap.fast.certify.rows import is_vector
    from dualgap.fast.data.bounded_file import npy_array, npy_header, open_regular

    with _read_as(path, name), open_regular(path) as file:
        shape = npy_header(file)[1]
        if is_vector(shape, length):
            file.seek(0)
            return npy_array(file).ravel()
    raise _wrong_shape(path, name, shape, length)


@contextmanager
def _read_as(path: str, name: str) -> Iterator[None]:
    """Turn what is wrong with a file of numpy into a ValueError that names the file."""
    try:
        yield
    except (ValueError, OSError) as error:
        reason = getattr(error, "strerror", None) or error
        raise ValueError(f"{path}: cannot read {name} ({reason}); write the file with numpy.save") from None


def _from_text(path: str, name: str) -> "Array":
    """Numbers between blanks or commas; a decimal is the double nearest to it."""
    import numpy as np

    from dualgap.proofs_checks.claims.strict_json import read_bytes
    from dualgap.proofs_checks.conformance.protocol.hex_floats import decode

    bits = path.lower().endswith(".hex")
    try:
        words = read_bytes(path).decode("utf-8").replace(",", " ").split()
    except UnicodeDecodeError:
        raise ValueError(
            f"{path}: cannot read {name}: the file is not text; a file of numpy must be named .npy"
        ) from None
    except OSError as error:
        raise ValueError(f"{path}: cannot read {name} ({error.strerror})") from None
    numbers = []
    for place, word in enumerate(words):
        try:
            numbers.append(decode(word) if bits else float.fromhex(word) if "0x" in word.lower() else float(word))
        except (ValueError, OverflowError):
            due = (
                "16 lower-case hexadecimal digits, such as 3ff8000000000000"
                if bits
                else "a decimal, or a C hexadecimal such as 0x1.8p+0 (for bits, name the file .hex)"
            )
            raise ValueError(f"{path}: {name}[{place}] must be {due} (got {word[:40]!r})") from None
    return np.array(numbers, dtype=np.float64)


def _facts(
    dataset: "Dataset", problem: "Problem", found: "ExactCertificate", tol: float | None, met: bool | None
) -> Json:
    """Return the object that --json prints: each number exactly and as a decimal."""
    from dualgap.proofs_checks.auditing.replay_file import number_to_json

    return {
        "schema": 1,
        "data": dataset.name,
        "preparation": list(dataset.preparation),
        "n": problem.n,
        "d": problem.d,
        "loss": problem.loss.name,
        "gamma": float(problem.gamma),
        "lam": float(problem.regularizer.lam),
        "l1": float(problem.regularizer.l1),
        **{name: number_to_json(getattr(found, name)) for name in ("primal", "dual", "gap")},
        "tol": tol,
        "met": met,
    }


def _print_facts(facts: Json, found: "ExactCertificate") -> None:
    from dualgap.reference import Interval

    verdict = {None: "", True: f": at most --tol {facts['tol']}", False: f": larger than --tol {facts['tol']}"}
    print_pairs(
        [
            ("data", f"{facts['data']}: {facts['n']} rows, {facts['d']} columns"),
            *(("", sentence) for sentence in facts["preparation"]),
            ("problem", f"{facts['loss']} (gamma {facts['gamma']:g}), lam {facts['lam']:g}, l1 {facts['l1']:g}"),
            ("primal", spell_number(found.primal)),
            ("dual", spell_number(found.dual)),
            ("gap", spell_number(found.gap) + verdict[facts["met"]]),
            (
                "",
                "P(w) - min P and max D - D(alpha) are at most the gap. "
                + (
                    "Each number lies in the interval that is shown, because the loss has logarithms."
                    if isinstance(found.gap, Interval)
                    else "The numbers are exact up to the digits shown; --json prints all digits"
                ),
            ),
        ]
    )


def spell_number(value: "Number") -> str:
    """A rational as a decimal of 12 digits, an interval by its ends."""
    if not isinstance(value, Fraction):
        return str(value)
    try:
        return f"{float(value):.12g}"
    except OverflowError:
        return f"{Decimal(value.numerator) / Decimal(value.denominator):.12g}"
