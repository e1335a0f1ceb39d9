"""The shape of the repository: imports point one way, files stay small, and what is installed is what is here."""

import ast
import importlib
import pkgutil
import re
import subprocess
import sys
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[2]
FOLDERS = ["reference", "fast", "proofs_checks", "extras"]
PYPROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
LONGEST_FILE = 520


def sources(*folders: str) -> list[Path]:
    return [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]


def imports(source: str) -> Iterator[tuple[str, bool]]:
    """(module, whether it is imported when the file is) for every import statement; relative ones start with a dot."""
    inside = set()
    tree = ast.parse(source)
    for function in ast.walk(tree):
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            inside |= {id(node) for node in ast.walk(function)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, id(node) not in inside) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield "." * node.level + (node.module or ""), id(node) not in inside


def strangers_in_reference(source: str) -> list[str]:
    """Imports other than the standard library, reference itself and the same files of extras; numpy and scipy are at
    home inside functions.
    """
    home = [*sys.stdlib_module_names]
    return [
        module
        for module, at_once in imports(source)
        if module.split(".")[0] not in home
        and not (module == "dualgap.reference" or module.startswith("dualgap.reference."))
        and not re.fullmatch(r"dualgap\.extras\.baselines\.\w+\.(reference|lazy)", module)
        and not (module.split(".")[0] in ("numpy", "scipy") and not at_once)
    ]


def against_the_arrow(source: str, forbidden: tuple[str, ...]) -> list[str]:
    """Imports of a package that may only be imported from the other side, under any name, and relative imports."""
    names = [f"dualgap.{package}" for package in forbidden] + FOLDERS
    return [
        module
        for module, _ in imports(source)
        if module.startswith(".") or any(module == name or module.startswith(f"{name}.") for name in names)
    ]


def test_reference_imports_the_standard_library_alone_and_numpy_and_scipy_only_inside_functions() -> None:
    files = [*sources("reference"), *(path for path in sources("extras") if path.name in ("reference.py", "lazy.py"))]
    assert {
        path.as_posix(): found for path in files if (found := strangers_in_reference(path.read_text(encoding="utf-8")))
    } == {}
    assert {path.parent.name for path in files} >= {"methods", "sag"}


@pytest.mark.parametrize(
    ("folder", "forbidden"),
    [
        ("reference", ("fast", "proofs_checks", "extras")),
        ("fast", ("proofs_checks", "extras")),
        ("proofs_checks", ("extras",)),
        ("extras", ()),
    ],
)
def test_imports_point_from_proofs_checks_to_fast_to_reference(folder: str, forbidden: tuple[str, ...]) -> None:
    found = {
        path.name: bad
        for path in sources(folder)
        if (bad := against_the_arrow(path.read_text(encoding="utf-8"), forbidden))
    }
    assert found == {}


def test_a_wrong_import_is_noticed() -> None:
    assert strangers_in_reference("import numpy as np") == ["numpy"]
    assert strangers_in_reference("from dualgap.extras.baselines.sag.reference import SAG") == []
    assert strangers_in_reference("from dualgap.extras.baselines.sag.compiled import begin") == [
        "dualgap.extras.baselines.sag.compiled"
    ]
    assert strangers_in_reference("def f():\n    import numpy as np") == []
    assert strangers_in_reference("from scipy.optimize import minimize") == ["scipy.optimize"]
    assert strangers_in_reference("def f():\n    from dualgap.fast import solve") == ["dualgap.fast"]
    assert strangers_in_reference("import math\nfrom dualgap.reference.problem import validate") == []
    assert against_the_arrow("from dualgap.proofs_checks.cli.main import main", ("proofs_checks",)) == [
        "dualgap.proofs_checks.cli.main"
    ]
    assert against_the_arrow("from . import validate", ()) == ["."]
    assert against_the_arrow("import reference.validate", ()) == ["reference.validate"]
    assert against_the_arrow("from dualgap.reference.problem import validate", ("fast",)) == []


def test_importing_reference_loads_the_standard_library_alone() -> None:
    code = (
        "import sys; before = set(sys.modules); import dualgap.reference as r; r.all_methods(); new ="
        " {name.split('.')[0] for name in set(sys.modules) - before} - set(sys.stdlib_module_names) - {'dualgap'};"
        " assert 'dualgap.reference.methods.aspdc' in sys.modules; print(sorted(new))"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT / "tests")
    assert (run.returncode, run.stdout.strip()) == (0, "[]"), run.stderr


def test_no_file_is_longer_than_520_lines() -> None:
    lengths = {
        path.relative_to(ROOT).as_posix(): len(path.read_text(encoding="utf-8").splitlines())
        for path in sources(*FOLDERS, "tests", "benchmarks")
    }
    assert {path: length for path, length in lengths.items() if length > LONGEST_FILE} == {}
    assert len(lengths) > 20, "the walk found no files"


def package_folders() -> dict[str, Path]:
    """Every folder with code under the packages, by the name under which it must be installed."""
    found = {path.parent for path in sources(*FOLDERS)}
    return {"dualgap." + ".".join(folder.relative_to(ROOT).parts): folder for folder in found}


def test_the_wheel_contains_every_file_that_is_not_code() -> None:
    patterns = PYPROJECT["tool"]["setuptools"]["package-data"]
    for name, folder in package_folders().items():
        for path in folder.iterdir():
            if path.is_file() and path.suffix not in (".py", ".pyc"):
                above = [
                    pattern.removeprefix(f"{folder.name}/") for pattern in patterns.get(name.rpartition(".")[0], [])
                ]
                assert any(
                    fnmatch(path.name, pattern) for pattern in patterns.get("*", []) + patterns.get(name, []) + above
                ), path


def classes_with_slots(columns: tuple[str, ...] = ("fast", "reference", "proofs_checks", "extras")) -> Iterator[type]:
    for column in columns:
        package = importlib.import_module(f"dualgap.{column}")
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            own = [
                kind
                for kind in vars(importlib.import_module(found.name)).values()
                if isinstance(kind, type) and kind.__module__ == found.name
            ]
            yield from (
                kind
                for kind in own
                if any(
                    base.__dict__.get("__slots__") for base in kind.__mro__ if base.__module__.startswith("dualgap.")
                )
            )


def says_its_state(kind: type) -> bool:
    """Whether protocols 0 and 1 of pickle, and skops, know what an object of slots holds."""
    defined = getattr(kind, "__getstate__", None) is not getattr(object, "__getstate__", None)
    return defined or kind.__reduce__ is not object.__reduce__


def test_every_class_with_slots_can_be_pickled_by_every_protocol() -> None:
    kinds = list(classes_with_slots())
    assert len(kinds) > 50 and [kind for kind in kinds if not says_its_state(kind)] == []
    assert not says_its_state(type("Control", (), {"__slots__": ("x",)}))
