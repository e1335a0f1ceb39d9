"""Lazy SPDC is dense SPDC exactly, in Fractions, through every case of Appendix D; its floats stay on the orbit for
10^9 steps.
"""

import random
from collections import Counter
from decimal import Context, Decimal, localcontext
from fractions import Fraction

import pytest

from dualgap.reference import L2, ElasticNet, Problem, SmoothedHinge, Squared, lazy_forms, method
from dualgap.reference.methods.lazy.spdc import LazyMiniBatchSPDC, LazySPDC, Orbit

NAMES = [name for name, form in lazy_forms().items() if form.__module__ == LazySPDC.__module__]

# -- lazy = dense, exactly ------------------------------------------------------------------------------------


def rational_problem(rng, name):
    """A random problem with a method that has rational parameters on it; rows of rational norm."""
    n, d = rng.randint(1, 6), rng.randint(2, 6)
    X = [[Fraction(0)] * d for _ in range(n)]
    for row in X:
        j, other = rng.sample(range(d), 2)
        row[j], row[other] = rng.choice([(3, 4), (Fraction(-3, 5), Fraction(4, 5)), (1, 0), (-2, 0), (0, 0)])
    X[0] = [Fraction(3), Fraction(4)] + [Fraction(0)] * (d - 2)
    loss = rng.choice([Squared, SmoothedHinge])(gamma=1)
    lam = Fraction(rng.choice([1, 4, 9]), rng.choice([9, 16, 36])) / n
    regularizer = L2(lam) if rng.random() < 0.3 else ElasticNet(lam, Fraction(rng.randint(1, 6), 10))
    problem = Problem(X, [rng.choice([-1, 1]) for _ in range(n)], loss, regularizer, number=Fraction)
    if rng.random() < 0.3 and name != "spdc-nonuniform":  # there sqrt((lam + kappa) n) need not be rational
        problem = problem.centred(Fraction(1, 3), [Fraction(rng.randint(-3, 3)) for _ in range(d)])
    if name == "spdc-nonuniform":
        return problem, {"mix": Fraction(1, 2)}
    steps = {"tau": Fraction(1, 4), "sigma": Fraction(1, 100), "theta": Fraction(rng.randint(0, 9), 10)}
    return problem, steps | ({"m": rng.randint(1, n)} if name == "spdc-minibatch" else {})


def differs_from_dense(rng, name, lazy_class=None, steps=60):
    """The first iteration at which w, w_bar or alpha of the two forms differ, or None."""
    problem, options = rational_problem(rng, name)
    dense, lazy = method(name, **options), (lazy_class or lazy_forms()[name])(**options)
    w = [Fraction(rng.randint(-4, 4), 2) for _ in range(problem.d)]
    alpha = [Fraction(-y_i, 2) for y_i in problem.y]
    one, two = dense.init(problem, alpha, w), lazy.init(problem, alpha, w)
    for t in range(steps if problem.d < 5 else steps // 3):
        choice = rng.randrange(problem.n) if name != "spdc-minibatch" else rng.sample(range(problem.n), dense.m)
        dense.advance(problem, one, choice)
        lazy.advance(problem, two, choice)
        w_bar = [lazy.current(two, lazy.constants(problem).orbit, j)[1] for j in range(problem.d)]
        if dense.view(problem, one) != lazy.view(problem, two) or one.w_bar != w_bar:
            return t
    return None


@pytest.mark.parametrize("name", NAMES)
def test_the_lazy_form_has_the_iterates_of_the_paper_exactly(name):
    found = {seed: differs_from_dense(random.Random(seed), name) for seed in range(16)}
    assert found == dict.fromkeys(range(16))


def stepwise(orbit, w, u, S):
    """w_S and w_bar_S by S steps of (38) or (69)."""
    before = w
    for _ in range(S):
        before, w = w, orbit.step(w, u, 0)
    return w, w + orbit.theta * (w - before)


def random_orbit(rng, l1=None):
    small = [Fraction(p, q) for p in range(1, 5) for q in (1, 2, 5)]
    l1 = rng.choice(small) if l1 is None else l1
    orbit = Orbit(tau=rng.choice(small), mu=rng.choice(small) / 10, l1=l1, theta=Fraction(rng.randint(0, 9), 10))
    u = rng.choice([l1, -l1, Fraction(0), *[s * x / 2 for x in small for s in (1, -1)]])
    return orbit, u


def starts(rng, orbit, u):
    """w_0, now and then one from which the orbit arrives at 0, or at the edge of the dead zone, exactly."""
    w = rng.choice([Fraction(0), Fraction(rng.randint(-40, 40), 4)])
    if rng.random() < 0.5:
        side = rng.choice([1, -1])
        c = u + side * orbit.l1
        w = rng.choice([Fraction(0), side * orbit.tau_l1 + orbit.tau * u])
        for _ in range(rng.randint(0, 5)):
            w = w * (1 + orbit.mu * orbit.tau) + orbit.tau * c  # the step before, on that side
    return w


def test_catching_up_is_stepping_exactly_in_every_case_of_appendix_d():
    rng, seen = random.Random(0), Counter()
    for _ in range(4000):
        orbit, u = random_orbit(rng)
        w, S = starts(rng, orbit, u), rng.randint(1, 12)
        seen[orbit.cases(w, u, S)] += 1
        assert orbit.catch_up(w, u, S) == stepwise(orbit, w, u, S), (vars(orbit), w, u, S)
    expected = {("I",), ("II",), ("III",), ("II", "I"), ("II", "III"), ("III", "I"), ("III", "II")}
    assert set(seen) == expected
    assert min(seen.values()) >= 25, seen


@pytest.mark.parametrize(
    ("w", "u", "l1", "mu", "tau", "S", "expected", "cases"),
    [
        ("1", "1/2", "1/5", "1/10", "1/3", 4, "15353/923521", "II"),
        ("1", "1/2", "1/5", "1/10", "1/3", 5, "-2309973/28629151", "II"),
        ("1", "1/2", "1/5", "1/10", "1/3", 8, "-302081152323/852891037441", "II III"),
        ("1", "2", "1/5", "1/10", "2", 5, "-80593/7776", "II III"),
        ("1", "-1/5", "1/5", "1/10", "1/3", 6, "729000000/887503681", "II"),
        ("0", "1/2", "1/5", "1/10", "1/3", 3, "-8373/29791", "I"),
        ("-2", "1/4", "1/2", "1/2", "2", 6, "0", "III I"),
        ("1", "1/4", "1/4", "0", "1/2", 5, "0", "II I"),
    ],
)
def test_the_catch_ups_computed_by_hand(w, u, l1, mu, tau, S, expected, cases):
    w, u, l1, mu, tau, expected = map(Fraction, (w, u, l1, mu, tau, expected))
    orbit = Orbit(tau, mu, l1, Fraction(3, 4))
    assert orbit.catch_up(w, u, S) == stepwise(orbit, w, u, S)
    assert (orbit.catch_up(w, u, S)[0], orbit.cases(w, u, S)) == (expected, tuple(cases.split()))


def test_catching_up_twice_is_catching_up_once_and_no_steps_change_nothing():
    rng = random.Random(1)
    for l1 in [None] * 300 + [Fraction(0)] * 100:
        orbit, u = random_orbit(rng, l1)
        w, first, second = starts(rng, orbit, u), rng.randint(0, 200), rng.randint(1, 200)
        assert orbit.catch_up(w, u, first + second) == orbit.catch_up(orbit.catch_up(w, u, first)[0], u, second)
        assert orbit.catch_up(w, u, 0, Fraction(2)) == (w, w + 2 * orbit.theta)


class OneStepLess(Orbit):
    def catch_up(self, w, u, S, dlt=0):
        return super().catch_up(w, u, max(S - 1, 0), dlt)


class NoDeadZone(Orbit):
    def phase(self, w, u, S, dlt):
        return (w, u, S, 0, dlt) if w == 0 else super().phase(w, u, S, dlt)


class NeverLeaves(Orbit):
    def phase(self, w, u, S, dlt):
        return w, u + (1 if w > 0 else -1) * self.l1, S, 0, dlt


class OneStepTooFar(Orbit):
    def last_before_zero(self, *arguments):
        return super().last_before_zero(*arguments) + 1


class WrongSide(Orbit):
    def __init__(self, tau, mu, l1, theta=0):
        super().__init__(tau, mu, l1, theta)
        self.l1 = -l1


class StaleDifference(Orbit):
    def catch_up(self, w, u, S, dlt=0):
        w_S = super().catch_up(w, u, S, dlt)[0]
        return w_S, w_S + self.theta * dlt


@pytest.mark.parametrize("mistake", [OneStepLess, NoDeadZone, NeverLeaves, OneStepTooFar, WrongSide, StaleDifference])
def test_a_wrong_orbit_is_noticed(mistake):
    rng, missed = random.Random(0), True
    for _ in range(500):
        orbit, u = random_orbit(rng)
        w, S = starts(rng, orbit, u), rng.randint(1, 12)
        wrong = mistake(orbit.tau, orbit.mu, orbit.l1, orbit.theta)
        missed = missed and wrong.catch_up(w, u, S) == stepwise(orbit, w, u, S)
    assert not missed


class ForgottenSteps(LazySPDC):
    """An iteration whose row does not move is not counted."""

    def advance(self, problem, state, choice):
        before = state.alpha[choice]
        super().advance(problem, state, choice)
        state.t -= before == state.alpha[choice]


class LastOneEarly(LazySPDC):
    def move(self, state, constants, j, du, weight):
        super().move(state, constants, j, du, weight)
        state.last[j] -= 1


class ScaledIncrement(LazyMiniBatchSPDC):
    """u moves by the primal step's share of du, not by du/n."""

    def move(self, state, constants, j, du, weight):
        super().move(state, constants._replace(inverse_n=weight), j, du, weight)


class OneByOne(LazyMiniBatchSPDC):
    """A row of the batch sees what the rows before it did to alpha and u."""

    def advance(self, problem, state, choice):
        for k in choice:
            super().advance(problem, state, [k])


@pytest.mark.parametrize("mistake", [ForgottenSteps, LastOneEarly, ScaledIncrement, OneByOne])
def test_a_wrong_lazy_step_is_noticed(mistake):
    assert any(differs_from_dense(random.Random(seed), mistake.name, mistake, 20) is not None for seed in range(16))


# -- floats: 50 digits as the measure ---------------------------------------------------------------------------


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
