"""A solver by its name: ``package.module:solver`` or ``folder/file.py:solver``.

>>> load_solver("math:hypot").__name__
'hypot'
>>> load_solver("math:nothing")
Traceback (most recent call last):
    ...
ValueError: math has no 'nothing'; give MODULE:SOLVER or FILE.py:SOLVER
"""

import importlib
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

from dualgap.proofs_checks.claims.foreign_code import staying
from dualgap.proofs_checks.conformance.solvers.trial import Solver

FORM = "give MODULE:SOLVER or FILE.py:SOLVER"


def load_solver(spec: str) -> Solver:
    """The callable that a spec names; modules are found in the working directory too, as ``python -m`` finds them.

    Raises ValueError: the spec has another form, the module cannot be imported, whatever it raises, or has no such
    callable.
    """
    place, colon, name = spec.rpartition(":")
    if not (colon and place and name):
        there = (
            "the file is there, but cannot be run"
            f" ({'a folder' if Path(spec).is_dir() else 'chmod +x makes it a program'})"
            if Path(spec).exists()
            else "there is no such file or program"
        )
        raise ValueError(f"{spec!r} names no solver: {there}; {FORM}")
    try:
        with staying():
            found: object = _from_file(Path(place)) if place.endswith(".py") else _from_module(place)
    except Exception as error:  # a module may raise anything
        raise ValueError(f"{place} cannot be imported: {type(error).__name__}: {error}") from error
    for part in name.split("."):
        if not hasattr(found, part):
            raise ValueError(f"{place} has no {name!r}; {FORM}")
        found = getattr(found, part)
    if not callable(found):
        raise ValueError(
            f"{spec} is no callable (it is of type {type(found).__name__}): a solver is called as solver(X, y, *, loss,"
            " lam, l1, gamma, tol, seed)"
        )
    return found


def _from_module(name: str) -> ModuleType:
    if "" not in sys.path and str(Path.cwd()) not in sys.path:
        sys.path.insert(0, str(Path.cwd()))
    return importlib.import_module(name)


def _from_file(path: Path) -> ModuleType:
    """The file as a module of the same name. It can import files of its folder, as a script can."""
    if not path.is_file():
        raise FileNotFoundError(f"there is no file {path}")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    before = list(sys.path)
    sys.path.insert(0, str(path.resolve().parent))
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path[:] = before
    return module
