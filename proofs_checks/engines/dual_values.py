"""D of very many alpha of one problem, exactly: each from its definition, with less to do.

    D(alpha) = -[2 mu n sum_i phi_i*(alpha_i) + ||soft(X^T alpha, n l1)||^2] / (2 mu n^2)

is ``Problem.D`` for L2 and the elastic net, over one denominator: X^T alpha is not divided by n before it is squared.
phi_i*(alpha_i) depends on y_i and alpha_i alone, and from state to state most coordinates are the same objects: they
are kept with their conjugates, and found again by identity, which costs less than a comparison of long rationals. Every
alpha has all of its terms added up; nothing is taken from the dual value of another one. The first D of each problem is
computed by the reference's own lines, too, and must be the same.
"""

from typing import TypeVar

from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.numbers.rational import is_rational
from dualgap.reference.problem.problem import Problem, Vector
from dualgap.reference.problem.regularizers import L2, ElasticNet, Regularizer, soft
from dualgap.reference.problem.validate import Row

P = TypeVar("P")
Kept = list[tuple[Number, Number]]  # pairs (alpha_i, phi_i*(alpha_i))
KEPT = 32  # conjugates of a problem, about; then all of them are forgotten
FORMULA = (Regularizer, L2, ElasticNet)  # whose g* is that of the formula, without a centre


class ExactProblem(Problem):
    """A Problem of rationals with another way to the same dual value; made by ``quick``.

    >>> from fractions import Fraction
    >>> from dualgap.reference import Squared
    >>> problem = Problem([[1, 2], [3, 0]], [1, 2], Squared(), ElasticNet(2, "1/3"), number=Fraction)
    >>> problem.D([1, 2]), quick(problem).D([1, 2])
    (Fraction(-917, 144), Fraction(-917, 144))
    """

    def __init__(self, problem: Problem) -> None:
        vars(self).update(vars(problem))
        self._set_regularizer(problem.regularizer)
        # x_i, y_i, and what is kept of row i
        self._table: list[tuple[Row, Number, Kept]] = [(row, y, []) for row, y in zip(self.rows, self.y)]

    def _set_regularizer(self, regularizer: Regularizer) -> None:
        super()._set_regularizer(regularizer)  # copies under another one share the conjugates
        self._compared = False
        self._formula = type(regularizer) in FORMULA and regularizer.centre is None
        if self._formula:
            self._weight: Number = 2 * self.scale  # 2 mu n
            self._divisor: Number = -self.n * self._weight
            self._threshold: Number = self.n * regularizer.l1

    def D(self, alpha: Vector) -> Number:
        """The dual objective at alpha, shape (n,). Raises ValueError outside the domain."""
        if not self._formula:
            return super().D(alpha)
        if len(alpha) != self.n:
            self.require_lengths(alpha=alpha)
        conjugates = squares = self.zero
        total, new = [conjugates] * self.d, []
        for alpha_i, (row, y, kept) in zip(alpha, self._table):
            for held, known in kept:
                if held is alpha_i:
                    conjugate = known
                    break
            else:
                conjugate = self.loss.conjugate(alpha_i, y)
                new.append((kept, alpha_i, conjugate))
            conjugates += conjugate
            for j, x in row:
                total[j] += alpha_i * x
        if len(new) > 1:  # one new coordinate is a step's, and most steps are not gone on from
            self._keep(new)
        for part in [soft(total_j, self._threshold) for total_j in total] if self._threshold else total:
            squares += part * part
        value = (self._weight * conjugates + squares) / self._divisor
        if not self._compared:
            self._compare(alpha, value)
        return value

    def _compare(self, alpha: Vector, value: Number) -> None:
        """Raise ArithmeticError unless the reference says the same."""
        self._compared, due = True, super().D(alpha)
        if value != due:
            raise ArithmeticError(
                f"D({', '.join(map(str, alpha))}) = {value} over one denominator, and {due} by the reference's lines"
            )

    def _keep(self, new: list[tuple[Kept, Number, Number]]) -> None:
        if sum(len(kept) for _, _, kept in self._table) > KEPT:
            for _, _, old in self._table:
                old.clear()
        for kept, alpha_i, conjugate in new:
            kept.append((alpha_i, conjugate))


def quick(problem: P) -> P | ExactProblem:
    """The same problem as an ExactProblem where it is a Problem of rationals; itself where it is anything else."""
    if not isinstance(problem, Problem) or type(problem) is not Problem or not is_rational(problem.number):
        return problem
    return ExactProblem(problem)
