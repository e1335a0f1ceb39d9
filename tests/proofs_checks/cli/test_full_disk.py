"""What a command has found is printed, and it says what could not be written."""

import errno
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from dualgap.fast.data import atomic_file
from dualgap.proofs_checks.auditing import dispatch
from dualgap.proofs_checks.auditing.audit import examine_claim
from dualgap.proofs_checks.claims.registry import REFUTED, select
from dualgap.proofs_checks.claims.run import Run
from dualgap.proofs_checks.cli import main as cli
from dualgap.proofs_checks.report import templating
from dualgap.reference.problem.validate import NotWritten


def full(*given):
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.needs(*templating.MAKERS)
def test_an_audit_keeps_its_table_and_says_which_files_are_missing(tmp_path, monkeypatch, capsys):
    words = ["audit", "aspdc.lemma-2", "aspdc.theorem-2.root", "--quick", "--out", str(tmp_path)]
    assert cli.main(words) == 0, "the control"
    out, err = capsys.readouterr()
    table = [line.split()[:3] for line in out.splitlines() if line.startswith("aspdc.")]
    assert len(table) == 2 and str(tmp_path / "report.html") in out and "not written" not in err
    for path in tmp_path.iterdir():
        path.unlink()
    monkeypatch.setattr(atomic_file, "replacing", full)
    assert cli.main(words) == 1
    out, err = capsys.readouterr()
    assert [line.split()[:3] for line in out.splitlines() if line.startswith("aspdc.")] == table, (
        "a file that is missing changed a verdict"
    )
    assert (
        "Verdict: pass" in out
        and "report.html" not in out
        and [path.suffix for path in tmp_path.iterdir()] == [".json"]
    )
    for name in ("report.json", "report.html"):
        assert f"dualgap audit: warning: {tmp_path / name} was not written (No space left on device)\n" in err
    monkeypatch.setattr(dispatch, "replacing", full)
    assert cli.main(words) == 1
    out, _ = capsys.readouterr()
    lost = (
        f"its counterexample was not stored: {tmp_path}/counterexample-aspdc.theorem-2.root.json was not written (No"
        " space left on device)"
    )
    assert "Verdict: fail" in out and "ERROR" in out and lost in out, "a refutation without its evidence"


def test_evidence_passes_through_no_temporary_file(tmp_path, monkeypatch):
    """What a worker does with a claim, where the folder of temporary files is full: the counterexample is in its
    answer.
    """
    monkeypatch.setattr(tempfile, "mkdtemp", full)
    monkeypatch.setattr(tempfile, "mkstemp", full)
    work = dispatch.Examination(examine_claim, Run(size="quick"), tmp_path)
    (row,) = work(dispatch.items_of(select(["aspdc.theorem-2.root"])))
    assert row.status == REFUTED and json.loads(row.counterexample)["chain"] and list(tmp_path.iterdir()) == []
    assert Path(work.stored(row).counterexample).read_text() == row.counterexample


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no /dev/full")
@pytest.mark.parametrize("words", [["claims"], ["new", "data"], ["claims", "--json"]])
def test_a_full_standard_output_is_one_line(words):
    with open("/dev/full", "w") as device:
        run = subprocess.run(
            [sys.executable, "-m", "dualgap.proofs_checks.cli.main", *words],
            stdout=device,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert (run.returncode, run.stderr) == (
        1,
        f"dualgap {words[0]}: standard output cannot be written (No space left on device)\n",
    )


def test_a_text_takes_the_place_of_the_old_one_as_a_whole_or_not_at_all(tmp_path, monkeypatch):
    path = tmp_path / "report.json"
    assert atomic_file.write_text(path, "old") and path.read_text() == "old"
    monkeypatch.setattr(atomic_file.os, "fsync", full)
    with pytest.warns(NotWritten, match=r"report\.json was not written \(No space left on device\)"):
        assert not atomic_file.write_text(path, "new")
    assert path.read_text() == "old" and list(tmp_path.iterdir()) == [path]
