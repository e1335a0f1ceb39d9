"""Whatever does not fit into memory or into float64 gives one line and exit status 2, before a run or during it."""

import sys

import numpy as np
import pytest
from scipy.sparse import csr_array
from support import python, refusal

from dualgap.fast import solve
from dualgap.fast.problem.arrays import arrays
from dualgap.fast.solver import memory
from dualgap.proofs_checks.cli import main as cli
from dualgap.reference import L2, Hinge, Problem, Squared

WORDS = ["--method", "sdca", "--loss", "hinge", "--lam", "0.1", "--tol", "1e-6"]


def test_a_large_column_number_in_a_small_file_is_held_against_the_memory(tmp_path, capsys, monkeypatch):
    path = tmp_path / "data.txt"
    path.write_text("1 2147483647:0.5\n-1 2:1\n")
    monkeypatch.setattr(memory, "available", lambda: 16 * 2**30)
    assert "d = 2147483647 columns" in refusal(capsys, "solve", str(path), *WORDS)
    assert cli.main(["data", str(path)]) == 0 and "2147483647" in capsys.readouterr().out, (
        "describing them needs no vector of d"
    )
    monkeypatch.setattr(
        memory, "available", lambda: 8 * (memory.vectors("sdca")[0] * 300_000 + memory.vectors("sdca")[1] * 2)
    )
    for d, fits in ((300_000, True), (300_001, False)):
        problem = Problem(csr_array(([0.5, 1.0], ([0, 1], [d - 1, 0])), shape=(2, d)), [1, -1], Hinge(), L2(0.1))
        if fits:
            solve(problem, "sdca", max_epochs=1)
        else:
            with pytest.raises(ValueError, match="d = 300001 columns: a run of method sdca keeps about 17 vectors"):
                solve(problem, "sdca", max_epochs=1)


def test_the_system_is_not_asked_about_the_memory_of_few_columns(monkeypatch):
    monkeypatch.setattr(memory, "available", lambda: 0)
    for d, asked in ((1000, False), (300_000, True)):
        problem = Problem(csr_array(([0.5, 1.0], ([0, 1], [d - 1, 0])), shape=(2, d)), [1, -1], Hinge(), L2(0.1))
        if asked:
            with pytest.raises(ValueError, match="0.0 GB of memory are free"):
                memory.require_memory(problem)
        else:
            memory.require_memory(problem)


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


@pytest.mark.skipif(sys.platform != "linux", reason="RLIMIT_AS is enforced on Linux alone")
def test_a_process_with_little_memory_says_so_in_one_line(tmp_path):
    (tmp_path / "data.txt").write_text("1 300000000:0.5\n-1 2:1\n")
    code = (
        "import sys; from dualgap.fast.solver import memory; from dualgap.fast import solve; from"
        " dualgap.proofs_checks.cli import main as cli, solve as cli_solve; import resource; memory.available = lambda:"
        " None; resource.setrlimit(resource.RLIMIT_AS, (3 * 2**30, resource.RLIM_INFINITY));"
        " sys.exit(cli.main(sys.argv[1:]))"
    )
    run = python("-c", code, "solve", str(tmp_path / "data.txt"), *WORDS)
    assert (run.returncode, run.stdout, run.stderr.count("\n")) == (2, "", 1) and "out of memory" in run.stderr, (
        run.stderr
    )


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
