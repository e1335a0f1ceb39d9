"""ASPDC, section 5, the condition number of P, 1/(lam gamma) + 1, and section 6, the smooth hinge.

phi = 0, 1/2 - y z, (1 - y z)^2/2 for y z >= 1, y z <= 0, between; phi* = y alpha + alpha^2/2 on -1 <= y alpha <= 0
"""

from collections.abc import Iterable
from fractions import Fraction

from dualgap.proofs_checks.claims import origins
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Q, Qs
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Lt, Relation, Same
from dualgap.proofs_checks.evidence.levels import enclosed, exact, false_with, golden, holds_on
from dualgap.proofs_checks.papers.aspdc.instances import ALIGNED, ONE_SAMPLE
from dualgap.proofs_checks.papers.aspdc.items import LOST, PAPER, UNITS
from dualgap.proofs_checks.papers.aspdc.section_3_assumptions import (
    assumption_2,
    curvatures,
    two_points,
    two_points_logistic,
)
from dualgap.proofs_checks.papers.aspdc.setting import SMOOTH
from dualgap.proofs_checks.papers.vocabulary import refuted
from dualgap.reference.numbers.arithmetic import Number


def condition_number(c: Context) -> Number:
    """R^2/(lam gamma) + 1."""
    return c.R2 / (c.mu * c.gamma) + 1


@claim(
    "aspdc.condition-number",
    r"Section 5: the condition number of $P$ is $1/(\lambda \gamma) + 1$, here $R^2/(\lambda \gamma) + 1$: $P$ is "
    r"$(R^2/\gamma + \lambda)$-smooth and $\lambda$-strongly convex; it grows as $\lambda$ falls",
    hypotheses=(
        rf"{SMOOTH}; $g = (\lambda/2)\Vert w\Vert^2$ (the example after Assumption 2: another $g$ need not be smooth)"
    ),
    origin=PAPER.printed(
        "condition number",
        note=(
            f"the right side of the equation there, its bar lost {origins.RESTORED}: the one that is L/mu for every"
            f" gamma; {UNITS}"
        ),
    ),
    evidence=[exact(two_points), enclosed(two_points_logistic, 0.2)],
    control=false_with("L less 1/1000 at equal rows, squared loss", ALIGNED, less=Q(1, 1000)),
    proof="phi_i'' <= 1/gamma and ||x_i|| <= R; attained by equal rows and squared loss.",
)
def condition_number_of_P(c: Context, less: Fraction = Q(0)) -> Iterable[Relation]:
    yield from assumption_2(c)
    beyond, half = curvatures(c)
    yield Le(beyond, (condition_number(c) * c.mu - less) * half, "P(v) <= P(w) + <grad P(w), v - w> + (L/2)||v - w||^2")
    if c.R2 > 0:
        yield Lt(condition_number(c), c.R2 / (c.mu / 2 * c.gamma) + 1, "it grows as lam falls")


@refuted(
    "aspdc.condition-number.legible",
    "Section 5, the left side of that equation as printed in our copy: the condition number of P is (1 +"
    " gamma lam)/lam",
    hypotheses=rf"{SMOOTH}; $g = (\lambda/2)\Vert w\Vert^2$; $R = 1$",
    origin=PAPER.reading(
        "condition number",
        note=(
            "'( 1 + gamma lam ) / lam' is printed in our copy, where fraction bars are lost, so that the gamma may"
            " have been below a bar. For gamma = 1, which all experiments of the paper have, it is right"
        ),
    ),
    evidence=[golden(ONE_SAMPLE.but(gamma=Q(1, 2)), detail="gamma = 1/2, lam = 2: 1 against 2")],
    control=holds_on(ONE_SAMPLE, ONE_SAMPLE.but(lam=Q(1, 10)), text="gamma = 1"),
)
def condition_legible(c: Context) -> Iterable[Relation]:
    yield Eq((1 + c.gamma * c.mu) / c.mu, condition_number(c), "(1 + gamma lam)/lam = 1/(lam gamma) + 1")


# -- the smooth hinge --------------------------------------------------------------------------------------------------

PLACES = Qs(0, 1, -1, "1/2", "-1/2", "3/4", "1/3", 2, -2, "-7/2")
ONE_HINGE = tuple(
    ONE_SAMPLE.but(y=Qs(y), loss="smoothed-hinge", gamma=gamma, extra=further(z=PLACES))
    for y in (1, -1)
    for gamma in (None, Q(1))
)


@claim(
    "aspdc.smooth-hinge",
    r"Section 6: the smooth hinge is 0, $1/2 - y z$, $(1 - y z)^2/2$ for $y z \ge 1$, $y z \le 0$, between; its"
    r" $\varphi^*$ is "
    r"$y \alpha + \alpha^2/2$ on $-1 \le y \alpha \le 0$; its $\gamma$ is 1",
    hypotheses=r"smoothed-hinge of this library with its $\gamma$ left out, and with $\gamma = 1$",
    origin=PAPER.printed("smooth hinge", "gamma of the smooth hinge", note=LOST),
    evidence=[golden(*ONE_HINGE, detail="y = 1 and -1, ten places, both kinks among them")],
    control=false_with("gamma = 1 + 1/1000", *ONE_HINGE, modulus=Q(1001, 1000)),
)
def smooth_hinge(c: Context, modulus: Fraction = Q(1)) -> Iterable[Relation]:
    loss, y, places = c.problem.loss, c.problem.y[0], c.given.z
    for z in places:
        m = y * z
        yield Same(loss.value(z, y), m * 0 if m >= 1 else Q(1, 2) - m if m <= 0 else (1 - m) * (1 - m) / 2, "phi")
        inside = -1 <= m <= 0
        yield Eq(int(loss.in_domain(z, y)), int(inside), "the domain of phi*: -1 <= y alpha <= 0")
        if inside:
            yield Same(loss.conjugate(z, y), m + z * z / 2, "phi* = y alpha + alpha^2/2")
        for other in places:
            slope = abs(loss.derivative(z, y) - loss.derivative(other, y))
            yield Le(modulus * slope, abs(z - other), "|phi'(a) - phi'(b)| <= |a - b|/modulus")
    yield Eq(c.gamma, Q(1), "gamma = 1")
