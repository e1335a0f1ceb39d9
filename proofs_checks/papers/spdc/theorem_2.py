"""SPDC, section 4, Theorem 2: the rate of Algorithm 3, and the mix that makes its theta smallest.

    (28)       p_k = (1 - mix)/n + mix ||x_k||/sum ||x_i||
    (29)       tau = (mix/(2 R_bar)) sqrt(gamma/(n lam)), sigma = (mix/(2 R_bar)) sqrt(n lam/gamma),
               theta = 1 - 1/(n/(1 - mix) + (R_bar/mix) sqrt(n/(lam gamma)))
    Theorem 2  (1/(2 tau) + lam) E||w^t - w*||^2 + (1/(4 sigma) + gamma/n) E||alpha^t - alpha*||^2
               <= theta^t [(1/(2 tau) + lam) ||w^0 - w*||^2 + (1/(2 sigma) + gamma/(1 - mix)) ||alpha^0 - alpha*||^2]

Evidence is exact for all states or all t where steps are linear, and over all paths elsewhere, as in ``theorem_1``.
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any, cast

from hypothesis.strategies import DrawFn, SearchStrategy

from dualgap.proofs_checks.claims import drawing as st
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import Extras
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.pool import Pool
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Lt, Relation
from dualgap.proofs_checks.evidence.levels import all_of, exact, false_with, golden
from dualgap.proofs_checks.evidence.trajectories import Enumerated
from dualgap.proofs_checks.papers.spdc.instances import (
    UNEQUAL_NORMS,
    column,
    nonuniform_instances,
    runs_weighted,
    with_extra,
)
from dualgap.proofs_checks.papers.spdc.items import PAPER, RESTORED_29
from dualgap.proofs_checks.papers.spdc.setting import (
    ANYWHERE,
    ASSUMED,
    EVERY_STATE,
    GivenSteps,
    Setting,
    bugs,
    constants,
    norms,
)
from dualgap.reference import Regularizer
from dualgap.reference.methods.spdc import SPDC, NonUniformSPDC
from dualgap.reference.numbers.arithmetic import Number, sqrt

HALF = Q(1, 2)


def mixed(rows: Iterable[int], lam: int | str, mix: Fraction = HALF) -> Instance:
    """A ``column`` for Algorithm 3 from alpha^0 = 1."""
    made = column(rows, lam, mix=mix)
    return made.but(alpha=Qs(1) * len(made.rows))


EQUAL_ROWS = with_extra(mixed((1, 1), "1/200"), horizon=150)
ONE_LARGER_ROW = tuple(mixed((1, 1, 1, last), "1/90000", Q(4, 5)) for last in (3, 30))
ZERO_ROW = mixed((1, 0), 50)


def hurried_29(c: Context, share_1: Number, share_2: Number) -> Setting:
    """Algorithm 3 with these shares of the two terms of theta."""
    k = constants(c, share_1=share_1, share_2=share_2)
    return Setting(Context(c.instance, GivenSteps(k), problem=c.problem) if (share_1, share_2) != (1, 1) else c, k)


# One row larger than the others and a large kappa_bar: a wrong weight has a visible effect.
hard_weighted = Pool("spdc.hard_weighted", st.sampled_from, ONE_LARGER_ROW)
# Squared loss, L2.
nonuniform_squared = Pool("spdc.nonuniform_squared", nonuniform_instances, losses=("squared",), l1=Qs(0))


@claim(
    "spdc.theorem-2.all-states",
    r"Theorem 2, after (62): $\mathbb{E}[\Psi^{t+1} \vert \mathrm{past}] \le \theta \Psi^t$, $\theta$ of (29), and the"
    r" left side of Theorem 2 is at most $\Psi$, for all states at once",
    hypotheses=r"squared loss, L2; $p$, $\tau$ and $\sigma$ as in (28), (29); " + EVERY_STATE,
    origin=PAPER.printed("Theorem 2", "after (62)", note=RESTORED_29),
    evidence=[exact(hard_weighted), exact(nonuniform_squared, 0.3), golden(UNEQUAL_NORMS, ZERO_ROW)],
    control=all_of(
        false_with("half of the second term of theta", EQUAL_ROWS, *ONE_LARGER_ROW, share_2=HALF),
        false_with("n instead of n/(1 - mix) in theta", ZERO_ROW, share_1=HALF),
    ),
    kills=bugs("sigma-unscaled weight-one weight-1/n steps-1/R lambda-gamma-swapped"),
)
def theorem_2_all_states(c: Context, share_1: Number = 1, share_2: Number = 1) -> Iterable[Relation]:
    yield from hurried_29(c, share_1, share_2).one_step()


OUTSIDE_DOMAIN = UNEQUAL_NORMS.but(y=Qs(1, -1, 1), loss="smoothed-hinge", gamma=Q(1), l1=Q(1, 10), alpha=Qs(3, -4, 2))


@claim(
    "spdc.theorem-2",
    r"Theorem 2: $(1/(2 \tau) + \lambda) \mathbb{E}\Vert w^t - w^*\Vert^2 +$ $(1/(4 \sigma) + \gamma/n) \mathbb{E}\Vert"
    r" \alpha^t - \alpha^*\Vert^2 \le$ $\theta^t [(1/(2 \tau) + \lambda) \Vert w^0 - w^*\Vert^2 + (1/(2 \sigma) +"
    r" \gamma/(1 - \mathrm{mix})) \Vert \alpha^0 - \alpha^*\Vert^2]$, and so with $\gamma/(p_i n)$ for each $i$ on both"
    " sides",
    hypotheses=rf"{ASSUMED}; $p$ as in (28), $\tau$ and $\sigma$ as in (29); {ANYWHERE}",
    origin=PAPER.printed("Theorem 2", "(28)", "(29)", note=f"{RESTORED_29} The second form is ours."),
    evidence=[
        Enumerated(runs_weighted, 0.15),
        golden(
            UNEQUAL_NORMS,
            ZERO_ROW,
            EQUAL_ROWS,
            OUTSIDE_DOMAIN,
            level="ENUMERATED",
            detail="norms 5, 1 and 0, a zero row, equal rows to t = 150, outside the domain",
        ),
    ],
    control=all_of(
        false_with("half of the second term of theta", EQUAL_ROWS, share_2=HALF),
        false_with("n instead of n/(1 - mix) in theta", ZERO_ROW, share_1=HALF),
    ),
    proof="The second form is the printed proof with 1/p_i kept, and gives the first, as 1 <= 1/p_i <= n/(1 - mix).",
)
def theorem_2(c: Context, share_1: Number = 1, share_2: Number = 1) -> Iterable[Relation]:
    t, n = hurried_29(c, share_1, share_2), c.n
    yield from t.in_distance()
    left, right = 1 / (4 * t.sigma) + c.gamma / n, 1 / (2 * t.sigma) + c.gamma / (1 - Q(c.instance.options["mix"]))
    yield from t.in_distance(left=[left] * n, right=[right] * n)


# -- the mix -----------------------------------------------------------------------------------------------------------


@st.composite
def fourth_powers(draw: DrawFn, /) -> Instance:
    """n lam gamma/R_bar^2 = q^4, so that the best mix 1/(1 + q) is rational; half of the time all norms are equal."""
    instance = draw(nonuniform_instances(max_d=2, max_path=0, anywhere=True))
    if draw(st.booleans()):
        instance = instance.but(rows=tuple((Q(2),) for _ in instance.rows), extra=Extras())
    q, c = draw(st.sampled_from(Qs(1, "1/2", "2/3", 3, "1/10"))), Context(instance)
    return instance.but(lam=q**4 * norms(c)[1] ** 2 / (c.n * c.gamma))


@claim(
    "spdc.theorem-2.mix",
    r"Theorem 2, (29): $\theta$ is smallest at $\mathrm{mix} = 1/(1 + (n/\bar{\kappa})^{1/4})$, $\bar{\kappa} ="
    r" \bar{R}^2/(\lambda \gamma)$, where it is $1 - 1/(n (1 + (\bar{\kappa}/n)^{1/4})^2)$; $\mathrm{mix} = 1/2$"
    r" exactly for $n = \bar{\kappa}$; with equal norms $1/(1 - \theta)$ is then more than, and at most twice, the $n +"
    r" R \sqrt{n/(\lambda \gamma)}$ of uniform sampling",
    hypotheses=r"$\sum \Vert x_i\Vert > 0$",
    origin=PAPER.printed(
        "best mix", "mix and conditioning", "(29)", note=f"{RESTORED_29} What it says of equal norms is ours."
    ),
    evidence=[exact(fourth_powers), golden(UNEQUAL_NORMS.but(lam=Q(1, 12)))],
    control=false_with(
        "1/(1 + (n/kappa_bar)^(1/2))", UNEQUAL_NORMS.but(lam=Q(1, 12)), UNEQUAL_NORMS.but(lam=Q(4, 3 * 16)), power=2
    ),
    proof=(
        "a/(1 - mix) + b/mix >= (sqrt a + sqrt b)^2 (Cauchy), with equality at mix = sqrt b/(sqrt a + sqrt b); a = n, b"
        " = R_bar sqrt(n/(lam gamma)). (1 + r)^2/(1 + r^2) lies in (1, 2] for r > 0."
    ),
)
def theorem_2_mix(c: Context, power: int = 1) -> Iterable[Relation]:
    n, (every, mean) = c.n, norms(c)
    kappa_bar = mean * mean / (c.mu * c.gamma)
    q = sqrt(sqrt(n / kappa_bar))
    best, other = 1 / (1 + q**power), Q(c.instance.options["mix"])
    least = 1 / (1 - constants(c, best).theta)
    yield Le(least, 1 / (1 - constants(c, other).theta), f"1/(1 - theta) at mix = {best} and {other}")
    yield Eq(least, n * (1 + 1 / q) ** 2, "its value")
    yield Eq(int(best == HALF), int(n == kappa_bar), "1/2 exactly for n = kappa_bar")
    if len(set(every)) == 1:
        uniform = n + mean * sqrt(n / (c.mu * c.gamma))
        yield Lt(uniform, least, "equal norms: worse than uniform sampling")
        yield Le(least, 2 * uniform, "equal norms: at most twice")
    by_default: Any = NonUniformSPDC().parameters(c.problem)
    yield Eq(by_default.theta, 1 - 1 / least, "the method's default")
    half = c.problem.with_regularizer(Regularizer(c.mu / 2, c.instance.l1))
    centred: Any = NonUniformSPDC().parameters(half.centred(c.mu / 2, [c.problem.zero] * c.problem.d))
    yield Eq(centred.theta, by_default.theta, "the same modulus, half of it that of a proximal term")


def halves() -> SearchStrategy[Instance]:
    """Algorithm 3 with mix = 1/2, norms from 1/100 to 30."""
    return nonuniform_instances(max_path=0, anywhere=True).map(lambda i: i.but(options={"mix": HALF}))


FAR_ROW = mixed((1, 1, 1, 30), "1/40000").but(extra=Extras())


@claim(
    "spdc.theorem-2.half",
    r"After Theorem 2: at $\mathrm{mix} = 1/2$ the steps of (29) are those of (16) with $2 \bar{R}$ instead of"
    r" $R$, and $1/(1 - \theta)$ is $2n + 2 \bar{R} \sqrt{n/(\lambda \gamma)}$: the mean norm where (16) has the"
    r" largest; so on unnormalized data it needs fewer steps than Algorithm 1, exactly for $2 (R - \bar{R})"
    r" \sqrt{n/(\lambda \gamma)} > n$",
    hypotheses=r"Assumption A; (16) with $R = \max\, \Vert x_i\Vert$, (29) with $\mathrm{mix} = 1/2$",
    origin=PAPER.printed(
        "comparison with Theorem 1",
        "unnormalized data",
        note=f"{RESTORED_29} Where exactly it needs fewer steps is ours.",
    ),
    evidence=[exact(halves), golden(FAR_ROW)],
    kills=bugs("steps-1/R lambda-gamma-swapped"),
    control=false_with("with R_bar instead of R", FAR_ROW, count=1),
)
def at_one_half(c: Context, count: int = 2) -> Iterable[Relation]:
    every, mean = norms(c)
    root, R = sqrt(c.n / (c.mu * c.gamma)), max(every)
    ours, theirs = (cast(Any, method).parameters(c.problem) for method in (c.method, SPDC()))
    for name in ("tau", "sigma"):
        left, right = getattr(ours, name) * count * mean, getattr(theirs, name) * R
        yield Eq(left, right, f"{name}: (16) with 2 R_bar instead of R")
    weighted, uniform = 1 / (1 - ours.theta), 1 / (1 - theirs.theta)
    yield Eq(weighted, 2 * c.n + 2 * mean * root, "1/(1 - theta) = 2n + 2 R_bar sqrt(n/(lam gamma))")
    ahead = 2 * (R - mean) * root > c.n
    yield Eq(weighted < uniform, ahead, "fewer steps than Algorithm 1: 2 (R - R_bar) sqrt(n/(lam gamma)) > n")
