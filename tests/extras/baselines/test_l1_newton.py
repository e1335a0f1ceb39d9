"""The proximal quasi-Newton method for an l1 part: optima that certificates prove, its model, its columns."""

import numpy as np
import pytest
from scipy.sparse import csr_array
from support import by_day

from dualgap.extras.baselines.l1_newton import compiled
from dualgap.extras.baselines.l1_newton.compiled import restricted
from dualgap.extras.baselines.l1_newton.compiled_steps import (
    CYCLE,
    clip_on_support,
    descend,
    extrapolated,
    go_on_support,
    objective,
    sweep,
)
from dualgap.fast import kernels, solve
from dualgap.fast.problem.arrays import arrays
from dualgap.fast.problem.rows import Limits
from dualgap.fast.solver.auto import plan
from dualgap.reference import (
    L2,
    ElasticNet,
    Logistic,
    NonNegative,
    Problem,
    SmoothedHinge,
    Squared,
    SquaredHinge,
    WeightedProblem,
)

LOSSES = [Squared(), Logistic(), SmoothedHinge(), SquaredHinge()]


def problem_of(loss, shape, regularizer, weighted=False, sparse=False):
    rng = np.random.default_rng(0)
    X = np.where(rng.random(shape) < 0.6, rng.standard_normal(shape), 0.0)
    z = X @ np.where(np.arange(shape[1]) % 3, 0.0, rng.standard_normal(shape[1])) + 0.3 * rng.standard_normal(shape[0])
    y, rows = np.where(z > 0, 1.0, -1.0) if loss.margin else z, csr_array(X) if sparse else X
    if weighted:
        return WeightedProblem(rows, y, loss, regularizer, rng.random(shape[0]) + 0.1)
    return Problem(rows, y, loss, regularizer)


SHAPES = [(400, 6), (12, 60), (400, 80), (20, 200), (60, 60), (1, 3), (300, 1)]


@pytest.mark.parametrize("shape", by_day(SHAPES, (400, 6), (12, 60), (400, 80), (1, 3)), ids=str)
@pytest.mark.parametrize("loss", LOSSES, ids=repr)
@pytest.mark.parametrize(("weighted", "sparse"), [(False, False), (True, True)])
def test_a_certificate_proves_the_optimum(loss, shape, weighted, sparse):
    """The certificate depends on (w, alpha) only, so it needs no second solver."""
    for lam, l1 in ((1e-1, 1e-1), (1e-3, 1e-2), (1e-6, 1e-3), (1e-3, 0.0)):
        for g in (ElasticNet(lam, l1), NonNegative(lam, l1)):
            problem = problem_of(loss, shape, g, weighted, sparse)
            result = solve(problem, "l1-newton", tol=0.0, rtol=1e-8, max_epochs=200)
            assert result.gap_bound <= 1e-8 * result.primal, (g, result.status, result.gap)
            again = solve(problem, "l1-newton", alpha=result.alpha, w=result.w, rtol=1e-8)
            assert again.epochs == 0 and again.gap_bound <= result.gap_bound


@pytest.mark.parametrize("low", [-0.3, -np.inf])
def test_coordinate_descent_ends_where_the_model_has_no_slope(low):
    rng = np.random.default_rng(1)
    A, slope, w = rng.standard_normal((40, 12)), 2.0 * rng.standard_normal(12), np.maximum(rng.standard_normal(12), 0.0)

    def rest(scale):
        """How far minus the slope of the smooth part is from the limits, as a multiple of ``scale``."""
        B, x, slopes, first = A.T @ A / 40, w.copy(), slope.copy(), 0.0
        for _ in range(40):
            _, first = descend(B, slopes, Limits(low * scale, 0.3 * scale), 1e-20, first, x)
        found = -(slope + B @ (x - w))
        assert np.abs(found + slopes).max() <= 1e-12
        inside = np.where(x > 0, np.abs(found - 0.3), np.where(x < 0, np.abs(found - low), 0.0))
        return max(inside.max(), (found - 0.3).max(), (low - found).max())

    assert rest(1.0) <= 1e-8 < 0.1 < rest(0.5), "the second is the control"


def test_a_step_on_the_support_lowers_the_model_and_no_sign_changes():
    """A part of the way to the minimum of the support does, and the whole way cut at 0 where it says so."""
    rng, answers = np.random.default_rng(3), set()
    for _ in range(200):
        A, w, slope = rng.standard_normal((6, 6)), rng.standard_normal(6), rng.standard_normal(6)
        w[rng.integers(6)] = 0.0
        B, support = A.T @ A / 6, np.flatnonzero(w)
        step = -np.linalg.solve(B[np.ix_(support, support)], slope[support] + 0.3 * np.sign(w[support]))
        cut = w.copy()
        cut[support] = np.where(w[support] * (w[support] + step) > 0, w[support] + step, 0.0)

        def model(x, B=B, slope=slope, w=w):
            return slope @ (x - w) + (x - w) @ B @ (x - w) / 2 + 0.3 * np.abs(x).sum()

        x, slopes = w.copy(), slope.copy()
        answers.add(clip_on_support(B, slopes, 0.3, support, step, x))
        assert x.tolist() == (cut if model(cut) < model(w) else w).tolist()
        assert np.abs(slopes - slope - B @ (x - w)).max() <= 1e-9 * (1 + np.abs(x).max())
        x, slopes = w.copy(), slope.copy()
        go_on_support(B, slopes, support, step, x)
        assert model(x) < model(w) and (x * w >= 0).all()
        assert np.abs(slopes - slope - B @ (x - w)).max() <= 1e-9 * (1 + np.abs(x).max())
    assert answers == {True, False}


@pytest.mark.parametrize("make", [np.asarray, csr_array])
def test_the_model_has_the_columns_that_a_step_needs(make, monkeypatch):
    rng = np.random.default_rng(2)
    X = np.where(rng.random((30, 9)) < 0.5, rng.standard_normal((30, 9)), 0.0)
    picked, columns = np.array([2, 3, 29]), np.array([0, 4, 8])
    rows = restricted(arrays(Problem(make(X), np.ones(30), Squared(), L2(1.0))).matrix, picked, columns, 9)
    assert (
        rows.X if hasattr(rows, "X") else csr_array((rows.data, rows.indices, rows.indptr), (3, 3)).toarray()
    ).tolist() == X[np.ix_(picked, columns)].tolist()
    problem = problem_of(Squared(), (40, 300), ElasticNet(1e-3, 0.05))
    state = kernels()["l1-newton"]().run(problem, [0] * 12)
    used, support = np.flatnonzero(state.inside), np.flatnonzero(state.w)
    assert 0 < support.size <= used.size < 200 and set(support) <= set(used)
    monkeypatch.setattr(compiled, "LARGEST", 24)  # fewer than the columns of the optimum: they take turns
    monkeypatch.setattr(compiled, "ALL", 24)
    assert solve(problem, "l1-newton", rtol=1e-5, max_epochs=1000).status == "converged" and support.size > 24


@pytest.mark.parametrize("g", [ElasticNet(1e-3, 1e-2), NonNegative(1e-3, 1e-2)], ids=repr)
@pytest.mark.parametrize("weighted", [False, True])
def test_one_step_over_the_columns_is_enough_unless_they_are_correlated(g, weighted):
    problem, method = problem_of(Squared(), (400, 150), g, weighted), kernels()["l1-newton"]()
    state = method.run(problem, [0, 0])
    assert state.stride == 0 and problem.gap(*method.view(problem, state)) <= compiled.NEAR * problem.P(np.zeros(150))
    X, more = np.cumsum(problem.X, axis=1) / 10 + 3.0, [problem.weights] if weighted else []
    correlated = type(problem)(X, problem.y, Squared(), g, *more)  # the control
    assert method.run(correlated, [0, 0]).stride == 1
    assert solve(correlated, "l1-newton", rtol=1e-9, max_epochs=20).status == "converged"


def test_an_extrapolation_saves_sweeps_and_changes_no_sign():
    rng = np.random.default_rng(2)
    X = rng.standard_normal((80, 12)) + 2.0 * rng.standard_normal((80, 1))
    X[:, 1::2] *= -1.0  # correlated with both signs
    y, d, limits, sums = (
        X @ (1 + rng.random(12)) + 0.1 * rng.standard_normal(80),
        12,
        Limits(-1e-3, 1e-3),
        (1.0, 80.0, 1e-3),
    )
    bends, room = np.zeros(d), (np.empty(d), np.empty(d))
    w = rng.random(d) + 0.5
    r = X @ w - y
    points, residuals = np.empty((CYCLE + 1, d)), np.empty((CYCLE + 1, 80))
    for k in range(-10, CYCLE + 1):
        points[max(k, 0)], residuals[max(k, 0)] = w, r
        if k < CYCLE:
            sweep(np.ascontiguousarray(X.T), bends, sums, limits, False, r, (w, *room))
    start, before, plain, spent = objective(r, w, sums, 1e-3), w.copy(), (r.copy(), w.copy()), 0
    extrapolated(points, residuals, sums, 1e-3, r, w)  # with factors of 1e4 at most: 1e-16 times 20 becomes 2e-11
    assert (w != before).any() and (np.sign(w) == np.sign(before)).all()
    assert np.abs(X @ w - y - r).max() <= 1e-10 and objective(r, w, sums, 1e-3) < start
    while objective(*plain, sums, 1e-3) > objective(r, w, sums, 1e-3):
        sweep(np.ascontiguousarray(X.T), bends, sums, limits, False, plain[0], (plain[1], *room))
        spent += 1
    assert spent >= 3, "as many sweeps are saved"
    points[-1] = residuals[-1] = 0.0  # steps that are no sweeps of these rows: the objective would grow
    kept = w.copy()
    extrapolated(points, residuals, sums, 1e-3, r, w)
    assert (w == kept).all()


@pytest.mark.parametrize("shape", [(600, 5), (600, 80), (30, 200)], ids=str)
def test_a_copied_state_goes_on_with_the_same_bits(shape):
    problem, method = problem_of(Logistic(), shape, ElasticNet(1e-5, 1e-4)), kernels()["l1-newton"](memory=5)
    few = 4 if shape == (600, 5) else 8
    whole, half = method.run(problem, [0] * (few + 4)), method.run(problem, [0] * few)
    assert (half.pairs > 0) == (shape != (600, 5)) and method.run(
        problem, [0] * 4, half
    ).key() == whole.key() != half.key()


def test_auto_takes_it_first_or_after_sdca():
    """First if few coefficients are not 0 or the condition is large, also with as many columns as rows."""
    for family, l1 in ((ElasticNet, 1e-4), (NonNegative, 0.0)):
        tall, wide = (problem_of(Logistic(), shape, family(1e-5, l1)) for shape in ((2000, 5), (30, 200)))
        assert [plan(problem)[0][0].method for problem in (tall, wide)] == ["l1-newton"] * 2
        many = problem_of(Logistic(), (30, 4000), family(1e4, l1))
        assert [choice.method for choice, _ in plan(many)] == ["sdca", "l1-newton"]
        few = problem_of(Logistic(), (30, 4000), family(1e4, 1.0))
        assert [choice.method for choice, _ in plan(few)] == ["l1-newton"]
        counts = [kernels()["l1-newton"]().changed_at_zero(problem) for problem in (many, few)]
        assert counts[0] > 1000 and counts[1] < 200
    assert all(choice.method != "l1-newton" for choice, _ in plan(problem_of(Logistic(), (2000, 5), L2(1e-5))))


@pytest.mark.parametrize("family", [ElasticNet, NonNegative])
@pytest.mark.parametrize("loss", LOSSES, ids=repr)
def test_an_optimum_of_0_takes_no_step(family, loss):
    """To both sides of the least l1 that has it."""
    problem = problem_of(loss, (50, 200), L2(1.0))
    falls = -problem.X.T @ np.array([loss.derivative(0.0, y) for y in problem.y]) / problem.n
    least = float((falls if family is NonNegative else np.abs(falls)).max())
    for l1, zero in ((1.01 * least, True), (0.99 * least, False)):
        result = solve(problem_of(loss, (50, 200), family(1e-6, l1)), "l1-newton", rtol=1e-9)
        assert result.status == "converged" and (result.epochs == 0) == zero == (not result.w.any())
