"""The exact optimum of a small problem: an active set method on the dual, in Fractions.

For the losses squared, smoothed hinge, squared hinge, hinge and absolute, and for a loss of one's own of that form,
under L2, elastic net and a proximal centre: phi_i*(a) = y_i a + (gamma/2) a^2 on an interval, and g*(-u) = min_s
(mu/2)||v - s||^2 over
|s_j| <= l1/mu with v = v(alpha). So n times -D is, up to a constant, a convex quadratic in (alpha, s) over a box, and
it is minimized like nonnegative least squares (Lawson and Hanson; Stark and Parker for boxes): one variable at a time
is released from its bound, and variables that would leave the box are fixed, until the minimum over the free ones lies
inside.

Where gamma = 0 the quadratic need not be strictly convex. Along a direction of the free variables that it does not bend
in, they move the way that the cost falls, or either way where it is level, until one of them reaches a bound and is
fixed there; what remains free then has one minimum. w* = w(alpha*) is unique, alpha* need not be.

It ends. A variable is released only where the cost falls towards the inside, all other free ones being inside with
derivative 0 and one minimum; so the first step is positive, the cost falls strictly, and every round ends at the
minimum over the box's inside of one of finitely many faces. In floats a released variable can seem to leave at once,
which is where such methods fail; in Fractions nothing is rounded. The result is returned only when its duality gap is
exactly 0.
"""

from collections.abc import Sequence
from fractions import Fraction

from dualgap.reference import LinearSystem, Problem
from dualgap.reference.numbers.arithmetic import convert
from dualgap.reference.numbers.rational import is_rational
from dualgap.reference.problem.problem import Vector

Bound = Fraction | None


def exact_optimum(problem: Problem) -> Vector:
    """alpha*, shape (n,), of a problem over Fractions; w* is ``problem.w(alpha*)``.

    Raises ValueError for a loss whose conjugate is not y a + (gamma/2) a^2 on its domain, and for another number than
    Fraction.

    >>> from dualgap.reference import Hinge, L2, Problem, SmoothedHinge
    >>> p = Problem([["3/5", "4/5"], [1, 0], [0, "1/2"]], [1, -1, 1], SmoothedHinge("1/2"), L2("4/3"), number=Fraction)
    >>> p.D(exact_optimum(p))
    Fraction(323, 480)
    >>> p = Problem([["3/5", "4/5"], [1, 0], [0, "1/2"]], [1, -1, 1], Hinge(), L2("1/10"), number=Fraction)
    >>> p.w(exact_optimum(p))
    [Fraction(-1, 1), Fraction(2, 1)]
    """
    if problem.regularizer.family == "general":
        raise ValueError(f"the exact optimum is that of L2 or the elastic net (got {problem.regularizer!r})")
    if not is_rational(problem.number) or not quadratic(problem):
        raise ValueError(
            "the exact optimum needs Fractions and a loss whose conjugate is y a + (gamma/2) a^2 on its domain (got"
            f" {problem.number.__name__} and {problem.loss.name}); state the claim with the gap P(w) - D(alpha), which"
            " is at least P(w) - P*"
        )
    alpha = box_minimum(*negative_dual(problem), *box(problem))[: problem.n]
    if problem.gap(problem.w(alpha), alpha) != 0:
        raise ArithmeticError(
            f"the gap is not 0 at the optimum of {problem.loss!r}, {problem.regularizer!r}, n = {problem.n}"
        )
    return alpha


def quadratic(problem: Problem) -> bool:
    """Return whether phi*(a) = y a + (gamma/2) a^2 at four points of the domain. A wrong yes gives a positive gap."""
    loss = problem.loss
    if not loss.rational:
        return False
    for y, low, high in dict.fromkeys(zip(problem.y, *box(problem))):
        first = low if low is not None else high - 3 if high is not None else problem.zero - 1
        last = high if high is not None else first + 3
        for a in (first + k * (last - first) / 3 for k in range(4)):
            if loss.conjugate(a, y) != y * a + loss.gamma * a * a / 2:
                return False
    return True


def negative_dual(problem: Problem) -> tuple[list[Vector], Vector]:
    """H and h with  -n D = x^T H x/2 - h^T x + constant,  x = (alpha, s); without l1 there is no s."""
    n, scale = problem.n, problem.scale  # scale = mu n, v(alpha) = v(0) - X^T alpha/scale
    constant = problem.v([problem.zero] * n)
    dense: list[Vector] = [
        [entries.get(j, problem.zero) for j in range(problem.d)] for entries in map(dict, problem.rows)
    ]
    H = [[sum((a * b for a, b in zip(x, other)), problem.zero) / scale for other in dense] for x in dense]
    for i, line in enumerate(H):
        line[i] += problem.gamma
    h = [problem.dot(row, constant) - y for row, y in zip(problem.rows, problem.y)]
    if problem.threshold:
        H = [line + x for line, x in zip(H, dense)]
        H += [[*column, *(scale * (j == k) for k in range(problem.d))] for j, column in enumerate(zip(*dense))]
        h += [scale * v_j for v_j in constant]
    return H, h


def box(problem: Problem) -> tuple[list[Bound], list[Bound]]:
    """The least and largest values of (alpha, s), None where there is none."""
    low, high = (None if end is None else convert(end, problem.number) for end in problem.loss.ends)
    sides: list[tuple[Bound, Bound]] = [(low, high)] * problem.n
    if problem.loss.margin:  # low <= -y_i alpha_i <= high
        mirrored = tuple(None if end is None else -end for end in (high, low))
        sides = [(mirrored[0], mirrored[1]) if y > 0 else (low, high) for y in problem.y]
    if problem.threshold:
        sides += [(-problem.threshold, problem.threshold)] * problem.d
    return [low for low, _ in sides], [high for _, high in sides]


def box_minimum(H: list[Vector], h: Vector, low: list[Bound], high: list[Bound]) -> Vector:
    """The minimizer of x^T H x/2 - h^T x over low <= x <= high, H positive definite; all in one type of rationals."""
    zero = 0 * h[0]
    x = [zero if a is None and b is None else b if a is None else a for a, b in zip(low, high)]
    free = {k for k, (a, b) in enumerate(zip(low, high)) if a is None and b is None}
    while True:
        x, free = minimum_inside(H, h, low, high, x, free)
        slope = [sum((a * x_k for a, x_k in zip(line, x)), -h_k) for line, h_k in zip(H, h)]
        falling = {k: abs(g) for k, g in enumerate(slope) if g and x[k] != (low[k] if g > 0 else high[k])}
        if not falling:
            return x
        free.add(max(falling, key=lambda k: falling[k]))


def minimum_inside(
    H: list[Vector], h: Vector, low: list[Bound], high: list[Bound], x: Vector, free: set[int]
) -> tuple[Vector, set[int]]:
    """The minimizer over the free variables, of which those that reach a bound on the way are fixed there."""
    while free:
        order = sorted(free)
        inner = [[H[k][j] for j in order] for k in order]
        slope = [h[k] - sum(a * x_j for a, x_j in zip(H[k], x)) for k in order]
        try:
            moves, bends = dict(zip(order, solve_linear(inner, slope))), True
        except ZeroDivisionError:
            moves, bends = dict(zip(order, downhill(null_vector(inner), slope))), False
        steps = {}  # how far each variable can go
        for k, move in moves.items():
            bound = low[k] if move < 0 else high[k]
            if move and bound is not None:
                steps[k] = (bound - x[k]) / move
        if not bends and not steps:
            raise ArithmeticError(
                "the dual rises or is level along a whole line: a loss with gamma = 0 needs a domain with two ends"
            )
        step = min([*steps.values(), 1]) if bends else min(steps.values())
        x = [x_k + step * moves[k] if k in moves else x_k for k, x_k in enumerate(x)]
        free = free - {k for k in steps if steps[k] == step}
        if bends and step == 1:
            break
    return x, free


def downhill(direction: Vector, slope: Vector) -> Vector:
    """The direction or its opposite, so that the cost, of derivative ``-slope``, does not rise along it."""
    ahead = sum(p * s for p, s in zip(direction, slope)) >= 0
    return direction if ahead else [-p for p in direction]


def null_vector(matrix: list[Vector]) -> Vector:
    """A vector p != 0 with A p = 0, of a singular positive semidefinite A in Fractions.

    Of the first leading block that is singular the last column depends on those before it, by p; so p^T A p = 0, which
    is A p = 0.

    >>> null_vector([[Fraction(1), Fraction(2)], [Fraction(2), Fraction(4)]])
    [Fraction(-2, 1), Fraction(1, 1)]
    """
    for k, row in enumerate(matrix):
        combined = solve_linear([before[:k] for before in matrix[:k]], [-before[k] for before in matrix[:k]])
        if sum((a * p for a, p in zip(row, combined)), row[k]) == 0:
            return [*combined, Fraction(1), *[Fraction(0)] * (len(matrix) - k - 1)]
    raise ArithmeticError("no vector is mapped to 0: the matrix is not singular")


def solve_linear(matrix: list[Vector], right: Vector) -> Vector:
    """The solution of a square system in Fractions. Raises ZeroDivisionError when it is singular."""
    rows, pivots = reduced([[*row, b] for row, b in zip(matrix, right)], len(right))
    if len(pivots) < len(right):
        raise ZeroDivisionError("singular system")
    return [row[-1] for row in rows]


def reduced(table: Sequence[Sequence[Fraction]], unknowns: int) -> tuple[list[list[Fraction]], list[int]]:
    """The reduced row echelon form of the first ``unknowns`` columns, and its pivot columns."""
    rows, pivots = [list(row) for row in table], list[int]()
    for column in range(unknowns):
        at = len(pivots)
        found = next((r for r in range(at, len(rows)) if rows[r][column]), None)
        if found is None:
            continue
        rows[at], rows[found] = rows[found], rows[at]
        head = rows[at][column]
        rows[at] = [x / head if x else x for x in rows[at]]
        for r, row in enumerate(rows):
            if r != at and (factor := row[column]):
                rows[r] = [x - factor * y if y else x for x, y in zip(row, rows[at])]
        pivots.append(column)
    return rows, pivots


def exact_solution(system: LinearSystem) -> Vector:
    """x*, shape (d,), of a system over Fractions: the solution of its normal equations, which must solve it.

    Raises ValueError if there is none, or more than one.

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
    """Return whether there is an x that solves it, and no other."""
    try:
        exact_solution(system)
    except ValueError:
        return False
    return True
