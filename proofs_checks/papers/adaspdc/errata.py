"""AdaSPDC, what the paper prints and what is meant: each slip of print REFUTED by an exact instance beside what does
hold.

Theorem 1, (16), is in ``theorem_1``, (17) in ``proof``, the ridge example in ``ridge``.
"""

from dualgap.proofs_checks.engines.quadratic_forms import pivots
from dualgap.proofs_checks.papers.adaspdc.hypotheses import CONVEX, RIDGE, ROWS_MAY_DIFFER, SAMPLES, STEPS
from dualgap.proofs_checks.papers.adaspdc.items import PAPER
from dualgap.proofs_checks.papers.adaspdc.steps import G1, G4, G5
from dualgap.proofs_checks.papers.adaspdc.strategies import published_blocks
from dualgap.proofs_checks.papers.adaspdc.terms import columns_of, parts, terms
from dualgap.proofs_checks.papers.vocabulary import *

HINGE = Instance(
    rows=(Qs(1),),
    y=Qs(1),
    alpha=Qs("-1/5"),
    lam=Q(1),
    loss="smoothed-hinge",
    gamma=Q(1),
    method="adaspdc",
    extra=further(z=Q(3, 5), s=Q(1, 2)),
)
ANY_LOSS = "squared, smoothed hinge and squared hinge, at z = x_i^T w(alpha)"


def slope(c: Context, z: Number) -> Number:
    """phi_1'(z)."""
    return c.problem.loss.derivative(z, c.problem.y[0])


# -- (9) ---------------------------------------------------------------------------------------------------------------


def candidates(c: Context) -> list[Number]:
    """The zero of each linear piece's line."""
    z, s, alpha, y, gamma = c.given.z, c.given.s, c.instance.alpha[0], c.problem.y[0], c.gamma
    return [alpha + s * (z - piece) for piece in (Q(0), -y)] + [(z + y / gamma + alpha / s) / (1 / gamma + 1 / s)]


@claim(
    "adaspdc.9-printed",
    r"(9) as printed, with $\varphi_i(y_i)$, as a step on $L$ of (2): the new $y_i$ lies in the domain of"
    r" $\varphi_i^*$, outside which $L$ is "
    "infinite",
    hypotheses=r"smooth hinge, $\gamma = 1$",
    origin=PAPER.printed("(9)", note="a slip of print: (6) and the closed forms of section 4 have phi*"),
    expected="REFUTED",
    evidence=[golden(HINGE, detail="b = 1, gamma = 1, sigma = 1/2, z = 3/5, y = -1/5: it gives 2/5, outside [-1, 0]")],
    control=holds_on(HINGE.but(extra=further(z=Q(-2), s=Q(1, 2))), text="z = -2"),
    assumes=[
        *CONVEX,
        Hypothesis(
            "the smooth hinge loss with gamma = 1",
            "section 4.2",
            lambda c: c.instance.loss == "smoothed-hinge" and c.gamma == 1,
        ),
        Hypothesis("sigma_i is (10)", "section 3", lambda c: c.given.s == terms(c).sigma[0]),
        Hypothesis(
            "y_i^t lies in the domain of phi_i*",
            "section 1, (2)",
            lambda c: c.problem.loss.in_domain(c.instance.alpha[0], c.problem.y[0]),
        ),
    ],
)
def printed_9(c: Context) -> Iterable[Relation]:
    z, s, alpha, y = c.given.z, c.given.s, c.instance.alpha[0], c.problem.y[0]
    found = next(v for v in candidates(c) if slope(c, v) - z + (v - alpha) / s == 0)
    yield Eq(slope(c, found) + (found - alpha) / s, z, "phi'(v) + (v - y)/sigma = z: v minimises (9) as printed")
    yield Le(-y * found, 1, "-b v <= 1")
    yield Le(Q(0), -y * found, "-b v >= 0")


@claim(
    "adaspdc.9-printed.repaired",
    "(9), repaired, with phi_i*(y_i): the dual step stays in the domain and z - (v - y)/sigma is a point where v is the"
    " slope of phi_i",
    hypotheses=ANY_LOSS,
    origin=PAPER.ours("(9)"),
    evidence=[exact(one_step_any, 0.3), golden(HINGE, detail="-4/15 in the place of 2/5")],
    control=false_with("1/sigma for sigma", HINGE, star=False),
)
def right_step(c: Context, star: bool = True) -> Iterable[Relation]:
    """(9) with phi*: Fenchel's equality at z - (v - alpha)/s, and the domain."""
    loss, y, alpha = c.problem.loss, c.problem.y[0], c.instance.alpha[0]
    z = c.given.z if c.instance.extra.has("z", "s") else c.z[0]
    for s in (Q(1, 2), Q(3)):
        v = loss.dual_step(z, alpha, y, 1 / s) if star else loss.dual_step(z, alpha, y, s)
        at = z - (v - alpha) / s
        yield Eq(int(loss.in_domain(v, y)), 1, "the new alpha lies in the domain")
        yield Eq(
            loss.value(at, y) + loss.conjugate(v, y),
            v * at,
            f"sigma = {s}: phi(z') + phi*(v) = v z' at z' = z - (v - alpha)/sigma",
        )
        if c.instance.extra.has("z", "s") and s == Q(1, 2):
            yield Eq(v, Q(-4, 15), "the step at the printed counterexample")


# -- (4) ---------------------------------------------------------------------------------------------------------------


def conjugacy(c: Context, left: str, gamma_of_conjugate: Any = None) -> Iterable[Relation]:
    """The left side of (4) against max_y <x, y a> - phi*(y), which is attained at y = phi'(z)."""
    loss = c.problem.loss
    for z, y in zip(c.z, c.problem.y):
        best = loss.derivative(z, y)
        conjugate = (
            loss.conjugate(best, y)
            if gamma_of_conjugate is None
            else y * best + c.q(gamma_of_conjugate) * best * best / 2
        )
        value = loss.value(z, y) if left == "phi" else loss.conjugate(z, y)
        yield Eq(value, best * z - conjugate, f"{left}(z) = max_v v z - phi*(v) at z = {z}")


SHIFTED = Instance(rows=(Qs(2),), y=Qs(3), alpha=Qs(1), lam=Q(1), gamma=Q(1))


@claim(
    "adaspdc.4-printed",
    r"(4) as printed: $\varphi_i^*(a_i^T x) =$ $\max_y \langle x, y a_i\rangle -$ $\varphi_i^*(y)$",
    hypotheses="squared loss",
    origin=PAPER.printed("(4)", note="a slip of print: the star stands on the left of the first sign"),
    expected="REFUTED",
    evidence=[golden(SHIFTED, detail="a = 2, b = 3, x = -2")],
    control=holds_on(SHIFTED.but(y=Qs(0)), text="b = 0 and gamma = 1, where phi* = phi"),
    assumes=[
        Hypothesis(
            "phi_i is a convex loss of a_i^T x, phi_i* its conjugate; the squared loss is one of the paper's",
            "section 1, (3), (4)",
            RIDGE.holds,
        )
    ],
)
def printed_4(c: Context) -> Iterable[Relation]:
    yield from conjugacy(c, "phi*")


@claim(
    "adaspdc.4-printed.repaired",
    "(4), repaired: phi_i(a_i^T x) = max_y <x, y a_i> - phi_i*(y)",
    hypotheses=ANY_LOSS,
    origin=PAPER.ours("(4)"),
    evidence=[exact(one_step_any, 0.3)],
    control=altered("phi* on the left", lambda c: conjugacy(c, "phi*"), SHIFTED),
)
def repaired_4(c: Context) -> Iterable[Relation]:
    yield from conjugacy(c, "phi")


# -- the ridge step ----------------------------------------------------------------------------------------------------


def ridge_step(c: Context, sign: int) -> Iterable[Relation]:
    """v = (z + sign b + y/sigma)/(1 + 1/sigma) leaves alpha* as it is at w*."""
    star = c.optimum
    w = c.problem.w(star)
    for i, (row, b, s) in enumerate(zip(c.problem.rows, c.problem.y, terms(c).sigma)):
        z = c.problem.dot(row, w)
        v = (z + sign * b + star[i] / s) / (1 + 1 / s)
        yield Eq(v, star[i], f"the step of row {i} at the saddle point")


@claim(
    "adaspdc.ridge-printed",
    "Section 4.1, the closed form of the dual step for ridge as printed, "
    r"$(\langle a_i, \bar{x}\rangle + b_i + y_i/\sigma_i)/(1 + 1/\sigma_i)$: being (9), it leaves $y^*_i$ as it is at"
    r" $\bar{x} = x^*$",
    hypotheses=r"$\varphi_i = (a_i^T x - b_i)^2/2$",
    origin=PAPER.printed("Ridge steps"),
    expected="REFUTED",
    evidence=[golden(G1, detail="three rows: its fixed point is (-x*, -y*), where J = 289/87; J* = 59/261, J(0) = 1")],
    control=holds_on(
        G1.but(y=Qs(0, 0, 0), rows=(Qs(3, 4), Qs(1, 0), Qs(0, 2)), extra=further(shift=Q(1))), text="b = 0"
    ),
    assumes=[RIDGE, STEPS],
)
def printed_ridge(c: Context) -> Iterable[Relation]:
    if c.instance.extra.has("shift"):
        yield Eq(c.problem.P([Q(1), Q(0)]), Q(11, 6), "J(1, 0) with b = 0")
    yield from ridge_step(c, 1)


@claim(
    "adaspdc.ridge-printed.repaired",
    "Section 4.1, repaired: with -b_i the saddle point is the fixed point; with +b_i it is (-x*, -y*)",
    hypotheses=r"$\varphi_i = (a_i^T x - b_i)^2/2$",
    origin=PAPER.ours("Ridge steps"),
    evidence=[golden(G1.but(extra=further(J=Qs("289/87", "59/261", 1))))],
    control=altered("+b_i", lambda c: ridge_step(c, 1), G1),
)
def mirrored(c: Context) -> Iterable[Relation]:
    """The fixed points of both steps and the objective there."""
    star = c.optimum
    w = c.problem.w(star)
    yield from ridge_step(c, -1)
    for i, (row, b) in enumerate(zip(c.problem.rows, c.problem.y)):
        z = c.problem.dot(row, [-w_j for w_j in w])
        yield Eq((z + b - 4 * star[i]) / 5, -star[i], f"+b_{i}: the step at (-x*, -y*), sigma = 1/4")
    for value, expected, label in zip(
        (c.problem.P([-w_j for w_j in w]), c.problem.P(w), c.problem.P([Q(0)] * c.problem.d)),
        c.given.J,
        ("-x*", "x*", "0"),
    ):
        yield Eq(value, expected, f"J({label})")


# -- conjugates and moduli ---------------------------------------------------------------------------------------------


HALF = Instance(rows=(Qs(1),), y=Qs(1), alpha=Qs("-1/2"), lam=Q(1), loss="smoothed-hinge", gamma=Q(1, 2))


@claim(
    "adaspdc.hinge-conjugate",
    r"Section 4.2, the smooth hinge with $\gamma = 1$, as it is used there: $\varphi_i^*(y) = b_i y + y^2/2$",
    hypotheses=r"$\gamma = 1$, $b_i y$ in $[-1, 0]$",
    origin=PAPER.printed("Smooth hinge"),
    evidence=[golden(*(HALF.but(gamma=Q(1), alpha=a) for a in (Qs(0), Qs("-1/2"), Qs(-1))))],
    control=altered("b_i y + y^2", lambda c: conjugacy(c, "phi", 2), HALF.but(gamma=Q(1))),
)
def hinge_conjugate(c: Context) -> Iterable[Relation]:
    yield from conjugacy(c, "phi", 1)


@claim(
    "adaspdc.hinge-conjugate.sharp",
    "Section 4.2, the smooth hinge with any gamma: phi_i*(y) = b_i y + (gamma/2) y^2",
    hypotheses="b_i y in [-1, 0]",
    origin=PAPER.ours("Smooth hinge", note="the loss is printed with gamma, its conjugate for gamma = 1"),
    evidence=[golden(*(HALF.but(gamma=g, alpha=a) for g in Qs("1/2", 1, 3) for a in (Qs(0), Qs("-1/2"), Qs(-1))))],
    control=altered("y^2/2, gamma = 1/2", lambda c: conjugacy(c, "phi", 1), HALF),
)
def hinge_conjugate_sharp(c: Context) -> Iterable[Relation]:
    yield from conjugacy(c, "phi", c.gamma)


SLOPES = tuple(HALF.but(alpha=(-Q(k, 20),)) for k in range(1, 20))


def curvature(c: Context, gamma: int = 4) -> Iterable[Relation]:
    """phi*'' = 1/beta + 1/(1 - beta) of the logistic loss."""
    beta = -c.instance.alpha[0]
    yield Le(Q(gamma), 1 / beta + 1 / (1 - beta), f"phi*'' at beta = {beta}")


@claim(
    "adaspdc.logistic-modulus",
    r"Section 4.2: the logistic loss has $\gamma = 4$, $\varphi^{*\prime\prime} = 1/\beta +$ $1/(1 - \beta) \ge 4$",
    hypotheses=r"$0 < \beta < 1$",
    origin=PAPER.printed("Logistic, modulus"),
    evidence=[golden(*SLOPES, detail="beta = 1/20 .. 19/20; equality at 1/2")],
    control=altered("5", lambda c: curvature(c, 5), HALF),
    proof="1/beta + 1/(1 - beta) - 4 = (2 beta - 1)^2/(beta (1 - beta)).",
)
def logistic_modulus(c: Context) -> Iterable[Relation]:
    yield from curvature(c)
    beta = -c.instance.alpha[0]
    yield Eq(1 / beta + 1 / (1 - beta), 4 + (2 * beta - 1) ** 2 / (beta * (1 - beta)), "the difference is a square")


ONE_STEP = Instance(rows=(Qs(1),), y=Qs(1), alpha=Qs(1), lam=Q(1), gamma=Q(1))


@claim(
    "adaspdc.strong-convexity",
    "Section 1, strong convexity, with ||x' - x||^2 and grad phi_i* (printed ||x_i' - x_i||^2 and grad phi*)",
    hypotheses=f"{ANY_LOSS}; L2, elastic net",
    origin=PAPER.reading(
        "Strong convexity",
        note=(
            "x_i has no meaning beside x, and phi* beside phi_i* is another function: read with ||x' - x||^2 and grad"
            " phi_i*, which fits the words before it"
        ),
    ),
    evidence=[exact(one_step_any, 0.3)],
    control=false_with("2 gamma, 2 lam", ONE_STEP, factor=2),
)
def strong_convexity(c: Context, factor: int = 1) -> Iterable[Relation]:
    """phi_i*(a') >= phi_i*(a) + z (a' - a) + (gamma/2)(a' - a)^2 at a = phi_i'(z), and the same of g with all of x' -
    x.
    """
    loss, g = c.problem.loss, c.problem.regularizer
    for i, (z, a, y) in enumerate(zip(c.z, c.alpha, c.problem.y)):
        best = loss.derivative(z, y)
        bound = loss.conjugate(best, y) + z * (a - best) + factor * c.gamma * (a - best) ** 2 / 2
        yield Le(bound, loss.conjugate(a, y), f"phi_{i}*, gradient z")
    minus_u = c.problem.minus_u(c.alpha)
    other = [w_j + 1 for w_j in c.w]
    bound = g.value(c.w) + sum(minus_u, Q(0)) + factor * c.mu * c.problem.d / 2
    yield Le(bound, g.value(other), "g at w + (1, .., 1), subgradient -u")


# -- R_i and the width of A_S ------------------------------------------------------------------------------------------


@claim(
    "adaspdc.spectral-norm",
    r"Section 3: $R_i = \sqrt{\mu_{\mathrm{max}}(A_i^T A_i)}$, $\mu_{\mathrm{max}}$ its largest eigenvalue, which is"
    r" its largest singular value too",
    hypotheses="blocks",
    origin=PAPER.printed("R_i"),
    evidence=[exact(published_blocks, 0.3), golden(G5)],
    control=false_with("99/100 of R_i^2", G5, shrink=Q(99, 100)),
)
def spectral(c: Context, shrink: Number = 1) -> Iterable[Relation]:
    """R_i^2 is the largest eigenvalue of A_i^T A_i: R_i^2 I - A_i^T A_i is semidefinite, and singular."""
    t = terms(c)
    for i, R_i in enumerate(t.problem.norms):
        columns = [column for place, column in columns_of(t.problem) if place == i]
        gram = [[sum((x * b.get(j, 0) for j, x in a.items()), Q(0)) for b in columns] for a in columns]
        form = [
            [(shrink * R_i**2 if k == h else 0) - value for h, value in enumerate(line)] for k, line in enumerate(gram)
        ]
        found = pivots(form)
        yield Eq(sum(pivot >= 0 for pivot in found), len(form), f"R_{i}^2 I - A_{i}^T A_{i} is semidefinite")
        yield Eq(int(any(pivot == 0 for pivot in found)), 1, "and singular: R_i^2 is an eigenvalue")


def width(c: Context, means: str) -> Iterable[Relation]:
    """The columns of A_S for S = {1 .. m} against m q_i or sum_S q_i."""
    t = terms(c)
    q = [len(parts(a)) for a in t.alpha]
    for s in t.c.successors:
        have = sum(place in s.choice for place, _ in columns_of(t.problem))
        for i in s.choice:
            yield Eq(
                have,
                t.m * q[i] if means == "m q_i" else sum(q[j] for j in s.choice),
                f"columns of A_S, S = {s.choice}, i = {i}: {means}",
            )


UNEVEN = G5.but(options={"m": 2}, lam=Q(1))


@claim(
    "adaspdc.width",
    r"(17): $A_S$ is a $d \times m q_i$ matrix",
    hypotheses="blocks",
    origin=PAPER.printed("(17), its size"),
    expected="REFUTED",
    evidence=[golden(UNEVEN, detail="q = (2, 1), m = 2: 3 columns")],
    control=holds_on(G4, text="rows"),
    assumes=[*CONVEX, ROWS_MAY_DIFFER, SAMPLES],
)
def printed_width(c: Context) -> Iterable[Relation]:
    yield from width(c, "m q_i")


@claim(
    "adaspdc.width.repaired",
    "(17), repaired: A_S is a d x sum_S q_i matrix",
    hypotheses="blocks whose columns are not zero",
    origin=PAPER.ours("(17), its size"),
    evidence=[golden(UNEVEN, G4, G5)],
    control=altered("m q_i", lambda c: width(c, "m q_i"), UNEVEN),
)
def repaired_width(c: Context) -> Iterable[Relation]:
    yield from width(c, "sum_S q_i")
