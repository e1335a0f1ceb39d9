"""Files that are not LIBSVM text are refused by the name of their format, and the line that converts them does; no
LIBSVM text is refused.
"""

import bz2
import gzip
import io
import lzma
import pickle
import re
import tarfile
import zipfile

import numpy as np
import pytest
import scipy.io
import scipy.sparse as sp
from hypothesis import given
from hypothesis import strategies as st
from support import refusal, refuses

from dualgap.fast.data.convert import map_data
from dualgap.fast.data.formats import other_format
from dualgap.fast.data.libsvm import read_libsvm
from dualgap.fast.data.load import ZERO_BASED_SENTENCE, load, prepare
from dualgap.proofs_checks.cli.main import main

TEXT = b"1 1:0.5 2:2\n-1 2:1\n"
X, Y = np.array([[0.5, 2.0], [0.0, 1.0]]), np.array([1.0, -1.0])
TABLE = np.column_stack([Y, X])


def written(save, *arrays):
    file = io.BytesIO()
    save(file, *arrays)
    return file.getvalue()


def zipped(name, content=TEXT):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr(name, content)
    return file.getvalue()


def tarred():
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as archive:
        archive.addfile(tarfile.TarInfo("a.svm"), io.BytesIO())
    return file.getvalue()


def lines(separator, header=()):
    rows = [*([separator.join(header)] if header else []), *(separator.join(f"{x:g}" for x in row) for row in TABLE)]
    return "\n".join(rows).encode() + b"\n"


ARFF = (
    b"% a comment\n@relation r\n@attribute a numeric\n@attribute b numeric\n@attribute c"
    b" numeric\n@data\n0.5,2,1\n0,1,-1\n"
)
# content, words of the message; where the conversion runs without other packages, a third entry
FORMATS = {
    "pickle": (pickle.dumps(X, protocol=4), "a pickle", "runs"),
    "Matrix Market": (written(scipy.io.mmwrite, sp.coo_array(X)), "Matrix Market", "runs"),
    "MATLAB": (written(scipy.io.savemat, {"X": X}), "MATLAB file", "runs"),
    "HDF5": (b"\x89HDF\r\n\x1a\n" + bytes(40), "HDF5"),
    "Excel": (zipped("[Content_Types].xml"), "Excel"),
    "zip": (zipped("a.svm"), "zip archive"),
    "tar": (tarred(), "tar archive"),
    "dense with blanks": (lines(" "), "dense table with blanks", "pandas"),
    "ARFF": (ARFF, "ARFF", "pandas"),
    "JSON": (b'[{"label": 1, "a": 2}]\n', "JSON"),
    "Vowpal Wabbit": (b"1 1.0 tag| a:1 b:2\n-1 | b:1\n", "Vowpal Wabbit"),
    "HTML": (b"<!DOCTYPE html>\n<html>404</html>\n", "HTML page"),
    "XML": (b"<?xml version='1.0'?>\n", "XML"),
    "Git LFS": (b"version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 9\n", "Git LFS"),
    "Zstandard": (b"\x28\xb5\x2f\xfd\x04\x00\x41\x00\x00data", "Zstandard"),
    "LZMA": (lzma.compress(TEXT, format=lzma.FORMAT_ALONE), "LZMA", "runs"),
    "gzip twice": (gzip.compress(gzip.compress(TEXT)), "compressed twice (gzip within)"),
    "bzip2 in xz": (lzma.compress(bz2.compress(TEXT)), "compressed twice (bzip2 within)"),
    "byte order mark": (b"\xef\xbb\xbf" + TEXT, "byte order mark", "runs"),
    "UTF-16": (TEXT.decode().encode("utf-16"), "UTF-16", "runs"),
    "UTF-16 without a mark": (TEXT.decode().encode("utf-16-le"), "UTF-16"),
    "UTF-32": (TEXT.decode().encode("utf-32"), "UTF-32", "runs"),
}


@pytest.mark.parametrize("case", FORMATS)
def test_another_format_is_refused_by_its_name_and_its_conversion_gives_the_data(case, tmp_path, monkeypatch):
    content, name, *converts = FORMATS[case]
    path = tmp_path / "file.svm"
    path.write_bytes(content)
    with pytest.raises(ValueError) as refusal:
        load(path)
    message = str(refusal.value)
    assert message.startswith(f"{path}: the file is ") and name in message and "\n" not in message
    if converts:
        pytest.importorskip("sklearn")
        pytest.importorskip("pandas") if "pandas" in message else None
        line = message.partition(" by: ")[2].partition("; for dense")[0].partition("; a pickle")[0]
        monkeypatch.chdir(tmp_path)
        exec(line, {"numpy": np, "y": Y})
        data = load(tmp_path / "NEW.svm")
        assert data.X.toarray().tolist() == X.tolist() and data.y.tolist() == Y.tolist()


@pytest.mark.parametrize(
    ("token", "words"),
    [
        ("1\u00a01:2", "the label .* holds U\\+00A0 \\(NO-BREAK SPACE\\), which is not a blank here; write a space"),
        ("1 1:2\u20093:4", "the value in .* holds U\\+2009 \\(THIN SPACE\\)"),
        ("1 \ufeff1:2", "the token .* holds U\\+FEFF \\(ZERO WIDTH NO-BREAK SPACE\\)"),
        ("\u22121 1:2", "the label .* holds U\\+2212 \\(MINUS SIGN\\), where only ASCII is read"),
        ("1 1:\u0661", "the value in .* holds U\\+0661 \\(ARABIC-INDIC DIGIT ONE\\)"),
        (b"1\xa01:2", "the label .* holds the byte A0 \\(NO-BREAK SPACE in Latin-1\\)"),
    ],
)
def test_a_character_that_looks_like_an_allowed_one_is_named(token, words, tmp_path):
    (tmp_path / "file.svm").write_bytes(b"1 1:1\n" + (token if isinstance(token, bytes) else token.encode()))
    refuses(ValueError, f"line 2: {words}", lambda: load(tmp_path / "file.svm"))


NUMBER = st.from_regex(r"[+-]?([0-9]{1,3}\.?[0-9]{0,3}|\.[0-9]{1,3})([eE][+-]?[0-9]{1,2})?", fullmatch=True)
ROW = st.builds(
    lambda label, pairs, blank, end: label + "".join(f"{blank}{k}:{x}" for k, x in enumerate(pairs)) + end,
    NUMBER,
    st.lists(NUMBER, max_size=4),
    st.sampled_from([" ", "\t", "  "]),
    st.sampled_from(["", " ", "\r", " # a, b; c | d\u00e9"]),
)


@given(
    st.lists(ROW | st.sampled_from(["", "# a note, <b>"]), min_size=1, max_size=4).map("\n".join), st.integers(0, 200)
)
def test_no_beginning_of_libsvm_text_is_taken_for_another_format(text, end):
    """Also one that is cut off anywhere, as the first bytes of a pipe are."""
    assert other_format(text.encode()) is None and other_format(text.encode()[:end]) is None


def test_indices_that_count_from_0_are_read_where_it_is_said_and_else_refused_with_that_advice(tmp_path, capsys):
    datasets = pytest.importorskip("sklearn.datasets")
    zero, one = tmp_path / "zero.svm", tmp_path / "one.svm"
    for path in (zero, one):
        datasets.dump_svmlight_file(X, Y, str(path), zero_based=path is zero)
    with pytest.raises(
        ValueError,
        match=re.escape("index 0 in '0:0.5'; indices start at 1; if the file counts from 0") + ".*--zero-based",
    ):
        read_libsvm(zero)
    read = prepare(load(zero, zero_based=True), bias=True)
    assert read.X.toarray()[:, 1:].tolist() == load(one).X.toarray().tolist() == X.tolist()
    assert read.preparation[0] == ZERO_BASED_SENTENCE and not load(one).preparation
    mapped = map_data(zero, tmp_path / "map", bias=True, zero_based=True)
    assert np.array(mapped.X.indices).tolist() == read.X.indices.tolist()
    assert tuple(mapped.preparation) == read.preparation
    assert (
        main(["new", "data", str(zero), "--zero-based", "--json"]) == 0
        and ZERO_BASED_SENTENCE in capsys.readouterr().out
    )
    assert "--zero-based" in refusal(capsys, "new", "data", str(zero))
    with pytest.raises(ValueError, match="--zero-based applies only to LIBSVM files, and this is not one"):
        load("digits", zero_based=True)


@pytest.mark.parametrize(
    ("line", "words"),
    [
        (b"1 -1:2", "negative index"),
        (b"1 2:1 2:1", "duplicate index 2 "),
        (b"1 0:1 0:1", "duplicate index 0 "),
        (b"1 3:1 0:1", "unsorted index 0 .* after index 3"),
        (b"1 2147483647:1", "too large; allowed are 0 to 2147483646"),
    ],
)
def test_what_is_wrong_with_an_index_that_counts_from_0_is_said_as_it_stands(line, words, tmp_path):
    (tmp_path / "file.svm").write_bytes(line)
    refuses(ValueError, words, lambda: read_libsvm(tmp_path / "file.svm", zero_based=True))
