"""A regularizer of one's own: found by name, run in rationals, refused where formulas of L2 are used; each planted
mistake is named.
"""

import re
from fractions import Fraction

import pytest
from support import refuses
from toys.own_objective import WeightedL2

from dualgap.reference import (
    L2,
    REGULARIZERS,
    ElasticNet,
    GeneralRegularizer,
    HypothesisViolated,
    Problem,
    Regularizer,
    Squared,
    all_methods,
    check_regularizer,
    lazy_forms,
    method,
    register_regularizer,
)
from dualgap.reference.problem.pnorm import PNorm

Q = Fraction
ROWS, Y = [["3/5", "4/5"], [1, 0], [0, "1/2"]], [1, -1, 2]
WITH_PROX = ("spdc", "spdc-minibatch", "spdc-nonuniform", "pdcp")
SMALLEST = [name for name, kind in all_methods().items() if "general" in kind.families and name not in WITH_PROX]


class GeneralL2(WeightedL2):
    """c = 1: L2 by other formulas."""

    def __init__(self, lam, c=(1, 1)):
        super().__init__(lam, c)


def problem(regularizer):
    return Problem(ROWS, Y, Squared(), regularizer, number=Fraction)


def run(name, given):
    """A few steps from 0, and the pair."""
    one = method(name)
    state = one.init(given)
    for k in range(8):
        choices = one.choices(given, state)
        state = one.step(given, state, choices[k % len(choices)][0])
    return one.view(given, state)


@pytest.mark.parametrize("name", SMALLEST)
def test_with_all_weights_1_the_steps_are_those_of_l2_and_with_others_they_are_not(name):
    own, other = problem(GeneralL2("4/3")), problem(WeightedL2("4/3", [1, 2]))
    w, alpha = run(name, own)
    assert (w, alpha) == run(name, problem(L2("4/3"))) != run(name, other)
    assert own.gap(w, alpha) == own.P(w) - own.D(alpha) == problem(L2("4/3")).gap(w, alpha) > 0


@pytest.mark.parametrize("name", WITH_PROX)
def test_methods_with_a_prox_take_it_over_floats(name):
    own, l2 = (Problem([[0.6, 0.8], [1.0, 0.0], [0.0, 0.5]], Y, Squared(), g) for g in (GeneralL2("4/3"), L2("4/3")))
    pairs = [run(name, given) for given in (own, l2)]
    assert pairs[0][0] == pytest.approx(pairs[1][0], rel=1e-12) and pairs[0][1] == pytest.approx(pairs[1][1], rel=1e-12)


def test_every_other_method_and_every_lazy_form_refuses_in_one_line():
    own, refused = problem(WeightedL2("4/3", [1, 2])), set()
    for kind in [*all_methods().values(), *lazy_forms().values()]:
        if "general" in getattr(kind, "families", ("general",)):
            continue
        try:
            kind().require(own, "unchecked")
        except HypothesisViolated as error:
            assert "WeightedL2" in str(error) and "\n" not in str(error)
            refused.add(kind.__name__)
    assert {"ShrinkingSDCA", "LazySPDC", "LazyPGS", "PGS", "ASPDCi", "SVRG"} <= refused
    assert not any("general" in kind.families for kind in lazy_forms().values())


@pytest.mark.parametrize(
    ("make", "said"),
    [
        (lambda: problem(WeightedL2(1, [1, 2, 3])), "does not fit rows of 2 numbers"),
        (lambda: problem(WeightedL2(1, [1, -2])), "modulus -2: it must be > 0"),
        (lambda: WeightedL2(0, [1, 2]), "lam must be > 0"),
        (lambda: WeightedL2(1, [1, float("nan")]), "c must be a finite number"),
        (
            lambda: GeneralRegularizer(1, value=2),
            "'value' of regularizer GeneralRegularizer has the name of something else",
        ),
    ],
)
def test_what_makes_no_sense_is_refused(make, said):
    refuses(ValueError, re.escape(said), make)


@pytest.fixture
def registry(monkeypatch):
    monkeypatch.setattr(REGULARIZERS, "places", dict(REGULARIZERS.places))
    before = dict(REGULARIZERS)
    yield REGULARIZERS
    REGULARIZERS.clear()
    REGULARIZERS.update(before)


def test_built_in_ones_are_there_by_name():
    assert (REGULARIZERS["l2"], REGULARIZERS["elastic-net"], REGULARIZERS["p-norm"]) == (L2, ElasticNet, PNorm)
    with pytest.raises(
        ValueError, match=r"unknown regularizer 'nowhere'; known: l2, elastic-net, p-norm.*@register_regularizer"
    ):
        REGULARIZERS["nowhere"]


def test_a_name_that_is_taken_is_refused_with_both_places(registry):
    assert register_regularizer(WeightedL2) is WeightedL2 is registry["weighted-l2"]
    for name, where in (("l2", r"general_regularizer\.py:\d+"), ("weighted-l2", r"test_general_regularizer\.py:\d+")):
        other = type("Other", (WeightedL2,), {"name": name})
        with pytest.raises(
            ValueError,
            match=rf"regularizer '{name}' of .*Other \(.*test_general_regularizer\.py:\d+\) is taken by .*{where}",
        ):
            register_regularizer(other)


@pytest.mark.parametrize(
    ("cls", "said"),
    [
        (
            type("Bare", (Regularizer,), {"name": "bare"}),
            "must be a class that derives from dualgap.reference.GeneralRegularizer",
        ),
        (type("Bare", (GeneralRegularizer,), {}), "has no name"),
        (
            type("Bare", (GeneralRegularizer,), {"name": "bare"}),
            "has no modulus: it has modulus, value, gradient_conjugate",
        ),
    ],
)
def test_a_class_that_is_no_regularizer_is_refused(cls, said):
    refuses(ValueError, re.escape(said), register_regularizer, cls)


@pytest.mark.parametrize(
    "g",
    [
        L2(2),
        ElasticNet("1/2", "1/3"),
        L2("2/7").centred(Fraction(3, 5), [Fraction(-9, 4), Fraction(1, 2), Fraction(0)]),
        ElasticNet("2/7", "1/5").centred(Fraction(3, 5), [Fraction(-9, 4), Fraction(1, 2), Fraction(0)]),
        WeightedL2("1/3", ["1/2", 3]),
        WeightedL2(1, range(1, 40)),
        PNorm(2, 2),
    ],
)
def test_nothing_is_found_where_the_formulas_belong_together(g):
    if isinstance(g, PNorm):
        assert {one.formula for one in check_regularizer(g)} == {"prox"}  # which it refuses
        return
    assert check_regularizer(g) == []


MISTAKES = {
    "number": {"value": lambda self, w: 0.5 * float(sum(x * x for x in w))},
    "value": {"value": lambda self, w: -WeightedL2.value(self, w)},
    "modulus": {"modulus": property(lambda self: self.lam * max(self.c))},
    "gradient_conjugate": {"gradient_conjugate": lambda self, v: [x / self.lam for x in v]},
    "conjugate": {"conjugate": lambda self, v: WeightedL2.conjugate(self, v) - Q(1, 10**9)},
    "residual": {"residual": lambda self, w, v: 2 * WeightedL2.residual(self, w, v)},
    "prox": {"prox": lambda self, w, tau: [x / (1 + self.lam * c) for c, x in zip(self.c, w)]},
}


@pytest.mark.parametrize("formula", MISTAKES)
def test_a_planted_mistake_is_named(formula):
    wrong = type("Wrong", (WeightedL2,), MISTAKES[formula])("1/3", ["1/2", 3])
    finding, *_ = check_regularizer(wrong)
    assert finding.formula == formula
    assert str(finding).startswith(f"regularizer Wrong(lam=1/3, c=['1/2', '3']), {formula}: ")
    assert "\n" not in str(finding)
    if formula in ("conjugate", "residual", "prox", "modulus"):
        assert len(check_regularizer(wrong)) == 1
