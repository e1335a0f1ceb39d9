"""Statements whose status is known beforehand, on every level of evidence, with every kind of control.

Each function says what the checkers say wrongly: nothing, where none of them is blind.
"""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from functools import partial
from itertools import islice
from random import Random
from typing import Any

from hypothesis import strategies as st
from hypothesis.strategies import SearchStrategy

from dualgap.proofs_checks.auditing import audit as auditing
from dualgap.proofs_checks.claims import drawing
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Instance, Q
from dualgap.proofs_checks.claims.origins import OURS
from dualgap.proofs_checks.claims.registry import Claim, Control, Evidence, Source
from dualgap.proofs_checks.claims.relations import Eq, Le, Lt, Relation, Same
from dualgap.proofs_checks.claims.result import ClaimResult, Counts
from dualgap.proofs_checks.claims.run import Run
from dualgap.proofs_checks.evidence import hunting
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
from dualgap.proofs_checks.self_audit.saying import differs, put
from dualgap.reference import Interval
from dualgap.reference.methods.aspdc import ASPDC
from dualgap.reference.numbers.interval import Undecided

Check = Callable[[Context], Iterable[Relation]]
COUNT = 6


INSTANCES = tuple(
    Instance(rows=((Q(1),),), y=(Q(1),), alpha=(Q(0),), lam=Q(1), extra=further(k=k)) for k in range(COUNT)
)


def instances() -> SearchStrategy[Instance]:
    """All of INSTANCES: so few that a search meets every one."""
    return st.sampled_from(INSTANCES)


LEVELS: dict[str, Source] = {
    "EXACT": exact(instances),
    "EXACT, golden": golden(*INSTANCES),
    "ENUMERATED": Enumerated(instances, 1),
    "ENCLOSED": enclosed(instances, 1),
}


def says(*relations: tuple[Any, ...]) -> Check:
    """A check of these relations between constants: (left, its kind, right), and what is trivial where it is given."""

    def check(c: Context) -> Iterator[Relation]:
        for left, kind, right, *trivial in relations:
            yield kind(c.q(left), c.q(right), f"{left} {SIGNS[kind]} {right}", *map(c.q, trivial))

    return check


def on(k: int, check: Check, other: Check) -> Check:
    """The check on the instance of that number, the other one elsewhere."""
    return lambda c: (check if c.instance.extra.k == k else other)(c)


def exactly(check: Check, in_intervals: Check) -> Check:
    """The check in Fractions, the other one in intervals."""
    return lambda c: (check if c.number is Fraction else in_intervals)(c)


def undecidable(c: Context) -> Iterator[Relation]:
    """3 (1/3) == 1 in intervals: true, and no digits can tell."""
    yield Eq(Interval(Fraction(1, 3)) * 3, 1, "3 (1/3) == 1")


SIGNS = {Le: "<=", Lt: "<", Eq: "==", Same: "is"}
NOTHING, ZERO, TRUE, FALSE = says(), says((0, Le, 0)), says((1, Le, 2)), says((2, Le, 1))
CAUGHT = Control("always caught", lambda claim, run: True)
HOLDS, REFUTED, OPEN, UNDECIDED, VACUOUS, ERROR = "HOLDS", "REFUTED", "OPEN", "UNDECIDED", "VACUOUS", "ERROR"
STATEMENTS: dict[str, tuple[Check, str, int, int]] = {  # name: (check, status, violations, vacuous)
    "no relation": (NOTHING, VACUOUS, 0, COUNT),
    "0 <= 0": (ZERO, VACUOUS, 0, COUNT),
    "0 == 0 and a bound above trivial": (says((0, Eq, 0), (1, Le, 3, 2)), VACUOUS, 0, COUNT),
    "bound above trivial": (says((1, Le, 3, 2)), VACUOUS, 0, COUNT),
    "bound equal to trivial": (says((1, Le, 2, 2)), VACUOUS, 0, COUNT),
    "bound below trivial": (says((1, Le, 2, 3)), HOLDS, 0, 0),
    "1 <= 2": (TRUE, HOLDS, 0, 0),
    "1 <= 2 after 0 <= 0": (says((0, Le, 0), (1, Le, 2)), HOLDS, 0, 0),
    "vacuous except for one": (on(3, TRUE, NOTHING), HOLDS, 0, COUNT - 1),
    "one violation among many": (on(3, FALSE, TRUE), REFUTED, 1, 0),
    "one violation, the rest vacuous": (on(3, FALSE, NOTHING), REFUTED, 1, COUNT - 1),
    "the second relation false": (says((1, Le, 2), (2, Le, 1)), REFUTED, COUNT, 0),
    "all violated": (FALSE, REFUTED, COUNT, 0),
    "1 < 1": (says((1, Lt, 1)), REFUTED, COUNT, 0),
    "1 == 2": (says((1, Eq, 2)), REFUTED, COUNT, 0),
    "2 == 1": (says((2, Eq, 1)), REFUTED, COUNT, 0),
    "1 and 2 the same": (says((1, Same, 2)), REFUTED, COUNT, 0),
}
IN_INTERVALS: dict[str, tuple[Check, str, int, int]] = {  # (check, status, violations, undecided)
    "undecided": (undecidable, UNDECIDED, 0, COUNT),
    "undecided or vacuous": (on(0, undecidable, NOTHING), UNDECIDED, 0, 1),
    "undecided except for one": (on(3, TRUE, undecidable), HOLDS, 0, COUNT - 1),
    "undecided except for one violation": (on(3, FALSE, undecidable), REFUTED, 1, COUNT - 1),
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
    """Audit it. The counterexample is not shrunk, because that takes time and decides nothing."""
    put(evidence, smallest=lambda strategy, bad, seed_value: None)
    return auditing.examine_claim(claim, Run("quick", 0), None)


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
            got = row.status, row.counts.violations, row.counts.undecided, row.counts.instances
            yield from differs(f"{level}: {name}", got, (status, violations, undecided, COUNT))
        yield from differs(f"{level}: broken", examined(claim_of(broken, [source])).status, ERROR)


# -- from evidence to status -------------------------------------------------------------------------------------------


def seven(level: str, violations: int = 0, vacuous: int = 0, undecided: int = 0) -> Evidence:
    """Return the result of a level on seven instances."""
    return Evidence(level, 7, violations, vacuous, undecided)


SEVEN, ALL_VACUOUS, ALL_UNDECIDED = seven("EXACT"), seven("EXACT", vacuous=7), seven("ENCLOSED", undecided=7)
VIOLATED = seven("ENCLOSED", violations=1)
COUNTS: tuple[tuple[Evidence, bool], ...] = (
    (SEVEN, True),
    (seven("ENCLOSED", vacuous=6), True),
    (seven("ENUMERATED", vacuous=3, undecided=3), True),
    (Evidence("PROVED", 1), True),
    (Evidence("FORMAL(coq 8.16.1)", 1), True),
    (seven("NOT-REFUTED"), False),
    (seven("SKIPPED(no coqc)"), False),
    (seven("SEARCHED"), False),
    (seven("ENCLOSED", vacuous=3, undecided=4), False),
    (ALL_VACUOUS, False),
    (ALL_UNDECIDED, False),
    (Evidence("EXACT", 0), False),
)
STATUSES: tuple[tuple[str, list[Evidence], str, str], ...] = (  # name, evidence, expected, status
    ("no evidence", [], HOLDS, VACUOUS),
    ("NOT-REFUTED alone", [seven("NOT-REFUTED")], HOLDS, VACUOUS),
    ("SKIPPED alone", [Evidence("SKIPPED(no coqc)")], HOLDS, VACUOUS),
    ("SEARCHED alone", [seven("SEARCHED")], HOLDS, VACUOUS),
    ("SEARCHED alone, OPEN expected", [seven("SEARCHED")], OPEN, OPEN),
    ("NOT-REFUTED alone, OPEN expected", [seven("NOT-REFUTED")], OPEN, VACUOUS),
    ("vacuous alone", [ALL_VACUOUS], HOLDS, VACUOUS),
    ("undecided and vacuous", [ALL_VACUOUS, ALL_UNDECIDED], HOLDS, UNDECIDED),
    ("one level that counts", [ALL_VACUOUS, ALL_UNDECIDED, SEVEN], HOLDS, HOLDS),
    ("one level that counts, OPEN expected", [SEVEN], OPEN, OPEN),
    ("one level that counts, REFUTED expected", [SEVEN], REFUTED, HOLDS),
    ("REFUTED by one level among several", [SEVEN, VIOLATED, SEVEN], HOLDS, REFUTED),
    ("REFUTED by the first level", [VIOLATED, SEVEN], HOLDS, REFUTED),
    ("REFUTED by statistics alone", [SEVEN, seven("NOT-REFUTED", violations=1)], HOLDS, REFUTED),
    ("REFUTED, OPEN expected", [VIOLATED], OPEN, REFUTED),
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
        yield from differs(name, auditing.status_of(claim_of(NOTHING, [], expected), found), status)


# -- controls and the verdict ------------------------------------------------------------------------------------------

FIRST, LAST = INSTANCES[0], INSTANCES[-1]
EXACT, INTERVALS = (LEVELS["EXACT"],), (LEVELS["ENCLOSED"],)


def undecided(c: Context) -> Iterator[Relation]:
    """Decided by no digits."""
    raise Undecided("whatever the digits")
    yield


def broken(c: Context) -> Iterator[Relation]:
    """Raises after a relation that holds."""
    yield from TRUE(c)
    raise ZeroDivisionError


def true_of_aspdc(c: Context) -> Iterator[Relation]:
    """1 <= 2, and an error for another method."""
    if type(c.method) is not ASPDC:
        raise ValueError("not in intervals")
    yield from TRUE(c)


YES, NO = Control("yes", lambda claim, run: True), Control("no", lambda claim, run: False)
FIRST_ONLY, BOTH = fails_on(FIRST, text=""), fails_on(FIRST, LAST, text="")
SOMEWHERE, FOR_BUG = fails_somewhere(instances, ""), fails_for("aspdc.half-step", instances)
FALSE_AT_0, TRUE_AT_0, WRONG = on(0, FALSE, TRUE), on(0, TRUE, ZERO), exactly(FALSE, TRUE)  # WRONG: true in intervals
CONTROLS: tuple[tuple[str, Check, tuple[Source, ...], Control | None, str], ...] = (
    ("no control", TRUE, EXACT, None, "none"),
    ("fails_on, false on both", FALSE, EXACT, BOTH, "caught"),
    ("fails_on, false on one", FALSE_AT_0, EXACT, BOTH, "missed"),
    ("fails_on, true", TRUE, EXACT, FIRST_ONLY, "missed"),
    ("fails_somewhere, false on one", FALSE_AT_0, EXACT, SOMEWHERE, "caught"),
    ("fails_somewhere, true", TRUE, EXACT, SOMEWHERE, "missed"),
    ("fails_for, a mutant that the check cannot see", TRUE, EXACT, FOR_BUG, "missed"),
    ("fails_for, false", FALSE, EXACT, FOR_BUG, "caught"),
    ("holds_on, true on both", TRUE, EXACT, holds_on(FIRST, LAST, text=""), "caught"),
    ("holds_on, false on one", FALSE_AT_0, EXACT, holds_on(FIRST, LAST, text=""), "missed"),
    ("holds_on, 0 <= 0", ZERO, EXACT, holds_on(FIRST, text=""), "vacuous"),
    ("holds_on, no relation", NOTHING, EXACT, holds_on(FIRST, text=""), "vacuous"),
    ("altered, false on both", TRUE, EXACT, altered("", FALSE, FIRST, LAST), "caught"),
    ("altered, false on one", TRUE, EXACT, altered("", FALSE_AT_0, FIRST, LAST), "missed"),
    ("altered, true", TRUE, EXACT, altered("", TRUE, FIRST), "missed"),
    ("altered, no relation", TRUE, EXACT, altered("", NOTHING, FIRST), "vacuous"),
    ("altered, 0 <= 0", TRUE, EXACT, altered("", ZERO, FIRST), "vacuous"),
    ("altered, no instance", TRUE, EXACT, altered("", FALSE), "vacuous"),
    ("altered, true on one and no relation on the other", TRUE, EXACT, altered("", TRUE_AT_0, FIRST, LAST), "missed"),
    ("fails_on, no instance", FALSE, EXACT, fails_on(text=""), "vacuous"),
    ("fails_on, 0 <= 0", ZERO, EXACT, FIRST_ONLY, "vacuous"),
    ("fails_somewhere, 0 <= 0", ZERO, EXACT, SOMEWHERE, "vacuous"),
    ("fails_somewhere, true on one", TRUE_AT_0, EXACT, SOMEWHERE, "missed"),
    ("fails_for, 0 <= 0", ZERO, EXACT, FOR_BUG, "vacuous"),
    ("holds_on, no instance", TRUE, EXACT, holds_on(text=""), "vacuous"),
    ("all_of, none", TRUE, EXACT, all_of(), "vacuous"),
    ("all_of, one vacuous", FALSE, EXACT, all_of(YES, fails_on(text="")), "vacuous"),
    ("all_of, one missed", TRUE, EXACT, all_of(YES, NO, YES), "missed"),
    ("all_of, all caught", TRUE, EXACT, all_of(YES, YES), "caught"),
    ("in intervals, false", FALSE, INTERVALS, FIRST_ONLY, "caught"),
    ("in intervals, true there alone", WRONG, INTERVALS, FIRST_ONLY, "missed"),
    ("in intervals, undecided there", exactly(FALSE, undecided), INTERVALS, FIRST_ONLY, "missed"),
    ("in intervals, somewhere true there alone", WRONG, INTERVALS, SOMEWHERE, "missed"),
    ("in intervals, for a mutant true there alone", WRONG, INTERVALS, FOR_BUG, "missed"),
    ("in intervals, for a mutant that breaks there", exactly(FALSE, true_of_aspdc), INTERVALS, FOR_BUG, "missed"),
    ("in intervals, altered true there alone", TRUE, INTERVALS, altered("", WRONG, FIRST), "missed"),
    ("in intervals, altered undecided there", TRUE, INTERVALS, altered("", exactly(FALSE, undecided), FIRST), "missed"),
    ("in intervals, with another level", WRONG, (*EXACT, *INTERVALS), FIRST_ONLY, "missed"),
)


def controls() -> Iterator[str]:
    """Every kind of control where it must be caught, and where it must not."""
    for name, check, sources, control, expected in CONTROLS:
        yield from differs(name, examined(claim_of(check, sources, control=control)).control.outcome, expected)


ROWS: tuple[tuple[str, Claim, bool], ...] = (
    ("as it should be", claim_of(TRUE, EXACT), True),
    ("REFUTED as expected", claim_of(FALSE, EXACT, REFUTED), True),
    ("a false statement", claim_of(FALSE, EXACT), False),
    ("a true statement expected false", claim_of(TRUE, EXACT, REFUTED), False),
    ("a statement that says nothing", claim_of(ZERO, EXACT), False),
    ("a control that was missed", claim_of(TRUE, EXACT, control=NO), False),
    ("no control", claim_of(TRUE, EXACT, control=None), False),
    ("a kill that did not happen", claim_of(TRUE, EXACT, kills=("aspdc.half-step",)), False),
    ("a check that breaks", claim_of(broken, EXACT), False),
    ("a check that breaks, after a level that held", claim_of(on(0, TRUE, broken), (golden(FIRST), *EXACT)), False),
)


def selected(claims: list[Claim], names: object) -> list[Claim]:
    """Instead of ``select``."""
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
        "a mutant that no check kills", (report["verdict"], report["mutants_without_killer"]), ("fail", ["self.alive"])
    )
    other = Claim("self.other", "", TRUE, HOLDS, "", EXACT, CAUGHT, OURS)
    put(auditing, all_claims=lambda: {good.id: good, other.id: other})
    yield from differs("a part of a paper", auditing.audit(size="quick", entropy=0)["verdict"], "pass")


def six_digits() -> SearchStrategy[Instance]:
    """Draw one row of six digits."""
    row = drawing.tuples(*[drawing.integers(0, 9)] * 6)
    return row.map(lambda drawn: Instance((tuple(map(Q, drawn)),), (Q(1),), (Q(0),), Q(1)))


def rare() -> Iterator[str]:
    """Return whether the search finds one of the 7 rows of 10^6 that violate a claim, and makes it small; none is
    drawn."""

    def check(context: Context) -> Iterable[Relation]:
        yield Le(sum((context.q(x) for x in context.instance.rows[0]), context.q(0)), context.q(52), "sum")

    claim = Claim("self.rare", "", check, "HOLDS", "", (), None, OURS)
    search = hunting.Search(claim, None, six_digits(), Random(1))
    for instance, trail in islice(drawing.traced(six_digits(), 1), 300):
        search.keep(tuple(check(Context(instance))), trail)
    found = search.found(2000)
    if found is None:
        yield "a rare counterexample is not found"
    else:
        small, _ = hunting.shrunk(six_digits(), search.false, found[1])
        yield from differs("the sum of a rare counterexample", sum(small.rows[0]), 53)
