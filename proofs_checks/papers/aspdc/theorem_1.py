"""ASPDC, section 4, Theorem 1 and the sentence after it.

(11)  t >= 2n ln(2n gap_0/eps) gives E gap_t <= eps
after it: O(n log(n/eps)) iterations
"""

from collections.abc import Iterable

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Q
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Le, Relation
from dualgap.proofs_checks.engines.logarithms import ceiling_of_log
from dualgap.proofs_checks.evidence.formal import formal
from dualgap.proofs_checks.evidence.levels import fails_on, golden
from dualgap.proofs_checks.evidence.trajectories import Enumerated, expected_gaps
from dualgap.proofs_checks.papers.aspdc.instances import ONE_ROW, ORTHONORMAL, THREE_ANGLES
from dualgap.proofs_checks.papers.aspdc.items import LOST, PAPER, UNITS
from dualgap.proofs_checks.papers.aspdc.setting import HYPOTHESES
from dualgap.proofs_checks.strategies import instances as strategies


@claim(
    "aspdc.theorem-1",
    r"Theorem 1: $t \ge 2n \,\ln(2n \mathrm{gap}_0/\varepsilon)$ gives $\mathbb{E} \mathrm{gap}_t \le \varepsilon$"
    r" (natural logarithm)",
    hypotheses=HYPOTHESES,
    origin=PAPER.printed("Theorem 1", note=f"{UNITS}; {LOST}"),
    evidence=[
        Enumerated(strategies.paths_to_eps, 0.2),
        golden(
            ORTHONORMAL.but(extra=further(eps=Q(1, 20))),
            THREE_ANGLES.but(extra=further(eps=Q(1, 20))),
            level="ENUMERATED",
            detail="eps = 1/20: t = 15 and 28",
        ),
        formal("theorem_1", "theorem_1_half"),
    ],
    control=fails_on(ONE_ROW.but(lam=Q(1), extra=further(eps=Q(1, 10))), text="K = 1: the gap never falls"),
    proof="(1 - x)^t <= e^(-xt) in Lemma 2.",
)
def theorem_1(c: Context) -> Iterable[Relation]:
    eps = c.given.eps
    ratio = 2 * c.n * c.gap / eps
    t = ceiling_of_log(2 * c.n, ratio) if ratio > 1 else 0
    gaps = expected_gaps(c, t)
    if len(gaps) > t:
        yield Le(gaps[t], eps, f"t = {t}", trivial=c.gap)


@claim(
    "aspdc.complexity",
    r"After Theorem 1: ASPDC needs $O(n \,\log(n/\varepsilon))$ iterations: $t = \operatorname{ceil}(4n"
    r" \,\ln(n/\varepsilon))$ of them give "
    r"$\mathbb{E} \mathrm{gap}_t \le \varepsilon \mathrm{gap}_0$ for $\varepsilon \le n/2$",
    hypotheses=HYPOTHESES,
    origin=PAPER.printed("complexity", note=f"gap_0 goes into the constant; 4 is ours; {UNITS}; {LOST}"),
    evidence=[
        Enumerated(strategies.paths_to_eps, 0.1),
        golden(
            ORTHONORMAL.but(extra=further(eps=Q(1, 20))), level="ENUMERATED", detail="2 orthonormal rows, eps = 1/20"
        ),
    ],
    control=fails_on(ONE_ROW.but(lam=Q(1), extra=further(eps=Q(1, 10))), text="K = 1: the gap never falls"),
    proof="Theorem 1 with eps gap_0: 2n ln(2n/eps) <= 4n ln(n/eps) where n/eps >= 2.",
)
def complexity(c: Context) -> Iterable[Relation]:
    eps = c.given.eps
    t = ceiling_of_log(4 * c.n, c.n / eps)
    yield Le(ceiling_of_log(2 * c.n, 2 * c.n / eps), t, "Theorem 1's count is at most that")
    gaps = expected_gaps(c, t)
    if len(gaps) > t:
        yield Le(gaps[t], eps * c.gap, f"t = {t}", trivial=c.gap)
