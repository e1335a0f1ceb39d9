"""The levels of evidence that a claim can list.

=============================== =========================================================================
exact(strategy)                 EXACT: rational arithmetic, expectations by enumerating all choices
enclosed(strategy)              ENCLOSED: decimal intervals, digits doubled until every sign is decided
golden(instances)               EXACT on named instances (also the counterexamples of REFUTED claims)
fails_on / fails_for / ...      negative controls
=============================== =========================================================================
"""

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from hypothesis.strategies import SearchStrategy

from dualgap.proofs_checks.claims.by_hypothesis import smallest as shrunk
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Instance
from dualgap.proofs_checks.claims.judge import enclose, falsified, judge, require_pure, require_repeatable
from dualgap.proofs_checks.claims.registry import CLAIMS, Claim, Control, Evidence, Source
from dualgap.proofs_checks.claims.relations import Relation
from dualgap.proofs_checks.claims.run import Run, Strategy, draw_instances
from dualgap.proofs_checks.claims.time_limit import reached
from dualgap.proofs_checks.evidence import hunting
from dualgap.proofs_checks.evidence.regions import coverage
from dualgap.reference.numbers.arithmetic import NumberType
from dualgap.reference.numbers.interval import Interval, Undecided, decide

# instances of a level on which other people's method is followed some steps behind the path (``require_pure``)
WHOLE = 5


def smallest(strategy: SearchStrategy[Instance], bad: Callable[[Instance], bool], seed_value: int) -> Instance | None:
    """A violating instance shrunk by Hypothesis, or None when the search finds none.

    Shrinking ends at zeros. So where all rows or all labels of what it finds are 0, one with as many rows that has
    others is looked for.
    """
    found = shrunk(strategy, bad, seed_value)
    if found is None or not degenerate(found):
        return found
    n = len(found.rows)
    return shrunk(strategy, lambda i: not degenerate(i) and len(i.rows) == n and bad(i), seed_value) or found


def degenerate(instance: object) -> bool:
    """Return whether all rows or all labels are 0: a false statement then often reads 0 <= -1, which says little."""
    rows, labels = getattr(instance, "rows", ()), getattr(instance, "y", getattr(instance, "b", ()))
    return bool(rows) and (not any(map(any, rows)) or not any(labels))


# -- levels ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Exact:
    """EXACT: the check on drawn instances, in Fractions. The claim's mutants are tried on the same strategy."""

    strategy: Strategy
    scale: float = 1

    def __call__(self, claim: Claim, run: Run) -> Evidence:
        return examine(claim, run.contexts(self.strategy, run.count(self.scale, claim)), self.strategy, run)


def exact(strategy: Strategy, scale: float = 1) -> Source:
    """EXACT on ``scale`` times the run's number of instances drawn from ``strategy``.

    Parameters
    ----------
    strategy : a function without arguments that gives a strategy of instances.
    scale : how many instances, in units of the run's number.
    """
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


def golden(*instances: Any, detail: str = "", level: str = "EXACT") -> Source:
    """EXACT on instances that are written down.

    Parameters
    ----------
    instances : on which the check is evaluated, of any registered kind.
    detail : one clause for the report.
    level : the name of the level in the report.
    """
    return Golden(instances, detail, level)


def examine(claim: Claim, contexts: Sequence[Context], strategy: Strategy | None, run: Run) -> Evidence:
    """Judge every context; with a strategy, search for a violation where none is drawn, and shrink the first one."""
    evidence, drawn = Evidence("EXACT"), list[Instance]()
    steps = 0 if strategy is None else hunting.steps(claim, run)
    search = hunting.Search.of(claim, run, strategy()) if strategy is not None and steps else None
    foreign = claim.id in CLAIMS.foreign()
    for number, context in enumerate(contexts, start=1):
        reached(f"instance {number} of {len(contexts)}")
        require_pure(context, whole=evidence.instances < WHOLE)
        try:
            verdict = judge(claim, context)
        except Undecided:
            evidence.instances, evidence.undecided = evidence.instances + 1, evidence.undecided + 1
            continue
        if foreign and evidence.instances < WHOLE:
            require_repeatable(claim, context.instance, run.method)
        evidence.instances += 1
        evidence.vacuous += verdict.vacuous
        if strategy is not None and foreign:
            drawn.append(context.instance)
        evidence.tightness += [t for t in (r.tightness() for r in verdict.relations) if t is not None]
        if search is not None and context._trail is not None:
            search.keep(verdict.relations, context._trail)
        if verdict.violated is not None:
            require_pure(context)
            evidence.violations += 1
            if evidence.counterexample is None:
                evidence.counterexample, evidence.trail = context.instance, context._trail
    if drawn:
        evidence.series["draws"] = {"drawn": len(drawn), "silent": evidence.vacuous, **coverage(drawn)}
    searched = search is not None and search.seen and not evidence.violations  # without trails nothing can be changed
    if search is not None and searched:
        found = search.climbed(run) or search.found(steps, math.inf if run.hunt is None else run.hunt)
        evidence.detail = search.told(evidence.tightness)
        if found is not None:
            evidence.instances += 1
            evidence.violations, (evidence.counterexample, evidence.trail) = 1, found
            require_pure(Context(found[0], run.method))
    if evidence.violations and strategy is not None and run.problems is None:
        shrink(claim, strategy, run, evidence, fresh=not searched)
    return evidence


def shrink(claim: Claim, strategy: Strategy, run: Run, evidence: Evidence, fresh: bool = True) -> None:
    """Replace the counterexample by a small one, and say so where it is not small.

    fresh : whether Hypothesis first looks for one, which is no use where they are rare. It shrinks what it finds. Where
        it finds none, the one that was found is shrunk.
    """
    reached("a smaller counterexample")
    bad = hunting.Search.of(claim, run, strategy()).false
    small, said = smallest(strategy(), bad, run.seed(claim.id)) if fresh else None, ""
    if small is None:
        said = "not shrunk"
        if evidence.trail is not None:
            small, least = hunting.shrunk(strategy(), bad, evidence.trail)
            said = "" if least else "not shrunk to the end"
    evidence.detail = ", ".join(filter(None, (evidence.detail, said)))
    evidence.counterexample = small or evidence.counterexample


@dataclass(frozen=True)
class Enclosed:
    """ENCLOSED: the check on drawn instances, in decimal intervals; the control must be caught in them too."""

    strategy: Strategy
    scale: float
    number: ClassVar[NumberType] = Interval  # of its instances: not all are rational

    def __call__(self, claim: Claim, run: Run) -> Evidence:
        evidence, most = Evidence("ENCLOSED"), 0
        instances = draw_instances(self.strategy(), run.count(self.scale, claim), run.seed(claim.id))
        for number, instance in enumerate(instances, start=1):
            reached(f"instance {number} of {len(instances)}")
            require_pure(Context(instance, number=Interval), whole=evidence.instances < WHOLE)
            verdict, digits = enclose(claim, instance)
            evidence.instances += 1
            if verdict is None:
                evidence.undecided += 1
                continue
            most = max(most, digits)
            evidence.vacuous += verdict.vacuous
            if verdict.violated is not None:
                require_pure(Context(instance, number=Interval))
                evidence.violations += 1
                evidence.counterexample = evidence.counterexample or instance
        evidence.detail = f"{most} digits, {evidence.undecided} undecided"
        return evidence


def enclosed(strategy: Strategy, scale: float = 0.5) -> Source:
    """ENCLOSED: the check in decimal intervals, digits doubled from 20 to 160 until it is decided.

    Parameters
    ----------
    strategy : a function without arguments that gives a strategy of instances.
    scale : how many instances, in units of the run's number.
    """
    return Enclosed(strategy, scale)


# -- controls ---------------------------------------------------------------------------------------------------------


class Vacuous(Exception):
    """A control that says nothing: it has no instance, or its check has no relation there but 0 <= 0."""


def every(answers: Iterable[bool | None], text: str) -> bool:
    """Return whether each answer is True. Raises Vacuous for none, or where the others say nothing (None)."""
    given = list(answers)
    if False in given:
        return False
    if None in given or not given:
        raise Vacuous(text)
    return True


def some(answers: Iterable[bool | None], text: str) -> bool:
    """Return whether an answer is True. Raises Vacuous if there is none, or where all of them say nothing (None)."""
    said = False
    for answer in answers:
        if answer:
            return True
        said = said or answer is False
    if not said:
        raise Vacuous(text)
    return False


def fails_on(*instances: Any, text: str) -> Control:
    """The check must be false on each of these instances, which lie outside the hypotheses.

    Parameters
    ----------
    instances : outside the hypotheses.
    text : what the control is, for the report.
    """
    return Control(text, lambda claim, run: every((falsified(claim, i, number=run.number) for i in instances), text))


def fails_somewhere(strategy: Strategy, text: str, count: int = 40) -> Control:
    """The check must be false on at least one drawn instance outside the hypotheses.

    Parameters
    ----------
    strategy : a function without arguments that gives a strategy of instances outside the hypotheses.
    text : what the control is, for the report.
    count : how many instances are drawn.
    """

    def caught(claim: Claim, run: Run) -> bool:
        return some((falsified(claim, c.instance, number=run.number) for c in run.contexts(strategy, count)), text)

    return Control(text, caught)


def fails_for(mutant: str, strategy: Strategy, text: str = "", count: int = 40) -> Control:
    """The check must be false for a named mutant on at least one drawn instance.

    Parameters
    ----------
    mutant : its name, "paper.name".
    strategy : a function without arguments that gives a strategy of instances.
    text : what the control is, for the report; by default the mutant's name.
    count : how many instances are drawn.
    """

    def caught(claim: Claim, run: Run) -> bool:
        from dualgap.proofs_checks.evidence.mutants import mutant as mutated

        drawn = (c.instance for c in run.contexts(strategy, count))
        return some((falsified(claim, i, mutated(mutant, i), run.number) for i in drawn), text)

    return Control(text or f"mutant {mutant}", caught)


def holds_on(*instances: Any, text: str) -> Control:
    """Require, for REFUTED claims, that the statement is true and not vacuous on these, so that the check is not false
    everywhere.

    Raises Vacuous if it is true and says nothing.

    Parameters
    ----------
    instances : on which the statement is true.
    text : what the control is, for the report.
    """

    def caught(claim: Claim, run: Run) -> bool:
        verdicts = [judge(claim, Context(i, number=run.number)) for i in instances]
        if any(v.violated is not None for v in verdicts):
            return False
        if not verdicts or any(v.vacuous for v in verdicts):
            raise Vacuous(text)
        return True

    return Control(text, caught)


def all_of(*controls: Control) -> Control:
    """Every one of the controls must be caught.

    Parameters
    ----------
    controls : made by the functions of this module.
    """
    text = "; ".join(c.text for c in controls)
    return Control(text, lambda claim, run: every((c.caught(claim, run) for c in controls), text))


def altered(text: str, check: Callable[[Context], Iterable[Relation]], *instances: Any) -> Control:
    """An altered statement (a constant too strong) that must be false on each instance.

    Parameters
    ----------
    text : what was altered, for the report.
    check : the altered statement, a check as of ``claim``.
    instances : on which it must be false.
    """

    def answer(instance: Instance, run: Run) -> bool | None:
        vacuous = True
        for relation in check(Context(instance, number=run.number)):  # what comes after a false one may have no meaning
            if not relation.holds():
                return True
            vacuous &= relation.vacuous()
        return None if vacuous else False

    def false_on(instance: Instance, run: Run) -> bool | None:
        found, _ = decide(lambda: (answer(instance, run),))
        return found[0] if found is not None else False

    return Control(text, lambda claim, run: every((false_on(i, run) for i in instances), text))


def false_with(text: str, *instances: Any, **changed: object) -> Control:
    """The claim's own check, with other values for some of its keywords, must be false on each instance."""
    return Control(
        text, lambda claim, run: altered(text, partial(claim.check, **changed), *instances).caught(claim, run)
    )


__all__ = [
    "Vacuous",
    "all_of",
    "altered",
    "enclosed",
    "exact",
    "fails_for",
    "fails_on",
    "false_with",
    "fails_somewhere",
    "golden",
    "holds_on",
]
