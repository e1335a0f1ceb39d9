"""Test of positivity of a rational quadratic form, by the pivots of an elimination."""

from fractions import Fraction

Matrix = list[list[Fraction]]


def pivots(form: Matrix) -> list[Fraction]:
    """The pivots of a symmetric elimination, up to the first that decides against positive semidefinite.

    A negative pivot decides, and so does a zero pivot in a row that is not zero: the list ends there, -1 for
    the second kind. A symmetric form is positive semidefinite exactly when all its pivots are there and >= 0.
    """
    table, found = [list(row) for row in form], []
    size = len(table)
    for k in range(size):
        pivot = table[k][k]
        if pivot == 0 and any(table[k][j] != 0 for j in range(k + 1, size)):
            pivot = Fraction(-1)
        found.append(pivot)
        if pivot < 0:
            return found
        for j in range(k + 1, size):
            factor = table[j][k] / pivot if pivot else 0
            if factor:
                for i in range(k + 1, size):
                    table[j][i] -= factor * table[k][i]
    return found


def nonnegative_pivots(form: Matrix) -> int:
    """Return the number of pivots >= 0. It is the size of the form exactly if the form is positive semidefinite."""
    return sum(pivot >= 0 for pivot in pivots(form))
