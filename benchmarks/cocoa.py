"""CoCoA+ over partitions, on a LocalCluster of Dask: rounds and bytes against parts, large data.

    python benchmarks/cocoa.py rounds [--data NAME ...] [--lam X] [--tol E] [--out DIR]
    python benchmarks/cocoa.py large [--nonzeros 5e8] [--folder DIR] [--passes P]

rounds: run K = 1, 2, 4, 8 parts on two workers to a certified gap of 1e-6, and SDCA on one machine in the same order.
Prints the rounds, the bytes per round, and the distance between the solutions with the bound that both gaps imply. K =
1 must be bit-identical to SDCA. large: the given number of nonzeros in 8 mapped
parts, on 8 workers of 2 GB each. Prints seconds and bytes of a pass and of a certificate, and each worker's peak
memory.
"""

import argparse
import math
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import common

common.fix_threads()

KS, WORKERS = (1, 2, 4, 8), 2


def in_parts(data: "common.Dataset", K: int) -> tuple[list[tuple[Any, Any]], list[int]]:
    """(X, y) of consecutive rows, and where the parts end."""
    from scipy.sparse import csr_array

    from dualgap.extras.cocoa.reference import CoCoA

    X, ends = csr_array(data.X), CoCoA(parts=K).ends(data.X.shape[0])
    return [(X[a:b], data.y[a:b]) for a, b in zip([0, *ends], ends)], ends


def problem_of(data: "common.Dataset", lam: float) -> "common.Problem":
    """Smoothed hinge, L2."""
    from dualgap.reference import L2, Problem, SmoothedHinge

    return Problem(data.X, data.y, SmoothedHinge(), L2(lam))


def cluster(workers: int, **limits: object) -> Any:
    """A LocalCluster of processes with one thread each, and its client."""
    from distributed import Client, LocalCluster

    return Client(LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=None, **limits))


# -- rounds ------------------------------------------------------------------------------------------------------------


def rounds(names: list[str], lam: float, tol: float) -> common.Rows:
    """A row for each data set and K. Exit 1 where w is too far away, or K = 1 is not SDCA."""
    import numpy as np

    from dualgap.fast import solve, solve_partitions

    rows, client = [], cluster(WORKERS)
    for name in names:
        data = common.data(name)
        problem = problem_of(data, lam)
        given: common.Record = {
            "loss": problem.loss,
            "regularizer": problem.regularizer,
            "cluster": client,
            "order": "permuted",
        }
        alone = solve(problem, "sdca", order="permuted", tol=tol)
        for K in KS:
            started = time.perf_counter()
            found = solve_partitions(partitions=in_parts(data, K)[0], method="cocoa", tol=tol, max_epochs=5000, **given)
            seconds = time.perf_counter() - started
            apart = float(np.linalg.norm(found.w - alone.w))
            allowed = sum(math.sqrt(2 * one.gap_bound / lam) for one in (found, alone))
            if K == 1:
                same = (
                    solve(problem, "sdca", order="permuted", tol=0, max_epochs=3),
                    solve_partitions(partitions=in_parts(data, 1)[0], method="cocoa", tol=0, max_epochs=3, **given),
                )
                if same[0].w.tobytes() != same[1].w.tobytes() or same[0].alpha.tobytes() != same[1].alpha.tobytes():
                    raise SystemExit(f"{name}: K = 1 is not SDCA")
            if found.status != "converged" or apart > allowed:
                raise SystemExit(f"{name}, K = {K}: {found.status}, w is {apart} away, {allowed} allowed")
            rows.append(
                {
                    "data": name,
                    "K": K,
                    "rounds": found.epochs,
                    "gap_bound": found.gap_bound,
                    "passes of SDCA": alone.epochs,
                    "MB a round": 16 * K * problem.d / 1e6,
                    "seconds": seconds,
                    "||w - w_1||": apart,
                    "allowed": allowed,
                }
            )
            print(rows[-1], file=sys.stderr)
    client.close()
    return rows


# -- large data --------------------------------------------------------------------------------------------------------


def make(folder: Path, nonzeros: int, seed: int) -> None:
    """One mapped part of rows of 100 nonzeros in 20,000 columns, unless it is there."""
    import numpy as np

    rng, truth = np.random.default_rng([0, seed]), np.random.default_rng(0).standard_normal(common.COLUMNS)

    def fill(columns: "common.Array") -> "tuple[common.Array, common.Array]":
        values = rng.random(columns.shape) / math.sqrt(common.ROW / 3)
        margins = (values * truth[columns]).sum(axis=1)
        return values, np.where(margins + 0.1 * rng.standard_normal(len(columns)) > 0, 1.0, -1.0)

    common.make_mapped(folder, nonzeros, rng, fill)


def peaks(client: Any) -> list[float]:
    """The largest resident set of each worker so far, in GB; mapped pages are counted."""
    import resource

    return sorted(
        peak / 1e6 for peak in client.run(lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss).values()
    )


def large(nonzeros: int, folder: Path, passes: int) -> common.Record:
    """What a run over 8 parts needs."""
    from dualgap.fast import solve_partitions
    from dualgap.reference import L2, SmoothedHinge

    names = [folder / f"part-{k}-of-8-{nonzeros}" for k in range(8)]
    for k, name in enumerate(names):
        make(name, nonzeros // 8, k)
    client = cluster(8, memory_limit="2GB")
    started, marks = time.perf_counter(), []
    found = solve_partitions(
        partitions=[str(name) for name in names],
        loss=SmoothedHinge(),
        regularizer=L2(1e-6),
        method="cocoa",
        order="blocks",
        cluster=client,
        tol=1e-6,
        max_epochs=passes,
        progress=lambda epochs, seconds: marks.append(time.perf_counter()),
    )
    row = {
        "nonzeros": nonzeros,
        "rows": found.certificate.problem.n,
        "files, GB": 12e-9 * nonzeros,
        "passes": found.epochs,
        "gap_bound": found.gap_bound,
        "status": found.status,
        "seconds": time.perf_counter() - started,
        "until the first pass": marks[0] - started,
        "seconds a pass": (marks[-1] - marks[0]) / max(1, len(marks) - 1),
        "MB a round": 16 * 8 * common.COLUMNS / 1e6,
        "largest worker, GB": max(peaks(client)),
        "certificates": len(found.history),
    }
    client.close()
    return row


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser("rounds", parents=[common.parser(__doc__, common.RESULTS)], add_help=False)
    command.add_argument("--data", nargs="+", default=["rcv1-like", "sector-like"])
    command.add_argument("--lam", type=float, default=1e-3)
    command.add_argument("--tol", type=float, default=1e-6)
    command = commands.add_parser("large")
    command.add_argument("--nonzeros", type=float, default=5e8)
    command.add_argument("--folder", type=Path, default=Path(tempfile.gettempdir()) / "dualgap-cocoa")
    command.add_argument("--passes", type=int, default=20)
    given = parser.parse_args()
    if given.command == "large":
        given.folder.mkdir(parents=True, exist_ok=True)
        print(common.table([large(int(given.nonzeros), given.folder, given.passes)]))
        return 0
    return common.report(given, "cocoa-rounds", {"rows": rounds(given.data, given.lam, given.tol)})


if __name__ == "__main__":
    sys.exit(main())
