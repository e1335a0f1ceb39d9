"""Every parameter of a public function, and of the constructor of a public class, has its line in a docstring."""

import importlib
import inspect
import re
from collections.abc import Callable, Iterator

import pytest

COLUMNS = ("reference", "fast", "proofs_checks")
SECTION = r"^(?:Parameters|Attributes)\n-+\n(.*?)(?=^\w[\w ]*\n-+$|\Z)"
LINE = r"^(\**\w+(?:, \**\w+)*) :"  # of numpydoc: a name, or several, and a colon


def documented(text: str) -> set[str]:
    """The names in the sections Parameters and Attributes of a docstring."""
    lines = [
        line
        for section in re.findall(SECTION, inspect.cleandoc(text), re.MULTILINE | re.DOTALL)
        for line in section.splitlines()
    ]
    return {name.lstrip("*") for line in lines if (match := re.match(LINE, line)) for name in match[1].split(", ")}


def undocumented(found: Callable[..., object]) -> list[str]:
    """The parameters that no docstring has: of a class, neither its own nor that of a class that it inherits from."""
    texts = (
        [vars(base).get("__doc__") or "" for base in found.__mro__] if inspect.isclass(found) else [found.__doc__ or ""]
    )
    said = set().union(*map(documented, texts))
    return [
        name
        for name, parameter in inspect.signature(found).parameters.items()
        if name not in said and not of_hypothesis(parameter)
    ]


def of_hypothesis(parameter: inspect.Parameter) -> bool:
    """Whether Hypothesis gives it, not the caller of a strategy."""
    return (
        parameter.kind is parameter.POSITIONAL_ONLY
        and getattr(parameter.annotation, "__name__", parameter.annotation) == "DrawFn"
    )


def public() -> Iterator[tuple[str, Callable[..., object]]]:
    """What the three columns export and one can call; exceptions and protocols are not called, and Q is Python's
    Fraction.
    """
    for column in COLUMNS:
        module = importlib.import_module(f"dualgap.{column}")
        for name in module.__all__:
            found = getattr(module, name)
            made = inspect.isclass(found) and (issubclass(found, Exception) or getattr(found, "_is_protocol", False))
            if callable(found) and not made and found.__module__.startswith("dualgap."):
                yield f"{column}.{name}", found


@pytest.mark.parametrize(("name", "found"), list(public()), ids=[name for name, _ in public()])
def test_every_parameter_of_a_public_name_is_documented(name: str, found: Callable[..., object]) -> None:
    assert undocumented(found) == [], f"dualgap.{name}: write a line 'NAME : what it is' in its section Parameters"
