"""AdaSPDC, section 4.1, ridge regression: its solution, its conjugate and the closed forms of both updates.

(18)   J(x) = (1/n) sum_i (a_i^T x - b_i)^2/2 + (lam/2)||x||^2          (19)   phi_i*(y) = y^2/2 + b_i y
"""

from collections.abc import Iterable

from hypothesis.strategies import SearchStrategy

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Relation
from dualgap.proofs_checks.engines.optimum import solve_linear
from dualgap.proofs_checks.evidence.levels import exact, false_with, golden, holds_on
from dualgap.proofs_checks.papers.adaspdc.instances import SAMPLES_OF_TWO, UNEQUAL_ROWS, instances
from dualgap.proofs_checks.papers.adaspdc.items import PAPER
from dualgap.proofs_checks.papers.adaspdc.setting import RIDGE, STEPS, scaled, setting
from dualgap.proofs_checks.papers.vocabulary import each, slip
from dualgap.reference.numbers.arithmetic import Number

ON_RIDGE = r"$\varphi_i = (a_i^T x - b_i)^2/2$, $g = (\lambda/2)\Vert x\Vert^2$, $\lambda > 0$"


def ridge() -> SearchStrategy[Instance]:
    """The published method on ridge regression: gamma = 1, with c of (10) as it was drawn."""
    drawn = instances(method="adaspdc", losses=("squared",), l1=Qs(0))
    return drawn.map(lambda i: i.but(gamma=Q(1), lam=i.lam / (i.gamma or 1)))


@claim(
    "adaspdc.ridge-solution",
    r"Section 4.1: the minimiser of (18) is $x^* = (A A^T + n \lambda I)^{-1} A b$",
    hypotheses=ON_RIDGE,
    origin=PAPER.printed("Ridge solution", "(18)"),
    evidence=[exact(ridge, 0.5), golden(UNEQUAL_ROWS, SAMPLES_OF_TWO)],
    control=false_with("2 n lam", UNEQUAL_ROWS, weight=2),
    proof="The gradient of J is (1/n)(A A^T x - A b) + lam x; the matrix is positive definite.",
)
def ridge_solution(c: Context, weight: Number = 1) -> Iterable[Relation]:
    """x with (A A^T + weight n lam I) x = A b, and the gap that it leaves at y_i = a_i^T x - b_i."""
    p = c.problem
    rows = [[dict(row).get(j, Q(0)) for j in range(p.d)] for row in p.rows]
    system = [
        [sum((a[j] * a[k] for a in rows), Q(0)) + (weight * p.n * c.mu if j == k else 0) for k in range(p.d)]
        for j in range(p.d)
    ]
    x = solve_linear(system, [sum((a[j] * b for a, b in zip(rows, p.y)), Q(0)) for j in range(p.d)])
    y = [p.dot(row, x) - b for row, b in zip(p.rows, p.y)]
    yield from each(Eq, x, p.w(y), "x*_# = -(1/(lam n)) sum_i a_ij y_i")
    yield Eq(p.P(x), p.D(y), "J(x*) is the dual value at y_i = a_i^T x* - b_i, so that x* is the minimiser")


@claim(
    "adaspdc.ridge-conjugate",
    r"(19): the conjugate of $(z - b_i)^2/2$ is $\varphi_i^*(y) = y^2/2 + b_i y$, which is 1-strongly convex",
    hypotheses=ON_RIDGE,
    origin=PAPER.printed("(19)"),
    evidence=[exact(ridge, 0.3), golden(UNEQUAL_ROWS)],
    control=false_with("y^2", UNEQUAL_ROWS, part=1),
)
def ridge_conjugate(c: Context, part: int = 2) -> Iterable[Relation]:
    """phi(z) against max_v v z - (v^2/part + b v), attained at v = z - b, for three z of each row."""
    for b in c.problem.y:
        for z in Qs(0, "-1/2", 3):
            phi, v = c.problem.loss.value(z, b), z - b
            yield Eq(phi, v * z - v * v / part - b * v, f"phi(z) = v z - v^2/2 - b v at v = z - b, z = {z}, b = {b}")
            yield Le((v + 1) * z - (v + 1) ** 2 / part - b * (v + 1), phi, "and no more at v + 1")
    yield Eq(c.gamma, 1, "gamma")


@claim(
    "adaspdc.ridge-steps",
    "Section 4.1, the closed form of the primal update (11): "
    r"$x^{t+1} = (x^t/\tau^t - (r^t + (1/m) \sum_S a_j (y_j^{t+1} - y_j^t)))/(\lambda + 1/\tau^t)$",
    hypotheses=ON_RIDGE,
    origin=PAPER.printed("Ridge steps", "(11)"),
    evidence=[exact(ridge, 0.5), golden(UNEQUAL_ROWS, SAMPLES_OF_TWO)],
    control=false_with("x^t instead of x^t/tau^t", UNEQUAL_ROWS.but(path=((1,), (2,))), lost=True),
    kills=["adaspdc.weight-1/n", "adaspdc.steps-doubled"],
)
def primal_lines(c: Context, lost: bool = False) -> Iterable[Relation]:
    """x^{t+1} of every sample by the closed form, and the gradient of (11) there; lost: without tau in front of x^t."""
    t = setting(c)
    for s in t.c.successors:
        tau, _ = t.tau_theta(s.choice)
        for j, (x_j, u_j, new) in enumerate(zip(t.w, t.direction(s), s.w)):
            yield Eq((x_j / (1 if lost else tau) - u_j) / (t.lam + 1 / tau), new, f"S = {s.choice}: x+_{j}")
            yield Eq(t.lam * new + u_j + (new - x_j) / tau, 0, f"S = {s.choice}: (11) is stationary there")


@claim(
    "adaspdc.ridge-steps.repaired",
    "Section 4.1, the closed form of the dual update (9) with -b_i: y_i^{t+1} = (<a_i, x_bar^t> - b_i +"
    " y_i^t/sigma_i)/(1 + 1/sigma_i) for i in S",
    hypotheses=ON_RIDGE,
    origin=PAPER.ours("Ridge steps", "(9)", note="printed with +b_i: adaspdc.ridge-printed"),
    evidence=[exact(ridge, 0.5), golden(UNEQUAL_ROWS, SAMPLES_OF_TWO)],
    control=false_with("+b_i", UNEQUAL_ROWS, sign=1),
    kills=["adaspdc.plus-b", "adaspdc.steps-doubled"],
)
def dual_lines(c: Context, sign: int = -1) -> Iterable[Relation]:
    """y_i^{t+1} of every sample by the closed form with sign b_i, and the derivative of (9) with phi* of (19) there."""
    t = setting(c)
    for s in t.c.successors:
        for i in s.choice:
            z, b, y, sigma = t.problem.dot(t.problem.rows[i], t.w_bar), t.problem.y[i], t.alpha[i], t.sigma[i]
            closed = (z + sign * b + y / sigma) / (1 + 1 / sigma)
            yield Eq(closed, s.alpha[i], f"S = {s.choice}: y+_{i}")
            yield Eq(closed + b - z + (closed - y) / sigma, 0, f"S = {s.choice}: (9) is stationary at y+_{i}")
        for i in set(range(t.n)) - set(s.choice):
            yield Eq(s.alpha[i], t.alpha[i], f"S = {s.choice}: y_{i} stays")


# -- the dual step as printed ------------------------------------------------------------------------------------------


def ridge_step(c: Context, sign: int) -> Iterable[Relation]:
    """v = (z + sign b + y/sigma)/(1 + 1/sigma) leaves alpha* as it is at w*."""
    star = c.optimum
    w = c.problem.w(star)
    for i, (row, b, s) in enumerate(zip(c.problem.rows, c.problem.y, setting(c).sigma)):
        z = c.problem.dot(row, w)
        v = (z + sign * b + star[i] / s) / (1 + 1 / s)
        yield Eq(v, star[i], f"the step of row {i} at the saddle point")


@slip(
    "adaspdc.ridge-printed",
    "Section 4.1, the closed form of the dual step for ridge as printed, "
    r"$(\langle a_i, \bar{x}\rangle + b_i + y_i/\sigma_i)/(1 + 1/\sigma_i)$: being (9), it leaves $y^*_i$ as it is at"
    r" $\bar{x} = x^*$",
    hypotheses=r"$\varphi_i = (a_i^T x - b_i)^2/2$",
    origin=PAPER.printed("Ridge steps"),
    evidence=[
        golden(
            UNEQUAL_ROWS, detail="three rows: its fixed point is (-x*, -y*), where J = 289/87; J* = 59/261, J(0) = 1"
        )
    ],
    control=holds_on(UNEQUAL_ROWS.but(y=Qs(0, 0, 0), extra=further(shift=Q(1))), text="b = 0"),
    assumes=[RIDGE, STEPS],
    proof="The term b_i has the wrong sign: the maximizer of (9) has -b_i.",
)
def printed_ridge(c: Context) -> Iterable[Relation]:
    if c.given.has("shift"):
        yield Eq(c.problem.P([Q(1), Q(0)]), Q(11, 6), "J(1, 0) with b = 0")
    yield from ridge_step(c, 1)


@claim(
    "adaspdc.ridge-printed.repaired",
    "Section 4.1, repaired: with -b_i the saddle point is the fixed point; with +b_i it is (-x*, -y*)",
    hypotheses=r"$\varphi_i = (a_i^T x - b_i)^2/2$",
    origin=PAPER.ours("Ridge steps"),
    evidence=[golden(UNEQUAL_ROWS.but(extra=further(J=Qs("289/87", "59/261", 1))))],
    control=false_with("+b_i", UNEQUAL_ROWS, sign=1),
)
def mirrored(c: Context, sign: int = -1) -> Iterable[Relation]:
    w, zero = c.problem.w(c.optimum), [Q(0)] * c.problem.d
    yield from ridge_step(c, sign)
    for i, (row, b, star) in enumerate(zip(c.problem.rows, c.problem.y, c.optimum)):
        z = c.problem.dot(row, scaled(-1, w))
        yield Eq((z + b - 4 * star) / 5, -star, f"+b_{i}: the step at (-x*, -y*), sigma = 1/4")
    for point, due, label in zip((scaled(-1, w), w, zero), c.given.J, ("-x*", "x*", "0")):
        yield Eq(c.problem.P(point), due, f"J({label})")
