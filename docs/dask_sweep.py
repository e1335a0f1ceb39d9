"""A sweep on a Dask cluster: here one of two processes on this machine, anywhere else the address of yours.

    pip install dualgap[cli] dask distributed
    python docs/dask_sweep.py [DATA]

``sweep`` hands its paths to joblib, and joblib to the cluster that ``parallel_config`` names; Ray and Spark have such a
backend too. Workers get the data with their path: write large data with ``dualgap new data FILE --map DIR`` to a
folder that all workers see, of which only the name is sent.
"""

import sys

from dask.distributed import Client
from joblib import parallel_config

from dualgap.fast import sweep
from dualgap.fast.data.load import load, prepare
from dualgap.reference import SmoothedHinge


def main(name: str = "breast_cancer") -> int:
    """Print one line for each run; 0 when all of them met the tolerance."""
    dataset = prepare(load(name), bias=True, unit_rows=True)
    with Client(n_workers=2, threads_per_worker=1, dashboard_address=None), parallel_config(backend="dask"):
        cells = sweep(dataset, SmoothedHinge(), [1e-1, 1e-2, 1e-3], method="sdca", seeds=range(2), tol=1e-6)
    for cell in cells:
        print(f"lam {cell.lam:g}  seed {cell.seed}  {cell.status} with gap {cell.gap:.2e} after {cell.epochs} passes")
    return 0 if all(cell.status == "converged" for cell in cells) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
