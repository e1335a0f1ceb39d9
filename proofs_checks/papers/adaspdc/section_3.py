"""AdaSPDC, section 3: Algorithm 1 line by line, published and repaired, its steps, and (17); sections 3.1 and 3.2: the
matrix (17), and steps and decay factor against those of SPDC.

    (9)    y_i+ = argmin phi_i*(y) - <x_bar, A_i y> + ||y - y_i||^2/(2 sigma_i) for i in S, printed with phi_i
    (11)   x+ = argmin g(x) + <x, r + (1/m) sum_S A_j (y_j+ - y_j)> + ||x - x^t||^2/(2 tau^t)
    (13)   r+ = r + (1/n) sum_S A_j (y_j+ - y_j)            (14)  x_bar+ = x+ + theta^t (x+ - x)
    (10)   sigma_i = c/(2R_i)      (12)  tau^t = 1/(2 R^t c)      (15)  theta^t = 1 - 1/(n/m + R^t k)
    (17)   P = [[(m/(2 tau^t)) I, -A_S], [-A_S^T, diag(1/(2 sigma_i))]]
    SPDC   sigma = (1/(2R)) sqrt(n lam/(m gamma)), tau = (1/(2R)) sqrt(m gamma/(n lam)), theta = 1 - 1/(n/m + 2Rk), or
           with R for 2R

repaired: tau and theta of R = max_i R_i in every step, and sigma_i = c/(2R_i) or Rc/(2R_i^2).
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction

import numpy as np

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Lt, Relation
from dualgap.proofs_checks.engines.quadratic_forms import nonnegative_pivots, pivots
from dualgap.proofs_checks.evidence.levels import exact, false_with, golden, holds_on
from dualgap.proofs_checks.papers.adaspdc.instances import (
    SAMPLES_OF_TWO,
    TWO_BLOCKS,
    UNEQUAL_ROWS,
    UNEQUAL_ROWS_R,
    published,
    published_blocks,
    repaired,
    repaired_blocks,
)
from dualgap.proofs_checks.papers.adaspdc.items import PAPER
from dualgap.proofs_checks.papers.adaspdc.setting import (
    CONVEX,
    SAMPLED,
    SMOOTH,
    STEPS,
    equal,
    scaled,
    setting,
    subgradient,
)
from dualgap.proofs_checks.papers.spdc.quadratic_certificates import columns_of, parts
from dualgap.proofs_checks.papers.vocabulary import LONE_ROW, dot, minus, names, plus, refuted, slip
from dualgap.reference.methods.spdc import MiniBatchSPDC
from dualgap.reference.methods.spdc import Parameters as Constants
from dualgap.reference.numbers.arithmetic import Number

C_IS_2 = UNEQUAL_ROWS.but(lam=Q(4, 3), alpha=Qs(1, 0, -1))


@claim(
    "adaspdc.algorithm-1",
    "(9)-(15): every block of the sample moves to argmin phi_i*(a) - <a, A_i^T w_bar> + ||a - alpha_i||^2/(2 sigma_i),"
    " the others stay; then w to argmin g(w) + <u + (1/m) sum_S A_j (alpha_j+ - alpha_j), w> + ||w - w^t||^2/(2 tau);"
    " then u+ = r(alpha+) and w_bar+ = w+ + theta (w+ - w)",
    hypotheses=f"{SMOOTH}; every $R_i > 0$; (10), (12), (15) with the largest $R_i$ of the sample; {SAMPLED}",
    origin=PAPER.reading(
        "Algorithm 1",
        "(9)",
        "(10)",
        "(11)",
        "(12)",
        "(13)",
        "(14)",
        "(15)",
        "Matrix blocks",
        note=(
            "(9) with phi_i*, as (6), L of (2) and the closed forms of section 4 have it; all else as printed. The"
            " print's phi_i is adaspdc.9-printed"
        ),
    ),
    evidence=[golden(UNEQUAL_ROWS, SAMPLES_OF_TWO, TWO_BLOCKS, C_IS_2), exact(published), exact(published_blocks, 0.3)],
    control=false_with("b_i moved by 1", UNEQUAL_ROWS, TWO_BLOCKS, moved=1),
    kills=names(
        "adaspdc", "no-extrapolation steps-doubled lambda-gamma-swapped weight-1/n plus-b r-scaled-1/m frobenius"
    ),
)
@claim(
    "adaspdc.algorithm-1.repaired",
    "(9)-(14) with tau = 1/(2Rc) and theta = 1 - 1/(n/m + Rk), R = max_i R_i, in every step; sigma_i = c/(2R_i), or"
    " Rc/(2R_i^2)",
    origin=PAPER.ours("Algorithm 1"),
    hypotheses=rf"{SMOOTH}; $R_i \ge \Vert A_i\Vert_2$, raised to $R/1000$, so that zero blocks are "
    f"admitted; {SAMPLED}",
    evidence=[golden(UNEQUAL_ROWS_R, C_IS_2.but(method="adaspdc-r")), exact(repaired), exact(repaired_blocks, 0.3)],
    control=false_with("b_i moved by 1", UNEQUAL_ROWS_R, moved=1),
    kills=names("adaspdc", "published-tau no-extrapolation lambda-gamma-swapped root-inverted"),
)
def lines(c: Context, moved: int = 0) -> Iterable[Relation]:
    """(9), (11), (13), (14) at a state: minimisers by optimality conditions, phi and phi* one by one; b_i moved."""
    t = setting(c)
    for s in t.c.successors:
        tau, theta = t.tau_theta(s.choice)
        for i in range(t.n):
            if i in s.choice:
                z = [z_k + moved for z_k in parts(t.problem.dot(t.problem.rows[i], t.w_bar))]
                step = minus(parts(s.alpha[i]), parts(t.alpha[i]))
                yield subgradient(t.c, i, s.alpha[i], minus(z, scaled(1 / t.sigma[i], step)))
            else:
                yield from equal(s.alpha[i], t.alpha[i], f"alpha_{i} is left as it is by {s.choice}")
        g, gradient = t.problem.regularizer, minus(scaled(-1, t.direction(s)), scaled(1 / tau, minus(s.w, t.w)))
        yield Eq(
            g.value(s.w) + g.conjugate(gradient),
            dot(s.w, gradient),
            f"(11): -u~ - (w+ - w)/tau is a subgradient of g at w+, S = {s.choice}",
        )
        yield from equal(s.state.u, t.u_of(s.alpha), f"(13): u+ = (1/n) sum_i A_i alpha_i+, S = {s.choice}")
        yield from equal(
            s.state.w_bar, plus(s.w, theta, minus(s.w, t.w)), f"(14): w_bar+ = w+ + theta (w+ - w), S = {s.choice}"
        )
        yield from equal(s.w, s.state.w, "the output is the last w")


BETWEEN = LONE_ROW.but(
    alpha=Qs("-1/5"), loss="smoothed-hinge", gamma=Q(1), method="adaspdc", extra=further(z=Q(3, 5), s=Q(1, 2))
)


@refuted(
    "adaspdc.9-printed",
    r"(9) as printed, with $\varphi_i(y_i)$, as a step on $L$ of (2): the new $y_i$ lies in the domain of"
    r" $\varphi_i^*$, outside which $L$ is "
    "infinite",
    hypotheses=r"smooth hinge, $\gamma = 1$",
    origin=PAPER.reading(
        "(9)", note="our copy, converted by machine, has no star; (6) and the closed forms of section 4 have phi*"
    ),
    evidence=[
        golden(BETWEEN, detail="b = 1, gamma = 1, sigma = 1/2, z = 3/5, y = -1/5: it gives 2/5, outside [-1, 0]")
    ],
    control=holds_on(BETWEEN.but(extra=further(z=Q(-2), s=Q(1, 2))), text="z = -2"),
    instead="adaspdc.algorithm-1",
)
def printed_9(c: Context) -> Iterable[Relation]:
    z, s, alpha, y, gamma, loss = c.given.z, c.given.s, c.instance.alpha[0], c.problem.y[0], c.gamma, c.problem.loss
    # the zero of each line of phi' + (v - y)/sigma - z
    pieces = [alpha + s * (z - piece) for piece in (Q(0), -y)] + [(z + y / gamma + alpha / s) / (1 / gamma + 1 / s)]
    found = next(v for v in pieces if loss.derivative(v, y) - z + (v - alpha) / s == 0)
    yield Le(-y * found, 1, "-b v <= 1")
    yield Le(Q(0), -y * found, "-b v >= 0")


# -- the steps, and the norms R_i that they are made of ----------------------------------------------------------------


@claim(
    "adaspdc.spectral-norm",
    r"Section 3: $R_i = \sqrt{\mu_{\mathrm{max}}(A_i^T A_i)}$, $\mu_{\mathrm{max}}$ its largest eigenvalue, which is"
    r" its largest singular value too",
    hypotheses="blocks",
    origin=PAPER.printed("R_i"),
    evidence=[exact(published_blocks, 0.3), golden(TWO_BLOCKS)],
    control=false_with("99/100 of R_i^2", TWO_BLOCKS, shrink=Q(99, 100)),
)
def spectral(c: Context, shrink: Number = 1) -> Iterable[Relation]:
    t = setting(c)
    for i, R_i in enumerate(t.problem.norms):
        columns = [column for place, column in columns_of(t.problem) if place == i]
        gram = [[sum((x * b.get(j, 0) for j, x in a.items()), Q(0)) for b in columns] for a in columns]
        form = [
            [(shrink * R_i**2 if k == h else 0) - value for h, value in enumerate(line)] for k, line in enumerate(gram)
        ]
        found = pivots(form)
        yield Eq(sum(pivot >= 0 for pivot in found), len(form), f"R_{i}^2 I - A_{i}^T A_{i} is semidefinite")
        yield Eq(int(any(pivot == 0 for pivot in found)), 1, "and singular: R_i^2 is an eigenvalue")


# -- (17) --------------------------------------------------------------------------------------------------------------


def matrices_17(c: Context, scale: Number = 1) -> Iterator[tuple[object, list[list[Fraction]]]]:
    """(S, P) for every sample, P's diagonal times scale."""
    t = setting(c)
    for S, _ in t.c.method.choices(t.problem, None):
        tau, _ = t.tau_theta(S)
        columns = [(i, column) for i, column in columns_of(t.problem) if i in S]
        P = scale * np.diag(
            np.array([t.m / (2 * tau)] * t.problem.d + [1 / (2 * t.sigma[i]) for i, _ in columns], dtype=object)
        )
        for place, (_, column) in enumerate(columns, t.problem.d):
            for j, x in column.items():
                P[j, place] = P[place, j] = -x
        yield S, P.tolist()


ALONE = Instance(rows=(Qs(5), Qs(1)), y=Qs(0, 0), alpha=Qs(0, 0), lam=Q(1, 2), gamma=Q(1), method="adaspdc")
EQUAL_COLUMNS = ALONE.but(rows=(Qs(5), Qs(5)), lam=Q(1), options={"m": 2})
APART = ALONE.but(rows=(Qs(5, 0), Qs(0, 1)), lam=Q(1), options={"m": 2})


@slip(
    "adaspdc.17",
    r"(17): the steps guarantee that $P = [[(m/(2 \tau^t)) I, -A_S],$ $[-A_S^T, \mathrm{diag}(1/(2"
    r" \sigma_i))]]$ is positive definite",
    hypotheses="(10), (12)",
    origin=PAPER.printed("(17)"),
    evidence=[golden(ALONE, EQUAL_COLUMNS, detail="m = 1: [[5, -5], [-5, 5]]; m = 2: two equal columns")],
    control=holds_on(APART, text="two orthogonal rows of norm 5 and 1, m = 2"),
    assumes=[*CONVEX, STEPS],
    proof="For m = 1 and one column, det P = 1/(4 sigma tau) - R^2, and the paper's steps make this 0.",
)
def positive_definite(c: Context) -> Iterable[Relation]:
    for S, P in matrices_17(c):
        for k, pivot in enumerate(pivots(P), 1):
            yield Lt(Q(0), pivot, f"S = {S}: pivot {k} of P")


@claim(
    "adaspdc.17.repaired",
    "(17), repaired: P is positive semidefinite, which is enough for a proof",
    hypotheses="(10), (12); rows and blocks",
    origin=PAPER.ours(
        "(17)", "(17), its size", note="A_S has sum_S q_i columns; the print has m q_i, whose index i is free"
    ),
    evidence=[exact(published, 0.5), exact(published_blocks, 0.5), golden(ALONE, EQUAL_COLUMNS, APART)],
    control=false_with("99/100 of the diagonal", ALONE, EQUAL_COLUMNS, UNEQUAL_ROWS, scale=Q(99, 100)),
    proof=(
        "P >= 0 if 2 A_S diag(sigma) A_S^T <= (m/(2 tau)) I, for which sum_S 4 sigma_i tau R_i^2 <= m suffices; each"
        " term is R_i/R^t <= 1."
    ),
)
def positive_semidefinite(c: Context, scale: Number = 1) -> Iterable[Relation]:
    for S, P in matrices_17(c, scale):
        yield Eq(nonnegative_pivots(P), len(P), f"S = {S}: pivots of (17) that are >= 0")


# -- against SPDC ------------------------------------------------------------------------------------------------------

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
