"""The exact solution of a small system of equations, in Fractions."""

from dualgap.proofs_checks.engines.optimum import solve_linear
from dualgap.reference import LinearSystem
from dualgap.reference.problem.problem import Vector


def exact_solution(system: LinearSystem) -> Vector:
    """x*, shape (d,), of a system over Fractions: the solution of its normal equations, which must solve it.

    Raises ValueError where there is none, or more than one.

    >>> from fractions import Fraction
    >>> exact_solution(LinearSystem([[1, 0], [1, 1], [0, 2]], [1, 0, -2], number=Fraction))
    [Fraction(1, 1), Fraction(-1, 1)]
    """
    normal = [[system.zero] * system.d for _ in range(system.d)]
    right = [system.zero] * system.d
    for row, b in zip(system.rows, system.y):
        for j, a in row:
            right[j] = right[j] + a * b
            for k, c in row:
                normal[j][k] = normal[j][k] + a * c
    try:
        x = solve_linear(normal, right)
    except ZeroDivisionError:
        raise ValueError("the system has more than one solution, or none: its columns depend on each other") from None
    if any(system.residuals(x)):
        raise ValueError(
            f"the system has no solution: at the best x the residuals are {', '.join(map(str, system.residuals(x)))}"
        )
    return x


def has_one_solution(system: LinearSystem) -> bool:
    """Whether there is an x that solves it, and no other."""
    try:
        exact_solution(system)
    except ValueError:
        return False
    return True
