"""PDCP, section 2: (6) to (8), and the same method under other names.

    (6)    alpha+ = argmin phi*(a) - <w_bar, K a> + ||a - alpha||^2/(2 sigma)
    (7)    w+ = argmin g(w) + <w, K alpha+> + ||w - w^t||^2/(2 tau)            (8)   w_bar+ = w+ + theta (w+ - w)

K = A/n, so ||K||_2 = ||A||_2/n; phi* = (1/n) sum_i phi_i* is delta-strongly convex, delta = gamma/n. In the labels d is
w^t - w^(t-1).
"""

from dualgap.proofs_checks.papers.adaspdc.words import *
from dualgap.reference.methods.pdcp import PDCPState

SCHEDULED = (
    "AdaSPDC says 'a more scheduled stepsize' and no more; this is Algorithm 3 of Chambolle and Pock (2011) with its"
    " Theorem 3, restated; we did not compare it with the printed text"
)
SCHEDULE = r"$\tau = \mu/(2 \lambda)$, $\sigma = \mu/(2 \delta)$, $\mu \le 2 \sqrt{\lambda \delta}/\Vert K\Vert$"


# -- instances ---------------------------------------------------------------------------------------------------------


@st.composite
def pdcp_instances(
    draw: DrawFn,
    /,
    losses: Sequence[str] = RATIONAL_SMOOTH,
    l1: Sequence[Fraction] = L1,
    max_path: int = 2,
    free: bool = True,
    kind: str = "linear",
    ratios: Sequence[Fraction] = RATIOS,
) -> Instance:
    """PDCP with a rational bound of ||A||_2; linear: its schedule, any theta and mu that it allows; else free steps."""
    loss, n = draw(among(losses)), draw(st.integers(1, 4))
    y = tuple(draw(targets(loss)) for _ in range(n))
    rows = nonzero(draw(matrices(y, 3, KINDS)))
    bound = root_above(sum((x * x for row in rows for x in row), Q(0)))  # the Frobenius norm
    gamma = draw(among(GAMMAS)) if loss not in FIXED_GAMMA and loss not in ("hinge", "absolute") else None
    modulus = FIXED_GAMMA.get(loss, gamma or Q(1))
    root = draw(among(ratios)) * bound / modulus  # sqrt(n lam/gamma)
    lam, options = root * root * modulus / n, {"norm": bound}
    mu = 2 * root * modulus / bound
    if kind == "linear":
        mu = mu * draw(among(Qs(1, 1, "1/3")))
        least = 1 / (1 + mu)
        options |= {"mu": mu, "theta": least + (1 - least) * draw(among(Qs(0, 0, 1, "1/2")))}
    else:
        tau = draw(among(Qs(1, "1/10", 5)))
        options |= {"tau": tau, "sigma": draw(among(Qs(1, 1, "1/4"))) * n * n / (tau * bound * bound), "theta": Q(1)}
    extra: Extras = draw(points(len(rows[0]), free))
    if kind != "linear":
        extra |= further(other=draw(vectors(len(rows[0]))))
    return Instance(
        rows=rows,
        y=y,
        lam=lam,
        loss=loss,
        gamma=gamma,
        l1=draw(among(l1)),
        method="pdcp",
        options=options,
        alpha=tuple(draw(starts(loss, v, False)) for v in y),
        path=(0,) * draw(st.integers(0, max_path)),
        extra=extra,
    )


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
        options, self.delta, self.mu = c.instance.options, self.gamma / self.n, c.q(c.instance.options.get("mu", 0))
        self.tau, self.sigma = self.mu / (2 * self.lam), self.mu / (2 * self.delta) if self.mu else c.q(0)
        if "tau" in options:
            self.tau, self.sigma = c.q(options["tau"]), c.q(options["sigma"])
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


# -- the lines ---------------------------------------------------------------------------------------------------------


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


@claim(
    "pdcp.fixed-point",
    "(6)-(8): (w*, w*, alpha*) is a fixed point",
    hypotheses=SMOOTH,
    origin=PAPER.ours("(6)-(8)"),
    evidence=[exact(pdcp_states, 0.5), golden(BY_HAND, *ON_BLOCKS)],
    control=false_with("w* moved by 1", BY_HAND, *ON_BLOCKS, shift=1),
)
def rests(c: Context, shift: int = 0) -> Iterable[Relation]:
    """The saddle point, w* moved by shift, is left as it is."""
    b = Batch(c)
    w = [w_j + shift for w_j in b.w_star]
    resting = b.state.copy()
    resting.w, resting.w_bar, resting.alpha = w, list(w), list(b.alpha_star)
    after = c.method.step(b.problem, resting, 0)
    yield from equal([*after.w, *flat(after.alpha)], [*w, *flat(b.alpha_star)], "(w*, alpha*) stays")


# -- the same method under other names ---------------------------------------------------------------------------------


EQUAL_NORMS = Instance(
    rows=(Qs(3, 4), Qs(5, 0), Qs(0, -5)),
    y=Qs(1, -1, 2),
    alpha=Qs(1, 0, 2),
    lam=Q(1, 9),
    gamma=Q(1),
    method="pdcp",
    options={"norm": Q(9), "mu": Q(1, 10)},
)


@claim(
    "pdcp.adaspdc",
    "AdaSPDC with m = n and equal norms is PDCP with the same tau and theta and sigma_PDCP = n sigma",
    hypotheses="every smooth loss, L2 or elastic net",
    origin=PAPER.ours("(6)-(8)", "Algorithm 1"),
    evidence=[
        golden(
            EQUAL_NORMS,
            EQUAL_NORMS.but(l1=Q(1, 10)),
            EQUAL_NORMS.but(y=Qs(1, -1, 1), alpha=Qs("-1/2", 0, -1), loss="smoothed-hinge"),
            detail="three steps each",
        )
    ],
    control=false_with("sigma instead of n sigma", EQUAL_NORMS, factor=1),
    proof="(9) has sigma for phi_i*, (6) for (1/n) sum_i phi_i*; r^t is K alpha^t, so (11) is (7).",
)
def as_adaspdc(c: Context, factor: object = None) -> Iterable[Relation]:
    """Three steps of AdaSPDC with m = n and equal norms, and of PDCP with sigma factor = n times that."""
    b = Batch(c)
    p, n = b.problem, b.n
    R = max(sqrt(norm2) for norm2 in p.norms2)
    root = sqrt(b.lam / p.gamma)
    whole = AdaSPDC(m=n, norms=[R] * n)
    tau, sigma, theta = 1 / (2 * R * root), root / (2 * R), 1 - 1 / (1 + R / (p.gamma * root))
    batch = PDCP(norm=c.instance.options["norm"], tau=tau, sigma=(n if factor is None else factor) * sigma, theta=theta)
    here, there = whole.init(p, list(c.instance.alpha)), batch.init(p, list(c.instance.alpha))
    for step in range(1, 4):
        here, there = whole.step(p, here, list(range(n))), batch.step(p, there, 0)
        for name in ("w", "w_bar", "alpha"):
            yield from equal(getattr(here, name), getattr(there, name), f"{name} after {step} steps")
    yield Eq(
        4 * tau * sigma * R * R,
        1,
        "4 tau sigma R^2 = 1: with n sigma in (6) a quarter of what ||K|| <= R/sqrt(n) admits",
    )


@claim(
    "pdcp.blocks-of-one",
    "(6)-(8): with every q_i = 1 the block run is the run on rows, exactly",
    hypotheses="every smooth rational loss, L2 and elastic net",
    origin=PAPER.ours("(6)-(8)", "(2)"),
    evidence=[exact(pdcp_states, 0.3)],
    control=false_with("alpha^0 halved on one side", EQUAL_NORMS, halved=True),
)
def as_blocks(c: Context, halved: bool = False) -> Iterable[Relation]:
    """Three steps on rows and on blocks of one number."""
    for step, (here, there, _) in enumerate(on_rows_and_blocks(c, (0, 0, 0), halved), 1):
        yield from same_states(there, here, f"after {step} steps")
