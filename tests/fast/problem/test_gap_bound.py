"""gap_bound is at least P(w) - D(alpha) in the reals, whatever cancels; without the terms of the sums or those of the
formulas it is not; status ``rounding``.
"""

import decimal
import math
import random
import runpy
from fractions import Fraction

import numpy as np
import pytest
from support import ROOT, by_day

from dualgap.fast import Certificate, solve
from dualgap.fast.problem import gap_bound, intercept
from dualgap.fast.problem.block_objective import objective_of
from dualgap.fast.problem.certificate import certified
from dualgap.fast.problem.intercept import InterceptObjective
from dualgap.fast.problem.objective import Objective
from dualgap.proofs_checks import certificate
from dualgap.proofs_checks.strategies.hostile_pairs import RATIONAL
from dualgap.reference import L2, Absolute, ElasticNet, Hinge, Problem, SmoothedHinge, Squared, SquaredHinge
from dualgap.reference.problem.block_losses import Separable
from dualgap.reference.problem.block_problem import BlockProblem
from dualgap.reference.problem.pnorm import PNorm
from dualgap.reference.problem.weighted_problem import WeightedProblem

BENCHMARK = runpy.run_path(str(ROOT / "benchmarks" / "certificates.py"))
judged, BY_DAY = BENCHMARK["judged"], [(kind.__name__, 700) for kind in BENCHMARK["KINDS"]]
SHARE, ROW_SIZES = intercept.share, Objective.row_sizes.fget


@pytest.fixture(autouse=True)
def the_benchmark_leaves_nothing(monkeypatch):
    """It records what ``share`` gives."""
    monkeypatch.setattr(intercept, "share", SHARE)


@pytest.mark.parametrize("given", by_day([*BY_DAY, ("intercept", 100_000)], *BY_DAY))
def test_no_bound_of_a_hostile_pair_is_false(given):
    """Against P - D in rationals, or in intervals for the logistic loss, by ``benchmarks/certificates.py``."""
    kind, count = given
    tally = judged(count, seed=40, kind=kind)
    assert min(tally.counts[kind, name] for name in ("certified", "thin certified")) > count / 20
    assert tally.false() == 0
    assert tally.counts[kind, "gap false"] > count / 50, "control: without its roundings a gap is no bound"


def without_weights(self, alpha):
    return float(alpha.sum()), 0.0


def smaller_share(*given):
    found = SHARE(*given)
    return None if found is None else (found[0], found[1] / 8)


BUGS = {  # what is planted, the kind of pair, and how
    "no terms of the sums": ("as_drawn", lambda patch: patch.setattr(gap_bound, "k", lambda count: 0.0)),
    "no terms of the formulas": ("as_drawn", lambda patch: patch.setattr(gap_bound, "UNIT", 0.0)),
    "the sum ignored": ("intercept", lambda patch: patch.setattr(intercept, "signs", lambda objective, alpha: ())),
    "weights left out": ("intercept", lambda patch: patch.setattr(InterceptObjective, "balance", without_weights)),
    "t too small": ("intercept", lambda patch: patch.setitem(judged.__globals__, "share", smaller_share)),
    "alpha+ left out": ("intercept", lambda patch: patch.setattr(intercept, "between", lambda one, other, t: one)),
}


@pytest.mark.parametrize("bug", BUGS)
def test_planted_bugs_make_false_bounds(bug, monkeypatch):
    kind, plant = BUGS[bug]
    monkeypatch.setitem(judged.__globals__, "LOSSES", RATIONAL)
    plant(monkeypatch)
    assert judged(300, seed=0, kind=kind).false() > 0


def test_equal_rows_of_opposite_labels_are_not_called_converged():
    problem = Problem([[1e16], [1.0], [1e16]], [1, 1, -1], Hinge(), L2(1e-3))
    pair = [0.0], [-1.0, -1.0, 1.0]
    exact = certificate(problem, pair[1], pair[0]).gap  # 1 + 1/(18 lam) - 1
    plain, better = Certificate(problem, *pair), Certificate(problem, *pair, compensated=True)
    assert plain.gap == 0 and plain.gap_bound > exact > 55
    assert exact <= Fraction(better.gap_bound) <= exact * (1 + Fraction(1, 2**40))
    result = solve(problem, "sdca", alpha=pair[1], tol=1e-9)
    assert result.status == "rounding" and "rounding" in result.advice and result.gap_bound > 1e-9
    assert certificate(problem, result.alpha, result.w).gap <= result.gap_bound


def test_a_gap_above_the_tolerance_is_not_called_converged_from_a_cold_start():
    problem = Problem([[3e7], [7e7], [3e7]], [1, 1, -1], SquaredHinge(), L2(1e-8))
    result = solve(problem, "lbfgs", tol=1e-11)
    exact = certificate(problem, result.alpha, result.w).gap
    assert exact > Fraction(1e-11) and result.status == "rounding"
    assert exact <= Fraction(result.gap_bound) <= exact * (1 + Fraction(1, 2**20))


def test_what_can_be_certified_is_converged_with_equal_rows_of_opposite_labels():
    """The compensated certificate says so where the plain one cannot."""
    problem = Problem([[1e8], [1e8]], [1, -1], Hinge(), L2(1.0))
    assert Certificate(problem, [0.0], [-1.0, 1.0]).gap_bound > 1e-20
    result = solve(problem, "sdca", alpha=[-1.0, 1.0], tol=1e-20)
    assert result.status == "converged" and result.certificate.compensated
    assert certificate(problem, result.alpha, result.w).gap <= Fraction(result.gap_bound) <= Fraction(1e-20)


def test_compensated_sums_are_made_where_roundings_prevail_and_nowhere_else():
    problem = Problem([[1e16], [1.0], [1e16]], [1, 1, -1], Hinge(), L2(1e-3))
    assert certified(problem, [0.0], [-1.0, -1.0, 1.0], 1e-9, 0.0).compensated
    assert not certified(problem, [0.0], [-1.0, -1.0, 1.0], 1e9, 0.0).compensated  # met
    assert not certified(problem, [1e-3], [0.0, 0.0, 0.0], 1e-9, 0.0).compensated  # far from it: the gap is no rounding


@pytest.mark.parametrize("gamma", [1.0, 1e-12, 1e-30, 1e-100, 1e-300])
def test_a_small_gamma_costs_no_more_than_the_slope_of_the_loss(gamma):
    """The bound by the slope is next to the gap here, and the one that is taken is less than twice that."""
    rng = np.random.default_rng(6)
    X, y, alpha = rng.standard_normal((20, 3)), rng.choice([-1.0, 1.0], 20), rng.random(20)
    problem, w = Problem(X, y, SmoothedHinge(gamma), L2(0.1)), rng.standard_normal(3)
    exact = certificate(problem, -y * alpha, w).gap
    for compensated in (False, True):
        assert exact <= Fraction(Certificate(problem, w, -y * alpha, compensated).gap_bound) <= 2 * exact


def test_control_a_small_gamma_without_the_second_bound(monkeypatch):
    monkeypatch.setattr(
        Objective, "row_sizes", property(lambda self: gap_bound.RowSizes(*ROW_SIZES(self)[:4], math.inf, 0.0))
    )
    with pytest.raises(AssertionError):
        test_a_small_gamma_costs_no_more_than_the_slope_of_the_loss(1e-30)


VANISHING = {  # pairs in which a product underflows before it meets a large factor: problem in a number, w, alpha
    "s_i alpha_i, before it meets x_ij": (
        lambda number: WeightedProblem(
            [[2.0**511], [0.0]], [1, 1], Hinge(), L2(1e-200), [2.0**-500, 2.0**500], number=number
        ),
        [0.0],
        [-0.49 * 2.0**-75, -1.0],
    ),
    "the squares of the alpha of a block, before they meet ||A_i||": (
        lambda number: BlockProblem.kronecker(
            [[1e146], [1e126], [-1e146]], [[-1e-170] * 2] * 3, 2, Separable(Squared()), L2(1e-100), number=number
        ),
        [0.0, 0.0],
        [(1e-170, 1e-170)] * 3,
    ),
    "the squares of w in a small ball, before they meet its multiplier": (
        lambda number: Problem(
            [[1.0], [1.0]], [0.0, 0.0], Absolute(), PNorm(2.0**484, 2, ball=2.0**-538), number=number
        ),
        [2.0**-1000],
        [1.0, 1.0],
    ),
}


def underflowing(name):
    """(the gap in rationals, the bounds in plain and in compensated sums)."""
    problem, w, alpha = VANISHING[name]
    exact = [tuple(map(Fraction, a)) if isinstance(a, tuple) else Fraction(a) for a in alpha]
    bounds = [Certificate(problem(float), w, alpha, compensated).gap_bound for compensated in (False, True)]
    return problem(Fraction).gap([Fraction(w_j) for w_j in w], exact), [Fraction(bound) for bound in bounds]


@pytest.mark.parametrize("name", VANISHING)
def test_products_that_underflow_before_they_meet_a_large_factor(name):
    gap, bounds = underflowing(name)
    assert all(bound >= gap for bound in bounds)


def test_control_what_weighted_products_lose_to_underflow_is_left_out(monkeypatch):
    monkeypatch.setattr(Objective, "lost", 0.0)
    gap, bounds = underflowing("s_i alpha_i, before it meets x_ij")
    assert not all(bound >= gap for bound in bounds)


def test_a_proximal_centre_is_part_of_the_bound():
    rng = random.Random(2)
    for _ in range(200):
        X = [[rng.gauss(0, 1) * 10.0 ** rng.randrange(-4, 5) for _ in range(2)] for _ in range(3)]
        plain = Problem(X, [1.0, -1.0, 1.0], SmoothedHinge(), ElasticNet(10.0 ** rng.randrange(-9, 1), 0.1))
        problem = plain.centred(10.0 ** rng.randrange(-6, 3), [rng.gauss(0, 1e6), rng.gauss(0, 1)])
        alpha = [-rng.random(), rng.random(), 0.0]
        w = Objective(problem).w(np.array(alpha))
        exact = Problem(X, plain.y, plain.loss, plain.regularizer, number=Fraction).centred(
            Fraction(problem.regularizer.kappa), [Fraction(c) for c in problem.regularizer.centre]
        )
        pair = [Fraction(float(w_j)) for w_j in w], [Fraction(a) for a in alpha]
        for compensated in (False, True):
            assert Fraction(Certificate(problem, w, alpha, compensated).gap_bound) >= exact.P(pair[0]) - exact.D(
                pair[1]
            )


def decimal_gap(X, y, w, alpha, lam, p):
    """P - D of hinge and the squared p-norm on all of space, in 80 digits."""
    D = decimal.Decimal
    n, q = len(X), 1 / (1 - 1 / D(p))
    norm = lambda v, r: sum((abs(v_j) ** r for v_j in v if v_j), D(0)) ** (1 / r) if any(v) else D(0)
    z = [sum((D(x) * D(w_j) for x, w_j in zip(row, w)), D(0)) for row in X]
    u = [sum((D(a) * D(row[j]) for row, a in zip(X, alpha)), D(0)) / n for j in range(len(w))]
    primal = sum((max(D(0), 1 - D(y_i) * z_i) for y_i, z_i in zip(y, z)), D(0)) / n + D(lam) * norm(
        [D(w_j) for w_j in w], D(p)
    ) ** 2 / (2 * (D(p) - 1))
    dual = -sum((D(y_i) * D(a) for y_i, a in zip(y, alpha)), D(0)) / n - (D(p) - 1) * norm(u, q) ** 2 / (2 * D(lam))
    return primal - dual


@pytest.mark.parametrize("p", [1.25, 1.5, 2.0])
def test_p_norms(p):
    """80 digits: what decimal loses is far below the least bound that occurs (1e-15 of P)."""
    rng = random.Random(3)
    with decimal.localcontext(decimal.Context(prec=80, Emin=-(10**9), Emax=10**9)):
        for _ in range(60):
            scale = 10.0 ** rng.randrange(-3, 8)
            half = [[rng.gauss(0, 1) * scale for _ in range(3)] for _ in range(2)]
            problem = Problem(
                [*half, *half, [1.0, 2.0, -1.0]],
                [1.0, 1.0, -1.0, -1.0, 1.0],
                Hinge(),
                PNorm(10.0 ** rng.randrange(-6, 1), p),
            )
            alpha = [-1.0, -rng.random(), 1.0, rng.random(), -0.5]
            w = Objective(problem).w(np.array(alpha))
            gap = decimal_gap(problem.X, problem.y, w.tolist(), alpha, problem.regularizer.lam, p)
            for compensated in (False, True):
                assert decimal.Decimal(Certificate(problem, w, alpha, compensated).gap_bound) >= gap


def test_a_relative_target_is_relative_to_the_primal():
    found = Certificate(Problem([[1.0], [0.0]], [1.0, 1.0], Squared(), L2(1)), [3.0], [0.0, 0.0])
    assert found.primal != abs(found.dual)
    assert found.target(0.0, 0.5) == 0.5 * found.primal
    assert found.target(9.0, 0.5) == 9.0


@pytest.mark.parametrize("weights", [[1.0, 2.0**40, 1.0], [2.0**-300, 3.0, 1.0], [1.0, 1.0, 1.0]])
def test_the_mean_of_the_squares_of_z_is_weighted(weights):
    """The error of z is a weighted mean over the rows; the unweighted mean can be a fraction of it."""
    z = np.array([1e-3, 7.3, 0.0])
    problem = WeightedProblem([[1.0], [2.0], [3.0]], [1.0, -1.0, 1.0], Squared(), L2(1.0), weights)
    shares = [Fraction(s) for s in problem.weights]
    exact = sum(s * Fraction(z_i) ** 2 for s, z_i in zip(shares, z.tolist())) / sum(shares)
    objective = objective_of(problem)
    found = Fraction(objective.mean_square_root(z)) ** 2
    assert exact <= found <= exact * (1 + Fraction(1, 10**12))
    plain = objective_of(Problem([[1.0], [2.0], [3.0]], [1.0, -1.0, 1.0], Squared(), L2(1.0)))
    unweighted = Fraction(plain.mean_square_root(z)) ** 2
    assert (unweighted < exact) == (len(set(weights)) > 1), "the control"
