"""Hypothesis strategies for other people's tests: losses, regularizers, problems, choice sequences, states and whole
runs.

They reach what random data do not: zero, equal and opposite rows, kinks, ratios of norms of a million, lam exactly at
the thresholds of the theorems.

>>> from hypothesis import given
>>> @given(exact_problems())
... def gap_is_nonnegative(problem):
...     alpha = [problem.zero] * problem.n
...     assert problem.P(problem.w(alpha)) >= problem.D(alpha)
>>> gap_is_nonnegative()
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from typing import Any

from hypothesis.strategies import DrawFn, SearchStrategy

from dualgap.proofs_checks.claims import drawing as st
from dualgap.proofs_checks.claims.extra import Extras, further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.engines.drawn import key
from dualgap.proofs_checks.strategies.instances import GAMMAS, K_ANY, RATIONAL, instances
from dualgap.reference import (
    L2,
    LOSSES,
    ElasticNet,
    HypothesisViolated,
    Loss,
    Method,
    Problem,
    Regularizer,
    all_methods,
    as_compiled,
)
from dualgap.reference.problem.problem import Vector

COORDINATE = st.sampled_from(Qs(0, 1, -1, "1/3"))


def losses(names: Sequence[str] = tuple(LOSSES)) -> SearchStrategy[Loss]:
    """Draw one of the losses of these names; a free gamma is 1, 1/2, 1/4 or 3."""
    adjustable = [LOSSES[name](gamma) for name in names if LOSSES[name].adjustable for gamma in GAMMAS]
    return st.sampled_from([*adjustable, *(LOSSES[name]() for name in names if not LOSSES[name].adjustable)])


def regularizers(l1: bool = True) -> SearchStrategy[Regularizer]:
    """L2, and with ``l1`` elastic net; lam from 1e-6 to 100."""
    weights = Qs(0, 0, "1/10", 1) if l1 else Qs(0)
    return st.builds(Regularizer, st.sampled_from(Qs("1/1000000", "1/100", "1/3", 1, 100)), st.sampled_from(weights))


def _drawn(names: Sequence[str], l1: bool, max_n: int, max_d: int) -> SearchStrategy[Instance]:
    weights, K = Qs(0, 0, "1/10", 1) if l1 else Qs(0), (*K_ANY, *Qs(16, "1/4", "1/2", 1, "1/2", 1))
    return instances(K=K, l1=weights, losses=tuple(names), max_n=max_n, max_d=max_d, max_path=0)


def problems(
    names: Sequence[str] = tuple(LOSSES), l1: bool = True, max_n: int = 4, max_d: int = 3
) -> SearchStrategy[Problem]:
    """float64 problems, X (n, d), y (n,), 1 <= n <= max_n, 1 <= d <= max_d; in Fractions: ``exact_problems``."""
    return _drawn(names, l1, max_n, max_d).map(_in_floats)


def _in_floats(instance: Instance) -> Problem:
    import numpy as np

    exact = instance.problem()
    X, y = ([[float(x) for x in row] for row in instance.rows], [float(y) for y in instance.y])
    return Problem(np.array(X), np.array(y), exact.loss, exact.regularizer)


def exact_problems(
    names: Sequence[str] = RATIONAL, l1: bool = True, max_n: int = 4, max_d: int = 3
) -> SearchStrategy[Problem]:
    """The same over Fraction, for the losses that are rational (all but logistic)."""
    return _drawn(names, l1, max_n, max_d).map(lambda instance: instance.problem())


@st.composite
def choice_sequences(draw: DrawFn, /, method: Method[Any], problem: Problem, max_steps: int = 20) -> list[object]:
    """Choices that the method can draw, step after step, each from ``method.choices`` at the state then reached."""
    state, sequence = method.init(problem), []
    for _ in range(draw(st.integers(0, max_steps))):
        able = [choice for choice, probability in method.choices(problem, state) if probability > 0]
        choice = draw(st.sampled_from(able))
        state = method.step(problem, state, choice)
        sequence.append(choice)
    return sequence


def states(method: Method[Any], problem: Problem, max_steps: int = 20) -> SearchStrategy[Any]:
    """States that the method can reach from its start."""
    return choice_sequences(method, problem, max_steps).map(lambda sequence: method.run(problem, sequence))


@st.composite
def dual_points(draw: DrawFn, /, problem: Problem) -> Vector:
    """alpha, shape (n,), in the domain of phi*: derivatives of the losses at drawn points."""
    points = st.integers(-64, 64).map(lambda k: problem.zero + k / (8 * (problem.zero + 1)))
    return [problem.loss.derivative(draw(points), y) for y in problem.y]


def primal_points(problem: Problem) -> SearchStrategy[Vector]:
    """w, shape (d,): small rationals, of the problem's number."""
    coordinates = st.integers(-16, 16).map(lambda k: problem.zero + k / (4 * (problem.zero + 1)))
    return st.lists(coordinates, min_size=problem.d, max_size=problem.d)


@st.composite
def pairs(draw: DrawFn, /, names: Sequence[str] = RATIONAL, optimum: bool = False) -> Instance:
    """A problem with any alpha of the domain and, in ``extra``, any w, and a proximal centre of weight kappa.

    optimum : half of the time alpha and w are optimal (``names`` among RATIONAL_SMOOTH).
    """
    from dualgap.proofs_checks.engines.optimum import exact_optimum

    run = draw(_drawn(names, True, 4, 3))
    d = len(run.rows[0])
    kappa, centre = draw(st.sampled_from(Qs(0, 0, 1, "1/3"))), draw(st.lists(COORDINATE, min_size=d, max_size=d))
    frame = further(kappa=kappa, centre=tuple(centre))
    problem = run.problem()
    problem = problem.centred(frame.kappa, list(frame.centre)) if frame.kappa else problem
    if optimum and draw(st.booleans()):
        alpha = exact_optimum(problem)
        w = problem.w(alpha)
    else:
        alpha, w = draw(dual_points(problem)), draw(primal_points(problem))
    return run.but(alpha=tuple(alpha), extra=frame | further(w=tuple(w)))


# -- runs: a problem, a method, a start and the choices, as one Instance -----------------------------------------------

STORAGES = ("dense", "int32", "int64", "unsorted")


@st.composite
def _options_of(draw: DrawFn, name: str, n: int) -> dict[str, object]:
    """Options of a method for n rows: ``drawn_options`` of its class, and the number of rows of a step."""
    kind, options = all_methods()[name], dict[str, object]()
    for names, values in kind.drawn_options.items():
        value = draw(st.sampled_from(values))
        options |= zip(names.split(), value) if " " in names else {names: value}
    if batch := kind.command_line.get("batch"):  # a partition has blocks of one size
        sizes = [m for m in range(1, n + 1) if options.get("sampling") != "partition" or n % m == 0]
        options[batch] = draw(st.sampled_from(sizes))
    return {key: Q(value) if isinstance(value, float) else value for key, value in options.items()}


@cache
def takes(name: str, what: str) -> bool:
    """Return whether a method accepts a loss of this name, "l1", or a proximal "centre"; the method itself decides."""
    loss = LOSSES[what]() if what in LOSSES else LOSSES["squared"]()
    problem = Problem([[1.0]], [1.0], loss, ElasticNet(1, 1) if what == "l1" else L2(1))
    return _accepts(as_compiled(name), problem.centred(1.0, [1.0]) if what == "centre" else problem)


def _accepts(method: Method[Any], problem: Problem) -> bool:
    """Return whether the problem is inside what the method can run on, its theorems' hypotheses apart."""
    try:
        method.require(problem, "unchecked")
        method.init(problem)
    except HypothesisViolated:
        return False
    return True


@st.composite
def runs(
    draw: DrawFn,
    /,
    name: str,
    losses: Sequence[str] = tuple(LOSSES),
    max_n: int = 4,
    max_steps: int = 12,
    exact: bool = False,
) -> Instance:
    """Runs of one method: problem, options, start, choices; in ``extra`` storage, cuts, and a centre of weight kappa.

    Choices are any that the method can make, at most five times ``max_steps``, or a pass that it draws in one of its
    orders; ``cuts`` split them. Kinks, zero rows, equal rows and thresholds of lam are drawn on purpose
    (``strategies.instances``).

    Parameters
    ----------
    name : of the method.
    losses : names of losses that occur, except those that the method does not accept.
    max_n : the most rows.
    max_steps : the most choices, except for a whole pass.
    exact : without the logistic loss, which is not rational.
    """
    fitting = [loss for loss in losses if takes(name, loss) and not (exact and not LOSSES[loss].rational)]
    whole = draw(_drawn(fitting, takes(name, "l1"), max_n, 3 if exact else 5))
    base = _subset(whole, draw(st.lists(st.integers(0, 11), min_size=1, max_size=2 * max_n)))
    # from 0 beyond the kinks: -0.0 is met
    if not exact and LOSSES[base.loss].margin and draw(st.sampled_from((False, False, True))):
        y = (*base.y, *base.y)[:max_n]
        rows = tuple(tuple(v * x for x in base.rows[0]) for v in y)
        base = base.but(rows=rows, y=y, alpha=Qs(0) * len(y), lam=base.lam / 16)
    if not exact:
        # squared: below every float
        rough, tiny = draw(st.integers(0, 99)), draw(st.sampled_from(Qs(1, 1, 1, "1/100000000", Q(1, 10**160))))
        rows = tuple(
            tuple(x * (1 + Q(rough * (i + 3 * j + 1) % 97, 101)) for j, x in enumerate(row))
            for i, row in enumerate(base.rows)
        )
        base = _with_rows(base, rows)
        # else R^2 itself would be below every float, and steps are made of it
        if any(x for row in rows[:-1] for x in row):
            base = base.but(rows=(*rows[:-1], tuple(x * tiny for x in rows[-1])))
    n, d = len(base.rows), len(base.rows[0])
    given = base.problem(float)
    options = draw(_options_of(name, n).filter(lambda options: _accepts(as_compiled(name, **options), given)))
    if name == "adaspdc":  # divides by every norm; twice an upper bound serves, however it is rounded
        options["norms"] = tuple(2 * sum((abs(x) for x in row), Q(0)) or Q(1) for row in base.rows)
    extra: Extras = further(storage=draw(st.sampled_from(STORAGES)))
    if takes(name, "centre") and draw(st.booleans()):
        kappa, centre = draw(st.sampled_from(Qs(1, "1/3"))), draw(st.lists(COORDINATE, min_size=d, max_size=d))
        extra |= further(kappa=kappa, centre=tuple(centre))
    alpha = base.alpha if as_compiled(name, **options).resumable and draw(st.booleans()) else ()
    run = base.but(method=name, options=options, extra=extra, alpha=alpha)
    path = possible(as_compiled(name, **options), run.problem(float), draw(_paths(run, max_steps)))
    return run.but(path=path, extra=extra | further(cuts=tuple(draw(st.lists(st.integers(0, len(path)), max_size=2)))))


def possible(method: Method[Any], problem: Problem, path: Sequence[Any], state: Any = None) -> tuple[object, ...]:
    """The path, every choice to which the method gives probability 0 replaced by one that it can make there."""
    state, found = method.init(problem) if state is None else state, list[Any]()
    for choice in path:
        able = {key(method, c): c for c, probability in method.choices(problem, state) if probability > 0}
        if key(method, choice) not in able:
            choice = list(able.values())[(choice if isinstance(choice, int) else sum(choice)) % len(able)]
        state = method.step(problem, state, choice)
        found.append(choice)
    return tuple(found)


def _subset(run: Instance, numbers: list[int]) -> Instance:
    """The rows of these numbers, modulo n, each once: a list shrinks to one row, a count does not."""
    kept = list(dict.fromkeys(k % len(run.rows) for k in numbers))
    return _with_rows(run, tuple(run.rows[k] for k in kept)).but(
        y=tuple(run.y[k] for k in kept), alpha=tuple(run.alpha[k] for k in kept)
    )


def _with_rows(run: Instance, rows: tuple[tuple[Fraction, ...], ...]) -> Instance:
    """Other rows at the same ratio R^2/(lam n gamma), a threshold where it was one."""
    before, after = (max(sum((x * x for x in row), Q(0)) for row in some) for some in (run.rows, rows))
    share = after * len(run.rows) / (before * len(rows)) if before and after else Q(1)
    return run.but(rows=rows, lam=run.lam * share)


def _paths(run: Instance, max_steps: int) -> SearchStrategy[list[object]]:
    """Choices one by one, the same again up to five times, or a pass as the method draws it."""
    method, problem = as_compiled(run.method, **run.options), run.problem(float)
    passes = st.tuples(st.sampled_from(method.orders), st.integers(0, 9)).map(
        lambda drawn: [
            tuple(c) if isinstance(c, list) else c
            for c in method.draw(problem, drawn[0], drawn[1], 0).tolist()[:max_steps]
        ]
    )
    few = st.lists(any_choice(method, problem), min_size=min(1, max_steps), max_size=max_steps)
    return st.one_of(few, st.tuples(few, st.integers(2, 5)).map(lambda drawn: drawn[0] * drawn[1]), passes)


def any_choice(method: Method[Any], problem: Problem) -> SearchStrategy[object]:
    """Draw one choice that the method admits, whatever its probability: an index, or a tuple of them."""
    width = method.width(problem)
    if width is None:
        # stays a choice while rows are taken away
        return st.integers(0, 11).map(lambda k: k % method.outcomes(problem))
    if method.entrywise:
        ends = method.ends(problem)  # type: ignore[attr-defined]
        drawn = st.tuples(*(st.integers(0, 11) for _ in ends))
        return drawn.map(lambda choice: tuple(k % end for k, end in zip(choice, ends)))
    return st.permutations(range(problem.n)).map(lambda order: tuple(order[:width]))


def drawn_by(claim: str) -> SearchStrategy[Instance]:
    """Return a strategy for the instances that the audit draws for a claim: exact, and rational even if the method
    takes roots.

    Raises ValueError for a claim that is not drawn, only looked up or proved.
    """
    from dualgap.proofs_checks.claims.registry import all_claims

    levels = [level for level in all_claims()[claim].evidence if hasattr(level, "strategy")]
    pools = [level.strategy() for level in levels if getattr(level, "number", Fraction) is Fraction]
    if not pools:
        raise ValueError(f"claim {claim} has no instances that are drawn (see: dualgap claims)")
    # few rows first: what shrinking looks for
    return st.one_of([pool.filter(lambda run: len(run.rows) <= 2) for pool in pools] + pools)
