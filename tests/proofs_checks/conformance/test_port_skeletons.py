"""What an author of a port is given: ``dualgap new port``, the tutorial, and the draws of seeds."""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support import ROOT, by_day, printed, refusal

from dualgap.proofs_checks.cli import main as cli
from dualgap.proofs_checks.conformance.ports.run import conform
from dualgap.proofs_checks.conformance.ports.skeleton import HOME, LANGUAGES, write_port
from dualgap.proofs_checks.conformance.protocol.port import Port
from dualgap.proofs_checks.conformance.vectors import load as vectors
from dualgap.proofs_checks.conformance.vectors.load import load
from dualgap.reference.methods import sampling

CASES = list(load().cases.values())[::400]


def built(language, folder):
    """The path of a skeleton's run; a skip where its tool chain is not there."""
    about = LANGUAGES[language]
    if shutil.which(about.needs) is None:
        pytest.skip(f"there is no {about.needs} on the PATH, which a port in {about.title} needs")
    write_port(language, "a-port-2", folder)
    return str(folder / "run")


@pytest.mark.parametrize("language", by_day(LANGUAGES, "c", "javascript"))
def test_a_skeleton_starts_echoes_skips_and_stops(language, tmp_path):
    run = built(language, tmp_path / "port")
    with Port([run], 60.0) as port:
        report = conform(port, CASES, seconds=0)
    assert report.complaints == []
    assert report.about["name"] == "a-port-2"
    assert report.about["language"]
    assert report.about["version"]
    assert report.counts() == {"skipped": len(CASES)} and report.verdict == "empty" and port.pipe.starts == 1
    lines = [
        "no JSON",
        '{"seq":7,"op":"echo","numbers":["1.5"]}',
        '{"seq":8,"op":"run","call":"gap","given":{"primal":"","w":[],"a":[{"b":-1}]}}',
        '{"seq":9,"op":"stop"}',
        '{"seq":10,"op":"start","protocol":1}',
    ]
    done = subprocess.run([run], input="\n".join(lines) + "\n", capture_output=True, text=True, timeout=600)
    first, second, third = [json.loads(line) for line in done.stdout.splitlines()]
    assert done.returncode == 0
    assert "error" in first
    assert "error" in second
    assert "skipped" in third
    assert (second["seq"], third["seq"]) == (7, 8)


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_files_of_a_skeleton(language, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["new", "port", language, "--name", "dual-free2"]) == 0
    files = {
        path.relative_to(tmp_path / "dual-free2").as_posix(): path for path in tmp_path.rglob("*") if path.is_file()
    }
    assert {"README.md", "run", ".github/workflows/conformance.yml", LANGUAGES[language].source} <= set(files)
    assert files["run"].stat().st_mode & 0o111 == 0o111
    texts = {place: path.read_text(encoding="utf-8") for place, path in files.items()}
    assert [
        place for place, text in texts.items() if re.search(r"my.?port|MY_|\.template|dot-", text, flags=re.I)
    ] == []
    assert "dual-free2" in texts[LANGUAGES[language].source]
    assert LANGUAGES[language].setup in texts[".github/workflows/conformance.yml"]
    out = capsys.readouterr().out
    assert all(place in out for place in files) and "dualgap conform -- dual-free2/run" in out
    assert max(len(text.splitlines()) for text in texts.values()) < 250


def test_the_workflow_is_yaml_with_steps(tmp_path):
    yaml = pytest.importorskip("yaml")
    for language in LANGUAGES:
        write_port(language, folder=tmp_path / language)
        content = yaml.safe_load((tmp_path / language / ".github" / "workflows" / "conformance.yml").read_text())
        steps = content["jobs"]["conform"]["steps"]
        assert len(steps) >= 5 and all("run" in step or "uses" in step for step in steps)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["cobol"], "there is no skeleton for 'cobol'; there are c, cpp, go"),
        (["go", "--name", "My Port"], "is not a valid name"),
        (["go", "--name", "../a"], "is not a valid name"),
        (["go", "--name", ""], "is not a valid name"),
        (["go", "--out", "here"], "here exists, and nothing is overwritten"),
    ],
)
def test_what_is_refused_is_one_line_and_writes_nothing(words, reason, empty_folder, capsys):
    (empty_folder / "here").write_text("mine")
    assert reason in refusal(capsys, "new", "port", *words) and os.listdir() == ["here"]


def test_the_languages_are_the_templates_and_none_is_code_as_it_lies():
    assert sorted(path.name for path in HOME.iterdir()) == sorted(["common", *LANGUAGES])
    assert [path for path in HOME.rglob("*") if path.is_file() and path.suffix != ".template"] == []


FOLDER = ROOT / "docs" / "tutorials"
PAGE = (FOLDER / "port_a_method.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```\{command-output\} (.*)\n((?::.*\n)*)```", re.M)
SAYS = [  # one for each command
    "no greeting from the port",
    "Verdict: empty",
    "Verdict: incomplete: aspdc incomplete",
    "the change is n times the change due",
    "FAILED pgs.step.e.001",
    "2 methods and formulas complete",
    "aspdc.step.e.007",
]


def test_every_command_says_what_the_page_says(empty_folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The commands run in one folder, one after the other, with less time for drawn problems."""
    shutil.copy(FOLDER / "port.py", empty_folder)
    blocks = BLOCK.findall(PAGE)
    assert len(blocks) == len(SAYS) == PAGE.count("command-output")
    for (command, options), words in zip(blocks, SAYS):
        due = int(found[1]) if (found := re.search(r":returncode: (\d)", options)) else 0
        before, _, ours = command.replace("--seconds 1", "--seconds 0.1").rpartition("dualgap ")
        subprocess.run(before, shell=True, check=True)
        asked = [
            sys.executable if word == "python3" else word
            for word in shlex.split(ours.replace("--seconds 1", "--seconds 0.1"))
        ]
        assert words in printed(capsys, *asked, status=due)


def test_the_page_shows_the_whole_file() -> None:
    """The parts that the page includes are all of it, in the order of the file except for the loop."""
    text = (FOLDER / "port.py").read_text(encoding="utf-8")
    shown = ""
    for options in re.findall(r"^```\{literalinclude\} port.py\n((?::.*\n)*)```", PAGE, re.M):
        marks = dict(re.findall(r':([a-z-]+): "(.*)"', options))
        part = text[text.index(marks["start-at"]) :] if "start-at" in marks else text
        shown += part[: part.index(marks["end-before"])] if "end-before" in marks else part
    assert sorted(shown.splitlines()) == sorted(text.splitlines())


def test_the_file_of_draws_is_what_numpy_draws():
    found = json.loads((vectors.HOME / "draws.json").read_text(encoding="utf-8"))
    assert len(found["draws"]) == 144
    for one in found["draws"]:
        order, n, seed, epoch = (one[name] for name in ("order", "n", "seed", "epoch"))
        if order in sampling.ORDERS:
            due = sampling.draw(order, n, seed, epoch, one.get("ends"))
        elif order == "weighted":
            due = sampling.draw_weighted(one["weight"], seed, epoch)
        elif order == "keeps":
            due = sampling.keeps(n, one["T0"], seed, epoch)
        else:
            due = sampling.draw_batches(order, n, one["m"], seed, epoch)
        assert one["choices"] == due.tolist(), one
