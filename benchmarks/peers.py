"""Time to an answer of known accuracy, against other people's solvers, on one thread.

    python benchmarks/peers.py [DATA ...] [--losses NAME ...] [--lam X ...] [--out FOLDER] [--json]

Every solver starts from the same CSR matrix and labels in memory. Ours makes the Problem and runs
``solve(method="auto")`` to a certified gap P(w) - D(alpha) <= 1e-6 |P|, every certificate included. A second row is
SDCA on compact rows, an option whose results differ in the last bits. ``certificates`` is the share of our time that
they take. A peer is run with growing effort (iterations, or a smaller tolerance) until its own w is verified to have
P(w) - D <= 1e-6 |P|, where D is a certified lower bound of the minimum; only that last run is timed, so that a peer's
time includes neither the checks nor the search for a stopping point. Times are CPU seconds: the minimum of several
alternating runs, and the median over several processes. Compilation is timed separately.

What the peers minimise, without an intercept, is made P(w) = (1/n) sum phi(x_i^T w) + (lam/2)||w||^2 by

==================================== =============================== =================================================
package                              parameter                       their objective
==================================== =============================== =================================================
scikit-learn (liblinear, lbfgs, ...) C = 1/(lam n)                   C sum phi + ||w||^2/2, P/lam
lightning SDCA, SAGA, SVRG           alpha = lam                     P
cyanure                              lambda_1 = lam                  P
scipy L-BFGS                         the objective itself            P
==================================== =============================== =================================================

and the suboptimality above is computed here from their w. A wrong mapping would therefore show.

``ratio`` compares with the best peer of all, ``against`` with the best of those that the targets were set for
(``AGAINST``).

A peer that cannot be imported is listed as absent. All of them live together in an environment with
``pip install "scikit-learn==1.3.2" "numpy<2" sklearn-contrib-lightning cyanure==1.1.0`` and dualgap: lightning's
last release needs a scikit-learn older than 1.4, and cyanure's newer releases one that is newer.
"""

import argparse
import contextlib
import io
import itertools
import json
import math
import statistics
import sys
import time
import warnings
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

from common import RESULTS, Record, Rows, best_of, cpu_seconds, data, fix_threads, in_processes, report, write
from common import parser as common_parser

fix_threads()

import numpy as np  # noqa: E402
from scipy.optimize import minimize  # noqa: E402
from scipy.sparse import csr_array, csr_matrix  # noqa: E402
from scipy.special import expit  # noqa: E402

from dualgap.fast import Result, solve  # noqa: E402
from dualgap.fast.compiler.first_calls import compile_at_once  # noqa: E402
from dualgap.fast.problem.arrays import Array  # noqa: E402
from dualgap.fast.solver.backends import Backend  # noqa: E402
from dualgap.reference import L2, LOSSES, Problem  # noqa: E402

compile_at_once()  # what is measured is compiled code

ACCURACY = 1e-6  # of P, relative
PROCESSES, REPETITIONS = 3, 5
MOST_SECONDS = 6.0  # of one run; a peer that needs longer is out
# a peer is out, too, when a run that is not accurate enough took as many times the time of the best so far
MOST_TIMES = 3.0
DATA = ("a9a-like", "sector-like")
# Loss and data: for each lam the largest ratio of our time to that of the best peer whose name begins as AGAINST says.
TARGETS = {
    ("smoothed-hinge", "a9a"): {1e-2: 0.85, 1e-4: 0.55, 1e-6: 0.7},
    ("smoothed-hinge", "sector"): {1e-4: 0.55, 1e-6: 0.7},
    ("hinge", "a9a"): {1e-2: 1.0, 1e-4: 1.0},
    ("hinge", "sector"): {1e-2: 1.0, 1e-4: 1.0},
    ("logistic", "a9a"): {1e-2: 1.5, 1e-4: 1.5},
    ("logistic", "sector"): {1e-2: 0.9, 1e-4: 0.9},
}
AGAINST = {
    "smoothed-hinge": ("lightning", "scipy"),
    "hinge": ("liblinear",),
    "logistic": ("liblinear", "cyanure", "sklearn"),
}
LAMS = {"smoothed-hinge": (1e-2, 1e-4, 1e-6), "hinge": (1e-2, 1e-4), "logistic": (1e-2, 1e-4, 1e-6)}
FEWER = (1e-1, 1e-2, 3e-3, 1e-3, 3e-4, 1e-4, 3e-5, 1e-5, 1e-6, 1e-7, 1e-8)  # tolerances
EFFORTS = "1 2 3 4 5 6 8 10 12 15 18 22 27 33 40 50 60 75 90 110 135 165 200 250 300 400 500 700 1000"
MORE = tuple(map(int, EFFORTS.split()))  # passes
Fitted = tuple[Array, int | None]  # w, and the iterations made


class Task(NamedTuple):
    """What is to be minimised."""

    X: csr_matrix  # csr_matrix, which all of them take
    y: Array
    loss: str
    lam: float
    l1: float = 0.0


class Peer(NamedTuple):
    """A solver: ``run(task, effort)`` returns w and the iterations made, for efforts that grow along ``efforts``."""

    package: str
    name: str
    losses: tuple[str, ...]
    efforts: tuple[float, ...]
    run: Callable[[Task, Any], Fitted]


# -- the peers ------------------------------------------------------------------------------------------------


def fitted(estimator: Any, task: Task) -> Fitted:
    """w and the iterations of an estimator after ``fit``; what it prints is swallowed."""
    with contextlib.redirect_stdout(io.StringIO()), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that the tolerance was not met: w is verified here
        estimator.fit(task.X, task.y)
    iterations = getattr(estimator, "n_iter_", None)
    return np.ravel(estimator.coef_), None if iterations is None else int(np.max(iterations))


def peer_liblinear_hinge(task: Task, tol: float) -> Fitted:
    from sklearn.svm import LinearSVC

    C = 1 / (task.lam * task.X.shape[0])
    return fitted(LinearSVC(loss="hinge", dual=True, C=C, fit_intercept=False, tol=tol, max_iter=20000), task)


def peer_logistic(task: Task, tol: float, **options: Any) -> Fitted:
    from sklearn.linear_model import LogisticRegression

    C = 1 / (task.lam * task.X.shape[0])
    return fitted(LogisticRegression(C=C, fit_intercept=False, tol=tol, max_iter=2000, **options), task)


def peer_cyanure(task: Task, tol: float) -> Fitted:
    from cyanure.estimators import Classifier, Regression

    options: dict[str, object] = {"penalty": "l2", "lambda_1": task.lam, "fit_intercept": False}
    if task.l1:
        options = options | {"penalty": "elastic-net", "lambda_1": task.l1, "lambda_2": task.lam}
    kind = Regression if task.loss == "squared" else partial(Classifier, loss="logistic")
    return fitted(kind(**options, tol=tol, max_iter=1000, n_threads=1, verbose=False), task)


def peer_lightning(task: Task, passes: int, kind: str, **options: Any) -> Fitted:
    from lightning import classification

    loss = {"smoothed-hinge": "smooth_hinge", "hinge": "hinge", "logistic": "log"}[task.loss]
    made = getattr(classification, kind)(loss=loss, alpha=task.lam, max_iter=passes, tol=0, random_state=0, **options)
    return fitted(made, task)[0], passes


def values(loss: str, y: Array, z: Array) -> tuple[Array, Array]:
    """phi(z) and phi'(z) of all rows, by numpy alone: a second implementation, which certificates are compared with."""
    m = y * z
    if loss == "logistic":
        return np.logaddexp(0, -m), -y * expit(-m)
    if loss == "squared":
        return (z - y) ** 2 / 2, z - y
    rest = np.maximum(0, 1 - m)
    if loss in ("hinge", "squared-hinge"):
        return (rest, -y * (rest > 0)) if loss == "hinge" else (rest * rest, -2 * y * rest)
    b = np.minimum(rest, 1)  # smoothed hinge with gamma = 1
    return b * rest - b * b / 2, -y * b


def peer_scipy(task: Task, iterations: int) -> Fitted:
    X, n = task.X, task.X.shape[0]
    XT = X.T if isinstance(X, np.ndarray) else X.T.tocsr()

    def function(w: Array) -> tuple[float, Array]:
        phi, slopes = values(task.loss, task.y, X @ w)
        return float(phi.mean() + task.lam * (w @ w) / 2), XT @ slopes / n + task.lam * w

    options = {"maxiter": iterations, "ftol": 0, "gtol": 0, "maxcor": 10}
    found = minimize(function, np.zeros(X.shape[1]), jac=True, method="L-BFGS-B", options=options)
    return found.x, found.nit


SMOOTH = ("smoothed-hinge", "logistic")


def lightning(name: str, losses: tuple[str, ...], kind: str, **options: Any) -> Peer:
    return Peer("lightning", f"lightning {name}", losses, MORE, partial(peer_lightning, kind=kind, **options))


def logistic(name: str, **options: Any) -> Peer:
    return Peer("sklearn", name, ("logistic",), FEWER, partial(peer_logistic, **options))


PEERS = [  # the quickest as a rule first
    Peer("scipy", "scipy L-BFGS", SMOOTH, MORE, peer_scipy),
    Peer("sklearn", "liblinear", ("hinge",), FEWER, peer_liblinear_hinge),
    logistic("liblinear primal", solver="liblinear"),
    logistic("liblinear dual", solver="liblinear", dual=True),
    *(logistic(f"sklearn {solver}", solver=solver) for solver in ("lbfgs", "newton-cg", "sag", "saga")),
    Peer("cyanure", "cyanure", ("logistic",), FEWER, peer_cyanure),
    lightning("SDCA", ("smoothed-hinge", "hinge"), "SDCAClassifier"),
    lightning("SAGA", SMOOTH, "SAGAClassifier"),
    *(lightning(f"SVRG eta={eta:g}", SMOOTH, "SVRGClassifier", eta=eta) for eta in (0.2, 1.0)),
]


# -- one data set, one loss, one lam ----------------------------------------------------------------------------


def problem_of(task: Task) -> Problem:
    return Problem(csr_array(task.X), task.y, LOSSES[task.loss](), L2(task.lam))


OURS: dict[str, Record] = {
    "dualgap": {"method": "auto"},
    "dualgap compact": {"method": "sdca", "order": "permuted", "storage": "compact"},
}


def ours(task: Task, **options: Any) -> Result:
    return solve(problem_of(task), **options, rtol=ACCURACY, max_epochs=100_000, max_seconds=5 * MOST_SECONDS)


def share_of_certificates(task: Task, **options: Any) -> float:
    """The share of the CPU time of a solve that its certificates take."""
    certificate, spent = Backend.certificate, 0.0

    def timed(*arguments: Any) -> object:
        nonlocal spent
        begun = time.process_time()
        found = certificate(*arguments)
        spent += time.process_time() - begun
        return found

    with mock.patch.object(Backend, "certificate", timed):
        whole = cpu_seconds(lambda: ours(task, **options))
    return spent / whole


def our_rows(task: Task) -> Iterator[tuple[Record, float, Result]]:
    """For each of ``OURS`` what its row says, the seconds of the first call, and the result, checked by ``primal``."""
    for name, options in OURS.items():
        first = cpu_seconds(lambda options=options: ours(task, **options))  # type: ignore[misc]
        result = ours(task, **options)
        assert abs(primal(task, result.w) - result.primal) <= 1e-12 * (1 + abs(result.primal))
        effort = f"{result.method}, {result.order}" if result.status == "converged" else "not reached"
        share = statistics.median(share_of_certificates(task, **options) for _ in range(REPETITIONS))
        accuracy = result.gap / abs(result.primal)
        row = {"solver": name, "effort": effort, "passes": result.epochs, "accuracy": accuracy, "certificates": share}
        yield row, first, result


def primal(task: Task, w: Array) -> float:
    """P(w), by numpy alone."""
    phi = values(task.loss, task.y, task.X @ w)[0]
    return float(phi.mean() + task.lam * (w @ w) / 2 + task.l1 * np.abs(w).sum())


class Found(NamedTuple):
    """The least effort of a peer that suffices, the suboptimality and the iterations of that run, and its seconds,
    once.
    """

    effort: float
    accuracy: float
    iterations: int | None
    seconds: float


def effort_of(peer: Peer, task: Task, bound: float, best: float) -> Found | None:
    """The least effort that gives P(w) - bound <= 1e-6 |P|; None: out of reach, or no rival of one that takes ``best``
    seconds.
    """
    for effort in peer.efforts:
        answer: list[Fitted] = []
        spent = cpu_seconds(lambda effort=effort, answer=answer: answer.append(peer.run(task, effort)))  # type: ignore[misc]
        w, iterations = answer[0]
        value = primal(task, w)
        if (value - bound) / abs(value) <= ACCURACY:
            return Found(effort, (value - bound) / abs(value), iterations, spent)
        if spent > min(MOST_SECONDS, MOST_TIMES * best):
            return None
    return None


def measure(source: str, loss: str, lam: float) -> Rows:
    """A row for our solver and for every peer; seconds are None for a peer that is absent or did not get there."""
    dataset = data(source)
    task = Task(csr_matrix(dataset.X), np.asarray(dataset.y, dtype=np.float64), loss, lam)
    common = {"data": Path(source.partition(":")[0]).name.partition(".")[0], "loss": loss, "lam": lam}
    by_us = list(our_rows(task))
    result, firsts = by_us[0][2], {row["solver"]: first for row, first, _ in by_us}
    assert result.status == "converged"
    bound = solve(problem_of(task), "auto", alpha=result.alpha, rtol=ACCURACY / 100, max_seconds=MOST_SECONDS).dual
    rows = [{**common, **row} for row, _, _ in by_us]
    tasks: dict[str, Callable[[], Callable[[], object]]] = {
        row["solver"]: lambda options=OURS[row["solver"]]: lambda: ours(task, **options)  # type: ignore[misc]
        for row in rows
        if row["effort"] != "not reached"
    }
    quickest = math.inf
    for peer in (peer for peer in PEERS if loss in peer.losses):
        row = {**common, "solver": peer.name, "effort": "not reached", "passes": None, "accuracy": None}
        rows.append(row | {"certificates": None})
        try:
            __import__(peer.package)
        except ImportError:
            rows[-1]["effort"] = "absent"
            continue
        if found := effort_of(peer, task, bound, quickest):
            quickest = min(quickest, found.seconds)
            rows[-1] |= {"effort": found.effort, "passes": found.iterations, "accuracy": found.accuracy}
            tasks[peer.name] = lambda peer=peer, effort=found.effort: lambda: peer.run(task, effort)  # type: ignore[misc]
    best = best_of(tasks, REPETITIONS)
    for row in rows:
        row["seconds"], first = best.get(row["solver"]), firsts.get(row["solver"])
        row["compile"] = None if first is None or row["seconds"] is None else max(0.0, first - row["seconds"])
    return rows


# -- all of them ------------------------------------------------------------------------------------------------


def medians(processes: list[Rows]) -> Iterator[Record]:
    """The rows of the first process with the median time over all, None if one process had none."""
    for same in zip(*processes, strict=True):
        times = [row["seconds"] for row in same]
        yield {**same[0], "seconds": None if None in times else statistics.median(times)}


def judged(rows: Rows) -> Iterator[Record]:
    """The rows of one problem; in ours the ratios to the best peer, of all and of ``AGAINST``; of "auto" the target,
    and whether it is met.
    """
    peers = {row["solver"]: row["seconds"] for row in rows if row["solver"] not in OURS and row["seconds"] is not None}
    rivals = [seconds for name, seconds in peers.items() if name.startswith(AGAINST[rows[0]["loss"]])]
    for row in rows:
        ratio = against = target = met = None
        if row["solver"] in OURS and row["seconds"] is not None:
            ratio = row["seconds"] / min(peers.values()) if peers else None
            against = row["seconds"] / min(rivals) if rivals else None
        if row["solver"] == "dualgap":
            target = TARGETS.get((row["loss"], row["data"].removesuffix("-like")), {}).get(row["lam"])
        if against is not None and target is not None:
            met = "met" if against <= target else "MISSED"
        yield {**row, "ratio": ratio, "against": against, "target": target, "met": met}


def main() -> int:
    parser = common_parser(__doc__, RESULTS)
    parser.add_argument(
        "data", nargs="*", default=DATA, help="names of `dualgap new data`, or PATH or PATH:POSITIVE LABELS"
    )
    parser.add_argument("--losses", nargs="+", default=list(LAMS), choices=list(LAMS))
    parser.add_argument("--lam", nargs="+", type=float, help="default: 1e-2 1e-4, and 1e-6 for the smooth losses")
    parser.add_argument("--processes", type=int, default=PROCESSES)
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)  # DATA LOSS LAM: in a separate process
    given = parser.parse_args()
    if given.one:
        print(json.dumps(measure(given.one[0], given.one[1], float(given.one[2]))))
        return 0
    rows: Rows = []
    for source, loss in itertools.product(given.data, given.losses):
        for lam in given.lam or LAMS[loss]:
            found = medians(in_processes(given.processes, "--one", source, loss, repr(lam)))
            rows += judged(list(found))
            write("peers", rows, given.out)  # every time: all of it takes an hour
    return report(given, "peers", {"rows": rows}, all(row["met"] != "MISSED" for row in rows))


if __name__ == "__main__":
    sys.exit(main())
