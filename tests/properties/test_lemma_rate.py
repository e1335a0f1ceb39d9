"""The rate bounds: E [quantity after t steps] <= bound(t), the expectation taken over the method's own choices.

Each formula is tested twice: in rationals, for n <= 4, at every t along trajectories; and on float runs with n from 10
to 200, where a betting process raises a false alarm with probability at most FALSE_ALARM a method, at any time. No run
is retried. The control of each formula is the same formula for several times as many steps, which one row refutes.
"""

from collections.abc import Callable
from fractions import Fraction
from itertools import cycle, islice
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.relations import Le
from dualgap.proofs_checks.engines.evalues import EProcess
from dualgap.proofs_checks.engines.logarithms import steps_for
from dualgap.proofs_checks.engines.optimum import exact_optimum
from dualgap.proofs_checks.properties.rates import Rate, distance, geometric, kappa_of, square_distance, weights
from dualgap.proofs_checks.properties.runs import begun, exact_problem, examples, expectations, holds, inside
from dualgap.proofs_checks.properties.statistics import after, entropy, large_run, rounds
from dualgap.proofs_checks.strategies.public import RATIONAL, drawn_by, runs
from dualgap.reference.numbers.arithmetic import sqrt

FALSE_ALARM = 1e-9
gap = lambda problem: lambda w, alpha: problem.gap(problem.w(alpha), alpha)


class Statement(NamedTuple):
    """A theorem on a rate. K: R^2/(lam n gamma) of the float runs; claim: the one whose exact instances are drawn."""

    method: str
    K: Fraction
    claim: str
    rate: Callable[..., Rate]


def lemma_2(problem, start, best, options):
    """ASPDC, Lemma 2: E gap_t <= 2n (1 - 1/(2n))^t gap_0 for lam >= 4R^2/(n gamma)."""
    theta = 1 - 1 / (problem.zero + 2 * problem.n)
    return geometric(gap(problem), 2 * problem.n * gap(problem)(*start), theta, start)


def lemma_2_sharp(problem, start, best, options):
    """ASPDC, sharp: E gap_t <= (1 + nK) (1 - (1-K)/n)^t (D* - D_0), K = R^2/(mu n gamma) < 1."""
    n, K, to_go = problem.n, problem.K_max, problem.D(best[1]) - problem.D(start[1])
    return geometric(gap(problem), (1 + n * K) * to_go, 1 - (1 - K) / n, start)


def aspdc_i_theorem_2(problem, start, best, options):
    """ASPDC-i, Theorem 2: P(w~_s) - P* <= xi_s = (1 - eta/2)^(s-1) xi_1 on every path, s the epoch."""
    lam, kappa = problem.regularizer.lam, kappa_of(problem, options)
    eta, zeros = lam / (lam + 2 * kappa), [problem.zero] * problem.d
    xi_1 = (1 + 1 / eta) * (problem.P(zeros) - problem.D(start[1]))
    to_go = lambda w, alpha: problem.P(w) - problem.P(best[0])
    return Rate(to_go, lambda moves: xi_1 * (1 - eta / 2) ** moves, 40 * problem.n, by_epoch=True)


def aspdc_i_theorem_a(problem, start, best, options):
    """ASPDC-i, Algorithm 3, Theorem A (ours), mu = lam + kappa, from w~_0 = 0: after s epochs of m >= 2n steps
    (lam kappa/(2 mu)) E ||w~_s - w*||^2 <= E V_s <= (1 - (3/5) lam/mu)^s V_0 and V_0 <= (5/4) (P(0) - D_0).
    """
    lam, kappa, zeros = problem.regularizer.lam, kappa_of(problem, options), [problem.zero] * problem.d
    near = lambda w, alpha: lam * kappa / (2 * (lam + kappa)) * square_distance(w, best[0])
    C, theta = 5 * (problem.P(zeros) - problem.D(start[1])) / 4, 1 - 3 * lam / (5 * (lam + kappa))
    return geometric(near, C, theta, (zeros, start[1]), every=options.get("m", 2 * problem.n))


def sdca_theorem_1(problem, start, best, options):
    """SDCA, Theorem 1, averaged output, G = 4R^2 (losses are 1-Lipschitz), for T - T0 >= n: E gap <= e + G/(2 lam (T -
    T0)), where e is D* - D_0, or 2G/(lam (2n + T0 - t_0)) if T0 >= t_0 = max(0, ceil(n ln(2 lam n gap_0/G))).
    """
    n, lam, T0, G = problem.n, problem.regularizer.lam, options["T0"], 4 * problem.R2
    before = problem.D(best[1]) - problem.D(start[1])
    if G and T0 >= (t_0 := steps_for(Q(n), Q(2 * lam * n * gap(problem)(*start) / G))):
        before = min(before, 2 * G / (lam * (2 * n + T0 - t_0)))
    bound = lambda T: before + G / (2 * lam * (T - T0)) if T >= T0 + n else float("inf")
    return Rate(problem.gap, bound, T0 + 20 * n)


def theorem_2(problem, start, best, options):
    """SDCA, Theorem 2: E[D* - D_t] <= (1 - 1/K)^t (D* - D_0), K = n + R^2/(lam gamma)."""
    K = problem.n + problem.R2 / (problem.regularizer.modulus * problem.gamma)
    to_go = lambda w, alpha: problem.D(best[1]) - problem.D(alpha)
    return geometric(to_go, to_go(*start), 1 - 1 / K, start)


def theorem_1(problem, start, best, options):
    """SPDC, Theorem 1 in distance, c = sqrt(m gamma/(n lam)), theta = 1 - 1/(n/m + 2Rc n/(m gamma))."""
    n, m = problem.n, options.get("m", 1)
    R = problem.number(options["R"]) if "R" in options else max(problem.norms)
    c = sqrt(m * problem.gamma / (n * problem.regularizer.modulus))
    theta = 1 - 1 / (n / (problem.zero + m) * (1 + 2 * R * c / problem.gamma))
    return distance(problem, start, best, c / (2 * R), weights(problem, m, [1 / (2 * R * c)] * n), theta)


def spdc_theorem_2(problem, start, best, options):
    """SPDC, Theorem 2: tau, sigma and theta of (29); 1/(4 sigma) + gamma/n becomes 1/(2 sigma) + gamma/(1 - mix)."""
    n, mix, gamma = problem.n, problem.number(options["mix"]), problem.gamma
    R_bar, c = sum(problem.norms, problem.zero) / n, sqrt(gamma / (n * problem.regularizer.modulus))
    tau, sigma = mix * c / (2 * R_bar), mix / (2 * R_bar * c)
    theta = 1 - 1 / (n / (1 - mix) + R_bar * n * c / (mix * gamma))
    both_sides = [1 / (4 * sigma) + gamma / n] * n, [1 / (2 * sigma) + gamma / (1 - mix)] * n
    return distance(problem, start, best, tau, both_sides, theta)


def theorem_r(problem, start, best, options):
    """AdaSPDC-R, Theorem R: R for 2R in theta; sigma_i = 1/(2 R_i c) (preset a) or R/(2 R_i^2 c) (b), R = max R_i."""
    n, m = problem.n, options["m"]
    norms = [problem.number(R_i) for R_i in options["norms"]] if "norms" in options else problem.norms
    R, c = max(norms), sqrt(m * problem.gamma / (n * problem.regularizer.modulus))
    norms = [max(R_i, R / 1000) for R_i in norms]  # as the method reads them: zero rows need a step, too
    sigma = [1 / (2 * R_i * c) * (1 if options["preset"] == "a" else R / R_i) for R_i in norms]
    theta = 1 - 1 / (n / (problem.zero + m) * (1 + R * c / problem.gamma))
    return distance(problem, start, best, c / (2 * R), weights(problem, m, sigma), theta)


BOUNDS = {
    "ASPDC, Lemma 2": Statement("aspdc", Q(1, 4), "aspdc.lemma-2", lemma_2),
    "ASPDC, sharp": Statement("aspdc", Q(1, 2), "aspdc.lemma-2.sharp", lemma_2_sharp),
    "ASPDC-i, Theorem 2": Statement("aspdc-i", Q(1), "aspdc.theorem-2", aspdc_i_theorem_2),
    "ASPDC-i, Theorem A": Statement("aspdc-i-fixed", Q(1), "aspdc.algorithm-3.theorem-a", aspdc_i_theorem_a),
    "SDCA, Theorem 1": Statement("sdca-averaged", Q(1, 100), "sdca.theorem-1", sdca_theorem_1),
    "SDCA, Theorem 2": Statement("sdca", Q(2), "sdca.theorem-2", theorem_2),
    "SPDC, Theorem 1": Statement("spdc", Q(1, 4), "spdc.theorem-1", theorem_1),
    "SPDC, Theorem 2": Statement("spdc-nonuniform", Q(1, 4), "spdc.theorem-2", spdc_theorem_2),
    "AdaSPDC-R, Theorem R": Statement("adaspdc-r", Q(1, 4), "adaspdc.theorem-1.repaired", theorem_r),
}


def along_trajectory(name, run, pair, faster=1):
    """E quantity_t <= bound(t) for t = 1, 2, ..., exactly; a bound of at least the quantity's start says nothing.

    faster : compare with the bound after this many times as many steps, which is false.
    """
    if BOUNDS[name].method == "sdca-averaged":  # its claim is about the steps of sdca, and names T0 beside
        run = run.but(method="sdca-averaged", options={"T0": run.extra.get("T0", 0)})
    problem, method = exact_problem(run), pair.reference(run)
    alpha, best = list(run.alpha), exact_optimum(problem)
    start = list(run.extra.w) if run.extra.has("w") else problem.w(alpha), alpha
    rate, state = BOUNDS[name].rate(problem, start, (problem.w(best), best), run.options), begun(method, problem, run)
    observed = lambda state: rate.quantity(*method.view(problem, state))
    trivial = observed(state)
    if rate.by_epoch:
        path = islice(cycle((*run.path, *range(problem.n))), 60)
        states = [state := method.step(problem, state, choice) for choice in path]
        values = [(t, observed(s), rate.bound_at(t, s, faster)) for t, s in enumerate(states, 1)]
    else:
        means = enumerate(expectations(method, problem, state, observed))
        values = [(t, mean, rate.bound_at(t, state, faster)) for t, mean in islice(means, 1, 60)]
    return [Le(value, bound, f"t = {t}", trivial=trivial) for t, value, bound in values]


@pytest.mark.parametrize("name", BOUNDS)
@examples(1 / 4)
@given(data=st.data())
def test_in_expectation_over_its_own_choices_a_method_keeps_its_bound(name, data, pair):
    run = data.draw(drawn_by(BOUNDS[name].claim).filter(inside), label="run")
    holds(run, along_trajectory(name, run, pair), BOUNDS[name].claim)


ONE_ROW = Instance((Qs(1),), Qs(1), Qs(0), Q(4))
SHORT_ROW = ONE_ROW.but(rows=(Qs("1/2"),), lam=Q(1), options={"kappa": Q(3)})
SHARPER = {  # statement: (how many times as fast it is wrongly said to be, the run that refutes that)
    "ASPDC, Lemma 2": (5, ONE_ROW),
    "ASPDC, sharp": (3, ONE_ROW),
    "ASPDC-i, Theorem 2": (16, SHORT_ROW.but(options={"kappa": Q(3), "epsilon": Q(1, 10**6)})),
    "ASPDC-i, Theorem A": (8, SHORT_ROW),
    "SDCA, Theorem 1": (5, ONE_ROW.but(loss="hinge")),
    "SDCA, Theorem 2": (2, ONE_ROW.but(rows=(Qs(1, 0), Qs(0, 1)), y=Qs(1, 1), alpha=Qs(0, 0))),
    "SPDC, Theorem 1": (3, ONE_ROW.but(options={"R": 1})),
    "SPDC, Theorem 2": (3, ONE_ROW.but(options={"mix": Q(1, 2)})),
    "AdaSPDC-R, Theorem R": (2, ONE_ROW.but(options={"m": 1, "preset": "a", "norms": Qs(1)})),
}


@pytest.mark.parametrize("name", BOUNDS)
def test_a_bound_for_several_times_as_many_steps_is_false(name, pair):
    faster, run = SHARPER[name]
    run = run.but(method=BOUNDS[name].method)
    assert all(relation.holds() for relation in along_trajectory(name, run, pair))
    assert not all(relation.holds() for relation in along_trajectory(name, run, pair, faster))


@pytest.mark.parametrize("name", BOUNDS)
def test_on_float_runs_with_many_rows_the_bound_is_not_refuted(name, pair):
    method, K, _, rate_of = BOUNDS[name]
    process = EProcess()
    for seed in range(rounds(12)):
        run, problem, start, best = large_run(method, K, (10, 50, 200)[seed % 3], seed + entropy())
        rate, compiled = rate_of(problem, start, best, run.options), pair.fast(run, any_form=True)
        reached = after(rate.steps, compiled, problem, run, seed + entropy())
        process.observe(rate.quantity(*compiled.view(problem, reached)) / rate.bound_at(rate.steps, reached))
    message = f"{name}: evidence {process.value:.3g} after {seed + 1} runs, entropy {entropy()}"
    assert not process.rejects(FALSE_ALARM), message


def regret(problem, batches, w, u):
    """Both sides of PGS, Lemma 1, for a path and u: sum_t c_t(w_{t-1}) - c_t(u) <= sum_t ||lambda_t||^2/(2t lam)."""
    lam, paid, bound = problem.regularizer.lam, problem.zero, problem.zero
    for t, (A_t, before) in enumerate(zip(batches, w), 1):
        subgradient = [problem.zero] * problem.d
        for i in A_t:
            z, z_u = problem.dot(problem.rows[i], before), problem.dot(problem.rows[i], u)
            paid = paid + (problem.loss.value(z, problem.y[i]) - problem.loss.value(z_u, problem.y[i])) / len(A_t)
            for j, x in problem.rows[i]:
                subgradient[j] = subgradient[j] + problem.loss.derivative(z, problem.y[i]) * x / len(A_t)
        paid = paid + lam / 2 * sum((a * a - b * b for a, b in zip(before, u)), problem.zero)
        bound = bound + sum((g * g for g in subgradient), problem.zero) / (2 * t * lam)
    return paid, bound


@examples(1)
@given(run=runs("pgs", RATIONAL, max_steps=8, exact=True).filter(lambda run: run.options["output"] != "random"))
def test_pgs_never_regrets_more_than_its_bound(run, pair):
    run = run.but(options={**run.options, "output": "last"})
    problem, method = exact_problem(run), pair.reference(run)
    starts = [run.path[:t] for t in range(len(run.path) + 1)]
    w = [method.view(problem, method.run(problem, path, begun(method, problem, run)))[0] for path in starts]
    for u in ([problem.zero] * problem.d, w[-1], w[len(w) // 2]):
        holds(run, [Le(*regret(problem, run.path, w, u), "regret <= (1/2) sum ||lambda_t||^2/(t lam)")])
