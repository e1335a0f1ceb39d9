"""PGS, Figure 1 and Lemma 1: what the iterates are, and the regret of every path as an equality.

The checks recompute the subgradients from the iterates (``papers.pgs.regret_terms``): (15) holds for any vectors
lambda_t whatever, so that with the solver's own ones a wrong subgradient would go unseen. The inequality is a weak
detector of a wrong solver: the divisor (t+2) sigma violates it on one run in 400. The equality (A3) is not.
"""

from dualgap.proofs_checks.papers.pgs.items import PAPER
from dualgap.proofs_checks.papers.pgs.norms_by_definition import dot, norm, plus, same
from dualgap.proofs_checks.papers.pgs.regret_terms import Play, minimum
from dualgap.proofs_checks.papers.pgs.strategies import runs, runs_irrational, runs_line, runs_net, runs_rays
from dualgap.proofs_checks.papers.vocabulary import *

ANY = r"any convex loss, any $A_t$, $\lambda_t$ in the subdifferential of $g_t$ at $w_{t-1}$, $w_t$ by line 8"
EVERY_MUTANT = (
    "pgs.constant-divisor",
    "pgs.divisor-t",
    "pgs.divisor-t+2",
    "pgs.lost-sigma",
    "pgs.sign",
    "pgs.stale-subgradient",
    "pgs.sum-for-mean",
)


SIGMA = Q(1)


def run_of(rows: Iterable[tuple[Q, ...]], y: tuple[Q, ...], order: str, lam: Q = SIGMA, **fields: Any) -> Instance:
    """A run of hinge, k = 1, with the rows of ``order``, counted from 1."""
    rows = tuple(rows)
    options = {"k": 1, "output": "last", "sampling": "subset"}
    base = Instance(rows=rows, y=y, alpha=(Q(0),) * len(y), lam=lam, loss="hinge", method="pgs", options=options)
    return base.but(path=tuple((int(i) - 1,) for i in order), extra=further(u=rows[0]), **fields)


# -- the golden examples, each with its R_lin, bound and spare: sum D_t is bound (p = 2 on R^d) and sum E_t is spare
# --------------

ROWS, LABELS = (Qs(1, 0), Qs(1, 1), Qs(-1, 2)), Qs(1, -1, 1)
SAME = (Qs(3, 4, 5), Qs(3, 4, 5))
G1 = run_of(ROWS, LABELS, "123213", Q(1, 2))
G1_PAIRS = G1.but(options={**G1.options, "k": 2}, path=((0, 1), (1, 2), (0, 2)))
G2 = G1.but(loss="squared", gamma=Q(1, 2))
G3 = run_of((Qs("3/10", "4/10"), Qs("1/5", "4/5"), Qs("3/10", "3/10")), Qs(1, 1, 1), "123", ball=Q(3, 10))
G4 = run_of(SAME, Qs(1, -1), "1122", Q(1, 2), p=Q(3, 2))
G4_BALL = G4.but(ball=Q(1))
ITERATES = {
    "G1": (G1, "1 0 0 -2/3 -1/2 1/2 -4/5 0 -1/3 0 -4/7 4/7", Qs("8653/1800", "26/5", "707/1800")),
    "G1, k = 2": (G1_PAIRS, "0 -1/2 -2/3 0 -1/2 1/2", ()),
    "G2": (
        G2,
        "2 0 -8/3 -4 -25/3 29/3 -128/15 88/15 -34/45 44/9 24/5 -704/105",
        Qs("2707681/4050", "86744/125", "514123/20250"),
    ),
    "G3": (G3, "3/20 1/5 3/26 18/65 12/85 9/34", Qs("1493/10400", "13/40")),
    "G4": (G4, "3/4 4/3 25/12 1/2 8/9 25/18 0 0 0 -3/10 -8/15 -5/6", ()),
    "G4, ball": (G4_BALL, "1/4 4/9 25/36 1/4 4/9 25/36 0 0 0 -1/4 -4/9 -25/36", ()),
}
GOLDENS = tuple(
    instance.but(extra=instance.extra | further(w=Qs(*text.split())) | further(totals=totals))
    for instance, text, totals in ITERATES.values()
)
EIGHT = run_of((Qs(*[4] * 8), Qs(*[0] * 8)), Qs(1, 1), "12", p=Q(3, 2), ball=Q(1))  # clipped by ||w||_q, ||w_1||_p = 2
DIVISOR_T = run_of((Qs(1), Qs(0)), Qs(1, 1), "12")  # regret 3/4 > bound 1/2 with the divisor t sigma
DIVISOR_T_PLUS_2 = run_of((Qs(0), Qs(1)), Qs(1, 1), "122")  # 43/96 > 40/96 with (t+2) sigma
ONE_ROUND = run_of((Qs("1/10"),), Qs(1), "1")
CONSTANT_DIVISOR = run_of((Qs("1/10"),), Qs(1), "11111")  # with the divisor 2 sigma


@claim(
    "pgs.golden",
    "Figure 1, worked examples: the iterates, R_lin, its bound and the spare term of G1 to G4 (p = 2 and p = 3/2, R^d"
    " and ball, k = 1 and 2, clipping, a zero subgradient, a zero accumulator)",
    origin=PAPER.ours("Figure 1"),
    hypotheses="as listed",
    evidence=[golden(*GOLDENS, detail="G1 .. G4")],
    control=fails_for("pgs.divisor-t+2", runs, "each golden run with the divisor (t+2) sigma"),
    kills=EVERY_MUTANT,
)
def goldens(c: Context) -> Iterable[Relation]:
    play = Play(c)
    if not c.instance.extra.has("totals"):  # a run that is not worked: its totals by (A3)
        yield Eq(play.linear_regret, play.bound - play.spare, "R_lin")
        return
    for left, right in zip((w_j for w in play.w[1:] for w_j in w), c.given.w):
        yield Eq(left, right, "w_t")
    for name, value, expected in zip(
        ("R_lin", "bound", "spare"), (play.linear_regret, play.bound, play.spare), c.given.totals
    ):
        yield Eq(value, expected, name)


# -- Figure 1 ----------------------------------------------------------------------------------------------------------


@claim(
    "pgs.algorithm",
    r"Figure 1: $w_0 = 0$, $w_t = \nabla r^*_S(-(\lambda_1 + \ldots + \lambda_t)/((t+1) \sigma))$ with $\lambda_t$ a"
    r" subgradient of $g_t$ at "
    r"$w_{t-1}$; (a) it is $\operatorname{argmin}_S (t+1) \sigma r(w) +$ $\sum_s \lambda_s^T w$; (b) for $p = 2$ on"
    r" $\mathbb{R}^d$ a step "
    r"$1/(\sigma (t+1))$ along $-(\sigma w_{t-1} + \lambda_t)$",
    hypotheses=ANY,
    origin=PAPER.printed(
        "Figure 1",
        "(8)",
        "(9)",
        "Figure 2",
        note=(
            "the divisor (t+1) sigma, lost in line 8, is that of (9) and of the caption of Figure 2; (a) and (b) follow"
            " from it"
        ),
    ),
    evidence=[
        exact(runs, 0.5),
        exact(runs_rays, 0.5),
        exact(runs_net, 0.3),
        golden(EIGHT, *GOLDENS[:3], detail="eight equal features on a ball"),
    ],
    control=altered("(b) with the step 1/(sigma t)", lambda c: by_steps(Play(c), 0), G1),
    kills=(*EVERY_MUTANT, "pgs.clip-by-q-norm"),
)
def algorithm(c: Context) -> Iterable[Relation]:
    play = Play(c)
    s, sigma, u = play.setting, play.setting.sigma, play.setting.into(c.given.u)
    yield from (Eq(w_j, 0, "w_0 = 0") for w_j in play.w[0])
    for t, w in enumerate(play.w[1:], 1):
        scale, v = (t + 1) * sigma, play.minus_Lambda(t)
        for left, right in zip(w, s.gradient([v_j / scale for v_j in v])):
            yield Eq(left, right, f"w_{t} = grad r*_S(-Lambda_{t}/((t+1) sigma))")
        least = scale * s.r(w) - dot(v, w)
        yield Eq(least, -scale * s.conjugate([v_j / scale for v_j in v]), f"(a), the value at w_{t}")
        yield Le(least, scale * s.r(u) - dot(v, u), f"(a), w_{t} against u")
    if s.p == 2 and s.ball is None and not s.threshold:
        yield from by_steps(play, 1)


def by_steps(play: Play, shift: int) -> Iterable[Relation]:
    """(b) with the step 1/(sigma (t + shift))."""
    for t, (before, sub, after) in enumerate(zip(play.w, play.sub, play.w[1:]), 1):
        step = 1 / (play.setting.sigma * (t + shift))
        for left, right in zip(after, plus(before, -step, plus(sub, play.setting.sigma, before))):
            yield Eq(left, right, f"(b) at t = {t}")


# -- the regret --------------------------------------------------------------------------------------------------------


@claim(
    "pgs.a3",
    "(A3), p = 2 on R^d, on every path: R_lin = (1/2) sum_t ||lambda_t||^2/(t sigma) - sum_{t<T} sigma ||w_t||^2/(2t),"
    " exactly",
    hypotheses=ANY,
    origin=PAPER.ours("Lemma 1"),
    evidence=[exact(runs), golden(*GOLDENS[:3], detail="G1, G2"), formal("pgs_regret_equality")],
    control=altered("without the last sum", lambda c: [Eq(Play(c).linear_regret, Play(c).bound, "")], G1),
    kills=EVERY_MUTANT,
    proof=(
        "psi_t = min t sigma  r(w) + Lambda_{t-1}^T w, at w_{t-1}; chi_t = min t sigma  r(w) + Lambda_t^T w = psi_t +"
        " lambda_t^T w_{t-1} - ||lambda_t||^2/(2t sigma ); psi_{t+1} = chi_t + sigma r(w_t) + sigma r(w_t)/t. Sum from"
        " psi_1 = 0 to chi_T."
    ),
)
def a3(c: Context) -> Iterable[Relation]:
    play = Play(c)
    yield Eq(play.linear_regret, play.bound - play.spare, "(A3)")


@claim(
    "pgs.a2",
    "(A2), every p in (1, 2] and S: R_lin = sum_t D_t - sum_{t<T} E_t with 0 <= D_t <= ||lambda_t||_q^2/(2t sigma) and"
    " E_t >= 0; on R^d E_t = sigma r(w_t)/t",
    hypotheses=ANY + r"; $\mathbb{R}^d$, ball (and elastic net, but for the last equality)",
    origin=PAPER.ours("Lemma 1"),
    evidence=[
        exact(runs_rays, 0.5),
        exact(runs, 0.5),
        exact(runs_net, 0.3),
        enclosed(runs_irrational, 0.3),
        golden(EIGHT, G1, G1_PAIRS, G3, G4, G4_BALL, detail="G1, G3, G4"),
    ],
    control=altered("without the E_t", lambda c: [Eq(Play(c).linear_regret, total(Play(c), E=False), "")], G1, G4),
    kills=(*EVERY_MUTANT, "pgs.clip-by-q-norm"),
    proof=(
        "As for (A3): D_t is what the t sigma -strong convexity leaves of psi_t + lambda_t^T w_{t-1} - chi_t, and w_t"
        " is feasible, not optimal, for chi_t."
    ),
)
def a2(c: Context) -> Iterable[Relation]:
    play = Play(c)
    s = play.setting
    yield same(play.linear_regret, total(play), "(A2)")
    for t in range(1, play.T + 1):
        if any(play.sub[t - 1]):
            yield Le(play.D(t), play.norm2(t) / (2 * t * s.sigma), f"D_{t} <= ||lambda_{t}||_q^2/({2 * t} sigma)")
        if t < play.T and s.ball is None and not s.threshold:
            yield same(play.E(t), s.sigma * s.r(play.w[t]) / t, f"E_{t} = sigma r(w_{t})/{t}")
    if c.number is Q:  # where these are 0, as they are on the sphere, no enclosure would decide them
        yield from (Le(0, play.D(t), f"D_{t} >= 0") for t in range(1, play.T + 1))
        yield from (Le(0, play.E(t), f"E_{t} >= 0") for t in range(1, play.T))
        yield from (Le(norm(w, s.p), s.ball, f"w_{t} in S") for t, w in enumerate(play.w) if s.ball is not None)


def total(play: Play, E: bool = True) -> Number:
    """sum D_t - sum E_t."""
    last = play.T if E else 1
    return sum((play.D(t) for t in range(1, play.T + 1)), Q(0)) - sum((play.E(t) for t in range(1, last)), Q(0))


@claim(
    "pgs.a1",
    "(A1): for every u in S, sum_t c_t(w_{t-1}) - sum_t c_t(u) <= R_lin <= (1/2) sum_t ||lambda_t||_q^2/(t sigma)",
    hypotheses=ANY + r"; $\mathbb{R}^d$, ball, elastic net",
    origin=PAPER.ours("Lemma 1"),
    evidence=[
        exact(runs),
        exact(runs_rays),
        exact(runs_net, 0.5),
        enclosed(runs_irrational, 0.3),
        golden(DIVISOR_T, DIVISOR_T_PLUS_2, CONSTANT_DIVISOR, EIGHT),
    ],
    control=altered(
        "the bound times 99/100, T = 1",
        lambda c: [Le(Play(c).linear_regret, Q(99, 100) * Play(c).bound, "")],
        ONE_ROUND,
    ),
    kills=("pgs.constant-divisor", "pgs.divisor-t", "pgs.divisor-t+2", "pgs.sign"),
    proof=(
        "c_t(u) >= sigma r(u) + g_t(w_{t-1}) + lambda_t^T (u - w_{t-1}); minimize the sum of the right sides over u: -T"
        " sigma r*_S. Then (A2)."
    ),
)
def a1(c: Context) -> Iterable[Relation]:
    play = Play(c)
    if not any(any(sub) for sub in play.sub):
        return
    zero = [Q(0)] * play.problem.d
    # a tie, perhaps
    others = {"u": play.setting.into(c.instance.extra.u), "0": zero, "w_1": play.w[1] if c.number is Q else zero}
    for name, u in others.items():
        paid = sum((play.cost(t, play.w[t - 1]) - play.cost(t, u) for t in range(1, play.T + 1)), Q(0))
        yield Le(paid, play.linear_regret, f"regret against {name} <= R_lin")
    yield Le(play.linear_regret, play.bound, "R_lin <= (1/2) sum ||lambda_t||_q^2/(t sigma)")


@claim(
    "pgs.lemma-1.repaired",
    "Lemma 1 with c_t(w_{t-1}) in the place of c_t(w_t): sum_t c_t(w_{t-1}) - min_S sum_t c_t <= (1/2) sum_t"
    " ||lambda_t||_q^2/(t sigma) (15)",
    hypotheses=f"{ANY}; the minimum exactly, $d = 1$",
    origin=PAPER.ours("Lemma 1", "No projection"),
    evidence=[
        exact(runs_line),
        golden(DIVISOR_T, DIVISOR_T_PLUS_2, CONSTANT_DIVISOR, detail="hand-checkable"),
        formal("pgs_regret_bound"),
    ],
    control=false_with("the bound times 99/100, T = 1", ONE_ROUND, factor=Q(99, 100)),
    kills=("pgs.constant-divisor", "pgs.divisor-t", "pgs.sign"),
    proof="pgs.a1 at the minimizing u.",
)
def lemma_1(c: Context, factor: Q = Q(1)) -> Iterable[Relation]:
    """(15) with the bound times factor."""
    play = Play(c)
    paid = sum((play.cost(t, play.w[t - 1]) for t in range(1, play.T + 1)), Q(0))
    yield Le(paid - minimum(c.instance, play.batches)[0], factor * play.bound, "(15)")


@claim(
    "pgs.lemma-1.equality",
    "Lemma 1 at T = 1 on R^d, losses linear between w_0 and the minimum: the regret is (p-1)||lambda_1||_q^2/(2 sigma),"
    " for p = 2 the bound itself",
    hypotheses="hinge with y x^T w < 1 throughout; any p in (1, 2]",
    origin=PAPER.ours("Lemma 1"),
    evidence=[
        golden(*(ONE_ROUND.but(p=p) for p in Qs(2, "3/2", "11/10", "101/100")), detail="x = 1/10"),
        formal("pgs_bound_attained"),
    ],
    control=altered("without p-1", lambda c: one_round(c, Q(1)), ONE_ROUND.but(p=Q(3, 2))),
)
def lemma_1_equality(c: Context) -> Iterable[Relation]:
    yield from one_round(c, Play(c).setting.p - 1)


def one_round(c: Context, factor: Q) -> Iterable[Relation]:
    """The regret of one round against factor times the bound."""
    play = Play(c)
    regret = play.cost(1, play.w[0]) - minimum(c.instance, play.batches)[0]
    yield Eq(regret, factor * play.bound, "regret")
    yield Eq(play.linear_regret, regret, "R_lin")
