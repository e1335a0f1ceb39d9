"""What the strategies draw, counted: kinks, zero and equal rows, thresholds of lambda, both sides of every branch."""

import importlib.util
from collections import Counter
from pathlib import Path

import pytest
from support import by_day

from dualgap.proofs_checks.claims.by_hypothesis import by_hypothesis
from dualgap.proofs_checks.claims.run import draw_instances
from dualgap.proofs_checks.properties.runs import features
from dualgap.proofs_checks.strategies.public import drawn_by, pairs, runs

spec = importlib.util.spec_from_file_location("lemma_rate", Path(__file__).with_name("test_lemma_rate.py"))
lemma_rate = importlib.util.module_from_spec(spec)
spec.loader.exec_module(lemma_rate)

DUE = {  # feature: the share of the drawn runs that must have it, at least
    "zero row": 0.02,
    "equal rows": 0.05,
    "one row": 0.1,
    "kink": 0.04,
    "K = 1/4": 0.02,
    "K = 1/2": 0.02,
    "K = 1": 0.02,
    "K < 1/4": 0.1,
    "K > 1": 0.1,
    "coordinate at 0 by l1": 0.02,
    "coordinate kept by l1": 0.02,
    "flat": 0.01,
    "quadratic": 0.02,
    "linear": 0.02,
    "centre": 0.1,
}


@pytest.mark.parametrize("draw", by_day([draw_instances, by_hypothesis], draw_instances))
def test_the_strategies_reach_kinks_zero_and_equal_rows_thresholds_and_both_sides_of_every_branch(draw):
    drawn = [*draw(pairs(), 400, 1), *draw(runs("sdca", max_steps=4), 400, 2)]
    seen = Counter(feature for run in drawn for feature in features(run))
    print(seen)
    shares = {feature: seen[feature] / len(drawn) for feature in DUE}
    assert {feature: share for feature, share in shares.items() if share < DUE[feature]} == {}


# of 15 runs: an epoch of m = 2n steps, or T - T0 >= n, leaves few steps that can be enumerated
FEWER = {"ASPDC-i, Theorem A": 2, "SDCA, Theorem 1": 3}


@pytest.mark.parametrize("name", by_day(lemma_rate.BOUNDS, "ASPDC, sharp", "SPDC, Theorem 1"))
def test_of_the_bounds_that_are_drawn_a_third_is_somewhere_below_the_start(name):
    drawn = draw_instances(drawn_by(lemma_rate.BOUNDS[name].claim).filter(lemma_rate.inside), 15, 3)
    told = [any(not relation.vacuous() for relation in lemma_rate.along_trajectory(name, run)) for run in drawn]
    assert sum(told) >= FEWER.get(name, 5)
