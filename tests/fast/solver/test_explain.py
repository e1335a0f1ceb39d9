"""``explain`` lists each method with its estimate or its reason, and the choice that ``solve`` makes."""

import numpy as np
import pytest

from dualgap.fast import solve
from dualgap.fast.solver.auto import choose, estimates
from dualgap.fast.solver.explain import CONSIDERED, explain
from dualgap.reference import L2, ElasticNet, Hinge, InterceptProblem, Logistic, Problem, Squared, WeightedProblem

RNG = np.random.default_rng(0)
X = RNG.standard_normal((60, 3))
Y = np.where(X[:, 0] + RNG.standard_normal(60) > 0, 1.0, -1.0)
PROBLEMS = {
    "logistic": Problem(X, Y, Logistic(), L2(1e-3)),
    "hinge": Problem(X, Y, Hinge(), L2(1e-5)),
    "net": Problem(X, Y, Squared(), ElasticNet(1e-3, 1e-2)),
    "wide": Problem(X.T, Y[:3], Squared(), L2(1e-6)),
    "weights": WeightedProblem(X, Y, Logistic(), L2(1e-3), RNG.random(60) + 0.1),
    "intercept": InterceptProblem(X, Y, Logistic(), L2(1e-3)),
}


@pytest.mark.parametrize("name", PROBLEMS)
def test_the_choice_and_the_changes_are_those_of_the_run(name):
    problem = PROBLEMS[name]
    result = solve(problem, rtol=1e-8)
    lines = explain(problem, result)
    assert sum(line.startswith("first: ") for line in lines) == 1
    assert f"first: {choose(problem).method}, " in "\n".join(lines)
    assert lines[-2] == f"ran: {result.method} at the end, {result.epochs} passes, {result.status}"
    assert (lines[-1] == "changed: nothing") == ("; after " not in result.reason)
    assert explain(problem) == lines[:-2], "the same lines without the result, each time"


def test_each_method_has_its_estimate_or_the_reason_why_not():
    lines = {line.split(": ")[0]: line for line in explain(PROBLEMS["hinge"])}
    assert set(CONSIDERED) <= set(lines)
    assert "no, needs a smooth loss" in lines["newton"]
    costs = estimates(PROBLEMS["hinge"])
    assert f"estimate {costs['proximal-newton']:.3g} passes" in lines["proximal-newton"]
    assert f"estimate {costs['sdca']:.3g} passes" in lines["sdca-shrinking"]
    assert costs["proximal-newton"] < costs["sdca"]


def test_no_estimate_is_given_for_a_free_intercept():
    """The estimates are of runs without one."""
    assert "estimate" in " ".join(explain(PROBLEMS["logistic"]))
    assert "estimate" not in " ".join(explain(PROBLEMS["intercept"]))


def test_a_method_that_runs_alone_has_no_other_after_it():
    problem = Problem(X.T, Y[:3], Logistic(), L2(1e-3))
    several, alone = explain(problem), explain(problem, alone=True)
    assert any(line.startswith("then: ") for line in several)
    assert not any(line.startswith("then: ") for line in alone) and "to the end" in alone[-2]


def test_a_change_of_the_method_is_told():
    data = np.random.default_rng(1).standard_normal((30, 40))
    problem = Problem(data + 5, np.sign(data[:, 0]), Logistic(), L2(1e-7))
    result = solve(problem, rtol=1e-9)
    assert result.method == "newton" and explain(problem, result)[-1].startswith("changed: after 24 passes newton")
