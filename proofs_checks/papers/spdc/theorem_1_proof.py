"""SPDC, Appendix A, the proof of Theorem 1 display by display: (45) to (56).

In the labels w is w^t, w+ is w^(t+1), w- is w^(t-1), d = w - w- and d+ = w+ - w; K is the batch, omega_i the value that
the dual step would give alpha_i. Expectations are over the method's own choices, at states that runs reach and at
states with any w, w-, alpha (u = X^T alpha/n and (10) are all that the proof asks of them).
"""

from collections.abc import Callable, Iterable
from functools import partial

from dualgap.proofs_checks.claims.context import Context, Successor
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Q, Qs
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Le, Relation, Same
from dualgap.proofs_checks.evidence.levels import enclosed, exact, false_with
from dualgap.proofs_checks.papers.spdc.instances import batches, batches_sharp, column, logistic, with_extra
from dualgap.proofs_checks.papers.spdc.items import PAPER, RESTORED
from dualgap.proofs_checks.papers.spdc.setting import A, Setting
from dualgap.proofs_checks.papers.vocabulary import LONE_ROW, dot, minus, square
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.problem import Vector

STATE = A + r"; (16); $\alpha^t$ in the domain; any $w^t$ and $w^{t-1}$"
line = partial(claim, hypotheses=STATE, evidence=[exact(batches)])

# kappa/n = 10^4, squared loss: (45) and (50) are equalities
TWO_ROWS = with_extra(column((1, 1), "1/20000", R=Q(1)), before=Qs(2)).but(alpha=Qs(1, -1))
FOUR_ROWS = column((1, 1, 1, 1), "1/20000", R=Q(1), m=2, sampling="partition").but(
    alpha=Qs(1, -1, 2, 0), extra=TWO_ROWS.extra
)
EQUALITIES = (TWO_ROWS, FOUR_ROWS)
ONE_ROW = LONE_ROW.but(method="spdc")
MOVING = ONE_ROW.but(lam=Q(8), loss="squared-hinge", options={"R": Q(2)}, extra=further(w=Qs("3/5"), before=Qs(0)))
SLOW = ONE_ROW.but(alpha=Qs("-1/2"), lam=Q(1, 50), loss="smoothed-hinge", gamma=Q(1, 2), options={"R": Q(1)})


# -- the dual step: (45), (47) -----------------------------------------------------------------------------------------


@line(
    "spdc.45",
    r"(45): $(m/(2 \sigma n))(\alpha_i - \alpha^*_i)^2 \ge$ $(m/n)(1/(2 \sigma) + \gamma/2)(\omega_i - \alpha^*_i)^2 +$"
    r" $(m/(2 \sigma n))(\omega_i - \alpha_i)^2 -$ $(m/n)(\omega_i - \alpha^*_i) x_i^T \bar{w} +$"
    r" $(m/n)(\varphi_i^*(\omega_i) - \varphi_i^*(\alpha^*_i))$ for every $i$",
    origin=PAPER.printed("(45)", note=RESTORED),
    evidence=[exact(batches), enclosed(logistic, 0.2)],
    control=false_with("2 gamma for gamma", *EQUALITIES, strong=2),
    proof="omega_i maximises (7), which is (1/sigma + gamma)-strongly concave.",
)
def line_45(c: Context, strong: int = 1) -> Iterable[Relation]:
    t = Setting(c)
    rate, sigma = c.q(t.m) / t.n, t.sigma
    for s in t.c.successors:
        for i in t.batch(s):
            omega, old, star = s.alpha[i], t.alpha[i], t.alpha_star[i]
            error, move = omega - star, omega - old
            right = (1 / (2 * sigma) + strong * t.gamma / 2) * error * error + move * move / (2 * sigma)
            right += t.conjugate(i, omega) - t.conjugate(i, star) - error * t.inner(i, t.w_bar)
            yield Le(rate * right, rate * (old - star) * (old - star) / (2 * sigma), f"i = {i}, K = {s.choice}")


def left_47(t: Setting) -> Number:
    """(1/(2 sigma) + (n-m) gamma/(2n)) ||alpha - alpha*||^2/m, which (52) and (54) have as well."""
    return (1 / (2 * t.sigma) + (t.n - t.m) * t.gamma / (2 * t.n)) * t.da2(t.alpha) / t.m


@claim(
    "spdc.47",
    r"(47), by (46) and (48): $(1/(2 \sigma) + (n-m) \gamma/(2n))\Vert \alpha - \alpha^*\Vert^2/m \ge$ $(1/(2 \sigma) +"
    r" \gamma/2) \mathbb{E}\Vert \alpha^+ - \alpha^*\Vert^2/m +$ $\mathbb{E}\Vert \alpha^+ - \alpha\Vert^2/(2 \sigma m)"
    r" +$ $(1/m) \mathbb{E} \sum_K (\varphi_k^*(\alpha_k^+) - \varphi_k^*(\alpha_k)) +$ $(1/n) \sum"
    r" (\varphi_i^*(\alpha_i) - \varphi_i^*(\alpha^*_i)) -$ $\mathbb{E}\langle u - u^* + (n/m)(u^+ - u),"
    r" \bar{w}\rangle$",
    hypotheses=rf"{STATE}; $P(i \in K) = m/n$",
    origin=PAPER.printed("(47)", "(46)", "(48)", note=RESTORED),
    evidence=[exact(batches), enclosed(logistic, 0.2)],
    control=false_with("2 gamma for gamma after the step", *EQUALITIES, strong=2),
    proof=(
        "The mean of (45) over i by h(omega_i) = (n/m) E h(alpha_i+) - (n/m - 1) h(alpha_i), which needs P(i in K) ="
        " m/n only."
    ),
)
def line_47(c: Context, strong: int = 1) -> Iterable[Relation]:
    t = Setting(c)

    def after(s: Successor) -> Number:
        right = (1 / (2 * t.sigma) + strong * t.gamma / 2) * t.da2(s.alpha) + t.moved_alpha(s) / (2 * t.sigma)
        right += t.conjugates(s.alpha) - t.conjugates(t.alpha)
        return right / t.m - dot(t.ahead(s), t.w_bar)

    constant = (t.conjugates(t.alpha) - t.conjugates(t.alpha_star)) / t.n
    yield Le(t.c.expect(after) + constant, left_47(t), "(47)")


# -- the primal step: (50), (51), (52) ---------------------------------------------------------------------------------


@line(
    "spdc.50",
    r"(49), (50): $\Vert w - w^*\Vert^2/(2 \tau) \ge$ $(1/(2 \tau) + \lambda/2)\Vert w^+ - w^*\Vert^2 +$ $\Vert w^+ -"
    r" w\Vert^2/(2 \tau) +$ $g(w^+) - g(w^*) + \langle u + (n/m)(u^+ - u), w^+ - w^*\rangle$ for every $K$",
    origin=PAPER.printed("(50)", "(49)", note=RESTORED),
    control=false_with("2 lam for lam", *EQUALITIES, strong=2),
    proof="w+ minimises (14), which is (1/tau + lam)-strongly convex.",
)
def line_50(c: Context, strong: int = 1) -> Iterable[Relation]:
    t = Setting(c)
    for s in t.c.successors:
        right = (1 / (2 * t.tau) + strong * t.lam / 2) * t.dw2(s.w) + t.moved_w(s) / (2 * t.tau)
        right += t.g(s.w) - t.g(t.w_star) + dot(t.direction(s), minus(s.w, t.w_star))
        yield Le(right, t.dw2(t.w) / (2 * t.tau), f"K = {s.choice}")


@line(
    "spdc.51",
    r"(51): $[f(w^+, \alpha^*) - f^*] +$ $(n/m)[f^* - f(w^*, \alpha^+)] -$ $(n/m - 1)[f^* - f(w^*, \alpha)] =$ $g(w^+)"
    r" - g(w^*) + \langle u^*, w^+\rangle -$ $\langle u + (n/m)(u^+ - u), w^*\rangle +$ $(1/m) \sum_K"
    r" (\varphi_k^*(\alpha_k^+) - \varphi_k^*(\alpha_k)) +$ $(1/n) \sum (\varphi_i^*(\alpha_i) -"
    r" \varphi_i^*(\alpha^*_i))$",
    origin=PAPER.printed("(51)", note=RESTORED),
    control=false_with("n/m for n/m - 1", *EQUALITIES, shrink=1),
)
def line_51(c: Context, shrink: int = 0) -> Iterable[Relation]:
    t = Setting(c)
    ratio = c.q(t.n) / t.m
    for s in t.c.successors:
        left = t.gap_w(s.w) + ratio * t.gap_alpha(s.alpha) - (ratio - 1 + shrink) * t.gap_alpha(t.alpha)
        right = t.g(s.w) - t.g(t.w_star) + dot(t.u_star, s.w) - dot(t.direction(s), t.w_star)
        right += (t.conjugates(s.alpha) - t.conjugates(t.alpha)) / t.m
        right += (t.conjugates(t.alpha) - t.conjugates(t.alpha_star)) / t.n
        yield Same(left, right, f"K = {s.choice}")


def sides(t: Setting, rest: Callable[[Successor], Number]) -> tuple[Number, Number]:
    """The two sides that (52) and (54) share, with E rest on the right."""
    ratio = t.c.q(t.n) / t.m

    def after(s: Successor) -> Number:
        near = (1 / (2 * t.tau) + t.lam / 2) * t.dw2(s.w)
        near += (1 / (2 * t.sigma) + t.gamma / 2) * t.da2(s.alpha) / t.m
        return near + t.gap_w(s.w) + ratio * t.gap_alpha(s.alpha) + rest(s)

    return t.dw2(t.w) / (2 * t.tau) + left_47(t) + (ratio - 1) * t.gap_alpha(t.alpha), t.c.expect(after)


@line(
    "spdc.52",
    r"(52): $\Vert w - w^*\Vert^2/(2 \tau) +$ $(1/(2 \sigma) + (n-m) \gamma/(2n))\Vert \alpha - \alpha^*\Vert^2/m +$"
    r" $(n/m - 1)[f^* - f(w^*, \alpha)] \ge$ $\mathbb{E} (1/(2 \tau) + \lambda/2)\Vert w^+ - w^*\Vert^2 +$ $(1/(2"
    r" \sigma) + \gamma/2)\Vert \alpha^+ - \alpha^*\Vert^2/m +$ $\Vert d^+\Vert^2/(2 \tau) +$ $\Vert \alpha^+ -"
    r" \alpha\Vert^2/(2 \sigma m) +$ $[f(w^+, \alpha^*) - f^*] +$ $(n/m)[f^* - f(w^*, \alpha^+)] +$ $\langle u - u^* +"
    r" (n/m)(u^+ - u), w^+ - \bar{w}\rangle$",
    origin=PAPER.printed("(52)", note=RESTORED),
    control=false_with("with d+ counted twice", *EQUALITIES, count=2),
    proof="(47) + (50), by (51).",
)
def line_52(c: Context, count: int = 1) -> Iterable[Relation]:
    t = Setting(c)

    def rest(s: Successor) -> Number:
        moved = count * t.moved_w(s) / (2 * t.tau) + t.moved_alpha(s) / (2 * t.sigma * t.m)
        return moved + dot(t.ahead(s), minus(s.w, t.w_bar))

    left, right = sides(t, rest)
    yield Le(right, left, "(52)")


# -- the cross terms: (53), (54) ---------------------------------------------------------------------------------------


@line(
    "spdc.53",
    r"(53): $\langle u - u^* + (n/m)(u^+ - u), w^+ - \bar{w}\rangle =$ $(1/n)(\alpha^+ - \alpha^*)^T X d^+ -$"
    r" $(\theta/n)(\alpha - \alpha^*)^T X d +$ $((n-m)/(mn))(\alpha^+ - \alpha)^T X d^+ -$ $(\theta/m)(\alpha^+ -"
    r" \alpha)^T X d$",
    origin=PAPER.printed("(53)", note=RESTORED),
    control=false_with("the sign of the third term", *EQUALITIES, sign=-1),
)
def line_53(c: Context, sign: int = 1) -> Iterable[Relation]:
    t = Setting(c)
    n, m, d = t.n, t.m, minus(t.w, t.before)
    for s in t.c.successors:
        new, move = minus(s.w, t.w), minus(s.alpha, t.alpha)
        right = t.coupling(minus(s.alpha, t.alpha_star), new) / n
        right -= t.theta / n * t.coupling(minus(t.alpha, t.alpha_star), d)
        right += sign * t.coupling(move, new) * (n - m) / (m * n) - t.theta / m * t.coupling(move, d)
        yield Same(dot(t.ahead(s), minus(s.w, t.w_bar)), right, f"K = {s.choice}")


@line(
    "spdc.53.bound",
    r"After (53): $(1/m)\vert (\alpha^+ - \alpha)^T X d\vert \le$ $\Vert d\Vert^2/(4 \tau) +$ $\Vert \alpha^+ -"
    r" \alpha\Vert^2/(4 \sigma m)$ for every $d$, by $\vert K\vert \le m$ and $\tau \sigma = 1/(4R^2)$",
    origin=PAPER.printed("bounds after (53)", note=RESTORED),
    control=false_with(
        "a right side 1 percent smaller", TWO_ROWS, FOUR_ROWS.but(alpha=Qs(1, 1, 1, 1)), share=Q(99, 100)
    ),
    proof=(
        "||X^T (alpha+ - alpha)|| <= R sqrt(m) ||alpha+ - alpha||, as m coordinates have moved; then 2ab <= a^2 + b^2."
        " Equality for equal rows, equal moves and d = (2 tau/m) X^T (alpha+ - alpha)."
    ),
)
def bound_of_53(c: Context, share: Number = 1) -> Iterable[Relation]:
    return cross_terms(c, share, "tau sigma = 1/(4R^2)", "K")


def cross_terms(c: Context, share: Number, steps: str, choice: str) -> Iterable[Relation]:
    """The bound of a cross term, its right side times share, at d+, at d and at the d that makes it smallest.

    The cross term is (n/m)(u+ - u)^T d in Algorithms 1 and 2, (1/p_k)(u+ - u)^T d in Algorithm 3.
    """
    t = Setting(c)
    yield Same(4 * t.R * t.R * t.tau * t.sigma, c.q(1), steps)
    for s in t.c.successors:
        step = minus(t.direction(s), t.u)
        for d in (minus(s.w, t.w), minus(t.w, t.before), [2 * t.tau * v for v in step]):
            right = square(d) / (4 * t.tau) + t.moved_alpha(s) / (4 * t.sigma * t.m)
            yield Le(abs(dot(step, d)), share * right, f"{choice} = {s.choice}")


def line_54(t: Setting, free: int, memory: int = 1) -> Relation:
    """(54); free = 0: without the term added for free; memory = 0: without the terms in d on its left side."""
    left, right = sides(t, lambda s: t.memory(s.alpha, minus(s.w, t.w)))
    left += t.theta * (memory * t.memory(t.alpha, minus(t.w, t.before)) + free * t.gap_w(t.w))
    return Le(right, left, "(54)" if free else "(54) without theta [f(w, alpha*) - f*]")


@line(
    "spdc.54",
    r"(54): $\Vert w - w^*\Vert^2/(2 \tau) +$ $(1/(2 \sigma) + (n-m) \gamma/(2n))\Vert \alpha - \alpha^*\Vert^2/m +$"
    r" $\theta [f(w, \alpha^*) - f^*] +$ $(n/m - 1)[f^* - f(w^*, \alpha)] +$ $\theta \Vert d\Vert^2/(4 \tau) +$"
    r" $(\theta/n)(\alpha - \alpha^*)^T X d \ge$ $\mathbb{E} (1/(2 \tau) + \lambda/2)\Vert w^+ - w^*\Vert^2 +$ $(1/(2"
    r" \sigma) + \gamma/2)\Vert \alpha^+ - \alpha^*\Vert^2/m +$ $[f(w^+, \alpha^*) - f^*] +$ $(n/m)[f^* - f(w^*,"
    r" \alpha^+)] +$ $\Vert d^+\Vert^2/(4 \tau) +$ $(1/n)(\alpha^+ - \alpha^*)^T X d^+$; also without its term $\theta"
    r" [f(w, \alpha^*) - f^*]$, which comes for free",
    origin=PAPER.printed("(54)", note=f"{RESTORED} Without the term added for free it is ours."),
    evidence=[exact(batches), exact(batches_sharp, 0.5)],
    control=false_with("the terms in d left out", MOVING, memory=0),
    proof="(52), (53) and the two bounds of its cross terms.",
)
def step_with_memory(c: Context, memory: int = 1) -> Iterable[Relation]:
    """(54), also without its free term; memory = 0: without its terms in d."""
    yield line_54(Setting(c), 0, memory)
    yield line_54(Setting(c), 1, memory)


@claim(
    "spdc.16",
    r"(16), after (54): with its $\tau$, $\sigma$ and $\theta$ every coefficient on the left of (54) is at most"
    r" $\theta$ times the one on the right, that of $\alpha$ exactly: $2R$ is what this comparison needs",
    hypotheses=f"{A}; (16)",
    origin=PAPER.printed("ratios of (54)", "(16)", note=RESTORED),
    evidence=[exact(batches, 0.5)],
    control=false_with("1 - theta enlarged by 1 percent", *EQUALITIES, factor=Q(101, 100)),
)
def coefficients(c: Context, factor: Number = 1) -> Iterable[Relation]:
    t = Setting(c)
    n, m, theta = t.n, t.m, 1 - factor * (1 - t.theta)
    root = n / (m * t.gamma * 2 * t.R * t.sigma)  # sqrt(n/(m lam gamma))
    yield Same(1 / (t.lam * t.tau), 2 * t.R * root, "1/(lam tau) = 2R sqrt(n/(m lam gamma))")
    yield Le(1 / (2 * t.tau), theta * (1 / (2 * t.tau) + t.lam / 2), "w: 1 - 1/(1 + 2R sqrt(r))")
    new, old = 1 / (2 * t.sigma) + t.gamma / 2, 1 / (2 * t.sigma) + (n - m) * t.gamma / (2 * n)
    yield Same(old, theta * new, "alpha: theta itself")
    yield Le(1 - c.q(m) / n, theta, "gap_alpha: 1 - m/n")


# -- (55) and (56) -----------------------------------------------------------------------------------------------------


@line(
    "spdc.56",
    r"(56): $\tilde{\Delta} = \Delta + \Vert \alpha - \alpha^*\Vert^2/(4 \sigma m) +$ $\Vert d\Vert^2/(4 \tau) +$"
    r" $(1/n)(\alpha - \alpha^*)^T X d \ge$ $\Delta$",
    origin=PAPER.printed("(56)", note=RESTORED),
    evidence=[exact(batches), enclosed(logistic, 0.2)],
    control=false_with(
        "a coupling 1 percent larger",
        FOUR_ROWS.but(alpha=Qs(1, 1, 1, 1), lam=Q(1, 10000), options={"R": Q(1), "m": 4}),
        count=Q(101, 100),
    ),
    proof=(
        "|(1/n) a^T X d| <= ||d||^2/(4 tau) + tau (||X||^2/n^2)||a||^2, and ||X||^2 <= n R^2, 4 tau sigma R^2 = 1, m <="
        " n. Equality for equal rows and errors and m = n."
    ),
)
def added_terms(c: Context, count: Number = 1) -> Iterable[Relation]:
    t = Setting(c)
    a = minus(t.alpha, t.alpha_star)
    for d in (minus(t.w, t.before), [-2 * t.tau * v for v in t.u_of(a)]):
        right = square(d) / (4 * t.tau) + square(a) / (4 * t.sigma * t.m)
        yield Le(-count * t.coupling(a, d) / t.n, right, "-(1/n)(alpha - alpha*)^T X d")


@line(
    "spdc.55",
    r"After (54), (55): $\mathbb{E}[\tilde{\Delta}^+ \vert \mathrm{past}] \le \theta \tilde{\Delta}$",
    origin=PAPER.printed("(55)", note=RESTORED),
    control=false_with("1 - theta multiplied by 3", SLOW, factor=3),
    proof="(54) and the comparison of its coefficients.",
)
def contraction(c: Context, factor: Number = 1) -> Iterable[Relation]:
    t = Setting(c)
    yield contracts(t, t.Delta_tilde, factor, "(55)")


def contracts(
    t: Setting, potential: Callable[[Vector, Vector, Vector], Number], factor: Number, label: str
) -> Relation:
    """E potential+ <= (1 - factor (1 - theta)) potential, of (w, alpha, w^-)."""
    new = t.c.expect(lambda s: potential(s.w, s.alpha, t.w))
    return Le(new, (1 - factor * (1 - t.theta)) * potential(t.w, t.alpha, t.before), label)
