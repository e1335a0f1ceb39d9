"""AdaSPDC, the proof of Theorem R, the repaired Theorem 1: one step of the dual, one of the primal, the cross terms,
and V.

    V = (1/(2 tau) + lam)||w - w*||^2 + ||d||^2/(4 tau) + sum_i nu'_i ||alpha_i - alpha*_i||^2 + <d, u - u*>,   d = w^t - w^(t-1)

In the labels u~ is u + (1/m) sum_S A_j (alpha_j+ - alpha_j) and D is (1/m) sum_S ||alpha_j+ - alpha_j||^2/sigma_j.
Expectations are over the method's own choices, from states that runs reach and from states with any w, w^(t-1) and
alpha.
"""

import numpy as np

from dualgap.proofs_checks.claims.origins import OURS
from dualgap.proofs_checks.engines.quadratic_forms import pivots
from dualgap.proofs_checks.papers.adaspdc.hypotheses import CONVEX, STEPS
from dualgap.proofs_checks.papers.adaspdc.items import PAPER
from dualgap.proofs_checks.papers.adaspdc.steps import G1, G1_R, SAMPLES, SMOOTH
from dualgap.proofs_checks.papers.adaspdc.strategies import (
    logistic,
    published,
    published_blocks,
    repaired,
    repaired_blocks,
)
from dualgap.proofs_checks.papers.adaspdc.terms import minus, plus, terms
from dualgap.proofs_checks.papers.vocabulary import *

STATE = (
    SMOOTH
    + r"; $\tau$, $\theta$ constant, $4 \tau \sigma_i R_i^2 \le 1$ for all $i$; "
    + SAMPLES
    + r"; any $w^t$, $w^{t-1}$, $\alpha^t$"
)
ILL = Instance(  # two equal rows, k = 200: the lines of the proof are nearly equalities
    rows=(Qs(1), Qs(1)),
    y=Qs(0, 0),
    alpha=Qs(1, -1),
    lam=Q(1, 20000),
    method="adaspdc-r",
    options={"preset": "b"},
    extra=further(w=Qs(1), before=Qs(2)),
)
PAIR = ILL.but(
    rows=(Qs(3), Qs(1), Qs(3)),
    y=Qs(0, 0, 1),
    alpha=Qs(1, -1, 2),
    lam=Q(2, 3) * Q(9, 40000),
    options={"preset": "b", "m": 2},
)
SWAPPED = PAIR.but(lam=Q(6), alpha=Qs(1, 1, 1), extra=further(w=Qs(1)))
# w* - w is orthogonal to the rows
UNSEEN = ILL.but(rows=(Qs(1, 0), Qs(1, 0)), alpha=Qs(0, 0), extra=further(w=Qs(0, 1)))


# -- (17) --------------------------------------------------------------------------------------------------------------


def matrix_17(c: Context, S: Any) -> list[list[Fraction]]:
    """P = [[(m/(2 tau^t)) I, -A_S], [-A_S^T, diag(1/(2 sigma_i))]]."""
    t = terms(c)
    tau, _ = t.tau_theta(S)
    columns = [(i, k) for i in S for k in range(len(alpha_of(t.alpha[i])))]
    d, size = t.problem.d, t.problem.d + len(columns)
    P = np.full((size, size), Fraction(0), dtype=object)
    for j in range(d):
        P[j, j] = t.m / (2 * tau)
    for place, (i, k) in enumerate(columns, d):
        P[place, place] = 1 / (2 * t.sigma[i])
        column = t.problem.moved([Q(0)] * d, i, unit(t.alpha[i], k), unit(t.alpha[i], -1), 1)
        P[:d, place] = P[place, :d] = [-x for x in column]
    rows: list[list[Fraction]] = P.tolist()
    return rows


def alpha_of(alpha_i: Any) -> tuple[Any, ...]:
    """alpha_i as a tuple."""
    return alpha_i if isinstance(alpha_i, tuple) else (alpha_i,)


def unit(alpha_i: Any, k: int) -> Any:
    """The k-th unit vector of alpha_i's shape; 0 for k = -1."""
    values = tuple(Q(int(h == k)) for h in range(len(alpha_of(alpha_i))))
    return values if isinstance(alpha_i, tuple) else values[0]


def determinant_sign(c: Context, scale: Number = 1) -> Iterable[Relation]:
    """All pivots of (17) are >= 0, P's diagonal times scale."""
    for S, _ in c.method.choices(c.problem, None):
        P = matrix_17(c, S)
        for k in range(len(P)):
            P[k][k] *= scale
        yield Eq(sum(pivot >= 0 for pivot in pivots(P)), len(P), f"S = {S}: pivots of (17) that are >= 0")


ALONE = Instance(rows=(Qs(5), Qs(1)), y=Qs(0, 0), alpha=Qs(0, 0), lam=Q(1, 2), gamma=Q(1), method="adaspdc")
VARIANTS = ALONE.but(rows=(Qs(5), Qs(5)), lam=Q(1), options={"m": 2})
APART = ALONE.but(rows=(Qs(5, 0), Qs(0, 1)), lam=Q(1), options={"m": 2})


@claim(
    "adaspdc.17",
    r"(17): the steps guarantee that $P = [[(m/(2 \tau^t)) I, -A_S], [-A_S^T, \mathrm{diag}(1/(2 \sigma_i))]]$ is"
    r" positive definite",
    hypotheses="(10), (12)",
    origin=PAPER.printed("(17)"),
    expected="REFUTED",
    evidence=[golden(ALONE, VARIANTS, detail="m = 1: [[5, -5], [-5, 5]]; m = 2: two equal columns")],
    control=holds_on(APART, text="two orthogonal rows of norm 5 and 1, m = 2"),
    assumes=[*CONVEX, STEPS],
    proof="For m = 1 and one column det P = 1/(4 sigma tau) - R^2 = 0, always.",
)
def positive_definite(c: Context) -> Iterable[Relation]:
    c = terms(c).c
    for S, _ in c.method.choices(c.problem, None):
        for k, pivot in enumerate(pivots(matrix_17(c, S)), 1):
            yield Lt(Q(0), pivot, f"S = {S}: pivot {k} of P")


@claim(
    "adaspdc.17.repaired",
    "(17), repaired: P is positive semidefinite, which is all that a proof needs",
    hypotheses="(10), (12); rows and blocks",
    origin=PAPER.ours("(17)"),
    evidence=[exact(published, 0.5), exact(published_blocks, 0.5), golden(ALONE, VARIANTS, APART)],
    control=altered("99/100 of the diagonal", lambda c: determinant_sign(c, Q(99, 100)), ALONE, VARIANTS, G1),
    proof=(
        "P >= 0 if 2 A_S diag(sigma) A_S^T <= (m/(2 tau)) I, for which sum_S 4 sigma_i tau R_i^2 <= m suffices; each"
        " term is R_i/R^t <= 1."
    ),
)
def positive_semidefinite(c: Context) -> Iterable[Relation]:
    c = terms(c).c
    yield from determinant_sign(c)


# -- one step of the dual, one of the primal ---------------------------------------------------------------------------


@claim(
    "adaspdc.dual-step",
    "The dual step: sum_i (nu'_i - gamma/n)||alpha_i - alpha*_i||^2 >= E[sum_i nu'_i ||alpha_i+ - alpha*_i||^2 + D/2 +"
    " <w* - w_bar, u~ - u*>]",
    origin=OURS,
    hypotheses=rf"{SMOOTH}; any $\sigma_i$ that do not depend on $S$; {SAMPLES}",
    evidence=[exact(repaired), exact(published, 0.3), exact(repaired_blocks, 0.3), enclosed(logistic, 0.1)],
    control=false_with("2 gamma for gamma after the step", ILL, PAIR, strong=2),
    proof=(
        "(9) is (1/sigma_i + gamma)-strongly convex, and phi_i* - <A_i^T w*, .> is gamma-strongly convex with minimiser"
        " alpha*_i. Sum over i by ||alpha~_i - alpha*_i||^2 = (n/m) E||alpha_i+ - alpha*_i||^2 - (n/m - 1)||alpha_i -"
        " alpha*_i||^2."
    ),
)
def dual_line(c: Context, strong: int = 1) -> Iterable[Relation]:
    """ADA-F4 with the new gamma times strong."""
    t = terms(c)
    new = [(1 / (2 * s) + strong * t.gamma) / t.m for s in t.sigma]
    back = minus(t.w_star, t.w_bar)

    def after(s: Any) -> Number:
        return t.weighted(new, s.alpha, t.alpha_star) + t.D(s) / 2 + t.dot(back, minus(t.direction(s), t.u_star))

    before = [nu - t.gamma / t.n for nu in t.nu_prime]
    yield Le(t.c.expect(after), t.weighted(before, t.alpha, t.alpha_star), "the dual step, in mean")


@claim(
    "adaspdc.primal-step",
    "The primal step: ||w - w*||^2/(2 tau) >= (1/(2 tau) + lam)||w+ - w*||^2 + ||w+ - w||^2/(2 tau) + <w+ - w*, u~ -"
    " u*> for every S",
    origin=OURS,
    hypotheses=rf"{SMOOTH}; any $\tau$, $\tau^t$ of the sample included",
    evidence=[exact(repaired), exact(published, 0.3), exact(repaired_blocks, 0.3)],
    control=false_with("2 lam for lam", ILL, PAIR, strong=2),
    proof="(11) is (1/tau + lam)-strongly convex, and g + <u*, .> is lam-strongly convex with minimiser w*.",
)
def primal_line(c: Context, strong: int = 1) -> Iterable[Relation]:
    """ADA-F5 with lam times strong."""
    t = terms(c)
    for s in t.c.successors:
        tau, _ = t.tau_theta(s.choice)
        right = (1 / (2 * tau) + strong * t.lam) * t.to_w(s.w) + t.square(minus(s.w, t.w)) / (2 * tau)
        right = right + t.dot(minus(s.w, t.w_star), minus(t.direction(s), t.u_star))
        yield Le(right, t.to_w(t.w) / (2 * tau), f"the primal step, S = {s.choice}")


# -- the cross terms ---------------------------------------------------------------------------------------------------


@claim(
    "adaspdc.cross-term",
    "The cross term: <d+ - theta d, u~ - u*> = <d+, u+ - u*> - theta <d, u - u*> + (1 - m/n)<d+, (1/m) sum_S A_j"
    " (alpha_j+ - alpha_j)> - theta <d, (1/m) sum_S A_j (alpha_j+ - alpha_j)>",
    origin=OURS,
    hypotheses=STATE,
    evidence=[exact(repaired, 0.5), exact(repaired_blocks, 0.3)],
    control=false_with("the third term with the other sign", ILL, PAIR, sign=-1),
    proof="u+ - u is m/n times (1/m) sum_S A_j (alpha_j+ - alpha_j).",
)
def cross_line(c: Context, sign: int = 1) -> Iterable[Relation]:
    """E<d+ - theta d, u~ - u*>, its third term times sign."""
    t = terms(c)
    _, theta = t.tau_theta()
    share = 1 - t.c.q(t.m) / t.n

    def left(s: Any) -> Number:
        return t.dot(plus(minus(s.w, t.w), -theta, t.d), minus(t.direction(s), t.u_star))

    def right(s: Any) -> Number:
        step = minus(s.w, t.w)
        rest = sign * share * t.dot(step, t.moved(s)) - theta * t.dot(t.d, t.moved(s))
        return t.dot(step, minus(s.state.u, t.u_star)) - theta * t.dot(t.d, minus(t.u, t.u_star)) + rest

    for s in t.c.successors:
        yield Eq(left(s), right(s), f"the cross term, S = {s.choice}")


AT_YOUNG = Instance(  # d = -6/5 = 2 tau A (alpha+ - alpha): n = 1, A = 1, lam = gamma = 1, so tau = sigma = 1/2
    rows=(Qs(1),),
    y=Qs(0),
    alpha=Qs(3),
    lam=Q(1),
    method="adaspdc-r",
    options={"preset": "a"},
    extra=further(w=Qs(0), before=Qs("6/5")),
)


@claim(
    "adaspdc.young",
    "What the cross term costs: |<v, (1/m) sum_S A_j (alpha_j+ - alpha_j)>| <= ||v||^2/(4 tau) + D/4 for v = d and v"
    " = d+",
    origin=OURS,
    hypotheses=STATE,
    evidence=[exact(repaired, 0.5), exact(repaired_blocks, 0.3)],
    control=false_with("99/100 of the right side, where it is an equality", AT_YOUNG, share=Q(99, 100)),
    proof="||(1/m) sum_S A_j Dalpha_j||^2 <= ((1/m) sum_S sigma_j R_j^2) D <= D/(4 tau), then 2ab <= a^2 + b^2.",
)
def young_line(c: Context, share: Number = 1) -> Iterable[Relation]:
    """Both products of the cross term, the right side times share."""
    t = terms(c)
    tau, _ = t.tau_theta()
    for s in t.c.successors:
        for name, v in (("d+", minus(s.w, t.w)), ("d", t.d)):
            product = t.dot(v, t.moved(s))
            bound = share * (t.square(v) / (4 * tau) + t.D(s) / 4)
            for sign in (1, -1):
                yield Le(
                    sign * product,
                    bound,
                    f"{'' if sign == 1 else '-'}<{name}, (1/m) sum_S A_j (alpha_j+ - alpha_j)>, S = {s.choice}",
                )


# -- V -----------------------------------------------------------------------------------------------------------------


def contraction_line(c: Context, share: Number = 1) -> Iterable[Relation]:
    """E V+ <= share theta V."""
    t = terms(c)
    _, theta = t.tau_theta()
    after = t.c.expect(lambda s: t.V(s.w, minus(s.w, t.w), s.alpha, s.state.u))
    yield Le(after, share * theta * t.V(t.w, t.d, t.alpha, t.u), "E V+ <= theta V")


@claim(
    "adaspdc.contraction",
    "Theorem R, one step: E[V^{t+1} | past] <= theta V^t for theta >= 1/(1 + 2 tau lam) and theta >= 1 - (m/n) 2"
    " sigma_i gamma/(1 + 2 sigma_i gamma)",
    origin=PAPER.ours("Theorem 1"),
    hypotheses=STATE,
    evidence=[
        golden(G1_R, ILL, PAIR, SWAPPED),
        exact(repaired),
        exact(repaired_blocks, 0.5),
        enclosed(logistic, 0.1),
        formal("ada_r_contraction"),
    ],
    control=altered("99/100 of the right side", lambda c: contraction_line(c, Q(99, 100)), UNSEEN),
    kills=["adaspdc.lambda-gamma-swapped", "adaspdc.plus-b"],
    proof=(
        "Add adaspdc.dual-step and the mean of adaspdc.primal-step; adaspdc.cross-term; by adaspdc.young the products"
        " cost at most (1 - m/n)(||d+||^2/(4 tau) + D/4) + theta (||d||^2/(4 tau) + D/4), paid by D/2, half of"
        " ||d+||^2/(2 tau) and theta ||d||^2/(4 tau)."
    ),
)
def contraction(c: Context) -> Iterable[Relation]:
    yield from contraction_line(c)


def below_line(c: Context, more: Number = 1) -> Iterable[Relation]:
    """The distance, more times, is at most V."""
    t = terms(c)
    yield Le(more * t.distance(t.w, t.alpha, t.nu), t.V(t.w, t.d, t.alpha, t.u), "V is at least the distance")
    for s in t.c.successors:
        yield Le(
            more * t.distance(s.w, s.alpha, t.nu),
            t.V(s.w, minus(s.w, t.w), s.alpha, s.state.u),
            f"after S = {s.choice}",
        )


@claim(
    "adaspdc.distance",
    "Theorem R, what V bounds: V >= (1/(2 tau) + lam)||w - w*||^2 + sum_i nu_i ||alpha_i - alpha*_i||^2, nu_i = (1/(4"
    " sigma_i) + gamma)/m",
    origin=OURS,
    hypotheses=STATE,
    evidence=[exact(repaired), exact(repaired_blocks, 0.5)],
    control=altered(
        "101/100 of the distance, where w = w* and d = 0",
        lambda c: below_line(c, Q(101, 100)),
        G1_R.but(extra=further(w=Qs("100", "-100"))),
    ),
    proof=(
        "|<d, u - u*>| <= ||d||^2/(4 tau) + (tau/n) sum_i R_i^2 ||alpha_i - alpha*_i||^2 <= ||d||^2/(4 tau) + (1/(4n))"
        " sum_i ||alpha_i - alpha*_i||^2/sigma_i."
    ),
)
def distance(c: Context) -> Iterable[Relation]:
    yield from below_line(c)


__all__ = ["ILL", "PAIR", "STATE", "G1"]
