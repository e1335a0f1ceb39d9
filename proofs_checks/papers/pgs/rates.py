"""PGS, what Lemma 1 gives in expectation: Corollary 1, (16), (17), Theorem 1, and what of Theorem 2 can be checked.

Expectations are exact: all paths of all batches, equal states merged. Minima are exact: in one dimension between kinks,
for every p (r(w) = w^2/(2(p-1)) there) and on balls; on the plane for p = 2 by the exact optimum.
"""

from itertools import combinations_with_replacement
from math import factorial

from dualgap.proofs_checks.engines.paths import weighed
from dualgap.proofs_checks.papers.pgs.items import PAPER
from dualgap.proofs_checks.papers.pgs.norms_by_definition import Setting, norm2
from dualgap.proofs_checks.papers.pgs.regret_terms import Losses, Play, batch_loss, losses_of, minimum
from dualgap.proofs_checks.papers.pgs.strategies import (
    LIPSCHITZ,
    begun,
    runs_irrational,
    runs_line_hinge,
    runs_line_squared,
    runs_lipschitz,
    runs_rays_lipschitz,
    trees,
    trees_last,
    trees_plane,
    trees_random,
)
from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.reference import Interval

UNIFORM = "A_t uniform (k-subsets, or k draws with repetition) and independent over t; R^d or a ball"


def harmonic(T: int) -> Fraction:
    """H_T."""
    return sum((Q(1, t) for t in range(1, T + 1)), Q(0))


def lipschitz2(instance: Instance) -> Number:
    """L^2 = max ||x_i||_q^2 for hinge, smoothed hinge and absolute; None for losses without an L."""
    if instance.loss not in LIPSCHITZ:
        return None
    return max(norm2(row, Setting(instance).q) for row in instance.rows)


# -- Corollary 1 -------------------------------------------------------------------------------------------------------


@claim(
    "pgs.corollary-1.repaired",
    "Corollary 1 with H_T = 1 + 1/2 + .. + 1/T: ||lambda_t||_q <= L = max ||x_i||_q, so R_lin <= L^2 H_T/(2 sigma)",
    hypotheses="hinge, smoothed hinge, absolute; any $A_t$",
    origin=PAPER.ours("Corollary 1"),
    evidence=[
        exact(runs_lipschitz),
        exact(runs_rays_lipschitz),
        enclosed(runs_irrational, 0.3),
        formal("pgs_corollary_1"),
    ],
    control=false_with(
        "H_T - 1",
        Instance(
            rows=(Qs(1),),
            y=Qs(1),
            alpha=Qs(0),
            lam=Q(3),
            loss="hinge",
            method="pgs",
            options={"output": "last"},
            path=((0,),),
        ),
        more=-1,
    ),
)
def corollary_1_chain(c: Context, more: int = 0) -> Iterable[Relation]:
    """The chain, with H_T + more."""
    play, L2 = Play(c), lipschitz2(c.instance)
    for t in range(1, play.T + 1):
        if any(play.sub[t - 1]) and not tied(play, t):
            yield Le(play.norm2(t), L2, f"||lambda_{t}||_q <= L")
    if any(any(sub) for sub in play.sub):
        yield Le(
            play.linear_regret, L2 * (harmonic(play.T) + more) / (2 * play.setting.sigma), "R_lin <= L^2 H_T/(2 sigma)"
        )


def tied(play: Play, t: int) -> bool:
    """Whether lambda_t is a row up to sign, so that its norm is that row's: a tie that no enclosure decides."""
    rows = [[dict(row).get(j, Q(0)) for j in range(play.problem.d)] for row in play.problem.rows]
    return isinstance(play.norm2(t), Interval) and any(play.sub[t - 1] in (row, [-x for x in row]) for row in rows)


@claim(
    "pgs.harmonic",
    "Theorem 1, its constant: H_T <= 1 + ln T for T >= 1, and H_T <= (3/(2 ln 2)) ln T for T >= 2, with equality at T ="
    " 2, so that L^2 H_T/2 <= 1.0821 L^2 ln T",
    hypotheses="T = 2 .. 400, 10^4 and 10^6 by 1 + ln T",
    origin=PAPER.ours("Theorem 1"),
    evidence=[
        golden(
            *(
                Instance(rows=(Qs(1),), y=Qs(1), alpha=Qs(0), lam=Q(1), extra=further(from_=a, to=b))
                for a, b in ((2, 400), (10**4, 10**4), (10**6, 10**6))
            ),
            detail="decimal enclosures",
            level="ENCLOSED",
        ),
        formal("harmonic_ln"),
    ],
    control=altered(
        "H_T <= ln T",
        lambda c: [Le(harmonic(7), Interval(7).log(), "")],
        Instance(rows=(Qs(1),), y=Qs(1), alpha=Qs(0), lam=Q(1)),
    ),
    proof=(
        "1/t <= ln t - ln(t-1) for t >= 2. For T >= 3, 1 + ln T <= (3/(2 ln 2)) ln T because ln T >= 1.0986 > 1/(3/(2"
        " ln 2) - 1) = 0.8588."
    ),
)
def harmonic_bounds(c: Context) -> Iterable[Relation]:
    log2 = Interval(2).log()
    yield Le(Q(3, 4) / log2, Q("1.08203"), "3/(4 ln 2) <= 1.08203")
    first, last = c.instance.extra.from_, c.instance.extra.to
    total = harmonic(first - 1) if first < 10**3 else None
    for T in range(first, last + 1):
        log = Interval(T).log()
        if total is not None:
            total += Q(1, T)
            yield Le(total, 1 + log, f"H_{T} <= 1 + ln {T}")
        if T >= 3:
            yield Lt((1 + log) * log2, Q(3, 2) * log, f"1 + ln {T} < (3/(2 ln 2)) ln {T}")


# -- (16) and (17) -----------------------------------------------------------------------------------------------------


class Tree:
    """All paths of T rounds: E P(w_t) for t = 0 .. T, E c_t(w_{t-1}) and E ||lambda_t||_q^2 for t = 1 .. T (+ 1)."""

    def __init__(self, c: Context, method: Any) -> None:
        self.instance, self.setting, self.problem = c.instance, Setting(c.instance), losses_of(c.instance)
        self.T = c.instance.extra.T
        layers = distributions(method, c.problem, method.init(c.problem))
        self.P, self.cost, self.norm2 = [], [], []
        for layer in islice(layers, self.T + 1):
            P, cost, size = Q(0), Q(0), Q(0)
            for p, state in layer:
                w = method.view(c.problem, state)[0]
                g, losses = self.setting.sigma * self.setting.r(w), Losses(self.problem, w)
                P += p * (g + losses.mean(range(self.problem.n)))
                for A, q in weighed(c.problem, method.choices(c.problem, state)):
                    cost += p * q * (g + losses.mean(A))
                    size += p * q * norm2(losses.subgradient(A), self.setting.q)
            self.P.append(P)
            self.cost.append(cost)
            self.norm2.append(size)

    def F(self, w: Any) -> Number:
        """P(w) from its definition."""
        return self.c_t(range(self.problem.n), w)

    def c_t(self, A: Any, w: Any) -> Number:
        """sigma r(w) + the mean loss of the rows A."""
        return self.setting.sigma * self.setting.r(w) + batch_loss(self.problem, A, w)

    def bound(self, T: int) -> Number:
        """E (1/T) sum_{t <= T} ||lambda_t||_q^2/(2 t sigma), T at most one more than the rounds of the tree."""
        return sum((value / (2 * t * self.setting.sigma) for t, value in enumerate(self.norm2[:T], 1)), Q(0)) / T

    def minimum(self) -> Number:
        """min_S P."""
        if self.problem.d == 1:
            return minimum(self.instance, [tuple(range(self.problem.n))])[0]
        return self.problem.P(self.problem.w(exact_optimum(self.problem)))


def last_of(c: Context) -> Any:
    """The reference with the instance's batches and the iterates themselves as output."""
    return c.instance.but(options={**c.instance.options, "output": "last"}).reference_method()


TWO_ROWS = Instance(  # E1 and E7
    rows=(Qs(1), Qs(2)),
    y=Qs(1, -1),
    alpha=Qs(0, 0),
    lam=Q(1),
    loss="hinge",
    method="pgs",
    options={"output": "last"},
    extra=further(T=1),
)
AVERAGE = TWO_ROWS.but(
    rows=(Qs(1),), y=Qs(1), alpha=Qs(0), lam=Q(1, 10), options={"output": "average"}, extra=further(T=5)
)
LATE_OUTPUT = Instance(  # E1: |w - 1| at T = 1, w_1 = 5
    rows=(Qs(1),),
    y=Qs(1),
    alpha=Qs(0),
    lam=Q(1, 10),
    loss="absolute",
    method="pgs",
    options={"output": "last"},
    extra=further(T=1),
)


@claim(
    "pgs.16.repaired",
    "The first identity between (16) and (17) with c_i(w_{i-1}): E P(w_{t-1}) = E c_t(w_{t-1}) for every t, hence E"
    " P(w_i) = E (1/T) sum_t c_t(w_{t-1}) for i uniform on 0 .. T-1",
    hypotheses=UNIFORM,
    origin=PAPER.ours("E P(w_i)"),
    evidence=[Enumerated(trees_last, 0.5)],
    control=altered("c_t(w_t)", lambda c: shifted_16(c), TWO_ROWS),
    proof="w_{t-1} does not depend on A_t, and E g_t is the mean loss.",
)
def line_16(c: Context) -> Iterable[Relation]:
    tree = Tree(c, c.method)
    for t in range(1, tree.T + 1):
        yield Eq(tree.P[t - 1], tree.cost[t - 1], f"E P(w_{t - 1}) = E c_{t}(w_{t - 1})")


def shifted_16(c: Context) -> Iterable[Relation]:
    """(16) as printed: E P(w_t) = E c_t(w_t), the batch of round t being in w_t."""
    tree, state = Tree(c, c.method), c.method.init(c.problem)
    layers = distributions(c.method, c.problem, state)
    for t, layer in zip(range(1, tree.T + 1), layers):
        cost = Q(0)
        for p, before in layer:
            for A, q in c.method.choices(c.problem, before):
                w = c.method.view(c.problem, c.method.step(c.problem, before, A))[0]
                cost += p * q * tree.c_t(A, w)
        yield Eq(tree.P[t], cost, f"E P(w_{t}) = E c_{t}(w_{t})")


@claim(
    "pgs.17.repaired",
    "The second identity between (16) and (17) as an inequality: min_S P >= E (1/T) min_S sum_t c_t",
    hypotheses=UNIFORM,
    origin=PAPER.ours("min P"),
    evidence=[Enumerated(trees_last)],
    control=altered("<=", lambda c: line_17(c, -1), TWO_ROWS),
    proof="P = E (1/T) sum_t c_t, and the minimum of a mean is at least the mean of the minima.",
)
def line_17_repaired(c: Context) -> Iterable[Relation]:
    yield from line_17(c, 1)


def line_17(c: Context, sign: int) -> Iterable[Relation]:
    """E (1/T) min sum c_t against min P, over all multisets of batches."""
    T, choices = c.instance.extra.T, c.method.choices(c.problem, begun(c).start)
    total = Q(0)
    for chosen in combinations_with_replacement(choices, T):
        orders = factorial(T)
        chance = Q(1)
        for choice in dict.fromkeys(chosen):
            orders //= factorial(chosen.count(choice))
        for _, q in chosen:
            chance *= q
        total += orders * chance * minimum(c.instance, [A for A, _ in chosen])[0]
    least = minimum(c.instance, [tuple(range(c.n))])[0]
    yield Le(sign * total / T, sign * least, "E (1/T) min sum c_t <= min P")


# -- Theorem 1 ---------------------------------------------------------------------------------------------------------


@claim(
    "pgs.theorem-1.repaired",
    "Theorem 1 with H_T: E P(output) - min P <= E (1/T) sum_t ||lambda_t||_q^2/(2t sigma) <= L^2 H_T/(2 sigma T), for"
    " the output w_i, i uniform on 0 .. T-1, and for the average of w_0 .. w_{T-1}",
    hypotheses=f"{UNIFORM}; any convex loss, the last inequality for hinge, smoothed hinge and absolute",
    origin=PAPER.ours("Theorem 1"),
    evidence=[
        Enumerated(trees, 0.5),
        Enumerated(trees_plane, 0.25),
        golden(AVERAGE, AVERAGE.but(lam=Q(1, 2), extra=further(T=2)), detail="one row"),
        formal("pgs_theorem_1", "pgs_theorem_1_hinge"),
    ],
    control=false_with(
        "half of the bound", TWO_ROWS.but(rows=(Qs("1/10"),), y=Qs(1), alpha=Qs(0), options={}), factor=Q(1, 2)
    ),
    kills=("pgs.constant-divisor", "pgs.lost-sigma", "pgs.sign"),
    proof="(16), (17) and Lemma 1; for the average Jensen's inequality.",
)
def theorem_1_chain(c: Context, factor: Fraction = Q(1)) -> Iterable[Relation]:
    """The chain with its bounds times factor."""
    tree, T = Tree(c, last_of(c)), c.instance.extra.T
    state = begun(c).start
    for _, layer in zip(range(T + 1), distributions(c.method, c.problem, state)):
        output = sum((p * tree.F(c.method.view(c.problem, reached)[0]) for p, reached in layer), Q(0))
    mean = sum(tree.P[:T], Q(0)) / T
    if c.instance.options.get("output") == "random":
        yield Eq(output, mean, "E P(output) = (1/T) sum E P(w_t)")
    else:
        yield Le(output, mean, "P(average) <= mean of P(w_t)")
    yield Le(mean - tree.minimum(), factor * tree.bound(T), "E P - min P <= E (1/T) sum ||lambda_t||^2/(2t sigma)")
    L2 = lipschitz2(c.instance)
    if L2 is not None:
        yield Le(tree.bound(T), L2 * harmonic(T) / (2 * tree.setting.sigma * T), "<= L^2 H_T/(2 sigma T)")


@claim(
    "pgs.theorem-1.outputs",
    "Theorem 1, other outputs: i uniform on 0 .. T gives L^2 H_{T+1}/(2 sigma (T+1)); on 1 .. T it gives L^2 H_{T+1}/(2"
    " sigma T)",
    hypotheses=UNIFORM,
    origin=PAPER.ours("Theorem 1", "Figure 1, line 9"),
    evidence=[Enumerated(trees_last)],
    control=altered("1 .. T with H_T", lambda c: output_sets(c, 0), LATE_OUTPUT),
    proof="Lemma 1 over T + 1 rounds; dropping w_0 drops P(w_0) - min P >= 0 from the sum.",
)
def outputs(c: Context) -> Iterable[Relation]:
    yield from output_sets(c, 1)


def output_sets(c: Context, more: int) -> Iterable[Relation]:
    """Both output sets; the second with the rounds that count T + more."""
    tree = Tree(c, c.method)
    T, least = tree.T, tree.minimum()
    yield Le(sum(tree.P, Q(0)) / (T + 1) - least, tree.bound(T + 1), "0 .. T")
    yield Le(sum(tree.P[1:], Q(0)) / T - least, tree.bound(T + more) * (T + more) / T, "1 .. T")
    L2 = lipschitz2(c.instance)
    if L2 is not None and more:
        yield Le(
            tree.bound(T + 1),
            L2 * harmonic(T + 1) / (2 * tree.setting.sigma * (T + 1)),
            "<= L^2 H_{T+1}/(2 sigma (T+1))",
        )


DELTAS = Qs("1/20", "1/4", "1/2", "9/10")


@claim(
    "pgs.theorem-1.markov",
    "Theorem 1, with probability: P(P(w_i) - min P > bound/delta) <= delta, i uniform on 0 .. T-1, bound = E (1/T)"
    " sum_t ||lambda_t||_q^2/(2t sigma), for delta = 1/20, 1/4, 1/2, 9/10",
    hypotheses=UNIFORM,
    origin=PAPER.ours(
        "Markov",
        "Theorem 1",
        note="the step by Markov's inequality is printed; here with the bound that holds at T = 1, too",
    ),
    evidence=[Enumerated(trees_random, 0.5)],
    control=false_with("bound/(16 delta)", TWO_ROWS.but(options={"output": "random"}), divisor=16),
    proof="Markov's inequality: P(w_i) >= min P.",
)
def markov_chain(c: Context, divisor: int = 1) -> Iterable[Relation]:
    """The tail at bound/(divisor delta)."""
    tree, T = Tree(c, last_of(c)), c.instance.extra.T
    *_, layer = islice(distributions(c.method, c.problem, begun(c).start), T + 1)
    least, bound = tree.minimum(), tree.bound(T)
    errors = [(p, tree.F(c.method.view(c.problem, state)[0]) - least) for p, state in layer]
    for delta in DELTAS:
        tail = sum((p for p, error in errors if error > bound / (divisor * delta)), Q(0))
        yield Le(tail, delta, f"P(error > bound/{delta}) <= {delta}", trivial=Q(1))


# -- Theorem 2 and the radius of the ball ------------------------------------------------------------------------------


@claim(
    "pgs.19",
    r"Theorem 2, (19): $l(\tilde{w}) - l(w_{\mathrm{ref}}) =$ $[F(\tilde{w}) - F(w^*)] +$ $[F(w^*) -"
    r" F(w_{\mathrm{ref}})] -$ "
    r"$\sigma r(\tilde{w}) + \sigma r(w_{\mathrm{ref}})$, the second and the third term at most 0",
    hypotheses=(
        r"a population of finitely many samples; any $\tilde{w}$, $w_{\mathrm{ref}}$ in $S$. The rest of Theorem 2 is"
        r" an order of "
        "magnitude without constants: no test"
    ),
    origin=PAPER.printed("(19)"),
    evidence=[exact(trees_last)],
    control=false_with("without r(w_ref)", TWO_ROWS.but(extra=further(u=Qs(0), v=Qs("-1/2"), T=1)), factor=0),
)
def line_19(c: Context, factor: int = 1) -> Iterable[Relation]:
    """(19) with the last term times factor."""
    s, problem = Setting(c.instance), losses_of(c.instance)
    everyone = tuple(range(problem.n))
    found, reference = s.into(c.instance.extra.u), s.into(c.instance.extra.v)
    l_of = [batch_loss(problem, everyone, w) for w in (found, reference)]
    F = [value + s.sigma * s.r(w) for value, w in zip(l_of, (found, reference))]
    least = minimum(c.instance, [everyone])[0]
    terms = [F[0] - least, least - F[1], -s.sigma * s.r(found), factor * s.sigma * s.r(reference)]
    yield Eq(l_of[0] - l_of[1], sum(terms, Q(0)), "(19)")
    yield Le(terms[1], 0, "F(w*) - F(w_ref) <= 0")
    yield Le(l_of[0] - l_of[1], terms[0] + terms[3], "l(w~) - l(w_ref) <= F(w~) - F(w*) + sigma r(w_ref)")


@claim(
    "pgs.a4",
    "(A4), a ball that contains the minimizer of P on R^d: ||w^||_p^2 <= (p-1) mean(y^2)/(2 sigma) for the loss (a -"
    " y)^2, and <= (p-1)/sigma for hinge",
    hypotheses=(
        r"$p$ in $(1, 2]$; for $(a-y)^2/(2 \gamma)$ with $4 \gamma$ in the place of 2; $d = 1$, and $p = 2$ on the"
        r" plane"
    ),
    origin=PAPER.ours("The ball holds w^", "PEGASOS"),
    evidence=[exact(runs_line_squared), exact(runs_line_hinge), exact(trees_plane, 0.5)],
    control=altered(
        "a quarter of it",
        lambda c: radius(c, Q(1, 4)),
        TWO_ROWS.but(rows=(Qs(1),), y=Qs(1), alpha=Qs(0), lam=Q(1, 2), extra=further(u=Qs(0))),
    ),
    proof="r is 2-homogeneous, so 2 sigma r(w^) = -mean(phi_i'(a_i) a_i), and -phi'(a) a <= y^2/(4 gamma) or 1.",
)
def a4(c: Context) -> Iterable[Relation]:
    yield from radius(c, Q(1))


def radius(c: Context, factor: Fraction) -> Iterable[Relation]:
    """(A4) times factor."""
    i = c.instance.but(ball=None)
    s, problem = Setting(i), losses_of(i)
    top = {
        "hinge": Q(1),
        "smoothed-hinge": Q(1),
        "squared": sum((y * y for y in i.y), Q(0)) / (4 * problem.n * (i.gamma or 1)),
    }.get(i.loss)
    if top is not None:
        w = [minimum(i, [tuple(range(problem.n))])[1]] if problem.d == 1 else problem.w(exact_optimum(problem))
        yield Le(norm2(w, s.p), factor * (s.p - 1) * top / s.sigma, "||w^||_p^2")


PLACES = Qs(*range(-3, 12), "127846454276/100000000000", "1278/1000", "1279/1000", "1/100", "100")


@claim(
    "pgs.a4.logistic",
    "(A4), logistic: -phi'(a) a <= 0.2784645428 = W(1/e), so that ||w^||_p^2 <= 0.2784645428 (p-1)/sigma",
    hypotheses="the maximum of a/(1 + e^a) is where a = 1 + W(1/e)",
    origin=PAPER.ours("The ball holds w^"),
    evidence=[
        golden(
            *(Instance(rows=(Qs(1),), y=Qs(1), alpha=Qs(0), lam=Q(1), extra=further(a=a)) for a in PLACES),
            detail="20 places, the maximum among them",
            level="ENCLOSED",
        )
    ],
    control=altered(
        "0.27846454",
        lambda c: [Le(logistic_pull(c), Q("0.27846454"), "")],
        Instance(rows=(Qs(1),), y=Qs(1), alpha=Qs(0), lam=Q(1), extra=further(a=PLACES[-5])),
    ),
    proof=(
        "The derivative of a/(1 + e^a) vanishes where (a - 1) e^a = 1, that is a - 1 = W(1/e), where a/(1 + e^a) = a"
        " - 1."
    ),
)
def a4_logistic(c: Context) -> Iterable[Relation]:
    yield Le(logistic_pull(c), Q("0.2784645428"), "a/(1 + e^a)")


def logistic_pull(c: Context) -> Number:
    """a/(1 + e^a)."""
    a = c.given.a
    return a / (1 + Interval(a).exp())
