"""A run over partitions: ``SolverRun`` with the workers instead of the rows.

The driver has v, shape (d,), and knows alpha by the round after which the workers have it. A round sends v to every
worker and takes their v_k back: 16 d K bytes. A certificate sends w and takes a vector of d, or two, and a few sums.
"""

import contextlib
import os
import uuid
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields, replace
from itertools import accumulate
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dualgap.extras.cocoa.cluster.part import Round, Source, Store, alpha_of, make_round
from dualgap.extras.cocoa.cluster.partitioned import PartitionedObjective, PartitionedProblem
from dualgap.extras.cocoa.cluster.reach import DaskParts, Parts, client_of
from dualgap.extras.cocoa.compiled_kernels import add, combine_workers
from dualgap.extras.cocoa.reference import CoCoA
from dualgap.fast.data.temporary import temporary_folder
from dualgap.fast.methods.base import FastDualState
from dualgap.fast.problem.arrays import Array
from dualgap.fast.solver.backends import Backend
from dualgap.fast.solver.memory import require_memory
from dualgap.fast.solver.result import Result
from dualgap.fast.solver.run import SolverRun
from dualgap.fast.solver.settings import Settings
from dualgap.reference.methods import sampling
from dualgap.reference.problem.losses import Loss
from dualgap.reference.problem.problem import Problem
from dualgap.reference.problem.regularizers import Regularizer

ORDERS = sampling.ORDERS  # also "blocks": every part has its own blocks


@dataclass(frozen=True, eq=False)
class PartitionedResult(Result):
    """A result whose alpha was collected from the workers; the certificate knows it by its round, and cannot be made
    again after the run.

    Attributes
    ----------
    parts : alpha of every partition, in their order
    """

    parts: tuple[Array, ...] = ()

    @property
    def alpha(self) -> Array:
        """(n,), the rows in the order of the partitions."""
        return np.concatenate(self.parts)


class ClusterCoCoA:
    """CoCoA+ for ``Backend``; the workers make its rounds. Bit-identical to ``FastCoCoA`` on the rows of all parts."""

    name = "cocoa"

    def __init__(self, method: CoCoA, parts: Parts, order: str, seed: int) -> None:
        self.reference, self.parts, self.order, self.seed = method, parts, order, seed
        self.kept: tuple[int, ...] = ()  # rounds whose alpha a certificate or a checkpoint may need again

    def require(self, problem: Problem, mode: str) -> None:
        self.reference.require(problem, mode)

    def require_state(self, problem: PartitionedProblem, state: Any) -> None:
        PartitionedObjective(problem).require_alpha(state.alpha)

    def init(self, problem: PartitionedProblem, alpha: object) -> FastDualState:
        """Everything at 0."""
        return FastDualState(v=PartitionedObjective(problem).dual_point(np.zeros(problem.d)), alpha=np.zeros(1))

    def view(self, problem: PartitionedProblem, state: Any) -> tuple[Array, Array]:
        return PartitionedObjective(problem).w_of(state.v), state.alpha.copy()

    def draw(self, problem: PartitionedProblem, order: str, seed: int, epoch: int) -> Array:
        """A pass and its number of rounds, shape (1, 2): the workers draw the rows."""
        width = self.reference.width(problem)
        return np.array([[epoch, 1 if self.reference.H is None else sampling.steps_of_pass(problem.n, width, epoch)]])

    def advance(self, problem: PartitionedProblem, state: Any, choices: Array) -> None:
        for epoch, rounds in choices.tolist():
            for place in range(rounds):
                self.round(problem, state, epoch, place, rounds)

    def round(self, problem: PartitionedProblem, state: Any, epoch: int, place: int, rounds: int) -> None:
        """Run one round: send v to all workers, the sum of their v_k in the order of the parts."""
        constants, total = self.reference.constants(problem), np.zeros(problem.d)
        version = int(state.alpha[0]) + 1
        told = Round(
            self.parts.store,
            self.reference,
            self.order,
            self.seed,
            problem.scale,
            version,
            epoch,
            place,
            rounds,
            self.kept,
        )
        for v_k in self.parts.each(make_round, told, state.v):
            add(total, v_k)
        combine_workers(state.v, total, constants.rest, constants.divisor)  # CoCoA+ line 8
        state.alpha[0] = version


class ClusterBackend(Backend):
    """A backend that knows no alpha."""

    def monitored_vector(self, problem: Problem, state: Any) -> Array:
        return np.asarray(state.v)


class PartitionedRun(SolverRun):
    """A run that tells the workers which rounds' alpha to keep: of the best pair and the checkpoint."""

    pinned: tuple[int, ...] = ()

    def begin(self, alpha: ArrayLike | None) -> None:
        super().begin(alpha)
        self.pin()

    def save(self) -> None:
        self.pin()  # before the file names them
        super().save()

    def hints(self, status: str) -> tuple[str, ...]:
        """None: the driver does not have the rows, and no other method takes them."""
        return ()

    def pin(self) -> None:
        """Keep the rounds of the state and of the best pair, in addition to those kept until now."""
        best = () if self.record.best is None else (int(self.record.best.alpha[0]),)
        found = (int(self.run.state.alpha[0]), *best)
        self.driver.implementation.kept, self.pinned = (*self.pinned, *found), found


def solve_partitions(
    partitions: Sequence[object],
    loss: Loss,
    regularizer: Regularizer,
    settings: Settings,
    cluster: object = None,
    checkpoint: str | os.PathLike[str] | None = None,
) -> PartitionedResult:
    """``solve`` for rows in partitions, with CoCoA+.

    Parameters
    ----------
    partitions : of each a mapped folder, a pair (X, y) or a data set, all with the same columns
    settings : of method cocoa; its order may be "blocks", its option parts is what the partitions are
    cluster : a ``distributed.Client``, a cluster or an address; None: the partitions one after the other, in this
        process
    checkpoint : a file; alpha is kept next to it, in the folder FILE.parts, which all workers must see

    Raises
    ------
    ValueError
        A partition that cannot be opened, has other columns or labels that do not fit, with its name; no scheduler at
        the address.
    """
    if not isinstance(partitions, (list, tuple)) or not partitions:
        raise ValueError(f"partitions must be a list of one or more folders or pairs (X, y) (got {partitions!r})")
    if "parts" in settings.method_options:
        raise ValueError("parts is what the partitions are: leave it out")
    if settings.backend != "fast" or settings.threads != 1:
        raise ValueError("partitions run on backend fast, with one thread for each worker process")
    sources = [Source.of(given, k) for k, given in enumerate(partitions)]
    with client_of(cluster) as client, folder_of(checkpoint) as folder:
        store = Store(folder, uuid.uuid4().hex)
        parts = (
            Parts(sources, loss, regularizer, store)
            if client is None
            else DaskParts(sources, loss, regularizer, store, client)
        )
        problem = PartitionedProblem(parts.facts, loss, regularizer, parts)
        require_memory(problem, "cocoa")
        return _run(problem, parts, settings, checkpoint)


def _run(
    problem: PartitionedProblem, parts: Parts, settings: Settings, checkpoint: str | os.PathLike[str] | None
) -> PartitionedResult:
    """The run, once the parts are there."""
    ends = tuple(accumulate(part.n for part in parts.facts))
    settings = replace(settings, method_options={**settings.method_options, "parts": ends})
    method = CoCoA(**settings.method_options)
    if settings.draw_order not in ORDERS or (method.H is not None and settings.draw_order != "uniform"):
        raise ValueError(
            f"order must be uniform, or with whole local passes (no H) permuted or blocks (got {settings.draw_order!r})"
        )
    implementation = ClusterCoCoA(method, parts, settings.draw_order, settings.seed)
    implementation.require(problem, settings.mode)
    run = PartitionedRun(problem, ClusterBackend(implementation, consistent=True), settings, checkpoint)
    status = run.until_done(None)
    found = run.result(status, "")
    alpha = parts.each(alpha_of, parts.store, int(found.certificate.alpha[0]))
    parts.close()
    return PartitionedResult(**{f.name: getattr(found, f.name) for f in fields(Result)}, parts=tuple(alpha))


@contextlib.contextmanager
def folder_of(checkpoint: str | os.PathLike[str] | None) -> Iterator[str]:
    """The folder for alpha of each round: next to the checkpoint, or a temporary one that is removed after the run."""
    if checkpoint is None:
        with temporary_folder() as ours:
            yield str(ours)
        return
    folder = os.path.abspath(f"{os.fspath(checkpoint)}.parts")
    os.makedirs(folder, exist_ok=True)
    yield folder
