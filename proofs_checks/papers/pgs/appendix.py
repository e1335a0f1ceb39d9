"""PGS, appendix: Lemma 2, Theorem 3, Corollaries 2 and 3 on the squared p-norm, its conjugate and gradient.

    (23)  f*(theta) = (||theta||_q^2 - (min{B, ||theta||_q} - ||theta||_q)^2)/2 for f(w) = ||w||_p^2/2 on ||w||_p <= B,
          attained at (24)
    (27)  r*_S(theta) = f*((p-1) theta)/(p-1), its gradient (28)

On the exact instances the reference's own regularizer must give the same numbers.
"""

from collections.abc import Iterable

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Q, Qs
from dualgap.proofs_checks.claims.registry import Hypothesis, claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Relation
from dualgap.proofs_checks.evidence.levels import enclosed, exact, false_with, golden, holds_on
from dualgap.proofs_checks.papers.pgs.instances import norm_instance, norms, norms_euclidean, norms_free, norms_rays
from dualgap.proofs_checks.papers.pgs.items import PAPER
from dualgap.proofs_checks.papers.pgs.setting import Setting, norm, norm2, on_ball, power, same, signed
from dualgap.proofs_checks.papers.vocabulary import dot, each, plus, slip

CLIPPED = norm_instance(Q(3, 2), Q(1), further(theta=Qs(3, -4, 5), w=Qs("1/4", "1/9", 0)))
S = r"$S = \mathbb{R}^d$ or $\Vert w\Vert_p \le B$"


@claim(
    "pgs.lemma-2",
    r"Lemma 2, for $r$: $r^*_S$ is differentiable and $\nabla r^*_S(\theta) = \operatorname{argmax}_S \theta^T w -"
    r" r(w)$; it is 1-smooth as well, $r^*_S(\theta + h) \le$ $r^*_S(\theta) + h^T \nabla r^*_S(\theta) +$ $\Vert"
    r" h\Vert_q^2/2$",
    origin=PAPER.printed("Lemma 2", note="that it is 1-smooth is ours; it implies that it is differentiable"),
    hypotheses=f"$p$ in $(1, 2]$; {S}",
    evidence=[exact(norms_euclidean), exact(norms_rays), enclosed(norms, 0.3)],
    control=false_with(
        "smoothness 9/10", norm_instance(Q(2), None, further(theta=Qs(1), h=Qs(1), w=Qs(0))), smoothness=Q(9, 10)
    ),
    proof=(
        "The maximizer is unique by strong convexity, so Danskin; and r*(theta + h) = max_w theta^T w + h^T w - r(w),"
        " where the loss of theta^T w - r(w) against its maximum is at least ||w - grad r*||^2/2."
    ),
)
def lemma_2_chain(c: Context, smoothness: Q = Q(1)) -> Iterable[Relation]:
    """Young's equality at the gradient, his inequality elsewhere in S, and smoothness."""
    s, e = Setting(c.instance), c.instance.extra
    theta, w = e.theta, s.into(e.w)
    best, value = s.gradient(theta), s.conjugate(theta)
    yield same(dot(theta, best) - s.r(best), value, "theta^T w - r(w) at grad r*_S(theta) is r*_S(theta)")
    yield Le(dot(theta, w) - s.r(w), value, "theta^T w - r(w) <= r*_S(theta) in S")
    if e.has("h"):
        to = plus(theta, 1, e.h)
        yield Le(s.conjugate(to), value + dot(e.h, best) + smoothness * norm2(e.h, s.q) / 2, "1-smooth")


@claim(
    "pgs.theorem-3",
    r"Theorem 3, $f(w) = \Vert w\Vert_p^2/2$ on $\Vert w\Vert_p \le B$: $\theta^T w - f(w) \le$ $\Vert"
    r" \theta\Vert_q^2/2 -$ $(\Vert w\Vert_p - \Vert \theta\Vert_q)^2/2$ (25), (26), at most $f^*(\theta)$ of (23),"
    r" with equality at the $w$ of (24), whose norm is $\min\{B, \Vert \theta\Vert_q\}$",
    hypotheses=r"$p$ in $(1, 2]$; $B = \infty$ for $\mathbb{R}^d$",
    evidence=[exact(norms_euclidean), exact(norms_rays), enclosed(norms, 0.3)],
    control=false_with("half of (w, theta) missing: (26) with (||w|| - ||theta||)^2", CLIPPED, half=Q(1)),
    origin=PAPER.printed("Theorem 3"),
    proof=(
        "Hoelder, then complete the square; the w of (24) has |w_j|^p proportional to |theta_j|^q and the signs of"
        " theta."
    ),
)
def theorem_3_chain(c: Context, half: Q = Q(1, 2)) -> Iterable[Relation]:
    s = Setting(c.instance)
    theta, w = c.instance.extra.theta, s.into(c.instance.extra.w)
    size, length = norm(theta, s.q), norm(w, s.p)
    inner = size if s.ball is None or size <= s.ball else s.ball
    conjugate = (size * size - (inner - size) * (inner - size)) / 2  # (23)
    upper = size * size / 2 - half * (length - size) * (length - size)  # (26)
    yield Le(dot(theta, w) - length * length / 2, upper, "(25), (26)")
    yield Le(upper, conjugate, "(26) is at most f*(theta) of (23)")
    best = [signed(v, inner * power(abs(v) / size, s.q / s.p)) if v else Q(0) for v in theta]  # (24)
    yield same(norm(best, s.p), inner, "(24) has the norm min{B, ||theta||_q}")
    yield same(dot(theta, best) - norm2(best, s.p) / 2, conjugate, "(24) attains f*(theta)")


@slip(
    "pgs.theorem-3.argmin",
    r"Theorem 3, last line: every minimizer $w$ of $(\Vert w\Vert_p - \Vert \theta\Vert_q)^2$ on $S$ is $\nabla"
    r" f^*(\theta)$",
    hypotheses="$S$ the ball",
    origin=PAPER.printed(
        "Theorem 3, its end", note="the proof needs only that the w of (24) attains (25), which is true"
    ),
    instead="pgs.theorem-3",
    evidence=[golden(norm_instance(Q(2), Q(2), further(theta=Qs(1), w=Qs(-1))), detail="B = 2, theta = 1, w = -1")],
    control=holds_on(norm_instance(Q(2), Q(2), further(theta=Qs(1), w=Qs(1))), text="w = theta"),
    assumes=[
        on_ball("Appendix, Theorem 3"),
        Hypothesis(
            "f(w) = ||w||_p^2/2, which r is for p = 2", "Appendix, Theorem 3", lambda c: Setting(c.instance).p == 2
        ),
        Hypothesis("w lies in S", "Appendix, (22)", lambda c: Setting(c.instance).inside(c.instance.extra.w)),
    ],
    proof="The minimizers are a sphere. Only its point in the direction of theta is the maximizer: pgs.theorem-3.",
)
def argmin_is_a_sphere(c: Context) -> Iterable[Relation]:
    s, theta, w = Setting(c.instance), c.instance.extra.theta, c.instance.extra.w
    if s.ball is not None and norm(w, s.p) == min(s.ball, norm(theta, s.q)):
        yield from each(Eq, w, s.gradient(theta), "w = grad f*(theta)")


@claim(
    "pgs.corollary-2",
    r"Corollary 2, $r$ on $\Vert w\Vert_p \le B$: $r^*_S(\theta) = f^*((p-1) \theta)/(p-1)$ with $f^*$ of Theorem 3,"
    r" which is (27); its gradient is (28), of norm $\min\{B, (p-1)\Vert \theta\Vert_q\}$; and so says the code,"
    r" $\sigma r^*_S(\theta/\sigma)$ and its gradient",
    hypotheses=f"$p$ in $(1, 2]$; {S}",
    evidence=[exact(norms_euclidean), exact(norms_rays), enclosed(norms, 0.3), golden(CLIPPED, detail="p = 3/2, ball")],
    control=false_with("without (p-1) in the clip of (27)", CLIPPED, lost=True),
    origin=PAPER.printed("Corollary 2"),
    proof=(
        "Theorem 3 at (p-1) theta, over p-1. The gradient without a ball has the norm (p-1)||theta||_q exactly, so (28)"
        " is Corollary 3 times min{1, B/||.||_p}."
    ),
)
def corollary_2_chain(c: Context, lost: bool = False) -> Iterable[Relation]:
    """Theorem 3 scaled against (27) and (28), and the code where the numbers are rational."""
    s, theta = Setting(c.instance), c.instance.extra.theta
    a = (1 if lost else s.p - 1) * norm(theta, s.q)
    inner = a if s.ball is None or a <= s.ball else s.ball
    scaled = (a * a - (inner - a) * (inner - a)) / (2 * (s.p - 1))
    yield same(s.conjugate(theta), scaled, "(27)")
    best = s.gradient(theta)
    yield same(norm(best, s.p), inner, "(28) has the norm min{B, (p-1)||theta||_q}")
    yield same(dot(theta, best) - s.r(best), scaled, "(28) attains (27)")
    if c.number is Q:
        for sigma in Qs(1, "2/7"):
            g = c.instance.but(lam=sigma).regularizer().over(Q)
            v = [sigma * x for x in theta]
            yield Eq(g.conjugate(v), sigma * s.conjugate(theta), f"the code's conjugate, sigma = {sigma}")
            yield from each(Eq, g.gradient_conjugate(v), best, f"the code's gradient, sigma = {sigma}")


@claim(
    "pgs.corollary-3",
    r"Corollary 3, $S = \mathbb{R}^d$: $r^*(\theta) = \Vert \theta\Vert_q^2/(2(q-1))$ and $\nabla r^*(\theta)_i =$"
    r" $\mathrm{sgn}(\theta_i) \vert \theta_i\vert^{q/p} \Vert \theta\Vert_q^{1-q/p}/(q-1)$, which is odd and"
    " 1-homogeneous",
    hypotheses="$p$ in $(1, 2]$",
    evidence=[exact(norms_euclidean), exact(norms_rays), enclosed(norms_free, 0.3)],
    control=false_with("p-1 instead of q-1", CLIPPED.but(ball=None), of_p=True),
    origin=PAPER.printed("Corollary 3", "Example 1"),
)
def corollary_3_chain(c: Context, of_p: bool = False) -> Iterable[Relation]:
    s = Setting(c.instance.but(ball=None))
    theta = c.instance.extra.theta
    modulus, size = (s.p if of_p else s.q) - 1, norm(theta, s.q)
    yield same(s.conjugate(theta), size * size / (2 * modulus), "r*")
    best = s.gradient(theta)
    for v, expected in zip(theta, best):
        printed = power(abs(v), s.q / s.p) * power(size, 1 - s.q / s.p) / modulus if v else Q(0)
        yield same(signed(v, printed), expected, "grad r*")
    for factor in Qs("3/7", -2):
        scaled, due = s.gradient([factor * v for v in theta]), [factor * w for w in best]
        yield from each(same, scaled, due, f"grad r*({factor} theta) = {factor} grad r*(theta)")
