"""Checks of the keyword arguments of ``solve``, ``sweep`` and the estimators: one rule and one error for each kind."""

import math
import os
from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any, NamedTuple

import numpy as np

MOST = 80  # characters of a value that a message shows


class Rule(NamedTuple):
    """A rule for a parameter: its words, and the test of a value."""

    words: str
    holds: Any  # of the value
    otherwise: str = ""  # what to do instead, after the message


def is_real(value: Any) -> bool:
    """Return whether it is one finite real number: no string, no truth value, no array."""
    real = type(value) is float or isinstance(value, Real) and not isinstance(value, (bool, np.bool_))
    return real and math.isfinite(value)


def is_count(value: Any) -> bool:
    """Return whether it is one integer >= 0."""
    whole = type(value) is int or isinstance(value, Integral) and not isinstance(value, bool)
    return whole and int(value) >= 0


def is_name(value: object) -> bool:
    return isinstance(value, str)


NOT_NEGATIVE = Rule("a finite number >= 0", lambda value: is_real(value) and value >= 0)
POSITIVE = Rule("> 0, a finite number", lambda value: is_real(value) and value > 0)
COUNT = Rule("an integer >= 0", is_count)
AT_LEAST_ONE = Rule("an integer >= 1", lambda value: is_count(value) and value >= 1)
FLAG = Rule("True or False", lambda value: isinstance(value, (bool, np.bool_)))
NAME = Rule("a name, as a string", is_name)
CALLABLE = Rule("a function, or None", lambda value: value is None or callable(value))
PATH = Rule("the name of a file, or None", lambda value: value is None or isinstance(value, (str, os.PathLike)))


def optional(rule: Rule) -> Rule:
    """The rule, or None."""
    words = f"{rule.words.removesuffix(', or None')}, or None"
    return rule._replace(words=words, holds=lambda value: value is None or rule.holds(value))


SECONDS = Rule(
    "> 0, a number of seconds",
    lambda value: isinstance(value, Real) and not isinstance(value, bool) and float(value) > 0,
    "; leave it out for no limit",
)

SETTINGS: dict[str, Rule] = {
    "method": NAME,
    "tol": optional(NOT_NEGATIVE),
    "rtol": NOT_NEGATIVE,
    "max_epochs": COUNT,
    "max_seconds": optional(SECONDS),
    "seed": COUNT,
    "order": optional(NAME),
    "mode": NAME,
    "backend": NAME,
    "callback": CALLABLE,
    "progress": CALLABLE,
    "draw": CALLABLE,
}
CHECKPOINTS: dict[str, Rule] = {"checkpoint": PATH, "resume": FLAG}
SEVERAL = Rule(
    "one or more numbers, in a list", lambda value: hasattr(value, "__iter__") and not isinstance(value, str)
)
OF_SWEEP: dict[str, Rule] = {
    "lams": SEVERAL,
    "seeds": SEVERAL,
    "method": Rule(
        "a name, several names, or a dictionary from names to options", lambda value: hasattr(value, "__iter__")
    ),
    "regularizer": Rule("a function of lam", callable),
    "warm": FLAG,
    "intercept": FLAG,
    "jobs": optional(AT_LEAST_ONE),
    "folder": PATH,
    "watch": Rule("a function", callable),
}


def require(rules: Mapping[str, Rule], values: Mapping[str, Any]) -> None:
    """Raise ValueError for the first value that breaks the rule of its name.

    >>> require(SETTINGS, {"tol": "1e-3"})
    Traceback (most recent call last):
    ValueError: tol must be a finite number >= 0, or None (got '1e-3')
    """
    for name, value in values.items():
        if (rule := rules.get(name)) is not None and not rule.holds(value):
            got = " ".join(repr(value).split())  # one line, also of an array
            got = got if len(got) <= MOST else f"{got[:MOST]}..."
            raise ValueError(f"{name} must be {rule.words} (got {got}){rule.otherwise}")
