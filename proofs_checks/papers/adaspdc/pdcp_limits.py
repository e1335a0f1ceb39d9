"""PDCP: the O(1/T) rate of its averages, what happens beyond its step-size condition, and the same method under other
names.
"""

from dualgap.proofs_checks.papers.adaspdc import strategies
from dualgap.proofs_checks.papers.adaspdc.items import PAPER
from dualgap.proofs_checks.papers.adaspdc.pdcp import Batch
from dualgap.proofs_checks.papers.adaspdc.steps import equal, scaled
from dualgap.proofs_checks.papers.adaspdc.terms import minus, plus
from dualgap.proofs_checks.papers.vocabulary import *

# -- the rate of the averages ------------------------------------------------------------------------------------------


LINE = Instance(
    rows=(Qs(1),),
    y=Qs(1),
    alpha=Qs(0),
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
            "the constants are those of Chambolle and Pock (2011), Theorem 1, restated and not held against the print;"
            " AdaSPDC says O(1/T)"
        ),
    ),
    evidence=[exact(strategies.pdcp_generic, 0.4)],
    control=false_with("a tenth of it", LINE, share=Q(1, 10)),
)
def ergodic_lines(c: Context, share: Number = 1, horizon: int = 8) -> Iterable[Relation]:
    """f(mean of w, alpha') - f(w', mean of alpha) for two pairs (w', alpha')."""
    b = Batch(c)
    method: Any = c.method
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
            moved = minus(w, w0)
            bound = share * (b.dot(moved, moved) / (2 * b.tau) + b.apart(alpha, alpha0) / (2 * b.sigma)) / T
            yield Le(p.f(mean_w, alpha) - p.f(w, mean_alpha), bound, f"T = {T}")


# -- beyond the condition ----------------------------------------------------------------------------------------------


def scalar(product: Any) -> Instance:
    """n = d = 1, A = (1), b = 0, lam = gamma = 1/10000, theta = 1, tau = 1, sigma = product."""
    return Instance(
        rows=(Qs(1),),
        y=Qs(0),
        alpha=Qs(0),
        lam=Q(1, 10000),
        gamma=Q(1, 10000),
        method="pdcp",
        options={"norm": Q(1), "tau": Q(1), "sigma": Q(product), "theta": Q(1)},
        extra=further(w=Qs(0)),
    )


def characteristic(c: Context) -> tuple[Fraction, Fraction, Fraction]:
    """(a_2, a_1, a_0) of det(z I - T) = z^3 + a_2 z^2 + a_1 z + a_0, T the step on (w, w_bar, alpha)."""
    b = Batch(c)
    method: Any = c.method
    columns = []
    for k in range(3):
        state = b.state.copy()
        state.w, state.w_bar, state.alpha = [Q(int(k == 0))], [Q(int(k == 1))], [Q(int(k == 2))]
        after = method.step(b.problem, state, 0)
        columns.append([after.w[0], after.w_bar[0], after.alpha[0]])
    (p, s, v), (q, t, x), (r, u, y) = columns  # the rows of T are (p, q, r), (s, t, u), (v, x, y)
    minors = (p * t - q * s) + (p * y - r * v) + (t * y - u * x)
    determinant = p * (t * y - u * x) - q * (s * y - u * v) + r * (s * x - t * v)
    return -(p + t + y), minors, -determinant


@claim(
    "pdcp.step-size.larger",
    "The condition tau sigma ||K||^2 <= 1 may be widened to 4/3 and a little more",
    origin=PAPER.inference(
        "PDCP, O(1/T)",
        note="the paper gives the condition as sufficient; nobody says that it may be widened, nor that it may not",
    ),
    hypotheses="theta = 1, lam, gamma > 0",
    expected="REFUTED",
    evidence=[
        golden(
            scalar("134/100"),
            scalar("3/2"),
            detail="n = d = 1, lam = gamma = 1/10000, tau sigma ||K||^2 = 1.34 and 1.5",
        )
    ],
    control=holds_on(scalar(1), scalar("133/100"), text="1 and 1.33"),
    proof=(
        "All roots of z^3 + a_2 z^2 + a_1 z + a_0 lie inside the unit circle exactly when these hold (Schur, Cohn,"
        " Jury). For lam, gamma -> 0 the root -1 appears at 4/3."
    ),
)
def larger_steps(c: Context) -> Iterable[Relation]:
    a_2, a_1, a_0 = characteristic(c)
    yield Lt(abs(a_0), 1, "|a_0| < 1")
    yield Lt(Q(0), 1 + a_2 + a_1 + a_0, "det(I - T) > 0")
    yield Lt(abs(a_1 - a_0 * a_2), 1 - a_0 * a_0, "|a_1 - a_0 a_2| < 1 - a_0^2")
    yield Lt(Q(0), 1 - a_2 + a_1 - a_0, "-det(-I - T) > 0: no eigenvalue beyond -1")


# -- the same method under other names ---------------------------------------------------------------------------------


EQUAL = Instance(
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
            EQUAL,
            EQUAL.but(l1=Q(1, 10)),
            EQUAL.but(y=Qs(1, -1, 1), alpha=Qs("-1/2", 0, -1), loss="smoothed-hinge"),
            detail="three steps each",
        )
    ],
    control=false_with("sigma in the place of n sigma", EQUAL, factor=1),
    proof="(9) has sigma for phi_i*, (6) for (1/n) sum_i phi_i*; r^t is K alpha^t, so (11) is (7).",
)
def as_adaspdc(c: Context, factor: Any = None) -> Iterable[Relation]:
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
    evidence=[exact(strategies.pdcp_states, 0.3)],
    control=false_with("alpha^0 halved on one side", EQUAL, halved=True),
)
def as_blocks(c: Context, halved: bool = False) -> Iterable[Relation]:
    """Three steps on rows and on blocks of one number."""
    b = Batch(c)
    p, block = b.problem, BlockProblem.from_scalar(b.problem)
    method: Any = c.method
    other: Any = PDCP(**c.instance.options)
    alpha = [a / 2 if halved else a for a in c.instance.alpha]
    here, there = method.init(p, list(c.instance.alpha)), other.init(block, [(a,) for a in alpha])
    for step in range(1, 4):
        here, there = method.step(p, here, 0), other.step(block, there, 0)
        for name in ("w", "w_bar"):
            yield from equal(getattr(there, name), getattr(here, name), f"{name} after {step} steps")
        yield from equal([a for (a,) in there.alpha], here.alpha, f"alpha after {step} steps")
