"""ASPDC-i: its claims and their engines, compared with independent computations."""

from fractions import Fraction as Q
from itertools import product

import numpy as np
import pytest
from support import refuses

from dualgap.proofs_checks.engines import quadratic_forms
from dualgap.proofs_checks.engines.paths import expectations
from dualgap.reference import L2, HypothesisViolated, Problem, Squared, method
from dualgap.reference.methods.aspdc_i import ASPDCiFixed, failure_criterion


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


@pytest.mark.parametrize(("n", "m", "K"), list(product((2, 3, 5), (1, 2, 4), (Q(1, 2), Q(1, 4)))))
def test_the_failure_criterion_is_a_determinant_of_the_methods_own_second_moments(n: int, m: int, K: Q) -> None:
    """det(I - T) = K Pi/(1 + K)^2 as lam -> 0, T the moments (nu^2, nu b, b^2) of one coordinate over an epoch."""
    mu, lam, zeros = 1 / (n * K), Q(1, 10**9), [0] * n
    rows = [[int(i == j) for j in range(n)] for i in range(n)]
    problem = Problem(rows, zeros, Squared(), L2(lam), number=Q)
    steps, scale, T = ASPDCiFixed(kappa=mu - lam, m=m), n * mu, []
    states = []
    for nu, b in ((1, 0), (0, 1), (1, 1)):  # b = alpha/(n mu)
        start = steps.init(problem, [b * scale, *zeros[1:]])
        start.w_tilde = [Q(nu), *zeros[1:]]
        steps.start_inner(problem, start)
        states.append(start)
    for quantity in (lambda nu, b: nu * nu, lambda nu, b: nu * b, lambda nu, b: b * b):
        observe = lambda s, of=quantity: of(s.w_tilde[0], s.alpha[0] / scale)  # noqa: B023
        first, second, both = (expectations(steps, problem, start, m, observe)[m] for start in states)
        T.append([first, both - first - second, second])
    determinant = np.linalg.det(np.eye(3) - np.array(T, dtype=float))
    assert abs(determinant - float(K * failure_criterion(n, m, K) / (1 + K) ** 2)) < 1e-6
    if failure_criterion(n, m, K) < 0:
        assert max(abs(np.linalg.eigvals(np.array(T, dtype=float)))) > 1


def test_too_few_inner_steps_are_refused_with_what_is_known() -> None:
    five = Problem([[int(i == j) for j in range(5)] for i in range(5)], [1] * 5, Squared(), L2("1/100"), number=Q)
    diverges = r"m >= 3n/2 .*got m = 1, n = 5\); for these n, m it diverges on orthonormal rows"
    refuses(HypothesisViolated, diverges, ASPDCiFixed(m=1).require, five)
    three = Problem([["3/5", "4/5"], [1, 0], [0, "1/2"]], [1, -1, 2], Squared(), L2("1/3"), number=Q)
    refuses(HypothesisViolated, r"got m = 4, n = 3\); below that nothing is proved", ASPDCiFixed(m=4).require, three)
    ASPDCiFixed(m=1).require(five, "unchecked")
    ASPDCiFixed().require(five)
    method("aspdc-i-momentum", m=1).require(five)
