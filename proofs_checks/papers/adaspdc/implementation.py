"""AdaSPDC and PDCP, the code: compiled equals lazy equals dense, the samples, a run on data, and divergence that is
noticed.
"""

from collections.abc import Iterable
from math import nextafter
from typing import Any

from hypothesis.strategies import SearchStrategy

from dualgap.proofs_checks.claims import drawing as st
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.registry import Claim, Control
from dualgap.proofs_checks.claims.relations import Relation
from dualgap.proofs_checks.claims.run import Run
from dualgap.proofs_checks.evidence.levels import exact, golden
from dualgap.proofs_checks.papers.adaspdc.instances import UNEQUAL_ROWS, instances
from dualgap.proofs_checks.papers.aspdc.implementation import bit_relations, comparable, notices
from dualgap.proofs_checks.papers.aspdc.real_data import skipped_without_sklearn
from dualgap.proofs_checks.papers.spdc.implementation import (
    SMALL,
    Law,
    batch_law,
    bets,
    drawn_as,
    on_data,
    run_on_data,
    stale_is_noticed,
    stream,
)
from dualgap.proofs_checks.papers.vocabulary import implemented
from dualgap.proofs_checks.strategies.instances import SMOOTH
from dualgap.reference import L2, Squared, as_compiled
from dualgap.reference.methods.sampling import draw_batches
from dualgap.reference.problem.problem import Problem

NAMES = ("adaspdc", "adaspdc-r")

# -- lazy = dense, exactly ---------------------------------------------------------------------------------------------


def with_a_path(instance: Instance) -> Instance:
    """The instance, its path at least three steps long."""
    if instance.path:
        return instance
    return instance.but(path=(instance.reference_method().choices(instance.problem(float), None)[0][0],) * 3)


# -- bits --------------------------------------------------------------------------------------------------------------


def in_floats(instance: Instance) -> Instance:
    """The instance with the norms that floats give, and a path."""
    options = {name: value for name, value in instance.options.items() if name != "norms"}
    return with_a_path(instance.but(options=options))


def parities() -> SearchStrategy[Instance]:
    """Both methods, every smooth loss, up to 12 steps, at least three."""
    kinds = [instances(method=name, losses=SMOOTH, max_n=5, max_d=4, max_path=12, free=False) for name in NAMES]
    return st.one_of(*kinds).map(in_floats)


def nudged(instance: Instance) -> Any:
    """The lazy form whose sigma is off by its last bit."""
    base: Any = type(as_compiled(instance.method, **instance.options))

    def sigma(self: object, parameters: object, i: int) -> float:
        return nextafter(base.sigma(self, parameters, i), 1e9)

    return type("Nudged", (base,), {"sigma": sigma})(**instance.options)


THIRDS = UNEQUAL_ROWS.but(
    rows=(Qs("1/3", 0, "1/7"), Qs(0, "-2/3", "3/11"), Qs("5/7", "1/9", 0)),
    alpha=Qs(0, "1/3", "-1/7"),
    lam=Q(3, 7),
    l1=Q(1, 10),
    path=((0,), (1,), (2,), (1,), (0,), (2,), (2,), (1,)),
)
PAIRS = THIRDS.but(options={"m": 2}, path=((0, 1), (1, 2), (2, 0), (1, 2), (1, 0)))
GOLDENS = (
    THIRDS,
    THIRDS.but(method="adaspdc-r"),
    PAIRS,
    PAIRS.but(method="adaspdc-r", options={"m": 2, "preset": "b"}),
)


@implemented(
    "adaspdc.code.parity",
    "The code: on one sequence of samples the compiled kernels are bit-identical to the lazy reference, in every"
    " field of the state after every step, for dense and for sparse storage",
    hypotheses="float64; compiled code fuses no product with a sum (probed at start-up)",
    evidence=[exact(parities, 0.5), golden(*GOLDENS, detail="both methods, m = 1 and 2, elastic net")],
    control=notices("a reference whose sigma is off by its last bit must be noticed", THIRDS, lambda: nudged(THIRDS)),
)
def parity(c: Context) -> Iterable[Relation]:
    if comparable():
        yield from bit_relations(c, as_compiled(c.instance.method, **c.instance.options))


# -- the samples -------------------------------------------------------------------------------------------------------


CASES = (("subset", 5, 1), ("subset", 5, 2), ("systematic", 5, 2), ("partition", 6, 2))


def own_law(k: int) -> Law:
    """Law and the method's own draw of one case."""
    from dualgap.fast import kernels

    sampling, n, m = CASES[k]
    problem, quick = Problem([[1.0]] * n, [1.0] * n, Squared(), L2(1.0)), kernels()["adaspdc"](m=m, sampling=sampling)
    return batch_law(sampling, n, m, lambda seed, epoch: quick.reference.draw(problem, "uniform", seed, epoch))


def never_last_is_rejected(claim: Claim, run: Run) -> bool:
    """Samples that never hold the last row must be rejected, at a tenth of delta_total."""
    _, law, draw = batch_law("subset", 5, 2, lambda seed, epoch: draw_batches("subset", 4, 2, seed, epoch))
    return stream(law, draw, run.seed(claim.id), 2000).rejects(run.delta_total / 10)


@implemented(
    "adaspdc.code.sampler",
    "Line 4, the code: a pass is a function of (seed, pass), gives samples of the law alone and reaches each; |S| = m,"
    " P(i in S) = m/n; the drawn stream is not distinguishable from independent samples of that law",
    hypotheses="numpy's default generator; subsets, systematic, partition",
    evidence=[
        golden(*(UNEQUAL_ROWS.but(extra=further(law=k)) for k in range(len(CASES))), detail="all samples, 400 passes"),
        bets(lambda: list(map(own_law, range(len(CASES))))),
    ],
    control=Control("samples that never hold the last row must be rejected", never_last_is_rejected),
)
def sampler(c: Context) -> Iterable[Relation]:
    k = c.instance.extra.law
    yield from drawn_as(own_law(k), *CASES[k][1:])


# -- a run on data -----------------------------------------------------------------------------------------------------


@implemented(
    "adaspdc.code.real-data",
    "A run on data: the first pass is bit-identical to the lazy reference, the certificate of the last pair is right"
    " within its rounding allowance, and the gap fell",
    hypotheses="smoothed hinge, gamma = 1, L2, lam = R^2/n; unequal norms",
    evidence=[
        on_data(SMALL, Q(1), "adaspdc"),
        on_data(SMALL, Q(1), "adaspdc-r"),
        skipped_without_sklearn(on_data("breast_cancer", Q(1), "adaspdc-r", unit_rows=False)),
    ],
    control=stale_is_noticed("adaspdc", "adaspdc-r"),
)
def real_data(c: Context) -> Iterable[Relation]:
    yield from run_on_data(c)
