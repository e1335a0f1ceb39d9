"""What the baselines refuse, and the traps that published code of ASDCA and AFG has fallen into."""

import math
from fractions import Fraction

import numpy as np
import pytest
from support import first_difference, refuses

from dualgap.extras.baselines.asdca.claims import TWO
from dualgap.fast import kernels, solve
from dualgap.fast.data.generators import aspdc_synthetic
from dualgap.proofs_checks.evidence.mutants import mutant
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
REFUSED = {  # method: problem to words
    "asdca": {"hinge": "smoothed-hinge", "centre": "proximal centre", "large lam": "Use method sdca"},
    "afg": {"hinge": "smoothed-hinge"},
    "l1-newton": {"hinge": "smoothed-hinge", "centre": "proximal centre"},
    "lbfgs": {"hinge": "smoothed-hinge", "net": "method afg", "centre": "method afg"},
    "newton": {"hinge": "smooth", "net": "differentiable P", "centre": "differentiable P"},
    "proximal-newton": {"net": "(lam/2)", "centre": "(lam/2)"},
    "sag": {"hinge": "smoothed-hinge", "net": "method sdca", "centre": "method sdca"},
    "svrg": {"hinge": "smoothed-hinge", "net": "method sdca", "centre": "method sdca"},
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
    ("spd1-vr", {"m": 0}, r"m must be an integer >= 1.*\(got 0\)"),
    ("spd1-vr", {"eta": -1, "tau": 1}, "eta must be > 0"),
]


@pytest.mark.parametrize(("name", "options", "words"), OPTIONS)
def test_options_out_of_range_are_refused_by_name(name, options, words):
    refuses(ValueError, words, method, name, **options)


def test_sag_with_the_regularizer_in_the_table_has_no_lazy_form():
    refuses(ValueError, "no lazy form", as_compiled, "sag", regularizer_in_table=True)


@pytest.mark.parametrize("name", REFUSED)
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
        refuses(HypothesisViolated, "gamma = 0. Give numbers eta and tau", method(name).init, OUTSIDE["hinge"])
        refuses(HypothesisViolated, "quadratic", method(name).init, Problem(ROWS, LABELS, Squared(), PNorm(1, 1.5)))
        refuses(ValueError, f"method {name} has a reference only", solve, PLAIN, name)


DATA = aspdc_synthetic(n=40, d=8, seed=1)


def problem_of(loss=None, lam=0.002, l1=0.0):
    """Unit rows, n = 40."""
    return Problem(DATA.X, DATA.y, loss or Logistic(), ElasticNet(lam, l1))


TRACE = TWO.but(rows=((Fraction(1),),), lam=Fraction(1, 25))


def same(one, other):
    """Whether two states are bit-identical."""
    return first_difference(one, other) is None


def ys(name):
    """y^(2) and y^(3) on one row, every inner problem solved exactly."""
    problem, found = TRACE.problem(), []
    asdca = method("asdca") if name is None else mutant(name, TRACE)
    state = asdca.init(problem)
    for _ in range(2):
        asdca.advance(problem, state, 0)
        found += state.y_t
    return found


def test_momentum_taken_from_y_in_the_place_of_w_is_seen_in_the_third_iterate():
    assert ys(None) == [Fraction(7, 8), Fraction(247, 200)]
    assert ys("baselines.asdca-momentum-from-y") == [Fraction(7, 8), Fraction(763, 800)]


def test_a_long_run_of_afg_neither_overflows_nor_loses_its_smoothness_estimate():
    problem = problem_of(Squared(), lam=1.0)
    afg = kernels()["afg"]()
    state = afg.run(problem, np.zeros(3000, dtype=np.int64))
    assert 1e100 < state.A < math.inf and state.trials < 3000
    assert (
        state.L <= 1.0 + 2.0**-40 and np.isfinite(state.x).all()
    )  # R^2/gamma = 1 except for the rounding of unit rows
    assert problem.gap(*afg.view(problem, state)) < 1e-25


def test_every_gap_gradient_and_evaluation_that_a_method_needs_is_counted():
    problem = problem_of(SmoothedHinge())
    for name, expected in {
        "asdca": lambda state: 7 + state.gaps,
        "afg": lambda state: 14,
        "lbfgs": lambda state: 7,
    }.items():
        compiled = kernels()[name]()
        state = compiled.init(problem)
        for epoch in range(7):
            compiled.advance(problem, state, compiled.draw(problem, "uniform", 0, epoch))
        assert compiled.reference.passes(problem, state, 7) == expected(state)
    assert kernels()["asdca"]().run(problem, np.zeros(80, dtype=np.int64)).gaps == 3  # the first, and two looks


def test_a_rule_that_has_fired_ends_the_run_of_asdca_in_both_backends():
    problem = problem_of(SmoothedHinge())
    choices = np.random.default_rng(0).integers(40, size=40 * 200)
    fast, reference = kernels()["asdca"](epsilon=1e-4), method("asdca", epsilon=1e-4)
    state = fast.run(problem, choices)
    assert state.rule == 2 and state.bound <= 1e-4
    assert same(state, reference.run(problem, choices))
    optimum = solve(problem, "sdca", tol=1e-13, max_epochs=5000)
    assert problem.P(state.w_t.tolist()) - optimum.dual <= 1e-4 + optimum.gap
    assert same(fast.run(problem, choices, state), state)
