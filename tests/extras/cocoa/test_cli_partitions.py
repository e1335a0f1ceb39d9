"""The command line on rows in partitions: written in parts, solved in parts, and refused in one line."""

import json
from pathlib import Path

import pytest

from dualgap.proofs_checks.cli.main import main

SOLVE = ["--method", "cocoa", "--loss", "smoothed-hinge", "--lam", "1e-2", "--tol", "1e-4"]
DATA = "rcv1-like:n=200,d=100"


@pytest.fixture
def parts(tmp_path: Path) -> list[str]:
    assert (
        main(["new", "data", DATA, "--unit-rows", "--map", str(tmp_path / "data"), "--parts", "3", "--seed", "5"]) == 0
    )
    return [str(path) for path in sorted((tmp_path / "data").iterdir())]


def test_data_in_parts_are_solved_as_they_are_as_a_whole(parts: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["solve", *parts, *SOLVE, "--json"]) == 0
    parted = json.loads(capsys.readouterr().out)
    assert main(["solve", DATA, "--unit-rows", "--method", "sdca", *SOLVE[2:], "--json"]) == 0
    whole = json.loads(capsys.readouterr().out)
    assert len(parts) == 3 and parted["status"] == "converged" and parted["method"] == "cocoa"
    assert all(parted[name] == whole[name] for name in ("n", "d", "nnz", "gamma"))
    assert abs(parted["R2"] - whole["R2"]) < 1e-12
    assert abs(parted["primal"] - whole["primal"]) <= parted["gap_bound"] + whole["gap_bound"]
    assert parted["preparation"] == whole["preparation"] and "3 partitions" in parted["data"]


def test_the_same_seed_writes_the_same_parts_and_another_one_others(tmp_path: Path, parts: list[str]) -> None:
    for seed, same in (("5", True), ("6", False)):
        assert (
            main(["new", "data", DATA, "--unit-rows", "--map", str(tmp_path / seed), "--parts", "3", "--seed", seed])
            == 0
        )
        assert ((tmp_path / seed / "part-0" / "y.npy").read_bytes() == Path(parts[0], "y.npy").read_bytes()) == same


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--method", "sdca"], "only with --method cocoa or auto"),
        (["--unit-rows"], "prepared when they are written"),
        (["--dask", "tcp://"], "no Dask scheduler answers"),
        (["--option", "parts=4"], "parts is what the partitions are"),
    ],
)
def test_what_does_not_go_with_partitions_is_one_line(
    parts: list[str], words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if "--dask" in words:
        pytest.importorskip("distributed", reason="Dask is an extra")
    with pytest.raises(SystemExit) as ended:
        raise SystemExit(main(["solve", *parts, *SOLVE, *words]))
    told = capsys.readouterr().err
    assert ended.value.code == 2 and said in told and told.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "said"), [(["--parts", "300"], "too few for 300 parts"), (["--parts", "0"], "parts must be >= 1")]
)
def test_parts_that_cannot_be_are_one_line(
    tmp_path: Path, words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        raise SystemExit(main(["new", "data", DATA, "--map", str(tmp_path / "data"), *words]))
    assert ended.value.code == 2 and said in capsys.readouterr().err
