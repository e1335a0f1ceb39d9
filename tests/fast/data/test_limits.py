"""What does not fit into memory or float64 is refused in one line, and an output file is replaced as a whole."""

import os
import stat
import sys

import numpy as np
import pytest
from scipy.sparse import csr_array
from support import refusal

from dualgap.fast import solve
from dualgap.fast.data.atomic_file import appending, partial, replacing, write_text
from dualgap.fast.problem.arrays import arrays
from dualgap.fast.solver import memory
from dualgap.proofs_checks.cli import main as cli
from dualgap.reference import L2, Hinge, Method, Problem, Squared

WORDS = ["--method", "sdca", "--loss", "hinge", "--lam", "0.1", "--tol", "1e-6"]


def test_a_large_column_number_in_a_small_file_is_held_against_the_memory(tmp_path, capsys, monkeypatch):
    path = tmp_path / "data.txt"
    path.write_text("1 2147483647:0.5\n-1 2:1\n")
    monkeypatch.setattr(memory, "available", lambda: 16 * 2**30)
    assert "d = 2147483647 columns" in refusal(capsys, "solve", str(path), *WORDS)
    assert cli.main(["new", "data", str(path)]) == 0 and "2147483647" in capsys.readouterr().out, (
        "describing them needs no vector of d"
    )
    of_d, of_n = Method.vectors_kept
    monkeypatch.setattr(memory, "available", lambda: 8 * (of_d * 600_000 + of_n * 2))
    for d, fits in ((600_000, True), (600_001, False)):
        problem = Problem(csr_array(([0.5, 1.0], ([0, 1], [d - 1, 0])), shape=(2, d)), [1, -1], Hinge(), L2(0.1))
        if fits:
            solve(problem, "sdca", max_epochs=1)
        else:
            with pytest.raises(ValueError, match="d = 600001 columns: a run of method sdca keeps about 17 vectors"):
                solve(problem, "sdca", max_epochs=1)


def test_what_the_system_tells_about_its_memory(tmp_path, monkeypatch):
    machine = memory._physical()
    free = memory.available()
    assert free is None or free >= 2**20
    monkeypatch.setattr(memory, "LIMIT_OF_GROUP", str(tmp_path / "memory.max"))
    for text, expected in (("max\n", free), ("4096\n", 4096)):
        (tmp_path / "memory.max").write_text(text)
        found = memory.available()
        if sys.platform == "linux":
            assert found == 4096 if expected == 4096 else found is not None and found > 4096
    assert machine is None or machine > 2**20


@pytest.mark.parametrize("where", ["load", "solve"])
def test_memory_that_is_refused_anywhere_is_one_line(where, tmp_path, capsys, monkeypatch):
    def refuse(*given, **options):
        raise MemoryError("Unable to allocate 16.0 GiB for an array\nwith shape (2147483647,)")

    monkeypatch.setattr("dualgap.fast.data.load.load" if where == "load" else "dualgap.fast.solve", refuse)
    (tmp_path / "data.txt").write_text("1 1:0.5\n-1 2:1\n")
    assert "out of memory (Unable to allocate 16.0 GiB" in refusal(capsys, "solve", str(tmp_path / "data.txt"), *WORDS)


@pytest.mark.parametrize(
    "X", [np.array([[1.0, 2.0], [1e200, 0.0]]), csr_array([[1.0, 2.0], [1e200, 0.0]]), [[1.0, 2.0], [1e200, 0.0]]]
)
def test_a_row_whose_square_is_beyond_float64_is_refused_before_a_step(X, tmp_path, capsys):
    problem = Problem(X, [1.0, -1.0], Squared(), L2(0.1))
    with pytest.raises(ValueError, match=r"\|\|x_1\|\|\^2 is beyond the range of a float") as of_arrays:
        arrays(problem)
    with pytest.raises(ValueError) as of_reference:
        _ = problem.norms2
    assert str(of_arrays.value) == str(of_reference.value)
    (tmp_path / "data.txt").write_text("1 1:1 2:2\n-1 1:1e200\n")
    for name in ("sdca", "auto", "spdc", "lbfgs"):
        words = ["solve", str(tmp_path / "data.txt"), "--method", name, *"--loss squared --lam 0.1 --tol 1e-6".split()]
        assert "||x_1||^2 is beyond" in refusal(capsys, *words)
    assert cli.main([*words, "--unit-rows"]) == 0


LEFT = {
    "symbolic link": os.symlink,
    "dangling link": lambda victim, name: os.symlink(f"{victim}-none", name),
    "hard link": os.link,
    "pipe": lambda victim, name: os.mkfifo(name),
}


@pytest.mark.parametrize("kind", LEFT)
def test_what_lies_under_the_partial_name_is_not_written_to(tmp_path, kind):
    victim, path = tmp_path / "victim", tmp_path / "sweep.html"
    victim.write_text("precious")
    LEFT[kind](victim, partial(path))
    assert write_text(path, "page")
    assert (victim.read_text(), path.read_text()) == ("precious", "page")
    assert sorted(p.name for p in tmp_path.iterdir()) == ["sweep.html", "victim"]


def test_the_control_a_writer_that_follows_links_overwrites_the_victim(tmp_path):
    (tmp_path / "victim").write_text("precious")
    os.symlink(tmp_path / "victim", tmp_path / "page.part")
    with open(tmp_path / "page.part", "wb") as file:
        file.write(b"page")
    assert (tmp_path / "victim").read_text() == "page"


@pytest.mark.parametrize("writer", [replacing, appending])
@pytest.mark.parametrize("kind", ["folder", "pipe", "device", "link to a device"])
def test_only_regular_files_are_replaced_and_the_error_names_the_file(tmp_path, writer, kind):
    path = tmp_path / "out"
    {
        "folder": path.mkdir,
        "pipe": lambda: os.mkfifo(path),
        "device": lambda: None,
        "link to a device": lambda: path.symlink_to("/dev/null"),
    }[kind]()
    path = "/dev/null" if kind == "device" else path
    with pytest.raises(OSError, match="is not a regular file") as found, writer(path):
        raise AssertionError("it was opened")
    assert found.value.filename == os.fspath(path) and stat.S_ISCHR(os.stat("/dev/null").st_mode)
    assert not os.path.exists(partial(os.fspath(path)))


def test_a_link_is_replaced_and_never_appended_to(tmp_path):
    victim, path = tmp_path / "victim", tmp_path / "link"
    victim.write_text("precious")
    path.symlink_to(victim)
    with pytest.raises(OSError) as found, appending(path):
        raise AssertionError("it was opened")
    assert found.value.filename == str(path)
    assert write_text(path, "page") and not path.is_symlink() and victim.read_text() == "precious"


@pytest.mark.parametrize("mask", [0o022, 0o077, 0o002])
def test_a_file_is_private_until_it_is_complete(tmp_path, mask):
    before = os.umask(mask)
    try:
        with replacing(tmp_path / "file"):
            assert stat.S_IMODE(os.stat(tmp_path / "file.part").st_mode) == 0o600
    finally:
        assert os.umask(before) == mask
    assert stat.S_IMODE(os.stat(tmp_path / "file").st_mode) == 0o666 & ~mask
