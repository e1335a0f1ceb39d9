"""SVRG, option I: the bounds that are proved for the last iterate. It is open whether Theorem 1's bound holds for it in
rounds of any length.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction

from dualgap.extras.baselines.items import PAPER
from dualgap.extras.baselines.primal_sums import smoothness
from dualgap.extras.baselines.svrg import strategies
from dualgap.extras.baselines.svrg.claims import OPPOSED, PAIR, SEVENTEEN, SMOOTH, UNIT, decrease, rho, theorem_chain
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Q, Qs
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Le, Relation
from dualgap.proofs_checks.evidence.formal import formal
from dualgap.proofs_checks.evidence.levels import altered, false_with, golden
from dualgap.proofs_checks.evidence.trajectories import Enumerated
from dualgap.reference.numbers.arithmetic import Number

# -- any round: what a last iterate costs ------------------------------------------------------------------------------

LAST = UNIT.but(options={"m": 200, "eta": Q(1, 256)})  # x = 5/128, (1 + rho) prod (1 + x/k) - 1 = 0.63
LAST_PAIR = PAIR.but(options=LAST.options)
# along no row: P falls by (1 - eta lam)^2 a step
NO_ROW = LAST.but(rows=(Qs(1, 0),), lam=Q(1, 100), options={"m": 200, "eta": Q(1, 51)}, extra=further(w=Qs(0, 1)))


@claim(
    "baselines.svrg.option-i",
    "Option I, one round: E P(w~_1) - P* <= (G (1 + rho) - 1)(P(w~_0) - P*), G = (1 + x)(1 + x/2) .. (1 + x/m) <= exp(x"
    " (1 + ln m)), x = 2L eta, rho of Theorem 1 at m + 1 steps; and so in each of s rounds",
    hypotheses=SMOOTH,
    origin=PAPER.ours("SVRG, Theorem 1"),
    evidence=[
        golden(LAST, LAST_PAIR, OPPOSED.but(options=LAST.options), level="ENUMERATED", detail="m = 200, s <= 2"),
        formal("svrg_option_one", "svrg_growth_harmonic"),
    ],
    control=false_with("L for lam in rho", NO_ROW, modulus=smoothness),
    kills=["baselines.svrg-correction-added", "baselines.svrg-no-correction"],
    proof=(
        "With A_k the mean of E P - P* over the last k + 1 iterates, D = P(w~_0) - P* and the step of"
        " baselines.svrg.theorem towards the first of them for w*: (1 - x) A_k <= E P(w_(m-k)) - P* + x D, so A_(k-1) +"
        " D <= (1 + x/k)(A_k + D); and A_m <= rho D as in Theorem 1."
    ),
)
def option_i(c: Context, modulus: Callable[[Context], Number] = lambda c: c.instance.lam) -> Iterable[Relation]:
    L, eta, m = smoothness(c), c.instance.options["eta"], c.instance.options["m"]
    growth: Number = Q(1)
    for k in range(1, m + 1):
        growth = growth * (1 + 2 * L * eta / k)
    yield from decrease(c, "I", growth * (1 + rho(L, modulus(c), eta, m + 1)) - 1)


# -- long rounds: the bound of Theorem 1 -------------------------------------------------------------------------------

ROUND = UNIT.but(options={"m": 56, "eta": Q(1, 50)})  # y = 112/25, rho = 0.53
ROUND_PAIR = PAIR.but(options=ROUND.options)
# y = 11/2, rho = 0.48
ROUND_NOISY = UNIT.but(
    rows=(Qs(1), Qs(0)), y=Qs(0, 0), alpha=Qs(0, 0), lam=Q(1, 2), options={"m": 165, "eta": Q(1, 15)}
)


@claim(
    "baselines.svrg.option-i-long",
    "Option I has the bound of Theorem 1, E P(w~_s) - P* <= rho^s (P(w~_0) - P*), where 8 (L/lam) y (1 + 2y) <="
    " exp(3y/2), y = lam eta m",
    hypotheses=SMOOTH,
    origin=PAPER.ours("SVRG, Theorem 1"),
    evidence=[
        golden(
            ROUND,
            ROUND_PAIR,
            ROUND_NOISY,
            OPPOSED.but(options=ROUND.options),
            level="ENUMERATED",
            detail="m = 56 and 165, s <= 2",
        ),
        formal("svrg_option_one_long"),
    ],
    control=false_with("a hundredth of rho", ROUND_NOISY, share=Q(1, 100)),
    kills=["baselines.svrg-correction-added", "baselines.svrg-no-correction"],
    proof=(
        "Two runs from the same snapshot with the same rows come together, by 1 - (3/2) lam eta a step in mean square;"
        " so w_m is nearly as good as the mean of the iterates after it, were the round to go on for ever, and that"
        " mean is at most x/(1 - x) times P(w~_0) - P* as in Theorem 1, x = 2L eta."
    ),
)
def long_rounds(c: Context, share: Fraction = Q(1)) -> Iterable[Relation]:
    """The claim with this share of rho; e^z >= (1 + z/m)^m."""
    L, lam, eta, m = smoothness(c), c.instance.lam, c.instance.options["eta"], c.instance.options["m"]
    y = lam * eta * m
    yield Le(8 * (L / lam) * y * (1 + 2 * y), (1 + 3 * y / (2 * m)) ** m, "the round is long")
    yield from decrease(c, "I", share * rho(L, lam, eta, m))


# -- what is open ------------------------------------------------------------------------------------------------------


@claim(
    "baselines.svrg.theorem-option-i",
    "Theorem 1 for option I, which is what is run: the same bound",
    hypotheses=(
        f"{SMOOTH}; the paper proves nothing about it, and we know of no counterexample; proved:"
        " baselines.svrg.option-i-long, for long rounds, and with a larger factor baselines.svrg.option-i. A flat"
        " direction has the share y exp(-2y) <= 1/(2e) = 0.1839 of the bound, y = lam eta m"
    ),
    origin=PAPER.inference(
        "SVRG, Theorem 1", note="the theorem is about option II; that it holds of option I is not stated in any paper"
    ),
    expected="OPEN",
    evidence=[golden(UNIT, PAIR, level="ENUMERATED", detail="s <= 2"), Enumerated(strategies.svrg_rounds, 0.1)],
    control=altered(
        "the bound of eta = gamma/10 on a row of norm 17",
        lambda c: theorem_chain(c, 1 / c.gamma + c.instance.lam, "I"),
        SEVENTEEN,
    ),
)
def theorem_option_i(c: Context) -> Iterable[Relation]:
    yield from theorem_chain(c, smoothness(c), "I")
