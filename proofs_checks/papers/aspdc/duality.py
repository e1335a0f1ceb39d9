"""ASPDC, the problem: Lemma 1, weak duality, the gap identity (G), distances, and the gap against D* - D.

Nothing here depends on the algorithm. Each instance carries a second point w (unrelated to alpha) and a
proximal centre of weight kappa >= 0; for kappa > 0 the claims speak of the inner problem f~ of ASPDC-i.
mu is the strong-convexity modulus of g (lam, or lam + kappa), u = X^T alpha/n, w(alpha) = grad g*(-u).
"""

from dualgap.proofs_checks.papers.aspdc.items import LOST, PAPER
from dualgap.proofs_checks.papers.aspdc.steps import EQUAL_ROWS, SMOOTH
from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.proofs_checks.strategies import instances as strategies
from dualgap.reference import Problem
from dualgap.reference.problem.problem import Vector

ANY_G = rf"{SMOOTH}; $g$ $\mu$-strongly convex: L2, elastic net, both with a proximal centre"

# Rows x_i = 1, y = 0, squared loss; alpha = (1, 1) is the direction that moves w most.
ALIGNED = EQUAL_ROWS.but(alpha=Qs(1, 1), extra=further(w=Qs(2), kappa=Q(0), centre=Qs(0)))
CENTRED = ALIGNED.but(extra=further(w=Qs(2), kappa=Q(1), centre=Qs(3)))
NET = ALIGNED.but(l1=Q(1, 2), extra=further(w=Qs(2), kappa=Q(0), centre=Qs(0)))


def framed(c: Context) -> Problem:
    """The instance's problem, with its proximal centre where kappa > 0."""
    return c.problem.centred(c.given.kappa, list(c.given.centre)) if c.instance.extra.kappa else c.problem


def responses(problem: Problem, w: Vector) -> Vector:
    """phi_i'(x_i^T w), shape (n,)."""
    return [problem.loss.derivative(problem.dot(row, w), y) for row, y in zip(problem.rows, problem.y)]


def square(a: Vector, b: Vector, zero: Number) -> Number:
    """||a - b||^2."""
    total = zero
    for x, y in zip(a, b):
        total = total + (x - y) * (x - y)
    return total


def mean_FY(problem: Problem, w: Vector, alpha: Vector) -> Number:
    """(1/n) sum_i phi_i(z_i) + phi_i*(alpha_i) - alpha_i z_i, z = Xw, by the definition."""
    total = problem.zero
    for row, a, y in zip(problem.rows, alpha, problem.y):
        z = problem.dot(row, w)
        total = total + (problem.loss.value(z, y) + problem.loss.conjugate(a, y) - a * z)
    return total / problem.n


def g_residual(problem: Problem, w: Vector, alpha: Vector) -> Number:
    """g(w) + g*(-u) + u^T w, by the definition."""
    s = problem.minus_u(alpha)
    total = problem.regularizer.value(w) + problem.regularizer.conjugate(s)
    for s_j, w_j in zip(s, w):
        total = total - s_j * w_j
    return total


# -- Lemma 1 --------------------------------------------------------------------------------------------------------


def half_response(c: Context) -> Iterable[Relation]:
    """Lemma 1 (1) with a maximiser that goes only half of the way."""
    problem, w = framed(c), list(c.given.w)
    yield Eq(problem.f(w, [(b + a) / 2 for b, a in zip(responses(problem, w), c.alpha)]), problem.P(w), "")


@claim(
    "aspdc.lemma-1.1",
    r"Lemma 1 (1), (A1): $P(w) = \max_{\alpha} f(w, \alpha)$ for every $w$, attained at $\alpha_i ="
    r" \varphi_i'(x_i^T w)$",
    hypotheses=ANY_G,
    origin=PAPER.printed("Lemma 1", "(A1)", note=LOST),
    evidence=[exact(strategies.points), enclosed(strategies.points_logistic, 0.2)],
    control=altered("a maximiser half of the way", half_response, ALIGNED, CENTRED, NET),
    proof="f is separable in alpha, and phi_i is its own biconjugate: the maximum of alpha z - phi*(alpha) is phi(z).",
)
def lemma_1_1(c: Context) -> Iterable[Relation]:
    problem, w = framed(c), list(c.given.w)
    yield Same(problem.f(w, responses(problem, w)), problem.P(w), "f(w, phi'(Xw)) = P(w)")
    for alpha in (c.alpha, c.instance.alpha):
        yield Le(problem.f(w, [c.q(a) for a in alpha]), problem.P(w), "f(w, alpha) <= P(w)")


def unthresholded(c: Context) -> Iterable[Relation]:
    """Lemma 1 (2) with w = s/mu, the l1 part and the centre forgotten."""
    problem = framed(c)
    yield Eq(problem.f([s_j / c.mu for s_j in problem.minus_u(c.alpha)], c.alpha), problem.D(c.alpha), "")


@claim(
    "aspdc.lemma-1.2",
    r"Lemma 1 (2), (A2): $D(\alpha) = \min_w f(w, \alpha)$, attained at $w(\alpha)$; held by what every other $w$"
    r" pays, "
    r"$(\mu/2)\Vert w - w(\alpha)\Vert^2$ at least (exactly that where $g$ is quadratic)",
    hypotheses=ANY_G,
    origin=PAPER.printed("Lemma 1", "(A2)", note=f"what another w pays is ours; {LOST}"),
    evidence=[exact(strategies.points), enclosed(strategies.points_logistic, 0.2)],
    control=altered("w = s/mu without soft threshold and centre", unthresholded, CENTRED, NET),
    proof="min_w of g(w) + u^T w is -g*(-u) by the definition of g*; f(., alpha) is mu-strongly convex.",
)
def lemma_1_2(c: Context) -> Iterable[Relation]:
    problem, w = framed(c), list(c.given.w)
    best, D = problem.w(c.alpha), problem.D(c.alpha)
    yield Same(problem.f(best, c.alpha), D, "f(w(alpha), alpha) = D(alpha)")
    payment = problem.regularizer.modulus * square(w, best, problem.zero) / 2
    quadratic = problem.regularizer.l1 == 0
    yield (Same if quadratic else Le)(
        D + payment, problem.f(w, c.alpha), "D(alpha) + (mu/2)||w - w(alpha)||^2 <= f(w, alpha)"
    )


def only_one(problem: Problem, w: Vector, alpha: Vector, best: Vector) -> Iterable[Relation]:
    """alpha* = ``best`` and w(alpha*) are a saddle point, and any other w or alpha is strictly worse."""
    w_best = problem.w(best)
    P, D = problem.P(w_best), problem.D(best)
    yield Eq(P, D, "P(w*) = D(alpha*)")
    yield Eq(problem.f(w_best, best), D, "f(w*, alpha*) = D(alpha*)")
    yield Le(problem.f(w_best, alpha), D, "f(w*, alpha) <= f(w*, alpha*)")
    yield Le(P, problem.f(w, best), "f(w*, alpha*) <= f(w, alpha*)")
    if w != w_best:
        yield Lt(P, problem.P(w), "w* is unique")
    if alpha != best:
        yield Lt(problem.D(alpha), D, "alpha* is unique")


def two_hinge_optima(c: Context) -> Iterable[Relation]:
    """Hinge, two equal rows: (-1, 0) and (0, -1) are both optimal."""
    yield from only_one(c.problem, c.problem.w(c.alpha), c.alpha, [c.q(0), c.q(-1)])


TWO_HINGE = Instance(rows=(Qs(1), Qs(1)), y=Qs(1, 1), alpha=Qs(-1, 0), lam=Q(1, 2), loss="hinge")


@claim(
    "aspdc.lemma-1.3",
    r"Lemma 1 (3): the saddle point exists and is unique, $P(w^*) = D(\alpha^*) =$ $f(w^*, \alpha^*)$, $\alpha^*_i ="
    r" \varphi_i'(x_i^T w^*)$",
    hypotheses=rf"{ANY_G}; $\gamma > 0$",
    origin=PAPER.printed("Lemma 1", note=f"examined where g itself is strongly convex; {LOST}"),
    evidence=[exact(strategies.points)],
    control=altered("gamma = 0: the hinge loss has two optimal alpha", two_hinge_optima, TWO_HINGE),
    proof=(
        "w* is unique by strong convexity; alpha*_i = phi_i'(x_i^T w*) and -X^T alpha*/n in the subdifferential of g at"
        " w* make both terms of (G) vanish; phi_i* is gamma-strongly convex, so alpha* is unique."
    ),
)
def lemma_1_3(c: Context) -> Iterable[Relation]:
    problem = framed(c)
    best = exact_optimum(problem)
    yield from only_one(problem, list(c.given.w), c.alpha, best)
    for i, (a, b) in enumerate(zip(best, responses(problem, problem.w(best)))):
        yield Eq(a, b, f"alpha*_{i} = phi'(x^T w*)")


# -- weak duality and (G) --------------------------------------------------------------------------------------------


def wrong_dual(c: Context, kappa: Number) -> Number:
    """D(alpha) with lam + kappa in the place of lam (L2)."""
    s = c.problem.minus_u(c.alpha)
    return c.D + square(s, [c.q(0)] * len(s), c.q(0)) * (1 / c.mu - 1 / (c.mu + kappa)) / 2


def weak_with_kappa(c: Context) -> Iterable[Relation]:
    """Weak duality with D computed for lam + 1, at the optimum of the problem itself."""
    yield Le(wrong_dual(c, c.q(1)), c.problem.P(c.problem.w(c.optimum)), "")


@claim(
    "aspdc.weak-duality",
    r"Weak duality: $P(w) \ge P^* = D^* \ge D(\alpha)$ for every $w$ and every $\alpha$ in the domain",
    hypotheses=r"any loss; $g$ $\mu$-strongly convex",
    origin=PAPER.printed("weak duality", "stop rule", note=LOST),
    evidence=[exact(strategies.points), enclosed(strategies.points_logistic, 0.2)],
    control=altered(
        "D computed with lam + kappa exceeds P*", weak_with_kappa, EQUAL_ROWS.but(y=Qs(-1, -1), alpha=Qs("2/3", "2/3"))
    ),
    proof="P(w) >= f(w, alpha) >= D(alpha) by Lemma 1 (1) and (2).",
)
def weak_duality(c: Context) -> Iterable[Relation]:
    problem = framed(c)
    D = problem.D(c.alpha)
    for w in (list(c.given.w), problem.w(c.alpha)):
        yield Le(D, problem.P(w), "D(alpha) <= P(w)")
    if c.instance.loss != "logistic":
        best = exact_optimum(problem)
        yield Eq(problem.P(problem.w(best)), problem.D(best), "P* = D*")
        yield Le(D, problem.D(best), "D(alpha) <= D*")
        yield Le(problem.D(best), problem.P(list(c.given.w)), "P* <= P(w)")


def without_second_term(c: Context) -> Iterable[Relation]:
    """(G) without [g(w) + g*(-u) + u^T w], which vanishes only at w = w(alpha)."""
    problem, w = framed(c), list(c.given.w)
    yield Eq(problem.P(w) - problem.D(c.alpha), mean_FY(problem, w, c.alpha), "P(w) - D(alpha) = (1/n) sum FY_i")


@claim(
    "aspdc.gap-identity",
    "(G): P(w) - D(alpha) = (1/n) sum FY_i(x_i^T w, alpha_i) + [g(w) + g*(-u) + u^T w] for every w and every alpha in"
    " the domain, both terms >= 0; for g = (lam/2)||w||^2 the second is (lam/2)||w - w(alpha)||^2",
    hypotheses="any loss; L2, elastic net, both with a proximal centre; w not w(alpha)",
    origin=PAPER.ours("(A15)"),
    evidence=[exact(strategies.points), enclosed(strategies.points_logistic, 0.2)],
    control=altered("the second term left out", without_second_term, ALIGNED, CENTRED, NET),
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
        distance = square(w, problem.w(c.alpha), problem.zero)
        yield Same(second, problem.regularizer.modulus * distance / 2, "second term = (mu/2)||w - w(alpha)||^2")
    at = problem.w(c.alpha)
    yield Same(problem.P(at) - problem.D(c.alpha), mean_FY(problem, at, c.alpha), "at w(alpha) the FY sum is the gap")


@claim(
    "aspdc.n10",
    "Algorithm 2, line 4, misread (N10): the inner stop of ASPDC-i may be taken from P(w) - D(alpha) of the original"
    " problem, or from P(w) - D~(alpha) with the D of lam + kappa",
    origin=PAPER.inference(
        "Algorithm 2",
        "stop rule",
        note="line 4 hands a tolerance to Algorithm 1 on f~_s, whose gap is meant; the paper says neither of these",
    ),
    hypotheses="w = w(alpha) of the inner problem",
    expected="REFUTED",
    evidence=[golden(CENTRED, detail="n = 2, lam = 2, kappa = 1")],
    control=holds_on(ALIGNED, text="kappa = 0: the two problems are one"),
    proof="(G) of the inner problem rejects both: neither is its gap, which is (1/n) sum FY_i at w = w(alpha).",
)
def n10(c: Context) -> Iterable[Relation]:
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
    control=altered("the mixture P - D~", n10, CENTRED),
)
def n10_repaired(c: Context) -> Iterable[Relation]:
    inner = framed(c)
    w = inner.w(c.alpha)
    yield Eq(inner.P(w) - inner.D(c.alpha), mean_FY(inner, w, c.alpha), "P~ - D~ = (1/n) sum FY_i")
    yield Le(c.problem.P(w) - c.problem.D(c.optimum), c.problem.P(w) - c.D, "P(w) - P* <= P(w) - D(alpha)")


@claim(
    "aspdc.n11",
    "(A15) without line 2 of Algorithm 1 (N11): P(w) - D(alpha) = (1/n) sum FY_i at any w",
    origin=PAPER.inference(
        "(A15)", note="the paper has w = w(alpha) from line 2 on; who leaves line 2 out is not the paper"
    ),
    hypotheses="g = (lam/2)||w||^2, line 2 of Algorithm 1 left out",
    expected="REFUTED",
    evidence=[golden(ALIGNED.but(extra=further(w=Qs(0), kappa=Q(0), centre=Qs(0))), detail="w = 0, alpha = (1, 1)")],
    control=holds_on(ALIGNED.but(extra=further(w=Qs("-1/2"), kappa=Q(0), centre=Qs(0))), text="w = w(alpha)"),
    proof="(G): the difference is (lam/2)||w - w(alpha)||^2. Line 2 of Algorithm 1 is what makes (A15) true.",
)
def n11(c: Context) -> Iterable[Relation]:
    yield from without_second_term(c)


# -- distances and the reverse bound -----------------------------------------------------------------------------------


def distances(c: Context, factor: int = 1) -> Iterable[Relation]:
    """The distance bounds of a state to the optimum, ``factor`` times as strong."""
    problem, w = framed(c), list(c.given.w)
    best = exact_optimum(problem)
    w_best, w_alpha, half = problem.w(best), problem.w(c.alpha), Q(factor, 2)
    D_star, D, mu = problem.D(best), problem.D(c.alpha), problem.regularizer.modulus
    yield Le(
        mu * half * square(w_alpha, w_best, problem.zero), D_star - D, "(mu/2)||w(alpha) - w*||^2 <= D* - D(alpha)"
    )
    yield Le(
        problem.gamma * half * square(c.alpha, best, problem.zero) / c.n,
        D_star - D,
        "(gamma/2n)||alpha - alpha*||^2 <= D* - D(alpha)",
    )
    yield Le(mu * half * square(w, w_best, problem.zero), problem.P(w) - D_star, "(mu/2)||w - w*||^2 <= P(w) - P*")
    yield Le(problem.P(w) - D_star, problem.P(w) - D, "P(w) - P* <= gap")
    yield Le(D_star - D, problem.P(w) - D, "D* - D(alpha) <= gap")


@claim(
    "aspdc.distance-bounds",
    "Distances: (mu/2)||w(alpha) - w*||^2 and (gamma/2n)||alpha - alpha*||^2 are <= D* - D(alpha); "
    "(mu/2)||w - w*||^2 <= P(w) - P*; both suboptimalities are <= P(w) - D(alpha)",
    origin=PAPER.ours("weak duality"),
    hypotheses=ANY_G,
    evidence=[exact(strategies.points)],
    control=altered(
        "twice as strong", partial(distances, factor=2), ALIGNED.but(lam=Q(1, 8)), ALIGNED.but(alpha=Qs(1, -1))
    ),
    proof=(
        "P and f(., alpha) are mu-strongly convex, D is (gamma/n)-strongly concave; at the optimum their gradients"
        " vanish."
    ),
)
def distance_bounds(c: Context) -> Iterable[Relation]:
    yield from distances(c)


def reverse(c: Context, constant: Number, label: str) -> Relation:
    """P(w(alpha)) - D(alpha) <= constant (D* - D(alpha)), in the framed problem."""
    problem = framed(c)
    D = problem.D(c.alpha)
    return Le(problem.P(problem.w(c.alpha)) - D, constant * (problem.D(exact_optimum(problem)) - D), label)


def condition(c: Context) -> Number:
    """R^2/(mu gamma)."""
    return c.R2 / (framed(c).regularizer.modulus * c.gamma)


@claim(
    "aspdc.reverse-bound",
    "Reverse bound: P(w(alpha)) - D(alpha) <= (n + R^2/(mu gamma)) (D* - D(alpha))",
    origin=PAPER.ours("weak duality"),
    hypotheses=ANY_G,
    evidence=[exact(strategies.points)],
    control=altered(
        "half of R^2/(mu gamma)",
        lambda c: [reverse(c, c.n + condition(c) / 2, "")],
        ALIGNED.but(rows=(Qs(1),), y=Qs(0), alpha=Qs(1)),
    ),
    proof="A (Prox-)SDCA step gains at least gap/(n (1 + K)) in the mean over i, and no step gains more than D* - D.",
)
def reverse_bound(c: Context) -> Iterable[Relation]:
    yield reverse(c, c.n + condition(c), "gap <= (n + R^2/(mu gamma)) (D* - D)")


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
    control=altered(
        "1/1000 less", lambda c: [reverse(c, 1 + condition(c) - Q(1, 1000), "")], ALIGNED, ALIGNED.but(lam=Q(1, 8))
    ),
    proof=(
        "D* - D = A + B with the Bregman distances A = (1/n) sum [phi_i*(alpha_i) - phi_i*(alpha*_i) - z*_i (alpha_i -"
        " alpha*_i)] >= (gamma/2n)||alpha - alpha*||^2 and, writing s for -u, B = g*(s) - g*(s*) - w*^T (s - s*) >="
        " (mu/2)||w - w*||^2. P(w(alpha)) - P* <= (R^2/(2 gamma))||w - w*||^2 + C, C = g*(s*) - g*(s) - w(alpha)^T (s*"
        " - s). The first part is <= (R^2/(mu gamma)) B; and C <= ||s - s*||^2/(2 mu) <= (R^2/(2 mu n))||alpha -"
        " alpha*||^2 <= (R^2/(mu gamma)) A."
    ),
)
def reverse_bound_sharp(c: Context) -> Iterable[Relation]:
    yield reverse(c, 1 + condition(c), "gap <= (1 + R^2/(mu gamma)) (D* - D)")
