"""ASPDC, the code: the sampler, the bit equality of the two backends, and the branches that the evidence reached."""

import struct
from collections.abc import Callable, Iterable
from typing import Any

from hypothesis.strategies import SearchStrategy

from dualgap.proofs_checks.claims import drawing as st
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.registry import Claim, Control, Evidence
from dualgap.proofs_checks.claims.relations import Eq, Relation
from dualgap.proofs_checks.claims.run import Run, statistical
from dualgap.proofs_checks.engines.sampler import SamplerTest
from dualgap.proofs_checks.evidence.levels import exact, golden
from dualgap.proofs_checks.papers.vocabulary import implemented
from dualgap.proofs_checks.strategies import instances as strategies
from dualgap.reference import Method, State
from dualgap.reference.methods import sampling
from dualgap.reference.methods.base import DualState
from dualgap.reference.methods.sampling import Choices
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.problem import Problem

FAST_METHODS = ("aspdc", "sdca", "sdca-averaged", "aspdc-i", "aspdc-i-fixed", "aspdc-i-momentum")


# -- the sampler ----------------------------------------------------------------------------------------------------

Draw = Callable[[int, int, int], Choices]


def shipped(n: int, seed: int, epoch: int) -> Choices:
    """The sampler that ``solve`` uses."""
    return sampling.draw("uniform", n, seed, epoch)


def sampler_process(draw: Draw, n: int, draws: int, seed: int) -> SamplerTest:
    """The betting test of i.i.d. uniform indices, fed with ``draws`` choices."""
    test = SamplerTest(n)
    epoch = seen = 0
    while seen < draws:
        for i in draw(n, seed, epoch).tolist():
            test.observe(i)
            seen += 1
        epoch += 1
    return test


@statistical
def sampler_bets(claim: Claim, run: Run) -> Evidence:
    """NOT-REFUTED: the e-process on fresh entropy; false alarm at most this claim's share of delta_total."""
    delta = run.delta()
    test = sampler_process(shipped, 10, run.count(20), run.seed(claim.id))
    series = {"e-process": test.plotted(delta, title="sampler")}
    seen, refuted = len(test.log_path) - 1, int(test.rejects(delta))
    return Evidence("NOT-REFUTED", instances=seen, violations=refuted, detail=f"delta = {delta:.1e}", series=series)


def never_last(n: int, seed: int, epoch: int) -> Choices:
    """A sampler that never draws the last index."""
    return shipped(n - 1, seed, epoch)


def cyclic(n: int, seed: int, epoch: int) -> Choices:
    """A sampler that goes round."""
    import numpy as np

    return np.arange(n, dtype=np.int64)


def broken_samplers_rejected(claim: Claim, run: Run) -> bool:
    """Both broken samplers must be rejected by the same process, even at a tenth of the whole delta_total."""
    return all(
        sampler_process(draw, 10, 2000, run.seed(claim.id)).rejects(run.delta_total / 10)
        for draw in (never_last, cyclic)
    )


@implemented(
    "aspdc.code.sampler",
    "Line 4 of Algorithm 1, the code: a pass of the sampler is a function of (seed, pass) alone, lies in 0..n-1,"
    " reaches every index at every position, and its indices are not distinguishable from independent uniform ones",
    hypotheses="numpy's default generator",
    evidence=[
        golden(
            *(Instance(rows=(Qs(1),) * n, y=Qs(*[0] * n), alpha=Qs(*[0] * n), lam=Q(1)) for n in (1, 2, 3, 4)),
            detail="n = 1..4, 200 passes",
        ),
        sampler_bets,
    ],
    control=Control(
        "a sampler that never draws the last row, and a cyclic one, must be rejected", broken_samplers_rejected
    ),
)
def sampler(c: Context) -> Iterable[Relation]:
    passes = [shipped(c.n, 0, epoch).tolist() for epoch in range(200)]
    yield Eq(
        int(passes == [shipped(c.n, 0, epoch).tolist() for epoch in range(200)]),
        1,
        "the same (seed, pass), the same indices",
    )
    for position in range(c.n):
        reached = sorted({indices[position] for indices in passes})
        yield Eq(int(reached == list(range(c.n))), 1, f"position {position} reaches exactly 0..n-1")


# -- bit equality ---------------------------------------------------------------------------------------------------


def bits(value: Number) -> int:
    """The 64 bits of a float, so that -0.0 and 0.0 differ; counters as they are."""
    return struct.unpack("<q", struct.pack("<d", value))[0] if isinstance(value, float) else int(value)


def float_problems(c: Context) -> list[tuple[str, Problem]]:
    """The instance in floats, once stored dense and once as CSR without its zeros."""
    import numpy as np
    from scipy.sparse import csr_array

    exact_problem = c.instance.problem()
    dense = np.array([[float(x) for x in row] for row in c.instance.rows])
    y = np.array([float(v) for v in c.instance.y])
    parts = exact_problem.loss, exact_problem.regularizer
    return [("dense", Problem(dense, y, *parts)), ("csr", Problem(csr_array(dense), y, *parts))]


def bit_relations(c: Context, reference: Any = None) -> Iterable[Relation]:
    """Every field of the state, reference against fast, both storages: after every step, and after all in one call."""
    import numpy as np

    from dualgap.fast import kernels

    slow = c.instance.reference_method() if reference is None else reference
    for storage, problem in float_problems(c):
        quick = kernels()[c.instance.method](**c.instance.options)
        start = [float(a) for a in c.instance.alpha]
        state, compiled = slow.init(problem, start), quick.init(problem, np.array(start))
        at_once = quick.run(problem, np.array(c.instance.path, dtype=np.int64), compiled)
        yield from fields_agree(state, compiled, f"{storage}, {c.instance.method}, at the start")
        for t, choice in enumerate(c.instance.path, start=1):
            slow.advance(problem, state, choice)
            quick.advance(problem, compiled, np.array([choice], dtype=np.int64))
            yield from fields_agree(state, compiled, f"{storage}, {c.instance.method}, after step {t}")
        yield from fields_agree(
            state, at_once, f"{storage}, {c.instance.method}, {len(c.instance.path)} steps in one call"
        )


def fields_agree(state: State, compiled: object, where: str) -> Iterable[Relation]:
    """Every field of two states, bit by bit."""
    for name, expected in state.fields().items():
        got = getattr(compiled, name)
        for k, (a, b) in enumerate(zip(expected, got.tolist()) if isinstance(expected, list) else [(expected, got)]):
            yield Eq(bits(b), bits(a), f"{where}: {name}[{k}] = {b!r}, due {a!r}; bits")


def parity_instances() -> SearchStrategy[Instance]:
    """All losses but logistic's irrational data, every fast method, longer paths."""
    base = strategies.instances(K=strategies.K_ANY, losses=strategies.SMOOTH, l1=Qs(0, "1/10"), max_n=5, max_path=12)
    return base.flatmap(lambda i: st.sampled_from(FAST_METHODS).map(lambda name: i.but(method=name)))


def parity_on_hinge() -> SearchStrategy[Instance]:
    """Smoothed hinge in each of its branches, every row once: both ends of the clip are reached."""
    branches = st.one_of(*(pool() for pool in strategies.HINGE_POOLS))
    return branches.map(lambda instance: instance.but(path=tuple(range(len(instance.rows)))))


class Reciprocal:
    """A reference method whose update multiplies by 1/(mu n) instead of dividing by mu n: same algebra, other bits."""

    def __init__(self, method: Method[DualState]) -> None:
        self.method = method
        self.init = method.init

    def advance(self, problem: Problem, state: DualState, choice: int) -> None:
        """The method's step under a problem whose update is reassociated."""
        before = list(state.alpha)
        v = list(state.v)
        self.method.advance(problem, state, choice)
        c = (state.alpha[choice] - before[choice]) * (1 / problem.scale)
        for j, x in problem.rows[choice]:
            v[j] = v[j] - c * x
        state.v = v


THIRDS = Instance(  # no product or quotient of these is a double
    rows=(Qs("1/3", "1/7"), Qs("-2/3", "3/11"), Qs("5/7", "1/9")),
    y=Qs(1, -1, "1/3"),
    alpha=Qs(0, "1/3", "-1/7"),
    lam=Q(3, 7),
    path=(0, 1, 2, 1, 0, 2, 2, 1),
)


def notices(text: str, instance: Instance, wrong: Callable[[], object]) -> Control:
    """``bit_relations`` must see that the reference is ``wrong()``."""
    return Control(text, lambda claim, run: any(not r.holds() for r in bit_relations(Context(instance), wrong())))


@implemented(
    "aspdc.code.parity",
    "The code: on one choice sequence the fast kernels are bit-identical to the reference, in every field of the state"
    " after every step, for dense and for sparse storage",
    hypotheses="float64; compiled code fuses no product with a sum (probed at start-up)",
    evidence=[
        exact(parity_instances),
        exact(parity_on_hinge),
        golden(*(THIRDS.but(method=name) for name in FAST_METHODS), detail="every method, 8 steps"),
    ],
    control=notices(
        "an update multiplied by 1/(mu n) instead of divided by mu n must be noticed",
        THIRDS,
        lambda: Reciprocal(THIRDS.reference_method()),
    ),
)
def parity(c: Context) -> Iterable[Relation]:
    if comparable():
        yield from bit_relations(c)


def comparable(*functions: str) -> bool:
    """Whether compiled code gives Python's bits here: in + - * /, and so in exp and log, and in ``functions``."""
    from dualgap.fast.problem.bits import same_bits

    return same_bits(*functions)
