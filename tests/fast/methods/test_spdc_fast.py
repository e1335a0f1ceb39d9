"""The compiled SPDC is lazy SPDC bit for bit, on every kind of input; coordinates that wait for 10^6 steps keep 13
digits.
"""

import itertools
import random
from decimal import Context, Decimal, localcontext

import numpy as np
import pytest
from scipy.sparse import csr_array

from dualgap.fast.methods.registry import kernels
from dualgap.fast.methods.spdc import FastSPDC
from dualgap.fast.methods.specialized.spdc_orbit import SPAN
from dualgap.reference import L2, LOSSES, ElasticNet, HypothesisViolated, Problem, SmoothedHinge, Squared, as_compiled
from dualgap.reference.methods.lazy.spdc import LazySPDC, Orbit
from dualgap.reference.methods.registry import lazy_forms

NAMES = [name for name, form in lazy_forms().items() if form.__module__ == LazySPDC.__module__]


def bits(values):
    return np.atleast_1d(np.asarray(values, dtype=np.float64)).view(np.int64)


def first_difference(problem, expected, got, reference, fast):
    """Where two states, or what they show, differ in some bit, in words, or None."""
    pairs = {name: (getattr(expected, name), getattr(got, name)) for name in type(expected).names()}
    pairs |= dict(zip(("view w", "view alpha"), zip(reference.view(problem, expected), fast.view(problem, got))))
    for name, (one, two) in pairs.items():
        one, two = np.atleast_1d(one), np.atleast_1d(two)
        different = np.flatnonzero(bits(one) != bits(two))
        if different.size:
            return f"{name}[{different[0]}]: {one[different[0]]!r} != {two[different[0]]!r}"
    return None


def random_problem(rng, loss_name, storage):
    """Every loss, L2 and elastic net, a centre now and then; CSR with unsorted columns and zeros stored, or dense."""
    n, d = int(rng.integers(1, 9)), int(rng.integers(1, 7))
    cls = LOSSES[loss_name]
    loss = cls(gamma=float(rng.choice([1.0, 0.25]))) if cls.adjustable else cls()
    X = np.where(
        rng.random((n, d)) < 0.5, rng.standard_normal((n, d)) * 10.0 ** rng.choice([0, 0, 0, -3], size=(n, d)), 0.0
    )
    X = np.sign(X) if rng.random() < 0.3 else X
    y = rng.choice([-1.0, 1.0], n) if loss.margin else rng.standard_normal(n)
    if storage != "dense":
        columns = [rng.permutation(d)[: int(rng.integers(0, d + 1))] for _ in range(n)]
        starts = np.cumsum([0, *map(len, columns)])
        data = np.concatenate([X[i, j] for i, j in enumerate(columns)])
        X = csr_array((data, np.concatenate(columns).astype(storage), starts.astype(storage)), shape=(n, d))
        X.indptr, X.indices = X.indptr.astype(storage), X.indices.astype(storage)
    lam = float(10.0 ** rng.uniform(-4, 0.5))
    regularizer = L2(lam) if rng.random() < 0.5 else ElasticNet(lam, float(rng.choice([1e-3, 1e-2, 0.1])))
    problem = Problem(X, y, loss, regularizer)
    return problem.centred(float(rng.random()), rng.standard_normal(d).tolist()) if rng.random() < 0.25 else problem


def random_options(rng, name, problem):
    options = {"delta": float(rng.choice([0.5, 1e-3]))} if problem.gamma == 0 or rng.random() < 0.2 else {}
    if name == "spdc-nonuniform":
        return options | ({"mix": float(rng.uniform(0.1, 0.9))} if rng.random() < 0.5 else {})
    return options | {
        "theta": str(rng.choice(["paper", "sharp"])),
        **({"m": int(rng.integers(1, problem.n + 1))} if name == "spdc-minibatch" else {}),
    }


def run_difference(name, seed, loss_name, storage, reference_class=None):
    """Both forms over the same choices, from the same start, with a long silence in between: the first difference, or
    None.
    """
    rng = np.random.default_rng([seed, sorted(LOSSES).index(loss_name)])
    problem = random_problem(rng, loss_name, storage)
    options = random_options(rng, name, problem)
    fast, reference = kernels()[name](**options), (reference_class or lazy_forms()[name])(**options)
    alpha = [problem.loss.derivative(float(z), y) for z, y in zip(rng.standard_normal(problem.n), problem.y)]
    start = (
        alpha if rng.random() < 0.5 else None,
        rng.standard_normal(problem.d).tolist() if rng.random() < 0.5 else None,
    )
    size = int(rng.integers(1, 60))
    choices = rng.integers(problem.n, size=(size, reference.m) if name == "spdc-minibatch" else size)
    third, silence = size // 3, int(rng.choice([0, 0, SPAN - 5, 10**9]))
    expected = reference.run(problem, choices[:third], reference.init(problem, *start))
    got = fast.run(problem, choices[:third], fast.init(problem, *start))
    expected.t, got.t = expected.t + silence, got.t + silence
    expected = reference.run(problem, choices[third:], expected)
    fast.advance(problem, got, choices[third:])
    return first_difference(problem, expected, got, reference, fast)


@pytest.mark.parametrize("storage", ["int32", "dense"])
@pytest.mark.parametrize("name", NAMES)
def test_the_compiled_states_have_the_bits_of_the_lazy_reference(name, storage):
    for loss_name, seed in itertools.product(LOSSES, range(20)):
        difference = run_difference(name, seed, loss_name, storage)
        assert difference is None, f"{name}, {loss_name}, {storage}, seed {seed}: {difference}"


class DividedByN(LazySPDC):
    def make_constants(self, problem, parameters):
        return super().make_constants(problem, parameters)._replace(inverse_n=(1 + 2.0**-52) / problem.n)


class Reassociated(LazySPDC):
    """(tau)(weight du) for (tau weight) du, and the push added before tau u is."""

    def move(self, state, constants, j, du, weight):
        u = state.u[j]
        state.u[j] = u + weight * du
        super().move(state, constants, j, du - du, weight)
        state.u[j] = u + constants.inverse_n * du


class WrittenBack(LazySPDC):
    """What is read is stored: the same orbit, rounded once more."""

    def current(self, state, orbit, j):
        w, w_bar = super().current(state, orbit, j)
        if state.t > state.last[j]:
            state.w[j], state.last[j], state.dlt[j] = w, state.t, (w_bar - w) / orbit.theta
        return w, w_bar


@pytest.mark.parametrize("mistake", [DividedByN, Reassociated, WrittenBack])
def test_a_changed_rounding_fails_the_comparison_of_bits(mistake):
    assert any(run_difference("spdc", seed, "squared", "int32", mistake) is not None for seed in range(20))


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


def test_the_hypotheses_are_those_of_the_paper_form():
    problem = Problem(np.eye(2), [1.0, -1.0], LOSSES["hinge"](), L2(0.1))
    for form in (as_compiled("spdc"), FastSPDC()):
        with pytest.raises(HypothesisViolated, match="delta > 0"):
            form.init(problem)
    with pytest.raises(ValueError, match="w must have 2 entries"):
        FastSPDC(delta=0.1).init(problem, w=[1.0])


# -- 10^6 steps, 50 digits as the measure -------------------------------------------------------------------------


def decimal_orbit(tau, mu, w, u, S):
    """w_S of (38) in closed form; 60 digits, and 1/mu <= 1e12 and |w|, |u| take at most 30 of them away."""
    fixed = -u / mu
    return fixed + (w - fixed) * (1 + mu * tau) ** -S


def test_a_million_columns_untouched_for_a_million_steps_keep_13_digits():
    """Row 0 is drawn first, row 1 at step 1000, row 2 last, the others, on columns of their own, in between."""
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
