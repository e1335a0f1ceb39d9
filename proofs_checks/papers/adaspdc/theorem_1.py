"""AdaSPDC, section 3.1, Theorem 1 as published, (16), in each of its readings; and that the method it speaks of can
diverge.

    (16)   (1/(2 tau^T) + lam) E||x^T - x*||^2 + E||y^T - y*||^2_nu
           <= (prod_t theta^t) ((1/(2 tau^T) + lam)||x^0 - x*||^2 + ||y^0 - y*||^2_nu')

(16) has theta^t and tau^T, which are random, outside the expectation. Every reading implies (16) without 1/(2 tau^T) on
the left and with 1 for the product. All counterexamples have b = 0, gamma = 1, m = 1 and start at w^0 = w* = 0, where
it does not matter how tau^T is read on the right.
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import Any

import numpy as np

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import Blocks, further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.registry import Hypothesis
from dualgap.proofs_checks.claims.relations import Eq, Le, Lt, Relation
from dualgap.proofs_checks.engines.integers import quotient
from dualgap.proofs_checks.evidence.formal import formal
from dualgap.proofs_checks.evidence.levels import golden, holds_on
from dualgap.proofs_checks.papers.adaspdc.items import PAPER
from dualgap.proofs_checks.papers.adaspdc.setting import CONVEX, SAMPLES, START, STEPS, setting
from dualgap.proofs_checks.papers.spdc.quadratic_certificates import Steps, parts
from dualgap.proofs_checks.papers.vocabulary import dot, refuted, square

AT_SOLUTION = Hypothesis(
    "any x^0, here x*", "Theorem 1; Algorithm 1, line 2", lambda c: setting(c).w == setting(c).w_star
)


def line(
    *norms: int | str | Q, T: int, lam: int | str | Q = "1/2", alpha: Iterable[int] = (1, 0), **sides: Any
) -> Instance:
    """Rows (R_i) of one entry."""
    return Instance(
        rows=tuple(Qs(R) for R in norms),
        y=Qs(0) * len(norms),
        alpha=Qs(*alpha),
        lam=Q(lam),
        gamma=Q(1),
        method="adaspdc",
        extra=further(T=T, w=Qs(0), **{name: Q(value) for name, value in sides.items()}),
    )


def orthogonal(R: int | str | Q, T: int, **sides: Any) -> Instance:
    """Rows (R, 0) and (0, 1)."""
    one = line(R, 1, T=T, **sides)
    return one.but(rows=(Qs(R, 0), Qs(0, 1)), extra=one.extra.but(w=Qs(0, 0)))


# -- (16), exactly -----------------------------------------------------------------------------------------------------


class MeanSquares:
    """E of the squares of w and of every alpha_i along the method's own run, and after every last sample."""

    def __init__(self, c: Context) -> None:
        self.t, T = setting(c), c.instance.extra.T
        self.steps = self.t.c.once(Steps)
        moments = self.steps.moments(self.t.c.state)
        self.seen = [next(moments) for _ in range(T)]  # up to T - 1
        self.after = []  # for every S: P(S), E[||w^T||^2; S], E[||alpha_i^T||^2; S]
        M, k = self.seen[-1]
        for (S, p), N in zip(self.steps.choices, self.steps.N):
            self.after.append((S, p, *self.squares(N @ M @ N.T, k * self.steps.q**2)))

    def squares(self, M: Any, k: int) -> tuple[Fraction, list[Fraction]]:
        """E||w||^2 and E||alpha_i||^2 of a moment matrix."""
        d, alpha = self.steps.d, [Q(0)] * self.t.n
        for place, (i, _) in enumerate(self.steps.columns, 3 * d):
            alpha[i] += quotient(M[place, place], k)
        return sum((quotient(M[j, j], k) for j in range(d)), Q(0)), alpha

    def left(self, every: bool) -> Fraction:
        """The left side of (16): with 1/(2 tau^(T-1)) inside the expectation, or without it."""
        total: Fraction = Q(0)
        for S, p, w2, alpha2 in self.after:
            weight = Q(0) if every else 1 / (2 * self.t.tau_theta(S)[0])
            total += p * ((weight + self.t.lam) * w2 + dot(self.t.nu, alpha2))
        return total

    def right(self, every: bool, T: int) -> Fraction:
        """The right side of (16), w^0 being w*: with the expectation of the product, or with 1 for it."""
        rate = Q(1) if every else sum((p * self.t.tau_theta(S)[1] for S, p, *_ in self.after), Q(0))
        found: Fraction = rate**T * dot(self.t.nu_prime, [square(parts(a)) for a in self.t.alpha])
        return found


def theorem_1(c: Context, every: bool) -> Iterable[Relation]:
    """(16) at T = extra "T", after what leads to it; every: what every reading of it implies."""
    run, T = MeanSquares(c), c.instance.extra.T
    t = run.t
    for S, *_ in run.after:
        tau, theta = t.tau_theta(S)
        constants = f"sigma = {t.sigma[S[0]]}, tau = {tau}, theta = {theta}"
        yield Eq(4 * t.sigma[S[0]] * tau * t.R[S[0]] ** 2, 1, f"S = {S}: {constants}; 4 sigma tau R^2")
    for S, p, w2, alpha2 in run.after:
        yield Le(Q(0), w2, f"E||w^{T}||^2 where the last sample is {S}, of probability {p}")
        yield Le(Q(0), dot(t.nu, alpha2), f"and sum_i nu_i ||alpha_i^{T}||^2")
    names = ("left_dropped", "right_one") if every else ("left_last", "right_expected")
    for name, value in zip(names, (run.left(every), run.right(every, T))):
        if (due := c.given.get(name)) is not None:
            yield Eq(value, due, f"the {name.partition('_')[0]} side of (16), by hand")
    words = (
        "with 1/(2 tau^T) left out, with 1 for prod theta^t"
        if every
        else "with 1/(2 tau^(T-1)) inside the expectation, with the expectation of prod theta^t"
    )
    yield Le(run.left(every), run.right(every, T), f"(16) at T = {T}, {words}")


def block_line(first: int | Q, second: int | Q, T: int) -> Instance:
    """A_1 = [R_1 0], A_2 = [R_2], lam = 1/2, the error in the second entry of alpha_1 only."""
    return Instance(
        rows=((Q(0),),),
        y=Qs(0),
        alpha=Qs(0),
        lam=Q(1, 2),
        gamma=Q(1),
        method="adaspdc",
        extra=Blocks(
            A=((Qs(first, 0),), (Qs(second),)), b=(Qs(0, 0), Qs(0)), block_loss="squared", blocks=(Qs(0, 1), Qs(0))
        )
        | further(T=T, w=Qs(0)),
    )


SHORT_ROW = line(
    6, "1/100", T=1, left_last="10415131/845000", left_dropped="5084981/422500", right_expected="2027/404", right_one=7
)
LONG_ROWS = (
    line(12, 1, T=1, left_last="34102807/3001250", right_expected="89/8"),
    line(5, 1, T=2, left_last="1100524032757/253101895200", right_expected="25/6"),
    line(4, 1, T=3),
    orthogonal(3, T=4, right_expected="28561/16384"),
)
STRONG = (
    SHORT_ROW,
    line(10, 1, T=6, right_one=11),
    orthogonal(10, T=5, right_one=11),
    line(102, 1, T=1, right_one=103),
)
EQUAL_NORMS = line(1, 1, T=4)
SIMILAR = (block_line(2, 1, 12), block_line(11, 10, 571), line(2, 2, 1, T=51, lam="1/3", alpha=(1, -1, 0)))
PRINTED = (
    r"$(1/(2 \tau^T) + \lambda) \mathbb{E}\Vert x^T - x^*\Vert^2 +$ $\mathbb{E}\Vert y^T - y^*\Vert^2_{\nu} \le$ "
    r"$(\prod_t \theta^t)((1/(2 \tau^T) + \lambda)\Vert x^0 - x^*\Vert^2 +$ $\Vert y^0 - y^*\Vert^2_{\nu'})$"
)
ASSUMED = r"$\varphi_i^*$ $\gamma$-strongly convex, $g$ $\lambda$-strongly convex; (10), (12), (15)"


@refuted(
    "adaspdc.theorem-1.every-reading",
    f"Theorem 1, (16) in every reading: {PRINTED}, which implies "
    r"$\lambda \mathbb{E}\Vert x^T - x^*\Vert^2 +$ $\mathbb{E}\Vert y^T - y^*\Vert^2_{\nu}"
    r" \le$ $\Vert y^0 - y^*\Vert^2_{\nu'}$ for $x^0 = x^*$",
    hypotheses=ASSUMED,
    gravity="repeated",
    instead="adaspdc.theorem-1.repaired",
    origin=PAPER.printed(
        "Theorem 1",
        note=(
            "the paper does not say how it means the random tau^T and theta^t. Here 1/(2 tau^T) >= 0 is left out on the"
            " left, and theta^t <= 1 is replaced by 1 on the right. Both make (16) weaker, so every reading implies"
            " this inequality; the same error as adaspdc.convergence"
        ),
    ),
    assumes=[*CONVEX, STEPS, SAMPLES, START, AT_SOLUTION],
    evidence=[
        golden(*STRONG, detail=f"m = 1, b = 0, T = {', '.join(str(i.extra.T) for i in STRONG)}"),
        formal("adaspdc_theorem_1_false", refutes=True),
    ],
    control=holds_on(EQUAL_NORMS, text="two equal norms, T = 4"),
    proof=(
        "The term -theta <dx^t, (1/m) sum_S A_j dy_j> combines tau^{t-1} of one sample with sigma_j of the next. To"
        " bound it along (17), 4 tau^{t-1} sigma_j R_j^2 must be at most 1, but it equals R_j/R^{t-1}, which exceeds 1"
        " if the next sample contains a longer row. (17) covers a single sample. The paper's own proof is in a full"
        " version that we did not have. See adaspdc.theorem-1.repaired and adaspdc.theorem-1.constant."
    ),
)
def every_reading(c: Context) -> Iterable[Relation]:
    yield from theorem_1(c, every=True)


@refuted(
    "adaspdc.theorem-1",
    f"Theorem 1, (16): {PRINTED}, read with 1/(2 tau^(T-1)) inside the expectation on the left and the expectation of"
    " the product on the right; also for norms of nearly one size, where the method does converge",
    hypotheses=ASSUMED,
    instead="adaspdc.theorem-1.repaired",
    origin=PAPER.reading(
        "Theorem 1",
        note=(
            "theta^t and tau^T are random and stand outside the expectation, over t = 1 .. T where the algorithm has 0"
            " .. T-1; the paper does not say how it means them. What every reading implies is"
            " adaspdc.theorem-1.every-reading"
        ),
    ),
    assumes=[*CONVEX, STEPS, SAMPLES, START, AT_SOLUTION],
    evidence=[
        golden(
            SHORT_ROW,
            *LONG_ROWS,
            *SIMILAR,
            detail="norms 2 and 1, 11 and 10, 2, 2 and 1: T = 12, 571 and 51, the first T that violates it",
        )
    ],
    control=holds_on(
        *(EQUAL_NORMS, block_line(2, 1, 11), block_line(11, 10, 570)),
        text="two equal norms; norms of nearly one size, one step less",
    ),
    proof=(
        "As adaspdc.theorem-1.every-reading; and if R^t is small, theta^t is small too, but a block outside the sample"
        " does not contract at all."
    ),
)
def readings(c: Context) -> Iterable[Relation]:
    yield from theorem_1(c, every=False)


# -- divergence --------------------------------------------------------------------------------------------------------

W_1 = Qs(1, 0, -1, 0, 1, 2, -1, 2, 11)
W_2 = Qs(1, 0, -1, 0, 1, 1, -1, 1, 11)
DUE = Qs("2998109/6508832", "4402009/318932768", "113985821/5740789824")


def certified(R: int | str | Q, W: tuple[Fraction, ...], **by_hand: object) -> Instance:
    """Orthogonal rows of norm R and 1, lam = 1/2, and a form in (w_1, w_bar_1, alpha_1)."""
    one = orthogonal(R, T=0)
    return one.but(extra=further(W=W, **by_hand))


TEN_TO_ONE = certified(10, W_1, minors=DUE)
DIVERGING = (TEN_TO_ONE, certified(9, W_1), certified(12, W_1), certified(16, W_2))


def minors(form: Any) -> list[Fraction]:
    """The leading principal minors of a form of size 3."""
    (a, b, c), (_, e, f), (_, _, i) = form.tolist()
    return [a, a * e - b * b, a * (e * i - f * f) - b * (b * i - f * c) + c * (b * f - e * c)]


def growth(c: Context) -> tuple[Any, Any, bool]:
    """W, G = sum_S P(S) T_S^T W T_S - W on (w_1, w_bar_1, alpha_1), and whether no other variable enters."""
    steps = setting(c).c.once(Steps)
    images, d = steps.N @ steps.embedding(None), steps.d
    T = np.concatenate([images[:, : 2 * d], images[:, 3 * d :]], axis=1) * Fraction(1, steps.q)  # on (w, w_bar, alpha)
    keep = (0, 2, 4)
    rest = [k for k in range(T.shape[1]) if k not in keep]
    alone = not (T[:, keep][:, :, rest].any() or T[:, rest][:, :, keep].any())
    W = np.array(c.instance.extra.W, dtype=object).reshape(3, 3)
    N = T[:, keep][:, :, keep]
    return W, sum(p * (A.T @ W @ A) for (_, p), A in zip(steps.choices, N)) - W, alone


@refuted(
    "adaspdc.convergence",
    r"Theorem 1, that AdaSPDC converges linearly in mean square: by (16), $\mathbb{E}\Vert x^T - x^*\Vert^2$ and"
    r" $\mathbb{E}\Vert y^T - y^*\Vert^2$ converge to 0",
    hypotheses=ASSUMED,
    origin=PAPER.printed(
        "Theorem 1",
        "Sharper rate",
        note="(16) implies it in every reading: theta^t <= max theta < 1, and 1/(2 tau) is bounded",
    ),
    gravity="theorem",
    instead="adaspdc.theorem-1.repaired",
    evidence=[
        golden(*DIVERGING, detail="orthogonal rows of norm 10 (9, 12, 16) and 1, lam = 1/2"),
        formal("adaspdc_diverges", refutes=True),
    ],
    control=holds_on(certified(1, W_1), certified(5, W_1), certified(5, W_2), text="two equal norms; norms 5 and 1"),
    assumes=[*CONVEX, STEPS, SAMPLES],
    proof=(
        "A step with sample S maps the error z of the method's state to T_S z. W is a positive definite matrix, and G ="
        " sum_S P(S) T_S^T W T_S - W. Here G is positive definite too, so that E z_T^T W z_T >= (1 + eps)^T z_0^T W z_0"
        " for an eps > 0. If the method converged, there would be no such W. See adaspdc.theorem-1.repaired."
    ),
)
def convergence(c: Context) -> Iterable[Relation]:
    W, G, alone = growth(c)
    yield Eq(int(alone), 1, "the recursion for z = (x_1, x_bar_1, y_1) involves no other variable")
    for k, minor in enumerate(minors(W), 1):
        yield Lt(Q(0), minor, f"leading minor {k} of W = {[str(x) for x in c.instance.extra.W]}")
    for k, (minor, due) in enumerate(zip(minors(G), c.given.get("minors", ())), 1):
        yield Eq(minor, due, f"leading minor {k} of G = sum_S P(S) T_S^T W T_S - W, by hand")
    yield Le(
        min(minors(G)), Q(0), "the least leading minor of G is at most 0, as E z^T W z does not grow from every z != 0"
    )
