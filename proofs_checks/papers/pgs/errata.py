"""PGS, the errata: what is printed and false, each with its smallest counterexample, beside what is right.

The print is damaged in places; where a reading was possible that is true, it was taken. What remains is false by an exact instance.
"""

from collections.abc import Iterable
from typing import Any

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.origins import untold
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Relation
from dualgap.proofs_checks.evidence.levels import altered, exact, golden, holds_on
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
from dualgap.reference import Interval

ONE = TWO_ROWS.but(rows=(Qs(1),), y=Qs(1), alpha=Qs(0))  # one row: the sample is the population
LATE = LATE_OUTPUT.but(path=((0,),))


# -- Figure 1 and Lemma 1: which iterate ------------------------------------------------------------------------------------------


@claim(
    "pgs.lemma-1",
    "Lemma 1 as printed, with c_t(w_t): sum_t c_t(w_t) - min_S sum_t c_t <= (1/2) sum_t ||lambda_t||_q^2/(t sigma)",
    hypotheses="lambda_t a subgradient of g_t at w_{t-1}, Figure 1, line 6", origin=untold("PGS, Lemma 1 and the definition of regret"), expected="REFUTED",
    evidence=[golden(LATE, detail="n = 1, loss |w - 1|, sigma = 1/10, T = 1: 26/5 > 5")],
    control=holds_on(run_of((Qs(1),), Qs(1), "1"), text="hinge, x = y = sigma = 1"),
    proof="Line 6 plays w_{t-1} in round t; with c_t(w_{t-1}) it holds, pgs.lemma-1.repaired.",
)
def lemma_1_printed(c: Context) -> Iterable[Relation]:
    play = Play(c)
    paid = sum((play.cost(t, play.w[t]) for t in range(1, play.T + 1)), Q(0))
    yield Le(paid - minimum(c.instance, play.batches)[0], play.bound, "(15) with c_t(w_t)")


@claim(
    "pgs.16",
    "(16) as printed: E P(w_i) = E c_i(w_i)",
    hypotheses="A_t uniform", origin=untold("PGS, (16)"), expected="REFUTED",
    evidence=[golden(TWO_ROWS, detail="hinge, x = (1; 2), y = (1, -1), sigma = 1, T = 1: 23/16 and 9/16")],
    control=holds_on(ONE, text="one row"),
    proof="w_i depends on A_i. With c_i(w_{i-1}) it holds, pgs.16.repaired.",
)
def line_16_printed(c: Context) -> Iterable[Relation]:
    yield from shifted_16(c)


@claim(
    "pgs.figure-1.line-9",
    "Figure 1, line 9, read as i uniform on 1 .. T, with Theorem 1's bound E (1/T) sum_{t<=T} ||lambda_t||_q^2/(2t sigma)",
    hypotheses="the first index is unreadable", origin=untold("PGS, Figure 1, line 9"), expected="REFUTED",
    evidence=[golden(LATE_OUTPUT, detail="n = 1, loss |w - 1|, sigma = 1/10, T = 1: 26/5 > 5")],
    control=holds_on(TWO_ROWS, text="hinge, two rows"),
    proof="On 0 .. T-1 it is Theorem 1, pgs.theorem-1.repaired; on 1 .. T one round more must be counted, pgs.theorem-1.outputs.",
)
def late_outputs(c: Context) -> Iterable[Relation]:
    yield from output_sets(c, 0)


@claim(
    "pgs.17",
    "(17) as printed: min_S P = E (1/T) min_S sum_t c_t",
    hypotheses="A_t uniform", origin=untold("PGS, (17)"), expected="REFUTED",
    evidence=[golden(TWO_ROWS, detail="hinge, x = (1; 2), y = (1, -1), sigma = 1, T = 1: 7/8 and 5/16")],
    control=holds_on(ONE, text="one row"),
    proof="It is an inequality, min P >= .., which is all that Theorem 1 needs: pgs.17.repaired.",
)
def line_17_printed(c: Context) -> Iterable[Relation]:
    for sign in (1, -1):
        yield from line_17(c, sign)


# -- Theorem 1 ------------------------------------------------------------------------------------------------------------------------


def with_log(instance: Instance, T: int) -> Instance:
    """The instance with T rounds and a constant far above every L^2."""
    return instance.but(extra={"T": T, "C": Q(10**6)})


@claim(
    "pgs.theorem-1",
    "Theorem 1 as printed, with log T: E P(w_i) - min P <= C log T/(sigma T) for T >= 1 and a constant C",
    hypotheses="any C", origin=untold("PGS, Corollary 1, Theorem 1"), expected="REFUTED",
    evidence=[golden(with_log(TWO_ROWS, 1), detail="hinge, x = (1; 2), y = (1, -1), sigma = 1, T = 1: 1/8 > C log 1")],
    control=holds_on(with_log(TWO_ROWS, 2), with_log(TWO_ROWS, 3), text="T = 2, 3"),
    proof="H_T in the place of log T: pgs.theorem-1.repaired. For T >= 2 C = 1.0821 L^2 does, pgs.harmonic.",
)
def theorem_1_printed(c: Context) -> Iterable[Relation]:
    tree = Tree(c, c.method)
    log = Interval(tree.T).log() if tree.T > 1 else Q(0)
    yield Le(sum(tree.P[: tree.T], Q(0)) / tree.T - tree.minimum(), c.extra("C") * log / (c.mu * tree.T), "C log T/(sigma T)")


@claim(
    "pgs.theorem-1.sigma-twice",
    "Theorem 1 with r as its hypotheses print it, sigma ||w||_p^2/(2(p-1)), so that F = sigma r + l has sigma^2: F(w_0) - min F <= L^2/(2 sigma) at T = 1",
    hypotheses="Figure 1 as it is", origin=untold("PGS, Theorem 1"), expected="REFUTED",
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
    "Figure 1, line 4, 'choose A_t', in any way: (1/T) sum_t P(w_{t-1}) - min P <= L^2 H_T/(2 sigma T)",
    hypotheses="any order of the rows", origin=untold("PGS, Figure 1, line 4"), expected="REFUTED",
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


# -- Figure 2 --------------------------------------------------------------------------------------------------------------------------


@claim(
    "pgs.figure-2.line-6",
    "Figure 2, line 6, as printed: IF ||w||_p > B THEN w <- (B/||w||_q) w is grad r*_S and lies in S",
    hypotheses="p in (1, 2]", origin=untold("PGS, Figure 2"), expected="REFUTED",
    evidence=[golden(norm_instance(Q(3, 2), Q(1), theta=Qs(*[4] * 8)), detail="p = 3/2, B = 1, eight equal features: ||w||_p = 2"),
              golden(norm_instance(Q(3, 2), Q(1), theta=Qs(2, 2)), detail="two features: ||w||_p = 2^(1/3)", level="ENCLOSED")],
    control=holds_on(norm_instance(Q(2), Q(1), theta=Qs(3, 4)), text="p = 2, where the norms are one"),
    proof="||.||_p <= n^(1/p - 1/q) ||.||_q, an equality for equal features. With ||w||_p it is Corollary 2: pgs.clipping.",
)  # fmt: skip
def figure_2_line_6(c: Context) -> Iterable[Relation]:
    s, theta = Setting(c.instance), c.instance.extra["theta"]
    free = r_gradient(theta, s.p)
    clipped = [s.ball * w_j / norm(free, s.q) for w_j in free] if norm(free, s.p) > s.ball else free
    yield Le(norm(clipped, s.p), s.ball, "||w||_p <= B")
    yield from (same(left, right, "(28)") for left, right in zip(clipped, s.gradient(theta)))


@claim(
    "pgs.figure-2.line-3",
    "Figure 2, line 3, and (10) as printed, the index outside the sum being that of the sum, j, which ends as the last feature",
    hypotheses="S = R^d", origin=untold("PGS, Figure 2, (10)"), expected="REFUTED",
    evidence=[golden(norm_instance(Q(2), None, theta=Qs(1, 2)), detail="p = 2, v = (1, 2): (2, 2), not (1, 2)")],
    control=holds_on(norm_instance(Q(2), None, theta=Qs(2, 2)), text="equal features"),
    proof="The index must be i: pgs.corollary-3.",
)
def figure_2_line_3(c: Context) -> Iterable[Relation]:
    theta = c.instance.extra["theta"]
    expected = Setting(c.instance).gradient(theta)
    for i, w_i in enumerate(expected):
        yield Eq(expected[-1], w_i, f"w_{i}")


# -- definitions and conjugates ----------------------------------------------------------------------------------------------------------


def two_points(u: Any, v: Any) -> Instance:
    """u and v on the line, p = 2."""
    return norm_instance(Q(2), None, u=Qs(u), v=Qs(v))


def definition_2(c: Context, square: bool) -> Iterable[Relation]:
    """The definition for f(w) = ||w||^2/2, alpha = 1/2, with ||u - v|| or its square."""
    u, v = c.instance.extra["u"], c.instance.extra["v"]
    size2 = norm2(plus(u, -1, v), Q(2))
    middle = norm2([(a + b) / 2 for a, b in zip(u, v)], Q(2)) / 2
    least = norm2(u, Q(2)) / 4 + norm2(v, Q(2)) / 4 - (size2 if square else norm(plus(u, -1, v), Q(2))) / 8
    yield Eq(middle, least, "f((u+v)/2)") if square else Le(middle, least, "f((u+v)/2)")


@claim(
    "pgs.definition-2",
    "Definition 2 as printed: a 1-strongly convex f, such as ||w||^2/2, has f(a u + (1-a) v) <= a f(u) + (1-a) f(v) - (1/2) a (1-a) ||u - v||",
    hypotheses="without the square", origin=untold("PGS, Definition 2"), expected="REFUTED",
    evidence=[golden(two_points("1/10", 0), detail="u = 1/10, v = 0, a = 1/2: the gap is 1/800 < 1/80")],
    control=holds_on(two_points(2, 0), text="||u - v|| = 2"),
    proof="No smooth f has it: the gap is of second order. With ||u - v||^2: pgs.definition-2.repaired, pgs.example-1.",
)
def definition_2_printed(c: Context) -> Iterable[Relation]:
    yield from definition_2(c, square=False)


@claim(
    "pgs.definition-2.repaired",
    "Definition 2 with the square: f(a u + (1-a) v) <= a f(u) + (1-a) f(v) - (1/2) a (1-a) ||u - v||^2, an equality for ||w||^2/2",
    hypotheses="a = 1/2", origin=untold("PGS, Definition 2"),
    evidence=[exact(norms_euclidean), golden(two_points("1/10", 0))],
    control=altered("without the square", lambda c: definition_2(c, square=False), two_points("1/10", 0)),
)
def definition_2_repaired(c: Context) -> Iterable[Relation]:
    e = c.instance.extra
    yield from definition_2(c if "u" in e else Context(norm_instance(Q(2), None, u=e["theta"], v=e["w"])), square=True)


def on_boundary(L: Any, w: Any, s: Any) -> Instance:
    """f(u) = L |u| on S = [-1, 1], a point w and a candidate s for a subgradient there."""
    return norm_instance(Q(2), Q(1), L=Qs(L), w=Qs(w), s=Qs(s))


@claim(
    "pgs.proposition-1",
    "Proposition 1: if f is L-Lipschitz on S, then |s| <= L for every subgradient s, f(u) >= f(w) + s (u - w) for all u in S",
    hypotheses="Definition 5: u in S alone", origin=untold("PGS, Proposition 1, Definition 5"), expected="REFUTED",
    evidence=[golden(on_boundary(0, 1, 1000), detail="S = [-1, 1], f = 0, w = 1: s = 1000")],
    control=holds_on(on_boundary(1, "1/2", 1), text="w = 1/2, inside"),
    proof="On the sphere every outward normal may be added; PGS clips there all the time. The slopes that the code takes are those of the loss on R^d: "
    "pgs.proposition-1.repaired.",
)
def proposition_1(c: Context) -> Iterable[Relation]:
    (L,), (w,), (s,) = (c.instance.extra[name] for name in ("L", "w", "s"))
    if all(L * abs(u) >= L * abs(w) + s * (u - w) for u in (-1, 0, 1)):  # f is linear between these
        yield Le(abs(s), L, "|s| <= L")


@claim(
    "pgs.proposition-1.repaired",
    "Proposition 1 for subgradients over R^d: the lambda_t of Figure 1, also at w_{t-1} on the sphere of S, has ||lambda_t||_q <= L = max ||x_i||_q",
    hypotheses="hinge, smoothed hinge, absolute", origin=untold("PGS, Proposition 1"),
    evidence=[exact(runs_rays_lipschitz), exact(runs_lipschitz)],
    control=altered("twice lambda_t", lambda c: lipschitz_chain(c, 2), OPPOSED),
    proof="|phi'| <= 1.",
)
def proposition_1_repaired(c: Context) -> Iterable[Relation]:
    yield from lipschitz_chain(c, 1)


def lipschitz_chain(c: Context, factor: int) -> Iterable[Relation]:
    """||factor lambda_t||_q^2 <= L^2."""
    play = Play(c)
    for t in range(1, play.T + 1):
        yield Le(factor * factor * play.norm2(t), lipschitz2(c.instance), f"||lambda_{t}||_q <= L")


@claim(
    "pgs.r-conjugate",
    "Section III, r* in the text, the unreadable letter read as p: r*(theta) = ||theta||_q^2/(2(p-1))",
    hypotheses="S = R^d", origin=untold("PGS, section III"), expected="REFUTED",
    evidence=[golden(norm_instance(Q(3, 2), None, theta=Qs(1)), detail="p = 3/2, theta = 1: 1, not 1/4")],
    control=holds_on(norm_instance(Q(2), None, theta=Qs(1)), text="p = 2"),
    proof="It must be q, and (q-1)(p-1) = 1: pgs.corollary-3.",
)
def r_conjugate_of_p(c: Context) -> Iterable[Relation]:
    s, theta = Setting(c.instance), c.instance.extra["theta"]
    yield same(norm2(theta, s.q) / (2 * (s.p - 1)), s.conjugate(theta), "r*")


@claim(
    "pgs.theorem-3.argmin",
    "Theorem 3, last line: every minimizer w of (||w||_p - ||theta||_q)^2 on S is grad f*(theta)",
    hypotheses="S the ball or R^d", origin=untold("PGS, Theorem 3"), expected="REFUTED",
    evidence=[golden(norm_instance(Q(2), None, theta=Qs(1), w=Qs(-1)), detail="theta = 1, w = -1")],
    control=holds_on(norm_instance(Q(2), None, theta=Qs(1), w=Qs(1)), text="w = theta"),
    proof="That set is a sphere; the maximizer is its one point aligned with theta: pgs.theorem-3.",
)
def argmin_is_a_sphere(c: Context) -> Iterable[Relation]:
    s, theta, w = Setting(c.instance), c.instance.extra["theta"], c.instance.extra["w"]
    if norm(w, s.p) == norm(theta, s.q):
        yield from (Eq(left, right, "w = grad f*(theta)") for left, right in zip(w, s.gradient(theta)))


# -- section IV and the experiments ----------------------------------------------------------------------------------------------------


FAR_OUT = Instance(
    rows=(Qs("1/10"),), y=Qs(1), alpha=Qs(0), lam=Q(1, 1000), loss="squared", gamma=Q(1, 2), method="pgs", options={"output": "last"},
)  # fmt: skip


@claim(
    "pgs.least-squares.ball",
    "Least squares on a ball: r(w*) <= F(w*) <= (max |y|)^2, so that the ball r(w) <= (max |y|)^2 contains w* for every sigma",
    hypotheses="loss (a - y)^2", origin=untold("PGS, section III"), expected="REFUTED",
    evidence=[golden(FAR_OUT, detail="x = 1/10, y = 1, sigma = 1/1000: w* = 200/21, r(w*) = 20000/441 > 1")],
    control=holds_on(FAR_OUT.but(lam=Q(1)), text="sigma = 1"),
    proof="sigma was lost: sigma r(w*) <= F(w*). The ball grows like 1/sqrt(sigma), L with it, and the rate is 1/(sigma^2 T) unless B is fixed.",
)
def least_squares_ball(c: Context) -> Iterable[Relation]:
    yield from enclosing_ball(c, Q(1))


@claim(
    "pgs.least-squares.ball.repaired",
    "Least squares on a ball: sigma r(w*) <= F(w*) <= F(0) <= (max |y|)^2/(2 gamma), which is (max |y|)^2 for (a - y)^2; pgs.a4 is twice as sharp for R^d",
    hypotheses="loss (a - y)^2/(2 gamma)", origin=untold("PGS, section III"),
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


def rcv1(sparsity: Any, nonzeros: int, batch: int) -> Instance:
    """The numbers of the experiments section; the sparsity's last digit is rounded."""
    return Instance(rows=(Qs(1),), y=Qs(1), alpha=Qs(0), lam=Q(1), extra={"n": 47236, "sparsity": Q(sparsity), "d": nonzeros, "k": batch})


@claim(
    "pgs.rcv1",
    "Section V: RCV1 has n = 47236 features, d = 40 of them in a row, sparsity 0.16 %; k = 300 for p = 1.8 is n/d",
    hypotheses="each number as rounded: d within 5, sparsity within 0.005 %, k within 50", origin=untold("PGS, section V"), expected="REFUTED",
    evidence=[golden(rcv1("16/10000", 40, 300), detail="0.16 % of 47236 is 75.6; 47236/40 = 1181")],
    control=holds_on(rcv1("85/100000", 40, 1181), text="0.085 % and k = 1181"),
    proof="The three numbers do not fit one another; nothing in the theory depends on them.",
)
def rcv1_numbers(c: Context) -> Iterable[Relation]:
    e = c.instance.extra
    yield Le(abs(e["sparsity"] * e["n"] - e["d"]), 5 + Q(5, 10**5) * e["n"], "d = sparsity n")
    yield Le(abs(Q(e["n"], e["d"]) - e["k"]), 50 + Q(e["n"], e["d"]) * Q(5, 40), "k = n/d")
