"""Data sets are found by name or path, and preparation does what it says, in its order, and records it."""

import json
import sys
from fractions import Fraction
from math import isqrt
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from support import of_matrix, refuses

from dualgap.fast.data.dataset import row_norms, sparse_rows, unit_rows
from dualgap.fast.data.generators import GENERATORS
from dualgap.fast.data.load import EMBEDDED, Dataset, describe, load, prepare

UNIT = Fraction(1, 2**53)  # unit roundoff of float64


@pytest.mark.needs("sklearn")
@pytest.mark.parametrize(
    "name, n, d, positive, negative", [("breast_cancer", 569, 30, 357, 212), ("digits", 1797, 64, 891, 906)]
)
def test_embedded_sets_have_their_published_size_and_our_signs(name, n, d, positive, negative):
    facts = describe(load(name))
    assert (facts["n"], facts["d"]) == (n, d)
    assert facts["label_counts"] == [[-1.0, negative], [1.0, positive]]
    assert "+1" in facts["preparation"][0]


@pytest.mark.needs("sklearn")
def test_diabetes_keeps_its_real_valued_target():
    dataset = load("diabetes")
    assert (dataset.n, dataset.d, dataset.preparation) == (442, 10, ())
    assert (dataset.y.min(), dataset.y.max()) == (25.0, 346.0)


def test_without_scikit_learn_an_embedded_set_names_the_extra(monkeypatch):
    for module in ("sklearn", "sklearn.datasets"):
        monkeypatch.setitem(sys.modules, module, None)
    for name in EMBEDDED:
        refuses(ImportError, r"dualgap\[cli\]", load, name)


def test_a_missing_file_is_named_and_all_names_are_listed(tmp_path):
    with pytest.raises(FileNotFoundError) as refusal:
        load(tmp_path / "a9a")
    assert str(refusal.value).startswith(str(tmp_path / "a9a"))
    assert all(name in str(refusal.value) for name in [*EMBEDDED, *GENERATORS])


@pytest.mark.needs("sklearn")
def test_a_file_is_loaded_by_its_path_and_an_embedded_name_comes_first(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("digits").write_text("1 1:2\n-1 2:3\n")
    assert load("./digits").n == 2
    assert load("digits").n == 1797


def labelled(*labels: float) -> Dataset:
    return Dataset("labelled", np.ones((len(labels), 1)), np.array(labels, dtype=float))


@pytest.mark.parametrize(
    "positive, expected",
    [
        ("1", [1, -1, -1, -1, -1, -1]),
        ("53..105", [-1, -1, -1, -1, 1, 1]),
        ("1,3,7..9", [1, -1, 1, 1, -1, -1]),
        ("2..2,105", [-1, 1, -1, -1, -1, 1]),
        ("-5..2.5", [1, 1, -1, -1, -1, -1]),
    ],
)
def test_the_labels_asked_for_become_plus_one_and_the_others_minus_one(positive, expected):
    dataset = prepare(labelled(1, 2, 3, 8, 53, 105), positive=positive)
    assert dataset.y.tolist() == expected
    assert f"became +1 ({expected.count(1)} rows)" in dataset.preparation[0]


@pytest.mark.parametrize(
    "positive, words",
    [
        ("4", ["matches no row", "labels found: 1, 2"]),
        ("1..2", ["matches every row", "labels found: 1, 2"]),
        ("two", ["'two' is neither a number nor a range"]),
        ("1,,2", ["'' is neither a number nor a range"]),
        ("1..", ["'1..' is neither a number nor a range"]),
        ("nan", ["'nan' is neither a number nor a range"]),
        ("2..1", ["the range 2..1 is empty"]),
    ],
)
def test_labels_that_cannot_be_meant_are_refused(positive, words):
    with pytest.raises(ValueError) as refusal:
        prepare(labelled(1, 2, 2), positive=positive)
    assert all(word in str(refusal.value) for word in [f"--positive {positive}", *words]), str(refusal.value)


def test_preparation_runs_in_one_order_and_records_each_thing_done():
    raw = Dataset("two", np.array([[3.0, 7.0], [1.0, 7.0]]), np.array([1.0, 2.0]))
    dataset = prepare(raw, unit_rows=True, bias=True, standardize=True, positive="2")
    # Standardised first (a bias before it would be constant and become 0), then the bias, then rows of norm sqrt(2).
    h = 1 / np.sqrt(2.0)
    assert np.abs(dataset.X - [[h, h, 0.0], [h, -h, 0.0]]).max() <= 4 * float(UNIT)
    assert dataset.y.tolist() == [-1.0, 1.0]
    assert dataset.preparation == (
        "labels 2 became +1 (1 rows), labels 1 became -1 (1 rows)",
        "columns shifted to mean 0 and scaled to standard deviation 1; 1 constant column became 0",
        "a constant 1 added as the first column",
        "rows scaled to Euclidean norm 1",
    )


def test_nothing_asked_for_is_nothing_done():
    dataset = labelled(1, -1)
    assert prepare(dataset) is dataset


def test_sparse_preparation_keeps_the_storage_order_and_the_given_data():
    X = sparse_rows(np.array([3.0, -4.0, 0.0, 2.0]), [2, 0, 1, 1], [0, 2, 2, 4, 4], (4, 3))  # unsorted; two zero rows
    X.indices[3] = 2
    before = of_matrix(X)
    dataset = prepare(Dataset("sparse", X, np.ones(4)), bias=True)
    assert dataset.X.indices.tolist() == [0, 3, 1, 0, 0, 2, 3, 0]
    assert dataset.X.data.tolist() == [1.0, 3.0, -4.0, 1.0, 1.0, 0.0, 2.0, 1.0]
    assert dataset.X.indptr.tolist() == [0, 3, 4, 7, 8]
    dataset = prepare(Dataset("sparse", X, np.ones(4)), unit_rows=True)
    assert of_matrix(dataset.X) == of_matrix(csr_array(([0.6, -0.8, 0.0, 1.0], X.indices, X.indptr), shape=(4, 3)))
    assert dataset.preparation == ("rows scaled to Euclidean norm 1; 2 zero rows stay zero",)
    assert of_matrix(X) == before


WIDE = st.floats(-1e300, 1e300).flatmap(lambda m: st.integers(-900, 0).map(lambda e: float(np.ldexp(m, e))))


@given(st.lists(st.lists(WIDE, min_size=5, max_size=5), min_size=1, max_size=4))
def test_unit_rows_have_norm_1_within_the_derived_bound_and_keep_their_direction(rows):
    X = np.array(rows)
    U = unit_rows(X)
    # (k + 4) unit roundoffs to first order; 1e-9 of it covers the second order and entries lost by x_ij / s_i.
    bound = (5 + 4) * UNIT * (1 + Fraction(1, 10**9))
    for x, u in zip(X.tolist(), U.tolist()):
        square = sum(Fraction(entry) ** 2 for entry in x)
        if square == 0:
            assert u == x
            continue
        assert abs(sum(Fraction(entry) ** 2 for entry in u) - 1) <= bound
        largest = max(range(5), key=lambda j: abs(x[j]))
        assert abs(Fraction(u[largest]) ** 2 * square / Fraction(x[largest]) ** 2 - 1) <= bound
        assert all(np.copysign(1.0, a) == np.copysign(1.0, b) for a, b in zip(x, u))


@given(st.lists(st.lists(st.floats(0.5, 1e9), min_size=3, max_size=3), min_size=1, max_size=4))
def test_dense_and_sparse_storage_of_one_matrix_are_prepared_to_the_same_bits(rows):
    X = np.array(rows)
    y = np.ones(len(rows))
    dense = prepare(Dataset("dense", X, y), bias=True, unit_rows=True).X
    sparse = prepare(Dataset("sparse", csr_array(X), y), bias=True, unit_rows=True).X
    assert dense.tobytes() == sparse.data.tobytes()
    assert row_norms(X).tobytes() == row_norms(csr_array(X)).tobytes()


@given(
    st.lists(st.lists(st.floats(-1e300, 1e300), min_size=2, max_size=2), min_size=2, max_size=9),
    st.sampled_from([0.0, 1.0, 1e17]),
)
def test_standardised_columns_have_mean_0_and_deviation_1_within_the_derived_bound(rows, shift):
    X = np.array(rows) + shift
    Z = prepare(Dataset("columns", X, np.ones(len(rows))), standardize=True).X
    n = len(rows)
    for j in range(2):
        column = [Fraction(z) for z in Z[:, j].tolist()]
        if X[:, j].min() == X[:, j].max():
            assert column == [0] * n
            continue
        # To first order in u, hence the slack. First mean: the entries, below 1, leave r with |mean r| <= n u. The
        # deviation s of entries that differ by u/2 or more is at least (u/2) sqrt(n - 1)/n, so that the mean of
        # |r| is at most s (1 + 2 n^2/sqrt(n - 1)). Second mean: n roundings of it, 1 of the subtraction, 1 of the
        # division by s. Mean square: n + 1 roundings of it, 1 of the root and 1 of the division, both doubled.
        slack = 1 + Fraction(1, 10**9)
        assert abs(sum(column) / n) <= (n + 2) * (1 + Fraction(2 * n**2, isqrt(n - 1))) * UNIT * slack
        assert abs(sum(z * z for z in column) / n - 1) <= (n + 5) * UNIT * slack


def test_rows_whose_square_is_beyond_float64_are_described_without_a_warning_and_can_be_scaled():
    dataset = Dataset("huge", np.array([[3 * 2.0**600, 4 * 2.0**600]]), np.ones(1))
    facts = describe(dataset)
    assert (facts["row_norm_max"], facts["R2"]) == (5 * 2.0**600, np.inf)
    assert abs(describe(prepare(dataset, unit_rows=True))["R2"] - 1) <= 8 * float(UNIT)  # (2 + 4) + 2 units


def test_sparse_data_cannot_be_standardised():
    with pytest.raises(ValueError, match="--standardize .* use --unit-rows instead"):
        prepare(load("orthonormal"), standardize=True)


@pytest.mark.parametrize(
    "X, y, words",
    [
        (np.ones((2, 1)), np.ones(3), "one label a row"),
        (np.ones((0, 1)), np.ones(0), "at least one row"),
        (np.ones(2), np.ones(2), "at least one row and one column"),
        (np.array([[np.nan]]), np.ones(1), "finite"),
        (np.ones((1, 1)), np.array([np.inf]), "finite"),
        (csr_array(np.array([[-np.inf]])), np.ones(1), "finite"),
        (np.ones((1, 1), dtype=np.float32), np.ones(1), "float64"),
        (csr_array(np.ones((1, 1))).tocsc(), np.ones(1), "CSR"),
        ([[1.0]], np.ones(1), "numpy array"),
    ],
)
def test_a_dataset_refuses_what_is_not_n_rows_with_n_labels_of_finite_float64(X, y, words):
    refuses(ValueError, words, Dataset, "bad", X, y)


def test_describe_counts_what_is_there():
    # Row 3 repeats row 0 in another order and with an explicit zero; row 4 does so under the other label.
    values, columns = np.array([3.0, 4.0, 5.0, 4.0, 3.0, 0.0, 3.0, 4.0]), [0, 2, 1, 2, 0, 1, 0, 2]
    X = sparse_rows(values, columns, [0, 2, 2, 3, 6, 8], (5, 4))
    facts = describe(Dataset("counted", X, np.array([1.0, 1.0, -1.0, 1.0, -1.0]), ("by hand",)))
    assert facts == {
        "name": "counted",
        "n": 5,
        "d": 4,
        "storage": "sparse",
        "nnz": 7,
        "explicit_zeros": 1,
        "zero_rows": 1,
        "duplicate_rows": 1,
        "contradictory_rows": 1,
        "row_norm_min": 0.0,
        "row_norm_median": 5.0,
        "row_norm_max": 5.0,
        "R2": 25.0,
        "labels": 2,
        "label_min": -1.0,
        "label_max": 1.0,
        "label_counts": [[-1.0, 2], [1.0, 3]],
        "preparation": ["by hand"],
    }
    assert json.loads(json.dumps(facts)) == facts
    dense = describe(Dataset("counted", X.toarray(), np.array([1.0, 1.0, -1.0, 1.0, -1.0]), ("by hand",)))
    assert dense == facts | {"storage": "dense", "explicit_zeros": 0}
