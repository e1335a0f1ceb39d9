"""SPDC, the code: compiled equals lazy bit for bit, the samplers, and a run on real data."""

import math
from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from typing import Any

from hypothesis.strategies import DrawFn

from dualgap.proofs_checks.claims import drawing as st
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.registry import Claim, Control, Evidence
from dualgap.proofs_checks.claims.relations import Eq, Relation
from dualgap.proofs_checks.claims.run import Run, statistical
from dualgap.proofs_checks.engines.evalues import LawTest
from dualgap.proofs_checks.evidence.levels import exact, golden
from dualgap.proofs_checks.papers.aspdc.implementation import (
    SMALL,
    bit_relations,
    comparable,
    notices,
    on_data,
    run_on_data,
    skipped_without_sklearn,
    stale_is_noticed,
)
from dualgap.proofs_checks.papers.spdc.instances import batch_instances, nonuniform_instances
from dualgap.proofs_checks.papers.spdc.section_3_perturbation import shared
from dualgap.proofs_checks.papers.spdc.section_6_sparse_data import RUNS
from dualgap.proofs_checks.papers.vocabulary import implemented, numbers_alone
from dualgap.proofs_checks.strategies.instances import SMOOTH
from dualgap.reference import as_compiled
from dualgap.reference.methods.sampling import batches, draw, draw_batches, draw_weighted

# -- bits --------------------------------------------------------------------------------------------------------------


@st.composite
def parities(draw: DrawFn) -> Instance:
    """All three algorithms, every smooth loss and delta, up to 12 steps, at least one."""
    instance: Instance = draw(
        st.one_of(
            batch_instances(losses=SMOOTH, max_n=5, max_d=4, max_path=12, free=False),
            nonuniform_instances(losses=SMOOTH, max_n=5, max_d=4, max_path=12, free=False),
            shared(),
        )
    )
    # in floats R must be max ||x_i|| as rounded
    options = {name: value for name, value in instance.options.items() if name != "R"}
    return instance.but(options=options, path=instance.path or (some_choice(instance),) * 3)


def some_choice(instance: Instance) -> Any:
    """A choice that the instance's method can draw."""
    return instance.reference_method().choices(instance.problem(float), None)[0][0]


def nudged(instance: Instance) -> Any:
    """The lazy form with 1/n off by its last bit."""
    base: Any = type(as_compiled(instance.method, **instance.options))

    def make_constants(self: object, *arguments: object) -> Any:
        constants = base.make_constants(self, *arguments)
        return constants._replace(inverse_n=math.nextafter(constants.inverse_n, 1.0))

    return type("Nudged", (base,), {"make_constants": make_constants})(**instance.options)


THIRDS = RUNS[0].but(rows=(Qs("1/3", 0, "1/7"), Qs(0, "-2/3", "3/11"), Qs("5/7", "1/9", 0)), alpha=Qs(0, "1/3", "-1/7"))


@implemented(
    "spdc.code.parity",
    "The code: on one choice sequence the compiled kernels are bit-identical to the lazy reference, in every field of"
    " the state after every step, for dense and for sparse storage",
    hypotheses="float64; compiled code fuses no product with a sum (probed at start-up)",
    evidence=[exact(parities), golden(THIRDS, *RUNS[1:], detail="every algorithm, elastic net")],
    control=notices("a reference whose 1/n is off by its last bit must be noticed", THIRDS, lambda: nudged(THIRDS)),
)
def parity(c: Context) -> Iterable[Relation]:
    if comparable():
        yield from bit_relations(c, as_compiled(c.instance.method, **c.instance.options))


# -- the samplers ------------------------------------------------------------------------------------------------------


Law = tuple[str, dict[Any, Fraction], Callable[[int, int], Sequence[object]]]  # name, probabilities, draw(seed, epoch)
CASES = (("subset", 5, 2), ("systematic", 5, 2), ("partition", 6, 2), ("subset", 4, 4))
WEIGHTS = (Q(7, 12), Q(1, 4), Q(1, 6))  # p of UNEQUAL_NORMS


def batch_law(sampling: str, n: int, m: int) -> Law:
    """The law of a sampling of batches, drawn by the sampler itself."""
    return (
        f"{sampling} {m} of {n}",
        dict(batches(sampling, n, m)),
        lambda seed, epoch: [tuple(sorted(K)) for K in draw_batches(sampling, n, m, seed, epoch).tolist()],
    )


def laws() -> list[Law]:
    """Every sampling that the three algorithms use."""
    weights = [float(p) for p in WEIGHTS]
    weighted = lambda seed, epoch: list(draw_weighted(weights, seed, epoch).tolist())
    return [*(batch_law(*case) for case in CASES), ("weighted", dict(enumerate(WEIGHTS)), weighted)]


def stream(law: dict[Any, Fraction], drawn: Callable[[int, int], Sequence[object]], seed: int, count: int) -> LawTest:
    """The test fed with ``count`` outcomes."""
    test, epoch = LawTest(law), 0
    while test.draws < count:
        for outcome in drawn(seed, epoch):
            test.observe(outcome)
        epoch += 1
    return test


def bets(of: Callable[[], list[Law]]) -> Callable[[Claim, Run], Evidence]:
    """NOT-REFUTED: one e-process for each law, its share of delta an equal part of the claim's."""

    @statistical
    def level(claim: Claim, run: Run) -> Evidence:
        laws, delta, series, refuted, seen = of(), run.delta(), {}, 0, 0
        for name, law, drawn in laws:
            test = stream(law, drawn, run.seed(f"{claim.id} {name}"), run.count(20))
            refuted, seen = refuted + test.rejects(delta / len(laws)), seen + test.draws
            series[f"e-process {name}"] = test.plotted(delta / len(laws), title=name)
        return Evidence("NOT-REFUTED", instances=seen, violations=refuted, detail=f"delta = {delta:.1e}", series=series)

    return level


def wrong_law_is_rejected(claim: Claim, run: Run) -> bool:
    """Uniform draws must be rejected as draws of p, and p's as uniform, at a tenth of delta_total."""
    seed, delta = run.seed(claim.id), run.delta_total / 10
    *_, (_, weighted, drawn) = laws()
    uniform = dict.fromkeys(weighted, Q(1, 3))
    flat = lambda seed, epoch: list(draw("uniform", 3, seed, epoch).tolist())
    return stream(weighted, flat, seed, 2000).rejects(delta) and stream(uniform, drawn, seed, 2000).rejects(delta)


@implemented(
    "spdc.code.sampler",
    "Algorithms 2 and 3, the sampling in the code: P(i in K) = m/n and |K| = m for every listed law, Algorithm 3's is"
    " (28); a pass is a function of (seed, pass), gives listed batches alone and reaches each; the drawn streams are"
    " not distinguishable from those laws",
    hypotheses="numpy's default generator; subsets, systematic, partition, weighted",
    evidence=[golden(*(numbers_alone(law=k) for k in range(len(CASES) + 1)), detail="400 passes"), bets(laws)],
    control=Control("uniform draws read as weighted ones, and the reverse, must be rejected", wrong_law_is_rejected),
)
def sampler(c: Context) -> Iterable[Relation]:
    k = c.instance.extra.law
    n, m = CASES[k][1:] if k < len(CASES) else (0, 0)
    yield from drawn_as(laws()[k], n, m)


def drawn_as(of: Law, n: int, m: int) -> Iterable[Relation]:
    """Check that a pass is a function of (seed, pass) and reaches only the outcomes of the law; of batches, P(i in K) =
    m/n and |K| = m.
    """
    name, law, drawn = of
    passes, again = ([drawn(0, epoch) for epoch in range(400)] for _ in range(2))
    yield Eq(sum(law.values(), Q(0)), 1, f"{name}: the probabilities sum to 1")
    yield Eq(passes == again, True, f"{name}: the same (seed, pass), the same choices")
    yield Eq(
        {K for outcomes in passes for K in outcomes} == set(law),
        True,
        f"{name}: exactly the listed outcomes are reached",
    )
    for i in range(n):
        times = sum((p * K.count(i) for K, p in law.items()), Q(0))
        yield Eq(times, Q(m, n), f"{name}: row {i} is expected m/n times in K")
    yield Eq(n == 0 or all(len(set(K)) == m for K in law), True, f"{name}: |K| = m")


# -- a run on data -----------------------------------------------------------------------------------------------------


@implemented(
    "spdc.code.real-data",
    "A run on data: the first pass is bit-identical to the lazy reference, the certificate of the last pair is right"
    " within its rounding allowance, and the gap fell",
    hypotheses="smoothed hinge, gamma = 1, L2, uniform order",
    evidence=[on_data(SMALL, Q(1, 4)), skipped_without_sklearn(on_data("breast_cancer", Q(1, 4)))],
    control=stale_is_noticed("spdc"),
)
def real_data(c: Context) -> Iterable[Relation]:
    yield from run_on_data(c)
