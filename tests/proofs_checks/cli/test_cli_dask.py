"""``--dask ADDRESS``: two workers find what one process finds."""

import json
import os
import re
import subprocess
import sys
import time

import pytest
from support import refusal

from dualgap.proofs_checks.cli.main import main

pytestmark = [pytest.mark.needs("joblib"), pytest.mark.needs("distributed")]
AUDIT = ["audit", "--self", "moments.step-not-affine", "--json"]


@pytest.fixture(scope="module")
def address():
    """A scheduler with two worker processes."""
    from distributed import LocalCluster

    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as workers:
        yield workers.scheduler_address


def told(value):
    """What a command found, without how long it took and where."""
    if isinstance(value, dict):
        return {key: told(part) for key, part in value.items() if "seconds" not in key}
    return [told(part) for part in value] if isinstance(value, list) else value


def test_a_cluster_finds_what_one_process_does(address, capsys):
    found = []
    for where in (["--jobs", "1"], ["--dask", address]):
        assert main([*AUDIT, *where]) == 0
        found.append(told(json.loads(capsys.readouterr().out)))
    assert found[0] == found[1] and found[0]


def test_an_address_where_nobody_answers_is_one_line(capsys, empty_folder):
    assert "no Dask scheduler answers" in refusal(capsys, *AUDIT, "--dask", "tcp://")


PROBLEM = ["--loss", "squared", "--lam", "1e-5", "--tol", "1e-14", "--max-epochs", "1000000"]
LOST = {  # a command that works for long, and what it has written when its work has begun
    "solve": (
        ["solve", "parts/part-0", "parts/part-1", *PROBLEM, "--checkpoint", "ck"],
        lambda folder: (folder / "ck").exists(),
    ),
    "audit": (["audit", "--quick"], lambda folder: "[1/" in (folder / "err").read_text()),
}


def begun(happens, seconds=120):
    """Wait until it happens."""
    until = time.monotonic() + seconds
    while not happens():
        assert time.monotonic() < until, "nothing has begun"
        time.sleep(0.1)


@pytest.mark.nightly
@pytest.mark.skipif(sys.platform == "win32", reason="signals of POSIX")
@pytest.mark.parametrize("name", LOST)
def test_a_scheduler_that_is_killed_is_one_line(name, tmp_path):
    words, works = LOST[name]
    assert main(["new", "data", "aspdc-synthetic:n=400", "--map", str(tmp_path / "parts"), "--parts", "2"]) == 0
    dask, started = [sys.executable, "-m"], []

    def start(command, stream):
        with open(tmp_path / stream, "w") as file:
            started.append(
                subprocess.Popen(
                    [*dask, *command],
                    cwd=tmp_path,
                    stderr=file,
                    stdout=subprocess.DEVNULL,
                    env={**os.environ, "COLUMNS": "200"},
                )
            )
        return started[-1]

    try:
        scheduler = start(
            "distributed.cli.dask_scheduler --port 0 --host 127.0.0.1 --no-dashboard --scheduler-file at".split(),
            "scheduler",
        )
        begun(lambda: (tmp_path / "at").exists() and (tmp_path / "at").read_text().endswith("}"))
        address = json.loads((tmp_path / "at").read_text())["address"]
        start(["distributed.cli.dask_worker", address, "--nthreads", "2", "--no-dashboard", "--no-nanny"], "worker")
        command = start(["dualgap", *words, "--dask", address], "err")
        begun(lambda: works(tmp_path))
        scheduler.kill()
        assert command.wait(120) == 1
    finally:
        for process in reversed(started):
            process.kill()
            process.wait()
    said = [line for line in (tmp_path / "err").read_text().splitlines() if not re.match(r"\[\d+/\d+\]", line)]
    assert len(said) == 1 and said[0].startswith(
        f"dualgap {name}: {address}: the connection to the Dask scheduler was lost"
    ), said
