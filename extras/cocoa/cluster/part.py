"""The tasks of a worker on its part. Rows and alpha stay on the worker; a task depends only on its arguments.

Every task can be repeated on any worker. It takes alpha of the previous round from the memory of its process, or from
the file of that round if the memory has another round or none, and writes alpha of its own round to a file before it
returns. If a worker dies, any other worker can repeat its task, with bit-identical results. Files of rounds that are no
longer needed are removed.
"""

import contextlib
import os
import re
import sys
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from dualgap.extras.cocoa.cluster.partitioned import PartFacts, PartSums, part_facts, part_sums
from dualgap.extras.cocoa.compiled_kernels import aggregate, local_solution
from dualgap.extras.cocoa.reference import CoCoA
from dualgap.fast.data.mapped_rows import pieces
from dualgap.fast.data.memory_mapped import is_mapped, open_mapped
from dualgap.fast.problem.arrays import Array
from dualgap.fast.problem.objective import Objective
from dualgap.fast.solver.checkpoint import GROWN, fingerprint, read, write
from dualgap.reference.problem.losses import Loss
from dualgap.reference.problem.problem import Problem
from dualgap.reference.problem.regularizers import Regularizer

ROUND = re.compile(r"part-(\d+)-round-(\d+)\.alpha")
# of this process: the last round of each part made or read here, and its alpha
HELD: dict[tuple["Store", int], tuple[int, Array]] = {}


class Store(NamedTuple):
    """The place of alpha: a folder and the run, so that no process uses another run's alpha from its memory."""

    folder: str
    run: str


@dataclass(frozen=True)
class Source:
    """The source of the rows of a part.

    Attributes
    ----------
    name : the folder, or "partition k"
    rows : (X, y), where they are given as arrays
    """

    name: str
    rows: tuple[Any, object] | None = None

    @classmethod
    def of(cls, given: Any, k: int) -> "Source":
        """A folder written by ``dualgap new data --map``, a pair (X, y), or a data set with these."""
        if isinstance(given, (str, os.PathLike)):
            return cls(os.path.abspath(given))
        rows = (given.X, given.y) if hasattr(given, "X") else given
        if not isinstance(rows, (tuple, list)) or len(rows) != 2:
            raise ValueError(
                f"partition {k} must be a mapped folder, a pair (X, y) or a data set (got {type(given).__name__})"
            )
        return cls(f"partition {k}", (rows[0], rows[1]))

    def read(self) -> tuple[Any, object]:
        """(X, y)."""
        if self.rows is not None:
            return self.rows
        if not is_mapped(self.name):
            raise ValueError(
                "there is no such folder; write one with dualgap new data FILE --map DIR, where every worker sees it"
            )
        found = open_mapped(self.name)
        return found.X, found.y


class Part:
    """The rows of one worker as a problem. If it is sent to another process, it is opened again there."""

    def __init__(self, source: Source, loss: Loss, regularizer: Regularizer) -> None:
        self.given = (source, loss, regularizer)
        self.name = source.name
        try:
            self.problem = Problem(*source.read(), loss, regularizer)
            self.facts = part_facts(self.problem, fingerprint(self.problem))
        except (ValueError, OSError) as error:
            said = str(error)
            raise ValueError(said if said.startswith(source.name) else f"{source.name}: {said}") from None

    def __reduce__(self) -> tuple[object, ...]:
        return Part, self.given

    def __sizeof__(self) -> int:
        """Return the size of the rows, so that a scheduler knows the cost of sending them."""
        return sys.getsizeof(0) + 12 * self.facts.nnz + 24 * self.facts.n


class Round(NamedTuple):
    """The description of one round that is sent to a worker.

    Attributes
    ----------
    store : where alpha is kept
    method, order, seed : of the run
    scale : mu n, of all rows
    version : of the round to be made, >= 1; alpha of version - 1 is its start
    epoch, place : of the pass that the round belongs to, and which of its rounds it is
    rounds : of that pass
    kept : versions whose alpha may still be needed
    """

    store: Store
    method: CoCoA
    order: str
    seed: int
    scale: float
    version: int
    epoch: int
    place: int
    rounds: int
    kept: tuple[int, ...]


def facts_of(part: Part, k: int) -> PartFacts:
    """The facts about a part that the driver gets."""
    return part.facts


def make_round(part: Part, k: int, told: Round, v: Array) -> Array:
    """Local steps on the part, alpha changed and kept. Returns v_k, shape (d,), the only thing that travels."""
    objective, method = Objective(part.problem), told.method
    constants = method.constants(part.problem)
    alpha = alpha_at(part, k, told.store, told.version - 1)
    moved = alpha.copy()
    ends = part.problem.block_ends if told.order == "blocks" else None
    rows = method.draw_part(told.order, part.problem.n, told.rounds, told.seed, told.epoch, k, ends)[told.place]
    v_k = v
    for piece in pieces(part.problem, told.order, rows):
        v_k = local_solution(objective, constants.spread, v_k, moved, piece, told.scale)
    alpha = alpha.copy()
    aggregate(alpha, moved, constants.weight)
    keep(part, k, told, alpha)
    return v_k


def sums_of(part: Part, k: int, store: Store, version: int, w: Array, doubled: bool) -> PartSums:
    """Return the sums that the part adds to a certificate at the alpha of that round."""
    return part_sums(part.problem, w, alpha_at(part, k, store, version), doubled)


def alpha_of(part: Part, k: int, store: Store, version: int) -> Array:
    """alpha of that round, shape (rows of the part,)."""
    return alpha_at(part, k, store, version).copy()


def forget(part: Part, k: int, store: Store) -> None:
    """The run is over: this process keeps nothing of it."""
    HELD.pop((store, k), None)


# -- alpha, kept by rounds ---------------------------------------------------------------------------------------------


def alpha_at(part: Part, k: int, store: Store, version: int) -> Array:
    """alpha of a round, from memory or from its file; 0 before the first.

    Raises ValueError: there is no file of that round, or it is damaged or of other rows.
    """
    if version == 0:
        return np.zeros(part.problem.n)
    held = HELD.get((store, k))
    if held is not None and held[0] == version:
        return held[1]
    path = path_of(store.folder, k, version)
    try:
        told, members = read(path, GROWN + 8 * part.problem.n)
    except FileNotFoundError:
        raise ValueError(
            f"{part.name}: alpha of round {version} is not in {store.folder}: all workers must see that folder"
            " (checkpoint=FILE keeps it at FILE.parts)"
        ) from None
    alpha = members.get("alpha")
    if (
        told.get("rows") != part.facts.fingerprint
        or alpha is None
        or alpha.dtype != np.float64
        or alpha.shape != (part.problem.n,)
    ):
        raise ValueError(
            f"{path} was written for other rows than those of {part.name}; remove {store.folder} and start again"
        )
    HELD[store, k] = version, alpha
    return alpha


def keep(part: Part, k: int, told: Round, alpha: Array) -> None:
    """Write alpha of the round, remember it, and remove the files of rounds that are over."""
    folder = told.store.folder
    write(path_of(folder, k, told.version), {"rows": part.facts.fingerprint}, {"alpha": alpha})
    HELD[told.store, k] = told.version, alpha
    wanted = {*told.kept, told.version, told.version - 1}
    for name in os.listdir(folder):
        found = ROUND.fullmatch(name)
        if found and int(found[1]) == k and int(found[2]) not in wanted:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(os.path.join(folder, name))


def path_of(folder: str, k: int, version: int) -> str:
    """The file of one part and round."""
    return os.path.join(folder, f"part-{k}-round-{version}.alpha")
