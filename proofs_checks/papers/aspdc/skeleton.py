"""ASPDC, the three steps in which the paper sketches the proof of Lemma 2, with expectations over the whole history."""

from dualgap.proofs_checks.evidence.trajectories import expected_duals, expected_gaps
from dualgap.proofs_checks.papers.aspdc.items import LOST, PAPER, UNITS
from dualgap.proofs_checks.papers.aspdc.rates import HYPOTHESES, ONE_ROW, ORTHONORMAL
from dualgap.proofs_checks.papers.aspdc.steps import EQUAL_ROWS, equal_rows
from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.proofs_checks.strategies import instances as strategies


def three_steps(c: Context, rate: Number, share: Number) -> Iterable[Relation]:
    """E[D* - D_t] <= (1 - rate)^t (D* - D_0), share E gap_t <= E[D_{t+1} - D_t] <= E[D* - D_t], for t < 12."""
    duals, gaps, bound = expected_duals(c, 12), expected_gaps(c, 12), c.D_star - c.D
    start = bound
    for t, (dual, after, gap) in enumerate(zip(duals, duals[1:], gaps)):
        if t > 0:
            yield Le(c.D_star - dual, bound, f"first: E[D* - D_{t}]", trivial=start)
        yield Le(share * gap, after - dual, f"second: E gap_{t}/(2n) <= E[D_{t + 1} - D_{t}]")
        yield Le(after - dual, c.D_star - dual, f"second: E[D_{t + 1} - D_{t}] <= D* - E D_{t}")
        bound = (1 - rate) * bound


@claim(
    "aspdc.skeleton",
    r"Proof of Lemma 2, its sketch: $\mathbb{E}[D^* - D_t] \le (1 - 1/(2n))^t (D^* - D_0)$, and "
    r"$\mathbb{E} \mathrm{gap}_t/(2n) \le \mathbb{E}[D_{t+1} - D_t] \le$ $\mathbb{E}[D^* - D_t]$, $t < 12$",
    hypotheses=HYPOTHESES,
    origin=PAPER.printed("skeleton of the proof", "after (A17)", note=f"{UNITS}; {LOST}"),
    evidence=[
        Enumerated(strategies.paths_paper, 0.1),
        golden(ORTHONORMAL, equal_rows(3, Q(1, 4)), level="ENUMERATED", detail="2 orthonormal, 3 equal rows"),
    ],
    control=altered(
        "a rate and a share of (3/4 + 1/100)/n at K = 1/4",
        lambda c: three_steps(c, (c.s + Q(1, 100)) / c.n, (c.s + Q(1, 100)) / c.n),
        EQUAL_ROWS,
        ONE_ROW,
    ),
)
def skeleton(c: Context) -> Iterable[Relation]:
    yield from three_steps(c, Q(1, 2 * c.n), Q(1, 2 * c.n))
