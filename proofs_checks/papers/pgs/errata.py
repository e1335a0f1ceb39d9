"""PGS, the errata: what is printed and false, or is one way to read a damaged print, each with its smallest
counterexample.

Where a reading is true it is taken; a false one stands beside it as a reading, not as a statement of the paper's.
"""

from dualgap.proofs_checks.papers.pgs.hypotheses import FIGURE_1, P_RANGE, SETTING, SIGMA, UNIFORM
from dualgap.proofs_checks.papers.pgs.items import PAPER
from dualgap.proofs_checks.papers.pgs.norms_by_definition import Setting, norm, norm2, plus, r_gradient, same
from dualgap.proofs_checks.papers.pgs.rates import (
    LATE_OUTPUT,
    TWO_ROWS,
    Tree,
    harmonic,
    line_17,
    lipschitz2,
    output_sets,
    shifted_16,
)
from dualgap.proofs_checks.papers.pgs.regret import run_of
from dualgap.proofs_checks.papers.pgs.regret_terms import Play, losses_of, minimum
from dualgap.proofs_checks.papers.pgs.strategies import (
    norm_instance,
    norms_euclidean,
    runs_line_squared,
    runs_lipschitz,
    runs_rays_lipschitz,
)
from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.reference import Interval

ONE = TWO_ROWS.but(rows=(Qs(1),), y=Qs(1), alpha=Qs(0))  # one row: the sample is the population
LATE = LATE_OUTPUT.but(path=((0,),))


# -- Figure 1 and Lemma 1: which iterate -------------------------------------------------------------------------------


@claim(
    "pgs.lemma-1",
    r"Lemma 1 as printed, with $c_t(w_t)$: $\sum_t c_t(w_t) - \min_S \sum_t c_t \le$ $(1/2) \sum_t \Vert"
    r" \lambda_t\Vert_q^2/(t \sigma)$",
    hypotheses=r"$\lambda_t$ a subgradient of $g_t$ at $w_{t-1}$, Figure 1, line 6",
    origin=PAPER.printed(
        "Lemma 1",
        "(14)",
        note=(
            "the display and the definition of regret have w_t, where Figure 1, line 6, has w_{t-1}: a shift of index,"
            " not of the theorem"
        ),
    ),
    expected="REFUTED",
    evidence=[
        golden(LATE, detail="n = 1, loss |w - 1|, sigma = 1/10, T = 1: 26/5 > 5"),
        formal("pgs_lemma_1_false", refutes=True),
    ],
    control=holds_on(run_of((Qs(1),), Qs(1), "1"), text="hinge, x = y = sigma = 1"),
    assumes=[*SETTING, FIGURE_1],
    proof="Line 6 plays w_{t-1} in round t; with c_t(w_{t-1}) it holds, pgs.lemma-1.repaired.",
)
def lemma_1_printed(c: Context) -> Iterable[Relation]:
    play = Play(c)
    paid = sum((play.cost(t, play.w[t]) for t in range(1, play.T + 1)), Q(0))
    yield Le(paid - minimum(c.instance, play.batches)[0], play.bound, "(15) with c_t(w_t)")


@claim(
    "pgs.16",
    "The first identity between (16) and (17), the lost index read as i: E P(w_i) = E c_i(w_i)",
    hypotheses="$A_t$ uniform",
    origin=PAPER.reading(
        "E P(w_i)",
        note=(
            "the index of c is lost in print; read as that of w_i, as in the display of Lemma 1. Read as that of the"
            " round in which w_i is played it is true: pgs.16.repaired"
        ),
    ),
    expected="REFUTED",
    evidence=[golden(TWO_ROWS, detail="hinge, x = (1; 2), y = (1, -1), sigma = 1, T = 1: 23/16 and 9/16")],
    control=holds_on(ONE, text="one row"),
    proof="w_i depends on A_i. With c_i(w_{i-1}) it holds, pgs.16.repaired.",
)
def line_16_printed(c: Context) -> Iterable[Relation]:
    yield from shifted_16(c)


@claim(
    "pgs.figure-1.line-9",
    "Figure 1, line 9, read as i uniform on 1 .. T, with Theorem 1's bound E (1/T) sum_{t<=T} ||lambda_t||_q^2/(2t"
    " sigma)",
    hypotheses="the first index is unreadable",
    origin=PAPER.reading(
        "Figure 1, line 9",
        note=(
            "the first index of {w_?, .., w_T} is unreadable, 0 or 1; with either one the theorem holds if one round"
            " more is counted: pgs.theorem-1.outputs"
        ),
    ),
    expected="REFUTED",
    evidence=[golden(LATE_OUTPUT, detail="n = 1, loss |w - 1|, sigma = 1/10, T = 1: 26/5 > 5")],
    control=holds_on(TWO_ROWS, text="hinge, two rows"),
    proof=(
        "On 0 .. T-1 it is Theorem 1, pgs.theorem-1.repaired; on 1 .. T one round more must be counted,"
        " pgs.theorem-1.outputs."
    ),
)
def late_outputs(c: Context) -> Iterable[Relation]:
    yield from output_sets(c, 0)


@claim(
    "pgs.17",
    r"The second identity between (16) and (17), with its sign of equality: $\min_S P = \mathbb{E} (1/T) \,\min_S"
    r" \sum_t c_t$",
    hypotheses="$A_t$ uniform",
    origin=PAPER.printed("min P", note="the inequality that the proof of Theorem 1 needs is true: pgs.17.repaired"),
    expected="REFUTED",
    evidence=[golden(TWO_ROWS, detail="hinge, x = (1; 2), y = (1, -1), sigma = 1, T = 1: 7/8 and 5/16")],
    control=holds_on(ONE, text="one row"),
    assumes=[*SETTING, UNIFORM],
    proof="It is an inequality, min P >= .., which is all that Theorem 1 needs: pgs.17.repaired.",
)
def line_17_printed(c: Context) -> Iterable[Relation]:
    for sign in (1, -1):
        yield from line_17(c, sign)


# -- Theorem 1 ---------------------------------------------------------------------------------------------------------


def with_log(instance: Instance, T: int) -> Instance:
    """The instance with T rounds and a constant far above every L^2."""
    return instance.but(extra=further(T=T, C=Q(10**6)))


@claim(
    "pgs.theorem-1",
    r"Theorem 1 at $T = 1$, where $\log\, T = 0$: with probability $1 - \delta$ for every $\delta$ in $(0, 1)$, so"
    r" surely and in the mean, "
    r"$P(w_i) - \min\, P \le C \,\log\, T/(\sigma T \delta) = 0$, whether $i$ is 0 or 1",
    hypotheses="any constant $C$",
    origin=PAPER.printed(
        "Theorem 1", "E eps_acc", note="it fails at T = 1 alone, where log T = 0: for T >= 2 see pgs.harmonic"
    ),
    expected="REFUTED",
    evidence=[
        golden(
            with_log(TWO_ROWS, 1),
            detail="hinge, x = (1; 2), y = (1, -1), sigma = 1, T = 1: 1/8 > 0 for w_0, 9/16 > 0 for w_1",
        )
    ],
    control=holds_on(with_log(TWO_ROWS, 2), with_log(TWO_ROWS, 3), text="T = 2, 3, in the mean"),
    assumes=[*SETTING, UNIFORM, FIGURE_1],
    proof="H_T in the place of log T: pgs.theorem-1.repaired. For T >= 2 C = 1.0821 L^2 does, pgs.harmonic.",
)
def theorem_1_printed(c: Context) -> Iterable[Relation]:
    tree = Tree(c, c.method)
    log = Interval(tree.T).log() if tree.T > 1 else Q(0)
    # the set of line 9 begins with w_0 or w_1
    output = min(sum(tree.P[: tree.T], Q(0)), sum(tree.P[1 : tree.T + 1], Q(0))) / tree.T
    yield Le(output - tree.minimum(), c.given.C * log / (c.mu * tree.T), "C log T/(sigma T)")


@claim(
    "pgs.corollary-1",
    r"Corollary 1 at $T = 1$, where $\log\, T = 0$: the regret is at most $C \,\log\, T/\sigma = 0$, whether round 1"
    r" pays $c_1(w_0)$ or $c_1(w_1)$",
    hypotheses="any constant $C$",
    origin=PAPER.printed("Corollary 1", note="it fails at T = 1 alone: for T >= 2 see pgs.harmonic"),
    expected="REFUTED",
    evidence=[golden(LATE, detail="n = 1, loss |w - 1|, sigma = 1/10: 1 - 1/20 and 21/4 - 1/20")],
    control=holds_on(LATE.but(rows=(Qs(0),)), text="a row without features, where nothing can be gained"),
    assumes=[*SETTING, FIGURE_1],
    proof="H_T in the place of log T: pgs.corollary-1.repaired.",
)
def corollary_1_printed(c: Context) -> Iterable[Relation]:
    play = Play(c)
    paid = min(play.cost(1, w) for w in play.w[:2])
    yield Lt(Q(0), paid, "what the round pays")
    yield Le(paid - minimum(c.instance, play.batches)[0], 0, "C log 1/sigma")


@claim(
    "pgs.theorem-1.sigma-twice",
    "Theorem 1, r read with the sigma that stands in it there, sigma ||w||_p^2/(2(p-1)), so that F = sigma r + l has"
    " sigma^2: F(w_0) - min F <= L^2/(2 sigma) at T = 1",
    hypotheses="Figure 1 as it is",
    origin=PAPER.reading(
        "Theorem 1",
        note=(
            "the sigma that stands in r there, kept in F = sigma r + l as well; (3), (7) and (13) have r without it,"
            " and nobody means both"
        ),
    ),
    expected="REFUTED",
    evidence=[golden(run_of((Qs("1/5"),), Qs(1), "1", Q(1, 2)), detail="hinge, x = 1/5, sigma = 1/2: 2/25 > 1/25")],
    control=holds_on(run_of((Qs("1/5"),), Qs(1), "1", Q(2)), text="sigma = 2"),
    proof="r is (3), without sigma, and g_t is (8), the mean over A_t: pgs.theorem-1.repaired.",
)
def sigma_twice(c: Context) -> Iterable[Relation]:
    squared = c.instance.but(lam=c.instance.lam**2)
    least = minimum(squared, [tuple(range(c.n))])[0]
    start = Play(Context(squared, c.method)).cost(1, [Q(0)])
    yield Le(start - least, lipschitz2(c.instance) / (2 * c.instance.lam), "F(w_0) - min F <= L^2/(2 sigma)")


OPPOSED = run_of((Qs(1), Qs(1)), Qs(1, -1), "111111")


@claim(
    "pgs.theorem-1.any-order",
    "Figure 1, line 4, one might think: 'choose A_t' in any way; (1/T) sum_t P(w_{t-1}) - min P <= L^2 H_T/(2 sigma T)",
    hypotheses="any order of the rows",
    origin=PAPER.inference(
        "Figure 1, line 4",
        note=(
            "line 4 says 'choose' alone, but section III.A says that A_t is chosen randomly and VI.A that the choices"
            " are i.i.d."
        ),
    ),
    expected="REFUTED",
    evidence=[golden(OPPOSED, detail="hinge, x = (1; 1), y = (1, -1), sigma = 1, row 1 six times")],
    control=holds_on(OPPOSED.but(path=((0,), (1,)) * 3), text="rows 1 and 2 in turn"),
    proof="Lemma 1 survives on every path; (16) needs A_t uniform and independent of w_{t-1}: pgs.16.repaired.",
)
def any_order(c: Context) -> Iterable[Relation]:
    play, everyone = Play(c), [tuple(range(c.n))]
    full = Play(Context(c.instance.but(path=tuple(everyone))))
    mean = sum((full.cost(1, w) for w in play.w[:-1]), Q(0)) / play.T
    yield Le(play.linear_regret, play.bound, "Lemma 1")
    bound = lipschitz2(c.instance) * harmonic(play.T) / (2 * play.setting.sigma * play.T)
    yield Le(mean - minimum(c.instance, everyone)[0], bound, "the mean of P(w_{t-1}) - min P")


# -- Figure 2 ----------------------------------------------------------------------------------------------------------


@claim(
    "pgs.figure-2.line-6",
    r"Figure 2, line 6, as printed: IF $\Vert w\Vert_p > B$ THEN $w \leftarrow (B/\Vert w\Vert_q) w$ is $\nabla r^*_S$"
    r" and lies in $S$",
    hypotheses="$p$ in $(1, 2]$",
    origin=PAPER.printed(
        "Figure 2, line 6",
        "Figure 2",
        note=(
            "the letter is known by its glyph code, that of q in every other exponent of the same size; Corollary 2 has"
            " ||.||_p"
        ),
    ),
    expected="REFUTED",
    evidence=[
        golden(
            norm_instance(Q(3, 2), Q(1), further(theta=Qs(*[4] * 8))),
            detail="p = 3/2, B = 1, eight equal features: ||w||_p = 2",
        ),
        golden(
            norm_instance(Q(3, 2), Q(1), further(theta=Qs(2, 2))),
            detail="two features: ||w||_p = 2^(1/3)",
            level="ENCLOSED",
        ),
    ],
    control=holds_on(norm_instance(Q(2), Q(1), further(theta=Qs(3, 4))), text="p = 2, where the norms are one"),
    assumes=[
        P_RANGE,
        Hypothesis(
            "S is the ball ||w||_p <= B",
            "section III.A, Figure 2, line 5",
            lambda c: c.instance.ball is not None and c.instance.ball > 0,
        ),
    ],
    proof=(
        "||.||_p <= n^(1/p - 1/q) ||.||_q, an equality for equal features. With ||w||_p it is Corollary 2:"
        " pgs.clipping."
    ),
)
def figure_2_line_6(c: Context) -> Iterable[Relation]:
    s, theta = Setting(c.instance), c.instance.extra.theta
    free = r_gradient(theta, s.p)
    clipped = [s.ball * w_j / norm(free, s.q) for w_j in free] if norm(free, s.p) > s.ball else free
    yield Le(norm(clipped, s.p), s.ball, "||w||_p <= B")
    yield from (same(left, right, "(28)") for left, right in zip(clipped, s.gradient(theta)))


@claim(
    "pgs.figure-2.line-3",
    "Figure 2, line 3, and (10), the index j outside the sum read as where the sum ends, at the last feature",
    hypotheses=r"$S = \mathbb{R}^d$",
    origin=PAPER.reading(
        "Figure 2",
        "(10)",
        note=(
            "an index j outside its sum has no meaning; read as a program would, as the last feature. The i that is"
            " meant is pgs.corollary-3"
        ),
    ),
    expected="REFUTED",
    evidence=[
        golden(norm_instance(Q(2), None, further(theta=Qs(1, 2))), detail="p = 2, v = (1, 2): (2, 2), not (1, 2)")
    ],
    control=holds_on(norm_instance(Q(2), None, further(theta=Qs(2, 2))), text="equal features"),
    proof="The index must be i: pgs.corollary-3.",
)
def figure_2_line_3(c: Context) -> Iterable[Relation]:
    theta = c.instance.extra.theta
    expected = Setting(c.instance).gradient(theta)
    for i, w_i in enumerate(expected):
        yield Eq(expected[-1], w_i, f"w_{i}")


# -- definitions and conjugates ----------------------------------------------------------------------------------------


def two_points(u: Any, v: Any) -> Instance:
    """u and v on the line, p = 2."""
    return norm_instance(Q(2), None, further(u=Qs(u), v=Qs(v)))


def definition_2(c: Context, square: bool) -> Iterable[Relation]:
    """The definition for f(w) = ||w||^2/2, alpha = 1/2, with ||u - v|| or its square."""
    u, v = c.instance.extra.u, c.instance.extra.v
    size2 = norm2(plus(u, -1, v), Q(2))
    middle = norm2([(a + b) / 2 for a, b in zip(u, v)], Q(2)) / 2
    least = norm2(u, Q(2)) / 4 + norm2(v, Q(2)) / 4 - (size2 if square else norm(plus(u, -1, v), Q(2))) / 8
    yield Eq(middle, least, "f((u+v)/2)") if square else Le(middle, least, "f((u+v)/2)")


@claim(
    "pgs.definition-2",
    "Definition 2, read without the square: a 1-strongly convex f, such as ||w||^2/2, has f(a u + (1-a) v) <= a f(u) +"
    " (1-a) f(v) - (1/2) a (1-a) ||u - v||",
    hypotheses="without the square",
    origin=PAPER.reading(
        "Definition 2",
        note="the square may have been lost with the text at hand, as small figures are elsewhere; read as it stands",
    ),
    expected="REFUTED",
    evidence=[golden(two_points("1/10", 0), detail="u = 1/10, v = 0, a = 1/2: the gap is 1/800 < 1/80")],
    control=holds_on(two_points(2, 0), text="||u - v|| = 2"),
    proof="No smooth f has it: the gap is of second order. With ||u - v||^2: pgs.definition-2.repaired, pgs.example-1.",
)
def definition_2_printed(c: Context) -> Iterable[Relation]:
    yield from definition_2(c, square=False)


@claim(
    "pgs.definition-2.repaired",
    "Definition 2 with the square: f(a u + (1-a) v) <= a f(u) + (1-a) f(v) - (1/2) a (1-a) ||u - v||^2, an equality for"
    " ||w||^2/2",
    hypotheses="a = 1/2",
    origin=PAPER.ours("Definition 2"),
    evidence=[exact(norms_euclidean), golden(two_points("1/10", 0))],
    control=altered("without the square", lambda c: definition_2(c, square=False), two_points("1/10", 0)),
)
def definition_2_repaired(c: Context) -> Iterable[Relation]:
    e = c.instance.extra
    yield from definition_2(
        c if e.has("u", "v") else Context(norm_instance(Q(2), None, further(u=e.theta, v=e.w))), square=True
    )


def on_boundary(L: Any, w: Any, s: Any) -> Instance:
    """f(u) = L |u| on S = [-1, 1], a point w and a candidate s for a subgradient there."""
    return norm_instance(Q(2), Q(1), further(L=Qs(L), w=Qs(w), s=Qs(s)))


def is_subgradient(L: Q, w: Q, s: Q) -> bool:
    """f(u) >= f(w) + s (u - w) for f(u) = L |u| and all u in [-1, 1]: f is linear between -1, 0 and 1."""
    return all(L * abs(u) >= L * abs(w) + s * (u - w) for u in (-1, 0, 1))


@claim(
    "pgs.proposition-1",
    r"Proposition 1: if $f$ is $L$-Lipschitz on $S$, then $\vert s\vert \le L$ for every subgradient $s$, $f(u) \ge"
    r" f(w) + s (u - w)$ for all "
    "$u$ in $S$",
    hypotheses="Definition 5: $u$ in $S$ alone",
    origin=PAPER.printed("Proposition 1", "Definition 5"),
    expected="REFUTED",
    evidence=[golden(on_boundary(0, 1, 1000), detail="S = [-1, 1], f = 0, w = 1: s = 1000")],
    control=holds_on(on_boundary(1, "1/2", 1), text="w = 1/2, inside"),
    assumes=[
        Hypothesis(
            "w lies in S", "section II, Proposition 1", lambda c: Setting(c.instance).inside(c.instance.extra.w)
        ),
        Hypothesis("f is L-Lipschitz on S", "section II, Proposition 1", lambda c: c.instance.extra.L[0] >= 0),
        Hypothesis(
            "s is a subgradient: f(u) - f(w) >= s (u - w) for u in S",
            "section II, Definition 5",
            lambda c: is_subgradient(*(number for (number,) in c.instance.extra.plain().values())),
        ),
    ],
    proof=(
        "On the sphere every outward normal may be added; PGS clips there all the time. The slopes that the code takes"
        " are those of the loss on R^d: pgs.proposition-1.repaired."
    ),
)
def proposition_1(c: Context) -> Iterable[Relation]:
    given = c.instance.extra
    (L,), (w,), (s,) = given.L, given.w, given.s
    if is_subgradient(L, w, s):
        yield Le(abs(s), L, "|s| <= L")


@claim(
    "pgs.proposition-1.repaired",
    "Proposition 1 for subgradients over R^d: the lambda_t of Figure 1, also at w_{t-1} on the sphere of S, has"
    " ||lambda_t||_q <= L = max ||x_i||_q",
    hypotheses="hinge, smoothed hinge, absolute",
    origin=PAPER.ours("Proposition 1"),
    evidence=[exact(runs_rays_lipschitz), exact(runs_lipschitz)],
    control=false_with("twice lambda_t", OPPOSED, factor=2),
    proof="|phi'| <= 1.",
)
def lipschitz_chain(c: Context, factor: int = 1) -> Iterable[Relation]:
    """||factor lambda_t||_q^2 <= L^2."""
    play = Play(c)
    for t in range(1, play.T + 1):
        yield Le(factor * factor * play.norm2(t), lipschitz2(c.instance), f"||lambda_{t}||_q <= L")


@claim(
    "pgs.r-conjugate",
    "Section III, r* in the text, the unreadable letter read as p: r*(theta) = ||theta||_q^2/(2(p-1))",
    hypotheses=r"$S = \mathbb{R}^d$",
    origin=PAPER.reading(
        "r* in the text",
        note="the letter before -1 is unreadable, p or q; with q it is Example 1, and true: pgs.corollary-3",
    ),
    expected="REFUTED",
    evidence=[golden(norm_instance(Q(3, 2), None, further(theta=Qs(1))), detail="p = 3/2, theta = 1: 1, not 1/4")],
    control=holds_on(norm_instance(Q(2), None, further(theta=Qs(1))), text="p = 2"),
    proof="It must be q, and (q-1)(p-1) = 1: pgs.corollary-3.",
)
def r_conjugate_of_p(c: Context) -> Iterable[Relation]:
    s, theta = Setting(c.instance), c.instance.extra.theta
    yield same(norm2(theta, s.q) / (2 * (s.p - 1)), s.conjugate(theta), "r*")


@claim(
    "pgs.theorem-3.argmin",
    r"Theorem 3, last line: every minimizer $w$ of $(\Vert w\Vert_p - \Vert \theta\Vert_q)^2$ on $S$ is $\nabla"
    r" f^*(\theta)$",
    hypotheses="$S$ the ball",
    origin=PAPER.printed(
        "Theorem 3, its end", note="the proof needs only that the w of (24) attains (25), which is true"
    ),
    expected="REFUTED",
    evidence=[golden(norm_instance(Q(2), Q(2), further(theta=Qs(1), w=Qs(-1))), detail="B = 2, theta = 1, w = -1")],
    control=holds_on(norm_instance(Q(2), Q(2), further(theta=Qs(1), w=Qs(1))), text="w = theta"),
    assumes=[
        Hypothesis(
            "S is the ball ||w||_p <= B",
            "Appendix, Theorem 3",
            lambda c: c.instance.ball is not None and c.instance.ball > 0,
        ),
        Hypothesis(
            "f(w) = ||w||_p^2/2, which r is for p = 2", "Appendix, Theorem 3", lambda c: Setting(c.instance).p == 2
        ),
        Hypothesis("w lies in S", "Appendix, (22)", lambda c: Setting(c.instance).inside(c.instance.extra.w)),
    ],
    proof="That set is a sphere; the maximizer is its one point aligned with theta: pgs.theorem-3.",
)
def argmin_is_a_sphere(c: Context) -> Iterable[Relation]:
    s, theta, w = Setting(c.instance), c.instance.extra.theta, c.instance.extra.w
    if s.ball is not None and norm(w, s.p) == min(s.ball, norm(theta, s.q)):
        yield from (Eq(left, right, "w = grad f*(theta)") for left, right in zip(w, s.gradient(theta)))


# -- section IV --------------------------------------------------------------------------------------------------------


FAR_OUT = Instance(
    rows=(Qs("1/10"),),
    y=Qs(1),
    alpha=Qs(0),
    lam=Q(1, 1000),
    loss="squared",
    gamma=Q(1, 2),
    method="pgs",
    options={"output": "last"},
)


@claim(
    "pgs.least-squares.ball",
    r"Least squares on a ball: $r(w^*) \le F(w^*) \le (\max\, \vert y\vert)^2$, so that the ball $r(w) \le (\max\,"
    r" \vert y\vert)^2$ contains "
    r"$w^*$ for every $\sigma$",
    hypotheses="loss $(a - y)^2$",
    origin=PAPER.printed("The ball holds w^"),
    expected="REFUTED",
    evidence=[golden(FAR_OUT, detail="x = 1/10, y = 1, sigma = 1/1000: w* = 200/21, r(w*) = 20000/441 > 1")],
    control=holds_on(FAR_OUT.but(lam=Q(1)), text="sigma = 1"),
    assumes=[
        P_RANGE,
        SIGMA,
        Hypothesis(
            "the loss is (a - y)^2",
            "section IV",
            lambda c: c.instance.loss == "squared" and c.instance.gamma == Q(1, 2),
        ),
    ],
    proof=(
        "sigma was lost: sigma r(w*) <= F(w*). The ball grows like 1/sqrt(sigma), L with it, and the rate is 1/(sigma^2"
        " T) unless B is fixed."
    ),
)
def least_squares_ball(c: Context) -> Iterable[Relation]:
    yield from enclosing_ball(c, Q(1))


@claim(
    "pgs.least-squares.ball.repaired",
    "Least squares on a ball: sigma r(w*) <= F(w*) <= F(0) <= (max |y|)^2/(2 gamma), which is (max |y|)^2 for (a -"
    " y)^2; pgs.a4 is twice as sharp for R^d",
    hypotheses="loss (a - y)^2/(2 gamma)",
    origin=PAPER.ours("The ball holds w^"),
    evidence=[exact(runs_line_squared), golden(FAR_OUT)],
    control=altered("without sigma", lambda c: enclosing_ball(c, Q(1)), FAR_OUT),
)
def least_squares_ball_repaired(c: Context) -> Iterable[Relation]:
    yield from enclosing_ball(c, c.instance.lam)


def enclosing_ball(c: Context, sigma: Q) -> Iterable[Relation]:
    """sigma r(w*) <= F(w*) <= (max |y|)^2/(2 gamma)."""
    least, w = minimum(c.instance, [tuple(range(c.n))])
    top = max(y * y for y in c.instance.y) / (2 * losses_of(c.instance).gamma)
    yield Le(sigma * Setting(c.instance).r([w]), least, "r(w*) <= F(w*)")
    yield Le(least, top, "F(w*) <= F(0)")
