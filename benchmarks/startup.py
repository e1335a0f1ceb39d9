"""Seconds of a new process: imports, ``dualgap claims``, and the first fit (500 x 10) with its imports.

    python benchmarks/startup.py [--repetitions R] [--json] [--out DIR]

CPU seconds, the least of R processes (default 5). "nothing compiled": with an empty cache of kernels; "from the cache":
after one process that compiled them. A value above its limit is marked and makes the exit status 1. Python's own cache
of compiled modules, which an installation writes, is filled before.
"""

import os
import subprocess
import sys
import tempfile

import common

SOLVE = """
import numpy as np
from dualgap.fast import solve
from dualgap.reference import LOSSES, L2, Problem
X = np.random.default_rng(0).standard_normal((500, 10))
fit = lambda: solve(Problem(X, np.where(X[:, 0] > 0, 1.0, -1.0), LOSSES[{loss!r}](), L2(1e-2)))
"""
CLASSIFIER = """
import numpy as np
from dualgap.extras.estimators import DualGapClassifier
X = np.random.default_rng(0).standard_normal((500, 10))
fit = lambda: DualGapClassifier().fit(X, X[:, 0] > 0)
"""
FITS = {f"solve, {loss}": SOLVE.format(loss=loss) for loss in ("logistic", "squared", "hinge")}
FITS["DualGapClassifier"] = CLASSIFIER
COMPILED = "from dualgap.fast.compiler.first_calls import compile_at_once; compile_at_once()"
CLAIMS = "import sys; from dualgap.proofs_checks.cli.main import main; sys.exit(main(['claims']))"
LIMITED = {  # beyond Python's start
    "import dualgap.reference": ("import dualgap.reference", 0.1),
    "import dualgap.fast": ("import dualgap.fast", 1.0),
    "dualgap claims": (CLAIMS, 0.5),
}


def cpu(code: str, cache: str, repetitions: int) -> float:
    """The least CPU seconds of ``python -c code`` with this cache of kernels, after a first process that fills Python's
    own cache; 0 repetitions: those of that process.
    """
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    environment |= {**dict.fromkeys(common.THREADS, "1"), "NUMBA_CACHE_DIR": cache}
    spent = []
    for _ in range(repetitions + 1):
        before = os.times()
        subprocess.run([sys.executable, "-c", code], env=environment, stdout=subprocess.DEVNULL, check=True)
        after = os.times()
        spent.append(after.children_user + after.children_system - before.children_user - before.children_system)
    return min(spent[1:] or spent)


def measure(folder: str, repetitions: int) -> common.Rows:
    """All rows; the caches of kernels live in ``folder``."""
    python = cpu("pass", folder, repetitions)
    rows = [(what, cpu(code, folder, repetitions) - python, limit) for what, (code, limit) in LIMITED.items()]
    for number, (what, code) in enumerate(FITS.items()):
        empty, filled = os.path.join(folder, f"empty {number}"), os.path.join(folder, f"filled {number}")
        rows.append((f"{what}, nothing compiled", cpu(code + "fit()", empty, 0), None))
        cpu(COMPILED + code + "fit()", filled, 0)
        rows.append((f"{what}, from the cache", cpu(code + "fit()", filled, repetitions), None))
    return [
        {"what": what, "seconds": spent, "limit": limit, "within": limit is None or spent <= limit}
        for what, spent, limit in rows
    ]


def main() -> int:
    parser = common.parser(__doc__)
    parser.add_argument("--repetitions", type=int, default=5)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = measure(folder, given.repetitions)
    return common.report(given, "startup", {"rows": rows}, all(row["within"] for row in rows))


if __name__ == "__main__":
    sys.exit(main())
