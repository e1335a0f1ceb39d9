"""``certify``: a bound on P(w) - min P from w alone, in numpy. Its hostile pairs are judged in ``test_gap_bound``."""

import runpy
import subprocess
import sys
import tracemalloc
from fractions import Fraction

import numpy as np
import pytest
from scipy.sparse import csr_array, random_array
from support import ROOT

from dualgap.certify import certify
from dualgap.fast import solve
from dualgap.fast.certify import bound as bounds
from dualgap.fast.certify import losses
from dualgap.fast.certify.certify import of_problem
from dualgap.fast.data.memory_mapped import Writer, open_mapped
from dualgap.fast.problem import gap_bound, intercept
from dualgap.reference import L2, LOSSES, ElasticNet, InterceptProblem, Problem

judged = runpy.run_path(str(ROOT / "benchmarks" / "certificates.py"))["judged"]
RNG = np.random.default_rng(5)
X = RNG.standard_normal((60, 8)) * (1 + np.arange(8) / 4)
Y = np.sign(X @ RNG.standard_normal(8) + 2 * RNG.standard_normal(60))
SIZES = [0.0, 5e-324, 1e-300, 1e-17, 0.1, 0.5, 1 - 2.0**-53, 1.0, 1 + 2.0**-52, 1.75, 3.0, 40.0, 800.0, 1e16, 1e300]


@pytest.mark.parametrize("loss", LOSSES)
def test_residuals_are_bit_identical_to_the_reference(loss):
    """The bound assumes the errors of these expressions; for logistic those of the series of ``elementary``."""
    one = LOSSES[loss]().over(float)
    z = np.array([sign * size for size in SIZES for sign in (1, -1)])
    low, high = max(losses.KINDS[loss].ends[0], -4), min(losses.KINDS[loss].ends[1], 4)
    domain = np.array([a for a in (*SIZES, -1.0, -0.25, *RNG.random(9)) if low <= a <= high])
    for y in (1.0, -1.0):
        points = -y * domain if losses.KINDS[loss].margin else domain
        grid = [(z_i, a) for z_i in (*z, *RNG.normal(0, 3, 9)) for a in points]
        with np.errstate(all="ignore"):
            found = losses.residual(loss, one.gamma, *np.array(grid).T, np.full(len(grid), y))
        assert found.tobytes() == np.array([one.residual(float(p), float(a), y) for p, a in grid]).tobytes()


@pytest.mark.parametrize("free", [False, True])
@pytest.mark.parametrize("l1", [0.0, 0.01])
@pytest.mark.parametrize("loss", LOSSES)
def test_a_better_dual_point_brings_the_bound_next_to_the_error_of_w(loss, l1, free):
    """Against the minimum that ``solve`` finds; control: the first dual point does not."""
    problem = (InterceptProblem if free else Problem)(X, Y, LOSSES[loss](), ElasticNet(0.01, l1))
    best = solve(problem, tol=1e-9)
    w = best.w + 0.02 * RNG.standard_normal(8)
    b = best.intercept + 0.1 if free else None
    error = (problem.P(w.tolist(), b) if free else problem.P(w.tolist())) - best.primal
    first, improved = (of_problem(problem, w, None, b, seconds) for seconds in (0, 20))
    assert error <= improved.gap_bound <= 1.2 * error < first.gap_bound and improved.seconds < 20
    enough = of_problem(problem, w, None, b, 20, tol=2 * improved.gap_bound)
    assert enough.gap_bound <= 2 * improved.gap_bound and enough.passes < improved.passes


PLANTED = {  # what is left out, of which kind of pair
    "the roundings of the formulas": ("as_drawn", lambda patch: patch.setattr(gap_bound, "UNIT", 0.0)),
    "the sum of alpha": ("intercept", lambda patch: patch.setattr(bounds.Pair, "balance", lambda self, alpha: (0, 0))),
}


@pytest.mark.parametrize("bug", PLANTED)
def test_the_judge_of_hostile_pairs_finds_planted_bugs(bug, monkeypatch):
    kind, plant = PLANTED[bug]
    monkeypatch.setattr(intercept, "share", intercept.share)  # the judge sets it
    plant(monkeypatch)
    assert judged(40, seed=0, kind=kind).counts[kind, "thin false"] > 0


def test_the_bound_has_the_error_of_u(monkeypatch):
    """1e16 takes up the ones that follow, and u is -0.99 instead of 0."""
    n, alpha, given = 200, -np.ones(200), {"loss": "hinge", "lam": 1e-3, "seconds": 0.0}
    alpha[-1] = 1.0
    rows = csr_array((np.array([1e16, *np.ones(n - 2), 1e16]), np.zeros(n, int), np.arange(n + 1)), (n, 1))
    assert certify(rows, -alpha, [0.0], alpha=alpha, **given).gap_bound >= 0.99**2 / 2e-3
    plain = gap_bound.plain
    monkeypatch.setattr(gap_bound, "plain", lambda *sizes: plain(*sizes)._replace(e_u=0.0))
    assert certify(rows, -alpha, [0.0], alpha=alpha, **given).gap_bound < 0.99**2 / 2e-3, "the control"


@pytest.mark.parametrize("q", [1e-3, 1.0, 30.0, 1e4])
def test_the_dual_step_of_the_logistic_loss_is_a_root(q):
    """An inexact one gives no false bound, but no better one either."""
    m, b = 8 * RNG.standard_normal(500), RNG.random(500) ** RNG.choice([1, 30], 500)
    p = losses.logistic_step(m, b, q)
    low, high = (np.clip(p + sign * 1e-9, 1e-15, 1 - 1e-15) for sign in (-1, 1))
    slope_at = lambda p: np.log(p / (1 - p)) + m + q * (p - b)  # noqa: E731
    assert ((slope_at(low) <= 1e-3) & (slope_at(high) >= -1e-3)).all()


def test_every_storage_has_the_same_bound(tmp_path):
    sparse = csr_array(np.where((RNG.random(X.shape) < 0.5) & (np.arange(60) != 7)[:, None], np.round(X), 0.0))
    with Writer(tmp_path / "mapped") as writer:
        writer.append(sparse, Y)
    np.save(tmp_path / "X.npy", sparse.toarray())
    shuffled = sparse.copy()
    for first, stop in zip(shuffled.indptr, shuffled.indptr[1:]):
        for array in (shuffled.indices, shuffled.data):
            array[first:stop] = array[first:stop][::-1].copy()
    rows = [sparse, shuffled, open_mapped(tmp_path / "mapped").X, np.load(tmp_path / "X.npy", mmap_mode="r")]
    rows += [sparse.toarray().tolist(), sparse.astype(np.float32), sparse.toarray().astype(np.int64, order="F")]
    found = [certify(one, Y, X[0], loss="logistic", lam=0.1, seconds=0).gap_bound for one in rows]
    assert max(found) <= min(found) * (1 + 1e-9)
    assert certify(sparse, Y, 1.01 * X[0], loss="logistic", lam=0.1, seconds=0).gap_bound > 1.001 * max(found)


def test_arguments_as_libraries_hand_them_over_mean_their_float64():
    """float32 numbers once made the whole bound float32; ``coef_`` and ``intercept_`` are arrays of one row."""
    given = {name: float(np.float32(value)) for name, value in {"lam": 0.1, "l1": 0.01, "intercept": 0.3}.items()}
    due = certify(X, Y, X[0], loss="logistic", seconds=0, **given).gap_bound
    for form in (np.float32, lambda value: np.array([value], np.float32), Fraction):
        forms = {name: form(value) for name, value in given.items()}
        found = certify(X, Y[:, None], X[:1], loss="logistic", seconds=0, **forms)
        assert found.gap_bound == due and isinstance(found.gap_bound, float)
        assert len(str(found)) < 300, "without the 60 numbers of alpha"


@pytest.mark.parametrize("free", [None, 0.0])
@pytest.mark.parametrize("loss", LOSSES)
def test_the_bound_is_at_most_P(loss, free):
    """D(0) >= 0. On long rows it is far above D(phi'(z)), as the control shows."""
    given = {"loss": loss, "lam": 1e-3, "intercept": free, "seconds": 0.0}
    found = certify(100 * X, Y, np.zeros(8), **given)
    assert found.gap_bound <= found.primal * (1 + 1e-9)
    alpha = losses.step(loss, 1.0, np.zeros(60), np.zeros(60), Y, 0.0)
    assert certify(100 * X, Y, np.zeros(8), alpha=alpha, **given).gap_bound > 2 * found.primal, "the control"


def test_a_penalty_without_a_square_has_a_bound(monkeypatch):
    """For X = I the Lasso has a closed form. The control adds a large square at no price."""
    y = np.array([0.75, -1.5, 0.25, 2.0])
    best = np.sign(y) * np.maximum(np.abs(y) - 1.0, 0)
    P = lambda w: np.sum((w - y) ** 2) / 8 + np.sum(np.abs(w)) / 4  # noqa: E731
    given = {"loss": "squared", "lam": 0.0, "l1": 0.25, "seconds": 60.0}
    for w in (0 * y, best, best + 0.1, 1e3 * y):
        assert P(w) - P(best) <= certify(np.eye(4), y, w, **given).gap_bound <= 1.06 * (P(w) - P(best)) + 1e-6
    monkeypatch.setattr(bounds.Pair, "squares", lambda self: [(1.0, 0.0)])
    assert certify(np.eye(4), y, 0 * y, **given).gap_bound < P(0 * y) - P(best), "the control"


def test_it_needs_a_tenth_of_the_memory_of_the_data():
    rows = random_array((20_000, 20_000), density=0.005, format="csr", rng=np.random.default_rng(0))
    tracemalloc.start()
    certify(rows, np.sign(RNG.standard_normal(20_000)), np.ones(20_000), loss="hinge", lam=1e-3, seconds=0)
    used = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert used < (rows.data.nbytes + rows.indices.nbytes) / 2.4, "blocks have a size of their own: a tenth of 120 MB"


HEAVY = "print([name for name in ('numba', 'scipy', 'dualgap.reference') if name in sys.modules])"
CALL = "import sys; from dualgap import certify; certify([[1.0], [2.0]], [1, -1], [0.5], loss={!r}, lam=1.0);" + HEAVY


@pytest.mark.parametrize(("loss", "loaded"), [("hinge", "[]"), ("logistic", "['dualgap.reference']")])
def test_no_compiler_is_loaded(loss, loaded):
    """The reference has the series of the logarithm; it shows that the list would not stay empty by itself."""
    done = subprocess.run([sys.executable, "-c", CALL.format(loss)], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.strip() == loaded, done.stderr


FALLING = csr_array((np.ones(3), np.array([3, 1, 3]), np.r_[0, np.full(60, 3)]), (60, 8))
FALLING.indices = FALLING.indices.astype(np.uint32)  # differences of unsigned numbers do not fall
REFUSED = {
    "X must be dense or CSR": {"X": csr_array(X).tocsc()},
    "X must be a matrix": {"X": X[0]},
    "X must hold real numbers": {"X": X.astype(complex)},
    "a whole number beyond 2^53": {"X": np.full((60, 8), 2**53 + 1)},
    "rows 0 to 59 of X have a number that is not finite": {"X": X * np.where(np.arange(8) == 3, np.nan, 1.0)},
    "a column twice": {"X": csr_array((np.ones(120), np.zeros(120, int), np.arange(0, 121, 2)), (60, 8))},
    "a column twice in one row: call": {"X": FALLING},
    "convert it": {"X": X.astype(object)},
    "lam must be one number": {"lam": np.longdouble(1) / 3},
    "without a penalty": {"lam": 0},
    "a column outside 0..7": {"X": csr_array((np.ones(60), np.full(60, 7), np.arange(61)), (60, 8)), "column": -1},
    "y must have shape (60,)": {"y": Y[1:]},
    "the labels -1 and 1 (got y[2] = 0.5)": {"y": np.where(np.arange(60) == 2, 0.5, Y)},
    "w[1] is not a finite number": {"w": [0.0, np.inf] + [0.0] * 6},
    "alpha[0] = ": {"alpha": np.full(60, 2.0)},
    "sample_weight must be in 2^-500..2^500": {"sample_weight": np.arange(60.0)},
    "unknown loss 'huber'": {"loss": "huber"},
    "lam must be > 0": {"lam": -1.0},
    "fixed gamma": {"gamma": 2.0},
    "intercept must be a finite number": {"intercept": float("nan")},
    "seconds and tol must be >= 0": {"seconds": -1.0},
}


@pytest.mark.parametrize("said", REFUSED)
def test_what_has_no_bound_is_refused(said):
    given = {"X": X, "y": Y, "w": np.zeros(8), "loss": "hinge", "lam": 0.1} | REFUSED[said]
    if "column" in given:
        given["X"].indices[:] = given.pop("column")
    with pytest.raises(ValueError) as error:
        certify(given.pop("X"), given.pop("y"), given.pop("w"), **given)
    assert said in str(error.value)


def test_a_given_dual_point_that_no_other_one_balances_has_no_bound():
    """Of one class no alpha but 0 satisfies the constraint of a free intercept."""
    given = {"loss": "hinge", "lam": 1.0, "intercept": 0.0, "seconds": 0.0}
    found = [certify(X, np.ones(60), X[0], alpha=alpha, **given).gap_bound for alpha in (-np.ones(60), np.zeros(60))]
    assert found[0] == np.inf > found[1]


def test_other_kinds_of_problems_are_left_to_the_exact_gap():
    own = type("Own", (L2,), {})
    assert of_problem(Problem(X, Y, LOSSES["hinge"](), own(1.0)), np.zeros(8)) is None
    assert of_problem(Problem(X, Y, LOSSES["hinge"](), L2(1.0)), np.zeros(8)) is not None
    assert bounds.root(lambda b: b**3 - 2.0, 100.0) == pytest.approx(2.0 ** (1 / 3))
