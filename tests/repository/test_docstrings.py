"""The examples in the docstrings run, module by module, under the names by which the packages are installed."""

import doctest
import importlib
import pkgutil
import re
from importlib.metadata import requires

import pytest
from support import python, succeeds

PACKAGES = ["dualgap.reference", "dualgap.fast", "dualgap.proofs_checks", "dualgap.extras"]
ESTIMATORS = ("dualgap.extras.estimators", "dualgap.fast.estimators")
EXTRAS = ("cli", "sharpen", "exact", "cluster")
# What the extras of a user bring, by the names under which they are imported.
OPTIONAL = sorted(
    {"pytest", "autolyap"}
    | {
        {"scikit-learn": "sklearn"}.get(name, name)
        for name, extra in re.findall(r"^([\w-]+)\b.*extra == [\"'](\w+)", "\n".join(requires("dualgap") or []), re.M)
        if extra in EXTRAS and name != "dualgap"
    }
)


def modules_of(package: str) -> list[str]:
    path = importlib.import_module(package).__path__
    return [package, *(info.name for info in pkgutil.walk_packages(path, f"{package}."))]


MODULES = [name for package in PACKAGES for name in modules_of(package)]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_run(name: str) -> None:
    output: list[str] = []
    for example in doctest.DocTestFinder(exclude_empty=True).find(importlib.import_module(name)):
        doctest.DocTestRunner().run(example, out=output.append)
    assert not output, "".join(output)


def test_every_module_imports_without_the_optional_packages() -> None:
    """Except for the estimators, which are classes of scikit-learn's (``test_estimators``)."""
    modules = [name for name in MODULES if not name.startswith(ESTIMATORS)]
    assert len(MODULES) - len(modules) == 10
    absent = f"import sys, importlib\nfor name in {OPTIONAL}: sys.modules[name] = None\n"
    succeeds("-c", f"{absent}for name in {modules}: importlib.import_module(name)")
    assert {"jinja2", "sklearn", "clarabel", "PEPit"} <= set(OPTIONAL)
    assert python("-c", f"{absent}import jinja2").returncode != 0, "the control"
