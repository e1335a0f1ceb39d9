"""The parts of a method and of a loss, one column each, and the missing ones, so that none is forgotten.

>>> missing_of_method("sdca", [], columns=("reference", "compiled", "vectors"))
[]
>>> missing_of_loss("huber", [], columns=("compiled",))
["loss 'huber' has no compiled column: a class under @register_compiled_loss (fast/problem/losses.py)"]
"""

import ast
import sys
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from dualgap.fast import kernels
from dualgap.fast.problem.losses import CODES
from dualgap.proofs_checks.claims.registry import all_claims
from dualgap.proofs_checks.conformance.independent.losses import INTERVALS
from dualgap.proofs_checks.conformance.methods.registry import covered
from dualgap.reference import LOSSES, all_methods, lazy_forms
from dualgap.reference.problem.losses import losses

CLAIMS = "a module with a @claim that names it, or a strategy in the same folder (proofs_checks/papers/PAPER/)"
TESTS = "a test that names it (tests/)"
REMEDIES = {  # what is to be written for each column
    "method": {
        "reference": "a class under @register_method (reference/methods/NAME.py)",
        "compiled": "a class under @register_compiled_method (fast/methods/NAME.py)",
        "claims": CLAIMS,
        "vectors": "a class under @register_vectors and rules under register_independent_method, next to its claims,"
        " or a reason in without_vectors of the reference",
        "tests": f"an example in the docstring of the reference, or {TESTS}",
    },
    "loss": {
        "reference": "a class under @register_loss (reference/problem/NAME.py, with default_gamma and the formulas)",
        "compiled": "a class under @register_compiled_loss (fast/problem/losses.py)",
        "claims": CLAIMS,
        "vectors": "register_independent_loss, or a row of INTERVALS (proofs_checks/conformance/independent/losses.py)",
        "tests": TESTS,
    },
}
COLUMNS = tuple(REMEDIES["method"])


def missing_of_method(name: str, tests: Iterable[Path], columns: Iterable[str] = COLUMNS) -> list[str]:
    """A sentence for each of these columns that a method lacks.

    Parameters
    ----------
    name : the method's; one that no column has lacks them all.
    tests : the files with tests.
    """
    classes = [table[name].__name__ for table in (all_methods(), lazy_forms(), kernels()) if name in table]
    reference = all_methods().get(name)
    by_floats_alone = bool(getattr(reference, "without_vectors", ""))  # no exact steps that a claim could speak of
    reference_only = bool(getattr(reference, "without_compiled", ""))
    present = {
        "reference": reference is not None,
        "compiled": name in kernels() or reference_only,
        "claims": by_floats_alone or reference_only,
        "vectors": name in covered() or by_floats_alone,
        "tests": reference is not None and ">>>" in (reference.__doc__ or ""),
    }
    return _missing("method", name, {name, *classes}, present, tests, columns)


def missing_of_loss(name: str, tests: Iterable[Path], columns: Iterable[str] = COLUMNS) -> list[str]:
    """A sentence for each of these columns that a loss lacks; see ``missing_of_method``.

    A registered class without ``default_gamma`` is not a complete loss: ``losses()`` leaves it out, and so its
    reference column is missing.
    """
    classes = [LOSSES[name].__name__] if name in LOSSES else []
    present = {"reference": name in losses(), "compiled": name in CODES, "vectors": name in INTERVALS}
    return _missing("loss", name, {name, *classes}, present, tests, columns)


def known_methods() -> list[str]:
    """Every method that some column has."""
    return sorted({*all_methods(), *kernels(), *covered()})


def known_losses() -> list[str]:
    """Every loss that some column has."""
    return sorted({*LOSSES, *CODES, *INTERVALS})


def _missing(
    kind: str, name: str, words: set[str], present: dict[str, bool], tests: Iterable[Path], columns: Iterable[str]
) -> list[str]:
    wanted = list(columns)
    if "claims" in wanted:
        present["claims"] = present.get("claims", False) or any(words & names_in(file) for file in claim_files())
    if "tests" in wanted:
        present["tests"] = present.get("tests", False) or any(words & names_in(path) for path in tests)
    lacking = [column for column in wanted if not present[column]]
    return [f"{kind} {name!r} has no {column} column: {REMEDIES[kind][column]}" for column in lacking]


def claim_files() -> list[Path]:
    """The modules with claims, and the other modules of a paper's folder."""
    homes = {claim.check.__module__ for claim in all_claims().values()}
    folders = {module.rpartition(".")[0] for module in homes} - {""}
    beside = {name for name in list(sys.modules) if name.rpartition(".")[0] in folders}
    files = (getattr(sys.modules.get(module), "__file__", None) for module in sorted(homes | beside))
    return [Path(file) for file in files if file]


@cache
def names_in(path: Path) -> frozenset[str]:
    """The names of a source, and its constant strings."""
    return frozenset(name for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))) for name in _names(node))


def _names(node: ast.AST) -> list[str]:
    match node:
        case ast.Name(name) | ast.Attribute(attr=name) | ast.alias(name=name):
            return [name]
        case ast.Constant(str() as text):
            return [text]
    return []
