"""Optima of small problems, exactly."""

import random
from fractions import Fraction

import pytest
from support import refuses

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.engines.optimum import exact_optimum, null_vector
from dualgap.reference import L2, LOSSES, Interval, Problem, Squared

START = Instance((Qs("3/5", "4/5"), Qs(1, 0), Qs(0, 1)), Qs(1, -1, 2), Qs("1/2", -1, 0), Q(4, 3))


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


def test_what_has_no_optimum_here_is_refused_by_name() -> None:
    refuses(ValueError, "float and squared", lambda: exact_optimum(Problem([[1]], [1], Squared(), L2(1))))
    logistic = Context(Instance((Qs(1),), Qs(1), Qs(0), Q(1), loss="logistic"), number=Interval)
    refuses(ValueError, "logistic", lambda: logistic.optimum)
