"""SPDC, section 2, the sampling of mini-batches: what Theorem 1 needs of it.

    P(i in K) = m/n for every i and |K| = m almost surely, given the past

The paper draws one row from each of m blocks of one size.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction
from itertools import product
from math import prod
from typing import Any

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Q
from dualgap.proofs_checks.claims.judge import violates
from dualgap.proofs_checks.claims.registry import Control, claim
from dualgap.proofs_checks.claims.relations import Eq, Relation
from dualgap.proofs_checks.evidence.formal import formal
from dualgap.proofs_checks.evidence.levels import golden
from dualgap.proofs_checks.papers.spdc.instances import SAMPLINGS, column
from dualgap.proofs_checks.papers.spdc.items import PAPER
from dualgap.reference.methods.spdc import MiniBatchSPDC
from dualgap.reference.problem.problem import Problem

Law = Callable[[int, int], list[tuple[tuple[int, ...], Fraction]]]  # (n, m) to the batches with their probabilities


class Sampled(MiniBatchSPDC):
    """Algorithm 2 with batches of any law; a row that a batch names twice counts once."""

    def __init__(self, law: Law, **options: Any) -> None:
        super().__init__(**options)
        self.law = law

    def choices(self, problem: Problem, state: object) -> list[tuple[tuple[int, ...], Fraction]]:
        return self.law(problem.n, self.m)


# -- P(i in K) = m/n ---------------------------------------------------------------------------------------------------


def uneven_blocks(n: int, m: int) -> list[tuple[tuple[int, ...], Fraction]]:
    """One row of each of m blocks of consecutive rows, whose sizes differ by one where m does not divide n.

    >>> uneven_blocks(3, 2)
    [((0, 1), Fraction(1, 2)), ((0, 2), Fraction(1, 2))]
    """
    ends = [n * j // m for j in range(m + 1)]
    blocks = [range(start, end) for start, end in zip(ends, ends[1:])]
    return [(K, Fraction(1, prod(len(block) for block in blocks))) for K in product(*blocks)]


EVERY_SIZE = tuple(
    column((1,) * n, 1, m=m, sampling=sampling)
    for n in range(1, 8)
    for m in range(1, n + 1)
    for sampling in SAMPLINGS
    if sampling != "partition" or n % m == 0
)
TWO_OF_THREE = next(i for i in EVERY_SIZE if (len(i.rows), i.options["m"]) == (3, 2))


@claim(
    "spdc.sampling",
    r"Section 2, mini-batches: one row of each of $m$ equal blocks has $\vert K\vert = m$ and $P(i \in K) = m/n$; so"
    " have $m$-subsets and systematic sampling",
    hypotheses=r"$1 \le m \le n$ (blocks: $m$ divides $n$); $n \le 7$, every $m$",
    origin=PAPER.printed(
        "sampling",
        "other samplings",
        note="The blocks are the paper's; m-subsets and systematic sampling are two other approaches, chosen by us.",
    ),
    evidence=[golden(*EVERY_SIZE, detail="n <= 7"), formal("subsets_fair", "one_per_block_fair")],
    control=Control(
        "blocks {1}, {2, 3}", lambda claim, run: violates(claim, TWO_OF_THREE, Sampled(uneven_blocks, m=2))
    ),
)
def marginals(c: Context) -> Iterable[Relation]:
    m, table = c.instance.options["m"], c.method.choices(c.problem, None)
    yield Eq(sum((p for _, p in table), Q(0)), 1, "the probabilities sum to 1")
    for K, _ in table:
        yield Eq(len(set(K)), m, f"|K| = m, K = {K}")
    for i in range(c.n):
        yield Eq(sum((p for K, p in table if i in K), Q(0)), Q(m, c.n), f"P({i} in K) = m/n")
