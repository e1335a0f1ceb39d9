"""A client of a Dask cluster, for rows in partitions and for audits whose claims are tasks."""

import importlib.util
from importlib import metadata
from typing import Any


class ClusterLost(ConnectionError):
    """The scheduler has gone, or every worker that was given a task: the run cannot go on."""


def connected(address: object) -> Any:
    """A Dask client for an address or a cluster, whose scheduler and present workers have this dualgap.

    Raises ValueError without distributed, where no scheduler answers, and where one of them has no dualgap, or another
    version.
    """
    if importlib.util.find_spec("distributed") is None:
        raise ValueError('a Dask cluster needs distributed, which is not installed: pip install "dualgap[cluster]"')
    from distributed import Client

    try:
        client = Client(address, timeout=10)
    except (OSError, ValueError) as error:  # a timeout is an OSError
        said = " ".join(str(error).split())[:200]
        raise ValueError(f"no Dask scheduler answers at {address} ({said}); start one with: dask scheduler") from None
    try:
        _require_same_dualgap(client)
    except BaseException:
        client.close()
        raise
    return client


def _require_same_dualgap(client: Any) -> None:
    """Raise ValueError, naming the process, where the scheduler or a worker has no dualgap, or another version."""
    here = metadata.version("dualgap")
    try:
        there: dict[str, object] = {"the scheduler": client.run_on_scheduler(metadata.version, "dualgap")}
    except metadata.PackageNotFoundError as missing:
        there = {"the scheduler": missing}
    there |= {
        f"worker {address}": found
        for address, found in client.run(metadata.version, "dualgap", on_error="return").items()
    }
    for name, found in there.items():
        if isinstance(found, Exception):
            raise ValueError(
                f"{name} has no dualgap ({found}): tasks are dualgap's own code; install dualgap {here} there"
            )
        if found != here:
            raise ValueError(
                f"{name} has dualgap {found}, but here it is {here}; results are bit-identical only for one"
                f" version: install dualgap {here}"
                " there"
            )
