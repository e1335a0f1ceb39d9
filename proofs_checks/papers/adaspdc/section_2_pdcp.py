"""PDCP, section 2: (6) to (8), and its linear rate.

    (6)    alpha+ = argmin phi*(a) - <w_bar, K a> + ||a - alpha||^2/(2 sigma)
    (7)    w+ = argmin g(w) + <w, K alpha+> + ||w - w^t||^2/(2 tau)            (8)   w_bar+ = w+ + theta (w+ - w)

    rate   lam ||w^T - w*||^2 + (1 - omega) delta ||alpha^T - alpha*||^2
           <= omega^T (lam ||w^0 - w*||^2 + delta ||alpha^0 - alpha*||^2)

K = A/n, so ||K||_2 = ||A||_2/n; phi* = (1/n) sum_i phi_i* is delta-strongly convex, delta = gamma/n. In the labels d is
w^t - w^(t-1).
"""

from collections.abc import Iterable
from typing import Any, cast

from hypothesis.strategies import DrawFn

from dualgap.proofs_checks.claims import drawing as st
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.pool import Pool
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Relation
from dualgap.proofs_checks.evidence.levels import all_of, altered, exact, false_with, golden
from dualgap.proofs_checks.papers.adaspdc.instances import MODERATE, THREE_CLASSES, TWO_BLOCKS, instances
from dualgap.proofs_checks.papers.adaspdc.items import PAPER
from dualgap.proofs_checks.papers.adaspdc.setting import SMOOTH, Around, equal, scaled, subgradient
from dualgap.proofs_checks.papers.spdc.instances import FIXED_GAMMA, root_above
from dualgap.proofs_checks.papers.spdc.quadratic_certificates import flat, parts
from dualgap.proofs_checks.papers.vocabulary import LONE_ROW, dot, minus, plus, square
from dualgap.proofs_checks.strategies.instances import among
from dualgap.reference.methods.pdcp import PDCPState
from dualgap.reference.numbers.arithmetic import Number, sqrt
from dualgap.reference.problem.problem import Vector

SCHEDULED = (
    "AdaSPDC says 'a more scheduled stepsize' and no more; this is Algorithm 3 of Chambolle and Pock (2011) with its"
    " Theorem 3, restated; we did not compare it with the printed text"
)
SCHEDULE = r"$\tau = \mu/(2 \lambda)$, $\sigma = \mu/(2 \delta)$, $\mu \le 2 \sqrt{\lambda \delta}/\Vert K\Vert$"


@st.composite
def pdcp_instances(draw: DrawFn, /, max_path: int = 2, **limits: Any) -> Instance:
    """PDCP with the Frobenius norm for ||A||_2 and its linear schedule, any theta and mu that it allows."""
    drawn: Instance = draw(instances(method="adaspdc", max_path=0, batches=False, **limits))
    n, norm = len(drawn.rows), root_above(sum((x * x for row in drawn.rows for x in row), Q(0)))
    gamma = FIXED_GAMMA.get(drawn.loss, drawn.gamma or Q(1))
    mu = draw(among(Qs(1, 1, "1/3"))) * 2 * sqrt(n * drawn.lam * gamma) / norm
    least = 1 / (1 + mu)
    options = {"norm": norm, "mu": mu, "theta": least + (1 - least) * draw(among(Qs(0, 0, 1, "1/2")))}
    return drawn.but(method="pdcp", options=options, path=(0,) * draw(st.integers(0, max_path)))


# The linear schedule, reachable and constructed states.
pdcp_states = Pool("adaspdc.pdcp_states", pdcp_instances)
BY_HAND = Instance(  # ||A|| = 4 and mu = 1/2, tau = sigma = 1/2, theta = 2/3
    rows=(Qs(3, 0), Qs(0, 4)),
    y=Qs(1, -1),
    alpha=Qs(0, 0),
    lam=Q(1, 2),
    method="pdcp",
    options={"norm": Q(4), "mu": Q(1, 2)},
)
ON_BLOCKS = (
    TWO_BLOCKS.but(method="pdcp", options={"norm": Q(6), "mu": Q(1, 3)}),
    THREE_CLASSES.but(method="pdcp", options={"norm": Q(6), "mu": Q(1, 3)}),  # ||A||^2 <= 26
)


class Batch(Around):
    """A context of PDCP with its constants, from the paper, its saddle point and its state."""

    def __init__(self, c: Context) -> None:
        super().__init__(c)
        options, self.delta, self.mu = c.instance.options, self.gamma / self.n, c.q(c.instance.options["mu"])
        self.tau, self.sigma = self.mu / (2 * self.lam), self.mu / (2 * self.delta)
        self.theta = c.q(options.get("theta", 1 / (1 + self.mu)))
        self.omega = (1 + self.theta) / (2 + self.mu)
        self.begin(self.theta)
        self.state, self.after = self.c.state, c.method.step(self.problem, self.c.state, 0)

    def from_star(self, alpha: Vector) -> Number:
        """||alpha - alpha*||^2 over all numbers."""
        return square(minus(flat(alpha), flat(self.alpha_star)))

    def distance(self, state: PDCPState, on_alpha: Number) -> Number:
        """lam ||w - w*||^2 + on_alpha delta ||alpha - alpha*||^2."""
        return self.lam * self.to_w(state.w) + on_alpha * self.delta * self.from_star(state.alpha)


@claim(
    "pdcp.algorithm",
    r"(6)-(8): $\alpha^+ = \operatorname{argmin} \varphi^*(a) -$ $\langle \bar{w}, K a\rangle + \Vert a -"
    r" \alpha\Vert^2/(2 \sigma)$, "
    r"$w^+ = \operatorname{argmin} g(w) +$ $\langle w, K \alpha^+\rangle + \Vert w - w^t\Vert^2/(2 \tau)$, "
    r"$\bar{w}^+ = w^+ + \theta (w^+ - w)$; block by block (6) has the step $\sigma/n$",
    hypotheses=f"{SMOOTH}; {SCHEDULE}",
    origin=PAPER.printed("(6)-(8)", note="that (6) is a step sigma/n for each block follows from it"),
    evidence=[exact(pdcp_states), golden(*ON_BLOCKS, detail="blocks")],
    control=false_with("b moved by 1", BY_HAND, ON_BLOCKS[0], moved=1),
    kills=["pdcp.no-extrapolation", "pdcp.sigma-unscaled", "pdcp.stale-alpha"],
)
def lines(c: Context, moved: int = 0) -> Iterable[Relation]:
    """(6), (7), (8) by Fenchel's equality, b moved."""
    b = Batch(c)
    p, old, new = b.problem, b.state, b.after
    for i in range(b.n):
        z = [z_k + moved for z_k in parts(p.dot(p.rows[i], old.w_bar))]
        yield subgradient(
            c, i, new.alpha[i], minus(z, scaled(b.n / b.sigma, minus(parts(new.alpha[i]), parts(old.alpha[i]))))
        )
    gradient = minus(scaled(-1, b.u_of(new.alpha)), scaled(1 / b.tau, minus(new.w, old.w)))
    yield Eq(
        p.regularizer.value(new.w) + p.regularizer.conjugate(gradient),
        dot(new.w, gradient),
        "(7): -K alpha+ - (w+ - w)/tau is a subgradient of g at w+",
    )
    yield from equal(new.w_bar, plus(new.w, b.theta, minus(new.w, old.w)), "(8): w_bar+ = w+ + theta (w+ - w)")


# -- the linear rate ---------------------------------------------------------------------------------------------------

# Starts of runs of the linear schedule.
pdcp_runs = Pool("adaspdc.pdcp_runs", pdcp_instances, max_path=0, free=False, ratios=MODERATE)


ONE = LONE_ROW.but(y=Qs(0), alpha=Qs(1), method="pdcp", options={"norm": Q(1), "mu": Q(2)}, extra=further(w=Qs(1)))


@claim(
    "pdcp.theorem",
    "The linear rate: tau sigma ||K||^2 <= 1, and lam ||w^T - w*||^2 + (1 - omega) delta ||alpha^T - alpha*||^2 <="
    " omega^T (lam ||w^0 - w*||^2 + delta ||alpha^0 - alpha*||^2), omega = (1 + theta)/(2 + mu), 1/(1 + mu) <= theta <="
    " 1",
    hypotheses=SMOOTH + "; " + SCHEDULE + r"; $\bar{w}^0 = w^0$; an upper bound of $\Vert A\Vert_2$ in its place",
    origin=PAPER.reading("PDCP, linear rate", note=SCHEDULED),
    evidence=[exact(pdcp_runs, 0.4), golden(BY_HAND, *ON_BLOCKS, detail="T <= 12; blocks")],
    control=all_of(
        false_with("2 mu for mu", BY_HAND, ON_BLOCKS[0], count=2),
        altered(
            "omega^3",
            lambda c: along_run(c, Batch(c).omega ** 2),
            BY_HAND,
            ONE.but(options={"norm": Q(1), "mu": Q(1, 10)}),
        ),
    ),
    kills=["pdcp.stale-alpha", "pdcp.sigma-unscaled"],
    proof="At theta = 1/(1 + mu), where omega = theta: one step of Chambolle and Pock times mu/(1 + mu), from d^0 = 0.",
)
def theorem(c: Context, count: int = 1) -> Iterable[Relation]:
    b = Batch(c)
    tau, sigma, _ = cast(Any, c.method).parameters(b.problem)
    L, mu = Q(c.instance.options["norm"]) / b.n, count * b.mu
    yield Eq(2 * tau * b.lam, mu, "2 tau lam = mu")
    yield Eq(2 * sigma * b.delta, mu, "2 sigma delta = mu")
    yield Le(tau * sigma * L * L, 1, "tau sigma ||K||^2 <= 1")
    yield Le(1 / (1 + mu), b.theta, "theta >= 1/(1 + mu)")
    yield from along_run(c)


def along_run(c: Context, share: Number = 1, horizon: int = 12) -> Iterable[Relation]:
    b = Batch(c)
    state, bound, at_start = b.state, b.distance(b.state, Q(1)), b.distance(b.state, 1 - b.omega)
    for T in range(1, horizon + 1):
        state, bound = c.method.step(b.problem, state, 0), share * b.omega * bound
        yield Le(b.distance(state, 1 - b.omega), bound, f"T = {T}", trivial=at_start)
