"""AdaSPDC, lazy and compiled, and compact rows."""

import itertools
import json
import random
from fractions import Fraction

import numpy as np
import pytest
from scipy.sparse import csr_array
from support import bits, refuses

from dualgap.fast import Certificate, kernels, solve
from dualgap.fast.data.dataset import unit_rows
from dualgap.fast.methods.aspdc import FastASPDC
from dualgap.fast.methods.sdca import FastSDCA
from dualgap.fast.methods.specialized.compact import CompactRows, compact_rows
from dualgap.fast.problem.arrays import arrays
from dualgap.proofs_checks.cli import main as cli
from dualgap.reference import (
    L2,
    LOSSES,
    BlockProblem,
    ElasticNet,
    HypothesisViolated,
    Problem,
    SmoothedHinge,
    Squared,
    WeightedProblem,
    as_compiled,
    lazy_forms,
)
from dualgap.reference.methods.lazy.adaspdc import LazyAdaSPDC
from dualgap.reference.numbers.arithmetic import deepen, shrunk, surface
from dualgap.reference.problem.regularizers import soft

F = Fraction
LAZY = {name: form for name, form in lazy_forms().items() if form.__module__ == LazyAdaSPDC.__module__}


def test_levels_lose_no_more_than_their_roundings():
    """Each of t - s sums is off by eps of the deepest level, log1p by 4 eps of its rate, 1 - e^-x by 3 eps; e has slope
    <= 1 in them.
    """
    rng, eps = random.Random(1), F(1, 2**53)
    for _ in range(100):
        rates = [10 ** rng.uniform(-12, 1) for _ in range(60)]
        levels, exact = [surface(float)], [surface(Fraction)]
        for rate in rates:
            levels.append(deepen(levels[-1], rate))
            exact.append(deepen(exact[-1], F(rate)))
        s, t = sorted(rng.sample(range(61), 2))
        e = shrunk(exact[s], exact[t])
        allowed = eps * ((t - s + 1) * F(levels[t]) + 4 * F(levels[t] - levels[s]) + 3 * e) * (1 + F(1, 2**20))
        assert abs(F(shrunk(levels[s], levels[t])) - e) <= allowed


def test_block_problems_are_sent_to_the_dense_form():
    block = BlockProblem.from_scalar(Problem([[1.0]], [1.0], Squared(), L2(1)))
    for name, lazy in LAZY.items():
        refuses(TypeError, name, lazy().init, block)


def sparse_rows(seed, n=24, d=15):
    """Rows of different norms with few entries, so that most coordinates stand aside for many steps."""
    rng = np.random.default_rng(seed)
    X = np.where(rng.random((n, d)) < 0.12, rng.standard_normal((n, d)) * rng.lognormal(size=(n, 1)), 0.0)
    X[np.arange(n), rng.integers(d, size=n)] = 1.0
    return rng, X


def test_a_sparse_matrix_is_not_made_into_lists_of_rows():
    _, X = sparse_rows(1)
    problem = Problem(csr_array(X), np.ones(len(X)), SmoothedHinge(), L2(0.1))
    for name in ("adaspdc", "adaspdc-r"):
        assert solve(problem, name, tol=1e-6).status == "converged"
    assert "rows" not in vars(problem)


@pytest.mark.parametrize("name", ["adaspdc", "adaspdc-r"])
def test_a_loss_without_gamma_is_refused(name):
    from dualgap.reference import Hinge

    problem = Problem(np.eye(2), [1, -1], Hinge(), L2(1))
    for refuse in (kernels()[name]().init, kernels()[name]().require, as_compiled(name).init):
        refuses(HypothesisViolated, "gamma > 0", refuse, problem)


def one_heavy_row(factor=10.0):
    """100 unit rows, one of them scaled, d >= n."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((100, 300))
    X /= np.linalg.norm(X, axis=1)[:, None]
    X[0] *= factor
    return Problem(X, rng.standard_normal(100), Squared(), L2(1e-4))


def test_the_published_method_diverges_on_one_heavy_row_and_says_why_while_the_others_converge():
    problem = one_heavy_row()
    published = solve(problem, "adaspdc", tol=1e-5, max_epochs=3000)
    assert published.status == "diverged" and published.history[-1].gap > 1e6 > published.gap
    assert "Instability index I = 9.91" in published.notes[0] and published.notes[0].rstrip(".") in published.advice
    for name in ("adaspdc-r", "spdc"):
        assert solve(problem, name, tol=1e-5, max_epochs=3000).status == "converged"


def test_equal_norms_need_no_note_and_converge():
    result = solve(one_heavy_row(1.0).with_regularizer(L2(1e-2)), "adaspdc", mode="unchecked", tol=1e-8)
    assert result.status == "converged"
    problem = Problem(np.eye(3), [1, -1, 1], Squared(), L2(0.1))
    assert (solve(problem, "adaspdc").notes, solve(problem, "adaspdc-r").notes) == ((), ())
    assert solve(Problem(np.diag([1.0, 2.0, 1.0]), [1, -1, 1], Squared(), L2(0.1)), "adaspdc").notes != ()


def test_the_command_line_prints_the_instability_index_before_it_starts(tmp_path, capsys):
    (tmp_path / "data").write_text("+1 1:3 2:4\n-1 1:1\n+1 2:2\n")
    words = ["solve", str(tmp_path / "data"), *"--loss squared --lam 0.1 --tol 1e-6 --batch 1 --json".split()]
    for name, expected in (("adaspdc", True), ("adaspdc-r", False)):
        assert cli.main([*words, "--method", name]) == 0
        out, err = capsys.readouterr()
        assert ("I = 2.83" in err) == expected
        assert [("I = 2.83" in note) for note in json.loads(out)["notes"]] == [True] * expected


METHODS = {"sdca": FastSDCA, "aspdc": FastASPDC}


def random_problem(seed, loss_name, pattern, weighted=False):
    """A small sparse problem with empty rows; 0/1 rows scaled to norm 1, or entries of every size."""
    rng = np.random.default_rng([seed, sorted(LOSSES).index(loss_name)])
    n, d = int(rng.integers(1, 12)), int(rng.integers(1, 20))
    X = csr_array(rng.random((n, d)) < 0.5, dtype=np.float64)
    X.data = np.ones(X.nnz) if pattern else rng.standard_normal(X.nnz) * 10.0 ** rng.integers(-6, 1, X.nnz)
    loss = LOSSES[loss_name]()
    y = rng.choice([-1.0, 1.0], n) if loss.margin else rng.standard_normal(n)
    regularizer = L2(0.1) if seed % 2 else ElasticNet(0.1, 0.02)
    given = unit_rows(X) if pattern else X, y, loss, regularizer
    problem = WeightedProblem(*given, rng.random(n) + 0.5) if weighted else Problem(*given)
    return problem, rng.integers(n, size=40)


def run_of_the_definition(name, problem, choices):
    """The steps as the head of ``fast/methods/specialized/compact.py`` writes them, in Python's own arithmetic."""
    X, y, loss, mu_n = problem.X, problem.labels, problem.loss, problem.scale
    threshold, v, alpha = problem.regularizer.threshold, [0.0] * problem.d, [0.0] * problem.n
    for i in choices.tolist():
        part = slice(X.indptr[i], X.indptr[i + 1])
        columns, entries = X.indices[part].tolist(), X.data[part].tolist()
        scale = max(map(abs, entries), default=0.0)
        values = [float(np.float32(x / scale)) for x in entries]
        lanes, head = [0.0] * 4, len(columns) % 4
        for place, (j, value) in enumerate(zip(columns, values)):
            lane = 0 if place < head else (place - head) % 4
            lanes[lane] += value * (soft(v[j], threshold) if threshold else v[j])
        z = scale * ((lanes[0] + lanes[1]) + (lanes[2] + lanes[3]))
        if name == "sdca":
            new = loss.dual_step(z, alpha[i], float(y[i]), float(arrays(problem).norms2[i]) * (1 / mu_n))
        else:
            new = loss.derivative(z, float(y[i]))
        delta, alpha[i] = new - alpha[i], new
        share = (problem.weights[i] if isinstance(problem, WeightedProblem) else 1.0) * delta
        for j, value in zip(columns, values) if delta != 0 else ():
            v[j] = v[j] - (share * (scale * (1 / mu_n))) * value
    return v, alpha


@pytest.mark.parametrize("pattern", [True, False])
@pytest.mark.parametrize("name", METHODS)
def test_the_steps_have_the_bits_of_the_definition(name, pattern):
    for loss_name, seed in itertools.product(sorted(set(LOSSES) - {"logistic"}), range(8)):
        problem, choices = random_problem(seed, loss_name, pattern, weighted=name == "sdca" and seed > 5)
        if name == "aspdc" and problem.gamma == 0:
            continue
        state = METHODS[name](storage="compact").run(problem, choices)
        expected = run_of_the_definition(name, problem, choices)
        assert compact_rows(problem).matrix[2] is None or not pattern
        assert [bits(state.v), bits(state.alpha)] == [bits(vector) for vector in expected], (loss_name, seed)


def test_rows_with_entries_of_one_size_lose_nothing_and_the_others_less_than_a_float32():
    problem, _ = random_problem(1, "squared", pattern=True)
    _, _, values, scales = compact_rows(problem).matrix
    assert values is None and (np.repeat(scales, np.diff(problem.X.indptr)) == problem.X.data).all()
    problem, _ = random_problem(2, "squared", pattern=False)
    _, _, values, scales = compact_rows(problem).matrix
    of_entry = np.repeat(scales, np.diff(problem.X.indptr))
    error = np.abs(of_entry * values - problem.X.data)
    # x/scale is rounded to float64 and then to float32, which is off by 2^-25 next to 1; the product is rounded again.
    assert 0 < error.max() and (error <= 2.0**-24 * of_entry).all()


def test_columns_take_16_bits_where_they_fit():
    for d, expected in ((2**16, "uint16"), (2**16 + 1, "uint32")):
        X = csr_array((np.ones(2), np.array([0, d - 1]), np.array([0, 1, 2])), shape=(2, d))
        _, indices, _, _ = CompactRows(Problem(X, [1.0, -1.0], SmoothedHinge(), L2(1.0))).matrix
        assert indices.dtype.name == expected and indices.tolist() == [0, d - 1]


def sparse_problem():
    rng = np.random.default_rng(5)
    X = unit_rows(csr_array(np.where(rng.random((200, 50)) < 0.2, rng.random((200, 50)), 0.0)))
    return Problem(X, rng.choice([-1.0, 1.0], 200), SmoothedHinge(), L2(0.05))


@pytest.mark.parametrize("name", METHODS)
def test_what_converges_is_certified_on_the_full_rows(name):
    problem = sparse_problem()
    result = solve(problem, name, storage="compact", tol=1e-12)
    again = Certificate(problem, result.w, result.alpha)
    assert result.status == "converged" and again.gap == result.gap <= 1e-12
    # the reference, which knows of no storage
    assert problem.gap(result.w.tolist(), result.alpha.tolist()) == result.gap


def test_wrong_compact_rows_never_converge():
    problem = sparse_problem()
    compact_rows(problem).matrix[3][:] *= 1.001
    result = solve(problem, "sdca", storage="compact", tol=1e-12, max_epochs=60)
    assert result.status != "converged" and result.gap > 1e-12
    assert solve(sparse_problem(), "sdca", storage="compact", tol=1e-12, max_epochs=60).status == "converged"


def test_a_request_that_makes_no_sense_is_refused():
    problem = Problem(np.eye(2), [1.0, -1.0], SmoothedHinge(), L2(1.0))
    refuses(ValueError, "for sparse rows", solve, problem, "sdca", storage="compact")
    refuses(ValueError, "storage must be one of full, compact", FastSDCA, storage="small")
    for given in ({"method": "spdc"}, {"method": "sdca", "backend": "reference"}):
        refuses(ValueError, "storage is for aspdc, sdca with backend fast", solve, problem, storage="compact", **given)
