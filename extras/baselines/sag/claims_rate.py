r"""SAG's best rate, the regularizer outside the table, for every n: the squared distance falls by (1 - a lam)^2.

The published rate, with the regularizer in the table, is 1 - min{a lam, 1/(8n)}. The function leaves
out the strongly convex part of P, which the factor (1 - a lam)^2 of every step takes care of exactly.
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction

from dualgap.extras.baselines.items import PAPER
from dualgap.extras.baselines.primal_sums import begun, smoothness, square_of_radius
from dualgap.extras.baselines.sag import strategies
from dualgap.extras.baselines.sag.claims_outside import HYPOTHESES, OUTSIDE_ONE, UNITS
from dualgap.extras.baselines.sag.strategies import OUTSIDE
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Q, Qs
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Relation
from dualgap.proofs_checks.evidence.formal import formal
from dualgap.proofs_checks.evidence.levels import all_of, exact, false_with, golden
from dualgap.proofs_checks.papers.vocabulary import EQUAL_PAIR, dot, minus, square
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.problem import Vector

PROOF = (
    f"{UNITS}, x = t/16, y = N x <= 7/16, rho_i = R (c_i - c_i*), s_i = R (phi_i'(x_i^T w) - c_i*). q^2 V - E V is q^2"
    " times F(p) - F(w) - <g, p - w>, 1/(2N) + q x times <g, w> - F(w) - mean s_i^2/2, 1/(2N) - x times F(w) - mean"
    " s_i^2/2 (convexity, smoothness), A ||e||^2 + B <e, g> + (C/N) ||g||^2, and 1/N times (D - 1/32) mean||e_i - e||^2"
    " + mean<e_i - e, g_i - g>/16 + C mean||g_i - g||^2 + D mean(rho_i^2 - ||e_i||^2) + (C + 1/32) mean(s_i^2 -"
    " ||g_i||^2), with A = (1 - y)(2 - x - 1/N)/32 + D/N - (1 - y)/(64N) - (1 - 1/N)/32, B = (1 - y)/(16N), C = 3/32 -"
    " x y/2, D = (3/8)(1 - 2y + x y). For x <= 1/16, y <= 7/16 and 1/N <= 1 A, C and D are affine in each of the three,"
    " so that the corners decide: A >= 23/8192 and, for N = 1, 57/1024, C >= 41/512; 4 A C - (1 - y)^2/(256N) is affine"
    " in 1/N and positive at both ends; (D - 1/32) C falls with y, is concave in x and above 1/1024 at both ends. V"
    " is at least its last term and F(p) + (2/N)(1 - 2y)||p||^2. No smaller factor: where x_i^T w = 0 and phi_i'(0) ="
    " c_i = 0, w falls by exactly q."
)


class Best:
    """V(p, c) = P(p) - P* + (4L/n - 3 lam/4)||u||^2 - <u, e>/2 + (n/(32L))||e||^2 + (3R^2/(8L)) mean (c_i - c_i*)^2.

    u = p - w*, e = mean (c_i - c_i*) x_i. The table c belongs to the step that is made at p: what is drawn there is in
    it, and the next iterate is w = (1 - a lam) p - (a/n) sum_i c_i x_i.
    """

    def __init__(self, c: Context) -> None:
        self.problem, self.L, self.star = c.problem, smoothness(c), c.problem.w(c.optimum)
        self.lam, self.least = c.problem.regularizer.lam, c.problem.P(self.star)
        self.due = [self.slope(i, self.star) for i in range(c.n)]
        self.R2 = square_of_radius(c.instance)

    def slope(self, i: int, w: Vector) -> Number:
        """phi_i'(x_i^T w)."""
        p = self.problem
        found: Number = p.loss.derivative(p.dot(p.rows[i], w), p.y[i])
        return found

    def slopes(self, w: Vector) -> Vector:
        """phi_i'(x_i^T w) - c_i*."""
        return [self.slope(i, w) - due for i, due in enumerate(self.due)]

    def F(self, w: Vector) -> Number:
        """P - P* - (lam/2)||. - w*||^2, which is convex and 0 at w*."""
        return self.problem.P(w) - self.least - self.lam / 2 * square(minus(w, self.star))

    def moved(self, slopes: Vector) -> list[Vector]:
        """slope_i x_i, dense."""
        found = [[self.problem.zero] * self.problem.d for _ in slopes]
        for own, row, slope in zip(found, self.problem.rows, slopes):
            for j, x in row:
                own[j] = slope * x
        return found

    def mean(self, vectors: list[Vector]) -> Vector:
        """Their mean."""
        return [sum(column, self.problem.zero) / len(vectors) for column in zip(*vectors)]

    def __call__(self, p: Vector, c: Vector) -> Number:
        n, L, u = self.problem.n, self.L, minus(p, self.star)
        own = minus(c, self.due)
        e = self.mean(self.moved(own))
        near = (4 * L / n - self.lam / 4) * square(u) - dot(u, e) / 2 + n * square(e) / (32 * L)
        return self.F(p) + near + 3 * self.R2 * square(own) / (8 * L * n)

    def least_of(self, p: Vector, c: Vector) -> Number:
        """What V is never below."""
        n, L = self.problem.n, self.L
        far = (2 * L / n - self.lam / 4) * square(minus(p, self.star))
        return far + 3 * self.R2 * square(minus(c, self.due)) / (8 * L * n)


def weights(x: Number, y: Number, one: Number) -> tuple[Number, Number, Number]:
    """A, C and D of the proof; ``one`` is 1/N. Each is affine in each of the three."""
    C, D = (3 - 16 * x * y) / 32, 3 * (1 - 2 * y + x * y) / 8
    return (1 - y) * (2 - x - one) / 32 + D * one - (1 - y) * one / 64 - (1 - one) / 32, C, D


def parts(V: Best, p: Vector, w: Vector, c: Vector) -> Iterator[Number]:
    """The terms of the proof, none of which is negative, in its units."""
    n, L, t = V.problem.n, V.L, V.lam / V.L
    x, one, own, new = t / 16, V.problem.number(1) / n, minus(c, V.due), V.slopes(w)
    q, y, u = 1 - x, n * x, minus(w, V.star)
    e_i, g_i = V.moved([a / L for a in own]), V.moved([a / L for a in new])
    e, g = V.mean(e_i), V.mean(g_i)
    rho, s = (V.R2 * square(slopes) / L**2 / n for slopes in (own, new))
    F = V.F(w) / L
    yield q * q * (V.F(p) / L - F - dot(g, minus(p, w)))
    yield (one / 2 + q * x) * (dot(g, u) - F - s / 2)
    yield (one / 2 - x) * (F - s / 2)
    A, C, D = weights(x, y, one)
    yield A * square(e) + (1 - y) / (16 * n) * dot(e, g) + C / n * square(g)
    apart = [(minus(a, e), minus(b, g)) for a, b in zip(e_i, g_i)]
    zero = V.problem.zero
    ee = sum((square(a) for a, _ in apart), zero) / n
    eg = sum((dot(a, b) for a, b in apart), zero) / n
    gg = sum((square(b) for _, b in apart), zero) / n
    yield (D * ee - ee / 32 + eg / 16 + C * gg) / n
    yield D * (rho - ee - square(e)) / n
    yield (C * 32 + 1) * (s - gg - square(g)) / (32 * n)


# along no row: w falls by 1 - a lam
LINE_ALONE = OUTSIDE_ONE.but(rows=(Qs(1, 0),), lam=Q(1, 4), path=(0,), extra=further(w=Qs(0, 1)))
FLAT = [  # along no row: w falls by 1 - a lam, and the table stays 0
    LINE_ALONE.but(rows=(Qs(1, 0),) * n, y=Qs(*[0] * n), alpha=Qs(*[0] * n), lam=lam)
    for n in range(1, 9)
    for lam in Qs("1/4", 4)
]
# w = c = 0, but phi_2'(0) = -5: w* is not 0, and w does not fall by 1 - a lam
PULLED = EQUAL_PAIR.but(y=Qs(0, 5), method="sag", options=OUTSIDE, path=(0,), extra=further(w=Qs(0)))


@claim(
    "baselines.sag.rate.best",
    "SAG with the regularizer outside the table, its best rate, any state:"
    r" $\mathbb{E} V(w, c^+) \le (1 - \lambda/(16L))^2 V(p, c)$, w the iterate after p and $c^+$ the table with a row"
    r" of w; $V(p, c) = P(p) - P^* + (4L/n - 3\lambda/4) \Vert u\Vert^2 - \langle u, e\rangle/2"
    r" + (n/(32L)) \Vert e\Vert^2 + (3R^2/(8L)) mean_i (c_i - c_i^*)^2$ is at least"
    r" $(2L/n - \lambda/4) \Vert u\Vert^2 + (3R^2/(8L)) mean_i (c_i - c_i^*)^2$, $u = p - w^*$,"
    r" $e = mean_i (c_i - c_i^*) x_i$; and no smaller factor: along no row $\Vert w - w^*\Vert^2$ falls by exactly"
    " this",
    hypotheses=(
        f"{HYPOTHESES}; n lam <= 7L, which holds for every lam if n <= 7, and for every n if R^2/(n lam gamma) >= 1/7"
    ),
    origin=PAPER.ours("SAG, Theorem 1"),
    evidence=[
        golden(
            OUTSIDE_ONE.but(path=(0,) * 16), *FLAT, PULLED, detail="one row 16 times; along no row, n = 1 to 8; w = 0"
        ),
        exact(strategies.sag_states_outside),
        formal("sag_best_rate"),
    ],
    control=all_of(false_with("the factor lowered by 1e-6", *FLAT, less=Q(1, 10**6))),
    kills=["baselines.sag-no-difference"],
    proof=PROOF,
)
def best(c: Context, less: Fraction | int = 0) -> Iterable[Relation]:
    c = begun(c)
    V = Best(c)
    if c.n * V.lam > 7 * V.L:
        return
    before, now = c.states[-2:]
    p, w, q = before.w, list(now.w), 1 - V.lam / (16 * V.L)
    value, after = V(p, now.c), c.expect(lambda successor: V(w, successor.state.c))
    yield Le(V.least_of(p, now.c), value, "the least of V")
    yield Le(after, (q * q - less) * value, "E V(w, c+) <= (1 - a lam)^2 V(p, c)")
    terms = list(parts(V, p, w, now.c))
    yield Eq(q * q * value - after, V.L * sum(terms, V.problem.zero), "the identity of the proof")
    for k, term in enumerate(terms, 1):
        yield Le(0, term, f"its term {k}")
    if not any(V.due) and not any(now.c) and not any(map(c.problem.dot, c.problem.rows, [w] * c.n)):
        yield Eq(square(minus(w, V.star)), q * q * square(minus(p, V.star)), "||w - w*||^2 along no row")
