"""ASPDC, section 4, the two differences to SDCA, and (9), SDCA's step.

(9)  SDCA maximises delta x_i^T w - phi_i*(alpha_i + delta) - ||x_i||^2 delta^2/(2 lam n); the signs are lost in
print
"""

from dualgap.proofs_checks.papers.aspdc.words import *


@refuted(
    "aspdc.f1.elastic-net",
    "F1 for elastic net: from the same state Prox-SDCA's one-step dual increase is >= ASPDC's",
    origin=PAPER.inference(
        "two differences to SDCA", note="a reader of aspdc.f1 might expect it; the paper compares costs, not increases"
    ),
    hypotheses=rf"{SMOOTH}; $g = (\lambda/2)\Vert w\Vert^2 + \ell_1 \Vert w\Vert_1$",
    evidence=[golden(L1_WINS, detail="n = 1, x = y = gamma = lam2 = 1, lam1 = 2: D = 1/2 against 3/8")],
    control=holds_on(L1_WINS.but(l1=Q(0)), text="l1 = 0"),
    proof="With l1 Prox-SDCA maximises a quadratic lower bound of D: inside the soft threshold D has less curvature.",
)
@claim(
    "aspdc.f1",
    "from the same state SDCA's one-step dual increase is >= ASPDC's, for every i: ASPDC is SDCA's step without its"
    " damping",
    origin=PAPER.ours("two differences to SDCA"),
    hypotheses=rf"{SMOOTH}; $g = (\lambda/2)\Vert w\Vert^2$; any $\lambda > 0$",
    evidence=[exact(strategies.one_step_sharp), exact(strategies.squared_any), formal("sdca_gains_more")],
    control=fails_on(L1_WINS, text="l1: n = 1, x = y = gamma = lam2 = 1, lam1 = 2"),
    proof="For L2 SDCA's step is the exact maximiser of D over coordinate i.",
)
def sdca_gains_more(c: Context) -> Iterable[Relation]:
    for successor, increase in zip(c.successors, c.increases):
        after = SDCA().step(c.problem, c.state, successor.choice)
        yield Le(increase, c.problem.D(after.alpha) - c.D, f"i = {successor.choice}")


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
    " delta e_i) + constant; for squared loss at Delta/(1 + K_i), where a plus before the quadratic would give Delta/(1"
    " - K_i)",
    origin=PAPER.ours("(9)"),
    hypotheses=rf"{SMOOTH}; $g = (\lambda/2)\Vert w\Vert^2$; $w = w(\alpha)$",
    evidence=[exact(strategies.one_step_sharp)],
    control=false_with("a plus before the quadratic term", EQUAL_ROWS, ONE_ROW, quadratic=1),
    proof="Expand D(alpha + delta e_i): only phi_i* and (lam/2)||w - delta x_i/(lam n)||^2 change.",
)
def line_9(c: Context, quadratic: int = -1) -> Iterable[Relation]:
    yield from is_dual_increase(c, 1, quadratic)
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
