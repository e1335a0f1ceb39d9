"""Write certificate files and their data (docs/certificate_file.md)."""

import math
import os
from collections.abc import Iterator
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from dualgap.fast.data.atomic_file import replacing
from dualgap.fast.problem.intercept import InterceptObjective
from dualgap.proofs_checks.certificate_file.balance import balanced
from dualgap.proofs_checks.certificate_file.check import FIELDS, FIELDS_LOGISTIC, LOSSES, Row, checksum, exact_gap
from dualgap.proofs_checks.conformance.protocol.hex_floats import encode
from dualgap.reference.problem.intercept_problem import InterceptProblem

if TYPE_CHECKING:
    from dualgap.reference import Problem


def certificate_text(problem: "Problem", w: object, alpha: object, intercept: float | None = None) -> str:
    """The text of the certificate file of a pair; its bound is the exact gap, for the logistic loss just above it.

    Parameters
    ----------
    problem : Problem over float with L2 or elastic net, weighted or not
    w : (d,) finite; alpha : (n,) in the domain of phi*. For an InterceptProblem the file has a ``balanced`` alpha
    intercept : of an InterceptProblem, b; None: the best one of that w

    Raises
    ------
    ValueError
        The loss or the regularizer is not covered, alpha is outside its domain, or cannot be ``balanced``.
    """
    require_covered(problem)
    loss, regularizer = problem.loss, problem.regularizer
    rows, weights = rows_of(problem), getattr(problem, "weights", None)
    if isinstance(problem, InterceptProblem):
        alpha = balanced(problem, np.asarray(alpha, float))
        intercept = InterceptObjective(problem).intercept(np.asarray(w, float)) if intercept is None else intercept
        weights = None if len(set(problem.weights)) == 1 else weights
    values = {
        "producer": ["dualgap"],
        "data": [checksum(rows)],
        "rows": [str(problem.n)],
        "columns": [str(problem.d)],
        "loss": [loss.name],
        "gamma": _words([loss.gamma]) if loss.adjustable else ["none"],
        "lam": _words([regularizer.lam]),
        "l1": _words([getattr(regularizer, "l1", 0.0)]),
        "intercept": ["none"] if intercept is None else _words([intercept]),
        "weights": ["none"] if weights is None else _words(weights),
        "w": _words(w),
        "alpha": _words(alpha),
    }
    if loss.name == "logistic":
        values["logs"] = _words(_logs(rows, w, alpha, intercept or 0.0))
    bound = exact_gap(values, rows)
    if isinstance(bound, str):
        raise ValueError(f"no certificate file: {bound}")
    values["bound"] = [f"{bound.numerator}/{bound.denominator}"]
    fields = FIELDS_LOGISTIC if loss.name == "logistic" else FIELDS
    return "\n".join(["dualgap certificate 1", *(" ".join([name, *values[name]]) for name in fields)]) + "\n"


def _logs(rows: list[Row], w: Any, alpha: Any, intercept: float) -> Iterator[float]:
    """ln(1 + e^-yz), ln p and ln(1 - p) with p = -y alpha of each row, as doubles; 0 for the logarithm of 0."""
    w, highest = [Fraction(float(w_j)) for w_j in w], Fraction(2**1000)
    for (y, entries), a in zip(rows, alpha):
        z = sum((Fraction(x) * w[j - 1] for j, x in entries), Fraction(intercept))
        p = -y * float(a)
        yield float(np.logaddexp(0.0, -y * float(max(-highest, min(highest, z)))))
        yield math.log(p) if p > 0 else 0.0
        yield math.log1p(-p) if p < 1 else 0.0


def write_certificate(
    path: str | os.PathLike[str],
    problem: "Problem",
    w: object,
    alpha: object,
    data_path: str | os.PathLike[str] | None = None,
    intercept: float | None = None,
) -> None:
    """Write the certificate file, and the data as LIBSVM text where ``data_path`` is given."""
    if data_path is not None and os.path.realpath(path) == os.path.realpath(data_path):
        raise ValueError(f"the certificate file and its data need different files (got {os.fspath(path)!r} for both)")
    texts = {path: certificate_text(problem, w, alpha, intercept)}
    if data_path is not None:
        texts[data_path] = "".join(map(_line, rows_of(problem)))
    for name, text in texts.items():
        with replacing(name) as file:
            file.write(text.encode("ascii"))


def require_covered(problem: "Problem") -> None:
    """Raises ValueError if the numbers, the loss or the regularizer of a problem have no certificate file."""
    if problem.number is not float:
        raise ValueError(f"a certificate file covers problems over float (got {problem.number.__name__})")
    if problem.loss.name not in LOSSES:
        raise ValueError(f"a certificate file covers the losses {', '.join(LOSSES)} (got {problem.loss.name})")
    centred = getattr(problem.regularizer, "centre", None) is not None
    if problem.regularizer.family != "quadratic" or centred or getattr(problem, "blocks", None) is not None:
        raise ValueError(f"a certificate file covers L2 and the elastic net (got {problem.regularizer!r})")


def rows_of(problem: "Problem") -> list[Row]:
    """Label and nonzero entries of each row; columns count from 1."""
    return [
        (float(y) + 0.0, [(int(j) + 1, float(x)) for j, x in row if x != 0]) for y, row in zip(problem.y, problem.rows)
    ]


def _words(values: Any) -> list[str]:
    return [encode(float(value)) for value in values]


def _line(row: Row) -> str:
    return " ".join([repr(row[0]), *(f"{j}:{x!r}" for j, x in row[1])]) + "\n"
