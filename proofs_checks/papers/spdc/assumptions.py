"""SPDC, what it says of losses and regularizers: Assumption A, its examples, and the conjugate of the smoothed
hinge.
"""

from dualgap.proofs_checks.papers.spdc.items import PAPER, RESTORED
from dualgap.proofs_checks.papers.spdc.strategies import batches, logistic
from dualgap.proofs_checks.papers.vocabulary import *

POINTS = Qs(-3, "-1/3", 0, "2/7", 1, 4)


def smoothness(c: Context, gamma: Number) -> Iterable[Relation]:
    """phi' is monotone and (1/gamma)-Lipschitz between the points, with each of the instance's y."""
    loss = c.problem.loss
    for y in c.problem.y:
        slopes = [loss.derivative(c.q(z), y) for z in POINTS]
        for low, high, before, after in zip(POINTS, POINTS[1:], slopes, slopes[1:]):
            yield Le(before, after, f"phi' does not fall from {low} to {high}")
            yield Le(gamma * (after - before), c.q(high - low), f"gamma (phi'({high}) - phi'({low})) <= {high} - {low}")


def convexity(c: Context, lam: Number) -> Iterable[Relation]:
    """g lies above its tangents by (lam/2)||w - v||^2, on points of equal coordinates."""
    g, d = c.problem.regularizer, c.problem.d
    for w in POINTS:
        v = 1 - w / 3
        slope = c.mu * v + (g.l1 if v > 0 else -g.l1)  # a subgradient at 0, too
        gap = g.value([w] * d) - g.value([v] * d) - d * slope * (w - v)
        yield Le(d * lam / 2 * (w - v) ** 2, gap, f"g at {w} above its tangent at {v}")


def assumption_a(c: Context, factor: int) -> Iterable[Relation]:
    """Assumption A with gamma and lam times factor; g in rationals alone, where an equality can be seen."""
    yield from smoothness(c, factor * c.gamma)
    if c.instance.loss != "logistic":
        yield from convexity(c, factor * c.mu)


ONE_ROW = Instance(rows=(Qs(1),), y=Qs(1), alpha=Qs(0), lam=Q(2), gamma=Q(1), method="spdc")


@claim(
    "spdc.assumption-a",
    r"Assumption A, its examples: $\varphi_i'$ does not fall and is $(1/\gamma)$-Lipschitz, $\gamma = 4$ for the"
    r" logistic loss (which is "
    r"$1/4$-smooth), 1 for the squared error; $g$ lies above its tangents by $(\lambda/2)\Vert w - v\Vert^2$, $\lambda"
    r" = 1$ for half of the "
    "squared norm",
    hypotheses="squared, smoothed hinge, squared hinge and logistic loss, L2 and elastic net; between six points",
    origin=PAPER.printed("examples of Assumption A", "Assumption A", note=RESTORED),
    evidence=[exact(batches, 0.3), enclosed(logistic, 0.1)],
    control=altered("2 gamma and 2 lam", lambda c: assumption_a(c, 2), ONE_ROW),
)
def examples_of_assumption_a(c: Context) -> Iterable[Relation]:
    yield from assumption_a(c, 1)
    yield Eq(
        c.gamma, {"logistic": 4, "squared-hinge": Q(1, 2)}.get(c.instance.loss, c.instance.gamma), "gamma of the loss"
    )


KINKS = Instance(rows=(Qs(1),), y=Qs(1), alpha=Qs(0), lam=Q(1), loss="smoothed-hinge", gamma=Q(1), method="spdc")
BETAS = Qs(0, "1/3", "4/5", 1)


@claim(
    "spdc.smoothed-hinge",
    r"Section 7.2: the conjugate of the smoothed hinge is $b \beta + \beta^2/2$ for $b \beta$ in $[-1, 0]$ and infinite"
    r" elsewhere",
    hypotheses=r"$\gamma = 1$, $b = 1$ and $-1$",
    origin=PAPER.printed("conjugate of the smoothed hinge", "smoothed hinge", note=RESTORED),
    evidence=[golden(KINKS, KINKS.but(y=Qs(-1)), detail="at four points of its domain, and beyond both ends")],
    control=false_with("beta^2/4 for beta^2/2", KINKS, half=Q(1, 4)),
)
def conjugate(c: Context, half: Number = Q(1, 2)) -> Iterable[Relation]:
    """b beta + half beta^2 for b beta in [-1, 0] against sup z beta - phi(z)."""
    loss, b = c.problem.loss, c.problem.y[0]
    for size in BETAS:
        beta = -b * size
        at = b * (1 - size)  # phi'(at) = beta
        stated = b * beta + half * beta * beta
        yield Eq(loss.derivative(at, b), beta, f"phi' at {at}")
        yield Same(stated, at * beta - loss.value(at, b), f"phi*({beta}) is attained there")
        for z in POINTS:
            yield Le(z * beta - loss.value(z, b), stated, f"and no more at {z}")
    for outside in (b / 100, -b - b / 100):
        far = 1000 * (b if outside * b > 0 else -b)
        yield Eq(int(loss.in_domain(outside, b)), 0, f"{outside} is outside")
        yield Lt(Q(5), far * outside - loss.value(far, b), f"z beta - phi(z) has no bound at beta = {outside}")
