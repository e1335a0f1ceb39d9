"""Strategies that a plain generator draws from: the values of Hypothesis' own, each seed its own, and no Hypothesis
where none is needed.
"""

from fractions import Fraction
from itertools import islice

import pytest
from support import refuses

from dualgap.proofs_checks.claims import drawing as st
from dualgap.proofs_checks.claims.by_hypothesis import by_hypothesis
from dualgap.proofs_checks.claims.registry import STRATEGIES, all_claims
from dualgap.proofs_checks.claims.run import draw_instances
from dualgap.proofs_checks.strategies import instances as pools

all_claims()
BUILT_IN = [name for name in STRATEGIES if STRATEGIES[name].__module__.startswith("dualgap.")]


@st.composite
def pair(draw, largest, /, *, other=0):
    """A number and one that is not larger, in a composite of a composite."""
    first = draw(st.integers(0, largest))
    return first, draw(st.integers(0, first)) + other


SMALL = {  # few values, so that both ways of drawing find all of them
    "integers": st.integers(-1, 2),
    "booleans": st.booleans(),
    "sampled_from": st.sampled_from((Fraction(1), 1, "a", "a")),
    "just": st.just(3),
    "none": st.none(),
    "one_of": st.one_of(st.just(1), st.integers(5, 6)),
    "one_of a list": st.one_of([st.just(1), st.none()]),
    "or": st.just(1) | st.booleans() | st.none(),
    "tuples": st.tuples(st.booleans(), st.integers(0, 1)),
    "lists": st.lists(st.booleans(), min_size=1, max_size=2).map(tuple),
    "empty lists": st.lists(st.booleans(), max_size=0).map(tuple),
    "sets": st.sets(st.integers(0, 2), max_size=2).map(frozenset),
    "permutations": st.permutations("abc").map(tuple),
    "fractions": st.fractions(0, 1, max_denominator=3),
    "builds": st.builds(lambda a, b: (b, a), st.booleans(), st.just(0)),
    "fixed_dictionaries": (
        st.fixed_dictionaries({"a": st.booleans(), "b": st.just(0)}).map(lambda found: frozenset(found.items()))
    ),
    "map": st.integers(0, 3).map(lambda k: k // 2),
    "filter": st.integers(0, 5).filter(lambda k: k % 2),
    "flatmap": st.integers(0, 2).flatmap(lambda k: st.tuples(st.just(k), st.integers(0, k))),
    "composite": pair(2, other=1),
}


@pytest.mark.parametrize("name", SMALL)
def test_both_ways_of_drawing_find_the_same_values(name):
    typed = [
        {(type(value), value) for value in found}
        for found in (st.values(SMALL[name], 1), by_hypothesis(SMALL[name], 400, 1))
    ]
    assert typed[0] == typed[1] != set()


@pytest.mark.parametrize("name", BUILT_IN)
def test_no_claim_needs_hypothesis_to_draw(name):
    found = list(islice(st.values(STRATEGIES[name](), 3), 5))
    assert found and found == draw_instances(STRATEGIES[name](), 5, 3)


def test_a_draw_depends_on_its_seed_alone_and_repeats_nothing():
    many = draw_instances(pools.one_step_net(), 300, 7)
    assert many[:40] == draw_instances(pools.one_step_net(), 40, 7) != draw_instances(pools.one_step_net(), 40, 8)
    assert len(many) == 300
    assert sorted(draw_instances(st.integers(0, 9), 300, 1)) == list(range(10)), "where there are no others it ends"


def test_a_filter_that_lets_nothing_through_says_so():
    with pytest.raises(st.Refused, match="refuses 1000 values in a row"):
        next(st.values(st.integers(0, 9).filter(lambda k: k > 9), 1))
    refuses(ValueError, "at least one element", st.sampled_from, ())
