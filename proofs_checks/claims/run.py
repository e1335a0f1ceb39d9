"""One audit: its size, its randomness, and the instances that claims share."""

import random
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice
from typing import Any, TypeVar

from hypothesis.strategies import SearchStrategy

from dualgap.proofs_checks.claims.by_hypothesis import by_hypothesis
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.drawing import NotDrawable, Trail, traced
from dualgap.proofs_checks.claims.exact import arithmetic
from dualgap.proofs_checks.claims.instance import Instance
from dualgap.proofs_checks.claims.pool import seed_name
from dualgap.proofs_checks.claims.registry import CLAIMS, Claim
from dualgap.proofs_checks.engines.evalues import split
from dualgap.reference import Method
from dualgap.reference.numbers.arithmetic import NumberType

Strategy = Callable[[], SearchStrategy[Any]]  # of instances, all of one kind
Level = TypeVar("Level", bound=Callable[..., object])
T = TypeVar("T")

# instances of a level, by the size of the audit: for our claims, and for those of other packages
SIZES = {"quick": (40, 40), "default": (150, 300), "full": (5000, 5000)}


@dataclass
class Contexts:
    """The contexts of a strategy that were used, and the source of further instances and their trails."""

    instances: Iterator[tuple[Instance, Trail | None]]
    contexts: list[Context] = field(default_factory=list)


@dataclass
class Run:
    """One audit: its size, its randomness, and the instances that claims share.

    Attributes
    ----------
    size : "quick", "default" or "full"; changes counts only.
    entropy : the one number from which all instances and statistics are drawn.
    delta_total : family-wise false-alarm probability of all statistical levels together.
    method : the user's own method instead of the reference's, or None.
    problems : the user's own instances instead of the drawn ones, or None.
    number : the number type in which controls are judged: Fraction, or Interval if a level is ENCLOSED.
    hunt : seconds for which each exact level searches for a counterexample after its draws; None for a number of steps
        that depends on ``size`` but not on the machine.
    exact : the rational type of exact contexts, "fraction" or "mpq" (``exact``).
    shared : a folder of this audit alone, which its processes on one machine share; "" for none.
    """

    size: str = "default"
    entropy: int = 0
    delta_total: float = 1e-6
    method: Method[Any] | None = None
    problems: list[Instance] | None = None
    number: NumberType = Fraction
    exact: str = "fraction"
    shared: str = ""
    statistical_levels: int = 0
    hunt: float | None = None
    pools: dict[tuple[Strategy, NumberType, int], "Contexts"] = field(default_factory=dict)

    @property
    def own(self) -> bool:
        """True if the user's own method or instances are audited."""
        return self.method is not None or self.problems is not None

    def count(self, scale: float = 1, claim: Claim | None = None) -> int:
        """Return the number of instances that a level of that claim draws; without a claim, of one of our claims."""
        ours, others = SIZES[self.size]
        return max(4, int((others if claim is not None and claim.id in CLAIMS.foreign() else ours) * scale))

    def seed(self, name: str) -> int:
        """A seed that depends on the entropy and on ``name`` alone."""
        return self.entropy ^ zlib.crc32(name.encode())

    def random(self, name: str) -> random.Random:
        """A generator for ``name``."""
        return random.Random(self.seed(name))

    def delta(self) -> float:
        """The next statistical level's share of delta_total; the shares of all levels sum to at most delta_total."""
        self.statistical_levels += 1
        return split(self.delta_total, self.statistical_levels)

    def contexts(self, strategy: Strategy, count: int) -> list[Context]:
        """``count`` contexts drawn from the strategy, shared by all claims that name it; fewer if it has no others."""
        return list(self.one_by_one(strategy, count))

    def one_by_one(self, strategy: Strategy, count: int) -> Iterator[Context]:
        """The same; none is drawn before it is taken."""
        size = max(count, self.count())
        pool = self.pools.get((strategy, arithmetic(), size))
        if pool is None:
            given = None if self.problems is None else ((problem, None) for problem in self.problems)
            pool = Contexts(drawn(strategy(), size, self.seed(seed_name(strategy))) if given is None else given)
            self.pools[strategy, arithmetic(), size] = pool
        for k in range(count):
            if k == len(pool.contexts):
                following = next(pool.instances, None)
                if following is None:
                    return
                context = Context(following[0], self.method)
                context._trail = following[1]
                pool.contexts.append(context)
            yield pool.contexts[k]


def statistical(level: Level) -> Level:
    """Decorate a level of evidence that calls ``run.delta()``, once: later claims get later shares."""
    setattr(level, "statistical", True)  # noqa: B010
    return level


def is_statistical(level: Callable[..., object]) -> bool:
    """Return whether a level takes a share of the false alarms."""
    return bool(getattr(level, "statistical", False))


def draw_instances(strategy: SearchStrategy[T], count: int, seed_value: int) -> list[T]:
    """``count`` different instances from a strategy, or all where it has fewer; the seed decides."""
    return [value for value, _ in islice(drawn(strategy, count, seed_value), count)]


def drawn(strategy: SearchStrategy[T], count: int, seed_value: int) -> Iterator[tuple[T, Trail | None]]:
    """``count`` different instances or more and their trails, each when it is taken: those of a larger count begin
    with those of a smaller one.

    Of a strategy that only Hypothesis can draw from (``drawing``) Hypothesis draws all of them at once, others for
    every count.
    """
    taken = 0
    try:
        for taken, found in enumerate(traced(strategy, seed_value), start=1):  # noqa: B007
            yield found
    except NotDrawable:
        yield from ((value, None) for value in by_hypothesis(strategy, count, seed_value)[taken:])
