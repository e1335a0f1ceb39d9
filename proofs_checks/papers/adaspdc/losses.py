"""AdaSPDC, section 4.2: the dual step of the smooth hinge, the conjugate of the logistic loss, and what L of SAG is."""

from dualgap.proofs_checks.papers.adaspdc.items import PAPER
from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.reference import Interval
from dualgap.reference.problem.losses import SmoothedHinge

HINGE = Instance(rows=(Qs(1),), y=Qs(1), alpha=Qs("-1/2"), lam=Q(1), loss="smoothed-hinge", gamma=Q(1))
POINTS = Qs(0, "1/2", -1, 2, -7)


# -- the smooth hinge --------------------------------------------------------------------------------------------------


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
    """The dual step of the smooth hinge at every z of POINTS and three sigma, against the ridge step, projected
    or not.
    """
    loss, y = SmoothedHinge(Q(1)).over(Fraction), c.instance.alpha[0]
    b = Q(1) if c.instance.y[0] > 0 else Q(-1)
    start = b * max(Q(-1), min(Q(0), b * y))
    for z in POINTS:
        for sigma in Qs("1/10", 1, 5):
            step = (z - b + start / sigma) / (1 + 1 / sigma)
            if projected:
                step = b * max(Q(-1), min(Q(0), b * step))
            yield Eq(loss.dual_step(z, start, b, 1 / sigma), step, f"z = {z}, sigma = {sigma}, y = {start}, b = {b}")


# -- the logistic loss -------------------------------------------------------------------------------------------------


def logistic(u: Number) -> Interval:
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
        Interval(y * best - logistic(-b * best)),
        Interval(value),
        f"y z - phi(z) at z = -b log(-b y/(1 + b y)), y = {y}",
    )
    for z in POINTS:
        yield Le(y * z - logistic(-b * z), value, f"y z - phi(z) <= phi*(y) at z = {z}")


# -- L of SAG ----------------------------------------------------------------------------------------------------------


@claim(
    "adaspdc.sag-constants.function",
    r"Section 4.2, the smooth hinge: $\max\, \Vert a_i\Vert$ is a Lipschitz constant of $\varphi_i(a_i^T x)$",
    hypotheses=r"$\gamma = 1$",
    origin=PAPER.printed(
        "SAG, its L", note="of the function, as printed; SAG's step needs that of the gradient: adaspdc.sag-constants"
    ),
    evidence=[exact(one_step_any, 0.3)],
    control=false_with("99/100 of it", HINGE.but(rows=(Qs(3, 4),)), share=Q(99, 100)),
    proof="|phi'| <= 1.",
)
def function_lines(c: Context, share: Number = 1) -> Iterable[Relation]:
    """|phi_i(a_i^T x) - phi_i(a_i^T x')| <= share ||a_i|| ||x - x'|| for x' = x + s a_i, squared."""
    b = Q(1) if c.instance.y[0] > 0 else Q(-1)
    loss = SmoothedHinge(Q(1)).over(Fraction)
    for norm2 in c.problem.norms2:
        for z in POINTS:
            for s in Qs("1/100", -2):
                change = loss.value(z + s * norm2, b) - loss.value(z, b)
                yield Le(
                    change * change, share * share * norm2 * s * s * norm2, f"||a||^2 = {norm2}, a^T x = {z}, s = {s}"
                )


def slope(z: Number) -> Interval:
    """phi'(z) of the logistic loss for the label 1."""
    return -1 / (1 + Interval(z).exp())


LONG = HINGE.but(rows=(Qs(3, 4),), loss="logistic", gamma=None)


@claim(
    "adaspdc.sag-constants.logistic",
    r"Section 4.2, the logistic loss: $\max\, \Vert a_i\Vert/4$ is a Lipschitz constant of $\varphi_i(a_i^T x)$, or at"
    r" least of its gradient",
    hypotheses="rows of any norm",
    origin=PAPER.printed("SAG, its L"),
    expected="REFUTED",
    evidence=[
        golden(LONG, detail="a = (3, 4): 5 for the function and 25/4 for its gradient, not 5/4", level="ENCLOSED")
    ],
    control=holds_on(LONG.but(rows=(Qs("3/5", "4/5"),)), text="||a|| = 1, where it is one of the gradient"),
    assumes=[
        Hypothesis("the logistic loss log(1 + exp(-b_i z))", "section 4.2", lambda c: c.instance.loss == "logistic"),
        Hypothesis(
            "feature vectors that are not normalised",
            "sections 3.2, 4.2: unnormalized data",
            lambda c: c.problem.R2 != 1,
        ),
    ],
    proof="|phi'| comes near 1 and phi'' near 1/4, so that the constants are ||a_i|| and ||a_i||^2/4.",
)
def logistic_constant(c: Context) -> Iterable[Relation]:
    norm = sqrt(c.problem.R2)
    of_function = norm * (logistic(11) - logistic(10))
    of_gradient = norm * norm * (slope(Q(1, 10)) - slope(Q(-1, 10))) * 5
    least = of_function if of_function < of_gradient else of_gradient
    yield Le(
        least,
        norm / 4,
        "some quotient of the function between a^T x = -10 and -11, or of its gradient between -1/10 and 1/10",
    )
