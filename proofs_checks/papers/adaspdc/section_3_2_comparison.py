"""AdaSPDC, section 3.2 and the remark after (10): its steps, its decay factor and its rate against those of SPDC, of
the same m and of R = max_i R_i.

    SPDC   sigma = (1/(2R)) sqrt(n lam/(m gamma)), tau = (1/(2R)) sqrt(m gamma/(n lam)), theta = 1 - 1/(n/m + 2Rk), or
           with R for 2R
"""

from collections.abc import Iterable

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Q
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Le, Lt, Relation
from dualgap.proofs_checks.evidence.levels import exact, false_with, golden, holds_on
from dualgap.proofs_checks.papers.adaspdc.instances import SAMPLES_OF_TWO, UNEQUAL_ROWS, published
from dualgap.proofs_checks.papers.adaspdc.items import PAPER
from dualgap.proofs_checks.papers.adaspdc.setting import setting
from dualgap.proofs_checks.papers.adaspdc.theorem_1 import EQUAL_NORMS, SHORT_ROW, STRONG, MeanSquares
from dualgap.proofs_checks.papers.vocabulary import refuted
from dualgap.reference.methods.spdc import MiniBatchSPDC
from dualgap.reference.methods.spdc import Parameters as Constants
from dualgap.reference.numbers.arithmetic import Number

POSITIVE = r"$\gamma$, $\lambda > 0$; every $R_i > 0$"


def of_spdc(c: Context, theta: str) -> Constants:
    """The constants of SPDC on the same problem."""
    t = setting(c)
    found = MiniBatchSPDC(m=t.m, R=max(t.R), theta=theta).parameters(t.problem)
    assert found is not None
    return found


@claim(
    "adaspdc.larger-steps",
    r"Remark and section 3.2, larger steps: $\sigma_i$ of (10) and $\tau^t$ of (12) are at least SPDC's "
    r"$(1/(2R)) \sqrt{n \lambda/(m \gamma)}$ and $(1/(2R)) \sqrt{m \gamma/(n \lambda)}$, $R = \max_i R_i$, for every"
    r" block and every sample",
    hypotheses=POSITIVE,
    origin=PAPER.printed("Larger steps", "Remark", note="'larger' as not smaller: equal where the norms are"),
    evidence=[exact(published, 0.3), golden(UNEQUAL_ROWS, SAMPLES_OF_TWO)],
    control=false_with("99/100 of them, where R_i = R", UNEQUAL_ROWS, share=Q(99, 100)),
    proof="R_i <= R and R^t <= R.",
)
def step_lines(c: Context, share: Number = 1) -> Iterable[Relation]:
    t, constant = setting(c), of_spdc(c, "paper")
    for i, sigma in enumerate(t.sigma):
        yield Le(constant.sigma, share * sigma, f"SPDC's sigma <= sigma_{i}")
    for s in t.c.successors:
        yield Le(constant.tau, share * t.tau_theta(s.choice)[0], f"SPDC's tau <= tau^t for S = {s.choice}")


@claim(
    "adaspdc.decay-factor",
    r"Section 3.2: the decay factor $\theta^t$ of (15) is not larger than SPDC's $\theta$, in every step",
    hypotheses=POSITIVE,
    origin=PAPER.printed(
        "Decay factor",
        note=(
            "'smaller' as not larger. The paper compares with (10) of SPDC's conference version, of which we had no"
            " copy; its theta has R or 2R"
        ),
    ),
    evidence=[exact(published, 0.3), golden(UNEQUAL_ROWS, SAMPLES_OF_TWO)],
    control=false_with("101/100 of theta^t, where R^t = R", UNEQUAL_ROWS.but(lam=Q(1, 300)), share=Q(101, 100)),
    proof="R^t <= R <= 2R.",
)
def decay_lines(c: Context, share: Number = 1) -> Iterable[Relation]:
    t = setting(c)
    with_R, with_2R = of_spdc(c, "sharp").theta, of_spdc(c, "paper").theta
    for s in t.c.successors:
        yield Le(share * t.tau_theta(s.choice)[1], with_R, f"theta^t <= 1 - 1/(n/m + Rk) for S = {s.choice}")
    yield Le(with_R, with_2R, "1 - 1/(n/m + Rk) <= 1 - 1/(n/m + 2Rk)")


@refuted(
    "adaspdc.sharper-rate",
    "Sections 3.2 and 5, AdaSPDC's sharper linear rate, read as: the error of (16) falls at least like SPDC's theta^T,"
    " theta = 1 - 1/(n/m + 2Rk)",
    hypotheses=r"$\varphi_i^*$ $\gamma$-strongly convex, $g$ $\lambda$-strongly convex",
    origin=PAPER.reading(
        "Sharper rate",
        "Decay factor",
        note=(
            "a rate read as a bound of the error in the norm of (16), the one in which the paper states rates; sections"
            " 1 and 3.2 say 'potentially', section 5 'holds'. That theta^t is smaller than SPDC's theta is right:"
            " adaspdc.decay-factor"
        ),
    ),
    evidence=[
        golden(
            SHORT_ROW, STRONG[1], STRONG[2], detail="the counterexamples to Theorem 1, without 1/(2 tau) on the left"
        )
    ],
    control=holds_on(EQUAL_NORMS, text="two equal norms"),
    proof="theta^t <= theta of SPDC is true on every path, see the repaired form, but prod theta^t bounds nothing.",
)
def sharper_rate(c: Context) -> Iterable[Relation]:
    run, T, theta = MeanSquares(c), c.instance.extra.T, of_spdc(c, "paper").theta
    yield Lt(theta, 1, "SPDC's theta")
    yield Le(
        run.left("dropped"),
        theta**T * run.right("one", T),
        f"T = {T}: the error without 1/(2 tau) <= theta^T times its start",
    )


@claim(
    "adaspdc.sharper-rate.repaired",
    "Section 3.2, what there is of the sharper rate: theta^t = 1 - 1/(n/m + R^t k) <= 1 - 1/(n/m + 2Rk), SPDC's theta,"
    " on every path; as a rate only R = max_i R_i is proved",
    hypotheses="(15), SPDC (16)",
    origin=PAPER.ours("Sharper rate"),
    evidence=[exact(published, 0.3)],
    control=false_with("twice theta^t", UNEQUAL_ROWS, factor=Q(2)),
)
def paths(c: Context, factor: Number = 1) -> Iterable[Relation]:
    t, theta = setting(c), of_spdc(c, "paper").theta
    for s in t.c.successors:
        yield Le(factor * t.tau_theta(s.choice)[1], theta, f"theta^t for S = {s.choice}")
