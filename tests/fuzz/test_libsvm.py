"""Damaged LIBSVM texts and mapped folders: refused, or read as a reader of a few lines reads them."""

import bz2
import gzip
import lzma
import math
import re

import numpy as np
import pytest
from damage import INPUTS, damaged, generator
from scipy.sparse import csr_array

from dualgap.fast import solve
from dualgap.fast.data.libsvm import read_libsvm
from dualgap.fast.data.mapped_rows import DTYPES
from dualgap.fast.data.memory_mapped import HEAD, Writer, open_mapped, verify
from dualgap.reference import L2, Problem, SmoothedHinge

TEXT = (
    b"+1 1:0.6 2:0.8 # first\r\n-1 1:1e0\t3:-2.5 10:.5\n2.5\n# only a comment\n-1 2:1. 7:1e-300 2147483647:3\n"
    b"1 1:0 4:4 5:5 6:6 7:7 8:8\n-1.5e0 3:123456789.125\n\n"
)
OTHER = b"1 1:0.5 9:9\n-1 2:2 3:3\n" + b"".join(b"%d 1:%d 7:0.25\n" % (i % 2, i) for i in range(20))
NUMBER = re.compile(rb"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def number(token):
    """The float, or None."""
    value = float(token) if NUMBER.fullmatch(token) else math.inf
    return value if math.isfinite(value) else None


def independent(content):
    """Labels and rows of pairs, or None where the text is to be refused."""
    labels, rows, blank = [], [], False
    *ended, rest = content.split(b"\n")
    for line in [*(line.removesuffix(b"\r") for line in ended), *([rest] if rest else [])]:
        text, hash_sign, _ = line.partition(b"#")
        tokens = [token for token in re.split(rb"[ \t]", text) if token]
        if not tokens:
            blank = blank or not hash_sign
            continue
        pairs = [token.partition(b":")[::2] for token in tokens[1:]]
        places = [int(j) if re.fullmatch(rb"[0-9]{1,18}", j) else 0 for j, _ in pairs]
        label, values = number(tokens[0]), [number(x) for _, x in pairs]
        if blank or label is None or None in values or any(a >= b for a, b in zip([0, *places], [*places, 2**31])):
            return None
        labels.append(label)
        rows.append(list(zip(places, values, strict=True)))
    return (labels, rows) if any(rows) else None


def found(path):
    """What the reader finds, in the form of ``independent``."""
    X, y = read_libsvm(path)
    pairs = list(zip((X.indices.astype(np.int64) + 1).tolist(), X.data.tolist()))
    assert X.shape == (len(y), max(j for j, _ in pairs)) and X.has_sorted_indices
    return y.tolist(), [pairs[a:b] for a, b in zip(X.indptr.tolist(), X.indptr.tolist()[1:])]


def refused_or_same(path, expected, what):
    """Whether the text was read."""
    try:
        got = found(path)
    except (ValueError, OSError) as refusal:
        said = str(refusal).removeprefix(str(path))
        assert said != str(refusal) and "\n" not in said and len(said) < 350, what
        assert expected is None, f"{what}: refused, though nothing is wrong with it: {refusal}"
        return False
    assert repr(got) == repr(expected), what  # repr: -0.0 is not 0.0
    return True


def test_damaged_texts_are_refused_or_read_as_they_stand(tmp_path):
    path, read = tmp_path / "data.txt", 0
    path.write_bytes(TEXT)
    assert refused_or_same(path, independent(TEXT), "the control")
    for k in INPUTS:
        content = damaged(generator(k), TEXT, OTHER)
        path.write_bytes(content)
        read += refused_or_same(path, independent(content), f"input {k}: {content!r}")
    assert len(INPUTS) < 100 or 0.02 < read / len(INPUTS) < 0.98, "the damages are all harmless, or all fatal"


@pytest.mark.parametrize("archive", [gzip, bz2, lzma])
def test_damaged_archives_are_refused_or_read_as_they_unpack(archive, tmp_path):
    path = tmp_path / "data.txt"
    for k in INPUTS:
        content = damaged(generator(k), archive.compress(TEXT), archive.compress(OTHER))
        path.write_bytes(content)
        try:
            expected = independent(archive.decompress(content))
        except Exception:  # whatever a decompressor says
            expected = None
        try:
            got = found(path)
        except (ValueError, OSError) as refusal:
            assert "\n" not in str(refusal), f"input {k}"
            continue
        assert repr(got) == repr(expected), f"input {k}: {content!r}"


N, D = 30, 7
FILES = (HEAD, *(f"{name}.npy" for name in DTYPES))
HEADER = 128  # bytes before the numbers of such an .npy file


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A folder, its files writable, and their contents."""
    rng, folder = np.random.default_rng(0), tmp_path_factory.mktemp("mapped") / "map"
    with Writer(folder) as writer:
        X = csr_array(np.where(rng.random((N, D)) < 0.5, rng.standard_normal((N, D)), 0.0))
        writer.append(X, np.where(rng.random(N) < 0.5, 1.0, -1.0))
        writer.preparation = ("a sentence",)
    for name in FILES:
        (folder / name).chmod(0o644)
    return folder, {name: (folder / name).read_bytes() for name in FILES}


def lie(rng, content, dtype):
    """A number of the array becomes an extreme one."""
    held = np.frombuffer(content[HEADER:], dtype).copy()
    whole = (-1, 0, D, D - 1, 2**31 - 1, N, *([2**62] if dtype == "<i8" else []))
    held[rng.randrange(held.size)] = rng.choice((np.nan, np.inf, -1.0, 1e300, 0.0) if dtype == "<f8" else whole)
    return content[:HEADER] + held.tobytes()


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("how", ["damaged", "lying"])
def test_a_damaged_folder_is_refused_or_read_as_its_bytes_stand(how, name, folder):
    place, contents = folder
    for k in INPUTS[: max(1, len(INPUTS) // len(FILES))] if how == "damaged" or name != HEAD else ():
        rng = generator(k)
        whole = contents[name]
        content = damaged(rng, whole, contents["data.npy"]) if how == "damaged" else lie(rng, whole, DTYPES[name[:-4]])
        (place / name).write_bytes(content)
        try:
            data = open_mapped(place)
            problem = Problem(data.X, data.y, SmoothedHinge(), L2(0.1))
            solve(problem, "sdca", order="blocks", tol=0, max_epochs=2)
            X = data.X
            for array, found in zip(("indptr", "indices", "data", "y"), (X.indptr, X.indices, X.data, data.y)):
                raw = (place / f"{array}.npy").read_bytes()
                assert found.tobytes() == raw[len(raw) - found.nbytes :], f"{name}, input {k}"
            assert (data.X.shape, data.preparation) == ((N, D), ("a sentence",)), f"{name}, input {k}"
        except (ValueError, OSError) as refusal:
            assert "\n" not in str(refusal) and len(str(refusal)) < 600, f"{name}, input {k}: {refusal}"
        try:
            verify(place)
            assert content[HEADER:] == whole[HEADER:], f"{name}, input {k}: the checksums hold for other numbers"
        except (ValueError, OSError) as refusal:
            assert "\n" not in str(refusal), f"{name}, input {k}: {refusal}"
            assert content != contents[name], f"{name}, input {k}: a whole folder was refused"
    (place / name).write_bytes(contents[name])
    verify(place)
