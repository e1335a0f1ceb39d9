"""SPDC, section 7, what can be proved of its experiments: the smoothed hinge and its conjugate, and how many times
faster SPDC is.

    7.1   up to sqrt(n) times faster than AFG, R (lam gamma n)^(-1/2) = sqrt(kappa/n) times faster than SAG and SDCA
    7.2   phi(z) the smoothed hinge with gamma = 1, phi*(beta) = b beta + beta^2/2 for b beta in [-1, 0]
"""

from collections.abc import Iterable

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Q, Qs
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Lt, Relation, Same
from dualgap.proofs_checks.evidence.levels import exact, false_with, golden
from dualgap.proofs_checks.papers.spdc.instances import singles
from dualgap.proofs_checks.papers.spdc.items import PAPER, RESTORED
from dualgap.proofs_checks.papers.spdc.section_1_introduction import KAPPA_25N, POINTS
from dualgap.proofs_checks.papers.spdc.setting import UNIFORM, Setting, bugs, steps_of
from dualgap.proofs_checks.papers.vocabulary import LONE_ROW
from dualgap.reference.numbers.arithmetic import Number


@claim(
    "spdc.times-faster",
    "Section 7.1: SPDC is up to sqrt(n) times faster than AFG, and for kappa >= n up to R (lam gamma n)^(-1/2) ="
    " sqrt(kappa/n) times faster than SAG and SDCA: sqrt(kappa)/(1 + sqrt(kappa/n)) <= sqrt(n), (1 + kappa/n)/(1 +"
    " sqrt(kappa/n)) <= sqrt(kappa/n)",
    hypotheses=UNIFORM,
    origin=PAPER.reading(
        "times faster",
        note="Both factors are missing; we read the quotients of the batch complexities, without constants.",
    ),
    evidence=[exact(singles)],
    kills=bugs("half-radius"),
    control=false_with("nine tenths of both", KAPPA_25N.but(lam=Q(1, 2 * 10**6)), share=Q(9, 10)),
    proof="sqrt(n) (1 + r) >= sqrt(n) r = sqrt(kappa), and r + r^2 >= 1 + r^2 for r = sqrt(kappa/n) >= 1.",
)
def times_faster(c: Context, share: Number = Q(1)) -> Iterable[Relation]:
    n, kappa, root = c.n, Setting(c).kappa, (steps_of(c.method, c) / c.n - 1) / 2
    yield Le(kappa, share * share * n * (1 + root) ** 2, "sqrt(kappa) <= sqrt(n) (1 + sqrt(kappa/n)), squared: AFG")
    if kappa >= n:
        label = "1 + kappa/n <= R (lam gamma n)^-1/2 (1 + sqrt(kappa/n)): SAG, SDCA"
        yield Le(1 + root * root, share * root * (1 + root), label)


KINKS = LONE_ROW.but(loss="smoothed-hinge", gamma=Q(1), method="spdc")


@claim(
    "spdc.smoothed-hinge",
    r"Section 7.2: the conjugate of the smoothed hinge is $b \beta + \beta^2/2$ for $b \beta$ in $[-1, 0]$ and infinite"
    " elsewhere",
    hypotheses=r"$\gamma = 1$, $b = 1$ and $-1$",
    origin=PAPER.printed("conjugate of the smoothed hinge", "smoothed hinge", note=RESTORED),
    evidence=[golden(KINKS, KINKS.but(y=Qs(-1)), detail="at four points of its domain, and beyond both ends")],
    control=false_with("beta^2/4 for beta^2/2", KINKS, half=Q(1, 4)),
)
def conjugate(c: Context, half: Number = Q(1, 2)) -> Iterable[Relation]:
    loss, b = c.problem.loss, c.problem.y[0]
    for size in Qs(0, "1/3", "4/5", 1):
        beta = -b * size
        at = b * (1 - size)  # phi'(at) = beta
        stated = b * beta + half * beta * beta
        yield Eq(loss.derivative(at, b), beta, f"phi' at {at}")
        yield Same(stated, at * beta - loss.value(at, b), f"phi*({beta}) is attained there")
        for z in POINTS:
            yield Le(z * beta - loss.value(z, b), stated, f"and no more at {z}")
    for outside in (b / 100, -b - b / 100):
        far = 1000 * (b if outside * b > 0 else -b)
        yield Eq(int(loss.in_domain(outside, b)), 0, f"{outside} is outside")
        yield Lt(Q(5), far * outside - loss.value(far, b), f"z beta - phi(z) has no bound at beta = {outside}")
