"""Weighted rows, compiled: bit-identical to the reference, a bound that exact arithmetic confirms, and invalid
weights.
"""

import math
import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import csr_array
from support import refuses

from dualgap.fast import Certificate, solve
from dualgap.fast.problem import gap_bound, weighted_objective
from dualgap.fast.problem.weighted_objective import WeightedObjective
from dualgap.fast.solver.checkpoint import fingerprint
from dualgap.proofs_checks.strategies.hostile_pairs import RATIONAL, hostile
from dualgap.reference import L2, LOSSES, Absolute, ElasticNet, HypothesisViolated, Interval, Problem, WeightedProblem
from dualgap.reference.numbers.interval import Undecided, digits
from dualgap.reference.problem.pnorm import PNorm

WEIGHTS = (1.0, 3.0, 1 / 3, 0.1, 7 / 11, 2.0**-40, 2.0**53 - 1, 2.0**-300)


def pair_of(instance, weights):
    """(problem, w, alpha) in floats; w is w(alpha) of the weighted problem where it was that of the other."""
    problem = weighted_problem(instance, weights, float)
    alpha = np.array([float(a) for a in instance.alpha])
    w = np.array([float(w_j) for w_j in instance.extra.w])
    return problem, WeightedObjective(problem).w(alpha) if w.any() else w, alpha


def weighted_problem(instance, weights, number):
    plain = instance.problem(number)
    return WeightedProblem(
        [[float(x) for x in row] for row in instance.rows],
        plain.y,
        plain.loss,
        plain.regularizer,
        weights,
        number=number,
    )


def bounds(instance, weights):
    """(bound, exact gap) in plain and in compensated sums; nothing where the pair is refused."""
    try:
        problem, w, alpha = pair_of(instance, weights)
        found = [Certificate(problem, w, alpha, compensated).gap_bound for compensated in (False, True)]
    except (OverflowError, ValueError):
        return []
    number = Interval if problem.loss.name == "logistic" else Fraction
    exact = weighted_problem(instance, weights, number)
    w, alpha = [number(float(x)) for x in w], [number(float(x)) for x in alpha]
    gap = exact.P(w) - exact.D(alpha)
    return [(bound, Fraction(gap.low) if number is Interval else gap) for bound in found]


@st.composite
def weighted_pairs(draw, losses):
    instance = hostile(lambda options: draw(st.sampled_from(options)), losses)
    return instance, [draw(st.sampled_from(WEIGHTS)) for _ in instance.rows]


@settings(max_examples=200)
@given(weighted_pairs(RATIONAL))
def test_the_bound_is_not_below_the_exact_gap(drawn):
    for bound, gap in bounds(*drawn):
        assert bound == math.inf or Fraction(bound) >= gap


@settings(max_examples=40)
@given(weighted_pairs(("logistic",)))
def test_the_bound_of_the_logistic_loss_is_not_below_an_enclosure(drawn):
    try:
        with digits(60):
            found = bounds(*drawn)
    except (OverflowError, Undecided):  # beyond the exponents of decimal
        return
    assert all(bound == math.inf or Fraction(bound) >= gap for bound, gap in found)


def false_bounds(count=300):
    """Count the false bounds on hostile pairs, with plain and with compensated sums."""
    rng, found = random.Random(0), [0, 0]
    for _ in range(count):
        instance = hostile(rng.choice, RATIONAL)
        for kind, (bound, gap) in enumerate(bounds(instance, [rng.choice(WEIGHTS) for _ in instance.rows])):
            found[kind] += bound < math.inf and Fraction(bound) < gap
    return found


def test_without_the_terms_of_the_sums_bounds_are_false(monkeypatch):
    """Control."""
    monkeypatch.setattr(gap_bound, "k", lambda count: 0.0)
    assert false_bounds()[0] > 0


def test_without_the_roundings_of_the_products_compensated_bounds_are_false(monkeypatch):
    """Control: 3 times 0.1 and 0.3 rounded cancel between two rows, except for the rounding of the product, which e_i
    holds.
    """
    tenth, scale = 0.1, 2.0**60
    problem = WeightedProblem([[scale], [scale]], [0.0, 0.0], Absolute(), L2(1.0), [3.0, 1.0])
    alpha = np.array([-tenth, 3.0 * tenth])
    exact = WeightedProblem([[scale], [scale]], [0, 0], Absolute(), L2(1), [3, 1], number=Fraction)
    gap = exact.gap([Fraction(0)], [Fraction(a) for a in alpha.tolist()])
    assert Fraction(Certificate(problem, [0.0], alpha, compensated=True).gap_bound) >= gap
    right = weighted_objective.exact_products
    monkeypatch.setattr(weighted_objective, "exact_products", lambda a, b: (right(a, b)[0], np.zeros(a.size)))
    assert Fraction(Certificate(problem, [0.0], alpha, compensated=True).gap_bound) < gap


def data(loss, n=20, d=4, sparse=False):
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(n, d)) * (rng.random((n, d)) < 0.7), np.sign(rng.normal(size=n))
    X = csr_array(X) if sparse else X
    return X, y, LOSSES[loss](), ElasticNet(0.05, 0.01), rng.choice([0.25, 1 / 3, 1.0, 6.0], n)


@pytest.mark.parametrize("loss", sorted(LOSSES))
def test_the_two_backends_certify_the_same_pair(loss):
    problem = WeightedProblem(*data(loss))
    fast, reference = (solve(problem, tol=0, max_epochs=4, backend=backend) for backend in ("fast", "reference"))
    assert fast.w.tolist() == reference.w.tolist() and fast.gap_bound == reference.gap_bound
    assert fast.method == "sdca" and "weighted rows" in fast.reason


@pytest.mark.parametrize("loss", sorted(LOSSES))
def test_a_run_ends_where_the_run_on_repeated_rows_does(loss):
    """||w - w*|| <= sqrt(2 gap/mu) for both, whatever the order of their steps; control: one weight more."""
    X, y, phi, regularizer, _ = data(loss)
    counts = np.random.default_rng(2).integers(1, 5, y.size)
    weighted = solve(WeightedProblem(X, y, phi, regularizer, counts), tol=1e-12, max_epochs=5000)
    repeated = solve(Problem(X.repeat(counts, axis=0), y.repeat(counts), phi, regularizer), tol=1e-12, max_epochs=5000)
    allowed = sum(math.sqrt(2 * max(run.gap_bound, 0) / 0.05) for run in (weighted, repeated)) * (1 + 1e-12)
    assert np.linalg.norm(weighted.w - repeated.w) <= allowed
    other = solve(
        WeightedProblem(X, y, phi, regularizer, counts + 4 * (np.arange(y.size) == 0)), tol=1e-12, max_epochs=5000
    )
    assert np.linalg.norm(other.w - repeated.w) > allowed


def test_other_methods_and_threads_are_refused():
    problem = WeightedProblem(*data("squared"))
    for backend in ("fast", "reference"):
        with pytest.raises(
            ValueError, match="method spdc .* does not run on a WeightedProblem; use auto, sdca, afg for a smooth loss"
        ):
            solve(problem, "spdc", backend=backend)
    with pytest.raises(HypothesisViolated):
        solve(problem.with_regularizer(PNorm(1, 1.5)), "sdca")


def test_the_weights_are_part_of_what_a_checkpoint_is_of(tmp_path):
    given = data("logistic")
    one, other = WeightedProblem(*given), WeightedProblem(*given[:4], given[4][::-1].copy())
    assert len({fingerprint(one), fingerprint(other), fingerprint(Problem(*given[:4]))}) == 3
    path = tmp_path / "run"
    solve(one, tol=0, max_epochs=3, checkpoint=path)
    refuses(ValueError, "another run: its problem", solve, other, tol=0, max_epochs=6, checkpoint=path, resume=True)
    resumed, whole = solve(one, tol=0, max_epochs=6, checkpoint=path, resume=True), solve(one, tol=0, max_epochs=6)
    assert resumed.w.tolist() == whole.w.tolist()
