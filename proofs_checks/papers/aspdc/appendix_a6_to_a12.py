"""ASPDC, Appendix A.2, the proof of Lemma 2 from (A6) to (A12): one step, before anything is known of Delta.

(A6)   D(alpha+) - D(alpha) = R_1 - R_2                 (A7)  Delta_i = argmax_beta (beta z_i - phi_i*(beta)) - alpha_i
(A12)  R_1 >= (q/n) FY_i + gamma (1-q) q Delta_i^2/(2n) - ||x_i||^2 Delta_i^2/(2 lam n^2) + R_2
"""

from collections.abc import Iterable
from fractions import Fraction

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Q, Qs
from dualgap.proofs_checks.claims.pool import Pool
from dualgap.proofs_checks.claims.relations import Eq, Le, Relation
from dualgap.proofs_checks.evidence.formal import formal
from dualgap.proofs_checks.evidence.levels import exact, fails_for, false_with, golden
from dualgap.proofs_checks.papers.aspdc.instances import EQUAL_ROWS, FLAT
from dualgap.proofs_checks.papers.aspdc.items import LOST, PAPER
from dualgap.proofs_checks.papers.aspdc.setting import curvature, gains, noise, on_l2
from dualgap.proofs_checks.strategies import instances as strategies
from dualgap.proofs_checks.strategies.instances import any_of
from dualgap.reference.numbers.arithmetic import Number


def R1(c: Context, i: int) -> Number:
    """R_1 = -phi_i*(alpha_i + Delta_i)/n - (lam/2)||w - Delta_i x_i/(lam n)||^2."""
    w = list(c.w)
    for j, x in c.problem.rows[i]:
        w[j] = w[j] - c.delta[i] * x / (c.mu * c.n)
    return -c.problem.loss.conjugate(c.best[i], c.problem.y[i]) / c.n - c.problem.regularizer.value(w)


def R2(c: Context, i: int) -> Number:
    """R_2 = -phi_i*(alpha_i)/n - (lam/2)||w||^2."""
    return -c.problem.loss.conjugate(c.alpha[i], c.problem.y[i]) / c.n - c.problem.regularizer.value(c.w)


@on_l2(
    "aspdc.a6",
    r"(A6): $D(\alpha^+) - D(\alpha) = R_1 - R_2$: the other conjugates cancel",
    origin=PAPER.printed("(A6)", note=LOST),
    evidence=[exact(strategies.one_step_sharp)],
    control=fails_for("aspdc.half-step", strategies.one_step_sharp),
    kills=["aspdc.half-step", "aspdc.sdca-step", "aspdc.no-gamma"],
)
def a6(c: Context) -> Iterable[Relation]:
    for i, increase in gains(c):
        yield Eq(increase, R1(c, i) - R2(c, i), f"(A6), i = {i}")


@on_l2(
    "aspdc.a7",
    r"(A7): $\Delta_i = \operatorname{argmax}_{\beta} (\beta z_i - \varphi_i^*(\beta)) -$ $\alpha_i$",
    origin=PAPER.printed("(A7)", note=LOST),
    evidence=[
        exact(strategies.one_step_sharp),
        golden(FLAT, detail="the clip"),
        formal("line5_argmax", "fenchel_equality"),
    ],
    control=fails_for("aspdc.no-gamma", strategies.one_step_sharp),
    kills=["aspdc.half-step", "aspdc.sdca-step", "aspdc.no-gamma", "aspdc.no-clip"],
)
def a7(c: Context) -> Iterable[Relation]:
    loss = c.problem.loss
    for successor in c.successors:
        i = successor.choice
        z, y, beta = c.z[i], c.problem.y[i], successor.alpha[i]
        attained = beta * z - loss.conjugate(beta, y)
        yield Eq(attained, loss.value(z, y), f"(A7), i = {i}: the maximum of beta z - phi*(beta) is phi(z)")


@on_l2(
    "aspdc.a8",
    r"(A8): $R_1 \ge -(q/n)(\varphi^*(\beta) - \beta z) -$ $((1-q)/n) \varphi^*(\alpha_i) +$ $\gamma (1-q) q (\beta -"
    r" \alpha_i)^2/(2n) -$ "
    r"$(q/n) \alpha_i z -$ $\Vert x_i\Vert^2 \Delta^2/(2 \lambda n^2) -$ $(\lambda/2)\Vert w\Vert^2$ for every $q$ in"
    r" $[0, 1]$",
    origin=PAPER.printed("(A8)", note=LOST),
    evidence=[exact(strategies.one_step_sharp)],
    control=false_with("three times the noise term gained, not lost", EQUAL_ROWS, gained=3),
)
def a8(c: Context, gained: int = 0) -> Iterable[Relation]:
    q, conjugate = c.given.q, c.problem.loss.conjugate
    for i, (z, y, alpha, beta) in enumerate(zip(c.z, c.problem.y, c.alpha, c.best)):
        right = (
            -(q / c.n) * (conjugate(beta, y) - beta * z)
            - ((1 - q) / c.n) * conjugate(alpha, y)
            + curvature(c, i)
            - (q / c.n) * alpha * z
            - noise(c, i)
            - c.problem.regularizer.value(c.w)
        )
        yield Le(right + gained * noise(c, i), R1(c, i), f"(A8), i = {i}")


@on_l2(
    "aspdc.a9-a11",
    r"(A9)-(A11): $\beta_i = \operatorname{argmax}$ means $z_i$ in the subdifferential of $\varphi_i^*$ at $\beta_i$,"
    r" and "
    r"$\beta z - \varphi^*(\beta) = \varphi^{**}(z) = \varphi(z)$",
    origin=PAPER.printed("(A9)-(A11)", note=f"z = grad phi*(beta) there, a subgradient where phi* has a kink; {LOST}"),
    evidence=[exact(strategies.one_step_sharp)],
    control=false_with("beta moved by 1/10", EQUAL_ROWS, moved=Q(1, 10)),
)
def a9_a11(c: Context, moved: Fraction = Q(0)) -> Iterable[Relation]:
    loss = c.problem.loss
    for i, (z, y, best) in enumerate(zip(c.z, c.problem.y, c.best)):
        beta = best + moved
        yield Eq(beta * z - loss.conjugate(beta, y), loss.value(z, y), f"(A11), i = {i}")
        for other in c.alpha:  # subgradient inequality of phi* at beta, against every alpha_k in the domain
            if loss.in_domain(other, y):
                yield Le(loss.conjugate(beta, y) + z * (other - beta), loss.conjugate(other, y), f"(A10), i = {i}")


@on_l2(
    "aspdc.a12",
    r"(A12): $R_1 \ge (q/n) \mathrm{FY}_i +$ $\gamma (1-q) q \Delta_i^2/(2n) -$ $\Vert x_i\Vert^2 \Delta_i^2/(2 \lambda"
    r" n^2) +$ $R_2$",
    origin=PAPER.printed("(A12)", note=LOST),
    evidence=[exact(strategies.one_step_sharp)],
    control=false_with("2 FY_i", EQUAL_ROWS, factor=4),
)
def a12(c: Context, factor: int = 1) -> Iterable[Relation]:
    for i in range(c.n):
        right = factor * c.given.q * c.FY[i] / c.n + curvature(c, i) - noise(c, i) + R2(c, i)
        yield Le(right, R1(c, i), f"(A12), i = {i}")


# -- the losses --------------------------------------------------------------------------------------------------------

POINTS = Qs(0, 1, -1, "1/2", "-1/2", "3/4", "-3/4", "1/3", 2, -2, 5, "-7/2")  # every kink for the gammas drawn
# One z and one alpha for each rational smooth loss, and for the logistic one.
points = Pool("aspdc.points", strategies.instances, max_n=1, max_d=1, max_path=0, extra=any_of(z=POINTS))
points_logistic = Pool(
    "aspdc.points_logistic",
    strategies.instances,
    max_n=1,
    max_d=1,
    max_path=0,
    losses=("logistic",),
    extra=any_of(z=POINTS),
)
