"""The options ``--jobs`` and ``--dask`` of every command that works in processes (``claims.parallel``)."""

import contextlib
import importlib.util
import logging
from collections.abc import Iterator

from dualgap.proofs_checks.report.terminal import Advance, Ended, input_errors, progress


@contextlib.contextmanager
def on_dask(address: str | None) -> Iterator[None]:
    """Run the work of the block on the Dask scheduler of that address. None changes nothing.

    Raises ValueError if distributed is missing or no scheduler answers, and Ended if the connection is lost later.
    """
    if address is None:
        yield
        return
    if importlib.util.find_spec("joblib") is None:
        raise ValueError('a Dask cluster needs joblib, which is not installed: pip install "dualgap[cluster]"')
    from joblib import parallel_config

    from dualgap.fast.solver.dask_client import connected

    with losing_dask(address), connected(address), parallel_config(backend="dask"):
        yield


@contextlib.contextmanager
def watched(dask: str | None) -> Iterator[Advance]:
    """Run a block that reads input and then works, perhaps on a Dask cluster. Yields the function that shows progress;
    an exception after its first call is not reported as an input error (``input_errors``).
    """
    with input_errors() as commit, on_dask(dask), progress() as advance:

        def watch(name: str, done: int, total: int) -> None:
            commit()
            advance(name, done, total)

        yield watch


@contextlib.contextmanager
def losing_dask(address: str | None) -> Iterator[None]:
    """Turn Dask's errors into one line (Ended) if the scheduler ends during the block. None changes nothing."""
    if address is None or importlib.util.find_spec("distributed") is None:
        yield
        return
    from distributed import CancelledError
    from distributed.comm import CommClosedError

    from dualgap.fast.solver.dask_client import ClusterLost

    names = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] == "distributed"]
    loggers = [(logger, logger.level) for logger in map(logging.getLogger, names)]
    for logger, _ in loggers:
        logger.setLevel(logging.CRITICAL)
    try:
        yield
    except (CancelledError, CommClosedError, ClusterLost) as error:
        said = (
            str(error)
            if isinstance(error, ClusterLost)
            else "the connection to the Dask scheduler was lost during the run; restart the scheduler and repeat"
            " the command"
        )
        raise Ended(f"{address}: {said}") from error
    finally:
        for logger, level in loggers:
            logger.setLevel(level)
