"""SPDC, the rates in distance alone, which ask nothing of alpha^0: the form of Theorem 1 without the gaps, and the
theorem of Chambolle and Pock on Algorithm 2 with m = n, their steps and their rate.
"""

import numpy as np

from dualgap.proofs_checks.papers.spdc import strategies
from dualgap.proofs_checks.papers.spdc.items import PAPER
from dualgap.proofs_checks.papers.spdc.quadratic_certificates import Expected, Observable, semidefinite_pivots
from dualgap.proofs_checks.papers.spdc.rates import (
    ANY_STEPS,
    ASSUMED,
    G1,
    G2,
    G3,
    HALF_R,
    Saddle,
    constants,
    horizon,
    own_steps,
    runs,
    with_theta,
)
from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.reference.problem.problem import Vector

ANYWHERE = r"any $\alpha^0$, inside the domain of $\varphi^*$ or not; $w^{-1} = w^0$, $u^0 = X^T \alpha^0/n$"


def weighted_square(a: Vector, b: Vector, weights: Vector) -> Number:
    """sum_i weights_i (a_i - b_i)^2."""
    return sum((weight * (x - y) * (x - y) for x, y, weight in zip(a, b, weights)), Q(0))


def in_distance(c: Context, theta: Number, on_w: Number, left: Vector, right: Vector) -> Iterable[Relation]:
    """E[on_w ||w - w*||^2 + sum left_i (alpha_i - alpha*_i)^2] <= theta^t times the same at t = 0 with ``right``."""
    saddle = Saddle(c)

    def measured(weights: Vector) -> Observable:
        return lambda w, alpha: on_w * saddle.to_w(w, alpha) + weighted_square(alpha, saddle.alpha, weights)

    bound, at_start = measured(right)(*saddle.start), measured(left)(*saddle.start)
    for t, (value,) in enumerate(Expected(saddle.c).along(horizon(c), [measured(left)])):
        if t:
            bound = theta * bound
            yield Le(value, bound, f"t = {t}", trivial=at_start)


# -- Algorithms 1 and 2 ------------------------------------------------------------------------------------------------


# Starts of runs, alpha^0 outside the domain half of the time, theta sharp, or steps of one's own.
runs_anywhere = Pool("spdc.runs_anywhere", own_steps, runs("sharp", anywhere=True))


OUTSIDE = G2.but(alpha=Qs(3, -4, 2), options={"theta": "sharp"})


@claim(
    "spdc.theorem-1d",
    "Theorem 1 in distance, with R in the place of 2R: (1/(2 tau) + lam) E||w^t - w*||^2 + (1/(4 sigma) + gamma)"
    " E||alpha^t - alpha*||^2/m <= theta_R^t [(1/(2 tau) + lam) ||w^0 - w*||^2 + (1/(2 sigma) + gamma) ||alpha^0 -"
    " alpha*||^2/m]",
    origin=PAPER.ours("Theorem 1", note="The form of Theorem 2; the conference version of 2015 was not at hand."),
    hypotheses=f"{ASSUMED}; {ANY_STEPS}; {ANYWHERE}",
    evidence=[
        Enumerated(runs_anywhere, 0.2),
        golden(
            OUTSIDE,
            *(with_theta(i, "sharp") for i in (G1, G3)),
            level="ENUMERATED",
            detail="G1, G3, G2 from outside the domain",
        ),
    ],
    control=fails_on(HALF_R, text="theta with R/2 in the place of R"),
    proof=(
        "(45) and (49) with the optimality of (w*, alpha*) itself, phi_i*(b) - b x_i^T w* >= phi_i*(alpha*_i) -"
        " alpha*_i x_i^T w* + (gamma/2) (b - alpha*_i)^2, in the place of the gaps: every modulus doubles, and no gap"
        " of alpha^0 appears."
    ),
)
def theorem_1d(c: Context) -> Iterable[Relation]:
    k, n = constants(c), c.n
    left, right = ((1 / (share * k.sigma) + c.gamma) / k.m for share in (4, 2))
    yield from in_distance(c, k.theta, 1 / (2 * k.tau) + c.mu, [left] * n, [right] * n)


# -- m = n -------------------------------------------------------------------------------------------------------------


def is_norm_bound(rows: tuple[tuple[Fraction, ...], ...], N: Fraction) -> bool:
    """Whether N >= ||X||_2, exactly: N^2 I - X^T X is semidefinite."""
    X = np.array(rows, dtype=object)
    d: int = X.shape[1]
    return semidefinite_pivots(N * N * np.eye(d, dtype=int).astype(object) - X.T @ X) == d


def chambolle_pock(instance: Instance, mu: Fraction, N: Fraction) -> Instance:
    """The instance with m = n and the steps of Chambolle and Pock, N in the place of ||X||_2.

    mu = 2 sqrt(n lam gamma)/N, tau = mu/(2 lam), sigma_CP = n mu/(2 gamma), which is n sigma, and theta = 1/(1 + mu).
    """
    n, gamma = len(instance.rows), strategies.FIXED_GAMMA.get(instance.loss, instance.gamma or Q(1))
    lam = (mu * N) ** 2 / (4 * n * gamma)
    options = {"m": n, "tau": mu / (2 * lam), "sigma": mu / (2 * gamma), "theta": 1 / (1 + mu)}
    return instance.but(method="spdc-minibatch", lam=lam, options=options, path=(), extra=instance.extra | further(N=N))


@st.composite
def smooth_full_batches(draw: DrawFn, /) -> Instance:
    """m = n with the steps of Chambolle and Pock; N within 1/8 of the Frobenius norm above ||X||_2, or twice that."""
    base = strategies.batch_instances(max_n=3, max_d=2, max_path=0, free=False, anywhere=True)
    instance = draw(base)
    frobenius = strategies.root_above(sum((x * x for row in instance.rows for x in row), Q(0)))
    N = next(frobenius * k / 8 for k in range(1, 9) if is_norm_bound(instance.rows, frobenius * k / 8))
    return chambolle_pock(
        instance, draw(st.sampled_from(Qs(2, "1/2", "1/5", "1/20"))), N * draw(st.sampled_from((1, 1, 2)))
    )


CP = tuple(
    chambolle_pock(base.but(extra=further(w=w, horizon=60)), mu, N)
    for base, w, mu, N in (
        (G1.but(rows=(Qs(3, 0), Qs(0, 4), Qs(4, 0))), Qs(1, 1), Q(1, 5), Q(5)),  # X^T X = diag(25, 16)
        (G1.but(rows=(Qs(1),) * 4, y=Qs(1, -1, 2, 0), alpha=Qs(0, 0, 0, 0)), Qs(1), Q(1, 10), Q(2)),
        (G2.but(rows=(Qs(3, 0), Qs(0, 4), Qs(4, 0)), alpha=Qs(3, -3, 0)), Qs(1, 1), Q(1, 5), Q(5)),
    )
)
SHORT = CP[0].options | {"tau": 4 * CP[0].options["tau"]}


@claim(
    "spdc.chambolle-pock",
    "Section 5, Chambolle and Pock's rate at m = n: mu = 2 sqrt(n lam gamma)/||X||_2, tau = mu/(2 lam), sigma = mu/(2"
    " gamma) (theirs is n sigma), theta = 1/(1 + mu): lam ||w^t - w*||^2 + (1 - theta) (gamma/n) ||alpha^t - alpha*||^2"
    " <= theta^t (lam ||w^0 - w*||^2 + (gamma/n) ||alpha^0 - alpha*||^2)",
    hypotheses=rf"{ASSUMED}; $N \ge \Vert X\Vert_2$ may take its place; {ANYWHERE}",
    origin=PAPER.reading(
        "Table 2",
        "(31)-(33)",
        note=(
            "Chambolle and Pock's Theorem 3 is restated and was not held against their print; of Table 2 the numbers"
            " are lost."
        ),
    ),
    evidence=[Enumerated(smooth_full_batches, 0.2), golden(*CP, level="ENUMERATED", detail="N = ||X||_2, t <= 60")],
    control=fails_on(CP[0].but(options=SHORT), text="4 tau"),
)
def chambolle_pock_rate(c: Context) -> Iterable[Relation]:
    n, theta = c.n, Q(c.instance.options["theta"])
    yield Eq(int(is_norm_bound(c.instance.rows, c.given.N)), 1, "N >= ||X||_2")
    yield from in_distance(c, theta, c.mu, [(1 - theta) * c.gamma / n] * n, [c.gamma / n] * n)
