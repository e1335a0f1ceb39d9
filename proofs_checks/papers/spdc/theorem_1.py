"""SPDC, section 2.1, Theorem 1: the rate of Algorithms 1 and 2, and the steps that it asks for.

    (15), (16)  Delta^t, tau, sigma and theta: see ``setting``
    Theorem 1   E Delta^t <= theta^t C, C = Delta^0 + ||alpha^0 - alpha*||^2/(4 m sigma)
    (55)        E[Delta~^{t+1} | past] <= theta Delta~^t, its proof

For squared loss with L2 (55) is decided for all states at once, by the pivots of a matrix, and expectations are exact
for every t, by moments. For the other losses and for elastic net they are exact over all paths. Mistakes show on
problems with a condition number far above n: on well-conditioned data most of them go unnoticed.
"""

from collections.abc import Callable, Iterable
from typing import Any, cast

from dualgap.proofs_checks.claims import drawing as st
from dualgap.proofs_checks.claims.context import Context, Successor
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Q, Qs
from dualgap.proofs_checks.claims.pool import Pool
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Relation, Same
from dualgap.proofs_checks.evidence.formal import formal
from dualgap.proofs_checks.evidence.levels import enclosed, exact, fails_on, false_with, golden
from dualgap.proofs_checks.evidence.trajectories import Enumerated
from dualgap.proofs_checks.papers.spdc.instances import (
    BATCHES_OF_TWO,
    HALF,
    HALF_R,
    SHARP,
    THREE_HINGES,
    THREE_ROWS,
    TWO_EQUAL_ROWS,
    UNEQUAL_NORMS,
    batch_instances,
    batches,
    column,
    hurried,
    logistic,
    nonuniform,
    runs,
    runs_sharp,
    with_extra,
    with_theta,
)
from dualgap.proofs_checks.papers.spdc.items import PAPER, RESTORED, RESTORED_29
from dualgap.proofs_checks.papers.spdc.setting import ANY_STEPS, ASSUMED, EVERY_STATE, SMOOTH, START, A, Setting, bugs
from dualgap.proofs_checks.papers.vocabulary import LONE_ROW, dot, each, each_altered, in_order, line, minus, square
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.problem import Vector

# -- (16) --------------------------------------------------------------------------------------------------------------


@claim(
    "spdc.parameters",
    r"(16), (29): $\tau = (1/(2R)) \sqrt{m \gamma/(n \lambda)}$, $\sigma = (1/(2R)) \sqrt{n \lambda/(m \gamma)}$,"
    r" $\theta$; with $R = \bar{R}/\mathrm{mix}$ and $m = 1$ in (29)",
    hypotheses=r"$\gamma$, $\lambda > 0$, $R > 0$",
    origin=PAPER.printed("(16)", "(28)", "(29)", note=RESTORED_29),
    evidence=[exact(batches, 0.5), exact(nonuniform, 0.5)],
    control=false_with("1/R for 1/(2R)", THREE_ROWS, BATCHES_OF_TWO, UNEQUAL_NORMS, front=Q(1)),
)
def parameters(c: Context, front: Number = Q(1, 2)) -> Iterable[Relation]:
    t, found = Setting(c), cast(Any, c.method).parameters(c.problem)
    rho = 2 * t.R * t.sigma  # sqrt(n lam/(m gamma))
    yield Eq(rho * rho, t.n * t.lam / (t.m * t.gamma), "rho^2 = n lam/(m gamma)")
    yield Eq(found.tau, front / (t.R * rho), "tau")
    yield Eq(found.sigma, front * rho / t.R, "sigma")
    yield Eq(found.theta, t.theta, "theta")
    yield from each(Eq, map(found.pn, range(c.n)), t.pn, "p_# n")
    yield Eq(found.tau * found.sigma * 4 * t.R * t.R, 1, "tau sigma = 1/(4R^2), R = R_bar/mix in (29)")
    yield Eq(t.lam * found.tau * t.n, t.m * t.gamma * found.sigma, "1/(lam tau) = n/(m sigma gamma)")


# -- Theorem 1 ---------------------------------------------------------------------------------------------------------

# The hardest rows, kappa = 20000 and 15000: on well-conditioned problems a wrong line can go unnoticed.
hard = Pool("spdc.hard", st.sampled_from, (TWO_EQUAL_ROWS, column((1, 1, 1), "1/15000", m=2)))
# Squared loss, L2: one step is linear in the state.
batches_squared = Pool("spdc.batches_squared", batch_instances, losses=("squared",), l1=Qs(0))
ONE_OVER_R = column((1, 1), "1/20000", tau="100", sigma="1/100", theta="201/202")


@claim(
    "spdc.theorem-1.sharp",
    "Theorem 1, sharp: the same with theta_R = 1 - 1/(n/m + R sqrt(n/(m lam gamma))), R instead of 2R, and for any"
    " tau sigma <= 1/(4R^2) with theta >= max{1 - m/n, 1/(1 + 2 lam tau), 1 - 1/(n/m + n/(2 m sigma gamma))}",
    origin=PAPER.ours("Theorem 1", "(16)"),
    hypotheses=f"{ASSUMED}; {ANY_STEPS}; {START}",
    evidence=[
        Enumerated(runs_sharp, 0.15),
        golden(*SHARP, level="ENUMERATED", detail="three rows, alone and two at a time, to t = 60, and three hinges"),
        formal("spdc_R_is_tight", "spdc_inverse_R_diverges"),
        formal(
            *(f"spdc_{kind}{what}" for kind in ("", "batch_") for what in ("contraction", "theorem_1", "iterations"))
        ),
    ],
    control=fails_on(HALF_R, text="theta with R/2 instead of R"),
    proof="(55) with theta_R, whose proof needs of the loss only (19); Delta~^0 = C.",
)
@claim(
    "spdc.theorem-1",
    r"Theorem 1: $\mathbb{E} \Delta^t \le \theta^t (\Delta^0 + \Vert \alpha^0 - \alpha^*\Vert^2/(4 m \sigma))$ with"
    r" $\tau$, $\sigma$ and $\theta$ of (16); for squared loss with L2 by (55) and (56) for all states at once,"
    r" $\mathbb{E}[\tilde{\Delta}^{t+1} \vert \mathrm{past}] \le \theta \tilde{\Delta}^t$ and $\Delta \le"
    r" \tilde{\Delta}$",
    hypotheses=f"{SMOOTH}; {START}; all states: {EVERY_STATE}",
    origin=PAPER.printed("Theorem 1", "(15)", "(16)", "(55)", "(56)", "extrapolation", note=RESTORED),
    evidence=[
        exact(hard),
        exact(batches_squared, 0.3),
        Enumerated(runs, 0.15),
        golden(
            THREE_ROWS,
            THREE_HINGES,
            BATCHES_OF_TWO,
            level="ENUMERATED",
            detail="three rows, alone and two at a time, to t = 60, and three hinges",
        ),
        formal("spdc_theorem_1", "spdc_batch_theorem_1", "subsets_fair", "one_per_block_fair"),
    ],
    control=fails_on(
        HALF_R,
        with_theta(THREE_ROWS, "3/4"),
        hurried(TWO_EQUAL_ROWS, HALF),
        hurried(column((1, 1, 1), "2/30000", m=2), HALF),
        ONE_OVER_R,
        text="R/2 instead of 2R in theta, n = 2 and 3; theta = 3/4 for 5/6 or more; 1/R for 1/(2R) in both steps",
    ),
    kills=bugs(
        "wrong-u0 overwritten-alpha no-extrapolation scaled-step steps-1/R lambda-gamma-swapped shared-batch-order"
        " never-last u-scaled-increment"
    ),
)
def theorem_1(c: Context) -> Iterable[Relation]:
    """All states at once, where the claim speaks of them, and from a start (15) along runs."""
    t = Setting(c)
    if "tau" not in c.instance.options and c.instance.options.get("theta") != "sharp":
        yield from t.one_step()
    if t.w_bar == t.w:
        yield from t.falls(t.Delta, t.C, "t = {}: E Delta^t <= theta^t C")


# -- Appendix A, display by display ------------------------------------------------------------------------------------
# w is w^t, w+ is w^(t+1), w- is w^(t-1), d = w - w- and d+ = w+ - w; K is the batch, omega_i the value that the dual
# step would give alpha_i. Expectations are over the method's own choices. The page docs/spdc.md shows each display.


def line_45(t: Setting, strong: int = 1) -> Iterable[Relation]:
    """Return the gain of the dual step at each i of K, with ``strong`` times gamma."""
    for s in t.c.successors:
        for i in t.batch(s):
            omega, old, star = s.alpha[i], t.alpha[i], t.alpha_star[i]
            error, move = omega - star, omega - old
            right = (1 / (2 * t.sigma) + strong * t.gamma / 2) * error * error + move * move / (2 * t.sigma)
            right += t.conjugate(i, omega) - t.conjugate(i, star) - error * t.inner(i, t.w_bar)
            yield Le(right / t.ratio, (old - star) * (old - star) / (2 * t.sigma) / t.ratio, f"(45), i = {i}")


def left_47(t: Setting) -> Number:
    """(1/(2 sigma) + (n-m) gamma/(2n)) ||alpha - alpha*||^2/m, which (52) and (54) have as well."""
    return (1 / (2 * t.sigma) + (t.n - t.m) * t.gamma / (2 * t.n)) * t.da2(t.alpha) / t.m


def line_47(t: Setting, strong: int = 1) -> Iterable[Relation]:
    """The mean of (45) over i, with (46) and (48)."""

    def after(s: Successor) -> Number:
        right = (1 / (2 * t.sigma) + strong * t.gamma / 2) * t.da2(s.alpha) + t.moved_alpha(s) / (2 * t.sigma)
        right += t.conjugates(s.alpha) - t.conjugates(t.alpha)
        return right / t.m - dot(t.ahead(s), t.w_bar)

    constant = (t.conjugates(t.alpha) - t.conjugates(t.alpha_star)) / t.n
    yield Le(t.c.expect(after) + constant, left_47(t), "(47)")


def line_50(t: Setting, strong: int = 1) -> Iterable[Relation]:
    """(49), (50): what the primal step gains; ``strong`` times lam."""
    for s in t.c.successors:
        right = (1 / (2 * t.tau) + strong * t.lam / 2) * t.dw2(s.w) + t.moved_w(s) / (2 * t.tau)
        right += t.g(s.w) - t.g(t.w_star) + dot(t.direction(s), minus(s.w, t.w_star))
        yield Le(right, t.dw2(t.w) / (2 * t.tau), f"(50), K = {s.choice}")


def line_51(t: Setting, shrink: int = 0) -> Iterable[Relation]:
    """The gaps of the saddle function in the terms of (47) and (50); n/m - 1 + ``shrink``."""
    for s in t.c.successors:
        left = t.gap_w(s.w) + t.ratio * t.gap_alpha(s.alpha) - (t.ratio - 1 + shrink) * t.gap_alpha(t.alpha)
        right = t.g(s.w) - t.g(t.w_star) + dot(t.u_star, s.w) - dot(t.direction(s), t.w_star)
        right += (t.conjugates(s.alpha) - t.conjugates(t.alpha)) / t.m
        right += (t.conjugates(t.alpha) - t.conjugates(t.alpha_star)) / t.n
        yield Same(left, right, f"(51), K = {s.choice}")


def sides(t: Setting, rest: Callable[[Successor], Number]) -> tuple[Number, Number]:
    """The two sides that (52) and (54) share, with E rest on the right."""

    def after(s: Successor) -> Number:
        near = (1 / (2 * t.tau) + t.lam / 2) * t.dw2(s.w)
        near += (1 / (2 * t.sigma) + t.gamma / 2) * t.da2(s.alpha) / t.m
        return near + t.gap_w(s.w) + t.ratio * t.gap_alpha(s.alpha) + rest(s)

    return t.dw2(t.w) / (2 * t.tau) + left_47(t) + (t.ratio - 1) * t.gap_alpha(t.alpha), t.c.expect(after)


def line_52(t: Setting, count: int = 1) -> Iterable[Relation]:
    """(47) + (50), by (51); ||d+||^2 ``count`` times."""

    def rest(s: Successor) -> Number:
        moved = count * t.moved_w(s) / (2 * t.tau) + t.moved_alpha(s) / (2 * t.sigma * t.m)
        return moved + dot(t.ahead(s), minus(s.w, t.w_bar))

    left, right = sides(t, rest)
    yield Le(right, left, "(52)")


def line_53(t: Setting, sign: int = 1) -> Iterable[Relation]:
    """The last term of (52) in four products; ``sign`` of the third."""
    n, m, d = t.n, t.m, minus(t.w, t.before)
    for s in t.c.successors:
        new, move = minus(s.w, t.w), minus(s.alpha, t.alpha)
        right = t.coupling(minus(s.alpha, t.alpha_star), new) / n
        right -= t.theta / n * t.coupling(minus(t.alpha, t.alpha_star), d)
        right += sign * t.coupling(move, new) * (n - m) / (m * n) - t.theta / m * t.coupling(move, d)
        yield Same(dot(t.ahead(s), minus(s.w, t.w_bar)), right, f"(53), K = {s.choice}")


def cross_terms(t: Setting, share: Number = 1) -> Iterable[Relation]:
    """After (53) and (62): the bound of a cross term, its right side times share, at d+, d and where it is smallest.

    The cross term is (n/m)(u+ - u)^T d in Algorithms 1 and 2, (1/p_k)(u+ - u)^T d in Algorithm 3.
    """
    yield Same(4 * t.R * t.R * t.tau * t.sigma, t.c.q(1), "tau sigma = 1/(4R^2), R = R_bar/mix in (29)")
    for s in t.c.successors:
        step = minus(t.direction(s), t.u)
        for d in (minus(s.w, t.w), minus(t.w, t.before), [2 * t.tau * v for v in step]):
            right = square(d) / (4 * t.tau) + t.moved_alpha(s) / (4 * t.sigma * t.m)
            yield Le(abs(dot(step, d)), share * right, f"bound of a cross term, K = {s.choice}")


def line_54(t: Setting, memory: int = 1) -> Iterable[Relation]:
    """(54), also without its term that comes for free; memory = 0: without the terms in d on its left side."""
    left, right = sides(t, lambda s: t.memory(s.alpha, minus(s.w, t.w)))
    left += t.theta * memory * t.memory(t.alpha, minus(t.w, t.before))
    yield Le(right, left, "(54) without theta [f(w, alpha*) - f*]")
    yield Le(right, left + t.theta * t.gap_w(t.w), "(54)")


def ratios_of_54(t: Setting, factor: Number = 1) -> Iterable[Relation]:
    """After (54): by (16) each coefficient on its left is at most theta times the one on its right, alpha's exactly.

    1 - theta is multiplied by ``factor``. 2R is what this comparison needs.
    """
    n, m, theta = t.n, t.m, 1 - factor * (1 - t.theta)
    root = n / (m * t.gamma * 2 * t.R * t.sigma)  # sqrt(n/(m lam gamma))
    yield Same(1 / (t.lam * t.tau), 2 * t.R * root, "(16): 1/(lam tau) = 2R sqrt(n/(m lam gamma))")
    yield Le(1 / (2 * t.tau), theta * (1 / (2 * t.tau) + t.lam / 2), "(16), w: 1 - 1/(1 + 2R sqrt(r))")
    new, old = 1 / (2 * t.sigma) + t.gamma / 2, 1 / (2 * t.sigma) + (n - m) * t.gamma / (2 * n)
    yield Same(old, theta * new, "(16), alpha: theta itself")
    yield Le(1 - 1 / t.ratio, theta, "(16), gap_alpha: 1 - m/n")


def line_55(t: Setting, factor: int = 1) -> Iterable[Relation]:
    """After (54), (55): E[Delta~+ | past] <= (1 - factor (1 - theta)) Delta~."""
    yield contracts(t, t.Delta_tilde, factor, "(55)")


def contracts(
    t: Setting, potential: Callable[[Vector, Vector, Vector], Number], factor: Number, label: str
) -> Relation:
    """E potential+ <= (1 - factor (1 - theta)) potential, of (w, alpha, w^-)."""
    new = t.c.expect(lambda s: potential(s.w, s.alpha, t.w))
    return Le(new, (1 - factor * (1 - t.theta)) * potential(t.w, t.alpha, t.before), label)


def line_56(t: Setting, count: Number = 1) -> Iterable[Relation]:
    """Delta <= Delta~, at w- and where the coupling, taken ``count`` times, costs most."""
    a = minus(t.alpha, t.alpha_star)
    for d in (minus(t.w, t.before), [-2 * t.tau * v for v in t.u_of(a)]):
        right = square(d) / (4 * t.tau) + square(a) / (4 * t.sigma * t.m)
        yield Le(-count * t.coupling(a, d) / t.n, right, "(56): -(1/n)(alpha - alpha*)^T X d")


# kappa/n = 10^4, squared loss: (45) and (50) are equalities
TWO_ROWS = with_extra(column((1, 1), "1/20000", R=Q(1)), before=Qs(2)).but(alpha=Qs(1, -1))
FOUR_ROWS = column((1, 1, 1, 1), "1/20000", R=Q(1), m=2, sampling="partition").but(
    alpha=Qs(1, -1, 2, 0), extra=TWO_ROWS.extra
)
ALIGNED = FOUR_ROWS.but(alpha=Qs(1, 1, 1, 1))
ONE_ROW = LONE_ROW.but(method="spdc")
MOVING = ONE_ROW.but(options={"R": Q(1)}, extra=further(w=Qs("1/2"), before=Qs(0)))
SLOW = ONE_ROW.but(alpha=Qs("-1/2"), lam=Q(1, 50), loss="smoothed-hinge", gamma=Q(1, 2), options={"R": Q(1)})
APPENDIX_A = (
    line(line_45, "(45), 2 gamma for gamma", TWO_ROWS, FOUR_ROWS, strong=2),
    line(line_47, "(47), 2 gamma for gamma after the step", TWO_ROWS, FOUR_ROWS, strong=2),
    line(line_50, "(50), 2 lam for lam", TWO_ROWS, FOUR_ROWS, strong=2),
    line(line_51, "(51), n/m for n/m - 1", TWO_ROWS, FOUR_ROWS, shrink=1),
    line(line_52, "(52), d+ counted twice", TWO_ROWS, FOUR_ROWS, count=2),
    line(line_53, "(53), the sign of the third term", TWO_ROWS, FOUR_ROWS, sign=-1),
    line(cross_terms, "after (53), a right side 1 percent smaller", TWO_ROWS, ALIGNED, share=Q(99, 100)),
    line(line_54, "(54), the terms in d left out", MOVING, memory=0),
    line(ratios_of_54, "(16), 1 - theta enlarged by 1 percent", TWO_ROWS, FOUR_ROWS, factor=Q(101, 100)),
    line(line_55, "(55), 1 - theta multiplied by 3", SLOW, factor=3),
    line(
        line_56,
        "(56), a coupling 1 percent larger",
        ALIGNED.but(lam=Q(1, 10000), options={"R": Q(1), "m": 4}),
        count=Q(101, 100),
    ),
)


@claim(
    "spdc.appendix-a",
    "Appendix A, the proof of Theorem 1 display by display: (45) and (47) for the dual step, (50) for the primal one,"
    " (51) to (53), the bounds after (53), (54), its ratios by (16), (55) and (56)",
    hypotheses=A + r"; (16); $P(i \in K) = m/n$; $\alpha^t$ in the domain; any $w^t$ and $w^{t-1}$",
    origin=PAPER.printed(
        *(f"({k})" for k in range(45, 57)),
        "bounds after (53)",
        "ratios of (54)",
        "(16)",
        note=f"{RESTORED} That (54) holds without its term theta [f(w, alpha*) - f*], which comes for free, is ours.",
    ),
    evidence=[exact(batches), enclosed(logistic, 0.2)],
    control=each_altered(APPENDIX_A, Setting),
)
def appendix_a(c: Context) -> Iterable[Relation]:
    """All displays; on the logistic loss those that are never equalities, which no interval decides."""
    equalities = (line_50, cross_terms, ratios_of_54) if c.instance.loss == "logistic" else ()
    return in_order((display for display in APPENDIX_A if display.check not in equalities), Setting(c))
