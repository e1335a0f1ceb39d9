"""The LIBSVM reader keeps every row as it stands, or names the file, the line and the token it refuses."""

import bz2
import gzip
import io
import itertools
import lzma
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_array
from support import by_day, of_matrix, refuses

from dualgap.fast.data import libsvm
from dualgap.fast.data.libsvm import read_libsvm


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    """A file name for tests that write it over and over."""
    return tmp_path_factory.mktemp("libsvm") / "data.txt"


def read(path: Path, content: bytes):
    path.write_bytes(content)
    return read_libsvm(path)


# (refused text, the same text repaired, line, words of the message); the repaired text is the control: it is read.
REFUSED = {
    "a token without colon": (b"1 1:2\n1 abc\n", b"1 1:2\n1 3:4\n", 2, ["'abc'", "INDEX:VALUE"]),
    "a number without colon": (b"1 5:2 3\n", b"1 5:2\n", 1, ["'3'", "INDEX:VALUE"]),
    "an index in letters": (b"1 a:2\n", b"1 1:2\n", 1, ["'a:2'", "not a whole number"]),
    "a fractional index": (b"1 1.0:2\n", b"1 1:2\n", 1, ["'1.0:2'", "not a whole number"]),
    "an index with underscore": (b"1 1_0:2\n", b"1 10:2\n", 1, ["'1_0:2'", "not a whole number"]),
    "no index": (b"1 :2\n", b"1 1:2\n", 1, ["':2'", "not a whole number"]),
    "index 0": (b"1 1:1\n\t1 0:2\n", b"1 1:1\n\t1 1:2\n", 2, ["index 0", "'0:2'", "start at 1"]),
    "a negative index": (b"1 -3:2\n", b"1 3:2\n", 1, ["negative index", "'-3:2'"]),
    "an index beyond C int": (b"1 2147483648:2\n", b"1 2147483:2\n", 1, ["too large", "2147483647"]),
    "an endless index": (b"1 " + b"9" * 5000 + b":2\n", b"1 9:2\n", 1, ["too large", "99..."]),
    "a duplicate index": (b"1 1:1\n1 2:5 2:6\n", b"1 1:1\n1 2:5 3:6\n", 2, ["duplicate index 2", "'2:6'"]),
    "a distant duplicate": (b"1 2:5 7:1 2:6\n", b"1 2:5 7:1 8:6\n", 1, ["duplicate index 2", "'2:6'"]),
    "an unsorted index": (b"1 2:1\n1 7:5 2:6\n", b"1 2:1\n1 2:6 7:5\n", 2, ["unsorted index 2", "after index 7"]),
    "no value": (b"1 1:\n", b"1 1:0\n", 1, ["the value in '1:'", "decimal number"]),
    "a value in letters": (b"1 1:x\n", b"1 1:1\n", 1, ["the value in '1:x'", "decimal number"]),
    "two colons": (b"1 1:2:3\n", b"1 1:2\n", 1, ["'1:2:3'", "decimal number"]),
    "a value with underscore": (b"1 1:1_0\n", b"1 1:10\n", 1, ["'1:1_0'", "decimal number"]),
    "a hexadecimal value": (b"1 1:0x10\n", b"1 1:16\n", 1, ["'1:0x10'", "decimal number"]),
    "a NaN": (b"1 1:nan\n", b"1 1:0\n", 1, ["'1:nan'", "not finite"]),
    "an infinity": (b"1 1:-Inf\n", b"1 1:-1\n", 1, ["'1:-Inf'", "not finite"]),
    "a value beyond float64": (b"1 1:1e999\n", b"1 1:1e99\n", 1, ["'1:1e999'", "fits in a float64"]),
    "a missing label": (b"1 1:2\n1:1 3:2\n", b"1 1:2\n1 1:1 3:2\n", 2, ["missing label", "'1:1'"]),
    "a blank line before a row": (b"1 1:2\n\n1 1:3\n", b"1 1:2\n1 1:3\n\n", 2, ["missing label", "blank"]),
    "a label in letters": (b"spam 1:2\n", b"1 1:2\n", 1, ["label 'spam'", "finite decimal number"]),
    "two labels": (b"1,2 1:2\n", b"1 1:2\n", 1, ["label '1,2'", "finite decimal number"]),
    "a NaN label": (b"nan 1:2\n", b"0 1:2\n", 1, ["label 'nan'", "finite decimal number"]),
    "an infinite label": (b"-inf 1:2\n", b"-1 1:2\n", 1, ["label '-inf'", "finite decimal number"]),
    "a query id": (b"1 qid:3 1:2\n", b"1 1:2\n", 1, ["'qid:3'", "query id"]),
    "raw bytes": (b"1 1:2\n\xff\xfe\x00\n", b"1 1:2\n", 2, [r"'\xff\xfe\x00'", "finite decimal number"]),
    "carriage returns alone": (
        b"1 1:2\r-1 2:3\n",
        b"1 1:2\r\n-1 2:3\n",
        1,
        ["carriage return", "byte 6", "LF or CRLF"],
    ),
    "a carriage return as a separator": (
        b"1 1:2\n1 2:.5\r3:7.\n",
        b"1 1:2\n1 2:.5 3:7.\n",
        2,
        ["carriage return", "byte 7"],
    ),
    "two carriage returns": (b"1 1:2\r\r\n", b"1 1:2\r\n", 1, ["carriage return"]),
    "a carriage return at the end of the file": (b"1 1:2\r", b"1 1:2", 1, ["carriage return"]),
    "a carriage return before a comment": (b"1 1:2\r# a\n", b"1 1:2 # a\r\n", 1, ["carriage return"]),
    "a vertical tab": (b"1\v1:2\n", b"1\t1:2\n", 1, ["vertical tab", "byte 2"]),
    "a form feed": (b"1 1:2\f\n", b"1 1:2\t\n", 1, ["form feed", "byte 6"]),
}


@pytest.mark.parametrize("case", REFUSED)
def test_a_broken_line_is_refused_by_file_line_and_token_and_its_repair_is_read(case, file):
    broken, repaired, line, words = REFUSED[case]
    with pytest.raises(ValueError) as refusal:
        read(file, broken)
    message = str(refusal.value)
    assert message.startswith(f"{file}, line {line}: ")
    assert all(word in message for word in words), message
    assert "\n" not in message and len(message) < len(str(file)) + 250
    X, y = read(file, repaired)
    assert X.shape[0] == len(y) >= 1


@pytest.mark.parametrize(
    "content, words",
    [(b"", "no row"), (b"\n\n", "no row"), (b"# a\n", "no row"), (b"1\n-1\n", "none of the 2 rows has a feature")],
)
def test_a_file_without_rows_or_without_features_is_refused(content, words, file):
    refuses(ValueError, words, read, file, content)


def test_the_largest_index_is_read_and_costs_no_column(file):
    X, y = read(file, b"1 2147483647:0.5\n-1 2:1 2147483646:2\n")
    assert X.shape == (2, 2147483647)
    assert X.indices.tolist() == [2147483646, 1, 2147483645]
    assert X.data.tolist() == [0.5, 1.0, 2.0]


def test_a_line_without_end_is_refused_before_it_fills_the_memory(file, monkeypatch):
    monkeypatch.setattr(libsvm, "LONGEST_LINE", 1000)
    for longer in (b"1 1:2" + b" " * 996, bytes(2000), b"#" * 1001):
        refuses(ValueError, r"line 2: the line is longer than 1000 bytes", read, file, b"1 1:2\n" + longer)
    assert read(file, b"1 1:2" + b" " * 994 + b"\n" + b"#" * 999 + b"\n")[0].shape == (1, 1)


FILLINGS = list(itertools.product([b"\n", b" \n", b"#\n", b"1 1:1\n"], [gzip.compress, bz2.compress, lzma.compress]))


@pytest.mark.parametrize("way", by_day(FILLINGS, *FILLINGS[::4], FILLINGS[-3]))  # each of both once
def test_a_file_that_grows_a_thousand_times_is_refused_before_it_fills_the_memory(way, file, monkeypatch):
    filling, compress = way
    monkeypatch.setattr(libsvm, "ALWAYS_READ", 10_000)
    monkeypatch.setattr(libsvm, "LARGEST_GROWTH", 50)
    content = b"1 1:2\n" + filling * (400_000 // len(filling))
    small = compress(content)
    assert len(content) > 50 * len(small)
    refuses(ValueError, "has grown to .* bytes, more than 50 times what it has compressed", read, file, small)
    read(file, compress(content[:9000]))
    read(file, content[: content.rfind(b"\n") + 1])


def test_labels_are_kept_and_no_row_is_dropped_or_merged(file):
    """A reader that knew only the labels +1, 1, -1 and 0 made two rows of these four, one of them of norm > 1."""
    X, y = read(file, b"1 1:0.6 2:0.8\n2 1:1\n2 2:1\n1 3:1\n")
    assert y.tolist() == [1.0, 2.0, 2.0, 1.0]
    assert X.toarray().tolist() == [[0.6, 0.8, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]]


def test_comments_tabs_line_ends_zero_rows_and_explicit_zeros_are_read_as_documented(file):
    content = b"# made by hand\n+1 1:0\t3:-0.0  # a 2:7 comment\r\n-1.5e0\n#\n  2 2:.5 3:1.\n\n \n# end"
    X, y = read(file, content)
    assert y.tolist() == [1.0, -1.5, 2.0]
    assert of_matrix(X) == of_matrix(csr_array(([0.0, -0.0, 0.5, 1.0], [0, 2, 1, 2], [0, 2, 2, 4]), shape=(3, 3)))


@pytest.mark.parametrize("name", ["data.gz", "data.txt"])
@pytest.mark.parametrize("compress", [bytes, gzip.compress, bz2.compress, lzma.compress])
def test_compression_is_found_by_the_first_bytes_whatever_the_name(name, compress, tmp_path):
    content = b"".join(b"%d 1:%d 7:0.25\n" % (i % 2, i) for i in range(5000))
    plain, y = read(tmp_path / "plain", content)
    X, labels = read(tmp_path / name, compress(content))
    assert of_matrix(X) == of_matrix(plain) and labels.tobytes() == y.tobytes()


def test_a_missing_file_and_a_folder_are_refused(tmp_path):
    refuses(FileNotFoundError, r"nowhere.txt: there is no such file", lambda: read_libsvm(tmp_path / "nowhere.txt"))
    refuses(ValueError, "cannot be read", read_libsvm, tmp_path)


FINITE = st.floats(allow_nan=False, allow_infinity=False)
ROWS = st.lists(st.tuples(FINITE, st.dictionaries(st.integers(1, 60), FINITE, max_size=8)), min_size=1, max_size=6)


def as_scikit_learn_reads(text):
    """(X, y), or the end of a test whose other half has passed."""
    datasets = pytest.importorskip(
        "sklearn.datasets", reason="scikit-learn, which reads the same text, is not installed"
    )
    return datasets.load_svmlight_file(io.BytesIO(text), zero_based=False)


@given(ROWS.filter(lambda rows: any(pairs for _, pairs in rows)))
def test_written_rows_are_read_back_bit_for_bit_and_scikit_learn_agrees(file, rows):
    text = "".join(f"{y!r} " + " ".join(f"{j}:{x!r}" for j, x in sorted(pairs.items())) + "\n" for y, pairs in rows)
    X, y = read(file, text.encode())
    assert y.tobytes() == np.array([label for label, _ in rows]).tobytes()
    assert X.data.tobytes() == np.array([x for _, pairs in rows for _, x in sorted(pairs.items())]).tobytes()
    assert X.indices.tolist() == [j - 1 for _, pairs in rows for j in sorted(pairs)]
    assert np.diff(X.indptr).tolist() == [len(pairs) for _, pairs in rows]
    theirs, their_y = as_scikit_learn_reads(text.encode())
    assert of_matrix(X) == of_matrix(theirs) and y.tobytes() == their_y.tobytes()
