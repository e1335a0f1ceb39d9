"""Method "auto" on odd problems: it ends within a bounded number of passes, takes turns by counted passes, and
continues from a checkpoint.
"""

from itertools import product

import numpy as np
import pytest
from scipy.sparse import csr_array
from support import interrupt_at, refuses

from dualgap.fast import Certificate, solve
from dualgap.fast.solver import auto, checkpoint
from dualgap.fast.solver.result import Entry
from dualgap.fast.solver.turns import Turns
from dualgap.reference import (
    L2,
    Absolute,
    ElasticNet,
    Hinge,
    Logistic,
    Problem,
    SmoothedHinge,
    Squared,
    SquaredHinge,
    WeightedProblem,
)


@pytest.fixture
def first_order(monkeypatch):
    """Elastic nets have no second-order method, as before ``l1-newton``, so that three methods take turns."""
    newton_of = auto.newton_of
    monkeypatch.setattr(auto, "newton_of", lambda problem: None if problem.regularizer.l1 > 0 else newton_of(problem))


def rows(kind):
    rng = np.random.default_rng(0)
    if kind == "intercept 1000":
        return np.hstack((np.full((100, 1), 1000.0), rng.standard_normal((100, 5))))
    return {
        "equal rows": np.tile(rng.standard_normal(100), (10, 1)),
        "offset 100, d > n": rng.standard_normal((10, 100)) + 100,
        "offset 100, d = 1": rng.standard_normal((1000, 1)) + 100,
        "sizes 1e-3 to 1e5": rng.standard_normal((60, 9)) * 10.0 ** np.arange(-3, 6),
        "d > n": rng.standard_normal((50, 60)),
        "d = n": rng.random((5, 5)),
    }[kind]


def hostile(kind, loss, lam, weighted):
    X, rng = rows(kind), np.random.default_rng(1)
    score = (X - X.mean(axis=0)) @ rng.standard_normal(X.shape[1])
    score = score / max(score.std(), 1e-9) + 0.5 * rng.standard_normal(len(X))
    y = score if loss.name == "squared" else np.where(score > np.median(score), 1.0, -1.0)
    return (
        WeightedProblem(X, y, loss, L2(lam), rng.random(len(X)) * 5 + 0.01)
        if weighted
        else Problem(X, y, loss, L2(lam))
    )


KINDS = [
    "equal rows",
    "offset 100, d > n",
    "offset 100, d = 1",
    "sizes 1e-3 to 1e5",
    "d > n",
    "d = n",
    "intercept 1000",
]
# of a pass and of Newton's evaluations alike
PASSES = {"squared": 250, "logistic": 250, "squared-hinge": 2500, "smoothed-hinge": 2500}


@pytest.mark.parametrize("weighted", [False, True], ids=["", "weights"])
@pytest.mark.parametrize("lam", [1e-2, 1e-7])
@pytest.mark.parametrize("kind", KINDS)
def test_auto_ends_on_hostile_problems_within_counted_passes(kind, lam, weighted):
    for loss in (Squared(), Logistic(), SquaredHinge(), SmoothedHinge()):
        result = solve(hostile(kind, loss, lam, weighted), rtol=1e-6, max_epochs=PASSES[loss.name])
        assert result.status == "converged", (loss, result.method, result.advice)


def test_one_method_alone_does_not_end_there():
    """The control of the test above: what auto began with."""
    problem = hostile("equal rows", Logistic(), 1e-7, False)
    first, *others = auto.plan(problem)
    assert first[0].method == "sdca-newton" and [choice.method for choice, _ in others] == ["newton"]
    assert solve(problem, "sdca-newton", rtol=1e-6, max_epochs=5000).status == "max_epochs"
    taken = solve(problem, rtol=1e-6, max_epochs=250)
    assert taken.method == "newton" and "after 24 passes newton, since the gap fell too slowly" in taken.reason


def test_what_takes_turns():
    X, y = csr_array(np.eye(4)), [1, -1, 1, 1]
    for loss, g, due in (
        (Logistic(), L2(1.0), ["sdca-newton", "newton"]),
        (Logistic(), ElasticNet(1.0, 0.1), ["l1-newton"]),
        (Logistic(), ElasticNet(1.0, 0.1).centred(0.1, [0.0] * 4), ["sdca", "afg"]),
        (Squared(), L2(1e-9), ["newton"]),
        (Hinge(), L2(1.0), ["sdca-newton", "proximal-newton"]),
        (Hinge(), ElasticNet(1.0, 0.1), ["sdca-newton"]),
        (Absolute(), L2(1.0), ["sdca-newton", "proximal-newton"]),
    ):
        assert [choice.method for choice, _ in auto.plan(Problem(X, y, loss, g))] == due
    weighted = WeightedProblem(X, y, Logistic(), ElasticNet(1.0, 0.1), [1, 2, 3, 4])
    assert [choice.method for choice, _ in auto.plan(weighted)] == ["l1-newton"]


def test_without_a_second_order_method_three_take_turns(first_order):
    X, y, net = np.eye(4), [1, -1, 1, 1], ElasticNet(1.0, 0.1)
    assert [choice.method for choice, _ in auto.plan(Problem(X, y, Logistic(), net))] == ["sdca", "asdca", "afg"]
    weighted = WeightedProblem(X, y, Logistic(), net, [1, 2, 3, 4])
    assert [choice.method for choice, _ in auto.plan(weighted)] == ["sdca", "afg"], "only what takes weights"


def test_a_turn_goes_on_while_the_end_is_near():
    """A gap that falls tenfold in 10 passes: 40 more from 1e-4 to 1e-8, 60 more to 1e-10."""
    falling = [Entry(k, 0.0, 1.0, 0.0, 10.0 ** (-k / 10), 10.0 ** (-k / 10)) for k in range(0, 41, 10)]
    for goal, over in ((1e-8, False), (1e-10, True)):
        turns = Turns((40, 40))
        assert turns.over(falling, None, goal) is over and not Turns((40,)).over(falling, None, goal)
        assert turns.until == (40 if over else 80)
    standing = [entry._replace(gap_bound=1.0) for entry in falling]
    assert Turns((40, 40)).over(standing, None, 1e-8) and not Turns((50, 40)).over(standing, None, 1e-8)
    assert Turns((50, 40)).over(standing, "stalled", 1e-8) and not Turns((50, 40)).over(standing, "rounding", 1e-8)


def passes_beyond_the_first():
    """Over elastic nets that the first method of the plan ends within 3000 passes: the ratio of auto's passes to its
    passes.
    """
    rng = np.random.default_rng(0)
    for (n, d), offset, loss, lam in product(
        ((6, 40), (40, 6), (5, 300)), (0, 30), (Squared(), SmoothedHinge()), (1e-3, 1e-5)
    ):
        X = rng.standard_normal((n, d))
        y = X @ rng.standard_normal(d) if loss.name == "squared" else np.where(np.arange(n) % 3, 1.0, -1.0)
        X = X + offset
        problem = Problem(
            X, y, loss, ElasticNet(lam * float(np.max(np.sum(X**2, axis=1))), 0.1 * float(np.max(np.abs(X.T @ y))) / n)
        )
        first = auto.choose(problem)
        alone = solve(problem, first.method, order=first.order, rtol=1e-6, max_epochs=3000)
        if alone.status == "converged":
            yield solve(problem, rtol=1e-6, max_epochs=6000).epochs / alone.epochs


def test_turns_cost_at_most_half_the_passes_of_the_first_method_besides(first_order):
    ratios = list(passes_beyond_the_first())
    assert max(ratios) <= 1.5 and len(ratios) >= 15, ratios


@pytest.mark.nightly
def test_a_method_that_begins_anew_at_every_turn_costs_more(monkeypatch, first_order):
    """The control of the test above."""
    monkeypatch.setattr("dualgap.fast.solver.run.is_finite", lambda state: False)
    assert any(ratio > 1.5 for ratio in passes_beyond_the_first())


def test_no_turn_makes_more_passes_than_the_run_may(first_order):
    """asdca begins with three passes and afg takes two at a time."""
    problem = Problem(rows("d = n"), [1, -1, 1, 1, -1], SquaredHinge(), ElasticNet(1e-7, 0.05))
    for limit in (160, 161, 162, 163, 165, 201, 202, 203, 205, 241, 242, 561, 562):
        assert limit - 3 <= solve(problem, tol=0, max_epochs=limit).epochs <= limit, limit


def test_certificates_of_a_turn_are_as_near_as_those_of_a_run(first_order):
    """afg ends this problem in 6 passes: its turn does, too, and not at the end of its portion."""
    problem = Problem([[-1.0], [0.0], [1.0]], [-1.0, 0.0, 1.0], Squared(), ElasticNet(5e-7, 0.5))
    assert solve(problem, "afg", tol=1e-12).epochs <= 6
    result = solve(problem, tol=1e-12)
    assert result.method == "afg" and result.epochs <= 160 + 41 + 6


@pytest.mark.parametrize(
    ("kind", "loss", "regularizer", "k"),
    [
        *(("equal rows", Logistic(), L2(1e-7), k) for k in (1, 2, 3)),
        *(("d > n", Hinge(), L2(1e-7), k) for k in (1, 2)),
        *(
            ("equal rows", loss, ElasticNet(1e-7, 0.05), k)
            for loss in (Logistic(), Squared())
            for k in (2, 9, 20, 30, 45, 60)
        ),
    ],
    ids=repr,
)
def test_a_run_in_turns_goes_on_from_any_certificate_to_the_same_bits(
    kind, loss, regularizer, k, tmp_path, first_order, monkeypatch
):
    """With L2 the certificates are those of the first method and of newton or proximal-newton. With the elastic nets
    they are those of sdca or spdc, asdca, afg, and of each again in the state in which it stopped.
    """
    X = rows(kind)
    problem = Problem(X, np.where(np.arange(len(X)) % 3, 1.0, -1.0), loss, regularizer)
    if loss.name == "hinge":
        monkeypatch.setattr(auto, "FIRST", 2)  # passes of the first turn: it would end in 12
    whole = solve(problem, rtol=1e-6, max_epochs=800, callback=lambda entry: None)
    assert "fell too slowly" in whole.reason and k < len(whole.history)
    cut = solve(problem, rtol=1e-6, max_epochs=800, checkpoint=tmp_path / "run", callback=interrupt_at(k))
    assert cut.status == "interrupted"
    again = solve(problem, rtol=1e-6, max_epochs=800, checkpoint=tmp_path / "run", resume=True)
    assert again.w.tolist() == whole.w.tolist()
    assert again.alpha.tolist() == whole.alpha.tolist()
    assert again.epochs == whole.epochs
    assert again.method == whole.method
    assert [entry[:1] + entry[2:] for entry in again.history] == [entry[:1] + entry[2:] for entry in whole.history]


def test_the_control_a_method_that_a_checkpoint_forgot_is_noticed(tmp_path, first_order):
    problem = Problem(rows("equal rows"), np.where(np.arange(10) % 3, 1.0, -1.0), Squared(), ElasticNet(1e-7, 0.05))
    whole = solve(problem, rtol=1e-6, max_epochs=800)
    solve(problem, rtol=1e-6, max_epochs=800, checkpoint=tmp_path / "run", callback=interrupt_at(30))
    told, members = checkpoint.read(str(tmp_path / "run"))
    assert sorted(told["parked"]) == ["0", "1"] and told["turn"][0] == 2
    checkpoint.write(str(tmp_path / "run"), {**told, "parked": {}}, members)
    again = solve(problem, rtol=1e-6, max_epochs=800, checkpoint=tmp_path / "run", resume=True)
    assert [entry.gap for entry in again.history] != [entry.gap for entry in whole.history]
    for which, bad in ((0, {"drawn": -1}), (1, {"passes": 0.5}), (0, {"fields": {}})):
        damaged = {**told["parked"], str(which): {**told["parked"][str(which)], **bad}}
        checkpoint.write(str(tmp_path / "run"), {**told, "parked": damaged}, members)
        with pytest.raises(ValueError, match="damaged"):
            solve(problem, rtol=1e-6, max_epochs=800, checkpoint=tmp_path / "run", resume=True)
    checkpoint.write(str(tmp_path / "run"), told, {**members, "parked 1 alpha": members["parked 1 alpha"][:-1]})
    with pytest.raises(ValueError, match="damaged"):
        solve(problem, rtol=1e-6, max_epochs=800, checkpoint=tmp_path / "run", resume=True)
    outside = Problem(problem.X, problem.y, Logistic(), problem.regularizer)
    solve(outside, rtol=1e-6, max_epochs=800, checkpoint=tmp_path / "other", callback=interrupt_at(30))
    told, members = checkpoint.read(str(tmp_path / "other"))
    checkpoint.write(str(tmp_path / "other"), told, {**members, "parked 1 alpha": members["parked 1 alpha"] + 7})
    with pytest.raises(ValueError, match="damaged"):
        solve(outside, rtol=1e-6, max_epochs=800, checkpoint=tmp_path / "other", resume=True)


@pytest.mark.parametrize(
    ("method", "regularizer"), [("spdc", L2(1e-3)), ("asdca", ElasticNet(1e-3, 1e-2)), ("newton", L2(1e-3))]
)
def test_a_pair_from_before_is_certified_first_and_never_lost(method, regularizer):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((30, 10))
    problem = Problem(X, X @ rng.standard_normal(10) + 0.1 * rng.standard_normal(30), Squared(), regularizer)
    before = solve(problem, method, tol=1e-10, max_epochs=5000)
    again = solve(problem, method, alpha=before.alpha, w=before.w, tol=1e-10)
    assert (again.epochs, again.gap_bound, again.status) == (0, before.gap_bound, "converged")
    cut = solve(problem, method, alpha=before.alpha, w=before.w, tol=0, max_epochs=1)
    assert cut.gap_bound <= before.gap_bound
    assert solve(problem, method, alpha=before.alpha, tol=0, max_epochs=0).gap_bound > before.gap_bound, (
        "control: w(alpha) alone is worse"
    )
    for w in (before.w[1:], np.full(10, np.nan)):
        refuses(ValueError, "w must be 10 finite numbers", solve, problem, method, alpha=before.alpha, w=w)
    refuses(ValueError, "together with alpha", solve, problem, method, w=before.w)


def test_newton_at_the_level_of_rounding_says_so():
    X = [[-0.0097, 71.0, 880.0], [-0.016, 1100.0, -150.0], [-0.019, 980.0, 2200.0]]
    problem = Problem(X, [-1300.0, 40.0, -3400.0], Squared(), L2(64.0))
    result = solve(problem, "newton", tol=1e-24, max_epochs=10_000)
    assert result.status == "rounding" and result.epochs < 200
    assert Certificate(problem, result.w, result.alpha).gap_bound < 1e-20
