"""PGS, section III.B, Theorem 1 (11): for w_i of line 9, with probability 1 - delta,
P(w_i) - min P <= C log T/(sigma T delta).

True with H_T = 1 + 1/2 + .. + 1/T:

    E P(w_i) - min P <= E (1/T) sum_t ||lambda_t||_q^2/(2t sigma) <= L^2 H_T/(2 sigma T)
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Lt, Relation
from dualgap.proofs_checks.engines.paths import distributions
from dualgap.proofs_checks.evidence.formal import formal
from dualgap.proofs_checks.evidence.levels import altered, false_with, golden, holds_on
from dualgap.proofs_checks.evidence.trajectories import Enumerated
from dualgap.proofs_checks.papers.pgs.instances import (
    HINGE,
    LATE_OUTPUT,
    ONE_SAMPLE,
    TWO_ROWS,
    run_of,
    trees,
    trees_plane,
)
from dualgap.proofs_checks.papers.pgs.items import PAPER
from dualgap.proofs_checks.papers.pgs.lines_16_and_17 import Tree
from dualgap.proofs_checks.papers.pgs.regret_terms import Play, minimum
from dualgap.proofs_checks.papers.pgs.setting import ASSUMED, FIGURE_1, UNIFORM, UNIFORM_CHOICE, harmonic, lipschitz2
from dualgap.proofs_checks.papers.vocabulary import LONE_ROW, names, numbers_alone, refuted
from dualgap.reference.numbers.interval import Interval


@claim(
    "pgs.harmonic",
    "Theorem 1, its constant: H_T <= 1 + ln T for T >= 1, and H_T <= (3/(2 ln 2)) ln T for T >= 2, with equality at T ="
    " 2, so that L^2 H_T/2 <= 1.0821 L^2 ln T",
    hypotheses="T = 2 .. 400, 10^4 and 10^6 by 1 + ln T",
    origin=PAPER.ours("Theorem 1"),
    evidence=[
        golden(
            *(numbers_alone(from_=a, to=b) for a, b in ((2, 400), (10**4, 10**4), (10**6, 10**6))),
            detail="decimal enclosures",
            level="ENCLOSED",
        ),
        formal("harmonic_ln"),
    ],
    control=altered("H_T <= ln T", lambda c: [Le(harmonic(7), Interval(7).log(), "")], LONE_ROW),
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


def last_of(c: Context) -> Any:
    """The reference with the instance's batches and the iterates themselves as output."""
    return c.instance.but(options={**c.instance.options, "output": "last"}).reference_method()


AVERAGE = HINGE.but(lam=Q(1, 10), options={"output": "average"}, extra=further(T=5))


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
    control=false_with("half of the bound", ONE_SAMPLE.but(rows=(Qs("1/10"),), options={}), factor=Q(1, 2)),
    kills=names("pgs", "constant-divisor lost-sigma sign"),
    proof="(16), (17) and Lemma 1; for the average Jensen's inequality.",
)
def theorem_1_chain(c: Context, factor: Fraction = Q(1)) -> Iterable[Relation]:
    tree, T = Tree(c, last_of(c)), c.instance.extra.T
    state = c.method.init(c.problem)
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


def with_log(instance: Instance, T: int) -> Instance:
    """The instance with T rounds and a constant far above every L^2."""
    return instance.but(extra=further(T=T, C=Q(10**6)))


@refuted(
    "pgs.theorem-1",
    r"Theorem 1 at $T = 1$, where $\log\, T = 0$: with probability $1 - \delta$ for every $\delta$ in $(0, 1)$, so"
    r" surely and in the mean, $P(w_i) - \min\, P \le C \,\log\, T/(\sigma T \delta) = 0$, whether $i$ is 0 or 1",
    hypotheses="any constant $C$",
    origin=PAPER.printed(
        "Theorem 1", "E eps_acc", note="it fails only at T = 1, where log T = 0. For T >= 2 see pgs.harmonic"
    ),
    gravity="edge case",
    evidence=[
        golden(
            with_log(TWO_ROWS, 1),
            detail="hinge, x = (1; 2), y = (1, -1), sigma = 1, T = 1: 1/8 > 0 for w_0, 9/16 > 0 for w_1",
        )
    ],
    control=holds_on(with_log(TWO_ROWS, 2), with_log(TWO_ROWS, 3), text="T = 2, 3, in the mean"),
    assumes=[*ASSUMED, UNIFORM_CHOICE, FIGURE_1],
    proof=(
        "At T = 1 the bound is 0. H_T instead of log T repairs it: pgs.theorem-1.repaired. For T >= 2, C = 1.0821 L^2"
        " suffices: pgs.harmonic."
    ),
)
def theorem_1_printed(c: Context) -> Iterable[Relation]:
    tree = Tree(c, c.method)
    log = Interval(tree.T).log() if tree.T > 1 else Q(0)
    # the set of line 9 begins with w_0 or w_1
    output = min(sum(tree.P[: tree.T], Q(0)), sum(tree.P[1 : tree.T + 1], Q(0))) / tree.T
    yield Le(output - tree.minimum(), c.given.C * log / (c.mu * tree.T), "C log T/(sigma T)")


# -- the output, line 9 of Figure 1 ------------------------------------------------------------------------------------


@refuted(
    "pgs.figure-1.line-9",
    "Figure 1, line 9, read as i uniform on 1 .. T, with Theorem 1's bound E (1/T) sum_{t<=T} ||lambda_t||_q^2/(2t"
    " sigma)",
    hypotheses="the first index is unreadable",
    origin=PAPER.reading("Figure 1, line 9", note="the first index is unreadable, 0 or 1"),
    evidence=[golden(LATE_OUTPUT, detail="n = 1, loss |w - 1|, sigma = 1/10, T = 1: 26/5 > 5")],
    control=holds_on(TWO_ROWS, text="hinge, two rows"),
    proof=("On 0 .. T-1 it is Theorem 1, pgs.theorem-1.repaired; on 1 .. T one round more must be counted."),
)
def late_outputs(c: Context) -> Iterable[Relation]:
    tree = Tree(c, c.method)
    yield Le(sum(tree.P[1:], Q(0)) / tree.T - tree.minimum(), tree.bound(tree.T), "1 .. T")


# -- other readings ----------------------------------------------------------------------------------------------------


@refuted(
    "pgs.theorem-1.sigma-twice",
    "Theorem 1, r read with the sigma that stands in it there, sigma ||w||_p^2/(2(p-1)), so that F = sigma r + l has"
    " sigma^2: F(w_0) - min F <= L^2/(2 sigma) at T = 1",
    hypotheses="Figure 1 as it is",
    origin=PAPER.reading(
        "Theorem 1", note="sigma is kept both in r and in F = sigma r + l; (3), (7) and (13) have r without it"
    ),
    evidence=[golden(run_of((Qs("1/5"),), Qs(1), "1", Q(1, 2)), detail="hinge, x = 1/5, sigma = 1/2: 2/25 > 1/25")],
    control=holds_on(run_of((Qs("1/5"),), Qs(1), "1", Q(2)), text="sigma = 2"),
    proof="r is (3), without sigma, and g_t is (8), the mean over A_t: pgs.theorem-1.repaired.",
)
def sigma_twice(c: Context) -> Iterable[Relation]:
    squared = c.instance.but(lam=c.instance.lam**2)
    least = minimum(squared, [tuple(range(c.n))])[0]
    start = Play(Context(squared, c.method)).cost(1, [Q(0)])
    yield Le(start - least, lipschitz2(c.instance) / (2 * c.instance.lam), "F(w_0) - min F <= L^2/(2 sigma)")
