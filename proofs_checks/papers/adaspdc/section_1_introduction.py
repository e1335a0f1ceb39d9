"""AdaSPDC, section 1: the conjugates behind (4), strong convexity, and the perturbation that makes a problem strongly
convex.

    (4)    phi_i(a_i^T x) = max_y <x, y a_i> - phi_i*(y), printed with phi_i* on the left
"""

from collections.abc import Iterable

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.registry import Hypothesis, claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Relation
from dualgap.proofs_checks.evidence.levels import exact, false_with, golden, holds_on
from dualgap.proofs_checks.papers.adaspdc.items import PAPER
from dualgap.proofs_checks.papers.adaspdc.setting import ANY_LOSS, RIDGE
from dualgap.proofs_checks.papers.vocabulary import refuted
from dualgap.proofs_checks.strategies.instances import one_step_any
from dualgap.reference import SmoothedHinge
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.losses import Hinge

# -- (4) ---------------------------------------------------------------------------------------------------------------


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
    assumes=[
        Hypothesis(
            "phi_i is a convex loss of a_i^T x, phi_i* its conjugate; the squared loss is one of the paper's",
            "section 1, (3), (4)",
            RIDGE.holds,
        )
    ],
)
def printed_4(c: Context) -> Iterable[Relation]:
    yield from conjugacy(c, star=True)


@claim(
    "adaspdc.4-printed.repaired",
    "(4), repaired: phi_i(a_i^T x) = max_y <x, y a_i> - phi_i*(y)",
    hypotheses=ANY_LOSS,
    origin=PAPER.ours("(4)"),
    evidence=[exact(one_step_any, 0.3)],
    control=false_with("phi* on the left", SHIFTED, star=True),
)
def repaired_4(c: Context, star: bool = False) -> Iterable[Relation]:
    yield from conjugacy(c, star)


# -- strong convexity --------------------------------------------------------------------------------------------------


ONE_STEP = Instance(rows=(Qs(1),), y=Qs(1), alpha=Qs(1), lam=Q(1), gamma=Q(1))


@claim(
    "adaspdc.strong-convexity",
    "Section 1, strong convexity, with ||x' - x||^2 and grad phi_i* (printed ||x_i' - x_i||^2 and grad phi*)",
    hypotheses=f"{ANY_LOSS}; L2, elastic net",
    origin=PAPER.reading(
        "Strong convexity",
        note=(
            "x_i has no meaning next to x, and phi* is another function than phi_i*: read with ||x' - x||^2 and grad"
            " phi_i*, which fits the words before it"
        ),
    ),
    evidence=[exact(one_step_any, 0.3)],
    control=false_with("2 gamma, 2 lam", ONE_STEP, factor=2),
)
def strong_convexity(c: Context, factor: int = 1) -> Iterable[Relation]:
    loss, g = c.problem.loss, c.problem.regularizer
    for i, (z, a, y) in enumerate(zip(c.z, c.alpha, c.problem.y)):
        best = loss.derivative(z, y)
        bound = loss.conjugate(best, y) + z * (a - best) + factor * c.gamma * (a - best) ** 2 / 2
        yield Le(bound, loss.conjugate(a, y), f"phi_{i}*, gradient z")
    minus_u = c.problem.minus_u(c.alpha)
    other = [w_j + 1 for w_j in c.w]
    bound = g.value(c.w) + sum(minus_u, Q(0)) + factor * c.mu * c.problem.d / 2
    yield Le(bound, g.value(other), "g at w + (1, .., 1), subgradient -u")


CORNER = Instance(rows=(Qs(1),), y=Qs(1), alpha=Qs(-1), lam=Q(1), loss="smoothed-hinge", gamma=Q(1))


@claim(
    "adaspdc.perturbation.repaired",
    "Section 1, what the perturbation does: it moves the objective by at most eps/2, 0 <= phi - phi_eps <= eps/2 for"
    " the hinge",
    hypotheses="gamma = eps",
    origin=PAPER.ours("Perturbation"),
    evidence=[exact(one_step_any, 0.3)],
    control=false_with("eps/4", CORNER.but(alpha=Qs(0)), share=Q(1, 2)),
    proof="phi_eps = max_a a z - phi*(a) - (eps/2) a^2 with |a| <= 1.",
)
def bias(c: Context, share: Number = 1) -> Iterable[Relation]:
    hinge, eps = Hinge(), c.instance.gamma or Q(1)
    smooth = SmoothedHinge(eps)
    for i, z in enumerate(c.z):
        y = 1 if c.problem.y[i] > 0 else -1
        difference = hinge.value(z, Q(y)) - smooth.value(z, Q(y))
        yield Le(Q(0), difference, f"phi_eps <= phi at z = {z}")
        yield Le(difference, share * eps / 2, f"phi - phi_eps <= eps/2 at z = {z}")
