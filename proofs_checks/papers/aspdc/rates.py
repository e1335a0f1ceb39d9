"""ASPDC, the rates: from (A17) to Lemma 2 and Theorem 1, as published and with their true constants.

Expectations are exact: over all paths, equal states merged, or by second moments for squared loss with L2, so
that t runs to three times the t0 before which the bound of Lemma 2 exceeds gap_0 and says nothing. Larger n and
the logistic loss over long horizons are left to a betting test.
"""

import math
from random import Random

from dualgap.proofs_checks.engines.evalues import EProcess
from dualgap.proofs_checks.evidence.mutants import mutant_class
from dualgap.proofs_checks.evidence.trajectories import expected_duals, expected_gaps, start_of_meaning
from dualgap.proofs_checks.papers.aspdc.duality import ALIGNED
from dualgap.proofs_checks.papers.aspdc.items import LOST, PAPER, UNITS
from dualgap.proofs_checks.papers.aspdc.steps import BELOW_TWO, EQUAL_ROWS, L2_STATE, SMOOTH, equal_rows
from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.proofs_checks.strategies import instances as strategies
from dualgap.reference import LOSSES, Interval, Method, Problem, Undecided
from dualgap.reference.numbers.interval import decide

HYPOTHESES = rf"{L2_STATE} at $t = 0$; $\lambda \ge 4R^2/(n \gamma)$"
SHARP = (
    rf"{SMOOTH}; $g$ $\mu$-strongly convex (L2, elastic net); $w = w(\alpha)$ at $t = 0$; $K = R^2/(\mu n \gamma) < 1$"
)


def paper_factor(n: int, t: int) -> Fraction:
    """2n (1 - 1/(2n))^t."""
    return 2 * n * (1 - Q(1, 2 * n)) ** t


def sharp_factor(c: Context, t: int) -> Number:
    """(1 + nK) (1 - s/n)^t, nK = R^2/(mu gamma)."""
    rate, factor = 1 - c.s / c.n, 1 + c.n * c.K
    for _ in range(t):
        factor = factor * rate
    return factor


def paper_horizon(c: Context) -> int:
    """Three times the t from which Lemma 2 says something, or the horizon that the instance names."""
    return c.instance.extra.horizon if c.instance.extra.has("horizon") else 3 * start_of_meaning(2 * c.n, 1 / (2 * c.n))


ORTHONORMAL = Instance(rows=(Qs(1, 0), Qs(0, 1)), y=Qs(1, -1), alpha=Qs(0, 0), lam=Q(2))  # K = 1/4
ORTHONORMAL_NET = ORTHONORMAL.but(l1=Q(1, 10))
THREE_ANGLES = Instance(  # smoothed hinge, K = 1/4: the paths visit 7 states in all
    rows=(Qs(1, 0), Qs("3/5", "4/5"), Qs("3/5", "-4/5")),
    y=Qs(1, 1, 1),
    alpha=Qs(0, 0, 0),
    lam=Q(16, 3),
    loss="smoothed-hinge",
    gamma=Q(1, 4),
)


# -- from (A17) to Lemma 2 ---------------------------------------------------------------------------------------------


@claim(
    "aspdc.recursion",
    r"After (A17): $\mathbb{E}[D^* - D_{t+1}] \le (1 - 1/(2n)) (D^* - D_t)$, and "
    r"$\mathrm{gap}_t \le 2n \mathbb{E}[D_{t+1} - D_t] \le 2n (D^* - D_t)$, given state $t$",
    hypotheses=rf"{L2_STATE}; $\lambda \ge 4R^2/(n \gamma)$",
    origin=PAPER.printed("after (A17)", "weak duality", "skeleton of the proof", note=f"{UNITS}; {LOST}"),
    evidence=[exact(strategies.one_step_paper)],
    control=fails_on(BELOW_TWO, text="lam n gamma/R^2 = 1.99: the recursion must fail"),
    proof="(A17), and D* <= P(w), D_{t+1} <= D* (weak duality twice).",
)
def recursion(c: Context) -> Iterable[Relation]:
    to_go, n = c.D_star - c.D, c.n
    yield Le(c.gap, 2 * n * c.expected_increase, "gap_t <= 2n E[D_{t+1} - D_t]")
    yield Le(to_go - c.expected_increase, (1 - Q(1, 2 * n)) * to_go, "E[D* - D_{t+1}] <= (1 - 1/(2n)) (D* - D_t)")
    yield Le(2 * n * c.expected_increase, 2 * n * to_go, "2n E[D_{t+1} - D_t] <= 2n (D* - D_t)")


@claim(
    "aspdc.dual-rate",
    "Dual rate, sharp: E[D* - D_t] <= (1 - s/n)^t (D* - D_0), s = 1 - K",
    origin=PAPER.ours("Lemma 2"),
    hypotheses=SHARP,
    evidence=[
        Enumerated(strategies.paths_sharp, 0.2),
        Enumerated(strategies.paths_sharp_net, 0.1),
        golden(ORTHONORMAL, ORTHONORMAL_NET, level="ENUMERATED", detail="2 orthonormal rows"),
        formal("dual_rate_general"),
    ],
    control=altered("a rate of (s + 1/100)/n", lambda c: dual_rate_with(c, c.s + Q(1, 100)), EQUAL_ROWS),
    proof="aspdc.a17.sharp and gap >= D* - D_t give E[D* - D_{t+1}] <= (1 - s/n) (D* - D_t); take expectations.",
)
def dual_rate(c: Context) -> Iterable[Relation]:
    yield from dual_rate_with(c, c.s)


def dual_rate_with(c: Context, s: Number) -> Iterable[Relation]:
    """E[D* - D_t] <= (1 - s/n)^t (D* - D_0) for t = 1, 2, ..."""
    bound = start = c.D_star - c.D
    for t, dual in enumerate(expected_duals(c, 12)):
        if t > 0:
            bound = (1 - s / c.n) * bound
            yield Le(c.D_star - dual, bound, f"t = {t}", trivial=start)


# -- Lemma 2 -----------------------------------------------------------------------------------------------------------


ONE_ROW = EQUAL_ROWS.but(rows=(Qs(1),), y=Qs(0), alpha=Qs(1), lam=Q(4), extra=Extras())
BEYOND = (  # lam n gamma/R^2 = 7/5: Lemma 2's bound is first passed at t = 35 and 45
    ONE_ROW.but(lam=Q(7, 5), extra=further(horizon=35)),
    equal_rows(2, Q(5, 7)).but(extra=further(horizon=45)),
)


# -- the betting test --------------------------------------------------------------------------------------------------


def float_problem(random: Random, number: int, inverse_K: float) -> tuple[Problem, list[float]]:
    """A float problem of 10 to 20 rows on the unit sphere with lam n gamma/R^2 = inverse_K, and a start."""
    kind = LOSSES[strategies.SMOOTH[number % len(strategies.SMOOTH)]]
    n, d = random.randint(10, 20), random.randint(2, 6)
    loss = kind(random.choice((1, Q(1, 2)))) if kind.adjustable else kind()
    y = [random.choice((-1.0, 1.0)) for _ in range(n)]
    rows = []
    for y_i in y:  # y_i (e_1 + noise): the kinks of the hinge losses are crossed
        row = [y_i * ((j == 0) + random.gauss(0, 0.5)) for j in range(d)]
        norm = math.sqrt(math.fsum(x * x for x in row))
        rows.append([x / norm for x in row])
    alpha = [-y_i * random.random() for y_i in y]
    return Problem(rows, y, loss, Regularizer(inverse_K / (n * float(loss.gamma)))), alpha


Bound = Callable[[Problem], tuple[float, float]]


def paper_bound(problem: Problem) -> tuple[float, float]:
    """(2n, 1/(2n)): constant and rate of Lemma 2."""
    return 2 * problem.n, 1 / (2 * problem.n)


def sharp_bound(problem: Problem) -> tuple[float, float]:
    """(1 + nK, s/n)."""
    return 1 + problem.n * problem.K_max, (1 - problem.K_max) / problem.n


def bets(run: Run, name: str, seeds: int, bound: Bound, inverse_K: float, solver: Method[Any]) -> EProcess:
    """The e-process of X = gap_T/(constant (1 - rate)^T gap_0) over independent problems and runs.

    T is three times the vacuous start, so the bound is about constant^-2 gap_0 > 1e-4 gap_0, far above the rounding of
    a gap that is computed as a sum of nonnegative terms. K is what was asked for up to a few 1e-16 of it, which moves
    the bound by less than 1e-12 of itself over T < 1000 steps.
    """
    random, process = run.random(name), EProcess()
    for number in range(seeds):
        problem, alpha = float_problem(random, number, inverse_K)
        constant, rate = bound(problem)
        T = 3 * start_of_meaning(constant, rate)
        end = solver.run(problem, [random.randrange(problem.n) for _ in range(T)], solver.init(problem, alpha))
        alpha_T = solver.view(problem, end)[1]
        try:
            gap = problem.gap(problem.w(alpha_T), alpha_T)
        except ValueError:  # a mutant left the domain: its D is -infinity
            gap = math.inf
        start = problem.gap(problem.w(alpha), alpha)
        process.observe(gap / (constant * (1 - rate) ** T * start))
    return process


def not_refuted(bound: Bound, inverse_K: float) -> Source:
    """NOT-REFUTED: ``bets`` on the method itself."""

    @statistical
    def source(claim: Claim, run: Run) -> Evidence:
        delta = run.delta()
        process = bets(run, claim.id, run.count(0.5), bound, inverse_K, method("aspdc"))
        refuted = process.rejects(delta)
        path = [value / math.log(10) for value in process.log_path]
        return Evidence(
            "NOT-REFUTED",
            instances=len(path) - 1,
            violations=int(refuted),
            detail=f"n = 10..20, delta = {delta:.1e}",
            series={"e-process": {"log10": path[:: max(1, len(path) // 400)], "threshold": -math.log10(delta)}},
        )

    return source


def beyond_and_bets(instances: Iterable[Instance], text: str, bound: Bound, inverse_K: float) -> Control:
    """Exact instances beyond the boundary fail, and the betting test refutes a mutant at the smallest delta in use."""

    def caught(claim: Claim, run: Run) -> bool:
        process = bets(run, f"{claim.id} control", 10, bound, inverse_K, mutant_class("aspdc.sign-flip")())
        tried = [i for i in instances if run.number is Fraction or len(i.rows) == 1]  # intervals do not merge paths
        return all(violates(claim, i, number=run.number) for i in tried) and process.rejects(1e-12)

    return Control(f"{text}; the e-process refutes the mutant sign-flip within 10 seeds", caught)


def figure(instance: Instance, title: str) -> Source:
    """ENUMERATED on one instance, with E gap_t, the stated and the sharp bound as a figure, all divided by gap_0."""

    def source(claim: Claim, run: Run) -> Evidence:
        evidence = golden(instance, level="ENUMERATED", detail=title)(claim, run)
        c = Context(instance)
        gaps = expected_gaps(c, paper_horizon(c))
        to_go, t = (c.D_star - c.D) / c.gap, range(len(gaps))
        evidence.series["trajectory"] = {
            "t": list(t),
            "expected": [nearest(gap / c.gap) for gap in gaps],
            "bound": [nearest(paper_factor(c.n, k)) for k in t],
            "sharp": [nearest(sharp_factor(c, k) * to_go) for k in t],
            "vacuous_until": start_of_meaning(2 * c.n, 1 / (2 * c.n)),
            "title": title,
        }
        return evidence

    return source


@claim(
    "aspdc.lemma-2.elastic-net",
    "Lemma 2 for elastic net (E5; the paper believes that such an extension is possible and leaves it open): E gap_t <="
    " 2n (1 - 1/(2n))^t gap_0 for lam >= 4R^2/(n gamma)",
    origin=PAPER.ours("Lemma 2", "only l2", "more general g"),
    hypotheses=rf"{SMOOTH}; $g = (\lambda/2)\Vert w\Vert^2 + \ell_1 \Vert w\Vert_1$; $w = w(\alpha)$ at "
    r"$t = 0$; $\lambda \ge 4R^2/(n \gamma)$",
    evidence=[
        Enumerated(strategies.paths_net, 0.1),
        golden(ORTHONORMAL_NET, THREE_ANGLES.but(l1=Q(1, 10)), level="ENUMERATED", detail="all paths to t = 15 and 30"),
        formal("elastic_lemma_2"),
    ],
    control=fails_on(
        BEYOND[0].but(y=Qs(3), alpha=Qs(-2), l1=Q(1, 10)),
        text="lam n gamma/R^2 = 7/5, l1 = 1/10, n = 1: violated by t = 35",
    ),
    proof="aspdc.a17.sharp uses of g only that g* is (1/lam)-smooth.",
)
@claim(
    "aspdc.lemma-2.half",
    "Lemma 2 under half of its condition: E gap_t <= 2n (1 - 1/(2n))^t gap_0 for lam >= 2R^2/(n gamma)",
    origin=PAPER.ours("Lemma 2"),
    hypotheses=rf"{L2_STATE} at $t = 0$; $\lambda \ge 2R^2/(n \gamma)$",
    evidence=[
        Enumerated(strategies.paths_half, 0.15),
        golden(ORTHONORMAL.but(lam=Q(1)), equal_rows(3, Q(1, 2)), level="ENUMERATED", detail="K = 1/2"),
        not_refuted(paper_bound, 2),
        formal("lemma_2_half"),
    ],
    control=beyond_and_bets(BEYOND, "lam n gamma/R^2 = 7/5, n = 1 and 2: violated by t = 35 and 45", paper_bound, 2),
    proof="K <= 1/2 means s >= 1/2 in aspdc.a17.sharp, which is (A17); the rest of the paper's proof is unchanged.",
)
@claim(
    "aspdc.lemma-2",
    r"Lemma 2: $\mathbb{E} \mathrm{gap}_t \le 2n (1 - 1/(2n))^t \mathrm{gap}_0$ for $\lambda \ge 4R^2/(n \gamma)$",
    hypotheses=HYPOTHESES,
    origin=PAPER.printed("Lemma 2", "skeleton of the proof", note=f"{UNITS}; {LOST}"),
    evidence=[
        golden(
            ORTHONORMAL, equal_rows(3, Q(1, 4)), detail="squared loss, second moments, to three times the vacuous start"
        ),
        Enumerated(strategies.paths_paper, 0.2),
        golden(THREE_ANGLES, level="ENUMERATED", detail="3 rows, smoothed hinge, all paths to t = 30"),
        figure(equal_rows(6, Q(1, 4)), "6 equal rows, squared loss, lam = 4/(n gamma)"),
        enclosed(strategies.paths_logistic, 0.06),
        not_refuted(paper_bound, 4),
        formal(
            "lemma_2",
            "lemma_2_half",
            "lemma_2_ridge",
            "lemma_2_smoothed_hinge",
            "lemma_2_squared_hinge",
            "lemma_2_logistic",
            "Expect_is_average",
        ),
    ],
    control=beyond_and_bets(BEYOND, "lam n gamma/R^2 = 7/5, n = 1 and 2: violated by t = 35 and 45", paper_bound, 4),
)
def lemma_2_chain(c: Context) -> Iterable[Relation]:
    """E gap_t <= 2n (1 - 1/(2n))^t gap_0 for t = 0, 1, ..."""
    for t, gap in enumerate(expected_gaps(c, paper_horizon(c))):
        factor = paper_factor(c.n, t)
        never = None if factor < 1 else c.problem.zero  # a bound of at least gap_0 says nothing
        yield Le(gap, factor * c.gap, f"t = {t}", trivial=never)


@claim(
    "aspdc.lemma-2.sharp",
    "Lemma 2, sharp: E gap_t <= (1 + R^2/(mu gamma)) (1 - s/n)^t (D* - D_0) <= (n/s) (1 - s/n)^t (D* - D_0), s = 1 - K,"
    " for every lam > R^2/(n gamma), L2 and elastic net",
    origin=PAPER.ours("Lemma 2"),
    hypotheses=SHARP,
    evidence=[
        Enumerated(strategies.paths_sharp, 0.2),
        Enumerated(strategies.paths_sharp_net, 0.1),
        golden(ORTHONORMAL, ORTHONORMAL_NET, level="ENUMERATED", detail="2 orthonormal rows, t <= 24"),
        not_refuted(sharp_bound, 4),
        formal("sharp_rate_best", "sharp_rate", "elastic_sharp_rate"),
    ],
    control=altered(
        "99/100 of 1 + R^2/(mu gamma)",
        lambda c: [Le(c.gap, Q(99, 100) * sharp_factor(c, 0) * (c.D_star - c.D), "")],
        ALIGNED,
        ONE_ROW,
    ),
    proof=(
        "aspdc.reverse-bound.sharp at step t, in expectation, and aspdc.dual-rate. 1 + nK <= n/(1 - K) because "
        "(1 + nK)(1 - K) = 1 + (n - 1)K - nK^2 <= n."
    ),
)
def sharp_chain(c: Context) -> Iterable[Relation]:
    """E gap_t <= (1 + nK)(1 - s/n)^t (D* - D_0) <= (n/s)(1 - s/n)^t (D* - D_0) for t = 0, 1, ..."""
    to_go = c.D_star - c.D
    for t, gap in enumerate(expected_gaps(c, 24)):
        factor = sharp_factor(c, t)
        yield Le(gap, factor * to_go, f"t = {t}", trivial=c.gap)
        weaker = factor / (1 + c.n * c.K) * c.n / c.s
        yield Le(factor * to_go, weaker * to_go, f"t = {t}: 1 + nK <= n/s", trivial=c.gap)


# -- Theorem 1 ---------------------------------------------------------------------------------------------------------


def ceiling_of_log(factor: int, x: Fraction) -> int:
    """ceil(factor ln x) for x >= 1, the logarithm enclosed by decimals until the ceiling is certain."""

    def question() -> int:
        value = Interval(x).log() * factor
        low, high = math.ceil(value.low), math.ceil(value.high)
        if low != high:
            raise Undecided
        return low

    t, digits = decide(question)
    if t is None:
        raise ArithmeticError(f"the ceiling of {factor} ln {x} is undecided at {digits} digits")
    return t


@claim(
    "aspdc.theorem-1",
    r"Theorem 1: $t \ge 2n \,\ln(2n \mathrm{gap}_0/\varepsilon)$ gives $\mathbb{E} \mathrm{gap}_t \le \varepsilon$"
    r" (natural logarithm)",
    hypotheses=HYPOTHESES,
    origin=PAPER.printed("Theorem 1", note=f"{UNITS}; {LOST}"),
    evidence=[
        Enumerated(strategies.paths_to_eps, 0.2),
        golden(
            ORTHONORMAL.but(extra=further(eps=Q(1, 20))),
            THREE_ANGLES.but(extra=further(eps=Q(1, 20))),
            level="ENUMERATED",
            detail="eps = 1/20: t = 15 and 28",
        ),
        formal("theorem_1", "theorem_1_half"),
    ],
    control=fails_on(ONE_ROW.but(lam=Q(1), extra=further(eps=Q(1, 10))), text="K = 1: the gap never falls"),
    proof="(1 - x)^t <= e^(-xt) in Lemma 2.",
)
def theorem_1(c: Context) -> Iterable[Relation]:
    eps = c.given.eps
    ratio = 2 * c.n * c.gap / eps
    t = ceiling_of_log(2 * c.n, ratio) if ratio > 1 else 0
    gaps = expected_gaps(c, t)
    if len(gaps) > t:
        yield Le(gaps[t], eps, f"t = {t}", trivial=c.gap)


# -- single paths ------------------------------------------------------------------------------------------------------


@claim(
    "aspdc.dual-monotone",
    "Path by path: D never decreases, for K <= 1, L2 and elastic net",
    origin=PAPER.ours("Lemma 2"),
    hypotheses=rf"{SMOOTH}; $g$ $\mu$-strongly convex; $w = w(\alpha)$; $K \le 1$",
    evidence=[
        exact(strategies.one_step_sharp),
        exact(strategies.one_step_net),
        enclosed(strategies.one_step_logistic),
        formal("dual_monotone", "pathwise_monotone"),
    ],
    control=fails_on(EQUAL_ROWS.but(lam=Q(1, 4)), text="K = 2"),
    kills=["aspdc.no-gamma"],
    proof="aspdc.one-step.sharp: the increase is at least (1 - K_i) FY_i/n >= 0.",
)
def dual_monotone(c: Context) -> Iterable[Relation]:
    for successor, increase in zip(c.successors, c.increases):
        yield Le(0, increase, f"D(alpha+) - D(alpha) >= 0, i = {successor.choice}", trivial=1)


@claim(
    "aspdc.gap-pathwise",
    "Path by path: gap_t <= (n/s) (D* - D_t) <= (n/s) (D* - D_0) on every path, for K < 1",
    origin=PAPER.ours("Lemma 2"),
    hypotheses=SHARP,
    evidence=[
        exact(strategies.one_step_sharp),
        exact(strategies.one_step_net),
        formal("gap_pathwise", "pathwise_monotone"),
    ],
    control=altered("n/(2s)", lambda c: [Le(c.gap, c.n / (2 * c.s) * (c.D_star - c.D), "")], ONE_ROW),
    proof="(s/n) gap_t <= E[D_{t+1} - D_t] <= D* - D_t, and D never decreases.",
)
def gap_pathwise(c: Context) -> Iterable[Relation]:
    if c.s > 0:
        yield Le(c.s * c.gap, c.n * (c.D_star - c.D), "(s/n) gap_t <= D* - D_t")
        yield Le(c.D_star - c.D, c.D_star - c.problem.D(c.method.view(c.problem, c.start)[1]), "D* - D_t <= D* - D_0")
