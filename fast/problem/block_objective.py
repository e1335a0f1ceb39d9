"""The objective of block duals: what ``Objective`` has, for ``BlockProblem``. The reference computes it, row by row."""

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dualgap.fast.problem import compensated
from dualgap.fast.problem.arrays import Array
from dualgap.fast.problem.gap_bound import LOST, TINY, UNIT, RowSizes
from dualgap.fast.problem.general_objective import GeneralObjective
from dualgap.fast.problem.intercept import objective_of_rows
from dualgap.fast.problem.losses import BUILT_IN, CODES
from dualgap.fast.problem.objective import Evaluation, Objective, Sums
from dualgap.fast.problem.own_loss import OwnLossObjective
from dualgap.fast.problem.rows import Sparse
from dualgap.reference.problem.block_losses import Separable, SimplexLoss
from dualgap.reference.problem.block_problem import BlockProblem, Kronecker
from dualgap.reference.problem.problem import Problem
from dualgap.reference.problem.weighted_problem import WeightedProblem


def objective_of(problem: Problem) -> Objective:
    """The objective of a problem of any kind, and of any loss. Raises ValueError for weighted rows with a loss of one's
    own.
    """
    if isinstance(problem, BlockProblem):
        return BlockObjective(problem)
    if (make := getattr(problem, "own_objective", None)) is not None:
        found: Objective = make()
        return found
    own = type(problem.loss) not in BUILT_IN
    if problem.regularizer.family == "general" and type(problem) is Problem:
        return GeneralObjective(problem)
    if isinstance(problem, WeightedProblem):
        if own:
            raise ValueError(
                f"rows with weights are certified for the losses {', '.join(CODES)} (got loss {problem.loss.name!r})"
            )
        return objective_of_rows(problem)
    return OwnLossObjective(problem) if own else Objective(problem)


class BlockObjective(Objective):
    """P, D, gap and the maps between alpha, u, v and w of one BlockProblem over float.

    z and alpha are sequences of n tuples.

    >>> from dualgap.reference import L2
    >>> from dualgap.reference.problem.block_losses import MulticlassSmoothedHinge
    >>> problem = BlockProblem.kronecker([[3.0, 4.0], [0.0, 1.0]], [0, 2], 3, MulticlassSmoothedHinge(), L2(0.5))
    >>> objective = BlockObjective(problem)
    >>> round(objective.gap(np.zeros(6), objective.require_alpha(np.zeros((2, 3)))), 6)
    1.25
    """

    def __init__(self, problem: BlockProblem) -> None:
        if problem.number is not float:
            raise ValueError(
                f"the fast backend computes in float (got number={problem.number.__name__}); "
                "build the problem with number=float, or run the methods of dualgap.reference on it"
            )
        self._set_problem(problem)
        self.gamma = problem.loss.gamma
        self.q = max(len(alpha_i) for alpha_i in problem.zeros())  # of the widest block

    def minus_u(self, alpha: Any) -> Array:
        """-(1/n) sum_i A_i alpha_i, shape (d,)."""
        return np.array(self.problem.minus_u(alpha))

    def z(self, w: Array) -> Any:
        """A_i^T w for every i."""
        return [self.problem.dot(block, w.tolist()) for block in self.problem.rows]

    def sums(self, z: Any, alpha: Any) -> Sums:
        loss, values, conjugates, residuals = self.problem.loss, 0.0, 0.0, 0.0
        for z_i, alpha_i, y in zip(z, alpha, self.problem.y):
            values, conjugates = values + loss.value(z_i, y), conjugates + loss.conjugate(alpha_i, y)
            residuals = residuals + loss.residual(z_i, alpha_i, y)
        return Sums(values, conjugates, residuals)

    evaluate = Objective.evaluate_in_parts

    def evaluate_compensated(self, w: Array, alpha: Any) -> Evaluation:
        rows, numbers = self.scalar_rows(), np.concatenate(alpha)
        z, high, low = np.empty(numbers.size), np.zeros(self.d), np.zeros(self.d)
        compensated.products(rows, w, z)
        compensated.combine(rows, numbers, high, low)
        ends = np.cumsum([len(alpha_i) for alpha_i in alpha])[:-1]
        blocks = [tuple(z_i.tolist()) for z_i in np.split(z, ends)]
        return self.evaluation(blocks, alpha, 0.0 - (high + low) / self.n)._replace(z=z)

    def scalar_rows(self) -> Sparse:
        """The columns of all blocks as the rows of a matrix in CSR: row (i, k) is column k of A_i."""
        problem: Any = self.problem
        columns = []
        for block in problem.blocks:
            if isinstance(block, Kronecker):  # column k of x (x) I_K
                columns += [[(j * block.q + k, x) for j, x in block.columns[0]] for k in range(block.q)]
            else:
                columns += block.columns
        indptr = np.cumsum([0, *map(len, columns)], dtype=np.uint64)
        indices = np.array([j for column in columns for j, _ in column], dtype=np.uint64)
        return Sparse(indptr, indices, np.array([x for column in columns for _, x in column], dtype=np.float64))

    def P(self, w: Array) -> float:
        """The primal objective at w, shape (d,)."""
        return self.P_from(self.sums(self.z(w), self.zeros()), self.regularizer_at(w))

    def D(self, alpha: ArrayLike) -> float:
        """The dual objective at alpha, in the domain."""
        return self.D_from(self.sums(self.z(np.zeros(self.d)), alpha), self.conjugate_at(self.minus_u(alpha)))

    def zeros(self) -> Any:
        """alpha = 0."""
        return self.problem.zeros()

    def numbers_of(self, alpha: Any) -> Array:
        return np.concatenate(alpha)

    def finite_alpha(self, alpha: Any) -> Any:
        return alpha if np.isfinite(np.concatenate(alpha)).all() else None

    def require_alpha(self, alpha: Any) -> Any:
        """A copy of alpha, a tuple of n tuples, checked against the domain (reference: BlockProblem.require_alpha)."""
        return tuple(self.problem.require_alpha(alpha))

    def magnitudes(self, z: Any, alpha: Any) -> tuple[float, float]:
        """See ``evaluated.allowance``; the M_i of blocks, and the sum of ||alpha_i|| ||A_i||_F, from above.

        M_i = sum_k |alpha_k| (|y_k| + gamma |alpha_k| + |z_k|) + 4 |z_k| + q (1 + gamma), with |y_k| = 1 for classes.
        ||A_i|| is the root of a sum of at most m squares and may have lost 2^-537 sqrt(m).
        """
        size, at = np.abs(np.concatenate(alpha)), np.abs(np.concatenate(z))
        y = 1.0 if isinstance(self.problem.loss, SimplexLoss) else np.abs(np.concatenate(self.problem.y))
        widths = np.array([len(alpha_i) for alpha_i in alpha])
        norms = np.array(self.problem.norms) + LOST * math.sqrt(self.row_sizes.longest)
        rows = size * (y + self.gamma * size + at) + 4 * at + 1 + self.gamma
        return float(rows.sum()), float((norms * block_lengths(size, widths)).sum())

    @property
    def roundings(self) -> int:
        """See ``evaluated.allowance``: 64 + 4 q (q + 6), q being the widest block.

        Sums over the entries of a block are off by q eps of their sizes. In the simplex the sums of beta and of the
        best beta are 1 up to q (q + 6)/2 ULP each, and the gap identity, which takes them to be 1, up to that much
        times |z_k| + 1 + gamma.
        """
        return 64 + 4 * self.q * (self.q + 6)

    @property
    def row_sizes(self) -> RowSizes:
        """See ``gap_bound``; ||A_i||_F <= sqrt(q) ||A_i||, and formulas with q entries instead of one."""
        problem: Any = self.problem
        separable, q = isinstance(problem.loss, Separable), self.q
        longest = max((len(column) for block in problem.blocks for column in block.columns), default=0)
        # what R and R * R lose to underflow
        norm2 = q * (math.fsum(R * R for R in problem.norms) / self.n + (longest + 1) * TINY)
        targets = math.fsum(y * y for y_i in problem.y for y in y_i) / self.n if separable else 1.0
        slope = math.inf if self.gamma > 0 else 2 * math.sqrt(q)
        label2 = 2 * (targets + q * (1 + self.gamma) * (1 + self.gamma))
        return RowSizes(self.n * q, longest, norm2, label2, slope, 0.0 if separable else 2 * q * (q + 6) * UNIT)


def block_lengths(size: Array, widths: Array) -> Array:
    """sqrt(q) ||alpha_i|| of every block, from the |alpha_k| of all; no square underflows that is not small against
    another one.
    """
    starts = np.cumsum(widths) - widths
    exponents = np.frexp(np.maximum.reduceat(size, starts))[1]
    scaled = np.ldexp(size, -np.repeat(exponents, widths))
    return np.asarray(np.ldexp(np.sqrt(widths * np.add.reduceat(scaled * scaled, starts)), exponents))
