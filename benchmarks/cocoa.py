"""CoCoA+ over partitions, on a LocalCluster of Dask: rounds and bytes against parts.

    python benchmarks/cocoa.py [--data NAME ...] [--lam X] [--tol E] [--out DIR]

Run K = 1, 2, 4, 8 parts on two workers to a certified gap of 1e-6, and SDCA on one machine in the same order. Print the
rounds, the bytes per round, and the distance between the solutions with the bound that both gaps imply. K = 1 must be
bit-identical to SDCA.
"""

import math
import sys
import time
from typing import Any

import common

common.fix_threads()

KS, WORKERS = (1, 2, 4, 8), 2


def in_parts(data: "common.Dataset", K: int) -> list[tuple[Any, Any]]:
    """(X, y) of consecutive rows."""
    from scipy.sparse import csr_array

    from dualgap.extras.cocoa.reference import CoCoA

    X, ends = csr_array(data.X), CoCoA(parts=K).ends(data.X.shape[0])
    return [(X[a:b], data.y[a:b]) for a, b in zip([0, *ends], ends)]


def rounds(names: list[str], lam: float, tol: float) -> common.Rows:
    """A row for each data set and K. Exit 1 where w is too far away, or K = 1 is not SDCA."""
    import numpy as np
    from distributed import Client, LocalCluster

    from dualgap.fast import solve, solve_partitions
    from dualgap.reference import L2, Problem, SmoothedHinge

    rows, client = [], Client(LocalCluster(n_workers=WORKERS, threads_per_worker=1, dashboard_address=None))
    for name in names:
        data = common.data(name)
        problem = Problem(data.X, data.y, SmoothedHinge(), L2(lam))
        given: common.Record = {
            "loss": problem.loss,
            "regularizer": problem.regularizer,
            "cluster": client,
            "order": "permuted",
        }
        alone = solve(problem, "sdca", order="permuted", tol=tol)
        for K in KS:
            started = time.perf_counter()
            found = solve_partitions(partitions=in_parts(data, K), method="cocoa", tol=tol, max_epochs=5000, **given)
            seconds = time.perf_counter() - started
            apart = float(np.linalg.norm(found.w - alone.w))
            allowed = sum(math.sqrt(2 * one.gap_bound / lam) for one in (found, alone))
            if K == 1:
                same = (
                    solve(problem, "sdca", order="permuted", tol=0, max_epochs=3),
                    solve_partitions(partitions=in_parts(data, 1), method="cocoa", tol=0, max_epochs=3, **given),
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


def main() -> int:
    parser = common.parser(__doc__, common.RESULTS)
    parser.add_argument("--data", nargs="+", default=["rcv1-like", "sector-like"])
    parser.add_argument("--lam", type=float, default=1e-3)
    parser.add_argument("--tol", type=float, default=1e-6)
    given = parser.parse_args()
    return common.report(given, "cocoa", {"rows": rounds(given.data, given.lam, given.tol)})


if __name__ == "__main__":
    sys.exit(main())
