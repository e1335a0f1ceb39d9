"""Recognise the format of a file by its first bytes or first line. For a format that is not read, name the line of
Python that converts it.

Nothing here refuses LIBSVM text. No number begins with one of the marks; and outside a comment no row holds a comma, a
semicolon, a bar, or a second word without a colon.
"""

import re
import unicodedata

NUMBER = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")
DUMP = 'sklearn.datasets.dump_svmlight_file(X, y, "NEW.svm", zero_based=False)'


def _matrix(modules: str, read: str) -> str:
    return f"with labels y, Python converts it by: import {modules}, sklearn.datasets; X = {read}; {DUMP}"


def _table(read: str, labels: str = "first", modules: str = "pandas") -> str:
    X, y = ("1:", "0") if labels == "first" else (":-1", "-1")
    split = f"X, y = t.iloc[:, {X}], t.iloc[:, {y}]"
    return (
        f"with labels in the {labels} column, Python converts it by: import {modules}, sklearn.datasets; t = {read};"
        f" {split}; {DUMP}"
    )


def _text(encoding: str) -> str:
    return f'Python converts it by: open("NEW.svm", "w").write(open("FILE", encoding="{encoding}").read())'


def _command(command: str) -> str:
    return f"unpack it first: {command}"


MATLAB = _matrix("scipy.io", 'scipy.io.loadmat("FILE")["X"]')
PICKLE = _matrix("pickle", 'pickle.load(open("FILE", "rb"))') + "; a pickle runs code, so load only your own"
LZMA = 'Python unpacks it by: import lzma; open("NEW.svm", "wb").write(lzma.open("FILE").read())'
# First bytes, the name of the format, what to do. A longer mark stands before one that it begins with.
MARKS: tuple[tuple[bytes, str, str], ...] = (
    (b"FEA1", "a Feather file", _table('pandas.read_feather("FILE")')),
    (b"ORC", "an ORC file", _table('pandas.read_orc("FILE")')),
    (b"\x89HDF\r\n\x1a\n", "an HDF5 file", _matrix("h5py", 'h5py.File("FILE")["X"][:]')),
    (b"MATLAB 7.3", "a MATLAB file (HDF5)", _matrix("h5py", 'h5py.File("FILE")["X"][:].T')),
    (b"MATLAB 5.0", "a MATLAB file", MATLAB),
    (b"SQLite format 3\0", "an SQLite database", "write each row of the table as LABEL INDEX:VALUE ..."),
    (b"%%MatrixMarket", "a Matrix Market file", _matrix("scipy.io", 'scipy.io.mmread("FILE").tocsr()')),
    (b"%PDF", "a PDF file", "give the data themselves"),
    (b"\x28\xb5\x2f\xfd", "compressed by Zstandard", _command("zstd -d FILE")),
    (b"\x04\x22\x4d\x18", "compressed by LZ4", _command("lz4 -d FILE")),
    (b"\x5d\x00\x00", "compressed by LZMA, the format before xz", LZMA),
    (b"\x1f\x9d", "compressed by compress (.Z)", _command("uncompress FILE")),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive", _command("7z x FILE")),
    (b"Rar!\x1a\x07", "a RAR archive", _command("unrar x FILE")),
    (b"\x1f\x8b", "compressed twice (gzip within)", _command("gzip -d FILE")),
    (b"BZh", "compressed twice (bzip2 within)", "decompress it once yourself"),
    (b"\xfd7zXZ\x00", "compressed twice (xz within)", "decompress it once yourself"),
    (b"\xff\xfe\x00\x00", "text in UTF-32", _text("utf-32")),
    (b"\xff\xfe", "text in UTF-16", _text("utf-16")),
    (b"\xfe\xff", "text in UTF-16", _text("utf-16")),
    (b"\xef\xbb\xbf", "text that begins with a byte order mark (of UTF-8)", _text("utf-8-sig")),
    *((bytes([0x80, protocol]), "a pickle", PICKLE) for protocol in range(2, 6)),
    (b"version https://git-lfs.github.com/", "a pointer of Git LFS, without the data", "get the data: git lfs pull"),
)
ARCHIVES: tuple[tuple[bytes, str, str], ...] = (  # what the first member of a zip file is called
    (b"told.npy", "a model or a checkpoint of dualgap", "give the data (dualgap predict reads a model)"),
    (b"[Content_Types].xml", "an Excel file", _table('pandas.read_excel("FILE")')),
    (b"mimetype", "an OpenDocument file", _table('pandas.read_excel("FILE")')),
    (b"", "a zip archive", _command("unzip FILE")),
)


READS = "LIBSVM text, CSV or TSV with a header, .npy, .npz of scipy.sparse, Parquet, Arrow"
KINDS = {
    "table": "a table (CSV or TSV)",
    "npy": "an array of numpy.save (.npy)",
    "npz": "a matrix of scipy.sparse.save_npz (.npz)",
    "parquet": "a Parquet file",
    "arrow": "an Arrow file",
    "libsvm": "LIBSVM text",
}
READ: tuple[tuple[bytes, str], ...] = ((b"\x93NUMPY", "npy"), (b"PAR1", "parquet"), (b"ARROW1", "arrow"))


def format_of(head: bytes) -> str:
    """The format of a file that is read, by its first bytes: "npy", "npz", "parquet", "arrow", "table" (CSV or TSV) or,
    for whatever else may be a row, "libsvm".

    """
    if head[:2] == b"PK" and any(f"{name}.npy".encode() in head for name in ("indices", "data", "row", "format")):
        return "npz"
    first = _FIRST.match(head.removeprefix(b"\xef\xbb\xbf"))[0].strip(b" ")  # type: ignore[index]
    names = _SEPARATED.search(first) and not _PAIR.search(first) and not re.match(rb"[<\[{@%#]|.*\|", first)
    return next(
        (name for mark, name in READ if head.startswith(mark)), "table" if names and b"\0" not in head else "libsvm"
    )


_FIRST = re.compile(rb'((^|(?<=[,;\t]))"([^"]|"")*"|[^\r\n])*?(?=[\r\n]|$)')  # a row, with line ends within quotes
_SEPARATED = re.compile(rb"[,;]|[^\s,;:]\t[^\s]|^(?i:sep)=\t")  # between two fields of a header
_PAIR = re.compile(rb"(^|\s)\d+:\S*")


def other_format(head: bytes) -> str | None:
    """Name the format of a file and say what to do, or None where it may be LIBSVM text.

    Parameters
    ----------
    head : the first bytes of the file, as many as there are at once.
    """
    found = _binary(head) or _textual(head)
    return found and f"the file is {found[0]}, and dualgap reads {READS}; {found[1]}"


def _binary(head: bytes) -> tuple[str, str] | None:
    if head[:4] in (b"PK\x03\x04", b"PK\x05\x06"):
        return next((name, advice) for member, name, advice in ARCHIVES if member in head[30:90])
    if head[257:262] == b"ustar":
        return "a tar archive", _command("tar -xf FILE")
    for mark, name, advice in MARKS:
        if head.startswith(mark):
            return name, advice
    for start, encoding in ((0, "utf-16-be"), (1, "utf-16-le")):
        zeros, others = head[start:64:2], head[1 - start : 64 : 2]
        if zeros and not any(zeros) and all(others):
            return "text in UTF-16", _text(encoding)
    return None


def _textual(head: bytes) -> tuple[str, str] | None:
    """Decide by the first rows, without the last word, which may be incomplete."""
    whole = head[: max(head.rfind(blank) for blank in (b" ", b"\t", b"\n")) + 1]
    rows = [row for line in whole.splitlines()[:5] if (row := line.partition(b"#")[0].strip(b" \t"))]
    first = rows[0].lower() if rows else b""
    if first.startswith((b"<!doctype html", b"<html")):
        return "an HTML page", "perhaps a failed download: get the data again"
    if re.match(rb"<[!?a-z]", first):
        return "an XML or HTML page", "give the data themselves"
    if first.startswith(b"@relation") or (first.startswith(b"%") and b"\n@relation" in head.lower()):
        return "an ARFF file", _table(
            'pandas.DataFrame(scipy.io.arff.loadarff("FILE")[0])', "last", "pandas, scipy.io.arff"
        )
    if re.match(rb'\[\s*[\[{]|\{\s*"', first):
        return "JSON text", "write each row as LABEL INDEX:VALUE ..."
    numbers = re.fullmatch(rb"[\s|\d.eE+-]*", first) and not first.startswith(b"|")
    if re.match(rb"([+-]?[\d.]\S*\s.*)?\|", first) and b":" not in first.partition(b"|")[0] and not numbers:
        return "text of Vowpal Wabbit", "write LABEL INDEX:VALUE ..., where INDEX is the number of the feature, from 1"
    if b"|" in first and b":" not in first:
        return "a table separated by bars (|)", "write commas: tr '|' ',' < FILE > NEW.csv"
    words = [row.split() for row in rows]
    if words and len(words[0]) > 1 and not any(b":" in row for row in rows) and len({len(row) for row in words}) == 1:
        return "a dense table with blanks", _table(rf'pandas.read_csv("FILE", sep=r"\s+"{_header(words[0])})')
    return None


def _header(words: list[bytes]) -> str:
    """Return the argument that read_csv needs if the first line has no names."""
    return ", header=None" if all(NUMBER.fullmatch(word) for word in words) else ""


def strange_character(token: bytes) -> str:
    """Say which character of a token is not ASCII, or "" where all are."""
    for character in token.decode("utf-8", "replace"):
        if ord(character) > 127 and character != "\ufffd":
            name = unicodedata.name(character, "without a name")
            blank = character.isspace() or "SPACE" in name
            return f"U+{ord(character):04X} ({name}), " + (
                "which is not a blank here; write a space" if blank else "where only ASCII is read"
            )
    if b"\xa0" in token:
        return "the byte A0 (NO-BREAK SPACE in Latin-1), which is not a blank here; write a space"
    return ""
