"""Lazy AdaSPDC is dense AdaSPDC exactly, in Fractions; compiled AdaSPDC and PDCP repeat their counterparts bit
for bit.
"""

import itertools
import json
import random
from collections import Counter
from fractions import Fraction

import numpy as np
import pytest
from scipy.sparse import csr_array

from dualgap.fast import kernels, solve
from dualgap.fast.methods.specialized.block import BLOCK_KERNELS
from dualgap.proofs_checks.cli import main as cli
from dualgap.reference import (
    L2,
    BlockProblem,
    ElasticNet,
    HypothesisViolated,
    Logistic,
    Problem,
    SmoothedHinge,
    Squared,
    SquaredHinge,
    as_compiled,
    lazy_forms,
    method,
)
from dualgap.reference.methods.lazy.adaspdc import LazyAdaSPDC, prox_step
from dualgap.reference.numbers.arithmetic import deepen, shrunk, surface

F = Fraction
LAZY = {name: form for name, form in lazy_forms().items() if form.__module__ == LazyAdaSPDC.__module__}

# -- lazy = dense, exactly ------------------------------------------------------------------------------------


def rational_problem(rng, m):
    """Sparse rows of different rational norms; n lam/(m gamma) is a square, so that all constants are rational."""
    n, d = rng.randint(max(2, m), 6), rng.randint(2, 6)
    X = [[F(0)] * d for _ in range(n)]
    for row in X:
        j, other = rng.sample(range(d), 2)
        row[j], row[other] = rng.choice([(3, 4), (F(-3, 5), F(4, 5)), (1, 0), (-2, 0), (6, 8)])
    lam = F(rng.choice([1, 4, 9]), rng.choice([9, 16, 36])) * m / n
    loss = rng.choice([Squared, SmoothedHinge])(gamma=1)
    regularizer = L2(lam) if rng.random() < 0.3 else ElasticNet(lam, F(rng.randint(1, 6), 10))
    return Problem(X, [rng.choice([-1, 1]) for _ in range(n)], loss, regularizer, number=Fraction)


def differs_from_dense(seed, name, lazy_class=None, steps=14):
    """The first step after which w, w_bar or alpha of the two forms differ, or None."""
    rng = random.Random(seed)
    m = rng.choice([1, 1, 2])
    problem = rational_problem(rng, m)
    dense, lazy = method(name, m=m), (lazy_class or LAZY[name])(m=m)
    w, alpha = [F(rng.randint(-4, 4), 2) for _ in range(problem.d)], [F(-y_i, 2) for y_i in problem.y]
    one, two = dense.init(problem, alpha, w), lazy.init(problem, alpha, w)
    for t in range(steps):  # two to seven passes
        choice = rng.sample(range(problem.n), m)
        dense.advance(problem, one, choice)
        lazy.advance(problem, two, choice)
        same = dense.view(problem, one) == lazy.view(problem, two)
        if name == "adaspdc":
            same = same and one.w_bar == [lazy.current(problem, two, j)[1] for j in range(problem.d)]
        if not same:
            return t
    return None


@pytest.mark.parametrize("name", sorted(LAZY))
def test_the_lazy_form_has_the_iterates_of_the_paper_exactly(name):
    found = {seed: differs_from_dense(seed, name) for seed in range(40)}
    assert found == dict.fromkeys(range(40))


def test_a_proximal_centre_moves_only_where_u_starts():
    problem = rational_problem(random.Random(5), 1)
    g = problem.regularizer
    centred = problem.with_regularizer(ElasticNet(g.lam / 4, g.l1)).centred(
        g.lam * 3 / 4, [F(j, 3) for j in range(problem.d)]
    )
    for name in LAZY:
        dense, lazy = method(name), LAZY[name]()
        choices = [[k % problem.n] for k in range(9)]
        assert dense.view(centred, dense.run(centred, choices)) == lazy.view(centred, lazy.run(centred, choices))


def test_the_lazy_form_takes_the_options_of_the_dense_one():
    """Preset b, norms of one's own, and a zero row with a floor; the presets differ (control)."""
    rows = [[3, 4, 0], [0, 0, 0], [0, 0, 1], [0, 2, 0]]
    problem = Problem(rows, [1, -1, 2, 1], Squared(), L2("1/4"), number=Fraction)
    choices = [[k] for k in (0, 1, 2, 3, 3, 1, 2, 0, 2)]

    found = {}
    for options in (
        {"preset": "a"},
        {"preset": "b", "floor": "1/2"},
        {"norms": [6, 1, 1, 2]},
        {"m": 1, "preset": "b", "norms": [5, 5, 5, 5]},
    ):
        dense, lazy = method("adaspdc-r", **options), LAZY["adaspdc-r"](**options)
        found[str(options)] = lazy.view(problem, lazy.run(problem, choices))
        assert found[str(options)] == dense.view(problem, dense.run(problem, choices)), options
    assert len({str(pair) for pair in found.values()}) == 4


class OneTau(LazyAdaSPDC):
    """The last tau in the place of all: a power for the product."""

    def linear(self, problem, state, w, c, s, t):
        e = 1 - 1 / (1 + problem.regularizer.modulus * state.taus[-1]) ** (t - s)
        return (1 - e) * w - e / problem.regularizer.modulus * c

    def current(self, problem, state, j):
        w, bar = super().current(problem, state, j)
        s, t = state.last[j], len(state.taus)
        return (w, bar) if s == t else (self.linear(problem, state, state.w[j], state.u[j], s, t), bar)


class NeverCrosses(LazyAdaSPDC):
    """The formula of the side where the orbit starts, also beyond 0."""

    def last_phase(self, problem, state, w, u, s):
        side = 1 if w > 0 else -1 if w < 0 else 0
        return w, u + side * problem.regularizer.l1, s, w - w


class ThetaOfTheTouch(LazyAdaSPDC):
    """w_bar as it was when the coordinate was touched."""

    def current(self, problem, state, j):
        return super().current(problem, state, j)[0], state.w_bar[j]


@pytest.mark.parametrize("mistake", [OneTau, NeverCrosses, ThetaOfTheTouch])
def test_a_mistake_in_catching_up_shows(mistake):
    assert any(differs_from_dense(seed, "adaspdc", mistake) is not None for seed in range(40))


def test_catching_up_is_stepping_exactly_through_every_sequence_of_signs():
    rng, seen = random.Random(0), Counter()
    lazy, problem = LazyAdaSPDC(), Problem([[1]], [1], Squared(), ElasticNet("1/4", "1/4"), number=Fraction)
    for _ in range(600):
        w, u = F(rng.randint(-12, 12), 8), F(rng.choice([0, 1, -1, 2, -2, 4, -4, 9, -9]), 8)
        taus, levels = [], [surface(Fraction)]
        for _ in range(rng.randint(1, 8)):
            taus.append(F(rng.randint(1, 12), rng.randint(1, 6)))
            levels.append(deepen(levels[-1], taus[-1] / 4))
        state = lazy.init(problem, w=[w])
        state.u, state.taus, state.levels, state.theta = [u], taus, levels, F(2, 3)
        before, path = w, [w]
        for tau in taus:
            before, w = w, prox_step(problem, w, u, tau, 0)
            path.append(w)
        assert lazy.current(problem, state, 0) == (w, w + F(2, 3) * (w - before))
        signs = ["0" if x == 0 else "+" if x > 0 else "-" for x in path]
        seen["".join(s for s, _ in itertools.groupby(signs))] += 1
    assert {"+", "-", "0", "+0", "-0", "+-", "-+", "0+", "0-"} <= set(seen), seen


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
        with pytest.raises(TypeError, match=name):
            lazy().init(block)


# -- compiled = reference, bit for bit ---------------------------------------------------------------------------------


def bits(values):
    return np.asarray(values, dtype=np.float64).reshape(-1).view(np.int64)


def first_difference(expected, got):
    """The first field in which two states differ in some bit, or None."""
    assert type(expected).names() == type(got).names()
    names = type(expected).names()
    return next(
        (name for name in names if not np.array_equal(bits(getattr(expected, name)), bits(getattr(got, name)))), None
    )


def sparse_rows(seed, n=24, d=15):
    """Rows of different norms with few entries, so that most coordinates stand aside for many steps."""
    rng = np.random.default_rng(seed)
    X = np.where(rng.random((n, d)) < 0.12, rng.standard_normal((n, d)) * rng.lognormal(size=(n, 1)), 0.0)
    X[np.arange(n), rng.integers(d, size=n)] = 1.0
    return rng, X


REGULARIZERS = [L2(0.01), ElasticNet(0.01, 1e-3), ElasticNet(0.01, 0.03), ElasticNet(0.3, 0.1)]
LOSSES = [Squared(), SmoothedHinge(), SmoothedHinge("1/4"), SquaredHinge(), Logistic()]


@pytest.mark.parametrize("loss", LOSSES, ids=repr)
@pytest.mark.parametrize("m", [1, 2])
@pytest.mark.parametrize("name", sorted(BLOCK_KERNELS))
def test_the_compiled_method_has_the_bits_of_its_counterpart(name, m, loss):
    options = {} if name == "pdcp" else {"m": m}
    for seed, regularizer in itertools.product(range(3), REGULARIZERS):
        rng, X = sparse_rows(seed)
        y = rng.choice([-1.0, 1.0], len(X))
        dense, compressed = Problem(X, y, loss, regularizer), Problem(csr_array(X), y, loss, regularizer)
        fast, reference = kernels()[name](**options), as_compiled(name, **options)
        w = rng.standard_normal(X.shape[1])
        passes = [reference.draw(dense, "uniform", seed, epoch) for epoch in range(4)]
        expected = reference.run(dense, np.concatenate(passes), reference.init(dense, w=w.tolist()))
        for problem in (dense, compressed):
            state = fast.init(problem, w=w)
            for choices in passes:
                fast.advance(problem, state, choices)
            assert first_difference(expected, state) is None, (seed, regularizer)
            assert np.array_equal(bits(reference.view(dense, expected)[0]), bits(fast.view(problem, state)[0]))


def test_the_runs_compared_reach_zero_and_go_through_it():
    seen = Counter()

    class Watched(LazyAdaSPDC):
        def last_phase(self, problem, state, w, u, s):
            found = super().last_phase(problem, state, w, u, s)
            seen["stays" if found[2] == s else "to 0" if found[0] == 0 else "through 0"] += 1
            return found

    for seed, regularizer in itertools.product(range(3), REGULARIZERS[1:]):
        rng, X = sparse_rows(seed)
        problem = Problem(X, rng.choice([-1.0, 1.0], len(X)), SmoothedHinge(), regularizer)
        w = rng.standard_normal(X.shape[1]).tolist()
        passes = np.concatenate([Watched().draw(problem, "uniform", seed, epoch) for epoch in range(4)])
        Watched().run(problem, passes, Watched().init(problem, w=w))
    assert set(seen) == {"stays", "to 0", "through 0"} and min(seen.values()) >= 10, seen


def test_the_comparison_sees_the_tau_of_another_row():
    """Control: tau of the first row of the sample, not of the one with the largest norm."""
    _, X = sparse_rows(0)
    problem = Problem(X, np.ones(len(X)), Squared(), L2(0.01))
    fast, reference = kernels()["adaspdc"](m=2), as_compiled("adaspdc", m=2)
    choices = reference.draw(problem, "uniform", 0, 0)
    numbers = fast.numbers(problem)
    assert first_difference(reference.run(problem, choices), fast.run(problem, choices)) is None
    fast._made = (problem, numbers._replace(R=np.ones(len(X))))
    assert first_difference(reference.run(problem, choices), fast.run(problem, choices)) is not None


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
        with pytest.raises(HypothesisViolated, match="gamma > 0"):
            refuse(problem)


# -- the published method, and its repair -----------------------------------------------------------------------------


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
    words = [
        "solve",
        str(tmp_path / "data"),
        "--loss",
        "squared",
        "--lam",
        "0.1",
        "--tol",
        "1e-6",
        "--batch",
        "1",
        "--json",
    ]
    for name, expected in (("adaspdc", True), ("adaspdc-r", False)):
        assert cli.main([*words, "--method", name]) == 0
        out, err = capsys.readouterr()
        assert ("I = 2.83" in err) == expected
        assert [("I = 2.83" in note) for note in json.loads(out)["notes"]] == [True] * expected
