"""ASPDC, its place among its relatives (F1 to F3) and what may be misread, as far as a program can decide it.

F1 compares it with SDCA from the same state, F2 reads it as over-relaxation, F3 as alternating best response. What is
false here is no sentence of the paper: readings of a lost sign, and what a reader might expect. Each stands beside what
holds.
"""

from dualgap.proofs_checks.evidence.trajectories import expected_gaps
from dualgap.proofs_checks.papers.aspdc.boundaries import CYCLE
from dualgap.proofs_checks.papers.aspdc.items import LOST, PAPER
from dualgap.proofs_checks.papers.aspdc.rates import HYPOTHESES, ONE_ROW, ORTHONORMAL, ORTHONORMAL_NET, paper_factor
from dualgap.proofs_checks.papers.aspdc.steps import EQUAL_ROWS, L2_STATE, SMOOTH, equal_rows
from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.proofs_checks.strategies import instances as strategies
from dualgap.reference.problem.problem import Vector

# -- F1 ----------------------------------------------------------------------------------------------------------------

L1_WINS = Instance(rows=(Qs(1),), y=Qs(1), alpha=Qs(0), lam=Q(1), l1=Q(2))  # D = 1/2 after ASPDC, 3/8 after Prox-SDCA


@claim(
    "aspdc.f1.elastic-net",
    "F1 for elastic net: from the same state Prox-SDCA's one-step dual increase is >= ASPDC's",
    origin=PAPER.inference(
        "two differences to SDCA", note="a reader of aspdc.f1 might expect it; the paper compares costs, not increases"
    ),
    hypotheses=rf"{SMOOTH}; $g = (\lambda/2)\Vert w\Vert^2 + \ell_1 \Vert w\Vert_1$",
    expected="REFUTED",
    evidence=[golden(L1_WINS, detail="n = 1, x = y = gamma = lam2 = 1, lam1 = 2: D = 1/2 against 3/8")],
    control=holds_on(L1_WINS.but(l1=Q(0)), text="l1 = 0"),
    proof="With l1 Prox-SDCA maximises a quadratic lower bound of D: inside the soft threshold D has less curvature.",
)
@claim(
    "aspdc.f1",
    "F1: from the same state SDCA's one-step dual increase is >= ASPDC's, for every i: ASPDC is SDCA's step without its"
    " damping",
    origin=PAPER.ours("two differences to SDCA"),
    hypotheses=rf"{SMOOTH}; $g = (\lambda/2)\Vert w\Vert^2$; any $\lambda > 0$",
    evidence=[exact(strategies.one_step_sharp), exact(strategies.squared_any), formal("sdca_gains_more")],
    control=fails_on(L1_WINS, text="l1: n = 1, x = y = gamma = lam2 = 1, lam1 = 2"),
    proof="For L2 SDCA's step is the exact maximiser of D over coordinate i.",
)
def sdca_gains_more(c: Context) -> Iterable[Relation]:
    """D after SDCA's step on i >= D after ASPDC's, from the same state, for every i."""
    for successor, increase in zip(c.successors, c.increases):
        after = SDCA().step(c.problem, c.state, successor.choice)
        yield Le(increase, c.problem.D(after.alpha) - c.D, f"i = {successor.choice}")


# -- F2 ----------------------------------------------------------------------------------------------------------------


def system(c: Context) -> list[Vector]:
    """A = I + X X^T/(lam n gamma), shape (n, n)."""
    dense = [dict(row) for row in c.problem.rows]
    matrix = []
    for i, row in enumerate(dense):
        line = []
        for k, other in enumerate(dense):
            inner = c.problem.zero
            for j, x in row.items():
                inner = inner + x * other.get(j, c.problem.zero)
            line.append((1 if i == k else 0) + inner / (c.problem.scale * c.gamma))
        matrix.append(line)
    return matrix


def residual(c: Context, A: list[Vector], alpha: Vector, i: int) -> Number:
    """(A alpha + y/gamma)_i."""
    total = c.problem.y[i] / c.gamma
    for a, alpha_k in zip(A[i], alpha):
        total = total + a * alpha_k
    return total


def energy(c: Context, A: list[Vector], alpha: Vector) -> Number:
    """(1/2) alpha^T A alpha + alpha^T y/gamma."""
    total = c.problem.zero
    for i, alpha_i in enumerate(alpha):
        total = total + alpha_i * (residual(c, A, alpha, i) + c.problem.y[i] / c.gamma) / 2
    return total


@claim(
    "aspdc.f2",
    "F2: for squared loss the path of ASPDC is that of successive over-relaxation, alpha_i <- alpha_i - omega_i (A"
    " alpha + y/gamma)_i/A_ii, A = I + XX^T/(lam n gamma), omega_i = 1 + K_i; the energy -(n/gamma) D does not rise iff"
    " K_i <= 1, and K_i > 1 with Delta_i != 0 makes D fall strictly",
    origin=PAPER.ours("Algorithm 1"),
    hypotheses="squared loss, g = (lam/2)||w||^2, any lam > 0",
    evidence=[exact(strategies.squared_any)],
    control=fails_for("aspdc.sdca-step", strategies.squared_any, "SDCA is omega = 1, not 1 + K_i"),
    kills=[
        "aspdc.sdca-step",
        "aspdc.half-step",
        "aspdc.sign-flip",
        "aspdc.missing-1/n",
        "aspdc.scaled-w",
        "aspdc.stale-w",
        "aspdc.overwritten-alpha",
    ],
    proof=(
        "phi_i'(z_i) = alpha_i - (A alpha + y/gamma)_i and A_ii = 1 + K_i. D(alpha+) - D(alpha) = (gamma/2n)(1 - K_i) "
        "Delta_i^2: Ostrowski and Reich's omega_i <= 2."
    ),
)
def f2(c: Context) -> Iterable[Relation]:
    A, alpha, state = system(c), [c.q(a) for a in c.instance.alpha], c.start
    for t, i in enumerate(c.instance.path, 1):
        omega = 1 + c.problem.K(i)
        alpha[i] = alpha[i] - omega * residual(c, A, alpha, i) / A[i][i]
        state = c.method.step(c.problem, state, i)
        yield Eq(c.method.view(c.problem, state)[1][i], alpha[i], f"t = {t}: ASPDC's alpha_{i} is SOR's")
    yield Eq(energy(c, A, c.alpha), -c.n * c.D / c.gamma, "energy = -(n/gamma) D")
    for successor, increase in zip(c.successors, c.increases):
        i = successor.choice
        yield Eq(successor.alpha[i], c.alpha[i] - residual(c, A, c.alpha, i), f"one more step, i = {i}")
        if c.delta[i] != 0:
            K = c.problem.K(i)
            side = Lt(0, increase, "") if K < 1 else Lt(increase, 0, "") if K > 1 else Eq(increase, 0, "")
            yield Relation(f"D against K_{i} = {K}", side.left, side.sign, side.right)


# -- F3 ----------------------------------------------------------------------------------------------------------------


@claim(
    "aspdc.f3",
    r"(4) to (8): $\alpha_i^+$ maximises $f(w, .)$ over coordinate $i$, $w^+$ minimises $f(., \alpha^+)$, both exactly"
    r" (F3: alternating best "
    "response, SPDC without its proximal terms, extrapolation and $n$-fold weight)",
    hypotheses=r"any smooth loss, L2 or elastic net, any $\lambda > 0$",
    origin=PAPER.printed("(4)", "(5)-(8)", "simple structure", note=f"what stands in brackets is ours; {LOST}"),
    evidence=[exact(strategies.one_step_any)],
    control=fails_for("aspdc.sdca-step", strategies.one_step_any),
    kills=["aspdc.sdca-step", "aspdc.half-step", "aspdc.no-gamma", "aspdc.sign-flip", "aspdc.scaled-w"],
    proof=(
        "f(w, alpha+) - f(w, alpha) = FY_i/n is the most that coordinate i can give (Fenchel-Young), and f(w+, alpha+)"
        " = D(alpha+) is the least over w."
    ),
)
def f3(c: Context) -> Iterable[Relation]:
    for successor in c.successors:
        i = successor.choice
        gain = c.problem.f(c.w, successor.alpha) - c.problem.f(c.w, c.alpha)
        yield Eq(gain, c.FY[i] / c.n, f"alpha_{i}+ is the best response: the gain is FY_{i}/n")
        yield Eq(
            c.problem.f(successor.w, successor.alpha),
            c.problem.D(successor.alpha),
            "w+ is the best response: f(w+, alpha+) = D(alpha+)",
        )


# -- E3: eq. (9), SDCA's step ------------------------------------------------------------------------------------------


def eq_9(c: Context, i: int, delta: Number, inside: int, quadratic: int) -> Number:
    """delta z_i - phi*(alpha_i + inside delta) + quadratic ||x_i||^2 delta^2/(2 lam n)."""
    conjugate = c.problem.loss.conjugate(c.alpha[i] + inside * delta, c.problem.y[i])
    return delta * c.z[i] - conjugate + quadratic * c.problem.norms2[i] * delta * delta / (2 * c.problem.scale)


def is_dual_increase(c: Context, inside: int, quadratic: int) -> Iterable[Relation]:
    """eq. (9) at delta minus eq. (9) at 0 is n (D(alpha + delta e_i) - D(alpha)), for some delta that stay in the
    domain.
    """
    for i in range(c.n):
        for delta in (c.delta[i], c.delta[i] / 2, c.q(int(c.instance.loss == "squared"))):
            moved = [a + delta if k == i else a for k, a in enumerate(c.alpha)]
            gain = eq_9(c, i, delta, inside, quadratic) - eq_9(c, i, c.q(0), inside, quadratic)
            yield Eq(gain, c.n * (c.problem.D(moved) - c.D), f"i = {i}")


@claim(
    "aspdc.e3",
    "(9) as legible (E3): SDCA maximises delta x_i^T w - phi_i*(alpha_i - delta) + ||x_i||^2 delta^2/(2 lam n), the"
    " dual objective along coordinate i",
    hypotheses="g = (lam/2)||w||^2, w = w(alpha)",
    expected="REFUTED",
    origin=PAPER.reading(
        "(9)",
        note=(
            "the plus before the quadratic stands, the sign inside phi_i* is lost: read as a minus, because plus signs"
            " are kept. With a plus it is no dual increase either (control of aspdc.e3.repaired). The line describes"
            " SDCA; nothing that the paper proves or runs uses it"
        ),
    ),
    evidence=[golden(ONE_ROW.but(y=Qs(2), alpha=Qs(1)), detail="n = 1, x = 1, y = 2, alpha = 1, lam = 4")],
    control=holds_on(
        ONE_ROW.but(rows=(Qs(0),), alpha=Qs(0)), text="a zero row with alpha = y = 0, where both signs are idle"
    ),
    proof="Both signs are wrong: phi_i*(alpha_i + delta), and minus the quadratic term.",
)
def e3(c: Context) -> Iterable[Relation]:
    yield from is_dual_increase(c, -1, 1)


@claim(
    "aspdc.e3.repaired",
    "(9) repaired: SDCA maximises delta x_i^T w - phi_i*(alpha_i + delta) - ||x_i||^2 delta^2/(2 lam n) = n D(alpha +"
    " delta e_i) + constant; for squared loss at Delta/(1 + K_i), where a plus before the quadratic would give Delta/(1"
    " - K_i)",
    origin=PAPER.ours("(9)"),
    hypotheses=rf"{SMOOTH}; $g = (\lambda/2)\Vert w\Vert^2$; $w = w(\alpha)$",
    evidence=[exact(strategies.one_step_sharp)],
    control=altered("a plus before the quadratic term", lambda c: is_dual_increase(c, 1, 1), EQUAL_ROWS, ONE_ROW),
    proof="Expand D(alpha + delta e_i): only phi_i* and (lam/2)||w - delta x_i/(lam n)||^2 change.",
)
def e3_repaired(c: Context) -> Iterable[Relation]:
    yield from is_dual_increase(c, 1, -1)
    if c.instance.loss == "squared":
        for i in range(c.n):
            step = SDCA().step(c.problem, c.state, i).alpha[i] - c.alpha[i]
            yield Eq(step * (1 + c.problem.K(i)), c.delta[i], f"SDCA's step is Delta_{i}/(1 + K_{i})")
            # the derivative of the wrong-sign objective vanishes at Delta/(1 - K)
            if (room := 1 - c.problem.K(i)) != 0:
                wrong = c.delta[i] / room
                slope = (
                    c.z[i]
                    - c.problem.y[i]
                    - c.gamma * (c.alpha[i] + wrong)
                    + c.problem.norms2[i] * wrong / c.problem.scale
                )
                yield Eq(slope, 0, f"with a plus the stationary point is Delta_{i}/(1 - K_{i})")


# -- E4 to E7 ----------------------------------------------------------------------------------------------------------

TWO_CYCLING = CYCLE.but(rows=(Qs(1), Qs(1)), y=Qs(1, 1), alpha=Qs(0, 0), lam=Q(1, 4))


@claim(
    "aspdc.e4",
    "E4: smoothed hinge below the threshold does not blow up but never converges: E gap_t = 2/3 - (1/6)(-1/2)^t = 1/2,"
    " 3/4, 5/8, 11/16, ... -> 2/3",
    origin=PAPER.ours("Lemma 2"),
    hypotheses=r"$n = 2$, $x = (1; 1)$, $y = (1, 1)$, $\gamma = 1$, $\lambda = 1/4$ ($K = 2$)",
    evidence=[golden(TWO_CYCLING, level="ENUMERATED", detail="t <= 30")],
    control=fails_on(TWO_CYCLING.but(lam=Q(2)), text="lam = 2: K = 1/4 converges"),
    proof="All paths stay within few states; the exact distribution over them was followed.",
)
def e4(c: Context) -> Iterable[Relation]:
    gaps = expected_gaps(c, 30)
    yield Eq(len(gaps), 31, "all 30 steps were followed")
    for t, gap in enumerate(gaps):
        yield Eq(gap, Q(2, 3) - Q(-1, 2) ** t / 6, f"E gap_{t}")


@claim(
    "aspdc.e5",
    "Remark on l1 after Lemma 2, taken as a limit (E5): the analysis works for g = (lam/2)||w||^2 only; with an l1 term"
    " (A17) is lost",
    hypotheses="elastic net, lam >= 4R^2/(n gamma)",
    expected="REFUTED",
    origin=PAPER.inference(
        "only l2",
        "more general g",
        note=(
            "the paper proves l2 'for convenience', leaves l1 to future work and believes that an extension is "
            "possible: that an l1 term spoils (A17) is what a reader might fear, not what it says"
        ),
    ),
    evidence=[
        golden(ORTHONORMAL_NET, detail="2 orthonormal rows, lam = 2, l1 = 1/10: (A17) holds"),
        formal("elastic_one_step_mean", refutes=True),
    ],
    control=holds_on(EQUAL_ROWS.but(lam=Q(199, 200)), text="lam n gamma/R^2 = 1.99, where (A17) is lost"),
    proof="aspdc.lemma-2.elastic-net and aspdc.a17.sharp are the extension: every g with modulus lam will do.",
)
def e5(c: Context) -> Iterable[Relation]:
    yield Lt(c.expected_increase, c.gap / (2 * c.n), "(A17) is violated")


HINGE_CYCLE = CYCLE.but(loss="hinge", gamma=None)


@claim(
    "aspdc.e6",
    "Linear SVM, an example of RERM (E6): the hinge loss satisfies Assumption 1, and Algorithm 1 lowers its gap",
    hypotheses="Assumption 1: phi_i is (1/gamma)-smooth with gamma > 0",
    expected="REFUTED",
    origin=PAPER.inference(
        "examples of RERM",
        "Assumption 1",
        note=(
            "the four examples stand in section 1, before any assumption: the paper does not say that the hinge "
            "satisfies them, and its own experiments take the smooth hinge"
        ),
    ),
    evidence=[golden(HINGE_CYCLE, detail="N5: n = 1, x = y = 1, lam = 1/2")],
    control=holds_on(CYCLE.but(lam=Q(4)), text="smoothed hinge, gamma = 1, lam = 4"),
    proof="Its gamma is 0, and the iterates cycle (N5). Use the smoothed hinge, or SDCA.",
)
def e6(c: Context) -> Iterable[Relation]:
    yield Lt(0, c.gamma, "gamma > 0")
    yield Lt(min(expected_gaps(c, 12)), c.gap, "the gap falls at some t <= 12")


@claim(
    "aspdc.e7",
    "Assumption 2, P strongly convex through phi alone (E7): with g = l1 ||w||_1 (Lasso) line 2 of "
    "Algorithm 1, w = argmin_w f(w, alpha), is defined for every alpha",
    hypotheses="squared loss, d = 1, x = 1: P is strongly convex through phi",
    expected="REFUTED",
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
def e7(c: Context) -> Iterable[Relation]:
    for s_j in c.problem.minus_u(c.alpha):
        yield Le(abs(s_j), c.problem.regularizer.l1, "f(., alpha) is bounded below along +e_j and -e_j")


# -- E8: single paths, single steps -----------------------------------------------------------------------------------


@claim(
    "aspdc.lemma-2.pathwise",
    "Lemma 2 without its expectation, path by path (N6, E8): gap_t <= 2n (1 - 1/(2n))^t gap_0 on every path",
    hypotheses=HYPOTHESES,
    expected="REFUTED",
    origin=PAPER.inference(
        "Lemma 2", note="the paper states and proves the expectation; nobody says it of single paths"
    ),
    evidence=[golden(ORTHONORMAL.but(path=(0,) * 8), detail="always row 1: t = 8")],
    control=holds_on(ONE_ROW.but(path=(0,) * 8), text="n = 1: there is one path"),
    proof="A row that is not drawn does not improve.",
)
def lemma_2_pathwise(c: Context) -> Iterable[Relation]:
    state = c.start
    start = c.problem.gap(*c.method.view(c.problem, state))
    for t, i in enumerate(c.instance.path, 1):
        state = c.method.step(c.problem, state, i)
        yield Le(
            c.problem.gap(*c.method.view(c.problem, state)), paper_factor(c.n, t) * start, f"t = {t}", trivial=start
        )


RISING = Instance(rows=(Qs("2/3"), Qs("2/3")), y=Qs("-11/3", "-1/2"), alpha=Qs("-2/3", "2/3"), lam=Q(8, 27), gamma=Q(3))


@claim(
    "aspdc.gap-monotone-on-paths",
    "Lemma 2, taken step by step on a path (N7, E8): the gap never rises",
    hypotheses=HYPOTHESES,
    expected="REFUTED",
    origin=PAPER.inference(
        "Lemma 2", note="the paper says nothing of single steps; only a falling bound of the expectation"
    ),
    evidence=[golden(RISING, detail="n = 2, i = 2: up by the factor 1.0664")],
    control=holds_on(ONE_ROW, text="n = 1"),
    proof="A step mends one row and disturbs the others.",
)
def gap_monotone_on_paths(c: Context) -> Iterable[Relation]:
    for successor in c.successors:
        gap = c.problem.P(c.problem.w(successor.alpha)) - c.problem.D(successor.alpha)
        yield Le(gap, c.gap, f"gap after i = {successor.choice}")


@claim(
    "aspdc.expected-gap-decreases",
    "Lemma 2, taken step by step: E gap_{t+1} <= gap_t for lam >= 2R^2/(n gamma), where Lemma 2 holds",
    hypotheses=rf"{L2_STATE}; $\lambda \ge 2R^2/(n \gamma)$",
    expected="REFUTED",
    origin=PAPER.inference(
        "Lemma 2",
        note="Lemma 2 bounds E gap_t by a falling sequence; that E gap_t itself falls at every step is not said",
    ),
    evidence=[
        golden(equal_rows(2, Q(1, 2)), detail="K = 1/2, n = 2: up by 5/4"),
        golden(equal_rows(9, Q(1, 4)), detail="the paper's own K = 1/4, n = 9: up by 145/144"),
    ],
    control=holds_on(
        equal_rows(2, Q(1, 4)), equal_rows(8, Q(1, 4)), text="K = 1/4, n = 2 (13/16) and n = 8 (equality)"
    ),
    proof=(
        "n equal rows, y = 0, sum of alpha 0: E gap_1 = (1 + (nK^2 + 2K - 1)/n) gap_0; at K = 1/4 more than gap_0 from"
        " n = 9."
    ),
)
def expected_gap_decreases(c: Context) -> Iterable[Relation]:
    yield Le(expected_gaps(c, 1)[1], c.gap, "E gap_1 <= gap_0")
