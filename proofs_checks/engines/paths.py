"""Exact expectations over all random paths, by running the method's own step over every choice.

States that are exactly equal (all memory included) merge, so the number of nodes often stays far below n^t.
"""

from collections.abc import Callable, Iterator
from fractions import Fraction
from typing import Any

from dualgap.reference import Method, Problem

Observable = Callable[[Any], Any]


def distributions(method: Method[Any], problem: Problem, state: Any) -> Iterator[list[tuple[Fraction, Any]]]:
    """For t = 0, 1, 2, ...: all reachable states with their exact probabilities, [(probability, state), ...]."""
    layer: dict[Any, tuple[Fraction, Any]] = {state.key(): (Fraction(1), state)}
    while True:
        yield list(layer.values())
        following: dict[Any, tuple[Fraction, Any]] = {}
        for probability, current in layer.values():
            for choice, chance in method.choices(problem, current):
                successor = method.step(problem, current, choice)
                key = successor.key()
                before = following.get(key, (Fraction(0), None))[0]
                following[key] = (before + probability * chance, successor)
        layer = following


def expectations(
    method: Method[Any], problem: Problem, state: Any, horizon: int, observable: Observable
) -> list[Any]:
    """[E observable(state_t) for t = 0..horizon], exactly."""
    values = []
    for t, layer in enumerate(distributions(method, problem, state)):
        total = problem.zero
        for probability, reached in layer:
            total = total + probability * observable(reached)
        values.append(total)
        if t == horizon:
            return values
    raise AssertionError("unreachable: the layers never end")
