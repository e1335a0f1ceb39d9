"""Every array that reaches compiled code is native, contiguous and aligned, whatever the caller's array is; and no
certificate is stale.
"""

import gc
import pickle
from fractions import Fraction

import numba
import numpy as np
import pytest
from numba.core import types
from scipy.sparse import csr_array
from support import by_day, refuses

from dualgap.fast import Certificate, solve
from dualgap.fast.compiler.first_calls import Kernel
from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.problem.arrays import arrays, read_dense
from dualgap.fast.problem.native import AT_ONCE, BLOCK, checksum, numbers
from dualgap.fast.problem.rows import Dense, sizes, squared_norms
from dualgap.fast.solver.backends import kernels
from dualgap.reference import L2, BlockProblem, Problem, Separable, SmoothedHinge, Squared, WeightedProblem
from dualgap.reference.problem.validate import InputChanged

X = np.array([[1.0, 2.0, 0.0], [0.0, -1.0, 3.0], [4.0, 0.0, 1.0], [0.0, 2.0, 2.0]])
Y = np.array([1.0, -1.0, 1.0, -1.0])
W, ALPHA = np.array([0.5, -0.25, 1.0]), np.array([-0.5, 0.25, -1.0, 0.125])


class Sub(np.ndarray):
    """A subclass."""


def unaligned(a):
    view = np.zeros(a.nbytes + 1, np.uint8)[1:].view(a.dtype).reshape(a.shape)
    view[...] = a
    assert not view.flags.aligned or a.itemsize == 1
    return view


def field(a):
    packed = np.zeros(a.shape, [("odd", "u1"), ("x", a.dtype)])
    packed["x"] = a
    return packed["x"]


def read_only(a):
    a = a.copy()
    a.flags.writeable = False
    return a


LAYOUTS = {
    "itself": np.array,
    "unaligned": unaligned,
    "a field": field,
    "read-only": read_only,
    "Fortran": np.asfortranarray,
    "every second": lambda a: np.repeat(a, 2, axis=0)[::2],
    "reversed": lambda a: np.array(a[::-1])[::-1],
    "subclass": lambda a: a.copy().view(Sub),
}
REALS = ["f2", "f4", "f8", ">f8", ">f4", "i1", "u1", "i2", ">i2", "i4", "u4", "i8", "u8", ">i8"]
INTEGERS = ["i1", "u1", "i2", "u2", ">i2", "i4", "u4", ">i4", "i8", "u8", ">i8", ">u8"]


def told(problem, w=W, alpha=ALPHA):
    found = Certificate(problem, w, alpha)
    if type(problem) is not BlockProblem:
        known = arrays(problem)
        assert all(map(plain, (*known.matrix, known.y, known.norms2, found.w, found.alpha)))
    return found.primal, found.dual, found.gap, found.gap_bound, found.minus_u.tolist()


def csr(**changed):
    """X in CSR, its arrays replaced after scipy has looked at them."""
    made = csr_array(X)
    for name, values in changed.items():
        setattr(made, name, values)
    return made


def types_of(signature):
    """The arrays among the argument types of a compiled kernel, those in tuples included."""
    for one in signature:
        if isinstance(one, types.Array):
            yield one
        elif isinstance(one, types.BaseTuple):
            yield from types_of(one.types if hasattr(one, "types") else [one.dtype] * one.count)


def unsound(dispatchers):
    """What kernels were compiled for and never should be: arrays that are not contiguous or of another kind. Numba does
    not require alignment.
    """
    given = [(one, array) for one in dispatchers for signature in one.signatures for array in types_of(signature)]
    return len(given), [(one.__name__, str(a)) for one, a in given if a.layout != "C" or str(a.dtype) not in SOUND]


def plain(a):
    """Whether an array is what a kernel takes it for."""
    return (
        type(a) is np.ndarray
        and a.flags.c_contiguous
        and a.flags.aligned
        and a.dtype.isnative
        and a.dtype in (np.float64, np.uint32, np.uint64)
    )


DENSE, SPARSE = told(Problem(X, Y, Squared(), L2(1.0))), told(Problem(csr_array(X), Y, Squared(), L2(1.0)))
SOUND = ("float64", "int64", "uint64", "uint32", "bool", "int32", "int8", "uint8", "uint16", "float32")


def compiled_kernels():
    found = [one for one in gc.get_objects() if type(one) is Kernel]
    return [one for one in found if one.py_func.__module__.startswith("dualgap.fast.")]


@pytest.mark.parametrize("layout", by_day(LAYOUTS, *(name for name in LAYOUTS if name != "read-only")))  # 37 kernels
def test_the_numbers_of_an_array_do_not_depend_on_its_type_and_layout(layout):
    make = LAYOUTS[layout]
    for kind in REALS:
        sign = np.abs if np.dtype(kind).kind == "u" else np.array
        expected = told(Problem(sign(X), Y, Squared(), L2(1.0)))
        assert told(Problem(make(sign(X).astype(kind)), make(Y), Squared(), L2(1.0))) == expected, kind
        of_csr = csr_array(sign(X))
        of_csr.data = make(of_csr.data.astype(kind))
        assert told(Problem(of_csr, make(Y.astype(kind if sign is np.array else "f8")), Squared(), L2(1.0))) == told(
            Problem(csr_array(sign(X)), Y, Squared(), L2(1.0))
        ), kind
    for kind in INTEGERS:
        for name in ("indices", "indptr"):
            changed = csr(**{name: make(getattr(csr(), name).astype(kind))})
            assert told(Problem(changed, Y, Squared(), L2(1.0))) == SPARSE, (kind, name)
            assert (
                solve(Problem(changed, Y, Squared(), L2(1.0)), tol=1e-12).w.tolist()
                == solve(Problem(csr(), Y, Squared(), L2(1.0)), tol=1e-12).w.tolist()
            )
    for kind in ("f4", ">f8", "f8"):
        assert told(Problem(X, Y, Squared(), L2(1.0)), make(W.astype(kind)), make(ALPHA.astype(kind))) == DENSE
        weights = make(np.array([1.0, 2.0, 0.5, 4.0], kind))
        assert told(WeightedProblem(X, Y, Squared(), L2(1.0), weights)) == told(
            WeightedProblem(X, Y, Squared(), L2(1.0), [1.0, 2.0, 0.5, 4.0])
        )
        blocks = BlockProblem.kronecker(
            make(X.astype(kind)), make(Y[:, None].astype(kind)), 1, Separable(Squared()), L2(1.0)
        )
        assert told(blocks, W, make(ALPHA[:, None].astype(kind)))[0] == DENSE[0]


def test_no_kernel_was_compiled_for_an_odd_array():
    """With the methods' own arrays: of all that ran in this process."""
    for name in sorted(kernels()):
        for rows in (csr(indices=field(csr().indices.astype(">i2"))), unaligned(np.asfortranarray(X))):
            solve(Problem(rows, unaligned(Y), SmoothedHinge(), L2(1.0)), name, mode="unchecked", max_epochs=2)
    count, odd = unsound(compiled_kernels())
    assert odd == [] and (count > 100 or numba.config.DISABLE_JIT)


def test_the_control_of_it():
    @kernel
    def first(x):
        return x[0]

    for odd in (np.ones(4)[::2], np.ones(2, np.complex128)):
        first(odd)
    assert numba.config.DISABLE_JIT or len(unsound([first])[1]) == 2
    assert not any(map(plain, (unaligned(Y), Y[::2], Y.astype(">f8"), Y.view(Sub)))) and plain(Y)


REFUSED = {
    "indices of floats": (lambda: csr(indices=csr().indices * 1.0), r"X\.indices .*float64"),
    "indices of booleans": (lambda: csr(indices=csr().indices > 0), r"X\.indices .*bool"),
    "indices of objects": (lambda: csr(indices=csr().indices.astype(object)), r"X\.indices .*object"),
    "a list of indices": (lambda: csr(indices=csr().indices.tolist()), r"X\.indices .*list"),
    "pointers of floats": (lambda: csr(indptr=csr().indptr * 1.0), r"X\.indptr .*float64"),
    "pointers of two dimensions": (lambda: csr(indptr=csr().indptr[:, None]), r"X\.indptr .*2 dimensions"),
    "no pointers": (lambda: csr(indptr=csr().indptr[:0]), "row pointers|IndexError"),
    "an index that is too large": (
        lambda: csr(indices=np.where(csr().indices == 2, 200, csr().indices).astype("u1")),
        "0..2",
    ),
    "an index that is negative": (lambda: csr(indices=csr().indices.astype("i1") - np.int8(1)), "0..2"),
    "pointers that wrap around": (lambda: csr(indptr=np.array([0, 2, -4, 6, 8], "i1")), "row pointers"),
    "pointers beyond the entries": (lambda: csr(indptr=np.array([0, 2, 4, 6, 80], "u1")), "row pointers"),
    "too few entries": (lambda: csr(data=csr().data[:-1]), "row pointers"),
    "complex entries": (lambda: csr(data=csr().data * 1j), r"X\.data .*complex128"),
    "entries of objects": (lambda: csr(data=csr().data.astype(object)), r"X\.data .*object"),
    "a masked array": (lambda: np.ma.masked_array(X, X == 4), "X must not be a masked array"),
    "extended precision": (lambda: X.astype(np.longdouble), r"X must hold .*longdouble|X must hold .*float128|float64"),
    "complex numbers": (lambda: X * 1j, "X must hold .*complex128"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_what_cannot_be_converted_is_refused_by_name(name):
    make, said = REFUSED[name]
    if np.dtype(np.longdouble).itemsize > 8 or name != "extended precision":
        refuses(ValueError, said, lambda: Problem(make(), Y, Squared(), L2(1.0)))


@pytest.mark.parametrize(
    "bad",
    [W * 1j, np.ma.masked_array(W, W > 0), W > 0, np.array([0.5, None, 1.0], dtype=object), np.array([W, W])],
    ids=str,
)
def test_pairs_that_are_no_real_numbers_are_refused(bad):
    problem = Problem(X.T @ X, W, Squared(), L2(1.0))
    for call in (
        lambda: Certificate(problem, bad, W),
        lambda: Certificate(problem, W, bad),
        lambda: solve(problem, alpha=bad),
    ):
        refuses(ValueError, "w|alpha", call)
    refuses(ValueError, "y|rows", lambda: Problem(X.T @ X, bad, Squared(), L2(1.0)))
    assert numbers([Fraction(1, 2), "1/4"], "w").tolist() == [0.5, 0.25]


@pytest.mark.parametrize("d", [3, 50])
@pytest.mark.parametrize(
    "column, refused", [((2, 0, 1), None), ((1, 0, 1), "more than once"), ((2, 0, 70), r"must lie in 0\.\.")]
)
def test_columns_that_kernels_read_are_checked_as_they_are_then(column, refused, d):
    """They are changed between the Problem and its arrays: to another order, to equal ones, and out of range."""
    rows = csr_array(([1.0, 2.0, 3.0, 4.0], [0, 1, 2, 0], [0, 3, 4]), shape=(2, d))
    problem = Problem(rows, [1.0, -1.0], Squared(), L2(1.0))
    rows.indices[:3] = column
    if refused:
        refuses(ValueError, refused, lambda: arrays(problem))
    else:
        assert arrays(problem).matrix.indices.tolist() == [2, 0, 1, 0]


def scale(a):
    a *= 2


def flip(a):
    a *= -1  # the top bit of an even number of words: no sum of words notices it


def swap(a):
    a[[0, 1]] = a[[1, 0]]


def end(a):
    a[-1:] = a[-1:] + 1


GIVEN = {
    "dense": lambda: (lambda a: (a, a))(X.copy()),
    "Fortran": lambda: (lambda a: (a, a))(np.asfortranarray(X)),
    "integers": lambda: (lambda a: (a, a))(X.astype(np.int16)),
    "a view": lambda: (lambda a: (a[:, ::2], a))(np.repeat(X, 2, axis=1)),
    "read-only": lambda: (lambda a: (np.broadcast_to(a, a.shape), a))(X.copy()),
    "values": lambda: (lambda S: (S, S.data))(csr()),
    "narrow": lambda: (lambda S: (S, S.data))(csr(indices=csr().indices.astype("i2"))),
}


@pytest.mark.parametrize("change", [scale, flip, swap, end])
@pytest.mark.parametrize("given", GIVEN)
def test_no_certificate_is_made_of_data_that_were_changed_in_place(given, change):
    rows, memory = GIVEN[given]()
    before = memory.copy()
    problem = Problem(rows, Y, Squared(), L2(0.1))
    result = solve(problem, "newton", tol=1e-12)
    again = told(problem, result.w, result.alpha)  # the products that are kept are its
    change(memory)
    other = problem.with_regularizer(L2(0.3))
    for call in (
        lambda: told(problem, result.w, result.alpha),
        lambda: told(other),
        lambda: solve(problem),
        lambda: solve(other, "sdca", alpha=result.alpha),
    ):
        refuses(InputChanged, "changed in place", call)
    assert told(Problem(rows, Y, Squared(), L2(0.1)), result.w, result.alpha) != again
    memory[...] = before
    assert (
        told(problem, result.w, result.alpha)
        == again
        == told(pickle.loads(pickle.dumps(problem)), result.w, result.alpha)
    )


def test_other_arrays_in_the_place_of_those_of_a_csr_matrix_are_noticed():
    for name in ("data", "indices", "indptr"):
        rows = csr()
        problem = Problem(rows, Y, Squared(), L2(0.1))
        told(problem)
        setattr(rows, name, getattr(rows, name)[::-1].copy())
        with pytest.raises(InputChanged):
            told(problem)


def test_what_a_problem_copies_may_be_changed():
    lists, y, weights, w, alpha = X.tolist(), Y.copy(), np.ones(4) * 2, W.copy(), ALPHA.copy()
    problem, weighted = Problem(lists, y, Squared(), L2(1.0)), WeightedProblem(X, y, Squared(), L2(1.0), weights)
    blocks_of = X.copy()
    blocks = BlockProblem.kronecker(blocks_of, Y[:, None].copy(), 1, Separable(Squared()), L2(1.0))
    found = Certificate(problem, w, alpha)
    before, of_weighted, of_blocks = told(problem), told(weighted), told(blocks, W, ALPHA[:, None])
    lists[0][0] = 7.0
    blocks_of *= 5
    for changed in (y, weights, w, alpha):
        changed *= 3
    assert (told(problem), told(weighted), told(blocks, W, ALPHA[:, None])) == (before, of_weighted, of_blocks)
    assert (found.w.tolist(), found.alpha.tolist()) == (W.tolist(), ALPHA.tolist())


def test_a_change_before_the_first_use_is_new_data_and_validated_as_such():
    def changed(value, rows=None):
        rows = X.copy() if rows is None else rows
        problem = Problem(rows, Y, Squared(), L2(1.0))
        (rows if isinstance(rows, np.ndarray) else rows.indices)[:1] = value
        return problem

    assert told(changed(2.0)) == told(Problem(np.vstack((np.full(3, 2.0), X[1:])), Y, Squared(), L2(1.0)))
    for bad, said in (
        (changed(np.nan), "finite"),
        (changed(1, csr()), "more than once"),
        (changed(10**6, csr()), "0..2"),
    ):
        refuses(ValueError, said, solve, bad)
    rows = X.copy()
    problem = Problem(rows, Y, Squared(), L2(1.0))
    assert problem.P(W.tolist()) > 0  # the reference has made its rows
    rows *= 2
    refuses(InputChanged, r"problem\.rows", solve, problem)


def test_a_checksum_differs_for_every_change():
    rng = np.random.default_rng(0)
    lengths = (1, 7, 8, 9, 64, 1001, BLOCK + 1, 2 * AT_ONCE)
    for size in lengths:
        for kind in ("f8", "i4", "u1"):
            whole = rng.integers(1, 100, size).astype(kind)
            expected = checksum(whole)
            for place in {0, size // 2, size - 1}:
                one = whole.copy()
                one[place] += 1
                assert checksum(one) != expected
            assert size == 1 or checksum(np.roll(whole, 1)) != expected or (np.roll(whole, 1) == whole).all()
    assert len({checksum(np.zeros(size)) for size in lengths}) == len(lengths)
    assert checksum(np.zeros((2, 3))) != checksum(np.zeros((3, 2)))
    assert checksum(np.zeros(3, ">f8")) != checksum(np.zeros(3))


@pytest.mark.parametrize("shape", [(1, 1), (9, 3), (1100, 17), (2 * BLOCK // 5, 5), (3, BLOCK + 5)], ids=str)
def test_a_dense_matrix_is_read_once_for_its_checksum_and_its_norms(shape):
    rng = np.random.default_rng(0)
    rows, y = rng.standard_normal(shape), rng.standard_normal(shape[0])
    norms2, expected = np.empty(shape[0]), np.empty(shape[0])
    squared_norms(Dense(rows), expected)
    result = read_dense(rows, y, norms2)
    assert norms2.tolist() == expected.tolist() and result == (checksum(rows, y)[-1], sizes(expected, y))
    assert read_dense(rows, y, np.empty(0))[0] == result[0] == checksum(np.asfortranarray(rows), y)[-1]
    in_python = getattr(read_dense, "in_python", lambda given: read_dense(*given))
    assert in_python((rows, y, norms2)) == result and norms2.tolist() == expected.tolist()
