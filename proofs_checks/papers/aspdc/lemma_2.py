"""ASPDC, Lemma 2: E gap_t <= 2n (1 - 1/(2n))^t gap_0 for lam >= 4R^2/(n gamma); the steps from (A17) to it, and what it
does not say.

t runs to three times the t0 before which the bound exceeds gap_0 and says nothing. Larger n and the logistic loss over
long horizons are left to a betting test.
"""

from collections.abc import Callable, Iterable

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import Extras
from dualgap.proofs_checks.claims.instance import Instance, Q
from dualgap.proofs_checks.claims.registry import Claim, Evidence, Source, claim
from dualgap.proofs_checks.claims.relations import Le, Relation
from dualgap.proofs_checks.claims.run import Run
from dualgap.proofs_checks.evidence.formal import formal
from dualgap.proofs_checks.evidence.levels import all_of, enclosed, exact, fails_on, false_with, golden
from dualgap.proofs_checks.evidence.trajectories import Enumerated, expected_duals, expected_gaps, start_of_meaning
from dualgap.proofs_checks.papers.aspdc.instances import (
    BELOW_TWO,
    BEYOND,
    EQUAL_ROWS,
    ONE_ROW,
    ORTHONORMAL,
    THREE_ANGLES,
    equal_rows,
)
from dualgap.proofs_checks.papers.aspdc.items import LOST, PAPER, UNITS
from dualgap.proofs_checks.papers.aspdc.lemma_2_betting import beyond_and_bets, not_refuted, paper_bound
from dualgap.proofs_checks.papers.aspdc.setting import HYPOTHESES, paper_factor, paper_horizon, sharp_factor
from dualgap.proofs_checks.strategies import instances as strategies
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.numbers.rational import nearest


@claim(
    "aspdc.skeleton",
    r"After (A17) and in the sketch of the proof of Lemma 2: given state $t$, $\mathbb{E}[D^* - D_{t+1}] \le (1 -"
    r" 1/(2n)) (D^* - D_t)$ and $\mathrm{gap}_t \le 2n \mathbb{E}[D_{t+1} - D_t] \le 2n (D^* - D_t)$; so"
    r" $\mathbb{E}[D^* - D_t] \le (1 - 1/(2n))^t (D^* - D_0)$ and $\mathbb{E} \mathrm{gap}_t/(2n) \le"
    r" \mathbb{E}[D_{t+1} - D_t] \le$ $\mathbb{E}[D^* - D_t]$, $t < 12$",
    hypotheses=HYPOTHESES,
    origin=PAPER.printed("skeleton of the proof", "after (A17)", "weak duality", note=f"{UNITS}; {LOST}"),
    evidence=[
        exact(strategies.one_step_paper),
        Enumerated(strategies.paths_paper, 0.1),
        golden(ORTHONORMAL, equal_rows(3, Q(1, 4)), level="ENUMERATED", detail="2 orthonormal, 3 equal rows"),
    ],
    control=all_of(
        fails_on(BELOW_TWO, text="lam n gamma/R^2 = 1.99: the recursion must fail"),
        false_with(
            "a rate and a share of (3/4 + 1/100)/n at K = 1/4",
            EQUAL_ROWS.but(extra=Extras()),
            ONE_ROW,
            share=lambda c: c.s + Q(1, 100),
        ),
    ),
    proof="(A17), and D* <= P(w), D_{t+1} <= D* (weak duality twice).",
)
def skeleton(c: Context, share: Callable[[Context], Number] = lambda c: Q(1, 2)) -> Iterable[Relation]:
    """Given the state; without a q also along all paths from it."""
    to_go, n = c.D_star - c.D, c.n
    yield Le(c.gap, 2 * n * c.expected_increase, "gap_t <= 2n E[D_{t+1} - D_t]")
    yield Le(to_go - c.expected_increase, (1 - Q(1, 2 * n)) * to_go, "E[D* - D_{t+1}] <= (1 - 1/(2n)) (D* - D_t)")
    yield Le(2 * n * c.expected_increase, 2 * n * to_go, "2n E[D_{t+1} - D_t] <= 2n (D* - D_t)")
    if c.instance.extra.has("q"):
        return
    duals, gaps, rate = expected_duals(c, 12), expected_gaps(c, 12), share(c) / c.n
    bound = to_go
    for t, (dual, after, gap) in enumerate(zip(duals, duals[1:], gaps)):
        if t > 0:
            yield Le(c.D_star - dual, bound, f"first: E[D* - D_{t}]", trivial=to_go)
        yield Le(rate * gap, after - dual, f"second: E gap_{t}/(2n) <= E[D_{t + 1} - D_{t}]")
        yield Le(after - dual, c.D_star - dual, f"second: E[D_{t + 1} - D_{t}] <= D* - E D_{t}")
        bound = (1 - rate) * bound


# -- the lemma, under its condition, half of it, and with l1 -----------------------------------------------------------


def figure(instance: Instance, title: str) -> Source:
    """ENUMERATED on one instance, with E gap_t, the stated and the sharp bound as a figure, all divided by gap_0."""

    def source(claim: Claim, run: Run) -> Evidence:
        evidence = golden(instance, level="ENUMERATED", detail=title)(claim, run)
        c = Context(instance)
        gaps = expected_gaps(c, paper_horizon(c))
        to_go, t = (c.D_star - c.D) / c.gap, range(len(gaps))
        evidence.series["trajectory"] = {
            "t": list(t),
            "expected": [nearest(gap / c.gap) for gap in gaps],
            "bound": [nearest(paper_factor(c.n, k)) for k in t],
            "sharp": [nearest(sharp_factor(c, k) * to_go) for k in t],
            "vacuous_until": start_of_meaning(2 * c.n, 1 / (2 * c.n)),
            "title": title,
        }
        return evidence

    return source


@claim(
    "aspdc.lemma-2",
    r"Lemma 2: $\mathbb{E} \mathrm{gap}_t \le 2n (1 - 1/(2n))^t \mathrm{gap}_0$ for $\lambda \ge 4R^2/(n \gamma)$",
    hypotheses=HYPOTHESES,
    origin=PAPER.printed("Lemma 2", "skeleton of the proof", note=f"{UNITS}; {LOST}"),
    evidence=[
        golden(
            ORTHONORMAL, equal_rows(3, Q(1, 4)), detail="squared loss, second moments, to three times the vacuous start"
        ),
        Enumerated(strategies.paths_paper, 0.2),
        golden(THREE_ANGLES, level="ENUMERATED", detail="3 rows, smoothed hinge, all paths to t = 30"),
        figure(equal_rows(6, Q(1, 4)), "6 equal rows, squared loss, lam = 4/(n gamma)"),
        enclosed(strategies.paths_logistic, 0.06),
        not_refuted(paper_bound, 4),
        formal(
            "lemma_2",
            "lemma_2_half",
            "lemma_2_ridge",
            "lemma_2_smoothed_hinge",
            "lemma_2_squared_hinge",
            "lemma_2_logistic",
            "Expect_is_average",
        ),
    ],
    control=beyond_and_bets(BEYOND, "lam n gamma/R^2 = 7/5, n = 1 and 2: violated by t = 35 and 45", paper_bound, 4),
)
def lemma_2_chain(c: Context) -> Iterable[Relation]:
    for t, gap in enumerate(expected_gaps(c, paper_horizon(c))):
        factor = paper_factor(c.n, t)
        never = None if factor < 1 else c.problem.zero  # a bound of at least gap_0 says nothing
        yield Le(gap, factor * c.gap, f"t = {t}", trivial=never)
