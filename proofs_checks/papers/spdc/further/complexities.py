"""SPDC, what the paper says of its complexities: batch sizes, passes, weights against uniform sampling, and the batch
method.

A complexity is 1/(1 - theta) here, constants and all, theta that of the method itself; the paper hides constants and a
logarithm.
"""

from math import isqrt

import numpy as np

from dualgap.proofs_checks.papers.spdc.items import PAPER, RESTORED, RESTORED_29
from dualgap.proofs_checks.papers.spdc.quadratic_certificates import semidefinite_pivots
from dualgap.proofs_checks.papers.spdc.rates_weighted import norms
from dualgap.proofs_checks.papers.spdc.strategies import batches, nonuniform_instances, singles
from dualgap.proofs_checks.papers.vocabulary import *

UNIFORM = r"Assumption A; (16), $m = 1$, with any $R \ge \max\, \Vert x_i\Vert$"


def steps(method: Any, c: Context) -> Number:
    """1/(1 - theta) of the method on the context's problem."""
    return 1 / (1 - method.parameters(c.problem).theta)


def kappa(c: Context) -> Number:
    """(2), with the R that the instance gives."""
    return c.q(c.instance.options["R"]) ** 2 / (c.mu * c.gamma)


# -- m = 1 -------------------------------------------------------------------------------------------------------------


# kappa/n = 25
ONE = Instance(rows=(Qs(1), Qs(1)), y=Qs(0, 0), alpha=Qs(0, 0), lam=Q(1, 50), method="spdc", options={"R": Q(1)})


@claim(
    "spdc.3",
    r"(3): the steps of SPDC, $n + 2R \sqrt{n/(\lambda \gamma)}$, are $1 + 2 \sqrt{\kappa/n}$ passes; $1 +"
    r" \sqrt{\kappa/n}$ is below "
    r"$1 + \kappa/n$ exactly for $\kappa > n$, and below the $1 + \sqrt \kappa$ of the batch methods for $n > 1$",
    hypotheses=UNIFORM,
    origin=PAPER.printed("(3)", "(2)", "batch complexity", "batch methods compared", note=RESTORED),
    evidence=[exact(singles)],
    kills=["spdc.theta-without-root", "spdc.half-radius"],
    control=false_with("with R in the place of 2R", ONE, constant=1),
)
def batch_complexity(c: Context, constant: int = 2) -> Iterable[Relation]:
    """(3) with this constant before its root, and what it is compared with."""
    n, ratio = c.n, kappa(c) / c.n
    root = sqrt(ratio)
    yield Eq(steps(c.method, c) / n, 1 + constant * root, "passes: 1 + 2 sqrt(kappa/n)")
    yield Eq(int(root < ratio), int(kappa(c) > n), "1 + sqrt(kappa/n) < 1 + kappa/n exactly for kappa > n")
    yield Le(ratio, kappa(c), "(sqrt(kappa/n))^2 <= (sqrt kappa)^2: not behind the batch methods")
    yield Eq(int(ratio < kappa(c)), int(n > 1), "and ahead of them for n > 1")


@claim(
    "spdc.times-faster",
    "Section 7.1: SPDC is up to sqrt(n) times faster than AFG, and for kappa >= n up to R (lam gamma n)^(-1/2) ="
    " sqrt(kappa/n) times faster than SAG and SDCA: sqrt(kappa)/(1 + sqrt(kappa/n)) <= sqrt(n), (1 + kappa/n)/(1 +"
    " sqrt(kappa/n)) <= sqrt(kappa/n)",
    hypotheses=UNIFORM,
    origin=PAPER.reading(
        "times faster",
        note=(
            "Both factors are lost in the text at hand; these are the quotients of the batch complexities that it"
            " names, without constants. It accuses nobody."
        ),
    ),
    evidence=[exact(singles)],
    kills=["spdc.half-radius"],
    control=false_with("nine tenths of both", ONE.but(lam=Q(1, 2 * 10**6)), share=Q(9, 10)),
    proof="sqrt(n) (1 + r) >= sqrt(n) r = sqrt(kappa), and r + r^2 >= 1 + r^2 for r = sqrt(kappa/n) >= 1.",
)
def times_faster(c: Context, share: Number = Q(1)) -> Iterable[Relation]:
    """The quotients of the complexities without constants, against ``share`` of their bounds."""
    n, root = c.n, (steps(c.method, c) / c.n - 1) / 2
    yield Le(kappa(c), share * share * n * (1 + root) ** 2, "sqrt(kappa) <= sqrt(n) (1 + sqrt(kappa/n)), squared: AFG")
    if kappa(c) >= n:
        yield Le(
            1 + root * root,
            share * root * (1 + root),
            "1 + kappa/n <= R (lam gamma n)^-1/2 (1 + sqrt(kappa/n)): SAG, SDCA",
        )


# -- m > 1 -------------------------------------------------------------------------------------------------------------


@st.composite
def square_batches(draw: DrawFn) -> Instance:
    """n = 4, 9, 16 or 36 rows (x) and a rational sqrt(kappa/n): theta is rational for every square m."""
    n, R = draw(st.sampled_from((4, 9, 16, 36))), draw(st.sampled_from(Qs(1, 3, "1/5")))
    ratio, gamma = draw(st.sampled_from(Qs(1, "1/10", 30, "2/3"))), draw(st.sampled_from(Qs(1, "1/4", 3)))
    return Instance(
        rows=(Qs(R), *(Qs("1/7"),) * (n - 1)),
        y=Qs(0) * n,
        alpha=Qs(0) * n,
        lam=(R / ratio) ** 2 / (n * gamma),
        gamma=gamma,
        method="spdc",
        options={"R": R},
    )


# What ``square_batches`` draws.
batch_sizes = Pool("spdc.batch_sizes", square_batches)


@claim(
    "spdc.batch-size",
    r"After Corollary 1: Mini-Batch SPDC takes $n/m + 2 \sqrt{\kappa n/m}$ steps, fewer for a larger $m$, $1 + 2"
    r" \sqrt{\kappa}$ for $m = n$; "
    r"and $1 + 2 \sqrt{\kappa m/n}$ passes, fewer for a smaller $m$, fewest for $m = 1$",
    hypotheses=(
        r"Assumption A; (16); up to the logarithm of Corollary 1, which does not depend on $m$; every square $m \le n ="
        r" 4$, 9, 16, 36"
    ),
    origin=PAPER.printed(
        "larger batch", "smaller batch", "best batch", "full batch", "iteration complexity", note=RESTORED
    ),
    evidence=[exact(batch_sizes)],
    kills=["spdc.theta-without-root", "spdc.half-radius"],
    control=false_with(
        "fewer passes for a larger m",
        ONE.but(rows=(Qs(1),) * 4, y=Qs(0) * 4, alpha=Qs(0) * 4, lam=Q(1, 4)),
        passes_fall=True,
    ),
    proof="n/m and sqrt(n/m) fall with m; times m/n they are 1 and sqrt(m/n).",
)
def sizes(c: Context, passes_fall: bool = False) -> Iterable[Relation]:
    """Steps and passes of every square m, in order; ``passes_fall`` is a mistake."""
    n, R = c.n, c.instance.options["R"]
    kind: Any = type(c.method)
    root, before = sqrt(kappa(c) / n), None
    for m in (k * k for k in range(1, isqrt(n) + 1)):
        found = steps(kind(m=m, R=R), c)
        yield Eq(found, Q(n, m) + 2 * root * n / isqrt(m), f"m = {m}: n/m + 2 sqrt(kappa n/m)")
        passes = found * m / n
        if before is not None:
            yield Lt(found, before[0], f"m = {m}: fewer steps")
            yield (
                Lt(passes, before[1], f"m = {m}: fewer passes")
                if passes_fall
                else Lt(before[1], passes, f"m = {m}: more passes")
            )
        before = found, passes
    if isqrt(n) ** 2 == n:
        yield Eq(found, 1 + 2 * root * isqrt(n), "m = n: 1 + 2 sqrt(kappa)")


# -- weights -----------------------------------------------------------------------------------------------------------


def halves() -> SearchStrategy[Instance]:
    """Algorithm 3 with mix = 1/2, norms from 1/100 to 30."""
    return nonuniform_instances(max_path=0, anywhere=True).map(lambda i: i.but(options={"mix": Q(1, 2)}))


def _parameters(method: Any, c: Context) -> Any:
    return method.parameters(c.problem)


FAR_ROW = Instance(  # norms 1, 1, 1, 30
    rows=(Qs(1), Qs(1), Qs(1), Qs(30)),
    y=Qs(0) * 4,
    alpha=Qs(0) * 4,
    lam=Q(1, 40000),
    method="spdc-nonuniform",
    options={"mix": Q(1, 2)},
)


@claim(
    "spdc.theorem-2.half",
    r"After Theorem 2: at $\mathrm{mix} = 1/2$ the steps of (29) are those of (16) with $2 \bar{R}$ in the place of"
    r" $R$, and $1/(1 - \theta)$ "
    r"is $2n + 2 \bar{R} \sqrt{n/(\lambda \gamma)}$: the mean norm where (16) has the largest; so on unnormalized data"
    r" it needs fewer steps "
    r"than Algorithm 1, exactly for $2 (R - \bar{R}) \sqrt{n/(\lambda \gamma)} > n$",
    hypotheses=r"Assumption A; (16) with $R = \max\, \Vert x_i\Vert$, (29) with $\mathrm{mix} = 1/2$",
    origin=PAPER.printed(
        "comparison with Theorem 1",
        "unnormalized data",
        note=f"{RESTORED_29} Where exactly it needs fewer steps is ours.",
    ),
    evidence=[exact(halves), golden(FAR_ROW)],
    kills=["spdc.steps-1/R", "spdc.lambda-gamma-swapped"],
    control=false_with("with R_bar in the place of R", FAR_ROW, count=1),
)
def at_one_half(c: Context, count: int = 2) -> Iterable[Relation]:
    """(29) at mix = 1/2 against (16), with ``count`` times the mean norm in the place of R."""
    every, mean = norms(c)
    root, R = sqrt(c.n / (c.mu * c.gamma)), max(every)
    weighted, uniform = c.method, SPDC()
    ours, theirs = (_parameters(method, c) for method in (weighted, uniform))
    for name in ("tau", "sigma"):
        yield Eq(
            getattr(ours, name) * count * mean,
            getattr(theirs, name) * R,
            f"{name}: (16) with 2 R_bar in the place of R",
        )
    yield Eq(steps(weighted, c), 2 * c.n + 2 * mean * root, "1/(1 - theta) = 2n + 2 R_bar sqrt(n/(lam gamma))")
    ahead = int(steps(weighted, c) < steps(uniform, c))
    yield Eq(
        ahead,
        int(2 * (R - mean) * root > c.n),
        "fewer steps than Algorithm 1 exactly for 2 (R - R_bar) sqrt(n/(lam gamma)) > n",
    )


# -- m = n -------------------------------------------------------------------------------------------------------------


@claim(
    "spdc.table-2.norms",
    r"Section 5, Table 2: $\Vert A\Vert_2 \le \Vert A\Vert_F \le \sqrt{n} R$, the second an equality exactly where the"
    r" $a_i$ are normalized, "
    r"so that Chambolle and Pock's $1 + \Vert A\Vert_2/(2 \sqrt{n \lambda \gamma})$ is in the worst case $1 +"
    r" \sqrt{\kappa}/2$",
    hypotheses=r"any rows; any $R \ge \max\, \Vert a_i\Vert$, normalized being of norm $R$",
    origin=PAPER.printed(
        "spectral and Frobenius norm",
        "equality for normalized rows",
        note="The sentences stand, the formulas are lost and restored: the columns that it names are the a_i.",
    ),
    evidence=[exact(batches)],
    kills=["spdc.half-radius"],
    control=false_with(
        "an equality for the norms 1 and 3", ONE.but(rows=(Qs(1), Qs(3)), options={"R": Q(3)}), equal=True
    ),
    proof="The largest eigenvalue of A^T A is at most their sum, which is sum ||a_i||^2.",
)
def spectral(c: Context, equal: bool | None = None) -> Iterable[Relation]:
    """||X||_2 <= ||X||_F <= sqrt(n) R; whether the second is an equality, or what ``equal`` says of it."""
    method: Any = c.method
    R2 = method.radius(c.problem, c.problem.norms2) ** 2
    X = np.array(c.instance.rows, dtype=object)
    frobenius2, d = sum(c.problem.norms2, Q(0)), c.problem.d
    form = frobenius2 * np.eye(d, dtype=int).astype(object) - X.T @ X
    yield Eq(semidefinite_pivots(form), d, "||X||_F^2 I - X^T X: pivots >= 0")
    yield Le(frobenius2, c.n * R2, "||X||_F^2 <= n R^2")
    expected = set(c.problem.norms2) == {R2} if equal is None else equal
    yield Eq(int(frobenius2 == c.n * R2), int(expected), "an equality exactly where every row has norm R")
    theirs, squared = frobenius2 / (4 * c.n * c.mu * c.gamma), R2 / (c.mu * c.gamma)
    yield Le(theirs, squared / 4, "(||X||_F/(2 sqrt(n lam gamma)))^2 <= kappa/4")
