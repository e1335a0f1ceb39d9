"""The compiled methods give the reference's bits, on every kind of input, the sign of a zero included."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from dualgap.fast import kernels
from dualgap.fast.compiler import probe
from dualgap.fast.losses import CODES
from dualgap.fast.matrix import arrays
from dualgap.fast.objective import Objective
from dualgap.reference import LOSSES, ElasticNet, L2, Problem, method, methods

OPTIONS = {
    "aspdc": {},
    "sdca": {},
    "aspdc-i": {},
    "aspdc-i-fixed": {"m": 7},
    "aspdc-i-momentum": {"m": 5},
}
SMOOTH = [name for name, loss in LOSSES.items() if loss().gamma > 0]
LOSSES_OF = {name: list(LOSSES) if name in ("sdca", "aspdc") else SMOOTH for name in OPTIONS}
MATHEMATICS_AGREES = not any(probe()[name] for name in ("exp", "log", "log1p"))


def bits(values):
    """The 64 bits of every number, as integers."""
    return np.atleast_1d(np.asarray(values, dtype=np.float64)).view(np.int64)


def first_difference(expected, got):
    """Where two states differ in some bit, in words, or None; both have the same fields."""
    assert type(expected).names() == type(got).names()
    for name in type(expected).names():
        one, two = getattr(expected, name), getattr(got, name)
        if isinstance(one, int):
            if one != two:
                return f"{name}: {one} != {two}"
            continue
        different = np.flatnonzero(bits(one) != bits(two))
        if different.size:
            k = different[0]
            return f"{name}[{k}]: {np.atleast_1d(one)[k]!r} != {np.atleast_1d(two)[k]!r}"
    return None


def matrix(rng, n, d, storage):
    """A CSR matrix with unsorted columns, empty rows and entries of every size, or a dense one with zeros."""
    keep = rng.random((n, d)) < rng.choice([0.2, 0.5, 1.0])
    keep[rng.random(n) < 0.15] = False
    sizes = 10.0 ** rng.choice([0, 0, 0, -8, -160], size=(n, d))
    X = np.where(keep, rng.standard_normal((n, d)) * sizes, 0.0)
    if rng.random() < 0.3:
        X = np.sign(X)
    if storage == "dense":
        return X
    integer = np.int32 if storage == "int32" else np.int64
    rows = [rng.permutation(np.flatnonzero(row)) for row in X]
    indptr = np.cumsum([0, *map(len, rows)]).astype(integer)
    indices = np.concatenate(rows).astype(integer)
    data = np.concatenate([row[columns] for row, columns in zip(X, rows)])
    result = csr_array((n, d))
    result.indptr, result.indices, result.data = indptr, indices, data
    return result


def problem_of(seed, loss_name, storage, smooth_enough=False):
    rng = np.random.default_rng([seed, CODES[loss_name]])
    n, d = int(rng.integers(1, 9)), int(rng.integers(1, 6))
    cls = LOSSES[loss_name]
    loss = cls(gamma=float(rng.choice([1.0, 0.25, 3.0]))) if cls.adjustable else cls()
    X = matrix(rng, n, d, storage)
    y = rng.choice([-1.0, 1.0], n) if loss.margin else rng.standard_normal(n)
    lam = float(10.0 ** rng.uniform(-2.5, 0.5))
    regularizer = L2(lam) if rng.random() < 0.5 else ElasticNet(lam, float(rng.choice([1e-2, 0.1])))
    problem = Problem(X, y, loss, regularizer)
    if rng.random() < 0.25:
        problem = problem.centred(float(rng.random()), rng.standard_normal(d).tolist())
    return rng, problem


def start_of(rng, problem):
    """None (zeros), or a start in the domain: what a step from random z's leaves."""
    if rng.random() < 0.5:
        return None
    z = rng.standard_normal(problem.n)
    return [problem.loss.derivative(float(z_i), y_i) for z_i, y_i in zip(z, problem.y)]


def runs_differ(name, seed, loss_name, storage, fast=None):
    """Run both backends over the same choices, the fast one in two calls; the first difference or None."""
    rng, problem = problem_of(seed, loss_name, storage)
    alpha = start_of(rng, problem)
    choices = rng.integers(problem.n, size=int(rng.integers(1, 60)))
    reference = method(name, **OPTIONS[name])
    fast = kernels()[name](**OPTIONS[name]) if fast is None else fast
    expected = reference.run(problem, choices, reference.init(problem, alpha))
    got = fast.run(problem, choices[: len(choices) // 3], fast.init(problem, alpha))
    fast.advance(problem, got, choices[len(choices) // 3 :])
    return first_difference(expected, got)


@pytest.mark.parametrize("storage", ["int32", "int64", "dense"])
@pytest.mark.parametrize("name", sorted(OPTIONS))
def test_fast_states_have_the_bits_of_the_reference(name, storage):
    for loss_name in LOSSES_OF[name]:
        for seed in range(40):
            difference = runs_differ(name, seed, loss_name, storage)
            assert difference is None, f"{name}, {loss_name}, {storage}, seed {seed}: {difference}"
