"""The planted bugs (``flags``), each as an implementation that has it: the independent one with some texts replaced.

They say which case shows which bug (a flag). A bug that is planted in several ways has several implementations.
"""

from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from typing import Any

from dualgap.proofs_checks.claims.exact import arithmetic
from dualgap.proofs_checks.claims.strict_json import Json, each
from dualgap.proofs_checks.conformance.independent.aspdc_i import NonTerminating
from dualgap.proofs_checks.conformance.independent.registry import Independent, complete
from dualgap.proofs_checks.conformance.protocol import hex_floats
from dualgap.proofs_checks.conformance.seeded_bugs.flags import WAYS
from dualgap.proofs_checks.conformance.seeded_bugs.planting import planted
from dualgap.reference.numbers.rational import nearest

APART = Fraction(1, 2**30)  # a result nearer than this, relatively, does not count as another one
_planted = cache(planted)


def seeded_bugs() -> list[tuple[str, type[Independent]]]:
    """Every planted bug with its flag, those of extras included."""
    complete()
    return [(flag, _planted(flag, tuple(way))) for flag, ways in WAYS.items() for way in ways]


def answers(call: str, given: Json) -> Iterator[tuple[str, Json]]:
    """(flag, result) of every implementation with a seeded bug that answers this request otherwise than it should.

    given : as it goes through the pipe; the results are in the same form. A flag may come more than once.

    >>> request = {"loss": "squared", "gamma": "3ff0000000000000", "z": "3ff0000000000000", "y": "3ff0000000000000"}
    >>> list(answers("loss.derivative", request))
    [('label-dropped', {'value': '3ff0000000000000'})]
    """
    exact = hex_floats.rationals(given, arithmetic())
    right, used = watched(call, exact)
    for flag, cls in seeded_bugs():
        if not used.isdisjoint(vars(cls)):
            try:
                wrong = cls().exactly(call, exact)
            except NonTerminating:  # no answer to compare with
                continue
            if differs(wrong, right):
                yield flag, spelled(wrong)


def watched(call: str, exact: Json) -> tuple[Json, set[str]]:
    """The right result, and the names of the methods that it took: a fault in any other does not show."""
    used: set[str] = set()

    class Watched(Independent):
        def __getattribute__(self, name: str) -> object:
            used.add(name)
            return super().__getattribute__(name)

    return Watched().exactly(call, exact), used - {"__class__"}


def differs(a: Any, b: Any) -> bool:
    """Return whether two results in Fractions are apart by more than any rounding."""
    if isinstance(a, dict):
        return any(differs(item, b[key]) for key, item in a.items())
    if isinstance(a, list):
        return len(a) != len(b) or any(differs(x, y) for x, y in zip(a, b))
    if a is None or b is None:
        return a is not b
    return bool(abs(a - b) > APART * (1 + abs(b)))


def spelled(value: object) -> Any:
    """A result in Fractions as it would come through the pipe."""

    def one(x: int | Fraction | None) -> int | str:
        if x is None:
            return hex_floats.INFINITY
        return x if isinstance(x, int) else hex_floats.encode(nearest(x))

    return each(value, one)
