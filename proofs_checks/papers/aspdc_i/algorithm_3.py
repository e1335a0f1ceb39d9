"""ASPDC-i, Algorithm 3: its lines, the two one-step lemmas, the weights, the centre step.

One epoch: centre v, p = prox(v), m ASPDC steps on P~_v from alpha, w = w(alpha; v) = (kappa v - a(alpha))/mu,
mu = lam + kappa, chi = kappa/mu, K = R^2/(mu n gamma) (1/4 for the paper's kappa), and

    e = M(v) - D~_v(alpha),    d = (mu/2)||w - p||^2,    pi = P~_v(w) - M(v),    e + pi = the inner gap.

The paper runs Algorithm 3 and proves nothing about it; the statements and proofs here are ours.
"""

from dualgap.proofs_checks.papers.aspdc.items import LOST, PAPER
from dualgap.proofs_checks.papers.aspdc_i import strategies
from dualgap.proofs_checks.papers.aspdc_i.epoch_weights import closed_form, weights
from dualgap.proofs_checks.papers.aspdc_i.proximal import Inner, centred_dual, difference, inner, product, prox, square
from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.reference.problem.problem import Vector

ZERO, HALF, ONE = Qs(0, "1/2", 1)

SMOOTH = r"$\varphi_i$ convex and $(1/\gamma)$-smooth"
L2_INNER = rf"{SMOOTH}; $g = (\lambda/2)\Vert w\Vert^2$; $\kappa > 0$; $\Vert x_i\Vert^2 \le K \mu n \gamma$"
NET_INNER = (
    rf"{SMOOTH}; $g$ $\lambda$-strongly convex (L2, elastic net); $\kappa > 0$; $\Vert x_i\Vert^2 \le K \mu n \gamma$"
)


def equal_rows(n: int, K: Fraction, share: Fraction = HALF) -> Instance:
    """n rows x_i = 1, y = 0, squared loss, v = p = 0, alpha = (1, -1, 0, ...): w = p although alpha is not optimal."""
    mu = 1 / (n * K)
    return Instance(
        rows=(Qs(1),) * n,
        y=Qs(*[0] * n),
        alpha=Qs(1, -1, *[0] * n)[:n],
        lam=mu * share,
        extra=further(kappa=mu * (1 - share), p=Qs(0), s=Qs(0), x0=Q(1, 4), y0=Q(41, 12)),
    )


def one_row(x: Fraction, share: Fraction = HALF, alpha: Fraction = ZERO) -> Instance:
    """n = d = 1, squared loss, y = 0, lam + kappa = 1, p = 1; x = 0 leaves the regularizer alone."""
    return Instance(rows=((x,),), y=Qs(0), alpha=(alpha,), lam=share, extra=further(kappa=1 - share, p=Qs(1), s=Qs(1)))


# -- the lines ----------------------------------------------------------------------------------------------------


class KeptW(ASPDCiFixed):
    """A mistake: line 4 keeps the last inner w."""

    def start_inner(self, problem: Problem, state: ProximalPointState) -> None:
        super().start_inner(problem, state)
        state.v = list(state.w_tilde)


class ForgottenAlpha(ASPDCiFixed):
    """A mistake: every inner call starts at alpha = 0."""

    def start_inner(self, problem: Problem, state: ProximalPointState) -> None:
        state.alpha = [problem.zero] * problem.n
        super().start_inner(problem, state)


def fails_with(mistake: type[ASPDCiFixed], text: str) -> Control:
    """The check must be false for a wrong Algorithm 3 on at least one drawn run."""

    def caught(claim: Claim, run: Run) -> bool:
        drawn = run.contexts(strategies.algorithm_3, 20)
        wrong = (Context(c.instance, mistake(**c.instance.options)) for c in drawn)
        return any(judge(claim, c).violated is not None for c in wrong)

    return Control(text, caught)


@claim(
    "aspdc.algorithm-3",
    r"Algorithm 3: line 4 starts epoch $s$ at $\tilde{\alpha}_{s-1}$ and $w = (\kappa \tilde{w}_{s-1} - X^T"
    r" \alpha/n)/(\lambda + \kappa)$, "
    r"lines 5-10 make $m$ uniform ASPDC steps on $\tilde{f}$, line 11 returns their $w$ and $\alpha$",
    hypotheses=f"{SMOOTH}; L2 or elastic net",
    evidence=[exact(strategies.algorithm_3, 0.3)],
    control=all_of(
        fails_with(KeptW, "line 4 with the last inner w"), fails_with(ForgottenAlpha, "line 4 without alpha~")
    ),
    origin=PAPER.printed("Algorithm 3", note=LOST),
)
def algorithm_3(c: Context) -> Iterable[Relation]:
    problem, loss, method, state = c.problem, c.problem.loss, c.method, c.start
    kappa, indices = c.q(c.instance.options["kappa"]), cycle((*c.instance.path, *range(c.n)))
    w_tilde, alpha = [problem.zero] * problem.d, list(state.alpha)
    yield Eq(ASPDCiFixed().m_of(problem), 2 * c.n, "m = 2n inner steps unless another number is asked for")
    for _ in range(3):
        inner_problem = problem.centred(kappa, w_tilde)
        for _ in range(c.instance.options["m"]):
            yield from same(inner_problem.w_of(state.v), inner_problem.w(alpha), "lines 4 and 8: w = w(alpha; w~)")
            i = next(indices)
            z = problem.dot(problem.rows[i], inner_problem.w(alpha))
            alpha[i] = loss.derivative(z, problem.y[i])
            for _, probability in method.choices(problem, state):
                yield Eq(probability, Q(1, c.n), "line 6: i is uniform")
            state = method.step(problem, state, i)
        w_tilde = inner_problem.w(alpha)
        yield from same(state.w_tilde, w_tilde, "line 11: w~_s is the last w")
        yield from same(state.alpha_tilde, alpha, "line 11: alpha~_s is the last alpha")


def same(left: Vector, right: Vector, label: str) -> Iterator[Relation]:
    """Equality of two vectors, entry by entry."""
    for a, b in zip(left, right):
        yield Eq(a, b, label)


# -- one inner step -----------------------------------------------------------------------------------------------


@claim(
    "aspdc.algorithm-3.inner-distance",
    "ASPDC-i, an inner state: e >= d >= 0 and pi >= d (the distance to prox(v) is below both suboptimalities); "
    "for L2 e = d + (1/n) sum FY_i(x_i^T p, alpha_i)",
    origin=PAPER.ours("Algorithm 3"),
    hypotheses=NET_INNER,
    evidence=[exact(strategies.inner_l2), exact(strategies.inner_net, 0.5), enclosed(strategies.inner_logistic)],
    control=all_of(
        altered(
            "e >= 2d, short curved row", lambda c: [Le(2 * (i := inner(c)).d(i.w), i.e(i.alpha), "")], one_row(Q(2))
        ),
        altered(
            "pi >= 2d, nearly no data", lambda c: [Le(2 * (i := inner(c)).d(i.w), i.pi(i.w), "")], one_row(Q(1, 2))
        ),
    ),
    proof=(
        "The gap identity at the point p, whose gap is M(v) - D~_v(alpha), has the two nonnegative parts (1/n) sum"
        " FY_i(x_i^T p, alpha_i) and g~(p) + g~*(s) - s^T p >= (mu/2)||p - w||^2 (equality for L2). pi >= d: p"
        " minimises the mu-strongly convex P~_v."
    ),
)
def inner_distance(c: Context) -> Iterable[Relation]:
    i = inner(c)
    e, d, problem = i.e(i.alpha), i.d(i.w), i.problem
    if i.number is Fraction and problem.regularizer.l1 == 0:
        yield Eq(e, d + i.mean(problem.residuals(i.p, i.alpha)), "e = d + (1/n) sum FY_i(x_i^T p, alpha_i)")
    yield Le(d, e, "e >= d")
    yield Le(d, i.pi(i.w), "pi >= d")


@claim(
    "aspdc.algorithm-3.one-step-e",
    "ASPDC-i, one inner step (e): E e+ <= e - ((1-K)/n)(e + pi)",
    origin=PAPER.ours("Algorithm 3"),
    hypotheses=NET_INNER,
    evidence=[exact(strategies.inner_l2), exact(strategies.inner_net, 0.5), enclosed(strategies.inner_logistic)],
    control=altered(
        "(1 - K + 1/1000)/n in the equality case",
        lambda c: [Le(expected_e(i := inner(c)), i.e(i.alpha) - (1 - i.K + Q(1, 1000)) / i.n * i.gap, "")],
        equal_rows(2, Q(1, 4)),
        equal_rows(3, Q(1, 2)),
    ),
    kills=["aspdc.half-step", "aspdc.sign-flip", "aspdc.no-gamma"],
    proof=(
        "The sharp one-step lemma on P~_v: D~ gains at least (1 - K_i) FY_i/n at index i, and e + pi = (1/n) sum FY_i."
    ),
)
def one_step_e(c: Context) -> Iterable[Relation]:
    i = inner(c)
    e, pi = i.e(i.alpha), i.pi(i.w)
    if i.number is Fraction:
        yield Eq(e + pi, i.mean_FY, "e + pi = (1/n) sum FY_i, the inner gap")
    yield Le(expected_e(i), e - (1 - i.K) / i.n * (e + pi), "(e)")


def expected_e(i: Inner) -> Fraction:
    """E e+ over the method's own choices."""
    expectation: Fraction = i.expect(lambda successor: i.e(successor.alpha))
    return expectation


@claim(
    "aspdc.algorithm-3.one-step-d",
    "ASPDC-i, one inner step (d): E d+ <= d - (1/n)(pi + d) + (K/n)(e + pi)",
    origin=PAPER.ours("Algorithm 3"),
    hypotheses=L2_INNER,
    evidence=[exact(strategies.inner_l2), enclosed(strategies.inner_logistic)],
    control=altered(
        "(K - 1/1000)/n in the equality case",
        lambda c: [
            Le(
                expected_d(i := inner(c)),
                i.d(i.w) - (i.pi(i.w) + i.d(i.w)) / i.n + (i.K - Q(1, 1000)) / i.n * i.gap,
                "",
            )
        ],
        equal_rows(2, Q(1, 4)),
        equal_rows(3, Q(1, 2)),
    ),
    kills=["aspdc.sign-flip", "aspdc.no-gamma", "aspdc.missing-1/n"],
    proof=(
        "w+ = w - (Delta_i/(n mu)) x_i and G = (1/n) sum Delta_i x_i = grad P~_v(w), so E d+ = d - (1/n)<w - p, G> +"
        " (1/(2 mu n^2)) (1/n) sum Delta_i^2 ||x_i||^2. Strong convexity: <w - p, G> >= pi + d. Noise: ||x_i||^2 <= K"
        " mu n gamma and (gamma/2) Delta_i^2 <= FY_i."
    ),
)
def one_step_d(c: Context) -> Iterable[Relation]:
    i = inner(c)
    e, d, pi = i.e(i.alpha), i.d(i.w), i.pi(i.w)
    after, slope, noise = expected_d(i), product(difference(i.w, i.p), gradient(i)), second_moment(i)
    if i.number is Fraction:
        yield Eq(after, d - slope / i.n + noise, "E d+ = d - (1/n)<w - p, G> + noise")
    yield Le(pi + d, slope, "strong convexity: <w - p, G> >= pi + d")
    yield Le(noise, i.K / i.n * (e + pi), "noise <= (K/n)(e + pi)")
    yield Le(after, d - (pi + d) / i.n + i.K / i.n * (e + pi), "(d)")


def expected_d(i: Inner) -> Fraction:
    """E d+ over the method's own choices."""
    expectation: Fraction = i.expect(lambda successor: i.d(successor.w))
    return expectation


def gradient(i: Inner) -> Vector:
    """G = (1/n) sum_i Delta_i x_i, shape (d,)."""
    total = [i.problem.zero] * i.problem.d
    for row, delta in zip(i.problem.rows, i.delta):
        for j, x in row:
            total[j] = total[j] + delta * x / i.n
    return total


def second_moment(i: Inner) -> Fraction:
    """(1/(2 mu n^2)) (1/n) sum_i Delta_i^2 ||x_i||^2."""
    mean = i.mean([delta * delta * norm2 for delta, norm2 in zip(i.delta, i.problem.norms2)])
    noise: Fraction = mean / (2 * i.mu * i.n * i.n)
    return noise


@claim(
    "aspdc.algorithm-3.equality-case",
    "Both one-step lemmas are attained at once: n >= 2 equal rows x_i = 1, y = 0, squared loss, v = 0, alpha = (1, -1,"
    " 0, ...): d = pi = 0, E e+ = (1 - (1-K)/n) e, E d+ = (K/n) e",
    origin=PAPER.ours("Algorithm 3"),
    hypotheses="the instance named",
    evidence=[
        golden(
            *(equal_rows(n, K) for n in (2, 3, 5) for K in Qs("1/4", "1/2", "9/10")),
            detail="n = 2, 3, 5; K = 1/4, 1/2, 9/10",
        )
    ],
    control=altered("E d+ = 0", lambda c: [Eq(expected_d(inner(c)), Q(0), "")], equal_rows(2, Q(1, 4))),
)
def equality_case(c: Context) -> Iterable[Relation]:
    i = inner(c)
    e = i.e(i.alpha)
    yield Eq(i.d(i.w) + i.pi(i.w), Q(0), "d = pi = 0")
    yield Eq(expected_e(i), (1 - (1 - i.K) / i.n) * e, "E e+ = (1 - (1-K)/n) e")
    yield Eq(expected_d(i), i.K / i.n * e, "E d+ = (K/n) e")


# -- m inner steps -------------------------------------------------------------------------------------------------


@claim(
    "aspdc.algorithm-3.weights",
    "ASPDC-i, m inner steps: with x_{k+1} = (1 - (1-K)/n) x_k + (K/n) y_k and y_{k+1} = max(0, (1 - (2-K)/n) y_k -"
    " ((1-K)/n) x_k), E[x_0 e_m + y_0 d_m] <= (x_m + y_m) e_0 for every m",
    origin=PAPER.ours("Algorithm 3"),
    hypotheses=f"{L2_INNER}; $K < 1$",
    evidence=[
        exact(strategies.inner_small, 0.15),
        golden(*(equal_rows(n, K) for n in (2, 3) for K in Qs("1/4", "1/2")), detail="the equality case of one step"),
    ],
    control=false_with("no noise from d to e: x_{k+1} without (K/n) y_k", equal_rows(2, Q(1, 2)), noise=Q(0)),
    proof=(
        "(e) and (d) give E[x e+ + y d+] <= [x(1 - (1-K)/n) + y K/n] e + y(1 - 1/n) d - ((1-K)/n)(x + y) pi; put pi >="
        " d and drop the d-term where its coefficient is negative. Iterate from the last inner step to the first; d_0"
        " <= e_0."
    ),
)
def m_steps(c: Context, noise: Fraction = ONE) -> Iterable[Relation]:
    """E[x_0 e_m + y_0 d_m] <= (x_m + y_m) e_0 for m <= 6 (n = 1), 4 (n = 2), 3 (n = 3); noise scales K/n."""
    i = inner(c)
    x0, y0, e0, horizon = c.given.x0, c.given.y0, i.e(i.alpha), {1: 6, 2: 4, 3: 3}[i.n]

    def weighted(state: object) -> Fraction:
        w, alpha = i.method.view(i.problem, state)
        value: Fraction = x0 * i.e(alpha) + y0 * i.d(w)
        return value

    for m, left in enumerate(expectations(i.method, i.problem, i.state, horizon, weighted)):
        x, y = weights(i.n, i.K, x0, y0, m, noise)
        yield Le(left, (x + y) * e0, f"E[x_0 e_{m} + y_0 d_{m}] <= (x_{m} + y_{m}) e_0")


@claim(
    "aspdc.algorithm-3.weights.closed-form",
    "The weights in closed form: while the max is inactive x_k + y_k = (x_0 + y_0)(1 - 2(1-K)/n)^k, twice the rate of"
    " (e) alone, and (x, y) is a sum of the modes (1, -1) at rate 1 - 1/n and (1, -(1-K)/K) at rate 1 - 2(1-K)/n; the"
    " max is inactive exactly while ((n - 2(1-K))/(n-1))^k >= tau = ((1-K) x_0 + K y_0)/((1-K)(x_0 + y_0)); the sum"
    " never increases",
    origin=PAPER.ours("Algorithm 3"),
    hypotheses="0 < K < 1/2, n >= 2, x_0, y_0 >= 0",
    evidence=[
        golden(
            *(
                equal_rows(n, K, Q(1)).but(extra=further(x0=x, y0=y))
                for n in (2, 3, 7, 20)
                for K in Qs("1/4", "1/3", "1/10")
                for x, y in (Qs("1/4", "41/12"), Qs("1/3", "110/39"), Qs(1, 1))
            ),
            detail="n = 2, 3, 7, 20; three K; three starts; k <= 3n",
        )
    ],
    control=altered(
        "the generic rate 1 - (1-K)/n for the sum",
        lambda c: [
            Eq(sum(weights(c.n, c.K, c.given.x0, c.given.y0, 1)), (1 - (1 - c.K) / c.n) * (c.given.x0 + c.given.y0), "")
        ],
        equal_rows(3, Q(1, 4), Q(1)),
    ),
    proof=(
        "The 2x2 recursion without the max has the two modes named; solve it. y_{k+1} >= 0 is the condition with tau."
    ),
)
def weights_closed_form(c: Context) -> Iterable[Relation]:
    n, K, inactive = c.n, c.K, True
    start = before = c.given.x0, c.given.y0
    for k in range(1, 3 * n + 1):
        unclipped = (1 - (2 - K) / n) * before[1] - (1 - K) / n * before[0]
        now = weights(n, K, *before, 1)
        x, y, predicted = closed_form(n, K, *start, k)
        if inactive:
            yield Eq(
                1 + int(unclipped >= 0), 1 + int(predicted), f"k = {k}: the max is inactive (2) or not (1), by tau"
            )
        inactive = inactive and predicted
        if inactive:
            yield Eq(now[0], x, f"x_{k}")
            yield Eq(now[1], y, f"y_{k}")
            yield Eq(sum(now), (1 - 2 * (1 - K) / n) ** k * sum(start), f"x_{k} + y_{k}")
        yield Le(sum(now), sum(before), f"the sum does not increase at k = {k}")
        before = now


# -- the centre step ------------------------------------------------------------------------------------------------


@claim(
    "aspdc.algorithm-3.centre-step",
    "ASPDC-i, the centre moves from v to w: with q = v - p, delta = w - p, Q = (mu/2)||q||^2, "
    "(ii) M(w) <= M(v) - chi Q + chi d, (iii) E' <= e + (2 chi + chi^2) d + chi^2 Q - (1 + chi) kappa <delta, q> "
    "<= e + 3 chi d + chi Q + 4 chi sqrt(dQ) for E' = M(w) - D~_w(alpha), (iv) chi Q >= (lam/mu)(M(v) - P*)",
    origin=PAPER.ours("Algorithm 3"),
    hypotheses=NET_INNER,
    evidence=[exact(strategies.centre_states, 0.5)],
    control=all_of(
        altered(
            "(ii) with 2 chi Q, heavy data", lambda c: list(centre_step(c, two=Q(2)))[:1], one_row(Q(3), alpha=Q(3))
        ),
        altered(
            "(iii) with half the cross term, heavy data",
            lambda c: list(centre_step(c, three=Q(1, 2)))[1:2],
            one_row(Q(100), alpha=Q(101)),
        ),
        altered(
            "(iv) with lam/mu + 1/1000, no data", lambda c: list(centre_step(c, four=Q(1, 1000)))[-1:], one_row(Q(0))
        ),
    ),
    proof=(
        "grad M(v) = kappa q. (ii) M is kappa-smooth and w - v = delta - q. (iii) v -> M(v) - D~_v(alpha) has gradient"
        " kappa (w(alpha; v) - prox(v)) = kappa delta at v, and D~_v(alpha) is (kappa lam/mu)-strongly convex in v, so"
        " its upper curvature is kappa chi: E' <= e + kappa <delta, delta - q> + (kappa chi/2)||delta - q||^2; expand,"
        " Cauchy-Schwarz, chi <= 1. (iv) M is (lam kappa/mu)-strongly convex, its minimum is P*, ||grad M|| = kappa"
        " ||q||."
    ),
)
def centre_step(c: Context, two: Fraction = ONE, three: Fraction = ONE, four: Fraction = ZERO) -> Iterable[Relation]:
    """(ii), (iii), its simpler bound squared, (iv); the factors make the altered statements."""
    i = inner(c)
    w, chi, constant = i.w, i.chi, i.kappa * square(i.v) / 2
    q, delta, M, D = difference(i.v, i.p), difference(w, i.p), i.M + constant, i.problem.D(i.alpha) + constant
    Q_, d, e = i.mu * square(q) / 2, i.d(w), M - D
    after = prox(i.base, i.kappa, w).M
    cross = (1 + chi) * i.kappa * product(delta, q)
    yield Le(after, M - two * chi * Q_ + chi * d, "(ii)")
    E = after - centred_dual(i.base, i.kappa, w, i.alpha)
    yield Le(E, e + (2 * chi + chi * chi) * d + chi * chi * Q_ - three * cross, "(iii)")
    yield Le(cross * cross, 16 * chi * chi * d * Q_, "(iii): (1 + chi) kappa |<delta, q>| <= 4 chi sqrt(dQ), squared")
    P_star = i.base.P(prox(i.base, Q(0), w).p)
    yield Le((i.lam / i.mu + four) * (M - P_star), chi * Q_, "(iv)")
