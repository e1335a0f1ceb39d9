"""The reference imports the standard library alone, files stay short, and classes with slots can be pickled."""

import ast
import importlib
import pkgutil
import re
import sys
from collections.abc import Iterator
from pathlib import Path

from support import ROOT, succeeds

FOLDERS = ["reference", "fast", "proofs_checks", "extras"]
LONGEST_FILE = 600


def sources(*folders: str) -> list[Path]:
    return [path for folder in folders for path in sorted((ROOT / folder).rglob("*.py"))]


def imports(source: str) -> Iterator[tuple[str, bool]]:
    """(module, whether it is imported when the file is, not by a type checker alone) for every import statement;
    relative ones start with a dot.
    """
    inside = set()
    tree = ast.parse(source)
    for function in ast.walk(tree):
        checked = isinstance(function, ast.If) and ast.unparse(function.test) == "TYPE_CHECKING"
        if checked or isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            inside |= {id(node) for line in function.body for node in ast.walk(line)}
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


def test_reference_imports_the_standard_library_alone_and_numpy_and_scipy_only_inside_functions() -> None:
    files = [*sources("reference"), *(path for path in sources("extras") if path.name in ("reference.py", "lazy.py"))]
    found = {path: strangers_in_reference(path.read_text(encoding="utf-8")) for path in files}
    compiled_alone = {"lbfgs": ["dualgap.fast.methods.registry"]}  # and newton, its subclass: no steps in plain Python
    assert {path.parent.name: strangers for path, strangers in found.items() if strangers} == compiled_alone
    assert {path.parent.name for path in files} >= {"methods", "sag"}


def test_a_wrong_import_is_noticed() -> None:
    for source, found in {
        "import numpy as np": ["numpy"],
        "from dualgap.extras.baselines.sag.reference import SAG": [],
        "from dualgap.extras.baselines.sag.compiled import begin": ["dualgap.extras.baselines.sag.compiled"],
        "def f():\n    import numpy as np": [],
        "if TYPE_CHECKING:\n    import numpy as np\nelse:\n    import scipy": ["scipy"],
        "from scipy.optimize import minimize": ["scipy.optimize"],
        "def f():\n    from dualgap.fast import solve": ["dualgap.fast"],
        "import math\nfrom dualgap.reference.problem import validate": [],
    }.items():
        assert strangers_in_reference(source) == found


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
    kinds = list(classes_with_slots())
    assert len(kinds) > 50 and [kind for kind in kinds if not says_its_state(kind)] == []
    assert not says_its_state(type("Control", (), {"__slots__": ("x",)}))
