"""Other people's code cannot end a command with success: whatever it raises or calls is a failure of that code."""

import argparse
import json
import os
import subprocess
import sys

import pytest

from dualgap.proofs_checks.cli import main as command_line

ENDS = {
    "sys.exit(0)": "SystemExit: 0",
    "sys.exit()": "SystemExit: ",
    "raise GeneratorExit": "GeneratorExit: ",
    "raise type('Own', (BaseException,), {})('bye')": "Own: bye",
    "os._exit(0)": "SystemExit: os._exit(0,)",
    "os.execv('/bin/true', ['true'])": "SystemExit: os.execv",
}
CODE = """import os, sys
from dualgap.proofs_checks import OURS, Instance, Le, Lt, Q, Qs, altered, claim, exact, instances, register_paper
from dualgap.reference import DualMethod, register_method

def solver(X, y, *, loss, lam, l1, gamma, tol, seed):
    {end}

solver.losses, solver.l1 = ("squared",), False

@register_method
class Ends(DualMethod):
    name = "ends"
    def advance(self, problem, state, choice):
        {end}

register_paper("ends0", "ends", "x")
ONE = Instance(rows=(Qs(1),), y=Qs(1), alpha=Qs(0), lam=Q(1), loss="squared", method="sdca")
CONTROL = altered("x", lambda c: [Lt(1, 0, "")], ONE)
def drawn(): return instances(K=Qs(1), losses=("squared",), method="ends")
def plain(): return instances(K=Qs(1), losses=("squared",), method="sdca")
@claim("ends0.method", "D", hypotheses="", origin=OURS, evidence=[exact(drawn)], control=CONTROL)
def of_the_method(c):
    yield Le(0, c.expected_increase, "D")
@claim("ends0.check", "D", hypotheses="", origin=OURS, evidence=[exact(plain)], control=CONTROL)
def of_the_check(c):
    yield Le(0, c.gap, "D")
    {end}
"""
RUN = """import sys
from dualgap.proofs_checks.auditing import dispatch
from dualgap.proofs_checks.cli.main import main
dispatch.WORTH_IT = 0  # two short claims, and yet in workers
if __name__ == "__main__":
    sys.exit(main({words}))
"""
AUDIT = ("audit", "ends0", "--quick", "--import", "ends0.py", "--json", "--out", "out")


@pytest.fixture
def kept(empty_folder, monkeypatch):
    """A folder, and ``os`` such that an end that nobody holds up fails the test."""
    for name in ("_exit", "execv"):
        monkeypatch.setattr(os, name, lambda *given: pytest.fail("the process would have ended"))
    return empty_folder


@pytest.mark.parametrize("end", ENDS)
def test_a_solver_that_ends_the_process_fails(end, kept, capsys):
    (kept / "solver0.py").write_text(CODE.partition("@register_method")[0].format(end=end))
    words = ("--only", "the_gap_is_what_was_asked_for", "--json")
    assert command_line.main(["check", "solver0.py:solver", *words]) == 1
    (row,) = json.loads(capsys.readouterr().out)["checks"]
    assert row["status"] == "failed" and ENDS[end] in row["says"]


@pytest.mark.parametrize("end", ENDS)
def test_every_command_fails_that_is_ended_from_inside(end, kept, capsys, monkeypatch):
    def run(given):
        exec(end, {"os": os, "sys": sys})

    names = next(a for a in command_line.parser()._actions if isinstance(a, argparse._SubParsersAction)).choices
    assert {"audit", "check", "solve", "replay", "sharpen", "conform"} <= set(names)
    for name in names:
        given = argparse.Namespace(command=name, imports=[], run=run)
        assert command_line._status(given) == 1
        assert f"dualgap {name}: the code tried to end the process ({ENDS[end]}" in capsys.readouterr().err


def test_an_interrupt_stays_an_interrupt(kept, capsys):
    given = argparse.Namespace(command="audit", imports=[], run=lambda given: (_ for _ in ()).throw(KeyboardInterrupt))
    assert command_line._status(given) == 1 and "interrupted" in capsys.readouterr().err


@pytest.mark.parametrize("jobs", ["1", "2"])
@pytest.mark.parametrize("end", ["sys.exit(0)", "os._exit(0)"])
def test_a_claim_that_ends_the_process_is_an_error_and_the_report_is_written(end, jobs, empty_folder):
    """In a separate process, since workers end for real."""
    (empty_folder / "ends0.py").write_text(CODE.format(end=end))
    (empty_folder / "run.py").write_text(RUN.format(words=[*AUDIT, "--jobs", jobs]))
    done = subprocess.run([sys.executable, "run.py"], capture_output=True, text=True, cwd=empty_folder)
    assert done.returncode == 1, done.stderr
    report = json.loads(done.stdout)
    assert report["verdict"] == "fail" and (empty_folder / "out" / "report.json").exists()
    assert {row["id"]: row["status"] for row in report["claims"]} == {"ends0.method": "ERROR", "ends0.check": "ERROR"}
    if jobs == "1":
        assert all(ENDS[end] in row["error"] for row in report["claims"])
