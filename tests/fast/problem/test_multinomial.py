"""Certificates of multinomial problems: the bound against P - D of the alpha' of the module's docstring, which is made
in rationals, with logarithms and exponentials of 80 digits.
"""

import math
from decimal import Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from scipy.sparse import csr_array
from scipy.special import softmax
from support import refuses

from dualgap.fast import Certificate, solve
from dualgap.fast.problem import multinomial
from dualgap.fast.problem.multinomial import MultinomialProblem, connectivity
from dualgap.reference import L2, BlockProblem, ElasticNet, NonNegative, Softmax
from dualgap.reference.problem.pnorm import PNorm

F = Fraction
RNG = np.random.default_rng(2)
X, CODES, WEIGHTS = RNG.normal(size=(40, 4)), RNG.integers(0, 3, 40), RNG.choice([0.5, 1.0, 3.0], 40)


def dual_of(z, y):
    """p - e_y in the domain, as the solver makes it."""
    alpha = softmax(z, axis=1)
    rows = np.arange(len(y))
    alpha[rows, y] = 0.0
    alpha[rows, y] = -np.minimum(alpha.sum(axis=1), 1.0)
    return alpha


def decimal(x):
    return Decimal(x.numerator) / Decimal(x.denominator)


def solved(rows, right):
    """The solution of a square system of Fractions, by elimination."""
    table = [[*row, b] for row, b in zip(rows, right)]
    for j in range(len(table)):
        pivot = next(i for i in range(j, len(table)) if table[i][j] != 0)
        table[j], table[pivot] = table[pivot], table[j]
        table[j] = [x / table[j][j] for x in table[j]]
        for i in range(len(table)):
            if i != j:
                table[i] = [x - table[i][j] * t for x, t in zip(table[i], table[j])]
    return [row[-1] for row in table]


def feasible(problem, alpha):
    """beta' in rationals: rows of sum 1, and with free intercepts C = 0."""
    K, y = problem.classes, problem.own_objective().y
    s = [F(w) for w in problem.weights]
    beta = [[F(a) + (c == y_i) for c, a in enumerate(row)] for row, y_i in zip(alpha.tolist(), y)]
    beta = [[b / sum(row) for b in row] for row in beta]
    if not problem.free:
        return beta
    C = [sum(s_i * (row[c] - (c == y_i)) for s_i, row, y_i in zip(s, beta, y)) for c in range(K)]
    H = [[sum(s_i * row[c] * ((c == m) - row[m]) for s_i, row in zip(s, beta)) for m in range(K)] for c in range(K)]
    e = solved([*H[:-1], [F(1)] * K], [*(-x for x in C[:-1]), F(0)])  # the rows of H sum up to 0
    beta = [[b * (1 + e_c - sum(x * t for x, t in zip(row, e))) for b, e_c in zip(row, e)] for row in beta]
    assert all(sum(s_i * (row[c] - (c == y_i)) for s_i, row, y_i in zip(s, beta, y)) == 0 for c in range(K))
    return beta if all(b >= 0 for row in beta for b in row) else None


def exact_gap(problem, w, b, alpha):
    """P(W, b) - D(alpha') to 80 digits; None where alpha' is not in the domain."""
    beta = feasible(problem, alpha)
    if beta is None:
        return None
    K, y, rows = problem.classes, problem.own_objective().y, problem.rows
    s, g, total = [F(t) for t in problem.weights], problem.regularizer.over(F), Decimal(0)
    S, w = sum(s), [F(x) for x in w.tolist()]
    u = [F(0)] * len(w)
    with localcontext(prec=80, Emax=10**15, Emin=-(10**15)):
        for s_i, row, y_i, beta_i in zip(s, rows, y, beta):
            z = [sum((F(x) * w[j * K + c] for j, x in row), F(b[c])) for c in range(K)]
            top = max(z)
            log_sum = sum(decimal(t - top).exp() for t in z).ln() + decimal(top - z[y_i])
            star = sum((decimal(t) * decimal(t).ln() for t in beta_i if t), Decimal(0))
            total += decimal(s_i / S) * (log_sum + star)
            for j, x in row:
                for c in range(K):
                    u[j * K + c] += s_i / S * F(x) * (beta_i[c] - (c == y_i))
        return total + decimal(g.value(w) + g.conjugate([-t for t in u]))


def hostile(rng):
    """A problem and a pair: near a minimum, far from it, saturated, with columns and weights of distant scales."""
    n, d, K = int(rng.integers(4, 12)), int(rng.integers(1, 4)), int(rng.integers(2, 5))
    y = np.append(np.arange(K), rng.integers(0, K, n))
    rows = rng.normal(size=(n + K, d)) * 2.0 ** rng.choice([0, 0, 0, 20, -20, 60], d)
    weights = None if rng.random() < 0.5 else 2.0 ** rng.choice([0, 1, -3, 30], n + K)
    lam, l1 = float(10.0 ** rng.choice([0, -2, -6])), float(rng.choice([0.0, 0.0, 0.1]))
    g = (NonNegative if rng.random() < 0.2 else ElasticNet)(lam, l1)
    problem = MultinomialProblem(rows, y, K, g, weights, bool(rng.random() < 0.6))
    w, b = rng.normal(size=d * K) * 2.0 ** rng.choice([0, -10, 5]), rng.normal(size=K)
    w = np.abs(w) if isinstance(g, NonNegative) else w
    if rng.random() < 0.7 and type(g) is ElasticNet and not l1:
        found = solve(problem, tol=float(rng.choice([1e-6, 1e-30])), max_epochs=30)
        w, b = found.w, found.intercept
    objective = problem.own_objective()
    b = b if problem.free else None
    z = objective.scores(w, np.zeros(K) if b is None else b)
    if rng.random() < 0.3:
        z = z + rng.normal(size=z.shape) * 2.0 ** rng.choice([-45, -20, -5])
    return problem, w, b, dual_of(z, y)


def false_bounds(count, seed=0):
    """How many bounds are below the exact gap, how many pairs with a finite bound."""
    rng, found, finite = np.random.default_rng(seed), 0, 0
    for _ in range(count):
        problem, w, b, alpha = hostile(rng)
        bound = Certificate(problem, w, alpha, intercept=b).gap_bound
        gap = exact_gap(problem, w, np.zeros(problem.classes) if b is None else b, alpha) if bound < math.inf else None
        if bound < math.inf:
            assert gap is not None, "a finite bound needs an alpha' in the domain"
            found, finite = found + (decimal(F(bound)) < gap), finite + 1
    return found, finite


def test_no_bound_is_false():
    found, finite = false_bounds(300)
    assert found == 0 and finite > 150


def test_without_its_roundings_bounds_are_false(monkeypatch):
    monkeypatch.setattr(multinomial, "UNIT", 0.0)
    monkeypatch.setattr(multinomial, "k", lambda count: 0.0)
    assert false_bounds(40)[0] > 0


def test_without_the_constraint_of_the_intercepts_a_bound_is_false(monkeypatch):
    problem = MultinomialProblem(X, CODES, 3, L2(0.1), WEIGHTS)
    found = solve(problem, tol=1e-20)
    b = found.intercept + [1e-3, 0.0, 0.0]
    alpha = dual_of(problem.own_objective().scores(found.w, b), CODES)
    gap = exact_gap(problem, found.w, b, alpha)
    assert gap <= decimal(F(Certificate(problem, found.w, alpha, intercept=b).gap_bound)) < Decimal("1e-3")
    monkeypatch.setattr(multinomial, "connectivity", lambda *_: 1e300)
    assert decimal(F(Certificate(problem, found.w, alpha, intercept=b).gap_bound)) < gap, "control"


def test_connectivity_is_at_most_the_second_eigenvalue():
    """Of K equal classes and beta = 1/K everywhere it is S/K; a weak link makes it small."""
    for K in (2, 3, 5):
        alpha = np.full((2 * K, K), 1 / K)
        y = np.arange(2 * K) % K
        alpha[np.arange(2 * K), y] -= 1.0
        assert 0.7 * 2 <= connectivity(np.ones(2 * K), alpha, y, 1e-14) <= 2
    alpha[:, 0], alpha[y == 0, 0] = 1e-9, 1e-9 - 1
    assert 0 < connectivity(np.ones(2 * K), alpha, y, 1e-14) < 1e-7


def test_the_numbers_are_those_of_the_block_problem():
    problem = MultinomialProblem(X, CODES, 3, L2(0.1), free=False)
    other = BlockProblem.kronecker(X, CODES.tolist(), 3, Softmax(), L2(0.1))
    w = RNG.normal(size=12)
    alpha = dual_of(X @ w.reshape(4, 3), CODES)
    one, two = Certificate(problem, w, alpha), Certificate(other, w, alpha)
    allowed = one.rounding + two.rounding
    assert abs(one.primal - two.primal) <= allowed and abs(one.dual - two.dual) <= allowed
    assert one.gap_bound <= two.gap_bound


@pytest.mark.parametrize("free", [False, True])
def test_a_solution_is_certified_weighted_and_sparse(free):
    """||W - W'|| <= sqrt(2 g/lam) + sqrt(2 g'/lam), for the gaps g of two certificates."""
    repeated = np.repeat(np.arange(40), (2 * WEIGHTS).astype(int))
    given = [
        MultinomialProblem(X, CODES, 3, L2(0.1), WEIGHTS, free),
        MultinomialProblem(csr_array(X), CODES, 3, L2(0.1), WEIGHTS, free),
        MultinomialProblem(X[repeated], CODES[repeated], 3, L2(0.1), None, free),
    ]
    found = [solve(problem, tol=1e-18) for problem in given]
    again = solve(given[0], tol=1e-18)
    assert again.w.tobytes() == found[0].w.tobytes() and again.gap_bound == found[0].gap_bound
    assert all(one.status == "converged" and one.method == "newton" for one in found)
    assert (found[0].intercept is not None) == free and (not free or abs(found[0].intercept.sum()) <= 1e-12)
    for one in found[1:]:
        apart = math.sqrt(20 * one.gap_bound) + math.sqrt(20 * found[0].gap_bound)
        assert np.linalg.norm(one.w - found[0].w) <= apart * (1 + 1e-12)
    other = solve(MultinomialProblem(X, CODES, 3, L2(0.1), None, free), tol=1e-18)
    assert np.linalg.norm(other.w - found[0].w) > 1e-3, "control: other weights"


def test_a_run_ends_with_its_status():
    problem = MultinomialProblem(X, CODES, 3, L2(1e-4))
    assert solve(problem, tol=1e-9, max_epochs=1).status == "max_epochs"
    assert solve(problem, tol=0.0).status == "rounding"

    def stop(_):
        raise KeyboardInterrupt

    assert solve(problem, tol=1e-9, callback=stop).status == "interrupted"


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: MultinomialProblem(X, CODES, 1, L2(1)), "K must be an integer >= 2"),
        (lambda: MultinomialProblem(X, CODES + 0.5, 3, L2(1)), r"y must have the classes 0..2 \(got 0.5\)"),
        (lambda: MultinomialProblem(X, CODES, 4, L2(1)), "a free intercept needs rows of every class.*class 3"),
        (lambda: MultinomialProblem(X, CODES, 3, PNorm(1, 2)), "is for L2, ElasticNet and NonNegative"),
        (lambda: solve(MultinomialProblem(X, CODES, 3, ElasticNet(1, 1))), "a smooth penalty: L2, without l1"),
        (lambda: solve(MultinomialProblem(X, CODES, 3, NonNegative(1))), "a smooth penalty: L2, without l1"),
        (lambda: solve(MultinomialProblem(X, CODES, 3, L2(1)), "sdca"), "requires method auto or newton"),
        (lambda: solve(MultinomialProblem(X, CODES, 3, L2(1)), threads=2), "one thread and no options"),
        (lambda: solve(MultinomialProblem(X, CODES, 3, L2(1)), checkpoint="c"), "has no checkpoint"),
        (lambda: Certificate(MultinomialProblem(X, CODES, 3, L2(1)), np.zeros(4), np.zeros((40, 3))), r"shape \(12,\)"),
        (lambda: Certificate(MultinomialProblem(X, CODES, 3, L2(1)), np.zeros(12), np.zeros(40)), r"shape \(40, 3\)"),
        (lambda: Certificate(MultinomialProblem(X, CODES, 3, L2(1)), np.zeros(12), np.ones((40, 3))), "outside the"),
        (
            lambda: Certificate(
                MultinomialProblem(X, CODES, 3, L2(1)), np.zeros(12), np.zeros((40, 3)), intercept=[1.0]
            ),
            "intercept must be 3 finite numbers",
        ),
        (
            lambda: solve(MultinomialProblem(X, CODES, 3, L2(1))).certificate.save("c.txt"),
            "a certificate file covers the losses .*got softmax",
        ),
    ],
)
def test_refusals(make, words):
    refuses(ValueError, words, make)
