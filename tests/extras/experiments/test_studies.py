"""How runs count passes, and how statements are read off the results of a study."""

import math
from fractions import Fraction

import numpy as np
import pytest

from dualgap.extras.experiments.aspdc import experiments as aspdc
from dualgap.extras.experiments.spdc import experiments_on_data as spdc
from dualgap.extras.experiments.studies import PASSES, RISE, SECONDS, START, VALUE, Read, Saying, Solver, Study
from dualgap.fast.problem.certificate import Certificate
from dualgap.fast.problem.objective import Objective
from dualgap.proofs_checks.experiments import optima, runs, seed
from dualgap.reference import SmoothedHinge


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
    found = runs.curve(runs.TimedRun(problem, "svrg", 1), 11, lambda run: float(np.abs(run.view()[0]).sum()))["values"]
    assert found == [last[max(made for made in looks if made <= t)] for t in range(12)]
    assert found[1] == found[0] == 0.0, "a pass is not enough for the first draw"


def test_methods_that_take_one_row_a_step_see_the_same_rows(problem):
    draws = [
        runs.TimedRun(problem, method, 3).draw(2).tolist()
        for method in ("aspdc", "sdca", "spdc", "aspdc-i-fixed", "svrg", "sag")
    ]
    assert all(np.ravel(one).tolist() == draws[0] for one in draws)
    assert runs.TimedRun(problem, "sdca", 4).draw(2).tolist() != draws[0]


def test_a_curve_ends_where_the_method_has_diverged_and_else_has_a_value_for_every_pass(problem):
    values = iter([1.0, 2.0, 3.0, math.inf, 5.0])
    found = runs.curve(runs.TimedRun(problem, "sdca", 0), 10, lambda run: next(values))["values"]
    assert found == [1.0, 2.0, 3.0] and runs.at_pass(found, 3) == math.inf
    for method in ("sdca", "svrg", "asdca"):
        assert len(runs.curve(runs.TimedRun(problem, method, 0), 7, lambda run: 1.0)["values"]) == 8


def test_a_hit_is_the_first_look_at_which_the_certified_gap_is_small_enough(problem):
    run, gaps = runs.TimedRun(problem, "sdca", seed=2), []
    for _ in run.looks():
        gaps.append(Certificate(problem, *run.view()).gap_bound)
        if len(gaps) > 40:
            break
    for tol in (gaps[3], gaps[20], 0.0):
        found = runs.hit(runs.TimedRun(problem, "sdca", 2), runs.TimedRun.bound, tol, max_passes=40, max_seconds=60.0)
        first = next((t for t, gap in enumerate(gaps) if gap <= tol), None)
        assert (found["hit"] and found["hit"][0], found["passes"]) == (first, 40 if first is None else first)


def test_quartiles_are_values_and_infinity_counts():
    assert runs.quartiles([5.0, 1.0, 2.0, math.inf, 3.0]) == (2.0, 3.0, 5.0)
    assert runs.quartiles([1.0, math.inf, math.inf]).middle == math.inf


@pytest.mark.parametrize("name", ["aspdc-fig1", "aspdc-fig3"])
def test_a_curve_is_the_gap_or_the_distance_to_the_certified_lower_bound(name):
    options = {"positive": "", "passes": 4}
    cell = {"data": "orthonormal:n=8", "lam": 0.5, "method": aspdc.ASPDC_I, "repetition": 0}
    study = aspdc.figure("", aspdc.WITH_SVRG, [], [], 4, **({"value": "the gap"} if name == "aspdc-fig1" else {}))
    found, where = study.run(cell, options), aspdc.setting("orthonormal:n=8", 0.5, options)
    problem, lower = where.problem(), optima.optimum(where)["dual"]
    assert np.allclose(np.linalg.norm(problem.X.toarray(), axis=1), 1, rtol=1e-15) and problem.d == 9
    run, objective = runs.TimedRun(problem, aspdc.ASPDC_I, seed("aspdc", 0)), Objective(problem)
    for made in run.looks():
        w, alpha = run.view()
        assert found["values"][made] == (objective.gap(w, alpha) if name == "aspdc-fig1" else objective.P(w) - lower)
        if made == 4:
            break


def test_the_wrong_derivative_is_right_but_for_a_label_minus_one_in_the_quadratic_zone():
    right, wrong = SmoothedHinge(), aspdc.LabelDropped()
    for y in (1, -1):
        for z in (-2, -1, Fraction(-1, 2), 0, Fraction(1, 3), 1, 2):
            quadratic = 0 < y * z < 1
            expected = y * z - 1 if quadratic else right.derivative(z, y)
            assert wrong.derivative(z, y) == expected
            assert (expected != right.derivative(z, y)) == (quadratic and y == -1)


def test_svrg_with_the_wrong_derivative_stalls_where_the_right_one_does_not():
    study = aspdc.figure("", aspdc.WITH_SVRG, aspdc.FIGURE_3, [0.1], 60)
    cell, options = {"data": "aspdc-synthetic:n=60,d=3", "lam": 0.1, "repetition": 0}, {"positive": "", "passes": 60}
    wrong, right = (study.run({**cell, "method": name}, options)["values"] for name in (aspdc.WRONG, "svrg"))
    assert wrong[0] == right[0] and right[-1] < 1e-6 * right[0] < 0.1 * wrong[0] < min(wrong)
    assert len(wrong) == 61 and len(set(wrong[18:])) == 1, "run for 18 passes, and drawn to the end"


# -- statements -----------------------------------------------------------------------------------------------


def judged(saying, floor=1e-13, condition=1.0, data="x", tol=None, **methods):
    """The finding of a statement on one place, where the methods have these curves, or hits to a tolerance."""
    study = Study("", {}, dict.fromkeys(methods, Solver("")), [], draws="", floor=floor)
    kept = "values" if tol is None else "hit"
    results = [
        (
            {"data": data, "lam": 0.1, "method": name.replace("_", "-"), "repetition": 0},
            {kept: value, "condition": condition, "passes": 500, "seconds": 2.0},
        )
        for name, value in methods.items()
    ]
    options = {"repetitions": 1, **({"passes": len(next(iter(methods.values()))) - 1} if tol is None else {"tol": tol})}
    return saying.judged(Read(study, results, options))


HUNDRED = Saying("", ["a"], ["b"], VALUE, least=100.0)
TWICE = Saying("", ["a"], ["b"], PASSES, least=0.5, most=2.0)
NOBODY = "cannot be tested: no such setting was run"


@pytest.mark.parametrize(
    ("saying", "curves", "verdict"),
    [
        (HUNDRED, {"a": [1.0, 1e-3], "b": [1.0, 0.09]}, "not reproduced"),  # two orders of magnitude are two
        (HUNDRED, {"a": [1.0, 1e-3], "b": [1.0, 0.11]}, "reproduced"),
        (Saying("", ["a"], ["b"], VALUE), {"a": [1, 1e-14, 1e-20], "b": [1, 1e-10, 1e-25]}, "reproduced"),  # rounding
        (Saying("", ["a"], [START], VALUE), {"a": [1.0, 2.0]}, "not reproduced"),
        (Saying("", ["a"], [START], VALUE), {"a": [1.0]}, "not reproduced"),
        (Saying("", ["a"], ["b"], VALUE, after=0.5), {"a": [1, 0.5, 0.4], "b": [1, 0.6, 0.1]}, "reproduced"),
        (Saying("", ["a"], ["b"]), {"a": [8.0, 2.0, 0.5], "b": [8.0, 4.0, 2.0]}, "reproduced"),
        (TWICE, {"a": [8.0, 2.0, 1.0], "b": [8.0, 7.0, 2.0]}, "reproduced"),  # as many passes within a factor of two
        (TWICE, {"a": [8.0, 2.0, 1.0, 1.0], "b": [8.0, 7.0, 6.0, 2.0]}, "not reproduced"),
        (Saying("", ["a"], ["b"], RISE), {"a": [1.0, 0.5, 0.6], "b": [1.0, 0.5, 2.0]}, "reproduced"),
        (Saying("", ["a"], ["b"], where=lambda at: at["condition"] > 1), {"a": [1.0], "b": [1.0]}, NOBODY),
    ],
)
def test_a_statement_compares_two_curves(saying, curves, verdict):
    assert judged(saying, **curves).verdict == verdict


@pytest.mark.parametrize(
    ("a", "b", "forth", "back"),
    [
        ([20, 2.0], [60, 6.0], "reproduced", "not reproduced"),
        ([20, 2.0], None, "reproduced", "not reproduced"),  # a rival that never comes within the limits is behind
        (None, None, *["cannot be tested within these limits"] * 2),  # what neither reached is no evidence
    ],
)
def test_a_statement_compares_the_passes_and_the_seconds_to_a_gap(a, b, forth, back):
    for unit in (PASSES, SECONDS):
        assert judged(Saying("", ["a"], ["b"], unit), tol=1e-4, a=a, b=b).verdict == forth
        assert judged(Saying("", ["b"], ["a"], unit), tol=1e-4, a=a, b=b).verdict == back


def test_what_the_paper_says_of_three_sets_is_judged_on_these_and_their_stand_ins():
    ahead, behind = [8.0, 2.0, 1.0, 0.5], [8.0, 4.0, 2.0, 2.0]
    on_rcv1, on_covtype = spdc.STOCHASTIC[2:4]
    for data, due in {"folder/rcv1.xz": on_rcv1, "rcv1-like:n=9": on_rcv1, "covtype-like": on_covtype}.items():
        other = on_covtype if due is on_rcv1 else on_rcv1
        for spdc_line, asdca in ((ahead, behind), (behind, ahead)):
            found = [judged(s, data=data, condition=50.0, spdc=spdc_line, asdca=asdca).verdict for s in (due, other)]
            assert found == ["reproduced" if (spdc_line is ahead) == (due is on_rcv1) else "not reproduced", NOBODY]
    assert judged(on_rcv1, data="rcv1", condition=9.0, spdc=ahead, asdca=behind).verdict == NOBODY
