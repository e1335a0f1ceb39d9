"""Compiled exp and logarithms have the reference's bits, in vector loops and alone; rows in blocks are added in the
order of the rows.
"""

import math
import random

import numba
import numpy as np
import pytest
from support import bits

from dualgap.fast.problem import elementary as compiled
from dualgap.fast.problem.losses import CODES, logistic_terms
from dualgap.fast.problem.objective import Objective
from dualgap.fast.problem.row_sums import BLOCK, NO_WEIGHTS, derivatives, evaluate, row_sums, values
from dualgap.reference import L2, Logistic, Problem, Squared
from dualgap.reference.numbers import elementary

EDGES = {
    "exp": [0.0, -0.0, -5e-324, -708.3, -708.4, -744.4, -745.1, -745.2, -746.0, -1e9, 1.0, 700.0],
    "one_minus_exp": [0.0, 5e-324, 39.9, 40.0, 1e9],
    "log": [
        1.0,
        5e-324,
        2.0**-1022,
        2.0**-1023,
        1.7e308,
        elementary.ROOT_HALF,
        math.nextafter(elementary.ROOT_HALF, 0),
        2.0,
    ],
    "log1p": [0.0, 5e-324, 2.0**-53, 3 * 2.0**-54, 1.0, 1e16, 1e300],
}


def arguments(name: str) -> np.ndarray:
    r = random.Random(3)
    drawn = (
        [10 ** r.uniform(-323, 308) for _ in range(3000)]
        + [r.uniform(0, 50) for _ in range(3000)]
        + [r.random() for _ in range(3000)]
    )
    return np.array(EDGES[name] + [-x for x in drawn] if name == "exp" else EDGES[name] + [x for x in drawn if x > 0])


def loop(function):
    """A loop over an array, which becomes vector code."""

    @numba.njit(error_model="python")
    def over(x, out):
        for i in range(x.size):
            out[i] = function(x[i])

    return over


@pytest.mark.parametrize("name", EDGES)
def test_compiled_functions_have_the_bits_of_the_reference(name):
    x, own = arguments(name), getattr(compiled, name)
    expected = np.array([getattr(elementary, name)(float(v)) for v in x])
    out = np.empty_like(x)
    loop(own)(x, out)
    assert bits(out) == bits(expected)
    assert bits([own(float(v)) for v in x[:200]]) == bits(expected[:200])
    assert bits(out) != bits(np.nextafter(expected, 1))


def test_a_bregman_term_has_the_bits_of_the_reference():
    r = random.Random(4)
    for _ in range(3000):
        b, p = r.choice((0.0, r.random(), 10 ** r.uniform(-320, 0))), r.choice((r.random(), 10 ** r.uniform(-320, 0)))
        p = r.choice((p, b * (1 + r.gauss(0, 0.2)) if b > 0 else p, b or p))
        log_b = elementary.log(b) if b > 0 else 0.0
        if p > 0:
            expected = elementary.bregman(b, p, elementary.log(p), b - p)
            assert bits(compiled.bregman(b, p, log_b, elementary.log(p), b - p)) == bits(expected)
    assert bits(compiled.bregman(0.5, 0.0, elementary.log(0.5), -800.0, 0.5)) == bits(
        elementary.bregman(0.5, 0.0, -800.0, 0.5)
    )


@pytest.mark.parametrize("n", [1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK + 7])
def test_rows_in_blocks_are_added_in_the_order_of_the_rows(n):
    rng = np.random.default_rng(n)
    X, y = rng.standard_normal((n, 3)) * 4, np.where(rng.random(n) < 0.5, 1.0, -1.0)
    problem = Problem(X, y, Logistic(), L2(0.1))
    w, alpha = rng.standard_normal(3), -y * rng.choice([0.0, 1.0, 0.5, 1e-300, 1 - 2.0**-53], n)
    alpha[: n // 2] = -y[: n // 2] / (1 + np.exp(y[: n // 2] * (X[: n // 2] @ w)))  # close to the slopes
    objective, loss = Objective(problem), problem.loss
    z = objective.z(w)
    phi, star, excess = (
        [float(term(z_i, a, y_i)) for z_i, a, y_i in zip(z.tolist(), alpha.tolist(), y.tolist())]
        for term in (lambda z, a, y: loss.value(z, y), lambda z, a, y: loss.conjugate(a, y), loss.residual)
    )
    expected = tuple(added(terms) for terms in (phi, star, excess))
    code, total = CODES["logistic"], np.zeros(3)
    zero = (0.0, 0.0, 0.0)
    assert row_sums(code, 4.0, NO_WEIGHTS, z, alpha, y, zero) == expected
    assert evaluate(objective.arrays.matrix, objective.losses, NO_WEIGHTS, w, alpha, total, NO_WEIGHTS)[0] == expected
    assert values(code, 4.0, NO_WEIGHTS, z, y) == expected[0]
    out = np.empty(n)
    derivatives(code, 4.0, z, y, out)
    assert bits(out) == bits([loss.derivative(z_i, y_i) for z_i, y_i in zip(z.tolist(), y.tolist())])
    if n > 2:
        # another order has other bits
        assert row_sums(code, 4.0, NO_WEIGHTS, z[::-1].copy(), alpha[::-1].copy(), y[::-1].copy(), zero) != expected


def added(terms):
    total = 0.0
    for term in terms:
        total = total + term
    return total


def test_terms_next_to_the_ends_of_the_domain():
    loss, compiled = Logistic().over(float), numba.njit(lambda m, b: logistic_terms(m, b))
    for m in (-800.0, -1.0, 0.0, 1.0, 800.0):
        for b in (0.0, 5e-324, 0.5, 1 - 2.0**-53, 1.0):
            expected = (loss.value(m, 1.0), loss.conjugate(-b, 1.0), loss.residual(m, -b, 1.0))
            assert bits(compiled(m, b)) == bits(expected), (m, b)


@pytest.mark.parametrize("scale", [1.0, 1e-140, 1e100])  # the second is too small for the short way
def test_p_at_0_of_the_squared_loss_has_the_bits_of_its_sum(scale):
    rng = np.random.default_rng(0)
    y = rng.standard_normal(301) * scale
    objective, w = Objective(Problem(rng.standard_normal((301, 3)), y, Squared(), L2(0.1))), np.zeros(3)
    assert objective.P(w) == objective.P_at(objective.z(w), w) != objective.P(w + 1e-3 * scale)
