"""Traces, determinants and spectral radii in exact arithmetic, and where a method's own affine steps lead.

The characteristic polynomial is computed in integers (Faddeev and LeVerrier). Whether all its roots lie inside a circle
is decided by the reductions of Schur and Cohn; whether some lie on it, by Cohn's theorem on self-inversive polynomials.
Floats only propose bounds, which these tests confirm or refuse.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import partial
from itertools import accumulate, chain, count, product
from typing import Any

from dualgap.proofs_checks.engines.affine import affine_map, flat, with_flat
from dualgap.proofs_checks.engines.integers import common_divisor, over_one_denominator
from dualgap.proofs_checks.engines.optimum import reduced, solve_linear
from dualgap.reference import Method, Problem
from dualgap.reference.methods.base import State
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.problem import Vector

Matrix = Sequence[Sequence[Number]]
NEAR = Fraction(1, 10**6)  # the distance of the points from which a derivative is read
PROBES = (Fraction(-1), Fraction(1, 1000), Fraction(10**4), Fraction(-(10**4)))  # sizes of the entries
DIGITS = 10**12  # the largest denominator of a state on the way to a cycle


def _rationals(values: Sequence[Number]) -> list[Fraction]:
    """The values as fractions."""
    for value in values:
        if isinstance(value, float):
            raise TypeError(f"a float met an exact number (got {value!r}); write a rational, such as Q(1, 2)")
    return [Fraction(value) for value in values]


def trace(matrix: Matrix) -> Number:
    """The sum of the diagonal.

    Parameters
    ----------
    matrix : n rows of n numbers.
    """
    total: Number = 0
    for k, row in enumerate(matrix):
        total = total + row[k]
    return total


def determinant(matrix: Matrix) -> Fraction:
    """The determinant, exactly.

    Parameters
    ----------
    matrix : n rows of n rationals.

    >>> determinant([[Fraction(1), Fraction(2)], [Fraction(3), Fraction(4)]])
    Fraction(-2, 1)
    """
    last = characteristic(matrix)[-1]
    return -last if len(matrix) % 2 else last


def characteristic(matrix: Matrix) -> list[Fraction]:
    """det(z I - M) = z^n + c_1 z^(n-1) + ... + c_n as [1, c_1, ..., c_n], exactly.

    Parameters
    ----------
    matrix : n rows of n rationals.

    Raises TypeError for a float, as all here do that decide exactly.

    >>> characteristic([[Fraction(1), Fraction(2)], [Fraction(3), Fraction(4)]])
    [Fraction(1, 1), Fraction(-5, 1), Fraction(-2, 1)]
    """
    size, rows = range(len(matrix)), [_rationals(row) for row in matrix]
    whole, divisor = over_one_denominator(rows)
    found, power = [1], [[0] * len(rows) for _ in size]
    for k in size:
        for j in size:
            power[j][j] += found[k]
        columns = list(zip(*power))
        power = [[sum(a * b for a, b in zip(row, column) if a and b) for column in columns] for row in whole]
        found.append(-sum(power[j][j] for j in size) // (k + 1))
    return [Fraction(value, divisor**k) for k, value in enumerate(found)]


# -- roots and a circle ------------------------------------------------------------------------------------------------


def inside(polynomial: Sequence[Fraction], radius: Fraction) -> bool:
    """Return whether all roots have a modulus below the radius > 0: Schur and Cohn.

    >>> [inside([Fraction(2), Fraction(-1)], Fraction(r)) for r in ("1/2", "2/3")]
    [False, True]
    """
    left = _stretched(polynomial, radius)
    while len(left) > 1:
        first, last = left[0], left[-1]
        if abs(last) >= abs(first):  # the product of the roots
            return False
        left = _reduced([first * a - last * b for a, b in zip(left[:-1], left[:0:-1])])
    return True


def within(polynomial: Sequence[Fraction], radius: Fraction) -> bool:
    """Return whether no root has a modulus above the radius > 0.

    >>> [within([Fraction(1), Fraction(0), Fraction(1)], Fraction(r)) for r in ("9/10", "1")]
    [False, True]
    """
    left = [Fraction(value) for value in _stretched(polynomial, radius)]
    while left and left[-1] == 0:
        left.pop()
    if len(left) < 2:
        return True
    common = _divisor(left, left[::-1])
    if not inside(_quotient(left, common)[0], Fraction(1)):
        return False
    # common is self-inversive: its roots lie on the circle if and only if those of its derivative lie within (Cohn)
    degree = len(common) - 1
    return degree == 0 or within([value * (degree - k) for k, value in enumerate(common[:-1])], Fraction(1))


def _stretched(polynomial: Sequence[Fraction], radius: Fraction) -> list[int]:
    """Integer coefficients of a multiple of p(radius z)."""
    degree = len(polynomial) - 1
    whole, _ = over_one_denominator([[value * radius ** (degree - k) for k, value in enumerate(polynomial)]])
    return _reduced(whole[0])


def _reduced(integers: list[int]) -> list[int]:
    common = common_divisor(integers) or 1
    return [value // common for value in integers]


def _quotient(one: list[Fraction], other: list[Fraction]) -> tuple[list[Fraction], list[Fraction]]:
    """Quotient and remainder of polynomials; of the remainder no leading zeros."""
    rest, found = list(one), list[Fraction]()
    while len(rest) >= len(other):
        found.append(rest[0] / other[0])
        rest = [a - found[-1] * b for a, b in zip(rest, [*other, *[Fraction(0)] * (len(rest) - len(other))])][1:]
    while rest and rest[0] == 0:
        rest.pop(0)
    return found, rest


def _divisor(one: list[Fraction], other: list[Fraction]) -> list[Fraction]:
    """The greatest common divisor of polynomials, up to a factor."""
    while other:
        one, other = other, _quotient(one, other)[1]
    return [value / one[0] for value in one]


def radius_beside(polynomial: Sequence[Fraction], bound: Fraction) -> Fraction:
    """r with: all roots inside r < bound; or r = bound is the largest modulus; or the largest modulus is r > bound or
    more. So r stands for the largest modulus in each comparison with the bound > 0.

    Parameters
    ----------
    polynomial : the coefficients, from the highest power.
    bound : > 0.

    >>> p = [Fraction(1), Fraction(0), Fraction(-1, 4)]
    >>> [str(radius_beside(p, Fraction(b))) for b in ("1/4", "1/2", "1")]
    ['2097151/4194304', '1/2', '1048577/2097152']
    """
    polynomial, (bound,) = _rationals(polynomial), _rationals([bound])
    below = inside(polynomial, bound)
    if not below and within(polynomial, bound):
        return bound
    away = abs(bound - _guess(polynomial)) or bound
    for share in chain((1 - Fraction(1, 2**20), 1 - Fraction(1, 2**8)), (Fraction(1, 2**k) for k in count(1))):
        distance = (away * share).limit_denominator(2**24) or away * share
        found = bound - distance if below else bound + distance
        if found > 0 and inside(polynomial, found) == below:
            return found
    raise AssertionError("unreachable: the largest modulus is not the bound")


def _guess(polynomial: Sequence[Fraction]) -> Fraction:
    """The largest modulus of a root in floats; 0 if they are too large or too small."""
    import numpy as np

    try:
        return Fraction(float(max(abs(np.roots([float(value) for value in polynomial])), default=0.0)))
    except (ArithmeticError, ValueError, np.linalg.LinAlgError):
        return Fraction(0)


# -- a method's own steps ----------------------------------------------------------------------------------------------


def fields_of(state: State) -> list[str]:
    """The fields of a state that are lists."""
    return [name for name, value in state.fields().items() if isinstance(value, list)]


def step_matrices(method: Method[Any], problem: Problem, state: State) -> list[tuple[Fraction, Matrix]]:
    """(p_k, A_k) for each choice k, with (z+, 1) = A_k (z, 1), z the entries of the state's lists.

    Parameters
    ----------
    method, problem : the method, and the problem in rationals.
    state : any state of it: its other fields are kept.

    Raises ValueError if a step is not affine in them at the points where this is tested (PROBES and that of
    ``affine_map``), or changes a field that is no list.
    """
    fields = fields_of(state)
    others = [name for name in state.fields() if name not in fields]

    def after(choice: object, z: Vector) -> Vector:
        reached = method.step(problem, with_flat(state, fields, z), choice)
        if changed := [name for name in others if getattr(reached, name) != getattr(state, name)]:
            raise ValueError(f"the step changes {', '.join(changed)}, no list of numbers: it is not affine")
        return flat(reached, fields)

    size, number = len(flat(state, fields)), problem.number
    found = [(k, p, affine_map(partial(after, k), size, number)) for k, p in method.choices(problem, state)]
    for (k, _, A), probe in product(found, () if number is float else PROBES):
        z: Vector = [number(probe * (-1) ** j * (j + 2)) for j in range(size)]
        if after(k, z) != [sum((a * b for a, b in zip(row, z)), row[size]) for row in A[:size]]:
            raise ValueError(f"method {method.name}: the step is not affine in the state: it has kinks or is curved")
    return [(p, A) for _, p, A in found]


def second_moments(matrices: Sequence[tuple[Fraction, Matrix]]) -> Matrix:
    """X -> sum_k p_k M_k X M_k^T on symmetric X as a matrix, M_k being A_k without its constants: what a step makes of
    E[z z^T], z the difference of two runs with the same choices.
    """
    size = len(matrices[0][1]) - 1
    pairs = [(j, k) for k in range(size) for j in range(k + 1)]

    def entry(r: int, s: int, j: int, k: int) -> Number:
        total: Number = 0
        for p, A in matrices:
            total = total + p * (A[r][j] * A[s][k] + (A[r][k] * A[s][j] if j != k else 0))
        return total

    return [[entry(r, s, j, k) for j, k in pairs] for r, s in pairs]


def transient(A: Matrix) -> list[Fraction]:
    """The characteristic polynomial of A over (z - 1)^g, g the dimension of the space that A leaves as it is. The
    powers of A converge if and only if all its roots lie inside the unit circle.
    """
    found, size = characteristic(A), len(A)
    shifted = [[value - (j == k) for k, value in enumerate(row)] for j, row in enumerate(A)]
    for _ in range(size - rank(shifted)):
        found = list(accumulate(found))[:-1]  # Horner: the quotient by z - 1
    return found


def rank(matrix: Matrix) -> int:
    """The rank, by elimination; exact for rationals.

    Parameters
    ----------
    matrix : rows of rationals, all of one length.

    >>> rank([[Fraction(1), Fraction(2)], [Fraction(2), Fraction(4)]])
    1
    """
    return len(reduced([_rationals(row) for row in matrix], len(matrix[0]))[1]) if matrix else 0


def estimate(A: Matrix, limits: bool = False) -> float:
    """The spectral radius of A in floats; limits: without the eigenvalues 1 of what A leaves as it is."""
    import numpy as np

    dense = np.array(A, dtype=float)
    moduli = list(np.linalg.eigvals(dense))
    if limits:
        moduli.sort(key=lambda value: abs(value - 1))
        del moduli[: len(A) - np.linalg.matrix_rank(dense - np.eye(len(A)))]
    return float(max(map(abs, moduli), default=0.0))


def cycle(
    method: Method[Any], problem: Problem, state: State, longest: int = 12, steps: int = 300
) -> list[State] | None:
    """The states of a periodic orbit of a deterministic method, exactly: ``step`` leads from each to the next, and from
    the last to the first. None where none of 2 to ``longest`` states is found near to where ``steps`` steps lead.

    The steps are made with rounded entries. The method is taken to be affine near the orbit, and the result is verified
    by its own steps.

    Parameters
    ----------
    method, problem : a deterministic method, and the problem in rationals.
    state : where it starts.
    longest : the longest period.
    steps : how many are made before a period is looked for.
    """
    fields = fields_of(state)

    def after(z: Vector, times: int) -> Vector:
        reached = with_flat(state, fields, z)
        for _ in range(times):
            reached = method.step(problem, reached, method.choices(problem, reached)[0][0])
        return flat(reached, fields)

    def near(z: Vector) -> Vector:
        return [Fraction(value).limit_denominator(DIGITS) for value in z]

    z = flat(state, fields)
    for _ in range(steps):
        z = near(after(z, 1))
    scale, reached = max(map(abs, z), default=0) or 1, z
    period = 0
    while not period or max((abs(a - b) for a, b in zip(z, reached)), default=0) > scale / 10**6:
        period, reached = period + 1, near(after(reached, 1))
        if period > longest:
            return None
    first = _fixed(lambda z: after(z, period), z)
    if first is None or after(first, period) != first or after(first, 1) == first:
        return None
    return [with_flat(state, fields, after(first, k)) for k in range(period)]


def _fixed(value: Callable[[Vector], Vector], z: Vector) -> Vector | None:
    """The fixed point of the affine function that has the values of this one near z; None if there is not one."""
    at, size = value(z), range(len(z))
    columns = [
        [(a - b) / NEAR for a, b in zip(value([x + NEAR * (j == k) for k, x in enumerate(z)]), at)] for j in size
    ]
    rows = [[(j == k) - columns[k][j] for k in size] for j in size]
    right = [at[j] - sum(columns[k][j] * z[k] for k in size) for j in size]
    try:
        return solve_linear(rows, right)
    except ZeroDivisionError:
        return None
