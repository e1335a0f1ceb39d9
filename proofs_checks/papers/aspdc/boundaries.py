"""ASPDC, the boundaries: what happens at lam n gamma/R^2 = 1/K = 4, 2, about 1.5, 1 and below, with exact examples.

Squared loss with rows of one norm is the extremal family: there D(alpha+) - D(alpha) = (1 - K) FY_i/n exactly.
The negative controls N1 to N5 of the audit are claims of exact values.
"""

from dualgap.proofs_checks.engines.moments import second_moments
from dualgap.proofs_checks.evidence.trajectories import expected_duals, expected_gaps
from dualgap.proofs_checks.papers.aspdc.items import PAPER
from dualgap.proofs_checks.papers.aspdc.rates import BEYOND, ONE_ROW, ORTHONORMAL, paper_factor
from dualgap.proofs_checks.papers.aspdc.steps import BELOW_TWO, EQUAL_ROWS, L2_STATE, equal_rows
from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.proofs_checks.strategies import instances as strategies

EQUAL_NORMS = r"squared loss, $g = (\lambda/2)\Vert w\Vert^2$, all $\Vert x_i\Vert = R$, $w = w(\alpha)$ at $t = 0$"


# -- 4 -----------------------------------------------------------------------------------------------------------------


@claim(
    "aspdc.boundary-4",
    "lam n gamma/R^2 = 4: the paper's proof needs {gamma (1-q) q/(2n) - R^2/(2 lam n^2)} >= 0 in (A13), which some q "
    "allows exactly for lam >= 4R^2/(n gamma), and then q = 1/2",
    hypotheses="g of modulus lam, any lam > 0",
    origin=PAPER.ours("(A17)", note="the paper chooses q = 1/2 and asks for 4; that no q needs less is ours"),
    evidence=[exact(strategies.one_step_any)],
    control=fails_on(
        EQUAL_ROWS.but(lam=Q(7, 4), extra=further(q=Q(1, 2), threshold=Q(3))),
        text="lam n gamma/R^2 = 7/2, the threshold put at 3",
    ),
    proof=(
        "n times the brace is (gamma/2) (q(1-q) - K), and q(1-q) <= 1/4 with equality at q = 1/2. The rate needs less: "
        "aspdc.a17.sharp spends FY_i >= (gamma/2) Delta_i^2 in place of q(1-q)."
    ),
)
def boundary_4(c: Context) -> Iterable[Relation]:
    threshold = c.instance.extra.threshold if c.instance.extra.has("threshold") else Q(4)

    def brace(q: Number) -> Number:
        return c.gamma * (1 - q) * q / (2 * c.n) - c.R2 / (2 * c.mu * c.n * c.n)

    if threshold * c.R2 <= c.mu * c.n * c.gamma:
        yield Le(0, brace(Q(1, 2)), "at or above the threshold q = 1/2 serves", trivial=1)
        if threshold * c.R2 == c.mu * c.n * c.gamma:
            yield Eq(brace(Q(1, 2)) + 1, Q(1), "at the threshold the brace is 0")
    else:
        yield Le(brace(c.given.q), brace(Q(1, 2)), "q = 1/2 is the best q")
        yield Lt(brace(Q(1, 2)), 0, "below it no q serves")


# -- 2 -----------------------------------------------------------------------------------------------------------------


@claim(
    "aspdc.boundary-2",
    "lam n gamma/R^2 = 2: above it (A17) with 1/(2n) holds, at it with equality, and below it (A17) FAILS at every "
    "non-optimal state",
    origin=PAPER.ours("Lemma 2"),
    hypotheses=EQUAL_NORMS,
    evidence=[exact(strategies.equal_norms_half), exact(strategies.equal_norms_above_half)],
    control=altered("(A17) below 2", lambda c: [Le(c.gap / (2 * c.n), c.expected_increase, "")], BELOW_TWO),
    proof="E[D(alpha+) - D(alpha)] = (s/n) gap exactly, and s < 1/2 means K > 1/2.",
)
def boundary_2(c: Context) -> Iterable[Relation]:
    yield Eq(c.expected_increase, c.s * c.gap / c.n, "E[D+ - D] = (s/n) gap")
    if c.gap > 0:
        relation = Lt if 2 * c.K > 1 else Le if 2 * c.K < 1 else Eq
        left, right = (
            (c.expected_increase, c.gap / (2 * c.n)) if 2 * c.K > 1 else (c.gap / (2 * c.n), c.expected_increase)
        )
        yield relation(left, right, "E[D+ - D] against gap/(2n)")


@claim(
    "aspdc.a17.below-2",
    "(A17) with 1/(2n) for lam >= 1.99 R^2/(n gamma)",
    origin=PAPER.inference("(A17)", note="the paper asks for 4R^2/(n gamma) and says nothing of smaller lam"),
    hypotheses=L2_STATE,
    expected="REFUTED",
    evidence=[
        golden(ONE_ROW.but(lam=Q(199, 100)), detail="n = 1, x = 1, y = 0, alpha = 1, gamma = 1"),
        exact(strategies.just_below_two, 0.1),
        formal("below_half_rate_fails", refutes=True),
    ],
    control=holds_on(ONE_ROW.but(lam=Q(2)), text="lam n gamma/R^2 = 2"),
    proof="aspdc.boundary-2.",
)
def a17_below_2(c: Context) -> Iterable[Relation]:
    yield Le(c.gap / (2 * c.n), c.expected_increase, "(A17)")


# -- about 1.5 ---------------------------------------------------------------------------------------------------------


THREE_BEYOND = equal_rows(3, Q(5, 7)).but(alpha=Qs(1, -1, 1), extra=further(horizon=129))


@claim(
    "aspdc.boundary-1.5",
    "lam n gamma/R^2 = 7/5: the rate of Lemma 2 breaks; its bound is first passed at t = 35 (n = 1), 45 (n = 2), 129 (n"
    " = 3)",
    origin=PAPER.ours("Lemma 2"),
    hypotheses="rows x_i = 1, y = 0, gamma = 1, squared loss, alpha = (1), (1, -1), (1, -1, 1)",
    evidence=[golden(*BEYOND, THREE_BEYOND, level="ENUMERATED", detail="second moments to t = 129")],
    control=fails_on(
        ONE_ROW.but(lam=Q(10, 7), extra=further(horizon=35)),
        text="n = 1, lam n gamma/R^2 = 10/7 > sqrt 2: never passed",
    ),
    proof=(
        "n = 1: E gap_t = K^(2t) gap_0, against 2 (1/2)^t gap_0: passed for ever when K^2 > 1/2, at 1/K = sqrt 2. The "
        "break moves up with n: numerically 1.44 (n = 2), 1.46 (3), 1.48 (10), 1.5 (infinity)."
    ),
)
def boundary_1_5(c: Context) -> Iterable[Relation]:
    last = c.given.horizon
    for t, gap in enumerate(expected_gaps(c, last)):
        bound = paper_factor(c.n, t) * c.gap
        yield Le(gap, bound, f"t = {t}", trivial=c.gap) if t < last else Lt(bound, gap, f"t = {t}: passed")


# -- 1 and below -------------------------------------------------------------------------------------------------------


@claim(
    "aspdc.boundary-1",
    "lam n gamma/R^2 = 1: no progress, E D_t = D_0 for all t; on every path D_t = D_0; n = 1 has period 2",
    origin=PAPER.ours("Lemma 2"),
    hypotheses=rf"{EQUAL_NORMS}; $\lambda = R^2/(n \gamma)$",
    evidence=[Enumerated(strategies.equal_norms_one, 0.3)],
    control=fails_on(EQUAL_ROWS, text="K = 1/4: D rises"),
    proof="D(alpha+) - D(alpha) = (1 - K) FY_i/n = 0 for every i.",
)
def boundary_1(c: Context) -> Iterable[Relation]:
    for successor, increase in zip(c.successors, c.increases):
        yield Eq(c.D + increase, c.D, f"D(alpha+) = D(alpha), i = {successor.choice}")
    for t, dual in enumerate(expected_duals(c, 6)):
        yield Eq(dual, c.D, f"E D_{t} = D_0")
    if c.n == 1:
        yield Eq(
            c.method.view(c.problem, c.method.run(c.problem, (0, 0), c.state))[1][0],
            c.alpha[0],
            "n = 1: alpha_2 = alpha_0",
        )


def escape(c: Context, exponent: Fraction) -> Iterable[Relation]:
    """E[D* - D_t] >= (1 + exponent/n)^t (D* - D_0)."""
    factor = Q(1)
    for t, dual in enumerate(expected_duals(c, 8)):
        yield Le(factor * (c.D_star - c.D), c.D_star - dual, f"t = {t}")
        factor *= 1 + exponent / c.n


@claim(
    "aspdc.boundary-below-1",
    "lam n gamma/R^2 < 1: divergence, E[D* - D_t] >= (1 + (K-1)/n)^t (D* - D_0), and D falls strictly at every"
    " effective step on every path",
    origin=PAPER.ours("Lemma 2"),
    hypotheses=rf"{EQUAL_NORMS}; $\lambda < R^2/(n \gamma)$",
    evidence=[
        Enumerated(strategies.equal_norms_above_one, 0.3),
        formal("divergence_threshold", "dual_falls_on_every_path"),
    ],
    control=altered("an exponent of K - 9/10", lambda c: escape(c, c.K - Q(9, 10)), EQUAL_ROWS.but(lam=Q(1, 4))),
    proof="D(alpha+) - D(alpha) = (1 - K) FY_i/n < 0 where Delta_i != 0, and gap >= D* - D.",
)
def boundary_below_1(c: Context) -> Iterable[Relation]:
    for i, increase in enumerate(c.increases):
        if c.delta[i] != 0:
            yield Lt(increase, 0, f"D(alpha+) < D(alpha), i = {i}")
    yield from escape(c, c.K - 1)


@claim(
    "aspdc.mean-square-rate",
    "Mean-square rate: orthogonal rows of one norm have E gap_t = (1 - (1 - K^2)/n)^t gap_0 exactly, so K < 1 is needed"
    " there",
    origin=PAPER.ours("Lemma 2"),
    hypotheses=rf"{EQUAL_NORMS}; $x_i^T x_j = 0$ for $i \ne j$; any $K$",
    evidence=[Enumerated(strategies.orthonormal_any, 0.3)],
    control=fails_on(EQUAL_ROWS, text="equal rows instead of orthogonal ones"),
    proof="The rows decouple: a draw of i multiplies alpha_i - alpha*_i by -K and leaves the others alone.",
)
def mean_square_rate(c: Context) -> Iterable[Relation]:
    rate = 1 - (1 - c.K * c.K) / c.n
    for t, gap in enumerate(expected_gaps(c, 12)):
        yield Eq(gap, rate**t * c.gap, f"t = {t}")


# K = 11/10
UNEQUAL = Instance(rows=(Qs(1), Qs("3/4")), y=Qs(0, 0), alpha=Qs(0, 0), lam=Q(5, 11), extra=further(horizon=26))


@claim(
    "aspdc.boundary-1.unequal-norms",
    "K < 1 is not necessary where norms differ: two collinear rows of norms 1 and 3/4 converge in mean square at K ="
    " 11/10",
    origin=PAPER.ours("Lemma 2"),
    hypotheses="the instance named, squared loss, every start alpha",
    evidence=[golden(UNEQUAL, level="ENUMERATED", detail="second moments, t = 26")],
    control=fails_on(UNEQUAL.but(rows=(Qs(1), Qs(1))), text="equal norms at K = 11/10"),
    proof=(
        "alpha* = 0 and E||alpha_t||^2 is a quadratic form Q of the start. I - Q positive definite at one t makes that"
        " t steps a contraction of E||alpha||^2. Q is read off three starts: e_1, e_2, e_1 + e_2."
    ),
)
def unequal_norms(c: Context) -> Iterable[Relation]:
    def form(*start: int) -> Fraction:
        moments = second_moments(c.method, c.problem, Qs(*start))
        M = next(islice(moments, c.given.horizon, None))
        return M[0][0] + M[1][1]

    Q11, Q22, both = form(1, 0), form(0, 1), form(1, 1)
    Q12 = (both - Q11 - Q22) / 2
    yield Lt(Q11, 1, "(I - Q)_11 > 0")
    yield Lt(Q12 * Q12, (1 - Q11) * (1 - Q22), "det(I - Q) > 0")


# -- the negative controls N1 to N5 ------------------------------------------------------------------------------------


@claim(
    "aspdc.n1",
    "N1: K = 2 (lam = 1/4, n = 2 orthonormal rows, y = (1, -1)): E gap_t = (1/2) (5/2)^t: 1/2, 5/4, 25/8, 125/16, ...",
    origin=PAPER.ours("Lemma 2"),
    hypotheses="the instance named",
    evidence=[golden(ORTHONORMAL.but(lam=Q(1, 4)), level="ENUMERATED", detail="t <= 12")],
    control=fails_on(ORTHONORMAL, text="K = 1/4 converges"),
)
def n1(c: Context) -> Iterable[Relation]:
    for t, gap in enumerate(expected_gaps(c, 12)):
        yield Eq(gap, Q(5, 2) ** t / 2, f"E gap_{t}")


@claim(
    "aspdc.n2",
    "N2: K = 1 (lam = 1/2, the same data): E gap_t = 1/2 for all t",
    origin=PAPER.ours("Lemma 2"),
    hypotheses="the instance named",
    evidence=[golden(ORTHONORMAL.but(lam=Q(1, 2)), level="ENUMERATED", detail="t <= 12")],
    control=fails_on(ORTHONORMAL.but(lam=Q(51, 100)), text="K = 50/51 converges"),
)
def n2(c: Context) -> Iterable[Relation]:
    for t, gap in enumerate(expected_gaps(c, 12)):
        yield Eq(gap, Q(1, 2), f"E gap_{t}")


NORM_3 = Instance(rows=(Qs(1, 1, 1),), y=Qs(1), alpha=Qs(0), lam=Q(4), extra=further(R2=3))
NORM_9 = NORM_3.but(rows=(Qs(2, 2, 1),), extra=further(R2=9))


@claim(
    "aspdc.n3",
    "N3: lam = 4/(n gamma) with ||x||^2 = 3: E gap_t = (1/2) (9/16)^t; with ||x||^2 = 9 it diverges: 1/2, 81/32, ...",
    origin=PAPER.ours("Lemma 2"),
    hypotheses="n = 1, y = 1, gamma = 1, lam = 4",
    evidence=[golden(NORM_3, NORM_9, level="ENUMERATED", detail="||x||^2 = 3 and 9, t <= 12")],
    control=fails_on(NORM_3.but(rows=(Qs(1, 0, 0),)), text="||x||^2 = 1"),
)
def n3(c: Context) -> Iterable[Relation]:
    for t, gap in enumerate(expected_gaps(c, 12)):
        yield Eq(gap, Q(c.given.R2, 4) ** (2 * t) / 2, f"E gap_{t}")


@claim(
    "aspdc.lemma-2.printed-threshold",
    "Lemma 2 for rows of any norm: lam >= 4/(n gamma), without Assumption 3, ||x_i|| <= 1 (N3, E2)",
    origin=PAPER.inference(
        "Lemma 2",
        "Assumption 3",
        note=(
            "Assumption 3 is ||x_i|| <= 1 and stands among the hypotheses of Lemma 2: nobody drops it but a "
            "user whose rows are not normalized"
        ),
    ),
    hypotheses=rf"{L2_STATE} at $t = 0$; $\lambda \ge 4/(n \gamma)$; $R$ unrestricted",
    expected="REFUTED",
    evidence=[golden(NORM_3, NORM_9, level="ENUMERATED", detail="||x||^2 = 3: fails at t = 6; 9: diverges")],
    control=holds_on(NORM_3.but(rows=(Qs(1, 1, 0),)), NORM_3.but(rows=(Qs(1, 0, 0),)), text="||x||^2 = 2 and 1"),
    proof=(
        "The threshold scales with R^2: aspdc.lemma-2 has it written out. Its rate is safe here up to R^2 = 2 "
        "(K <= 1/2), convergence up to R^2 < 4 (K < 1)."
    ),
)
def printed_threshold(c: Context) -> Iterable[Relation]:
    for t, gap in enumerate(expected_gaps(c, 12)):
        yield Le(gap, paper_factor(c.n, t) * c.gap, f"t = {t}", trivial=c.gap)


def two_cycle(c: Context, gaps: tuple[Fraction, Fraction]) -> Iterable[Relation]:
    """alpha = 0, -1, 0, -1, ... with the two gaps in turn, to t = 12."""
    state = c.start
    for t in range(13):
        alpha = c.method.view(c.problem, state)[1]
        yield Eq(alpha[0], Q(-(t % 2)), f"alpha at t = {t}")
        yield Eq(c.problem.P(c.problem.w(alpha)) - c.problem.D(alpha), gaps[t % 2], f"gap at t = {t}")
        state = c.method.step(c.problem, state, 0)


CYCLE = Instance(rows=(Qs(1),), y=Qs(1), alpha=Qs(0), lam=Q(1, 2), loss="smoothed-hinge", gamma=Q(1))


@claim(
    "aspdc.n4",
    "N4: smoothed hinge, n = 1, x = y = gamma = 1, lam = 1/2: alpha = 0, -1, 0, -1, ... with gap 1/2, 3/2, 1/2, 3/2,"
    " ... for ever",
    origin=PAPER.ours("Lemma 2"),
    hypotheses="the instance named; K = 2",
    evidence=[golden(CYCLE, detail="t <= 12")],
    control=fails_on(CYCLE.but(lam=Q(4)), text="lam = 4: K = 1/4 converges"),
    proof="The state at t = 2 is the state at t = 0.",
)
def n4(c: Context) -> Iterable[Relation]:
    yield from two_cycle(c, (Q(1, 2), Q(3, 2)))


@claim(
    "aspdc.n5",
    "N5: hinge, the same data: the same 2-cycle of alpha, gap 1 at both states, although alpha* = -1/2",
    origin=PAPER.ours("Lemma 2"),
    hypotheses="the instance named; gamma = 0",
    evidence=[golden(CYCLE.but(loss="hinge", gamma=None), detail="t <= 12")],
    control=fails_on(CYCLE.but(loss="hinge", gamma=None, method="sdca"), text="SDCA's step converges"),
    proof="The state at t = 2 is the state at t = 0.",
)
def n5(c: Context) -> Iterable[Relation]:
    yield from two_cycle(c, (Q(1), Q(1)))
    best = [Q(-1, 2)]
    yield Eq(c.problem.P(c.problem.w(best)), c.problem.D(best), "the gap at alpha* = -1/2 is 0")
