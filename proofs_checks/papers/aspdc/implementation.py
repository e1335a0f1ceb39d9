"""ASPDC, the code: the sampler, the bit equality of the two backends, and a run on real data whose progress is checked
exactly at the float states that it visits.
"""

import struct
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import lru_cache
from typing import Any

from hypothesis.strategies import SearchStrategy

from dualgap.proofs_checks.claims import drawing as st
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.exact import arithmetic
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.registry import Claim, Control, Evidence
from dualgap.proofs_checks.claims.relations import Eq, Le, Lt, Relation
from dualgap.proofs_checks.claims.run import Run, statistical
from dualgap.proofs_checks.engines.certificate import certificate
from dualgap.proofs_checks.engines.sampler import SamplerTest
from dualgap.proofs_checks.evidence.levels import all_of, altered, exact, examine, golden
from dualgap.proofs_checks.papers.aspdc.instances import EQUAL_ROWS
from dualgap.proofs_checks.papers.aspdc.setting import noise
from dualgap.proofs_checks.papers.vocabulary import implemented
from dualgap.proofs_checks.strategies import instances as strategies
from dualgap.reference import Method, State, as_compiled
from dualgap.reference.methods import sampling
from dualgap.reference.methods.base import DualState
from dualgap.reference.methods.sampling import Choices
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.numbers.rational import nearest
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
    """Return whether compiled code gives Python's bits here: in + - * /, and so in exp and log, and in
    ``functions``."""
    from dualgap.fast.problem.bits import same_bits

    return same_bits(*functions)


def as_instance(dataset: Any, lam_factor: Fraction) -> Instance:
    """A data set as an exact instance (a double is a rational), lam = lam_factor R^2/(n gamma), smoothed hinge."""
    X = dataset.X.toarray() if hasattr(dataset.X, "toarray") else dataset.X
    rows = tuple(tuple(Fraction(x) for x in row) for row in X.tolist())
    R2 = max(sum(x * x for x in row) for row in rows)
    n = len(rows)
    lam = Fraction(float(lam_factor * R2 / n) * (1 + 2.0**-50))  # the next doubles above: >= must survive rounding
    y = tuple(Fraction(v) for v in dataset.y.tolist())
    return Instance(
        rows=rows, y=y, alpha=(Q(0),) * n, lam=lam, loss="smoothed-hinge", gamma=Q(1), extra=further(passes=1, seed=0)
    )


@lru_cache(maxsize=4)
def float_run(c: Context) -> list[list[float]]:
    """The fast backend's float states after 0, 1, ... passes, from alpha = 0."""
    import numpy as np

    from dualgap.fast import kernels

    _, problem = float_problems(c)[0]
    quick = kernels()["aspdc"]()
    state = quick.init(problem, np.zeros(c.n))
    states = [[float(a) for a in state.alpha]]
    for epoch in range(c.given.passes):
        quick.advance(problem, state, shipped(c.n, c.given.seed, epoch))
        states.append([float(a) for a in state.alpha])
    return states


SMALL = "aspdc-synthetic:n=50,d=10"


def data(name: str, lam_factor: Q, method: str, unit_rows: bool = True) -> Instance:
    """A data set as an exact instance for a method, smoothed hinge, lam = lam_factor R^2/n."""
    from dualgap.fast.data.load import load, prepare

    loaded = load(name) if ":" in name else prepare(load(name), bias=True, unit_rows=unit_rows)
    return as_instance(loaded, lam_factor).but(method=method)


def on_data(
    name: str,
    lam_factor: Q,
    method: str = "spdc",
    unit_rows: bool = True,
    passes: tuple[int, int, int] = (2, 10, 40),
    figure: Callable[[Context, str], dict[str, object]] | None = None,
) -> Callable[[Claim, Run], Evidence]:
    """A level: the check after some passes over a data set, for each size of a run, and a figure."""

    def source(claim: Claim, run: Run) -> Evidence:
        count = passes[("quick", "default", "full").index(run.size)]
        extra = further(passes=count, seed=run.seed(name) % 2**32)
        context = Context(data(name, lam_factor, method, unit_rows).but(extra=extra))
        found = examine(claim, [context], None, run)
        found.level, found.detail = "EXACT AT FLOAT STATES", f"{method}, {name}, {count} passes"
        found.counterexample = None  # a data set is no minimal counterexample; the claim's text names the run
        if figure is not None:
            found.series = {f"real-data {name}": figure(context, name)}
        return found

    return source


def stale_is_noticed(*methods: str) -> Control:
    """The check must be false with the certificate of the start instead of the last one."""

    def caught(claim: Claim, run: Run) -> bool:
        found = [data(SMALL, Q(1, 4), method).but(extra=further(passes=2, seed=0)) for method in methods]
        return all(any(not r.holds() for r in run_on_data(Context(instance), stale=True)) for instance in found)

    return Control("the certificate of the start instead of the last one", caught)


def run_on_data(c: Context, stale: bool = False) -> Iterable[Relation]:
    """The first pass against the reference, all passes, and the last certificate; with ``stale`` that of the start."""
    import numpy as np

    from dualgap.fast import Certificate, kernels

    _, problem = float_problems(c)[0]
    quick, slow = kernels()[c.instance.method](), as_compiled(c.instance.method)
    fast_state, state = quick.init(problem, np.zeros(c.n)), slow.init(problem)
    first = Certificate(problem, *quick.view(problem, fast_state))
    for epoch in range(c.instance.extra.passes):
        indices = slow.draw(problem, "uniform", c.instance.extra.seed, epoch)
        quick.advance(problem, fast_state, indices)
        if epoch == 0 and comparable():
            yield from fields_agree(slow.run(problem, indices, state), fast_state, "after one pass")
    last = Certificate(problem, *quick.view(problem, fast_state))
    due = certificate(problem, last.alpha, last.w, arithmetic())
    for name in ("primal", "dual", "gap"):
        error = abs(Q(getattr(first if stale else last, name)) - getattr(due, name))
        yield Le(error, Q(last.rounding), f"certificate: |{name} in floats - {name} exactly| <= its rounding allowance")
    yield Lt(last.gap, first.gap, "the gap fell")


def progress(c: Context) -> tuple[Fraction, Fraction]:
    """(E[D(alpha+)] - D(alpha), gap) at the context's state, by the equality of aspdc.one-step.sharp: O(nnz)."""
    gains = [FY / c.n - noise(c, i) for i, FY in enumerate(c.FY)]
    return c.mean(gains), c.mean_FY


@lru_cache(maxsize=4)
def progress_along(c: Context) -> list[tuple[Fraction, Fraction]]:
    """``progress`` at every state of ``float_run``, computed once for the check and for the figure."""
    states = [c.instance.but(alpha=tuple(Fraction(a) for a in alpha), path=()) for alpha in float_run(c)]
    return [progress(Context(instance)) for instance in states]


def run_series(c: Context, name: str) -> dict[str, object]:
    """Gap and conditional progress against passes, for the figure."""
    gaps = [nearest(gap) for _, gap in progress_along(c)]
    monitor = [nearest(c.n * increase / gap) if gap else 1.0 for increase, gap in progress_along(c)]
    return {
        "title": name,
        "passes": list(range(len(gaps))),
        "gap": gaps,
        "monitor": monitor,
        "floor": nearest(c.s),
        "n": c.n,
        "lemma-2": [2 * c.n * (1 - 1 / (2 * c.n)) ** (c.n * p) * gaps[0] for p in range(len(gaps))],
        "sharp": [c.n / nearest(c.s) * (1 - nearest(c.s) / c.n) ** (c.n * p) * gaps[0] for p in range(len(gaps))],
    }


def skipped_without_sklearn(source: Callable[[Claim, Run], Evidence]) -> Callable[[Claim, Run], Evidence]:
    """SKIPPED(reason) where scikit-learn, which carries the data, is absent."""

    def guarded(claim: Claim, run: Run) -> Evidence:
        import importlib.util

        if importlib.util.find_spec("sklearn") is None:
            return Evidence("SKIPPED(scikit-learn is not installed: pip install 'dualgap[cli]')")
        return source(claim, run)

    setattr(guarded, "together", "scikit-learn")  # noqa: B010 - one process imports it, two seconds
    return guarded


@implemented(
    "aspdc.code.real-data",
    "A run on data: the first pass is bit-identical to the reference; at the float states visited, taken as the"
    " rationals they are, the expected increase of D is at least (s/n) gap; the final certificate is right within its"
    " rounding allowance",
    hypotheses="smoothed hinge gamma = 1, lam = 4R^2/(n gamma), uniform order",
    evidence=[
        on_data(SMALL, Q(4), "aspdc", passes=(1, 5, 12), figure=run_series),
        skipped_without_sklearn(on_data("breast_cancer", Q(4), "aspdc", passes=(1, 5, 12), figure=run_series)),
    ],
    control=all_of(
        altered("a floor of 1 instead of s", lambda c: [Le(progress(c)[1] / c.n, progress(c)[0], "")], EQUAL_ROWS),
        stale_is_noticed("aspdc"),
    ),
)
def real_data(c: Context) -> Iterable[Relation]:
    yield from run_on_data(c)
    for p, (increase, gap) in enumerate(progress_along(c)):
        yield Le(c.s * gap / c.n, increase, f"after {p} passes: (s/n) gap <= E[D+ - D]")
