"""AdaSPDC, section 3: its steps and its decay factor against those of SPDC, of the same m and of R = max_i R_i."""

from dualgap.proofs_checks.papers.adaspdc.items import PAPER
from dualgap.proofs_checks.papers.adaspdc.steps import G1, G4
from dualgap.proofs_checks.papers.adaspdc.strategies import published
from dualgap.proofs_checks.papers.adaspdc.terms import terms
from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.reference.methods.spdc import Parameters

SMOOTH = r"$\gamma$, $\lambda > 0$; every $R_i > 0$"


def of_spdc(c: Context, theta: str) -> Parameters:
    """The constants of SPDC on the same problem."""
    t = terms(c)
    found = MiniBatchSPDC(m=t.m, R=max(t.R), theta=theta).parameters(t.problem)
    assert found is not None
    return found


@claim(
    "adaspdc.larger-steps",
    r"Remark and section 3.2, larger steps: $\sigma_i$ of (10) and $\tau^t$ of (12) are at least SPDC's "
    r"$(1/(2R)) \sqrt{n \lambda/(m \gamma)}$ and $(1/(2R)) \sqrt{m \gamma/(n \lambda)}$, $R = \max_i R_i$, for every"
    r" block and every sample",
    hypotheses=SMOOTH,
    origin=PAPER.printed("Larger steps", "Remark", note="'larger' as not smaller: equal where the norms are"),
    evidence=[exact(published, 0.3), golden(G1, G4)],
    control=false_with("99/100 of them, where R_i = R", G1, share=Q(99, 100)),
    proof="R_i <= R and R^t <= R.",
)
def step_lines(c: Context, share: Number = 1) -> Iterable[Relation]:
    """SPDC's steps against share times those of every block and of every sample."""
    t, constant = terms(c), of_spdc(c, "paper")
    for i, sigma in enumerate(t.sigma):
        yield Le(constant.sigma, share * sigma, f"SPDC's sigma <= sigma_{i}")
    for s in t.c.successors:
        yield Le(constant.tau, share * t.tau_theta(s.choice)[0], f"SPDC's tau <= tau^t for S = {s.choice}")


@claim(
    "adaspdc.decay-factor",
    r"Section 3.2: the decay factor $\theta^t$ of (15) is not larger than SPDC's $\theta$, in every step",
    hypotheses=SMOOTH,
    origin=PAPER.printed(
        "Decay factor",
        note=(
            "'smaller' as not larger. The paper compares with (10) of SPDC's conference version, which is not at hand;"
            " its theta has R or 2R"
        ),
    ),
    evidence=[exact(published, 0.3), golden(G1, G4)],
    control=false_with("101/100 of theta^t, where R^t = R", G1.but(lam=Q(1, 300)), share=Q(101, 100)),
    proof="R^t <= R <= 2R.",
)
def decay_lines(c: Context, share: Number = 1) -> Iterable[Relation]:
    """theta^t of every sample, times share, against SPDC's theta with R and with 2R."""
    t = terms(c)
    with_R, with_2R = of_spdc(c, "sharp").theta, of_spdc(c, "paper").theta
    for s in t.c.successors:
        yield Le(share * t.tau_theta(s.choice)[1], with_R, f"theta^t <= 1 - 1/(n/m + Rk) for S = {s.choice}")
    yield Le(with_R, with_2R, "1 - 1/(n/m + Rk) <= 1 - 1/(n/m + 2Rk)")
