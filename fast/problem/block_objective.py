"""The objectives of block duals: what ``Objective`` has, for ``BlockProblem``.

Blocks x_i (x) I_K (``BlockProblem.kronecker``) are computed by kernels, with the reference's bits; blocks of other
shapes by the reference itself, row by row.
"""

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.problem import block_losses, compensated
from dualgap.fast.problem.arrays import Array
from dualgap.fast.problem.block_losses import KINDS
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


class BlockArrays:
    """The rows x_i of A_i = x_i (x) I_K in CSR, as the reference has them, and the targets.

    Attributes
    ----------
    matrix : a ``Sparse``; K, n, d : as in ``BlockProblem``
    y : (n, K) targets, or (n, 1) classes
    loss : (kind, code, gamma), what ``block_losses`` takes
    """

    def __init__(self, problem: BlockProblem) -> None:
        if not compiled(problem):
            raise ValueError(
                "the fast backend computes in float, on blocks that share their rows (BlockProblem.kronecker); use "
                'backend="reference" for blocks of other shapes, and the methods of dualgap.reference for other numbers'
            )
        rows = [block.columns[0] for block in problem.blocks]
        indptr = np.cumsum([0, *map(len, rows)], dtype=np.uint64)
        indices = np.array([j for row in rows for j, _ in row], dtype=np.uint64)
        self.matrix = Sparse(indptr, indices, np.array([x for row in rows for _, x in row], dtype=np.float64))
        self.n, self.d, self.K = problem.n, problem.d, problem.blocks[0].q
        self.y = np.array(problem.y, dtype=np.float64).reshape(self.n, -1)
        loss: Any = problem.loss
        separable = isinstance(loss, Separable)
        self.loss = (KINDS["separable" if separable else loss.name], CODES[loss.name] if separable else 0, loss.gamma)


def compiled(problem: BlockProblem) -> bool:
    """Return whether there are kernels for the problem's blocks."""
    return problem.number is float and all(isinstance(block, Kronecker) for block in problem.blocks)


def block_arrays(problem: BlockProblem) -> BlockArrays:
    """The arrays of a problem, made at the first call. ValueError where its blocks have no kernels."""
    return problem.cached("block arrays", lambda: BlockArrays(problem))


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

    z and alpha have shape (n, K) for ``BlockProblem.kronecker``, else they are sequences of n tuples.

    >>> from dualgap.reference import L2
    >>> from dualgap.reference.problem.block_losses import MulticlassSmoothedHinge
    >>> problem = BlockProblem.kronecker([[3.0, 4.0], [0.0, 1.0]], [0, 2], 3, MulticlassSmoothedHinge(), L2(0.5))
    >>> objective = BlockObjective(problem)
    >>> round(objective.gap(np.zeros(6), np.zeros((2, 3))), 6)
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
        self.blocks = block_arrays(problem) if compiled(problem) else None

    def minus_u(self, alpha: Any) -> Array:
        """-(1/n) sum_i A_i alpha_i, shape (d,)."""
        if self.blocks is None:
            return np.array(self.problem.minus_u(alpha))
        total = np.zeros(self.d)
        combine(*self.blocks.matrix, alpha, total)
        return 0.0 - total / self.n

    def z(self, w: Array) -> Any:
        """A_i^T w for every i."""
        if self.blocks is None:
            return [self.problem.dot(block, w.tolist()) for block in self.problem.rows]
        z = np.empty((self.n, self.blocks.K))
        products(*self.blocks.matrix, w, z)
        return z

    def sums(self, z: Any, alpha: Any) -> Sums:
        if self.blocks is not None:
            return Sums(*block_sums(*self.blocks.loss, z, alpha, self.blocks.y))
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
        blocks = [tuple(z_i.tolist()) for z_i in np.split(z, ends)] if self.blocks is None else z.reshape(self.n, -1)
        return self.evaluation(blocks, alpha, 0.0 - (high + low) / self.n)._replace(z=z)

    def scalar_rows(self) -> Sparse:
        """The columns of all blocks as the rows of a matrix in CSR: row (i, k) is column k of A_i."""
        problem: Any = self.problem
        columns = [column for block in problem.blocks for column in block.columns]
        if self.blocks is not None:  # column k of x (x) I_K
            K = self.blocks.K
            columns = [[(j * K + k, x) for j, x in row] for row in columns for k in range(K)]
        indptr = np.cumsum([0, *map(len, columns)], dtype=np.uint64)
        indices = np.array([j for column in columns for j, _ in column], dtype=np.uint64)
        return Sparse(indptr, indices, np.array([x for column in columns for _, x in column], dtype=np.float64))

    def P(self, w: Array) -> float:
        """The primal objective at w, shape (d,)."""
        return self.P_from(self.sums(self.z(w), self.zeros()), w)

    def D(self, alpha: ArrayLike) -> float:
        """The dual objective at alpha, in the domain."""
        return self.D_from(self.sums(self.z(np.zeros(self.d)), alpha), self.minus_u(alpha))

    def zeros(self) -> Any:
        """alpha = 0."""
        return self.problem.zeros() if self.blocks is None else np.zeros((self.n, self.blocks.K))

    def numbers_of(self, alpha: Any) -> Array:
        return np.reshape(alpha, -1) if isinstance(alpha, np.ndarray) else np.concatenate(alpha)

    def finite_alpha(self, alpha: Any) -> Any:
        if self.blocks is not None:
            return super().finite_alpha(alpha)
        return alpha if np.isfinite(np.concatenate(alpha)).all() else None

    def require_alpha(self, alpha: Any) -> Any:
        """A copy of alpha, checked against the domain: an array, or a tuple of n tuples (reference:
        BlockProblem.require_alpha).
        """
        if self.blocks is None:
            return tuple(self.problem.require_alpha(alpha))
        given = alpha if isinstance(alpha, np.ndarray) else None
        if given is None or given.dtype != np.float64 or given.shape != (self.n, self.blocks.K):
            return np.array(self.problem.require_alpha(alpha))
        checked = np.array(given, order="C")
        kind, code, _ = self.blocks.loss
        if first_outside(kind, code, checked, self.blocks.y) < self.n or not np.isfinite(checked).all():
            self.problem.require_alpha(checked.tolist())  # raises, with its words
        return checked

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
        terms, spread = (self.n, 1) if self.blocks is not None else (self.n * q, q)
        longest = max((len(column) for block in problem.blocks for column in block.columns), default=0)
        # what R and R * R lose to underflow
        norm2 = spread * (math.fsum(R * R for R in problem.norms) / self.n + (longest + 1) * TINY)
        targets = math.fsum(y * y for y_i in problem.y for y in y_i) / self.n if separable else 1.0
        slope = math.inf if self.gamma > 0 else 2 * math.sqrt(q)
        label2 = 2 * (targets + q * (1 + self.gamma) * (1 + self.gamma))
        return RowSizes(terms, longest, norm2, label2, slope, 0.0 if separable else 2 * q * (q + 6) * UNIT)


def block_lengths(size: Array, widths: Array) -> Array:
    """sqrt(q) ||alpha_i|| of every block, from the |alpha_k| of all; no square underflows that is not small against
    another one.
    """
    starts = np.cumsum(widths) - widths
    exponents = np.frexp(np.maximum.reduceat(size, starts))[1]
    scaled = np.ldexp(size, -np.repeat(exponents, widths))
    return np.asarray(np.ldexp(np.sqrt(widths * np.add.reduceat(scaled * scaled, starts)), exponents))


# -- kernels -----------------------------------------------------------------------------------------------------------


@kernel(inline=True)
def row_products(indptr, indices, data, i, w, z):
    """z = W^T x_i, shape (K,) (reference: Kronecker.transposed)."""
    K = z.size
    for k in range(K):
        z[k] = 0.0
    for place in range(indptr[i], indptr[i + 1]):
        x, start = data[place], indices[place] * np.uint64(K)
        for k in range(K):
            z[k] = z[k] + x * w[start + np.uint64(k)]


@kernel(inline=True)
def row_add(indptr, indices, data, i, factors, u):
    """U <- U + x_i factors^T (reference: Kronecker.add)."""
    K = factors.size
    for place in range(indptr[i], indptr[i + 1]):
        x, start = data[place], indices[place] * np.uint64(K)
        for k in range(K):
            u[start + np.uint64(k)] = u[start + np.uint64(k)] + factors[k] * x


@kernel
def products(indptr, indices, data, w, out):
    """A_i^T w for every i, shape (n, K)."""
    for i in range(out.shape[0]):
        row_products(indptr, indices, data, i, w, out[i])


@kernel
def combine(indptr, indices, data, alpha, out):
    """sum_i A_i alpha_i, added to out, shape (d,)."""
    for i in range(alpha.shape[0]):
        row_add(indptr, indices, data, i, alpha[i], out)


@kernel
def block_sums(kind, code, gamma, z, alpha, y):
    """The three sums of ``Sums``, each in the order of the rows."""
    values = conjugates = residuals = 0.0
    work = np.empty((4, z.shape[1]))
    for i in range(z.shape[0]):
        values = values + block_losses.value(kind, code, gamma, z[i], y[i], work)
        conjugates = conjugates + block_losses.conjugate(kind, code, gamma, alpha[i], y[i])
        residuals = residuals + block_losses.residual(kind, code, gamma, z[i], alpha[i], y[i], work)
    return values, conjugates, residuals


@kernel
def first_outside(kind, code, alpha, y):
    """The first i with phi_i*(alpha_i) infinite, or n."""
    for i in range(alpha.shape[0]):
        if not block_losses.in_domain(kind, code, alpha[i], y[i]):
            return i
    return alpha.shape[0]
