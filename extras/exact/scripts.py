"""A user's PEPit script, run unchanged with exact numbers: the PEPs that it solves, and PEPit's own results."""

import io
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from dualgap.extras.exact.classes import doubts
from dualgap.extras.exact.facts import Facts, facts_of
from dualgap.extras.exact.rationals import exact_imports, exact_module
from dualgap.extras.exact.record import statement_of
from dualgap.proofs_checks.claims.foreign_code import staying
from dualgap.proofs_checks.claims.strict_json import Json


@dataclass
class Solved:
    """One PEP of a script.

    Attributes
    ----------
    facts, statement : see ``facts.facts_of`` and ``record.statement_of``.
    wrong, unchecked : see ``classes.doubts``.
    value : what PEPit returned; None if its solver raised an error, whose text is ``error``.
    """

    facts: Facts
    statement: Json
    wrong: list[str]
    unchecked: list[str]
    value: float | None = None
    error: str = ""


def run(path: Path, function: str | None = None, solve: bool = True, solver: str | None = None) -> list[Solved]:
    """Run a script as "__main__", or one of its functions without arguments, and return the PEPs that it solves.

    ``function`` may also return a PEP that is not solved. The script gets no arguments, and its prints are not shown.
    With ``solve`` False, PEPit's solver is not called; ``solver`` replaces the one of the script. Raises ValueError if
    the script solves no PEP, and ModuleNotFoundError without PEPit.
    """
    with exact_imports():
        PEPit = import_module("PEPit")

    with _captured(PEPit.PEP, solve, solver) as found, redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        given, sys.argv = sys.argv, [str(path)]
        try:
            with staying():
                module = exact_module(path, "__main__" if function is None else "exact_script")
                result = getattr(module, function)() if function else None
                if isinstance(result, PEPit.PEP) and not found:
                    found.append(_read(result))
        except Exception as error:  # what follows the PEP may need PEPit's own result
            if not found:
                raise ValueError(f"{path}: {type(error).__name__}: {error}") from error
        finally:
            sys.argv = given
    if not found:
        raise ValueError(f"{path}: it solves no PEP; give FILE:FUNCTION for a function that solves or returns one")
    return found


def _read(problem: Any) -> Solved:
    facts = facts_of(problem)
    return Solved(facts, statement_of(problem, facts.root), *doubts(problem, facts.root))


@contextmanager
def _captured(PEP: Any, solve: bool, solver: str | None) -> Iterator[list[Solved]]:
    """Collect the PEPs that are solved inside the block."""
    original, found = PEP.solve, []

    def captured(self: Any, *args: Any, **kwargs: Any) -> Any:
        found.append(one := _read(self))
        try:
            if not solve:
                raise RuntimeError("PEPit's solver was not asked")
            kwargs |= {"wrapper": "cvxpy", "solver": solver} if solver else {}
            result = original(self, *args, **kwargs)
            one.value = float(result)
            return result
        except Exception as error:
            one.error = f"{type(error).__name__}: {error}"
            raise

    PEP.solve = captured
    try:
        yield found
    finally:
        PEP.solve = original
