"""ASPDC, one step: Algorithm 1 line by line, the proof of Lemma 2 from (A6) to (A17), and its sharp form.

All lines speak of a state with w = w(alpha), an index i, z_i = x_i^T w, Delta_i = phi_i'(z_i) - alpha_i and
FY_i = phi_i(z_i) + phi_i*(alpha_i) - alpha_i z_i. The paper writes R = 1; here ||x_i|| is measured.
"""

from dualgap.proofs_checks.papers.aspdc.items import LOST, PAPER, UNITS
from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.proofs_checks.strategies import instances as strategies

SMOOTH = r"$\varphi_i$ convex and $(1/\gamma)$-smooth"
L2_STATE = rf"{SMOOTH}; $g = (\lambda/2)\Vert w\Vert^2$; $w = w(\alpha)$"

EQUAL_ROWS = Instance(rows=(Qs(1), Qs(1)), y=Qs(0, 0), alpha=Qs(1, -1), lam=Q(2), extra=further(q=Q(1, 2)))  # K = 1/4
# y z = 0 < 1 - gamma: the clip decides
FLAT = Instance(rows=(Qs(1),), y=Qs(1), alpha=Qs(0), lam=Q(4), loss="smoothed-hinge", gamma=Q(1, 2))


@claim(
    "aspdc.algorithm-1",
    r"Algorithm 1: line 2 starts at $w(\alpha)$, line 4 draws $i$ uniformly, line 5 sets $\alpha_i$ to"
    r" $\varphi_i'(x_i^T w)$, line 6 leaves "
    r"the other coordinates alone, line 7 keeps $w = w(\alpha)$",
    hypotheses=r"any smooth loss, L2 or elastic net, any $\lambda > 0$",
    evidence=[
        exact(strategies.one_step_any),
        *(exact(pool, 1 / 3) for pool in strategies.HINGE_POOLS),
        enclosed(strategies.one_step_logistic),
    ],
    control=fails_for("aspdc.half-step", strategies.one_step_any),
    kills=[
        "aspdc.sign-flip",
        "aspdc.missing-1/n",
        "aspdc.stale-w",
        "aspdc.half-step",
        "aspdc.never-last",
        "aspdc.no-gamma",
        "aspdc.no-clip",
        "aspdc.overwritten-alpha",
        "aspdc.cyclic-order",
        "aspdc.zero-start",
        "aspdc.sdca-step",
        "aspdc.scaled-w",
    ],
    origin=PAPER.printed("Algorithm 1", note=f"line 5 is printed as an argmax, whose value is phi_i'(x_i^T w); {LOST}"),
)
def algorithm_1(c: Context) -> Iterable[Relation]:
    for w_j, expected in zip(c.method.view(c.problem, c.start)[0], c.problem.w(c.method.view(c.problem, c.start)[1])):
        yield Same(w_j, expected, "line 2: w = grad g*(-X^T alpha/n)")
    yield Eq(len(c.successors), c.n, "line 4: every index can be drawn")
    for successor in c.successors:
        i = successor.choice
        yield Eq(successor.probability, Q(1, c.n), f"line 4: P(i = {i}) = 1/n")
        yield Same(successor.alpha[i], c.best[i], f"line 5: alpha_{i} = phi'(x^T w)")
        for k in range(c.n):
            if k != i:
                yield Same(successor.alpha[k], c.alpha[k], f"line 6: alpha_{k} unchanged")
        for w_j, expected in zip(successor.w, c.problem.w(successor.alpha)):
            yield Same(w_j, expected, "line 7: w = grad g*(-X^T alpha/n)")


def R1(c: Context, i: int) -> Number:
    """R_1 = -phi_i*(alpha_i + Delta_i)/n - (lam/2)||w - Delta_i x_i/(lam n)||^2."""
    w = list(c.w)
    for j, x in c.problem.rows[i]:
        w[j] = w[j] - c.delta[i] * x / (c.mu * c.n)
    return -c.problem.loss.conjugate(c.best[i], c.problem.y[i]) / c.n - c.problem.regularizer.value(w)


def R2(c: Context, i: int) -> Number:
    """R_2 = -phi_i*(alpha_i)/n - (lam/2)||w||^2."""
    return -c.problem.loss.conjugate(c.alpha[i], c.problem.y[i]) / c.n - c.problem.regularizer.value(c.w)


def noise(c: Context, i: int) -> Number:
    """||x_i||^2 Delta_i^2 / (2 mu n^2), what the undamped step costs."""
    return c.problem.norms2[i] * c.delta[i] * c.delta[i] / (2 * c.mu * c.n * c.n)


def curvature(c: Context, i: int) -> Number:
    """gamma (1-q) q Delta_i^2 / (2n), what strong convexity of phi* gains for a free q."""
    q = c.given.q
    return c.gamma * (1 - q) * q * c.delta[i] * c.delta[i] / (2 * c.n)


@claim(
    "aspdc.a6",
    r"(A6): $D(\alpha^+) - D(\alpha) = R_1 - R_2$: the other conjugates cancel",
    hypotheses=L2_STATE,
    origin=PAPER.printed("(A6)", note=LOST),
    evidence=[exact(strategies.one_step_sharp)],
    control=fails_for("aspdc.half-step", strategies.one_step_sharp),
    kills=["aspdc.half-step", "aspdc.sdca-step", "aspdc.no-gamma"],
)
def a6(c: Context) -> Iterable[Relation]:
    for successor, increase in zip(c.successors, c.increases):
        i = successor.choice
        yield Eq(increase, R1(c, i) - R2(c, i), f"(A6), i = {i}")


@claim(
    "aspdc.a7",
    r"(A7): $\Delta_i = \operatorname{argmax}_{\beta} (\beta z_i - \varphi_i^*(\beta)) -$ $\alpha_i$",
    hypotheses=L2_STATE,
    origin=PAPER.printed("(A7)", note=LOST),
    evidence=[
        exact(strategies.one_step_sharp),
        golden(FLAT, detail="the clip"),
        formal("line5_argmax", "fenchel_equality"),
    ],
    control=fails_for("aspdc.no-gamma", strategies.one_step_sharp),
    kills=["aspdc.half-step", "aspdc.sdca-step", "aspdc.no-gamma", "aspdc.no-clip"],
)
def a7(c: Context) -> Iterable[Relation]:
    loss = c.problem.loss
    for successor in c.successors:
        i = successor.choice
        z, y, beta = c.z[i], c.problem.y[i], successor.alpha[i]
        attained = beta * z - loss.conjugate(beta, y)
        yield Eq(attained, loss.value(z, y), f"(A7), i = {i}: the maximum of beta z - phi*(beta) is phi(z)")


@claim(
    "aspdc.a8",
    r"(A8): $R_1 \ge -(q/n)(\varphi^*(\beta) - \beta z) -$ $((1-q)/n) \varphi^*(\alpha_i) +$ $\gamma (1-q) q (\beta -"
    r" \alpha_i)^2/(2n) -$ "
    r"$(q/n) \alpha_i z -$ $\Vert x_i\Vert^2 \Delta^2/(2 \lambda n^2) -$ $(\lambda/2)\Vert w\Vert^2$ for every $q$ in"
    r" $[0, 1]$",
    hypotheses=L2_STATE,
    origin=PAPER.printed("(A8)", note=LOST),
    evidence=[exact(strategies.one_step_sharp)],
    control=altered(
        "three times the noise term gained, not lost",
        lambda c: [Le(a8_right(c, i) + 3 * noise(c, i), R1(c, i), "") for i in range(c.n)],
        EQUAL_ROWS,
    ),
)
def a8(c: Context) -> Iterable[Relation]:
    for i in range(c.n):
        yield Le(a8_right(c, i), R1(c, i), f"(A8), i = {i}")


def a8_right(c: Context, i: int) -> Number:
    """The right side of (A8)."""
    q, z, y, alpha, beta = c.given.q, c.z[i], c.problem.y[i], c.alpha[i], c.best[i]
    conjugate = c.problem.loss.conjugate
    return (
        -(q / c.n) * (conjugate(beta, y) - beta * z)
        - ((1 - q) / c.n) * conjugate(alpha, y)
        + curvature(c, i)
        - (q / c.n) * alpha * z
        - noise(c, i)
        - c.problem.regularizer.value(c.w)
    )


@claim(
    "aspdc.a9-a11",
    r"(A9)-(A11): $\beta_i = \operatorname{argmax}$ means $z_i$ in the subdifferential of $\varphi_i^*$ at $\beta_i$,"
    r" and "
    r"$\beta z - \varphi^*(\beta) = \varphi^{**}(z) = \varphi(z)$",
    hypotheses=L2_STATE,
    origin=PAPER.printed("(A9)-(A11)", note=f"z = grad phi*(beta) there, a subgradient where phi* has a kink; {LOST}"),
    evidence=[exact(strategies.one_step_sharp)],
    control=altered(
        "beta moved by 1/10",
        lambda c: [
            Eq(
                (b := c.best[i] + Q(1, 10)) * c.z[i] - c.problem.loss.conjugate(b, c.problem.y[i]),
                c.problem.loss.value(c.z[i], c.problem.y[i]),
                "",
            )
            for i in range(c.n)
        ],
        EQUAL_ROWS,
    ),
)
def a9_a11(c: Context) -> Iterable[Relation]:
    loss = c.problem.loss
    for i, (z, y, beta) in enumerate(zip(c.z, c.problem.y, c.best)):
        yield Eq(beta * z - loss.conjugate(beta, y), loss.value(z, y), f"(A11), i = {i}")
        for other in c.alpha:  # subgradient inequality of phi* at beta, against every alpha_k in the domain
            if loss.in_domain(other, y):
                yield Le(loss.conjugate(beta, y) + z * (other - beta), loss.conjugate(other, y), f"(A10), i = {i}")


@claim(
    "aspdc.a12",
    r"(A12): $R_1 \ge (q/n) \mathrm{FY}_i +$ $\gamma (1-q) q \Delta_i^2/(2n) -$ $\Vert x_i\Vert^2 \Delta_i^2/(2 \lambda"
    r" n^2) +$ $R_2$",
    hypotheses=L2_STATE,
    origin=PAPER.printed("(A12)", note=LOST),
    evidence=[exact(strategies.one_step_sharp)],
    control=altered(
        "2 FY_i",
        lambda c: [Le(2 * c.FY[i] / c.n - noise(c, i) + R2(c, i), R1(c, i), "") for i in range(c.n)],
        EQUAL_ROWS,
    ),
)
def a12(c: Context) -> Iterable[Relation]:
    for i in range(c.n):
        right = c.given.q * c.FY[i] / c.n + curvature(c, i) - noise(c, i) + R2(c, i)
        yield Le(right, R1(c, i), f"(A12), i = {i}")


@claim(
    "aspdc.a13",
    r"(A13): $D(\alpha^+) - D(\alpha) \ge$ $(q/n) \mathrm{FY}_i + \{\gamma (1-q) q/(2n) - R^2/(2 \lambda n^2)\}"
    r" \Delta_i^2$, for each $i$ separately",
    hypotheses=L2_STATE,
    origin=PAPER.printed("(A13)", note=UNITS),
    evidence=[exact(strategies.one_step_sharp)],
    control=fails_for("aspdc.sign-flip", strategies.one_step_sharp),
    kills=["aspdc.sign-flip", "aspdc.no-gamma"],
)
def a13(c: Context) -> Iterable[Relation]:
    for successor, increase in zip(c.successors, c.increases):
        i = successor.choice
        yield Le(c.given.q * c.FY[i] / c.n + brace(c) * c.delta[i] * c.delta[i], increase, f"(A13), i = {i}")


def brace(c: Context) -> Number:
    """{gamma (1-q) q/(2n) - R^2/(2 lam n^2)}."""
    q = c.given.q
    return c.gamma * (1 - q) * q / (2 * c.n) - c.R2 / (2 * c.mu * c.n * c.n)


def mean_delta2(c: Context) -> Number:
    """(1/n) sum Delta_i^2."""
    return c.mean([d * d for d in c.delta])


@claim(
    "aspdc.a14",
    r"(A14): $\mathbb{E}[D(\alpha^+) - D(\alpha)] \ge$ $(q/n) (1/n) \sum \mathrm{FY}_i +$ $\{\dots\} (1/n) \sum"
    r" \Delta_i^2$",
    hypotheses=L2_STATE,
    origin=PAPER.printed("(A14)", note=UNITS),
    evidence=[exact(strategies.one_step_sharp)],
    control=fails_for("aspdc.no-gamma", strategies.one_step_sharp),
    kills=["aspdc.no-gamma"],
)
def a14(c: Context) -> Iterable[Relation]:
    yield Le(c.given.q * c.mean_FY / c.n + brace(c) * mean_delta2(c), c.expected_increase, "(A14)")


@claim(
    "aspdc.a15",
    r"(A15): $P(w) - D(\alpha) =$ $(1/n) \sum (\varphi_i + \varphi_i^*) +$ $\lambda \Vert w\Vert^2 = (1/n) \sum"
    r" \mathrm{FY}_i$, at the "
    "method's own $w$",
    hypotheses=L2_STATE,
    origin=PAPER.printed("(A15)", note=LOST),
    evidence=[exact(strategies.one_step_sharp)],
    control=fails_for("aspdc.zero-start", strategies.one_step_sharp, "N11: w not equal to w(alpha)"),
    kills=["aspdc.zero-start", "aspdc.sign-flip", "aspdc.missing-1/n", "aspdc.overwritten-alpha", "aspdc.scaled-w"],
)
def a15(c: Context) -> Iterable[Relation]:
    w, alpha = c.view
    loss, problem = c.problem.loss, c.problem
    z = [problem.dot(row, w) for row in problem.rows]
    gap = problem.P(w) - problem.D(alpha)
    both = c.mean([loss.value(z_i, y) + loss.conjugate(a, y) for z_i, a, y in zip(z, alpha, problem.y)])
    FY = c.mean([loss.value(z_i, y) + loss.conjugate(a, y) - a * z_i for z_i, a, y in zip(z, alpha, problem.y)])
    yield Eq(gap, both + 2 * problem.regularizer.value(w), "(A15): P - D = mean(phi + phi*) + lam ||w||^2")
    yield Eq(gap, FY, "(A15): P - D = (1/n) sum FY_i")


@claim(
    "aspdc.a16",
    r"(A16): $\mathbb{E}[D(\alpha^+) - D(\alpha)] \ge$ $(q/n) (P(w) - D(\alpha)) +$ $\{\dots\} (1/n) \sum \Delta_i^2$",
    hypotheses=L2_STATE,
    origin=PAPER.printed("(A16)", note=UNITS),
    evidence=[exact(strategies.one_step_sharp)],
    control=fails_for("aspdc.no-gamma", strategies.one_step_sharp),
    kills=["aspdc.no-gamma"],
)
def a16(c: Context) -> Iterable[Relation]:
    yield Le(c.given.q * c.gap / c.n + brace(c) * mean_delta2(c), c.expected_increase, "(A16)")


BELOW_TWO = EQUAL_ROWS.but(lam=Q(199, 200))  # lam n gamma / R^2 = 1.99


@claim(
    "aspdc.a17",
    r"(A17): $\mathbb{E}[D(\alpha^+) - D(\alpha)] \ge$ $(1/(2n)) (P(w) - D(\alpha))$ for $\lambda \ge 4R^2/(n \gamma)$",
    hypotheses=rf"{L2_STATE}; $\lambda \ge 4R^2/(n \gamma)$",
    origin=PAPER.printed("(A17)", note=UNITS),
    evidence=[exact(strategies.one_step_paper), enclosed(strategies.one_step_logistic), formal("a17")],
    control=fails_on(BELOW_TWO, text="lam n gamma/R^2 = 1.99: the inequality must fail"),
    kills=["aspdc.no-gamma"],
)
def a17(c: Context) -> Iterable[Relation]:
    if c.instance.loss == "logistic" and not 4 * c.K <= 1:
        return
    yield Le(c.gap / (2 * c.n), c.expected_increase, "(A17)")


@claim(
    "aspdc.a17.sharp",
    "(A17) with its true constants: E[D(alpha+) - D(alpha)] >= (s/n) gap, s = 1 - R^2/(mu n gamma), L2 and elastic net;"
    " 1/(2n) needs only lam >= 2R^2/(n gamma)",
    origin=PAPER.ours("(A17)"),
    hypotheses=rf"{SMOOTH}; $g$ $\mu$-strongly convex; $w = w(\alpha)$; $K \le 1$",
    evidence=[
        exact(strategies.one_step_sharp),
        exact(strategies.one_step_net),
        enclosed(strategies.one_step_logistic),
        formal("one_step_mean", "one_step_mean_general", "elastic_one_step_mean"),
    ],
    control=altered(
        "(s + 1/100)/n", lambda c: [Le((c.s + Q(1, 100)) * c.gap / c.n, c.expected_increase, "")], EQUAL_ROWS
    ),
    kills=["aspdc.half-step", "aspdc.no-gamma"],
    proof=(
        "FY_i >= (gamma/2) Delta_i^2 because phi_i* is gamma-strongly convex and z_i is a subgradient of it at "
        "phi_i'(z_i); insert it into the equality of aspdc.one-step.sharp and average with (A15)."
    ),
)
def a17_sharp(c: Context) -> Iterable[Relation]:
    yield Le(c.s * c.gap / c.n, c.expected_increase, "E[D+ - D] >= (s/n) gap")


@claim(
    "aspdc.one-step.sharp",
    "Sharp one-step lemma: D(alpha+) - D(alpha) = FY_i/n - ||x_i||^2 Delta_i^2/(2 mu n^2) for L2 (>= for elastic net), "
    "FY_i >= (gamma/2) Delta_i^2 (= for squared loss), hence D(alpha+) - D(alpha) >= (1 - K_i) FY_i/n",
    origin=PAPER.ours("(A13)"),
    hypotheses=rf"{SMOOTH}; $g$ $\mu$-strongly convex; $w = w(\alpha)$; any $K$",
    evidence=[
        exact(strategies.one_step_any),
        exact(strategies.one_step_net),
        *(exact(pool, 1 / 3) for pool in strategies.HINGE_POOLS),
        formal("one_step_identity", "one_step_sharp"),
    ],
    control=fails_for("aspdc.sdca-step", strategies.one_step_any, "a correct other method: the equality must notice"),
    kills=["aspdc.half-step", "aspdc.sdca-step", "aspdc.no-gamma"],
    proof=(
        "With beta = phi_i'(z_i): phi_i(z_i) = beta z_i - phi_i*(beta), so -[phi_i*(beta) - phi_i*(alpha_i)] + Delta_i"
        " z_i = FY_i exactly. g* is (1/mu)-smooth with gradient w at s (a quadratic for L2), so moving s by -Delta_i"
        " x_i/n costs at most ||x_i||^2 Delta_i^2/(2 mu n^2) beyond the linear term (exactly that for L2)."
    ),
)
def one_step_sharp(c: Context) -> Iterable[Relation]:
    for successor, increase in zip(c.successors, c.increases):
        i = successor.choice
        right = c.FY[i] / c.n - noise(c, i)
        equal = c.problem.regularizer.l1 == 0
        yield Eq(increase, right, f"equality, i = {i}") if equal else Le(right, increase, f"lower bound, i = {i}")
        strong = c.gamma * c.delta[i] * c.delta[i] / 2
        squared = c.problem.loss.name == "squared"
        yield (
            Eq(c.FY[i], strong, f"FY_{i} = (gamma/2) Delta^2")
            if squared
            else Le(strong, c.FY[i], f"FY_{i} >= (gamma/2) Delta^2")
        )
        yield Le((1 - c.problem.K(i)) * c.FY[i] / c.n, increase, f"(1 - K_{i}) FY_{i}/n")


def equal_rows(n: int, K: Q) -> Instance:
    """n rows x_i = 1, y = 0, squared loss, alpha = (1, -1, 0, ...): w(alpha) = w* although alpha is not alpha*."""
    return EQUAL_ROWS.but(rows=(Qs(1),) * n, y=Qs(*[0] * n), alpha=Qs(1, -1, *[0] * (n - 2)), lam=1 / (n * K))


@claim(
    "aspdc.one-step.equality-case",
    "The one-step rate s/n is attained: for n >= 2 equal rows, y = 0, squared loss, alpha = (1, -1, 0, ...), "
    "E[D* - D(alpha+)] = (1 - s/n) (D* - D(alpha)) exactly, for every K",
    origin=PAPER.ours("(A17)"),
    hypotheses="the instance named",
    evidence=[
        golden(
            *(equal_rows(n, K) for n in (2, 3, 4) for K in Qs("1/4", "1/2", "9/10")),
            detail="n = 2, 3, 4; K = 1/4, 1/2, 9/10",
        ),
        formal("one_step_rate_is_tight"),
    ],
    control=altered(
        "a rate of (s + 1/1000)/n",
        lambda c: [
            Le(
                c.expect(lambda s: c.D_star - c.problem.D(s.alpha)),
                (1 - (c.s + Q(1, 1000)) / c.n) * (c.D_star - c.D),
                "",
            )
        ],
        equal_rows(2, Q(1, 4)),
    ),
)
def equality_case(c: Context) -> Iterable[Relation]:
    after = c.expect(lambda successor: c.D_star - c.problem.D(successor.alpha))
    yield Eq(after, (1 - c.s / c.n) * (c.D_star - c.D), "E[D* - D+] = (1 - s/n)(D* - D)")
