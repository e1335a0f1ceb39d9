"""``auto`` on a grid of generated problems: against the best peer, and against our own methods with hindsight.

    python benchmarks/grid.py [DATA ...] [--only TEXT] [--seed N] [--seconds S] [--out FOLDER]

The grid has data of 50 to 200,000 rows and 1 to 27,000 columns: dense and sparse, correlated, uncentred, badly scaled,
with equal rows, with unbalanced labels. One third of the problems, drawn by the seed, is held out: no constant of
``auto`` is set on it. Times are CPU seconds on one thread from the arrays in memory to a certified gap of 1e-6 |P|: the
least of three, in turns, in one process. A peer is timed as in ``peers.py``, without a certificate, with the least
effort whose own w is that near to the minimum. ``hindsight`` is our time over that of our quickest method for the
problem. A method that takes longer than ``--seconds`` is out. With DATA, as in ``pass_cost.py``, its problems are all
losses of labels with lam = 1e-2, 1e-4 and 1e-6.
"""

import math
import random
import sys
import warnings
from collections.abc import Callable, Iterator
from typing import NamedTuple

from common import Record, Rows, best_of, data, report, write
from common import parser as common_parser
from peers import ACCURACY, MOST_TIMES, NET, PEERS, Peer, Task, effort_of

import numpy as np  # isort: skip
from scipy.sparse import csr_array, csr_matrix, issparse

from dualgap.fast import Result, solve
from dualgap.reference import L2, LOSSES, ElasticNet, Problem

LAMS = (1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8)
OWN = tuple("sdca sdca-shrinking sdca-newton asdca spdc afg lbfgs newton l1-newton proximal-newton".split())
MARGINS = [name for name in LOSSES if LOSSES[name].margin]
MOST_COLUMNS = 5000  # of a matrix of columns: a peer that makes one takes 17 GB for 27,000
EACH = 2  # problems of one data set
NETS = ("dense-1000x200", "corr-2000x100", "text-2000x20000", "one-hot-8000x126")  # which also have an elastic net


def dense(n: int, d: int, kind: str, rng: np.random.Generator) -> np.ndarray:
    """Dense rows: iid, corr (neighbours 0.9), scaled (columns 1 to 1e-3), offset (means of 5 deviations)."""
    X = rng.standard_normal((n, d))
    if kind == "corr":
        for j in range(1, d):
            X[:, j] = 0.9 * X[:, j - 1] + math.sqrt(0.19) * X[:, j]
    return X * np.logspace(0, -3, d) if kind == "scaled" else X + 5 * rng.standard_normal(d) * (kind == "offset")


def one_hot(n: int, d: int, kind: str, rng: np.random.Generator) -> csr_matrix:
    """Rows of ones, one in each of 20 groups of columns; 'equal': only n/3 different rows."""
    groups = 20
    hidden, starts = rng.integers(0, 6, n), np.arange(groups) * d // groups
    sizes = np.diff(starts, append=d)
    index = starts + (sizes * rng.beta(0.5, 1.5 + hidden[:, None], (n, groups))).astype(np.int64)
    index = index[rng.integers(0, n // 3, n)] if kind == "equal" else index
    return csr_matrix((np.ones(n * groups), index.ravel(), np.arange(0, n * groups + 1, groups)), shape=(n, d))


def text(n: int, d: int, kind: str, rng: np.random.Generator) -> csr_matrix:
    """Sparse rows of some 50 words, half of them of one of 30 topics."""
    topic, words = rng.permuted(np.tile(np.arange(d), (30, 1)), axis=1)[:, : max(2, d // 50)], 50
    own = topic[rng.integers(0, 30, n)[:, None], (topic.shape[1] * rng.random((n, words)) ** 2).astype(np.int64)]
    index = np.where(rng.random((n, words)) < 0.5, own, (d * rng.random((n, words)) ** 3).astype(np.int64))
    X = csr_matrix((1 + rng.random(n * words), index.ravel(), np.arange(0, n * words + 1, words)), shape=(n, d))
    X.sum_duplicates()
    return X


MADE: dict[str, Callable[..., object]] = {"one-hot": one_hot, "equal": one_hot, "text": text}
SIZES = {  # n x d by kind
    "iid": "50x1 50x20 100x10 569x30 1000x10 1000x200 1797x64 2000x500 5000x50 19000x10 20000x5 20000x100 200000x10"
    " 100000x50 100x2000 500x5000",
    "corr": "2000x100 20000x50 300x300 72x7100",
    "scaled": "200x5 5000x50 1000x1500",
    "offset": "100x5 5000x50 200x250 50000x20",
    "unbalanced": "1000x20 100000x22",
    "one-hot": "1500x60 6500x126 8000x126 32000x120 200x10000",
    "equal": "1500x60 11000x100",
    "text": "300x2000 2000x20000 6000x2000 8000x8000 20000x5000 30000x27000",
}
RIDGE = [("squared", 1e-4, 0.0), ("squared", 1e-3, 1e-2), ("squared", 1e-5, 1e-3)]
WIDE = [("hinge", 1e-2, 0.0), ("logistic", 1e-4, 0.0), ("squared", 1e-2, 0.0)]
CLASSES = {  # loss, lam and l1 of what one call of another solver takes a millisecond or two for; always in the grid
    **dict.fromkeys(("dense-20000x5", "dense-4000x8", "dense-450x10", "dense-1500x400"), RIDGE),
    **dict.fromkeys(("one-hot-200x10000", "corr-72x7000"), WIDE),
}


class Row(NamedTuple):
    """A problem of the grid."""

    data: str
    loss: str
    lam: float
    l1: float
    held: bool


def grid(seed: int) -> list[Row]:
    """The problems: ``EACH`` losses and strengths of every data set, drawn by the seed; elastic nets; ``CLASSES``."""
    rng, found = random.Random(seed), []
    losses = [name for name in LOSSES if name != "absolute"]
    for kind, sizes in SIZES.items():
        for name in (f"{'dense' if kind == 'iid' else kind}-{size}" for size in sizes.split()):
            pairs = [(loss, lam, 0.0) for loss in losses for lam in LAMS]
            nets = [(loss, 1e-3, 1e-2) for loss in ("squared", "logistic")] if name in NETS else []
            found += [Row(name, *pair, rng.random() < 1 / 3) for pair in [*rng.sample(pairs, EACH), *nets]]
    found += [Row(name, *pair, False) for name, pairs in CLASSES.items() for pair in pairs]
    rng.shuffle(found)  # so that the first ones are a sample
    return found


def task_of(row: Row, seed: int = 0) -> Task:
    """The data of a row: the mean square of its rows is 1; labels of a planted w with noise."""
    kind, _, size = row.data.rpartition("-")
    drawn = SIZES.get("iid" if kind == "dense" else kind, "").split()
    if not kind or size not in drawn and row.data not in CLASSES:
        dataset = data(row.data)
        return Task(csr_matrix(dataset.X), np.asarray(dataset.y, dtype=np.float64), row.loss, row.lam)
    n, d = map(int, size.split("x"))
    rng = np.random.default_rng([seed, n, d, len(kind)])
    X = MADE.get(kind, dense)(n, d, kind, rng)
    squares = X.multiply(X).sum() if issparse(X) else np.square(X).sum()
    X = X / math.sqrt(squares / n)
    z = X @ rng.standard_normal(d)
    z = (z - z.mean()) / (z.std() or 1.0) + 0.5 * rng.standard_normal(n)
    y = z if row.loss == "squared" else np.where(z > np.quantile(z, 0.95 if kind == "unbalanced" else 0.5), 1.0, -1.0)
    return Task(csr_matrix(X) if issparse(X) else np.ascontiguousarray(X), y, row.loss, row.lam, row.l1)


def problem_of(task: Task) -> Problem:
    g = ElasticNet(task.lam, task.l1) if task.l1 else L2(task.lam)
    return Problem(csr_array(task.X) if issparse(task.X) else task.X, task.y, LOSSES[task.loss](), g)


def rivals(row: Row) -> Iterator[Peer]:
    """The peers for a problem; those for an elastic net are fewer, and so are those of many columns."""
    size = row.data.rpartition("-")[2].partition("x")
    columns = int(size[2]) if size[2].isdigit() else 0
    for peer in PEERS:
        if peer.name.endswith("cholesky") and columns > MOST_COLUMNS:
            continue
        nets = peer.losses == NET and row.loss == "squared" or peer.name in ("cyanure", "glum")
        if (nets and (row.loss in peer.losses or peer.losses == NET)) if row.l1 else row.loss in peer.losses:
            yield peer


# -- measure ----------------------------------------------------------------------------------------------------


def measure(row: Row, seconds: float) -> Record:
    """The row with our time, the best peer's, and that of our best method."""
    task, tasks = task_of(row), {}

    def ours(method: str, limit: float = seconds, rtol: float = ACCURACY, passes: int = 100_000) -> Result:
        return solve(problem_of(task), method, rtol=rtol, max_epochs=passes, max_seconds=limit)

    bound, least = -math.inf, seconds / MOST_TIMES
    for method in ("auto", *OWN):
        try:
            ours(method, 60.0, passes=8)  # compiles
            found = ours(method, min(seconds, MOST_TIMES * least))
            if found.status != "converged":  # kernels were compiled, perhaps
                found = ours(method, min(seconds, MOST_TIMES * least))
        except ValueError:  # the method is not for this problem
            continue
        bound = max(bound, found.dual)
        if method == "auto":
            result = found
        if found.status == "converged":
            least = min(least, found.seconds)
            tasks[method] = lambda method=method: lambda: ours(method)  # type: ignore[misc]
    bound, names = max(bound, ours(min(tasks, default="auto"), rtol=ACCURACY / 100).dual), set(tasks)
    quickest = least
    for peer in rivals(row):
        try:
            __import__(peer.package)
            reached = effort_of(peer, task, bound, quickest)
        except (ImportError, ValueError, ZeroDivisionError):
            continue
        if reached:
            quickest = min(quickest, reached[1])
            tasks[peer.name] = lambda peer=peer, effort=reached[0]: lambda: peer.run(task, effort)  # type: ignore[misc]
    times = best_of(tasks, 3)
    mine = times.get("auto", math.inf)
    peers = {name: taken for name, taken in times.items() if name not in names}
    own = {name: taken for name, taken in times.items() if name in names - {"auto"}}
    peer, method = min(peers, key=peers.__getitem__, default=""), min(own, key=own.__getitem__, default="")
    return {
        **row._asdict(),
        "ours": result.method,
        "passes": result.epochs,
        "ms": 1000 * mine,
        "peer": peer,
        "its ms": 1000 * peers.get(peer, math.nan),
        "ratio": mine / peers.get(peer, math.nan),
        "best own": method,
        "own ms": 1000 * own.get(method, math.nan),
        "hindsight": mine / own.get(method, math.nan),
    }


def main() -> int:
    parser = common_parser(__doc__)
    parser.add_argument("data", nargs="*", help="names of `dualgap new data`, or PATH or PATH:POSITIVE LABELS")
    parser.add_argument("--only", default="", help="problems whose data or loss contain this text")
    parser.add_argument("--seed", type=int, default=0, help="of the grid")
    parser.add_argument("--seconds", type=float, default=2.0, help="limit of one run")
    given = parser.parse_args()
    warnings.simplefilter("ignore")
    rows: Rows = []
    named = [Row(source, loss, lam, 0.0, False) for source in given.data for loss in MARGINS for lam in LAMS[1:6:2]]
    for row in named or grid(given.seed):
        if given.only in f"{row.data} {row.loss} {row.lam:g}":
            rows.append(measure(row, given.seconds))
            print(*rows[-1].values(), file=sys.stderr, flush=True)
            if given.out:
                write("grid", sorted(rows, key=lambda found: -found["ratio"]), given.out)
    return report(given, "grid", {"rows": sorted(rows, key=lambda found: -found["ratio"])})


if __name__ == "__main__":
    sys.exit(main())
