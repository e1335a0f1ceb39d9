"""SPDC, Algorithms 1 and 2, how many steps are enough: Corollaries 1 and 2, with theta of (16) and with theta_R.

Their rates are those of ``spdc_rates``; here the steps T are computed as the corollaries say, logarithms enclosed until
the ceiling is certain, and the expectations at T are exact.
"""

from dualgap.proofs_checks.engines.logarithms import steps_for
from dualgap.proofs_checks.papers.spdc import strategies
from dualgap.proofs_checks.papers.spdc.items import PAPER, RESTORED
from dualgap.proofs_checks.papers.spdc.quadratic_certificates import Expected, Observable
from dualgap.proofs_checks.papers.spdc.rates import (
    G1,
    G3,
    SHARP,
    SMOOTH,
    START,
    Saddle,
    constants,
    equal_rows,
    horizon,
    with_theta,
)
from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.reference.methods.spdc import THETAS


def gentle() -> SearchStrategy[Instance]:
    """Starts of runs where a factor 1 + kappa is soon made up for; theta of (16) or sharp."""
    return st.sampled_from(THETAS).flatmap(
        lambda theta: strategies.batch_instances(
            max_n=3, max_d=2, max_path=0, free=False, ratios=strategies.WELL, theta=theta
        )
    )


@st.composite
def to_eps(draw: DrawFn, /) -> Instance:
    """Squared loss, L2, and an accuracy to be reached."""
    base = strategies.batch_instances(
        losses=("squared",),
        l1=Qs(0),
        max_n=3,
        max_d=1,
        max_path=0,
        free=False,
        ratios=strategies.WELL,
        theta=draw(st.sampled_from(THETAS)),
        extra=any_of(eps=Qs("1/4", "1/10", "1/1000")),
    )
    return draw(base)


SLOW = equal_rows(2, Q(1, 50), Q(1, 50)).but(extra=further(w=Qs(1), horizon=120))


@claim(
    "spdc.corollary-2.weighted",
    r"Corollary 2, its proof: $\mathbb{E}[P(w^t) - P^* + (n/m) (D^* - D(\alpha^t))] \le$ $(1 + R^2/(\lambda \gamma))"
    r" \theta^t C$ at every "
    r"$t$, $C$ of Theorem 1, with $\theta$ of (16) and with $\theta_R$",
    hypotheses=f"{SMOOTH}; {START}",
    origin=PAPER.printed("weighted gap", "Corollary 2", note=f"{RESTORED} With theta_R it is ours."),
    evidence=[
        Enumerated(gentle, 0.2),
        golden(G1, G3, SHARP[0], SHARP[2], level="ENUMERATED", detail="G1 and G3 to t = 60"),
    ],
    control=fails_on(SLOW, text="theta with R/50 in the place of 2R"),
    proof=(
        "Lemma 1, then (19): (1 + R^2/(lam gamma)) ((f(w, alpha*) - f*) + (n/m) (f* - f(w*, alpha))) bounds it, and"
        " Delta that."
    ),
)
def weighted_gaps(c: Context) -> Iterable[Relation]:
    """E[P(w^t) - P* + (n/m) (D* - D(alpha^t))] <= (1 + kappa) theta^t C for t = 0, 1, 2, ..."""
    k, saddle = constants(c), Saddle(c)
    gap = saddle.weighted_gap(Q(c.n, k.m))
    bound, at_start = (1 + k.R * k.R / (c.mu * c.gamma)) * saddle.C(k), gap(*saddle.start)
    for t, (value,) in enumerate(Expected(saddle.c).along(horizon(c), [gap])):
        yield Le(value, bound, f"t = {t}", trivial=at_start)
        bound = k.theta * bound


def reached(c: Context, targets: list[tuple[Observable, Number]], share: Fraction) -> Iterable[Relation]:
    """T = ceil(share ln(factor/eps)/(1 - theta)) gives E observable <= eps, for every pair (observable, factor) of
    ``targets``.

    Nothing where the path tree does not reach T.
    """
    k, saddle, eps = constants(c), Saddle(c), c.given.eps
    horizons = [steps_for(share / (1 - k.theta), factor / eps) for _, factor in targets]
    values = Expected(saddle.c).along(max(horizons), [observable for observable, _ in targets])
    for j, ((observable, _), T) in enumerate(zip(targets, horizons)):
        if len(values) > T:
            yield Le(values[T][j], eps, f"T = {T}", trivial=observable(*saddle.start))


FAR = equal_rows(2, Q(1, 50), theta="sharp").but(extra=further(w=Qs(1), eps=Q(1, 10**8)))
BOTH = (FAR, with_theta(FAR, "paper"))


@claim(
    "spdc.corollary-1",
    r"Corollary 1, (17): $T \ge (n/m + 2R \sqrt{n/(m \lambda \gamma)}) \,\ln(C_1/\varepsilon)$ gives "
    r"$\mathbb{E}\Vert w^T - w^*\Vert^2 \le \varepsilon$ and $\mathbb{E}\Vert \alpha^T - \alpha^*\Vert^2 \le$"
    r" $\varepsilon$, "
    r"$C_1 = C/\min\{1/(2 \tau) + \lambda/2, (1/(4 \sigma) + \gamma/2)/m\}$; also without the two halves there, and"
    r" with $\theta_R$ and $R$ "
    "in the place of $2R$",
    hypotheses=f"{SMOOTH}; {START}; checked for squared loss with L2",
    origin=PAPER.printed("Corollary 1", "(17)", note=f"{RESTORED} Without the halves, and with theta_R, it is ours."),
    evidence=[Enumerated(to_eps, 0.2), golden(*BOTH, level="ENUMERATED", detail="eps = 10^-8")],
    control=false_with("half of T, with theta_R", FAR, share=Q(1, 2)),
    proof="theta^T <= e^(-T (1 - theta)) in Theorem 1. Without the halves: (19) in Delta.",
)
def distances(c: Context, share: Fraction = Q(1)) -> Iterable[Relation]:
    """Corollary 1, T multiplied by ``share``."""
    k, saddle = constants(c), Saddle(c)
    targets: list[tuple[Observable, Number]] = []
    for half in (Q(1, 2), Q(1)):
        C_1 = saddle.C(k) / min(1 / (2 * k.tau) + half * c.mu, (1 / (4 * k.sigma) + half * c.gamma) / k.m)
        targets += [(saddle.to_w, C_1), (saddle.to_alpha, C_1)]
    yield from reached(c, targets, share)


@claim(
    "spdc.corollary-2",
    r"Corollary 2: $T \ge (n/m + 2R \sqrt{n/(m \lambda \gamma)}) \,\ln((1 + R^2/(\lambda \gamma)) C/\varepsilon)$"
    r" gives "
    r"$\mathbb{E}[P(w^T) - D(\alpha^T)] \le \varepsilon$; also with $\theta_R$ and $R$ in the place of $2R$",
    hypotheses=f"{SMOOTH}; {START}; checked for squared loss with L2",
    origin=PAPER.printed("Corollary 2", note=f"{RESTORED} With theta_R it is ours."),
    evidence=[Enumerated(to_eps, 0.2), golden(*BOTH, level="ENUMERATED", detail="eps = 10^-8")],
    control=false_with("half of T, with theta_R", FAR, share=Q(1, 2)),
    proof="spdc.corollary-2.weighted with n/m >= 1, and theta^T <= e^(-T (1 - theta)).",
)
def to_gap(c: Context, share: Fraction = Q(1)) -> Iterable[Relation]:
    """Corollary 2, T multiplied by ``share``."""
    k, saddle = constants(c), Saddle(c)
    yield from reached(c, [(saddle.weighted_gap(Q(1)), (1 + k.R * k.R / (c.mu * c.gamma)) * saddle.C(k))], share)
