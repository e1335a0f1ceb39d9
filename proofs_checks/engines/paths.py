"""Exact expectations over all random paths, by running the method's own step over every choice.

States that are exactly equal (all memory included) merge, so the number of nodes often stays far below n^t.
"""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from typing import Any

from dualgap.proofs_checks.engines.purity import Impure
from dualgap.reference import Interval, Method, Problem
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.numbers.rational import is_rational

AS_THEY_ARE = (Fraction, float, Interval)  # numbers that Fractions are multiplied with
Observable = Callable[[Any], Number]


def weighed(problem: Problem, choices: Iterable[tuple[object, Fraction]]) -> Iterator[tuple[Any, Number]]:
    """The choices with their probabilities in the problem's rational number; as they are where it is float or Interval.

    One that is stated again and again, as most methods do, is converted once. Raises Impure for a float where the
    problem is exact.
    """
    number: Any = problem.number
    convert = number if number not in AS_THEY_ARE else None
    before = None
    for choice, probability in choices:
        if probability is not before:
            if isinstance(probability, float) and number is not float:
                raise Impure(
                    f"choices: choice {choice!r} has the probability {probability!r}, a float: give an exact rational,"
                    " such as Fraction(1, problem.n)"
                )
            before, converted = probability, probability if convert is None else convert(probability)
        yield choice, converted


def distributions(method: Method[Any], problem: Problem, state: Any) -> Iterator[list[tuple[Fraction, Any]]]:
    """Yield, for t = 0, 1, 2, ..., all reachable states with their exact probabilities, [(probability, state), ...]."""
    exact = is_rational(problem.number)
    kind: Any = problem.number if exact else Fraction
    zero, layer = kind(0), {state.key(): [kind(1), state]}
    while True:
        yield [(probability, reached) for probability, reached in layer.values()]
        following: dict[object, list[Any]] = {}
        for probability, current in layer.values():
            for choice, chance in weighed(problem, method.choices(problem, current)):
                successor = method.step(problem, current, choice)
                merged = following.setdefault(successor.key(), [zero, successor])
                merged[0] = merged[0] + probability * chance
        if exact and (total := sum((merged[0] for merged in following.values()), zero)) != 1:
            raise Impure(f"choices: the probabilities of all paths of one length have the sum {total}, not 1")
        layer = following


def expectations(
    method: Method[Any], problem: Problem, state: object, horizon: int, observable: Observable
) -> list[Number]:
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
