"""PGS, section VII: kernels, the bias inside and outside of the regularizer, and the size k of a batch."""

from collections.abc import Callable, Iterable

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import Extras, further
from dualgap.proofs_checks.claims.instance import Q, Qs
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Relation
from dualgap.proofs_checks.evidence.levels import enclosed, exact, false_with, golden
from dualgap.proofs_checks.papers.pgs.instances import (
    HINGE_PAIRS,
    HINGE_RUN,
    norm_instance,
    norms_euclidean,
    norms_free,
    runs,
)
from dualgap.proofs_checks.papers.pgs.items import PAPER
from dualgap.proofs_checks.papers.pgs.setting import Given, Setting, norm2, power, r, same
from dualgap.proofs_checks.papers.vocabulary import dot, each, names, plus
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.numbers.interval import Interval

# -- kernels -----------------------------------------------------------------------------------------------------------


def kernel(x: Given, z: Given) -> Number:
    """K(x, z) = x^T z + (x^T z)^2 = phi(x)^T phi(z)."""
    inner = dot(x, z)
    return inner + inner * inner


def features(x: tuple[Q, ...]) -> tuple[Q, ...]:
    """phi(x) = (x, x x^T)."""
    return (*x, *(a * b for a in x for b in x))


@claim(
    "pgs.kernel",
    r"Section VII, kernels, $p = 2$: PGS on $\varphi(x)$ needs no more than the inner products $K(x_j, x_i)$: $\langle"
    r" w_t, \varphi(x_i)\rangle =$ $\sum_j \beta_j K(x_j, x_i)/((t+1) \sigma)$, where a round subtracts"
    r" $\varphi_i'(\langle w_{t-1}, \varphi(x_i)\rangle)/k$ from $\beta_i$ for the rows of $A_t$",
    hypotheses=r"$S = \mathbb{R}^d$; $K(x, z) = x^T z + (x^T z)^2$; any loss and batches",
    origin=PAPER.printed(
        "Kernel", note="the paper prints <w, phi(x)> as a sum of kernel values; the update of the coefficients follows"
    ),
    evidence=[exact(runs, 0.3), golden(HINGE_RUN, HINGE_PAIRS)],
    control=false_with("the divisor t sigma", HINGE_RUN, late=1),
    kills=names("pgs", "constant-divisor sign sum-for-mean"),
    proof="w_t = acc/((t+1) sigma) lies in the span of the phi(x_j), and acc = sum_j beta_j phi(x_j).",
)
def kernel_lines(c: Context, late: int = 0) -> Iterable[Relation]:
    """<w_t, phi(x_i)> of the run on the features against sum_j beta_j K(x_j, x_i)/((t+1) sigma)."""
    i = c.instance
    mapped = i.but(rows=tuple(features(x) for x in i.rows), extra=Extras()).problem()
    state, beta, inner = c.method.init(mapped), [Q(0)] * len(i.rows), [Q(0)] * len(i.rows)
    for t, A_t in enumerate(i.path, 1):
        for row in A_t:
            beta[row] -= mapped.loss.derivative(inner[row], mapped.y[row]) / len(A_t)
        state = c.method.step(mapped, state, A_t)
        w = c.method.view(mapped, state)[0]
        inner = [dot(beta, [kernel(x, z) for z in i.rows]) / ((t + 1 - late) * i.lam) for x in i.rows]
        yield from each(Eq, (mapped.dot(row, w) for row in mapped.rows), inner, f"round {t}: <w, phi(x_#)>")


# -- the bias ----------------------------------------------------------------------------------------------------------


@claim(
    "pgs.bias",
    r"Section VII, the bias: the regularizer $(\Vert w\Vert_p^p + \vert b\vert^p)^{2/p}/(2(p-1))$ is $r$ of $(w, b)$,"
    " so that it is 1-strongly convex in both, and the solver is PGS on the rows $(x, 1)$",
    hypotheses=r"$p$ in $(1, 2]$; $\vert b\vert$ where $b^p$ is printed",
    origin=PAPER.reading(
        "Bias",
        note="with the exponent 2/p, whose 2 our copy lacks; without it the regularizer is no multiple of r for b = 0",
    ),
    evidence=[exact(norms_euclidean, 0.5), enclosed(norms_free, 0.3)],
    control=false_with("without b", norm_instance(Q(2), None, further(theta=Qs(1, 2), w=Qs(0, 1))), inside=False),
)
def bias_lines(c: Context, inside: bool = True) -> Iterable[Relation]:
    """The regularizer as printed against r of (w, b); and its strong convexity; inside: with b in it."""
    p, u, v = Setting(c.instance).p, c.instance.extra.theta, c.instance.extra.w  # two points (w, b)
    sizes = [sum((power(abs(x), p) for x in point[: len(point) if inside else -1] if x), Q(0)) for point in (u, v)]
    printed = [power(size, 2 / p) / (2 * (p - 1)) if isinstance(size, Interval) or size else Q(0) for size in sizes]
    for value, point in zip(printed, (u, v)):
        yield same(value, r(point, p), f"(||w||_p^p + |b|^p)^(2/p)/(2(p-1)) = r((w, b)) at {[str(x) for x in point]}")
    if u != v:
        middle = r([(a + b) / 2 for a, b in zip(u, v)], p)
        least = (printed[0] + printed[1]) / 2 - norm2(plus(u, -1, v), p) / 8
        relation: Callable[..., Relation] = same if p == 2 else Le  # an equality for p = 2
        yield relation(middle, least, "half way: 1-strongly convex in (w, b)")
