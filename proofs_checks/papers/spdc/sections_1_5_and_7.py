"""SPDC, section 1: Assumption A and its examples, the batch complexity; section 5: the norms of Table 2; section 7: the
smoothed hinge and how many times faster SPDC is.

Assumption A   phi_i convex and (1/gamma)-smooth, g lam-strongly convex
(2), (3)       kappa = R^2/(lam gamma); 1 + sqrt(kappa/n) passes, a complexity being 1/(1 - theta), constants and
               all, theta that of the method itself; the paper hides constants and a logarithm
Table 2        the batch method of Chambolle and Pock, the case m = n: its rate is ``pdcp.theorem``
7.1            up to sqrt(n) times faster than AFG, and R (lam gamma n)^(-1/2) = sqrt(kappa/n) times faster than SAG
               and SDCA
7.2            phi(z) the smoothed hinge with gamma = 1, phi*(beta) = b beta + beta^2/2 for b beta in [-1, 0]
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import cast

import numpy as np

from dualgap.proofs_checks.claims import origins
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Q, Qs
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Lt, Relation, Same
from dualgap.proofs_checks.engines.quadratic_forms import nonnegative_pivots
from dualgap.proofs_checks.evidence.levels import enclosed, exact, false_with, golden
from dualgap.proofs_checks.papers.spdc.instances import FIXED_GAMMA, batches, column, logistic, singles
from dualgap.proofs_checks.papers.spdc.items import PAPER, RESTORED
from dualgap.proofs_checks.papers.spdc.setting import UNIFORM, Setting, bugs, steps_of
from dualgap.proofs_checks.papers.vocabulary import LONE_ROW
from dualgap.reference.methods.spdc import SPDC
from dualgap.reference.numbers.arithmetic import Number, sqrt

# -- Assumption A ------------------------------------------------------------------------------------------------------

POINTS = Qs(-3, "-1/3", 0, "2/7", 1, 4)


@claim(
    "spdc.assumption-a",
    r"Assumption A, its examples: $\varphi_i'$ does not fall and is $(1/\gamma)$-Lipschitz, $\gamma = 4$ for the"
    r" logistic loss (which is $1/4$-smooth), 1 for the squared error; $g$ lies above its tangents by $(\lambda/2)\Vert"
    r" w - v\Vert^2$, $\lambda = 1$ for half of the squared norm",
    hypotheses="squared, smoothed hinge, squared hinge and logistic loss, L2 and elastic net; between six points",
    origin=PAPER.printed("examples of Assumption A", "Assumption A", note=RESTORED),
    evidence=[exact(batches, 0.3), enclosed(logistic, 0.1)],
    control=false_with("2 gamma and 2 lam", LONE_ROW.but(lam=Q(2), method="spdc"), factor=2),
)
def examples_of_assumption_a(c: Context, factor: int = 1) -> Iterable[Relation]:
    """Both constants times this factor; g in rationals alone, where an equality can be seen."""
    loss, g, d, gamma = c.problem.loss, c.problem.regularizer, c.problem.d, factor * c.gamma
    for y in c.problem.y:
        slopes = [loss.derivative(c.q(z), y) for z in POINTS]
        for low, high, before, after in zip(POINTS, POINTS[1:], slopes, slopes[1:]):
            yield Le(before, after, f"phi' does not fall from {low} to {high}")
            yield Le(gamma * (after - before), c.q(high - low), f"gamma (phi'({high}) - phi'({low})) <= {high} - {low}")
    for w in POINTS if c.instance.loss != "logistic" else ():  # points of equal coordinates
        v = 1 - w / 3
        slope = c.mu * v + (g.l1 if v > 0 else -g.l1)  # a subgradient at 0, too
        gap = g.value([w] * d) - g.value([v] * d) - d * slope * (w - v)
        yield Le(d * factor * c.mu / 2 * (w - v) ** 2, gap, f"g at {w} above its tangent at {v}")
    yield Eq(c.gamma, FIXED_GAMMA.get(c.instance.loss, c.instance.gamma or Q(1)), "gamma of the loss")


# -- (3) ---------------------------------------------------------------------------------------------------------------

KAPPA_25N = column((1, 1), "1/50", R=Q(1))


@claim(
    "spdc.3",
    r"(3): the steps of SPDC, $n + 2R \sqrt{n/(\lambda \gamma)}$, are $1 + 2 \sqrt{\kappa/n}$ passes; $1 +"
    r" \sqrt{\kappa/n}$ is below $1 + \kappa/n$ exactly for $\kappa > n$, and below the $1 + \sqrt \kappa$ of the batch"
    " methods for $n > 1$",
    hypotheses=UNIFORM,
    origin=PAPER.printed("(3)", "(2)", "batch complexity", "batch methods compared", note=RESTORED),
    evidence=[exact(singles)],
    kills=bugs("theta-without-root half-radius"),
    control=false_with("with R instead of 2R", KAPPA_25N, constant=1),
)
def batch_complexity(c: Context, constant: int = 2) -> Iterable[Relation]:
    n, kappa = c.n, Setting(c).kappa
    ratio = kappa / n
    root = sqrt(ratio)
    yield Eq(steps_of(c.method, c) / n, 1 + constant * root, "passes: 1 + 2 sqrt(kappa/n)")
    yield Eq(int(root < ratio), int(kappa > n), "1 + sqrt(kappa/n) < 1 + kappa/n exactly for kappa > n")
    yield Le(ratio, kappa, "(sqrt(kappa/n))^2 <= (sqrt kappa)^2: not behind the batch methods")
    yield Eq(int(ratio < kappa), int(n > 1), "and ahead of them for n > 1")


@claim(
    "spdc.times-faster",
    "Section 7.1: SPDC is up to sqrt(n) times faster than AFG, and for kappa >= n up to R (lam gamma n)^(-1/2) ="
    " sqrt(kappa/n) times faster than SAG and SDCA: sqrt(kappa)/(1 + sqrt(kappa/n)) <= sqrt(n), (1 + kappa/n)/(1 +"
    " sqrt(kappa/n)) <= sqrt(kappa/n)",
    hypotheses=UNIFORM,
    origin=PAPER.reading(
        "times faster",
        note="Both factors are missing; we read the quotients of the batch complexities, without constants.",
    ),
    evidence=[exact(singles)],
    kills=bugs("half-radius"),
    control=false_with("nine tenths of both", KAPPA_25N.but(lam=Q(1, 2 * 10**6)), share=Q(9, 10)),
    proof="sqrt(n) (1 + r) >= sqrt(n) r = sqrt(kappa), and r + r^2 >= 1 + r^2 for r = sqrt(kappa/n) >= 1.",
)
def times_faster(c: Context, share: Number = Q(1)) -> Iterable[Relation]:
    n, kappa, root = c.n, Setting(c).kappa, (steps_of(c.method, c) / c.n - 1) / 2
    yield Le(kappa, share * share * n * (1 + root) ** 2, "sqrt(kappa) <= sqrt(n) (1 + sqrt(kappa/n)), squared: AFG")
    if kappa >= n:
        label = "1 + kappa/n <= R (lam gamma n)^-1/2 (1 + sqrt(kappa/n)): SAG, SDCA"
        yield Le(1 + root * root, share * root * (1 + root), label)


KINKS = LONE_ROW.but(loss="smoothed-hinge", gamma=Q(1), method="spdc")


@claim(
    "spdc.smoothed-hinge",
    r"Section 7.2: the conjugate of the smoothed hinge is $b \beta + \beta^2/2$ for $b \beta$ in $[-1, 0]$ and infinite"
    " elsewhere",
    hypotheses=r"$\gamma = 1$, $b = 1$ and $-1$",
    origin=PAPER.printed("conjugate of the smoothed hinge", "smoothed hinge", note=RESTORED),
    evidence=[golden(KINKS, KINKS.but(y=Qs(-1)), detail="at four points of its domain, and beyond both ends")],
    control=false_with("beta^2/4 for beta^2/2", KINKS, half=Q(1, 4)),
)
def conjugate(c: Context, half: Number = Q(1, 2)) -> Iterable[Relation]:
    loss, b = c.problem.loss, c.problem.y[0]
    for size in Qs(0, "1/3", "4/5", 1):
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


# -- Table 2 -----------------------------------------------------------------------------------------------------------


def below(rows: tuple[tuple[Fraction, ...], ...], N2: Number) -> bool:
    """Return whether N2 >= ||X||_2^2, exactly: N2 I - X^T X is semidefinite."""
    X = np.array(rows, dtype=object)
    d: int = X.shape[1]
    return nonnegative_pivots((N2 * np.eye(d, dtype=int).astype(object) - X.T @ X).tolist()) == d


@claim(
    "spdc.table-2.norms",
    r"Section 5, Table 2: $\Vert A\Vert_2 \le \Vert A\Vert_F \le \sqrt{n} R$, the second an equality exactly where the"
    r" $a_i$ are normalized, so that Chambolle and Pock's $1 + \Vert A\Vert_2/(2 \sqrt{n \lambda \gamma})$ is in the"
    r" worst case $1 + \sqrt{\kappa}/2$",
    hypotheses=r"any rows; any $R \ge \max\, \Vert a_i\Vert$, normalized being of norm $R$",
    origin=PAPER.printed(
        "spectral and Frobenius norm",
        "equality for normalized rows",
        note=f"The formulas are missing {origins.RESTORED}: the columns that it names are the a_i.",
    ),
    evidence=[exact(batches)],
    kills=bugs("half-radius"),
    control=false_with("an equality for the norms 1 and 3", column((1, 3), "1/50", R=Q(3)), equal=True),
    proof="The largest eigenvalue of A^T A is at most their sum, which is sum ||a_i||^2.",
)
def spectral(c: Context, equal: bool | None = None) -> Iterable[Relation]:
    """||X||_2 <= ||X||_F <= sqrt(n) R; whether the second is an equality, or what ``equal`` says of it."""
    method = cast(SPDC, c.method)
    R2 = method.radius(c.problem, c.problem.norms2) ** 2
    frobenius2 = sum(c.problem.norms2, Q(0))
    yield Eq(int(below(c.instance.rows, frobenius2)), 1, "||X||_F^2 I - X^T X: pivots >= 0")
    yield Le(frobenius2, c.n * R2, "||X||_F^2 <= n R^2")
    normalized = set(c.problem.norms2) == {R2} if equal is None else equal
    yield Eq(int(frobenius2 == c.n * R2), int(normalized), "an equality exactly where every row has norm R")
    theirs, kappa = frobenius2 / (4 * c.n * c.mu * c.gamma), R2 / (c.mu * c.gamma)
    yield Le(theirs, kappa / 4, "(||X||_F/(2 sqrt(n lam gamma)))^2 <= kappa/4")
