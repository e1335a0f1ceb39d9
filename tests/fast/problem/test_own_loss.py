"""A loss of one's own is solved and certified by both backends, compiled or not; no rounding and no mistake makes a
bound false.
"""

import math
from fractions import Fraction

import numpy as np
import pytest
from support import by_day, refuses
from toys.own_objective import Huber

from dualgap.fast import Certificate, CompiledLoss, check_compiled_loss, register_compiled_loss, solve
from dualgap.fast.problem.registered_losses import CODES
from dualgap.proofs_checks import certificate
from dualgap.reference import L2, LOSSES, ElasticNet, Logistic, Loss, Problem, SmoothedHinge, register_loss

X = np.array([[1.0, 0.5], [0.0, 2.0], [-1.0, 0.25], [0.3, 0.3]])
Y = np.array([3.0, -1.0, 0.5, 8.0])


class FastHuber(CompiledLoss):
    """Plain functions: the decorator compiles them."""

    name = "own-huber"

    def value(gamma, z, y):  # noqa: N805
        e = z - y
        return e - gamma / 2 if e >= gamma else -e - gamma / 2 if e <= -gamma else e * e / (2 * gamma)

    def derivative(gamma, z, y):  # noqa: N805
        return min(max((z - y) / gamma, -1.0), 1.0)

    def conjugate(gamma, alpha, y):  # noqa: N805
        return y * alpha + gamma * alpha * alpha / 2

    def dual_step(gamma, z, alpha, y, q):  # noqa: N805
        return min(max((z - y + q * alpha) / (gamma + q), -1.0), 1.0)


def ERROR(gamma, z, alpha, y):  # noqa: N802
    """A bound of the rounding errors of FastHuber's residual."""
    return 8.0 * 2.0**-52 * (1.0 + abs(z) + abs(y)) * (2.0 + abs(z) + abs(y))


CACHE: dict[str, CompiledLoss] = {}


@pytest.fixture
def own(monkeypatch):
    """Own losses are registered for one test."""
    for registry in (LOSSES, CODES):
        monkeypatch.setattr(registry, "_before", dict(registry), raising=False)
    yield register_loss(Huber)
    for registry in (LOSSES, CODES):
        before = registry._before
        registry.clear()
        registry.update(before)


def compiled(**changes):
    """A compiled form with some formulas changed, registered; the unchanged one is compiled once."""
    if not changes and "made" in CACHE:
        CODES["own-huber"] = CACHE["made"]
        return
    register_compiled_loss(
        type("FastHuber", (CompiledLoss,), {**{k: v for k, v in vars(FastHuber).items() if k[0] != "_"}, **changes})
    )
    if not changes:
        CACHE["made"] = CODES["own-huber"]


def true_gap(problem, w, alpha):
    """In rationals, by subtraction, of these very doubles."""
    return certificate(problem, alpha, w).gap


def test_without_a_compiled_form_the_reference_backend_solves_it_and_the_fast_one_says_how(own):
    problem = Problem(X, Y, own(), L2(0.1))
    found = solve(problem, method="sdca", tol=1e-9, backend="reference")
    assert found.status == "converged"
    assert true_gap(problem, found.w, found.alpha) <= found.gap_bound <= 1e-9
    for name in ("sdca", "auto"):
        with pytest.raises(
            ValueError, match=r"unknown compiled loss 'own-huber'.*@register_compiled_loss .*backend=\"reference\""
        ):
            solve(problem, method=name)


@pytest.mark.parametrize("gamma", [1, 0.5])
@pytest.mark.parametrize("regularizer", [L2(0.1), ElasticNet(0.1, 0.3)])
def test_both_backends_give_the_same_bits_and_a_true_bound(own, gamma, regularizer):
    compiled()
    problem = Problem(X, Y, own(gamma), regularizer)
    fast, reference = (solve(problem, method="sdca", tol=1e-10, backend=backend) for backend in ("fast", "reference"))
    assert (
        fast.status == "converged" and fast.w.tolist() == reference.w.tolist() and fast.gap_bound == reference.gap_bound
    )
    assert 0 <= true_gap(problem, fast.w, fast.alpha) <= fast.gap_bound <= 1e-10
    assert check_compiled_loss(own(gamma)) == []


@pytest.mark.parametrize("method", by_day(["spdc", "auto"]))
def test_other_methods_take_it_as_they_take_any_loss(own, method):
    compiled()
    problem = Problem(X, Y, own(), L2(0.1))
    found = solve(problem, method=method, tol=1e-6, max_epochs=3000)
    assert found.status == "converged" and true_gap(problem, found.w, found.alpha) <= found.gap_bound


def test_a_pair_is_certified_as_exactly_as_by_rationals(own):
    rng = np.random.default_rng(5)
    for trial in range(30):
        problem = Problem(X * 10.0 ** rng.integers(-3, 6), Y, own(), L2(float(10.0 ** rng.integers(-6, 1))))
        alpha = rng.uniform(-1, 1, 4)
        w = np.array(problem.w(alpha.tolist())) * (1 + rng.choice([0, 1e-9, 1]) * rng.standard_normal(2))
        for sums in (False, True):
            found = Certificate(problem, w, alpha, sums)
            assert true_gap(problem, found.w, found.alpha) <= Fraction(found.gap_bound), trial


def test_a_compiled_residual_that_says_0_is_not_believed(own):
    compiled(residual=lambda gamma, z, alpha, y: 0.0)
    problem = Problem(X, Y, own(), L2(0.1))
    found = Certificate(problem, np.zeros(2), np.zeros(4))
    assert found.gap_bound >= true_gap(problem, found.w, found.alpha) > 1
    assert str(check_compiled_loss(own())[0]).startswith("loss 'own-huber', compiled bits: residual")


BELIEVED = {  # what a compiled loss with an ``error`` gets wrong: the line that names it
    "too small an error": ({"error": lambda gamma, z, alpha, y: 2.0**-80}, "compiled error: error"),
    "a NaN": ({"error": lambda gamma, z, alpha, y: math.nan}, "compiled error: error.* = nan"),
    "a residual": (
        {"residual": lambda gamma, z, alpha, y: 0.0, "error": lambda gamma, z, alpha, y: 0.0},
        "compiled error: error",
    ),
    "a value": ({"value": lambda gamma, z, y: 0.0}, "compiled bits: value"),
    "a conjugate": ({"conjugate": lambda gamma, alpha, y: 2 * alpha}, "compiled bits: conjugate"),
    "a domain": ({"in_domain": lambda alpha, y: True}, "compiled in_domain: in_domain"),
    "all of it": (
        {
            "value": lambda gamma, z, y: 0.0,
            "conjugate": lambda gamma, alpha, y: 2 * alpha,
            "residual": lambda gamma, z, alpha, y: 0.0,
            "error": lambda gamma, z, alpha, y: 0.0,
        },
        "compiled bits: value",
    ),
}


@pytest.mark.parametrize("wrong", by_day(BELIEVED, "too small an error", "a domain", "all of it"))
def test_a_compiled_loss_that_would_be_believed_is_checked_before_its_first_certificate(own, wrong):
    changes, line = BELIEVED[wrong]
    compiled(**{"error": ERROR, **changes})
    problem = Problem(X, Y, own(), L2(0.1))
    with pytest.raises(ValueError, match=f"loss 'own-huber', {line}.*dualgap.fast.check_compiled_loss says all"):
        Certificate(problem, np.zeros(2), np.zeros(4))
    refuses(ValueError, "check_compiled_loss", solve, problem, method="sdca")


@pytest.mark.parametrize(
    ("changes", "formula"),
    [
        ({"conjugate": lambda s, a, y: y * a + s.gamma * a * a / 2 - 1}, "conjugate"),
        ({"ends": (-2, 2), "conjugate": lambda s, a, y: y * a + s.gamma * a * a / 2}, "domain"),
        ({"derivative": lambda s, z, y: -Huber.derivative(s, z, y)}, "derivative"),
        (
            {"default_gamma": Fraction(2), "value": lambda s, z, y: Huber().value(Fraction(z), Fraction(y))},
            "derivative",
        ),
    ],
)
def test_a_loss_that_contradicts_itself_gets_no_certificate(own, changes, formula):
    wrong = type("Wrong", (Huber,), changes)()
    with pytest.raises(ValueError, match=rf"loss 'own-huber', {formula}: .*No certificate of it would mean anything"):
        solve(Problem(X, Y, wrong, L2(0.1)), method="sdca", backend="reference")


def test_a_conjugate_that_is_too_small_at_one_point_alone_is_refused_there(own):
    at = 0.123456789
    wrong = type(
        "Wrong", (Huber,), {"conjugate": lambda s, a, y: Huber.conjugate(s, a, y) - (9 if a == Fraction(at) else 0)}
    )()
    problem = Problem([[1.0]], [1.0], wrong, L2(1.0))
    assert Certificate(problem, [0.0], [0.5]).gap_bound > 0, "nothing is wrong at the tested points"
    with pytest.raises(ValueError, match=r"is not what it says: phi\(z\) .* = -.* < 0 at z = 0.0, alpha = 0.123456789"):
        Certificate(problem, [0.0], [at])


def test_a_class_that_bears_a_built_in_name_is_certified_by_its_own_formulas():
    class Doubled(SmoothedHinge):
        def value(self, z, y):
            return 2 * SmoothedHinge.value(self, z, y)

    with pytest.raises(ValueError, match="loss 'smoothed-hinge', derivative: .*a factor"):
        Certificate(Problem([[1.0]], [1.0], Doubled(), L2(1.0)), [0.0], [0.0])


def test_a_loss_that_is_not_rational_is_certified_in_intervals(own):
    soft = register_loss(type("OwnLogistic", (Logistic,), {"name": "own-logistic", "residual": Loss.residual}))
    labels = np.array([1.0, -1.0, 1.0, -1.0])
    own_problem, built_in = (Problem(X, labels, loss, L2(0.1)) for loss in (soft(), Logistic()))
    found = solve(own_problem, method="sdca", tol=1e-8, backend="reference")
    assert found.status == "converged"
    assert certificate(built_in, found.alpha, found.w).gap <= found.gap_bound <= 1e-8


@pytest.mark.parametrize("missing", ["value", "derivative", "conjugate", "dual_step"])
def test_a_compiled_loss_without_a_formula_is_refused_by_name(own, missing):
    formulas = {k: v for k, v in vars(FastHuber).items() if k[0] != "_" and k != missing}
    with pytest.raises(
        ValueError, match=f"compiled loss 'own-huber' of .* has no {missing}; needed: value, derivative"
    ):
        register_compiled_loss(type("Partial", (CompiledLoss,), formulas))
