"""Blocks x_i (x) I_K, compiled, repeat the reference bit for bit; their certificates are exact up to their rounding."""

import random
from fractions import Fraction

import numpy as np
import pytest
from scipy.sparse import csr_array
from support import bits, first_difference, refuses

from dualgap.fast import solve
from dualgap.fast.methods.specialized.block import BLOCK_KERNELS
from dualgap.fast.problem.block_objective import BlockObjective
from dualgap.fast.problem.certificate import Certificate
from dualgap.reference import (
    L2,
    BallHuber,
    BlockProblem,
    ElasticNet,
    Logistic,
    MulticlassSmoothedHinge,
    Separable,
    SmoothedHinge,
    Softmax,
    Squared,
    method,
)
from dualgap.reference.problem.block_losses import SimplexLoss

F = Fraction


BLOCK_LOSSES = [
    Separable(Squared("1/2")),
    Separable(SmoothedHinge()),
    MulticlassSmoothedHinge(),
    MulticlassSmoothedHinge("1/4"),
    BallHuber(),
    BallHuber("1/3"),
    Softmax(),
    Separable(Logistic()),
]


def block_problem(seed, loss):
    rng = np.random.default_rng(seed)
    n, features, K = int(rng.integers(1, 8)), int(rng.integers(1, 6)), int(rng.integers(2, 5))
    X = np.where(rng.random((n, features)) < 0.7, rng.standard_normal((n, features)) * rng.choice([0.1, 1, 5]), 0.0)
    X[:, 0] = 1.0
    targets = rng.standard_normal((n, K)) * 2
    b = (
        rng.integers(K, size=n)
        if isinstance(loss, SimplexLoss)
        else np.sign(targets)
        if loss.name in ("smoothed-hinge", "logistic")
        else targets
    )
    lam = float(10.0 ** rng.uniform(-2, 0))
    problem = BlockProblem.kronecker(
        csr_array(X) if seed % 2 else X, b, K, loss, L2(lam) if rng.random() < 0.5 else ElasticNet(lam, 0.05)
    )
    if seed % 5 == 0:
        problem = problem.centred(0.3, rng.standard_normal(problem.d).tolist())
    return rng, problem


@pytest.mark.parametrize("loss", BLOCK_LOSSES, ids=repr)
@pytest.mark.parametrize("name", sorted(BLOCK_KERNELS))
def test_compiled_blocks_have_the_bits_of_the_reference(name, loss):
    for seed in range(10):
        rng, problem = block_problem(seed, loss)
        m = min(problem.n, int(rng.integers(1, 3)))
        options = {} if name == "pdcp" else {"m": m}
        fast, reference = BLOCK_KERNELS[name](**options), method(name, **options)
        choices = [0] * 9 if name == "pdcp" else np.array([rng.permutation(problem.n)[:m] for _ in range(25)])
        expected = reference.run(problem, choices)
        got = fast.run(problem, choices[:7])
        fast.advance(problem, got, choices[7:])
        assert first_difference(expected, got) is None, (seed, name)
        w, alpha = fast.view(problem, got)
        objective, lists = BlockObjective(problem), (w.tolist(), alpha.tolist())
        assert bits(objective.P(w)) == bits(problem.P(lists[0]))
        assert bits(objective.D(alpha)) == bits(problem.D(lists[1]))
        assert bits(objective.gap(w, alpha)) == bits(problem.gap(*lists))
        Certificate(problem, w, alpha)  # raises ArithmeticError where primal - dual and gap are apart


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
    monkeypatch.setattr(BlockObjective, "z", lambda self, w: z(self, w) * (1 + 1e-9))
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
    with pytest.raises(ValueError, match="read-only"):
        Certificate(problem, w, alpha).alpha[0, 0] = 1.0


@pytest.mark.parametrize("name", ["auto", *sorted(BLOCK_KERNELS)])
def test_both_backends_solve_a_block_problem_with_the_same_bits(name):
    _, problem = block_problem(4, MulticlassSmoothedHinge())
    one, two = (solve(problem, name, tol=1e-9, backend=backend, max_epochs=3000) for backend in ("fast", "reference"))
    assert one.status == "converged" and one.method == (name if name != "auto" else "adaspdc-r")
    assert (one.gap, one.epochs) == (two.gap, two.epochs)
    assert bits(one.w) == bits(two.w) and bits(one.alpha) == bits(two.alpha)


def test_blocks_of_other_shapes_are_solved_by_the_reference_backend_and_certified():
    problem = BlockProblem([[[3.0, 0], [0, 4]], [[1], [0]]], [[1, -1], [2]], Separable(Squared()), L2("1/2"))
    result = solve(problem, "auto", backend="reference", tol=1e-10)
    assert result.status == "converged" and [len(part) for part in result.alpha] == [2, 1]
    refuses(ValueError, 'backend="reference"', solve, problem, "auto")
    for backend in ("fast", "reference"):
        refuses(ValueError, "adaspdc-r, pdcp or auto", solve, problem, "sdca", backend=backend)


def test_blocks_that_are_all_zero_are_solved_at_once():
    problem = BlockProblem.kronecker([[0.0], [0.0]], [0, 1], 2, MulticlassSmoothedHinge(), L2(1))
    assert solve(problem, "adaspdc-r", max_epochs=0, tol=0).gap == 0
