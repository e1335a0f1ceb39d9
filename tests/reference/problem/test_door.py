"""Every bad input is refused on entry in one line that names what was given, where, what is allowed and the way out."""

from collections.abc import Callable
from fractions import Fraction
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from numpy.typing import DTypeLike
from scipy.sparse import coo_array, csc_array, csr_array

from dualgap.reference import L2, ElasticNet, Interval, Problem, SmoothedHinge, Squared
from dualgap.reference.numbers.arithmetic import convert
from dualgap.reference.problem.validate import all_finite, check, rows, shape

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


def message_of(error: type[Exception] | tuple[type[Exception], ...], call: Callable[[], object]) -> str:
    """The message of the error that ``call`` must raise: one line, and not one that Python made up."""
    with pytest.raises(error) as raised:
        call()
    message = str(raised.value)
    assert "\n" not in message and len(message) > 20, message
    return message


def of_X(X: object, d: Any = None) -> Callable[[], Problem]:
    return lambda: Problem(X, GOOD_Y, Squared(), L2(1), d=d)


def of_y(y: object) -> Callable[[], Problem]:
    return lambda: Problem(GOOD_X, y, SmoothedHinge(), L2(1))


REFUSED: list[tuple[Callable[[], object], str]] = [  # what is made, and the words of the message
    (of_X(with_entry(NAN)), "X[1, 0] is nan|finite|impute"),
    (of_X(with_entry(-INFINITY)), "X[1, 0] is -inf|finite"),
    (of_X(csr_array(with_entry(NAN))), "X[1, 0] is nan"),
    (of_X(csr([1, NAN], [0, 1], [0, 1, 1, 2], (3, 2))), "X[2, 1] is nan"),
    (of_X([[1.0, 2.0], [NAN, 1.0]]), "X[1, 0]|finite|nan"),
    (of_X([[1.0, "abc"], [1.0, 1.0]]), "X[0, 1]|finite number|'abc'"),
    (of_X([[1.0, True], [1.0, 1.0]]), "X[0, 1]|True"),
    (of_X([[1.0, 10**400], [1.0, 1.0]]), "X[0, 1]|beyond the range of a float"),
    (of_X([[1.0, "1e-400"], [1.0, 1.0]]), "X[0, 1]|beyond the range of a float"),
    (of_X([]), "at least one row|0 x 0"),
    (of_X(np.zeros((3, 0))), "at least one|3 x 0"),
    (of_X(np.ones(3)), "2 dimensions|got 1"),
    (of_X([1.0, 2.0]), "row 0 of X|1.0"),
    (of_X(3.0), "X must be a sequence|3.0"),
    (of_X(None), "X must be a sequence|None"),
    (of_X([[1.0, 2.0], [1.0]]), "same length|[1, 2]"),
    (of_X(np.array([[1, "a"]], dtype=object)), "real numbers|object|astype"),
    (of_X(np.ones((1, 2), dtype=bool)), "real numbers|bool|astype"),
    *([(of_X(np.ones((1, 2), dtype=np.longdouble)), "64 bits|astype")] if np.dtype(np.longdouble).itemsize > 8 else []),
    (of_X(csc_array(GOOD_X)), "must be CSR|csc|tocsr"),
    (of_X(coo_array(GOOD_X)), "must be CSR|coo|tocsr"),
    (of_X(SimpleNamespace(ndim=2, shape=(2, 2))), "an array, a CSR matrix or a list of rows|to_numpy"),
    (of_X([[(0, 1.0)], [(1, 2.0)]]), "pairs (j, value)|pass d"),
    (of_X(csr([1, 2, 3], [0, 0, 1], [0, 2, 3], (2, 2))), "row 0 stores column 0 more than once|sum_duplicates"),
    (of_X(csr([1, 2], [0, 2], [0, 1, 2], (2, 2))), "0..1|0..2"),
    (of_X(csr([1, 2], [0, -1], [0, 1, 2], (2, 2))), "0..1|-1..0"),
    (of_X(csr([1, 2, 3], [0, 1, 0], [0, 3, 2, 3], (3, 2))), "row pointers|rebuild"),
    (of_X(csr([1, 2], [0, 1], [0, 2], (2, 2))), "row pointers"),
    (of_X(csr([1, 2], [0, 1], [0, 1, 3], (2, 2))), "row pointers"),
    (of_X([[(0, 1), (1, 2), (0, 3)], []], d=2), "row 0 stores column 0 more than once|add the two values"),
    (of_X([[], [(2, 1)]], d=2), "row 1 names column 2|0..1"),
    (of_X([[(-1, 1)], []], d=2), "row 0 names column -1"),
    (of_X([[(0.0, 1)], []], d=2), "row 0|integer column|(0.0, 1)"),
    (of_X([[(0, 1, 2)], []], d=2), "row 0|pairs|(0, 1, 2)"),
    (of_X([[(0, 1), 5.0], []], d=2), "row 0|pairs|5.0"),
    (of_X([[(0, NAN)], []], d=2), "X[0, 0]|finite|nan"),
    (of_X([[1.0, 2.0, 3.0], []], d=2), "row 0 has 3 entries, expected 2"),
    (of_X([[(0, 1)], []], d=0), "d must be an integer >= 1|got 0"),
    (of_X([[(0, 1)], []], d=2.5), "d must be an integer >= 1|got 2.5"),
    (of_X(np.ones((2, 3)), d=5), "columns of X, 3|got 5"),
    (of_y([1]), "y must have one entry for each of the 2 rows|got 1"),
    (of_y(np.ones((2, 1))), "y must have one dimension|got 2"),
    (of_y(1.0), "y must be a sequence|1.0"),
    (of_y(None), "y must be a sequence|None"),
    (of_y("+-"), "y must be a sequence|'+-'"),
    (of_y([1.0, NAN]), "y[1]|finite|nan"),
    (of_y(np.array(["good", "bad"])), "y[0]|finite number|'good'"),
    (of_y(np.array([True, False])), "y[0]|finite number|True"),
    (of_y([1, 2]), "-1 and +1|y[1] = 2|found 1.0, 2.0|--positive"),
    (of_y(np.array([1, 0])), "-1 and +1|y[1] = 0|found 1.0, 0.0|numpy.where(y == positive, 1, -1)"),
    (of_y(np.array([0.5, 0.25])), "-1 and +1|y[0] = 0.5"),
    (lambda: L2(0), "lam must be > 0|got 0"),
    (lambda: L2(-1.5), "lam must be > 0|got -1.5"),
    (lambda: L2(NAN), "lam must be a finite number|nan"),
    (lambda: L2(INFINITY), "lam must be a finite number|inf"),
    (lambda: L2("small"), "lam must be a finite number|'small'"),
    (lambda: L2(True), "lam must be a finite number|True"),
    (lambda: L2("1/0"), "lam must be a finite number|'1/0'"),
    (lambda: L2(np.ones(2)), "lam must be a finite number"),
    (lambda: L2("1e-400").over(float), "lam|beyond the range of a float"),
    (lambda: L2("1e400").over(float), "lam|beyond the range of a float"),
    (lambda: ElasticNet(0, 1), "lam must be > 0|pure l1|small lam with l1 > 0"),
    (lambda: ElasticNet(1, -1), "l1 must be >= 0|got -1"),
    (lambda: ElasticNet(1, NAN), "l1 must be a finite number|nan"),
    (lambda: Problem(GOOD_X, GOOD_Y, SmoothedHinge, L2(1)), "loss must be|SmoothedHinge()"),
    (lambda: Problem(GOOD_X, GOOD_Y, "hinge", L2(1)), "loss must be|'hinge'"),
    (lambda: Problem(GOOD_X, GOOD_Y, Squared(), 0.1), "regularizer must be|L2(lam)|0.1"),
    (lambda: Problem(GOOD_X, GOOD_Y, Squared(), L2), "regularizer must be|L2"),
    (lambda: Problem(GOOD_X, GOOD_Y, Squared(), L2(1), int), "number must be float, Fraction or Interval|int"),
    (lambda: of_y(GOOD_Y)().require_alpha([0]), "alpha must have one entry for each of the 2 rows|got 1"),
    (lambda: of_y(GOOD_Y)().require_alpha([[0], [0]]), "alpha[0]|finite number|[0]"),
    (lambda: of_y(GOOD_Y)().require_alpha(np.zeros((2, 1))), "alpha must have one dimension"),
    (lambda: of_y(GOOD_Y)().require_alpha([0, NAN]), "alpha[1]|nan"),
    (
        lambda: of_y(GOOD_Y)().require_alpha([0.5, 0]),
        "alpha[0] = 0.5|outside the domain of smoothed-hinge|0 <= -y alpha <= 1",
    ),
    (of_y([1, 2]), "needs labels -1 and +1, but y[1] = 2|--positive"),
    (lambda: of_y(GOOD_Y)().require_alpha([0, 1.0000001]), "alpha[1] = 1.0000001|outside the domain"),
]


@pytest.mark.parametrize(("make", "words"), REFUSED, ids=[words for _, words in REFUSED])
def test_bad_input_is_refused_in_one_line_that_names_it(make: Callable[[], object], words: str) -> None:
    message = message_of((ValueError, TypeError), make)
    assert all(word in message for word in words.split("|")), message


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


@pytest.mark.parametrize("kind", ["f2", "f4", "f8", ">f4", ">f8"])
@pytest.mark.parametrize("value", [1.0, -0.0, 1e200, -1e200, 1e-200, INFINITY, -INFINITY, NAN])
def test_one_product_of_the_halves_finds_every_entry_that_is_not_finite(kind: str, value: float) -> None:
    """In every place, beside numbers whose products overflow or underflow, in every layout, and without a warning."""
    for beside in (0.0, 1.0, 1e-200, 1e200, INFINITY):
        for place in range(15):
            with np.errstate(over="ignore", under="ignore"):
                X = np.where(np.arange(15).reshape(5, 3) == place, value, beside).astype(kind)
            for given in (X, np.asfortranarray(X), np.repeat(X, 2, axis=0)[::2], X[::-1], X[:0], X.reshape(-1)):
                with np.errstate(all="raise"):
                    assert all_finite(given) == all(map(np.isfinite, given.ravel().tolist())), (beside, place)
