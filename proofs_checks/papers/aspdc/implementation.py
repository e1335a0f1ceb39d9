"""The code: runs of three methods on real data, and what a comparison of compiled code with the reference needs."""

import importlib.util
import struct
from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import partial
from typing import Any

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.exact import arithmetic
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Instance, Q
from dualgap.proofs_checks.claims.registry import Claim, Control, Evidence
from dualgap.proofs_checks.claims.relations import Eq, Le, Lt, Relation
from dualgap.proofs_checks.claims.run import Run
from dualgap.proofs_checks.engines.certificate import certificate
from dualgap.proofs_checks.evidence.levels import examine
from dualgap.proofs_checks.papers.vocabulary import implemented
from dualgap.reference import State, as_compiled
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.problem import Problem

# -- bit equality ------------------------------------------------------------------------------------------------------


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


def fields_agree(state: State, compiled: object, where: str) -> Iterable[Relation]:
    """Every field of two states, bit by bit."""
    for name, expected in state.fields().items():
        got = getattr(compiled, name)
        for k, (a, b) in enumerate(zip(expected, got.tolist()) if isinstance(expected, list) else [(expected, got)]):
            yield Eq(bits(b), bits(a), f"{where}: {name}[{k}] = {b!r}, due {a!r}; bits")


def comparable(*functions: str) -> bool:
    """Return whether compiled code gives Python's bits here: in + - * /, and so in exp and log, and in
    ``functions``."""
    from dualgap.fast.problem.bits import same_bits

    return same_bits(*functions)


# -- a run on data -----------------------------------------------------------------------------------------------------

SMALL = "aspdc-synthetic:n=50,d=10"


def data(name: str, lam_factor: Q, method: str, unit_rows: bool = True) -> Instance:
    """A data set as an exact instance for a method (a double is a rational), smoothed hinge, lam = lam_factor R^2/n."""
    from dualgap.fast.data.load import load, prepare

    loaded: Any = load(name) if ":" in name else prepare(load(name), bias=True, unit_rows=unit_rows)
    X = loaded.X.toarray() if hasattr(loaded.X, "toarray") else loaded.X
    rows = tuple(tuple(Fraction(x) for x in row) for row in X.tolist())
    R2, n = max(sum(x * x for x in row) for row in rows), len(rows)
    lam = Fraction(float(lam_factor * R2 / n) * (1 + 2.0**-50))  # the next doubles above: >= must survive rounding
    y = tuple(Fraction(v) for v in loaded.y.tolist())
    return Instance(rows, y, (Q(0),) * n, lam, "smoothed-hinge", Q(1), method=method)


def on_data(
    name: str, lam_factor: Q, method: str, unit_rows: bool = True, passes: tuple[int, int, int] = (2, 10, 40)
) -> Callable[[Claim, Run], Evidence]:
    """A level: the check after some passes over a data set, for each size of a run; SKIPPED without scikit-learn,
    which carries the real data."""

    def source(claim: Claim, run: Run) -> Evidence:
        if ":" not in name and importlib.util.find_spec("sklearn") is None:
            return Evidence("SKIPPED(scikit-learn is not installed: pip install 'dualgap[cli]')")
        count = passes[("quick", "default", "full").index(run.size)]
        extra = further(passes=count, seed=run.seed(name) % 2**32)
        context = Context(data(name, lam_factor, method, unit_rows).but(extra=extra))
        found = examine(claim, [context], None, run)
        found.level, found.detail = "EXACT AT FLOAT STATES", f"{method}, {name}, {count} passes"
        found.counterexample = None  # a data set is no minimal counterexample; the claim's text names the run
        return found

    if ":" not in name:
        setattr(source, "together", "scikit-learn")  # noqa: B010 - one process imports it, two seconds
    return source


def stale_is_noticed(*methods: str) -> Control:
    """The check must be false with the certificate of the start instead of the last one."""

    def caught(claim: Claim, run: Run) -> bool:
        found = [data(SMALL, Q(1, 4), method).but(extra=further(passes=2, seed=0)) for method in methods]
        return all(any(not r.holds() for r in real_data(Context(instance), stale=True)) for instance in found)

    return Control("the certificate of the start instead of the last one", caught)


on_real_data = partial(
    implemented,
    statement="A run on data: the first pass is bit-identical to the reference (its lazy form, where it has one), the"
    " certificate of the last pair is right within its rounding allowance, and the gap fell",
)


@on_real_data(
    "aspdc.code.real-data",
    hypotheses="smoothed hinge, gamma = 1, L2, lam = 4R^2/n (of ASPDC-i R^2/n), uniform order",
    evidence=[
        on_data(SMALL, Q(4), "aspdc"),
        on_data(SMALL, Q(1), "aspdc-i-momentum"),
        on_data("breast_cancer", Q(4), "aspdc"),
    ],
    control=stale_is_noticed("aspdc"),
)
@on_real_data(
    "adaspdc.code.real-data",
    hypotheses="smoothed hinge, gamma = 1, L2, lam = R^2/n; unequal norms",
    evidence=[on_data(SMALL, Q(1), "adaspdc"), on_data("breast_cancer", Q(1), "adaspdc-r", unit_rows=False)],
    control=stale_is_noticed("adaspdc", "adaspdc-r"),
)
@on_real_data(
    "spdc.code.real-data",
    hypotheses="smoothed hinge, gamma = 1, L2, lam = R^2/(4n), uniform order",
    evidence=[on_data(SMALL, Q(1, 4), "spdc"), on_data("breast_cancer", Q(1, 4), "spdc")],
    control=stale_is_noticed("spdc"),
)
@on_real_data(
    "pgs.code.real-data",
    statement="A run on data: the first pass is bit-identical to the lazy reference, and the certificate of the last"
    " iterate is right within its rounding allowance",
    hypotheses="smoothed hinge, gamma = 1, p = 2, sigma = R^2/n, batches of one row, uniform order; alpha = phi'(Xw)",
    evidence=[on_data(SMALL, Q(1), "pgs"), on_data("breast_cancer", Q(1), "pgs")],
    control=stale_is_noticed("pgs"),
)
def real_data(c: Context, stale: bool = False) -> Iterable[Relation]:
    """The first pass against the reference, all passes, and the last certificate; with ``stale`` that of the start."""
    from dualgap.fast import Certificate, kernels

    _, problem = float_problems(c)[0]
    quick, slow = kernels()[c.instance.method](), as_compiled(c.instance.method)
    fast_state, state = quick.init(problem), slow.init(problem)

    def certified() -> Certificate:
        w, alpha = quick.view(problem, fast_state)
        if alpha is None:  # of PGS: phi'(x_i^T w)
            at = w.tolist()
            alpha = [problem.loss.derivative(problem.dot(row, at), y) for row, y in zip(problem.rows, problem.y)]
        return Certificate(problem, w, alpha)

    first = certified()
    for epoch in range(c.instance.extra.passes):
        indices = slow.draw(problem, "uniform", c.instance.extra.seed, epoch)
        quick.advance(problem, fast_state, indices)
        if epoch == 0 and comparable():
            yield from fields_agree(slow.run(problem, indices, state), fast_state, "after one pass")
    last = certified()
    due = certificate(problem, last.alpha, last.w, arithmetic())
    for name in ("primal", "dual", "gap"):
        error = abs(Q(getattr(first if stale else last, name)) - getattr(due, name))
        yield Le(error, Q(last.rounding), f"certificate: |{name} in floats - {name} exactly| <= its rounding allowance")
    if c.instance.method != "pgs":  # whose last iterate may be far off after a few passes
        yield Lt(last.gap, first.gap, "the gap fell")
