"""Problems at the limits: scales far apart end with a true bound or a refusal, and a run keeps what is counted."""

import math
import random
import tracemalloc
import warnings
from fractions import Fraction

import numpy as np
import pytest
from scipy.sparse import csr_array
from support import by_day

from dualgap.fast import solve
from dualgap.fast.methods.registry import kernels
from dualgap.fast.solver import backends, memory
from dualgap.reference import (
    L2,
    LOSSES,
    ElasticNet,
    HypothesisViolated,
    Logistic,
    Problem,
    SmoothedHinge,
    WeightedProblem,
    all_methods,
)
from dualgap.reference.methods.registry import parameters_of
from dualgap.reference.problem.pnorm import PNorm

SIZES = (1.0, 5e-324, 1e-320, 1e-300, 1e-160, 1e-30, 1e-8, 1e10, 1e100, 1e150, 1e154)
LAMS = (1.0, 5e-324, 1e-308, 1e-300, 1e-150, 1e-20, 1e20, 1e150, 1e300)
GAMMAS = (1.0, 5e-324, 1e-300, 1e-30, 1e-10, 1e300)
WEIGHTS = (1.0, 3.0, 2.0**-500, 2.0**500)
COUNT = 60  # problems a method


def drawn(rng, name):
    """A problem, and the same in Fractions; None where it is refused, or has no rational gap."""
    n, d, size, loss = rng.randint(1, 3), rng.randint(1, 2), rng.choice(SIZES), LOSSES[rng.choice(sorted(LOSSES))]
    sizes = [size if rng.random() < 0.6 else rng.choice(SIZES) for _ in range(n)]
    X = [[rng.choice((0.0, 1.0, -1.0, 3.0, 0.7)) * size for _ in range(d)] for size in sizes]
    y = [rng.choice((1.0, -1.0) if loss.margin else (1.0, -1.0, 0.0, 1e-200, 1e150)) for _ in X]
    lam, weights = rng.choice(LAMS), [rng.choice(WEIGHTS) for _ in X]
    regularizer = L2(lam) if rng.random() < 0.6 else ElasticNet(lam, rng.choice((1e-300, 1.0, 1e200)))
    if name == "pgs":
        regularizer = PNorm(lam, rng.choice((1.5, 2, 1.01)), ball=rng.choice((None, 1.0, 1e-170, 1e170)))
    kind, last = (Problem, ())
    if name in ("sdca", "sdca-newton") and rng.random() < 0.3:
        kind, last = WeightedProblem, (weights,)
    made = loss(rng.choice(GAMMAS)) if loss.adjustable else loss()
    try:
        problem = kind(X, y, made, regularizer, *last)
    except ValueError:
        return None, None
    return problem, kind(X, y, made, regularizer, *last, number=Fraction) if loss.rational and name != "pgs" else None


def outcome(problem, exact, name, mode, backend):
    """(status, w, gap_bound) or ("refused",); raises AssertionError for a false bound, and whatever solve raises except
    for ValueError.
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", RuntimeWarning)
            found = solve(problem, name, tol=1e-9, max_epochs=3, mode=mode, backend=backend)
    except ValueError as error:
        assert len(str(error)) > 20, repr(error)
        return ("refused",)
    if exact is not None and found.gap_bound < math.inf:
        w, alpha = ([Fraction(x) for x in np.asarray(given).tolist()] for given in (found.w, found.alpha))
        assert exact.gap(w, alpha) <= Fraction(found.gap_bound), (name, backend)
    return found.status, found.w.tolist(), found.gap_bound


def run_all(name):
    rng, seen = random.Random(f"scales {name}"), set()
    for _ in range(COUNT):
        (problem, exact), mode = drawn(rng, name), rng.choice(("paper", "unchecked"))
        if problem is not None:
            fast, reference = (outcome(problem, exact, name, mode, backend) for backend in ("fast", "reference"))
            assert repr(fast) == repr(reference), (name, problem.X, problem.y, problem.loss, problem.regularizer)
            seen.add(fast[0])
    return seen


@pytest.mark.parametrize("name", sorted(kernels()))
def test_every_method_ends_with_a_status_and_a_true_bound_or_is_refused(name):
    assert "refused" in run_all(name)


@pytest.mark.parametrize(
    ("door", "name"), [("constant_out_of_range", "spdc-nonuniform"), ("divisor_out_of_range", "cocoa")]
)
def test_control_without_the_door_other_exceptions_come_out(door, name, monkeypatch):
    monkeypatch.setattr(backends, door, lambda error, *_: error)
    with pytest.raises(ZeroDivisionError):
        run_all(name)


NAMED = [  # the method, the rows, the loss' name and gamma, lam, and the expected outcome
    ("spdc-nonuniform", [[1.0], [3.0]], "squared", 1e-10, 1e-308, "refused"),  # mix rounds to 1
    ("aspdc-i", [[1e150], [1e150]], "squared", 1e-10, 1e-20, "refused"),  # eta underflows
    # alpha is NaN
    ("asdca", [[3e150, 7e149], [1e150, -1e150], [-1e150, 3e150]], "smoothed-hinge", 5e-324, 1e-150, "diverged"),
]


@pytest.mark.parametrize(("name", "X", "loss", "gamma", "lam", "due"), NAMED)
def test_named_cases(name, X, loss, gamma, lam, due):
    problem = Problem(X, [-1.0, 1.0, -1.0][: len(X)], LOSSES[loss](gamma), L2(lam))
    assert [outcome(problem, None, name, "unchecked", backend)[0] for backend in backends.BACKENDS] == [due, due]


MANY, FEW = 40_000, 8


def problem_of(n, d, lam=100.0):
    rng = np.random.default_rng(0)
    columns = np.sort(np.stack([rng.integers(0, d // 2, n), rng.integers(d // 2, d, n)], axis=1), axis=1)
    X = csr_array((rng.standard_normal(2 * n), columns.ravel(), np.arange(n + 1) * 2), shape=(n, d))
    return Problem(X, np.where(rng.random(n) < 0.5, 1.0, -1.0), SmoothedHinge(), L2(lam))


def peak(n, d, method):
    """Bytes at the peak of a few passes, or of so many that a method has filled its memory; kernels are compiled
    before.
    """
    pairs = parameters_of(all_methods()[method]).get("memory")
    passes, lam = (5, 100.0) if pairs is None else (pairs.default + 20, 1e-3)

    def run(mode):
        solve(problem_of(n, d, lam), method, tol=0.0, max_epochs=passes, mode=mode)
        return mode

    try:
        mode = run("paper")
    except HypothesisViolated:
        mode = run("unchecked")
    problem = problem_of(n, d, lam)
    tracemalloc.start()
    try:
        solve(problem, method, tol=0.0, max_epochs=passes, mode=mode)
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


SHAPES = {"wide": (FEW, MANY), "long": (MANY, FEW)}
CASES = [(method, shape) for method in sorted(kernels()) for shape in SHAPES]


@pytest.mark.parametrize("case", by_day(CASES, *CASES[::32], *CASES[5::32]))
def test_a_run_keeps_what_is_counted_and_not_much_less(case):
    """By day every eighth method, on one of the two shapes."""
    method, shape = case[0], SHAPES[case[1]]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        kept, counted = peak(*shape, method), memory.needed(problem_of(*shape), method)
        assert kept <= counted + 2**20 and counted <= 4 * kept, (kept / 8 / MANY, counted / 8 / MANY)


def test_newton_makes_no_matrix_that_would_exceed_the_rows(monkeypatch):
    """d = 40,000: a matrix would take 6.4 GB."""
    problem = problem_of(FEW, MANY)
    assert memory.needed(problem, "newton") < 5 * 10**7 and solve(problem, "newton", rtol=1e-6).status == "converged"
    dense = Problem(np.ones((1502, 1500)), [1.0, -1.0] * 751, Logistic(), L2(1.0))
    assert memory.needed(dense, "newton") > 8 * 1500 * 1500
    monkeypatch.setattr(memory, "ALWAYS", 2**20)
    monkeypatch.setattr(memory, "available", lambda: 4 * 2**20)
    with pytest.raises(
        ValueError, match="a run of method newton keeps about .* and a matrix, 0.0 GB in all.*or method sdca"
    ):
        solve(dense, "newton")
    assert solve(dense, rtol=1e-3, max_epochs=50).method in ("sdca", "lbfgs"), "auto leaves out what does not fit"
