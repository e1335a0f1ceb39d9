"""Dual values of exact problems: those of Problem.D, whatever is kept from one alpha to the next; and what a wrong
memory would show.
"""

import importlib
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.exact import arithmetic, chosen, computing_in
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.engines.dual_values import KEPT, ExactProblem, quick
from dualgap.proofs_checks.strategies.instances import one_step_sharp, paths_sharp
from dualgap.reference import L2, Interval, LinearSystem, Problem, Regularizer, Squared
from dualgap.reference.problem.losses import SmoothedHinge
from dualgap.reference.problem.pnorm import PNorm
from dualgap.reference.problem.weighted_problem import WeightedProblem

START = Instance((Qs("3/5", "4/5"), Qs(1, 0), Qs(0, 1)), Qs(1, -1, 2), Qs("1/2", -1, 0), Q(4, 3))
L1 = st.sampled_from(Qs(0, "1/100", "2/3", 5))


def plain(instance: Instance) -> Problem:
    return instance.problem(arithmetic())


@given(instance=one_step_sharp() | paths_sharp(), l1=L1)
def test_every_state_of_an_enumeration_has_the_dual_value_of_the_reference(instance: Instance, l1: Fraction) -> None:
    with computing_in(chosen()):
        c = Context(instance.but(l1=l1))
        assert type(c.problem) is ExactProblem
        problem, seen = plain(c.instance), []
        kept = c.expected(3, lambda w, alpha: seen.append((c.problem.D(alpha), problem.D(alpha))) or seen[-1][0])
        assert all(a == b and type(a) is type(b) is arithmetic() for a, b in seen) and kept == c.expected(
            3, lambda w, alpha: problem.D(alpha)
        )
        assert c.increases == [problem.D(s.alpha) - problem.D(c.alpha) for s in c.successors]


def held(own: ExactProblem) -> int:
    """How many conjugates are kept."""
    return sum(len(kept) for _, _, kept in own._table)


def test_what_is_kept_is_bounded_and_another_number_has_another_conjugate() -> None:
    own, problem, places = quick(START.problem()), START.problem(), set()
    for k in range(20 * KEPT):
        alpha = [Q(k, 7), Q(-k, 9), START.alpha[2]]
        places.add(id(alpha[0]))
        assert own.D(alpha) == problem.D(alpha) and held(own) <= KEPT + own.n
    assert len(places) < 20 * KEPT  # so the loop does hand out addresses again


def test_what_is_kept_is_used_and_a_single_new_coordinate_is_not_kept() -> None:
    own, asked, alpha = quick(START.problem()), [], list(START.alpha)
    right = own.loss.conjugate
    own.loss.conjugate = lambda alpha_i, y: asked.append(alpha_i) or right(alpha_i, y)
    # the first by both ways
    cases = [
        (alpha, 3 + 3),
        (alpha, 0),
        ([Q(3), *alpha[1:]], 1),
        ([alpha[0], Q(4), alpha[2]], 1),
        ([Q(5), Q(6), alpha[2]], 2),
    ]
    for changed, expected in cases:
        asked.clear()
        assert own.D(changed) == START.problem().D(changed) and len(asked) == expected
    assert held(own) == 5


def test_one_object_in_two_rows_has_a_conjugate_in_each() -> None:
    own, one = quick(START.problem()), Q(1)
    assert [own.D([one, one, one]) for _ in range(2)] == [START.problem().D([one, one, one])] * 2
    own._table = [(row, y, own._table[0][2]) for row, y, _ in own._table]
    own._forget()
    # the control: one memory for all rows
    assert [own.D([one, one, one]) for _ in range(2)] != [START.problem().D([one, one, one])] * 2


def test_another_regularizer_shares_the_conjugates_and_has_its_own_dual() -> None:
    own, problem = quick(START.problem()), START.problem()
    alpha = list(START.alpha)
    assert own.D(alpha) == problem.D(alpha)
    for changed in (
        lambda p: p.with_regularizer(L2(7)),
        lambda p: p.with_regularizer(Regularizer(7, "1/9")),
        lambda p: p.centred(Q(3), Qs(1, "-1/2")),
    ):
        assert changed(own).D(alpha) == changed(problem).D(alpha) != problem.D(alpha)
        assert changed(own)._table is own._table and type(changed(own)) is ExactProblem


def test_the_first_value_of_each_problem_is_held_against_the_reference(monkeypatch: pytest.MonkeyPatch) -> None:
    own, right = quick(START.problem()), Problem.D
    assert own.D(list(START.alpha)) == right(own, list(START.alpha))
    monkeypatch.setattr(Problem, "D", lambda self, alpha: right(self, alpha) + 1)
    for fresh in (quick(START.problem()), own.with_regularizer(L2(7))):
        with pytest.raises(ArithmeticError, match="by the reference's lines"):
            fresh.D(list(START.alpha))


def test_the_loss_itself_is_asked() -> None:
    own = quick(START.problem())
    right = own.loss.conjugate
    own.loss.conjugate = lambda alpha, y: right(alpha, y) + 1
    assert own.D(list(START.alpha)) == START.problem().D(list(START.alpha)) - 1


def test_what_is_refused_is_refused_in_the_same_words() -> None:
    problem = Problem([[1], [2]], [1, -1], SmoothedHinge(), L2(1), number=Fraction)
    for alpha in ([Q(1), Q(0)], [Q(0)], [Q(0)] * 3):
        words = []
        for p in (problem, quick(problem)):
            with pytest.raises(ValueError) as refusal:
                p.D(alpha)
            words.append(str(refusal.value))
        assert words[0] == words[1]
    assert quick(problem).D([Q(0), Q(1)]) == problem.D([Q(0), Q(1)])


@pytest.mark.needs("gmpy2")
def test_a_float_that_meets_an_exact_number_is_an_error_though_its_value_is_known() -> None:
    gmpy2 = importlib.import_module("gmpy2")
    with computing_in("mpq"):
        own = quick(Problem([["1/3"]], [1], Squared(), L2(1), number=gmpy2.mpq))
        _ = own.D([gmpy2.mpq(1, 2)])
        with pytest.raises(gmpy2.InexactResultError):
            own.D([0.5])


def test_what_is_no_problem_of_rationals_stays_itself() -> None:
    rows, y = [[1, 2], [3, 0]], [1, 2]
    others = (
        Problem(rows, y, Squared(), L2(1)),
        Problem(rows, y, Squared(), L2(1), number=Interval),
        LinearSystem(rows, y, Fraction),
        WeightedProblem(rows, y, Squared(), L2(1), [3, 1], number=Fraction),
    )
    assert all(quick(p) is p for p in others)
    ball = Problem(rows, y, Squared(), PNorm(1, 2), number=Fraction)  # another g*: the definition as it stands
    assert quick(ball).D(Qs(1, 2)) == ball.D(Qs(1, 2))
