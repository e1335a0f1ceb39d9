"""What the compiled methods read, their scalar formulas, and coordinates that wait for a billion steps."""

import itertools
import math
import random
from decimal import Context, Decimal, localcontext
from fractions import Fraction

import numpy as np
import pytest
from scipy.sparse import csr_array
from support import bits, first_difference, refuses

from dualgap.fast.methods.sdca import FastSDCA
from dualgap.fast.methods.spdc import FastSPDC
from dualgap.fast.problem import losses
from dualgap.fast.problem.arrays import arrays
from dualgap.fast.problem.losses import CODES
from dualgap.fast.problem.objective import Objective
from dualgap.reference import L2, LOSSES, ElasticNet, Problem, SmoothedHinge, Squared, as_compiled
from dualgap.reference.methods.lazy.spdc import Orbit


def test_float64_data_are_read_where_they_lie_and_memory_mapped_files_too(tmp_path):
    X = np.random.default_rng(0).standard_normal((4, 3))
    np.save(tmp_path / "X.npy", X)
    mapped = np.load(tmp_path / "X.npy", mmap_mode="r")
    compressed = csr_array(X)
    y, parts = [1.0, -1.0, 1.0, 1.0], (SmoothedHinge(), L2(1))
    assert np.shares_memory(arrays(Problem(mapped, y, *parts)).matrix[0], mapped)
    for ours, given in zip(arrays(Problem(compressed, y, *parts)).matrix, ("indptr", "indices", "data")):
        assert np.shares_memory(ours, getattr(compressed, given)), given
    from_file = FastSDCA().run(Problem(mapped, y, *parts), [3, 1, 2])
    assert first_difference(from_file, FastSDCA().run(Problem(X, y, *parts), [3, 1, 2])) is None


def test_a_problem_over_fractions_is_refused_with_the_way_out():
    refuses(ValueError, "number=float", lambda: arrays(Problem([[1, 2]], [1], Squared(), L2(1), number=Fraction)))


@pytest.mark.parametrize("choices", [[3], [-1], [0.5], [[0]], ["0"]])
def test_choices_outside_the_rows_are_refused_before_any_step(choices):
    problem = Problem(np.eye(3), [1, -1, 1], SmoothedHinge(), L2(1))
    state = FastSDCA().init(problem)
    refuses(ValueError, "choices must", lambda: FastSDCA().advance(problem, state, choices))
    assert not state.alpha.any()


SCALARS = [0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 0.75, 1e-3, -2.0, 7.25, 1e-160, -1e-300, 5e-324, 40.0, -745.0, 1e18, 1 / 3]
INSIDE = [0.0, 1.0, 0.5, 1e-17, 1e-300, 1 - 2.0**-53, 1 / 3, 0.999, 2.0**-40]


@pytest.mark.parametrize("name", LOSSES)
def test_the_scalar_formulas_have_the_bits_of_their_counterparts(name):
    cls, code = LOSSES[name], CODES[name]
    for loss in [cls(g).over(float) for g in (1.0, 0.25, 3.0)] if cls.adjustable else [cls().over(float)]:
        gamma = loss.gamma
        for z, y, b in itertools.product([*SCALARS, 1 - gamma], (1.0, -1.0), INSIDE):
            alpha = -y * b
            assert bits(losses.derivative(code, gamma, z, y)) == bits(loss.derivative(z, y)), (z, y)
            assert bits(losses.value(code, gamma, z, y)) == bits(loss.value(z, y)), (z, y)
            if gamma > 0:
                assert bits(losses.curvature(code, gamma, z, y)) == bits(loss.curvature(z, y)), (z, y)
            assert bits(losses.conjugate(code, gamma, alpha, y)) == bits(loss.conjugate(alpha, y)), (alpha, y)
            assert bits(losses.residual(code, gamma, z, alpha, y)) == bits(loss.residual(z, alpha, y)), (z, alpha, y)
            for q in (0.0, 1e-3, 0.7, 250.0):
                expected = loss.dual_step(z, alpha, y, q)
                assert bits(losses.dual_step(code, gamma, z, alpha, y, q)) == bits(expected), (z, alpha, y, q)
        for alpha, y in itertools.product([*SCALARS, *INSIDE, math.nan], (1.0, -1.0)):
            assert losses.in_domain(code, alpha, y) == (loss.in_domain(alpha, y) and not math.isnan(alpha))


def test_an_underflow_leaves_no_negative_zero_in_v():
    problem = Problem(np.array([[5e-324, 1.0]]), [1.0], Squared(), L2(4.0))
    alpha = [1.0]  # v_0 = -5e-324/4 rounds to -0.0
    for v in (problem.v(alpha), Objective(problem).v(np.array(alpha))):
        assert math.copysign(1.0, v[0]) == 1.0


def test_where_every_row_is_zero_both_forms_start_at_the_solution_and_stay_there():
    problem = Problem(csr_array((2, 3)), [1.0, -1.0], SmoothedHinge(), ElasticNet(1.0, 0.5)).centred(
        1.0, [2.0, 0.1, -2.0]
    )
    for form in (as_compiled("spdc"), FastSPDC()):
        w, alpha = form.view(problem, form.run(problem, [0, 1, 0]))
        assert list(w) == [0.75, 0.0, -0.75] and list(alpha) == [-1.0, 1.0]


def decimal_orbit(tau, mu, w, u, S):
    """w_S of (38) in closed form; 60 digits, and 1/mu <= 1e12 and |w|, |u| take at most 30 of them away."""
    fixed = -u / mu
    return fixed + (w - fixed) * (1 + mu * tau) ** -S


def test_a_billion_steps_need_no_more_than_one_and_stay_on_the_orbit():
    """12 units of 2^-53 of the scale |w_0| + |u| e/mu, e = 1 - (1 + mu tau)^-S, which bounds both terms of A_S w_0 -
    E_S u.

    mu tau (1), log1p (4) and S log1p (1) move e by 6 x e^-x <= 6 e units at x = S log(1 + mu tau), 1 - e^-x by 3 e;
    then 1 - e, e/mu, the two products and the difference are rounded once each, two of them in each term: at most 11,
    and second orders.
    """
    rng = random.Random(2)
    with localcontext(Context(prec=60)):
        for _ in range(300):
            tau, mu, u, w = 10 ** rng.uniform(-4, 4), 10 ** rng.uniform(-12, 1), rng.uniform(-1, 1), rng.uniform(-5, 5)
            S = rng.choice([1, 2, 1000, 10**6, 10**9])
            orbit, exact = Orbit(tau, mu, 0.0, 0.0), [Decimal(x) for x in (tau, mu, w, u)]
            expected = decimal_orbit(*exact, S)
            scale = abs(exact[2]) + abs(exact[3]) / exact[1] * (1 - (1 + exact[1] * exact[0]) ** -S)
            assert abs(Decimal(orbit.catch_up(w, u, S)[0]) - expected) <= 12 * Decimal(2.0**-53) * scale
    net = Orbit(1.0, 1e-6, 0.25, 0.5)
    for w, u, expected in [
        (0.0, 0.25, 0.0),
        (0.0, -0.25, 0.0),
        (3.0, 0.2, 0.0),
        (-3.0, -0.25, 0.0),
        (1.0, 0.5, -250000.0),
    ]:
        assert net.catch_up(w, u, 10**9)[0] == pytest.approx(expected, rel=1e-12, abs=0)
