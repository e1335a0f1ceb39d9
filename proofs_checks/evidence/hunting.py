"""The search for a counterexample that the draws of a level have missed.

A strategy (``claims.drawing``) makes an instance of whole numbers: its trail. Every trail gives an instance that the
strategy can draw, so that one which is changed satisfies the same hypotheses: the search changes the trails of the
tightest instances and keeps what is tighter. How tight an instance is, each relation of the check says in exact
arithmetic; the tightest of each relation are kept, as one that is always an equality would hide the others.

A counterexample is made small in the same way: its trail is shortened and its numbers are lowered while the check stays
false. The first elements of a strategy are its simplest.
"""

import math
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any

from hypothesis.strategies import SearchStrategy

from dualgap.proofs_checks.claims.drawing import Refused, Repeated, Trail
from dualgap.proofs_checks.claims.relations import Relation

KEPT = 8  # trails of each relation
FRESH = 10  # one step of so many draws a new instance
SEGMENT = 8  # the most numbers that one change copies or removes
SHRINKING = 3000  # instances that are tried to make a counterexample smaller

Judged = tuple[tuple[Relation, ...], bool]  # the relations on an instance, and whether one of them is false
Judge = Callable[[Any], Judged]


def excess(relation: Relation) -> float | None:
    """(left - right)/(|left| + |right|), from -1 to 1: > 0 where an inequality is false; None where it says nothing.

    Of positive sides it grows with left/right. Of an equation 0 is the value wherever it is true.
    """
    left, right = relation.left, relation.right
    if relation.vacuous() or not (left or right):
        return None
    size = abs(left) + abs(right)
    found = float((left - right) / size)
    if relation.sign == "==":
        return abs(found)
    return found if math.isfinite(found) else None


@dataclass
class Search:
    """The tightest instances that were seen.

    Attributes
    ----------
    strategy : the search draws what it draws.
    judge : evaluates the check on an instance.
    random : where all changes come from.
    tightest : for each relation the trails with the largest excess, by the excess.
    seen : trails that need not be judged again.
    """

    strategy: SearchStrategy[Any]
    judge: Judge
    random: Random
    tightest: dict[str, dict[float, Trail]] = field(default_factory=dict)
    seen: set[Trail] = field(default_factory=set)
    judged: int = 0

    def keep(self, relations: Iterable[Relation], trail: Trail) -> None:
        """Remember the trail under each relation of which it is among the tightest."""
        for relation in relations:
            if (found := excess(relation)) is not None:
                kept = self.tightest.setdefault(relation.label, {})
                kept[found] = trail
                if len(kept) > KEPT:
                    del kept[min(kept)]

    def steps(self, steps: float, seconds: float = math.inf) -> tuple[Any, Trail] | None:
        """A counterexample and its trail; None where none is found in so many steps or seconds."""
        end = time.monotonic() + seconds
        tried = 0
        while tried < steps and time.monotonic() < end:
            tried += 1
            drawn = self.drawn(self.changed())
            if drawn is None:
                continue
            instance, trail = drawn
            relations, false = self.judge(instance)
            self.judged += 1
            if false:
                return instance, trail
            self.keep(relations, trail)
        return None

    def drawn(self, trail: Trail) -> tuple[Any, Trail] | None:
        """The instance of a trail, and the trail that it has taken; None where a filter refuses it or it was seen."""
        numbers = Repeated(trail, self.random.getrandbits(32))
        try:
            instance = numbers.draw(self.strategy)
        except Refused:
            return None
        taken = tuple(numbers.trail)
        if taken in self.seen:
            return None
        self.seen.add(taken)
        return instance, taken

    def changed(self) -> Trail:
        """One of the tightest trails, changed in a few places; an empty one now and then, which draws a new
        instance.
        """
        random = self.random
        if not self.tightest or random.randrange(FRESH) == 0:
            return ()
        trail = list(self.parent())
        for _ in range(1 + int(random.expovariate(1))):
            if trail:
                random.choice(CHANGES)(trail, random, self)
        return tuple(trail)

    def parent(self) -> Trail:
        """One of the tightest trails of one relation, the tighter the likelier."""
        kept = self.tightest[self.random.choice(list(self.tightest))]
        order = sorted(kept, reverse=True)
        return kept[order[min(int(self.random.expovariate(0.7)), len(order) - 1)]]


# -- changes of a trail ------------------------------------------------------------------------------------------------

Numbered = list[tuple[int, int]]


def another(trail: Numbered, random: Random, search: Search) -> None:
    """Another value of one number."""
    place = random.randrange(len(trail))
    trail[place] = random.randrange(trail[place][1]), trail[place][1]


def beside(trail: Numbered, random: Random, search: Search) -> None:
    """The next value of one number."""
    place = random.randrange(len(trail))
    number, count = trail[place]
    trail[place] = (number + random.choice((1, -1))) % count, count


def first(trail: Numbered, random: Random, search: Search) -> None:
    """The first value of one number."""
    place = random.randrange(len(trail))
    trail[place] = 0, trail[place][1]


def equal(trail: Numbered, random: Random, search: Search) -> None:
    """All numbers below one count are the same: equal labels, or equal coordinates."""
    number, count = random.choice(trail)
    trail[:] = [(number, below) if below == count else (k, below) for k, below in trail]


def copied(trail: Numbered, random: Random, search: Search) -> None:
    """Some numbers once more in another place: equal rows."""
    length, source, target = random.randint(1, SEGMENT), random.randrange(len(trail)), random.randrange(len(trail))
    for k in range(length):
        if max(source, target) + k < len(trail) and trail[source + k][1] == trail[target + k][1]:
            trail[target + k] = trail[source + k]


def removed(trail: Numbered, random: Random, search: Search) -> None:
    """Some numbers less."""
    place = random.randrange(len(trail))
    del trail[place : place + random.randint(1, SEGMENT)]


def inserted(trail: Numbered, random: Random, search: Search) -> None:
    """Some numbers twice."""
    place = random.randrange(len(trail))
    segment = trail[place : place + random.randint(1, SEGMENT)]
    trail[place:place] = segment


def crossed(trail: Numbered, random: Random, search: Search) -> None:
    """The numbers below one count are those of another tight instance."""
    count = random.choice(trail)[1]
    other = [pair for pair in search.parent() if pair[1] == count]
    trail[:] = [pair for pair in trail if pair[1] != count] + other


CHANGES = (another, another, another, beside, first, equal, copied, copied, removed, inserted, crossed)


# -- small counterexamples ---------------------------------------------------------------------------------------------


def shrunk(strategy: SearchStrategy[Any], bad: Callable[[Any], bool], trail: Trail) -> tuple[Any, bool]:
    """The smallest instance that single changes of the trail lead to, all of them ``bad``, and whether no single change
    makes it smaller.
    """
    best, tried = Repeated(trail).draw(strategy), 0
    again = True
    while again:
        again = False
        for shorter in simpler(trail):
            numbers = Repeated(shorter)
            try:
                instance = numbers.draw(strategy)
            except Refused:
                continue
            taken = tuple(numbers.trail)
            if size(taken) >= size(trail):
                continue
            tried += 1
            if tried > SHRINKING:
                return best, False
            if bad(instance):
                best, trail, again = instance, taken, True
                break
    return best, True


def size(trail: Trail) -> tuple[int, int, Trail]:
    """What shrinking makes smaller: the length, then the sum of the numbers."""
    return len(trail), sum(number for number, _ in trail), trail


def simpler(trail: Trail) -> Iterator[Trail]:
    """The trail with one number lowered, alone or with some others left out; with two numbers exchanged."""
    for place, (number, count) in enumerate(trail):
        for lower in sorted({0, number // 2, number - 1} & set(range(number))):
            lowered = (*trail[:place], (lower, count), *trail[place + 1 :])
            yield lowered
            for at in range(place + 1, len(trail)):
                for length in range(1, SEGMENT + 1):
                    yield lowered[:at] + lowered[at + length :]
