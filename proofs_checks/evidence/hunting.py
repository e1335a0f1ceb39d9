"""The search for a counterexample that the draws of a level have missed.

A strategy (``claims.drawing``) makes each instance from whole numbers, its trail. Every trail gives an instance that
the strategy can draw, so a changed instance satisfies the same hypotheses. The search changes the trails of the
tightest instances and keeps what is tighter. Each relation of the check measures in exact arithmetic how tight an
instance is. The tightest instances are kept for each relation, because a relation that is always an equality would hide
the others.

A counterexample is made small in the same way: its trail is shortened and its numbers are lowered while the check stays
false. The first elements of a strategy are its simplest.
"""

import math
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from random import Random
from typing import Any

from hypothesis.strategies import SearchStrategy

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.drawing import Refused, Repeated, Trail
from dualgap.proofs_checks.claims.exact import require_exact
from dualgap.proofs_checks.claims.judge import judge
from dualgap.proofs_checks.claims.registry import CLAIMS, REFUTED, Claim
from dualgap.proofs_checks.claims.relations import Relation
from dualgap.proofs_checks.claims.run import Run
from dualgap.proofs_checks.claims.time_limit import Late, limited, reached
from dualgap.reference import Method
from dualgap.reference.numbers.interval import Undecided

KEPT = 8  # trails of each relation
FRESH = 3  # one step in three draws a new instance
CHANGED = 10  # how often a step changes again what a filter refuses or was seen
SEGMENT = 8  # the most numbers that one change copies or removes
ROUNDING = 1e-6  # how far floats may be from the excess, which is at most 1
LONGEST = 10.0  # seconds of a check in floats
FLOATS = 5  # as many instances that floats decide count as one step
SHRINKING = 2000  # instances that are tried to make a counterexample smaller
SHRINKING_SECONDS = 100.0  # of the processor, the longest that it takes
FEW = 10  # values of a number that shrinking tries above the one that it has

# steps after the draws of a level, by the size of the audit: for our claims, and for those of other packages
STEPS = {"quick": (0, 100), "default": (30, 1000), "full": (300, 10_000)}


def steps(claim: Claim, run: Run) -> float:
    """Return the number of search steps of a level: 0 for instances from a file, and for a claim that is expected to be
    false and has a written counterexample."""
    if run.problems is not None or (claim.expected == REFUTED and known(claim)):
        return 0
    return math.inf if run.hunt is not None else STEPS[run.size][claim.id in CLAIMS.foreign()]


def known(claim: Claim) -> bool:
    """Return whether a level of the claim has instances that are written down."""
    return any(getattr(level, "instances", ()) for level in claim.evidence)


@dataclass
class Search:
    """The tightest instances that were seen.

    Attributes
    ----------
    claim, method : the check, and the method instead of the instance's.
    strategy : the search draws what it draws.
    random : where all changes come from.
    tightest : for each relation the trails with the largest excess, by the excess.
    forms : the counts of the trails, numbered.
    shapes : the same for each relation and number of the counts: the tightest trail, with its excess.
    seen : trails that need not be judged again.
    tried, in_floats : the number of instances, and how many of them floats have decided.
    floats : whether an instance is first judged in floats, and exactly only where these do not say clearly
        that it is true.
    ratio : the largest left/right of an inequality on them.
    climbs : those of ``climbing``, where there are any.
    """

    claim: Claim
    method: Method[Any] | None
    strategy: SearchStrategy[object]
    random: Random
    tightest: dict[str, dict[float, Trail]] = field(default_factory=dict)
    forms: dict[tuple[int, ...], int] = field(default_factory=dict)
    shapes: dict[tuple[str, int], tuple[float, Trail]] = field(default_factory=dict)
    seen: set[Trail] = field(default_factory=set)
    floats: bool = False
    tried: int = 0
    in_floats: int = 0
    ratio: float = -math.inf
    climbs: Any = None

    @classmethod
    def of(cls, claim: Claim, run: Run, strategy: SearchStrategy[Any]) -> "Search":
        """The search of a level. Our own checks are fast, and made for exact numbers: they do without floats."""
        floats = claim.id in CLAIMS.foreign()
        return cls(claim, run.method, strategy, run.random(f"hunt {claim.id}"), floats=floats)

    def climbed(self, run: Run) -> tuple[Any, Trail] | None:
        """A counterexample that gradients find, and its trail; None for a strategy that draws no matrices."""
        if not hasattr(self.strategy, "space"):
            return None
        from dualgap.proofs_checks.evidence.climbing import STARTS, Climbs

        self.climbs = climbs = Climbs(self.claim, self.strategy, self.random)
        starts, seconds = (STARTS[run.size], math.inf) if run.hunt is None else (math.inf, run.hunt)
        return climbs.found(self.false, starts, seconds)

    @property
    def spent(self) -> float:
        """The steps that count."""
        return self.tried - self.in_floats + self.in_floats / FLOATS

    def keep(self, relations: Iterable[Relation], trail: Trail) -> None:
        """Remember the trail under each relation of which it is among the tightest."""
        self.seen.add(trail)
        counts = tuple([count for _, count in trail])
        form = self.forms.setdefault(counts, len(self.forms))
        for relation in relations:
            if (found := relation.excess()) is not None:
                kept = self.tightest.setdefault(relation.label, {})
                kept[found] = trail
                if len(kept) > KEPT:
                    del kept[min(kept)]
                shape = relation.label, form
                if found > self.shapes.get(shape, (-math.inf, ()))[0]:
                    self.shapes[shape] = found, trail

    def found(self, steps: float, seconds: float = math.inf) -> tuple[Any, Trail] | None:
        """A counterexample and its trail; None if none is found in so many steps or seconds."""
        end = time.monotonic() + seconds
        while self.spent < steps and time.monotonic() < end:
            self.tried += 1
            reached(f"step {self.tried} of its search")
            drawn = next(filter(None, (self.drawn(self.changed()) for _ in range(CHANGED))), None)
            if drawn is None:
                continue
            instance, trail = drawn
            relations = self.rough(instance)
            self.in_floats += relations is not None
            if relations is None:
                try:
                    verdict = judge(self.claim, Context(instance, self.method))
                except Undecided:
                    continue
                relations = verdict.relations
                if verdict.violated is not None:
                    return instance, trail
            self.keep(relations, trail)
            self.ratio = max([self.ratio, *(t for r in relations if (t := r.tightness()) is not None)])
        return None

    def rough(self, instance: Any) -> tuple[Relation, ...] | None:
        """The relations in floats, where all of them are clearly true; None if they must be judged exactly."""
        if not self.floats:
            return None
        try:
            with limited(LONGEST):
                relations = tuple(self.claim.check(Context(instance, self.method, float)))
            found = [relation.excess() for relation in relations]
        except ArithmeticError:
            return None
        except (Exception, Late):  # the check is written for exact numbers: it may wait for a float to be 0
            self.floats = False
            return None
        true = all(r.sign != "==" and value is not None and value < -ROUNDING for r, value in zip(relations, found))
        return relations if true else None

    def false(self, instance: Any) -> bool:
        """Return whether the check is false on the instance, in exact arithmetic."""
        if self.rough(instance) is not None:
            return False
        for relation in self.claim.check(Context(instance, self.method)):
            require_exact([relation], CLAIMS.is_foreign(self.claim.id))
            with suppress(Undecided):
                if not relation.holds():
                    return True
        return False

    def told(self, drawn: Iterable[float]) -> str:
        """The search, for the report: "and 30 steps of search, tightest ratio 0.98"; ``drawn``: the ratios."""
        ratio = max([self.ratio, *drawn])
        climbs = "" if self.climbs is None else f", {self.climbs.told()}"
        tightest = f", tightest ratio {ratio:.6g}" if math.isfinite(ratio) else ""
        return f"and {self.tried} steps of search{climbs}{tightest}"

    def drawn(self, trail: Trail) -> tuple[Any, Trail] | None:
        """The instance of a trail, and the trail that it has taken; None if a filter refuses it or it was seen."""
        numbers = Repeated(trail, self.random.getrandbits(32))
        try:
            instance = numbers.draw(self.strategy)
        except Refused:
            return None
        taken = tuple(numbers.trail)
        return None if taken in self.seen else (instance, taken)

    def changed(self) -> Trail:
        """Return one of the tightest trails with a few changes; sometimes an empty one, which draws a new instance."""
        random = self.random
        if not self.tightest or random.randrange(FRESH) == 0:
            return ()
        trail = list(self.parent())
        for _ in range(1 + int(random.expovariate(1))):
            if trail:
                random.choice(CHANGES)(trail, random, self)
        return tuple(trail)

    def parent(self) -> Trail:
        """Return one of the tightest trails of one relation; a tighter one is more likely."""
        if self.random.randrange(2):
            return self.shapes[self.random.choice(list(self.shapes))][1]
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


def shrunk(strategy: SearchStrategy[object], bad: Callable[[object], bool], trail: Trail) -> tuple[Any, bool]:
    """The smallest instance by single changes of the trail, all ``bad``, and whether no single change shrinks it."""
    best, seen, place = Repeated(trail).draw(strategy), {trail}, 0
    end = time.process_time() + SHRINKING_SECONDS
    smallest = size(best, trail)
    candidates = list(simpler(trail))
    while place < len(candidates):
        numbers = Repeated(candidates[place])
        place += 1
        try:
            instance = numbers.draw(strategy)
        except Refused:
            continue
        taken = tuple(numbers.trail)
        if taken in seen or (found := size(instance, taken)) >= smallest:
            continue
        seen.add(taken)
        if len(seen) > SHRINKING or time.process_time() > end:
            return best, False
        if bad(instance):
            best, trail, smallest = instance, taken, found
            candidates, place = list(simpler(trail)), 0
    return best, True


def size(instance: Any, trail: Trail) -> tuple[int, int, int, Trail]:
    """Return the size that shrinking reduces: the number of numbers that a reader sees, the length of their text, then
    the trail's sum."""
    shown = instance.to_json()
    return _leaves(shown), len(str(shown)), sum(number for number, _ in trail), trail


def _leaves(value: object) -> int:
    if isinstance(value, dict):
        return sum(map(_leaves, value.values()))
    return sum(map(_leaves, value)) if isinstance(value, list) else 1


def simpler(trail: Trail) -> Iterator[Trail]:
    """The trail with one number lowered, or one raised to another; then with some others left out, too."""
    lowered = [
        (place, (*trail[:place], (lower, count), *trail[place + 1 :]))
        for place, (number, count) in enumerate(trail)
        for lower in sorted({0, number // 2, number - 1} & set(range(number)))
    ]
    yield from (found for _, found in lowered)
    for place, (number, count) in enumerate(trail):
        for other in range(min(count, FEW)):
            if other > number:
                yield (*trail[:place], (other, count), *trail[place + 1 :])
    for place, found in lowered:
        for at in range(place + 1, len(trail)):
            for length in range(1, SEGMENT + 1):
                yield found[:at] + found[at + length :]
