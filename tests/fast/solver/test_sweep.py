"""A sweep is the runs that it says it makes, on one job or several, at once or in pieces; an index of claims is never
stale.
"""

import importlib.util
import json
from fractions import Fraction
from functools import partial

import numpy as np
import pytest
from support import answer, interrupt_at, no_space, refusal, refuses

from dualgap.fast import solve, sweep
from dualgap.fast.data import atomic_file
from dualgap.fast.data.dataset import Dataset
from dualgap.fast.data.generators import aspdc_synthetic
from dualgap.fast.data.load import prepare
from dualgap.fast.solver import sweep as sweeping
from dualgap.fast.solver.checkpoint import read, write
from dualgap.proofs_checks.cli import main as cli
from dualgap.reference import L2, ElasticNet, Hinge, Problem, SmoothedHinge
from dualgap.reference.numbers.shown_bound import shown_bound
from dualgap.reference.problem.validate import NotWritten

DATA = aspdc_synthetic(n=40, d=8, seed=1)
LAMS = [0.05, 0.2, 0.01]


def bits(cells):
    """Everything but the clock."""
    return [({**cell.facts(), "seconds": 0}, cell.w.tobytes(), cell.alpha.tobytes()) for cell in cells]


def run(**given):
    return sweep(
        DATA, SmoothedHinge(), LAMS, **{"method": ["sdca", "aspdc-i-fixed"], "seeds": [0, 1], "tol": 1e-6, **given}
    )


def test_every_cell_is_the_run_from_the_alpha_of_the_next_larger_lam():
    alpha = None
    for cell, lam in zip(run(method="sdca", seeds=[1]), sorted(LAMS, reverse=True), strict=True):
        expected = solve(Problem(DATA.X, DATA.y, SmoothedHinge(), L2(lam)), "sdca", alpha=alpha, seed=1, tol=1e-6)
        assert cell.lam == lam
        assert cell.gap == expected.gap
        assert cell.epochs == expected.epochs
        assert cell.alpha.tobytes() == expected.alpha.tobytes()
        alpha = expected.alpha
    assert cell.warm_from == 0.05 and cell.status == "converged"
    cold = run(method="sdca", seeds=[1], warm=False)
    assert [c.warm_from for c in cold] == [None] * 3 and cold[-1].alpha.tobytes() != cell.alpha.tobytes(), (
        "all starts are at 0"
    )


def test_cells_come_in_the_order_of_data_method_seed_and_descending_lam():
    other = Dataset("other", DATA.X[:20], DATA.y[:20])
    cells = sweep(
        [DATA, other], SmoothedHinge(), LAMS, method={"sdca": {}, "spdc-minibatch": {"m": 2}}, seeds=[1, 0], tol=1e-2
    )
    assert [(cell.data, cell.method, cell.seed, cell.lam) for cell in cells] == [
        (data, name, seed, lam)
        for data in (DATA.name, "other")
        for name in ("sdca", "spdc-minibatch")
        for seed in (1, 0)
        for lam in (0.2, 0.05, 0.01)
    ]


@pytest.mark.needs("joblib")
def test_two_jobs_give_the_bits_of_one():
    seen = []
    assert bits(run(jobs=2, watch=seen.append)) == bits(run(jobs=1)) and len(seen) == 12


def test_a_sweep_that_was_stopped_goes_on_with_the_same_bits(tmp_path, monkeypatch):
    expected, solved = bits(run()), []

    def counted(problem, name, **given):
        solved.append(float(problem.regularizer.lam))
        if len(solved) == 5:
            given["callback"] = interrupt_at(1)
        return solve(problem, name, **given)

    monkeypatch.setattr(sweeping, "solve", counted)
    assert [cell.status for cell in run(folder=tmp_path)] == ["converged"] * 4 + ["interrupted"]
    assert len(list(tmp_path.iterdir())) == 4 and len(solved) == 5
    assert bits(run(folder=tmp_path)) == expected and len(solved) == 5 + 8
    assert bits(run(folder=tmp_path)) == expected and len(solved) == 5 + 8, "a finished cell was run again"
    run(folder=tmp_path, tol=1e-7)
    assert len(solved) == 5 + 8 + 12, "cells of another tolerance were taken for these"


def test_a_kept_cell_of_other_data_is_never_used(tmp_path):
    mine = bits(run(folder=tmp_path, method="sdca", seeds=[0]))
    copied = Dataset(DATA.name, np.nextafter(DATA.X, 1), DATA.y)
    assert bits(sweep(copied, SmoothedHinge(), LAMS, tol=1e-6, folder=tmp_path)) != mine


def lied(file, **facts):
    """Other facts in a whole file."""
    told, arrays = read(str(file))
    write(str(file), {**told, "cell": {**told["cell"], **facts}}, arrays)


@pytest.mark.parametrize(
    "damage",
    [
        lambda file: file.write_bytes(file.read_bytes()[:-9]),
        lambda file: file.write_bytes(b""),
        lambda file: file.write_bytes(b"\0" * 100),
        lambda file: np.savez(file, a=np.zeros(3)),
        lambda file: lied(file, lam=0.3),
        lambda file: lied(file, gap="x"),
        lambda file: lied(file, w=1),
        lambda file: lied(file, status=3),
        lambda file: write(str(file), {"cell": {}}, {}),
        lambda file: write(str(file), read(str(file))[0], {"w": np.zeros(8), "alpha": np.zeros(39)}),
        lambda file: write(str(file), read(str(file))[0], {"w": np.full(8, np.nan), "alpha": np.zeros(40)}),
    ],
)
def test_a_kept_cell_that_is_damaged_is_run_again_and_the_others_are_not(damage, tmp_path, monkeypatch):
    expected, solved = bits(run(folder=tmp_path, method="sdca", seeds=[0])), []
    monkeypatch.setattr(
        sweeping, "solve", lambda problem, name, **given: (solved.append(name), solve(problem, name, **given))[1]
    )
    damage(sorted(tmp_path.iterdir())[1])
    with pytest.warns(NotWritten, match="is damaged .*: it is run again"):
        assert bits(run(folder=tmp_path, method="sdca", seeds=[0])) == expected
    assert len(solved) == 1 and bits(run(folder=tmp_path, method="sdca", seeds=[0])) == expected and len(solved) == 1


def test_a_cell_that_cannot_be_run_or_kept_is_told_and_the_others_are_run(tmp_path, monkeypatch):
    cells = sweep(DATA, SmoothedHinge(), [0.1, 1e-300, 1e-2], tol=1e-6, folder=tmp_path)
    assert [(cell.lam, cell.status) for cell in cells] == [(0.1, "converged"), (1e-2, "converged"), (1e-300, "failed")]
    assert "overflow" in cells[2].advice and cells[2].alpha.size == 0 and len(list(tmp_path.iterdir())) == 2
    cells = sweep(DATA, SmoothedHinge(), [1e300, 0.1], tol=1e-6)
    assert cells[-1].status == "converged"

    monkeypatch.setattr(sweeping, "write", no_space)
    with pytest.warns(NotWritten, match=r"npz was not written \(No space left on device\)"):
        assert [cell.status for cell in run(folder=tmp_path / "other", method="sdca", seeds=[0])] == ["converged"] * 3


def test_what_a_killed_sweep_left_half_written_is_removed(tmp_path):
    run(folder=tmp_path, method="sdca", seeds=[0])
    for file in list(tmp_path.iterdir()):
        (tmp_path / f"{file.name}.part").write_bytes(b"half")
    run(folder=tmp_path, method="sdca", seeds=[0])
    assert {file.suffix for file in tmp_path.iterdir()} == {".npz"}


def test_what_a_hypothesis_excludes_is_refused_and_the_others_run():
    cells = run(method="aspdc", seeds=[0])
    assert [cell.status for cell in cells] == ["converged", "refused", "refused"]
    assert "lam >= 4R^2/(n gamma)" in cells[1].advice and cells[1].w.size == 0


def test_a_method_that_starts_at_zero_starts_there_at_every_lam():
    cells = sweep(DATA, Hinge(), [0.2, 0.1], method="pegasos", tol=1e-1, max_epochs=5)
    assert [cell.warm_from for cell in cells] == [None, None]


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"lams": []}, "lams must be"),
        ({"lams": [0.1, -1.0]}, "lams must be"),
        ({"method": "gauss"}, "'gauss'"),
        ({"datasets": [DATA, DATA]}, "different names"),
        ({"seed": 3}, "seed"),
        ({"alpha": [0.0]}, "alpha"),
        ({"tol": -1.0}, "tol must be"),
    ],
)
def test_bad_settings_are_refused_by_name(changed, named):
    refuses(ValueError, named, lambda: sweep(**{"datasets": DATA, "loss": SmoothedHinge(), "lams": [0.1], **changed}))


def test_without_joblib_one_job_runs_and_more_are_refused_in_one_sentence(monkeypatch):
    found = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "joblib" else found(name))
    assert len(run(jobs=None)) == len(run(jobs=1)) == 12
    refuses(ValueError, r'2 jobs at a time need joblib.*pip install "dualgap\[cli\]"', run, jobs=2)


WORDS = "sweep data.txt --method sdca,aspdc --loss smoothed-hinge --lam 1e-2,3 --seeds 0..1 --tol 1e-6".split()


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data.txt").write_text("+1 1:0.6 2:0.8\n-1 1:1\n+1 2:0.5\n")
    return tmp_path


def test_command_line_prints_a_table_or_json_and_keeps_it(folder, capsys):
    assert cli.main([*WORDS, "--l1", "0.01", "--out", "results"]) == 1  # aspdc is refused at lam = 1e-2
    out, err = capsys.readouterr()
    assert out.count("converged") == 6 and "from lam" in out and "refused: method aspdc" in out and "[8/8]" in err
    kept = json.loads((folder / "results" / "sweep.json").read_text(encoding="utf-8"))
    found = answer(capsys, *WORDS, "--l1", "0.01", "--out", "results", "--json", status=1)
    assert found == {key: kept[key] for key in found}, "finished cells were run again"
    expected = bits(
        sweep(
            _loaded("data.txt"),
            SmoothedHinge(),
            [3.0],
            method="sdca",
            seeds=[1],
            regularizer=partial(ElasticNet, l1=0.01),
            tol=1e-6,
        )
    )
    cell = next(cell for cell in found["cells"] if (cell["method"], cell["seed"], cell["lam"]) == ("sdca", 1, 3.0))
    assert cell["gap"] == expected[0][0]["gap"] and found["cells"][5]["gap"] is None


def test_a_bad_cell_and_a_full_disk_leave_the_table(folder, capsys, monkeypatch):
    words = "sweep data.txt --method sdca --loss smoothed-hinge --lam 1e-1,1e-300 --tol 1e-6 --out results".split()
    assert cli.main(words) == 1
    out, err = capsys.readouterr()
    assert out.count("converged") == 1 and "failed: the objectives overflow" in out and "Traceback" not in err
    for file in (folder / "results").glob("*.npz"):
        file.write_bytes(file.read_bytes()[:100])
    assert cli.main(words) == 1
    out, err = capsys.readouterr()
    assert out.count("converged") == 1 and "dualgap sweep: warning: " in err and "is damaged" in err

    monkeypatch.setattr(atomic_file, "replacing", no_space)
    assert cli.main(words) == 1
    out, err = capsys.readouterr()
    assert out.count("converged") == 1 and "sweep.json was not written (No space left on device)" in err


def _loaded(name):
    from dualgap.fast.data.load import load

    return prepare(load(name))


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (["--lam", "1,x"], "--lam must be one or more numbers"),
        (["--seeds", "3..1"], "(got 3..1)"),
        (["--seeds", "-1"], "(got -1)"),
        (["--lam", "0"], "lams must be"),
        (["--method", "gauss"], "'gauss'"),
        (["--tol", "-1"], "tol must be"),
        (["--l1", "-1"], "l1 must be"),
        (["--order", "cyclic"], "order must be"),
    ],
)
def test_bad_words_are_one_line_and_exit_2(words, named, folder, capsys):
    assert named in refusal(capsys, *WORDS, *words)


def test_the_command_shows_and_keeps_the_bound(folder, capsys):
    words = "sweep data.txt --method sdca --loss smoothed-hinge --lam 1e-1 --tol 1e-6 --out results".split()
    assert cli.main(words) == 0
    out, kept = capsys.readouterr().out, json.loads((folder / "results" / "sweep.json").read_text(encoding="utf-8"))
    (cell,) = kept["cells"]
    assert cell["gap"] <= cell["gap_bound"] <= 1e-6
    assert "gap <=" in out.splitlines()[0]
    assert shown_bound(cell["gap_bound"]) in out


@pytest.mark.parametrize("bound", [0.12345, 1e-7 / 3, 2.4e-19, 9.9999e10, 0.0, 5e-324, 1.7976931348623157e308])
@pytest.mark.parametrize("digits", [3, 6])
def test_a_bound_is_shown_rounded_up(bound, digits):
    assert Fraction(bound) <= Fraction(shown_bound(bound, digits)) <= Fraction(bound) * (1 + Fraction(10, 10**digits))


def test_a_second_sweep_leaves_the_first_result_and_the_same_one_again_replaces_its_own(folder):
    words = "sweep data.txt --method sdca --loss smoothed-hinge --lam 1e-1 --out results --tol".split()
    for tol, due in (("1e-3", 1), ("1e-6", 2), ("1e-6", 2), ("1e-3", 2)):
        assert cli.main([*words, tol]) == 0
        kept = sorted((folder / "results").glob("sweep*.json"))
        assert len(kept) == due, (tol, kept)
    (folder / "results" / "sweep.json").write_text("mine")
    assert cli.main([*words, "1e-3"]) == 0 and (folder / "results" / "sweep.json").read_text() == "mine"
