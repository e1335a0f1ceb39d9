"""A program in any language as a solver: the op "solve" of docs/ports.md behind the callable that the checks ask.

The data go over the pipe as they are, NaN and labels of any value included: refusing them is the program's own duty.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.protocol.hex_floats import decode, encode
from dualgap.proofs_checks.conformance.protocol.port import Answer, Port
from dualgap.proofs_checks.conformance.protocol.port import problem_to_json as _to_json
from dualgap.proofs_checks.conformance.solvers.cases import Array

SECONDS = 60.0  # for one solve; a call of the checks has up to 5,000 rows


class NoAnswer(RuntimeError):
    """The program ended, was silent, or answered something that is no solution."""


class CommandSolver:
    """A program that answers over a pipe, called as ``solver(X, y, *, loss, lam, l1, gamma, tol, seed)``.

    Parameters
    ----------
    command : the program and its arguments.
    seconds : how long one solve may take, > 0.

    Attributes
    ----------
    name : what the program calls itself.
    losses, l1, two_labels : what it says that it solves; not there where it says nothing.
    last : the whole result of the last call, with what else the program says in it.

    Raises
    ------
    ValueError, Unreachable
        There is no such program, or it does not keep to the protocol in its greeting.
    """

    def __init__(self, command: Sequence[str], seconds: float = SECONDS) -> None:
        self.port = Port(command, seconds)
        self.port.greet()
        self.name = self.port.about["name"] or command[0]
        self.last: Json = {}
        for key in ("losses", "l1", "two_labels"):
            if key in self.port.solves:
                setattr(self, key, self.port.solves[key])

    def __enter__(self) -> "CommandSolver":
        return self

    def __exit__(self, *_: object) -> None:
        self.port.stop()

    def __call__(
        self, X: Any, y: Any, *, loss: str, lam: float, l1: float, gamma: float | None, tol: float | None, seed: int
    ) -> tuple[Array, Array | None, bool]:
        """(w, alpha or None, converged); tol None is the program's own default.

        Raises ValueError if the program refuses the input, or X cannot be sent; NoAnswer where it gives none.
        """
        given: Json = {"problem": problem_to_json(X, y, loss, lam, l1, gamma), "seed": seed}
        if tol is not None:
            given["tol"] = encode(tol)
        self.last = result_of(self.port.solve(given))
        alpha = self.last.get("alpha")
        return numbers(self.last, "w"), None if alpha is None else numbers(self.last, "alpha"), self.last["converged"]


def result_of(answer: Answer) -> Json:
    """The result of an answer to "solve". Raises ValueError for a refusal, NoAnswer for what is no result."""
    if answer.kind == "error":
        raise ValueError(answer.reason)
    if answer.result is None:
        raise NoAnswer(f"{answer.kind}: {answer.reason}")
    if not isinstance(answer.result.get("converged"), bool):
        raise NoAnswer(
            f'garbled: a result has "converged":true or false (got {str(answer.result.get("converged"))[:80]!r})'
        )
    return answer.result


def numbers(result: Json, name: str) -> Array:
    """A vector of a result. Raises NoAnswer if it is no list of numbers."""
    try:
        return np.array([decode(text) for text in result[name]], dtype=np.float64)
    except (KeyError, TypeError, ValueError) as error:
        raise NoAnswer(
            f"garbled: {name} must be a list of numbers of 16 hexadecimal digits ({type(error).__name__}: {error})"
        ) from None


def problem_to_json(X: Any, y: Any, loss: str, lam: float, l1: float, gamma: float | None) -> Json:
    """The problem as the protocol writes it, valid or not; the zeros of a dense row are not stored.

    Raises ValueError for X without two dimensions, and for CSR in which a column is stored twice: the protocol has no
    words for them.
    """
    from dualgap.reference import LOSSES

    if len(X.shape) != 2:
        raise ValueError(f"X must have shape (n, d) (got {X.shape})")
    return _to_json(X.shape[1], _stored(X), y, loss, LOSSES[loss](gamma).gamma, lam, l1)


def _stored(X: Any) -> list[list[tuple[Any, Any]]]:
    """The (column, value) of every row, in stored order."""
    if not hasattr(X, "indptr"):
        return [[(j, row[j]) for j in np.flatnonzero(row)] for row in np.asarray(X, dtype=np.float64)]
    rows = [list(zip(X.indices[a:b], X.data[a:b])) for a, b in zip(X.indptr[:-1], X.indptr[1:])]
    if any(len(dict(row)) < len(row) for row in rows):
        raise ValueError("a column is stored twice in a row of X: add the entries up with X.sum_duplicates()")
    return rows
