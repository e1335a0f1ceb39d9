"""Names, folders and limits that a command finds where it is started: it does its work, or refuses in one line before
the work.
"""

import json
import math
import os
import re
import subprocess
import sys
from importlib import metadata

import numpy as np
import pytest
from support import by_day, refusal, refuses

from dualgap.fast.data import atomic_file, memory_mapped
from dualgap.proofs_checks.cli.main import main
from dualgap.proofs_checks.report import templating, terminal

DATA = "+1 1:0.6 2:0.8\n-1 1:1\n+1 2:0.5\n"
PROBLEM = ["--loss", "squared", "--lam", "0.1", "--tol", "1e-6"]
SMALL = [
    word
    for option in ("data=aspdc-synthetic:n=8", "lams=1e-2", "passes=1", "repetitions=1")
    for word in ("--set", option)
]
WRITERS = {  # commands that are given the name of what they write
    "audit": ["audit", "aspdc.lemma-2", "--quick", "--jobs", "1", "--out"],
    "solve": ["solve", "data", *PROBLEM, "--report"],
    "sweep": ["sweep", "data", *PROBLEM, "--method", "sdca", "--out"],
    "new": ["new", "data", "data", "--map"],
    "reproduce": ["reproduce", "spdc-fig2", *SMALL, "--out"],
}
READERS = {"solve": ["solve"], "sweep": ["sweep"], "new": ["new", "data"]}
REST = {"solve": PROBLEM, "sweep": [*PROBLEM, "--method", "sdca"]}
ODD = os.fsdecode(b"odd-\xff")
PROGRESS = re.compile(r"\[\d+/\d+\]")


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data").write_text(DATA)
    return tmp_path


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="file names are text there")
@pytest.mark.needs(*templating.MAKERS)
@pytest.mark.parametrize("name", by_day(WRITERS, "solve"))
def test_a_name_that_is_not_utf_8_is_written(name, folder):
    ran = subprocess.run([sys.executable, "-m", "dualgap", *WRITERS[name], ODD], capture_output=True, timeout=300)
    said = [line for line in ran.stderr.decode().splitlines() if not PROGRESS.match(line)]
    assert ran.returncode == 0 and len(said) <= 1 and os.path.exists(ODD), (ran.stdout, said)


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="file names are text there")
@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("there", [False, True])
def test_a_name_that_is_not_utf_8_is_read_or_refused(name, there, folder, capsys):
    words = [*READERS[name], ODD, *REST.get(name, [])]
    if there:
        (folder / ODD).write_text(DATA)
    if there:
        assert main(words) == 0
    else:
        assert "odd-\\udcff" in refusal(capsys, *words)


@pytest.mark.parametrize("name", WRITERS)
@pytest.mark.parametrize("out", ["/".join("a" * 2500), "a" * 300], ids=["deep", "long"])
@pytest.mark.needs(*templating.MAKERS)
def test_a_name_that_no_system_has_is_refused_before_the_work(name, out, folder, capsys, monkeypatch):
    monkeypatch.setattr("dualgap.fast.solve", lambda *_, **__: pytest.fail("the work was begun"))
    refusal(capsys, *WRITERS[name], out)
    assert sorted(os.listdir()) == ["data"]


@pytest.mark.skipif(sys.platform == "win32", reason="there a folder in use cannot be removed")
@pytest.mark.parametrize("name", WRITERS)
def test_a_working_folder_that_is_gone_is_one_line(name, tmp_path):
    code = (
        "import os, sys; os.mkdir('x'); os.chdir('x'); os.rmdir('../x'); from dualgap.proofs_checks.cli.main import"
        f" main; sys.exit(main({[*WRITERS[name], 'out']!r}))"
    )
    ran = subprocess.run([sys.executable, "-c", code], cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert (
        ran.returncode == 2
        and ran.stderr == f"dualgap {name}: the current folder no longer exists; change to another one\n"
    )


@pytest.mark.skipif(sys.platform != "linux", reason="RLIMIT_AS is enforced on Linux alone")
@pytest.mark.parametrize(
    "words",
    [
        ["solve", "data", *PROBLEM],
        ["audit", "aspdc.lemma-2", "--quick"],
        ["certify", "w", "a", "data", "--loss", "squared", "--lam", "1"],
    ],
    ids=lambda words: words[0],
)
@pytest.mark.parametrize("limit", by_day([300, 450, 480, 520, 550], 480, 550))
def test_too_little_memory_is_one_line_whatever_the_kernels_cache_holds(words, limit, folder):
    """With an empty cache and without the line, 450 and 480 MB loop in OpenBLAS, 520 and 550 end in LLVM's abort."""
    ran = subprocess.run(
        ["bash", "-c", f'ulimit -v {limit * 1000}; exec "$@"', "bash", sys.executable, "-m", "dualgap", *words],
        env={**os.environ, "XDG_CACHE_HOME": str(folder / "cache")},
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (ran.returncode, ran.stdout, ran.stderr.count("\n")) == (
        2,
        "",
        1,
    ) and "out of memory: this process may have" in ran.stderr, ran.stderr


@pytest.mark.nightly
@pytest.mark.skipif(sys.platform != "linux", reason="RLIMIT_AS is enforced on Linux alone")
def test_the_memory_that_is_needed_suffices_with_an_empty_cache(folder):
    needed = (terminal.LEAST + terminal.LEAST_OF_A_THREAD) // 1024
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache"), "OPENBLAS_NUM_THREADS": "1"}
    command = [
        "bash",
        "-c",
        f'ulimit -v {needed}; exec "$@"',
        "bash",
        sys.executable,
        *"-m dualgap solve data".split(),
        *PROBLEM,
    ]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=300)
    assert ran.returncode == 0 and "converged" in ran.stdout, ran.stderr


def test_an_audit_of_a_checkout_that_is_not_installed_is_refused_at_the_start(folder, capsys, monkeypatch):
    def absent(name):
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "version", absent)
    assert "run pip install -e . in the checkout" in refusal(capsys, *WRITERS["audit"], "out")
    assert not (folder / "out").exists()


@pytest.mark.needs(*templating.MAKERS)
@pytest.mark.parametrize("option", ["--report", "--choices"])
@pytest.mark.parametrize("place", ["nowhere/file", "taken"])
def test_a_file_that_cannot_be_written_is_refused_before_the_run(option, place, folder, capsys, monkeypatch):
    (folder / "taken").mkdir()
    monkeypatch.setattr("dualgap.fast.solve", lambda *_, **__: pytest.fail("the run was begun"))
    assert place in refusal(capsys, "solve", "data", *PROBLEM, option, place)


@pytest.mark.needs(*templating.MAKERS)
def test_a_run_whose_choices_cannot_be_written_is_printed(folder, capsys, monkeypatch):
    words = ["solve", "data", *PROBLEM, "--method", "sdca", "--choices", "c.jsonl", "--json"]
    assert main(words) == 0 and (folder / "c.jsonl").exists(), "the control"
    found = json.loads(capsys.readouterr().out)
    (folder / "c.jsonl").unlink()
    monkeypatch.setattr(
        "dualgap.fast.solver.choices.Recorded.write",
        lambda self, path, *_: (_ for _ in ()).throw(OSError(28, "No space left on device", path)),
    )
    assert main(words) == 1
    out, err = capsys.readouterr()
    assert (
        json.loads(out)["primal"] == found["primal"]
        and err == "dualgap solve: warning: c.jsonl was not written (No space left on device)\n"
    )


def test_the_choices_are_written_before_anything_is_printed(folder, monkeypatch):
    def printed(*_):
        assert os.path.getsize("c.jsonl")
        raise KeyboardInterrupt

    monkeypatch.setattr("dualgap.proofs_checks.cli.solve.print_pairs", printed)
    assert main(["solve", "data", *PROBLEM, "--method", "sdca", "--choices", "c.jsonl"]) == 1


def test_what_can_be_written_is_left_as_it_is(folder):
    (folder / "old").write_text("old")
    atomic_file.require_writable("old")
    assert (folder / "old").read_text() == "old" and sorted(os.listdir()) == ["data", "old"]


@pytest.mark.needs(*templating.MAKERS)
def test_a_bound_that_is_infinite_is_no_bound(folder, capsys):
    assert main("solve data --loss squared --lam 0.1 --tol 1e-6 --l1 1e300 --report r.html --max-epochs 5".split()) == 1
    said = capsys.readouterr().out
    for text in (said, (folder / "r.html").read_text()):
        assert "no certified gap" in text or "can certify at this pair is nothing" in text, text
        assert re.search(r"(<=|≤|&lt;=|reached|gap of) inf\b", text) is None, text
    assert "nothing is certified" in said


def test_a_mapped_folder_has_no_number_that_json_lacks(folder, capsys):
    (folder / "huge").write_text("1 1:1\n-1 1:1e200\n")
    assert "row 1: ||x||^2 is beyond the range of a float" in refusal(capsys, "new", "data", "huge", "--map", "m")
    assert not (folder / "m").exists()
    refuses(ValueError, "not JSON compliant", lambda: memory_mapped.Writer._write_head(Unbounded(folder), {}))


class Unbounded:
    """A writer whose facts are not finite."""

    columns, preparation = 0, ()

    def __init__(self, folder):
        self.folder, self.facts = folder, self
        self.n, self.d = 1, 1

    def told(self):
        return {"R2": math.inf, "labels": np.int64(1).item()}
