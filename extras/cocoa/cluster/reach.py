"""Access to the parts: in this process, or as tasks of a Dask cluster.

``each`` runs a function on every part and returns the answers in the order of the parts. On a
cluster the opened parts stay where they are opened, and a task goes to its part. A worker that dies takes nothing with
it that cannot be made again: Dask opens its parts elsewhere and runs their tasks again (``part``). A slow worker is
waited for.
"""

import contextlib
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from dualgap.extras.cocoa.cluster.part import Part, Source, Store, facts_of, forget, sums_of
from dualgap.extras.cocoa.cluster.partitioned import PartFacts, PartSums
from dualgap.fast.problem.arrays import Array
from dualgap.fast.solver.dask_client import ClusterLost, connected
from dualgap.reference.problem.losses import Loss
from dualgap.reference.problem.regularizers import Regularizer


class Parts:
    """The parts in this process, one after the other.

    Parameters
    ----------
    sources : where the rows come from, in order
    store : where alpha is kept
    """

    def __init__(self, sources: Sequence[Source], loss: Loss, regularizer: Regularizer, store: Store) -> None:
        self.sources, self.store = tuple(sources), store
        self.open(loss, regularizer)
        self.facts: list[PartFacts] = self.each(facts_of)
        _require_one_width(self.sources, self.facts)

    def open(self, loss: Loss, regularizer: Regularizer) -> None:
        """Have every part opened."""
        self.opened: list[Any] = [Part(source, loss, regularizer) for source in self.sources]

    def each(self, function: Callable[..., object], *arguments: object) -> list[Any]:
        """function(part, k, *arguments) for every part k."""
        return [function(part, k, *arguments) for k, part in enumerate(self.opened)]

    def close(self) -> None:
        """Let go of the rows; the parts answer nothing more."""
        self.each(forget, self.store)
        self.opened = []

    def sums(self, version: int, w: Array, compensated: bool) -> list[PartSums]:
        """See ``partitioned.Workers``. Raises ValueError once the parts were let go."""
        if not self.opened:
            raise ValueError(
                "the run has ended and the workers have released the rows, so the sums cannot be recomputed"
            )
        return self.each(sums_of, self.store, version, w, compensated)


class DaskParts(Parts):
    """The parts on the workers of a Dask cluster."""

    def __init__(
        self, sources: Sequence[Source], loss: Loss, regularizer: Regularizer, store: Store, client: Any
    ) -> None:
        self.client = client
        super().__init__(sources, loss, regularizer, store)

    def open(self, loss: Loss, regularizer: Regularizer) -> None:
        with large_tasks():
            self.opened = [self.client.submit(Part, source, loss, regularizer, pure=False) for source in self.sources]

    def each(self, function: Callable[..., object], *arguments: object) -> list[Any]:
        """See ``Parts``. The arguments are sent with the tasks, so they do not depend on any worker's life.

        Raises ClusterLost if the scheduler has ended, or if a task has killed one worker after the other.
        """
        from distributed import CancelledError, KilledWorker
        from distributed.comm import CommClosedError

        with large_tasks():
            tasks = [
                self.client.submit(function, part, k, *arguments, pure=False) for k, part in enumerate(self.opened)
            ]
        try:
            found: list[Any] = self.client.gather(tasks)
        except KilledWorker as error:
            said = " ".join(str(error).split())[:300]
            raise ClusterLost(
                f"the workers that were given a partition died one after the other ({said}); most likely it does not"
                " fit into their memory"
            ) from None
        except (CancelledError, CommClosedError):
            raise ClusterLost(
                "the Dask scheduler has gone while it was working; start it again, and repeat the run, from its"
                " checkpoint where there is one"
            ) from None
        return found


@contextlib.contextmanager
def large_tasks() -> Iterator[None]:
    """Dask does not warn of arrays that travel with a task: here they are meant to."""
    import dask

    with dask.config.set({"distributed.admin.large-graph-warning-threshold": "1 TiB"}):
        yield


def _require_one_width(sources: Sequence[Source], facts: Sequence[PartFacts]) -> None:
    """Raise ValueError, naming the part, where one has other columns than the first."""
    for source, part in zip(sources, facts):
        if part.d != facts[0].d:
            raise ValueError(
                f"{source.name} has {part.d} columns, and {sources[0].name} has {facts[0].d}: the partitions are parts"
                " of one matrix. Split the data with dualgap new data FILE --map DIR --parts K, or give sparse"
                " matrices of"
                " one shape (rows, d)"
            )


@contextlib.contextmanager
def client_of(cluster: object) -> Iterator[Any]:
    """A Dask client for a client, a cluster or an address; for None, None.

    Raises ValueError without distributed, and where no scheduler answers.
    """
    if cluster is None or hasattr(cluster, "submit"):
        yield cluster
        return
    with connected(cluster) as client:
        yield client
