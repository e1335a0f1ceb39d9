"""Every format that is read, from files made on the spot, and hostile files of each: refused in one line."""

import bz2
import gzip
import io
import lzma
import pickle
import re
import tracemalloc
import zipfile

import numpy as np
import pytest
import scipy.sparse as sp
from support import refusal, refuses

from dualgap.fast.data.load import load, prepare, read_rows, standardized
from dualgap.fast.data.tables import MISSING, Asked, remedy

X, Y = np.array([[0.5, 2.0], [0.0, 1.0], [3.0, 4.0]]), np.array([1.0, -1.0, 1.0])
CSV = b"a,b,label\n0.5,2,1\n0,1,-1\n3,4,1\n"


def saved(save, *arrays, **options):
    file = io.BytesIO()
    save(file, *arrays, **options)
    return file.getvalue()


def arrow(columns, feather=False, **options):
    pa = pytest.importorskip("pyarrow")
    import pyarrow.feather
    import pyarrow.parquet

    write = pyarrow.feather.write_feather if feather else pyarrow.parquet.write_table
    table = columns if isinstance(columns, pa.Table) else pa.table(columns)
    file = io.BytesIO()
    write(table, file, **options)
    return file.getvalue()


TABLE = {"a": X[:, 0], "b": X[:, 1], "label": Y}
TABLES = {
    "CSV": lambda: CSV,
    "gzip": lambda: gzip.compress(CSV),
    "bzip2": lambda: bz2.compress(CSV),
    "xz": lambda: lzma.compress(CSV),
    "TSV": lambda: CSV.replace(b",", b"\t"),
    "semicolons": lambda: CSV.replace(b",", b";"),
    "no end of the last line": lambda: CSV[:-1],
    "blank lines at the end": lambda: CSV + b"\n\r\n",
    "byte order mark, CRLF, quotes": lambda: b"\xef\xbb\xbf" + CSV.replace(b"\n", b"\r\n").replace(b"a", b'"a"', 1),
    "Parquet": lambda: arrow(TABLE),
    "Arrow": lambda: arrow(TABLE, feather=True),
}


@pytest.mark.parametrize("format", TABLES)
def test_a_table_is_read_by_its_content(format, tmp_path):
    (tmp_path / "file").write_bytes(TABLES[format]())
    data = load(tmp_path / "file", target="label")
    assert (data.X.tolist(), data.y.tolist(), list(data.columns)) == (X.tolist(), Y.tolist(), ["a", "b"])


@pytest.mark.parametrize(
    "rows", [X, X.astype("f4"), *(sp.csr_array(X).asformat(f) for f in ("csr", "csc", "coo", "bsr"))]
)
def test_an_array_is_read_with_the_file_of_its_labels(rows, tmp_path):
    (tmp_path / "x").write_bytes(saved(sp.save_npz if sp.issparse(rows) else np.save, rows))
    np.save(tmp_path / "y.npy", Y)
    data = load(tmp_path / "x", target=str(tmp_path / "y.npy"))
    dense = data.X.toarray() if sp.issparse(rows) else data.X
    assert (dense.tolist(), data.y.tolist()) == (X.tolist(), Y.tolist())


@pytest.mark.parametrize("make", [lambda t: CSV_TEXT, arrow])
def test_text_is_a_label_or_is_encoded_on_request(make, tmp_path):
    words = {"a": [1.0, 2.0, 3.0], "colour": ["red", "blue", "red"], "label": ["M", "B", "M"]}
    (tmp_path / "file").write_bytes(make(words))
    data = load(tmp_path / "file", target="label", one_hot=["colour"])
    assert data.X.tolist() == [[1, 0, 1], [2, 1, 0], [3, 0, 1]] and data.classes == ("B", "M")
    assert data.columns == {"a": (), "colour": ("blue", "red")}
    ready = prepare(data, positive="M", standardize=True)
    assert ready.y.tolist() == [1, -1, 1] and ready.labels == ("B", "M")
    assert standardized(data.X, ready.standard).tobytes() == ready.X.tobytes()
    refuses(ValueError, "--positive Q: no label is 'Q'; they are B, M", prepare, data, positive="Q")


CSV_TEXT = b"a,colour,label\n1,red,M\n2,blue,B\n3,red,M\n"


def zipped(**members):
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(f"{name}.npy", content)
    return file.getvalue()


def header(descr, shape):
    file = io.BytesIO()
    np.lib.format.write_array_header_1_0(file, {"descr": descr, "fortran_order": False, "shape": shape})
    return file.getvalue()


def npz(**changed):
    rows = sp.csr_array(X)
    parts = {"indices": rows.indices, "indptr": rows.indptr, "data": rows.data, "shape": np.array(rows.shape)}
    kept = {name: saved(np.save, changed.get(name, part)) for name, part in parts.items()}
    return zipped(**kept, format=changed.get("format", saved(np.save, np.array(b"csr"))))


HOSTILE = {
    "numbers for a header": (lambda: b"1,2,3\n4,5,6\n", "the first line has numbers alone"),
    "no target": (lambda: CSV.replace(b"label", b"y"), "there is no column 'label'; the columns are a, b, y"),
    "two columns of a name": (lambda: CSV.replace(b"a,b", b"a,a"), "two columns have the name 'a'"),
    "a column without a name": (lambda: CSV.replace(b"a,b", b",b"), "column 1 has no name"),
    "NaN": (lambda: CSV.replace(b"0.5", b"nan"), "line 2: the value of 'a' is missing"),
    "a missing value": (lambda: CSV.replace(b"0.5", b""), "line 2: the value of 'a' is missing"),
    "infinity": (lambda: CSV.replace(b"0.5", b"inf"), "line 2: the value of 'a' is 'inf'"),
    "an underscore": (lambda: CSV.replace(b"0.5", b"1_0"), "line 2: the value of 'a' is '1_0'"),
    "mixed types": (lambda: CSV.replace(b"3,4", b"red,4"), "line 4: the value of 'a' is 'red'.*--one-hot a"),
    "mixed labels": (lambda: CSV.replace(b",-1", b",no"), "line 3: the value of 'label' is 'no'.*other labels"),
    "a row cut short": (lambda: CSV[:-3], "line 4: 2 fields, where the header has 3"),
    "an open quote": (lambda: CSV + b'"1', "unexpected end"),
    "not UTF-8": (lambda: CSV.replace(b"b", b"\xe9"), "not text in UTF-8"),
    "a blank line": (lambda: CSV.replace(b"3,4", b"\n3,4"), "line 5: line 4 above is blank"),
    "lines that end in CR": (lambda: CSV.replace(b"\n", b"\r"), "line 1: a carriage return"),
    "a number that is too large": (lambda: CSV.replace(b"3,4", b"1e400,4"), "'1e400', .*within the range of a float64"),
    "a comma in a number": (lambda: CSV.replace(b",", b";").replace(b".", b","), "'0,5', .* write a point"),
    "as many commas as semicolons": (lambda: b"a,b;label\n1,5;1\n", "'a,b' is '1,5', .* write a point"),
    "nothing": (lambda: b"", "the file is empty: --target label needs a table"),
    "one column": (lambda: b"label\n1\n", "its first line is 'label..', which is no header"),
    "a checkpoint": (lambda: zipped(told=b"{}"), "a model or a checkpoint of dualgap"),
    "a header alone": (lambda: b"a,b,label\n", "no row below its header"),
    "the target alone": (lambda: b"label,\n1,\n", "column 2 has no name"),
    "gzip cut short": (lambda: gzip.compress(CSV * 99)[:-20], "cannot be read"),
    "a bomb of text": (
        lambda: bz2.compress(b"a,b,label\n" + (b"0." + b"0" * 100_000 + b",1,1\n") * 700),
        "the file has grown to",
    ),
    "Parquet cut short": (lambda: arrow(TABLE)[:-9], "damaged"),
    "Parquet with nulls": (lambda: arrow({**TABLE, "a": [None, 1.0, 2.0]}), "'a' has 1 missing value, .* row 1"),
    "Parquet with NaN": (lambda: arrow({**TABLE, "a": [1.0, np.nan, 2.0]}), "'a' is nan in row 2"),
    "Parquet with text": (lambda: arrow({**TABLE, "a": ["x", "y", "z"]}), "'a' is text, .*--one-hot a"),
    "Parquet with lists": (lambda: arrow({**TABLE, "a": [[1], [2], [3]]}), "'a' is of type list"),
    "a bomb of Parquet": (lambda: arrow({"a": np.zeros(2**23), "label": np.zeros(2**23)}), "more than"),
    "Arrow cut short": (lambda: arrow(TABLE, feather=True)[:-9], "damaged"),
    "a bomb of Arrow": (
        lambda: arrow(
            {"a": np.zeros(2**23), "label": np.zeros(2**23)}, feather=True, compression="zstd", chunksize=2**23
        ),
        "more than",
    ),
    "npy: a pickle": (lambda: saved(np.save, np.array([{}])), "its header is damaged"),
    "bars": (lambda: CSV.replace(b",", b"|"), r"a table separated by bars .*tr '\|' ','"),
    "bars and blanks": (lambda: CSV.replace(b",", b" | "), "a table separated by bars"),
    "bars, blanks and no header": (lambda: b"1 | 2.5 | -3e-1\n", "a table separated by bars"),
    "Vowpal Wabbit": (lambda: b"1 2 |f a:0.5 b\n-1 |f a\n", "is text of Vowpal Wabbit"),
    "Vowpal Wabbit without labels": (lambda: b"| a b\n| b\n", "is text of Vowpal Wabbit"),
    "npy: cut short": (lambda: saved(np.save, X)[:-1], "needs 176 bytes"),
    "npy: terabytes": (lambda: header("<f8", (10**12, 3)), "needs"),
    "npy: NaN": (lambda: saved(np.save, np.full((3, 2), np.nan)), "must be finite"),
    "npy: a vector": (lambda: saved(np.save, Y), "at least one row and one column"),
    "npz: a pickle": (lambda: npz(data=np.array([{}, 1, 2, 3, 4], dtype=object)), "its header is damaged"),
    "npz: a pickled format": (lambda: npz(format=pickle.dumps("csr")), "no matrix of scipy.sparse"),
    "npz: a column outside": (lambda: npz(indices=np.array([0, 1, 1, 0, 7])), "no matrix of scipy.sparse"),
    "npz: rows that go back": (lambda: npz(indptr=np.array([0, 4, 3, 5])), "no matrix of scipy.sparse"),
    "npz: of numpy": (lambda: saved(np.savez, data=X), "no matrix of scipy.sparse"),
    "npz: cut short": (lambda: npz()[:-30], "no matrix of scipy.sparse"),
    "npz: terabytes": (lambda: zipped(data=header("<f8", (10**12,))), "needs 8000000000128 bytes"),
    "npz: a bomb": (lambda: zipped(data=header("<f8", (2**24,)) + bytes(2**27)), "more than"),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_file_is_refused_in_one_line(case, tmp_path):
    make, words = HOSTILE[case]
    (tmp_path / "file").write_bytes(make())
    np.save(tmp_path / "y.npy", Y)
    target = str(tmp_path / "y.npy") if case.startswith("np") else "label"
    tracemalloc.start()
    try:
        with pytest.raises(ValueError, match=words) as found:
            load(tmp_path / "file", target=target)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert str(found.value).startswith(str(tmp_path / "file")) and "\n" not in str(found.value)
    assert peak < 2**29


@pytest.mark.parametrize(
    ("content", "given", "words"),
    [
        (CSV, {}, "a table .CSV or TSV.: line 1: say which column is .*; the columns are a, b, label"),
        (CSV, {"target": "label", "zero_based": True}, "--zero-based is for LIBSVM text"),
        (CSV, {"target": "label", "one_hot": ["c"]}, "no column 'c'"),
        (CSV, {"target": "label", "one_hot": [""]}, "no column ''"),
        (CSV, {"target": "label", "one_hot": ["label"]}, "it is the target"),
        (b"1 1:2\n", {"target": "y"}, "which is no header"),
        (saved(np.save, X), {}, "an array of numpy.save .*: say where its labels are"),
        (saved(np.save, X), {"target": "nowhere.npy"}, "the labels nowhere.npy cannot be read"),
        (b"\x01\x02what", {}, "dualgap reads LIBSVM text, CSV or TSV with a header, .npy"),
    ],
)
def test_what_was_asked_for_and_does_not_go_with_the_file_is_refused(content, given, words, tmp_path):
    (tmp_path / "file").write_bytes(content)
    refuses(ValueError, words, lambda: load(tmp_path / "file", **given))


@pytest.mark.parametrize("name", ["digits", "orthonormal:n=3"])
def test_a_data_set_by_name_has_no_columns(name, tmp_path, capsys):
    refuses(ValueError, "it has no named columns; leave out --target", load, name, target="y")
    words = ["--target", "y", "--map", str(tmp_path / "folder")]
    assert "--map reads LIBSVM text" in refusal(capsys, "new", "data", name, *words)
    assert not (tmp_path / "folder").exists()


LOST, HELD = 2**53 + 1, 2**53 + 2


def whole_numbers(value, place):
    """Two rows of whole numbers with one of them in the feature or in the label."""
    rows = np.array([[1, 5], [2, 7]])
    rows[1, place] = value
    return rows


WHOLE = {
    "CSV": lambda rows: ("a,label\n" + "".join(f"{a},{b}\n" for a, b in rows.tolist())).encode(),
    "CSV with a point": lambda rows: ("a,label\n" + "".join(f"{a}.0,{b}.00\n" for a, b in rows.tolist())).encode(),
    "LIBSVM": lambda rows: "".join(f"{b} 1:{a}\n" for a, b in rows.tolist()).encode(),
    "Parquet": lambda rows: arrow({"a": rows[:, 0], "label": rows[:, 1]}),
    "Arrow": lambda rows: arrow({"a": rows[:, 0].astype(np.uint64), "label": rows[:, 1]}, feather=True),
    "npy": lambda rows: saved(np.save, rows[:, :1]),
    "npz": lambda rows: saved(sp.save_npz, sp.csr_matrix(rows[:, :1])),
}


@pytest.mark.parametrize("place", [0, 1], ids=["feature", "label"])
@pytest.mark.parametrize("format", WHOLE)
def test_a_reader_refuses_the_whole_numbers_that_no_float_holds(format, place, tmp_path):
    array = format in ("npy", "npz")
    for value in (LOST, HELD):
        rows = whole_numbers(value, place)
        (tmp_path / "file").write_bytes(WHOLE[format](rows))
        np.save(tmp_path / "y.npy", rows[:, 1])
        given = {"target": str(tmp_path / "y.npy") if array else None if format == "LIBSVM" else "label"}
        if value == LOST:
            where = "y.npy" if array and place else "[1" if array else "label" if place else "a"
            refuses(
                ValueError,
                rf"(?s){re.escape(where)}.*{LOST}.*no float64 holds",
                lambda given=given: load(tmp_path / "file", **given),
            )
        else:
            data = load(tmp_path / "file", **given)
            X = data.X.toarray() if hasattr(data.X, "toarray") else data.X
            assert (int(X[1, 0]), int(data.y[1])) == tuple(rows[1].tolist())
    assert load(tmp_path / "file", **given).preparation == ()


@pytest.mark.parametrize("feather", [False, True], ids=["Parquet", "Arrow"])
def test_an_index_of_pandas_is_no_feature_unless_it_is_asked_for(feather, tmp_path):
    pandas, pa = pytest.importorskip("pandas"), pytest.importorskip("pyarrow")
    frame = pandas.DataFrame({"a": [3.0, 1.0, 2.0], "label": [1, -1, 1], "day": [7, 8, 3]})
    for table, index in ((frame.set_axis([5, 0, 1]), "__index_level_0__"), (frame.set_index("day"), "day")):
        (tmp_path / "file").write_bytes(arrow(pa.Table.from_pandas(table), feather))
        data = load(tmp_path / "file", target="label")
        assert (list(data.columns), data.X[:, 0].tolist()) == (
            [name for name in table.columns if name != "label"],
            table["a"].tolist(),
        )
        assert data.preparation == (f"{index}: left out, because it is an index of pandas",)
        assert load(tmp_path / "file", target=index).y.tolist() == table.index.tolist()
        known = {index: (), **{name: () for name in table.columns if name != "label"}}
        assert (
            read_rows(str(tmp_path / "file"), False, Asked("label", (), known)).X[:, 0].tolist() == table.index.tolist()
        )
    (tmp_path / "file").write_bytes(arrow(pa.table(TABLE).replace_schema_metadata({"pandas": "[" * 10**5}), feather))
    refuses(ValueError, "record of pandas is damaged", lambda: load(tmp_path / "file", target="label"))


SEPARATED = {  # a header and one row, of three columns each
    "comma in quoted names": '"Income, net";"Age, years";label\n1.5;2;1\n',
    "commas in names of a TSV": "Income, net\tAge, years\tlabel\n1.5\t2\t1\n",
    "semicolons in names of a CSV": '"a;b;c",d,label\n1.5,2,1\n',
    "a line that names the separator": "sep=;\na;b;label\n1.5;2;1\n",
    "the same, quoted, CRLF, and another separator more often": '"SEP=;"\r\n"a,b,c,d";e;label\r\n1.5;2;1\r\n',
    "a tab named": "sep=\t\na\tb\tlabel\n1.5\t2\t1\n",
    "line ends in quoted names": '"Income\nnet";"Age, in\r\nyears";label\n1.5;2;1\n',
    "decimals in quotes below": '"a","b","label"\n"1.5","2","1"\n',
}


@pytest.mark.parametrize("case", SEPARATED)
def test_the_separator_is_the_one_that_divides_header_and_rows_alike(case, tmp_path):
    (tmp_path / "file").write_text(SEPARATED[case])
    data = load(tmp_path / "file", target="label")
    assert (data.X.tolist(), data.y.tolist(), len(data.columns)) == ([[1.5, 2.0]], [1.0], 2)
    (tmp_path / "file").write_text(SEPARATED[case] + "x" + SEPARATED[case].splitlines()[-1] + "\n")
    number = SEPARATED[case].count("\n") + 1
    refuses(ValueError, f"line {number}: ", lambda: load(tmp_path / "file", target="label"))


CELLS = {  # a cell that is no number, and what to do
    "2000,5": "write a point before its decimals",
    "1,500": "write a point before its decimals and no mark between thousands",
    "25,635.65": "no mark between thousands",
    "1.234.567,8": "no mark between thousands",
    "2024-01-31": "a date or a time",
    "31.1.2024": "a date or a time",
    "12:30": "a date or a time",
    "5 %": "write it as 1234.5",
    "1.5D0": "write it as 1234.5",
    "-inf": "write it as 1234.5",
    "$5.00": "write it as 1234.5",
    "\u20ac 5": "write it as 1234.5",
    "(500)": "write it as 1234.5",
    "<5": "write it as 1234.5",
    "\u22125": "write it as 1234.5",
    "5 Jan 2024": "a date or a time",
    "Jan 5, 2024": "a date or a time",
    "red": "--one-hot a$",
    "A1": "--one-hot a$",
}


@pytest.mark.parametrize("cell", CELLS)
def test_the_advice_for_a_cell_never_makes_words_of_numbers(cell, tmp_path):
    (tmp_path / "file").write_text(f"a;label\n{cell};1\n")
    refuses(ValueError, CELLS[cell], lambda: load(tmp_path / "file", target="label"))
    (tmp_path / "file").write_bytes(arrow({"a": [cell], "label": [1]}))
    refuses(ValueError, CELLS[cell], lambda: load(tmp_path / "file", target="label"))
    assert ("--one-hot" in remedy("a", cell, Asked("label"))) == (cell in ("red", "A1"))


@pytest.mark.parametrize("mark", sorted(MISSING))
def test_a_mark_for_no_value_is_no_number_no_word_and_no_label(mark, tmp_path):
    for place in (0, 1):  # the first row decides whether labels are text
        for column, words in (("a", "12"), ("colour", ("red", "blue")), ("label", "10"), ("label", ("yes", "no"))):
            rows = [{"a": "1", "colour": "red", "label": words[k] if column == "label" else "1"} for k in (0, 1)]
            rows[place][column] = mark.upper()
            (tmp_path / "file").write_text("a;colour;label\n" + "".join(";".join(row.values()) + "\n" for row in rows))
            refuses(
                ValueError,
                f"line {place + 2}: the value of '{column}' is missing",
                lambda: load(tmp_path / "file", target="label", one_hot=["colour"]),
            )


def test_a_header_that_may_be_a_row_is_noted(tmp_path):
    (tmp_path / "file").write_text("5.1,3.5,setosa\n4.9,3.0,setosa\n7.0,3.1,virginica\n")
    note = "the first line names the columns, with the numbers 5.1, 3.5: if it is a row, write names above it"
    assert load(tmp_path / "file", target="setosa").preparation[0] == note
    refuses(ValueError, re.escape(note), lambda: load(tmp_path / "file"))
    (tmp_path / "file").write_bytes(CSV)
    assert load(tmp_path / "file", target="label").preparation == ()
