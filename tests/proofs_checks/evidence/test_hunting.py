"""The search behind the draws finds what is rare, repeats itself, refutes nothing that is true, and makes it small."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import strategies as plain_strategies
from support import refuses

from dualgap.proofs_checks.auditing.audit import audit
from dualgap.proofs_checks.auditing.replay_file import number_to_json
from dualgap.proofs_checks.claims import drawing as st
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs, SystemInstance
from dualgap.proofs_checks.claims.origins import OURS
from dualgap.proofs_checks.claims.registry import CLAIMS, HOLDS, REFUTED, Claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Lt
from dualgap.proofs_checks.claims.run import Run
from dualgap.proofs_checks.cli.numbers import seconds
from dualgap.proofs_checks.evidence import hunting
from dualgap.proofs_checks.evidence.levels import Exact, golden
from dualgap.proofs_checks.evidence.regions import coverage
from dualgap.proofs_checks.report import claim_view


def six_digits():
    """One row of six digits."""
    return st.tuples(*[st.integers(0, 9)] * 6).map(lambda row: Instance((Qs(*row),), Qs(1), Qs(0), Q(1)))


def at_most(bound):
    """The claim that the sum of the row is at most ``bound``; 53 is exceeded on 1 of 10^6 rows, and 54 on none."""
    return Claim(
        "test.sum", "", lambda c: [Le(total(c), c.q(bound), "sum")], HOLDS, "", (Exact(six_digits),), None, OURS
    )


def total(context):
    return sum((context.q(x) for x in context.instance.rows[0]), context.q(0))


SUM_53 = Instance((Qs(9, 9, 9, 9, 9, 8),), Qs(1), Qs(0), Q(1))


@pytest.fixture(autouse=True)
def more_steps(monkeypatch):
    monkeypatch.setitem(hunting.STEPS, "default", (2000, 2000))


def test_what_is_rare_is_found_and_made_small():
    evidence = [level(at_most(52), Run(entropy=entropy)) for entropy in (1, 1, 2) for level in at_most(52).evidence]
    assert [e.violations for e in evidence] == [1, 1, 1]
    assert all(e.counterexample and sum(e.counterexample.rows[0]) == 53 for e in evidence)
    assert str(evidence[0]) == str(evidence[1]) and "steps of search" in str(evidence[0])


def test_it_is_the_tightness_that_leads_there(monkeypatch):
    monkeypatch.setattr(hunting.Search, "keep", lambda *given: None)  # the control: the same steps, each a new draw
    assert Exact(six_digits)(at_most(52), Run(entropy=1)).violations == 0


def test_a_strategy_of_hypothesis_alone_is_not_searched():
    strategy = plain_strategies.integers(0, 9).map(lambda x: Instance((Qs(x),), Qs(1), Qs(0), Q(1)))
    evidence = Exact(lambda: strategy)(at_most(9), Run(entropy=1))
    assert evidence.violations == 0 and evidence.instances > 0 and "search" not in str(evidence)


def test_what_is_true_is_not_refuted():
    evidence = Exact(six_digits)(at_most(54), Run(entropy=1))
    assert evidence.violations == 0 and evidence.detail.endswith("2000 steps of search, tightest ratio 1")


def test_a_claim_with_a_written_counterexample_is_not_searched():
    false = replace(at_most(52), expected=REFUTED)
    assert hunting.steps(false, Run()) > 0
    assert hunting.steps(replace(false, evidence=(*false.evidence, golden(SUM_53))), Run()) == 0
    assert hunting.steps(at_most(52), Run(problems=[])) == 0
    assert hunting.steps(at_most(52), Run(hunt=1.0)) == float("inf")


def test_levels_of_other_packages_claims_draw_more(monkeypatch):
    claim = replace(at_most(54), expected=REFUTED, evidence=[golden(SUM_53)])  # without a search
    assert Exact(six_digits)(claim, Run()).instances == 150
    monkeypatch.setattr(CLAIMS, "foreign", lambda: {claim.id: claim})
    assert [Exact(six_digits)(claim, Run(size)).instances for size in ("default", "quick")] == [300, 40]


@pytest.mark.parametrize(("floats", "tried"), [(True, 250), (False, 50)])
def test_five_instances_that_floats_decide_count_as_one_step(floats, tried):
    search = hunting.Search(at_most(60), None, six_digits(), Random(1), floats=floats)  # sums are at most 54
    assert search.found(50) is None and (search.tried, search.spent) == (tried, 50)


def test_floats_decide_nothing_that_is_near():
    claim, row = at_most(52), Instance((Qs(9, 9, 9, 9, 9, 8),), Qs(1), Qs(0), Q(1))
    search = hunting.Search.of(claim, Run(), six_digits())
    search.floats = True
    assert search.false(row) and search.rough(row) is None
    assert not search.false(row.but(rows=(Qs(9, 9, 9, 9, 9, 7),)))  # an equality: floats leave it to fractions
    assert search.rough(row.but(rows=(Qs(1, 0, 0, 0, 0, 0),))) is not None


@pytest.mark.parametrize(
    ("relation", "found"),
    [
        (Le(Q(3), Q(1), ""), 0.5),
        (Lt(Q(1), Q(3), ""), -0.5),
        (Le(Q(-1), Q(-3), ""), 0.5),
        (Eq(Q(1), Q(3), ""), 0.5),
        (Le(Q(0), Q(0), ""), None),
        (Le(Q(1), float("inf"), ""), None),
    ],
)
def test_excess(relation, found):
    assert relation.excess() == found


def test_seconds_are_read_and_refused():
    assert seconds("30s") == seconds("30") == 30
    refuses(ValueError, "30s", seconds, "-1s")
    refuses(ValueError, "hunt", audit, ["aspdc.a17"], hunt=-1.0)


def test_a_rational_of_more_digits_than_python_writes_has_its_length_in_a_file():
    assert number_to_json(Q(2**20_000 + 1, 2**20_000))["exact"] == "a rational of 20001 bits (~1)"
    assert number_to_json(Q(1, 3))["exact"] == "1/3"


def test_a_share_of_false_instances_is_missed_with_one_per_cent():
    assert (1 - claim_view.missed(300)) ** 300 == pytest.approx(0.01)
    assert claim_view.missed(300) == pytest.approx(0.0152, abs=1e-4)


def test_shrinking_begins_where_it_was_found():
    trail = tuple((9, 10) for _ in range(6))
    small, least = hunting.shrunk(six_digits(), lambda i: sum(i.rows[0]) >= 30, trail)
    assert least and sum(small.rows[0]) == 30
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(hunting, "SHRINKING", 3)
        assert hunting.shrunk(six_digits(), lambda i: sum(i.rows[0]) >= 30, trail)[1] is False


def test_regions_that_were_never_drawn_are_named():
    square = SystemInstance((Qs(1, 0, 0), Qs(0, 1, 0), Qs(0, 0, 0)), Qs(0, 0, 0), Qs(0, 0, 0), "kaczmarz")
    said = coverage([square])
    assert said["sizes"] == "3 x 3: 1"
    assert said["reached"] == "a zero row: 1, orthogonal rows: 1, as many rows as columns, at least 3: 1"
    assert said["never"].startswith("equal rows, parallel rows, norms that differ")
    assert coverage([object()]) == {}


def test_a_check_that_never_ends_in_floats_is_left_to_fractions(monkeypatch):
    monkeypatch.setattr(hunting, "LONGEST", 0.2)

    def check(c):
        x = c.q(Q(1, 3))
        while x * 3 != 1 or c.number is float:
            pass
        yield Le(total(c), c.q(54), "sum")

    search = hunting.Search.of(replace(at_most(54), check=check), Run(), six_digits())
    search.floats = True
    assert search.rough(Instance((Qs(1, 0, 0, 0, 0, 0),), Qs(1), Qs(0), Q(1))) is None and search.floats is False
