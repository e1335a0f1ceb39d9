"""The exact optimum of a small problem: a guess of the active pieces from floats, a rational solve, a proof.

Losses here are piecewise quadratic and the regularizer has soft thresholds, so on the right pieces the
optimality conditions are linear. The pieces are guessed with the float reference (SDCA), the linear system
is solved in Fractions, and the result counts only if its duality gap is exactly 0.
"""

from fractions import Fraction

from dualgap.reference import Problem, method
from dualgap.reference.problem import Vector

PASSES = 3000


def exact_optimum(problem: Problem) -> Vector:
    """alpha*, shape (n,), of a problem over Fractions.

    Raises ValueError when no candidate has gap 0 (a kink at the optimum, an irrational loss).
    """
    alpha = _float_optimum(problem)
    for tolerance in (1e-7, 1e-5, 1e-9):
        try:
            candidate = _solve_on_pieces(problem, alpha, tolerance)
        except ZeroDivisionError:  # singular: these pieces are not the right ones
            continue
        feasible = all(problem.loss.in_domain(a, y) for a, y in zip(candidate, problem.y))
        if feasible and problem.gap(problem.w(candidate), candidate) == 0:
            return candidate
    raise ValueError(f"no exact optimum found for {problem.loss!r}, {problem.regularizer!r}, n = {problem.n}")


def _float_optimum(problem: Problem) -> list[float]:
    twin = Problem(
        [[float(dict(row).get(j, 0)) for j in range(problem.d)] for row in problem.rows],
        [float(y) for y in problem.y], problem.loss, problem.regularizer,
    )
    sdca = method("sdca")
    state = sdca.init(twin)
    for _ in range(PASSES):
        for i in range(twin.n):
            sdca.advance(twin, state, i)
        if twin.gap(*sdca.view(twin, state)) < 1e-18:
            break
    alpha: list[float] = state.alpha
    return alpha


def _solve_on_pieces(problem: Problem, guess: list[float], tolerance: float) -> Vector:
    """Solve phi'(x_i^T w(alpha)) = alpha_i with each phi_i' replaced by the affine piece active at the guess."""
    n, zero, one = problem.n, Fraction(0), Fraction(1)
    approximate = [Fraction(a) for a in guess]
    v = problem.v(approximate)
    threshold = problem.threshold
    near = [Fraction(tolerance)] * problem.d
    sign = [1 if v_j > threshold + e else -1 if v_j < -threshold - e else 0 for v_j, e in zip(v, near)]
    if threshold == 0:
        sign = [1] * problem.d
    w = problem.w(approximate)
    system, right = [], []
    for i, y in enumerate(problem.y):
        slope, offset = _piece(problem, problem.dot(problem.rows[i], w), y, tolerance)
        dense = dict(problem.rows[i])
        row = []
        for k in range(n):  # z_i = sum_j x_ij (v_j - sign_j threshold), v = -X^T alpha/(mu n)
            inner = sum((dense.get(j, zero) * x for j, x in problem.rows[k] if sign[j]), zero)
            row.append(slope * inner / problem.scale + (one if k == i else zero))
        shift = sum((x * sign[j] * threshold for j, x in dense.items() if sign[j]), zero)
        system.append(row)
        right.append(offset - slope * shift)
    return solve_linear(system, right)


def _piece(problem: Problem, z: Fraction, y: Fraction, tolerance: float) -> tuple[Fraction, Fraction]:
    """(slope, offset) of phi' on its piece at z; a z within tolerance of a kink is moved to the steep side."""
    loss, step = problem.loss, Fraction(tolerance)
    low, high = loss.derivative(z - step, y), loss.derivative(z + step, y)
    slope = (high - low) / (2 * step)
    known = [Fraction(0), 1 / loss.gamma]
    slope = min(known, key=lambda s: abs(s - slope))
    return slope, loss.derivative(z, y) - slope * z


def solve_linear(matrix: list[Vector], right: Vector) -> Vector:
    """The solution of a square system in Fractions. Raises ZeroDivisionError when it is singular."""
    size = len(right)
    table = [[*row, b] for row, b in zip(matrix, right)]
    for column in range(size):
        pivot = next((r for r in range(column, size) if table[r][column] != 0), None)
        if pivot is None:
            raise ZeroDivisionError("singular system")
        table[column], table[pivot] = table[pivot], table[column]
        head = table[column][column]
        table[column] = [value / head for value in table[column]]
        for r in range(size):
            factor = table[r][column]
            if r != column and factor != 0:
                table[r] = [a - factor * b for a, b in zip(table[r], table[column])]
    return [row[size] for row in table]
