"""Statements whose status is known beforehand, on every level of evidence, with every kind of control.

Each function says what the checkers say wrongly: nothing, where none of them is blind.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from dualgap.proofs_checks.auditing import audit as auditing
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import Extra
from dualgap.proofs_checks.claims.instance import Instance, Q
from dualgap.proofs_checks.claims.origins import OURS
from dualgap.proofs_checks.claims.registry import Claim, Control, Evidence, Source
from dualgap.proofs_checks.claims.relations import Eq, Le, Lt, Relation, Same
from dualgap.proofs_checks.claims.result import ClaimResult, Counts
from dualgap.proofs_checks.claims.run import Run
from dualgap.proofs_checks.evidence import levels as evidence
from dualgap.proofs_checks.evidence.levels import (
    all_of,
    altered,
    enclosed,
    exact,
    fails_for,
    fails_on,
    fails_somewhere,
    golden,
    holds_on,
)
from dualgap.proofs_checks.evidence.trajectories import Enumerated
from dualgap.reference import Interval
from dualgap.reference.methods.aspdc import ASPDC
from dualgap.reference.numbers.interval import Undecided

Check = Callable[[Context], Iterable[Relation]]
COUNT = 6


@dataclass(frozen=True)
class Count(Extra):
    """The number of an instance."""

    k: int


INSTANCES = tuple(Instance(rows=((Q(1),),), y=(Q(1),), alpha=(Q(0),), lam=Q(1), extra=Count(k)) for k in range(COUNT))


def instances() -> SearchStrategy[Instance]:
    """All of INSTANCES: so few that a search meets every one."""
    return st.sampled_from(INSTANCES)


LEVELS: dict[str, Source] = {
    "EXACT": exact(instances),
    "EXACT, golden": golden(*INSTANCES),
    "ENUMERATED": Enumerated(instances, 1),
    "ENCLOSED": enclosed(instances, 1),
}


def k(c: Context) -> int:
    """The number of the instance."""
    return c.instance.extra[Count].k


def one(c: Context) -> Any:
    """1 in the context's number."""
    return c.q(1)


def undecidable(c: Context) -> Relation:
    """3 (1/3) == 1 in intervals: true, and no digits can tell."""
    return Eq(Interval(Fraction(1, 3)) * 3, 1, "3 (1/3) == 1")


CAUGHT = Control("always caught", lambda claim, run: True)
HOLDS, REFUTED, OPEN, UNDECIDED, VACUOUS, ERROR = "HOLDS", "REFUTED", "OPEN", "UNDECIDED", "VACUOUS", "ERROR"
# name: (check, status, violations, vacuous), and in place of these three what a level that cannot be undecided says
STATEMENTS: dict[str, tuple[Check, str, int, int]] = {
    "no relation": (lambda c: [], VACUOUS, 0, COUNT),
    "0 <= 0": (lambda c: [Le(0 * one(c), 0 * one(c), "")], VACUOUS, 0, COUNT),
    "0 == 0 beside a bound above trivial": (
        lambda c: [Eq(0 * one(c), 0 * one(c), ""), Le(one(c), 3 * one(c), "", 2 * one(c))],
        VACUOUS,
        0,
        COUNT,
    ),
    "bound above trivial": (lambda c: [Le(one(c), 3 * one(c), "", trivial=2 * one(c))], VACUOUS, 0, COUNT),
    "bound equal to trivial": (lambda c: [Le(one(c), 2 * one(c), "", trivial=2 * one(c))], VACUOUS, 0, COUNT),
    "bound below trivial": (lambda c: [Le(one(c), 2 * one(c), "", trivial=3 * one(c))], HOLDS, 0, 0),
    "1 <= 2": (lambda c: [Le(one(c), 2 * one(c), "")], HOLDS, 0, 0),
    "1 <= 2 after 0 <= 0": (lambda c: [Le(0 * one(c), 0 * one(c), ""), Le(one(c), 2 * one(c), "")], HOLDS, 0, 0),
    "vacuous but for one": (lambda c: [Le(one(c), 2 * one(c), "")] if k(c) == 3 else [], HOLDS, 0, COUNT - 1),
    "one violation among many": (
        lambda c: [Le(2 * one(c) if k(c) == 3 else one(c), one(c) + one(c) / 2, "")],
        REFUTED,
        1,
        0,
    ),
    "one violation, the rest vacuous": (
        lambda c: [Le(2 * one(c), one(c), "")] if k(c) == 3 else [],
        REFUTED,
        1,
        COUNT - 1,
    ),
    "the second relation false": (
        lambda c: [Le(one(c), 2 * one(c), ""), Le(2 * one(c), one(c), "")],
        REFUTED,
        COUNT,
        0,
    ),
    "all violated": (lambda c: [Le(2 * one(c), one(c), "")], REFUTED, COUNT, 0),
    "1 < 1": (lambda c: [Lt(one(c), one(c), "")], REFUTED, COUNT, 0),
    "1 == 2": (lambda c: [Eq(one(c), 2 * one(c), "")], REFUTED, COUNT, 0),
    "2 == 1": (lambda c: [Eq(2 * one(c), one(c), "")], REFUTED, COUNT, 0),
    "1 and 2 the same": (lambda c: [Same(one(c), 2 * one(c), "")], REFUTED, COUNT, 0),
}
IN_INTERVALS: dict[str, tuple[Check, str, int, int]] = {  # where no digits decide; elsewhere an error
    "undecided": (lambda c: [undecidable(c)], UNDECIDED, 0, COUNT),
    "undecided or vacuous": (lambda c: [undecidable(c)] if k(c) < 3 else [], UNDECIDED, 0, 3),
    "undecided but for one": (
        lambda c: [Le(one(c), 2 * one(c), "")] if k(c) == 3 else [undecidable(c)],
        HOLDS,
        0,
        COUNT - 1,
    ),
    "undecided but for one violation": (
        lambda c: [Le(2 * one(c), one(c), "")] if k(c) == 3 else [undecidable(c)],
        REFUTED,
        1,
        COUNT - 1,
    ),
}


def claim_of(
    check: Check,
    evidence: Iterable[Source],
    expected: str = HOLDS,
    control: Control | None = CAUGHT,
    kills: tuple[str, ...] = (),
) -> Claim:
    """A claim that is in no registry."""
    return Claim("self.audit", "", check, expected, "", tuple(evidence), control, OURS, kills)


def examined(claim: Claim) -> ClaimResult:
    """What an audit finds of it; a counterexample is not made smaller, which takes time and decides nothing."""
    put(evidence, smallest=lambda strategy, bad, seed_value: None)
    return auditing.examine_claim(claim, Run("quick", 0), None)


def differs(what: str, got: Any, expected: Any) -> Iterator[str]:
    """A complaint where they differ."""
    if got != expected:
        yield f"{what}: {got}, due {expected}"


def levels() -> Iterator[str]:
    """Every level on every statement: its status, and how many instances are violated, vacuous and undecided."""
    for level, source in LEVELS.items():
        for name, (check, status, violations, vacuous) in STATEMENTS.items():
            row = examined(claim_of(check, [source]))
            yield from differs(
                f"{level}: {name}", (row.status, row.counts), (status, Counts(COUNT, violations, vacuous))
            )
        for name, (check, status, violations, undecided) in IN_INTERVALS.items():
            row = examined(claim_of(check, [source]))
            if level == "ENCLOSED":
                got = row.status, row.counts.violations, row.counts.undecided, row.counts.instances
                yield from differs(f"{level}: {name}", got, (status, violations, undecided, COUNT))
            else:
                yield from differs(f"{level}: {name}", row.status, ERROR)


def put(module: Any, **stand_ins: Any) -> None:
    """Put these in the place of the module's own; in a world of its own nobody else sees it."""
    for name, value in stand_ins.items():
        setattr(module, name, value)


# -- from evidence to status -------------------------------------------------------------------------------------------

SEVEN = Evidence("EXACT", 7)
NOTHING = {
    "vacuous": Evidence("EXACT", 7, vacuous=7),
    "undecided": Evidence("ENCLOSED", 7, undecided=7),
    "none": Evidence("EXACT", 0),
}
FALSE = Evidence("ENCLOSED", 7, violations=1)
COUNTS: tuple[tuple[Evidence, bool], ...] = (
    (SEVEN, True),
    (Evidence("ENCLOSED", 7, vacuous=6), True),
    (Evidence("ENUMERATED", 7, vacuous=3, undecided=3), True),
    (Evidence("PROVED", 1), True),
    (Evidence("FORMAL(coq 8.16.1)", 1), True),
    (Evidence("PEP", 1), True),
    (Evidence("NOT-REFUTED", 7), False),
    (Evidence("SKIPPED(no z3)", 7), False),
    (Evidence("SEARCHED", 7), False),
    (Evidence("ENCLOSED", 7, vacuous=3, undecided=4), False),
    *((found, False) for found in NOTHING.values()),
)
STATUSES: tuple[tuple[str, list[Evidence], str, str], ...] = (  # name, evidence, expected, status
    ("no evidence", [], HOLDS, VACUOUS),
    ("NOT-REFUTED alone", [Evidence("NOT-REFUTED", 7)], HOLDS, VACUOUS),
    ("SKIPPED alone", [Evidence("SKIPPED(no z3)")], HOLDS, VACUOUS),
    ("SEARCHED alone", [Evidence("SEARCHED", 7)], HOLDS, VACUOUS),
    ("SEARCHED alone, OPEN expected", [Evidence("SEARCHED", 7)], OPEN, OPEN),
    ("NOT-REFUTED alone, OPEN expected", [Evidence("NOT-REFUTED", 7)], OPEN, VACUOUS),
    ("vacuous alone", [NOTHING["vacuous"]], HOLDS, VACUOUS),
    ("undecided beside vacuous", [NOTHING["vacuous"], NOTHING["undecided"]], HOLDS, UNDECIDED),
    ("one level that counts", [NOTHING["vacuous"], NOTHING["undecided"], SEVEN], HOLDS, HOLDS),
    ("one level that counts, OPEN expected", [SEVEN], OPEN, OPEN),
    ("one level that counts, REFUTED expected", [SEVEN], REFUTED, HOLDS),
    ("REFUTED by one level among several", [SEVEN, FALSE, SEVEN], HOLDS, REFUTED),
    ("REFUTED by the first level", [FALSE, SEVEN], HOLDS, REFUTED),
    ("REFUTED by statistics alone", [SEVEN, Evidence("NOT-REFUTED", 7, violations=1)], HOLDS, REFUTED),
    ("REFUTED, OPEN expected", [FALSE], OPEN, REFUTED),
)


def statuses() -> Iterator[str]:
    """``Evidence.counts`` and ``status_of``."""
    for one_level, wanted in COUNTS:
        yield from differs(
            f"{one_level}, {one_level.vacuous} vacuous, {one_level.undecided} undecided: counts",
            one_level.counts,
            wanted,
        )
    for name, found, expected, status in STATUSES:
        yield from differs(name, auditing.status_of(claim_of(lambda c: [], [], expected), found), status)


# -- controls and the verdict ------------------------------------------------------------------------------------------

FIRST, LAST = INSTANCES[0], INSTANCES[-1]
EXACT, INTERVALS = (LEVELS["EXACT"],), (LEVELS["ENCLOSED"],)


def true(c: Context) -> Iterable[Relation]:
    """1 <= 2."""
    yield Le(one(c), 2 * one(c), "1 <= 2")


def false(c: Context) -> Iterable[Relation]:
    """2 <= 1."""
    yield Le(2 * one(c), one(c), "2 <= 1")


def false_at_0(c: Context) -> Iterable[Relation]:
    """2 <= 1 on the first instance, 1 <= 2 elsewhere."""
    yield from false(c) if k(c) == 0 else true(c)


def zero(c: Context) -> Iterable[Relation]:
    """0 <= 0."""
    yield Le(0 * one(c), 0 * one(c), "0 <= 0")


def true_at_0(c: Context) -> Iterable[Relation]:
    """1 <= 2 on the first instance, else nothing."""
    yield from true(c) if k(c) == 0 else zero(c)


def false_in_fractions(c: Context) -> Iterable[Relation]:
    """2 <= 1, but in intervals 1 <= 2: a mistake of the intervals."""
    yield from false(c) if c.number is Fraction else true(c)


def undecided_in_intervals(c: Context) -> Iterable[Relation]:
    """2 <= 1, but in intervals nothing."""
    if c.number is not Fraction:
        raise Undecided("whatever the digits")
    yield from false(c)


def breaks_in_intervals(c: Context) -> Iterable[Relation]:
    """2 <= 1, but in intervals 1 <= 2, and an error for a mutant."""
    if c.number is not Fraction and type(c.method) is not ASPDC:
        raise ValueError("not in intervals")
    yield from false(c) if c.number is Fraction else true(c)


YES, NO = Control("yes", lambda claim, run: True), Control("no", lambda claim, run: False)
CONTROLS: tuple[tuple[str, Check, tuple[Source, ...], Control | None, str], ...] = (
    ("no control", true, EXACT, None, "none"),
    ("fails_on, false on both", false, EXACT, fails_on(FIRST, LAST, text=""), "caught"),
    ("fails_on, false on one", false_at_0, EXACT, fails_on(FIRST, LAST, text=""), "missed"),
    ("fails_on, true", true, EXACT, fails_on(FIRST, text=""), "missed"),
    ("fails_somewhere, false on one", false_at_0, EXACT, fails_somewhere(instances, ""), "caught"),
    ("fails_somewhere, true", true, EXACT, fails_somewhere(instances, ""), "missed"),
    ("fails_for, a mutant that the check cannot see", true, EXACT, fails_for("aspdc.half-step", instances), "missed"),
    ("fails_for, false", false, EXACT, fails_for("aspdc.half-step", instances), "caught"),
    ("holds_on, true on both", true, EXACT, holds_on(FIRST, LAST, text=""), "caught"),
    ("holds_on, false on one", false_at_0, EXACT, holds_on(FIRST, LAST, text=""), "missed"),
    ("holds_on, 0 <= 0", zero, EXACT, holds_on(FIRST, text=""), "vacuous"),
    ("holds_on, no relation", lambda c: [], EXACT, holds_on(FIRST, text=""), "vacuous"),
    ("altered, false on both", true, EXACT, altered("", false, FIRST, LAST), "caught"),
    ("altered, false on one", true, EXACT, altered("", false_at_0, FIRST, LAST), "missed"),
    ("altered, true", true, EXACT, altered("", true, FIRST), "missed"),
    ("altered, nothing said", true, EXACT, altered("", lambda c: [], FIRST), "vacuous"),
    ("altered, 0 <= 0", true, EXACT, altered("", zero, FIRST), "vacuous"),
    ("altered, no instance", true, EXACT, altered("", false), "vacuous"),
    ("altered, true on one and nothing said on the other", true, EXACT, altered("", true_at_0, FIRST, LAST), "missed"),
    ("fails_on, no instance", false, EXACT, fails_on(text=""), "vacuous"),
    ("fails_on, 0 <= 0", zero, EXACT, fails_on(FIRST, text=""), "vacuous"),
    ("fails_somewhere, 0 <= 0", zero, EXACT, fails_somewhere(instances, ""), "vacuous"),
    ("fails_somewhere, true on one", true_at_0, EXACT, fails_somewhere(instances, ""), "missed"),
    ("fails_for, 0 <= 0", zero, EXACT, fails_for("aspdc.half-step", instances), "vacuous"),
    ("holds_on, no instance", true, EXACT, holds_on(text=""), "vacuous"),
    ("all_of, none", true, EXACT, all_of(), "vacuous"),
    ("all_of, one vacuous", false, EXACT, all_of(YES, fails_on(text="")), "vacuous"),
    ("all_of, one missed", true, EXACT, all_of(YES, NO, YES), "missed"),
    ("all_of, all caught", true, EXACT, all_of(YES, YES), "caught"),
    ("in intervals, false", false, INTERVALS, fails_on(FIRST, text=""), "caught"),
    ("in intervals, true there alone", false_in_fractions, INTERVALS, fails_on(FIRST, text=""), "missed"),
    ("in intervals, undecided there", undecided_in_intervals, INTERVALS, fails_on(FIRST, text=""), "missed"),
    (
        "in intervals, somewhere true there alone",
        false_in_fractions,
        INTERVALS,
        fails_somewhere(instances, ""),
        "missed",
    ),
    (
        "in intervals, for a mutant true there alone",
        false_in_fractions,
        INTERVALS,
        fails_for("aspdc.half-step", instances),
        "missed",
    ),
    (
        "in intervals, for a mutant that breaks there",
        breaks_in_intervals,
        INTERVALS,
        fails_for("aspdc.half-step", instances),
        "missed",
    ),
    ("in intervals, altered true there alone", true, INTERVALS, altered("", false_in_fractions, FIRST), "missed"),
    ("in intervals, altered undecided there", true, INTERVALS, altered("", undecided_in_intervals, FIRST), "missed"),
    (
        "in intervals, beside another level",
        false_in_fractions,
        (*EXACT, *INTERVALS),
        fails_on(FIRST, text=""),
        "missed",
    ),
)


def controls() -> Iterator[str]:
    """Every kind of control where it must be caught, and where it must not."""
    for name, check, sources, control, expected in CONTROLS:
        yield from differs(name, examined(claim_of(check, sources, control=control)).control.outcome, expected)


def broken(c: Context) -> Iterable[Relation]:
    """Raises after a relation that holds."""
    yield from true(c)
    raise ZeroDivisionError


ROWS: tuple[tuple[str, Claim, bool], ...] = (
    ("as it should be", claim_of(true, EXACT), True),
    ("REFUTED as expected", claim_of(false, EXACT, REFUTED), True),
    ("a false statement", claim_of(false, EXACT), False),
    ("a true statement expected false", claim_of(true, EXACT, REFUTED), False),
    ("a statement that says nothing", claim_of(zero, EXACT), False),
    ("a control that was missed", claim_of(true, EXACT, control=NO), False),
    ("no control", claim_of(true, EXACT, control=None), False),
    ("a kill that did not happen", claim_of(true, EXACT, kills=("aspdc.half-step",)), False),
    ("a check that breaks", claim_of(broken, EXACT), False),
    (
        "a check that breaks, after a level that held",
        claim_of(lambda c: true(c) if k(c) == 0 else broken(c), (golden(FIRST), *EXACT)),
        False,
    ),
)


def selected(claims: list[Claim], names: Any) -> list[Claim]:
    """In the place of ``select``."""
    return claims


def verdicts() -> Iterator[str]:
    """A row is as expected, and an audit of several passes, exactly where it should."""
    good = ROWS[0][1]
    put(auditing, all_claims=dict)
    for name, claim, expected in ROWS:
        yield from differs(f"{name}: as expected", examined(claim).as_expected, expected)
        for among in ([claim], [good, claim], [claim, good]):
            put(auditing, select=partial(selected, among))
            report = auditing.audit(size="quick", entropy=0)
            yield from differs(
                f"{name}, among {len(among)}: verdict", report["verdict"], "pass" if expected else "fail"
            )
    yield from unkilled(good)


def unkilled(good: Claim) -> Iterator[str]:
    """A named mutant that no claim of a paper kills fails the audit of the whole paper, and of nothing less."""
    put(
        auditing,
        select=partial(selected, [good]),
        mutants=lambda: {"self.alive": None},
        all_claims=lambda: {good.id: good},
    )
    report = auditing.audit(size="quick", entropy=0)
    yield from differs(
        "a mutant that nobody kills", (report["verdict"], report["mutants_without_killer"]), ("fail", ["self.alive"])
    )
    other = Claim("self.other", "", true, HOLDS, "", EXACT, CAUGHT, OURS)
    put(auditing, all_claims=lambda: {good.id: good, other.id: other})
    yield from differs("a part of a paper", auditing.audit(size="quick", entropy=0)["verdict"], "pass")
