"""ASPDC, section 4, the two differences to SDCA, and (9), SDCA's step.

(9)  SDCA maximises delta x_i^T w - phi_i*(alpha_i + delta) - ||x_i||^2 delta^2/(2 lam n); the signs are lost in
print
"""

from collections.abc import Iterable

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Qs
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Relation
from dualgap.proofs_checks.evidence.formal import formal
from dualgap.proofs_checks.evidence.levels import exact, false_with, golden, holds_on
from dualgap.proofs_checks.papers.aspdc.instances import EQUAL_ROWS, ONE_ROW
from dualgap.proofs_checks.papers.aspdc.items import PAPER
from dualgap.proofs_checks.papers.aspdc.setting import SMOOTH, gains
from dualgap.proofs_checks.papers.vocabulary import refuted
from dualgap.proofs_checks.strategies import instances as strategies
from dualgap.reference.methods.sdca import SDCA
from dualgap.reference.numbers.arithmetic import Number

# -- (9) ---------------------------------------------------------------------------------------------------------------


def eq_9(c: Context, i: int, delta: Number, inside: int, quadratic: int) -> Number:
    """delta z_i - phi*(alpha_i + inside delta) + quadratic ||x_i||^2 delta^2/(2 lam n)."""
    conjugate = c.problem.loss.conjugate(c.alpha[i] + inside * delta, c.problem.y[i])
    return delta * c.z[i] - conjugate + quadratic * c.problem.norms2[i] * delta * delta / (2 * c.problem.scale)


def is_dual_increase(c: Context, inside: int, quadratic: int) -> Iterable[Relation]:
    """eq. (9) at delta minus eq. (9) at 0 is n (D(alpha + delta e_i) - D(alpha)), for some delta in the domain."""
    for i in range(c.n):
        for delta in (c.delta[i], c.delta[i] / 2, c.q(int(c.instance.loss == "squared"))):
            moved = [a + delta if k == i else a for k, a in enumerate(c.alpha)]
            gain = eq_9(c, i, delta, inside, quadratic) - eq_9(c, i, c.q(0), inside, quadratic)
            yield Eq(gain, c.n * (c.problem.D(moved) - c.D), f"i = {i}")


@refuted(
    "aspdc.e3",
    "(9) as printed in our copy (E3): SDCA maximises delta x_i^T w - phi_i*(alpha_i - delta) + ||x_i||^2 delta^2/(2 lam"
    " n), the dual objective along coordinate i",
    hypotheses="g = (lam/2)||w||^2, w = w(alpha)",
    origin=PAPER.reading(
        "(9)",
        note=(
            "the plus before the quadratic stands, the sign inside phi_i* is lost: read as a minus, because plus signs"
            " are kept. With a plus it is no dual increase either (control of aspdc.e3.repaired). The line describes"
            " SDCA; nothing that the paper proves or runs uses it"
        ),
    ),
    evidence=[golden(ONE_ROW.but(y=Qs(2), alpha=Qs(1)), detail="n = 1, x = 1, y = 2, alpha = 1, lam = 4")],
    control=holds_on(
        ONE_ROW.but(rows=(Qs(0),), alpha=Qs(0)), text="a zero row with alpha = y = 0, where both signs are idle"
    ),
    proof="Both signs are wrong: phi_i*(alpha_i + delta), and minus the quadratic term.",
)
def line_9_legible(c: Context) -> Iterable[Relation]:
    yield from is_dual_increase(c, -1, 1)


@claim(
    "aspdc.e3.repaired",
    "(9) repaired: SDCA maximises delta x_i^T w - phi_i*(alpha_i + delta) - ||x_i||^2 delta^2/(2 lam n) = n D(alpha +"
    " delta e_i) + constant, so that ASPDC's step from the same state gains at most as much; for"
    " squared loss at Delta/(1 + K_i), where a plus before the quadratic would give Delta/(1"
    " - K_i)",
    origin=PAPER.ours("(9)"),
    hypotheses=rf"{SMOOTH}; $g = (\lambda/2)\Vert w\Vert^2$; $w = w(\alpha)$",
    evidence=[exact(strategies.one_step_sharp), formal("sdca_gains_more")],
    control=false_with("a plus before the quadratic term", EQUAL_ROWS, ONE_ROW, quadratic=1),
    proof="Expand D(alpha + delta e_i): only phi_i* and (lam/2)||w - delta x_i/(lam n)||^2 change.",
)
def line_9(c: Context, quadratic: int = -1) -> Iterable[Relation]:
    yield from is_dual_increase(c, 1, quadratic)
    for i, increase in gains(c):
        best = c.problem.D(SDCA().step(c.problem, c.state, i).alpha)
        yield Le(increase, best - c.D, f"ASPDC's step gains at most what SDCA's does, i = {i}")
    if c.instance.loss == "squared":
        for i in range(c.n):
            step = SDCA().step(c.problem, c.state, i).alpha[i] - c.alpha[i]
            yield Eq(step * (1 + c.problem.K(i)), c.delta[i], f"SDCA's step is Delta_{i}/(1 + K_{i})")
            # the derivative of the wrong-sign objective vanishes at Delta/(1 - K)
            if (room := 1 - c.problem.K(i)) != 0:
                wrong = c.delta[i] / room
                slope = (
                    c.z[i]
                    - c.problem.y[i]
                    - c.gamma * (c.alpha[i] + wrong)
                    + c.problem.norms2[i] * wrong / c.problem.scale
                )
                yield Eq(slope, 0, f"with a plus the stationary point is Delta_{i}/(1 - K_{i})")
