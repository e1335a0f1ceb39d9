"""The regularizers by their definition, and runs in floats against Fractions and intervals."""

import random
from fractions import Fraction
from typing import Any

import pytest

from dualgap.reference import (
    L2,
    ElasticNet,
    Interval,
    Logistic,
    Loss,
    Method,
    Problem,
    Regularizer,
    SmoothedHinge,
    Squared,
    SquaredHinge,
    method,
)
from dualgap.reference.problem.regularizers import soft


def regularizers(r: random.Random, d: int) -> list[Regularizer]:
    """L2, elastic net, and both with a centre."""
    centre = [Fraction(r.randint(-9, 9), 4) for _ in range(d)]
    plain = [L2("2/7"), ElasticNet("2/7", "1/5")]
    return plain + [g.centred(Fraction(3, 5), centre) for g in plain]


def random_vector(r: random.Random, size: int) -> list[Fraction]:
    return [Fraction(r.randint(-12, 12), r.randint(1, 6)) for _ in range(size)]


def violations_of_regularizer(g: Regularizer, seed: int) -> list[str]:
    """value as defined; g* = sup, attained at grad g* alone; residual = g + g* - s^T w; prox by its optimality."""
    r = random.Random(seed)
    found: list[str] = []
    for _ in range(60):
        w, s, tau = random_vector(r, 3), random_vector(r, 3), Fraction(r.randint(1, 9), 4)
        centre = g.centre or [Fraction(0)] * 3
        square, inner = sum(x * x for x in w), sum(x * c for x, c in zip(w, centre))
        if g.value(w) != (g.lam + g.kappa) * square / 2 + g.l1 * sum(abs(x) for x in w) - g.kappa * inner:
            found.append("value")
        best = g.gradient_conjugate(s)
        if g.conjugate(s) != sum(s_j * w_j for s_j, w_j in zip(s, best)) - g.value(best):
            found.append("conjugate")
        for x in (w, best, [soft(v_j, g.threshold) for v_j in g.dual_point(s)]):
            residual = g.residual(x, s)
            if residual != g.value(x) + g.conjugate(s) - sum(s_j * x_j for s_j, x_j in zip(s, x)):
                found.append("residual")
            if (residual == 0) != (x == best) or residual < 0:
                found.append("sign of the residual")
        x = g.prox(w, tau)
        if g.residual(x, [(w_j - x_j) / tau for w_j, x_j in zip(w, x)]) != 0:
            found.append("prox")
    return found


@pytest.mark.parametrize("g", regularizers(random.Random(0), 3), ids=repr)
def test_a_regularizer_is_what_its_formula_says(g: Regularizer) -> None:
    assert violations_of_regularizer(g, seed=3) == []


class ConjugateWithoutKappa(Regularizer):
    def conjugate(self, s: list[Any]) -> Any:
        return super().conjugate(s) * self.lam / self.modulus


class ResidualWithoutL1(Regularizer):
    def residual(self, w: list[Any], s: list[Any]) -> Any:
        return sum(
            (self.modulus * (w_j - b_j) ** 2 / 2 for w_j, b_j in zip(w, self.gradient_conjugate(s))), Fraction(0)
        )


class ProxWithoutTau(Regularizer):
    def prox(self, w: list[Any], tau: Any) -> list[Any]:
        return super().prox(w, Fraction(1))


@pytest.mark.parametrize(
    ("cls", "named"), [(ConjugateWithoutKappa, "conjugate"), (ResidualWithoutL1, "residual"), (ProxWithoutTau, "prox")]
)
def test_a_broken_regularizer_is_caught(cls: type[Regularizer], named: str) -> None:
    assert named in violations_of_regularizer(
        cls("2/7", "1/5").centred(Fraction(3, 5), random_vector(random.Random(0), 3)), seed=3
    )


def test_in_floats_the_residual_is_zero_at_the_response_and_never_negative() -> None:
    r = random.Random(4)
    for g in (L2(0.3).over(float), ElasticNet(0.3, 0.7).over(float)):
        for _ in range(500):
            s = [r.gauss(0, 1) * 10 ** r.uniform(-6, 6) for _ in range(3)]
            assert g.residual(g.gradient_conjugate(s), s) == 0
            assert g.residual([r.gauss(0, 1) * r.choice((0, 1, 1e-12)) for _ in range(3)], s) >= 0


def relative_drift(
    steps: Method[Any], loss: Loss, regularizer: Regularizer, perturbed: Regularizer | None = None
) -> float:
    """Largest difference of w after five passes, relative to the largest |w_j|, between floats and Fractions."""
    r = random.Random(f"{steps.name} {loss}")
    X = [[Fraction(r.randint(-8, 8), 8) for _ in range(4)] for _ in range(8)]
    y = [r.choice((-1, 1)) for _ in X]
    choices = [r.randrange(8) for _ in range(40)]
    exact = Problem(X, y, loss, regularizer, number=Fraction)
    rounded = Problem(X, y, loss, perturbed or regularizer, number=float)
    w, _ = steps.view(exact, steps.run(exact, choices))
    w_float, _ = steps.view(rounded, steps.run(rounded, choices))
    return float(max(abs(Fraction(a) - b) for a, b in zip(w_float, w)) / max(abs(x) for x in w))


@pytest.mark.parametrize("name", ["aspdc", "sdca", "aspdc-i", "aspdc-i-fixed"])
@pytest.mark.parametrize("loss", [Squared("1/2"), SmoothedHinge("1/2"), SquaredHinge()], ids=repr)
@pytest.mark.parametrize("regularizer", [L2("3/2"), ElasticNet("3/2", "1/16")], ids=repr)
def test_floats_follow_the_exact_run(name: str, loss: Loss, regularizer: Regularizer) -> None:
    """At most 1e-12 a pass: a step makes under 4 d + 20 = 36 roundings of relative size 2^-53, a pass 8 times that,
    which is 3.2e-14; K < 1 keeps earlier errors from growing. The rest covers |alpha_i x_ij| / |w_j| > 1.
    """
    # at an exact optimum its xi would get a million digits
    options = {"epsilon": "1/1000000"} if name == "aspdc-i" else {}
    assert relative_drift(method(name, **options), loss, regularizer) <= 5e-12


def test_a_lam_off_by_one_part_in_1e9_is_seen_by_that_comparison() -> None:
    assert relative_drift(method("sdca"), Squared(), L2("3/2"), L2(1.5 * (1 + 1e-9))) > 5e-12


def test_logistic_floats_lie_in_the_enclosure_of_their_own_problem() -> None:
    """One step from the same start; with these dyadic numbers the dual step alone rounds, by at most 1.2e-15."""
    for name in ("aspdc", "sdca"):
        rows, y, start = [["3/4", "1/2"], [1, "-1/4"]], [1, -1], ["-1/2", "1/4"]
        rounded, enclosed = (Problem(rows, y, Logistic(), L2("1/8"), number=number) for number in (float, Interval))
        steps = method(name)
        a = steps.step(rounded, steps.init(rounded, start), 0).alpha[0]
        b = steps.step(enclosed, steps.init(enclosed, start), 0).alpha[0]
        assert abs(Fraction(a) - b.midpoint()) <= Fraction(12, 10**16) and b.width() < 1e-17
