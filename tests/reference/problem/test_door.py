"""Every bad input is refused on entry in one line that names what was given, where, what is allowed and the way out."""

from collections.abc import Callable
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import DTypeLike
from scipy.sparse import coo_array, csc_array, csr_array

from dualgap.reference import L2, ElasticNet, Interval, Problem, Regularizer, SmoothedHinge, Squared
from dualgap.reference.numbers.arithmetic import convert
from dualgap.reference.problem.validate import check, rows, shape

GOOD_X = [[1.0, 2.0], [0.0, -1.0]]
GOOD_Y = [1, -1]
NAN, INFINITY = float("nan"), float("inf")


def csr(
    data: list[float], indices: list[int], indptr: list[int], shape: tuple[int, int], index: type = np.int32
) -> SimpleNamespace:
    """A CSR matrix put together by hand: scipy's constructor would repair or refuse some of these."""
    return SimpleNamespace(
        format="csr",
        shape=shape,
        ndim=2,
        data=np.array(data, dtype=float),
        indices=np.array(indices, dtype=index),
        indptr=np.array(indptr, dtype=index),
        nnz=indptr[-1],
    )


def with_entry(value: float, dtype: DTypeLike = float) -> np.ndarray:
    X = np.array(GOOD_X, dtype=dtype)
    X[1, 0] = value
    return X


def message_of(error: type[Exception], call: Callable[[], object]) -> str:
    """The message of the error that ``call`` must raise: one line, and not one that Python made up."""
    with pytest.raises(error) as raised:
        call()
    message = str(raised.value)
    assert "\n" not in message and len(message) > 20, message
    return message


BAD_X: dict[str, tuple[object, list[str]]] = {
    "nan": (with_entry(NAN), ["X[1, 0] is nan", "finite", "impute"]),
    "infinity": (with_entry(-INFINITY), ["X[1, 0] is -inf", "finite"]),
    "nan in single precision": (with_entry(NAN, np.float32), ["X[1, 0] is nan"]),
    "nan in CSR": (csr_array(with_entry(NAN)), ["X[1, 0] is nan"]),
    "infinity in CSR": (csr_array(with_entry(INFINITY)), ["X[1, 0] is inf"]),
    "nan after empty rows of CSR": (csr([1, NAN], [0, 1], [0, 1, 1, 2], (3, 2)), ["X[2, 1] is nan"]),
    "nan in a list": ([[1.0, 2.0], [NAN, 1.0]], ["X[1, 0]", "finite", "nan"]),
    "infinity in a list": ([[1.0, INFINITY], [1.0, 1.0]], ["X[0, 1]", "finite", "inf"]),
    "text": ([[1.0, "abc"], [1.0, 1.0]], ["X[0, 1]", "finite number", "'abc'"]),
    "None": ([[1.0, None], [1.0, 1.0]], ["X[0, 1]", "None"]),
    "a boolean": ([[1.0, True], [1.0, 1.0]], ["X[0, 1]", "True"]),
    "a complex number": ([[1.0, 1j], [1.0, 1.0]], ["X[0, 1]", "1j"]),
    "a number beyond floats": ([[1.0, 10**400], [1.0, 1.0]], ["X[0, 1]", "beyond the range of a float"]),
    "a number that floats lose": ([[1.0, "1e-400"], [1.0, 1.0]], ["X[0, 1]", "beyond the range of a float"]),
    "no rows": ([], ["at least one row", "0 x 0"]),
    "no rows in an array": (np.zeros((0, 3)), ["at least one row", "0 x 3"]),
    "no columns": (np.zeros((3, 0)), ["at least one", "3 x 0"]),
    "no columns in CSR": (csr_array((3, 0)), ["at least one", "3 x 0"]),
    "no columns in a list": ([[], []], ["at least one", "2 x 0"]),
    "one dimension": (np.ones(3), ["2 dimensions", "got 1"]),
    "three dimensions": (np.ones((2, 2, 2)), ["2 dimensions", "got 3"]),
    "a flat list": ([1.0, 2.0], ["row 0 of X", "1.0"]),
    "a list of texts": (["ab", "cd"], ["row 0 of X", "'ab'"]),
    "a number": (3.0, ["X must be a sequence", "3.0"]),
    "text for X": ("abcd", ["X must be a sequence", "'abcd'"]),
    "nothing": (None, ["X must be a sequence", "None"]),
    "ragged": ([[1.0, 2.0], [1.0]], ["same length", "[1, 2]"]),
    "objects": (np.array([[1, "a"]], dtype=object), ["real numbers", "object", "astype"]),
    "texts": (np.array([["1", "2"]]), ["real numbers", "<U1"]),
    "complex numbers": (np.ones((1, 2), dtype=complex), ["real numbers", "complex128"]),
    "booleans": (np.ones((1, 2), dtype=bool), ["real numbers", "bool", "astype"]),
    **(
        {"extended precision": (np.ones((1, 2), dtype=np.longdouble), ["64 bits", "astype"])}
        if np.dtype(np.longdouble).itemsize > 8
        else {}
    ),
    "CSC": (csc_array(GOOD_X), ["must be CSR", "csc", "tocsr"]),
    "COO": (coo_array(GOOD_X), ["must be CSR", "coo", "tocsr"]),
    "a data frame": (SimpleNamespace(ndim=2, shape=(2, 2)), ["an array, a CSR matrix or a list of rows", "to_numpy"]),
    "pairs without d": ([[(0, 1.0)], [(1, 2.0)]], ["pairs (j, value)", "pass d"]),
    "a column twice": (
        csr([1, 2, 3], [0, 0, 1], [0, 2, 3], (2, 2)),
        ["row 0 stores column 0 more than once", "sum_duplicates"],
    ),
    "a column twice, apart": (
        csr([1, 2, 3, 4], [1, 2, 0, 2], [0, 0, 4], (2, 3)),
        ["row 1 stores column 2 more than once"],
    ),
    "a column beyond d": (csr([1, 2], [0, 2], [0, 1, 2], (2, 2)), ["0..1", "0..2"]),
    "a negative column": (csr([1, 2], [0, -1], [0, 1, 2], (2, 2)), ["0..1", "-1..0"]),
    "rows that end before they start": (csr([1, 2, 3], [0, 1, 0], [0, 3, 2, 3], (3, 2)), ["row pointers", "rebuild"]),
    "rows that start late": (csr([1, 2], [0, 1], [1, 1, 2], (2, 2)), ["row pointers"]),
    "too few row pointers": (csr([1, 2], [0, 1], [0, 2], (2, 2)), ["row pointers"]),
    "more entries promised than stored": (csr([1, 2], [0, 1], [0, 1, 3], (2, 2)), ["row pointers"]),
}


@pytest.mark.parametrize("name", BAD_X)
def test_a_bad_matrix_is_refused_by_name(name: str) -> None:
    X, words = BAD_X[name]
    message = message_of(ValueError, lambda: Problem(X, GOOD_Y, Squared(), L2(1)))
    assert all(word in message for word in words), message


BAD_PAIRS: dict[str, tuple[object, Any, list[str]]] = {
    "a column twice": (
        [[(0, 1), (1, 2), (0, 3)], []],
        2,
        ["row 0 stores column 0 more than once", "add the two values"],
    ),
    "a column beyond d": ([[], [(2, 1)]], 2, ["row 1 names column 2", "0..1"]),
    "a negative column": ([[(-1, 1)], []], 2, ["row 0 names column -1"]),
    "a column that is no integer": ([[(0.0, 1)], []], 2, ["row 0", "integer column", "(0.0, 1)"]),
    "a triple": ([[(0, 1, 2)], []], 2, ["row 0", "pairs", "(0, 1, 2)"]),
    "pairs and numbers": ([[(0, 1), 5.0], []], 2, ["row 0", "pairs", "5.0"]),
    "a bad value": ([[(0, NAN)], []], 2, ["X[0, 0]", "finite", "nan"]),
    "a dense row of another length": ([[1.0, 2.0, 3.0], []], 2, ["row 0 has 3 entries, expected 2"]),
    "d = 0": ([[(0, 1)], []], 0, ["d must be an integer >= 1", "got 0"]),
    "d a float": ([[(0, 1)], []], 2.5, ["d must be an integer >= 1", "got 2.5"]),
    "d of another matrix": (np.ones((2, 3)), 5, ["columns of X, 3", "got 5"]),
}


@pytest.mark.parametrize("name", BAD_PAIRS)
def test_bad_rows_of_pairs_are_refused_by_name(name: str) -> None:
    X, d, words = BAD_PAIRS[name]
    message = message_of(ValueError, lambda: Problem(X, GOOD_Y, Squared(), L2(1), d=d))
    assert all(word in message for word in words), message


BAD_Y: dict[str, tuple[object, list[str]]] = {
    "too short": ([1], ["y must have one entry for each of the 2 rows", "got 1"]),
    "too long": (np.ones(3), ["y must have one entry for each of the 2 rows", "got 3"]),
    "a column": (np.ones((2, 1)), ["y must have one dimension", "got 2"]),
    "a number": (1.0, ["y must be a sequence", "1.0"]),
    "nothing": (None, ["y must be a sequence", "None"]),
    "text": ("+-", ["y must be a sequence", "'+-'"]),
    "nan": ([1.0, NAN], ["y[1]", "finite", "nan"]),
    "infinity": (np.array([INFINITY, 1.0]), ["y[0]", "finite", "inf"]),
    "text labels": (np.array(["good", "bad"]), ["y[0]", "finite number", "'good'"]),
    "text labels as objects": (np.array(["good", 1], dtype=object), ["y[0]", "'good'"]),
    "booleans": (np.array([True, False]), ["y[0]", "finite number", "True"]),
    "labels 1 and 2": ([1, 2], ["-1 and +1", "y[1] = 2", "found 1.0, 2.0", "--positive"]),
    "labels 0 and 1": (
        np.array([1, 0]),
        ["-1 and +1", "y[1] = 0", "found 1.0, 0.0", "numpy.where(y == positive, 1, -1)"],
    ),
    "targets": (np.array([0.5, 0.25]), ["-1 and +1", "y[0] = 0.5"]),
}


@pytest.mark.parametrize("name", BAD_Y)
def test_bad_labels_are_refused_by_name(name: str) -> None:
    y, words = BAD_Y[name]
    message = message_of(ValueError, lambda: Problem(GOOD_X, y, SmoothedHinge(), L2(1)))
    assert all(word in message for word in words), message


def test_many_labels_are_not_all_listed() -> None:
    message = message_of(ValueError, lambda: Problem(np.ones((99, 1)), np.arange(99), SmoothedHinge(), L2(1)))
    assert "found 0.0, 1.0, 2.0, 3.0, 4.0, ...)" in message


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: L2(0), ["lam must be > 0", "got 0"]),
        (lambda: L2(-1.5), ["lam must be > 0", "got -1.5"]),
        (lambda: L2(NAN), ["lam must be a finite number", "nan"]),
        (lambda: L2(INFINITY), ["lam must be a finite number", "inf"]),
        (lambda: L2("small"), ["lam must be a finite number", "'small'"]),
        (lambda: L2(True), ["lam must be a finite number", "True"]),
        (lambda: L2("1/0"), ["lam must be a finite number", "'1/0'"]),
        (lambda: L2(np.ones(2)), ["lam must be a finite number"]),
        (lambda: L2("1e-400").over(float), ["lam", "beyond the range of a float"]),
        (lambda: L2("1e400").over(float), ["lam", "beyond the range of a float"]),
        (lambda: ElasticNet(0, 1), ["lam must be > 0", "pure l1", "small lam with l1 > 0"]),
        (lambda: ElasticNet(1, -1), ["l1 must be >= 0", "got -1"]),
        (lambda: ElasticNet(1, NAN), ["l1 must be a finite number", "nan"]),
    ],
)
def test_a_bad_regularizer_is_refused_by_name(call: Callable[[], object], words: list[str]) -> None:
    message = message_of(ValueError, call)
    assert all(word in message for word in words), message


def test_parts_of_the_wrong_kind_are_refused_by_name() -> None:
    for arguments, words in (
        ((SmoothedHinge, L2(1)), ["loss must be", "SmoothedHinge()"]),
        (("hinge", L2(1)), ["loss must be", "'hinge'"]),
        ((Squared(), 0.1), ["regularizer must be", "L2(lam)", "0.1"]),
        ((Squared(), L2), ["regularizer must be", "L2"]),
        ((Squared(), L2(1), int), ["number must be float, Fraction or Interval", "int"]),
    ):
        message = message_of(TypeError, lambda given=arguments: Problem(GOOD_X, GOOD_Y, *given))
        assert all(word in message for word in words), message


@pytest.mark.parametrize(
    ("alpha", "words"),
    [
        ([0], ["alpha must have one entry for each of the 2 rows", "got 1"]),
        ([[0], [0]], ["alpha[0]", "finite number", "[0]"]),
        (np.zeros((2, 1)), ["alpha must have one dimension"]),
        ([0, NAN], ["alpha[1]", "nan"]),
        ([0.5, 0], ["alpha[0] = 0.5", "outside the domain of smoothed-hinge", "0 <= -y alpha <= 1"]),
        ([0, 1.0000001], ["alpha[1] = 1.0000001", "outside the domain"]),
    ],
)
def test_a_bad_alpha_is_refused_by_name(alpha: object, words: list[str]) -> None:
    message = message_of(ValueError, lambda: Problem(GOOD_X, GOOD_Y, SmoothedHinge(), L2(1)).require_alpha(alpha))
    assert all(word in message for word in words), message


def test_vectors_of_a_wrong_length_are_refused_by_every_verb() -> None:
    problem = Problem([[1, 2, 3], [4, 5, 6]], GOOD_Y, Squared(), L2(1), number=Fraction)
    w, alpha = [Fraction(1)] * 3, [Fraction(1)] * 2
    for call in (
        problem.P,
        lambda w: problem.f(w, alpha),
        lambda w: problem.gap(w, alpha),
        lambda w: problem.residuals(w, alpha),
    ):
        for wrong in (w[:2], w + w):
            assert "w must have 3 entries" in message_of(ValueError, lambda call=call, wrong=wrong: call(wrong))
    for call in (
        problem.D,
        problem.minus_u,
        problem.w,
        problem.v,
        lambda a: problem.f(w, a),
        lambda a: problem.gap(w, a),
    ):
        for wrong in (alpha[:1], alpha + alpha):
            assert "alpha must have 2 entries" in message_of(ValueError, lambda call=call, wrong=wrong: call(wrong))


def test_a_fraction_problem_takes_no_interval() -> None:
    message = message_of(ValueError, lambda: Problem([[Interval(1)]], [1], Squared(), L2(1), number=Fraction))
    assert "X[0, 0] is an Interval" in message and "number=Interval" in message


def test_every_container_gives_the_same_rows_and_zeros_of_dense_storage_are_left_out() -> None:
    dense = np.array([[1.5, 0.0, -2.0], [0.0, 0.0, 0.0], [0.0, 3.0, 0.0]])
    pairs = [[(0, 1.5), (2, -2.0)], [], [(1, 3.0)]]
    for X in (
        dense,
        dense.astype(np.float32),
        np.asfortranarray(dense),
        csr_array(dense),
        dense.tolist(),
        pairs,
        [*pairs[:2], [0, 3, 0]],
    ):
        assert Problem(X, [1, 2, 3], Squared(), L2(1), d=3).rows == pairs
    assert Problem([[(0, 2)], []], GOOD_Y, Squared(), L2(1), d=1).rows == [[(0, 2.0)], []]
    whole = Problem(np.array([[1, 0], [2, -3]]), [1, 2], Squared(), L2(1), number=Fraction)
    assert whole.rows == [[(0, 1)], [(0, 2), (1, -3)]] and type(whole.rows[0][0][1]) is Fraction


def test_unsorted_columns_keep_their_order_and_explicit_zeros_stay() -> None:
    X = csr([1, 2, 0, 4], [2, 0, 1, 0], [0, 3, 3, 4], (3, 3))
    check(X)
    assert rows(X, 3, float) == [[(2, 1.0), (0, 2.0), (1, 0.0)], [], [(0, 4.0)]]


def test_entries_behind_the_last_row_pointer_do_not_count() -> None:
    X = csr([1, 2, NAN], [0, 1, 7], [0, 1, 2], (2, 2))
    check(X)
    assert rows(X, 2, float) == [[(0, 1.0)], [(1, 2.0)]]


@pytest.mark.parametrize("index", [np.int32, np.int64])
def test_columns_of_a_matrix_too_large_for_row_times_d_are_still_told_apart(index: type) -> None:
    """n d beyond 2^63, where keys row * d + column would wrap around: neither a false alarm nor a miss."""
    d = 2**31 - 1 if index is np.int32 else 2**62
    n, last = 9, d - 1
    unsorted = csr([1.0] * 2 * n, [last, 0] * n, list(range(0, 2 * n + 1, 2)), (n, d), index)
    check(unsorted)
    assert shape(unsorted) == (n, d)
    twice = csr([1.0] * (2 * n + 1), [last, 0] * n + [last], [*range(0, 2 * n, 2), 2 * n + 1], (n, d), index)
    assert f"row {n - 1} stores column {last} more than once" in message_of(ValueError, lambda: check(twice))


@pytest.mark.parametrize("index", [np.int32, np.int64, np.uint32])
def test_duplicates_are_found_exactly_when_they_are_there(index: type) -> None:
    """200 random small matrices, half of them with one column repeated in one row, against a plain loop."""
    generator = np.random.default_rng(0)
    for trial in range(200):
        table = [generator.permutation(6)[: generator.integers(0, 5)].tolist() for _ in range(5)]
        if trial % 2 and table[trial % 5]:
            table[trial % 5].append(table[trial % 5][0])
        duplicated = any(len(set(row)) < len(row) for row in table)
        flat = [j for row in table for j in row]
        X = csr([1.0] * len(flat), flat, np.cumsum([0, *map(len, table)]).tolist(), (5, 6), index)
        if duplicated:
            assert f"row {trial % 5} stores column {table[trial % 5][0]} " in message_of(
                ValueError, lambda X=X: check(X)
            )
        else:
            check(X)


def test_one_class_constant_targets_and_numpy_scalars_are_ordinary() -> None:
    Problem(GOOD_X, [1, 1], SmoothedHinge(), L2(np.float64(0.5)))
    Problem(GOOD_X, np.array([2.0, 2.0], dtype=np.float32), Squared(np.int64(2)), L2(Fraction(1, 3)))
    assert convert(np.float32(0.1), Fraction) == Fraction(float(np.float32(0.1)))
    assert convert("0.1", Interval).contains(Fraction(1, 10))


def test_the_user_s_arrays_are_never_changed() -> None:
    X = csr_array(np.array(GOOD_X))[:, [1, 0]]
    before = (X.data.copy(), X.indices.copy(), X.indptr.copy())
    problem = Problem(X, np.array(GOOD_Y), SmoothedHinge(), L2(1))
    problem.P(problem.w([0.0, 0.0]))
    assert all((a == b).all() for a, b in zip(before, (X.data, X.indices, X.indptr)))
    assert problem.X is X


def test_regularizers_print_their_numbers() -> None:
    assert repr(L2("1/3")) == "L2(lam=1/3)" and repr(ElasticNet(1, "1/2")) == "ElasticNet(lam=1, l1=1/2)"
    assert repr(Regularizer(1).centred(Fraction(2), [Fraction(0)])) == "L2(lam=1).centred(kappa=2)"
