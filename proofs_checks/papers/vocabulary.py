"""The shared vocabulary of claim files.

A name is defined here if at least three claim files use it, always with the same meaning.
"""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from typing import Any, NamedTuple

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.origins import IMPLEMENTATION
from dualgap.proofs_checks.claims.registry import REFUTED, Control, claim
from dualgap.proofs_checks.claims.relations import Relation
from dualgap.proofs_checks.evidence.levels import all_of, altered
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.problem import Vector

refuted = partial(claim, expected=REFUTED)  # a statement of which the evidence is a counterexample
slip = partial(refuted, gravity="slip")  # a printed one, false by a slip
implemented = partial(claim, origin=IMPLEMENTATION)  # a statement on the code alone
LONE_ROW = Instance(rows=(Qs(1),), y=Qs(1), alpha=Qs(0), lam=Q(1))  # one row (1), y = 1, squared loss, from alpha = 0
EQUAL_PAIR = LONE_ROW.but(rows=(Qs(1), Qs(1)), y=Qs(1, -1), alpha=Qs(0, 0))
MIXED_ROWS = LONE_ROW.but(rows=(Qs(1, 0), Qs(1, 1), Qs(0, -1)), y=Qs(1, -1, 1), alpha=Qs(0, 0, 0), lam=Q(1, 3))


def dot(a: Iterable[Number], b: Iterable[Number]) -> Number:
    """<a, b>, in the numbers of the entries."""
    products = [a_j * b_j for a_j, b_j in zip(a, b)]
    return sum(products[1:], products[0]) if products else Q(0)


def square(v: Iterable[Number]) -> Number:
    """||v||^2."""
    entries = list(v)
    return dot(entries, entries)


def minus(a: Iterable[Number], b: Iterable[Number]) -> Vector:
    """a - b."""
    return [a_j - b_j for a_j, b_j in zip(a, b)]


def plus(a: Iterable[Number], factor: Number, b: Iterable[Number]) -> Vector:
    """a + factor b."""
    return [a_j + factor * b_j for a_j, b_j in zip(a, b)]


def numbers_alone(**numbers: object) -> Instance:
    """An instance that only carries these numbers."""
    return LONE_ROW.but(extra=further(**numbers))


def each(
    relation: Callable[[Number, Number, str], Relation], left: Iterable[Number], right: Iterable[Number], label: str
) -> Iterator[Relation]:
    """The relation of each entry of ``left`` to that of ``right``; # in the label is the number of the entry."""
    return (relation(a, b, label.replace("#", str(k))) for k, (a, b) in enumerate(zip(left, right)))


def names(prefix: str, words: str) -> tuple[str, ...]:
    """The words, each behind the prefix and a dot: ids of planted bugs.

    >>> names("spdc", "no-prox wrong-u0")
    ('spdc.no-prox', 'spdc.wrong-u0')
    """
    return tuple(f"{prefix}.{word}" for word in words.split())


class Line(NamedTuple):
    """A display of a proof; with ``changed`` for its keywords it must be false on each of the instances."""

    check: Callable[..., Iterable[Relation]]
    text: str
    instances: tuple[Instance, ...]
    changed: dict[str, Any]


def line(check: Callable[..., Iterable[Relation]], text: str, *instances: Instance, **changed: object) -> Line:
    """A display, and what is altered in it for the control."""
    return Line(check, text, instances, changed)


def in_order(lines: Iterable[Line], t: object) -> Iterator[Relation]:
    """The relations of all displays, in the order of the proof; ``t`` is what each check takes."""
    for display in lines:
        yield from display.check(t)


def each_altered(lines: Iterable[Line], at: Callable[[Context], Any] = lambda c: c) -> Control:
    """Each display must be false as altered; ``at`` makes of a context what the checks take."""

    def wrong(display: Line) -> Callable[[Context], Iterable[Relation]]:
        return lambda c: display.check(at(c), **display.changed)

    return all_of(*(altered(display.text, wrong(display), *display.instances) for display in lines))
