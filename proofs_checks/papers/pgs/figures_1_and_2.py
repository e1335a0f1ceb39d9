"""PGS, section III.A, Figure 1, the Primal Gradient Solver, and Figure 2, the explicit gradient and its clipping.

Figure 1   line 6: lambda_t a subgradient of g_t at w_{t-1}, (8); line 8: w_t = grad r*_S(-(lambda_1 + .. +
           lambda_t)/((t+1) sigma)), (9); line 9: return w_i, i uniform
Figure 2   line 3: w_i = sgn(v_i) |v_i|^(q-1) (sum_j |v_j|^q)^(2/q - 1)/(q-1), v = lambda/((t+1) sigma); (10) for p = 2
           lines 5-7: IF ||w||_p > B THEN w <- (B/||w||_p) w, with ||.||_q in print
In the text: r*(theta) = ||theta||_q^2/(2(q-1))
"""

from collections.abc import Iterable

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Q, Qs
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Relation
from dualgap.proofs_checks.evidence.levels import exact, false_with, golden, holds_on
from dualgap.proofs_checks.papers.pgs.instances import (
    HINGE_PAIRS,
    HINGE_RUN,
    norm_instance,
    run_of,
    runs,
    runs_net,
    runs_rays,
)
from dualgap.proofs_checks.papers.pgs.items import PAPER
from dualgap.proofs_checks.papers.pgs.regret_terms import Play
from dualgap.proofs_checks.papers.pgs.setting import (
    ANY,
    EVERY_MUTANT,
    P_RANGE,
    Setting,
    norm,
    norm2,
    on_ball,
    r_gradient,
    same,
)
from dualgap.proofs_checks.papers.vocabulary import dot, each, plus, refuted, slip

SQUARED_RUN = HINGE_RUN.but(loss="squared", gamma=Q(1, 2))
EIGHT = run_of((Qs(*[4] * 8), Qs(*[0] * 8)), Qs(1, 1), "12", p=Q(3, 2), ball=Q(1))  # clipped by ||w||_q, ||w_1||_p = 2


@claim(
    "pgs.algorithm",
    r"Figure 1: $w_0 = 0$, $w_t = \nabla r^*_S(-(\lambda_1 + \ldots + \lambda_t)/((t+1) \sigma))$ with $\lambda_t$ a"
    r" subgradient of $g_t$ at $w_{t-1}$; (a) it is $\operatorname{argmin}_S (t+1) \sigma r(w) +$ $\sum_s \lambda_s^T"
    r" w$; (b) for $p = 2$ on $\mathbb{R}^d$ a step $1/(\sigma (t+1))$ along $-(\sigma w_{t-1} + \lambda_t)$",
    hypotheses=ANY,
    origin=PAPER.printed(
        "Figure 1",
        "(8)",
        "(9)",
        "Figure 2",
        note="the divisor, missing in line 8, is that of (9) and of Figure 2's caption; (a) and (b) follow from it",
    ),
    evidence=[
        exact(runs, 0.5),
        exact(runs_rays, 0.5),
        exact(runs_net, 0.3),
        golden(EIGHT, HINGE_RUN, HINGE_PAIRS, SQUARED_RUN, detail="eight equal features on a ball"),
    ],
    control=false_with("(b) with the step 1/(sigma t)", HINGE_RUN, shift=0),
    kills=(*EVERY_MUTANT, "pgs.clip-by-q-norm"),
)
def algorithm(c: Context, shift: int = 1) -> Iterable[Relation]:
    play = Play(c)
    s, sigma, u = play.setting, play.setting.sigma, play.setting.into(c.given.u)
    yield from (Eq(w_j, 0, "w_0 = 0") for w_j in play.w[0])
    for t, w in enumerate(play.w[1:], 1):
        scale, v = (t + 1) * sigma, play.minus_Lambda(t)
        theta = [v_j / scale for v_j in v]
        yield from each(Eq, w, s.gradient(theta), f"w_{t} = grad r*_S(-Lambda_{t}/((t+1) sigma))")
        least = scale * s.r(w) - dot(v, w)
        yield Eq(least, -scale * s.conjugate(theta), f"(a), the value at w_{t}")
        yield Le(least, scale * s.r(u) - dot(v, u), f"(a), w_{t} against u")
    if s.p == 2 and s.ball is None and not s.threshold:
        for t, (before, sub, after) in enumerate(zip(play.w, play.sub, play.w[1:]), 1):
            stepped = plus(before, -1 / (sigma * (t + shift)), plus(sub, sigma, before))
            yield from each(Eq, after, stepped, f"(b) at t = {t}")


# -- Figure 2 ----------------------------------------------------------------------------------------------------------


@slip(
    "pgs.figure-2.line-6",
    r"Figure 2, line 6, as printed: IF $\Vert w\Vert_p > B$ THEN $w \leftarrow (B/\Vert w\Vert_q) w$ is $\nabla r^*_S$"
    " and lies in $S$",
    hypotheses="$p$ in $(1, 2]$",
    origin=PAPER.printed(
        "Figure 2, line 6",
        "Figure 2",
        note="the printed letter is a q, as its glyph code shows; Corollary 2 has ||.||_p",
    ),
    instead="pgs.corollary-2",
    evidence=[
        golden(
            norm_instance(Q(3, 2), Q(1), further(theta=Qs(*[4] * 8))),
            detail="p = 3/2, B = 1, eight equal features: ||w||_p = 2",
        ),
        golden(
            norm_instance(Q(3, 2), Q(1), further(theta=Qs(2, 2))),
            detail="two features: ||w||_p = 2^(1/3)",
            level="ENCLOSED",
        ),
    ],
    control=holds_on(norm_instance(Q(2), Q(1), further(theta=Qs(3, 4))), text="p = 2, where the norms are one"),
    assumes=[P_RANGE, on_ball("section III.A, Figure 2, line 5")],
    proof=("||.||_p <= n^(1/p - 1/q) ||.||_q, an equality for equal features. With ||w||_p it is Corollary 2."),
)
def figure_2_line_6(c: Context) -> Iterable[Relation]:
    s, theta = Setting(c.instance), c.instance.extra.theta
    free = r_gradient(theta, s.p)
    clipped = [s.ball * w_j / norm(free, s.q) for w_j in free] if norm(free, s.p) > s.ball else free
    yield Le(norm(clipped, s.p), s.ball, "||w||_p <= B")
    yield from each(same, clipped, s.gradient(theta), "(28)")


@refuted(
    "pgs.figure-2.line-3",
    "Figure 2, line 3, and (10), the index j outside the sum read as where the sum ends, at the last feature",
    hypotheses=r"$S = \mathbb{R}^d$",
    origin=PAPER.reading(
        "Figure 2",
        "(10)",
        note="an index outside its sum has no meaning; we read it as the last feature. With i it is pgs.corollary-3",
    ),
    evidence=[
        golden(norm_instance(Q(2), None, further(theta=Qs(1, 2))), detail="p = 2, v = (1, 2): (2, 2), not (1, 2)")
    ],
    control=holds_on(norm_instance(Q(2), None, further(theta=Qs(2, 2))), text="equal features"),
    proof="The index must be i: pgs.corollary-3.",
)
def figure_2_line_3(c: Context) -> Iterable[Relation]:
    expected = Setting(c.instance).gradient(c.instance.extra.theta)
    yield from each(Eq, expected[-1:] * len(expected), expected, "w_#")


@refuted(
    "pgs.r-conjugate",
    "Section III, r* in the text, the unreadable letter read as p: r*(theta) = ||theta||_q^2/(2(p-1))",
    hypotheses=r"$S = \mathbb{R}^d$",
    origin=PAPER.reading(
        "r* in the text",
        note="the letter before -1 is unreadable, p or q; with q it is Example 1, and true: pgs.corollary-3",
    ),
    evidence=[golden(norm_instance(Q(3, 2), None, further(theta=Qs(1))), detail="p = 3/2, theta = 1: 1, not 1/4")],
    control=holds_on(norm_instance(Q(2), None, further(theta=Qs(1))), text="p = 2"),
    proof="It must be q, and (q-1)(p-1) = 1: pgs.corollary-3.",
)
def r_conjugate_of_p(c: Context) -> Iterable[Relation]:
    s, theta = Setting(c.instance), c.instance.extra.theta
    yield same(norm2(theta, s.q) / (2 * (s.p - 1)), s.conjugate(theta), "r*")
