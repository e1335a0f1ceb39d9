"""ASPDC, section 4, the stop rule, and Appendix A.2, weak duality: the gap, its identity (G), distances, and the gap
against D* - D.

    P(w) >= P* = D* >= D(alpha)
    (G)  P(w) - D(alpha) = (1/n) sum FY_i(x_i^T w, alpha_i) + [g(w) + g*(-u) + u^T w]

As in ``lemma_1`` each instance carries a second point w and a proximal centre.
"""

from dualgap.proofs_checks.papers.aspdc.words import *


@claim(
    "aspdc.weak-duality",
    r"Weak duality: $P(w) \ge P^* = D^* \ge D(\alpha)$ for every $w$ and every $\alpha$ in the domain",
    hypotheses=r"any loss; $g$ $\mu$-strongly convex",
    origin=PAPER.printed("weak duality", "stop rule", note=LOST),
    evidence=[exact(strategies.points), enclosed(strategies.points_logistic, 0.2)],
    control=false_with(
        "D computed with lam + kappa exceeds P*", ALIGNED.but(y=Qs(-1, -1), alpha=Qs("2/3", "2/3")), kappa=1
    ),
    proof="P(w) >= f(w, alpha) >= D(alpha) by Lemma 1 (1) and (2).",
)
def weak_duality(c: Context, kappa: int = 0) -> Iterable[Relation]:
    """P(w), P* and D* against D, which is computed with lam + kappa (L2)."""
    problem = framed(c)
    D = problem.D(c.alpha)
    if kappa:
        s = problem.minus_u(c.alpha)
        D += square(s) * (1 / c.mu - 1 / (c.mu + kappa)) / 2
    for w in (list(c.given.w), problem.w(c.alpha)):
        yield Le(D, problem.P(w), "D(alpha) <= P(w)")
    if c.instance.loss != "logistic":
        best = exact_optimum(problem)
        yield Eq(problem.P(problem.w(best)), problem.D(best), "P* = D*")
        yield Le(D, problem.D(best), "D(alpha) <= D*")
        yield Le(problem.D(best), problem.P(list(c.given.w)), "P* <= P(w)")


@refuted(
    "aspdc.n11",
    "(A15) without line 2 of Algorithm 1 (N11): P(w) - D(alpha) = (1/n) sum FY_i at any w",
    origin=PAPER.inference("(A15)", note="the paper has w = w(alpha) from line 2 on; it does not leave line 2 out"),
    hypotheses="g = (lam/2)||w||^2, line 2 of Algorithm 1 left out",
    evidence=[golden(ALIGNED.but(extra=further(w=Qs(0), kappa=Q(0), centre=Qs(0))), detail="w = 0, alpha = (1, 1)")],
    control=holds_on(ALIGNED.but(extra=further(w=Qs("-1/2"), kappa=Q(0), centre=Qs(0))), text="w = w(alpha)"),
    proof="(G): the difference is (lam/2)||w - w(alpha)||^2. Line 2 of Algorithm 1 is what makes (A15) true.",
)
def gap_without_line_2(c: Context) -> Iterable[Relation]:
    problem, w = framed(c), list(c.given.w)
    yield Eq(problem.P(w) - problem.D(c.alpha), mean_FY(problem, w, c.alpha), "P(w) - D(alpha) = (1/n) sum FY_i")


@claim(
    "aspdc.gap-identity",
    "(G): P(w) - D(alpha) = (1/n) sum FY_i(x_i^T w, alpha_i) + [g(w) + g*(-u) + u^T w] for every w and every alpha in"
    " the domain, both terms >= 0; for g = (lam/2)||w||^2 the second is (lam/2)||w - w(alpha)||^2",
    hypotheses="any loss; L2, elastic net, both with a proximal centre; w not w(alpha)",
    origin=PAPER.ours("(A15)"),
    evidence=[exact(strategies.points), enclosed(strategies.points_logistic, 0.2)],
    control=altered("the second term left out", gap_without_line_2, ALIGNED, CENTRED, NET),
    proof="Add and subtract alpha^T X w/n = u^T w.",
)
def gap_identity(c: Context) -> Iterable[Relation]:
    problem, w = framed(c), list(c.given.w)
    gap, first, second = (
        problem.P(w) - problem.D(c.alpha),
        mean_FY(problem, w, c.alpha),
        g_residual(problem, w, c.alpha),
    )
    yield Same(gap, first + second, "(G)")
    yield Same(problem.gap(w, c.alpha), first + second, "the cancellation-free form that the code uses")
    yield Le(0, first, "(1/n) sum FY_i >= 0")
    yield Le(0, second, "g(w) + g*(-u) + u^T w >= 0")
    if problem.regularizer.l1 == 0:
        distance = square(minus(w, problem.w(c.alpha)))
        yield Same(second, problem.regularizer.modulus * distance / 2, "second term = (mu/2)||w - w(alpha)||^2")
    at = problem.w(c.alpha)
    yield Same(problem.P(at) - problem.D(c.alpha), mean_FY(problem, at, c.alpha), "at w(alpha) the FY sum is the gap")


# -- the gap of Algorithm 2 --------------------------------------------------------------------------------------------


@refuted(
    "aspdc.n10",
    "Algorithm 2, line 4, misread (N10): the inner stop of ASPDC-i may be taken from P(w) - D(alpha) of the original"
    " problem, or from P(w) - D~(alpha) with the D of lam + kappa",
    origin=PAPER.inference(
        "Algorithm 2",
        "stop rule",
        note="line 4 hands a tolerance to Algorithm 1 on f~_s, whose gap is meant; the paper says neither of these",
    ),
    hypotheses="w = w(alpha) of the inner problem",
    evidence=[golden(CENTRED, detail="n = 2, lam = 2, kappa = 1")],
    control=holds_on(ALIGNED, text="kappa = 0: the two problems are one"),
    proof="(G) of the inner problem rejects both: neither is its gap, which is (1/n) sum FY_i at w = w(alpha).",
)
def mixed_gaps(c: Context) -> Iterable[Relation]:
    inner = framed(c)
    w = inner.w(c.alpha)
    FY = mean_FY(inner, w, c.alpha)
    yield Eq(c.problem.P(w) - inner.D(c.alpha), FY, "P(w) - D~(alpha) = (1/n) sum FY_i")
    yield Eq(c.problem.P(w) - c.D, FY, "P(w) - D(alpha) = (1/n) sum FY_i")


@claim(
    "aspdc.n10.repaired",
    "N10 repaired: the inner gap is P~(w) - D~(alpha) = (1/n) sum FY_i, and P(w) - D(alpha) with lam certifies the"
    " original problem although w is not w(alpha)",
    origin=PAPER.ours("Algorithm 2", "stop rule"),
    hypotheses="w = w(alpha) of the inner problem",
    evidence=[exact(strategies.points)],
    control=altered("the mixture P - D~", mixed_gaps, CENTRED),
)
def inner_gap(c: Context) -> Iterable[Relation]:
    inner = framed(c)
    w = inner.w(c.alpha)
    yield Eq(inner.P(w) - inner.D(c.alpha), mean_FY(inner, w, c.alpha), "P~ - D~ = (1/n) sum FY_i")
    yield Le(c.problem.P(w) - c.problem.D(c.optimum), c.problem.P(w) - c.D, "P(w) - P* <= P(w) - D(alpha)")


# -- distances and the reverse bound -----------------------------------------------------------------------------------


@claim(
    "aspdc.distance-bounds",
    "Distances: (mu/2)||w(alpha) - w*||^2 and (gamma/2n)||alpha - alpha*||^2 are <= D* - D(alpha); "
    "(mu/2)||w - w*||^2 <= P(w) - P*; both suboptimalities are <= P(w) - D(alpha)",
    origin=PAPER.ours("weak duality"),
    hypotheses=ANY_G,
    evidence=[exact(strategies.points)],
    control=false_with("twice as strong", ALIGNED.but(lam=Q(1, 8)), ALIGNED.but(alpha=Qs(1, -1)), factor=2),
    proof=(
        "P and f(., alpha) are mu-strongly convex, D is (gamma/n)-strongly concave; at the optimum their gradients"
        " vanish."
    ),
)
def distance_bounds(c: Context, factor: int = 1) -> Iterable[Relation]:
    problem, w = framed(c), list(c.given.w)
    best = exact_optimum(problem)
    w_best, w_alpha, half = problem.w(best), problem.w(c.alpha), Q(factor, 2)
    D_star, D, mu = problem.D(best), problem.D(c.alpha), problem.regularizer.modulus
    yield Le(mu * half * square(minus(w_alpha, w_best)), D_star - D, "(mu/2)||w(alpha) - w*||^2 <= D* - D(alpha)")
    yield Le(
        problem.gamma * half * square(minus(c.alpha, best)) / c.n,
        D_star - D,
        "(gamma/2n)||alpha - alpha*||^2 <= D* - D(alpha)",
    )
    yield Le(mu * half * square(minus(w, w_best)), problem.P(w) - D_star, "(mu/2)||w - w*||^2 <= P(w) - P*")
    yield Le(problem.P(w) - D_star, problem.P(w) - D, "P(w) - P* <= gap")
    yield Le(D_star - D, problem.P(w) - D, "D* - D(alpha) <= gap")


def reverse(c: Context, constant: Number, label: str) -> Relation:
    """P(w(alpha)) - D(alpha) <= constant (D* - D(alpha)), in the framed problem."""
    problem = framed(c)
    D = problem.D(c.alpha)
    return Le(problem.P(problem.w(c.alpha)) - D, constant * (problem.D(exact_optimum(problem)) - D), label)


def condition_of(c: Context) -> Number:
    """R^2/(mu gamma)."""
    return c.R2 / (framed(c).regularizer.modulus * c.gamma)


@claim(
    "aspdc.reverse-bound",
    "Reverse bound: P(w(alpha)) - D(alpha) <= (n + R^2/(mu gamma)) (D* - D(alpha))",
    origin=PAPER.ours("weak duality"),
    hypotheses=ANY_G,
    evidence=[exact(strategies.points)],
    control=false_with("half of R^2/(mu gamma)", ALIGNED.but(rows=(Qs(1),), y=Qs(0), alpha=Qs(1)), part=Q(1, 2)),
    proof="A (Prox-)SDCA step gains at least gap/(n (1 + K)) in the mean over i, and no step gains more than D* - D.",
)
def reverse_bound(c: Context, part: Fraction = Q(1)) -> Iterable[Relation]:
    yield reverse(c, c.n + part * condition_of(c), "gap <= (n + R^2/(mu gamma)) (D* - D)")


@claim(
    "aspdc.reverse-bound.sharp",
    "Reverse bound, sharp: P(w(alpha)) - D(alpha) <= (1 + R^2/(mu gamma)) (D* - D(alpha)), for every mu-strongly convex"
    " g; equality at equal rows",
    origin=PAPER.ours("weak duality"),
    hypotheses=ANY_G,
    evidence=[
        exact(strategies.points),
        golden(ALIGNED, ALIGNED.but(lam=Q(1, 8)), detail="equality at equal rows"),
        formal("gap_bound"),
    ],
    control=false_with("1/1000 less", ALIGNED, ALIGNED.but(lam=Q(1, 8)), less=Q(1, 1000)),
    proof=(
        "D* - D = A + B with the Bregman distances A = (1/n) sum [phi_i*(alpha_i) - phi_i*(alpha*_i) - z*_i (alpha_i -"
        " alpha*_i)] >= (gamma/2n)||alpha - alpha*||^2 and, writing s for -u, B = g*(s) - g*(s*) - w*^T (s - s*) >="
        " (mu/2)||w - w*||^2. P(w(alpha)) - P* <= (R^2/(2 gamma))||w - w*||^2 + C, C = g*(s*) - g*(s) - w(alpha)^T (s*"
        " - s). The first part is <= (R^2/(mu gamma)) B; and C <= ||s - s*||^2/(2 mu) <= (R^2/(2 mu n))||alpha -"
        " alpha*||^2 <= (R^2/(mu gamma)) A."
    ),
)
def reverse_bound_sharp(c: Context, less: Fraction = Q(0)) -> Iterable[Relation]:
    yield reverse(c, 1 + condition_of(c) - less, "gap <= (1 + R^2/(mu gamma)) (D* - D)")
