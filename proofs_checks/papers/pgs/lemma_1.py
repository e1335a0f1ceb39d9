"""PGS, section VI.A: Lemma 1, the regret of every path as an equality, and Corollary 1.

    (15)  sum_t c_t(w_{t-1}) - min_S sum_t c_t <= (1/2) sum_t ||lambda_t||_q^2/(t sigma), with c_t(w_t) in print
    Corollary 1  where ||lambda_t||_q <= L it is at most L^2 H_T/(2 sigma), with log T in print

The checks recompute the subgradients from the iterates (``papers.pgs.regret_terms``): (15) holds for any vectors
lambda_t, so that with the solver's own ones a wrong subgradient would not be detected. The inequality alone is a weak
detector of a wrong solver: the divisor (t+2) sigma violates it on one run in 400. The equality (A2) of its proof is a
strong one.
"""

from collections.abc import Iterable

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Q, Qs
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Le, Lt, Relation
from dualgap.proofs_checks.evidence.formal import formal
from dualgap.proofs_checks.evidence.levels import all_of, exact, false_with, golden, holds_on
from dualgap.proofs_checks.papers.pgs.instances import (
    HINGE,
    LATE,
    OPPOSED,
    run_of,
    runs_line,
    runs_lipschitz,
    runs_rays_lipschitz,
)
from dualgap.proofs_checks.papers.pgs.items import PAPER
from dualgap.proofs_checks.papers.pgs.regret_terms import Play, minimum
from dualgap.proofs_checks.papers.pgs.setting import ANY, ASSUMED, EVERY_MUTANT, FIGURE_1, harmonic, lipschitz2, same
from dualgap.proofs_checks.papers.vocabulary import refuted, slip

DIVISOR_T = run_of((Qs(1), Qs(0)), Qs(1, 1), "12")  # regret 3/4 > bound 1/2 with the divisor t sigma
DIVISOR_T_PLUS_2 = run_of((Qs(0), Qs(1)), Qs(1, 1), "122")  # 43/96 > 40/96 with (t+2) sigma
ONE_ROUND = run_of((Qs("1/10"),), Qs(1), "1")
CONSTANT_DIVISOR = run_of((Qs("1/10"),), Qs(1), "11111")  # with the divisor 2 sigma


@claim(
    "pgs.lemma-1.repaired",
    "Lemma 1 with c_t(w_{t-1}) instead of c_t(w_t): sum_t c_t(w_{t-1}) - min_S sum_t c_t <= (1/2) sum_t"
    " ||lambda_t||_q^2/(t sigma) (15)",
    hypotheses=f"{ANY}; the minimum exactly, $d = 1$",
    origin=PAPER.ours("Lemma 1", "No projection"),
    evidence=[
        exact(runs_line),
        golden(DIVISOR_T, DIVISOR_T_PLUS_2, CONSTANT_DIVISOR, detail="hand-checkable"),
        formal("pgs_regret_bound", "pgs_regret_equality", "pgs_bound_attained"),
    ],
    control=false_with("the bound times 99/100, T = 1", ONE_ROUND, factor=Q(99, 100)),
    kills=EVERY_MUTANT,
    proof=(
        "c_t(u) >= sigma r(u) + g_t(w_{t-1}) + lambda_t^T (u - w_{t-1}); minimize the sum of the right sides over u: -T"
        " sigma r*_S, which gives (A1). (A2): D_t is what the t sigma-strong convexity leaves of round t, and w_t is"
        " feasible, not optimal, for the problem without the regularizer of round t + 1. One round of the hinge"
        " attains the bound."
    ),
)
def lemma_1(c: Context, factor: Q = Q(1)) -> Iterable[Relation]:
    play = Play(c)
    rounds = range(1, play.T + 1)
    left, spare = [play.D(t) for t in rounds], [play.E(t) for t in rounds[:-1]]
    yield same(play.linear_regret, sum(left, Q(0)) - sum(spare, Q(0)), "(A2): R_lin = sum D_t - sum E_t")
    for t, D in zip(rounds, left):
        yield Le(D, play.norm2(t) / (2 * t * play.setting.sigma), f"D_{t} <= ||lambda_{t}||_q^2/({2 * t} sigma)")
    yield from (Le(0, E, f"E_{t} >= 0") for t, E in zip(rounds, spare))
    regret = sum((play.cost(t, play.w[t - 1]) for t in rounds), Q(0)) - minimum(c.instance, play.batches)[0]
    yield Le(regret, play.linear_regret, "(A1): the regret <= R_lin")
    yield Le(regret, factor * play.bound, "(15)")


@slip(
    "pgs.lemma-1",
    r"Lemma 1 as printed, with $c_t(w_t)$: $\sum_t c_t(w_t) - \min_S \sum_t c_t \le$ $(1/2) \sum_t \Vert"
    r" \lambda_t\Vert_q^2/(t \sigma)$",
    hypotheses=r"$\lambda_t$ a subgradient of $g_t$ at $w_{t-1}$, Figure 1, line 6",
    origin=PAPER.printed(
        "Lemma 1", "(14)", note="the display and the definition of regret have w_t, but line 6 of Figure 1 has w_{t-1}"
    ),
    evidence=[golden(LATE, detail="|w - 1|, sigma = 1/10, T = 1: 26/5 > 5"), formal("pgs_lemma_1_false", refutes=True)],
    control=holds_on(run_of((Qs(1),), Qs(1), "1"), text="hinge, x = y = sigma = 1"),
    assumes=[*ASSUMED, FIGURE_1],
    proof="Line 6 uses w_{t-1} in round t. With c_t(w_{t-1}) the lemma holds: pgs.lemma-1.repaired.",
)
def lemma_1_printed(c: Context) -> Iterable[Relation]:
    play = Play(c)
    paid = sum((play.cost(t, play.w[t]) for t in range(1, play.T + 1)), Q(0))
    yield Le(paid - minimum(c.instance, play.batches)[0], play.bound, "(15) with c_t(w_t)")


@claim(
    "pgs.corollary-1.repaired",
    "Corollary 1 with H_T = 1 + 1/2 + .. + 1/T, by Proposition 1 for subgradients over R^d: the lambda_t of Figure 1,"
    " also at w_{t-1} on the sphere of S, have ||lambda_t||_q <= L = max ||x_i||_q, so R_lin <= L^2 H_T/(2 sigma)",
    hypotheses="hinge, smoothed hinge, absolute; any $A_t$",
    origin=PAPER.ours("Corollary 1", "Proposition 1"),
    evidence=[exact(runs_lipschitz), exact(runs_rays_lipschitz), formal("pgs_corollary_1")],
    control=all_of(
        false_with("H_T - 1", HINGE.but(lam=Q(3), path=((0,),)), more=-1),
        false_with("twice lambda_t", OPPOSED, factor=2),
    ),
    proof="|phi'| <= 1.",
)
def corollary_1_chain(c: Context, more: int = 0, factor: int = 1) -> Iterable[Relation]:
    play, L2 = Play(c), lipschitz2(c.instance)
    for t in range(1, play.T + 1):
        if any(play.sub[t - 1]):
            yield Le(factor * factor * play.norm2(t), L2, f"||lambda_{t}||_q <= L")
    if any(any(sub) for sub in play.sub):
        bound = L2 * (harmonic(play.T) + more) / (2 * play.setting.sigma)
        yield Le(play.linear_regret, bound, "R_lin <= L^2 H_T/(2 sigma)")


@refuted(
    "pgs.corollary-1",
    r"Corollary 1 at $T = 1$, where $\log\, T = 0$: the regret is at most $C \,\log\, T/\sigma = 0$, whether round 1"
    " pays $c_1(w_0)$ or $c_1(w_1)$",
    hypotheses="any constant $C$",
    origin=PAPER.printed(
        "Corollary 1", note="it fails only at T = 1, the same error as pgs.theorem-1. For T >= 2, H_T <= 2.45 log T"
    ),
    gravity="repeated",
    evidence=[golden(LATE, detail="n = 1, loss |w - 1|, sigma = 1/10: 1 - 1/20 and 21/4 - 1/20")],
    control=holds_on(LATE.but(rows=(Qs(0),)), text="a row without features, where nothing can be gained"),
    assumes=[*ASSUMED, FIGURE_1],
    proof=(
        "At T = 1 the bound is 0, but the regret of round 1 can be positive. H_T instead of log T repairs it:"
        " pgs.corollary-1.repaired."
    ),
)
def corollary_1_printed(c: Context) -> Iterable[Relation]:
    play = Play(c)
    paid = min(play.cost(1, w) for w in play.w[:2])
    yield Lt(Q(0), paid, "what the round pays")
    yield Le(paid - minimum(c.instance, play.batches)[0], 0, "C log 1/sigma")
