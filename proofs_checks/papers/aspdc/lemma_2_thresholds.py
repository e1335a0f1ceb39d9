"""ASPDC, Lemma 2, its condition: what happens at lam n gamma/R^2 = 1/K = 2, about 1.5, 1 and below, with exact
examples.

Squared loss with rows of one norm is the extremal family: there D(alpha+) - D(alpha) = (1 - K) FY_i/n exactly.
The negative controls N1 to N5 of the audit are claims of exact values.
"""

from dualgap.proofs_checks.engines.moments import second_moments
from dualgap.proofs_checks.papers.aspdc.appendix_a13_to_a17 import a17
from dualgap.proofs_checks.papers.aspdc.lemma_2 import NORM_3, NORM_9
from dualgap.proofs_checks.papers.aspdc.words import *

# -- 2 -----------------------------------------------------------------------------------------------------------------


@ours_on_lemma_2(
    "aspdc.boundary-2",
    "lam n gamma/R^2 = 2: above it (A17) with 1/(2n) holds, at it with equality, and below it (A17) FAILS at every "
    "non-optimal state",
    hypotheses=EQUAL_NORMS,
    evidence=[exact(strategies.equal_norms_half), exact(strategies.equal_norms_above_half)],
    control=altered("(A17) below 2", a17, BELOW_TWO),
    proof="E[D(alpha+) - D(alpha)] = (s/n) gap exactly, and s < 1/2 means K > 1/2.",
)
def boundary_2(c: Context) -> Iterable[Relation]:
    yield Eq(c.expected_increase, c.s * c.gap / c.n, "E[D+ - D] = (s/n) gap")
    if c.gap > 0:
        increase, half, label = c.expected_increase, c.gap / (2 * c.n), "E[D+ - D] against gap/(2n)"
        if 2 * c.K > 1:
            yield Lt(increase, half, label)
        else:
            yield (Le if 2 * c.K < 1 else Eq)(half, increase, label)


# -- about 1.5 ---------------------------------------------------------------------------------------------------------

THREE_BEYOND = equal_rows(3, Q(5, 7)).but(alpha=Qs(1, -1, 1), extra=further(horizon=129))


@ours_on_lemma_2(
    "aspdc.boundary-1.5",
    "lam n gamma/R^2 = 7/5: the rate of Lemma 2 breaks; its bound is first passed at t = 35 (n = 1), 45 (n = 2), 129 (n"
    " = 3)",
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


@ours_on_lemma_2(
    "aspdc.boundary-1",
    "lam n gamma/R^2 = 1: no progress, E D_t = D_0 for all t; on every path D_t = D_0; n = 1 has period 2",
    hypotheses=rf"{EQUAL_NORMS}; $\lambda = R^2/(n \gamma)$",
    evidence=[Enumerated(strategies.equal_norms_one, 0.3)],
    control=fails_on(EQUAL_ROWS, text="K = 1/4: D rises"),
    proof="D(alpha+) - D(alpha) = (1 - K) FY_i/n = 0 for every i.",
)
def boundary_1(c: Context) -> Iterable[Relation]:
    for i, increase in gains(c):
        yield Eq(c.D + increase, c.D, f"D(alpha+) = D(alpha), i = {i}")
    for t, dual in enumerate(expected_duals(c, 6)):
        yield Eq(dual, c.D, f"E D_{t} = D_0")
    if c.n == 1:
        after = c.method.view(c.problem, c.method.run(c.problem, (0, 0), c.state))[1]
        yield Eq(after[0], c.alpha[0], "n = 1: alpha_2 = alpha_0")


@ours_on_lemma_2(
    "aspdc.boundary-below-1",
    "lam n gamma/R^2 < 1: divergence, E[D* - D_t] >= (1 + (K-1)/n)^t (D* - D_0), and D falls strictly at every"
    " effective step on every path",
    hypotheses=rf"{EQUAL_NORMS}; $\lambda < R^2/(n \gamma)$",
    evidence=[
        Enumerated(strategies.equal_norms_above_one, 0.3),
        formal("divergence_threshold", "dual_falls_on_every_path"),
    ],
    control=false_with("an exponent of K - 9/10", EQUAL_ROWS.but(lam=Q(1, 4)), more=Q(1, 10)),
    proof="D(alpha+) - D(alpha) = (1 - K) FY_i/n < 0 where Delta_i != 0, and gap >= D* - D.",
)
def boundary_below_1(c: Context, more: Fraction = Q(0)) -> Iterable[Relation]:
    for i, increase in enumerate(c.increases):
        if c.delta[i] != 0:
            yield Lt(increase, 0, f"D(alpha+) < D(alpha), i = {i}")
    factor = Q(1)
    for t, dual in enumerate(expected_duals(c, 8)):
        yield Le(factor * (c.D_star - c.D), c.D_star - dual, f"t = {t}")
        factor *= 1 + (c.K - 1 + more) / c.n


@ours_on_lemma_2(
    "aspdc.mean-square-rate",
    "Mean-square rate: orthogonal rows of one norm have E gap_t = (1 - (1 - K^2)/n)^t gap_0 exactly, so K < 1 is needed"
    " there",
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


@ours_on_lemma_2(
    "aspdc.boundary-1.unequal-norms",
    "K < 1 is not necessary where norms differ: two collinear rows of norms 1 and 3/4 converge in mean square at K ="
    " 11/10",
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
        trace: Fraction = M[0][0] + M[1][1]
        return trace

    Q11, Q22, both = form(1, 0), form(0, 1), form(1, 1)
    Q12 = (both - Q11 - Q22) / 2
    yield Lt(Q11, 1, "(I - Q)_11 > 0")
    yield Lt(Q12 * Q12, (1 - Q11) * (1 - Q22), "det(I - Q) > 0")


# -- exact values ------------------------------------------------------------------------------------------------------


@ours_on_lemma_2(
    "aspdc.n1",
    "K = 2 (lam = 1/4, n = 2 orthonormal rows, y = (1, -1)): E gap_t = (1/2) (5/2)^t: 1/2, 5/4, 25/8, 125/16, ...",
    hypotheses="the instance named",
    evidence=[golden(ORTHONORMAL.but(lam=Q(1, 4), extra=further(ratio=Q(5, 2))), level="ENUMERATED", detail="t <= 12")],
    control=fails_on(ORTHONORMAL.but(extra=further(ratio=Q(5, 2))), text="K = 1/4 converges"),
)
@ours_on_lemma_2(
    "aspdc.n2",
    "K = 1 (lam = 1/2, the same data): E gap_t = 1/2 for all t",
    hypotheses="the instance named",
    evidence=[golden(ORTHONORMAL.but(lam=Q(1, 2), extra=further(ratio=Q(1))), level="ENUMERATED", detail="t <= 12")],
    control=fails_on(ORTHONORMAL.but(lam=Q(51, 100), extra=further(ratio=Q(1))), text="K = 50/51 converges"),
)
@ours_on_lemma_2(
    "aspdc.n3",
    "lam = 4/(n gamma) with ||x||^2 = 3: E gap_t = (1/2) (9/16)^t; with ||x||^2 = 9 it diverges: 1/2, 81/32, ...",
    hypotheses="n = 1, y = 1, gamma = 1, lam = 4",
    evidence=[golden(NORM_3, NORM_9, level="ENUMERATED", detail="||x||^2 = 3 and 9, t <= 12")],
    control=fails_on(NORM_3.but(rows=(Qs(1, 0, 0),)), text="||x||^2 = 1"),
)
def geometric(c: Context) -> Iterable[Relation]:
    for t, gap in enumerate(expected_gaps(c, 12)):
        yield Eq(gap, c.given.ratio**t / 2, f"E gap_{t}")


@ours_on_lemma_2(
    "aspdc.n4",
    "smoothed hinge, n = 1, x = y = gamma = 1, lam = 1/2: alpha = 0, -1, 0, -1, ... with gap 1/2, 3/2, 1/2, 3/2,"
    " ... for ever",
    hypotheses="the instance named; K = 2",
    evidence=[golden(CYCLE, detail="t <= 12")],
    control=fails_on(CYCLE.but(lam=Q(4)), text="lam = 4: K = 1/4 converges"),
    proof="The state at t = 2 is the state at t = 0.",
)
def two_cycle(c: Context, gaps: tuple[Fraction, Fraction] = (Q(1, 2), Q(3, 2))) -> Iterable[Relation]:
    """alpha = 0, -1, 0, -1, ... with the two gaps in turn, to t = 12."""
    state = c.start
    for t in range(13):
        alpha = c.method.view(c.problem, state)[1]
        yield Eq(alpha[0], Q(-(t % 2)), f"alpha at t = {t}")
        yield Eq(c.problem.P(c.problem.w(alpha)) - c.problem.D(alpha), gaps[t % 2], f"gap at t = {t}")
        state = c.method.step(c.problem, state, 0)


@ours_on_lemma_2(
    "aspdc.n5",
    "hinge, the same data: the same 2-cycle of alpha, gap 1 at both states, although alpha* = -1/2",
    hypotheses="the instance named; gamma = 0",
    evidence=[golden(CYCLE.but(loss="hinge", gamma=None), detail="t <= 12")],
    control=fails_on(CYCLE.but(loss="hinge", gamma=None, method="sdca"), text="SDCA's step converges"),
    proof="The state at t = 2 is the state at t = 0.",
)
def two_cycle_of_hinge(c: Context) -> Iterable[Relation]:
    yield from two_cycle(c, (Q(1), Q(1)))
    best = [Q(-1, 2)]
    yield Eq(c.problem.P(c.problem.w(best)), c.problem.D(best), "the gap at alpha* = -1/2 is 0")


TWO_CYCLING = CYCLE.but(rows=(Qs(1), Qs(1)), y=Qs(1, 1), alpha=Qs(0, 0), lam=Q(1, 4))


@ours_on_lemma_2(
    "aspdc.e4",
    "E4: smoothed hinge below the threshold does not blow up but never converges: E gap_t = 2/3 - (1/6)(-1/2)^t = 1/2,"
    " 3/4, 5/8, 11/16, ... -> 2/3",
    hypotheses=r"$n = 2$, $x = (1; 1)$, $y = (1, 1)$, $\gamma = 1$, $\lambda = 1/4$ ($K = 2$)",
    evidence=[golden(TWO_CYCLING, level="ENUMERATED", detail="t <= 30")],
    control=fails_on(TWO_CYCLING.but(lam=Q(2)), text="lam = 2: K = 1/4 converges"),
    proof="All paths stay within few states; the exact distribution over them was followed.",
)
def smoothed_hinge_cycles(c: Context) -> Iterable[Relation]:
    gaps = expected_gaps(c, 30)
    yield Eq(len(gaps), 31, "all 30 steps were followed")
    for t, gap in enumerate(gaps):
        yield Eq(gap, Q(2, 3) - Q(-1, 2) ** t / 6, f"E gap_{t}")
