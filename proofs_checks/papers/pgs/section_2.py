"""PGS, section II: Definition 2, Example 1 and Proposition 1.

Definition 2   f(a u + (1-a) v) <= a f(u) + (1-a) f(v) - (1/2) a (1-a) ||u - v||^2, 1-strongly convex
Example 1      r(w) = ||w||_p^2/(2(p-1)) is so for ||.||_p, 1 < p <= 2; not for p > 2
Proposition 1  f L-Lipschitz on S: ||s||_* <= L for its subgradients s
"""

from collections.abc import Iterable

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.registry import Hypothesis, claim
from dualgap.proofs_checks.claims.relations import Le, Relation
from dualgap.proofs_checks.evidence.levels import enclosed, exact, fails_on, false_with, golden, holds_on
from dualgap.proofs_checks.papers.pgs.instances import norm_instance, norms_euclidean, norms_free
from dualgap.proofs_checks.papers.pgs.items import PAPER
from dualgap.proofs_checks.papers.pgs.setting import Setting, norm2, power, r, same
from dualgap.proofs_checks.papers.vocabulary import plus, refuted


def two_points(u: int | str, v: int | str) -> Instance:
    """u and v on the line, p = 2."""
    return norm_instance(Q(2), None, further(u=Qs(u), v=Qs(v)))


@refuted(
    "pgs.definition-2",
    "Definition 2, read without the square: a 1-strongly convex f, such as ||w||^2/2, has f(a u + (1-a) v) <= a f(u) +"
    " (1-a) f(v) - (1/2) a (1-a) ||u - v||",
    hypotheses="without the square",
    origin=PAPER.reading(
        "Definition 2",
        note="the square may be missing in our copy, as small figures are elsewhere; we read it without the square",
    ),
    evidence=[golden(two_points("1/10", 0), detail="u = 1/10, v = 0, a = 1/2: the gap is 1/800 < 1/80")],
    control=holds_on(two_points(2, 0), text="||u - v|| = 2"),
    instead="pgs.example-1",
    proof="The gap of a smooth f is of second order. Example 1 is checked with ||u - v||^2.",
)
def definition_2(c: Context) -> Iterable[Relation]:
    (u,), (v,) = c.instance.extra.u, c.instance.extra.v
    yield Le((u + v) ** 2 / 8, u * u / 4 + v * v / 4 - abs(u - v) / 8, "f((u+v)/2), f(w) = w^2/2")


NEAR_FLAT = norm_instance(Q(3), None, further(u=Qs(1, "1/100"), v=Qs(1, "-1/100")))


@claim(
    "pgs.example-1",
    r"Example 1: $r(w) = \Vert w\Vert_p^2/(2(p-1))$ is 1-strongly convex for $\Vert .\Vert_p$, $p$ in $(1, 2]$: $r(\mu"
    r" u + (1-\mu) v) \le$ $\mu r(u) + (1-\mu) r(v) -$ $(1/2) \mu (1-\mu) \Vert u - v\Vert_p^2$; for $p = 2$ an"
    " equality",
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


def on_boundary(L: int, w: int | str, s: int) -> Instance:
    """f(u) = L |u| on S = [-1, 1], a point w and a candidate s for a subgradient there."""
    return norm_instance(Q(2), Q(1), further(L=Qs(L), w=Qs(w), s=Qs(s)))


def is_subgradient(L: Q, w: Q, s: Q) -> bool:
    """f(u) >= f(w) + s (u - w) for f(u) = L |u| and all u in [-1, 1]: f is linear between -1, 0 and 1."""
    return all(L * abs(u) >= L * abs(w) + s * (u - w) for u in (-1, 0, 1))


@refuted(
    "pgs.proposition-1",
    r"Proposition 1: if $f$ is $L$-Lipschitz on $S$, then $\vert s\vert \le L$ for every subgradient $s$, $f(u) \ge"
    " f(w) + s (u - w)$ for all $u$ in $S$",
    hypotheses="subgradients are those of Definition 5, which compares $w$ only with $u$ in $S$",
    origin=PAPER.printed("Proposition 1", "Definition 5"),
    gravity="theorem",
    instead="pgs.corollary-1.repaired",
    evidence=[golden(on_boundary(0, 1, 1000), detail="S = [-1, 1], f = 0, w = 1: s = 1000")],
    control=holds_on(on_boundary(1, "1/2", 1), text="w = 1/2, inside"),
    assumes=[
        Hypothesis(
            "w lies in S", "section II, Proposition 1", lambda c: Setting(c.instance).inside(c.instance.extra.w)
        ),
        Hypothesis("f is L-Lipschitz on S", "section II, Proposition 1", lambda c: c.instance.extra.L[0] >= 0),
        Hypothesis(
            "s is a subgradient: f(u) - f(w) >= s (u - w) for u in S",
            "section II, Definition 5",
            lambda c: is_subgradient(*(number for (number,) in c.instance.extra.plain().values())),
        ),
    ],
    proof=(
        "At a point of the sphere, s plus any outward normal is also such a subgradient, so their norms have no bound."
        " PGS projects onto the sphere, so it reaches these points. The code uses subgradients of the loss over R^d:"
        " pgs.corollary-1.repaired."
    ),
)
def proposition_1(c: Context) -> Iterable[Relation]:
    given = c.instance.extra
    (L,), (w,), (s,) = given.L, given.w, given.s
    if is_subgradient(L, w, s):
        yield Le(abs(s), L, "|s| <= L")
