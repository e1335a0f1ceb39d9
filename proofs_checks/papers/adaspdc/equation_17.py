"""AdaSPDC, section 3.1, (17): the matrix that the step sizes should make definite according to the paper, and its size.

P = [[(m/(2 tau^t)) I, -A_S], [-A_S^T, diag(1/(2 sigma_i))]]
"""

from collections.abc import Iterable, Iterator
from fractions import Fraction

import numpy as np

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Lt, Relation
from dualgap.proofs_checks.engines.quadratic_forms import pivots
from dualgap.proofs_checks.evidence.levels import exact, false_with, golden, holds_on
from dualgap.proofs_checks.papers.adaspdc.instances import (
    SAMPLES_OF_TWO,
    TWO_BLOCKS,
    UNEQUAL_ROWS,
    published,
    published_blocks,
)
from dualgap.proofs_checks.papers.adaspdc.items import PAPER
from dualgap.proofs_checks.papers.adaspdc.setting import CONVEX, ROWS_MAY_DIFFER, SAMPLES, STEPS, setting
from dualgap.proofs_checks.papers.spdc.quadratic_certificates import columns_of, parts
from dualgap.proofs_checks.papers.vocabulary import refuted, slip
from dualgap.reference.numbers.arithmetic import Number


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
    origin=PAPER.ours("(17)"),
    evidence=[exact(published, 0.5), exact(published_blocks, 0.5), golden(ALONE, EQUAL_COLUMNS, APART)],
    control=false_with("99/100 of the diagonal", ALONE, EQUAL_COLUMNS, UNEQUAL_ROWS, scale=Q(99, 100)),
    proof=(
        "P >= 0 if 2 A_S diag(sigma) A_S^T <= (m/(2 tau)) I, for which sum_S 4 sigma_i tau R_i^2 <= m suffices; each"
        " term is R_i/R^t <= 1."
    ),
)
def positive_semidefinite(c: Context, scale: Number = 1) -> Iterable[Relation]:
    for S, P in matrices_17(c, scale):
        yield Eq(sum(pivot >= 0 for pivot in pivots(P)), len(P), f"S = {S}: pivots of (17) that are >= 0")


# -- the width of A_S --------------------------------------------------------------------------------------------------


UNEVEN = TWO_BLOCKS.but(options={"m": 2}, lam=Q(1))


@claim(
    "adaspdc.width.repaired",
    "(17), repaired: A_S is a d x sum_S q_i matrix",
    hypotheses="blocks whose columns are not zero",
    origin=PAPER.ours("(17), its size"),
    evidence=[golden(UNEVEN, SAMPLES_OF_TWO, TWO_BLOCKS)],
    control=false_with("m q_i", UNEVEN, printed=True),
)
def width(c: Context, printed: bool = False) -> Iterable[Relation]:
    """The columns of A_S against m q_i, as printed, or sum_S q_i."""
    t = setting(c)
    q = [len(parts(a)) for a in t.alpha]
    for s in t.c.successors:
        have = sum(place in s.choice for place, _ in columns_of(t.problem))
        for i in s.choice:
            yield Eq(
                have, t.m * q[i] if printed else sum(q[j] for j in s.choice), f"columns of A_S, S = {s.choice}, i = {i}"
            )


@refuted(
    "adaspdc.width",
    r"(17): $A_S$ is a $d \times m q_i$ matrix",
    hypotheses="blocks",
    origin=PAPER.reading(
        "(17), its size", note="the index i is free: read with each i in turn; true of blocks of one width"
    ),
    evidence=[golden(UNEVEN, detail="q = (2, 1), m = 2: 3 columns")],
    control=holds_on(SAMPLES_OF_TWO, text="rows"),
    assumes=[*CONVEX, ROWS_MAY_DIFFER, SAMPLES],
)
def printed_width(c: Context) -> Iterable[Relation]:
    yield from width(c, printed=True)
