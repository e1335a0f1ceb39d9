"""The compiled SPDC is lazy SPDC bit for bit, on every kind of input; coordinates that wait for 10^6 steps keep 13
digits.
"""

import random
from decimal import Context, Decimal, localcontext

import numpy as np
import pytest
from scipy.sparse import csr_array

from dualgap.fast.methods.spdc import FastSPDC
from dualgap.reference import L2, ElasticNet, Problem, SmoothedHinge, Squared, as_compiled
from dualgap.reference.methods.lazy.spdc import Orbit


def test_a_state_is_the_references_with_arrays_and_copies_are_its_own():
    problem = Problem(np.array([[1.0, 2.0], [0.0, 3.0]]), [1.0, -1.0], Squared(), ElasticNet(0.1, 0.01))
    fast = FastSPDC()
    state = fast.run(problem, [0, 1, 0])
    lazy_state = as_compiled("spdc").run(problem, [0, 1, 0])
    assert type(state).names() == type(lazy_state).names()
    assert state.fields()["last"].tolist() == lazy_state.last == [3, 3] and state.last.dtype == np.int64
    copied = state.copy()
    assert copied.key() == state.key()
    fast.advance(problem, copied, [1])
    assert copied.key() != state.key() and state.t == 3 and state.last.tolist() == [3, 3]


def test_where_every_row_is_zero_both_forms_start_at_the_solution_and_stay_there():
    problem = Problem(csr_array((2, 3)), [1.0, -1.0], SmoothedHinge(), ElasticNet(1.0, 0.5)).centred(
        1.0, [2.0, 0.1, -2.0]
    )
    for form in (as_compiled("spdc"), FastSPDC()):
        w, alpha = form.view(problem, form.run(problem, [0, 1, 0]))
        assert list(w) == [0.75, 0.0, -0.75] and list(alpha) == [-1.0, 1.0]


# -- 10^6 steps, 50 digits as the measure -------------------------------------------------------------------------


def decimal_orbit(tau, mu, w, u, S):
    """w_S of (38) in closed form; 60 digits, and 1/mu <= 1e12 and |w|, |u| take at most 30 of them away."""
    fixed = -u / mu
    return fixed + (w - fixed) * (1 + mu * tau) ** -S


def test_a_million_columns_untouched_for_a_million_steps_keep_13_digits():
    """Row 0 is drawn first, row 1 at step 1000, row 2 last, the others, on separate columns, in between."""
    n, d, steps = 500, 1_000_000, 1_000_000
    rng = np.random.default_rng(3)
    columns = rng.permutation(d)[: 10 * n].reshape(n, 10)
    X = csr_array(
        (rng.standard_normal(10 * n), np.sort(columns, axis=1).ravel(), np.arange(0, 10 * n + 1, 10)), shape=(n, d)
    )
    problem = Problem(X, rng.choice([-1.0, 1.0], n), SmoothedHinge(), L2(1e-12))
    choices = rng.integers(3, n, size=steps)
    choices[[0, 1000, -1]] = [0, 1, 2]
    fast, w_0 = FastSPDC(), rng.standard_normal(d)
    state = fast.run(problem, choices, fast.init(problem, w=w_0))
    w, alpha = fast.view(problem, state)
    assert np.isfinite(w).all()
    untouched = [(j, None, steps) for j in np.setdiff1d(rng.integers(d, size=200), columns)[:170]]
    touched = [(j, k, t) for k, t in ((0, 0), (1, 1000), (2, steps - 1)) for j in X.indices[10 * k : 10 * k + 10]]
    worst = Decimal(0)
    with localcontext(Context(prec=60)):
        tau, mu = Decimal(fast.reference.parameters(problem).tau), Decimal(problem.regularizer.modulus)
        for j, k, t in untouched + touched:
            orbit = [Decimal(w_0[j]), decimal_orbit(tau, mu, Decimal(w_0[j]), Decimal(0), t)]
            if k is not None:
                push = Decimal(alpha[k]) * Decimal(X[k, j])  # delta_k x_kj: row k was drawn once, from alpha_k = 0
                orbit.append((orbit[-1] - tau * push) / (1 + mu * tau))
                orbit.append(decimal_orbit(tau, mu, orbit[-1], push / n, steps - t - 1))
            worst = max(worst, abs(Decimal(w[j]) - orbit[-1]) / max(map(abs, orbit)))
    assert len(untouched) == 170 and (state.last == 0).sum() > 990_000
    assert 0 < worst <= Decimal("1e-13")


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
