"""``dualgap port new``: every skeleton starts, echoes, skips, refuses what is no request, and stops; nothing is
overwritten.
"""

import json
import re
import shutil
import subprocess

import pytest
from support import by_day

from dualgap.proofs_checks.cli import main as cli
from dualgap.proofs_checks.conformance.ports.run import conform
from dualgap.proofs_checks.conformance.ports.skeleton import HOME, LANGUAGES, write_port
from dualgap.proofs_checks.conformance.protocol.port import Port
from dualgap.proofs_checks.conformance.vectors.load import load

CASES = list(load().cases.values())[::400]


def built(language, folder):
    """The path of a skeleton's run; a skip where its tool chain is not there."""
    about = LANGUAGES[language]
    if shutil.which(about.needs) is None:
        pytest.skip(f"there is no {about.needs} on the PATH, which a port in {about.title} needs")
    write_port(language, "a-port-2", folder)
    return str(folder / "run")


@pytest.mark.parametrize("language", by_day(LANGUAGES, "python", "c"))
def test_a_skeleton_starts_echoes_skips_and_stops(language, tmp_path):
    run = built(language, tmp_path / "port")
    with Port([run], 60.0) as port:
        report = conform(port, CASES, seconds=0)
    assert (
        report.complaints == []
        and report.about["name"] == "a-port-2"
        and report.about["language"]
        and report.about["version"]
    )
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
    assert (
        done.returncode == 0
        and "error" in first
        and "error" in second
        and "skipped" in third
        and (second["seq"], third["seq"]) == (7, 8)
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_files_of_a_skeleton(language, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert cli.main(["port", "new", language, "--name", "dual-free2"]) == 0
    files = {
        path.relative_to(tmp_path / "dual-free2").as_posix(): path for path in tmp_path.rglob("*") if path.is_file()
    }
    assert {"README.md", "run", ".github/workflows/conformance.yml", LANGUAGES[language].source} <= set(files)
    assert files["run"].stat().st_mode & 0o111 == 0o111
    texts = {place: path.read_text(encoding="utf-8") for place, path in files.items()}
    assert [
        place for place, text in texts.items() if re.search(r"my.?port|MY_|\.template|dot-", text, flags=re.I)
    ] == []
    assert (
        "dual-free2" in texts[LANGUAGES[language].source]
        and LANGUAGES[language].setup in texts[".github/workflows/conformance.yml"]
    )
    out = capsys.readouterr().out
    assert all(place in out for place in files) and "dualgap conform -- dual-free2/run" in out
    assert max(len(text.splitlines()) for text in texts.values()) < 250


def test_the_workflow_is_yaml_with_steps(tmp_path):
    yaml = pytest.importorskip("yaml")
    for language in LANGUAGES:
        write_port(language, folder=tmp_path / language)
        content = yaml.safe_load((tmp_path / language / ".github" / "workflows" / "conformance.yml").read_text())
        steps = content["jobs"]["conform"]["steps"]
        assert len(steps) >= 6 and all("run" in step or "uses" in step for step in steps)


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["cobol"], "there is no skeleton for 'cobol'; there are c, cpp, go"),
        (["go", "--name", "My Port"], "is no name"),
        (["go", "--name", "../a"], "is no name"),
        (["go", "--name", ""], "is no name"),
        (["go", "--out", "here"], "here exists, and nothing is overwritten"),
    ],
)
def test_what_is_refused_is_one_line_and_writes_nothing(words, reason, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "here").write_text("mine")
    assert cli.main(["port", "new", *words]) == 2
    err = capsys.readouterr().err
    assert reason in err and err.count("\n") == 1 and [path.name for path in tmp_path.iterdir()] == ["here"]


def test_the_languages_are_the_templates_and_none_is_code_as_it_lies():
    assert sorted(path.name for path in HOME.iterdir()) == sorted(["common", *LANGUAGES])
    assert [path for path in HOME.rglob("*") if path.is_file() and path.suffix != ".template"] == []
