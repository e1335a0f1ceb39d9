"""The exact law of what a method draws, to be held against the probabilities that its ``choices`` states.

``draw`` makes a pass from numpy's generator, ``choices`` says what a step could be and how probably. Here the generator
is replaced by one that answers what it is told: every integer that it could return is tried, and of the 2^53 numbers
that ``random`` can return those are counted, by bisection, that lead to each outcome. So the law is not estimated, and
nothing rests on numpy's streams. The entries of one array of a generator are taken as independent of each other, as numpy
promises, and so are generators of different seeds; ``law`` raises ValueError where one draw uses a seed twice.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from itertools import product
from typing import Any

from dualgap.reference import Method, Problem

GRID = 2**53  # ``random`` returns k/2^53, every k with the same probability
PIECES = 16  # where the search for ends begins: a piece of the outcome must not hide between two of these
ROUNDINGS = Fraction(32, GRID)  # the two ends of a piece, each moved by at most 16 roundings of numbers below 1

Law = dict[Any, Fraction]


class Scripted:
    """Stands for numpy's generators: answers ``values`` in order, and 0 beyond; notes what it was asked, and the seeds."""

    def __init__(self, values: Sequence[int] = ()) -> None:
        self.values = list(values)
        self.asked: list[int] = []  # how many values each answer could have
        self.seeds: list[tuple[int, ...]] = []

    def default_rng(self, seed: Any) -> "Scripted":
        """In the place of ``numpy.random.default_rng``."""
        self.seeds.append(tuple(seed))
        return self

    def answer(self, count: int) -> int:
        """The next value, of ``count`` possible ones."""
        self.asked.append(count)
        return self.values[len(self.asked) - 1] if len(self.asked) <= len(self.values) else 0

    def integers(self, high: Any, size: Any = None, dtype: Any = None) -> Any:
        """The same for every step: one answer, or one for each column."""
        import numpy as np

        columns = 1 if np.ndim(size) == 0 else size[-1]
        ends = np.broadcast_to(high, columns)
        return np.broadcast_to(np.array([self.answer(int(end)) for end in ends], dtype=np.int64), size if np.ndim(size) else (size,)).copy()

    def random(self, size: Any) -> Any:
        """The same for every step."""
        import numpy as np

        return np.full(size, self.answer(GRID) / GRID)


@contextmanager
def _answering(script: Scripted) -> Iterator[None]:
    import numpy as np

    right = np.random.default_rng
    np.random.default_rng = script.default_rng  # type: ignore[assignment]
    try:
        yield
    finally:
        np.random.default_rng = right


def key(method: Method[Any], choice: Any) -> Any:
    """A choice as it counts: the order of the rows of a mini-batch does not, but whether something is kept does."""
    if not hasattr(method, "sampling") or isinstance(choice, int):
        return tuple(choice) if isinstance(choice, (list, tuple)) else choice
    first = 1 if getattr(method, "output", "") == "random" else 0
    return (*choice[:first], *sorted(choice[first:]))


def law(method: Method[Any], problem: Problem, epoch: int, seed: int = 0) -> list[Law]:
    """For every step of the pass the exact probability of every choice that order "uniform" can draw."""
    blank = Scripted()
    steps = len(_pass(method, problem, epoch, seed, blank))
    if len(set(blank.seeds)) < len(blank.seeds):
        raise ValueError(f"{method.name}: one pass draws from the seed {blank.seeds[0]} twice, so that its numbers depend on each other")
    ranges = [range(1) if count == GRID else range(count) for count in blank.asked]
    reals = [place for place, count in enumerate(blank.asked) if count == GRID]
    found: list[Law] = [{} for _ in range(steps)]
    for values in product(*ranges):
        share = Fraction(1)
        for count in blank.asked:
            share /= 1 if count == GRID else count
        for weight, outcome in _pieces(lambda v: _pass(method, problem, epoch, seed, Scripted(v)), list(values), reals):
            for step, choice in enumerate(outcome):
                found[step][choice] = found[step].get(choice, Fraction(0)) + share * weight
    return found


def _pass(method: Method[Any], problem: Problem, epoch: int, seed: int, script: Scripted) -> list[Any]:
    with _answering(script):
        return [key(method, choice) for choice in method.draw(problem, "uniform", seed, epoch).tolist()]


def _pieces(drawn: Callable[[list[int]], list[Any]], values: list[int], reals: list[int]) -> Iterator[tuple[Fraction, list[Any]]]:
    """(probability, outcome) of each run of numbers of one outcome; at most one number that is no integer."""
    if not reals:
        yield Fraction(1), drawn(values)
        return
    (place,) = reals

    def at(k: int) -> list[Any]:
        return drawn([*values[:place], k, *values[place + 1 :]])

    begin, outcome, before = 0, at(0), 0
    for edge in [GRID // PIECES * piece for piece in range(1, PIECES)] + [GRID - 1]:
        while at(edge) != outcome:
            low, high = max(begin, before), edge  # the outcome at low, another one at high
            while high - low > 1:
                middle = (low + high) // 2
                low, high = (middle, high) if at(middle) == outcome else (low, middle)
            yield Fraction(high - begin, GRID), outcome
            begin, outcome = high, at(high)
        before = edge
    yield Fraction(GRID - begin, GRID), outcome


def differences(method: Method[Any], problem: Problem, passes: int = 2, seed: int = 0) -> Iterator[str]:
    """Where the law of a drawn pass is not the one that ``choices`` states, step by step along a run; and seeds used twice."""
    state, nothing = method.init(problem), Fraction(0)
    seeds: set[tuple[int, ...]] = set()
    for epoch in range(passes):
        script = Scripted()
        path = _raw(method, problem, epoch, seed, script)
        if repeated := seeds & set(script.seeds):
            yield f"{method.name}: pass {epoch} draws from seeds of an earlier pass: {sorted(repeated)}"
        seeds |= set(script.seeds)
        for step, (choice, found) in enumerate(zip(path, law(method, problem, epoch, seed))):
            stated: Law = {}
            for possible, probability in method.choices(problem, state):
                stated[key(method, possible)] = stated.get(key(method, possible), nothing) + probability
            off = [c for c in {**stated, **found} if abs(stated.get(c, nothing) - found.get(c, nothing)) > ROUNDINGS]
            if off:
                worst = off[0]
                yield (
                    f"{method.name}: pass {epoch}, step {step}: choice {worst} is drawn with probability {float(found.get(worst, 0)):.6g}, "
                    f"and choices says {float(stated.get(worst, 0)):.6g}"
                )
            state = method.step(problem, state, choice)


def _raw(method: Method[Any], problem: Problem, epoch: int, seed: int, script: Scripted) -> list[Any]:
    with _answering(script):
        drawn: list[Any] = method.draw(problem, "uniform", seed, epoch).tolist()
    return drawn
