"""ASPDC, section 3: Assumptions 1 and 2, what they say of phi* and of P, and losses that do not satisfy them.

Assumption 1  phi_i convex, phi_i' (1/gamma)-Lipschitz, so that phi_i* is gamma-strongly convex
Assumption 2  P(v) >= P(w) + <grad P(w), v - w> + (lam/2)||v - w||^2
"""

from dualgap.proofs_checks.papers.aspdc.words import *

# -- Assumption 1 ------------------------------------------------------------------------------------------------------


between_logistic = Pool(  # logistic loss, and a q
    "aspdc.between_logistic",
    strategies.instances,
    K=Qs("1/4", 1),
    losses=("logistic",),
    max_n=2,
    max_d=2,
    max_path=0,
    extra=any_of(q=Qs("1/2", "1/4", "9/10")),
)


@claim(
    "aspdc.strong-conjugate",
    r"After Assumption 1: $\varphi_i$ $(1/\gamma)$-smooth makes $\varphi_i^*$ $\gamma$-strongly convex:"
    r" $\varphi^*((1-q) a + q b) \le$ "
    r"$(1-q) \varphi^*(a) + q \varphi^*(b) -$ $\gamma q(1-q)(b - a)^2/2$, as (A8) uses it",
    hypotheses=f"{SMOOTH}; $a$, $b$ in the domain, $q$ in $[0, 1]$",
    origin=PAPER.printed("strong convexity of phi*", "(A8)", note=LOST),
    evidence=[exact(strategies.one_step_any), enclosed(between_logistic, 0.2)],
    control=false_with("gamma + 1/1000, squared loss", EQUAL_ROWS, more=Q(1, 1000)),
)
def strong_conjugate(c: Context, more: Fraction = Q(0)) -> Iterable[Relation]:
    """phi_i* between alpha_i and phi_i'(z_i), q of the way, against its chord less gamma q(1-q)/2 distance^2."""
    q, conjugate, gamma = c.given.q, c.problem.loss.conjugate, c.gamma + more
    for i, (a, b, y) in enumerate(zip(c.alpha, c.best, c.problem.y)):
        below = (1 - q) * conjugate(a, y) + q * conjugate(b, y) - gamma * q * (1 - q) * (b - a) * (b - a) / 2
        yield Le(conjugate((1 - q) * a + q * b, y), below, f"phi_{i}* lies below its chord by gamma q(1-q)(b - a)^2/2")


def probabilities() -> SearchStrategy[Instance]:
    """One q in (0, 1)."""
    one = Instance((Qs(1),), Qs(1), Qs(0), Q(1), "logistic")
    return (
        st.fractions(min_value=0, max_value=1, max_denominator=1000)
        .filter(lambda q: 0 < q < 1)
        .map(lambda q: one.but(extra=further(q=q)))
    )


HALF = Instance((Qs(1),), Qs(1), Qs(0), Q(1), "logistic", extra=further(q=Q(1, 2)))


@claim(
    "aspdc.logistic-modulus",
    "Assumption 1, logistic loss: gamma = 4, because (phi*)''(alpha) - 4 = (2q - 1)^2/(q(1 - q)) >= 0 at alpha = -q y, "
    "with equality at q = 1/2",
    origin=PAPER.ours("Assumption 1"),
    hypotheses="0 < q < 1",
    evidence=[exact(probabilities), golden(HALF, detail="equality"), formal("logistic_smooth")],
    control=false_with("4 + 1/1000", HALF, more=Q(1, 1000)),
)
def logistic_modulus(c: Context, more: Fraction = Q(0)) -> Iterable[Relation]:
    q = c.given.q
    curvature = 1 / q + 1 / (1 - q)  # (phi*)'' at alpha = -q
    yield Eq(curvature - c.gamma, (2 * q - 1) * (2 * q - 1) / (q * (1 - q)), "(phi*)'' - gamma = (2q-1)^2/(q(1-q))")
    yield Le(c.gamma + more, curvature, "(phi*)'' >= gamma")


HINGE_CYCLE = CYCLE.but(loss="hinge", gamma=None)


@refuted(
    "aspdc.e6",
    "Linear SVM, an example of RERM (E6): the hinge loss satisfies Assumption 1, and Algorithm 1 lowers its gap",
    hypotheses="Assumption 1: phi_i is (1/gamma)-smooth with gamma > 0",
    origin=PAPER.inference(
        "examples of RERM",
        "Assumption 1",
        note=(
            "the paper lists the four examples in section 1, before its assumptions. It does not say that the hinge"
            " satisfies them, and its experiments use the smooth hinge"
        ),
    ),
    evidence=[golden(HINGE_CYCLE, detail="n = 1, x = y = 1, lam = 1/2")],
    control=holds_on(CYCLE.but(lam=Q(4)), text="smoothed hinge, gamma = 1, lam = 4"),
    proof="Its gamma is 0, and the iterates cycle (N5). Use the smoothed hinge, or SDCA.",
)
def hinge_lowers_its_gap(c: Context) -> Iterable[Relation]:
    yield Lt(0, c.gamma, "gamma > 0")
    yield Lt(min(expected_gaps(c, 12)), c.gap, "the gap falls at some t <= 12")


# -- Assumption 2 ------------------------------------------------------------------------------------------------------


# L2, w(alpha) and a second w.
two_points = Pool("aspdc.two_points", strategies.with_point, strategies.instances(K=strategies.K_ANY))


def two_points_logistic() -> SearchStrategy[Instance]:
    """Logistic loss, rows not all zero (there both sides are equal, which no interval decides)."""
    drawn = strategies.instances(K=strategies.K_ANY, losses=("logistic",), max_n=2, max_d=2, max_path=0)
    return strategies.with_point(drawn.filter(lambda instance: any(map(any, instance.rows))))


def curvatures(c: Context) -> tuple[Number, Number]:
    """P(v) - P(w) - <grad P(w), v - w> and ||v - w||^2/2, w = w(alpha) and v the instance's other point."""
    v, w, problem = list(c.given.w), c.w, c.problem
    gradient: Vector = [problem.regularizer.lam * w_j for w_j in w]
    for row, slope in zip(problem.rows, responses(problem, w)):
        for j, x in row:
            gradient[j] = gradient[j] + slope * x / c.n
    linear = sum((g_j * (v_j - w_j) for g_j, v_j, w_j in zip(gradient, v, w)), problem.zero)
    return problem.P(v) - problem.P(w) - linear, square(minus(v, w)) / 2


@claim(
    "aspdc.assumption-2",
    r"Assumption 2: for $g = (\lambda/2)\Vert w\Vert^2$ it holds: $P(v) \ge P(w) + \langle \nabla P(w), v -"
    r" w\rangle +$ "
    r"$(\lambda/2)\Vert v - w\Vert^2$",
    hypotheses=rf"{SMOOTH}; $g = (\lambda/2)\Vert w\Vert^2$; any rows",
    origin=PAPER.printed("Assumption 2", note=LOST),
    evidence=[exact(two_points), enclosed(two_points_logistic, 0.2)],
    control=false_with("lam + 1/1000, no data", ALIGNED.but(rows=(Qs(0), Qs(0))), more=Q(1, 1000)),
)
def assumption_2(c: Context, more: Fraction = Q(0)) -> Iterable[Relation]:
    beyond, half = curvatures(c)
    yield Le((c.mu + more) * half, beyond, "P(v) >= P(w) + <grad P(w), v - w> + (modulus/2)||v - w||^2")


@refuted(
    "aspdc.e7",
    "Assumption 2, P strongly convex through phi alone (E7): with g = l1 ||w||_1 (Lasso) line 2 of "
    "Algorithm 1, w = argmin_w f(w, alpha), is defined for every alpha",
    hypotheses="squared loss, d = 1, x = 1: P is strongly convex through phi",
    origin=PAPER.inference(
        "Assumption 2",
        "Algorithm 1",
        "examples of RERM",
        note=(
            "Assumption 2 lets the convexity of P come from phi_i, and Lasso is an example of RERM; the "
            "paper nowhere says that grad g* exists for it, and proves its theorems for g = (lam/2)||w||^2"
        ),
    ),
    evidence=[golden(L1_WINS.but(alpha=Qs(-3)), detail="x = 1, l1 = 2, alpha = -3: f(w, alpha) falls without end")],
    control=holds_on(L1_WINS.but(alpha=Qs(-1)), text="alpha = -1, inside |s| <= l1"),
    proof=(
        "f(., alpha) = l1 ||w||_1 - s^T w + constant needs |s_j| <= l1: g* is the indicator of ||s||_inf <= l1: no"
        " gradient exists. g itself must be strongly convex; Regularizer refuses lam = 0."
    ),
)
def lasso_has_line_2(c: Context) -> Iterable[Relation]:
    for s_j in c.problem.minus_u(c.alpha):
        yield Le(abs(s_j), c.problem.regularizer.l1, "f(., alpha) is bounded below along +e_j and -e_j")
