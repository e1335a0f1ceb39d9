"""Dual values of exact problems: what is kept is bounded and used, and what is refused is refused as by ``Problem.D``.

That every value is that of ``Problem.D`` is checked by ``audit --self`` (``self_audit.engines.dual_values``).
"""

import importlib
from fractions import Fraction

import pytest

from dualgap.proofs_checks.claims.exact import computing_in
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.engines.dual_values import KEPT, ExactProblem, quick
from dualgap.reference import L2, Interval, LinearSystem, Problem, Regularizer, Squared
from dualgap.reference.problem.losses import SmoothedHinge
from dualgap.reference.problem.pnorm import PNorm
from dualgap.reference.problem.weighted_problem import WeightedProblem

START = Instance((Qs("3/5", "4/5"), Qs(1, 0), Qs(0, 1)), Qs(1, -1, 2), Qs("1/2", -1, 0), Q(4, 3))


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
