"""ASPDC on real data: a run whose progress is checked exactly at the float states that it visits."""

from collections.abc import Callable, Iterable
from fractions import Fraction
from functools import lru_cache
from typing import Any

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.exact import arithmetic
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Instance, Q
from dualgap.proofs_checks.claims.registry import Claim, Evidence
from dualgap.proofs_checks.claims.relations import Eq, Le, Lt, Relation
from dualgap.proofs_checks.claims.run import Run
from dualgap.proofs_checks.engines.certificate import certificate
from dualgap.proofs_checks.evidence.levels import altered, examine
from dualgap.proofs_checks.papers.aspdc.implementation import bits, comparable, float_problems, shipped
from dualgap.proofs_checks.papers.aspdc.instances import EQUAL_ROWS
from dualgap.proofs_checks.papers.aspdc.setting import noise
from dualgap.proofs_checks.papers.vocabulary import implemented
from dualgap.reference.numbers.rational import nearest


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


def prefix_relations(c: Context) -> Iterable[Relation]:
    """Repeat the first pass with the reference: bit-identical, entry by entry."""
    import numpy as np

    from dualgap.fast import kernels

    _, problem = float_problems(c)[0]
    quick, slow = kernels()["aspdc"](), c.instance.reference_method()
    indices = shipped(c.n, c.given.seed, 0)
    compiled, state = quick.init(problem, np.zeros(c.n)), slow.init(problem)
    quick.advance(problem, compiled, indices)
    for choice in indices.tolist():
        slow.advance(problem, state, choice)
    for name, expected in state.fields().items():
        different = sum(bits(a) != bits(b) for a, b in zip(expected, getattr(compiled, name).tolist()))
        yield Eq(different, 0, f"entries of {name} with other bits after the first pass ({c.n} steps)")


def certificate_relations(c: Context) -> Iterable[Relation]:
    """The float certificate after the last pass against the exact one of the same pair."""
    from dualgap.fast import Certificate

    _, problem = float_problems(c)[0]
    alpha = float_run(c)[-1]
    floats = Certificate(problem, problem.w(alpha), alpha)
    exact_one = certificate(problem, alpha, floats.w, arithmetic())
    for name in ("primal", "dual", "gap"):
        error = abs(Fraction(getattr(floats, name)) - getattr(exact_one, name))
        yield Le(
            error,
            Fraction(floats.rounding),
            f"certificate: |{name} in floats - {name} exactly| <= its rounding allowance",
        )


def progress(c: Context) -> tuple[Fraction, Fraction]:
    """(E[D(alpha+)] - D(alpha), gap) at the context's state, by the equality of aspdc.one-step.sharp: O(nnz)."""
    gains = [FY / c.n - noise(c, i) for i, FY in enumerate(c.FY)]
    return c.mean(gains), c.mean_FY


@lru_cache(maxsize=4)
def progress_along(c: Context) -> list[tuple[Fraction, Fraction]]:
    """``progress`` at every state of ``float_run``, computed once for the check and for the figure."""
    states = [c.instance.but(alpha=tuple(Fraction(a) for a in alpha), path=()) for alpha in float_run(c)]
    return [progress(Context(instance)) for instance in states]


def on_data(name: str, size: str = "", prepared: bool = False) -> Callable[[Claim, Run], Evidence]:
    """A level: the check after some passes at lam = 4R^2/(n gamma), with figures; ``prepared``: bias and unit rows."""

    def source(claim: Claim, run: Run) -> Evidence:
        from dualgap.fast.data.load import load, prepare

        passes = {"quick": 1, "default": 5, "full": 12}[run.size]
        instance = as_instance(prepare(load(name + size), bias=prepared, unit_rows=prepared), Q(4))
        context = Context(instance.but(extra=further(passes=passes, seed=run.seed(name) % 2**32)))
        found = examine(claim, [context], None, run)
        found.level, found.detail = "EXACT AT FLOAT STATES", f"{name}, {passes} passes"
        found.counterexample = None  # a whole data set is not a minimal counterexample; the claim's text names the run
        found.series = {f"real-data {name}": run_series(context, name)}
        return found

    return source


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
        on_data("aspdc-synthetic", ":n=50,d=10"),
        skipped_without_sklearn(on_data("breast_cancer", prepared=True)),
    ],
    control=altered("a floor of 1 instead of s", lambda c: [Le(progress(c)[1] / c.n, progress(c)[0], "")], EQUAL_ROWS),
)
def real_data(c: Context) -> Iterable[Relation]:
    yield from prefix_relations(c) if comparable() else ()
    yield from certificate_relations(c)
    run = progress_along(c)
    for p, (increase, gap) in enumerate(run):
        yield Le(c.s * gap / c.n, increase, f"after {p} passes: (s/n) gap <= E[D+ - D]")
    yield Lt(run[-1][1], run[0][1], "the gap fell")
