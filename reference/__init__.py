"""The readable truth: every method as its paper's pseudocode, generic in the number.

>>> from dualgap.reference import L2, Problem, SmoothedHinge, method
>>> problem = Problem([[1.0, 0.0], [0.0, 1.0]], [1, -1], SmoothedHinge(), L2(2.0))
>>> state = method("aspdc").run(problem, [0, 1])
>>> problem.gap(*method("aspdc").view(problem, state))
0.03125
"""

from functools import cache
from typing import Any

from dualgap.reference.methods.base import HypothesisViolated, Method
from dualgap.reference.methods.registry import collected, modules_below
from dualgap.reference.numbers.interval import Interval, Undecided
from dualgap.reference.problem.block_losses import BLOCK_LOSSES, BallHuber, MulticlassSmoothedHinge, Separable, Softmax
from dualgap.reference.problem.block_problem import BlockProblem
from dualgap.reference.problem.losses import (
    LOSSES,
    Absolute,
    Hinge,
    Logistic,
    Loss,
    SmoothedHinge,
    Squared,
    SquaredHinge,
)
from dualgap.reference.problem.problem import Problem
from dualgap.reference.problem.regularizers import L2, ElasticNet, Regularizer

__all__ = [
    "BLOCK_LOSSES", "LOSSES", "Absolute", "BallHuber", "BlockProblem", "ElasticNet", "Hinge", "HypothesisViolated", "Interval",
    "L2", "Logistic", "Loss", "Method", "MulticlassSmoothedHinge", "Problem", "Regularizer", "Separable", "SmoothedHinge",
    "Softmax", "Squared", "SquaredHinge", "Undecided", "all_methods", "as_compiled", "lazy_forms", "method",
]


@cache
def all_methods() -> dict[str, type[Method[Any]]]:
    """All reference methods by name, as their papers write them: every module of ``methods/`` that defines METHODS."""
    return collected(modules_below("dualgap.reference.methods"), "METHODS")


@cache
def lazy_forms() -> dict[str, type[Method[Any]]]:
    """The same methods with O(nnz of the row) a step, where the paper's iteration is dense: modules that define LAZY."""
    return collected(modules_below("dualgap.reference.methods"), "LAZY")


def method(name: str, **options: Any) -> Method[Any]:
    """The method of that name, with its options (e.g. ``method("aspdc-i-fixed", m=6)``).

    Raises ValueError for an unknown name, listing the known ones.
    """
    if name not in all_methods():
        raise ValueError(f"unknown method {name!r}; known: {', '.join(sorted(all_methods()))}")
    return all_methods()[name](**options)


def as_compiled(name: str, **options: Any) -> Method[Any]:
    """What the compiled method of that name repeats bit for bit: its lazy form where there is one, else the paper's.

    The two are equal in exact arithmetic; their roundings differ.
    """
    return lazy_forms()[name](**options) if name in lazy_forms() else method(name, **options)
