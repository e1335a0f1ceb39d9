"""SDCA: the output options, the exact numbers that its claims rest on, and the truth of its certificates."""

import random
from fractions import Fraction as Q
from itertools import islice
from typing import Any

import pytest

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Instance, Qs
from dualgap.proofs_checks.claims.judge import violates
from dualgap.proofs_checks.claims.registry import all_claims
from dualgap.proofs_checks.claims.run import Run, draw_instances
from dualgap.proofs_checks.engines.logarithms import steps_for
from dualgap.proofs_checks.engines.paths import distributions
from dualgap.proofs_checks.papers.sdca import implementation, lemmas_1_and_2, mutants, setting, theorem_1, theorem_2
from dualgap.proofs_checks.papers.sdca import instances as sdca_instances
from dualgap.proofs_checks.papers.sdca.instances import ILL_CONDITIONED, THREE
from dualgap.proofs_checks.papers.sdca.mutants import WRONG
from dualgap.reference import L2, Absolute, Hinge, Problem, SmoothedHinge, Squared, method
from dualgap.reference.methods.base import DualState
from dualgap.reference.methods.sdca import SDCA, AveragedSDCA, RandomSDCA, RandomState

ROWS, Y, PATH = [[1, 0], [1, 1], [0, -1]], [1, -1, 1], [0, 1, 2, 0, 1]


def three_rows(loss: Any = None, number: Any = Q) -> Problem:
    return Problem(ROWS, Y, loss or Squared(), L2("1/3"), number=number)


# -- the output options ------------------------------------------------------------------------------------------------


def test_golden_averages() -> None:
    """T = 5, T0 = 2: the states 2, 3, 4, in this package's sign minus (7/12, -1/2, 1/6)."""
    averaged = AveragedSDCA(T0=2)
    w, alpha = averaged.view(three_rows(), averaged.run(three_rows(), PATH))
    assert alpha == [Q(-7, 12), Q(1, 2), Q(-1, 6)] and w == [Q(1, 12), Q(-2, 3)]
    late = mutants.OneLate(2)
    assert late.view(three_rows(), late.run(three_rows(), PATH))[1] != alpha, (
        "the golden averages do not see a shift by one"
    )


@pytest.mark.parametrize("cls", [AveragedSDCA, RandomSDCA])
def test_up_to_T0_the_output_is_the_current_iterate_and_the_iterates_are_those_of_sdca(cls: Any) -> None:
    problem, output = three_rows(SmoothedHinge("1/2")), cls(T0=3)
    state = output.init(problem)
    for t, i in enumerate([0, 1, 2, 1]):
        plain = SDCA().run(problem, [0, 1, 2, 1][:t])
        assert (state.v, state.alpha, state.t) == (plain.v, plain.alpha, t)
        assert output.view(problem, state) == (problem.w(state.alpha), state.alpha)
        state = output.step(problem, state, i if cls is AveragedSDCA or t < 3 else problem.n + i)
    assert output.view(problem, state)[1] == SDCA().run(problem, [0, 1, 2]).alpha, "T = T0 + 1: the one state T0"


@pytest.mark.parametrize("T0", [0, 1, 2])
def test_the_random_output_is_uniform_on_the_states_T0_to_T_minus_1(T0: int) -> None:
    problem, output, T = three_rows(), RandomSDCA(T0), T0 + 3
    layer = next(islice(distributions(output, problem, output.init(problem)), T, None))
    assert sum(probability for probability, _ in layer) == 1
    law: dict[Any, Q] = {}
    for probability, state in layer:
        key = tuple(output.view(problem, state)[1])
        law[key] = law.get(key, Q(0)) + probability
    expected: dict[Any, Q] = {}
    for t in range(T0, T):
        for probability, state in next(islice(distributions(SDCA(), problem, SDCA().init(problem)), t, None)):
            expected[tuple(state.alpha)] = expected.get(tuple(state.alpha), Q(0)) + probability / 3
    assert law == expected


@pytest.mark.parametrize("loss", [Hinge(), Absolute(), SmoothedHinge("1/3")], ids=repr)
def test_averages_in_floats_stay_in_the_domain_and_near_the_exact_ones(loss: Any) -> None:
    """500 roundings of at most 2^-53 (relative to sums below 500) and the drift of alpha, far below 1e-9."""
    r, averaged = random.Random(1), AveragedSDCA(100)
    path = [r.randrange(3) for _ in range(600)]
    found = [averaged.view(p, averaged.run(p, path))[1] for p in (three_rows(loss), three_rows(loss, float))]
    assert all(abs(a - Q(b)) < 1e-9 for a, b in zip(*found))
    three_rows(loss, float).require_alpha(found[1])


def test_the_default_is_the_plain_method_with_the_plain_state() -> None:
    assert type(method("sdca")) is SDCA and type(SDCA().init(three_rows())) is DualState
    assert RandomState.names() == ("v", "alpha", "t", "output")
    with pytest.raises(ValueError, match=r"T0 must be an integer >= 0 \(got -1\)"):
        AveragedSDCA(-1)


# -- the claims --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", WRONG)
def test_every_wrong_step_is_caught_by_the_procedure_and_by_lemma_1_and_the_right_one_is_not(name: str) -> None:
    for claim in ("sdca.algorithm", "sdca.lemma-1"):
        assert violates(all_claims()[claim], ILL_CONDITIONED, WRONG[name])
        assert not violates(all_claims()[claim], ILL_CONDITIONED)


def test_gamma_1_hides_the_square_of_gamma() -> None:
    hidden = ILL_CONDITIONED.but(gamma=Q(1))
    assert not violates(all_claims()["sdca.algorithm"], hidden, WRONG["gamma^2 for gamma"])


def test_one_step_can_raise_the_gap_from_1_2_to_13_24() -> None:
    c = Context(THREE)
    assert c.gap == Q(1, 2)
    assert [c.problem.gap(s.w, s.alpha) for s in c.successors][0] == Q(13, 24)


@pytest.mark.parametrize(
    ("instance", "decimals", "exact"),
    [
        (sdca_instances.LARGE_LOSS, "12.4478", Q(390625000000, 31381059609)),
        (sdca_instances.LARGE_ROWS, "0.8059", None),
        (sdca_instances.LEGAL, "0.0012", Q(39062500, 31381059609)),
    ],
    ids=["phi(0) = 5000", "R = 10", "legal"],
)
def test_the_bare_theorem_2_at_T_11(instance: Instance, decimals: str, exact: Q | None) -> None:
    """By second moments, and by all 2^11 paths merged, where the tree is small."""
    c = Context(instance)
    gap = setting.expected_gaps(c, 11)[11]
    assert f"{float(gap):.4f}" == decimals and exact in (None, gap)
    assert steps_for(Q(3), 3 / Q(1, 10)) == 11
    assert setting.expected_gaps(c, 5) == c.expected_gaps(5)


def test_the_bare_theorem_1_exactly() -> None:
    """The output that the slides name is the average; the random one of the steep hinge is no better."""
    assert theorem_1.gap_on_slides(Context(theorem_1.LARGE_ABSOLUTE)) == (0, 2, Q(1201, 16))
    steep = Context(theorem_1.LARGE_HINGE)
    T0, T, gap = theorem_1.gap_on_slides(steep)
    assert (T0, T) == (4, 7) and Q(9, 10) < gap <= setting.random_gap(steep, T0, T)


def test_the_bare_theorem_2_fails_for_every_T0() -> None:
    for instance, T in ((theorem_2.T_4, 4), (theorem_2.T_6, 6)):
        c = Context(instance)
        assert steps_for(Q(3), 3 / c.given.eps) == T
        assert all(setting.averaged_gap(c, T0, T) > c.given.eps for T0 in range(T))


def test_the_optimum_of_hinge_and_absolute_has_gap_0_and_no_grid_point_is_better() -> None:
    for instance in draw_instances(sdca_instances.paths_lipschitz(), 40, 3):
        problem = instance.problem()
        best = Context(instance).optimum
        assert problem.P(problem.w(best)) == problem.D(best)
        for b in Qs(0, "1/3", 1):
            assert problem.D([-b * (y if problem.loss.margin else 1) for y in problem.y]) <= problem.D(best)


def test_the_best_s_makes_lemma_1_an_equality_for_squared_loss() -> None:
    c = Context(ILL_CONDITIONED)
    for successor, increase in zip(c.successors, c.increases):
        i = successor.choice
        s = c.gamma / (c.gamma + setting.right_q(c.problem, i))
        assert c.n * increase == lemmas_1_and_2.lemma_1_right(c, i, s)


# -- the certificate ---------------------------------------------------------------------------------------------------


def test_300_tiny_hinge_problems_are_certified_truly_or_not_called_converged() -> None:
    instances = [c.instance for c in Run(entropy=300).contexts(implementation.tiny_hinges, 300)]
    assert len(instances) == 300 and sum(any(not any(row) for row in i.rows) for i in instances) > 30, (
        "zero rows are missing"
    )
    converged = 0
    for instance in instances:
        status, _, gap = implementation.certified(Context(instance))
        assert status != "converged" or gap <= Q(implementation.TOLERANCE)
        converged += status == "converged"
    assert converged > 200, "the check says nothing where nothing converges"


def test_without_a_pass_the_status_is_not_converged() -> None:
    status, reported, gap = implementation.certified(Context(sdca_instances.FAST), max_epochs=0)
    assert status == "max_epochs" and reported == gap == 1
