"""SPDC, the code: the samplers, those of the other methods included."""

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Q
from dualgap.proofs_checks.claims.registry import Claim, Control, Evidence
from dualgap.proofs_checks.claims.relations import Eq, Relation
from dualgap.proofs_checks.claims.run import Run, statistical
from dualgap.proofs_checks.engines.evalues import LawTest
from dualgap.proofs_checks.evidence.levels import golden
from dualgap.proofs_checks.papers.vocabulary import implemented, numbers_alone
from dualgap.reference.methods.sampling import batches, draw, draw_batches, draw_weighted

Law = tuple[str, dict[Any, Fraction], Callable[[int, int], Sequence[object]]]  # name, probabilities, draw(seed, epoch)
WEIGHTS = (Q(7, 12), Q(1, 4), Q(1, 6))  # p of UNEQUAL_NORMS


def batch_law(sampling: str, n: int, m: int) -> Law:
    """The law of a sampling of batches, drawn by the sampler itself."""
    return (
        f"{sampling} {m} of {n}",
        dict(batches(sampling, n, m)),
        lambda seed, epoch: [tuple(sorted(K)) for K in draw_batches(sampling, n, m, seed, epoch).tolist()],
    )


def uniform(n: int) -> Law:
    """The law of the order "uniform"."""
    law: dict[Any, Fraction] = dict.fromkeys(range(n), Q(1, n))
    return f"uniform of {n}", law, lambda seed, epoch: list(draw("uniform", n, seed, epoch).tolist())


WEIGHTED: Law = (
    "weighted",
    dict(enumerate(WEIGHTS)),
    lambda seed, epoch: list(draw_weighted([float(p) for p in WEIGHTS], seed, epoch).tolist()),
)
LAWS = (
    *(batch_law(*case) for case in (("subset", 5, 2), ("systematic", 5, 2), ("partition", 6, 2), ("subset", 4, 4))),
    WEIGHTED,
    uniform(10),
)


def stream(law: dict[Any, Fraction], drawn: Callable[[int, int], Sequence[object]], seed: int, count: int) -> LawTest:
    """The test fed with ``count`` outcomes."""
    test, epoch = LawTest(law), 0
    while test.draws < count:
        for outcome in drawn(seed, epoch):
            test.observe(outcome)
        epoch += 1
    return test


@statistical
def bets(claim: Claim, run: Run) -> Evidence:
    """NOT-REFUTED: one e-process for each law, its share of delta an equal part of the claim's."""
    delta, refuted, seen = run.delta(), 0, 0
    for name, law, drawn in LAWS:
        test = stream(law, drawn, run.seed(f"{claim.id} {name}"), run.count(20))
        refuted, seen = refuted + test.rejects(delta / len(LAWS)), seen + test.draws
    return Evidence("NOT-REFUTED", instances=seen, violations=refuted, detail=f"delta = {delta:.1e}")


def wrong_law_is_rejected(claim: Claim, run: Run) -> bool:
    """Uniform draws must be rejected as draws of p, and p's as uniform, at a tenth of delta_total."""
    (_, weighted, drawn), (_, law, flat) = WEIGHTED, uniform(3)
    return all(
        stream(said, drawn, run.seed(claim.id), 2000).rejects(run.delta_total / 10)
        for said, drawn in ((weighted, flat), (law, drawn))
    )


@implemented(
    "spdc.code.sampler",
    "The code's samplers, uniform, weighted by (28) and in batches: a pass is a function of (seed, pass), gives the"
    " listed outcomes alone and reaches each, at every position; for batches P(i in K) = m/n and |K| = m; the drawn"
    " streams are not distinguishable from the stated laws",
    hypotheses="numpy's default generator; uniform order, subsets, systematic, partition, weighted",
    evidence=[golden(*(numbers_alone(law=k) for k in range(len(LAWS))), detail="400 passes"), bets],
    control=Control("uniform draws read as weighted ones, and the reverse, must be rejected", wrong_law_is_rejected),
)
def sampler(c: Context) -> Iterable[Relation]:
    name, law, drawn = LAWS[c.instance.extra.law]
    passes, again = ([drawn(0, epoch) for epoch in range(400)] for _ in range(2))
    yield Eq(sum(law.values(), Q(0)), 1, f"{name}: the probabilities sum to 1")
    yield Eq(passes == again, True, f"{name}: the same (seed, pass), the same choices")
    for position, outcomes in enumerate(zip(*passes)):
        yield Eq(set(outcomes) == set(law), True, f"{name}: exactly the listed outcomes are reached at {position}")
    if all(isinstance(K, tuple) for K in law):
        rows, (m,) = {i for K in law for i in K}, {len(set(K)) for K in law}
        for i in sorted(rows):
            times = sum((p * K.count(i) for K, p in law.items()), Q(0))
            yield Eq(times, Q(m, len(rows)), f"{name}: row {i} is expected m/n times in K, |K| = m")
