"""The reference imports the standard library alone, files stay short, and classes with slots can be pickled."""

import ast
import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from support import ROOT, nothing_left, succeeds

FOLDERS = ["reference", "fast", "proofs_checks", "extras"]
LONGEST_FILE, LONGEST_FUNCTION = 600, 49


def sources(*folders: str) -> list[Path]:
    return [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]


def test_importing_reference_loads_the_standard_library_alone() -> None:
    code = """
import sys
before = set(sys.modules)
import {}
new = {{name.split(".")[0] for name in set(sys.modules) - before}} - set(sys.stdlib_module_names) - {{"dualgap"}}
print("dualgap.reference.methods.aspdc" in sys.modules, sorted(new))
"""
    reference = "dualgap.reference; dualgap.reference.all_methods()"
    assert succeeds("-c", code.format(reference), cwd=ROOT / "tests") == "True []\n"
    assert "numpy" in succeeds("-c", code.format("numpy"), cwd=ROOT / "tests"), "the control"


def test_no_file_is_longer_than_600_lines() -> None:
    lengths = {
        path.relative_to(ROOT).as_posix(): len(path.read_text(encoding="utf-8").splitlines())
        for path in sources(*FOLDERS, "tests", "benchmarks")
    }
    assert {path: length for path, length in lengths.items() if length > LONGEST_FILE} == {}
    assert len(lengths) > 20, "the walk found no files"


def long_functions(source: str) -> dict[str, int]:
    """The functions of a source with more than LONGEST_FUNCTION lines without their docstring, and these lines."""
    found = {}
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            first = node.body[0]
            docstring = 0 if ast.get_docstring(node) is None else (first.end_lineno or 0) - first.lineno + 1
            lines = (node.end_lineno or 0) - node.lineno + 1 - docstring
            found |= {node.name: lines} if lines > LONGEST_FUNCTION else {}
    return found


def test_no_function_is_longer_than_49_lines_without_its_docstring() -> None:
    paths = sources(*FOLDERS, "tests", "benchmarks", "docs", "examples", "ports")
    found = {path.relative_to(ROOT).as_posix(): long_functions(path.read_text(encoding="utf-8")) for path in paths}
    assert {path: functions for path, functions in found.items() if functions} == {}


@pytest.mark.parametrize("lines", [LONGEST_FUNCTION, LONGEST_FUNCTION + 1])
def test_control_a_function_with_a_line_too_many_is_named(lines: int) -> None:
    body = '    """A docstring\n    of two lines."""\n' + "    pass\n" * (lines - 1)
    assert long_functions(f"def f():\n{body}") == ({"f": lines} if lines > LONGEST_FUNCTION else {})


def other_asserts(source: str) -> list[int]:
    """The lines of asserts that do more than tell a type checker what a value is: ``python -O`` removes them."""

    def narrows(test: ast.expr) -> bool:
        if isinstance(test, ast.BoolOp):
            return all(map(narrows, test.values))
        if isinstance(test, ast.Compare):
            return isinstance(test.ops[0], ast.IsNot) and isinstance(test.comparators[0], ast.Constant)
        return isinstance(test, ast.Call) and getattr(test.func, "id", "") == "isinstance"

    return [
        node.lineno for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Assert) and not narrows(node.test)
    ]


def test_no_assert_of_a_package_judges() -> None:
    found = {str(path): other_asserts(path.read_text(encoding="utf-8")) for path in sources(*FOLDERS)}
    assert {path: lines for path, lines in found.items() if lines} == {}
    control = "assert x is not None and isinstance(x, int)\nassert gap <= tol\nassert x is not None and x > 0"
    assert other_asserts(control) == [2, 3]


def classes_with_slots() -> Iterator[type]:
    for column in FOLDERS:
        package = importlib.import_module(f"dualgap.{column}")
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            for kind in vars(importlib.import_module(found.name)).values():
                ours = isinstance(kind, type) and kind.__module__ == found.name
                if ours and any(vars(b).get("__slots__") for b in kind.__mro__ if b.__module__.startswith("dualgap.")):
                    yield kind


def says_its_state(kind: type) -> bool:
    """Whether protocols 0 and 1 of pickle, and skops, know what an object of slots holds."""
    defined = getattr(kind, "__getstate__", None) is not getattr(object, "__getstate__", None)
    return defined or kind.__reduce__ is not object.__reduce__


def test_every_class_with_slots_can_be_pickled_by_every_protocol() -> None:
    with nothing_left():  # of the errata, which are imported too
        kinds = list(classes_with_slots())
    assert len(kinds) > 50 and [kind for kind in kinds if not says_its_state(kind)] == []
    assert not says_its_state(type("Control", (), {"__slots__": ("x",)}))
