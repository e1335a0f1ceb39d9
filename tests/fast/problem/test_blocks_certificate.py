"""Certificates of block problems are exact up to their rounding, and the reference backend solves them."""

import random
from fractions import Fraction

import numpy as np
import pytest
from support import refuses

from dualgap.fast import solve
from dualgap.fast.problem.block_objective import BlockObjective
from dualgap.fast.problem.certificate import Certificate
from dualgap.reference import L2, BlockProblem, ElasticNet, MulticlassSmoothedHinge, Separable, Squared

F = Fraction


def exact_pair(seed, simplex):
    """A dyadic pair, the problem in Fractions and the same in floats."""
    rng = random.Random(seed)
    n, features, K = rng.randint(1, 5), rng.randint(1, 4), rng.randint(2, 5)
    X = [[rng.gauss(0, 3) for _ in range(features)] for _ in range(n)]
    b = [rng.randrange(K) if simplex else [rng.gauss(0, 1) for _ in range(K)] for _ in range(n)]
    loss = MulticlassSmoothedHinge(rng.choice([1, F(1, 4)])) if simplex else Separable(Squared())
    copies = [
        BlockProblem.kronecker(X, b, K, loss, ElasticNet(F(1, 8), F(1, 16)), number=number)
        for number in (Fraction, float)
    ]
    alpha = []
    for c in b:
        cuts = sorted(rng.randint(0, 64) for _ in range(K - 1))
        parts = [F(high - low, 64) for low, high in zip([0, *cuts], [*cuts, 64])]
        alpha.append([part - (k == c) if simplex else part * rng.choice([1, -3]) for k, part in enumerate(parts)])
    return *copies, [F(rng.gauss(0, 1)) for _ in range(features * K)], alpha


@pytest.mark.parametrize("simplex", [True, False])
def test_certificates_of_blocks_are_exact_up_to_their_rounding(simplex):
    """P and D are off by at most ``rounding``, which is a bound for their difference's parts too; the gap by less."""
    for seed in range(60):
        exact, problem, w, alpha = exact_pair(seed, simplex)
        found = Certificate(problem, [float(x) for x in w], [[float(a) for a in part] for part in alpha])
        assert abs(F(found.primal) - exact.P(w)) <= found.rounding
        assert abs(F(found.dual) - exact.D(alpha)) <= found.rounding
        assert (
            abs(F(found.gap) - exact.gap(w, alpha))
            <= found.rounding
            <= 1e-9 * (1 + abs(found.primal) + abs(found.dual))
        )


@pytest.mark.parametrize("simplex", [True, False])
@pytest.mark.parametrize("kronecker", [True, False])
def test_the_gap_bound_of_blocks_is_not_below_the_exact_gap(simplex, kronecker):
    """Equal rows of opposite weights at scales up to 2^40, and w = w(alpha) as floats have it."""
    for seed in range(40):
        rng = random.Random(seed)
        scale, K = 2.0 ** rng.choice([0, 10, 27, 40]), rng.randint(2, 4)
        half = [[rng.gauss(0, 1) * scale for _ in range(2)] for _ in range(2)]
        X, b = (
            half + half + [[1.0, 0.5]],
            [rng.randrange(K) if simplex else [rng.gauss(0, 1) for _ in range(K)] for _ in range(5)],
        )
        loss = MulticlassSmoothedHinge(1) if simplex else Separable(Squared())
        lam, make = F(10.0 ** rng.randrange(-6, 1)), BlockProblem.kronecker
        given = (X, b, K, loss, ElasticNet(lam, F(1, 16)))
        if not kronecker:
            given, make = (
                ([np.kron(np.array(row)[:, None], np.eye(K)).tolist() for row in X], b, *given[3:]),
                BlockProblem,
            )
        problem, exact = make(*given), make(*given, number=Fraction)
        alpha = [[rng.gauss(0, 1) for _ in range(K)] for _ in b]
        if simplex:  # beta = 1/4 of the next class and 3/4 of its own
            alpha = [[0.25 * ((k == (c + 1) % K) - (k == c)) for k in range(K)] for c in b]
        w = BlockObjective(problem).w(BlockObjective(problem).require_alpha(alpha))
        expected = exact.P([F(x) for x in w]) - exact.D([[F(a) for a in part] for part in alpha])
        for compensated in (False, True):
            assert F(Certificate(problem, w, alpha, compensated).gap_bound) >= expected


def test_a_certificate_of_blocks_notices_a_wrong_product(monkeypatch):
    """Control: z off by 1e-9 of itself is no rounding."""
    _, problem, w, alpha = exact_pair(0, True)
    pair = ([float(x) for x in w], [[float(a) for a in part] for part in alpha])
    Certificate(problem, *pair)
    z = BlockObjective.z
    monkeypatch.setattr(BlockObjective, "z", lambda self, w: [tuple(x * (1 + 1e-9) for x in z_i) for z_i in z(self, w)])
    refuses(ArithmeticError, "mistake in dualgap", Certificate, problem, *pair)


def test_a_certificate_of_blocks_refuses_what_is_no_pair():
    _, problem, w, alpha = exact_pair(3, True)
    w, alpha = [float(x) for x in w], np.array([[float(a) for a in part] for part in alpha])
    for wrong, words in (
        (alpha[:, :1], r"alpha\[0\] must be a list"),
        (alpha + 0.5, "outside the domain"),
        (alpha * np.nan, "finite"),
    ):
        refuses(ValueError, words, Certificate, problem, w, wrong)


def test_blocks_of_other_shapes_are_solved_by_the_reference_backend_and_certified():
    problem = BlockProblem([[[3.0, 0], [0, 4]], [[1], [0]]], [[1, -1], [2]], Separable(Squared()), L2("1/2"))
    result = solve(problem, "auto", backend="reference", tol=1e-10)
    assert result.status == "converged" and [len(part) for part in result.alpha] == [2, 1]
    refuses(ValueError, 'backend="reference"', solve, problem, "auto")
    refuses(ValueError, "adaspdc-r, pdcp or auto", solve, problem, "sdca", backend="reference")


def test_blocks_that_are_all_zero_are_solved_at_once():
    problem = BlockProblem.kronecker([[0.0], [0.0]], [0, 1], 2, MulticlassSmoothedHinge(), L2(1))
    assert solve(problem, "adaspdc-r", max_epochs=0, tol=0, backend="reference").gap == 0
