"""The options of single methods: a few are separate flags, ``--option NAME=VALUE`` sets any other."""

import argparse
import inspect
import types
from collections.abc import Sequence
from typing import Any, SupportsFloat, get_args

from dualgap.proofs_checks.cli.numbers import number, whole
from dualgap.proofs_checks.cli.parsers import methods_with
from dualgap.reference import all_methods, method
from dualgap.reference.methods.registry import parameters_of

METHOD_OPTIONS = ("batch", "sampling", "mix", "output", "delta")  # with a flag of their own
ELSEWHERE = {  # parameters that --option does not give
    "threads": "is given by --threads",
    "delay": "is for the simulated threads of dualgap.reference; those here are real",
    "norms": "is a list, to be given in Python",
}
READERS = (
    (bool, {"true": True, "false": False}.__getitem__, "true or false"),
    (int, whole, "a whole number"),
    (str, str, "a word"),
)


def method_options(given: argparse.Namespace) -> dict[str, Any]:
    """All options of the method that were given, by the names of its constructor's parameters."""
    known = {} if given.method not in all_methods() else all_methods()[given.method].command_line
    options, flags = {}, {}
    for name in METHOD_OPTIONS:
        value = getattr(given, name)
        if value is not None and name not in known:
            raise ValueError(f"option --{name} is for {methods_with(name)}, not for method {given.method}")
        if value is not None:
            options[known[name]], flags[known[name]] = value, f"--{name} {value}"
    return {**options, **general_options(given.method, given.option, flags)}


def general_options(name: str, texts: Sequence[str], flags: dict[str, str] | None = None) -> dict[str, object]:
    """Return the options that --option gave to the method of that name. flags: the flags of parameters that were given
    in another way.

    Raises ValueError for a parameter that the method does not have or that is given twice, and for a value of another
    kind.
    """
    if not texts:
        return {}
    if name == "auto":
        raise ValueError(
            f"--option {texts[0]}: method auto chooses the method and its options itself; name the method with --method"
        )
    parameters, before = parameters_of(type(method(name))), dict(flags or {})
    options: dict[str, object] = {}
    for text in texts:
        parameter, equals, value = text.partition("=")
        if not equals:
            raise ValueError(f"--option {text}: give NAME=VALUE; {_listed(name, parameters)}")
        if parameter in ELSEWHERE and parameter in parameters:
            raise ValueError(f"--option {text}: {parameter} of method {name} {ELSEWHERE[parameter]}")
        if parameter not in parameters:
            raise ValueError(
                f"--option {text}: method {name} has no parameter {parameter!r}; {_listed(name, parameters)}"
            )
        if parameter in before:
            raise ValueError(
                f"--option {text}: {parameter} of method {name} was given before, by {before[parameter]}; give it once"
            )
        options[parameter], before[parameter] = _value(text, name, value, parameters[parameter]), f"--option {text}"
    return options


def _listed(name: str, parameters: dict[str, inspect.Parameter]) -> str:
    """List the parameters of the method with their defaults."""
    defaults = {key: parameter.default for key, parameter in parameters.items() if key not in ELSEWHERE}
    words = {key: str(default).lower() if isinstance(default, bool) else default for key, default in defaults.items()}
    usable = [key if default is None else f"{key} (default {default})" for key, default in words.items()]
    return f"its parameters are {', '.join(usable)}" if usable else f"method {name} has none that --option gives"


def _value(text: str, name: str, value: str, parameter: inspect.Parameter) -> bool | int | float | str:
    """The value as annotated: a bool, an int, a word; for NumberLike or Any a number, if it is one."""
    annotation = parameter.annotation
    kinds = get_args(annotation) if isinstance(annotation, types.UnionType) else (annotation,)
    for kind, read, words in READERS:
        if kind in kinds and SupportsFloat not in kinds:
            try:
                return read(value)
            except (KeyError, ValueError):
                raise ValueError(
                    f"--option {text}: {parameter.name} of method {name} must be {words} (got {value!r})"
                ) from None
    return _number(value)


def _number(value: str) -> float | str:
    """A decimal; what is none, p/q or a word, as it stands, for the method to read or to refuse."""
    try:
        return number(value)
    except ValueError:
        return value
