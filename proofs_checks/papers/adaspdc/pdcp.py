"""PDCP: (6) to (8), the step-size condition and the linear rate.

K = A/n, so ||K||_2 = ||A||_2/n; phi* = (1/n) sum_i phi_i* is delta-strongly convex, delta = gamma/n. In the labels d is
w^t - w^(t-1).
"""

from dualgap.proofs_checks.papers.adaspdc import strategies
from dualgap.proofs_checks.papers.adaspdc.items import PAPER
from dualgap.proofs_checks.papers.adaspdc.steps import G5, G6, SMOOTH, equal, scaled
from dualgap.proofs_checks.papers.adaspdc.terms import minus, parts, plus, saddle_of_squared
from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.reference.problem.problem import Vector

SCHEDULED = (
    "AdaSPDC says 'a more scheduled stepsize' and no more; this is Algorithm 3 of Chambolle and Pock (2011) with its"
    " Theorem 3, restated and not held against the print"
)
SCHEDULE = r"$\tau = \mu/(2 \lambda)$, $\sigma = \mu/(2 \delta)$, $\mu \le 2 \sqrt{\lambda \delta}/\Vert K\Vert$"
STATE = SMOOTH + "; " + SCHEDULE + r"; any $w^t$, $w^{t-1}$, $\alpha^t$"


class Batch:
    """A context of PDCP with its constants, from the paper, its saddle point and its state."""

    def __init__(self, c: Context) -> None:
        self.c, options, at = c, c.instance.options, c.instance.extra
        self.blocks = c.instance.extra[Blocks] if Blocks in c.instance.extra else None
        self.problem = c.problem
        self.n, self.lam = c.n, c.problem.regularizer.modulus
        self.delta = c.problem.gamma / c.n
        if "tau" in options:
            self.tau, self.sigma, self.mu = Q(options["tau"]), Q(options["sigma"]), Q(0)
        else:
            self.mu = Q(options["mu"])
            self.tau, self.sigma = self.mu / (2 * self.lam), self.mu / (2 * self.delta)
        self.theta = Q(options.get("theta", 1 / (1 + self.mu)))
        self.omega = (1 + self.theta) / (2 + self.mu)
        method: Any = c.method
        alpha = list((self.blocks and self.blocks.blocks) or c.instance.alpha)
        w = self.problem.w(alpha) if not at.has("w") else list(at.w)
        state = method.init(self.problem, alpha, w)
        self.d = minus(w, w if not at.has("before") else at.before)
        state.w_bar = plus(w, self.theta, self.d)
        for choice in c.instance.path:
            following = method.step(self.problem, state, choice)
            self.d, state = minus(following.w, state.w), following
        self.state, self.after = state, method.step(self.problem, state, 0)

    @property
    def star(self) -> Vector:
        """alpha*."""
        if self.blocks is None:
            return self.c.optimum
        return saddle_of_squared(self.problem) if self.blocks.alpha_star is None else list(self.blocks.alpha_star)

    def u_of(self, alpha: Vector) -> Vector:
        """K alpha."""
        return [self.problem.zero - v for v in self.problem.minus_u(alpha)]

    def dot(self, a: Any, b: Any) -> Number:
        """<a, b>."""
        return sum((x * y for x, y in zip(a, b)), Q(0))

    def apart(self, a: Vector, b: Vector) -> Number:
        """||alpha - alpha'||^2 over all numbers."""
        return sum(((x - y) ** 2 for a_i, b_i in zip(a, b) for x, y in zip(parts(a_i), parts(b_i))), Q(0))

    def distance(self, w: Vector, alpha: Vector, on_alpha: Number) -> Number:
        """lam ||w - w*||^2 + on_alpha delta ||alpha - alpha*||^2."""
        star = self.star
        errors = minus(w, self.problem.w(star))
        return self.lam * self.dot(errors, errors) + on_alpha * self.delta * self.apart(alpha, star)


# -- the lines ---------------------------------------------------------------------------------------------------------


BY_HAND = Instance(  # ||A|| = 4 and mu = 1/2, tau = sigma = 1/2, theta = 2/3
    rows=(Qs(3, 0), Qs(0, 4)),
    y=Qs(1, -1),
    alpha=Qs(0, 0),
    lam=Q(1, 2),
    method="pdcp",
    options={"norm": Q(4), "mu": Q(1, 2)},
)
DUE = (
    {"alpha": "-1/5 1/5", "w": "3/25 -4/25", "w_bar": "1/5 -4/15"},
    {"alpha": "-6/25 11/75", "w": "6/25 -92/375", "w_bar": "8/25 -68/225"},
)
ONE = Instance(
    rows=(Qs(1),),
    y=Qs(0),
    alpha=Qs(1),
    lam=Q(1),
    method="pdcp",
    options={"norm": Q(1), "mu": Q(2)},
    extra=further(w=Qs(1)),
)
BLOCKS = (
    G5.but(method="pdcp", options={"norm": Q(6), "mu": Q(1, 3)}),
    G6.but(method="pdcp", options={"norm": Q(6), "mu": Q(1, 3)}),  # ||A||^2 <= 26
)


def runs_by_hand() -> list[Instance]:
    """The two states of the run by hand."""
    made = []
    for step, expected in enumerate(DUE, 1):
        made.append(
            BY_HAND.but(
                path=(0,) * step, extra=further(**{f"due_{name}": Qs(*text.split()) for name, text in expected.items()})
            )
        )
    return made


@claim(
    "pdcp.golden",
    "(6)-(8), two steps from 0 with rows (3, 0) and (0, 4), lam = 1/2, gamma = 1, mu = 1/2",
    hypotheses="squared loss, L2",
    origin=PAPER.ours("(6)-(8)"),
    evidence=[golden(*runs_by_hand(), detail="worked by hand")],
    control=fails_on(*(i.but(options={"norm": Q(5), "mu": Q(2, 5)}) for i in runs_by_hand()), text="||A|| called 5"),
    kills=["pdcp.sigma-unscaled", "pdcp.stale-alpha", "pdcp.no-extrapolation"],
)
def golden_run(c: Context) -> Iterable[Relation]:
    state = Batch(c).state
    for name in ("alpha", "w", "w_bar"):
        yield from equal(getattr(state, name), c.given.get(f"due_{name}"), f"{name} after {len(c.instance.path)} steps")


@claim(
    "pdcp.algorithm",
    r"(6)-(8): $\alpha^+ = \operatorname{argmin} \varphi^*(a) -$ $\langle \bar{w}, K a\rangle + \Vert a -"
    r" \alpha\Vert^2/(2 \sigma)$, "
    r"$w^+ = \operatorname{argmin} g(w) +$ $\langle w, K \alpha^+\rangle + \Vert w - w^t\Vert^2/(2 \tau)$, "
    r"$\bar{w}^+ = w^+ + \theta (w^+ - w)$; block by block (6) has the step $\sigma/n$",
    hypotheses=f"{SMOOTH}; {SCHEDULE}",
    origin=PAPER.printed("(6)-(8)", note="that (6) is a step sigma/n for each block follows from it"),
    evidence=[exact(strategies.pdcp_states), golden(*BLOCKS, detail="blocks")],
    control=false_with("b moved by 1", BY_HAND, BLOCKS[0], moved=1),
    kills=["pdcp.no-extrapolation", "pdcp.sigma-unscaled", "pdcp.stale-alpha"],
)
def lines(c: Context, moved: int = 0) -> Iterable[Relation]:
    """(6), (7), (8) by Fenchel's equality, b moved."""
    b = Batch(c)
    p, old, new = b.problem, b.state, b.after
    for i in range(b.n):
        z = [z_k + moved for z_k in parts(p.dot(p.rows[i], old.w_bar))]
        pull = scaled(b.n / b.sigma, minus(parts(new.alpha[i]), parts(old.alpha[i])))
        at = tuple(minus(z, pull))
        value = p.loss.value(at if isinstance(new.alpha[i], tuple) else at[0], p.y[i])
        total = value + p.loss.conjugate(new.alpha[i], p.y[i])
        yield Eq(
            total,
            b.dot(parts(new.alpha[i]), at),
            f"(6): alpha_{i}+ is a subgradient of phi_{i} at A_{i}^T w_bar - (n/sigma)(alpha_{i}+ - alpha_{i})",
        )
    gradient = minus(scaled(-1, b.u_of(new.alpha)), scaled(1 / b.tau, minus(new.w, old.w)))
    g = p.regularizer
    yield Eq(
        g.value(new.w) + g.conjugate(gradient),
        b.dot(new.w, gradient),
        "(7): -K alpha+ - (w+ - w)/tau is a subgradient of g at w+",
    )
    yield from equal(new.w_bar, plus(new.w, b.theta, minus(new.w, old.w)), "(8): w_bar+ = w+ + theta (w+ - w)")


@claim(
    "pdcp.fixed-point",
    "(6)-(8): (w*, w*, alpha*) is a fixed point",
    hypotheses=SMOOTH,
    origin=PAPER.ours("(6)-(8)"),
    evidence=[exact(strategies.pdcp_states, 0.5), golden(BY_HAND, *BLOCKS)],
    control=false_with("w* moved by 1", BY_HAND, *BLOCKS, shift=1),
)
def rests(c: Context, shift: int = 0) -> Iterable[Relation]:
    """The saddle point, w* moved by shift, is left as it is."""
    b = Batch(c)
    star = b.star
    w = [w_j + shift for w_j in b.problem.w(star)]
    resting = b.state.copy()
    resting.w, resting.w_bar, resting.alpha = w, list(w), list(star)
    method: Any = c.method
    following = method.step(b.problem, resting, 0)
    yield from equal(following.w, w, "w* stays")
    for i, (value, expected) in enumerate(zip(following.alpha, star)):
        yield from equal(value, expected, f"alpha*_{i} stays")


# -- the step sizes ----------------------------------------------------------------------------------------------------


def schedule_lines(c: Context, factor: int = 1) -> Iterable[Relation]:
    """The schedule with factor times mu."""
    b = Batch(c)
    method: Any = c.method
    tau, sigma, _ = method.parameters(b.problem)
    L = Q(c.instance.options["norm"]) / b.n
    largest = 2 * sqrt(b.lam * b.delta * b.n * b.n) / (b.n * L)
    mu = factor * b.mu
    yield Eq(2 * tau * b.lam, mu, "2 tau lam = mu")
    yield Eq(2 * sigma * b.delta, mu, "2 sigma delta = mu")
    yield Le(mu, largest, "mu <= 2 sqrt(lam delta)/||K||")
    yield Eq(tau * sigma * L * L, (mu / largest) ** 2, "tau sigma ||K||^2 = (mu ||K||/(2 sqrt(lam delta)))^2")
    yield Le(tau * sigma * L * L, 1, "tau sigma ||K||^2 <= 1")
    yield Le(1 / (1 + mu), b.theta, "theta >= 1/(1 + mu)")


@claim(
    "pdcp.step-size",
    "The linear schedule: with mu = 2 sqrt(lam delta)/||K||, tau = mu/(2 lam) and sigma = mu/(2 delta) make tau sigma"
    " ||K||^2 = 1, a smaller mu less; the validation refuses tau sigma ||K||^2 > 1 and theta < 1/(1 + mu)",
    hypotheses=r"$\gamma$, $\lambda > 0$; an upper bound of $\Vert A\Vert_2$ in its place",
    origin=PAPER.reading("PDCP, linear rate", note=SCHEDULED),
    evidence=[exact(strategies.pdcp_states, 0.3), golden(BY_HAND)],
    control=altered("2 mu for mu", lambda c: schedule_lines(c, 2), BY_HAND, BLOCKS[0]),
    kills=["pdcp.sigma-unscaled"],
)
def step_size(c: Context) -> Iterable[Relation]:
    yield from schedule_lines(c)
    norm, b = Q(c.instance.options["norm"]), Batch(c)
    tau = 1 / b.lam
    long = {"norm": norm, "tau": tau, "sigma": Q(101, 100) * b.n**2 / (norm**2 * tau)}
    yield Eq(int(refused(b, long)), 1, "tau sigma ||K||^2 = 101/100 is refused")
    yield Eq(int(refused(b, {**long, "sigma": long["sigma"] / Q(101, 100)})), 0, "1 is not")
    yield Eq(
        int(refused(b, {"norm": norm, "mu": b.mu, "theta": Q(99, 100) / (1 + b.mu)})),
        1,
        "theta < 1/(1 + mu) is refused",
    )


def refused(b: Batch, options: dict[str, Any]) -> bool:
    """Whether the method with these options refuses the problem."""
    try:
        PDCP(**options).require(b.problem)
    except HypothesisViolated:
        return True
    return False


# -- the linear rate ---------------------------------------------------------------------------------------------------


def potential(b: Batch, w: Vector, d: Vector, alpha: Vector) -> Number:
    """V = (1 + mu)(||w - w*||^2/(2 tau) + ||alpha - alpha*||^2/(2 sigma)) + <d, K (alpha - alpha*)> +
    ||d||^2/(2 tau).
    """
    star = b.star
    errors = minus(w, b.problem.w(star))
    near = b.dot(errors, errors) / (2 * b.tau) + b.apart(alpha, star) / (2 * b.sigma)
    return (1 + b.mu) * near + b.dot(d, minus(b.u_of(alpha), b.u_of(star))) + b.dot(d, d) / (2 * b.tau)


@claim(
    "pdcp.contraction",
    "The linear rate, one step: V+ <= theta V and V >= (1 + mu)||w - w*||^2/(2 tau) + mu ||alpha - alpha*||^2/(2 sigma)"
    " with theta = 1/(1 + mu), V = (1 + mu)(||w - w*||^2/(2 tau) + ||alpha - alpha*||^2/(2 sigma)) + <d, K (alpha -"
    " alpha*)> + ||d||^2/(2 tau)",
    origin=PAPER.ours("PDCP, linear rate"),
    hypotheses=STATE,
    evidence=[exact(strategies.pdcp_states), golden(BY_HAND, *BLOCKS, detail="blocks")],
    control=false_with("half of theta", ONE.but(options={"norm": Q(1), "mu": Q(1, 100)}), share=Q(1, 2)),
    kills=["pdcp.stale-alpha"],
    proof=(
        "Strong convexity in (6) and (7) at the saddle point; -theta <K Dalpha, d> >= -theta ||d||^2/(2 tau) - theta"
        " ||Dalpha||^2/(2 sigma), by tau sigma ||K||^2 <= 1."
    ),
)
def contraction_lines(c: Context, share: Number = 1) -> Iterable[Relation]:
    """V+ <= share theta V and V >= its part, for theta = 1/(1 + mu)."""
    b = Batch(c)
    if b.theta != 1 / (1 + b.mu):
        return
    star, old, new = b.star, b.state, b.after
    errors = minus(old.w, b.problem.w(star))
    V = potential(b, old.w, b.d, old.alpha)
    least = (1 + b.mu) * b.dot(errors, errors) / (2 * b.tau) + b.mu * b.apart(old.alpha, star) / (2 * b.sigma)
    yield Le(least, V, "V >= (1 + mu)||w - w*||^2/(2 tau) + mu ||alpha - alpha*||^2/(2 sigma)")
    yield Le(potential(b, new.w, minus(new.w, old.w), new.alpha), share * b.theta * V, "V+ <= theta V")


@claim(
    "pdcp.theorem",
    "The linear rate: lam ||w^T - w*||^2 + (1 - omega) delta ||alpha^T - alpha*||^2 <= omega^T (lam ||w^0 - w*||^2 +"
    " delta ||alpha^0 - alpha*||^2), omega = (1 + theta)/(2 + mu), 1/(1 + mu) <= theta <= 1",
    hypotheses=SMOOTH + "; " + SCHEDULE + r"; $\bar{w}^0 = w^0$",
    origin=PAPER.reading("PDCP, linear rate", note=SCHEDULED),
    evidence=[exact(strategies.pdcp_runs, 0.4), golden(BY_HAND, *BLOCKS, detail="T <= 12; blocks")],
    control=altered(
        "omega^3", lambda c: along_run(c, Batch(c).omega ** 2), BY_HAND, ONE.but(options={"norm": Q(1), "mu": Q(1, 10)})
    ),
    kills=["pdcp.stale-alpha"],
    proof="At theta = 1/(1 + mu), where omega = theta: pdcp.contraction times mu/(1 + mu), from d^0 = 0.",
)
def along_run(c: Context, share: Number = 1, horizon: int = 12) -> Iterable[Relation]:
    """The theorem for T <= horizon, with share omega."""
    b = Batch(c)
    method: Any = c.method
    state = b.state
    bound, at_start = b.distance(state.w, state.alpha, Q(1)), b.distance(state.w, state.alpha, 1 - b.omega)
    for T in range(1, horizon + 1):
        state, bound = method.step(b.problem, state, 0), share * b.omega * bound
        yield Le(b.distance(state.w, state.alpha, 1 - b.omega), bound, f"T = {T}", trivial=at_start)
