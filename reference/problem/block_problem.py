"""Block duals: alpha_i has q_i numbers, and A_i, of shape (d, q_i), takes the place of the row x_i.

    P(w)        = (1/n) sum_i phi_i(A_i^T w) + g(w)
    f(w, alpha) = (1/n) sum_i [<alpha_i, A_i^T w> - phi_i*(alpha_i)] + g(w)
    D(alpha)    = -(1/n) sum_i phi_i*(alpha_i) - g*(-u),   u = (1/n) sum_i A_i alpha_i

``BlockProblem`` has the functions of ``Problem``, including the gap identity. Where z_i and alpha_i are numbers there,
they are tuples of q_i numbers here. A method that never looks inside alpha_i runs on both; with every q_i = 1 both runs
are the same. Source: AdaSPDC (Zhu and Storkey 2015), (2).
"""

from collections.abc import Sequence
from fractions import Fraction
from functools import cached_property
from typing import Any

from dualgap.reference.numbers.arithmetic import Number, NumberType, convert, maximum
from dualgap.reference.problem import validate
from dualgap.reference.problem.block_losses import Block, BlockLoss, Separable, inner
from dualgap.reference.problem.problem import Problem, Vector
from dualgap.reference.problem.regularizers import Regularizer
from dualgap.reference.problem.spectral import dominated, gram, spectral_norm


class Columns:
    """A_i by its columns, each a list of pairs (j, a_j).

    >>> A = Columns([[(0, 3)], [(1, 4)]])
    >>> A.transposed([1, 10], 0), A.norm2(0)
    ((3, 40), 16)
    """

    def __init__(self, columns: list[validate.Row]) -> None:
        self.columns, self.q = columns, len(columns)

    def transposed(self, w: Vector, zero: Number) -> Block:
        """A_i^T w, shape (q,), each entry summed in stored order."""
        z = []
        for column in self.columns:
            total = zero
            for j, x in column:
                total = total + x * w[j]
            z.append(total)
        return tuple(z)

    def add(self, u: Vector, factors: Sequence[Number]) -> None:
        """u <- u + A_i factors, in place."""
        for column, factor in zip(self.columns, factors):
            for j, x in column:
                u[j] = u[j] + factor * x

    def norm2(self, zero: Number) -> Number | None:
        """||A_i||_2^2 where no two columns share a row (A_i^T A_i is diagonal), else None."""
        seen: set[int] = set()
        largest = zero
        for column in self.columns:
            total = zero
            for j, x in column:
                if j in seen:
                    return None
                total = total + x * x
            seen.update(j for j, _ in column)
            largest = maximum(largest, total)
        return largest


class Kronecker:
    """A_i = x_i (x) I_K for w = vec(W), W of shape (d/K, K) row by row: A_i^T w = W^T x_i. Never formed.

    >>> A = Kronecker([(0, 3), (1, 4)], K=2)
    >>> A.transposed([1, 10, 2, 20], 0), A.norm2(0)
    ((11, 110), 25)
    """

    def __init__(self, row: validate.Row, K: int) -> None:
        self.columns, self.q = [row], K  # x_i alone: it has the spectral norm of A_i

    def transposed(self, w: Vector, zero: Number) -> Block:
        """W^T x_i, shape (K,)."""
        z = [zero] * self.q
        for j, x in self.columns[0]:
            for k in range(self.q):
                z[k] = z[k] + x * w[j * self.q + k]
        return tuple(z)

    def add(self, u: Vector, factors: Sequence[Number]) -> None:
        """U <- U + x_i factors^T, in place."""
        for j, x in self.columns[0]:
            for k, factor in enumerate(factors):
                u[j * self.q + k] = u[j * self.q + k] + factor * x

    def norm2(self, zero: Number) -> Number:
        """||x_i||^2 = ||A_i||_2^2."""
        total = zero
        for _, x in self.columns[0]:
            total = total + x * x
        return total


class BlockProblem(Problem):
    """One problem with block duals.

    Parameters
    ----------
    A : n dense blocks, A[i] of shape (d, q_i).
    b : n targets; what the loss makes of them, see ``block_losses``: lists of q_i numbers, or classes in 0..q_i-1.
    loss, regularizer, number : a loss of ``block_losses``, and as for ``Problem``.

    Raises
    ------
    ValueError
        No block, blocks of different heights, empty or ragged blocks, non-finite entries, targets that do not fit.
    TypeError
        A loss of single numbers (wrap it: ``Separable(loss)``), or one that does not run on ``number``.

    >>> from dualgap.reference import L2, Squared
    >>> p = BlockProblem([[[3, 0], [0, 4]], [[1], [0]]], [[1, -1], [2]], Separable(Squared()), L2("1/2"), number=Fraction)
    >>> p.gap(p.w(p.zeros()), p.zeros()), p.norms
    (Fraction(3, 2), [Fraction(4, 1), Fraction(1, 1)])
    """  # noqa: E501

    def __init__(
        self, A: object, b: object, loss: BlockLoss, regularizer: Regularizer, number: NumberType = float
    ) -> None:
        d, blocks = dense_blocks(A, number)
        self._assemble(A, blocks, d, b, loss, regularizer, number)

    @classmethod
    def kronecker(
        cls,
        X: object,
        b: object,
        K: int,
        loss: BlockLoss,
        regularizer: Regularizer,
        number: NumberType = float,
        d: int | None = None,
    ) -> "BlockProblem":
        """A_i = x_i (x) I_K: K outputs or classes of n rows x_i, w = vec(W) with W of shape (features, K), row by row.

        X as for ``Problem``, of shape (n, features); d is its number of columns, for rows of pairs.

        >>> from dualgap.reference import L2
        >>> from dualgap.reference.problem.block_losses import MulticlassSmoothedHinge
        >>> p = BlockProblem.kronecker([[3, 4], [0, 1]], [0, 2], 3, MulticlassSmoothedHinge(), L2("1/2"), number=Fraction)
        >>> p.n, p.d, p.norms
        (2, 6, [Fraction(5, 1), Fraction(1, 1)])
        """  # noqa: E501
        validate.require_integer("K", K, 1, "the number of outputs or classes")
        _, features = validate.shape(X, d)
        validate.check(X)
        problem = cls.__new__(cls)
        blocks = [Kronecker(row, K) for row in validate.rows(X, features, number)]
        problem._assemble(X, blocks, features * K, b, loss, regularizer, number)
        return problem

    @classmethod
    def from_scalar(cls, problem: Problem) -> "BlockProblem":
        """The same problem with every q_i = 1.

        >>> from dualgap.reference import L2, Squared
        >>> p = Problem([[1, 0], [0, 1]], [1, -1], Squared(), L2(2), number=Fraction)
        >>> BlockProblem.from_scalar(p).D([(1,), (0,)]) == p.D([1, 0])
        True
        """
        copied = cls.__new__(cls)
        blocks, b = [Columns([row]) for row in problem.rows], [(y_i,) for y_i in problem.y]
        copied._assemble(problem.X, blocks, problem.d, b, Separable(problem.loss), problem.regularizer, problem.number)
        return copied

    def _assemble(
        self, X: Any, blocks: list[Any], d: int, b: Any, loss: BlockLoss, regularizer: Regularizer, number: NumberType
    ) -> None:
        self._require_kinds(loss, regularizer, number)
        if not isinstance(loss, BlockLoss):
            raise TypeError(
                f"loss must be one of block_losses (got {loss!r}); Separable(loss) makes one of a loss of single"
                " numbers"
            )
        self.X, self.number, self.zero = X, number, convert(0, number)
        self._cached = {}
        self.n, self.d, self.blocks = len(blocks), d, blocks
        self.loss = over = loss.over(number)
        if not hasattr(b, "__len__") or isinstance(b, (str, bytes)) or len(b) != self.n:
            raise ValueError(f"b must have one target for each of the {self.n} blocks (got {b!r})")
        targets = b.tolist() if hasattr(b, "tolist") else b
        self.y = [over.target(value, block.q, f"b[{i}]") for i, (value, block) in enumerate(zip(targets, blocks))]
        self._set_regularizer(regularizer.over(number))

    @cached_property
    def rows(self) -> list[Any]:
        """The blocks A_1 .. A_n."""
        return self.blocks

    # -- norms ------------------------------------------------------------------------------------------------------

    @cached_property
    def norms(self) -> Vector:
        """R_i >= ||A_i||_2, shape (n,): the norm itself where no two columns of A_i share a row, as of a scalar row.

        Else ``spectral_norm``, which exceeds it by at most 2^-39 of itself.
        """
        R = []
        for i, block in enumerate(self.blocks):
            norm2 = block.norm2(self.zero)
            R.append(spectral_norm(block.columns, self.number) if norm2 is None else self._root(i, norm2))
        return R

    def _norms2(self) -> Vector:
        """R_i^2, shape (n,)."""
        known = [block.norm2(self.zero) for block in self.blocks]
        if all(norm2 is not None for norm2 in known):
            return known
        return [R * R if norm2 is None else norm2 for R, norm2 in zip(self.norms, known)]

    def admits(self, i: int, R: Number) -> bool:
        """Return whether R >= ||A_i||_2, decided by elimination in Fractions where the columns of A_i share rows."""
        norm2 = self.blocks[i].norm2(self.zero)
        if norm2 is not None:
            return self._covers(R, norm2)
        exact = self.number if self.number is not float else Fraction
        columns = [[(j, convert(x, exact)) for j, x in column] for column in self.blocks[i].columns]
        return bool(R >= 0) and dominated(gram(columns), convert(R, exact) * convert(R, exact))

    @property
    def columns(self) -> list[validate.Row]:
        """Columns of a matrix of the spectral norm of A = [A_1 .. A_n]: its own, or of kron(X, I_K) those of X^T."""
        return [column for block in self.blocks for column in block.columns]

    # -- verbs --------------------------------------------------------------------------------------------------------

    def dot(self, row: Any, w: Vector) -> Block:
        """A_i^T w, shape (q_i,), for a block A_i = rows[i]."""
        z: Block = row.transposed(w, self.zero)
        return z

    def moved(self, u: Vector, i: int, new: tuple[Number, ...], old: tuple[Number, ...], divisor: Number) -> Vector:
        """u + A_i (new - old)/divisor, a new vector, for two values of alpha_i."""
        moved = list(u)
        self.blocks[i].add(moved, [(new_k - old_k) / divisor for new_k, old_k in zip(new, old)])
        return moved

    def zeros(self) -> list[tuple[Number, ...]]:
        """alpha = 0, which lies in the domain of every loss."""
        return [(self.zero,) * block.q for block in self.blocks]

    def minus_u(self, alpha: Vector) -> Vector:
        """-(1/n) sum_i A_i alpha_i, shape (d,)."""
        self.require_lengths(alpha=alpha)
        total = [self.zero] * self.d
        for block, alpha_i in zip(self.blocks, alpha):
            block.add(total, alpha_i)
        return [self.zero - total_j / self.n for total_j in total]

    def product(self, alpha_i: Block, z_i: Block) -> Number:
        """<alpha_i, z_i>."""
        return inner(alpha_i, z_i)

    def require_alpha(self, alpha: Any) -> Vector:
        """alpha, n sequences of q_i numbers, converted to tuples and checked against the domain of phi*."""
        if not hasattr(alpha, "__len__") or len(alpha) != self.n:
            raise ValueError(f"alpha must have one entry for each of the {self.n} blocks (got {alpha!r})")
        converted = []
        for i, (alpha_i, block) in enumerate(zip(alpha, self.blocks)):
            if not hasattr(alpha_i, "__len__") or len(alpha_i) != block.q:
                raise ValueError(
                    f"alpha[{i}] must be a list of {block.q} numbers (got {alpha_i!r}); a method that keeps one number"
                    " for each row does not run on a BlockProblem: use adaspdc-r, adaspdc or pdcp"
                )
            converted.append(tuple(convert(value, self.number, f"alpha[{i}][{k}]") for k, value in enumerate(alpha_i)))
            if not self.loss.in_domain(converted[i], self.y[i]):
                raise ValueError(
                    f"alpha[{i}] = {converted[i]} is outside the domain of {self.loss.name}: {self.loss.domain}"
                )
        return converted


def dense_blocks(A: Any, number: NumberType) -> tuple[int, list[Columns]]:
    """d and the blocks of n dense arrays of shape (d, q_i), zeros left out. ValueError where they are not that.

    >>> dense_blocks([[[3, 0], [0, 4]]], float)[1][0].columns
    [[(0, 3.0)], [(1, 4.0)]]
    """
    if not hasattr(A, "__len__") or isinstance(A, (str, bytes)) or len(A) == 0:
        raise ValueError(f"A must be a list of n >= 1 blocks, each of shape (d, q_i) (got {A!r})")
    d, blocks = 0, []
    for i, given in enumerate(A):
        block = given.tolist() if hasattr(given, "tolist") else given
        if not isinstance(block, (list, tuple)) or not all(isinstance(row, (list, tuple)) for row in block):
            raise ValueError(
                f"block A[{i}] must be dense, of shape (d, q_i), as an array or a list of rows (got"
                f" {type(given).__name__})"
            )
        widths = sorted({len(row) for row in block})
        if len(widths) != 1 or widths[0] == 0:
            raise ValueError(f"block A[{i}] must have d >= 1 rows of the same length q_i >= 1 (got lengths {widths})")
        d = d or len(block)
        if len(block) != d:
            raise ValueError(f"block A[{i}] has {len(block)} rows, but A[0] has {d}: all blocks have the d rows of w")
        entries = [[convert(x, number, f"A[{i}][{j}, {k}]") for k, x in enumerate(row)] for j, row in enumerate(block)]
        blocks.append(
            Columns([[(j, row[k]) for j, row in enumerate(entries) if row[k] != 0] for k in range(widths[0])])
        )
    return d, blocks
