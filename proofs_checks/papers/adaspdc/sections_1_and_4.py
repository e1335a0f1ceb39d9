"""AdaSPDC, section 1: the conjugates behind (4), and strong convexity; section 4: ridge regression, its solution, its
conjugate and the closed forms of both updates; the smooth hinge, the logistic loss, the constants of SAG, and Table 1.

(4)    phi_i(a_i^T x) = max_y <x, y a_i> - phi_i*(y), printed with phi_i* on the left
(18)   J(x) = (1/n) sum_i (a_i^T x - b_i)^2/2 + (lam/2)||x||^2          (19)   phi_i*(y) = y^2/2 + b_i y
smooth hinge   phi_i*(y) = b_i y + (gamma/2) y^2 for b_i y in [-1, 0], printed for gamma = 1
logistic       phi_i*(y) = -b_i y log(-b_i y) + (1 + b_i y) log(1 + b_i y) for b_i y in (-1, 0)
"""

from collections.abc import Iterable
from fractions import Fraction

from hypothesis.strategies import SearchStrategy

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.registry import Hypothesis, claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Relation, Same
from dualgap.proofs_checks.engines.optimum import solve_linear
from dualgap.proofs_checks.evidence.levels import all_of, exact, false_with, golden, holds_on
from dualgap.proofs_checks.papers.adaspdc.instances import EMPTY, SAMPLES_OF_TWO, UNEQUAL_ROWS, instances
from dualgap.proofs_checks.papers.adaspdc.items import PAPER
from dualgap.proofs_checks.papers.adaspdc.setting import ANY_LOSS, RIDGE, STEPS, setting
from dualgap.proofs_checks.papers.vocabulary import each, refuted, slip
from dualgap.proofs_checks.strategies.instances import one_step_any
from dualgap.reference.numbers.arithmetic import Number, sqrt
from dualgap.reference.numbers.interval import Interval
from dualgap.reference.problem.losses import SmoothedHinge


def conjugacy(c: Context, star: bool = False, gamma: Number | None = None) -> Iterable[Relation]:
    """phi(z), or phi*(z), against max_v v z - phi*(v), attained at v = phi'(z); or b v + gamma v^2/2 for phi*."""
    loss = c.problem.loss
    for z, y in zip(c.z, c.problem.y):
        best = loss.derivative(z, y)
        conjugate = loss.conjugate(best, y) if gamma is None else y * best + gamma * best * best / 2
        name, value = ("phi*", loss.conjugate(z, y)) if star else ("phi", loss.value(z, y))
        yield Eq(value, best * z - conjugate, f"{name}(z) = max_v v z - phi*(v) at z = {z}")


SHIFTED = Instance(rows=(Qs(2),), y=Qs(3), alpha=Qs(1), lam=Q(1), gamma=Q(1))


@refuted(
    "adaspdc.4-printed",
    r"(4) as printed: $\varphi_i^*(a_i^T x) =$ $\max_y \langle x, y a_i\rangle -$ $\varphi_i^*(y)$",
    hypotheses="squared loss",
    origin=PAPER.reading("(4)", note="our copy, converted by machine, has the star on the left of the first sign"),
    evidence=[golden(SHIFTED, detail="a = 2, b = 3, x = -2")],
    control=holds_on(SHIFTED.but(y=Qs(0)), text="b = 0 and gamma = 1, where phi* = phi"),
    instead="adaspdc.strong-convexity",
    proof="With phi_i on the left it is the definition of phi_i*, as adaspdc.strong-convexity checks it.",
)
def printed_4(c: Context) -> Iterable[Relation]:
    yield from conjugacy(c, star=True)


ONE_STEP = Instance(rows=(Qs(1),), y=Qs(1), alpha=Qs(1), lam=Q(1), gamma=Q(1))


@claim(
    "adaspdc.strong-convexity",
    "Section 1: (4), phi_i(z) = max_v v z - phi_i*(v), and strong convexity, with ||x' - x||^2 and grad phi_i* (printed"
    " ||x_i' - x_i||^2 and grad phi*)",
    hypotheses=f"{ANY_LOSS}; L2, elastic net",
    origin=PAPER.reading(
        "Strong convexity",
        "(4)",
        note=(
            "x_i has no meaning next to x, and phi* is another function than phi_i*: read with ||x' - x||^2 and grad"
            " phi_i*, which fits the words before it"
        ),
    ),
    evidence=[exact(one_step_any, 0.3)],
    control=all_of(false_with("2 gamma, 2 lam", ONE_STEP, factor=2), false_with("phi_i* in (4)", SHIFTED, star=True)),
)
def strong_convexity(c: Context, factor: int = 1, star: bool = False) -> Iterable[Relation]:
    yield from conjugacy(c, star)
    loss, g = c.problem.loss, c.problem.regularizer
    for i, (z, a, y) in enumerate(zip(c.z, c.alpha, c.problem.y)):
        best = loss.derivative(z, y)
        bound = loss.conjugate(best, y) + z * (a - best) + factor * c.gamma * (a - best) ** 2 / 2
        yield Le(bound, loss.conjugate(a, y), f"phi_{i}*, gradient z")
    minus_u = c.problem.minus_u(c.alpha)
    other = [w_j + 1 for w_j in c.w]
    bound = g.value(c.w) + sum(minus_u, Q(0)) + factor * c.mu * c.problem.d / 2
    yield Le(bound, g.value(other), "g at w + (1, .., 1), subgradient -u")


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
            yield Eq(closed + b - z + (closed - y) / sigma, 0, f"S = {s.choice}: the slope of (9) at that y+_{i}")
            yield Eq(closed, s.alpha[i], f"S = {s.choice}: y+_{i}")
        for i in set(range(t.n)) - set(s.choice):
            yield Eq(s.alpha[i], t.alpha[i], f"S = {s.choice}: y_{i} stays")


@slip(
    "adaspdc.ridge-printed",
    "Section 4.1, the closed form of the dual step for ridge as printed, "
    r"$(\langle a_i, \bar{x}\rangle + b_i + y_i/\sigma_i)/(1 + 1/\sigma_i)$: it solves (9), whose slope"
    " is 0 there",
    hypotheses=r"$\varphi_i = (a_i^T x - b_i)^2/2$",
    origin=PAPER.printed("Ridge steps"),
    evidence=[golden(UNEQUAL_ROWS, detail="three rows of norm 5, 1 and 2")],
    control=holds_on(UNEQUAL_ROWS.but(y=Qs(0, 0, 0), alpha=Qs(1, 0, -1)), text="b = 0"),
    instead="adaspdc.ridge-steps.repaired",
    assumes=[RIDGE, STEPS],
    proof="The term b_i has the wrong sign: the maximizer of (9) has -b_i.",
)
def printed_ridge(c: Context) -> Iterable[Relation]:
    yield from dual_lines(c, sign=1)


# -- section 4.2 -------------------------------------------------------------------------------------------------------

HINGE = Instance(rows=(Qs(1),), y=Qs(1), alpha=Qs("-1/2"), lam=Q(1), loss="smoothed-hinge", gamma=Q(1))
POINTS = Qs(0, "1/2", -1, 2, -7)


@claim(
    "adaspdc.hinge-conjugate",
    r"Section 4.2, the smooth hinge with $\gamma = 1$, as it is used there: $\varphi_i^*(y) = b_i y + y^2/2$",
    hypotheses=r"$\gamma = 1$, $b_i y$ in $[-1, 0]$",
    origin=PAPER.printed("Smooth hinge"),
    evidence=[golden(*(HINGE.but(alpha=a) for a in (Qs(0), Qs("-1/2"), Qs(-1))))],
    control=false_with("b_i y + y^2", HINGE, gamma=2),
)
def hinge_conjugate(c: Context, gamma: int = 1) -> Iterable[Relation]:
    yield from conjugacy(c, gamma=gamma)


@claim(
    "adaspdc.hinge-step",
    r"Section 4.2: the dual step of the smooth hinge, $\gamma = 1$, is that of ridge regression, projected onto $b_i"
    r" y_i$ in $[-1, 0]$",
    hypotheses=r"$\gamma = 1$; the ridge step with $-b_i$",
    origin=PAPER.printed("Smooth hinge, step", note="the ridge step as it must be: adaspdc.ridge-steps.repaired"),
    evidence=[golden(*(HINGE.but(y=y, alpha=(y[0] * a,)) for y in (Qs(1), Qs(-1)) for a in Qs(0, "-1/2", -1)))],
    control=false_with("not projected", HINGE, projected=False),
    proof="(9) is a parabola on an interval, and the same one for both losses.",
)
def projected_lines(c: Context, projected: bool = True) -> Iterable[Relation]:
    """Dual step of the smooth hinge at every z of POINTS and three sigma, against the ridge step, projected or not."""
    loss, y = SmoothedHinge(Q(1)).over(Fraction), c.instance.alpha[0]
    b = Q(1) if c.instance.y[0] > 0 else Q(-1)
    start = b * max(Q(-1), min(Q(0), b * y))
    for z in POINTS:
        for sigma in Qs("1/10", 1, 5):
            step = (z - b + start / sigma) / (1 + 1 / sigma)
            if projected:
                step = b * max(Q(-1), min(Q(0), b * step))
            yield Eq(loss.dual_step(z, start, b, 1 / sigma), step, f"z = {z}, sigma = {sigma}, y = {start}, b = {b}")


@claim(
    "adaspdc.logistic-modulus",
    r"Section 4.2: the logistic loss has $\gamma = 4$, $\varphi^{*\prime\prime} = 1/\beta +$ $1/(1 - \beta) \ge 4$",
    hypotheses=r"$0 < \beta < 1$",
    origin=PAPER.printed("Logistic, modulus"),
    evidence=[
        golden(*(HINGE.but(alpha=(-Q(k, 20),)) for k in range(1, 20)), detail="beta = 1/20 .. 19/20; equality at 1/2")
    ],
    control=false_with("5", HINGE, gamma=5),
    proof="1/beta + 1/(1 - beta) - 4 = (2 beta - 1)^2/(beta (1 - beta)).",
)
def logistic_modulus(c: Context, gamma: int = 4) -> Iterable[Relation]:
    beta = -c.instance.alpha[0]
    curvature = 1 / beta + 1 / (1 - beta)
    yield Le(Q(gamma), curvature, f"phi*'' at beta = {beta}")
    yield Eq(curvature, 4 + (2 * beta - 1) ** 2 / (beta * (1 - beta)), "the difference is a square")


def softplus(u: Number) -> Interval:
    """log(1 + e^u), enclosed."""
    return (1 + Interval(u).exp()).log()


ENTROPY = tuple(
    HINGE.but(y=(b,), alpha=(-b * beta,)) for b in Qs(1, -1) for beta in Qs("1/100", "1/3", "3/5", "99/100")
)


@claim(
    "adaspdc.logistic-conjugate",
    r"Section 4.2, the logistic loss: $\varphi_i^*(y) = -b_i y \,\log(-b_i y) +$ $(1 + b_i y) \,\log(1 + b_i y)$ for"
    r" $b_i y$ in $(-1, 0)$",
    hypotheses=r"$\varphi_i(z) = \log(1 + \exp(-b_i z))$",
    origin=PAPER.printed("Logistic"),
    evidence=[golden(*ENTROPY, detail="b_i y = -1/100, -1/3, -3/5, -99/100, both labels", level="ENCLOSED")],
    control=false_with("101/100 of it", ENTROPY[1], factor=Q(101, 100)),
    proof="y - phi'(z) = 0 where the logistic function of -b z is -b y.",
)
def entropy_lines(c: Context, factor: Number = 1) -> Iterable[Relation]:
    """max_z y z - phi(z) at y = alpha_1, b = y_1, against factor times the printed phi*(y)."""
    b, y = c.instance.y[0], c.instance.alpha[0]
    by = b * y
    value = factor * (-by * Interval(-by).log() + (1 + by) * Interval(1 + by).log())
    best = -b * (Interval(-by) / (1 + by)).log()
    yield Same(
        Interval(y * best - softplus(-b * best)),
        Interval(value),
        f"y z - phi(z) at z = -b log(-b y/(1 + b y)), y = {y}",
    )
    for z in POINTS:
        yield Le(y * z - softplus(-b * z), value, f"y z - phi(z) <= phi*(y) at z = {z}")


@claim(
    "adaspdc.sag-constants.function",
    r"Section 4.2, the smooth hinge: $\max\, \Vert a_i\Vert$ is a Lipschitz constant of $\varphi_i(a_i^T x)$",
    hypotheses=r"$\gamma = 1$",
    origin=PAPER.reading(
        "SAG, its L",
        note=(
            "of the function, without a square; SAG's step needs the constant of the gradient, which has one: for a ="
            " (3, 4) it is 25, not 5"
        ),
    ),
    evidence=[exact(one_step_any, 0.3)],
    control=false_with("99/100 of it", HINGE.but(rows=(Qs(3, 4),)), share=Q(99, 100)),
    proof="|phi'| <= 1.",
)
def function_lines(c: Context, share: Number = 1) -> Iterable[Relation]:
    b = Q(1) if c.instance.y[0] > 0 else Q(-1)
    loss = SmoothedHinge(Q(1)).over(Fraction)
    for norm2 in c.problem.norms2:
        for z in POINTS:
            for s in Qs("1/100", -2):
                change = loss.value(z + s * norm2, b) - loss.value(z, b)
                yield Le(
                    change * change, share * share * norm2 * s * s * norm2, f"||a||^2 = {norm2}, a^T x = {z}, s = {s}"
                )


LONG = HINGE.but(rows=(Qs(3, 4),), loss="logistic", gamma=None)


@refuted(
    "adaspdc.sag-constants.logistic",
    r"Section 4.2, the logistic loss: $\max\, \Vert a_i\Vert/4$ is a Lipschitz constant of $\varphi_i(a_i^T x)$, or at"
    r" least of its gradient",
    hypotheses="rows of any norm",
    origin=PAPER.reading(
        "SAG, its L", note="one square, max ||a_i||^2/4, makes it the constant of the gradient: a mark that copies lose"
    ),
    evidence=[
        golden(LONG, detail="a = (3, 4): 5 for the function and 25/4 for its gradient, not 5/4", level="ENCLOSED")
    ],
    control=holds_on(LONG.but(rows=(Qs("3/5", "4/5"),)), text="||a|| = 1, where it is one of the gradient"),
    instead="",
    proof=(
        "The suprema of |phi'| and phi'' are 1 and 1/4, so the smallest constants are ||a_i|| for the function and"
        " ||a_i||^2/4 for its gradient."
    ),
)
def logistic_constant(c: Context) -> Iterable[Relation]:
    def slope(z: Number) -> Interval:
        return -1 / (1 + Interval(z).exp())

    norm = sqrt(c.problem.R2)
    of_function = norm * (softplus(11) - softplus(10))
    of_gradient = norm * norm * (slope(Q(1, 10)) - slope(Q(-1, 10))) * 5
    least = of_function if of_function < of_gradient else of_gradient
    yield Le(
        least,
        norm / 4,
        "some quotient of the function between a^T x = -10 and -11, or of its gradient between -1/10 and 1/10",
    )


TABLE = EMPTY.but(extra=further(printed=Qs(20242, 47236), covtype=Qs(581012, 54)))


@slip(
    "adaspdc.table-1",
    "Table 1: covertype has 20,242 samples and 47,236 features",
    hypotheses="covertype: 581,012 samples, 54 features (LIBSVM's list; SPDC's Table of data sets)",
    origin=PAPER.printed("Table 1"),
    evidence=[golden(TABLE, detail="by transcription")],
    control=holds_on(TABLE.but(extra=TABLE.extra.but(covtype=Qs(20242, 47236))), text="RCV1's sizes"),
    instead="",
    proof="These are the sizes of RCV1 as SPDC's paper lists it.",
    assumes=[Hypothesis("covertype is the set of that name of the LIBSVM collection", "section 4.2")],
)
def table_1(c: Context) -> Iterable[Relation]:
    for value, due, what in zip(c.given.printed, c.given.covtype, ("samples", "features")):
        yield Eq(value, due, f"{what} printed for covertype and those of covtype")
