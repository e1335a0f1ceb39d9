"""PGS, section III.A, Figure 1: the Primal Gradient Solver, and what a round costs.

line 6   lambda_t a subgradient of g_t at w_{t-1}, (8)
line 8   w_t = grad r*_S(-(lambda_1 + .. + lambda_t)/((t+1) sigma)), (9)
line 9   return w_i, i uniform
Cost     O(dk + n) a round for p < 2, O(dk) for p = 2
"""

from dualgap.proofs_checks.engines.touched import Tally, count
from dualgap.proofs_checks.papers.pgs.instances import *
from dualgap.proofs_checks.papers.pgs.regret_terms import Play
from dualgap.reference.methods.lazy.pgs import LazyPGS, LazyPGSState

SQUARED_RUN = HINGE_RUN.but(loss="squared", gamma=Q(1, 2))
CLIPPED_RUN = run_of((Qs("3/10", "4/10"), Qs("1/5", "4/5"), Qs("3/10", "3/10")), Qs(1, 1, 1), "123", ball=Q(3, 10))
GOLDENS = tuple(
    instance.but(extra=instance.extra | further(w=Qs(*iterates.split())) | further(totals=totals))
    for instance, iterates, totals in (
        (HINGE_RUN, "1 0 0 -2/3 -1/2 1/2 -4/5 0 -1/3 0 -4/7 4/7", Qs("8653/1800", "26/5", "707/1800")),
        (HINGE_PAIRS, "0 -1/2 -2/3 0 -1/2 1/2", ()),
        (
            SQUARED_RUN,
            "2 0 -8/3 -4 -25/3 29/3 -128/15 88/15 -34/45 44/9 24/5 -704/105",
            Qs("2707681/4050", "86744/125", "514123/20250"),
        ),
        (CLIPPED_RUN, "3/20 1/5 3/26 18/65 12/85 9/34", Qs("1493/10400", "13/40")),
        (RAY_RUN, "3/4 4/3 25/12 1/2 8/9 25/18 0 0 0 -3/10 -8/15 -5/6", ()),
        (RAY_ON_BALL, "1/4 4/9 25/36 1/4 4/9 25/36 0 0 0 -1/4 -4/9 -25/36", ()),
    )
)  # each with its R_lin, bound and spare: sum D_t is bound (p = 2 on R^d) and sum E_t is spare
EIGHT = run_of((Qs(*[4] * 8), Qs(*[0] * 8)), Qs(1, 1), "12", p=Q(3, 2), ball=Q(1))  # clipped by ||w||_q, ||w_1||_p = 2


@claim(
    "pgs.golden",
    "Figure 1, worked examples: the iterates, R_lin, its bound and the spare term of six runs (p = 2 and p = 3/2, R^d"
    " and ball, k = 1 and 2, clipping, a zero subgradient, a zero accumulator)",
    origin=PAPER.ours("Figure 1"),
    hypotheses="as listed",
    evidence=[
        golden(*GOLDENS, detail="six runs: hinge with k = 1 and 2, squared loss, a ball, p = 3/2 on R^d and a ball")
    ],
    control=fails_for("pgs.divisor-t+2", runs, "each golden run with the divisor (t+2) sigma"),
    kills=EVERY_MUTANT,
)
def goldens(c: Context) -> Iterable[Relation]:
    play = Play(c)
    if not c.instance.extra.has("totals"):  # another run: its totals by (A3)
        yield Eq(play.linear_regret, play.bound - play.spare, "R_lin")
        return
    yield from each(Eq, (w_j for w in play.w[1:] for w_j in w), c.given.w, "w_t")
    yield from map(Eq, (play.linear_regret, play.bound, play.spare), c.given.totals, ("R_lin", "bound", "spare"))


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
        golden(EIGHT, *GOLDENS[:3], detail="eight equal features on a ball"),
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


@refuted(
    "pgs.cost",
    "Section III.A, one might think: for p < 2 a round of PGS, of cost O(dk + n), must read every feature",
    hypotheses="p = 9/5, k = 1, rows of two entries",
    origin=PAPER.inference(
        "Cost",
        "Summary, cost",
        note="the paper states an upper bound of the cost; a faster form of the same iterates does not contradict it",
    ),
    evidence=[golden(wide(200, 40), detail="200 features, 40 rounds: fewer reads than 40 times 200")],
    control=holds_on(wide(4, 4), text="four features, four rounds"),
    proof="The iterate depends on acc outside the rows drawn through one sum: pgs.cost.repaired.",
)
def cost(c: Context) -> Iterable[Relation]:
    yield Le(c.problem.d * len(c.instance.path), reads(c, LazyPGS(output="last")), "features times rounds <= reads")


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
