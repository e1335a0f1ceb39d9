"""Mapped files that are damaged, cut short or written to: one sentence, before a kernel reads them and while a run goes
on.
"""

import json
import os
import re

import numpy as np
import pytest
from scipy.sparse import csr_array
from support import refuses

from dualgap.fast import solve
from dualgap.fast.data import memory_mapped as mapped
from dualgap.fast.data.mapped_rows import pieces
from dualgap.fast.data.memory_mapped import HEAD, Writer, open_mapped, verify
from dualgap.reference import L2, Problem, SmoothedHinge
from dualgap.reference.problem.validate import InputChanged

ARRAYS = ("indptr", "indices", "data", "y")


def written(folder, n=60, d=12, seed=0):
    rng = np.random.default_rng(seed)
    X = csr_array(np.where(rng.random((n, d)) < 0.4, rng.standard_normal((n, d)), 0.0))
    with Writer(folder) as writer:
        writer.append(X, np.where(rng.random(n) < 0.5, 1.0, -1.0))
    return open_mapped(folder)


def replaced(path, content):
    """Another content in the same file, which was written read-only."""
    os.chmod(path, 0o644)
    with open(path, "r+b") as file:
        file.truncate(len(content))
        file.write(content)


def one_line(error):
    return "\n" not in str(error.value)


def test_the_files_are_read_only_on_disk_and_in_memory(tmp_path):
    data = written(tmp_path / "map")
    assert {path.stat().st_mode & 0o222 for path in (tmp_path / "map").iterdir()} == {0}
    for array in (data.X.indptr, data.X.indices, data.X.data, data.y):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 1


def cut(path):
    os.chmod(path, 0o644)
    os.truncate(path, os.path.getsize(path))  # to the same length: only the time of change is another
    os.utime(path, ns=(0, os.stat(path).st_mtime_ns + 1))


def longer(path):
    os.chmod(path, 0o644)
    with open(path, "ab") as file:
        file.write(bytes(8))


@pytest.mark.parametrize("array", ARRAYS)
@pytest.mark.parametrize(
    ("change", "said"), [(cut, "was written to"), (longer, r"had \d+ bytes and now has \d+"), (os.unlink, "vanished")]
)
@pytest.mark.parametrize("order", ["uniform", "blocks"])
def test_a_file_that_changes_during_a_run_ends_it_with_one_error(order, change, said, array, tmp_path):
    data, path = written(tmp_path / "map"), tmp_path / "map" / f"{array}.npy"
    problem, seen = Problem(data.X, data.y, SmoothedHinge(), L2(0.01)), []

    def watch(entry):
        seen.append(entry.epochs)
        if len(seen) == 2:
            change(path)

    with pytest.raises(InputChanged, match=rf"{array}\.npy.*{said}") as error:
        solve(problem, "sdca", order=order, tol=0, max_epochs=50, callback=watch)
    assert len(seen) == 2 and one_line(error)


def test_a_change_within_a_pass_is_noticed_at_its_end(tmp_path):
    data = written(tmp_path / "map")
    problem = Problem(data.X, data.y, SmoothedHinge(), L2(0.01))
    with pytest.raises(InputChanged, match=r"data\.npy"):
        for _ in pieces(problem, "uniform", np.arange(60)):
            longer(tmp_path / "map" / "data.npy")
    assert [
        len(piece) for piece in pieces(Problem(np.eye(2), [1, -1], SmoothedHinge(), L2(1)), "uniform", np.arange(2))
    ] == [2]


@pytest.mark.parametrize("array", ARRAYS)
def test_verify_reads_to_the_last_number_of_the_last_block(array, tmp_path, monkeypatch):
    monkeypatch.setattr(mapped, "BYTES_READ_AT_ONCE", 64)
    written(tmp_path / "map")
    verify(tmp_path / "map")
    path = tmp_path / "map" / f"{array}.npy"
    whole = path.read_bytes()
    blocks = -(-(len(whole) - 128) // 64)
    assert blocks >= 8
    for block in (0, 1, blocks - 1):
        changed = bytearray(whole)
        changed[min(128 + 64 * block + 63, len(whole) - 1)] ^= 1
        replaced(path, bytes(changed))
        refuses(ValueError, rf"{array}\.npy has changed since it was written", verify, tmp_path / "map")
    replaced(path, whole)
    verify(tmp_path / "map")


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("shape", [60]),
        ("shape", [60, -12]),
        ("shape", [60, "12"]),
        ("shape", [True, 12]),
        ("sha256", {}),
        ("sha256", None),
        ("facts", {}),
        ("facts", 3),
        ("preparation", "x"),
        ("preparation", [1]),
        ("shape", [61, 12]),
        ("shape", [60, 3]),
    ],
)
def test_a_json_that_was_made_up_with_a_right_checksum_is_refused_too(key, value, tmp_path):
    written(tmp_path / "map")
    path = tmp_path / "map" / HEAD
    head = {**json.loads(path.read_bytes()), key: value, "sha256 of this file": mapped.UNSEALED}
    text = json.dumps(head).encode()
    path.chmod(0o644)
    path.write_bytes(text.replace(mapped.UNSEALED.encode(), mapped._seal(text).encode()))
    with pytest.raises(ValueError) as error:
        data = open_mapped(tmp_path / "map")
        Problem(data.X, data.y, SmoothedHinge(), L2(0.01))
    assert one_line(error) and re.search("damaged|column indices must lie", str(error.value))


BAD_ARRAYS = {
    "32-bit": lambda a: a.astype("f4"),
    "big-endian": lambda a: a.astype(a.dtype.newbyteorder(">")),
    "of the other kind": lambda a: a.view("f8" if a.dtype.kind == "i" else "i8") if a.itemsize == 8 else a.view("f4"),
    "two-dimensional": lambda a: a.reshape(1, -1),
    "short": lambda a: a[:-1],
    "empty": lambda a: a[:0],
    "objects": lambda a: a.astype(object),
    "records": lambda a: a.astype([("x", a.dtype)]),
}


@pytest.mark.parametrize("array", ARRAYS)
@pytest.mark.parametrize("bad", BAD_ARRAYS)
def test_an_array_of_another_type_or_length_is_refused(bad, array, tmp_path):
    written(tmp_path / "map")
    path = tmp_path / "map" / f"{array}.npy"
    path.chmod(0o644)
    np.save(path, BAD_ARRAYS[bad](np.load(path)))
    for read in (open_mapped, verify):  # "of the other kind" has the right length, bytes and checksum
        with pytest.raises(ValueError, match=rf"{array}\.npy") as error:
            read(tmp_path / "map")
        assert one_line(error)


def test_every_flipped_bit_of_the_json_is_noticed(tmp_path):
    written(tmp_path / "map")
    path = tmp_path / "map" / HEAD
    whole = path.read_bytes()
    path.chmod(0o644)
    for place in range(len(whole)):
        for bit in (0, 3, 5, 7):
            changed = bytearray(whole)
            changed[place] ^= 1 << bit
            path.unlink()  # a file that is cut and written again waits for the disk
            path.write_bytes(changed)
            with pytest.raises(ValueError, match="damaged|another version") as error:
                open_mapped(tmp_path / "map")
            assert one_line(error)
    path.write_bytes(whole)
    verify(tmp_path / "map")
