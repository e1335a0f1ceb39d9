"""What it costs to begin: imports, ``dualgap claims``, the first call of a method, and a counterexample replayed.

    python benchmarks/startup.py [--methods M,M,...] [--json] [--out DIR]

CPU seconds of fresh processes, the least of five (of the compiling ones, of one: their cache is emptied before each).
A value above its limit is marked and makes the exit status 1. Nothing is measured without Python's own cache of
compiled modules, which an installation writes.
"""

import os
import pathlib
import subprocess
import sys
import tempfile
from collections.abc import Mapping

import common

REPETITIONS = 5
TRIVIAL = "import numba\n\n@numba.njit(cache=True)\ndef successor(x):\n    return x + 1.0\n"
TRIVIAL_CALL = (
    "import time, trivial; begun = time.process_time(); trivial.successor(1.0); print(time.process_time() - begun)"
)
FIRST_CALL = """
import time
import numpy as np
from scipy.sparse import csr_array
from dualgap.fast import solve
from dualgap.reference import LOSSES, L2, Problem
X, y, begun = csr_array(np.array([[1.0, 0.0], [0.5, 1.0]])), np.array([1.0, -1.0]), time.process_time()
for loss in LOSSES.values():
    if {method!r} == "sdca" or loss().gamma > 0:
        solve(Problem(X, y, loss(), L2(8.0)), {method!r}, tol=1e-2)
print(time.process_time() - begun)
"""
REPLAY = """
import pathlib, tempfile, time
from dualgap.proofs_checks.auditing import counterexamples
from dualgap.proofs_checks.claims.registry import all_claims
slowest = 0.0
with tempfile.TemporaryDirectory() as folder:
    for claim in all_claims().values():
        stored = getattr(claim.evidence[0], "instances", None)
        if claim.expected == "REFUTED" and stored:
            path = counterexamples.write(pathlib.Path(folder), claim, stored[0])
            begun = time.process_time()
            counterexamples.replay(path)
            slowest = max(slowest, time.process_time() - begun)
print(slowest)
"""
IMPORTS = {
    "import dualgap.reference": ("import dualgap.reference", 0.1),
    "import dualgap.fast": ("import dualgap.fast", 1.0),
    "from dualgap.fast import solve": ("from dualgap.fast import solve", 1.0),
    "import all kernels": ("from dualgap.fast import kernels; kernels()", 1.0),
}
CLAIMS = "import sys; from dualgap.proofs_checks.cli.main import main; sys.exit(main(['claims']))"


def cpu(code: str, environment: Mapping[str, str], *options: str) -> tuple[float, subprocess.CompletedProcess[str]]:
    """CPU seconds of ``python -c code``, and what it printed."""
    before = os.times()
    done = subprocess.run(
        [sys.executable, *options, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system, done


def least(code: str, environment: Mapping[str, str]) -> float:
    """The least CPU time over all repetitions, after one that fills the caches."""
    return min(cpu(code, environment)[0] for _ in range(REPETITIONS + 1))


def first_call(code: str, environment: Mapping[str, str]) -> float:
    """The least time that the program itself printed."""
    return min(float(cpu(code, environment)[1].stdout) for _ in range(REPETITIONS))


def row(what: str, seconds: float, limit: float | None) -> common.Record:
    return {"what": what, "seconds": seconds, "limit": limit, "within": limit is None or seconds <= limit}


def measure(folder: pathlib.Path, methods: list[str]) -> common.Rows:
    """All rows; caches live in ``folder``."""
    (folder / "trivial.py").write_text(TRIVIAL)
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment |= dict.fromkeys(common.THREADS, "1")
    environment |= {
        "PYTHONPYCACHEPREFIX": str(folder / "pyc"),
        "XDG_CACHE_HOME": str(folder),
        "NUMBA_CACHE_DIR": str(folder / "numba"),
    }
    python = least("pass", environment)
    rows = [row("python -c pass", python, None)]
    rows += [
        row(f"{what}, beyond Python's start", least(code, environment) - python, limit)
        for what, (code, limit) in IMPORTS.items()
    ]
    rows.append(row("dualgap claims", least(CLAIMS, environment), 0.5))
    rows.append(row("replaying the slowest stored counterexample", float(cpu(REPLAY, environment)[1].stdout), 1.0))
    trivial = first_call(TRIVIAL_CALL, {**environment, "PYTHONPATH": str(folder)})
    rows.append(row("first call of a trivial cached numba function", trivial, None))
    for method in methods:
        code, own = FIRST_CALL.format(method=method), {**environment, "NUMBA_CACHE_DIR": str(folder / method)}
        rows.append(
            row(f"first call of {method}, all losses, after installation", float(cpu(code, own)[1].stdout), 5.0)
        )
        rows.append(row(f"first call of {method}, all losses, from the cache", first_call(code, own), trivial + 0.3))
    return rows


def main() -> int:
    parser = common.parser(__doc__)
    parser.add_argument("--methods", default="sdca,aspdc,spdc", metavar="M,M", help="default sdca,aspdc,spdc")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = measure(pathlib.Path(folder), given.methods.split(","))
    return common.report(given, "startup", {"rows": rows}, all(found["within"] for found in rows))


if __name__ == "__main__":
    sys.exit(main())
