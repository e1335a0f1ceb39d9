"""What is derandomised or drawn from a seed is the same whatever modules are loaded; and how seldom fresh draws raise a
false alarm.
"""

import importlib.util
import itertools
import sys
from pathlib import Path

import pytest
from hypothesis import strategies as st

from dualgap.proofs_checks.claims import by_hypothesis as ours

PROPERTIES = Path(__file__).parents[2] / "properties"
WIDE = st.integers(0, 10**12)
fresh = itertools.count(10**9, 17)


@pytest.fixture
def load_constants(tmp_path):
    """Load a module that holds a thousand numbers that no other one holds."""
    loaded = []

    def load():
        path = tmp_path / f"constants{len(loaded)}.py"
        path.write_text(f"NUMBERS = [{', '.join(str(next(fresh)) for _ in range(1000))}]\n", encoding="utf-8")
        spec = importlib.util.spec_from_file_location(path.stem, path)
        loaded.append(path.stem)
        sys.modules[path.stem] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(sys.modules[path.stem])

    yield load
    for name in loaded:
        del sys.modules[name]


def test_equal_seeds_draw_the_same_whatever_is_loaded(load_constants):
    first = ours.by_hypothesis(WIDE, 400, 1)
    load_constants()
    assert ours.by_hypothesis(WIDE, 400, 1) == first


def own(function):
    """Hypothesis' own function, which a profile may have replaced."""
    return own(function.replaced) if hasattr(function, "replaced") else function


def test_the_false_alarms_of_fresh_draws_are_less_than_one_in_a_million():
    spec = importlib.util.spec_from_file_location("fresh_rates", PROPERTIES / "test_lemma_rate.py")
    rates = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(rates)
    assert len(rates.BOUNDS) * rates.FALSE_ALARM < 1e-6 / 10
