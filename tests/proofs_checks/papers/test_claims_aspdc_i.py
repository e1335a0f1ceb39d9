"""ASPDC-i: its claims and their engines, compared with independent computations."""

import math
import random
from fractions import Fraction as Q
from itertools import islice, product
from typing import Any

import numpy as np
import pytest
from support import refuses

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Instance, Qs
from dualgap.proofs_checks.engines import quadratic_forms
from dualgap.proofs_checks.engines.paths import distributions
from dualgap.proofs_checks.papers.aspdc_i import (
    algorithm_3_convergence,
    algorithm_3_few_steps,
    algorithm_3_orthogonal_rows,
    algorithm_3_weights,
    instances,
    lyapunov,
    second_moments,
    setting,
)
from dualgap.reference import L2, HypothesisViolated, Method, Problem, Squared, State, method
from dualgap.reference.methods.aspdc_i import ASPDCiFixed


def after_steps(count: int, method: Method[Any], problem: Problem, state: State) -> list[tuple[Q, State]]:
    """Every state after so many steps, with its probability."""
    return next(islice(distributions(method, problem, state), count, None))


def test_no_slopes_are_worse_than_the_adversarys_and_squared_loss_is_one_of_its_choices() -> None:
    n, m, chi, r, t, c = 5, 4, Q(19, 20), Q(-3, 2), Q(12), Q(39, 40)
    adversary = algorithm_3_orthogonal_rows.Adversary(n, m, chi, r, t, c)
    q = lambda nu, b: nu * nu + 2 * r * nu * b + t * b * b
    T = second_moments.moments_matrix(n, m, Q(1, 4), chi)
    breaks = adversary.breaks()
    for b in (breaks[0] - 3, *((low + high) / 2 for low, high in zip(breaks, breaks[1:])), breaks[-1] + 2):
        p, s, u = adversary.parabola(b)
        worst = p + s * b + u * b * b + c * q(1 / chi, b)  # E q at chi nu = 1
        moments = [sum(x * y for x, y in zip(row, (1 / chi**2, b / chi, b * b))) for row in T]
        assert moments[0] + 2 * r * moments[1] + t * moments[2] <= worst
        for N, weight in enumerate(adversary.weights):
            largest = max(adversary.after(b, end) for end in adversary.ends[N])
            reached = [b]
            for _ in range(N):
                reached = [k * (1 - e) for e in reached for k in (Q(0), Q(1, 9), Q(1, 4))]
            assert max(q(1 - e, e) for e in reached) == largest and weight > 0


def test_an_epoch_of_the_method_with_a_loss_that_is_not_quadratic_does_what_the_adversary_allows() -> None:
    n, share = 2, Q(1, 20)
    for m, shift in product((1, 2, 3), (Q(0), Q(3), Q(-5, 2))):
        chi, c, missed = 1 - share, 1 - share / 2, Q(1, 2) ** m
        r = Q(round(256 * -missed * chi / (c - missed * chi)), 256)
        weights = [r * r + step for step in range(1, 22, 2)]
        t = next(t for t in weights if algorithm_3_orthogonal_rows.Adversary(n, m, chi, r, t, c).holds())
        rows, mu = (Qs(1, 0), Qs(0, 1)), Q(2)  # K = 1/(mu n) = 1/4
        instance = Instance(rows, Qs(1, -1), Qs("-1/2", "1/3"), share * mu, "smoothed-hinge", Q(1))
        instance = instance.but(method="aspdc-i-fixed", options={"kappa": chi * mu, "m": m})
        context = Context(instance)
        problem, due = context.problem, context.optimum
        w_star = problem.w(due)

        def V(v: list[Q], alpha: list[Q], r: Q = r, t: Q = t, due: list[Q] = due, w_star: list[Q] = w_star) -> Q:
            pairs = [(v_i - w_i, (a - a_star) / 4) for v_i, w_i, a, a_star in zip(v, w_star, alpha, due)]
            return sum((nu * nu + 2 * r * nu * b + t * b * b for nu, b in pairs), Q(0))

        v, alpha = [w_star[0] + shift, w_star[1] - 2 * shift + 1], list(instance.alpha)
        start = lyapunov.state_at(lyapunov.fixed(context), problem, v, alpha)
        layer = after_steps(m, context.method, problem, start)
        after = sum((p * V(*context.method.view(problem, state)) for p, state in layer), Q(0))
        assert after <= c * V(v, alpha)


def value(form: setting.Matrix, z: list[Q]) -> Q:
    return z @ form @ np.array(z)


@pytest.mark.parametrize("seed", range(4))
def test_the_forms_are_the_moreau_envelope_and_the_dual(seed: int) -> None:
    r = random.Random(seed)
    rows = [[Q(r.randint(-3, 3), 2) for _ in range(2)] for _ in range(2)]
    problem = Problem(rows, [0, 0], Squared("1/2"), L2("1/3"), number=Q)
    v, alpha = ([Q(r.randint(-5, 5), 3) for _ in range(2)] for _ in range(2))
    epoch = lyapunov.Epoch(ASPDCiFixed(kappa=2, m=3), problem)
    z = [*v, *alpha]
    assert value(epoch.moreau(), z) == setting.prox(problem, Q(2), v).M  # P* = 0
    assert value(epoch.dual(), z) == -setting.centred_dual(problem, Q(2), v, alpha)


def test_an_epoch_that_is_not_linear_is_refused() -> None:
    shifted = Problem([[1]], [1], Squared(), L2(1), number=Q)
    message = "linear map only for squared loss with y = 0"
    refuses(ValueError, message, lyapunov.Epoch, ASPDCiFixed(kappa=1, m=2), shifted)


def test_pivots_decide_semidefiniteness() -> None:
    r = np.random.default_rng(5)
    for _ in range(60):
        A = r.integers(-3, 4, size=(4, 4))
        form = A @ A.T if r.integers(2) else A + A.T
        found = quadratic_forms.nonnegative_pivots([[Q(int(x)) for x in row] for row in form]) == 4
        smallest = np.linalg.eigvalsh(form)[0]
        # integer forms: a zero eigenvalue is computed below 1e-12
        assert abs(smallest) < 1e-9 or found == (smallest > 0)
    assert quadratic_forms.pivots([[Q(0), Q(1)], [Q(1), Q(0)]])[-1] == -1
    assert quadratic_forms.nonnegative_pivots([[Q(0), Q(0)], [Q(0), Q(0)]]) == 2


def test_floating_point_and_exact_pivots_agree_on_the_lyapunov_function() -> None:
    c = Context(instances.orthonormal(6, 1))
    largest, error = lyapunov.largest_ratio(lyapunov.Epoch(lyapunov.fixed(c), c.problem), Q(1, 4))
    assert error < 1e-9 and round(largest, 3) == 1.383
    assert not list(algorithm_3_convergence.all_states(algorithm_3_convergence.A, c))[-1].holds()


def test_rational_bounds_of_the_exponential() -> None:
    for x in Qs("-45/16", "-9/4", "-1/3", "1/8", "1/3"):
        assert math.exp(x) < float(algorithm_3_weights.exp_above(x)) < 1.01 * math.exp(x)


def test_the_exact_stability_test_agrees_with_the_spectral_radius() -> None:
    """Away from a double root 1e-9 is far above the rounding of eigenvalues of a 3x3 matrix with entries below 2."""
    decided = 0
    for n, m, C in product(range(2, 13), range(1, 8), (2, 3, 4, 8)):
        T = second_moments.moments_matrix(n, m, Q(1, C), Q(1))
        radius = max(abs(np.linalg.eigvals(np.array(T, dtype=float))))
        if abs(radius - 1) > 1e-9:
            decided += 1
            assert second_moments.is_stable(T) == (radius < 1), (n, m, C)
    assert decided >= 300


@pytest.mark.parametrize("m", [1, 2])
def test_the_mean_square_in_the_figure_is_the_methods_own(m: int) -> None:
    n, lam = 2, Q(1, 100)
    c = Context(instances.orthonormal(n, m, lam).but(y=Qs(1, 1)))
    w_star = c.problem.w(c.optimum)
    layers = islice(distributions(c.method, c.problem, c.start), 0, 3 * m + 1, m)
    square = lambda s: setting.square(setting.minus(s.w_tilde, w_star))
    expected = [sum((p * square(s) for p, s in layer), Q(0)) for layer in layers]
    found = algorithm_3_few_steps.expected_errors(n, m, lam, 3)
    assert found == pytest.approx([float(x) for x in expected], rel=1e-12)  # one rounding per value: 1e-16


def test_too_few_inner_steps_are_refused_with_what_is_known() -> None:
    five = Problem([[int(i == j) for j in range(5)] for i in range(5)], [1] * 5, Squared(), L2("1/100"), number=Q)
    diverges = r"m >= 3n/2 .*got m = 1, n = 5\); for these n, m it diverges on orthonormal rows"
    refuses(HypothesisViolated, diverges, ASPDCiFixed(m=1).require, five)
    three = Problem([["3/5", "4/5"], [1, 0], [0, "1/2"]], [1, -1, 2], Squared(), L2("1/3"), number=Q)
    refuses(HypothesisViolated, r"got m = 4, n = 3\); below that nothing is proved", ASPDCiFixed(m=4).require, three)
    ASPDCiFixed(m=1).require(five, "unchecked")
    ASPDCiFixed().require(five)
    method("aspdc-i-momentum", m=1).require(five)
