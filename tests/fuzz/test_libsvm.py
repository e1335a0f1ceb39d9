"""The LIBSVM reader against a reader of ten lines: on damaged texts both refuse, or both find the same numbers."""

import bz2
import gzip
import lzma
import math
import re

import numpy as np
import pytest
from damage import INPUTS, damaged, generator

from dualgap.fast.data.libsvm import read_libsvm

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
