"""PASSCoDe, the setting: its scaling, from its own definitions.

C = 1/(lam n), l = C phi, a = -alpha/(lam n), P_PC = P/lam, D_PC = -D/lam
"""

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Q
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.problem import Problem, Vector

CONVEX = r"any convex loss, L2, any $\lambda > 0$"


def C(c: Context) -> Number:
    """C = 1/(lam n)."""
    return 1 / c.problem.scale


def paper_dual(c: Context, alpha: Vector) -> Vector:
    """a_i = -alpha_i/(lam n)."""
    return [-a * C(c) for a in alpha]


def combine(problem: Problem, a: Vector) -> Vector:
    """sum_i a_i x_i."""
    total = [problem.zero] * problem.d
    for row, a_i in zip(problem.rows, a):
        for j, x in row:
            total[j] = total[j] + a_i * x
    return total


def losses(c: Context, w: Vector) -> Number:
    """sum_i l_i(x_i^T w)."""
    pairs = zip(c.problem.rows, c.problem.y)
    return sum((C(c) * c.problem.loss.value(c.problem.dot(row, w), y) for row, y in pairs), Q(0))


def conjugate(c: Context, i: int, u: Number) -> Number:
    """l_i*(u) = C phi_i*(u/C)."""
    return C(c) * c.problem.loss.conjugate(u / C(c), c.problem.y[i])


def conjugates(c: Context, a: Vector) -> Number:
    """sum_i l_i*(-a_i)."""
    return sum((conjugate(c, i, -a_i) for i, a_i in enumerate(a)), Q(0))


def young(c: Context, i: int, z: Number, a_i: Number) -> Number:
    """l_i(z) + l_i*(-a_i) + a_i z >= 0; 0 iff -a_i is a subgradient of l_i at z."""
    return C(c) * c.problem.loss.value(z, c.problem.y[i]) + conjugate(c, i, -a_i) + a_i * z


# -- of the theorem on Atomic ------------------------------------------------------------------------------------------


def sigma(c: Context) -> Vector:
    """sigma_i = ||x_i||^2 + gamma/C: D_PC is sigma_i-strongly convex in coordinate i."""
    return [norm2 + c.gamma / C(c) for norm2 in c.problem.norms2]


def T(c: Context) -> Vector:
    """T_i(a), the exact minimiser of D_PC over coordinate i: what the method's own step makes of row i."""
    found = list(c.alpha)
    for successor in c.successors:
        found[successor.choice] = successor.alpha[successor.choice]
    return paper_dual(c, found)


def excess(c: Context, alpha: Vector) -> Number:
    """D_PC(a) - D_PC* = (D* - D)/lam."""
    return (c.D_star - c.problem.D(alpha)) / c.mu


def orthogonal(c: Context) -> bool:
    """Return whether all rows are orthogonal and not zero."""
    dense = [dict(row) for row in c.problem.rows]
    return all(c.problem.norms2) and all(not set(x) & set(other) for k, x in enumerate(dense) for other in dense[:k])
