"""PDCP, section 2, its rates: linear with a schedule of steps, O(1/T) of the averages; and its step-size condition.

linear   lam ||w^T - w*||^2 + (1 - omega) delta ||alpha^T - alpha*||^2 <= omega^T (lam ||w^0 - w*||^2 + delta
||alpha^0 - alpha*||^2) O(1/T)   f(w_mean^T, alpha') - f(w', alpha_mean^T) <= (||w' - w^0||^2/(2 tau) + ||alpha' -
alpha^0||^2/(2 sigma))/T
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, cast

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Q, Qs
from dualgap.proofs_checks.claims.pool import Pool
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Relation
from dualgap.proofs_checks.evidence.levels import altered, exact, false_with, golden
from dualgap.proofs_checks.papers.adaspdc.instances import MODERATE
from dualgap.proofs_checks.papers.adaspdc.items import PAPER
from dualgap.proofs_checks.papers.adaspdc.section_2_pdcp import (
    BY_HAND,
    ON_BLOCKS,
    SCHEDULE,
    SCHEDULED,
    Batch,
    pdcp_instances,
    pdcp_states,
)
from dualgap.proofs_checks.papers.adaspdc.setting import SMOOTH, scaled
from dualgap.proofs_checks.papers.vocabulary import LONE_ROW, minus, plus, square
from dualgap.proofs_checks.strategies.instances import RATIONAL_SMOOTH
from dualgap.reference import HypothesisViolated
from dualgap.reference.methods.pdcp import PDCP
from dualgap.reference.numbers.arithmetic import Number, sqrt

ONE = LONE_ROW.but(y=Qs(0), alpha=Qs(1), method="pdcp", options={"norm": Q(1), "mu": Q(2)}, extra=further(w=Qs(1)))


# -- the step sizes ----------------------------------------------------------------------------------------------------


@claim(
    "pdcp.step-size",
    "The linear schedule: with mu = 2 sqrt(lam delta)/||K||, tau = mu/(2 lam) and sigma = mu/(2 delta) make tau sigma"
    " ||K||^2 = 1, a smaller mu less; the validation refuses tau sigma ||K||^2 > 1 and theta < 1/(1 + mu)",
    hypotheses=r"$\gamma$, $\lambda > 0$; an upper bound of $\Vert A\Vert_2$ in its place",
    origin=PAPER.reading("PDCP, linear rate", note=SCHEDULED),
    evidence=[exact(pdcp_states, 0.3), golden(BY_HAND)],
    control=false_with("2 mu for mu", BY_HAND, ON_BLOCKS[0], count=2),
    kills=["pdcp.sigma-unscaled"],
)
def step_size(c: Context, count: int = 1) -> Iterable[Relation]:
    b = Batch(c)
    given_tau, sigma, _ = cast(Any, c.method).parameters(b.problem)
    norm, mu = Q(c.instance.options["norm"]), count * b.mu
    L = norm / b.n
    most = 2 * sqrt(b.lam * b.delta * b.n * b.n) / (b.n * L)
    yield Eq(2 * given_tau * b.lam, mu, "2 tau lam = mu")
    yield Eq(2 * sigma * b.delta, mu, "2 sigma delta = mu")
    yield Le(mu, most, "mu <= 2 sqrt(lam delta)/||K||")
    yield Eq(given_tau * sigma * L * L, (mu / most) ** 2, "tau sigma ||K||^2 = (mu ||K||/(2 sqrt(lam delta)))^2")
    yield Le(given_tau * sigma * L * L, 1, "tau sigma ||K||^2 <= 1")
    yield Le(1 / (1 + mu), b.theta, "theta >= 1/(1 + mu)")
    tau = 1 / b.lam
    long = {"norm": norm, "tau": tau, "sigma": Q(101, 100) * b.n**2 / (norm**2 * tau)}
    yield Eq(int(refused(b, long)), 1, "tau sigma ||K||^2 = 101/100 is refused")
    yield Eq(int(refused(b, {**long, "sigma": long["sigma"] / Q(101, 100)})), 0, "1 is not")
    yield Eq(
        int(refused(b, {"norm": norm, "mu": b.mu, "theta": Q(99, 100) / (1 + b.mu)})),
        1,
        "theta < 1/(1 + mu) is refused",
    )


def refused(b: Batch, options: dict[str, Fraction]) -> bool:
    """Whether the method with these options refuses the problem."""
    try:
        PDCP(**options).require(b.problem)
    except HypothesisViolated:
        return True
    return False


# -- the linear rate ---------------------------------------------------------------------------------------------------


# Starts of runs of the linear schedule.
pdcp_runs = Pool("adaspdc.pdcp_runs", pdcp_instances, max_path=0, free=False, ratios=MODERATE)


@claim(
    "pdcp.theorem",
    "The linear rate: lam ||w^T - w*||^2 + (1 - omega) delta ||alpha^T - alpha*||^2 <= omega^T (lam ||w^0 - w*||^2 +"
    " delta ||alpha^0 - alpha*||^2), omega = (1 + theta)/(2 + mu), 1/(1 + mu) <= theta <= 1",
    hypotheses=SMOOTH + "; " + SCHEDULE + r"; $\bar{w}^0 = w^0$",
    origin=PAPER.reading("PDCP, linear rate", note=SCHEDULED),
    evidence=[exact(pdcp_runs, 0.4), golden(BY_HAND, *ON_BLOCKS, detail="T <= 12; blocks")],
    control=altered(
        "omega^3", lambda c: along_run(c, Batch(c).omega ** 2), BY_HAND, ONE.but(options={"norm": Q(1), "mu": Q(1, 10)})
    ),
    kills=["pdcp.stale-alpha"],
    proof="At theta = 1/(1 + mu), where omega = theta: one step of Chambolle and Pock times mu/(1 + mu), from d^0 = 0.",
)
def along_run(c: Context, share: Number = 1, horizon: int = 12) -> Iterable[Relation]:
    b = Batch(c)
    state, bound, at_start = b.state, b.distance(b.state, Q(1)), b.distance(b.state, 1 - b.omega)
    for T in range(1, horizon + 1):
        state, bound = c.method.step(b.problem, state, 0), share * b.omega * bound
        yield Le(b.distance(state, 1 - b.omega), bound, f"T = {T}", trivial=at_start)


# -- the rate of the averages ------------------------------------------------------------------------------------------


# Any steps with tau sigma ||A/n||^2 <= 1 and theta = 1; losses with gamma = 0, too.
pdcp_generic = Pool(
    "adaspdc.pdcp_generic",
    pdcp_instances,
    losses=(*RATIONAL_SMOOTH, "hinge", "absolute"),
    max_path=0,
    free=False,
    kind="generic",
)
LINE = LONE_ROW.but(
    lam=Q(1, 10**6),
    loss="absolute",
    method="pdcp",
    options={"norm": Q(1), "tau": Q(1), "sigma": Q(1), "theta": Q(1)},
    extra=further(w=Qs(0), other=Qs(10)),
)


@claim(
    "pdcp.ergodic",
    "The averages, theta = 1, tau sigma ||K||^2 <= 1: f(w_mean^T, alpha') - f(w', alpha_mean^T) <= (||w' - w^0||^2/(2"
    " tau) + ||alpha' - alpha^0||^2/(2 sigma))/T for every w' and alpha'",
    hypotheses=r"any convex losses, $\gamma = 0$ included; $\bar{w}^0 = w^0$",
    origin=PAPER.reading(
        "PDCP, O(1/T)",
        note=(
            "the constants are those of Chambolle and Pock (2011), Theorem 1, restated; we did not compare them with"
            " the printed text. AdaSPDC says O(1/T)"
        ),
    ),
    evidence=[exact(pdcp_generic, 0.4)],
    control=false_with("a tenth of it", LINE, share=Q(1, 10)),
)
def ergodic_lines(c: Context, share: Number = 1, horizon: int = 8) -> Iterable[Relation]:
    """f(mean of w, alpha') - f(w', mean of alpha) for two pairs (w', alpha')."""
    b = Batch(c)
    method = c.method
    p, state = b.problem, b.state
    w0, alpha0 = list(state.w), list(state.alpha)
    pairs = [(list(c.given.other), list(alpha0))]
    if p.gamma > 0:
        pairs.append((p.w(c.optimum), list(c.optimum)))
    total_w, total_alpha = [Q(0)] * p.d, [Q(0)] * b.n
    for T in range(1, horizon + 1):
        state = method.step(p, state, 0)
        total_w, total_alpha = plus(total_w, 1, state.w), plus(total_alpha, 1, state.alpha)
        mean_w, mean_alpha = scaled(Q(1, T), total_w), scaled(Q(1, T), total_alpha)
        for w, alpha in pairs:
            bound = share * (square(minus(w, w0)) / (2 * b.tau) + square(minus(alpha, alpha0)) / (2 * b.sigma)) / T
            yield Le(p.f(mean_w, alpha) - p.f(w, mean_alpha), bound, f"T = {T}")
