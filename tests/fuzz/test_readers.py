"""Every reader of an untrusted file rejects every kind of hostile file in one line, in little memory and time.

A file format that is read must be in the table below and in SECURITY.md.
"""

import io
import os
import re
import signal
import tracemalloc
import warnings
import zipfile
from functools import cache, partial
from pathlib import Path

import numpy as np
import pytest
from damage import INPUTS, damaged, generator
from scipy.sparse import csr_array, save_npz
from support import ROOT, refuses

from dualgap.fast.data import bounded_file, tables
from dualgap.fast.data.libsvm import read_libsvm
from dualgap.fast.data.load import load, read_rows
from dualgap.fast.data.mapped_rows import DTYPES
from dualgap.fast.data.memory_mapped import HEAD, Writer, open_mapped
from dualgap.fast.data.tables import Asked
from dualgap.fast.solver import checkpoint
from dualgap.fast.solver.choices import Replayed
from dualgap.fast.solver.model import LARGEST, load_model
from dualgap.proofs_checks.auditing import counterexamples
from dualgap.proofs_checks.cli.certificate import _vector
from dualgap.proofs_checks.cli.vectors import judged
from dualgap.proofs_checks.conformance.vectors import load as vectors
from dualgap.proofs_checks.experiments import reproduce
from dualgap.proofs_checks.report.terminal import Refused

SECURITY = ROOT / "SECURITY.md"
# bytes of a file of zeros; of one reading; of one of a LIBSVM line; of one reading
SPARSE, MOST_MEMORY, LINE, SECONDS = 2**33, 2**26, 2**29, 30
TEXTS = ("LIBSVM", "CSV, TSV")  # they may come from a pipe, whose writer is waited for


def of_folder(name, read):
    """A reader of a folder in which one file is hostile."""

    def place(folder):
        if name.endswith(".npy") or name == HEAD:
            with Writer(folder / "data") as writer:
                writer.append(csr_array([[1.0, 2.0]]), np.array([1.0]))
            (folder / "data" / name).unlink()
        (folder / "data" / name).parent.mkdir(parents=True, exist_ok=True)
        return folder / "data" / name, lambda: read(folder / "data")

    return place


def of_file(name, read):
    """A reader of one file, with the option that names the file."""
    return lambda folder: (folder / name, lambda: read(folder / name))


READERS = {
    "LIBSVM": of_file("data.txt", read_libsvm),
    "CSV, TSV": of_file("t.csv", lambda path: read_rows(str(path), False, Asked("label"))),
    **{
        name: of_file(
            "X", partial(lambda path, format: tables.READERS[format](str(path), Asked("y"), format), format=f)
        )
        for name, f in ((".npy", "npy"), (".npy, .npz", "npz"), ("Parquet", "parquet"), ("Parquet, Arrow", "arrow"))
    },
    "model": of_file("m.npz", lambda path: load_model(str(path))),
    "mapped folder": of_folder(HEAD, open_mapped),
    **{f"mapped folder, {array}.npy": of_folder(f"{array}.npy", open_mapped) for array in DTYPES},
    "checkpoint": of_file("run.ckpt", lambda path: checkpoint.read(str(path))),
    "sweep folder": of_file("cell.npz", lambda path: checkpoint.read(str(path), 2**20)),
    "choices": of_file("choices.jsonl", Replayed),
    "certify, .npy": of_file("w.npy", lambda path: _vector(str(path), "w", 3)),
    "certify, .hex": of_file("w.hex", lambda path: _vector(str(path), "w", 3)),
    "certify, text": of_file("w.txt", lambda path: _vector(str(path), "w", 3)),
    "replay": of_file("counterexample.json", counterexamples.replay),
    "vectors": of_folder("manifest.json", vectors.contents),
    "answers": lambda folder: (
        folder / "answers",
        partial(lambda found: require(judged(found, folder / "answers").verdict == "fail"), kept()),
    ),
    "cells.jsonl": of_file("cells.jsonl", lambda path: require(not list(reproduce.finished(path, {})))),
}


@cache
def kept():
    return vectors.load()


def require(refused):
    """A reader that goes on without the lines that are damaged."""
    if refused:
        raise ValueError("all lines were passed over")


def bomb():
    """A deflated archive of 64 MiB of zeros, and one whose header promises eight terabytes."""
    with io.BytesIO() as raw:
        with zipfile.ZipFile(raw, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("told.npy", bytes(2**26))
            archive.writestr("history.npy", bytes(2**26))
        return raw.getvalue()


def npy(array, shape=None, descr=None):
    """A .npy file; its header says another shape or kind where that is given."""
    with io.BytesIO() as raw:
        np.lib.format.write_array_header_1_0(
            raw, {"descr": descr or array.dtype.str, "fortran_order": False, "shape": shape or array.shape}
        )
        return raw.getvalue() + array.tobytes()


CONTENTS = {
    "empty": b"",
    "not UTF-8": b"\xff\xfe\x00\xff",
    "wrong magic": b"MZ\x90\0" + bytes(99),
    "half an archive": b"PK\3\4" + bytes(30),
    "a bomb": bomb(),
    "half a .npy file": npy(np.zeros(3))[:-1],
    "a .npy file too long": npy(np.zeros(3)) + b"0",
    "a header that promises terabytes": npy(np.zeros(3), shape=(10**12,)),
    "a pickle": npy(np.zeros(3), descr="|O"),
    "half a JSON object": b'{"schema": 1',
    "deep JSON": b"[" * 100_000,
    "a JSON number": b"1e999",
    "a cut line": b"1 1:0.5\n1 2:",
}
KINDS = {
    "an endless device": lambda path: path.symlink_to("/dev/zero"),
    "a folder": Path.mkdir,
    "a pipe": os.mkfifo,
    "a large file": lambda path: (path.touch(), os.truncate(path, SPARSE)),
    **{name: lambda path, content=content: path.write_bytes(content) for name, content in CONTENTS.items()},
}


def late(*_):
    raise TimeoutError(f"not refused within {SECONDS} seconds")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("reader", READERS)
def test_a_hostile_file_is_refused_in_one_line(reader, kind, tmp_path):
    if kind == "a pipe" and reader in TEXTS:
        return
    path, read = READERS[reader](tmp_path)
    KINDS[kind](path)
    before = signal.signal(signal.SIGALRM, late)
    signal.alarm(SECONDS)
    tracemalloc.start()
    try:
        with warnings.catch_warnings(), pytest.raises((ValueError, OSError, Refused)) as found:
            warnings.filterwarnings("error", module="dualgap")
            read()
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
    assert not isinstance(found.value, TimeoutError) and "\n" not in str(found.value), found.value
    assert peak < (LINE if reader in TEXTS else MOST_MEMORY), peak


def test_the_page_on_security_lists_every_reader():
    said = SECURITY.read_text(encoding="utf-8")
    rows = re.findall(r"^\| ([^|,]+?)(?:,[^|]*)? \|", said, re.M)
    assert sorted({name.split(",")[0] for name in READERS} ^ set(rows)) == ["Format"], "the head of the table"
    assert f"{checkpoint.GROWN // 2**30} GiB" in said and "16 MiB" in said and f"{LARGEST // 2**30} GiB" in said


def written(format, path):
    """A file of six rows."""
    X, y = np.arange(12.0).reshape(6, 2), np.arange(6.0)
    if format == "CSV":
        path.write_text("a,b,y\n" + "".join(f"{a},{b},{label}\n" for (a, b), label in zip(X, y)))
    elif format in (".npy", ".npz"):
        with path.open("wb") as file:
            np.save(file, X) if format == ".npy" else save_npz(file, csr_array(X), compressed=False)
    else:
        pyarrow = pytest.importorskip("pyarrow")
        from pyarrow import feather, parquet

        table = pyarrow.table({"a": X[:, 0], "b": X[:, 1], "y": y})
        parquet.write_table(table, path) if format == "Parquet" else feather.write_feather(table, str(path))
    return path.read_bytes()


@pytest.mark.parametrize("format", ["CSV", ".npy", ".npz", "Parquet", "Arrow"])
def test_damaged_data_are_refused_or_read_as_finite_rows(format, tmp_path):
    path, refused, read = tmp_path / "file", 0, 0
    content = written(format, path)
    np.save(tmp_path / "y.npy", np.arange(6.0))
    target = str(tmp_path / "y.npy") if format.startswith(".") else "y"
    for k in INPUTS:
        path.write_bytes(damaged(generator(k), content, content[::-1]))
        try:
            found = load(path, target=target)
            X = found.X.data if hasattr(found.X, "indptr") else found.X
            assert found.X.shape[0] == found.y.size and np.isfinite(X).all() and np.isfinite(found.y).all(), k
            read += 1
        except ValueError as error:
            assert str(error).startswith(str(path)) and "\n" not in str(error), f"input {k}: {error}"
            refused += 1
    assert refused and read, (refused, read)


def test_a_pipe_gives_no_more_than_its_limit(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    writer = os.open(tmp_path / "pipe", os.O_RDWR)
    os.write(writer, bytes(1000))
    refuses(ValueError, "more than 999 bytes", lambda: bounded_file.read_bytes(tmp_path / "pipe", 999, pipe=True))
    os.close(writer)
