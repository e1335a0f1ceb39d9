"""The statistical engines are strong enough to be useful, and refuse what they cannot judge.

That they are fair, grow where a claim is false and reject at 1/delta is checked by ``audit --self``
(``self_audit.engines.bets``), over all sequences. Here fixed streams of ``random.Random(seed).random()`` are judged,
which Python promises not to change, so no outcome can flake.
"""

import math
import random
import statistics
from collections.abc import Callable
from fractions import Fraction

import pytest
from support import refuses

from dualgap.proofs_checks.engines.evalues import EProcess, LawTest, Wealth, split


def test_law_test_of_three_draws_by_hand() -> None:
    # two outcomes of probability 1/2, draws 0 1 1: 2 (1/2)/1, 2 (1/2)/2, 2 (3/2)/3, product 1/2
    test = LawTest(dict.fromkeys((0, 1), Fraction(1, 2)))
    for outcome in (0, 1, 1):
        test.observe(outcome)
    assert [math.exp(v) for v in test.log_path] == pytest.approx([1, 1, 0.5, 0.5], rel=1e-11)


def median_seeds(quantile: Callable[[float], float], mean: float) -> float:
    """Median over 21 runs of the number of seeds until E[X] <= 1 is refuted at delta = 1e-6."""
    stops = []
    for run in range(21):
        stream, process = random.Random(run), EProcess()
        while not process.rejects(1e-6):
            process.observe(mean * quantile(stream.random()))
        stops.append(len(process.log_path) - 1)
    return statistics.median(stops)


# Expected medians were measured once, independently of this code, on other streams. ``spread`` is the
# standard deviation of a single run over the median (measured on 200 runs). A median of 20 runs scatters by
# 1.25/sqrt(20) = 0.28 spreads, the difference of two such medians by 0.4; twice that, 0.8 spreads, is what
# the tests allow.
@pytest.mark.parametrize(
    ("mean", "seeds", "spread"), [(1.1, 291, 0.35), (1.2, 118, 0.21), (1.5, 45, 0.12), (2, 25, 0.09), (5, 11, 0.06)]
)
def test_seeds_needed_for_values_spread_by_half(mean: float, seeds: int, spread: float) -> None:
    assert median_seeds(lambda u: 0.5 + u, mean) == pytest.approx(seeds, rel=0.8 * spread)


def never_last(u: float) -> int:
    return int(9 * u)


def first_too_often(u: float) -> int:
    return 0 if u < 0.19 else 1 + int((u - 0.19) / 0.09)


# Expected medians and spreads: as above.
@pytest.mark.parametrize(("sampler", "draws", "spread"), [(never_last, 285, 0.09), (first_too_often, 907, 0.33)])
def test_wrong_samplers_are_refuted(sampler: Callable[[float], int], draws: int, spread: float) -> None:
    stops = []
    for run in range(20):
        stream, test = random.Random(run), LawTest(dict.fromkeys(range(10), Fraction(1, 10)))
        while not test.rejects(1e-6):
            test.observe(sampler(stream.random()))
        stops.append(len(test.log_path) - 1)
    assert statistics.median(stops) == pytest.approx(draws, rel=0.8 * spread)


def test_evidence_cannot_overflow_and_the_path_is_kept() -> None:
    process = EProcess()
    for _ in range(2000):
        process.observe(1e3)
    assert process.value == math.inf and math.isfinite(process.log_value)
    # 2000 bets of 0.95 on X = 1000 dominate: log E = 2000 log(1 + 0.95*999) - log 6, up to 2000 roundings
    # of 2^-53.
    assert process.log_value == pytest.approx(2000 * math.log1p(0.95 * 999) - math.log(6), rel=1e-12)
    assert process.log_path[0] == 0 and len(process.log_path) == 2001 and process.log_path[-1] == process.log_value


def test_a_diverged_run_refutes_at_once() -> None:
    process = EProcess()
    process.observe(math.inf)
    process.observe(0)
    assert process.rejects(1e-300) and process.value == math.inf


@pytest.mark.parametrize("bad", [-1e-300, -1.0, math.nan])
def test_a_negative_gap_is_named_as_broken_weak_duality(bad: float) -> None:
    process = EProcess()
    process.observe(1)
    refuses(ValueError, "observation 2.*weak duality", process.observe, bad)
    assert process.log_path == [0, 0]  # nothing was taken in


def test_wrong_parameters_are_refused() -> None:
    for bets in ((), (0.5, 1.0), (0.0,), (-0.1,)):
        refuses(ValueError, "bets", EProcess, bets)
    for delta in (0, 1, -1, math.nan):
        refuses(ValueError, "delta", Wealth(1).rejects, delta)


def test_shares_of_delta_add_up_to_the_total() -> None:
    # The tail of sum 1/j^2 beyond J lies between 1/(J+1) and 1/J.
    J, total = 10_000, 1e-6
    left = (total - math.fsum(split(total, j) for j in range(1, J + 1))) * math.pi**2 / (6 * total)
    assert 1 / (J + 1) < left < 1 / J
    for delta, j in ((0, 1), (1, 1), (1e-6, 0)):
        refuses(ValueError, "delta_total", split, delta, j)
