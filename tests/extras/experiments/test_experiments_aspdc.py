"""The experiments of the ASPDC paper, and how runs count passes: what is read off the curves is what they hold."""

import math
from fractions import Fraction

import numpy as np
import pytest

from dualgap.extras.experiments.aspdc import experiments_figures as aspdc
from dualgap.extras.experiments.aspdc import experiments_tables as aspdc_tables
from dualgap.fast.problem.certificate import Certificate
from dualgap.fast.problem.objective import Objective
from dualgap.proofs_checks.experiments import optima, runs, seed
from dualgap.reference import SmoothedHinge

OPTIONS = {"data": ["orthonormal:n=8"], "positive": "", "lams": [0.5], "passes": 4, "repetitions": 1}


@pytest.fixture(scope="module")
def problem():
    return runs.problem_of("aspdc-synthetic:n=20,d=3", SmoothedHinge(), 1e-2)


def test_svrg_pays_three_passes_for_a_round_and_the_curve_says_when(problem):
    looks, last = [], {}
    run = runs.TimedRun(problem, "svrg", seed=1)
    for made in run.looks():
        looks.append(made)
        last[made] = float(np.abs(run.view()[0]).sum())
        if made > 12:
            break
    assert looks[:5] == [0, 2, 3, 5, 6], "the full gradient with the first of the two draws of a round"
    found = runs.curves(problem, "svrg", 11, 1, lambda run: {"size": float(np.abs(run.view()[0]).sum())})
    assert found["size"] == [last[max(made for made in looks if made <= t)] for t in range(12)]
    assert found["size"][1] == found["size"][0] == 0.0, "a pass is not enough for the first draw"


def test_methods_that_take_one_row_a_step_see_the_same_rows(problem):
    draws = [
        runs.TimedRun(problem, method, 3).draw(2).tolist()
        for method in ("aspdc", "sdca", "spdc", "aspdc-i-fixed", "svrg", "sag")
    ]
    assert all(np.ravel(one).tolist() == draws[0] for one in draws)
    assert runs.TimedRun(problem, "sdca", 4).draw(2).tolist() != draws[0]


def test_a_curve_ends_where_the_method_has_diverged(problem):
    values = iter([1.0, 2.0, 3.0, math.inf, 5.0])
    found = runs.curves(problem, "sdca", 10, 0, lambda run: {"x": next(values)})
    assert found["x"] == [1.0, 2.0, 3.0] and runs.at_pass(found["x"], 3) == math.inf


def test_a_curve_that_did_not_diverge_has_a_value_for_every_pass(problem):
    assert runs.held([1.0, 2.0], 4) == [1.0, 2.0, 2.0, 2.0] and runs.held([1.0, 2.0, 3.0], 2) == [1.0, 2.0]
    for method in ("sdca", "svrg", "asdca"):
        assert len(runs.curve(problem, method, 7, 0, lambda w: 1.0)["suboptimality"]) == 8


def test_hits_are_the_first_looks_at_which_the_certified_gap_is_small_enough(problem):
    run, gaps = runs.TimedRun(problem, "sdca", seed=2), []
    for _ in run.looks():
        gaps.append(Certificate(problem, *run.view()).gap_bound)
        if len(gaps) > 60:
            break
    tols = [gaps[3], gaps[20], 0.0]
    found = runs.hits(problem, "sdca", tols, max_passes=40, max_seconds=60.0, seed=2)
    first = [next(t for t, gap in enumerate(gaps) if gap <= tol) for tol in tols[:2]]
    assert [hit and hit[0] for hit in found["hits"]] == [*first, None]
    assert (found["passes"], found["gap"]) == (40, min(gaps[:41]))


def test_a_run_that_is_timed_makes_the_passes_asked_for(problem):
    assert runs.timed(problem, "sdca", 5, 0)["passes"] == 5
    assert runs.timed(problem, "svrg", 4, 0)["passes"] == 5  # 2, 3, 5


def test_quartiles_are_values_and_infinity_counts():
    assert runs.quartiles([5.0, 1.0, 2.0, math.inf, 3.0]) == (2.0, 3.0, 5.0)
    assert runs.quartiles([1.0, math.inf, math.inf]).middle == math.inf


def test_a_curve_of_figure_1_is_the_gap_and_the_distance_to_the_certified_lower_bound():
    found = aspdc.run({"data": "orthonormal:n=8", "lam": 0.5, "method": "sdca", "repetition": 0}, OPTIONS)
    where = aspdc.setting("orthonormal:n=8", 0.5, OPTIONS)
    problem, lower = where.problem(), optima.optimum(where)["dual"]
    assert np.allclose(np.linalg.norm(problem.X.toarray(), axis=1), 1, rtol=1e-15) and problem.d == 9
    run = runs.TimedRun(problem, "sdca", seed("aspdc", 0))
    for made in run.looks():
        w, alpha = run.view()
        objective = Objective(problem)
        assert found["gap"][made] == objective.gap(w, alpha) and found["suboptimality"][made] == objective.P(w) - lower
        # D(alpha) <= lower except for rounding of 16 terms below 1
        assert found["gap"][made] >= found["suboptimality"][made] - 1e-15
        if made == 4:
            break


def gaps(**methods):
    """Curves of one place: these gaps after 0, 1, ... passes."""
    results = [
        ({"data": "x", "lam": 0.1, "method": name, "repetition": 0}, {"gap": curve}) for name, curve in methods.items()
    ]
    return aspdc.curves(results, "gap", {"passes": len(methods["aspdc"]) - 1})


def test_two_orders_of_magnitude_are_two():
    near, far = gaps(aspdc=[1.0, 1e-3], spdc=[1.0, 0.09]), gaps(aspdc=[1.0, 1e-3], spdc=[1.0, 0.11])
    verdicts = [aspdc.compared(found, "aspdc", "spdc", 1, least=100.0)[1] for found in (near, far)]
    assert verdicts == ["not reproduced", "reproduced"]


def test_curves_are_compared_before_both_are_rounding():
    found = gaps(aspdc=[1.0, 1e-14, 1e-20], spdc=[1.0, 1e-10, 1e-25])
    assert aspdc.compared(found, "aspdc", "spdc", 2)[1] == "reproduced"
    assert aspdc.shown([1e-12, 1e-14, -1e-17], aspdc.PRIMAL) == "-12.00 <-13.00 <-13.00"


def test_the_wrong_derivative_is_right_but_for_a_label_minus_one_in_the_quadratic_zone():
    right, wrong = SmoothedHinge(), aspdc.LabelDropped()
    for y in (1, -1):
        for z in (-2, -1, Fraction(-1, 2), 0, Fraction(1, 3), 1, 2):
            quadratic = 0 < y * z < 1
            expected = y * z - 1 if quadratic else right.derivative(z, y)
            assert wrong.derivative(z, y) == expected
            assert (expected != right.derivative(z, y)) == (quadratic and y == -1)


def test_svrg_with_the_wrong_derivative_stalls_where_the_right_one_does_not():
    where = optima.Setting("aspdc-synthetic:n=60,d=3", 0.1)
    lower, objective = optima.optimum(where)["dual"], Objective(where.problem())
    wrong = aspdc.dropped(where, lower, 60, 0)["suboptimality"]
    right = runs.curve(where.problem(), "svrg", 60, 0, lambda w: objective.P(w) - lower)["suboptimality"]
    assert wrong[0] == right[0] and right[-1] < 1e-6 * right[0] < 0.1 * wrong[0] < min(wrong)


def hits(lams=(0.1,), tols=(1e-2, 1e-4), **methods):
    """Hits of one data set; a method has for each lam the passes to each tolerance, or None."""
    options = {
        "data": ["x"],
        "lams": list(lams),
        "tols": list(tols),
        "repetitions": 1,
        "max_passes": 500,
        "max_seconds": 9.0,
    }
    found = [
        (
            {"data": "x", "lam": lam, "method": name.replace("_", "-"), "repetition": 0},
            {
                "hits": [None if t is None else [t, t / 10] for t in passes[k]],
                "gap": 0.5,
                "passes": 500,
                "seconds": 2.0,
            },
        )
        for name, passes in methods.items()
        for k, lam in enumerate(lams)
    ]
    return found, options


def test_a_rival_that_never_comes_within_the_limits_is_behind_and_so_is_the_method():
    read = aspdc_tables.Hits(*hits(aspdc=[[10, 20]], spdc=[[30, None]]))
    told, verdict = read.compare("aspdc", "spdc", aspdc_tables.PASSES)
    assert told.endswith("to the gaps 0.01, 0.0001: x, lam = 0.1: 3, more") and verdict == "reproduced"
    told, verdict = read.compare("spdc", "aspdc", aspdc_tables.PASSES)
    assert told.endswith("0.33, less") and verdict == "not reproduced"


def test_what_neither_method_reached_is_no_evidence():
    read = aspdc_tables.Hits(*hits(aspdc=[[None, None]], spdc=[[None, None]]))
    told, verdict = read.compare("aspdc", "spdc", aspdc_tables.PASSES)
    assert told.endswith("neither was within") and verdict == "cannot be tested within these limits"
    assert read.compare("aspdc", "spdc", aspdc_tables.PASSES, at=[])[1] == "cannot be tested: no such setting was run"
    assert read.shown(("x", 0.1), 1e-2, "aspdc") == "not within 500 passes: gap 5.0e-01"


def test_a_method_that_starts_within_the_tolerance_costs_nothing():
    read = aspdc_tables.Hits(*hits(aspdc=[[0, 2]], spdc=[[0, 1]]))
    told, verdict = read.compare("aspdc", "spdc", aspdc_tables.PASSES)
    assert told.endswith("0 to 0, 0.5") and verdict == "not reproduced"


@pytest.mark.parametrize(
    "sdca, verdict", [([[10, 20]], "reproduced"), ([[10, 41]], "not reproduced"), ([[4, 20]], "not reproduced")]
)
def test_about_as_many_passes_means_within_a_factor_of_two(sdca, verdict, monkeypatch):
    monkeypatch.setattr(aspdc_tables, "thresholds", lambda place, options: (0.01, 0.0025))
    before = aspdc_tables.alike(aspdc_tables.Hits(*hits(aspdc=[[10, 20]], sdca=sdca, spdc=[[30, 40]])))
    assert before[0].verdict == verdict
