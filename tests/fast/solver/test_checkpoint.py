"""A run that is interrupted and goes on is, in every bit, the run that was never interrupted."""

import json
import os
import signal
import subprocess
import sys
from itertools import product

import numpy as np
import pytest
from support import answer, facts, fitting, interrupt_at, refusal, refuses

from dualgap.fast import solve
from dualgap.fast.data.generators import aspdc_synthetic
from dualgap.fast.methods.base import FastMethod
from dualgap.fast.solver import checkpoint, single_run
from dualgap.fast.solver.checkpoint import fingerprint
from dualgap.proofs_checks.cli import main as cli
from dualgap.reference import L2, ElasticNet, Hinge, Logistic, Problem, SmoothedHinge, Squared
from dualgap.reference.problem.validate import NotWritten

DATA = aspdc_synthetic(n=40, d=8, seed=1)
PASSES = 40


def problem_of(name="sdca", lam=0.05, X=DATA.X, y=DATA.y):
    losses, lams = (SmoothedHinge(), Hinge()), (lam, 0.2, 0.02)
    return fitting(name, (Problem(X, y, loss, L2(lam)) for loss, lam in product(losses, lams)))


def run(name, path=None, **given):
    return solve(problem_of(name), name, **{"tol": 0, "max_epochs": PASSES, "seed": 3, "checkpoint": path, **given})


def test_a_run_that_is_over_is_over_when_it_is_resumed(tmp_path):
    over = run("sdca", tmp_path / "run")
    assert facts(run("sdca", tmp_path / "run", resume=True)) == facts(over)
    further = run("sdca", tmp_path / "run", resume=True, max_epochs=60)
    assert further.epochs == 60 and further.history[: len(over.history)] == over.history


def test_time_that_is_up_between_two_certificates_changes_nothing(tmp_path, monkeypatch):
    whole, clock = run("sdca", max_epochs=60, tol=0), iter(range(10**9))
    # every look at the clock takes a second
    monkeypatch.setattr(single_run.time, "perf_counter", lambda: float(next(clock)))
    counts = []
    while True:
        part = run("sdca", tmp_path / "run", resume=True, max_epochs=60, tol=0, max_seconds=13)
        counts.append((part.epochs, len(part.history)))
        if part.status != "max_seconds":
            break
    assert len(counts) > 5 and facts(part) == facts(whole)
    expected = {entry.epochs for entry in whole.history}
    assert any(epochs not in expected for epochs, _ in counts), "no run was stopped between two certificates"


def signals_in_pass(monkeypatch, number, count):
    """While pass ``number`` is running, that many SIGINTs."""
    draw = FastMethod.draw

    def drawn(self, problem, order, seed, epoch):
        for _ in range(count if epoch == number else 0):
            os.kill(os.getpid(), signal.SIGINT)
        return draw(self, problem, order, seed, epoch)

    monkeypatch.setattr(FastMethod, "draw", drawn)


def test_an_interrupt_waits_for_the_end_of_the_pass_and_that_pass_is_kept(tmp_path, monkeypatch, sigint_interrupts):
    with monkeypatch.context() as patched:
        signals_in_pass(patched, 16, 1)
        part = run("sdca", tmp_path / "run", max_epochs=30)
    assert (part.status, part.epochs) == ("interrupted", 17)
    told, _ = checkpoint.read(str(tmp_path / "run"))
    assert told["drawn"] == 17 and 17 not in {entry.epochs for entry in run("sdca", max_epochs=30).history}
    assert facts(run("sdca", tmp_path / "run", resume=True, max_epochs=30)) == facts(run("sdca", max_epochs=30))
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_second_interrupt_does_not_wait_and_the_last_certificate_is_kept(tmp_path, monkeypatch, sigint_interrupts):
    with monkeypatch.context() as patched:
        signals_in_pass(patched, 17, 2)
        part = run("sdca", tmp_path / "run", max_epochs=30)
    told, members = checkpoint.read(str(tmp_path / "run"))
    last = max(entry.epochs for entry in run("sdca", max_epochs=30).history if entry.epochs <= 17)
    assert part.status == "interrupted" and told["drawn"] == members["history"][-1, 0] == last < 17
    assert facts(run("sdca", tmp_path / "run", resume=True, max_epochs=30)) == facts(run("sdca", max_epochs=30))


def test_without_a_checkpoint_an_interrupt_does_not_wait(monkeypatch, sigint_interrupts):
    signals_in_pass(monkeypatch, 5, 1)
    assert (run("sdca").status, run("sdca").epochs) == ("interrupted", 5)


def test_a_signal_that_is_ignored_stays_ignored_with_and_without_a_checkpoint(tmp_path, monkeypatch, sigint_interrupts):
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    whole = run("sdca", max_epochs=30)
    signals_in_pass(monkeypatch, 16, 2)
    assert facts(run("sdca", max_epochs=30)) == facts(run("sdca", tmp_path / "run", max_epochs=30)) == facts(whole)
    assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN


def test_a_command_that_is_started_with_the_signal_ignored_ignores_it(tmp_path):
    """As a shell starts what runs in its background; Python keeps it so, and nothing of ours takes it back."""
    code = (
        "import os, signal, sys; from dualgap.proofs_checks.cli.main import main; os.kill(os.getpid(), signal.SIGINT)\n"
        "status = main(sys.argv[1:])\n"
        "os.kill(os.getpid(), signal.SIGINT); print(signal.getsignal(signal.SIGINT) is signal.SIG_IGN, status)"
    )
    (tmp_path / "data.txt").write_text("+1 1:0.6 2:0.8\n-1 1:1\n")
    words = "solve data.txt --method sdca --loss squared --lam 1 --tol 1e-9 --checkpoint run".split()
    shell = ["sh", "-c", 'trap "" INT; exec "$@"', "sh", sys.executable, "-c", code, *words]
    done = subprocess.run(shell, cwd=tmp_path, capture_output=True, text=True, timeout=600)
    assert (done.returncode, done.stdout.splitlines()[-1]) == (0, "True 0"), done.stderr


def test_a_crash_while_the_file_is_written_leaves_the_old_one(tmp_path, monkeypatch):
    run("sdca", tmp_path / "run", callback=interrupt_at(3))
    old, savez = (tmp_path / "run").read_bytes(), np.savez

    def crash(file, **members):
        savez(file, **members)
        raise OSError("the disk is full")

    monkeypatch.setattr(checkpoint.np, "savez", crash)
    with pytest.warns(
        NotWritten, match=r"run was not written \(the disk is full\), the one before is still there; the run goes on"
    ):
        found = run("sdca", tmp_path / "run", resume=True)
    assert facts(found) == facts(run("sdca")), "the run ended, or another one was made"
    assert (tmp_path / "run").read_bytes() == old and [path.name for path in tmp_path.iterdir()] == ["run"]


@pytest.mark.parametrize(
    ("changed", "named"),
    [
        ({"method": "aspdc", "mode": "unchecked"}, "method is sdca, not aspdc"),
        ({"seed": 4}, "seed is 3, not 4"),
        ({"order": "permuted"}, "order is uniform, not permuted"),
        ({"mode": "sharp"}, "mode is paper, not sharp"),
        ({"backend": "reference"}, "backend is fast, not reference"),
        ({"problem": problem_of(lam=0.06)}, "problem"),
        ({"problem": Problem(DATA.X, DATA.y, SmoothedHinge(0.5), L2(0.05))}, "problem"),
        ({"problem": problem_of(y=-DATA.y)}, "problem"),
        ({"problem": problem_of(X=np.nextafter(DATA.X, 1))}, "problem"),
        ({"alpha": [0.0] * 40}, "leave alpha out"),
        ({"resume": False}, "exists"),
    ],
)
def test_a_checkpoint_of_another_run_is_refused_by_name(changed, named, tmp_path):
    given = {
        "problem": problem_of(),
        "method": "sdca",
        "seed": 3,
        "tol": 1e-13,
        "max_epochs": 3,
        "checkpoint": tmp_path / "run",
    }
    solve(**given)
    refuses(ValueError, named, solve, **{**given, "resume": True, **changed})
    solve(**{**given, "resume": True, "tol": 1e-3, "max_epochs": 50, "max_seconds": 100.0})  # limits may change


def test_options_of_the_method_are_part_of_the_run(tmp_path):
    run("spdc-minibatch", tmp_path / "run", m=2)
    with pytest.raises(ValueError, match=r"options is \{'m': 2\}, not \{'m': 3\}"):
        run("spdc-minibatch", tmp_path / "run", m=3, resume=True)


def test_nothing_to_resume_is_a_start_and_resuming_nothing_is_refused(tmp_path):
    assert facts(run("sdca", tmp_path / "run", resume=True)) == facts(run("sdca"))
    refuses(ValueError, "give its name", run, "sdca", resume=True)
    refuses(ValueError, "no folder", lambda: run("sdca", tmp_path / "nowhere" / "run"))


def test_a_diverged_iterate_never_replaces_a_good_checkpoint(tmp_path):
    problem = Problem(np.ones((2, 1)), [1.0, -0.5], Squared(), L2(1e-3))  # K = 500
    result = solve(problem, "aspdc", mode="unchecked", tol=0, checkpoint=tmp_path / "run")
    _, members = checkpoint.read(str(tmp_path / "run"))
    assert result.status == "diverged" and all(np.isfinite(array).all() for array in members.values())


def test_equal_problems_have_equal_fingerprints_and_every_constant_counts():
    expected = fingerprint(problem_of())
    assert expected == fingerprint(problem_of(X=DATA.X.copy(), y=DATA.y.tolist()))
    shifted = problem_of().centred(0.1, [0.0] * 8)
    others = [
        problem_of(lam=np.nextafter(0.05, 1)),
        Problem(DATA.X, DATA.y, Logistic(), L2(0.05)),
        shifted,
        problem_of().centred(0.1, [0.0] * 7 + [1.0]),
        Problem(DATA.X, DATA.y, SmoothedHinge(), ElasticNet(0.05, 1e-9)),
        problem_of(X=DATA.X[:, ::-1]),
    ]
    assert len({expected, *map(fingerprint, others)}) == 1 + len(others)


def test_command_line_goes_on_from_a_checkpoint(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data.txt").write_text("+1 1:0.6 2:0.8\n-1 1:1\n+1 2:0.5\n")
    words = "solve data.txt --method auto --loss squared --lam 0.2 --checkpoint run --json".split()
    first = answer(capsys, *words, "--tol", "1e-3")
    assert first["method"] == "newton" and first["reason"]
    assert "exists" in refusal(capsys, *words, "--tol", "1e-9")
    assert cli.main([*words, "--tol", "1e-9", "--resume"]) == 0
    out, err = capsys.readouterr()
    again = json.loads(out)
    assert err == "continuing from run\n"
    assert again["history"][: len(first["history"])] == first["history"]
    assert again["gap"] <= 1e-9
