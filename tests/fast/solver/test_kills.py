"""A run that is killed while its checkpoint is written, or with its process, and goes on is in every bit the run that
was not; killed at any certificate: tests/properties/test_resume_and_warm_start.py.
"""

import os
import signal
from pathlib import Path

import numpy as np
import pytest
from support import Killed, by_day, facts, fitting, python

from dualgap.fast import solve
from dualgap.fast.data.generators import aspdc_synthetic
from dualgap.fast.solver import checkpoint
from dualgap.reference import L2, Problem, SmoothedHinge

DATA = aspdc_synthetic(n=40, d=8, seed=1)
PASSES = 40


def run(name, path=None, **given):
    return solve(
        fitting(name, (Problem(DATA.X, DATA.y, SmoothedHinge(), L2(lam)) for lam in (0.05, 0.02))),
        name,
        **{"tol": 0, "max_epochs": PASSES, "seed": 3, "checkpoint": path, "resume": path is not None, **given},
    )


@pytest.mark.parametrize("name", ["sdca", "svrg", "asdca", "pgs", "spdc", "aspdc-i"])
@pytest.mark.parametrize("when", ["before it is on the disk", "before it is in its place"])
def test_killed_while_a_checkpoint_is_written_it_goes_on_from_the_one_before(when, name, tmp_path, monkeypatch):
    whole, kills = facts(run(name)), 0
    with monkeypatch.context() as patched:
        call = (np, "savez") if when == "before it is on the disk" else (os, "replace")
        for number in (2, 2, 3):
            made, original = iter(range(1, 1000)), getattr(*call)

            def killing(*given, made=made, number=number, original=original, **options):
                if next(made) == number:
                    raise Killed
                return original(*given, **options)

            with patched.context() as once:
                once.setattr(*call, killing)
                try:
                    run(name, tmp_path / "run")
                except Killed:
                    kills += 1
    assert kills >= 2
    assert facts(run(name, tmp_path / "run")) == whole
    assert [path.name for path in tmp_path.iterdir()] == ["run"]


KILLING = """
import os, signal, sys
sys.path[:0] = {folders!r}
from test_kills import run
def progress(epochs, seconds):
    if epochs >= {passes}:
        os.kill(os.getpid(), signal.SIGKILL)
run({name!r}, {path!r}, order={order!r}, progress=progress)
"""


@pytest.mark.skipif(not hasattr(signal, "SIGKILL"), reason="this system has no SIGKILL")
@pytest.mark.parametrize("case", by_day([("svrg", "uniform"), ("sdca", "blocks")], ("sdca", "blocks")))
def test_a_process_that_is_killed_leaves_a_run_that_goes_on(case, tmp_path):
    (name, order), path = case, tmp_path / "run"
    for passes in (3, 19):
        code = KILLING.format(
            folders=[str(Path(__file__).parents[k]) for k in (0, 2)],
            passes=passes,
            name=name,
            path=str(path),
            order=order,
        )
        assert python("-c", code).returncode == -signal.SIGKILL
    told, _ = checkpoint.read(str(path))
    assert 0 < told["drawn"] < PASSES and facts(run(name, path, order=order)) == facts(run(name, order=order))


def test_the_comparison_would_notice_a_checkpoint_that_is_one_pass_behind(tmp_path):
    """The control: the state of another pass than the reported one."""
    made = iter(range(1000))

    def progress(epochs, seconds):
        if next(made) == 19:
            raise Killed

    with pytest.raises(Killed):
        run("sdca", tmp_path / "run", progress=progress)
    told, members = checkpoint.read(str(tmp_path / "run"))
    checkpoint.write(str(tmp_path / "run"), {**told, "drawn": told["drawn"] - 1}, members)
    assert facts(run("sdca", tmp_path / "run")) != facts(run("sdca"))
