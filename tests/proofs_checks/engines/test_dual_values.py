"""Dual values and optima of small problems: exact where they are rational, enclosed where they are not."""

import importlib
import random
from fractions import Fraction

import pytest
from support import refuses

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.exact import computing_in
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.engines.dual_values import KEPT, ExactProblem, quick
from dualgap.proofs_checks.engines.enclosed_optimum import enclosed_optimum
from dualgap.proofs_checks.engines.optimum import exact_optimum, null_vector
from dualgap.reference import L2, LOSSES, ElasticNet, Interval, LinearSystem, Logistic, Problem, Regularizer, Squared
from dualgap.reference.numbers.interval import digits
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


def drawn(seed: int, loss: str, l1: str) -> Instance:
    """A small instance whose rows and labels coincide often, so that the dual is level along lines."""
    rng = random.Random(seed)
    n, d = rng.randint(1, 5), rng.randint(1, 3)
    rows = [tuple(Fraction(rng.randint(-3, 3), rng.randint(1, 2)) for _ in range(d)) for _ in range(n)]
    if n > 2:
        rows[1] = rows[0]
    y = tuple(Fraction(rng.choice((-1, 1)) if LOSSES[loss].margin else rng.randint(-2, 2)) for _ in rows)
    return Instance(
        tuple(rows), y, tuple(Q(0) for _ in rows), Q(rng.choice((1, 4)), rng.choice((1, 30))), loss=loss, l1=Q(l1)
    )


@pytest.mark.parametrize("l1", ["0", "1/3"])
@pytest.mark.parametrize("loss", [name for name, kind in LOSSES.items() if kind.rational])
def test_the_optimum_is_exact_and_no_other_pair_is_better(loss: str, l1: str) -> None:
    for seed in range(25):
        c, rng = Context(drawn(seed, loss, l1)), random.Random(seed)
        p, best = c.problem, c.optimum
        w = p.w(best)
        assert p.P(w) == p.D(best) == c.D_star, "no gap: both are optimal"
        for _ in range(5):
            assert p.P([w_j + Fraction(rng.randint(-2, 2), 7) for w_j in w]) >= c.D_star
        assert all(a.contains(b) for a, b in zip(Context(c.instance, number=Interval).optimum, best))


def test_the_exact_optimum_of_the_hinge_is_the_one_of_hand() -> None:
    """max(0, 1 - w)/2 + max(0, 1 - w)/2 + w^2/4 at w = 1: the slope of the loss is -1 below, w/2 = 1/2 above."""
    p = Problem([[1], [1]], [1, 1], LOSSES["hinge"](), L2("1/2"), number=Fraction)
    assert p.w(exact_optimum(p)) == [1] and sum(exact_optimum(p)) == -1, "alpha* is any pair with this sum"


def test_a_level_direction_of_a_singular_matrix_is_found_and_a_definite_one_has_none() -> None:
    matrix = [Qs(4, 2, 6), Qs(2, 1, 3), Qs(6, 3, 9)]
    p = null_vector([list(row) for row in matrix])
    assert any(p) and all(sum(a * b for a, b in zip(row, p)) == 0 for row in matrix)
    refuses(ArithmeticError, "not singular", lambda: null_vector([list(Qs(2, 1)), list(Qs(1, 2))]))


@pytest.mark.parametrize("l1", ["0", "1/3"])
def test_the_optimum_of_the_logistic_loss_is_enclosed_as_narrowly_as_is_asked_for(l1: str) -> None:
    for seed in range(6):
        for places in (20, 60):
            with digits(places):
                c = Context(drawn(seed, "logistic", l1), number=Interval)
                assert max(a.width() for a in c.optimum) < Fraction(1, 10 ** (places - 5))
                P, D = c.problem.P(c.problem.w(c.optimum)), c.D_star
                assert P.low <= D.high and D.low <= P.high, "P* = D*"
                assert c.D_star > c.problem.D([a * Q(9, 10) for a in c.optimum]), "and the maximum of D"


def test_the_enclosure_of_a_loss_that_has_an_exact_optimum_holds_it() -> None:
    for seed in range(10):
        given = drawn(seed, "squared", "1/3" if seed % 2 else "0")
        best = exact_optimum(given.problem())
        enclosed = enclosed_optimum(given.problem(Interval))
        assert all(a.contains(b) for a, b in zip(enclosed, best))
        shifted = [a + Fraction(1, 10**12) for a in best]
        assert not any(a.contains(b) for a, b in zip(enclosed, shifted)), "and nothing that is not near it"


def test_what_has_no_optimum_here_is_refused_by_name() -> None:
    refuses(ValueError, "float and squared", lambda: exact_optimum(Problem([[1]], [1], Squared(), L2(1))))
    for problem in (
        Problem([[1]], [1], Logistic(), L2(1)),
        Problem([[1]], [1], LOSSES["hinge"](), ElasticNet(1, 1), number=Interval),
        Problem([[1]], [1], Logistic(), PNorm(1, 2), number=Interval),
    ):
        refuses(ValueError, "smooth loss and L2 or the elastic net", enclosed_optimum, problem)
