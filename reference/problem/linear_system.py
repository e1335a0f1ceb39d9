"""A system of linear equations A x = b: a problem of methods that have neither alpha nor lambda.

    x* is the one x with a_i^T x* = b_i for every row, where A has full column rank and b lies in its range.

>>> from fractions import Fraction
>>> system = LinearSystem([[1, 0], [1, 1], [0, 2]], [1, 0, -2], number=Fraction)
>>> system.residuals([Fraction(1), Fraction(-1)]), system.norms2 == [1, 2, 4]
([Fraction(0, 1), Fraction(0, 1), Fraction(0, 1)], True)
"""

from typing import Any

from dualgap.reference.numbers.arithmetic import NumberType, convert
from dualgap.reference.problem.data import Data, Vector


class LinearSystem(Data):
    """A x = b in one number; rows, their squared norms and right-hand sides have the names that they have in
    ``Problem``.

    Parameters
    ----------
    A : (n, d), as X of ``Problem``.
    b : (n,), then ``y`` of the system.
    number : float, Fraction or Interval.
    d : the columns, for rows of pairs; found by itself otherwise.

    Raises
    ------
    ValueError
        Empty or ragged A, non-finite values, duplicated columns, wrong length of b.
    TypeError
        ``number`` is something else.
    """

    def __init__(self, A: object, b: object, number: NumberType = float, d: int | None = None) -> None:
        if not isinstance(number, type) or not isinstance(convert("1/2", number), number):
            raise TypeError(f"number must be float, Fraction or Interval (got {number!r})")
        super().__init__(A, b, number, d)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(
            f"{type(self).__name__!r} object has no attribute {name!r}: a system of equations has no loss, no"
            " regularizer and no dual"
        )

    def residuals(self, x: Vector) -> Vector:
        """a_i^T x - b_i, shape (n,), x of shape (d,)."""
        return [self.dot(row, x) - b_i for row, b_i in zip(self.rows, self.y)]
