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
from dualgap.proofs_checks.claims.context import Context, Successor
from dualgap.proofs_checks.claims.extra import Extras, further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.pool import Pool
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Lt, Relation
from dualgap.proofs_checks.evidence.levels import all_of, exact, false_with, golden
from dualgap.proofs_checks.evidence.trajectories import Enumerated
from dualgap.proofs_checks.papers.spdc.instances import (
    HALF,
    UNEQUAL_NORMS,
    column,
    nonuniform_anywhere,
    nonuniform_instances,
    runs_weighted,
    with_extra,
)
from dualgap.proofs_checks.papers.spdc.items import PAPER, RESTORED, RESTORED_29
from dualgap.proofs_checks.papers.spdc.setting import (
    ANYWHERE,
    ASSUMED,
    EVERY_STATE,
    A,
    GivenSteps,
    Setting,
    bugs,
    constants,
    norms,
)
from dualgap.proofs_checks.papers.spdc.theorem_1 import contracts, cross_terms
from dualgap.proofs_checks.papers.vocabulary import dot, each_altered, in_order, line, minus, plus
from dualgap.reference import Regularizer
from dualgap.reference.methods.spdc import SPDC, NonUniformSPDC
from dualgap.reference.numbers.arithmetic import Number, sqrt


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


OUTSIDE_DOMAIN = UNEQUAL_NORMS.but(y=Qs(1, -1, 1), loss="smoothed-hinge", gamma=Q(1), l1=Q(1, 10), alpha=Qs(3, -4, 2))


@claim(
    "spdc.theorem-2",
    r"Theorem 2: $(1/(2 \tau) + \lambda) \mathbb{E}\Vert w^t - w^*\Vert^2 +$ $(1/(4 \sigma) + \gamma/n) \mathbb{E}\Vert"
    r" \alpha^t - \alpha^*\Vert^2 \le$ $\theta^t [(1/(2 \tau) + \lambda) \Vert w^0 - w^*\Vert^2 + (1/(2 \sigma) +"
    r" \gamma/(1 - \mathrm{mix})) \Vert \alpha^0 - \alpha^*\Vert^2]$, and so with $\gamma/(p_i n)$ for each $i$ on both"
    r" sides; for squared loss with L2, after (62), $\mathbb{E}[\Psi^{t+1} \vert \mathrm{past}] \le \theta \Psi^t$ for"
    r" all states at once, and the left side is at most $\Psi$",
    hypotheses=rf"{ASSUMED}; $p$ as in (28), $\tau$ and $\sigma$ as in (29); {ANYWHERE}; all states: {EVERY_STATE}",
    origin=PAPER.printed("Theorem 2", "(28)", "(29)", "after (62)", note=f"{RESTORED_29} The second form is ours."),
    evidence=[
        exact(hard_weighted),
        exact(nonuniform_squared, 0.3),
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
        false_with("half of the second term of theta", EQUAL_ROWS, *ONE_LARGER_ROW, share_2=HALF),
        false_with("n instead of n/(1 - mix) in theta", ZERO_ROW, share_1=HALF),
    ),
    kills=bugs("sigma-unscaled weight-one weight-1/n steps-1/R lambda-gamma-swapped"),
    proof="The second form is the printed proof with 1/p_i kept, and gives the first, as 1 <= 1/p_i <= n/(1 - mix).",
)
def theorem_2(c: Context, share_1: Number = 1, share_2: Number = 1) -> Iterable[Relation]:
    """All states at once, and from a start both forms along runs."""
    t, n = hurried_29(c, share_1, share_2), c.n
    yield from t.one_step()
    if t.w_bar != t.w:
        return
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


# -- Appendix C, display by display ------------------------------------------------------------------------------------
# Letters as in Appendix A (``theorem_1``); k is the row drawn with probability p_k, sums are over all rows. alpha^0 may
# lie outside the domain: no conjugate of an old alpha_i is ever taken. The page docs/spdc.md shows each display.


def line_57(t: Setting, strong: int = 1) -> Iterable[Relation]:
    """alpha*_i is the least of a strongly convex function; ``strong`` times gamma."""
    for s in t.c.successors:
        k = s.choice
        omega, star, inner = s.alpha[k], t.alpha_star[k], t.inner(k, t.w_star)
        left = t.conjugate(k, star) - star * inner + strong * t.gamma / 2 * (omega - star) * (omega - star)
        yield Le(left, t.conjugate(k, omega) - omega * inner, f"(57), k = {k}")


def line_58(t: Setting, strong: int = 1) -> Iterable[Relation]:
    """Return the gain of the dual step at every i."""
    for s in t.c.successors:
        k = s.choice
        q, omega, alpha, star = t.pn[k] / t.sigma, s.alpha[k], t.alpha[k], t.alpha_star[k]
        right = (q / 2 + strong * t.gamma) * (omega - star) ** 2 + q / 2 * (omega - alpha) ** 2
        right += t.inner(k, minus(t.w_star, t.w_bar)) * (omega - star)
        yield Le(right, q / 2 * (alpha - star) ** 2, f"(58), k = {k}")


def left_59(t: Setting) -> Number:
    """sum (1/(2 sigma) + (1-p_i) gamma/(p_i n)) (alpha_i - alpha*_i)^2, which (62) has as well."""
    return t.weighted([1 / (2 * t.sigma) + (1 - pn / t.n) * t.gamma / pn for pn in t.pn], t.alpha)


def right_59(t: Setting, s: Successor) -> Number:
    """sum (1/(2 sigma) + gamma/(p_i n)) (alpha_i+ - alpha*_i)^2 + ||alpha+ - alpha||^2/(2 sigma)."""
    return t.weighted(t.weights(2), s.alpha) + t.moved_alpha(s) / (2 * t.sigma)


def line_59(t: Setting, weighted: bool = True) -> Iterable[Relation]:
    """The mean of (58) over i; not weighted: with n instead of 1/p_k."""

    def after(s: Successor) -> Number:
        moved = plus(minus(t.u, t.u_star), t.scale(s) if weighted else t.n, minus(s.state.u, t.u))
        return right_59(t, s) + dot(moved, minus(t.w_star, t.w_bar))

    yield Le(t.c.expect(after), left_59(t), "(59)")


def line_61(t: Setting, strong: int = 1) -> Iterable[Relation]:
    """(60), (61): w* minimises a strongly convex function; what the primal step gains; ``strong`` times lam."""
    for s in t.c.successors:
        distance = t.dw2(s.w)
        slope = t.g(t.w_star) + dot(t.u_star, t.w_star) + strong * t.lam / 2 * distance
        yield Le(slope, t.g(s.w) + dot(t.u_star, s.w), f"(60), k = {s.choice}")
        right = (1 / (2 * t.tau) + strong * t.lam) * distance + t.moved_w(s) / (2 * t.tau)
        right += dot(t.ahead(s), minus(s.w, t.w_star))
        yield Le(right, t.dw2(t.w) / (2 * t.tau), f"(61), k = {s.choice}")


def line_62(t: Setting, weight: int = 1) -> Iterable[Relation]:
    """(59) + (61); ||d+||^2 ``weight`` times."""

    def after(s: Successor) -> Number:
        right = (1 / (2 * t.tau) + t.lam) * t.dw2(s.w) + weight * t.moved_w(s) / (2 * t.tau)
        return right + right_59(t, s) + dot(t.ahead(s), minus(s.w, t.w_bar))

    yield Le(t.c.expect(after), t.dw2(t.w) / (2 * t.tau) + left_59(t), "(62)")


def memory_62(t: Setting, memory: int = 1) -> Iterable[Relation]:
    """(62) with its cross terms paid; memory = 0: without the terms in d on its left side."""
    left = t.dw2(t.w) / (2 * t.tau) + left_59(t) + memory * t.theta * t.memory(t.alpha, minus(t.w, t.before))
    yield Le(t.c.expect(lambda s: t.Psi(s.w, s.alpha, t.w)), left, "(62), cross terms paid")


def contraction_62(t: Setting, factor: int = 1) -> Iterable[Relation]:
    """E[Psi+ | past] <= (1 - factor (1 - theta)) Psi."""
    yield contracts(t, t.Psi, factor, "after (62): E Psi+ <= theta Psi")


def distances_62(t: Setting, count: int = 4) -> Iterable[Relation]:
    """The left side of Theorem 2, with 1/(``count`` sigma), is at most Psi whatever w- is; Psi of w- = w at most the
    right side.
    """
    da2, w_side = t.da2(t.alpha), (1 / (2 * t.tau) + t.lam) * t.dw2(t.w)
    worst = plus(t.w, 2 * t.tau, t.u_of(minus(t.alpha, t.alpha_star)))  # w- where the coupling costs most
    for before in (t.before, worst):
        left = w_side + (1 / (count * t.sigma) + t.gamma / t.n) * da2
        yield Le(left, t.Psi(t.w, t.alpha, before), "after (62): left side of Theorem 2 <= Psi")
    start = w_side + (1 / (2 * t.sigma) + t.gamma / (1 - t.c.q(t.c.instance.options["mix"]))) * da2
    yield Le(t.Psi(t.w, t.alpha, t.w), start, "after (62): Psi of w- = w <= right side of Theorem 2")


# norms 1, 1, 1, 30: p_4 n = 1/5 + (4/5) 120/33; squared loss with L2: (57), (58) and (61) are equalities
ONE_LONG_ROW = with_extra(column((1, 1, 1, 30), "1/10000", mix=Q(4, 5)), before=Qs(2)).but(alpha=Qs(1, -1, 1, 2))
ONE_ROW = with_extra(column((1,), "1/100", mix=Q(9, 10)), before=Qs(2)).but(alpha=Qs(1))
MOVING = ONE_ROW.but(lam=Q(1, 225), gamma=Q(1, 4), options={"mix": HALF}, extra=further(w=Qs("1/2"), before=Qs(0)))
SLOW = MOVING.but(y=Qs(1), alpha=Qs(0), lam=Q(2), loss="squared-hinge", gamma=None, extra=Extras())
BOTH = (ONE_LONG_ROW, ONE_ROW)
PRINTED = (
    line(line_57, "(57), 2 gamma for gamma", *BOTH, strong=2),
    line(line_58, "(58), 2 gamma for gamma", *BOTH, strong=2),
    line(line_59, "(59), n for 1/p_k", ONE_LONG_ROW, weighted=False),
    line(line_61, "(60), (61), 2 lam for lam", *BOTH, strong=2),
    line(line_62, "(62), d+ counted twice", *BOTH, weight=2),
)
RESTORED_62 = (
    line(cross_terms, "the bound, a right side a quarter smaller", *BOTH, share=Q(3, 4)),
    line(memory_62, "the terms in d left out", MOVING, memory=0),
    line(contraction_62, "1 - theta multiplied by 3", SLOW, factor=3),
    line(distances_62, "1/(2 sigma) for 1/(4 sigma) on the left", ONE_ROW, count=2),
)
STATE = A + r"; (28), (29); any $w^t$, $w^{t-1}$ and $\alpha^t$, outside the domain too"


@claim(
    "spdc.appendix-c",
    "Appendix C, the proof of Theorem 2 display by display: (57) and (58) for the dual step, their mean (59), (60) and"
    " (61) for the primal one, and (62)",
    hypotheses=STATE,
    origin=PAPER.printed(*(f"({k})" for k in range(57, 63)), note=RESTORED),
    evidence=[exact(nonuniform_anywhere)],
    control=each_altered(PRINTED, Setting),
)
def appendix_c(c: Context) -> Iterable[Relation]:
    return in_order(PRINTED, Setting(c))


@claim(
    "spdc.appendix-c.end",
    r"After (62), the end of the proof: a bound of the cross terms, (62) with them paid, $\mathbb{E}[\Psi^+ \vert"
    r" \mathrm{past}] \le \theta \Psi$, and $\Psi$ between both sides of Theorem 2",
    hypotheses=STATE,
    origin=PAPER.reading(
        "after (62)", note="Missing in our copy except for its first line; the counterpart of what stands after (53)."
    ),
    evidence=[exact(nonuniform_anywhere)],
    control=each_altered(RESTORED_62, Setting),
    proof=(
        "||x_k||/(p_k n) <= R_bar/mix and tau sigma = mix^2/(4 R_bar^2). 1/(1 + 2 lam tau) <= theta and 1 - 1/(1/p_i +"
        " n/(2 sigma gamma)) <= theta, as 1/p_i <= n/(1 - mix). |(1/n) a^T X d| <= ||d||^2/(4 tau) + ||a||^2/(4 sigma)"
        " by ||X||^2/n^2 <= R_bar^2."
    ),
)
def end_of_appendix_c(c: Context) -> Iterable[Relation]:
    return in_order(RESTORED_62, Setting(c))
