"""SDCA, slides "Dual Problem", "Derivation", "Relationship" and "Examples", in the slides' sign alpha' = -alpha.

P(w) = (1/n) sum phi_i(x_i^T w) + (lam/2)||w||^2
D(alpha') = (1/n) sum -phi_i*(-alpha'_i) - (lam/2)||w(alpha')||^2,  w(alpha') = (1/(lam n)) sum alpha'_i x_i
"""

from collections.abc import Iterable

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Qs
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Relation, Same
from dualgap.proofs_checks.evidence.levels import altered, exact, golden, holds_on
from dualgap.proofs_checks.papers.sdca.instances import RIDGES, any_squared
from dualgap.proofs_checks.papers.sdca.items import PAPER
from dualgap.proofs_checks.papers.sdca.mutants import wrong_steps_fail
from dualgap.proofs_checks.papers.sdca.setting import CONVEX, L2
from dualgap.proofs_checks.papers.vocabulary import LONE_ROW, slip
from dualgap.reference.numbers.arithmetic import Number


@claim(
    "sdca.4",
    r"Dual Problem and Relationship, in the slides' sign $\alpha' = -\alpha$: $w(\alpha') = (1/(\lambda n)) \sum"
    r" \alpha'_i x_i$, $D = (1/n) \sum -\varphi_i^*(-\alpha'_i) -$ $(\lambda/2)\Vert w(\alpha')\Vert^2$",
    hypotheses=L2,
    origin=PAPER.printed("Dual Problem", "Relationship"),
    evidence=RIDGES,
    control=wrong_steps_fail("w + (Delta/(lam n)) x_i in line 6"),
)
def signs(c: Context) -> Iterable[Relation]:
    (w, alpha), problem = c.view, c.problem
    theirs = [-a for a in alpha]
    for j, w_j in enumerate(w):
        total = problem.zero
        for row, a in zip(problem.rows, theirs):
            total = total + a * dict(row).get(j, problem.zero)
        yield Same(w_j, total / (c.mu * c.n), f"w(alpha'), component {j}")
    conjugates = [problem.loss.conjugate(-a, y) for a, y in zip(theirs, problem.y)]
    yield Same(-c.mean(conjugates) - problem.regularizer.value(w), problem.D(alpha), "D(alpha')")
    z = [problem.dot(row, w) for row in problem.rows]
    terms = [problem.loss.value(z_i, y) + f - a * z_i for z_i, y, f, a in zip(z, problem.y, conjugates, alpha)]
    yield Same(problem.P(w) - problem.D(alpha), c.mean(terms), "P - D is the mean of n terms of Fenchel-Young")


SLIDE_LOSS = LONE_ROW.but(alpha=Qs(1), method="sdca")  # phi = (z - 1)^2/2


def infimum(c: Context, slope: Number) -> Number:
    """min_z phi(z) - slope z for squared loss, attained where phi'(z) = slope."""
    z = c.problem.y[0] + c.gamma * slope
    assert c.problem.loss.derivative(z, c.problem.y[0]) == slope
    return c.problem.loss.value(z, c.problem.y[0]) - slope * z


@slip(
    "sdca.dual",
    r"Derivation, its last line: the Lagrangian with $\sum \alpha_i (y^T x_i - z_i)$ has $\inf_z \varphi(z) - \alpha z"
    r" = -\varphi^*(-\alpha)$",
    hypotheses=r"$\varphi$ convex",
    origin=PAPER.printed(
        "Derivation",
        note="one line has a wrong sign. The final dual is correct: it belongs to the Lagrangian with z_i - y^T x_i",
    ),
    assumes=[CONVEX],
    evidence=[golden(SLIDE_LOSS, detail="phi = (z-1)^2/2, alpha = 1: -3/2 against +1/2")],
    control=holds_on(SLIDE_LOSS.but(y=Qs(0)), text="phi = z^2/2, whose conjugate is even: it does hold there"),
    proof="By the definition of the conjugate, inf_z phi(z) - alpha z = -phi*(alpha).",
)
def dual_slide(c: Context) -> Iterable[Relation]:
    a, y = c.alpha[0], c.problem.y[0]
    yield Eq(infimum(c, a), -c.problem.loss.conjugate(-a, y), "min_z phi(z) - alpha z")


@claim(
    "sdca.dual.repaired",
    "Derivation, repaired: from sum alpha_i (z_i - y^T x_i), inf_z phi(z) + alpha z = -phi*(-alpha); with the slides'"
    " own Lagrangian it is -phi*(alpha), the sign of this package",
    origin=PAPER.ours("Derivation"),
    hypotheses="squared loss",
    evidence=[exact(any_squared, 0.25)],
    control=altered("the slides' line", dual_slide, SLIDE_LOSS),
)
def dual_repaired(c: Context) -> Iterable[Relation]:
    a, y = c.alpha[0], c.problem.y[0]
    yield Eq(infimum(c, -a), -c.problem.loss.conjugate(-a, y), "min_z phi(z) + alpha z = -phi*(-alpha)")
    yield Eq(infimum(c, a), -c.problem.loss.conjugate(a, y), "min_z phi(z) - alpha z = -phi*(alpha)")
