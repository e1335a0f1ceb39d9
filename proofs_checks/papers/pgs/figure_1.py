"""PGS, section III.A, Figure 1: the Primal Gradient Solver, and what a round costs.

line 6   lambda_t a subgradient of g_t at w_{t-1}, (8)
line 8   w_t = grad r*_S(-(lambda_1 + .. + lambda_t)/((t+1) sigma)), (9)
line 9   return w_i, i uniform
Cost     O(dk + n) a round for p < 2, O(dk) for p = 2
"""

import math
from collections.abc import Iterable
from typing import Any

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import Extras
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Relation
from dualgap.proofs_checks.engines.touched import Tally, count
from dualgap.proofs_checks.evidence.levels import exact, false_with, golden
from dualgap.proofs_checks.papers.pgs.instances import HINGE_PAIRS, HINGE_RUN, run_of, runs, runs_net, runs_rays
from dualgap.proofs_checks.papers.pgs.items import PAPER
from dualgap.proofs_checks.papers.pgs.regret_terms import Play
from dualgap.proofs_checks.papers.pgs.setting import ANY, EVERY_MUTANT
from dualgap.proofs_checks.papers.vocabulary import dot, each, plus
from dualgap.reference.methods.lazy.pgs import LazyPGS, LazyPGSState
from dualgap.reference.problem.problem import Problem

SQUARED_RUN = HINGE_RUN.but(loss="squared", gamma=Q(1, 2))
EIGHT = run_of((Qs(*[4] * 8), Qs(*[0] * 8)), Qs(1, 1), "12", p=Q(3, 2), ball=Q(1))  # clipped by ||w||_q, ||w_1||_p = 2


@claim(
    "pgs.algorithm",
    r"Figure 1: $w_0 = 0$, $w_t = \nabla r^*_S(-(\lambda_1 + \ldots + \lambda_t)/((t+1) \sigma))$ with $\lambda_t$ a"
    r" subgradient of $g_t$ at $w_{t-1}$; (a) it is $\operatorname{argmin}_S (t+1) \sigma r(w) +$ $\sum_s \lambda_s^T"
    r" w$; (b) for $p = 2$ on $\mathbb{R}^d$ a step $1/(\sigma (t+1))$ along $-(\sigma w_{t-1} + \lambda_t)$",
    hypotheses=ANY,
    origin=PAPER.printed(
        "Figure 1",
        "(8)",
        "(9)",
        "Figure 2",
        note="the divisor, missing in line 8, is that of (9) and of Figure 2's caption; (a) and (b) follow from it",
    ),
    evidence=[
        exact(runs, 0.5),
        exact(runs_rays, 0.5),
        exact(runs_net, 0.3),
        golden(EIGHT, HINGE_RUN, HINGE_PAIRS, SQUARED_RUN, detail="eight equal features on a ball"),
    ],
    control=false_with("(b) with the step 1/(sigma t)", HINGE_RUN, shift=0),
    kills=(*EVERY_MUTANT, "pgs.clip-by-q-norm"),
)
def algorithm(c: Context, shift: int = 1) -> Iterable[Relation]:
    play = Play(c)
    s, sigma, u = play.setting, play.setting.sigma, play.setting.into(c.given.u)
    yield from (Eq(w_j, 0, "w_0 = 0") for w_j in play.w[0])
    for t, w in enumerate(play.w[1:], 1):
        scale, v = (t + 1) * sigma, play.minus_Lambda(t)
        theta = [v_j / scale for v_j in v]
        yield from each(Eq, w, s.gradient(theta), f"w_{t} = grad r*_S(-Lambda_{t}/((t+1) sigma))")
        least = scale * s.r(w) - dot(v, w)
        yield Eq(least, -scale * s.conjugate(theta), f"(a), the value at w_{t}")
        yield Le(least, scale * s.r(u) - dot(v, u), f"(a), w_{t} against u")
    if s.p == 2 and s.ball is None and not s.threshold:
        for t, (before, sub, after) in enumerate(zip(play.w, play.sub, play.w[1:]), 1):
            stepped = plus(before, -1 / (sigma * (t + shift)), plus(sub, sigma, before))
            yield from each(Eq, after, stepped, f"(b) at t = {t}")


# -- what a round costs ------------------------------------------------------------------------------------------------


def reads(c: Context, form: Any) -> int:
    """Entries of acc and bent that the form reads in the rounds of the path."""
    problem, tally = c.instance.problem(float), Tally()
    state = form.init(problem)
    count(state, ("acc", "bent"), tally)
    for A in c.instance.path:
        form.advance(problem, state, A)
    return tally.reads


class Anxious(LazyPGS):
    """s is recomputed in every round."""

    def safeguard(self, problem: Problem, state: LazyPGSState) -> None:
        state.drift = math.inf
        super().safeguard(problem, state)


def wide(d: int, rounds: int) -> Instance:
    """Rows of two entries among d columns, each of them drawn again and again."""
    zero, one = Q(0), Q(1)  # shared: this runs at each import, and d * d new ones take a second
    zeros = (zero,) * d
    rows = tuple(tuple(one if j in (i, (i * 7 + 3) % d) else zero for j in range(d)) for i in range(d))
    path = tuple(((17 * t) % d,) for t in range(rounds))
    return run_of(rows, (Q(1),) * d, "1", p=Q(9, 5)).but(alpha=zeros, path=path, extra=Extras())


@claim(
    "pgs.cost.repaired",
    "PGS costs O(d k) a round for every p: T rounds of the lazy form read at most 12 entries for each entry of the rows"
    " drawn, and 4 n once",
    hypotheses="p = 9/5, k = 1; including the recomputed sums",
    origin=PAPER.ours("Cost", "k, p < 2"),
    evidence=[golden(wide(200, 40), wide(200, 1000), wide(400, 300), detail="200 and 400 features")],
    control=false_with("a lazy form that recomputes the sum in every round", wide(200, 40), form=Anxious),
    proof="A changed acc_j costs one power; two recomputed sums are at least d/2 changes apart, unless s halved.",
)
def few_reads(c: Context, form: type[LazyPGS] = LazyPGS) -> Iterable[Relation]:
    """The reads against the entries of the rows."""
    entries = sum(len(c.problem.rows[i]) for A in c.instance.path for i in A)
    yield Le(reads(c, form(output="last")), 12 * entries + 4 * c.problem.d, "reads")
