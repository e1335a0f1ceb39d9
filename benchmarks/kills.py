"""Kill runs at random moments with SIGKILL, resume them, and compare each result bit for bit with an undisturbed run.

    python benchmarks/kills.py [N] [--seed S] [--folder DIR]

There are N runs (default 100), which cycle through the methods. Each is killed up to ``KILLS`` times, after a random
share of the time that the undisturbed run takes, and then resumed until it ends. Needs POSIX, where processes can be
forked. Status, passes, every certificate, w and alpha are compared. Files left next to the checkpoint are also counted.
The exit status is 1 if a run differs.
"""

import argparse
import os
import pickle
import random
import signal
import sys
import tempfile
import time
from pathlib import Path

import common

common.fix_threads()  # before numpy is imported: a forked process has none of the other threads

KILLS, PASSES = 6, 60
# (method, order, lam): long enough that a kill interrupts them; some have rounds or inner problems.
RUNS = [
    ("svrg", "uniform", 1e-3),
    ("sdca", "blocks", 1e-3),
    ("asdca", "uniform", 1e-3),
    ("pgs", "uniform", 1e-3),
    ("sdca", "uniform", 1e-3),
    ("spdc", "uniform", 1e-3),
    ("aspdc-i", "uniform", 1e-3),
    ("sag", "permuted", 1e-3),
    ("sdca-shrinking", "uniform", 1e-3),
    ("adaspdc-r", "uniform", 1e-3),
    ("sdca-averaged", "blocks", 1e-3),
    ("aspdc-i-momentum", "permuted", 1e-3),
    ("afg", "uniform", 1e-3),
]


def run(name: str, order: str, lam: float, path: str | None) -> tuple[object, ...]:
    """Everything about a run but the clock."""
    from dualgap.fast import solve
    from dualgap.fast.data.generators import aspdc_synthetic
    from dualgap.reference import L2, Problem, SmoothedHinge

    data = aspdc_synthetic(n=4000, d=200, seed=1)
    problem = Problem(data.X, data.y, SmoothedHinge(), L2(lam))
    found = solve(
        problem,
        name,
        order=order,
        tol=0,
        max_epochs=PASSES,
        seed=3,
        mode="unchecked",
        checkpoint=path,
        resume=path is not None,
    )
    rows = [(entry.epochs, entry.primal, entry.dual, entry.gap) for entry in found.history]
    return found.status, found.epochs, rows, found.w.tobytes(), found.alpha.tobytes()


def killed(moment: float, settings: tuple[str, str, float], path: str, out: str) -> bool:
    """Run in a separate process and kill it after so many seconds. Return whether it was killed before it ended."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            found = run(*settings, path)
            Path(out).write_bytes(pickle.dumps(found))
            status = 0
        finally:
            os._exit(status)
    time.sleep(moment)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    if os.WIFEXITED(status) and os.WEXITSTATUS(status):
        raise SystemExit(f"{settings}: the run ended with an error, see above")
    return os.WIFSIGNALED(status)


def main() -> int:
    """Run the command."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0], allow_abbrev=False)
    parser.add_argument("runs", nargs="?", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--folder", help="where the checkpoints are written (default: a temporary one)")
    given = parser.parse_args()
    rng, expected = random.Random(given.seed), {}
    counts = {"runs": 0, "kills": 0, "kills while a file was written": 0, "different": 0, "files left": 0}
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        path, out = os.path.join(folder, "run"), os.path.join(folder, "result")
        for number in range(given.runs):
            settings = RUNS[number % len(RUNS)]
            if settings not in expected:
                run(*settings, None)  # compiles
                started = time.perf_counter()
                expected[settings] = run(*settings, None), time.perf_counter() - started
            whole, seconds = expected[settings]
            for _ in range(rng.randint(1, KILLS)):
                if not killed(rng.uniform(0, seconds), settings, path, out):
                    break
                counts["kills"] += 1
                counts["kills while a file was written"] += os.path.exists(f"{path}.part")
            else:
                finish(settings, path, out)
            counts["runs"] += 1
            counts["different"] += pickle.loads(Path(out).read_bytes()) != whole
            for name in os.listdir(folder):
                counts["files left"] += name not in ("run", "result")
                os.unlink(os.path.join(folder, name))
    for name, count in counts.items():
        print(f"{name:>30}  {count}")
    return 1 if counts["different"] or counts["files left"] else 0


def finish(settings: tuple[str, str, float], path: str, out: str) -> None:
    """Resume to the end, here."""
    Path(out).write_bytes(pickle.dumps(run(*settings, path)))


if __name__ == "__main__":
    sys.exit(main())
