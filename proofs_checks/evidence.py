"""The levels of evidence that a claim can list, and the run that they share.

=============================== =========================================================================
exact(strategy)                 EXACT: rational arithmetic, expectations by enumerating all choices
enclosed(strategy)              ENCLOSED: decimal intervals, digits doubled until every sign is decided
golden(instances)               EXACT on named instances (also the counterexamples of REFUTED claims)
optional(package, source)       SKIPPED(reason) when the package is absent
fails_on / fails_for / ...      negative controls
=============================== =========================================================================
"""

import importlib.util
import random
import sys
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis.errors import NoSuchExample
from hypothesis.strategies import SearchStrategy

from dualgap.proofs_checks.context import Context
from dualgap.proofs_checks.engines.evalues import split
from dualgap.proofs_checks.instance import Instance
from dualgap.proofs_checks.registry import Claim, Control, Evidence, Source
from dualgap.proofs_checks.relations import Relation
from dualgap.reference import Interval, Method
from dualgap.reference.arithmetic import NumberType
from dualgap.reference.interval import decide

Strategy = Callable[[], SearchStrategy[Instance]]

SIZES = {"quick": 40, "default": 300, "full": 5000}


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
    """

    size: str = "default"
    entropy: int = 0
    delta_total: float = 1e-6
    method: Method[Any] | None = None
    problems: list[Instance] | None = None
    number: NumberType = Fraction
    statistical_levels: int = 0
    pools: dict[tuple[Strategy, NumberType, int], list[Context]] = field(default_factory=dict)

    def count(self, scale: float = 1) -> int:
        """How many instances a level draws."""
        return max(4, int(SIZES[self.size] * scale))

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
        (Hypothesis draws other instances where it is to draw another number of them).
        """
        size = max(count, self.count())
        pool = self.pools.setdefault((strategy, number, size), [])
        if not pool:
            drawn = draw_instances(strategy(), size, self.seed(seed_name(strategy))) if self.problems is None else self.problems
            pool[:] = [Context(instance, self.method, number) for instance in drawn]
        return pool[:count]


def seed_name(strategy: Strategy) -> str:
    """What a strategy's instances are seeded by: the SEED_NAME of its module, where there is one, and its own name.

    Both are spelled in the file itself: a file that is moved or renamed draws what it drew before.
    """
    home: str | None = getattr(sys.modules.get(strategy.__module__), "SEED_NAME", None)
    return ".".join(part for part in (home, strategy.__qualname__) if part)


def draw_instances(strategy: SearchStrategy[Instance], count: int, seed_value: int) -> list[Instance]:
    """``count`` instances from a Hypothesis strategy; the same seed gives the same instances."""
    drawn: list[Instance] = []

    @seed(seed_value)
    @settings(
        max_examples=count, phases=[Phase.generate], database=None, deadline=None,
        suppress_health_check=list(HealthCheck), derandomize=False,
    )
    @given(strategy)
    def collect(instance: Instance) -> None:
        drawn.append(instance)

    collect()
    return drawn


def smallest(strategy: SearchStrategy[Instance], bad: Callable[[Instance], bool], seed_value: int) -> Instance | None:
    """A violating instance shrunk by Hypothesis, or None when the search finds none."""
    from hypothesis import find

    try:
        return find(
            strategy, bad, random=random.Random(seed_value),
            settings=settings(max_examples=500, database=None, deadline=None, suppress_health_check=list(HealthCheck)),
        )
    except NoSuchExample:
        return None


# -- judging one instance ----------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Verdict:
    """All relations of one check on one instance, judged."""

    relations: tuple[Relation, ...]
    violated: Relation | None
    vacuous: bool


def judge(claim: Claim, context: Context) -> Verdict:
    """Evaluate the claim's chain. Raises Undecided in intervals, and whatever the method itself raises."""
    relations = tuple(claim.check(context))
    violated = next((r for r in relations if not r.holds()), None)
    return Verdict(relations, violated, all(r.vacuous() for r in relations))


def enclose(claim: Claim, instance: Instance, method: Method[Any] | None = None) -> tuple[Verdict | None, int]:
    """(verdict in decimal intervals, digits); None where 160 digits do not decide."""
    return decide(lambda: judge(claim, Context(instance, method, Interval)))


def violates(claim: Claim, instance: Instance, method: Method[Any] | None = None, number: NumberType = Fraction) -> bool:
    """Whether the claim's check is false on the instance, exactly or in intervals.

    A method that breaks there counts as false, but not in intervals, which some checks cannot do.
    """
    try:
        verdict = enclose(claim, instance, method)[0] if number is Interval else judge(claim, Context(instance, method))
        return verdict is not None and verdict.violated is not None
    except (ArithmeticError, ValueError, IndexError):
        if method is None:
            raise
        return number is not Interval


# -- levels ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Exact:
    """EXACT: the check on drawn instances, in Fractions. The claim's mutants are tried on the same strategy."""

    strategy: Strategy
    scale: float = 1

    def __call__(self, claim: Claim, run: Run) -> Evidence:
        return examine(claim, run.contexts(self.strategy, run.count(self.scale)), self.strategy, run)


def exact(strategy: Strategy, scale: float = 1) -> Source:
    """EXACT on ``scale`` times the run's number of instances drawn from ``strategy``."""
    return Exact(strategy, scale)


@dataclass(frozen=True)
class Golden:
    """EXACT on instances that are written down. The claim's mutants are tried on them, too."""

    instances: tuple[Instance, ...]
    detail: str = ""
    level: str = "EXACT"

    def __call__(self, claim: Claim, run: Run) -> Evidence:
        found = examine(claim, [Context(i) for i in self.instances], None, run)
        found.level, found.detail = self.level, self.detail
        return found


def golden(*instances: Instance, detail: str = "", level: str = "EXACT") -> Source:
    """EXACT on instances that are written down."""
    return Golden(instances, detail, level)


def examine(claim: Claim, contexts: Iterable[Context], strategy: Strategy | None, run: Run) -> Evidence:
    """Judge every context; shrink the first violation when a strategy is given."""
    evidence = Evidence("EXACT")
    for context in contexts:
        verdict = judge(claim, context)
        evidence.instances += 1
        evidence.vacuous += verdict.vacuous
        evidence.tightness += [t for t in (r.tightness() for r in verdict.relations) if t is not None]
        if verdict.violated is not None:
            evidence.violations += 1
            evidence.counterexample = evidence.counterexample or context.instance
    if evidence.violations and strategy is not None and run.problems is None:
        shrunk = smallest(strategy(), lambda i: violates(claim, i, run.method), run.seed(claim.id))
        evidence.counterexample = shrunk or evidence.counterexample
    return evidence


@dataclass(frozen=True)
class Enclosed:
    """ENCLOSED: the check on drawn instances, in decimal intervals; the claim's control must be caught in intervals, too."""

    strategy: Strategy
    scale: float

    def __call__(self, claim: Claim, run: Run) -> Evidence:
        evidence, most = Evidence("ENCLOSED"), 0
        for instance in draw_instances(self.strategy(), run.count(self.scale), run.seed(claim.id)):
            verdict, digits = enclose(claim, instance)
            evidence.instances += 1
            if verdict is None:
                evidence.undecided += 1
                continue
            most = max(most, digits)
            evidence.vacuous += verdict.vacuous
            if verdict.violated is not None:
                evidence.violations += 1
                evidence.counterexample = evidence.counterexample or instance
        evidence.detail = f"{most} digits, {evidence.undecided} undecided"
        return evidence


def enclosed(strategy: Strategy, scale: float = 0.5) -> Source:
    """ENCLOSED: the check in decimal intervals, digits doubled from 20 to 160 until it is decided."""
    return Enclosed(strategy, scale)


def optional(package: str, source: Source, only_full: bool = True) -> Source:
    """A level that needs an optional package, run by ``--full``; SKIPPED(reason) otherwise."""

    def guarded(claim: Claim, run: Run) -> Evidence:
        if only_full and run.size != "full":
            return Evidence("SKIPPED(runs with --full)")
        if importlib.util.find_spec(package) is None:
            return Evidence(f"SKIPPED({package} is not installed: pip install 'dualgap[audit]')")
        return source(claim, run)

    return guarded


# -- controls ---------------------------------------------------------------------------------------------------------


class Vacuous(Exception):
    """A control's statement is true where it must be, but says nothing there: 0 <= 0, or no relation."""


def fails_on(*instances: Instance, text: str) -> Control:
    """The check must be false on each of these instances, which lie outside the hypotheses."""
    return Control(text, lambda claim, run: all(violates(claim, i, number=run.number) for i in instances))


def fails_somewhere(strategy: Strategy, text: str, count: int = 40) -> Control:
    """The check must be false on at least one drawn instance outside the hypotheses."""

    def caught(claim: Claim, run: Run) -> bool:
        return any(violates(claim, c.instance, number=run.number) for c in run.contexts(strategy, count))

    return Control(text, caught)


def fails_for(mutant: str, strategy: Strategy, text: str = "", count: int = 40) -> Control:
    """The check must be false for a named mutant on at least one drawn instance."""

    def caught(claim: Claim, run: Run) -> bool:
        from dualgap.proofs_checks.mutants import kills

        return kills(claim, mutant, [c.instance for c in run.contexts(strategy, count)], run.number)

    return Control(text or f"mutant {mutant}", caught)


def holds_on(*instances: Instance, text: str) -> Control:
    """For REFUTED claims: the statement must be true on these, and say something, so that the check is not false everywhere.

    Raises Vacuous where it is true and says nothing.
    """

    def caught(claim: Claim, run: Run) -> bool:
        verdicts = [judge(claim, Context(i, number=run.number)) for i in instances]
        if any(v.violated is not None for v in verdicts):
            return False
        if any(v.vacuous for v in verdicts):
            raise Vacuous(text)
        return True

    return Control(text, caught)


def all_of(*controls: Control) -> Control:
    """Every one of the controls must be caught."""
    return Control("; ".join(c.text for c in controls), lambda claim, run: all(c.caught(claim, run) for c in controls))


def altered(text: str, check: Callable[[Context], Iterable[Relation]], *instances: Instance) -> Control:
    """An altered statement (a constant too strong) that must be false on each instance."""

    def false_on(instance: Instance, run: Run) -> bool:
        found, _ = decide(lambda: any(not r.holds() for r in check(Context(instance, number=run.number))))
        return found is True

    def caught(claim: Claim, run: Run) -> bool:
        return all(false_on(i, run) for i in instances)

    return Control(text, caught)


__all__ = [
    "Run", "Vacuous", "all_of", "altered", "draw_instances", "enclosed", "exact", "fails_for", "fails_on", "fails_somewhere",
    "golden", "holds_on", "judge", "optional", "violates",
]
