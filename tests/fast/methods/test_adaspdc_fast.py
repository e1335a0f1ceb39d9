"""AdaSPDC, lazy and compiled."""

import json
import random
from fractions import Fraction

import numpy as np
import pytest
from scipy.sparse import csr_array
from support import refuses

from dualgap.fast import kernels, solve
from dualgap.proofs_checks.cli import main as cli
from dualgap.reference import (
    L2,
    BlockProblem,
    HypothesisViolated,
    Problem,
    SmoothedHinge,
    Squared,
    as_compiled,
    lazy_forms,
)
from dualgap.reference.methods.lazy.adaspdc import LazyAdaSPDC
from dualgap.reference.numbers.arithmetic import deepen, shrunk, surface

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
