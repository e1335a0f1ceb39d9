"""SPDC, the sampling that its theorems need, and what they do not promise.

Other samplings than the paper's are REFUTED by an exact instance, beside what does hold; see ``spdc_errata``.
"""

from dualgap.proofs_checks.papers.spdc.errata import SETTING, column, theorem_1, to
from dualgap.proofs_checks.papers.spdc.items import PAPER
from dualgap.proofs_checks.papers.spdc.strategies import batches, begun, nonuniform
from dualgap.proofs_checks.papers.spdc.variants import bernoulli, excess, sampled, uneven_blocks, with_replacement
from dualgap.proofs_checks.papers.vocabulary import *

# -- the sampling ------------------------------------------------------------------------------------------------------

UNEVEN = to(column((1, 0, 0), 150, "spdc-minibatch", m=2), 1, further(w=Qs(0))).but(alpha=Qs(0, 0, 1))
REPEATED = to(column((1, 1, 1), "1/400", "spdc-minibatch", m=3), 2, further(w=Qs(10))).but(alpha=Qs(-1, -1, -1))


@claim(
    "spdc.blocks.uneven",
    "Algorithm 2 for m that does not divide n, one row of each of m blocks as equal as they can be: Theorem 1 holds",
    hypotheses=f"{SETTING}; (16)",
    origin=PAPER.inference(
        "sampling", note="Not the paper, which assumes that m divides n: only who takes blocks for every m."
    ),
    expected="REFUTED",
    evidence=[
        golden(
            UNEVEN, detail="n = 3, m = 2, blocks {1}, {2, 3}, x = (1; 0; 0), lam = 150, alpha^0 = (0, 0, 1): at t = 1"
        )
    ],
    control=holds_on(
        UNEVEN.but(rows=(Qs(1),) * 4, y=Qs(0, 0, 0, 0), alpha=Qs(0, 0, 0, 1), lam=Q(200)), text="n = 4: blocks of 2"
    ),
    proof=(
        "Row 3 is drawn with probability 1/2 instead of m/n = 2/3: a zero row's alpha goes to 0 when it is drawn, and"
        " only then."
    ),
)
def blocks_uneven(c: Context) -> Iterable[Relation]:
    yield from theorem_1(sampled(c, uneven_blocks))


@claim(
    "spdc.sampling.replacement",
    "Algorithm 2 with m draws with replacement: Theorem 1 holds",
    origin=PAPER.inference(
        "Algorithm 2", "other samplings", note="Not the paper, whose K is a subset of m rows with P(i in K) = m/n."
    ),
    hypotheses=f"{SETTING}; (16); a row drawn twice counts once",
    expected="REFUTED",
    evidence=[
        golden(REPEATED, detail="n = m = 3, equal rows, lam = 1/400, w^0 = 10, alpha^0 = (-1, -1, -1): at t = 2")
    ],
    control=holds_on(REPEATED.but(options={"m": 1}, lam=Q(1, 1200)), text="m = 1, where nothing is replaced"),
    proof="P(i in K) = 1 - (1 - 1/n)^m < m/n.",
)
def sampling_replacement(c: Context) -> Iterable[Relation]:
    yield from theorem_1(sampled(c, with_replacement))


FIVE = column((1,) * 5, "1/50000", "spdc-minibatch", m=1).but(
    alpha=Qs(1, 1, 1, 1, 1), extra=further(w=Qs(280), move=Qs(280))
)


def at_one_state(c: Context) -> Iterable[Relation]:
    """(55) at the state that ``extra`` names."""
    yield Le(
        0,
        excess(c, list(c.given.w), list(c.given.move), [c.q(a) for a in c.instance.alpha]),
        "theta Delta~ - E Delta~+",
    )


@claim(
    "spdc.sampling.bernoulli",
    "Algorithm 2 with every row on its own in K with probability m/n: (55) holds",
    origin=PAPER.inference(
        "Algorithm 2",
        "other samplings",
        note="Not the paper, whose K has m rows: only who takes P(i in K) = m/n to be enough.",
    ),
    hypotheses=rf"{SETTING}; (16); $P(i \in K) = m/n$",
    expected="REFUTED",
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
    yield from at_one_state(sampled(c, bernoulli))


# -- further limits ----------------------------------------------------------------------------------------------------

RISING = column((1, 1), 2).but(alpha=Qs(0, 1), extra=further(w=Qs(0)))


@claim(
    "spdc.gap-monotone",
    "Corollary 2, read path by path: a step does not raise the duality gap P(w) - D(alpha)",
    origin=PAPER.inference(
        "Corollary 2", note="Not the paper, whose corollary is of an expectation after enough steps."
    ),
    hypotheses=f"{SETTING}; (16)",
    expected="REFUTED",
    evidence=[
        golden(RISING, detail="n = 2, x = (1; 1), lam = 2, w^0 = 0, alpha^0 = (0, 1): up by 31/30 where row 1 is drawn")
    ],
    control=holds_on(RISING.but(rows=(Qs(1),), y=Qs(0), alpha=Qs(1), lam=Q(1)), text="n = 1"),
    proof="Corollary 2 speaks of an expectation, and of a bound that is not the gap itself.",
)
def gap_monotone(c: Context) -> Iterable[Relation]:
    c = begun(c)
    before = c.problem.gap(*c.view)
    for successor in c.successors:
        yield Le(c.problem.gap(successor.w, successor.alpha), before, f"gap after row {successor.choice}")


def all_zero() -> SearchStrategy[Instance]:
    """Instances of all three algorithms with every entry replaced by 0."""
    return st.one_of(batches(), nonuniform()).map(
        lambda i: i.but(rows=tuple((Q(0),) * len(row) for row in i.rows), path=(), extra=Extras())
    )


@claim(
    "spdc.decoupled",
    "(16), (29) where R = 0: the steps do not exist, and the saddle point does: w* = argmin g, alpha*_i = phi_i'(0),"
    " where the method starts and stays",
    origin=PAPER.ours("(16)", "(29)"),
    hypotheses="every row is zero; any smooth loss, L2 or elastic net",
    evidence=[exact(all_zero)],
    control=fails_on(column((1, 1), 2).but(alpha=Qs(1, 1), y=Qs(1, -1)), text="rows that are not zero"),
    proof="f is a sum of a function of w and functions of each alpha_i.",
)
def decoupled(c: Context) -> Iterable[Relation]:
    w, alpha = c.method.view(c.problem, c.method.init(c.problem, [c.q(a) for a in c.instance.alpha]))
    yield Eq(c.problem.P(w), c.problem.D(alpha), "P = D at the start")
    for successor in c.successors:
        yield Eq(int(successor.state.key() == c.state.key()), 1, f"choice {successor.choice} moves nothing")
