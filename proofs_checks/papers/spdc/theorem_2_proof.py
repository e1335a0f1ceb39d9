"""SPDC, Appendix C, the proof of Theorem 2 (Algorithm 3) display by display: (57) to (62).

Letters as in ``theorem_1_proof``; k is the row drawn with probability p_k, sums are over all rows. alpha^0 may lie
outside the domain: no conjugate of an old alpha_i is ever taken.
"""

from collections.abc import Iterable
from functools import partial

from dualgap.proofs_checks.claims.context import Context, Successor
from dualgap.proofs_checks.claims.extra import Extras, further
from dualgap.proofs_checks.claims.instance import Q, Qs
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Le, Relation
from dualgap.proofs_checks.evidence.levels import exact, false_with
from dualgap.proofs_checks.papers.spdc.instances import column, nonuniform_anywhere, with_extra
from dualgap.proofs_checks.papers.spdc.items import PAPER, RESTORED
from dualgap.proofs_checks.papers.spdc.setting import A, Setting
from dualgap.proofs_checks.papers.spdc.theorem_1_proof import contracts, cross_terms
from dualgap.proofs_checks.papers.vocabulary import dot, minus, plus
from dualgap.reference.numbers.arithmetic import Number

MISSING = "Missing in our copy; the counterpart of {}."
STATE = A + r"; (28), (29); any $w^t$, $w^{t-1}$ and $\alpha^t$, outside the domain too"
line = partial(claim, hypotheses=STATE, evidence=[exact(nonuniform_anywhere)])

# norms 1, 1, 1, 30: p_4 n = 1/5 + (4/5) 120/33; squared loss with L2: (57), (58) and (61) are equalities
ONE_LONG_ROW = with_extra(column((1, 1, 1, 30), "1/10000", mix=Q(4, 5)), before=Qs(2)).but(alpha=Qs(1, -1, 1, 2))
ONE_ROW = with_extra(column((1,), "1/100", mix=Q(9, 10)), before=Qs(2)).but(alpha=Qs(1))
MOVING = ONE_ROW.but(lam=Q(1, 225), gamma=Q(1, 4), options={"mix": Q(1, 2)}, extra=further(w=Qs("1/2"), before=Qs(0)))
SLOW = MOVING.but(y=Qs(1), alpha=Qs(0), lam=Q(2), loss="squared-hinge", gamma=None, extra=Extras())


@line(
    "spdc.57",
    r"(57): $\varphi_i^*(\omega_i) -$ $\omega_i x_i^T w^* \ge$ $\varphi_i^*(\alpha^*_i) -$ $\alpha^*_i x_i^T w^* +$"
    r" $(\gamma/2)(\omega_i - \alpha^*_i)^2$ for every $i$",
    origin=PAPER.printed("(57)", note=RESTORED),
    control=false_with("2 gamma for gamma", ONE_LONG_ROW, ONE_ROW, strong=2),
)
def line_57(c: Context, strong: int = 1) -> Iterable[Relation]:
    t = Setting(c)
    for s in t.c.successors:
        k = s.choice
        omega, star, inner = s.alpha[k], t.alpha_star[k], t.inner(k, t.w_star)
        left = t.conjugate(k, star) - star * inner + strong * t.gamma / 2 * (omega - star) * (omega - star)
        yield Le(left, t.conjugate(k, omega) - omega * inner, f"k = {k}")


@line(
    "spdc.58",
    r"(58): $(p_i n/(2 \sigma))(\alpha_i - \alpha^*_i)^2 \ge$ $(p_i n/(2 \sigma) + \gamma)(\omega_i - \alpha^*_i)^2 +$"
    r" $(p_i n/(2 \sigma))(\omega_i - \alpha_i)^2 +$ $x_i^T (w^* - \bar{w})(\omega_i - \alpha^*_i)$ for every $i$",
    origin=PAPER.printed("(58)", note=RESTORED),
    control=false_with("2 gamma for gamma", ONE_LONG_ROW, ONE_ROW, strong=2),
    proof="(26) is (p_i n/sigma + gamma)-strongly concave, omega_i its maximiser; add (57).",
)
def line_58(c: Context, strong: int = 1) -> Iterable[Relation]:
    t = Setting(c)
    for s in t.c.successors:
        k = s.choice
        q, omega, alpha, star = t.pn[k] / t.sigma, s.alpha[k], t.alpha[k], t.alpha_star[k]
        right = (q / 2 + strong * t.gamma) * (omega - star) ** 2 + q / 2 * (omega - alpha) ** 2
        right += t.inner(k, minus(t.w_star, t.w_bar)) * (omega - star)
        yield Le(right, q / 2 * (alpha - star) ** 2, f"k = {k}")


def left_59(t: Setting) -> Number:
    """sum (1/(2 sigma) + (1-p_i) gamma/(p_i n)) (alpha_i - alpha*_i)^2, which (62) has as well."""
    return t.weighted([1 / (2 * t.sigma) + (1 - pn / t.n) * t.gamma / pn for pn in t.pn], t.alpha)


def right_59(t: Setting, s: Successor) -> Number:
    """sum (1/(2 sigma) + gamma/(p_i n)) (alpha_i+ - alpha*_i)^2 + ||alpha+ - alpha||^2/(2 sigma)."""
    return t.weighted(t.weights(2), s.alpha) + t.moved_alpha(s) / (2 * t.sigma)


@line(
    "spdc.59",
    r"(59): $\sum (1/(2 \sigma) + (1-p_i) \gamma/(p_i n))(\alpha_i - \alpha^*_i)^2 \ge$ $\sum (1/(2 \sigma) +"
    r" \gamma/(p_i n)) \mathbb{E}(\alpha_i^+ - \alpha^*_i)^2 +$ $\mathbb{E}\Vert \alpha^+ - \alpha\Vert^2/(2 \sigma) +$"
    r" $\mathbb{E}\langle u - u^* + (1/p_k)(u^+ - u), w^* - \bar{w}\rangle$",
    origin=PAPER.printed("(59)", note=RESTORED),
    control=false_with("n for 1/p_k", ONE_LONG_ROW, weighted=False),
    proof="The mean of (58) over i by h(omega_i) = (1/p_i) E h(alpha_i+) - ((1-p_i)/p_i) h(alpha_i).",
)
def line_59(c: Context, weighted: bool = True) -> Iterable[Relation]:
    """(59); not weighted: with n instead of 1/p_k."""
    t = Setting(c)

    def after(s: Successor) -> Number:
        moved = plus(minus(t.u, t.u_star), t.scale(s) if weighted else t.n, minus(s.state.u, t.u))
        return right_59(t, s) + dot(moved, minus(t.w_star, t.w_bar))

    yield Le(t.c.expect(after), left_59(t), "(59)")


@line(
    "spdc.61",
    r"(60), (61): $g(w^+) + \langle u^*, w^+\rangle \ge$ $g(w^*) + \langle u^*, w^*\rangle +$ $(\lambda/2)\Vert w^+ -"
    r" w^*\Vert^2$, and $\Vert w - w^*\Vert^2/(2 \tau) \ge$ $(1/(2 \tau) + \lambda)\Vert w^+ - w^*\Vert^2 +$ $\Vert w^+"
    r" - w\Vert^2/(2 \tau) +$ $\langle u - u^* + (1/p_k)(u^+ - u), w^+ - w^*\rangle$ for every $k$",
    origin=PAPER.printed("(61)", "(60)", note=RESTORED),
    control=false_with("2 lam for lam", ONE_LONG_ROW, ONE_ROW, strong=2),
)
def line_60(c: Context, strong: int = 1) -> Iterable[Relation]:
    t = Setting(c)
    for s in t.c.successors:
        distance = t.dw2(s.w)
        slope = t.g(t.w_star) + dot(t.u_star, t.w_star) + strong * t.lam / 2 * distance
        yield Le(slope, t.g(s.w) + dot(t.u_star, s.w), f"(60), k = {s.choice}")
        right = (1 / (2 * t.tau) + strong * t.lam) * distance + t.moved_w(s) / (2 * t.tau)
        right += dot(t.ahead(s), minus(s.w, t.w_star))
        yield Le(right, t.dw2(t.w) / (2 * t.tau), f"(61), k = {s.choice}")


@line(
    "spdc.62",
    r"(62): $\Vert w - w^*\Vert^2/(2 \tau) +$ $\sum (1/(2 \sigma) + (1-p_i) \gamma/(p_i n))(\alpha_i - \alpha^*_i)^2"
    r" \ge$ $\mathbb{E} (1/(2 \tau) + \lambda)\Vert w^+ - w^*\Vert^2 +$ $\sum (1/(2 \sigma) + \gamma/(p_i"
    r" n))(\alpha_i^+ - \alpha^*_i)^2 +$ $\Vert d^+\Vert^2/(2 \tau) +$ $\Vert \alpha^+ - \alpha\Vert^2/(2 \sigma) +$"
    r" $\langle u - u^* + (1/p_k)(u^+ - u), w^+ - \bar{w}\rangle$",
    origin=PAPER.printed("(62)", note=RESTORED),
    control=false_with("with d+ counted twice", ONE_LONG_ROW, ONE_ROW, weight=2),
    proof="(59) + (61).",
)
def line_62(c: Context, weight: int = 1) -> Iterable[Relation]:
    t = Setting(c)

    def after(s: Successor) -> Number:
        right = (1 / (2 * t.tau) + t.lam) * t.dw2(s.w) + weight * t.moved_w(s) / (2 * t.tau)
        return right + right_59(t, s) + dot(t.ahead(s), minus(s.w, t.w_bar))

    yield Le(t.c.expect(after), t.dw2(t.w) / (2 * t.tau) + left_59(t), "(62)")


@line(
    "spdc.62.bound",
    "After (62), its cross terms: (1/p_k)|(u+ - u)^T d| <= ||d||^2/(4 tau) + ||alpha+ - alpha||^2/(4 sigma) for every"
    " d, by ||x_k||/(p_k n) <= R_bar/mix and tau sigma = mix^2/(4 R_bar^2)",
    origin=PAPER.reading(
        "after (62)",
        note=(
            "Missing in our copy except for its first line; the counterpart of the bounds after (53), without which the"
            " proof is not complete."
        ),
    ),
    control=false_with("a right side a quarter smaller", ONE_ROW, ONE_LONG_ROW, share=Q(3, 4)),
)
def bound_of_62(c: Context, share: Number = 1) -> Iterable[Relation]:
    return cross_terms(c, share, "tau sigma = mix^2/(4 R_bar^2)", "k")


@line(
    "spdc.62.memory",
    "After (62): ||w - w*||^2/(2 tau) + sum (1/(2 sigma) + (1-p_i) gamma/(p_i n))(alpha_i - alpha*_i)^2 + theta"
    " ||d||^2/(4 tau) + (theta/n)(alpha - alpha*)^T X d >= E Psi+, Psi+ = (1/(2 tau) + lam)||w+ - w*||^2 + sum (1/(2"
    " sigma) + gamma/(p_i n))(alpha_i+ - alpha*_i)^2 + ||d+||^2/(4 tau) + (1/n)(alpha+ - alpha*)^T X d+",
    origin=PAPER.reading(
        "after (62)", note="Missing in our copy; (62) with the bound of its last term, the counterpart of (54)."
    ),
    control=false_with("the terms in d left out", MOVING, memory=0),
    proof="(59), (61) and the bound of their cross terms.",
)
def with_memory(c: Context, memory: int = 1) -> Iterable[Relation]:
    """(62) with its cross terms paid; memory = 0: without the terms in d on its left side."""
    t = Setting(c)
    left = t.dw2(t.w) / (2 * t.tau) + left_59(t) + memory * t.theta * t.memory(t.alpha, minus(t.w, t.before))
    yield Le(t.c.expect(lambda s: t.Psi(s.w, s.alpha, t.w)), left, "(62), cross terms paid")


@line(
    "spdc.62.contraction",
    "After (62): E[Psi+ | past] <= theta Psi",
    origin=PAPER.reading("after (62)", note=MISSING.format("(55)")),
    control=false_with("1 - theta multiplied by 3", SLOW, factor=3),
    proof="1/(1 + 2 lam tau) <= theta and 1 - 1/(1/p_i + n/(2 sigma gamma)) <= theta, as 1/p_i <= n/(1 - mix).",
)
def potential(c: Context, factor: Number = 1) -> Iterable[Relation]:
    t = Setting(c)
    yield contracts(t, t.Psi, factor, "E Psi+ <= theta Psi")


@line(
    "spdc.62.distances",
    "After (62): Psi >= (1/(2 tau) + lam)||w - w*||^2 + (1/(4 sigma) + gamma/n)||alpha - alpha*||^2 whatever w- is, and"
    " with w- = w Psi <= (1/(2 tau) + lam)||w - w*||^2 + (1/(2 sigma) + gamma/(1 - mix))||alpha - alpha*||^2",
    origin=PAPER.reading("after (62)", note=MISSING.format("(56)")),
    control=false_with("1/(2 sigma) for 1/(4 sigma) on the left", ONE_ROW, count=2),
    proof=(
        "|(1/n) a^T X d| <= ||d||^2/(4 tau) + ||a||^2/(4 sigma) by ||X||^2/n^2 <= R_bar^2; p_i <= 1; p_i n >= 1 - mix."
    ),
)
def distances(c: Context, count: int = 4) -> Iterable[Relation]:
    t = Setting(c)
    da2, w_side = t.da2(t.alpha), (1 / (2 * t.tau) + t.lam) * t.dw2(t.w)
    worst = plus(t.w, 2 * t.tau, t.u_of(minus(t.alpha, t.alpha_star)))  # w- where the coupling costs most
    for before in (t.before, worst):
        left = w_side + (1 / (count * t.sigma) + t.gamma / t.n) * da2
        yield Le(left, t.Psi(t.w, t.alpha, before), "left side <= Psi")
    start = w_side + (1 / (2 * t.sigma) + t.gamma / (1 - c.q(c.instance.options["mix"]))) * da2
    yield Le(t.Psi(t.w, t.alpha, t.w), start, "Psi of w- = w <= right side")
