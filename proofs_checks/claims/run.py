"""One audit: its size, its randomness, and the instances that claims share."""

import gc
import random
import sys
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, TypeVar

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.strategies import SearchStrategy

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.exact import arithmetic
from dualgap.proofs_checks.claims.instance import Instance
from dualgap.proofs_checks.engines.evalues import split
from dualgap.reference import Method
from dualgap.reference.numbers.arithmetic import NumberType

Strategy = Callable[[], SearchStrategy[Any]]  # of instances, all of one kind
Level = TypeVar("Level", bound=Callable[..., Any])

FEW = 8  # instances on which most mutants are killed
SIZES = {"quick": 40, "default": 300, "full": 5000}
EVERY_HEALTH_CHECK: Any = list(HealthCheck)


@dataclass
class Pool:
    """The first contexts of a strategy that were asked for; ``complete`` where it has no others."""

    contexts: list[Context] = field(default_factory=list)
    complete: bool = False


class _Enough(BaseException):
    """All that is wanted of a draw is there; no Exception, which Hypothesis would take for a failure."""


@dataclass
class Run:
    """One audit: its size, its randomness, and the instances that claims share.

    Attributes
    ----------
    size : "quick", "default" or "full"; changes counts only.
    entropy : the one number from which all instances and statistics are drawn.
    delta_total : family-wise false-alarm probability of all statistical levels together.
    method : somebody's own method in the place of the reference's, or None.
    problems : somebody's own instances in the place of the drawn ones, or None.
    number : in which controls are judged: Fraction, or Interval where a level is ENCLOSED.
    instances : how many every level draws, where that is not for ``size`` to say.
    exact : the arithmetic of exact contexts, "fraction" or "mpq" (``exact``).
    demand : how many instances of a strategy its claims ask for, where that is known: so many are drawn at once.
    """

    size: str = "default"
    entropy: int = 0
    delta_total: float = 1e-6
    method: Method[Any] | None = None
    problems: list[Instance] | None = None
    number: NumberType = Fraction
    exact: str = "fraction"
    statistical_levels: int = 0
    instances: int | None = None
    pools: dict[tuple[Strategy, NumberType, NumberType, int], "Pool"] = field(default_factory=dict)
    demand: dict[Strategy, int] = field(default_factory=dict)

    @property
    def own(self) -> bool:
        """Whether somebody's own method or instances are audited."""
        return self.method is not None or self.problems is not None

    def count(self, scale: float = 1) -> int:
        """How many instances a level draws."""
        return self.instances if self.instances is not None else max(4, int(SIZES[self.size] * scale))

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

    def contexts(self, strategy: Strategy, count: int, number: NumberType = Fraction) -> list[Context]:
        """``count`` contexts drawn from the strategy, shared by all claims that name it.

        Whatever was asked for before, they are the first ones of a draw of ``self.count()``, or of ``count`` if that is more
        (Hypothesis draws other instances where it is to draw another number of them). The draw stops where they are all there.
        """
        return list(self._pool(strategy, number, max(count, self.count()), count).contexts[:count])

    def instances_one_by_one(self, strategy: Strategy, count: int) -> Iterator[Instance]:
        """The instances of ``contexts(strategy, count)``; more than the first ``FEW`` are drawn only if they are taken."""
        size = max(count, self.count())
        for k in range(count):
            contexts = self._pool(strategy, Fraction, size, min(count, FEW) if k < FEW else count).contexts
            if k == len(contexts):
                return
            yield contexts[k].instance

    def _pool(self, strategy: Strategy, number: NumberType, size: int, count: int) -> "Pool":
        """The first ``count`` of ``size`` contexts, or more. What is drawn a second time is drawn as far as any claim asks."""
        pool = self.pools.setdefault((strategy, number, arithmetic(), size), Pool())
        if pool.complete or len(pool.contexts) >= count:
            return pool
        if self.problems is not None:
            drawn, pool.complete = self.problems, True
        else:
            wanted = max(count, min(size, self.demand.get(strategy, size if pool.contexts else count)))
            drawn = draw_instances(strategy(), size, self.seed(seed_name(strategy)), wanted)
            pool.complete = wanted == size or len(drawn) < wanted
        pool.contexts += [Context(instance, self.method, number) for instance in drawn[len(pool.contexts) :]]
        return pool


def statistical(level: Level) -> Level:
    """Decorate a level of evidence that calls ``run.delta()``, once: the claims behind it in the list get the shares behind its own."""
    setattr(level, "statistical", True)  # noqa: B010
    return level


def is_statistical(level: Callable[..., Any]) -> bool:
    """Whether a level takes a share of the false alarms."""
    return bool(getattr(level, "statistical", False))


def seed_name(strategy: Strategy) -> str:
    """What a strategy's instances are seeded by: the SEED_NAME of its module, or another package's module itself, and its own name.

    Where both are spelled in the file, one that is moved or renamed draws what it drew before.
    """
    module = strategy.__module__
    foreign = module in sys.modules and module.partition(".")[0] != "dualgap"
    home: str | None = getattr(sys.modules.get(module), "SEED_NAME", module if foreign else None)
    return ".".join(part for part in (home, strategy.__qualname__) if part)


def draw_instances(strategy: SearchStrategy[Instance], count: int, seed_value: int, first: int | None = None) -> list[Instance]:
    """``count`` instances from a Hypothesis strategy, or the ``first`` of them; the same seed gives the same instances."""
    drawn: list[Instance] = []

    @seed(seed_value)
    @settings(
        max_examples=count, phases=[Phase.generate], database=None, deadline=None,
        suppress_health_check=EVERY_HEALTH_CHECK, derandomize=False,
    )
    @given(strategy)
    def collect(instance: Instance) -> None:
        drawn.append(instance)
        if len(drawn) == first:
            raise _Enough

    alone = gc.get_freeze_count() == 0
    if alone:
        gc.freeze()  # what is there, thousands of contexts, is not searched for garbage at every example
    try:
        collect()
    except _Enough:
        pass
    finally:
        if alone:
            gc.unfreeze()
    return drawn
