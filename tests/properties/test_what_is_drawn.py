"""What the strategies draw, counted: kinks, zero and equal rows, thresholds of lambda, both sides of every branch.

Draws change with the strategies, so no threshold lies at a number that was counted once: each lies so far below it that
other draws of the same law miss it with a probability below 1e-6.
"""

import importlib.util
from collections import Counter
from pathlib import Path

import pytest
from support import by_day

from dualgap.proofs_checks.claims.by_hypothesis import by_hypothesis
from dualgap.proofs_checks.claims.run import draw_instances
from dualgap.proofs_checks.properties.runs import Pair, features
from dualgap.proofs_checks.strategies.public import drawn_by, pairs, runs

spec = importlib.util.spec_from_file_location("lemma_rate", Path(__file__).with_name("test_lemma_rate.py"))
lemma_rate = importlib.util.module_from_spec(spec)
spec.loader.exec_module(lemma_rate)

DUE = """zero row, equal rows, one row, kink, K = 1/4, K = 1/2, K = 1, K < 1/4, K > 1, coordinate at 0 by l1,
coordinate kept by l1, flat, quadratic, linear, centre""".replace("\n", " ").split(", ")
LEAST = 8  # of 800 runs. The rarest feature has a share of 0.043, and P(Binomial(800, 0.043) < 8) is 1e-8


@pytest.mark.parametrize("draw", by_day([draw_instances, by_hypothesis], draw_instances))
def test_the_strategies_reach_kinks_zero_and_equal_rows_thresholds_and_both_sides_of_every_branch(draw):
    drawn = [*draw(pairs(), 400, 1), *draw(runs("sdca", max_steps=4), 400, 2)]
    seen = Counter(feature for run in drawn for feature in features(run))
    assert {feature: seen[feature] for feature in DUE if seen[feature] < LEAST} == {}


# the runs in which a bound is looked for that says something. The smallest share that was counted is 2 in 15, and with
# that none of 125 has one with probability (13/15)^125 < 1e-7
MOST = 125


@pytest.mark.parametrize("name", by_day(lemma_rate.BOUNDS, "ASPDC, sharp", "SPDC, Theorem 1"))
def test_some_drawn_run_has_a_bound_that_is_somewhere_below_the_start(name):
    """An epoch of ASPDC-i has 2n steps and SDCA's Theorem 1 begins after n: few runs are so long."""
    drawn = draw_instances(drawn_by(lemma_rate.BOUNDS[name].claim).filter(lemma_rate.inside), MOST, 3)
    relations = (relation for run in drawn for relation in lemma_rate.along_trajectory(name, run, Pair()))
    assert not all(relation.vacuous() for relation in relations), "every bound says nothing"
