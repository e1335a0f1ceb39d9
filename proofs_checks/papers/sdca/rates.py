"""SDCA, the outputs, and Theorem 2 (smooth losses) with its true hypotheses beside the slides' forms of it.

The slides leave out phi_i >= 0, phi_i(0) <= 1 and ||x_i|| <= 1. Here R = max ||x_i|| and B = gap at the start are
measured: B >= D* - D(alpha^(0)), and B <= 1 under those hypotheses from alpha^(0) = 0. Expectations are exact, over
all paths with equal states merged, or by second moments for squared loss. Signs as in ``sdca_steps``.
"""

from itertools import product

from dualgap.proofs_checks.engines import moments
from dualgap.proofs_checks.evidence.trajectories import along_paths
from dualgap.proofs_checks.papers.aspdc.rates import ceiling_of_log
from dualgap.proofs_checks.papers.sdca.hypotheses import CONVEX, DROPPED, FROM_ZERO, RIDGE, SMOOTH
from dualgap.proofs_checks.papers.sdca.items import PAPER
from dualgap.proofs_checks.papers.sdca.items_jmlr import JMLR, RESTATED
from dualgap.proofs_checks.papers.sdca.steps import LIPSCHITZ, THREE, K_of, any_lipschitz, any_smooth, drawn
from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.reference import Problem
from dualgap.reference.methods.sdca import AveragedSDCA, RandomSDCA
from dualgap.reference.problem.problem import Vector

START = (
    r"$w = w(\alpha)$ at $t = 0$, $g = (\lambda/2)\Vert w\Vert^2$, uniform order, $B = \mathrm{gap}$ at $t = 0$, $R ="
    r" \max\, \Vert x_i\Vert$"
)
PATH_RATIOS = Qs("1/100", "1/20", "1/4", "1/2", 1, 2)  # R^2/(lam n gamma), gamma read as 1 for hinge and absolute


# Starts of trajectories, smooth losses.
paths_smooth = Pool(
    "sdca.paths_smooth",
    drawn,
    RATIONAL_SMOOTH,
    K=PATH_RATIOS,
    max_n=3,
    max_d=2,
    max_path=0,
    extra=any_of(T0=(0, 1, 2), more=(1, 2)),
)
# Starts of trajectories, hinge and absolute.
paths_lipschitz = Pool(
    "sdca.paths_lipschitz",
    drawn,
    LIPSCHITZ,
    K=PATH_RATIOS,
    max_n=3,
    max_d=2,
    max_path=0,
    extra=any_of(T0=(0, 1, 2), more=(0, 1)),
)


# -- exact quantities --------------------------------------------------------------------------------------------------


def gap_at(c: Context, alpha: Vector) -> Number:
    """P(w(alpha)) - D(alpha)."""
    return c.problem.gap(c.problem.w(alpha), alpha)


def by_moments(c: Context) -> bool:
    """Whether the step is affine in alpha and alpha is the whole state."""
    return type(c.method) is SDCA and c.instance.loss == "squared" and c.instance.l1 == 0


def expected_gaps(c: Context, horizon: int) -> list[Number]:
    """[E gap_t for t = 0, 1, ...] up to ``horizon``, or as far as the path tree stays small."""
    if by_moments(c):
        return list(islice(moments.expected_gaps(c.method, c.problem, c.alpha), horizon + 1))
    return along_paths(c, horizon, partial(gap_at, c))


def expected_duals(c: Context, horizon: int) -> list[Number]:
    """[E D_t for t = 0, 1, ...], like ``expected_gaps``."""
    if by_moments(c):
        return list(islice(moments.expected_duals(c.method, c.problem, c.alpha), horizon + 1))
    return along_paths(c, horizon, c.problem.D)


def averaged_gap(c: Context, T0: int, T: int) -> Number:
    """E[P(w_bar) - D(alpha_bar)] of the averaged output, over all n^T paths."""
    method = AveragedSDCA(T0)
    start = method.init(c.problem, c.alpha)
    return expectations(method, c.problem, start, T, lambda s: c.problem.gap(*method.view(c.problem, s)))[T]


def random_gap(c: Context, T0: int, T: int) -> Number:
    """E[P(w) - D(alpha)] of the random output: the mean of E gap_t over t = T0 .. T-1. Raises ValueError out of
    reach.
    """
    gaps = expected_gaps(c, T - 1)[T0:T]
    if len(gaps) < T - T0:
        raise ValueError(f"T = {T} is out of reach")
    return sum(gaps, c.problem.zero) / (T - T0)


# -- the outputs -------------------------------------------------------------------------------------------------------


def outputs_at(c: Context, method: AveragedSDCA, T0: int, T: int) -> Iterable[Relation]:
    """The averaged output after every path of T steps against the states T0 .. T-1 of the plain method."""
    for path in product(range(c.n), repeat=T):
        state, alphas, ws = c.state, [], []
        for i in path:
            w, alpha = c.method.view(c.problem, state)
            alphas.append(alpha)
            ws.append(w)
            state = c.method.step(c.problem, state, i)
        w_bar, alpha_bar = method.view(c.problem, method.run(c.problem, path, method.init(c.problem, c.alpha)))
        for found, values in ((alpha_bar, alphas), (w_bar, ws)):
            for k, entry in enumerate(found):
                yield Eq((T - T0) * entry, sum((v[k] for v in values[T0:]), c.problem.zero), f"averages, path {path}")


class OneLate(AveragedSDCA):
    """Averages the states T0+1 .. T instead of T0 .. T-1."""

    def advance(self, problem: Problem, state: Any, choice: Any) -> None:
        state.total[choice] = self.sum_of(state, choice, state.t + 1)
        state.since[choice] = state.t + 1
        SDCA.advance(self, problem, state, choice)
        state.t += 1

    def sum_of(self, state: Any, i: int, end: int) -> Number:
        """The sum of alpha_i over the states T0+1 .. end."""
        first = max(state.since[i], self.T0 + 1)
        last = end if end == state.t else end - 1  # the view counts state T too
        return state.total[i] + max(0, last + 1 - first) * state.alpha[i]


@claim(
    "sdca.outputs",
    r"Figure 1, Averaging option: the output is the mean of the states before the updates $T_0+1 \ldots T$, and"
    r" $\bar{w} = w(\bar{\alpha})$ "
    "is the mean of their $w$",
    hypotheses="L2",
    origin=PAPER.printed("Figure 1, output"),
    evidence=[Enumerated(paths_smooth, 0.1), Enumerated(paths_lipschitz, 0.1)],
    control=altered("the states T0+1 .. T averaged", lambda c: outputs_at(c, OneLate(2), 2, 4), THREE),
)
def outputs(c: Context) -> Iterable[Relation]:
    T0 = min(c.given.get("T0", 0), 1)
    yield from outputs_at(c, AveragedSDCA(T0), T0, T0 + 2)


@claim(
    "sdca.outputs.random",
    "Figure 1 of the journal paper, random option: the output is each of the states before the updates T0+1 .. T with"
    " probability 1/(T - T0)",
    hypotheses="L2",
    origin=JMLR.reading("Figure 1, random option", note=RESTATED),
    evidence=[Enumerated(paths_smooth, 0.1), Enumerated(paths_lipschitz, 0.1)],
    control=altered("the states T0+1 .. T", lambda c: random_law(c, RandomSDCA(1), 2), THREE),
    proof=(
        "Update t keeps its state with probability 1/(t - T0), and a kept one survives update u with 1 - 1/(u - T0); "
        "the product over u = t+1 .. T is 1/(T - T0)."
    ),
)
def random_output(c: Context) -> Iterable[Relation]:
    T0 = min(c.given.get("T0", 0), 1)
    yield from random_law(c, RandomSDCA(T0), T0)


def random_law(c: Context, method: RandomSDCA, T0: int) -> Iterable[Relation]:
    """The law of the output after T0 + 2 steps against that of the states T0 and T0 + 1."""
    T = T0 + 2
    law: dict[Any, Fraction] = {}
    for probability, state in last_layer(method, c, T):
        key = tuple(method.view(c.problem, state)[1])
        law[key] = law.get(key, Q(0)) + probability
    expected: dict[Any, Fraction] = {}
    for t in range(T0, T):
        for probability, state in last_layer(c.method, c, t):
            key = tuple(c.method.view(c.problem, state)[1])
            expected[key] = expected.get(key, Q(0)) + probability / (T - T0)
    yield Eq(len(law), len(expected), "random output: the possible outputs")
    for key, probability in expected.items():
        yield Eq(law.get(key, Q(0)), probability, f"random output: the probability of {tuple(map(to_fraction, key))}")


def last_layer(method: Any, c: Context, T: int) -> list[tuple[Fraction, Any]]:
    """All states after T steps with their probabilities."""
    return next(islice(distributions(method, c.problem, method.init(c.problem, c.alpha)), T, None))


@claim(
    "sdca.start",
    "Lemma 2 (bounded start): phi_i >= 0 gives D(0) >= 0, and D(alpha) <= P(0) for every alpha, so D* - D(0) <= P(0); 1"
    " if phi_i(0) <= 1",
    hypotheses=r"$\varphi_i \ge 0$ (all losses of this package)",
    origin=JMLR.reading("Lemma 2", note=RESTATED),
    evidence=[exact(any_smooth, 0.5), exact(any_lipschitz, 0.5)],
    control=altered(
        "D(alpha) <= P(0)/10", lambda c: [Le(c.D, c.problem.P([0] * c.problem.d) / 10, "")], THREE.but(path=(0, 1))
    ),
    proof="-phi*(0) = inf phi >= 0; weak duality.",
)
def start(c: Context) -> Iterable[Relation]:
    at_zero = c.problem.P([c.problem.zero] * c.problem.d)
    if all(c.problem.loss.in_domain(c.problem.zero, y) for y in c.problem.y):
        yield Le(0, c.problem.D([c.problem.zero] * c.n), "D(0) >= 0")
    yield Le(c.D, at_zero, "D(alpha) <= P(0)")
    if all(c.problem.loss.value(c.problem.zero, y) <= 1 for y in c.problem.y):
        yield Le(at_zero, 1, "P(0) <= 1")


# -- Theorem 2: smooth losses ------------------------------------------------------------------------------------------


def theorem_2_chain(c: Context, K: Number) -> Iterable[Relation]:
    """E[D* - D_t] <= (1 - 1/K)^t (D* - D_0) and E gap_t <= K (1 - 1/K)^t (D* - D_0) for t = 0, 1, ..."""
    horizon = 24 if by_moments(c) else 7
    to_go, factor = c.D_star - c.D, Q(1)
    duals, gaps = expected_duals(c, horizon), expected_gaps(c, horizon)
    for t, (dual, gap) in enumerate(zip(duals, gaps)):
        if t > 0:
            yield Le(c.D_star - dual, factor * to_go, f"(i) t = {t}", trivial=to_go)
        yield Le(gap, K * factor * to_go, f"(ii) t = {t}", trivial=c.gap)
        factor = factor * (1 - 1 / K)
    yield Le(to_go, c.gap, "D* - D_0 <= B")


ONE = Instance(rows=(Qs(1),), y=Qs(1), alpha=Qs(0), lam=Q(1), method="sdca")  # K = 2; the optimum after one step
# K = 2 + 1/5; E D_t contracts by 1/2
APART = THREE.but(rows=(Qs(1, 0), Qs(0, 1)), y=Qs(1, -1), alpha=Qs(0, 0), lam=Q(5))


@claim(
    "sdca.theorem-2",
    "Theorem 2: E[D* - D_t] <= (1 - 1/K)^t (D* - D_0) and E gap_t <= K (1 - 1/K)^t (D* - D_0), K = n + R^2/(lam gamma),"
    " D* - D_0 <= B; for phi >= 0, phi(0) <= 1, R <= 1 and alpha^(0) = 0 the paper's (1 - 1/K)^t and K (1 - 1/K)^t, K ="
    " n + 1/(lam gamma)",
    hypotheses=rf"$\varphi_i$ convex and $(1/\gamma)$-smooth; {START}",
    origin=JMLR.reading("Theorem 2", note=RESTATED),
    evidence=[Enumerated(paths_smooth, 0.2), golden(THREE, APART, level="ENUMERATED", detail="t <= 24")],
    control=altered("the rate 1/(K - 1/2)", lambda c: theorem_2_chain(c, K_of(c) - Q(1, 2)), APART),
    proof=(
        "sdca.per-step and gap >= D* - D: E[D* - D] contracts by 1 - 1/K; E gap_t <= K E[D_{t+1} - D_t] <= K E[D* -"
        " D_t]."
    ),
)
def theorem_2(c: Context) -> Iterable[Relation]:
    yield from theorem_2_chain(c, K_of(c))


def output_chain(c: Context, T0: int, T: int, bound: Number) -> Iterable[Relation]:
    """E gap(averaged) <= E gap(random) <= bound."""
    average, chosen = averaged_gap(c, T0, T), random_gap(c, T0, T)
    yield Le(average, chosen, "the gap is convex: averaged <= random")
    yield Le(chosen, bound, f"random, T0 = {T0}, T = {T}", trivial=c.gap)


@claim(
    "sdca.theorem-2.outputs",
    "Theorem 2, averaged and random output: E gap <= (K/(T - T0)) E[D_T - D_T0] <= (K/(T - T0)) (1 - 1/K)^T0 (D* -"
    " D_0)",
    hypotheses=rf"$\varphi_i$ convex and $(1/\gamma)$-smooth; {START}; $T > T_0$",
    origin=JMLR.reading("Theorem 2", note=RESTATED),
    evidence=[Enumerated(paths_smooth, 0.2)],
    control=altered("a hundredth of it", lambda c: output_chain(c, 0, 1, K_of(c) * c.gap / 100), ONE),
    proof="Sum E gap_t <= K E[D_{t+1} - D_t] over t = T0 .. T-1; Jensen for the average.",
)
def theorem_2_outputs(c: Context) -> Iterable[Relation]:
    T0 = c.given.get("T0", 0)
    T, K = T0 + c.given.get("more", 0), K_of(c)
    duals = expected_duals(c, T)
    bound = K / (T - T0) * (duals[T] - duals[T0])
    yield from output_chain(c, T0, T, bound)
    yield Le(bound, K / (T - T0) * (1 - 1 / K) ** T0 * (c.D_star - c.D), "D_T <= D*, and the rate", trivial=c.gap)


def steps_for(K: Number, ratio: Number) -> int:
    """ceil(K ln ratio), 0 for ratio <= 1: with K = p/q that is ceil(p ln(ratio)/q)."""
    return 0 if ratio <= 1 else -(-ceiling_of_log(int(K.numerator), ratio) // int(K.denominator))


def last_iterate(c: Context, K: Number, B: Number) -> Iterable[Relation]:
    """T = ceil(K ln(K B/eps)) gives E gap_T <= eps."""
    eps = c.given.eps
    T = steps_for(K, K * B / eps)
    gaps = expected_gaps(c, T)
    if len(gaps) > T:
        yield Le(gaps[T], eps, f"E gap_{T} <= {eps}", trivial=c.gap)


LEGAL = Instance(rows=(Qs(1), Qs(1)), y=Qs(1, -1), alpha=Qs(0, 0), lam=Q(1), method="sdca", extra=further(eps=Q(1, 10)))
LARGE_LOSS = LEGAL.but(y=Qs(100, -100))
LARGE_ROWS = LEGAL.but(rows=(Qs(10), Qs(10)))
# T = 4 and 6: every path, for every T0
T_4, T_6 = LARGE_LOSS.but(extra=further(eps=Q(1))), LARGE_ROWS.but(extra=further(eps=Q(1, 2)))


@claim(
    "sdca.theorem-2.slide",
    r"Th2 of the slides, without the hypotheses that they drop: $T \ge K \,\ln(K/\varepsilon)$, $K = n + 1/(\lambda"
    r" \gamma)$, gives "
    r"$\mathbb{E}[P(\bar{w}) - D(\bar{\alpha})] \le \varepsilon$ for a $T_0 < T$",
    hypotheses=(
        r"$\varphi_i$ convex and $(1/\gamma)$-smooth, $\alpha^{(0)} = 0$; the slides do not say which $T_0$: it fails"
        r" for every one"
    ),
    origin=PAPER.printed("Th2", note=DROPPED),
    expected="REFUTED",
    assumes=[CONVEX, RIDGE, FROM_ZERO, SMOOTH],
    evidence=[
        golden(
            T_4,
            T_6,
            detail=(
                "squared loss, n = 2, lam = 1: phi(0) = 5000, eps = 1, T = 4: at least 1371; R = 10, eps = 1/2, T = 6:"
                " more than 1/2"
            ),
        )
    ],
    control=holds_on(LEGAL.but(extra=further(eps=Q(1, 4))), text="phi(0) = 1/2 and R = 1"),
)
def theorem_2_slide(c: Context) -> Iterable[Relation]:
    K = c.n + 1 / (c.mu * c.gamma)
    T = steps_for(K, K / c.given.eps)
    yield Le(
        min(averaged_gap(c, T0, T) for T0 in range(T)), c.given.eps, f"T = {T}, the least of all T0", trivial=c.gap
    )


# Starts of trajectories and an accuracy.
to_eps = Pool(
    "sdca.to_eps",
    drawn,
    ("squared",),
    K=Qs("1/100", "1/4", "1/2"),
    max_n=2,
    max_d=2,
    max_path=0,
    extra=any_of(eps=Qs("1/2", "1/10")),
)


@claim(
    "sdca.theorem-2.repaired",
    "Theorem 2 with its constants, K = n + R^2/(lam gamma): T >= K ln(K B/eps) gives E gap_T <= eps, and T0 >= K ln(K"
    " B/((T - T0) eps)) gives E gap <= eps for the random output, so for the averaged one",
    origin=PAPER.ours("Th2"),
    hypotheses=rf"$\varphi_i$ convex and $(1/\gamma)$-smooth; {START}",
    evidence=[Enumerated(to_eps, 0.3), golden(LEGAL, LARGE_LOSS, level="ENUMERATED", detail="T = 9 and 36")],
    control=altered(
        "R and B read as 1", lambda c: last_iterate(c, c.n + 1 / (c.mu * c.gamma), Q(1)), LARGE_LOSS, LARGE_ROWS
    ),
    proof=(
        "(1 - 1/K)^T <= e^(-T/K) in sdca.theorem-2, (1 - 1/K)^T0 <= e^(-T0/K) in sdca.theorem-2.outputs; Jensen for the"
        " average."
    ),
)
def theorem_2_repaired(c: Context) -> Iterable[Relation]:
    K, eps = K_of(c), c.given.eps
    yield from last_iterate(c, K, c.gap)
    T0 = steps_for(K, K * c.gap / (3 * eps))
    if by_moments(c):
        yield Le(random_gap(c, T0, T0 + 3), eps, f"random, T0 = {T0}, T = T0 + 3", trivial=c.gap)


@claim(
    "sdca.theorem-2.averages",
    "Th2 with the hypotheses that the slides drop, read for any T0 < T: T >= K ln(K/eps) gives E[P(w_bar) -"
    " D(alpha_bar)] <= eps",
    hypotheses=r"$\varphi(0) \le 1$, $\Vert x_i\Vert \le 1$, $\alpha^{(0)} = 0$",
    expected="REFUTED",
    origin=PAPER.reading(
        "Th2",
        note=(
            "the slides do not say which T0: read as any; read as a T0 near T it holds (T0 = T - 3 where K >= 2.74),"
            " and in the journal paper, restated, the bound is that of the last iterate; neither is accused"
        ),
    ),
    evidence=[
        golden(
            ONE.but(extra=further(eps=Q(1, 1000), T0=0)),
            detail="n = 1, x = y = lam = 1, squared loss, T0 = 0, T = 16: the gap of the average is 1/512",
        )
    ],
    control=holds_on(ONE.but(extra=further(eps=Q(1, 1000), T0=13)), text="T0 = T - 3"),
    proof="With n = 1 the first step is the last: alpha_bar = (1 - 1/T) alpha* for T0 = 0, whose gap is 1/(2 T^2).",
)
def theorem_2_averages(c: Context) -> Iterable[Relation]:
    eps, K = c.given.eps, c.n + 1 / (c.mu * c.gamma)
    T = steps_for(K, K / eps)
    yield Le(averaged_gap(c, c.given.get("T0", 0), T), eps, f"T = {T}")
