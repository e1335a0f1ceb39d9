"""ASPDC-i: its claims and their engines, compared with independent computations."""

import random
from fractions import Fraction as Q
from itertools import product

import numpy as np
import pytest
from support import refuses

from dualgap.proofs_checks.engines import quadratic_forms
from dualgap.proofs_checks.papers.aspdc_i import lyapunov, second_moments, setting
from dualgap.reference import L2, HypothesisViolated, Problem, Squared, method
from dualgap.reference.methods.aspdc_i import ASPDCiFixed


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


def test_too_few_inner_steps_are_refused_with_what_is_known() -> None:
    five = Problem([[int(i == j) for j in range(5)] for i in range(5)], [1] * 5, Squared(), L2("1/100"), number=Q)
    diverges = r"m >= 3n/2 .*got m = 1, n = 5\); for these n, m it diverges on orthonormal rows"
    refuses(HypothesisViolated, diverges, ASPDCiFixed(m=1).require, five)
    three = Problem([["3/5", "4/5"], [1, 0], [0, "1/2"]], [1, -1, 2], Squared(), L2("1/3"), number=Q)
    refuses(HypothesisViolated, r"got m = 4, n = 3\); below that nothing is proved", ASPDCiFixed(m=4).require, three)
    ASPDCiFixed(m=1).require(five, "unchecked")
    ASPDCiFixed().require(five)
    method("aspdc-i-momentum", m=1).require(five)
