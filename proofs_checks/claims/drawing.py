"""Strategies that a plain generator of random numbers can draw from, and Hypothesis as well, under Hypothesis' names.

Hypothesis shrinks, searches and replays; to draw one instance it takes milliseconds, longer than most checks. So each
function below makes a strategy of Hypothesis that also knows how to be drawn from by ``Numbers``: the same values, all
of which have the same probability, and lists of each length. What is drawn that way depends on the seed alone, on no
version of Hypothesis. A strategy that is made of others in another way, by ``hypothesis.strategies`` itself, is drawn
from by Hypothesis alone.

    from dualgap.proofs_checks.claims import drawing as st
"""

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import cached_property, wraps
from random import Random
from typing import Any, Generic, TypeVar, cast

from hypothesis import strategies
from hypothesis.strategies import SearchStrategy

T = TypeVar("T")
S = TypeVar("S")

_sampled: dict[object, SearchStrategy[object]] = {}
TRIES = 1000  # of a filter, and repetitions in a row after which nothing new is expected


class NotDrawable(Exception):
    """Part of the strategy is one that only Hypothesis can draw from."""


class Refused(ValueError):
    """A filter lets nothing through."""


Trail = tuple[tuple[int, int], ...]  # the whole numbers of a draw, each with the count that it is below


class Numbers:
    """The source of the whole numbers of a draw; ``trail`` has those that were used.

    ``tries`` says how many values in a row a filter may refuse.
    """

    tries = TRIES

    def __init__(self, seed: int) -> None:
        self._random = Random(seed).random
        self.trail: list[tuple[int, int]] = []

    def below(self, count: int) -> int:
        """0, ..., count - 1, count <= 2^32, with probabilities that differ by less than 2^-20 of themselves."""
        number = int(self._random() * count)
        self.trail.append((number, count))
        return number

    def draw(self, strategy: SearchStrategy[T], label: object = None) -> T:
        """Draw one value; composite functions get this as ``draw``. Raises NotDrawable."""
        if isinstance(strategy, Drawable):
            return cast(T, strategy.sample(self))
        raise NotDrawable(f"only Hypothesis can draw from {strategy!r}")


Sample = Callable[[Numbers], T]


class Drawable(SearchStrategy[T], Generic[T]):
    """A strategy of Hypothesis, made by ``make`` on first use, and its ``sample`` for Numbers."""

    def __init__(self, make: Callable[[], SearchStrategy[T]], sample: Sample[T]) -> None:
        super().__init__()
        self._make, self.sample = make, sample

    @cached_property
    def strategy(self) -> SearchStrategy[T]:
        """Return the strategy for Hypothesis."""
        return self._make()

    def do_draw(self, data: Any) -> T:
        """Hypothesis' own verb."""
        return cast(T, data.draw(self.strategy))

    def __repr__(self) -> str:
        return repr(self.strategy)

    def map(self, pack: Callable[[T], S]) -> SearchStrategy[S]:
        """pack(value)."""
        return Drawable(lambda: self.strategy.map(pack), lambda numbers: pack(self.sample(numbers)))

    def flatmap(self, expand: Callable[[T], SearchStrategy[S]]) -> SearchStrategy[S]:
        """A value of expand(value)."""
        return Drawable(
            lambda: self.strategy.flatmap(lambda value: plain(expand(value))),
            lambda numbers: numbers.draw(expand(self.sample(numbers))),
        )

    def filter(self, condition: Callable[[T], object]) -> SearchStrategy[T]:  # type: ignore[override]
        """The values with bool(condition(value)). Drawing raises Refused if TRIES values in a row have it not."""

        def sample(numbers: Numbers) -> T:
            mark = len(numbers.trail)
            for _ in range(numbers.tries):
                value = self.sample(numbers)
                if condition(value):
                    return value
                del numbers.trail[mark:]
            raise Refused(f"a filter refuses {numbers.tries} values in a row; draw what it admits ({self!r})")

        return Drawable(lambda: self.strategy.filter(condition), sample)

    def __or__(self, other: SearchStrategy[S]) -> SearchStrategy[T | S]:
        return one_of(self, other)


def plain(strategy: SearchStrategy[T]) -> SearchStrategy[T]:
    """Return Hypothesis's text for the strategy."""
    return strategy.strategy if isinstance(strategy, Drawable) else strategy


class Repeated(Numbers):
    """Repeat the numbers of a trail as far as a draw uses them; after them, those of the seed.

    A draw may need other numbers than the trail has, for example because it makes one more row. For each count it then
    takes the next number that the trail has for that count. A filter that rejects the value raises Refused.
    """

    tries = 1

    def __init__(self, trail: Iterable[tuple[int, int]], seed: int = 0) -> None:
        super().__init__(seed)
        self._left: dict[int, list[int]] = {}
        for number, count in trail:
            self._left.setdefault(count, []).insert(0, number)

    def below(self, count: int) -> int:
        if not self._left.get(count):
            return super().below(count)
        number = self._left[count].pop()
        self.trail.append((number, count))
        return number


def values(strategy: SearchStrategy[T], seed: int) -> Iterator[T]:
    """The values of ``traced``."""
    return (value for value, _ in traced(strategy, seed))


def traced(strategy: SearchStrategy[T], seed: int) -> Iterator[tuple[T, Trail]]:
    """Different draws with their trails, by seed, until TRIES in a row repeat. Raises NotDrawable, Refused."""
    numbers, seen, repeated = Numbers(seed), set[Trail](), 0
    while repeated < TRIES:
        numbers.trail.clear()
        value, trail = numbers.draw(strategy), tuple(numbers.trail)
        if trail in seen:
            repeated += 1
            continue
        seen.add(trail)
        repeated = 0
        yield value, trail


# -- the strategies of Hypothesis, by their names ----------------------------------------------------------------------


def integers(min_value: int, max_value: int) -> SearchStrategy[int]:
    """min_value, ..., max_value."""
    count = max_value - min_value + 1
    return Drawable(lambda: strategies.integers(min_value, max_value), lambda numbers: min_value + numbers.below(count))


def booleans() -> SearchStrategy[bool]:
    """False or True."""
    return Drawable(strategies.booleans, lambda numbers: numbers.below(2) == 1)


def just(value: T) -> SearchStrategy[T]:
    """The value."""
    return Drawable(lambda: strategies.just(value), lambda _: value)


def none() -> SearchStrategy[None]:
    """None."""
    return just(None)


def sampled_from(elements: Iterable[Any]) -> SearchStrategy[Any]:
    """Draw one of the elements, in their order; an element that occurs twice is drawn twice as often. Raises ValueError
    for none."""
    known = tuple(elements)
    count = len(known)
    if not known:
        raise ValueError("sampled_from needs at least one element (got none)")
    return Drawable(lambda: _sampled_from(known), lambda numbers: known[numbers.below(count)])


def _sampled_from(known: tuple[object, ...]) -> SearchStrategy[object]:
    """Hypothesis' own, made once for values of these types: making it takes longer than drawing from it."""
    key = (*known, *map(type, known))  # 1 and Fraction(1) are equal, and not the same
    try:
        if key not in _sampled:
            _sampled[key] = strategies.sampled_from(known)
    except TypeError:  # of lists or dictionaries
        return strategies.sampled_from(known)
    return _sampled[key]


def one_of(*several: Any) -> SearchStrategy[Any]:
    """A value of one of the strategies, or of those of one list."""
    among: tuple[SearchStrategy[object], ...] = (
        several if len(several) != 1 or isinstance(several[0], SearchStrategy) else tuple(several[0])
    )
    return Drawable(
        lambda: strategies.one_of(*map(plain, among)), lambda numbers: numbers.draw(among[numbers.below(len(among))])
    )


def tuples(*parts: SearchStrategy[object]) -> SearchStrategy[tuple[Any, ...]]:
    """A value of each."""
    return Drawable(lambda: strategies.tuples(*map(plain, parts)), lambda numbers: tuple(map(numbers.draw, parts)))


def lists(elements: SearchStrategy[T], *, min_size: int = 0, max_size: int) -> SearchStrategy[list[T]]:
    """min_size to max_size values."""
    more = max_size - min_size + 1

    def sample(numbers: Numbers) -> list[T]:
        size = min_size + (numbers.below(more) if more > 1 else 0)
        return [numbers.draw(elements) for _ in range(size)]

    return Drawable(lambda: strategies.lists(plain(elements), min_size=min_size, max_size=max_size), sample)


def sets(elements: SearchStrategy[T], *, max_size: int) -> SearchStrategy[set[T]]:
    """Draw a set of the different values among at most max_size values."""
    drawn = lists(elements, max_size=max_size)
    return Drawable(
        lambda: strategies.sets(plain(elements), max_size=max_size), lambda numbers: set(numbers.draw(drawn))
    )


def permutations(elements: Sequence[T]) -> SearchStrategy[list[T]]:
    """The elements in any order."""

    def sample(numbers: Numbers) -> list[T]:
        left = list(elements)
        return [left.pop(numbers.below(len(left))) for _ in elements]

    return Drawable(lambda: strategies.permutations(elements), sample)


def fractions(
    min_value: Fraction | int, max_value: Fraction | int, *, max_denominator: int
) -> SearchStrategy[Fraction]:
    """Fractions from min_value to max_value."""

    def sample(numbers: Numbers) -> Fraction:
        while True:
            denominator = 1 + numbers.below(max_denominator)
            least, most = math.ceil(min_value * denominator), math.floor(max_value * denominator)
            if least <= most:
                return Fraction(least + numbers.below(most - least + 1), denominator)

    return Drawable(lambda: strategies.fractions(min_value, max_value, max_denominator=max_denominator), sample)


def builds(target: Callable[..., T], *parts: SearchStrategy[object]) -> SearchStrategy[T]:
    """target(a value of each)."""
    return tuples(*parts).map(lambda drawn: target(*drawn))


def fixed_dictionaries(mapping: dict[str, SearchStrategy[object]]) -> SearchStrategy[dict[str, Any]]:
    """A value for each key."""
    return Drawable(
        lambda: strategies.fixed_dictionaries({key: plain(part) for key, part in mapping.items()}),
        lambda numbers: {key: numbers.draw(part) for key, part in mapping.items()},
    )


def composite(function: Callable[..., T]) -> Callable[..., SearchStrategy[T]]:
    """Decorate ``function(draw, ...)``, which draws as often as it likes."""

    @strategies.composite
    @wraps(function)
    def by_hypothesis(draw: Any, /, *arguments: object, **named: object) -> T:
        return function(lambda strategy, label=None: draw(plain(strategy), label), *arguments, **named)

    @wraps(function)
    def made(*arguments: object, **named: object) -> SearchStrategy[T]:
        return Drawable(
            lambda: by_hypothesis(*arguments, **named), lambda numbers: function(numbers.draw, *arguments, **named)
        )

    return made
