"""What the baselines refuse: options out of range, and problems outside their hypotheses, each with the way out."""

from fractions import Fraction

import numpy as np
import pytest
from support import refuses

from dualgap.fast import kernels, solve
from dualgap.reference import (
    L2,
    ElasticNet,
    Hinge,
    HypothesisViolated,
    Logistic,
    Problem,
    SmoothedHinge,
    Squared,
    as_compiled,
    method,
)
from dualgap.reference.problem.pnorm import PNorm

ROWS, LABELS = [[1.0, 0.0], [1.0, 1.0], [0.0, -1.0]], [1, -1, 1]
PLAIN = Problem(ROWS, LABELS, Logistic(), L2(0.01))
OUTSIDE = {
    "hinge": Problem(ROWS, LABELS, Hinge(), L2(0.01)),
    "net": Problem(ROWS, LABELS, Logistic(), ElasticNet(0.01, 0.1)),
    "centre": PLAIN.centred(0.1, [0.0, 0.0]),
    "large lam": Problem(ROWS, LABELS, Logistic(), L2(1.0)),
}
METHODS = ("asdca", "afg", "lbfgs", "newton", "proximal-newton", "sag", "svrg", "spd1", "spd1-vr")
REFUSED = {  # method: problem to words
    "asdca": {"hinge": "smoothed-hinge", "centre": "proximal centre", "large lam": "Use method sdca"},
    "afg": {"hinge": "smoothed-hinge"},
    "lbfgs": {"hinge": "smoothed-hinge", "net": "method afg", "centre": "method afg"},
    "newton": {"hinge": "smooth", "net": "differentiable P", "centre": "differentiable P"},
    "proximal-newton": {"net": "(lam/2)", "centre": "(lam/2)"},
    "sag": {"hinge": "gamma = 0", "net": "ElasticNet", "centre": "centred"},
    "svrg": {"hinge": "gamma = 0", "net": "ElasticNet", "centre": "centred"},
    "spd1": {"hinge": "gamma = 0. Give numbers eta and tau"},
    "spd1-vr": {"hinge": "gamma = 0. Give numbers eta and tau"},
}
OPTIONS = [
    ("asdca", {"epsilon": -1}, "epsilon"),
    ("afg", {"L_0": 0}, "L_0"),
    ("afg", {"L_f": -1}, "L_f"),
    ("afg", {"up": 1}, "up"),
    ("afg", {"down": 0}, "down"),
    *(("newton", {"stride": stride}, "stride must be an integer >= 1") for stride in (0, 1.5, "2")),
    ("sag", {"step": "fast"}, "step must be one of theory, practice"),
    ("sag", {"step": 0}, "step must be > 0"),
    ("sag", {"divide": "m"}, "divide must be one of seen, n"),
    ("sag", {"regularizer_in_table": 1}, "regularizer_in_table must be True or False"),
    ("svrg", {"m": 0}, "m must be an integer >= 1"),
    ("svrg", {"eta": -1}, "eta must be > 0"),
    ("svrg", {"option": "III"}, "option must be one of I, II"),
    ("spd1", {"eta": 1}, "eta and tau together"),
    ("spd1", {"eta": 1, "tau": 0}, r"tau must be > 0 \(got 0\)"),
    ("spd1", {"output": "random"}, r"output must be one of average, last \(got 'random'\)"),
    ("spd1", {"gauss_seidel": 1}, "gauss_seidel must be True or False"),
    ("spd1-vr", {"m": 0}, r"m must be an integer >= 1.*\(got 0\)"),
    ("spd1-vr", {"eta": -1, "tau": 1}, "eta must be > 0"),
]


@pytest.mark.parametrize(("name", "options", "words"), OPTIONS)
def test_options_out_of_range_are_refused_by_name(name, options, words):
    refuses(ValueError, words, method, name, **options)


def test_sag_with_the_regularizer_in_the_table_has_no_lazy_form():
    refuses(ValueError, "no lazy form", as_compiled, "sag", regularizer_in_table=True)


@pytest.mark.parametrize("name", METHODS)
def test_problems_outside_the_hypotheses_are_refused_with_the_way_out(name):
    for which, problem in OUTSIDE.items():
        words = REFUSED[name].get(which)
        for run in (method(name), as_compiled(name), kernels()[name]()):
            if words is None:
                run.require(problem, mode="unchecked")
                run.init(problem)
                continue
            refuses(HypothesisViolated, words, run.require, problem)
            if which != "large lam":  # where mode unchecked admits it
                refuses(HypothesisViolated, words, run.init, problem)
    method("asdca").require(OUTSIDE["large lam"], mode="unchecked")


def test_other_problems_are_refused_where_a_method_cannot_begin():
    refuses(ValueError, "leave alpha out", kernels()["afg"]().init, PLAIN, [0.0] * 3)
    refuses(ValueError, "memory must be an integer >= 1", method, "lbfgs", memory=0)
    refuses(ValueError, "stride must be an integer >= 1", method, "newton", stride=0)
    refuses(ValueError, "number=float", method("lbfgs").init, Problem([[1]], [1], Squared(), L2(1), number=Fraction))
    turned = Problem(ROWS, LABELS, SmoothedHinge(), L2(2.0))
    refuses(HypothesisViolated, "eta lam < 1", solve, turned, "svrg", eta=0.5, mode="unchecked")
    for name in ("spd1", "spd1-vr"):
        assert solve(OUTSIDE["hinge"], name, max_epochs=3, tol=0.0, eta=0.5, tau=0.5).epochs >= 3
        refuses(HypothesisViolated, "quadratic", method(name).init, Problem(ROWS, LABELS, Squared(), PNorm(1, 1.5)))


@pytest.mark.parametrize(
    ("name", "wrong"),
    [("spd1", [(0, 2)]), ("spd1", [(3, 0)]), ("spd1-vr", [(0, 0, 2, 0)]), ("spd1", [(0, 0, 0)]), ("spd1", [0])],
)
def test_choices_beyond_the_rows_or_the_columns_are_refused_before_any_step(name, wrong):
    fast = kernels()[name]()
    state = fast.init(PLAIN)
    refuses(ValueError, "choices", fast.advance, PLAIN, state, wrong)
    assert not state.alpha.any() and state.t == 0


@pytest.mark.parametrize("name", ["spd1", "spd1-vr"])
def test_a_start_is_checked_and_owned(name):
    problem = Problem(ROWS, LABELS, SmoothedHinge(), L2(1))
    for steps in (method(name), kernels()[name]()):
        refuses(ValueError, "w must have 2 entries", steps.init, problem, None, [1.0])
        refuses(ValueError, "outside the domain", steps.init, problem, [2.0, 0.0, 0.0])
        start = [0.5, -0.5]
        choices = np.zeros((5, len(method(name).ends(problem))), dtype=int)
        state = steps.run(problem, choices, steps.init(problem, None, start))
        assert start == [0.5, -0.5] and list(state.w) != start
