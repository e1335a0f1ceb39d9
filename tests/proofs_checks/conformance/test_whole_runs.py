"""``solve --choices FILE``: a run is recorded, repeated bit for bit from its choices, and repeated by a port."""

import json
import shutil

import pytest
from support import ROOT, refusal

from dualgap.proofs_checks.cli.main import main
from dualgap.proofs_checks.conformance.protocol.hex_floats import decode
from dualgap.proofs_checks.conformance.protocol.port import Port

PORTS = ROOT / "ports"
SVM = ["--loss", "smoothed-hinge", "--lam", "0.5", "--tol", "1e-4"]


@pytest.fixture
def data(tmp_path):
    lines = [
        f"{1 if (3 * i + i * i) % 7 < 3 else -1} "
        + " ".join(f"{j + 1}:{((i * 7 + j * 13) % 19 - 9) / 8}" for j in sorted({i % 9, (i * i) % 9, (i + 5) % 9}))
        for i in range(30)
    ]
    path = tmp_path / "rows.svm"
    path.write_text("\n".join(lines) + "\n")
    return str(path)


def solved(data, path, *words):
    return main(["solve", data, *SVM, "--choices", str(path), *words])


def refused(capsys, data, path, *words):
    return refusal(capsys, "solve", data, *SVM, "--choices", str(path), *words)


def read(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


@pytest.mark.parametrize("method", ["aspdc", "sdca", "spdc", "pgs", "sdca-shrinking", "svrg"])
def test_a_run_is_written_and_made_again(method, data, tmp_path, capsys):
    path, words = (
        tmp_path / "run.jsonl",
        ["--method", method, "--max-epochs", "6", "--tol", "1e-3", "--json", "--mode", "sharp"],
    )
    first, facts = solved(data, path, *words), json.loads(capsys.readouterr().out)
    run, *passes, end = read(path)
    assert (run["method"], run["seed"], run["n"]) == (method, 0, 30)
    assert end["passes"] == len(passes) > 0
    assert len(end["alpha"]) == 30
    before = path.read_bytes()
    assert solved(data, path, *words) == first
    again = json.loads(capsys.readouterr().out)
    assert path.read_bytes() == before
    assert [again[name] for name in ("primal", "dual", "gap", "epochs")] == [
        facts[name] for name in ("primal", "dual", "gap", "epochs")
    ]
    assert solved(data, path, *words, "--backend", "reference") == first, "the reference makes the same steps"


def test_the_choices_decide_and_not_the_seed(data, tmp_path, capsys):
    """Another row in the last step of the file: another run, which the bits at its end show."""
    path = tmp_path / "run.jsonl"
    words = ["--method", "sdca", "--tol", "1e-300", "--max-epochs", "2"]
    assert solved(data, path, *words) == 1
    run, *passes, end = read(path)
    passes[-1]["choices"][-1] = (passes[-1]["choices"][-1] + 1) % 30
    path.write_text("".join(json.dumps(line) + "\n" for line in (run, *passes, end)))
    capsys.readouterr()
    assert "has other bits" in refused(capsys, data, path, *words)


@pytest.mark.parametrize("language", ["c", "rust"])
@pytest.mark.parametrize("method", ["aspdc", "sdca", "spdc", "pgs"])
def test_a_port_repeats_the_run(language, method, data, tmp_path):
    """To the bits; of SPDC and PGS, whose compiled forms are lazy, up to 10^4 roundings of numbers below 4."""
    if shutil.which({"c": "cc", "rust": "rustc"}[language]) is None:
        pytest.skip(f"no compiler for ports/{language}")
    path = tmp_path / "run.jsonl"
    solved(data, path, "--method", method, "--max-epochs", "3", "--mode", "sharp")
    run, *passes, end = read(path)
    given = {name: run[name] for name in ("method", "problem", "parameters", "state")}
    with Port([str(PORTS / language / "run")]) as port:
        last = port.run("last", given | {"choices": [choice for one in passes for choice in one["choices"]]})
        view = port.run("view", {"method": run["method"], "problem": run["problem"], "state": last.result["state"]})
    for name in ("w", "alpha"):
        got, due = [[decode(x) for x in pair[name]] for pair in (view.result, end)]
        assert got == due if method in ("aspdc", "sdca") else got == pytest.approx(due, rel=0, abs=1e-11), name


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--method", "aspdc", "--mode", "sharp"], "with method 'sdca', not 'aspdc'"),
        (["--method", "sdca", "--seed", "1"], "with seed 0, not 1"),
        (["--method", "sdca", "--tol", "1e-12"], "the run needs more"),
        (["--method", "sdca", "--checkpoint", "x"], "excludes --checkpoint"),
        (["--method", "passcode-atomic", "--threads", "2"], "--choices requires one thread"),
    ],
)
def test_what_does_not_fit_the_file_is_one_line(words, said, data, tmp_path, capsys):
    path = tmp_path / "run.jsonl"
    assert solved(data, path, "--method", "sdca") == 0
    capsys.readouterr()
    assert said in refused(capsys, data, path, *words)


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}\n{}", '{"choices":1}\n{"pass":1,"choices":[0]}\n{"passes":1}', '{"choices":1}\n{"passes":0}\n\xff'],
)
def test_a_file_that_is_none_is_one_line(text, data, tmp_path, capsys):
    path = tmp_path / "run.jsonl"
    path.write_bytes(text.encode("latin-1"))
    assert "is not a file of choices" in refused(capsys, data, path, "--method", "sdca")


def test_a_choice_outside_the_rows_is_refused(data, tmp_path, capsys):
    path = tmp_path / "run.jsonl"
    assert solved(data, path, "--method", "sdca") == 0
    run, *passes, end = read(path)
    passes[0]["choices"][0] = 30
    path.write_text("".join(json.dumps(line) + "\n" for line in (run, *passes, end)))
    capsys.readouterr()
    refused(capsys, data, path, "--method", "sdca")
