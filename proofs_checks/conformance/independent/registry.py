"""The independent implementation, whole: every call and every method; see ``losses``.

Methods and losses of other files are registered here. A file of this folder that registers one is found automatically.
A file of ``papers`` or extras that has ``@register_vectors`` is imported on the first use of its method.
"""

import importlib
import pkgutil
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import ClassVar

from dualgap.proofs_checks.conformance.independent.arithmetic import Interval
from dualgap.proofs_checks.conformance.independent.aspdc_i import ProximalPoint
from dualgap.proofs_checks.conformance.independent.losses import INTERVALS
from dualgap.proofs_checks.conformance.independent.methods import Parallel, Sdca, Spdc, Subgradients
from dualgap.proofs_checks.conformance.independent.problems import Problems, Rule, Rules


class Independent(Sdca, Parallel, Spdc, Subgradients, ProximalPoint):
    """Every call."""

    rules: ClassVar[Rules] = {}
    parts: ClassVar[list[type[Problems]]] = []  # further classes with functions of this one

    def _rule(self, method: str, k: int) -> Callable[..., object]:
        if method not in self.rules:
            complete()
        return super()._rule(method, k)


for _kind in reversed(Independent.__mro__):
    Independent.rules.update(vars(_kind).get("rules", {}))


def register_independent_method(name: str, init: Rule, step: Rule, view: Rule) -> None:
    """Register the independent implementation of a method.

    Write it from the paper, not from the reference: the two must agree before a vector ships. Each rule is the name of
    a method of ``Independent`` ("dual_start") or a function ``(implementation, method, problem, parameters, ...)``.
    Raises ValueError for a name that is taken.

    Parameters
    ----------
    name : of the method in the reference.
    init : the state at the start.
    step : the state after a choice.
    view : the pair (w, alpha) of a state.
    """
    if name in Independent.rules:
        raise ValueError(f"the independent implementation has method {name!r} already: choose another name")
    Independent.rules[name] = (init, step, view)


def register_independent_part(part: type[Problems]) -> None:
    """Add the functions of a class below ``Problems`` to ``Independent``: bugs can be planted into them.

    Raises ValueError for the name of a function that is taken.
    """
    if part in Independent.parts:
        return
    functions = {name: member for name, member in vars(part).items() if not name.startswith("__")}
    if taken := sorted(name for name in functions if hasattr(Independent, name)):
        raise ValueError(
            f"the independent implementation has {', '.join(taken)} already: choose other names in {part.__name__}"
        )
    for name, function in functions.items():
        setattr(Independent, name, function)
    Independent.parts.append(part)


@cache
def complete() -> None:
    """Import the files of ``papers`` and of extras that register further methods."""
    # here, as the port in Python imports nothing of the reference at its start
    from dualgap.reference.problem.registry import modules_of_extras

    words = "@register_vectors"
    for file in sorted((Path(__file__).parents[2] / "papers").glob("*/*.py")):
        if words in file.read_text(encoding="utf-8"):
            importlib.import_module(f"dualgap.proofs_checks.papers.{file.parent.name}.{file.stem}")
    for _ in modules_of_extras("", words):
        pass


def register_independent_loss(name: str, interval: Callable[[Fraction], Interval]) -> None:
    """Register a loss with phi*(a) = y a + (gamma/2) a^2 on the interval of y, from which all its formulas follow.

    Raises ValueError for a name that is taken.

    Parameters
    ----------
    name : of the loss in the reference.
    interval : of the label y to the two ends of the domain of alpha; None for an end that is infinite.
    """
    if name in INTERVALS:
        raise ValueError(f"the independent implementation has loss {name!r} already: choose another name")
    INTERVALS[name] = interval


for _info in pkgutil.iter_modules([str(Path(__file__).parent)], f"{__package__}."):
    importlib.import_module(_info.name)
