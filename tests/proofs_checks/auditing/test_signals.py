"""An audit in several processes that is ended by a signal leaves no process, no temporary folder and no traceback."""

import contextlib
import dataclasses
import os
import signal
import subprocess
import sys
import time

import pytest
from support import by_day

from dualgap.fast.data import temporary
from dualgap.proofs_checks.auditing import audit as auditing
from dualgap.proofs_checks.claims.registry import all_claims
from dualgap.proofs_checks.claims.run import Run

pytestmark = [pytest.mark.needs("joblib"), pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")]
AUDIT = [sys.executable, "-m", "dualgap", "audit", "adaspdc", "spdc", "--quick", "--jobs", "2", "--out"]


def children(pid):
    """The processes that a process has started."""
    with contextlib.suppress(OSError):
        return [
            int(word)
            for task in os.listdir(f"/proc/{pid}/task")
            for word in open(f"/proc/{pid}/task/{task}/children").read().split()
        ]
    return []


def running(pid):
    """Whether there is such a process that has not ended."""
    try:
        return open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.mark.skipif(
    not os.path.exists(f"/proc/{os.getpid()}/task/{os.getpid()}/children"),
    reason="this system does not tell the children of a process",
)
@pytest.mark.parametrize(
    "number", by_day([signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGKILL], signal.SIGINT)
)
def test_nothing_is_left_after_a_signal(number, tmp_path, monkeypatch):
    folder = tmp_path / "tmp"
    folder.mkdir()
    with open(tmp_path / "err", "w") as err, open(tmp_path / "out", "w") as out:
        defaults = lambda: [
            signal.signal(one, signal.SIG_DFL) for one in (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
        ]  # noqa: E731
        audit = subprocess.Popen(
            [*AUDIT, str(tmp_path / "report")],
            stdout=out,
            stderr=err,
            env={**os.environ, "TMPDIR": str(folder)},
            preexec_fn=defaults,
            start_new_session=True,
        )
    until = time.monotonic() + 240
    while "[4/" not in (tmp_path / "err").read_text() and time.monotonic() < until:
        time.sleep(0.2)
    workers = children(audit.pid)
    assert len(workers) >= 2 and len(list(folder.glob("dualgap-*"))) == 2, "the control: there is something to leave"
    audit.send_signal(number)
    assert audit.wait(120) == (-number if number == signal.SIGKILL else 1)
    until = time.monotonic() + 30
    while any(map(running, workers)) and time.monotonic() < until:
        time.sleep(0.1)
    said = (tmp_path / "err").read_text()
    assert [pid for pid in workers if running(pid)] == [] and "Traceback" not in said, said
    if number == signal.SIGKILL:
        monkeypatch.setattr(temporary.tempfile, "tempdir", str(folder))
        assert list(folder.iterdir()), "the control"
        temporary.remove_left()
    else:
        assert "Interrupted" in (tmp_path / "out").read_text()
    assert list(folder.iterdir()) == []


def test_the_folder_of_a_process_that_lives_stays(tmp_path, monkeypatch):
    monkeypatch.setattr(temporary.tempfile, "tempdir", str(tmp_path))
    (tmp_path / "dualgap-without-owner").mkdir()
    with temporary.temporary_folder() as mine:
        temporary.remove_left()
        assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["dualgap-without-owner", mine.parent.name])
    assert [path.name for path in tmp_path.iterdir()] == ["dualgap-without-owner"]


@pytest.mark.parametrize("before", [signal.SIG_IGN, signal.SIG_DFL])
def test_a_signal_that_is_ignored_stays_ignored(before):
    from dualgap.fast.solver.interrupts import interrupted_by_signals

    kept = signal.signal(signal.SIGHUP, before)
    try:
        with interrupted_by_signals():
            assert signal.getsignal(signal.SIGHUP) is (
                signal.SIG_IGN if before is signal.SIG_IGN else signal.default_int_handler
            )
        assert signal.getsignal(signal.SIGHUP) is before
    finally:
        signal.signal(signal.SIGHUP, kept)


def swallow(*_):
    """What gmpy2 does to an interrupt while it reads a Fraction."""
    try:
        signal.raise_signal(signal.SIGINT)
    except KeyboardInterrupt:
        raise SystemError("Object does not appear to be Fraction") from None


def test_an_interrupt_that_becomes_another_error_ends_the_audit_all_the_same(sigint_interrupts, monkeypatch):
    claim = all_claims()["aspdc.a17"]
    broken = dataclasses.replace(claim, evidence=(swallow,))
    run = Run(size="quick", entropy=1)
    with pytest.raises(KeyboardInterrupt):
        auditing.examine_claim(broken, run, None)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    monkeypatch.setattr(auditing, "kept_interrupt", contextlib.nullcontext)  # the control: it was an error of the claim
    assert auditing.examine_claim(broken, run, None).status == "ERROR"
