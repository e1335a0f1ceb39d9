"""A problem whose rows are in parts at several workers, and its certificate. Each worker sums over its rows, and the
driver adds the sums.

    P, D, gap = sums over the parts of sums over their rows;     u = (1/n) sum_k sum_{i in P_k} alpha_i x_i

``gap_bound`` is valid without changes if the number of terms is n + K, for these reasons:

- z~: each x_i^T w must be a sum of at most m products. A worker computes it as such a sum.
- u~: a term must pass through at most k roundings, in any order of summation. Here these are its product, at most
  |P_k| - 1 sums at the worker, K sums at the driver and a division, and |P_k| + K + 1 <= n + K + 1.
- The sums over the rows (FY~, ||x_i||^2, |alpha_i| ||x_i||, y_i^2) have terms >= 0, and the same count applies.
- Compensated sums: a worker sends the high and low parts of its sums unrounded. The driver adds the K pairs as Dot2
  would add K more terms, and 2 (n + K) products are counted.
- ||z|| is computed from upper bounds of the workers' ||z_k||. Each worker checks that its alpha_i are in the domain
  of phi*.

The workers need not sum at the same time or in one process.

The driver does not have alpha. It has the number of the round after which the workers have that alpha, as an array of
shape (1,).
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from dualgap.extras.cocoa.compiled_kernels import add_pair
from dualgap.fast.compiler.subnormals import require_subnormals
from dualgap.fast.problem import compensated
from dualgap.fast.problem.arrays import Array, arrays, require_unchanged
from dualgap.fast.problem.gap_bound import RowSizes, length
from dualgap.fast.problem.losses import CODES
from dualgap.fast.problem.native import numbers
from dualgap.fast.problem.objective import Evaluation, Objective, Sums
from dualgap.fast.problem.pnorm import largest
from dualgap.fast.problem.row_sums import NO_WEIGHTS, evaluate
from dualgap.fast.problem.rows import summed
from dualgap.reference.problem.losses import Loss
from dualgap.reference.problem.problem import Problem
from dualgap.reference.problem.regularizers import Regularizer


class PartFacts(NamedTuple):
    """The driver's facts about a part: its sizes, sums over its rows, and the hash of its rows and labels."""

    n: int
    d: int
    nnz: int
    longest: int
    norm2: float  # sum of ||x_i||^2
    label2: float  # sum of y_i^2
    R2: float
    fingerprint: str


class PartSums(NamedTuple):
    """One worker's part of a certificate: sums on its rows, sum alpha_i x_i as high + low, ||z_k||, max |alpha_i|."""

    sums: Sums
    magnitudes: tuple[float, float]
    high: Array
    low: object  # (d,); None unless the sums are compensated
    z: float
    largest: float


class Workers(Protocol):
    """The owner of the rows and of alpha."""

    def sums(self, version: int, w: Array, compensated: bool) -> Sequence[PartSums]:
        """Return the sums of each part, in the order of the parts, at the alpha of round ``version``."""
        ...


class PartArrays:
    """The facts about all rows together; replaces ``Arrays``."""

    weights = None

    def __init__(self, facts: Sequence[PartFacts]) -> None:
        self.n, self.d = sum(part.n for part in facts), facts[0].d
        self.nnz, self.longest = sum(part.nnz for part in facts), max(part.longest for part in facts)
        self.R2 = max(part.R2 for part in facts)
        self.norm2, self.label2 = (
            sum(part.norm2 for part in facts) / self.n,
            sum(part.label2 for part in facts) / self.n,
        )


class PartitionedProblem(Problem):
    """A problem over float. The driver has its loss, regularizer and facts, and the workers have the rows.

    Parameters
    ----------
    facts : one for each part; all have the same d
    workers : they sum over the rows
    """

    rows_elsewhere = True

    def __init__(self, facts: Sequence[PartFacts], loss: Loss, regularizer: Regularizer, workers: Workers) -> None:
        self._require_kinds(loss, regularizer, float)
        if loss.name not in CODES:
            raise ValueError(
                f"rows in partitions are certified for the losses {', '.join(CODES)} (got loss {loss.name!r})"
            )
        known = PartArrays(facts)
        self.X: Any = None
        self._cached: dict[str, object] = {"arrays": known}
        self.number, self.zero, self.n, self.d = float, 0.0, known.n, known.d
        self.facts, self.workers = tuple(facts), workers
        self.loss = loss.over(float)
        self._set_regularizer(regularizer.over(float))

    def own_objective(self) -> "PartitionedObjective":
        """Return the objective that ``objective_of`` uses."""
        return PartitionedObjective(self)

    @property
    def fingerprint(self) -> str:
        """The fingerprints of the parts, in their order."""
        return " ".join(part.fingerprint for part in self.facts)


class PartitionedObjective(Objective):
    """P, D and gap from the sums of the parts. ``alpha``: the number of the round after which it stands, shape (1,)."""

    problem: PartitionedProblem
    largest_alpha: Array  # max |alpha_i| at the last evaluation, shape (1,)

    def evaluate(self, w: Array, alpha: Array) -> Evaluation:
        return self._added(self.problem.workers.sums(int(alpha[0]), w, False))

    def evaluate_compensated(self, w: Array, alpha: Array) -> Evaluation:
        return self._added(self.problem.workers.sums(int(alpha[0]), w, True))

    def _added(self, parts: Sequence[PartSums]) -> Evaluation:
        """Add the sums of all parts, in the order of the parts."""
        high, low = np.zeros(self.d), np.zeros(self.d)
        for part in parts:
            if part.low is None:
                high += part.high
            else:
                add_pair(high, low, part.high, part.low)
        doubled = parts[0].low is not None
        total = self.minus_mean(high + low if doubled else high)
        self.largest_alpha = np.array([max(part.largest for part in parts)])
        sums = Sums(*(sum(column) for column in zip(*(part.sums for part in parts))))
        rows, lengths = (sum(column) for column in zip(*(part.magnitudes for part in parts)))
        return Evaluation(sums, (rows, lengths), total, np.array([part.z for part in parts]) if doubled else None)

    @property
    def row_sizes(self) -> RowSizes:
        found = super().row_sizes
        return found._replace(terms=self.n + len(self.problem.facts))

    def numbers_of(self, alpha: Array) -> Array:
        return self.largest_alpha

    def finite_alpha(self, alpha: object) -> Array:
        return numbers(alpha, "alpha")  # the workers check alpha itself

    def require_alpha(self, alpha: object) -> Array:
        """Return the number of the round, checked."""
        checked = np.array(alpha, dtype=np.float64)
        if checked.shape != (1,) or not (checked[0] >= 0 and checked[0] == np.floor(checked[0])):
            raise ValueError(f"alpha of rows in partitions is the number of a round, shape (1,) (got {alpha!r})")
        return checked


# -- at the worker -----------------------------------------------------------------------------------------------------


def part_facts(problem: Problem, fingerprint: str) -> PartFacts:
    """Return the facts about the rows of one worker."""
    known = arrays(problem)
    return PartFacts(
        problem.n,
        problem.d,
        known.nnz,
        known.longest,
        float(summed(known.norms2)),
        known.label2 * problem.n,
        known.R2,
        fingerprint,
    )


def part_sums(problem: Problem, w: Array, alpha: Array, doubled: bool) -> PartSums:
    """Return the sums over the rows of one worker; if ``doubled``, compensated ones.

    Raises OverflowError: alpha is not finite.
    Raises ValueError: alpha is outside the domain.
    Raises RuntimeError: the worker's processor treats subnormal numbers as 0.
    """
    require_subnormals()
    require_unchanged(problem)
    objective = Objective(problem)
    if not np.isfinite(alpha).all():
        raise OverflowError("alpha is not finite")
    alpha = objective.require_alpha(alpha)
    high, low = np.zeros(problem.d), np.zeros(problem.d)
    if not doubled:
        sums, sizes = evaluate(objective.arrays.matrix, objective.losses, objective.weights, w, alpha, high, NO_WEIGHTS)
        return PartSums(Sums(*sums), sizes, high, None, 0.0, float(largest(alpha)))
    z = np.empty(problem.n)
    compensated.products(objective.arrays.matrix, w, z)
    compensated.combine(objective.arrays.matrix, alpha, high, low)
    return PartSums(
        objective.sums(z, alpha), objective.magnitudes(z, alpha), high, low, length(z), float(largest(alpha))
    )
