"""PGS, section VII: kernels, the bias inside and outside of the regularizer, and the size k of a batch."""

from collections.abc import Callable, Iterable, Sequence
from itertools import product
from math import comb

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import Extras, further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
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
from dualgap.proofs_checks.papers.pgs.setting import Given, Setting, harmonic, norm2, power, r, same
from dualgap.proofs_checks.papers.vocabulary import LONE_ROW, dot, each, names, numbers_alone, plus
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


RULES: dict[str, Callable[[Sequence[int]], Q]] = {  # b_t from the labels of the rounds before
    "b = 0": lambda y: Q(0),
    "the last label": lambda y: Q(y[-1]) if y else Q(0),
    "their sum over t + 1": lambda y: Q(sum(y), len(y) + 1),
    "the sign of their sum": lambda y: Q((sum(y) > 0) - (sum(y) < 0)),
}


def coin(T: int) -> Instance:
    """One row without features, a fair label, T rounds."""
    return numbers_alone(T=T).but(rows=(Qs(0), Qs(0)), y=Qs(1, -1), alpha=Qs(0, 0), loss="hinge")


@claim(
    "pgs.bias.unregularized",
    "Section VII, the bias left out of r: on rows without features and fair labels every rule for b_t in [-1, 1] has"
    " the mean regret E|y_1 + .. + y_T|, between sqrt(T/2) and sqrt(T), so that no rate log T/T is left but 1/sqrt(T)",
    hypotheses="hinge; b_t made from the rows before; |b| <= 1",
    origin=PAPER.reading(
        "No bias in r",
        "Strong convexity",
        note=(
            "'the convergence rate' read as that of the mean regret over T, which is what Lemma 1 bounds; the paper"
            " cites O(1/sqrt T) and gives no algorithm for this case"
        ),
    ),
    evidence=[
        golden(
            *(coin(T) for T in (1, 2, 3, 4, 6, 8, 9, 16, 25, 64, 100, 400)),
            detail="T <= 400; T <= 8 by all label sequences and four rules",
        )
    ],
    control=false_with("sqrt(T)", coin(2), coin(64), part=1),
    proof=(
        "c_t = 1 - y_t b there, so that a rule pays T in the mean and the best b pays T - |y_1 + .. + y_T|. For T >= 1"
        " the mean of |..| is at least sqrt(T/2) (Khintchine, Szarek) and at most the root of the mean square."
    ),
)
def coin_lines(c: Context, part: int = 2) -> Iterable[Relation]:
    """The mean regret of every rule, by all label sequences, and its square between T/part and T."""
    T = c.instance.extra.T
    mean = Q(sum(abs(2 * k - T) * comb(T, k) for k in range(T + 1)), 2**T)  # E|y_1 + .. + y_T|
    if T <= 8:
        hinge = c.problem.loss
        for name, rule in RULES.items():
            total = Q(0)
            for y in product((1, -1), repeat=T):
                paid = sum((hinge.value(rule(y[:t]), Q(y[t])) for t in range(T)), Q(0))
                # linear in b on [-1, 1]
                total += paid - min(sum((hinge.value(Q(b), Q(label)) for label in y), Q(0)) for b in (-1, 1))
            yield Eq(total / 2**T, mean, f"T = {T}, {name}: the mean regret is E|y_1 + .. + y_T|")
    yield Le(Q(T, part), mean * mean, f"T = {T}: the mean regret is at least sqrt(T/{part})")
    yield Le(mean * mean, Q(T), f"T = {T}: and at most sqrt(T)")


# -- k -----------------------------------------------------------------------------------------------------------------


def rows_a_round(k: int) -> Instance:
    """An instance that only carries k."""
    return LONE_ROW.but(method="pgs", options={"k": k})


@claim(
    "pgs.batch-size",
    "Section VII, p = 2: k T rounds of one row, which cost as much, have a smaller bound of Theorem 1 than T rounds of"
    " k rows: H_{kT}/(kT) <= H_T/T",
    hypotheses="the bound L^2 H_T/(2 sigma T), in which k does not occur",
    origin=PAPER.reading(
        "k, p = 2",
        note="we read the accuracy that is raised as the bound of Theorem 1; for the error the paper has experiments",
    ),
    evidence=[golden(*(rows_a_round(k) for k in (1, 2, 3, 10, 100)), detail="T = 1 .. 40")],
    control=false_with("k times the left side", rows_a_round(2), rows_a_round(100), power=1),
    proof="H_T/T, the mean of 1, 1/2, .., 1/T, falls with T.",
)
def batch_lines(c: Context, power: int = 0) -> Iterable[Relation]:
    k = c.instance.options["k"]
    for T in (1, 2, 3, 5, 10, 40):
        yield Le(k**power * harmonic(k * T) / (k * T), harmonic(T) / T, f"k = {k}, T = {T}")
