"""Proofs by sympy: a residual that simplifies to the expression 0. Needs the package sympy.

Each theorem is a pair (residual, variant): the residual must become 0, the variant, the same with one term
wrong, must not. A simplification that turns everything into 0 fails on the variant.
"""

from collections.abc import Callable
from types import ModuleType
from typing import Any

from dualgap.proofs_checks.claims.registry import Claim, Evidence, Source
from dualgap.proofs_checks.claims.run import Run


def proved_by_sympy(*theorems: Callable[[ModuleType], tuple[object, object]]) -> Source:
    """PROVED: every theorem(sympy) = (residual, variant) has residual 0 and variant not 0.

    A residual that sympy does not bring to 0 is undecided: failing to simplify refutes nothing. The source
    raises RuntimeError when a variant becomes 0.
    """

    def source(claim: Claim, run: Run) -> Evidence:
        import sympy  # pyright: ignore[reportMissingImports]

        evidence = Evidence("PROVED", detail=f"sympy {sympy.__version__}, variants not 0")
        for theorem in theorems:
            residual, variant = theorem(sympy)
            evidence.instances += 1
            evidence.undecided += sympy.simplify(residual) != 0
            if sympy.simplify(variant) == 0:
                raise RuntimeError(f"sympy calls the false variant of {theorem.__name__} zero: {variant}")
        if evidence.violations or evidence.undecided:
            evidence.level = "NOT PROVED"
        return evidence

    return source


def one_step_identity(sympy: ModuleType) -> tuple[object, object]:
    """D(alpha + Delta e_i) - D(alpha) = FY/n - ||x||^2 Delta^2/(2 lam n^2), from phi(z) = b z - phi*(b) alone.

    w = w(alpha) enters by W = ||w||^2, X = ||x||^2 and z = x^T w:
    ||w - Delta x/(lam n)||^2 = W - 2 Delta z/(lam n) + X Delta^2/(lam n)^2. Control: twice the last term.
    """
    n, lam, X, W, z, alpha, b, at_alpha, at_b = sympy.symbols("n lam X W z alpha b c_alpha c_b", positive=True)
    delta = b - alpha
    moved = W - 2 * delta * z / (lam * n) + X * delta**2 / (lam * n) ** 2
    increase = -(at_b - at_alpha) / n - lam * (moved - W) / 2
    FY = (b * z - at_b) + at_alpha - alpha * z
    noise = X * delta**2 / (2 * lam * n**2)
    return increase - (FY / n - noise), increase - (FY / n - 2 * noise)


def squared_pair(sympy: ModuleType) -> tuple[object, object]:
    """sup_a a z - phi*(a) = phi(z) for phi* = y a + gamma a^2/2, at its stationary point; variant: without gamma."""
    z, y, a = sympy.symbols("z y a", real=True)
    gamma = sympy.symbols("gamma", positive=True)
    concave = a * z - y * a - gamma * a**2 / 2
    (top,) = sympy.solve(sympy.diff(concave, a), a)
    value = concave.subs(a, top)
    return value - (z - y) ** 2 / (2 * gamma), value - (z - y) ** 2 / 2


def logistic_pair(sympy: ModuleType) -> tuple[object, object]:
    """a z - phi*(a) = log(1 + e^-z) at a = -1/(1 + e^z), y = 1; variant: at a = -1/2.

    Written in e = e^z > 0, with q = -a = 1/(1 + e): then q, 1 - q and 1 + 1/e have logarithms of e and 1 + e only.
    """
    e = sympy.symbols("e", positive=True)
    q = 1 / (1 + e)

    def attained(q: Any) -> Any:
        return -q * sympy.log(e) - q * sympy.log(q) - (1 - q) * sympy.log(sympy.factor(1 - q))

    phi = sympy.log(1 + e) - sympy.log(e)
    return tuple(sympy.expand_log(attained(v) - phi, force=True) for v in (q, sympy.Rational(1, 2)))


def logistic_modulus(sympy: ModuleType) -> tuple[object, object]:
    """(phi*)'' - 4 = (2q - 1)^2/(q (1 - q)) at alpha = -q: >= 0, and 0 at q = 1/2; the variant has 5 for 4 of 4."""
    q = sympy.symbols("q", positive=True)
    second = sympy.diff(q * sympy.log(q) + (1 - q) * sympy.log(1 - q), q, 2)
    square = (2 * q - 1) ** 2 / (q * (1 - q))
    return second - 4 - square, second - 5 - square
