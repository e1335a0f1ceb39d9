"""SPDC, section 5: the batch method of Chambolle and Pock, which is the case m = n.

(30), (34)   min_w max_alpha alpha^T K w + G(w) - F*(alpha), K = X/n, G = g, F* = (1/n) sum phi_i*
(31)-(33)    alpha+ = argmax <K w_bar, a> - F*(a) - ||a - alpha||^2/(2 sigma_CP); w+ = argmin <K^T alpha+, w> + G(w)
             + ||w - w^t||^2/(2 tau); w_bar+ = w+ + theta (w+ - w);  sigma_CP = n sigma
Table 2      mu = 2 sqrt(n lam gamma)/||X||_2, tau = mu/(2 lam), sigma = mu/(2 gamma), theta = 1/(1 + mu)
"""

from collections.abc import Iterable
from fractions import Fraction
from typing import cast

import numpy as np
from hypothesis.strategies import DrawFn

from dualgap.proofs_checks.claims import drawing as st
from dualgap.proofs_checks.claims import origins
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.pool import Pool
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Relation
from dualgap.proofs_checks.evidence.levels import exact, fails_on, false_with, golden
from dualgap.proofs_checks.evidence.trajectories import Enumerated
from dualgap.proofs_checks.papers.spdc.instances import (
    FIXED_GAMMA,
    THREE_HINGES,
    THREE_ROWS,
    batch_instances,
    batches,
    column,
    root_above,
)
from dualgap.proofs_checks.papers.spdc.items import PAPER
from dualgap.proofs_checks.papers.spdc.quadratic_certificates import semidefinite_pivots
from dualgap.proofs_checks.papers.spdc.setting import ANYWHERE, ASSUMED, Setting, bugs
from dualgap.reference.methods.spdc import SPDC
from dualgap.reference.numbers.arithmetic import Number

# -- m = n -------------------------------------------------------------------------------------------------------------


# m = n.
full_batches = Pool("spdc.full_batches", lambda: batch_instances(max_n=3).map(whole))


def whole(instance: Instance) -> Instance:
    """The instance with m = n and the same rho."""
    n, old = len(instance.rows), instance.options.get("m", 1)
    steps = tuple(tuple(range(n)) for _ in instance.path)
    options = {**instance.options, "m": n, "sampling": "subset"}
    return instance.but(method="spdc-minibatch", lam=instance.lam * n / old, options=options, path=steps)


def below(rows: tuple[tuple[Fraction, ...], ...], N2: Number) -> bool:
    """Whether N2 >= ||X||_2^2, exactly: N2 I - X^T X is semidefinite."""
    X = np.array(rows, dtype=object)
    d: int = X.shape[1]
    return semidefinite_pivots(N2 * np.eye(d, dtype=int).astype(object) - X.T @ X) == d


def chambolle_pock(instance: Instance, mu: Fraction, N: Fraction) -> Instance:
    """The instance with m = n and Chambolle and Pock's steps, mu = 2 sqrt(n lam gamma)/N, N for ||X||_2."""
    n, gamma = len(instance.rows), FIXED_GAMMA.get(instance.loss, instance.gamma or Q(1))
    lam = (mu * N) ** 2 / (4 * n * gamma)
    options = {"m": n, "tau": mu / (2 * lam), "sigma": mu / (2 * gamma), "theta": 1 / (1 + mu)}
    return instance.but(method="spdc-minibatch", lam=lam, options=options, path=(), extra=instance.extra | further(N=N))


@st.composite
def smooth_full_batches(draw: DrawFn, /) -> Instance:
    """m = n with the steps of Chambolle and Pock; N within 1/8 of the Frobenius norm above ||X||_2, or twice that."""
    instance = draw(batch_instances(max_n=3, max_d=2, max_path=0, free=False, anywhere=True))
    frobenius = root_above(sum((x * x for row in instance.rows for x in row), Q(0)))
    N = next(frobenius * k / 8 for k in range(1, 9) if below(instance.rows, (frobenius * k / 8) ** 2))
    mu = draw(st.sampled_from(Qs(2, "1/2", "1/5", "1/20")))
    return chambolle_pock(instance, mu, N * draw(st.sampled_from((1, 1, 2))))


CP = tuple(
    chambolle_pock(base.but(extra=further(w=w, horizon=60)), mu, N)
    for base, w, mu, N in (
        (THREE_ROWS.but(rows=(Qs(3, 0), Qs(0, 4), Qs(4, 0))), Qs(1, 1), Q(1, 5), Q(5)),  # X^T X = diag(25, 16)
        (THREE_ROWS.but(rows=(Qs(1),) * 4, y=Qs(1, -1, 2, 0), alpha=Qs(0, 0, 0, 0)), Qs(1), Q(1, 10), Q(2)),
        (THREE_HINGES.but(rows=(Qs(3, 0), Qs(0, 4), Qs(4, 0)), alpha=Qs(3, -3, 0)), Qs(1, 1), Q(1, 5), Q(5)),
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
        note="Their Theorem 3 is restated, not compared with the print; Table 2's numbers are missing in our copy.",
    ),
    evidence=[Enumerated(smooth_full_batches, 0.2), golden(*CP, level="ENUMERATED", detail="N = ||X||_2, t <= 60")],
    control=fails_on(CP[0].but(options=SHORT), text="4 tau"),
)
def chambolle_pock_rate(c: Context) -> Iterable[Relation]:
    t = Setting(c)
    yield Eq(int(below(c.instance.rows, c.given.N**2)), 1, "N >= ||X||_2")
    yield from t.in_distance(c.mu, [(1 - t.theta) * c.gamma / c.n] * c.n, [c.gamma / c.n] * c.n)


@claim(
    "spdc.table-2.norms",
    r"Section 5, Table 2: $\Vert A\Vert_2 \le \Vert A\Vert_F \le \sqrt{n} R$, the second an equality exactly where the"
    r" $a_i$ are normalized, so that Chambolle and Pock's $1 + \Vert A\Vert_2/(2 \sqrt{n \lambda \gamma})$ is in the"
    r" worst case $1 + \sqrt{\kappa}/2$",
    hypotheses=r"any rows; any $R \ge \max\, \Vert a_i\Vert$, normalized being of norm $R$",
    origin=PAPER.printed(
        "spectral and Frobenius norm",
        "equality for normalized rows",
        note=f"The formulas are missing {origins.RESTORED}: the columns that it names are the a_i.",
    ),
    evidence=[exact(batches)],
    kills=bugs("half-radius"),
    control=false_with("an equality for the norms 1 and 3", column((1, 3), "1/50", R=Q(3)), equal=True),
    proof="The largest eigenvalue of A^T A is at most their sum, which is sum ||a_i||^2.",
)
def spectral(c: Context, equal: bool | None = None) -> Iterable[Relation]:
    """||X||_2 <= ||X||_F <= sqrt(n) R; whether the second is an equality, or what ``equal`` says of it."""
    method = cast(SPDC, c.method)
    R2 = method.radius(c.problem, c.problem.norms2) ** 2
    frobenius2 = sum(c.problem.norms2, Q(0))
    yield Eq(int(below(c.instance.rows, frobenius2)), 1, "||X||_F^2 I - X^T X: pivots >= 0")
    yield Le(frobenius2, c.n * R2, "||X||_F^2 <= n R^2")
    normalized = set(c.problem.norms2) == {R2} if equal is None else equal
    yield Eq(int(frobenius2 == c.n * R2), int(normalized), "an equality exactly where every row has norm R")
    theirs, kappa = frobenius2 / (4 * c.n * c.mu * c.gamma), R2 / (c.mu * c.gamma)
    yield Le(theirs, kappa / 4, "(||X||_F/(2 sqrt(n lam gamma)))^2 <= kappa/4")
