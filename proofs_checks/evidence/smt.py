"""Proofs by z3: the negation of a statement has no real solution. Needs the package z3-solver.

Each theorem is a pair (statement, variant): the solver must answer ``unsat`` to the negation of the statement
and ``sat`` to the negation of the variant, the same statement with one constant too strong. A solver, or an
encoding, that calls everything unsatisfiable fails on the variant. ``unknown`` is undecided, never a proof.

Divisions are avoided: m = (1 - z)/gamma is the number with m gamma = 1 - z.
"""

from collections.abc import Callable
from types import ModuleType
from typing import Any

from dualgap.proofs_checks.claims.registry import Claim, Evidence, Source
from dualgap.proofs_checks.claims.run import Run

TIMEOUT = 20_000  # milliseconds for one question; each takes a few


def proved_by_z3(*theorems: Callable[[ModuleType], tuple[object, object]]) -> Source:
    """PROVED: every theorem(z3) = (statement, variant) is valid and its variant is not.

    The source raises RuntimeError when a variant is found valid: then the prover proves nothing.
    """

    def source(claim: Claim, run: Run) -> Evidence:
        import z3  # pyright: ignore[reportMissingImports]

        evidence = Evidence("PROVED", detail=f"z3 {z3.get_version_string()}, variants refuted")
        for theorem in theorems:
            statement, variant = theorem(z3)
            evidence.instances += 1
            answer = _ask(z3, statement)
            evidence.violations += answer == z3.sat
            evidence.undecided += answer == z3.unknown
            if _ask(z3, variant) != z3.sat:
                raise RuntimeError(f"z3 does not refute the false variant of {theorem.__name__}: {variant}")
        if evidence.violations or evidence.undecided:
            evidence.level = "NOT PROVED"
        return evidence

    return source


def _ask(z3: ModuleType, statement: object) -> object:
    solver = z3.Solver()
    solver.set("timeout", TIMEOUT)
    solver.add(z3.Not(statement))
    return solver.check()


def _smoothed_hinge(z3: ModuleType) -> tuple[Any, ...]:
    """(hypotheses, gamma, z, alpha, phi(z), phi'(z), phi*) for y = 1; y = -1 is the same with z and alpha negated."""
    z, alpha, gamma, m = z3.Reals("z alpha gamma m")
    given = z3.And(gamma > 0, m * gamma == 1 - z, alpha >= -1, alpha <= 0)
    phi = z3.If(z >= 1, 0, z3.If(z <= 1 - gamma, 1 - z - gamma / 2, (1 - z) * m / 2))
    slope = -z3.If(m <= 0, 0, z3.If(m >= 1, 1, m))
    return given, gamma, z, alpha, phi, slope, lambda a: a + gamma * a * a / 2


def smoothed_hinge_equality(z3: ModuleType) -> tuple[object, object]:
    """phi(z) + phi*(phi'(z)) = z phi'(z); variant: phi* without gamma."""
    given, _, z, _, phi, b, conjugate = _smoothed_hinge(z3)
    return z3.Implies(given, phi + conjugate(b) == b * z), z3.Implies(given, phi + b + b * b / 2 == b * z)


def smoothed_hinge_modulus(z3: ModuleType) -> tuple[object, object]:
    """FY >= (gamma/2)(phi'(z) - alpha)^2 for alpha in [-1, 0]; variant: 1/2 replaced by 101/200."""
    given, gamma, z, alpha, phi, b, conjugate = _smoothed_hinge(z3)
    residual, square = phi + conjugate(alpha) - alpha * z, gamma * (b - alpha) * (b - alpha)
    return z3.Implies(given, 2 * residual >= square), z3.Implies(given, 200 * residual >= 101 * square)


def squared_hinge_modulus(z3: ModuleType) -> tuple[object, object]:
    """FY >= (1/4)(phi'(z) - alpha)^2 for alpha <= 0, y = 1; variant: 1/4 replaced by 101/400."""
    z, alpha = z3.Reals("z alpha")
    phi = z3.If(z >= 1, 0, (1 - z) * (1 - z))
    b = z3.If(z >= 1, 0, -2 * (1 - z))
    residual, square = phi + alpha + alpha * alpha / 4 - alpha * z, (b - alpha) * (b - alpha)
    return z3.Implies(alpha <= 0, 4 * residual >= square), z3.Implies(alpha <= 0, 400 * residual >= 101 * square)


def half_rate(z3: ModuleType) -> tuple[object, object]:
    """lam n gamma >= 2 R^2 and FY >= (gamma/2) Delta^2 give increase >= FY/(2n); variant: 2 replaced by 1.99.

    With v = 1/lam n: increase = FY/n - ||x||^2 Delta^2 v/(2n); multiplied by n.
    """
    gamma, v, R2, x2, square, FY, n_increase = z3.Reals("gamma v R2 x2 square FY n_increase")
    given = z3.And(
        gamma > 0,
        v > 0,
        x2 >= 0,
        x2 <= R2,
        square >= 0,
        2 * FY >= gamma * square,
        n_increase == FY - x2 * square * v / 2,
    )
    conclusion = 2 * n_increase >= FY
    return (
        z3.Implies(z3.And(given, gamma >= 2 * R2 * v), conclusion),
        z3.Implies(z3.And(given, 100 * gamma >= 199 * R2 * v), conclusion),
    )


def free_q(z3: ModuleType) -> tuple[object, object]:
    """gamma q (1-q) >= R^2/(lam n) for some q iff lam n gamma >= 4 R^2, and then q = 1/2 does; variant: 3.99."""
    gamma, v, R2, q = z3.Reals("gamma v R2 q")  # v = 1/(lam n)
    given = z3.And(gamma > 0, v > 0, R2 >= 0)
    enough = z3.Implies(gamma >= 4 * R2 * v, gamma / 4 >= R2 * v)
    needed = z3.Implies(gamma * q * (1 - q) >= R2 * v, gamma >= 4 * R2 * v)
    variant = z3.Implies(100 * gamma >= 399 * R2 * v, gamma / 4 >= R2 * v)
    return z3.Implies(given, z3.And(enough, needed)), z3.Implies(given, variant)
