"""SPDC, sections 2 and 4, Algorithms 1, 2 and 3: their sampling, lines and start, and how the three are one.

    (7), (13), (26)   alpha_k+ = argmax b <x_k, w_bar> - phi_k*(b) - (p_k n/(2 sigma)) (b - alpha_k)^2 for k in K,
                      p_k n = 1 except in (26)
    (8), (14), (27)   w+ = argmin g(w) + <u + s (u+ - u), w> + ||w - w^t||^2/(2 tau), s = n, n/m, 1/p_k
    (9)               u+ = u + (1/n) sum_K (alpha_k+ - alpha_k) x_k
    (10)              w_bar+ = w+ + theta (w+ - w)
    sampling          P(i in K) = m/n for every i and |K| = m almost surely, given the past; the paper draws one row
                      from each of m blocks of one size

A prox is checked by its optimality condition, never by a second closed form alone:
a = argmax b z - phi*(b) - (q/2)(b - a_old)^2 if and only if z - q (a - a_old) is a subgradient of phi* at a, that is
phi and phi* meet there (Fenchel-Young); the same for g.
"""

from collections.abc import Iterable
from typing import cast

from dualgap.proofs_checks.claims.context import Context, Successor
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.judge import violates
from dualgap.proofs_checks.claims.registry import Control, claim
from dualgap.proofs_checks.claims.relations import Eq, Relation, Same
from dualgap.proofs_checks.evidence.formal import formal
from dualgap.proofs_checks.evidence.levels import all_of, enclosed, exact, fails_for, false_with, golden
from dualgap.proofs_checks.papers.spdc.instances import (
    BATCHES_OF_TWO,
    HALF,
    SAMPLINGS,
    THREE_ROWS,
    UNEQUAL_NORMS,
    batches,
    batches_anywhere,
    column,
    logistic,
    nonuniform_anywhere,
    singles,
    with_extra,
)
from dualgap.proofs_checks.papers.spdc.items import PAPER, RESTORED, RESTORED_29
from dualgap.proofs_checks.papers.spdc.mutants import WRONG_LINES
from dualgap.proofs_checks.papers.spdc.setting import ANY, Setting, begun, bugs, same_states
from dualgap.proofs_checks.papers.vocabulary import dot, each, minus, plus
from dualgap.reference.methods.spdc import SPDC, MiniBatchSPDC, SPDCState
from dualgap.reference.problem.problem import Vector
from dualgap.reference.problem.regularizers import soft

# -- the sampling of mini-batches: what Theorem 1 needs of it ----------------------------------------------------------

EVERY_SIZE = tuple(
    column((1,) * n, 1, m=m, sampling=sampling)
    for n in range(1, 8)
    for m in range(1, n + 1)
    for sampling in SAMPLINGS
    if sampling != "partition" or n % m == 0
)
TWO_OF_THREE = next(i for i in EVERY_SIZE if (len(i.rows), i.options["m"]) == (3, 2))


@claim(
    "spdc.sampling",
    r"Section 2, mini-batches: one row of each of $m$ equal blocks has $\vert K\vert = m$ and $P(i \in K) = m/n$; so"
    " have $m$-subsets and systematic sampling",
    hypotheses=r"$1 \le m \le n$ (blocks: $m$ divides $n$); $n \le 7$, every $m$",
    origin=PAPER.printed(
        "sampling",
        "other samplings",
        note="The blocks are the paper's; m-subsets and systematic sampling are two other approaches, chosen by us.",
    ),
    evidence=[golden(*EVERY_SIZE, detail="n <= 7"), formal("subsets_fair", "one_per_block_fair")],
    control=false_with("blocks {1}, {2, 3}", TWO_OF_THREE, table=[((0, 1), HALF), ((0, 2), HALF)]),
)
def marginals(c: Context, table: list[tuple[tuple[int, ...], Q]] | None = None) -> Iterable[Relation]:
    """Check the marginals of the method's choices, or of a ``table`` of batches with their probabilities."""
    m, table = c.instance.options["m"], c.method.choices(c.problem, None) if table is None else table
    yield Eq(sum((p for _, p in table), Q(0)), 1, "the probabilities sum to 1")
    for K, _ in table:
        yield Eq(len(set(K)), m, f"|K| = m, K = {K}")
    for i in range(c.n):
        yield Eq(sum((p for K, p in table if i in K), Q(0)), Q(m, c.n), f"P({i} in K) = m/n")


# -- the lines ---------------------------------------------------------------------------------------------------------


IN_ALL_THREE = bugs(
    "no-extrapolation lambda-gamma-swapped steps-1/R wrong-u0 stale-w_bar u-scaled-increment overwritten-alpha"
    " never-last"
)


def wrong_lines_fail(instance: Instance) -> Control:
    """The check must be false with each of the wrong lines."""
    kind = type(instance.reference_method())
    wrong = [bug.of(kind)(**instance.options) for bug in WRONG_LINES.values()]
    return Control(
        f"must fail: {'; '.join(bug.what for bug in WRONG_LINES.values())}",
        lambda claim, run: all(violates(claim, instance, method, run.number) for method in wrong),
    )


def dual_lines(t: Setting, s: Successor) -> Iterable[Relation]:
    """(7), (13), (26), and that nothing else moves."""
    loss, K = t.problem.loss, t.batch(s)
    for k in range(t.n):
        if k not in K:
            yield Same(s.alpha[k], t.alpha[k], f"alpha_{k} unchanged")
            continue
        q, y, a = t.pn[k] / t.sigma, t.problem.y[k], s.alpha[k]
        z = t.problem.dot(t.problem.rows[k], t.w_bar) - q * (a - t.alpha[k])
        yield Same(loss.value(z, y), a * z - loss.conjugate(a, y), f"(7), (13), (26): optimality of alpha_{k}")
        yield Same(a, loss.derivative(z, y), f"alpha_{k} = phi'(z - q (alpha_{k} - old))")


def primal_lines(t: Setting, s: Successor) -> Iterable[Relation]:
    """(8), (14), (27), (9) and (10), the direction from alpha+ - alpha by its definition."""
    increment = t.u_of(minus(s.alpha, t.alpha))
    yield from each(Same, s.state.u, plus(t.u, 1, increment), "(9): u_# with 1/n")
    v = plus(t.u, t.scale(s), increment)
    slope = [-v_j - d_j / t.tau for v_j, d_j in zip(v, minus(s.w, t.w))]
    g = t.problem.regularizer
    if t.c.instance.loss != "logistic":  # an enclosure of a coordinate that the threshold sets to 0 has no sign
        yield Same(g.value(s.w) + g.conjugate(slope), dot(slope, s.w), "(8), (14), (27): optimality of w+")
    closed = [soft(w_j, t.tau * g.l1) / (1 + t.lam * t.tau) for w_j in plus(t.w, -t.tau, v)]
    yield from each(Same, s.w, closed, "(37), (40): w_#")
    yield from each(Same, s.state.w_bar, plus(s.w, t.theta, minus(s.w, t.w)), "(10): w_bar_#")


def lines(c: Context) -> Iterable[Relation]:
    """Every line of a step, for every choice."""
    t = Setting(c)
    for s in t.c.successors:
        yield from dual_lines(t, s)
        yield from primal_lines(t, s)


def start_lines(c: Context) -> Iterable[Relation]:
    """w_bar^0 = w^0 and u^0 = X^T alpha^0/n, from the instance's w^0."""
    t, w = Setting(c), c.given.get("w")
    alpha = [c.q(a) for a in c.instance.alpha]
    state = cast(SPDC, c.method).init(c.problem, alpha, w)
    yield from each(Same, state.w_bar, w or c.problem.w(alpha), "w_bar^0_# = w^0_#")
    yield from each(Same, state.u, t.u_of(alpha), "u^0_#")


@claim(
    "spdc.algorithm-1",
    r"Algorithm 1: $\bar{w}^0 = w^0$, $u^0 = X^T \alpha^0/n$; $k$ uniform; (7) $\alpha_k^+ = \operatorname{argmax} b"
    r" x_k^T \bar{w} -$ $\varphi_k^*(b) - (b - \alpha_k)^2/(2 \sigma)$, the others stay; (8) $w^+ ="
    r" \operatorname{argmin} g(w) +$ $\langle u + (\alpha_k^+ - \alpha_k) x_k, w\rangle +$ $\Vert w - w^t\Vert^2/(2"
    r" \tau)$; (9) $u^+ = u + (1/n)(\alpha_k^+ - \alpha_k) x_k$; (10) $\bar{w}^+ = w^+ + \theta (w^+ - w)$; all with"
    " (16)",
    hypotheses=ANY,
    origin=PAPER.printed(
        "Algorithm 1", "(7)", "(8)", "(9)", "(10)", "(16)", "initialization", "(37)", "(40)", note=RESTORED
    ),
    evidence=[exact(singles, 0.6), enclosed(logistic, 0.1)],
    control=wrong_lines_fail(THREE_ROWS.but(path=(1, 2))),
    kills=[*IN_ALL_THREE, *bugs("scaled-step")],
)
def algorithm_1(c: Context) -> Iterable[Relation]:
    yield from start_lines(c)
    if c.instance.method == "spdc":
        yield from (Eq(s.probability, Q(1, c.n), f"P(k = {s.choice}) = 1/n") for s in begun(c).successors)
        yield Eq(len(begun(c).successors), c.n, "every row can be drawn")
    yield from lines(c)


@claim(
    "spdc.algorithm-2",
    r"Algorithm 2: $\vert K\vert = m$ and $P(i \in K) = m/n$; (13) every $\alpha_k^+$, $k$ in $K$, as (7) at one"
    r" $\bar{w}$; (14) $w^+ = \operatorname{argmin} g(w) +$ $\langle u + (n/m)(u^+ - u), w\rangle +$ $\Vert w -"
    r" w^t\Vert^2/(2 \tau)$; $u^+ = u + (1/n) \sum_K (\alpha_k^+ - \alpha_k) x_k$; (10)",
    hypotheses=ANY,
    origin=PAPER.printed("Algorithm 2", "(13)", "(14)", "order of (13) and (14)", note=RESTORED),
    evidence=[exact(batches, 0.8)],
    control=wrong_lines_fail(BATCHES_OF_TWO.but(path=((0, 1), (1, 2)))),
    kills=[*IN_ALL_THREE, *bugs("scaled-step shared-batch-order")],
)
def algorithm_2(c: Context) -> Iterable[Relation]:
    if c.instance.method == "spdc-minibatch":
        yield from start_lines(c)
        yield from marginals(c)
        yield from lines(c)


@claim(
    "spdc.algorithm-3",
    r"Algorithm 3: $k$ with probability (28) $p_k = (1 - \mathrm{mix})/n + \mathrm{mix} \Vert x_k\Vert/\sum \Vert"
    r" x_i\Vert$; (26) as (7) with $\sigma/(p_k n)$; (27) $w^+ = \operatorname{argmin} g(w) +$ $\langle u + (1/p_k)(u^+"
    r" - u), w\rangle +$ $\Vert w - w^t\Vert^2/(2 \tau)$; (9) with $1/n$; (10); all with (29)",
    hypotheses=rf"{ANY}, $\alpha$ outside the domain too",
    origin=PAPER.printed("Algorithm 3", "(26)", "(27)", "(28)", "(29)", note=RESTORED_29),
    evidence=[exact(nonuniform_anywhere, 0.8)],
    control=wrong_lines_fail(UNEQUAL_NORMS.but(path=(0, 1))),
    kills=[*IN_ALL_THREE, *bugs("sigma-unscaled weight-one weight-1/n")],
)
def algorithm_3(c: Context) -> Iterable[Relation]:
    t = Setting(c)
    if all(c.problem.loss.in_domain(a, y) for a, y in zip(c.instance.alpha, c.problem.y)):
        yield from start_lines(c)
    for s in t.c.successors:
        yield Eq(s.probability, t.pn[s.choice] / c.n, f"(28), k = {s.choice}")
    yield Eq(t.c.expect(lambda s: c.q(1)), 1, "the probabilities sum to 1")
    yield from lines(c)


# -- the start ---------------------------------------------------------------------------------------------------------


# without u^0 = X^T alpha^0/n the limit is 9/13
ELSEWHERE = with_extra(column((3, 4), "1/2", R="4", tau="1/8", sigma="1/8"), w=Qs(0), u=Qs(0)).but(
    y=Qs(1, 2), alpha=Qs(1, 1)
)


def drift(c: Context, state: SPDCState) -> Vector:
    """u - X^T alpha/n."""
    return [u_j + v_j for u_j, v_j in zip(state.u, c.problem.minus_u(state.alpha))]


@claim(
    "spdc.invariant",
    r"After (9): $u^t = X^T \alpha^t/n$ at every step, and $\alpha_k$ is in the domain from its first step on, wherever"
    r" $\alpha^0$ was; $u^t - X^T \alpha^t/n$ is $u^0 - X^T \alpha^0/n$ for any $u^0$: its $u^0$ is part of the"
    " algorithm",
    hypotheses=rf"{ANY}, $\alpha$ outside the domain too",
    origin=PAPER.printed(
        "initialization", "(9)", note=f"{RESTORED} The domain after the first step, and any u^0, are ours."
    ),
    evidence=[exact(batches_anywhere, 0.6), exact(nonuniform_anywhere, 0.4)],
    control=all_of(
        fails_for("spdc.u-scaled-increment", batches_anywhere),
        false_with("u^t = X^T alpha^t/n from any u^0", ELSEWHERE, kept=0),
    ),
    kills=bugs("u-scaled-increment overwritten-alpha wrong-u0"),
    proof="(9) adds to u what X^T alpha/n gains.",
)
def invariant(c: Context, kept: int = 1) -> Iterable[Relation]:
    """Start from the state, and from the start with 1 added to every u_j; ``kept`` times its u^0 - X^T alpha^0/n."""
    t = Setting(c)
    for s in t.c.successors:
        yield from each(Eq, s.state.u, t.u_of(s.alpha), f"u_#, K = {s.choice}")
        for k in t.batch(s):
            yield Eq(c.problem.loss.in_domain(s.alpha[k], c.problem.y[k]), True, f"alpha_{k} in the domain")
    state = t.c.start.copy()
    state.u = [u_j + 1 for u_j in state.u]
    expected = [kept * v_j for v_j in drift(c, state)]
    for choice, _ in c.method.choices(c.problem, state):
        yield from each(Eq, drift(c, c.method.step(c.problem, state, choice)), expected, f"u - X^T alpha/n, {choice}")


# -- one method --------------------------------------------------------------------------------------------------------


@claim(
    "spdc.m-1",
    "After (14): Algorithm 2 with $m = 1$ is Algorithm 1, whatever the sampling",
    hypotheses=ANY,
    origin=PAPER.printed("m = 1", "Algorithm 2"),
    evidence=[exact(singles, 0.5)],
    control=false_with("with theta of R instead of 2R", THREE_ROWS.but(path=(1,)), theta="sharp"),
)
def m_1(c: Context, theta: str = "") -> Iterable[Relation]:
    """Algorithm 2 with m = 1 and the instance's theta, or this one, against the instance's Algorithm 1."""
    c, options = begun(c), c.instance.options
    for sampling in SAMPLINGS:
        batch = MiniBatchSPDC(m=1, sampling=sampling, theta=theta or options.get("theta", "paper"), R=options.get("R"))
        yield Eq(len(batch.choices(c.problem, c.state)), c.n, f"{sampling}: n choices")
        for (k,), probability in batch.choices(c.problem, c.state):
            yield Eq(probability, Q(1, c.n), f"{sampling}: P(k = {k})")
            alone, due = c.method.step(c.problem, c.state, k), batch.step(c.problem, c.state, (k,))
            yield from same_states(alone, due, f"k = {k}")
