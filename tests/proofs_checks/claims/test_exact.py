"""Exact contexts in gmpy2's mpq, and the further numbers of an instance."""

import importlib.util
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from pathlib import Path

import pytest
from support import by_day, refuses

from dualgap.proofs_checks.auditing.audit import audit
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.exact import chosen, computing_in
from dualgap.proofs_checks.claims.extra import Extra, further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.judge import judge, violates
from dualgap.proofs_checks.claims.registry import Claim, all_claims
from dualgap.proofs_checks.claims.relations import Le, Relation, show
from dualgap.proofs_checks.claims.run import Strategy, draw_instances
from dualgap.proofs_checks.evidence.levels import Exact, Golden
from dualgap.proofs_checks.papers.aspdc.instances import EQUAL_ROWS
from dualgap.reference import Interval, method
from dualgap.reference.numbers.rational import is_rational

NEEDED = pytest.mark.needs("gmpy2")
EACH = 2  # instances of each strategy


@cache
def drawn(strategy: Strategy) -> list[Instance]:
    return draw_instances(strategy(), EACH, 20)


def instances_of(claim: Claim) -> Iterable[Instance]:
    """Those written down, and a few of each strategy."""
    for level in claim.evidence:
        if isinstance(level, Golden):
            yield from level.instances[:EACH]
        elif isinstance(level, Exact):
            yield from drawn(level.strategy)


def seen(claim: Claim, instance: Instance, name: str) -> tuple[list[tuple[object, ...]], bool]:
    """Everything that a report or a file could show of the claim's relations."""
    with computing_in(name):
        verdict = judge(claim, Context(instance))
        return [
            (r.label, r.sign, side(r.left), side(r.right), side(r.trivial), r.holds(), r.tightness(), str(r))
            for r in verdict.relations
        ], verdict.vacuous


def side(value: object) -> tuple[str, object]:
    """Its spelling, and the number where that is exact."""
    return show(value), value if is_rational(type(value)) else None


PAPERS = sorted({claim.paper for claim in all_claims().values() if claim.kind != "implementation"})


@NEEDED
@pytest.mark.parametrize("paper", by_day(PAPERS, *(set(PAPERS) - {"spdc", "baselines", "aspdc", "adaspdc"})))
def test_every_relation_of_every_claim_is_the_same_in_both(paper: str) -> None:
    compared, differing = 0, []
    for claim in all_claims().values():
        if claim.paper != paper or claim.kind == "implementation":  # these compare bits of floats
            continue
        for instance in instances_of(claim):
            compared += 1
            if seen(claim, instance, "fraction") != seen(claim, instance, "mpq"):
                differing.append((claim.id, instance))
    assert compared >= 8 and not differing


@NEEDED
def test_the_report_and_its_files_are_the_same(tmp_path: Path) -> None:
    names, reports = ["pdcp.theorem", "aspdc.a17", "adaspdc.theorem-1", "sdca.theorem-1.slide", "pgs.definition-2"], {}
    for exact in ("fraction", "mpq"):
        report = audit(names, "quick", entropy=5, out=tmp_path / exact, exact=exact)
        rows = [
            {
                **row,
                "seconds": 0,
                "counterexample": row["counterexample"] and row["counterexample"].replace(f"/{exact}/", "/"),
            }
            for row in report["claims"]
        ]
        files = {path.name: path.read_bytes() for path in (tmp_path / exact).glob("counterexample-*.json")}
        reports[exact] = report["verdict"], rows, files
    assert reports["fraction"] == reports["mpq"] and reports["mpq"][0] == "pass" and reports["mpq"][2]


def with_check(check: Callable[[Context], Iterable[Relation]]) -> Claim:
    claim = all_claims()["aspdc.a17"]
    return type(claim)(**{**vars(claim), "check": check})


@NEEDED
def test_a_float_in_a_check_is_an_error_and_no_verdict() -> None:
    def rounded(c: Context) -> Iterable[Relation]:
        yield Le(0.1 * (c.gap / 3), c.gap, "rounds")

    def lossless(c: Context) -> Iterable[Relation]:
        yield Le(c.gap, c.gap * 0.5 + 1000, "does not round")

    with computing_in("mpq"):
        for check, kind in ((rounded, ArithmeticError), (lossless, TypeError)):
            with pytest.raises(kind):
                judge(with_check(check), Context(EQUAL_ROWS))
            with pytest.raises(kind):  # for a mutant, too: it would count as killed
                violates(with_check(check), EQUAL_ROWS, method("aspdc"))


def test_an_unknown_or_missing_arithmetic_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    refuses(ValueError, "exact must be one of fraction, mpq", audit, ["pdcp"], exact="float")
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert chosen() == "fraction" == chosen("fraction")
    refuses(ValueError, "needs gmpy2", chosen, "mpq")


ONE = Instance(rows=(Qs(1),), y=Qs(1), alpha=Qs(0), lam=Q(1))


@dataclass(frozen=True)
class Word(Extra):
    from_: str
    rest: Fraction | None = None
    often: int = 1


def test_records_side_by_side_are_read_each_as_its_own():
    extra = further(q=Q(1, 2)) | further(w=Qs(1, 2)) | Word("a")
    assert (extra.q, extra.w, extra[Word]) == (Q(1, 2), Qs(1, 2), Word("a"))
    assert Word in extra and not extra.has("horizon") and extra.get("horizon", 3) == 3 and extra.from_ == "a"
    assert list(extra.plain()) == ["q", "w", "from", "often"]  # no underscore, and nothing for what is None


def test_what_is_later_takes_the_place_of_what_was_there_and_but_changes_only_what_is_there():
    extra = further(q=Q(1, 2)) | further(w=Qs(1)) | further(q=Q(1, 3))
    assert extra.plain() == {"q": Q(1, 3), "w": Qs(1)} and extra == extra.but() == further(w=Qs(1)) | further(q=Q(1, 3))
    assert extra.but(w=Qs(2)).w == Qs(2) and extra.w == Qs(1)
    refuses(ValueError, "no extra number 'horizon'", extra.but, horizon=3)


@pytest.mark.parametrize(
    ("data", "kind", "words"),
    [
        ({}, Word, "lack 'from', which Word has"),
        ({"from": "a", "often": "5"}, Word, "'often' of the instance must be int"),
        ({"from": 3}, Word, "'from' of the instance must be str"),
    ],
)
def test_a_file_that_holds_something_else_is_refused_when_it_is_read_as_that(data, kind, words):
    instance = Instance.from_json({**ONE.to_json(), "extra": data})
    refuses(ValueError, words, lambda: instance.extra[kind])
    refuses(ValueError, words, lambda: Context(instance).extra(kind))


def test_a_context_has_its_rationals_in_its_own_number_and_counts_as_they_are():
    c = Context(ONE.but(extra=further(q=Q(1, 3)) | further(horizon=7) | further(w=Qs("1/3"))), number=Interval)
    assert type(c.given.q) is Interval and type(c.given.w[0]) is Interval
    assert c.given.horizon == 7 and type(c.given.horizon) is int
    assert c.instance.extra.q == Q(1, 3)
