"""SPDC, section 2: the gaps of the saddle function, (19) and Lemma 1; how many steps are enough, by Corollaries 1 and
2; and which batches take fewest.

    (19)         f(w, alpha*) - f* >= (lam/2) ||w - w*||^2,  f* - f(w*, alpha) >= (gamma/(2n)) ||alpha - alpha*||^2
    Lemma 1      P(w) <= f(w, alpha*) + (R^2/(2 gamma)) ||w - w*||^2
                 D(alpha) >= f(w*, alpha) - (R^2/(2 lam n)) ||alpha - alpha*||^2
    Corollary 1  T >= (n/m + 2R sqrt(n/(m lam gamma))) ln(C_1/eps),
                 C_1 = C/min{1/(2 tau) + lam/2, (1/(4 sigma) + gamma/2)/m}
    Corollary 2  T >= (n/m + 2R sqrt(n/(m lam gamma))) ln((1 + R^2/(lam gamma)) C/eps)

Points of (19) and Lemma 1 lie between the saddle point and w, alpha: at w* + epsilon (w - w*) and alpha* + epsilon
(alpha - alpha*). T is computed from the formulas, with logarithms enclosed until the ceiling is certain.
"""

from collections.abc import Iterable
from fractions import Fraction
from math import isqrt
from typing import cast

from hypothesis.strategies import DrawFn, SearchStrategy

from dualgap.proofs_checks.claims import drawing as st
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.pool import Pool
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Lt, Relation
from dualgap.proofs_checks.engines.logarithms import steps_for
from dualgap.proofs_checks.evidence.levels import all_of, enclosed, exact, fails_on, false_with, golden
from dualgap.proofs_checks.evidence.trajectories import Enumerated
from dualgap.proofs_checks.papers.spdc.instances import (
    BATCHES_OF_TWO,
    SHARP,
    THREE_ROWS,
    WELL,
    batch_instances,
    column,
    hurried,
    logistic,
    with_extra,
    with_theta,
)
from dualgap.proofs_checks.papers.spdc.items import PAPER, RESTORED
from dualgap.proofs_checks.papers.spdc.quadratic_certificates import Observable
from dualgap.proofs_checks.papers.spdc.setting import SMOOTH, START, A, Setting, bugs, steps_of
from dualgap.proofs_checks.papers.vocabulary import each_altered, in_order, line, minus, plus
from dualgap.proofs_checks.strategies.instances import any_of
from dualgap.reference.methods.spdc import SPDC, THETAS
from dualgap.reference.numbers.arithmetic import Number, sqrt
from dualgap.reference.problem.problem import Vector

EPSILONS = Qs(1, "1/10", "1/1000", "1/1000000")
FROM_START = {"max_path": 0, "free": False}
near = Pool("spdc.near", batch_instances, extra=any_of(epsilon=EPSILONS), **FROM_START)


def near_logistic() -> SearchStrategy[Instance]:
    """Logistic loss, w* = 0 and alpha*_i = -y_i/2: points with w_j != 0 and alpha_i != alpha*_i."""

    def apart(i: Instance) -> Instance:
        w = tuple(w_j or Q(1) for w_j in i.extra.get("w") or Qs(0) * len(i.rows[0]))
        alpha = tuple(a if a != -y / 2 else -y / 3 for a, y in zip(i.alpha, i.y))
        return i.but(alpha=alpha, path=(), extra=further(w=w, epsilon=Q(1)))

    return logistic().map(apart)


def near_point(t: Setting) -> tuple[Vector, Vector]:
    """(w* + epsilon (w - w*), alpha* + epsilon (alpha - alpha*))."""
    epsilon = t.c.given.epsilon
    return plus(t.w_star, epsilon, minus(t.w, t.w_star)), plus(t.alpha_star, epsilon, minus(t.alpha, t.alpha_star))


TWO_ROWS = with_extra(column((3, 3), "2/3", R=Q(3)), w=Qs(2), epsilon=Q(1)).but(
    y=Qs(1, -2), alpha=Qs(1, 1), gamma=Q(1, 3)
)
WELL_CONDITIONED = with_extra(column((1,), 4, R=Q(1)), epsilon=Q(1))  # P - D is 5/4 of the gap of f


def line_19(t: Setting, factor: int = 1) -> Iterable[Relation]:
    w, alpha = near_point(t)
    yield Le(factor * t.lam / 2 * t.dw2(w), t.gap_w(w), "(19), w")
    yield Le(factor * t.gamma / (2 * t.n) * t.da2(alpha), t.gap_alpha(alpha), "(19), alpha")


def both_of_lemma_1(t: Setting, factor: Number = 1) -> Iterable[Relation]:
    w, alpha = near_point(t)
    above = t.problem.f(w, t.alpha_star) + factor * t.c.R2 / (2 * t.gamma) * t.dw2(w)
    yield Le(t.problem.P(w), above, "Lemma 1, P")
    below = t.problem.f(t.w_star, alpha) - factor * t.c.R2 / (2 * t.lam * t.n) * t.da2(alpha)
    yield Le(below, t.problem.D(alpha), "Lemma 1, D")


def sandwich(t: Setting, factor: int = 1) -> Iterable[Relation]:
    (w, alpha), f = near_point(t), t.problem.f
    P, D, between = t.problem.P(w), t.problem.D(alpha), f(w, t.alpha_star) - f(t.w_star, alpha)
    for a, v in ((alpha, w), (t.alpha_star, t.w_star)):
        yield Le(f(w, a), P, "f(w, a) <= P(w)")
        yield Le(D, f(v, alpha), "D(alpha) <= f(v, alpha)")
    yield Le(factor * between, P - D, "f(w, alpha*) - f(w*, alpha) <= P - D")
    yield Le(0, between, "0 <= f(w, alpha*) - f(w*, alpha)")


GAPS = (
    line(line_19, "(19), both constants doubled", TWO_ROWS, factor=2),
    line(both_of_lemma_1, "Lemma 1, both constants halved", TWO_ROWS, factor=Q(1, 2)),
    line(sandwich, "the gap of f doubled", WELL_CONDITIONED, factor=2),
)


@claim(
    "spdc.lemma-1",
    r"Lemma 1: $P(w) \le f(w, \alpha^*) +$ $(R^2/(2 \gamma))\Vert w - w^*\Vert^2$ and $D(\alpha) \ge f(w^*, \alpha) -$"
    r" $(R^2/(2 \lambda n))\Vert \alpha - \alpha^*\Vert^2$; (19): $f(w, \alpha^*) - f^* \ge (\lambda/2)\Vert w -"
    r" w^*\Vert^2$ and $f^* - f(w^*, \alpha) \ge$ $(\gamma/(2n))\Vert \alpha - \alpha^*\Vert^2$; after (18): $P(w) \ge"
    r" f(w, a)$ and $D(\alpha) \le f(v, \alpha)$ for all $a$ and $v$, so $P(w) - D(\alpha) \ge$ $f(w, \alpha^*) -"
    r" f(w^*, \alpha) \ge 0$",
    hypotheses=rf"{A}; any $w$, $\alpha$ in the domain; $R = \max\, \Vert x_i\Vert$",
    origin=PAPER.printed(
        "Lemma 1",
        "proof of Lemma 1",
        "(19)",
        "unique saddle point",
        "facts under Assumption A",
        "gap and saddle function",
        "(18)",
        note=RESTORED,
    ),
    evidence=[exact(near), enclosed(near_logistic, 0.2)],
    control=each_altered(GAPS, Setting),
)
def lemma_1(c: Context) -> Iterable[Relation]:
    """Check Lemma 1; for the logistic loss without the last line, whose equalities no interval decides."""
    return in_order(GAPS[:2] if c.instance.loss == "logistic" else GAPS, Setting(c))


# -- Corollary 1 -------------------------------------------------------------------------------------------------------


FEW = {"max_n": 3, "max_path": 0, "free": False, "ratios": WELL}  # starts of runs


@st.composite
def to_eps(draw: DrawFn, /) -> Instance:
    """Squared loss, L2, and an accuracy to be reached."""
    theta, eps = draw(st.sampled_from(THETAS)), any_of(eps=Qs("1/4", "1/10", "1/1000"))
    return draw(batch_instances(losses=("squared",), l1=Qs(0), max_d=1, theta=theta, extra=eps, **FEW))


def reached(t: Setting, targets: list[tuple[Observable, Number]], share: Fraction) -> Iterable[Relation]:
    """E observable <= eps at T = ceil(share ln(factor/eps)/(1 - theta)) for every (observable, factor) of ``targets``.

    Nothing where the path tree does not reach T.
    """
    eps = t.c.given.eps
    horizons = [steps_for(share / (1 - t.theta), factor / eps) for _, factor in targets]
    values = t.along(*(observable for observable, _ in targets), horizon=max(horizons))
    for j, ((observable, _), T) in enumerate(zip(targets, horizons)):
        if len(values) > T:
            yield Le(values[T][j], eps, f"T = {T}", trivial=observable(t.w, t.alpha))


FAR = with_extra(column((1, 1), "1/50", theta="sharp"), eps=Q(1, 10**8))
BOTH = (FAR, with_theta(FAR, "paper"))


@claim(
    "spdc.corollary-1",
    r"Corollary 1, (17): $T \ge (n/m + 2R \sqrt{n/(m \lambda \gamma)}) \,\ln(C_1/\varepsilon)$ gives $\mathbb{E}\Vert"
    r" w^T - w^*\Vert^2 \le \varepsilon$ and $\mathbb{E}\Vert \alpha^T - \alpha^*\Vert^2 \le$ $\varepsilon$, $C_1 ="
    r" C/\min\{1/(2 \tau) + \lambda/2, (1/(4 \sigma) + \gamma/2)/m\}$; also without the two halves there, and with"
    r" $\theta_R$ and $R$ instead of $2R$",
    hypotheses=f"{SMOOTH}; {START}; checked for squared loss with L2",
    origin=PAPER.printed("Corollary 1", "(17)", note=f"{RESTORED} Without the halves, and with theta_R, it is ours."),
    evidence=[Enumerated(to_eps, 0.2), golden(*BOTH, level="ENUMERATED", detail="eps = 10^-8")],
    control=false_with("half of T, with theta_R", FAR, share=Q(1, 2)),
    proof="theta^T <= e^(-T (1 - theta)) in Theorem 1. Without the halves: (19) in Delta.",
)
def corollary_1(c: Context, share: Fraction = Q(1)) -> Iterable[Relation]:
    t = Setting(c)
    targets: list[tuple[Observable, Number]] = []
    for half in (Q(1, 2), Q(1)):
        C_1 = t.C / min(1 / (2 * t.tau) + half * t.lam, (1 / (4 * t.sigma) + half * t.gamma) / t.m)
        targets += [(lambda w, alpha: t.dw2(w), C_1), (lambda w, alpha: t.da2(alpha), C_1)]
    yield from reached(t, targets, share)


# -- Corollary 2 -------------------------------------------------------------------------------------------------------


def gentle() -> SearchStrategy[Instance]:
    """Starts of runs where theta^t soon outweighs a factor 1 + kappa; theta of (16) or sharp."""
    return st.sampled_from(THETAS).flatmap(lambda theta: batch_instances(max_d=2, theta=theta, **FEW))


@claim(
    "spdc.corollary-2",
    r"Corollary 2: $T \ge (n/m + 2R \sqrt{n/(m \lambda \gamma)}) \,\ln((1 + R^2/(\lambda \gamma)) C/\varepsilon)$ gives"
    r" $\mathbb{E}[P(w^T) - D(\alpha^T)] \le \varepsilon$, by $\mathbb{E}[P(w^t) - P^* + (n/m) (D^* - D(\alpha^t))]$"
    r" $\le (1 + R^2/(\lambda \gamma)) \theta^t C$ at every $t$; also with $\theta_R$ and $R$ instead of $2R$",
    hypotheses=f"{SMOOTH}; {START}; $T$ checked for squared loss with L2",
    origin=PAPER.printed("Corollary 2", "weighted gap", note=f"{RESTORED} With theta_R it is ours."),
    evidence=[
        Enumerated(gentle, 0.2),
        Enumerated(to_eps, 0.2),
        golden(
            THREE_ROWS,
            BATCHES_OF_TWO,
            SHARP[0],
            SHARP[2],
            *BOTH,
            level="ENUMERATED",
            detail="three rows, alone and two at a time, to t = 60; eps = 10^-8",
        ),
    ],
    control=all_of(
        fails_on(
            with_extra(hurried(column((1, 1), "1/50"), Q(1, 50)), horizon=120), text="theta with R/50 instead of 2R"
        ),
        false_with("half of T, with theta_R", FAR, share=Q(1, 2)),
    ),
)
def corollary_2(c: Context, share: Fraction = Q(1)) -> Iterable[Relation]:
    """The weighted gap along a run, or for an instance with an eps the gap at ``share`` of T."""
    t = Setting(c)
    if c.instance.extra.has("eps"):
        yield from reached(t, [(t.weighted_gap(Q(1)), (1 + t.kappa) * t.C)], share)
    else:
        yield from t.falls(t.weighted_gap(Q(c.n, t.m)), (1 + t.kappa) * t.C, "weighted gap, t = {}")


# -- the size of a batch -----------------------------------------------------------------------------------------------


@st.composite
def batch_sizes(draw: DrawFn) -> Instance:
    """n = 4, 9, 16 or 36 rows (x) and a rational sqrt(kappa/n): theta is rational for every square m."""
    n, R = draw(st.sampled_from((4, 9, 16, 36))), draw(st.sampled_from(Qs(1, 3, "1/5")))
    ratio, gamma = draw(st.sampled_from(Qs(1, "1/10", 30, "2/3"))), draw(st.sampled_from(Qs(1, "1/4", 3)))
    return column((R, *Qs("1/7") * (n - 1)), (R / ratio) ** 2 / (n * gamma), R=R).but(gamma=gamma)


@claim(
    "spdc.batch-size",
    r"After Corollary 1: Mini-Batch SPDC takes $n/m + 2 \sqrt{\kappa n/m}$ steps, fewer for a larger $m$, $1 + 2"
    r" \sqrt{\kappa}$ for $m = n$; and $1 + 2 \sqrt{\kappa m/n}$ passes, fewer for a smaller $m$, fewest for $m = 1$",
    hypotheses=(
        r"Assumption A; (16); up to the logarithm of Corollary 1, which does not depend on $m$; every square $m \le n ="
        " 4$, 9, 16, 36"
    ),
    origin=PAPER.printed(
        "larger batch", "smaller batch", "best batch", "full batch", "iteration complexity", note=RESTORED
    ),
    evidence=[exact(batch_sizes)],
    kills=bugs("theta-without-root half-radius"),
    control=false_with("fewer passes for a larger m", column((1,) * 4, "1/4", R=Q(1)), passes_fall=True),
)
def sizes(c: Context, passes_fall: bool = False) -> Iterable[Relation]:
    """Steps and passes of every square m, in order; ``passes_fall``: the passes the wrong way round."""
    n, kind, before = c.n, cast(type[SPDC], type(c.method)), None
    root = sqrt(Setting(c).kappa / n)
    for m in (k * k for k in range(1, isqrt(n) + 1)):
        found = steps_of(kind(m=m, R=c.instance.options["R"]), c)
        yield Eq(found, Q(n, m) + 2 * root * n / isqrt(m), f"m = {m}: n/m + 2 sqrt(kappa n/m)")
        passes = found * m / n
        if before is not None:
            yield Lt(found, before[0], f"m = {m}: fewer steps")
            order = (passes, before[1]) if passes_fall else (before[1], passes)
            yield Lt(*order, f"m = {m}: more passes")
        before = found, passes
    if isqrt(n) ** 2 == n:
        yield Eq(found, 1 + 2 * root * isqrt(n), "m = n: 1 + 2 sqrt(kappa)")
