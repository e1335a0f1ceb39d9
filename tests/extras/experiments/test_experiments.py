"""``dualgap reproduce``: every experiment runs, resumes, and gives each published claim one of three verdicts."""

import json
import math
import re

import numpy as np
import pytest
from support import ROOT, by_day, command, written_without_matplotlib

from dualgap.extras.experiments.adaspdc import experiments as adaspdc
from dualgap.extras.experiments.pgs import experiments as pgs
from dualgap.fast.methods.pgs import FastPGS
from dualgap.proofs_checks import experiments
from dualgap.proofs_checks.cli import main as cli
from dualgap.proofs_checks.experiments import Experiment, Finding, Summary, runs, seed
from dualgap.reference.methods.adaspdc import instability

pytestmark = pytest.mark.usefixtures("empty_folder")  # every test works in a separate folder
CLI = "dualgap.proofs_checks.cli.reproduce.experiments"  # where the command looks experiments up
VERDICTS = ("reproduced", "not reproduced", "cannot be tested")
TOY = "rows=200 ds=2 spreads=1 lams=1.0 repetitions=2 ms=50,200 target=0.3 cap=200 every=50"
DATA = "data=aspdc-synthetic:n=8 lams=1e-4,1e-8 passes=4 repetitions=2"
CURVES = "data=aspdc-synthetic:n=8 lams=1e-2 passes=4 repetitions=2"
TO_A_GAP = "data=aspdc-synthetic:n=8 lams=0.5,1e-2 tol=1e-2 max_passes=30 repetitions=2"
SMALL = {
    "aspdc-fig1": CURVES,
    "aspdc-fig2": CURVES,
    "aspdc-fig3": CURVES.replace("passes=4", "passes=18"),
    "aspdc-table3": TO_A_GAP,
    "aspdc-table5": TO_A_GAP,
    "spdc-fig1": "n=12 d=6 lams=1e-2,1e-4 passes=3 repetitions=2",
    "spdc-fig2": DATA,
    "spdc-fig3": DATA,
    "adaspdc-fig1": "n=12 d=6 lams=1e-2,1e-6 passes=3 repetitions=2",
    "adaspdc-fig2": CURVES,
    "adaspdc-fig3": CURVES,
    "adaspdc-divergence": "n=8 ds=4 factors=3.0,20.0 passes=3 repetitions=2",
    "pgs-fig9": TOY,
}


def reproduce(capsys, name, changes=""):
    """(exit status, standard output, standard error) of the command, with --json."""
    words = [word for change in changes.split() for word in ("--set", change)]
    return command(capsys, "reproduce", name, "--out", "out", "--json", *words)


@pytest.mark.parametrize("rendered", by_day([False, True], False))
@pytest.mark.parametrize("name", experiments.experiments())
def test_every_experiment_runs_from_end_to_end_and_gives_each_claim_a_legal_verdict(
    name, rendered, capsys, empty_folder, monkeypatch
):
    """By day matplotlib does not write the pictures: two thirds of the time."""
    if not rendered:
        written_without_matplotlib(monkeypatch)
    assert name in SMALL, f"give {name} small options in this file"
    status, out, err = reproduce(capsys, name, SMALL[name])
    assert status == 0
    folder, facts = empty_folder / "out" / name, json.loads(out)
    assert facts == json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    assert facts["findings"] and all(finding["verdict"].startswith(VERDICTS) for finding in facts["findings"])
    assert all(finding["paper"] and finding["measured"] for finding in facts["findings"])
    assert facts["tables"] and all(len(row) == len(one["columns"]) for one in facts["tables"] for row in one["rows"])
    page = (folder / "summary.md").read_text(encoding="utf-8")
    assert "nan" not in page.split(), "a summary shows no missing number"
    assert page.count("![") == len(list(folder.glob("*.svg")))
    cells = (folder / "cells.jsonl").read_text(encoding="utf-8")
    assert f"[{len(cells.splitlines())}/{len(cells.splitlines())}]" in err, "a cell occurs twice"
    assert reproduce(capsys, name, SMALL[name])[:2] == (0, out)
    assert (folder / "cells.jsonl").read_text(encoding="utf-8") == cells, "the second run computed something"


def test_every_experiment_is_listed_with_its_options(capsys):
    assert cli.main(["reproduce", "--json"]) == 0
    listed = json.loads(capsys.readouterr().out)
    assert sorted(listed) == sorted(experiments.experiments())
    assert all(entry["title"] and entry["options"] for entry in listed.values())


def test_the_pages_of_the_documentation_name_every_experiment_and_no_other():
    pages = [path.read_text(encoding="utf-8") for path in (ROOT / "docs/experiments").iterdir()]
    named = re.findall(r"^To repeat this experiment, run `dualgap reproduce ([\w-]+)`", "\n".join(pages), re.M)
    gone = [page for page in pages if "This was measured with version 0.1.0, the last version that has" in page]
    assert set(named) == set(experiments.experiments()) and len(named) + len(gone) == len(pages)


@pytest.fixture
def counting(monkeypatch):
    """An experiment of four cells that notes which of them it ran, and is interrupted before the cell in ``stop``."""
    ran, stop = [], []

    def run(cell, options):
        if cell["k"] in stop:
            raise KeyboardInterrupt
        ran.append(cell["k"])
        return {"square": cell["k"] ** 2 * options["scale"]}

    def summary(results, options):
        return Summary([Finding("squares grow", str([result["square"] for _, result in results]), "reproduced")], [])

    found = Experiment("squares", {"scale": 1}, lambda options: [{"k": k} for k in range(4)], run, summary)
    monkeypatch.setattr(CLI, lambda: {"counting": found})
    return ran, stop


def test_an_interrupt_exits_1_and_the_next_run_goes_on_from_there(capsys, counting, empty_folder):
    ran, stop = counting
    stop.append(2)
    status, out, _ = reproduce(capsys, "counting")
    assert (status, json.loads(out)) == (1, {"experiment": "counting", "finished": 2, "total": 4})
    assert not (empty_folder / "out/counting/summary.json").exists()
    stop.clear()
    status, out, _ = reproduce(capsys, "counting")
    assert (status, ran) == (0, [0, 1, 2, 3])
    assert json.loads(out)["findings"][0]["measured"] == "[0, 1, 4, 9]"


@pytest.mark.parametrize("rest", ["", "{", '{"options": {"scale": 1}, "cell": {"k": 3}, "result"'])
def test_a_line_that_was_cut_off_is_ignored_and_its_cell_run_again(rest, capsys, counting, empty_folder):
    ran, _ = counting
    _, out, _ = reproduce(capsys, "counting")
    path = empty_folder / "out/counting/cells.jsonl"
    path.write_text("\n".join(path.read_text(encoding="utf-8").splitlines()[:3]) + "\n" + rest)
    assert reproduce(capsys, "counting")[:2] == (0, out)
    assert ran == [0, 1, 2, 3, 3]
    assert json.loads(path.read_text(encoding="utf-8").splitlines()[-1])["cell"] == {"k": 3}, (
        "the new line begins on a line of its own"
    )


def test_cells_of_other_options_are_kept_and_not_used(capsys, counting):
    ran, _ = counting
    reproduce(capsys, "counting")
    _, out, _ = reproduce(capsys, "counting", "scale=2")
    assert ran == [0, 1, 2, 3] * 2
    assert json.loads(out)["findings"][0]["measured"] == "[0, 2, 8, 18]"
    reproduce(capsys, "counting")
    assert ran == [0, 1, 2, 3] * 2


@pytest.mark.parametrize(
    "name, changes, words",
    [
        ("pgs-fig10", "", "unknown experiment 'pgs-fig10'; known: "),
        ("pgs-fig9", "rows", "--set takes OPTION=VALUE with OPTION one of rows, ds,"),
        ("pgs-fig9", "depth=3", "--set takes OPTION=VALUE with OPTION one of rows, ds,"),
        ("pgs-fig9", "rows=many", "option rows must be like 200000 (got 'many')"),
        ("spdc-fig1", "unit_rows=maybe", "option unit_rows must be like False (got 'maybe')"),
        ("pgs-fig9", "ms=3000,300000", "every m must lie in 1..rows = 200000 (got 3000..300000)"),
        ("pgs-fig9", "lams=1.0", "lams must have one entry for each of the 2 spreads (got 1)"),
        ("pgs-fig9", "every=70", "cap must be a multiple of every (got 120000 and 70)"),
        ("aspdc-fig1", "passes=0", "passes must be >= 1 (got 0)"),
        ("aspdc-fig1", "data=spdc-synthetic", "smoothed-hinge"),
        ("aspdc-table3", "data=none.svm", "none.svm: there is no such file"),
        ("aspdc-table5", "tol=0.0", "tol must be > 0 (got 0.0)"),
        ("adaspdc-divergence", "n=1", "n must be >= 2 (got 1)"),
    ],
)
def test_options_that_cannot_be_meant_are_refused_in_one_line_before_anything_runs(
    name, changes, words, capsys, empty_folder
):
    status, out, err = reproduce(capsys, name, changes)
    assert (status, out) == (2, "")
    assert words in err and len(err.splitlines()) == 1, err
    assert not list(empty_folder.rglob("cells.jsonl"))


@pytest.mark.parametrize("verdict", ["", "true", "Reproduced", "partly reproduced"])
def test_a_verdict_that_is_none_of_the_three_is_refused(verdict):
    with pytest.raises(ValueError, match="a verdict begins with reproduced, not reproduced or cannot be tested"):
        Finding("a claim", "a number", verdict)


def test_a_verdict_says_at_how_many_settings_a_claim_does_not_hold():
    given = [[True, True], [False], [True, False, False], []]
    expected = [
        "reproduced",
        "not reproduced",
        "not reproduced at 2 of 3 settings",
        "cannot be tested: no such setting was run",
    ]
    assert [runs.verdict(holds) for holds in given] == expected


def heavy_row(n, d, factor, lam):
    return adaspdc.heavy_row({"d": d, "factor": factor, "repetition": 0}, {"n": n, "lam": lam})


def test_the_suboptimality_of_ridge_regression_is_p_minus_its_minimum():
    problem = heavy_row(6, 3, 5.0, 0.5).problem
    X, y = problem.X, np.array(problem.y)
    suboptimality, best = runs.ridge_suboptimality(problem), np.linalg.solve(X.T @ X / 6 + 0.5 * np.eye(3), X.T @ y / 6)
    P = [np.mean((X @ w - y) ** 2) / 2 + 0.25 * w @ w for w in (np.ones(3), best)]
    assert suboptimality(best) < 1e-28  # both solve a system of condition at most 1 + 2 ||X||^2/6 < 20
    assert suboptimality(np.ones(3)) == pytest.approx(P[0] - P[1], rel=1e-12)


def test_the_heavy_row_has_the_norm_and_the_instability_index_asked_for():
    problem = heavy_row(10, 4, 7.0, 1e-3).problem
    assert np.allclose(np.linalg.norm(problem.X, axis=1), [7.0] + [1.0] * 9, rtol=1e-15, atol=0)
    assert instability(problem) == pytest.approx(7 * (9 + 1 / 7) / 10, rel=1e-14)


def test_adaspdc_diverges_on_a_heavy_row_where_its_repair_does_not():
    options, cell = {"n": 100, "lam": 1e-4, "passes": 40}, {"d": 100, "factor": 20.0, "repetition": 0}
    curves = [
        adaspdc.DIVERGENCE.run({**cell, "method": name}, options)["values"] for name in ("adaspdc", "adaspdc-r a")
    ]
    ends = [values[-1] / values[0] for values in curves]
    assert ends[0] > 1e6 and ends[1] < 0.5, ends


def test_the_sample_is_one_window_of_m_rows():
    choices = pgs.sample(rows=1000, m=50, cap=5000, seed=1)[:, 0]
    # Each of the 50 rows is missing from 5000 draws with the probability 0.98^5000 = 1e-44.
    start = min(choices)
    assert sorted(set(choices.tolist())) == list(range(start, start + 50)) and 0 <= start <= 950


def test_the_first_hit_is_the_first_look_at_which_an_uninterrupted_run_is_close_enough():
    options = {"rows": 400, "cap": 2000, "every": 50, "target": 0.05}
    cell = {"spread": 1, "lam": 0.1, "d": 3, "m": 300, "repetition": 0}
    problem, direction = pgs.toy(400, 3, 1, 0.1), np.full(3, 3**-0.5)
    choices, method = pgs.sample(400, 300, 2000, seed("pgs-toy", 3, 1, 300, 0)), FastPGS(output="last")
    ws = [method.w_of(problem, method.run(problem, choices[:t])) for t in range(50, 2001, 50)]
    looks = [float(np.linalg.norm(w / np.linalg.norm(w) - direction)) for w in ws]
    hits = [50 * (k + 1) for k, value in enumerate(looks) if value <= 0.05]
    assert hits and hits[0] > 50, "the target is neither too easy nor out of reach"
    assert pgs.run(cell, options) == {"hit": hits[0]}
    assert pgs.run(cell, {**options, "target": 0.0}) == {"hit": None}


def line(*hits):
    """A line with m = 1, 2, ...; every entry has the rounds of the repetitions, infinite for those that never hit."""
    return {m: runs.quartiles(of_m) for m, of_m in enumerate(hits, 1)}


@pytest.mark.parametrize(
    ("one", "verdicts"),
    [
        (line([80] * 3, [40] * 3, [20] * 3, [10] * 3), ["reproduced", "not reproduced"]),
        (line([math.inf] * 3, [90] * 3, [11, 12, 13], [9, 10, 12]), ["reproduced", "reproduced"]),
        (line([5], [5]), ["not reproduced", "not reproduced"]),
        (line([5], [math.inf]), ["cannot be tested: no median run hit"] * 2),
    ],
)
def test_a_threshold_and_a_plateau_are_told_from_a_steady_fall(one, verdicts):
    assert [finding.verdict for finding in pgs.findings({"d = 1": one}, "rounds")] == verdicts


def test_a_finding_is_by_somebody_known():
    with pytest.raises(ValueError, match="by is paper, code or reader .got 'rumour'."):
        Finding("a", "b", "reproduced", by="rumour")
