"""Certificates with a free intercept: judged in rationals at the feasible alpha'; planted bugs must be seen."""

import copy
import math
import pickle
import re
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from support import refuses

from dualgap.extras.baselines.newton.compiled import FastInterceptNewton
from dualgap.extras.baselines.proximal_newton.compiled import FastInterceptProximalNewton
from dualgap.fast import Certificate, solve
from dualgap.fast.problem import intercept
from dualgap.fast.problem.arrays import arrays
from dualgap.fast.problem.intercept import InterceptObjective
from dualgap.fast.problem.objective import Objective
from dualgap.reference import (
    L2,
    Absolute,
    ElasticNet,
    Hinge,
    InterceptProblem,
    Interval,
    Logistic,
    Loss,
    SmoothedHinge,
    Squared,
    SquaredHinge,
    WeightedProblem,
)
from dualgap.reference.numbers.interval import digits

RATIONAL: tuple[Loss, ...] = (Squared(), SmoothedHinge(), SquaredHinge(), Hinge(), Absolute())


def below(divide: Callable[[float, float, float, float], float]) -> int:
    """How many shares, computed from C~, e, C~+ and e+, are below t in rationals where C is only a rounding error."""
    rng, count = np.random.default_rng(2), 0
    for _ in range(100):
        weights, alpha = np.exp(rng.normal(size=4)), rng.normal(size=4)
        alpha[0] = -(weights[1:] @ alpha[1:]) / weights[0]
        objective = InterceptObjective(InterceptProblem(np.ones((4, 1)), np.zeros(4), Squared(), L2(1), weights))
        for sign in intercept.signs(objective, alpha):
            found = intercept.share(objective, alpha, np.full(4, sign), 1.0, sign)
            assert found is not None
            t = divide(found[1], *objective.balance(alpha), objective.balance(found[0])[0])
            exact = [sum(Fraction(s) * Fraction(a) for s, a in zip(weights, x)) for x in (alpha, found[0])]
            count += Fraction(t) < abs(exact[0]) / (abs(exact[0]) + abs(exact[1]))
    return count


def test_t_is_rounded_up_and_a_share_that_is_rounded_down_is_noticed() -> None:
    assert below(lambda t, total, error, opposite: t) == 0
    assert below(lambda t, total, error, opposite: math.nextafter(abs(total / opposite), 0)) > 10


def test_a_second_point_of_the_other_sign_is_refused() -> None:
    """Also where the product of the two sums underflows."""
    problem = InterceptProblem([[1.0], [2.0]], [0.0, 0.0], Squared(), L2(1))
    objective, alpha = InterceptObjective(problem), np.array([1e-170, 2e-170])
    assert intercept.signs(objective, alpha) == (-1.0,)
    assert intercept.share(objective, alpha, -alpha, 0.5, -1.0) is None
    assert intercept.share(objective, alpha, -alpha, 2.0, -1.0) is not None


def test_copies_and_pickles_keep_the_intercept() -> None:
    problem = InterceptProblem([[1.0], [2.0]], [1.0, -1.0], Logistic(), L2(1))
    found = Certificate(problem, [0.5], [-0.25, 0.25], intercept=0.125)
    copies = [copy.copy(found), *(pickle.loads(pickle.dumps(found, k)) for k in range(pickle.HIGHEST_PROTOCOL + 1))]
    for copied in copies:
        assert (copied.intercept, copied.gap_bound, copied.primal) == (0.125, found.gap_bound, found.primal)


def test_the_sum_is_enclosed_and_its_error_is_needed() -> None:
    rng, inexact = np.random.default_rng(1), 0
    for _ in range(200):
        n = int(rng.integers(2, 30))
        weights, alpha = np.exp(rng.normal(size=n)), rng.normal(size=n) * 10.0 ** rng.integers(-8, 8, n)
        problem = InterceptProblem(np.ones((n, 1)), np.zeros(n), Squared(), L2(1), weights)
        total, error = InterceptObjective(problem).balance(alpha)
        exact = sum((Fraction(s) * Fraction(a) for s, a in zip(problem.weights, alpha.tolist())), Fraction(0))
        assert abs(Fraction(total) - exact) <= Fraction(error)
        inexact += Fraction(total) != exact
    assert inexact > 100  # with an error of 0 the enclosure would be false


@pytest.mark.parametrize("loss", [*RATIONAL, Logistic()], ids=lambda loss: loss.name)
@pytest.mark.parametrize("regularizer", [L2(0.1), ElasticNet(0.1, 0.02)])
def test_solve_dense_sparse_weights_and_repeated_rows(loss: Loss, regularizer: L2) -> None:
    rng = np.random.default_rng(5)
    X, weights = rng.normal(size=(30, 3)), rng.integers(1, 4, 30)
    y = np.where(X[:, 0] + rng.normal(size=30) > 0, 1.0, -1.0) if loss.margin else X[:, 0] + rng.normal(size=30) + 9
    tol = 1e-10 if loss.gamma > 0 else 1e-4
    twice = InterceptProblem(np.repeat(X, weights, axis=0), np.repeat(y, weights), loss, regularizer)
    problems = [InterceptProblem(rows, y, loss, regularizer, weights) for rows in (X, csr_matrix(X))] + [twice]
    results = [solve(problem, tol=tol, max_epochs=5000) for problem in problems]
    methods = [
        "sdca",
        *(["afg"] if loss.gamma > 0 else []),
        *(["newton", "lbfgs"] if loss.gamma > 0 and not regularizer.l1 else []),
    ]
    results += [solve(problem, name, tol=tol, max_epochs=5000) for name in methods for problem in problems[:2]]
    assert {result.status for result in results} == {"converged"}
    assert "newton" not in methods or results[0].method == "newton"
    for one in results:  # each primal is at most its bound above the minimum, and no dual is above it
        assert all(one.primal <= other.primal + one.gap_bound + 1e-13 for other in results)
        assert all(one.dual <= other.primal + 1e-13 for other in results)


@pytest.mark.parametrize("rows", [np.asarray, csr_matrix], ids=["dense", "sparse"])
@pytest.mark.parametrize(("n", "d"), [(40, 3), (5, 20)], ids=["tall", "wide"])
def test_newton_solves_the_normal_equations_in_one_step(
    n: int, d: int, rows: Callable[[np.ndarray], object], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those of weighted, centred data; the first of the two choices is the gradient at 0.

    Cholesky's solution of a system of condition number kappa is right to a few (n + d) 2^-53 kappa of its size (Higham,
    2002, theorem 10.4); the best b for it is off by at most ||x_mean||_1 times as much.
    """
    rng = np.random.default_rng(n)
    X, y, s = rng.normal(size=(n, d)) + 5, rng.normal(size=n) + 9, rng.choice([1.0, 2.0, 5.0], n)
    x_mean, y_mean = s @ X / s.sum(), s @ y / s.sum()
    centred = X - x_mean
    w = np.linalg.solve((s * centred.T) @ centred / s.sum() + 0.1 * np.eye(d), centred.T @ (s * (y - y_mean)) / s.sum())
    problem = InterceptProblem(rows(X), y, Squared(), L2(0.1), s)
    found = FastInterceptNewton(stride=1).run(problem, [0, 0]).w
    kappa = np.linalg.norm(np.sqrt(s / s.sum())[:, None] * X, 2) ** 2 / 0.1
    off = 4 * (n + d) * 2**-53 * kappa * np.abs(y).max()
    assert np.abs(found[:-1] - w).max() < off < 1e-9
    means = arrays(problem).means
    b = found[-1] - (0.0 if means is None else means @ found[:-1])
    assert abs(b - (y_mean - w @ x_mean)) < np.abs(x_mean).sum() * off
    monkeypatch.setattr(FastInterceptNewton, "border", lambda *given: (0.0, np.zeros(d)))
    assert np.abs(FastInterceptNewton(stride=1).run(problem, [0, 0]).w[:-1] - w).max() > 1e-3, "control: no border"


@pytest.mark.parametrize("loss", [Hinge(), Absolute()], ids=lambda loss: loss.name)
@pytest.mark.parametrize(("n", "d"), [(400, 5), (60, 200)], ids=["tall", "wide"])
def test_the_proximal_newton_method_takes_kinks(loss: Loss, n: int, d: int) -> None:
    """To a gap that SDCA does not reach in as many passes; from a copy of a state the bits are the same."""
    rng = np.random.default_rng(d)
    X, s = rng.normal(size=(n, d)), rng.choice([1.0, 2.0, 1 / 3], n)
    z = X[:, 0] + 0.3 * rng.normal(size=n) + 1
    problem = InterceptProblem(X, np.where(z > 0, 1.0, -1.0) if loss.margin else z, loss, L2(1 / n), s)
    result = solve(problem, tol=1e-9, max_epochs=300)
    assert (result.method, result.status) == ("proximal-newton", "converged")
    other = solve(problem, "sdca", tol=1e-9, max_epochs=result.epochs)
    reached = re.search(r"passes were not enough .*reached ([\d.e-]+)\)", other.advice)
    assert other.status == "max_epochs" and reached is not None
    assert other.gap_bound <= float(reached[1]) <= 1.01 * other.gap_bound, "rounded up"
    for one, two in ((result, other), (other, result)):  # both bounds are of one minimum; gap_bound - gap: roundings
        assert one.primal - one.gap_bound <= two.primal + two.gap_bound - two.gap
    method = FastInterceptProximalNewton()
    state = method.run(problem, [0] * 7)
    copied = state.copy()
    for one in (state, copied):
        method.advance(problem, one, [0] * 9)
    assert state.key() == copied.key()


def test_the_proximal_newton_method_goes_along_b_alone() -> None:
    """No row is curved there: the four points of XOR, of unequal weights, and rows of zeros."""
    X = np.array([[1.0, 1.0], [-1.0, -1.0], [1.0, -1.0], [-1.0, 1.0]])
    for rows, weights in ((X, [2, 2, 1, 1]), (X, [1, 1, 2, 2]), (0 * X, [2, 2, 1, 1])):
        result = solve(InterceptProblem(rows, [1, 1, -1, -1], Hinge(), L2(0.1), weights), rtol=1e-6)
        assert (result.method, result.status) == ("proximal-newton", "converged")
        assert result.primal == pytest.approx(2 / 3, rel=1e-6)  # w = 0 and b = 1: the two light rows have loss 2


@pytest.mark.parametrize("bug", ["", "b has no derivative", "that of b has the other sign"])
def test_planted_bugs_of_lbfgs_are_seen(bug: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two rows of y = 9 + x: with a bug, b does not arrive at its best value. The gradient is that of Python here."""
    from dualgap.extras.baselines.lbfgs import compiled

    original = compiled.slope_of.py_func

    def slope_of(alpha: Any, weights: Any, mass: float, lam: float, w: Any, total: Any, gradient: Any) -> None:
        original(alpha, weights, mass, lam, w, total, gradient)
        if bug:
            gradient[-1] = 0.0 if bug == "b has no derivative" else -gradient[-1]

    monkeypatch.setattr(compiled, "slope_of", slope_of)
    for name in ("begin", "go_to", "step_along"):
        monkeypatch.setattr(compiled, name, getattr(compiled, name).py_func)
    problem = InterceptProblem([[1.0], [-1.0]], [10.0, 8.0], Squared(), L2(1))
    off = abs(compiled.FastInterceptLBFGS().run(problem, [0] * 30).w[1] - 9)
    assert off > 1 if bug else off < 1e-6


def far_from_0(n: int, sparse: bool = False) -> Any:
    """Rows with a column of Unix time, one that is negative, a constant, and three that are not centred."""
    rng = np.random.default_rng(n)
    X = rng.normal(size=(n, 6)) * [1e5, 1, 0, 1, 1, 1] + [1.7e9, -1e3, 3, 0, 0, 0]
    X[:, 4], X[0, 4], X[:, 5] = np.resize([1.0, 2.0], n), math.nextafter(2.0, 3.0), X[:, 5] * (rng.random(n) < 0.3)
    return csr_matrix(X) if sparse else X


def test_the_rows_are_multiplied_by_each_w_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """For alpha, the best intercept and the certificate. The control keeps nothing."""
    multiplied: list[bytes] = []
    multiply, rng = Objective.z, np.random.default_rng(4)
    monkeypatch.setattr(Objective, "z", lambda self, w: multiplied.append(w.tobytes()) or multiply(self, w))

    def repeated() -> int:
        multiplied.clear()
        objective = InterceptObjective(InterceptProblem(rng.normal(size=(9, 3)), rng.normal(size=9), Squared(), L2(1)))
        w = rng.normal(size=3)
        Certificate(objective, w, objective.z(w) - objective.arrays.y)
        return len(multiplied) - len(set(multiplied))

    assert repeated() == 0
    monkeypatch.setattr(InterceptObjective, "products", lambda self, w: Objective.z(self, w))
    assert repeated() > 0


@pytest.mark.parametrize("sparse", [False, True])
def test_columns_far_from_0_are_centred_without_rounding(sparse: bool) -> None:
    X, y = far_from_0(100, sparse), np.resize([1.0, -1.0], 100)
    found = arrays(InterceptProblem(X, y, Hinge(), L2(1)))
    assert found.means is not None and found.means.nonzero()[0].tolist() == [0, 1, 2]
    matrix: Any = found.matrix
    rows = csr_matrix((matrix.data, X.indices, X.indptr)).toarray() if sparse else matrix.X
    given = X.toarray() if sparse else X
    for (i, j), x in np.ndenumerate(rows):  # a 0 that a sparse row does not store stays one
        assert Fraction(x) + Fraction(float(found.means[j])) == Fraction(given[i, j])
    assert (np.abs(rows).max(axis=0) < [1e6, 10, 1, 10, 10, 10]).all()
    assert arrays(WeightedProblem(X, y, Hinge(), L2(1), np.ones(100))).means is None, "b has no part in it"
    ends = csr_matrix(np.resize([[1.0], [0.0]], (101, 1)))  # stored in the first, the middle and the last row
    assert arrays(InterceptProblem(ends, np.resize([1.0, -1.0], 101), Hinge(), L2(1))).means is None
    given[1, 4] = 2.0
    given[0, 4] = 2.0
    near = arrays(InterceptProblem(given, y, Hinge(), L2(1))).means
    assert near is not None and near[4] > 0, "2 is at most twice 1"


@pytest.mark.parametrize("loss", [*RATIONAL, Logistic()], ids=lambda loss: loss.name)
@digits(60)
def test_a_shift_of_columns_costs_no_passes_and_the_bound_holds_for_the_rows_as_given(loss: Loss) -> None:
    X = far_from_0(60)[:, [0, 1, 3]] / [1e5, 1, 1]
    z = X @ [0.3, -1.0, 0.5] - 0.3 * 1.7e4 - 1e3
    y = np.where(z > 0, 1.0, -1.0) if loss.margin else z
    problem, near = InterceptProblem(X, y, loss, L2(0.1)), InterceptProblem(X - X.mean(0), y, loss, L2(0.1))
    found, other = (solve(one, tol=1e-10 if loss.gamma > 0 else 1e-5) for one in (problem, near))
    assert found.status == "converged" and found.epochs <= 1.5 * other.epochs + 2
    number = Interval if loss.name == "logistic" else Fraction
    exact = InterceptProblem(X.tolist(), y.tolist(), loss, L2(Fraction(0.1)), number=number)
    rng, best = np.random.default_rng(7), exact.P(list(map(number, found.w.tolist())), found.intercept)
    objective, wrong = InterceptObjective(problem), 0
    for k in range(20):
        w, b = found.w + 10.0**-k * rng.normal(size=3), None if k % 2 else found.intercept + 10.0**-k
        certificate = Certificate(problem, w, found.alpha, bool(k % 3), b)
        above = exact.P(list(map(number, w.tolist())), certificate.intercept) - best
        assert not above > certificate.gap_bound
        shifted = Objective.z(objective, w) + certificate.intercept
        wrong += abs(certificate.primal - objective.P_at(shifted, w)) > 1
    assert wrong == 20, "the control: b is not the intercept of the centred rows"


@pytest.mark.parametrize("method", ["newton", "sdca"])
def test_a_run_from_a_checkpoint_has_the_bits_of_one_without(method: str, tmp_path: Any) -> None:
    """Also those of the best certificate, whose intercept was searched from the state's."""
    X = far_from_0(60)[:, [0, 1, 3, 4]] / [1e5, 1, 1, 1]
    problem = InterceptProblem(X, np.where(X[:, 2] + X[:, 3] > 1.5, 1.0, -1.0), Logistic(), L2(0.01))
    whole, file = solve(problem, method, tol=1e-12, max_epochs=9), tmp_path / "run.npz"
    for epochs in (0, 4, 9):
        found = solve(problem, method, tol=1e-12, max_epochs=epochs, checkpoint=file, resume=file.exists())
        again = solve(problem, method, tol=1e-12, max_epochs=epochs, checkpoint=file, resume=True)
        assert (found.intercept, found.gap_bound) == (again.intercept, again.gap_bound)
    assert (found.w == whole.w).all() and (found.alpha == whole.alpha).all()
    assert (found.intercept, found.gap_bound) == (whole.intercept, whole.gap_bound)


def test_the_intercept_of_centred_rows_is_enclosed_and_its_error_is_needed() -> None:
    rng, inexact, problem = np.random.default_rng(3), 0, InterceptProblem(far_from_0(9), np.zeros(9), Squared(), L2(1))
    objective, means = InterceptObjective(problem), arrays(problem).means
    for _ in range(200):
        w, b = rng.normal(size=6) * 10.0 ** rng.integers(-8, 8, 6), rng.normal() * 10.0 ** rng.integers(-8, 8)
        found = objective.at(b, w)
        assert means is not None
        exact = sum((Fraction(m) * Fraction(w_j) for m, w_j in zip(means.tolist(), w)), Fraction(b))
        assert abs(Fraction(found.shift) - exact) <= Fraction(found.inexact)
        inexact += Fraction(found.shift) != exact
    assert inexact > 100  # with an error of 0 the enclosure would be false


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: InterceptProblem([[1.0], [2.0]], [1, 1], Hinge(), L2(1)), "rows of both classes"),
        (lambda: solve(InterceptProblem([[1.0], [2.0]], [1, -1], Hinge(), L2(1)), "spdc"), "has no free intercept"),
        (
            lambda: solve(InterceptProblem([[1.0], [2.0]], [1, -1], Hinge(), L2(1)), "sdca", backend="reference"),
            "has no free intercept",
        ),
        (
            lambda: Certificate(WeightedProblem([[1.0]], [1], Hinge(), L2(1), [1]), [0.0], [0.0], intercept=1.0),
            "this problem has none",
        ),
        (
            lambda: Certificate(
                InterceptProblem([[1.0], [2.0]], [1, -1], Hinge(), L2(1)), [0.0], [0, 0], intercept=math.inf
            ),
            "intercept must be a finite number",
        ),
    ],
)
def test_what_is_refused(make: Callable[[], object], words: str) -> None:
    refuses(ValueError, words, make)
