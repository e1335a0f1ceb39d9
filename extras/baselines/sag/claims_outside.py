"""SAG as it is run on data, the regularizer outside the table: the bound of Theorem 1 is false for it; what holds, and
why.

At w* the table's mean is -lam w*, and it begins at 0. C_0 does not see that: its last term is about f_i'(w*) =
phi_i'(x_i^T w*) x_i
+ lam w*, whose mean is 0, as that of the table is in the form of the theorem. With n lam^2||w*||^2/(16L) more the bound
holds.
"""

from dualgap.extras.baselines.sag import strategies
from dualgap.extras.baselines.sag.claims import LONG_ROW, ONE_ROW, UNEQUAL, Bound, not_squared, rate, smoothness
from dualgap.extras.baselines.sag.strategies import OUTSIDE, begun
from dualgap.extras.baselines.terms import *

HYPOTHESES = (
    "phi_i convex and (1/gamma)-smooth, g = (lam/2)||w||^2, uniform order, a = 1/(16L), L = R^2/gamma + lam, lines 4'"
    " to 6', divisor n"
)

UNITS = (
    "L = 1, t = lam, N = n, g_i = (phi_i'(x_i^T w) - phi_i'(x_i^T w*)) x_i, g their mean, q = 1 - t/16, F = P - P* -"
    " (t/2)||. - w*||^2, all vectors from w*"
)
PROOF = (
    f"{UNITS}; w = q p - e/16, theta = (t/16 - rho)/q <= t/15, l = 1/(4N) + theta, y = t/4 - theta, r = N rho <= 1/8."
    " (1 - rho) V - E V is 1 - rho times F(p) - F(w) - <g, p - w>, rho + l times <g, w> - F(w) - mean||g_i||^2/2, l"
    " times F(w) - mean||g_i||^2/2 (convexity, smoothness), and (q/32)||e + 4y p||^2 + (theta/1024)||e + 32 g||^2 +"
    " ||e + 5 g||^2/(160N) + (3/(128N)) mean||e_i - e + (4/3)(g_i - g)||^2 + (rho/2 + theta + 11/(96N)) mean||g_i -"
    " g||^2 + ((1/128 - r/16)/N) mean||e_i - e||^2 + q ((t/2 + 2/N)(theta + t/16) - y^2/2)||p||^2 + (rho/2)||g||^2 +"
    " (3/64 - r/32 - t/512 + (5/128 - r/16)/N - q/32 - theta/1024 - 1/(160N))||e||^2: no coefficient is negative. V >="
    " F(p) + (t/2)||p||^2, for (2/N)||p||^2 - <p, e>/4 + (N/128)||e||^2 is a square."
)
START = (
    f"{UNITS}; w = w^0, h = 1 - 1/N, from the table 0 e = t w* and mean||f_i'(w*)||^2 = mean||e_i - e||^2. The"
    " difference is (<g, w> - mean||g_i||^2)/(4N) >= 0 and (2/N)||w + (N h/16) e||^2 + (5/(32N))||g - (N h/5) e||^2 +"
    " mean||e_i - e + g_i - g||^2/(32N) + mean||g_i - g||^2/(8N) + (N/16 - h/16 - (29/640) N h^2)||e||^2."
)

# -- the published bound -----------------------------------------------------------------------------------------------

AGREED = Instance(  # two rows that agree: f_1'(w*) = f_2'(w*) = 0, w* = 1/2, and SAG begins there
    rows=(Qs(1), Qs(1)), y=Qs(1, 1), alpha=Qs(0, 0), lam=Q(1), method="sag", options=OUTSIDE, extra=further(w=Qs("1/2"))
)
NEAR = AGREED.but(extra=further(w=Qs("501/1000")))
OUTSIDE_ONE, OUTSIDE_UNEQUAL, OUTSIDE_LONG = (
    instance.but(options=OUTSIDE) for instance in (ONE_ROW, UNEQUAL, LONG_ROW)
)


@refuted(
    "baselines.sag.theorem-outside",
    "Theorem 1 for the form that is run on data, the regularizer outside the table (a = 1/(16L), divisor n): the same"
    " bound, from the table 0",
    hypotheses="as there, but lines 4' to 6'",
    origin=PAPER.inference(
        "SAG, Theorem 1",
        note=(
            "the theorem is about the regularizer in the table, and true there; that it holds of the form that is run"
            " on data is not stated in any paper"
        ),
    ),
    evidence=[
        golden(
            AGREED,
            NEAR,
            level="ENUMERATED",
            detail="two equal rows, w^0 = w* = 1/2: C_0 = 0, and w^1 = 63/128; so no multiple of C_0 is enough",
        ),
        formal("sag_published_false", refutes=True),
    ],
    control=holds_on(OUTSIDE_ONE, OUTSIDE_UNEQUAL, text="w* = 0, or w^0 far from it: the bound holds up to k = 80"),
    proof=(
        "The table 0 has (1/n) sum_i c_i x_i = 0 where at w* it is -lam w*, so that w^1 leaves w* unless every row is"
        " drawn at once."
    ),
)
def theorem_outside(c: Context) -> Iterable[Relation]:
    yield from rate(c, begun(c).start, Bound(c, smoothness(c)))


# -- what holds --------------------------------------------------------------------------------------------------------


def bound(c: Context, share: Number) -> Bound:
    """The bound of Theorem 1 with share lam^2||w*||^2/(16L) added to C_0."""
    found, L, p = Bound(c, smoothness(c)), smoothness(c), c.problem
    found.C_0 = found.C_0 + share * square(p.regularizer.lam * w_j for w_j in p.w(c.optimum)) / (16 * L)
    return found


MANY = AGREED.but(rows=(Qs(1),) * 12, y=Qs(*[1] * 12), alpha=Qs(*[0] * 12), lam=Q(1, 8), extra=further(w=Qs("8/9")))


@claim(
    "baselines.sag.theorem-outside.repaired",
    "SAG with the regularizer outside the table, from the table 0: E P(w^k) - P* <= (1 - min{lam/(16L), 1/(8n)})^k (C_0"
    " + n lam^2||w*||^2/(16L)), C_0 of Theorem 1",
    hypotheses=HYPOTHESES,
    origin=PAPER.ours("SAG, Theorem 1"),
    evidence=[
        golden(
            OUTSIDE_ONE,
            OUTSIDE_UNEQUAL,
            AGREED,
            NEAR,
            level="ENUMERATED",
            detail="k <= 80; also from w^0 = w*, which refutes baselines.sag.theorem-outside",
        ),
        Enumerated(strategies.sag_starts_outside, 0.1),
        formal("sag_outside"),
    ],
    control=all_of(
        false_with("lam^2||w*||^2/(16L) without its n, twelve equal rows from w*", MANY, share=Q(1)),
        not_squared(OUTSIDE_LONG),
    ),
    kills=["baselines.sag-no-difference"],
    proof="baselines.sag.outside-start, then k times baselines.sag.outside-step.",
)
def repaired(c: Context, share: Number | None = None) -> Iterable[Relation]:
    yield from rate(c, begun(c).start, bound(c, c.q(c.n) if share is None else share))


# -- why it holds ------------------------------------------------------------------------------------------------------


class Lyapunov:
    """V(p, c) = P(p) - P* + (2L/n)||u||^2 - (1/4)<u, e> + (n/(32L))||e||^2 + (1/(16L)) (1/n) sum_i ||e_i||^2 and its
    decrease.

    u = p - w*, e_i = (c_i - phi_i'(x_i^T w*)) x_i, e their mean; rho = min{lam/(16L), 1/(8n)}. The table c belongs to
    the step that is made at p: what is drawn there is in it, and the next iterate is w = (1 - a lam) p - (a/n) sum_i
    c_i x_i.
    """

    def __init__(self, c: Context) -> None:
        self.problem, self.L, self.star = c.problem, smoothness(c), c.problem.w(c.optimum)
        self.lam, self.least = c.problem.regularizer.lam, c.problem.P(self.star)
        self.due = [self.slope(i, self.star) for i in range(c.n)]
        self.rho = min(self.lam / (16 * self.L), Q(1, 8 * c.n))

    def slope(self, i: int, w: Vector) -> Number:
        """phi_i'(x_i^T w)."""
        p = self.problem
        found: Number = p.loss.derivative(p.dot(p.rows[i], w), p.y[i])
        return found

    def __call__(self, p: Vector, c: Vector) -> Number:
        n, L, zero = self.problem.n, self.L, self.problem.zero
        e, own = [zero] * self.problem.d, zero
        for row, c_i, due_i in zip(self.problem.rows, c, self.due):
            for j, x in row:
                e[j] = e[j] + (c_i - due_i) * x / n
                own = own + (c_i - due_i) * (c_i - due_i) * x * x / n
        u = minus(p, self.star)
        return (
            self.problem.P(p)
            - self.least
            + 2 * L / n * square(u)
            - dot(u, e) / 4
            + n * square(e) / (32 * L)
            + own / (16 * L)
        )


def after_a_step(c: Context) -> tuple[Lyapunov, Vector, Number]:
    """V, the iterate that the path leads to, and E V there, after the draw."""
    c = begun(c)
    V, w = Lyapunov(c), list(c.state.w)
    return V, w, c.expect(lambda successor: V(w, successor.state.c))


# along no row: w falls by 1 - a lam
LINE_ALONE = OUTSIDE_ONE.but(rows=(Qs(1, 0),), lam=Q(1, 4), path=(0,), extra=further(w=Qs(0, 1)))


@claim(
    "baselines.sag.outside-step",
    "SAG with the regularizer outside the table, any state: V(p, c) >= P(p) - P*, and E V(w, c+) <= (1 - min{lam/(16L),"
    " 1/(8n)}) V(p, c), w the iterate after p and c+ the table with a row of w; V(p, c) = P(p) - P* + (2L/n)||u||^2 -"
    " <u, e>/4 + (n/(32L))||e||^2 + (1/(16L)) mean_i ||e_i||^2, u = p - w*, e_i = (c_i - phi_i'(x_i^T w*)) x_i, e ="
    " mean_i e_i",
    hypotheses=HYPOTHESES,
    origin=PAPER.ours("SAG, Theorem 1"),
    evidence=[
        golden(OUTSIDE_ONE.but(path=(0,) * 16), LINE_ALONE, detail="one row 16 times; along no row"),
        exact(strategies.sag_states_outside),
    ],
    control=false_with("twice the decrease", LINE_ALONE, times=2),
    kills=["baselines.sag-no-difference"],
    proof=PROOF,
)
def one_step(c: Context, times: int = 1) -> Iterable[Relation]:
    """The claim with ``times`` its decrease; p and c are of the state before the path's last choice, with its row."""
    V, _, after = after_a_step(c)
    before, now = begun(c).states[-2:]
    value = V(before.w, now.c)
    yield Le(c.problem.P(before.w) - V.least, value, "P(p) - P* <= V(p, c)")
    yield Le(after, (1 - times * V.rho) * value, "E V(w, c+) <= (1 - rho) V(p, c)")


@claim(
    "baselines.sag.outside-start",
    "SAG with the regularizer outside the table, the first draw from the table 0: E V(w^0, c) <= C_0 + n"
    " lam^2||w*||^2/(16L), V of baselines.sag.outside-step",
    hypotheses=HYPOTHESES,
    origin=PAPER.ours("SAG, Theorem 1"),
    evidence=[
        golden(AGREED, NEAR, MANY, OUTSIDE_UNEQUAL, detail="from w* and elsewhere"),
        exact(strategies.sag_starts_outside_any, 0.5),
    ],
    control=false_with("without n lam^2||w*||^2/(16L)", AGREED, NEAR, share=Q(0)),
    proof=START,
)
def outside_start(c: Context, share: Number | None = None) -> Iterable[Relation]:
    yield Le(after_a_step(c)[2], bound(c, c.q(c.n) if share is None else share).C_0, "E V(w^0, c)")
