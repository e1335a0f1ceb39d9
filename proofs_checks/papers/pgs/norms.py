"""PGS, section III: the squared p-norm. Strong convexity, conjugates, gradients, and what clipping is.

Values come from the paper's formulas (``papers.pgs.norms_by_definition``), exactly or enclosed; on the exact instances
the reference's own regularizer must give the same numbers.
"""

from dualgap.proofs_checks.papers.pgs.items import PAPER
from dualgap.proofs_checks.papers.pgs.norms_by_definition import Setting, dot, norm, norm2, plus, power, r, same, signed
from dualgap.proofs_checks.papers.pgs.strategies import norm_instance, norms, norms_euclidean, norms_free, norms_rays
from dualgap.proofs_checks.papers.vocabulary import *

S = r"$S = \mathbb{R}^d$ or $\Vert w\Vert_p \le B$"

# -- Example 1 ---------------------------------------------------------------------------------------------------------

NEAR_FLAT = norm_instance(Q(3), None, further(u=Qs(1, "1/100"), v=Qs(1, "-1/100")))


@claim(
    "pgs.example-1",
    r"Example 1: $r(w) = \Vert w\Vert_p^2/(2(p-1))$ is 1-strongly convex for $\Vert .\Vert_p$, $p$ in $(1, 2]$: $r(\mu"
    r" u + (1-\mu) v) \le$ "
    r"$\mu r(u) + (1-\mu) r(v) -$ $(1/2) \mu (1-\mu) \Vert u - v\Vert_p^2$; for $p = 2$ an equality",
    hypotheses="$p$ in $(1, 2]$",
    evidence=[exact(norms_euclidean), enclosed(norms_free, 0.3)],
    control=fails_on(NEAR_FLAT, text="p = 3 at (1, 1/100) and (1, -1/100)"),
    origin=PAPER.printed("Example 1", "(3)"),
)
def example_1(c: Context) -> Iterable[Relation]:
    e, p = c.instance.extra, Setting(c.instance).p
    u, v = (e.u, e.v) if e.has("u", "v") else (e.theta, e.w)
    euclidean = bool(p == 2)
    if u == v:
        return
    for mu in Qs("1/2", "1/10"):
        between = plus([mu * u_j for u_j in u], 1 - mu, v)
        least = mu * r(u, p) + (1 - mu) * r(v, p) - mu * (1 - mu) / 2 * norm2(plus(u, -1, v), p)
        yield same(r(between, p), least, f"mu = {mu}") if euclidean else Le(r(between, p), least, f"mu = {mu}")


SMALL = tuple(
    norm_instance(p, None, further(h=(h,)))
    for p in Qs("101/100", "11/10", "4/3", "3/2", "9/5", 2)
    for h in Qs("1/2", "1/10", "1/1000")
)


@claim(
    "pgs.example-1.tight",
    "Example 1, its constant: at u, v = (1, 1) +- h (1, -1), mu = 1/2, what r(u)/2 + r(v)/2 - r((1, 1)) exceeds ||u -"
    " v||_p^2/8 by is at most h^2 of it, so that for no p the constant 1 can be larger",
    hypotheses="$p$ in $(1, 2]$; $h = 1/2$, $1/10$, $1/1000$",
    evidence=[golden(*SMALL, detail="p = 1.01 .. 2", level="ENCLOSED")],
    control=false_with("less than nothing: -h^2", SMALL[0], SMALL[-2], factor=-1),
    origin=PAPER.ours("Example 1"),
    proof=(
        "||(1+h, 1-h)||_p^2 = 2^(2/p) (1 + (p-1) h^2 + (p-1)(2-p) p h^4/6 + ..): the excess is p(2-p) h^2/6 to first"
        " order."
    ),
)
def excess(c: Context, factor: int = 1) -> Iterable[Relation]:
    """The gap of strong convexity between its bound and (1 + factor h^2) times it."""
    p, (h,) = Setting(c.instance).p, c.instance.extra.h
    u, v = (1 + h, 1 - h), (1 - h, 1 + h)
    bound = norm2(plus(u, -1, v), p) / 8
    gap = (r(u, p) + r(v, p)) / 2 - r(Qs(1, 1), p)
    yield Lt(gap, (1 + factor * h * h) * bound, f"p = {p}, h = {h}: the gap is hardly more than its bound")


BEYOND = tuple(norm_instance(p, None, further(h=(h,))) for p in Qs("5/2", 3, 4) for h in Qs("1/10", "1/100"))


@claim(
    "pgs.example-1.beyond",
    "Example 1, $p > 2$: $r$ is not strongly convex; between $(1, h)$ and $(1, -h)$ a modulus is at most $h^{p-2}$,"
    " which tends to 0 with $h$",
    hypotheses="$p = 5/2$, 3, 4; $h = 1/10$, $1/100$",
    origin=PAPER.printed("Example 1, p > 2"),
    evidence=[golden(*BEYOND, detail="by enclosures", level="ENCLOSED")],
    control=false_with("half of it, p = 5/2", *BEYOND[:2], divisor=2),
    proof="(1 + h^p)^(2/p) <= 1 + (2/p) h^p and ||u - v||_p = 2h, so that it is at most 2 h^(p-2)/(p(p-1)).",
)
def flat_lines(c: Context, divisor: int = 1) -> Iterable[Relation]:
    """The gap half way against 1/divisor of that modulus times ||u - v||_p^2/8."""
    p, (h,) = Setting(c.instance).p, c.instance.extra.h
    u, v = (Q(1), h), (Q(1), -h)
    gap = (r(u, p) + r(v, p)) / 2 - r(Qs(1, 0), p)
    yield Le(gap, power(h, p - 2) / divisor * norm2(plus(u, -1, v), p) / 8, f"p = {p}, h = {h}")


# -- Lemma 2 -----------------------------------------------------------------------------------------------------------


@claim(
    "pgs.lemma-2",
    r"Lemma 2, for $r$: $r^*_S$ is differentiable and $\nabla r^*_S(\theta) = \operatorname{argmax}_S \theta^T w -"
    r" r(w)$; it is 1-smooth as "
    r"well, $r^*_S(\theta + h) \le$ $r^*_S(\theta) + h^T \nabla r^*_S(\theta) +$ $\Vert h\Vert_q^2/2$",
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


# -- Theorem 3 and its corollaries -------------------------------------------------------------------------------------

CLIPPED = norm_instance(Q(3, 2), Q(1), further(theta=Qs(3, -4, 5), w=Qs("1/4", "1/9", 0)))


@claim(
    "pgs.theorem-3",
    r"Theorem 3, $f(w) = \Vert w\Vert_p^2/2$ on $\Vert w\Vert_p \le B$: $\theta^T w - f(w) \le$ $\Vert"
    r" \theta\Vert_q^2/2 -$ "
    r"$(\Vert w\Vert_p - \Vert \theta\Vert_q)^2/2$ (25), (26), at most $f^*(\theta)$ of (23), with equality at the $w$"
    r" of (24), whose norm is "
    r"$\min\{B, \Vert \theta\Vert_q\}$",
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
    """(25) with (26), the last square times ``half``; (23) and (24)."""
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


@claim(
    "pgs.corollary-2",
    r"Corollary 2, $r$ on $\Vert w\Vert_p \le B$: $r^*_S(\theta) = f^*((p-1) \theta)/(p-1)$ with $f^*$ of Theorem 3,"
    r" which is (27); its "
    r"gradient is (28), of norm $\min\{B, (p-1)\Vert \theta\Vert_q\}$; and so says the code, $\sigma"
    r" r^*_S(\theta/\sigma)$ and its gradient",
    hypotheses=f"$p$ in $(1, 2]$; {S}",
    evidence=[exact(norms_euclidean), exact(norms_rays), enclosed(norms, 0.3), golden(CLIPPED, detail="G5")],
    control=false_with("without (p-1) in the clip of (27)", CLIPPED, lost=True),
    origin=PAPER.printed("Corollary 2"),
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
            for left, right in zip(g.gradient_conjugate(v), best):
                yield Eq(left, right, f"the code's gradient, sigma = {sigma}")


@claim(
    "pgs.corollary-3",
    r"Corollary 3, $S = \mathbb{R}^d$: $r^*(\theta) = \Vert \theta\Vert_q^2/(2(q-1))$ and $\nabla r^*(\theta)_i =$ "
    r"$\mathrm{sgn}(\theta_i) \vert \theta_i\vert^{q/p} \Vert \theta\Vert_q^{1-q/p}/(q-1)$, which is odd and"
    r" 1-homogeneous",
    hypotheses="$p$ in $(1, 2]$",
    evidence=[exact(norms_euclidean), exact(norms_rays), enclosed(norms_free, 0.3)],
    control=false_with("p-1 in the place of q-1", CLIPPED.but(ball=None), of_p=True),
    origin=PAPER.printed("Corollary 3", "Example 1"),
)
def corollary_3_chain(c: Context, of_p: bool = False) -> Iterable[Relation]:
    """The formulas as printed, with (p-1)(q-1) = 1."""
    s = Setting(c.instance.but(ball=None))
    theta = c.instance.extra.theta
    modulus, size = (s.p if of_p else s.q) - 1, norm(theta, s.q)
    yield same(s.conjugate(theta), size * size / (2 * modulus), "r*")
    best = s.gradient(theta)
    for v, expected in zip(theta, best):
        printed = power(abs(v), s.q / s.p) * power(size, 1 - s.q / s.p) / modulus if v else Q(0)
        yield same(signed(v, printed), expected, "grad r*")
    for factor in Qs("3/7", -2):
        for left, right in zip(s.gradient([factor * v for v in theta]), best):
            yield same(left, factor * right, f"grad r*({factor} theta) = {factor} grad r*(theta)")


# -- clipping ----------------------------------------------------------------------------------------------------------


@claim(
    "pgs.clipping",
    "Figure 2, lines 5-7, with ||.||_p: grad r*_S is grad r* of R^d times min{1, B/||.||_p}, and this map is the metric"
    " projection of ||.||_p: no z in S is nearer to w than ||w||_p - B",
    origin=PAPER.ours("Figure 2, line 6"),
    hypotheses=r"$p$ in $(1, 2]$; $S$ the ball $\Vert w\Vert_p \le B$",
    evidence=[exact(norms_euclidean), exact(norms_rays), enclosed(norms, 0.3)],
    control=altered("clipped by B/||.||_q", lambda c: clipping_chain(c, by_q=True), CLIPPED),
    proof=(
        "The unclipped gradient has the norm (p-1)||theta||_q exactly, so (28) is Corollary 3 times that factor; ||w -"
        " z|| >= ||w|| - ||z||."
    ),
)
def clipping(c: Context) -> Iterable[Relation]:
    if c.instance.ball is not None:
        yield from clipping_chain(c)


def clipping_chain(c: Context, by_q: bool = False) -> Iterable[Relation]:
    """The clipped gradient two ways, and its distance."""
    s, theta = Setting(c.instance), c.instance.extra.theta
    assert s.ball is not None
    free = Setting(c.instance.but(ball=None)).gradient(theta)
    length = norm(free, s.p)
    factor = Q(1) if length <= s.ball else s.ball / (norm(free, s.q) if by_q else length)
    clipped = [factor * w_j for w_j in free]
    for left, right in zip(clipped, s.gradient(theta)):
        yield same(left, right, "clipped = grad r*_S")
    if length > s.ball:
        yield same(norm(plus(free, -1, clipped), s.p), length - s.ball, "||w - clipped||_p = ||w||_p - B")
        distance = norm(plus(free, -1, s.into(c.instance.extra.w)), s.p)
        yield Le(length - s.ball, distance, "||w - z||_p is no less")


TWO = norm_instance(Q(3, 2), Q(1), further(w=Qs(3, 1), z=Qs("239/250", "161/1000")))


@claim(
    "pgs.clipping.euclidean",
    "The radial map w -> min{1, B/||w||_p} w is the Euclidean projection onto S",
    origin=PAPER.inference(
        "Figure 2, line 6",
        note="the paper says 'project it back to the p norm sphere' and not in which norm the projection is one",
    ),
    hypotheses="p in (1, 2)",
    expected="REFUTED",
    evidence=[golden(TWO, detail="p = 3/2, B = 1, w = (3, 1): z = (0.956, 0.161) in S is nearer", level="ENCLOSED")],
    control=holds_on(TWO.but(p=Q(2), ball=Q(5), extra=further(w=Qs(6, 8), z=Qs(3, 4))), text="p = 2"),
    proof="See pgs.clipping: it is the projection of ||.||_p. The Euclidean one is another point unless p = 2.",
)
def euclidean(c: Context) -> Iterable[Relation]:
    s = Setting(c.instance)
    w, z = c.instance.extra.w, c.instance.extra.z
    length = norm(w, s.p)
    radial = [w_j * s.ball / length for w_j in w]
    if s.inside(z):
        yield Le(
            norm2(plus(w, -1, radial), Q(2)), norm2(plus(w, -1, z), Q(2)), "||w - radial||_2 <= ||w - z||_2 for z in S"
        )
