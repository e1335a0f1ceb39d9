"""``dualgap.certify``: seconds and memory by the number of nonzeros, and the bound against the error of w.

    python benchmarks/certify.py [--least] [--json] [--out DIR]

Times are CPU seconds of one thread. "one bound" is ``certify(..., seconds=0)``, the best of three; "memory" is the most
that it allocates, by tracemalloc, beside the data. "command" is a new process of ``dualgap certify`` with two files of
numpy, its start included. "ratio" is the bound, improved for at most 5 seconds, over P(w) - min P, where w is an
answer of scikit-learn and min P comes from a solution whose own bound is at most 1e-4 of that difference. ``--least``
leaves out the largest matrix.
"""

import os
import subprocess
import sys
import tempfile
import tracemalloc

import common

common.fix_threads()

import numpy as np  # noqa: E402
from scipy import sparse  # noqa: E402

from dualgap.certify import certify  # noqa: E402

SIZES = ((1_000, 100, 100), (10_000, 10_000, 10), (100_000, 100_000, 100))  # rows, columns, nonzeros of a row
LAM = 1e-3


def drawn(n: int, d: int, each: int) -> tuple[sparse.csr_array, np.ndarray, np.ndarray]:
    """CSR rows with that many nonzeros each, labels of a noisy plane, and a w next to that plane."""
    rng = np.random.default_rng(n)
    columns = np.sort(rng.integers(0, d // each, (n, each)) + np.arange(each) * (d // each), axis=1)
    values = rng.standard_normal(n * each) / np.sqrt(each)
    X = sparse.csr_array((values, columns.ravel(), np.arange(0, n * each + 1, each)), (n, d))
    plane = rng.standard_normal(d)
    return X, np.where(X @ plane + rng.standard_normal(n) >= 0, 1.0, -1.0), plane / 4


def size(n: int, d: int, each: int, loss: str) -> common.Record:
    """One bound for a matrix."""
    X, y, w = drawn(n, d, each)

    def one() -> object:
        return certify(X, y, w, loss=loss, lam=LAM, seconds=0)

    spent = common.best_of({loss: lambda: one}, 3)[loss]
    tracemalloc.start()
    one()
    memory, data = tracemalloc.get_traced_memory()[1], X.data.nbytes + X.indices.nbytes + X.indptr.nbytes
    tracemalloc.stop()
    facts = {"rows": n, "columns": d, "nonzeros": n * each, "loss": loss}
    return {**facts, "one bound (s)": spent, "memory (MB)": memory / 1e6, "data (MB)": data / 1e6}


def command() -> common.Rows:
    """CPU seconds of whole processes, the least of five."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for n, d in ((569, 30), (10_000, 1_000)):
            rng = np.random.default_rng(n)
            X = rng.standard_normal((n, d))
            for name, array in (("X", X), ("y", np.sign(X @ rng.standard_normal(d))), ("w", np.zeros(d))):
                np.save(os.path.join(folder, f"{name}.npy"), array)
            for loss in ("smoothed-hinge", "logistic"):
                words = ["certify", "w.npy", "X.npy", "--target", "y.npy", "--loss", loss, "--lam", str(LAM)]
                spent = []
                for _ in range(5):
                    before = os.times()
                    subprocess.run(
                        [sys.executable, "-m", "dualgap", *words, "--seconds", "0"],
                        cwd=folder,
                        check=True,
                        stdout=subprocess.DEVNULL,
                    )
                    after = os.times()
                    spent.append(sum(after[2:4]) - sum(before[2:4]))
                rows.append({"rows": n, "columns": d, "loss": loss, "command (s)": min(spent)})
    return rows


def ratios() -> common.Rows:
    """The bound over the error of scikit-learn's answers."""
    from sklearn.datasets import load_breast_cancer, load_diabetes
    from sklearn.linear_model import ElasticNet, LogisticRegression, Ridge, SGDClassifier
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import LinearSVC

    from dualgap.fast import solve
    from dualgap.reference import LOSSES, Problem
    from dualgap.reference import ElasticNet as Net

    cancer, diabetes = load_breast_cancer(), load_diabetes()
    margin = StandardScaler().fit_transform(cancer.data), np.where(cancer.target == 1, 1.0, -1.0)
    line = np.asarray(diabetes.data) * 10, (diabetes.target - diabetes.target.mean()) / 50
    n, m = len(margin[1]), len(line[1])
    C, plain = 1 / (n * LAM), {"fit_intercept": False, "random_state": 0}
    answers = {
        "Ridge(sag)": (line, "squared", 0.0, Ridge(m * LAM, solver="sag", tol=1e-3, **plain)),
        "ElasticNet": (line, "squared", LAM, ElasticNet(2 * LAM, l1_ratio=0.5, **plain)),
        "LogisticRegression": (margin, "logistic", 0.0, LogisticRegression(C=C, **plain)),
        "SGDClassifier(log_loss)": (margin, "logistic", 0.0, SGDClassifier("log_loss", alpha=LAM, **plain)),
        "LinearSVC": (margin, "squared-hinge", 0.0, LinearSVC(C=C, **plain)),
        "SGDClassifier(hinge)": (margin, "hinge", 0.0, SGDClassifier("hinge", alpha=LAM, **plain)),
    }
    rows = []
    for name, ((X, y), loss, l1, model) in answers.items():
        w = np.ravel(model.fit(X, y).coef_)
        problem = Problem(X, y, LOSSES[loss](), Net(LAM, l1))
        best = solve(problem, tol=1e-12, max_seconds=20)
        error = problem.P(w.tolist()) - best.primal
        found = certify(X, y, w, loss=loss, lam=LAM, l1=l1, seconds=5)
        known = best.gap_bound <= 1e-4 * error
        rows.append(
            {
                "answer": name,
                "loss": loss,
                "rows": len(y),
                "P(w) - min P": error,
                "bound": found.gap_bound,
                "points": found.passes,
                "ratio": found.gap_bound / error if known else None,
            }
        )
    return rows


def main() -> int:
    parser = common.parser(__doc__)
    parser.add_argument("--least", action="store_true", help="leave out the largest matrix")
    given = parser.parse_args()
    sizes = [
        size(*shape, loss) for shape in SIZES[: 2 if given.least else 3] for loss in ("smoothed-hinge", "logistic")
    ]
    # blocks and vectors of n and d have a size of their own
    within = [row["one bound (s)"] < 1 and row["memory (MB)"] < max(4, row["data (MB)"] / 10) for row in sizes]
    return common.report(given, "certify", {"sizes": sizes, "command": command(), "ratios": ratios()}, all(within))


if __name__ == "__main__":
    sys.exit(main())
