"""The examples in the docstrings run, module by module, under the names by which the packages are installed."""

import doctest
import importlib
import inspect
import pkgutil
from types import ModuleType

import pytest
from support import python, succeeds

PACKAGES = ["dualgap.reference", "dualgap.fast", "dualgap.proofs_checks", "dualgap.extras"]
ESTIMATORS = ("dualgap.extras.estimators", "dualgap.fast.estimators")
OPTIONAL = ["rich", "jinja2", "latex2mathml", "matplotlib", "sklearn", "pytest"]


def modules_of(package: str) -> list[str]:
    path = importlib.import_module(package).__path__
    return [package, *(info.name for info in pkgutil.walk_packages(path, f"{package}."))]


MODULES = [name for package in PACKAGES for name in modules_of(package)]


def run_examples(module: ModuleType) -> tuple[int, list[str]]:
    """How many examples the docstrings of ``module`` hold, and what the failing ones printed."""
    output: list[str] = []
    runner = doctest.DocTestRunner()
    for example in doctest.DocTestFinder(exclude_empty=True).find(module):
        runner.run(example, out=output.append)
    return runner.summarize(verbose=False).attempted, output


def public_names(module: ModuleType) -> list[str]:
    """The public functions and classes that ``module`` itself defines."""
    return [
        name
        for name, value in vars(module).items()
        if not name.startswith("_")
        and (inspect.isfunction(value) or inspect.isclass(value))
        and value.__module__ == module.__name__
    ]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_run(name: str) -> None:
    _, failures = run_examples(importlib.import_module(name))
    assert not failures, "".join(failures)


@pytest.mark.parametrize("name", modules_of("dualgap.reference"))
def test_a_module_of_the_reference_has_a_docstring_and_an_example(name: str) -> None:
    module = importlib.import_module(name)
    assert (module.__doc__ or "").strip(), f"{name} has no docstring"
    assert run_examples(module)[0] > 0 or not public_names(module), f"{name} has public names and no example"


def test_every_public_name_of_the_reference_has_a_docstring() -> None:
    for name in modules_of("dualgap.reference"):
        module = importlib.import_module(name)
        assert not [public for public in public_names(module) if not getattr(module, public).__doc__], name


def test_a_wrong_example_is_caught() -> None:
    count, failures = run_examples(ModuleType("wrong", ">>> 1 + 1\n3\n"))
    assert count == 1 and "Expected:\n    3\nGot:\n    2" in "".join(failures)


def test_every_module_imports_without_the_optional_packages() -> None:
    """Except for the estimators, which are classes of scikit-learn's (``test_estimators``)."""
    modules = [name for name in MODULES if not name.startswith(ESTIMATORS)]
    assert len(MODULES) - len(modules) == 10
    absent = f"import sys, importlib\nfor name in {OPTIONAL}: sys.modules[name] = None\n"
    succeeds("-c", f"{absent}for name in {modules}: importlib.import_module(name)")
    assert python("-c", f"{absent}import rich").returncode != 0, "the control"
