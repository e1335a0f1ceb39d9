"""AdaSPDC, section 1: the conjugates behind (4), and strong convexity.

(4)    phi_i(a_i^T x) = max_y <x, y a_i> - phi_i*(y), printed with phi_i* on the left
"""

from collections.abc import Iterable

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Relation
from dualgap.proofs_checks.evidence.levels import all_of, exact, false_with, golden, holds_on
from dualgap.proofs_checks.papers.adaspdc.items import PAPER
from dualgap.proofs_checks.papers.adaspdc.setting import ANY_LOSS
from dualgap.proofs_checks.papers.vocabulary import refuted
from dualgap.proofs_checks.strategies.instances import one_step_any
from dualgap.reference.numbers.arithmetic import Number


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
