"""The exact numbers that the ASPDC claims rest on, asserted directly: mutants, controls, counterexamples, engines."""

from fractions import Fraction as Q
from itertools import islice
from typing import Any

import pytest

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.run import Run, draw_instances
from dualgap.proofs_checks.engines import moments
from dualgap.proofs_checks.engines.logarithms import ceiling_of_log
from dualgap.proofs_checks.engines.optimum import exact_optimum
from dualgap.proofs_checks.evidence.mutants import mutant_class
from dualgap.proofs_checks.evidence.trajectories import along_paths, expected_gaps, start_of_meaning
from dualgap.proofs_checks.papers.aspdc import (
    instances,
    lemma_2,
    lemma_2_betting,
    lemma_2_thresholds,
    section_3_assumptions,
    setting,
)
from dualgap.proofs_checks.papers.aspdc.instances import equal_rows
from dualgap.proofs_checks.strategies import instances as strategies
from dualgap.reference import ElasticNet, HypothesisViolated, Regularizer, method
from dualgap.reference.methods.aspdc import ASPDC
from dualgap.reference.methods.sdca import SDCA


class Scaled(ASPDC):
    """alpha_i <- alpha_i + factor Delta."""

    def __init__(self, factor: Any) -> None:
        self.factor = Q(factor)

    def advance(self, problem: Any, state: Any, choice: Any) -> None:
        delta = self.factor * (
            problem.loss.derivative(problem.inner(choice, state.v), problem.y[choice]) - state.alpha[choice]
        )
        state.alpha[choice] += delta
        problem.update(choice, delta, state.v)


class AlwaysFirst(ASPDC):
    """The sampler draws row 1 for ever."""

    def choices(self, problem: Any, state: Any) -> list[tuple[Any, Q]]:
        return [(0, Q(1))]


# mutant, first t <= 8 at which Lemma 2's bound fails, the same for (n/s)(1 - s/n)^t gap_0, E gap_1, E gap_2
WEAK_ORACLE = [
    ("correct", method("aspdc"), None, None, "17/64", "289/2048"),
    ("half step", mutant_class("aspdc.half-step")(), None, None, "73/256", "5329/32768"),
    ("SDCA step", mutant_class("aspdc.sdca-step")(), None, None, "1/4", "1/8"),
    ("quarter step", Scaled("1/4"), None, 6, "377/1024", None),
    ("step x 3/2", Scaled("3/2"), None, 3, "113/256", None),
    ("step x 7/4", Scaled("7/4"), 3, 2, "617/1024", None),
    ("step x 2", Scaled(2), 2, 2, "13/16", "169/128"),
    ("1/n lost in w", mutant_class("aspdc.missing-1/n")(), None, None, "17/64", "81/512"),
    ("w sign flipped", mutant_class("aspdc.sign-flip")(), 8, 5, "17/64", "369/2048"),
    ("always row 1", AlwaysFirst(), 8, 4, "17/64", "257/1024"),
    ("alpha -= Delta", Scaled(-1), 1, 1, "97/64", None),
]


@pytest.mark.parametrize("row", WEAK_ORACLE, ids=lambda row: row[0])
def test_rate_bounds_are_weak_oracles_exactly_as_tabulated(row: Any) -> None:
    _, mutant, paper, sharp, first, second = row
    c = Context(instances.ORTHONORMAL, mutant)
    gaps = along_paths(c, 8, lambda alpha: c.problem.gap(c.problem.w(alpha), alpha))
    assert gaps[0] == Q(1, 2)
    assert gaps[1] == Q(first)
    assert second is None or gaps[2] == Q(second)
    n, s = 2, Q(3, 4)
    bounds = {"paper": setting.paper_factor, "sharp": lambda n, t: n / s * (1 - s / n) ** t}
    failed = {
        name: next((t for t, gap in enumerate(gaps) if gap > bound(n, t) * gaps[0]), None)
        for name, bound in bounds.items()
    }
    assert failed == {"paper": paper, "sharp": sharp}


# -- controls and counterexamples, to the last digit -------------------------------------------------------------------


def gaps_of(instance: Any, horizon: int) -> list[Q]:
    return expected_gaps(Context(instance), horizon)


def gap_after(instance: Any) -> Q:
    return Context(instance).gap


def test_N1_grows_by_five_halves_and_N2_stands_still() -> None:
    data = instances.ORTHONORMAL
    assert gaps_of(data.but(lam=Q(1, 4)), 3) == [Q(1, 2), Q(5, 4), Q(25, 8), Q(125, 16)]
    assert gaps_of(data.but(lam=Q(1, 2)), 3) == [Q(1, 2)] * 4


def test_N3_breaks_the_printed_threshold_at_t_6() -> None:
    gaps = gaps_of(lemma_2.NORM_3, 6)
    bounds = [setting.paper_factor(1, t) * gaps[0] for t in range(7)]
    assert all(gap <= bound for gap, bound in zip(gaps[:6], bounds))
    assert gaps[6] == Q(531441, 33554432) > bounds[6] == Q(1, 64)
    assert gaps_of(lemma_2.NORM_9, 1) == [Q(1, 2), Q(81, 32)]


def test_N4_and_N5_cycle() -> None:
    assert gaps_of(instances.CYCLE, 3) == [Q(1, 2), Q(3, 2), Q(1, 2), Q(3, 2)]
    assert gaps_of(section_3_assumptions.HINGE_CYCLE, 3) == [1, 1, 1, 1]


def test_N6_one_path_exceeds_the_bound_on_the_expectation() -> None:
    gap = gap_after(instances.ORTHONORMAL.but(path=(0,) * 8))
    assert gap == Q(4294967297, 17179869184) > setting.paper_factor(2, 8) * Q(1, 2) == Q(6561, 32768)


def test_N7_the_gap_rises_on_a_path_under_the_papers_condition() -> None:
    instance = lemma_2.RISING
    c = Context(instance)
    assert 4 * c.K == 1
    ratio = gap_after(instance.but(path=(1,))) / c.gap
    assert round(float(ratio), 4) == 1.0664


@pytest.mark.parametrize(
    ("n", "K", "ratio"), [(2, "1/2", "5/4"), (2, "1/4", "13/16"), (8, "1/4", 1), (9, "1/4", "145/144")]
)
def test_the_expected_gap_can_rise_even_under_the_papers_condition(n: int, K: str, ratio: Any) -> None:
    start, after = gaps_of(equal_rows(n, Q(K)), 1)
    assert after / start == Q(ratio)


@pytest.mark.parametrize(
    ("instance", "first"), list(zip((*instances.BEYOND, lemma_2_thresholds.THREE_BEYOND), (35, 45, 129)))
)
def test_Lemma_2_is_first_passed_at_lam_n_gamma_7_5(instance: Any, first: int) -> None:
    gaps = gaps_of(instance, first)
    n = len(instance.y)
    passed = [t for t, gap in enumerate(gaps) if gap > setting.paper_factor(n, t) * gaps[0]]
    assert passed == [first]


def test_E4_smoothed_hinge_tends_to_two_thirds() -> None:
    assert gaps_of(lemma_2_thresholds.TWO_CYCLING, 4) == [Q(1, 2), Q(3, 4), Q(5, 8), Q(11, 16), Q(21, 32)]


def test_F1_fails_with_l1() -> None:
    c = Context(instances.L1_WINS)
    after = {
        name: c.problem.D(m.step(c.problem, c.state, 0).alpha) for name, m in (("aspdc", c.method), ("sdca", SDCA()))
    }
    assert after == {"aspdc": Q(1, 2), "sdca": Q(3, 8)}


def test_theorem_1_takes_15_steps_for_a_twentieth() -> None:
    assert ceiling_of_log(4, Q(40)) == 15  # 4 ln 40 = 14.755...
    assert ceiling_of_log(2, Q(1)) == 0


def test_the_vacuous_start_of_lemma_2() -> None:
    assert [start_of_meaning(2 * n, 1 / (2 * n)) for n in (3, 10, 100, 1000)] == [10, 59, 1058, 15199]


def test_equal_rows_attain_the_sharp_reverse_bound() -> None:
    c = Context(instances.ALIGNED)
    assert c.gap == (1 + c.R2 / (c.mu * c.gamma)) * (c.D_star - c.D) > 0


# -- what the paper lists and the library refuses ----------------------------------------------------------------------


def test_pure_l1_and_hinge_are_refused_on_entry() -> None:
    with pytest.raises(ValueError, match="pure l1"):
        Regularizer(0, 1)
    with pytest.raises(ValueError, match="lam must be > 0"):
        ElasticNet(0, 1)
    with pytest.raises(HypothesisViolated, match="gamma = 0"):
        method("aspdc").require(section_3_assumptions.HINGE_CYCLE.problem())


# -- the engines -------------------------------------------------------------------------------------------------------


def test_moments_equal_path_enumeration() -> None:
    for instance in draw_instances(strategies.squared_any(), 25, 1):
        c = Context(instance)
        gaps = islice(moments.expected_gaps(c.method, c.problem, c.alpha), 4)
        duals = islice(moments.expected_duals(c.method, c.problem, c.alpha), 4)
        assert list(gaps) == c.expected_gaps(3)
        assert list(duals) == c.expected(3, lambda w, alpha, D=c.problem.D: D(alpha))


def test_moments_refuse_a_step_that_is_not_affine() -> None:
    c = Context(instances.ORTHONORMAL_NET)
    with pytest.raises(ValueError, match="not affine"):
        next(moments.expected_gaps(c.method, c.problem, c.alpha))


def test_the_exact_optimum_is_found_with_kinks_centres_and_l1() -> None:
    for instance in draw_instances(strategies.points(), 60, 2):
        problem = setting.framed(Context(instance))
        best = exact_optimum(problem)
        assert problem.P(problem.w(best)) == problem.D(best)


def test_the_exact_optimum_raises_where_it_is_not_rational() -> None:
    logistic = instances.ORTHONORMAL.but(loss="logistic")
    with pytest.raises(ValueError, match="logistic"):
        exact_optimum(logistic.problem(float))


def test_the_betting_test_refutes_a_bound_that_is_too_strong() -> None:
    """A rate of 4/n per step is more than the method has; Lemma 2's own 1/(2n) is not refuted on the same runs."""
    assert lemma_2_betting.bets(Run(), "control", 40, lambda p: (2 * p.n, 4 / p.n), 4, method("aspdc")).rejects(1e-9)
    assert not lemma_2_betting.bets(Run(), "control", 40, lemma_2_betting.paper_bound, 4, method("aspdc")).rejects(0.5)
