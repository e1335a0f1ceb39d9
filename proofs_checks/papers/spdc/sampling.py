"""SPDC, section 2, the sampling of mini-batches: what Theorem 1 needs of it, and three laws that are not enough.

    P(i in K) = m/n for every i and |K| = m almost surely, given the past

The paper draws one row from each of m blocks of one size. Other laws are refuted, each by an exact instance.
"""

from itertools import combinations
from math import prod

from dualgap.proofs_checks.papers.spdc.instances import *
from dualgap.proofs_checks.papers.spdc.theorem_1 import excess, theorem_1

Law = Callable[[int, int], list[tuple[tuple[int, ...], Fraction]]]  # (n, m) to the batches with their probabilities


class Sampled(MiniBatchSPDC):
    """Algorithm 2 with batches of any law; a row that a batch names twice counts once."""

    def __init__(self, law: Law, **options: Any) -> None:
        super().__init__(**options)
        self.law = law

    def choices(self, problem: Problem, state: object) -> list[tuple[tuple[int, ...], Fraction]]:
        return self.law(problem.n, self.m)


def sampled(c: Context, law: Law) -> Context:
    """The context's instance of Algorithm 2 with another sampling."""
    return Context(c.instance, Sampled(law, **c.instance.options), problem=c.problem)


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


# -- other laws --------------------------------------------------------------------------------------------------------

UNEVEN = with_extra(column((1, 0, 0), 150, m=2), w=Qs(0), horizon=1).but(alpha=Qs(0, 0, 1))
REPEATED = with_extra(column((1, 1, 1), "1/400", m=3), w=Qs(10), horizon=2).but(alpha=Qs(-1, -1, -1))


@refuted(
    "spdc.blocks.uneven",
    "Algorithm 2 for m that does not divide n, one row of each of m blocks as equal as they can be: Theorem 1 holds",
    hypotheses=f"{COLUMN}; (16)",
    origin=PAPER.inference(
        "sampling", note="Not the paper, which assumes that m divides n: only who takes blocks for every m."
    ),
    evidence=[
        golden(
            UNEVEN, detail="n = 3, m = 2, blocks {1}, {2, 3}, x = (1; 0; 0), lam = 150, alpha^0 = (0, 0, 1): at t = 1"
        )
    ],
    control=holds_on(
        UNEVEN.but(rows=(Qs(1),) * 4, y=Qs(0) * 4, alpha=Qs(0, 0, 0, 1), lam=Q(200)), text="n = 4: blocks of 2"
    ),
    proof=(
        "Row 3 is drawn with probability 1/2 instead of m/n = 2/3: a zero row's alpha goes to 0 when it is drawn, and"
        " only then."
    ),
)
def blocks_uneven(c: Context) -> Iterable[Relation]:
    yield from theorem_1(sampled(c, uneven_blocks), above_C=True)


@refuted(
    "spdc.sampling.replacement",
    "Algorithm 2 with m draws with replacement: Theorem 1 holds",
    origin=PAPER.inference(
        "Algorithm 2", "other samplings", note="Not the paper, whose K is a subset of m rows with P(i in K) = m/n."
    ),
    hypotheses=f"{COLUMN}; (16); a row drawn twice counts once",
    evidence=[
        golden(REPEATED, detail="n = m = 3, equal rows, lam = 1/400, w^0 = 10, alpha^0 = (-1, -1, -1): at t = 2")
    ],
    control=holds_on(REPEATED.but(options={"m": 1}, lam=Q(1, 1200)), text="m = 1, where nothing is replaced"),
    proof="P(i in K) = 1 - (1 - 1/n)^m < m/n.",
)
def sampling_replacement(c: Context) -> Iterable[Relation]:
    yield from theorem_1(sampled(c, partial(batches_of, "replacement")), above_C=True)


def bernoulli(n: int, m: int) -> list[tuple[tuple[int, ...], Fraction]]:
    """Every row independently with probability m/n."""
    share = Fraction(m, n)
    return [(K, share**size * (1 - share) ** (n - size)) for size in range(n + 1) for K in combinations(range(n), size)]


FIVE = with_extra(column((1,) * 5, "1/50000", m=1), w=Qs(280), move=Qs(280)).but(alpha=Qs(1, 1, 1, 1, 1))


@refuted(
    "spdc.sampling.bernoulli",
    "Algorithm 2 with every row on its own in K with probability m/n: (55) holds",
    origin=PAPER.inference(
        "Algorithm 2",
        "other samplings",
        note="Not the paper, whose K has m rows: only who takes P(i in K) = m/n to be enough.",
    ),
    hypotheses=rf"{COLUMN}; (16); $P(i \in K) = m/n$",
    evidence=[golden(FIVE, detail="n = 5, m = 1, equal rows, lam = 1/50000, one state")],
    control=holds_on(
        FIVE.but(rows=(Qs(1),) * 4, y=Qs(0, 0, 0, 0), alpha=Qs(1, 1, 1, 1), lam=Q(1, 40000)), text="n = 4 equal rows"
    ),
    proof=(
        "The marginals are right, but |K| <= m is not almost sure, and the bound on the cross terms needs it. This"
        " refutes the step of the proof; no run that violates Theorem 1 itself was found."
    ),
)
def sampling_bernoulli(c: Context) -> Iterable[Relation]:
    state = list(c.given.w), list(c.given.move), [c.q(a) for a in c.instance.alpha]
    yield Le(0, excess(sampled(c, bernoulli), *state), "theta Delta~ - E Delta~+")
