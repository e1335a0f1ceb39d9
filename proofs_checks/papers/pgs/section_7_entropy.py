"""PGS, section VII: the entropy sum_j w_j log w_j instead of the p-norm, on the simplex with ||.||_1 and ||.||_inf.

There r(w) = sum_j w_j log w_j + log d, so that min r = r(w_0) = 0 at the uniform w_0; r*(theta) = log((1/d) sum_j
e^theta_j), and its gradient is proportional to e^theta.
"""

from collections.abc import Iterable

from hypothesis.strategies import DrawFn

from dualgap.proofs_checks.claims import drawing as st
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Le, Relation
from dualgap.proofs_checks.evidence.levels import enclosed, false_with, golden, holds_on
from dualgap.proofs_checks.papers.pgs.instances import norm_instance
from dualgap.proofs_checks.papers.pgs.items import PAPER
from dualgap.proofs_checks.papers.pgs.setting import Given
from dualgap.proofs_checks.papers.vocabulary import refuted
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.numbers.interval import Interval


def entropy(w: Given) -> Number:
    """sum_j |w_j| log |w_j|."""
    return sum((abs(w_j) * Interval(abs(w_j)).log() for w_j in w if isinstance(w_j, Interval) or w_j), Q(0))


# -- strong convexity --------------------------------------------------------------------------------------------------


@st.composite
def pairs(draw: DrawFn) -> Instance:
    """Two different points u and v of the simplex of R^2 to R^4."""
    d = draw(st.integers(2, 4))

    def point() -> tuple[Q, ...]:
        parts = draw(st.lists(st.integers(0, 12), min_size=d, max_size=d).filter(any))
        return tuple(Q(part, sum(parts)) for part in parts)

    u, v = point(), point()
    return norm_instance(Q(2), None, further(u=u, v=v if v != u else (*u[1:], u[0])))


NEAR = norm_instance(Q(2), None, further(u=Qs("51/100", "49/100"), v=Qs("49/100", "51/100")))


@claim(
    "pgs.entropy",
    "Section VII, the substitute for the 1-norm: sum_j w_j log w_j is 1-strongly convex for ||.||_1 on the simplex",
    hypotheses="w >= 0, sum_j w_j = 1",
    origin=PAPER.reading(
        "Entropy", note="the paper names no domain; we read it as the simplex, as in the works that it cites"
    ),
    evidence=[enclosed(pairs, 0.5), golden(NEAR, detail="near the middle", level="ENCLOSED")],
    control=false_with("modulus 101/100", NEAR, modulus=Q(101, 100)),
    proof="The Hessian is diag(1/w_j), and sum_j h_j^2/w_j >= (sum_j |h_j|)^2/sum_j w_j by Cauchy and Schwarz.",
)
def simplex_lines(c: Context, modulus: Q = Q(1)) -> Iterable[Relation]:
    """Definition 2 for the norm ||.||_1 with that modulus, at 1/2 and at 1/10."""
    u, v = c.instance.extra.u, c.instance.extra.v
    if u == v:
        return
    size = sum((abs(a - b) for a, b in zip(u, v)), Q(0))
    for mu in Qs("1/2", "1/10"):
        between = [mu * a + (1 - mu) * b for a, b in zip(u, v)]
        least = mu * entropy(u) + (1 - mu) * entropy(v) - modulus * mu * (1 - mu) / 2 * size * size
        yield Le(entropy(between), least, f"mu = {mu}")


ACROSS = norm_instance(Q(2), None, further(u=Qs("1/10"), v=Qs("-1/10")))


@refuted(
    "pgs.entropy.signed",
    "Section VII, the substitute for the 1-norm: sum_j |w_j| log |w_j| is convex on R^d",
    hypotheses="w of any sign",
    origin=PAPER.reading(
        "Entropy", note="the paper names no domain; we read S = R^d because of the bars around w_j. See pgs.entropy"
    ),
    evidence=[golden(ACROSS, detail="w = 1/10 and -1/10: -(log 10)/10 at both, 0 between them", level="ENCLOSED")],
    control=holds_on(norm_instance(Q(2), None, further(u=Qs(1), v=Qs(3))), text="w = 1 and 3"),
    proof="t log t falls from 0 to its minimum at 1/e.",
)
def entropy_signed(c: Context) -> Iterable[Relation]:
    u, v = c.instance.extra.u, c.instance.extra.v
    yield Le(entropy([(a + b) / 2 for a, b in zip(u, v)]), (entropy(u) + entropy(v)) / 2, "half way")
