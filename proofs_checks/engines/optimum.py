"""The exact optimum of a small problem: Newton's method on the optimality conditions, in Fractions.

alpha* is the only zero of  alpha_i - phi_i'(x_i^T w(alpha)).  For the losses squared, smoothed hinge and
squared hinge under L2, elastic net and a proximal centre this map is piecewise affine. On one piece, with
slopes d_i >= 0 of phi_i' and the set J of coordinates with w_j != 0, the conditions are a linear system of
matrix I + diag(d) X_J X_J^T/(mu n), whose determinant is >= 1: every piece has exactly one candidate. Pieces
are closed, so a start close enough to alpha* lies in one that holds alpha*, and one solve finds it (kinks at
the optimum included). The start comes from floats, the pieces and the solve are exact, and a
candidate counts only when its duality gap is exactly 0.
"""

from fractions import Fraction

from dualgap.reference import Problem
from dualgap.reference.losses import SmoothedHinge, Squared, SquaredHinge
from dualgap.reference.problem import Vector

PIECEWISE_AFFINE = (Squared, SmoothedHinge, SquaredHinge)
NEWTON_STEPS = 30


def exact_optimum(problem: Problem) -> Vector:
    """alpha*, shape (n,), of a problem over Fractions; w* is ``problem.w(alpha*)``.

    Raises ValueError for a loss whose derivative is not piecewise affine, for another number than Fraction,
    and when Newton's method finds no point of gap 0.

    >>> from dualgap.reference import L2, Problem, SmoothedHinge
    >>> p = Problem([["3/5", "4/5"], [1, 0], [0, "1/2"]], [1, -1, 1], SmoothedHinge("1/2"), L2("4/3"), number=Fraction)
    >>> p.D(exact_optimum(p))
    Fraction(323, 480)
    """
    if problem.number is not Fraction or not isinstance(problem.loss, PIECEWISE_AFFINE):
        raise ValueError(
            f"the exact optimum needs Fractions and loss squared, smoothed-hinge or squared-hinge "
            f"(got {problem.number.__name__} and {problem.loss.name})"
        )
    alpha: Vector = [Fraction(a) for a in _float_optimum(problem)]
    for _ in range(NEWTON_STEPS):
        alpha = _newton(problem, alpha)
        feasible = all(problem.loss.in_domain(a, y) for a, y in zip(alpha, problem.y))
        if feasible and problem.gap(problem.w(alpha), alpha) == 0:
            return alpha
    raise ValueError(f"no exact optimum found for {problem.loss!r}, {problem.regularizer!r}, n = {problem.n}")


def _float_optimum(problem: Problem) -> list[float]:
    """alpha* in floats, by bounded least squares: the conditions above are those of a projection onto a box.

    g*(-u) = min_s ||kappa centre - u - s||^2/(2 mu) over |s_j| <= l1, and phi_i*(a) = y_i a + (gamma/2) a^2 on an interval.
    The active set method ends after finitely many exact solves, however badly conditioned the problem is.
    """
    import numpy as np
    from scipy.optimize import lsq_linear

    n, d, loss = problem.n, problem.d, problem.loss
    gamma, mu, l1 = (float(value) for value in (problem.gamma, problem.regularizer.modulus, problem.regularizer.l1))
    y = np.array([float(y_i) for y_i in problem.y])
    half = np.zeros((d, n))  # X^T/(n sqrt(mu))
    for i, row in enumerate(problem.rows):
        for j, x in row:
            half[j, i] = float(x) / (n * mu**0.5)
    centre = np.array([float(v_j) for v_j in problem.v([problem.zero] * n)]) * mu**0.5
    system = np.block([[(gamma / n) ** 0.5 * np.eye(n), np.zeros((n, d))], [half, np.eye(d) / mu**0.5]])
    right = np.concatenate([-y / (gamma * n) ** 0.5, centre])
    top = {Squared: np.inf, SmoothedHinge: 1.0, SquaredHinge: np.inf}[type(loss)]  # of b = -y alpha >= 0
    low, high = np.where(y > 0, -top, 0.0), np.where(y > 0, 0.0, top)
    if not loss.margin:
        low, high = np.full(n, -top), np.full(n, top)
    free = n + d if l1 > 0 else n  # without l1 there is no s
    bounds = (np.append(low, np.full(d, -l1))[:free], np.append(high, np.full(d, l1))[:free])
    # tol is relative to a cost that is mostly constant: at its default the search ends on a wrong face of the box
    found = lsq_linear(system[:, :free], right, bounds, method="bvls", tol=1e-18, max_iter=200)
    alpha: list[float] = found.x[:n].tolist()
    return alpha


def _newton(problem: Problem, alpha: Vector) -> Vector:
    """Solve alpha_i = d_i z_i(alpha) + e_i, the conditions on the pieces that hold the given alpha."""
    n, zero, threshold = problem.n, problem.zero, problem.threshold
    constant = problem.v([zero] * n)  # v(alpha) = constant - X^T alpha/(mu n)
    v = problem.v(alpha)
    sign = [1 if v_j > threshold or threshold == 0 else -1 if v_j < -threshold else 0 for v_j in v]
    w = problem.w_of(v)  # w_j = v_j - sign_j threshold where sign_j != 0, else 0
    system, right = [], []
    for i, row in enumerate(problem.rows):
        slope, offset = _piece(problem, problem.dot(row, w), problem.y[i])
        active = {j: x for j, x in row if sign[j]}
        fixed = zero
        for j, x in active.items():
            fixed += x * (constant[j] - sign[j] * threshold)
        line = []
        for k, other in enumerate(problem.rows):
            inner = zero
            for j, x in other:
                inner += x * active.get(j, zero)
            line.append((1 if k == i else 0) + slope * inner / problem.scale)
        system.append(line)
        right.append(slope * fixed + offset)
    return solve_linear(system, right)


def _piece(problem: Problem, z: Fraction, y: Fraction) -> tuple[Fraction, Fraction]:
    """(d, e) with phi'(t) = d t + e on the closed piece, between two kinks, that holds z."""
    kinks = sorted(problem.loss.kinks(y))
    below = [kink for kink in kinks if kink <= z]
    above = [kink for kink in kinks if kink > z]
    low = below[-1] if below else (above[0] if above else z) - 1
    high = above[0] if above else low + 1
    at_low = problem.loss.derivative(low, y)
    slope = (problem.loss.derivative(high, y) - at_low) / (high - low)
    return slope, at_low - slope * low


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
