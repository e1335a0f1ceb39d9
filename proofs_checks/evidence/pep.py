"""The worst case over a whole class of functions, as a semidefinite program. Needs the package PEPit.

Model, with R = gamma = 1: f_i(w) = phi_i(x_i^T w) is relaxed to any convex 1-smooth function on R^d, the dual
coordinate alpha_i x_i to a gradient a_i = grad f_i(z_i) at a free point z_i, so f_i*(a_i) = <a_i, z_i> - f_i(z_i).
Then w = -sum a_i/(lam n), D = -(1/n) sum f_i*(a_i) - (lam/2)||w||^2, and the step is a_i <- grad f_i(w). The
optimum is built in (gradients g_i of the f_i at w* = -sum g_i/(lam n)), not imposed by a constraint that
would leave the program without interior. Expectations are sums over all index paths.

Every problem with ||x_i|| <= 1 is in the class, so the value bounds what any data can do.

The objective is the smaller of E[D* - D_t] and CAP, where D* - D_0 <= 1. So a method that can do arbitrary
harm has the finite value CAP, and no failure of a solver is ever read as "unbounded".
"""

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from types import ModuleType
from typing import Any

from dualgap.proofs_checks.claims.registry import Claim, Evidence, Source
from dualgap.proofs_checks.claims.run import Run

CAP = 4.0
ACCURACY = 1e-5  # the solver stops at 1e-8 in gap and feasibility; a thousand times that for the multipliers


@dataclass(frozen=True)
class Worst:
    """The value of one program: a lower and an upper bound (primal and dual), or why there is none."""

    lower: float
    upper: float
    reason: str = ""

    def is_near(self, value: float) -> bool:
        """Whether both bounds are ``value`` up to ACCURACY."""
        return not self.reason and abs(self.lower - value) <= ACCURACY and abs(self.upper - value) <= ACCURACY


# (PEPit, f_i, w, a_i, lam n) -> (new a_i, f_i* there)
Step = Callable[[ModuleType, Any, Any, Any, float], tuple[Any, Any]]


def aspdc(PEPit: ModuleType, f: Any, w: Any, a: object, scale: float) -> tuple[object, object]:
    """a_i <- grad f_i(w)."""
    gradient, value = f.oracle(w)
    return gradient, gradient * w - value


def sdca(PEPit: ModuleType, f: object, w: object, a: object, scale: float) -> tuple[object, object]:
    """a_i <- grad f_i(w - (a_i+ - a_i)/(lam n)): SDCA's implicit step."""
    new = PEPit.Point()
    return _gradient_at(PEPit, f, w - (new - a) / scale, new)


def missing_n(PEPit: ModuleType, f: object, w: Any, a: Any, scale: float) -> tuple[object, object]:
    """a_i <- grad f_i(2w): for n = 2, w without its 1/n."""
    return aspdc(PEPit, f, 2 * w, a, scale)


def wrong_sign(PEPit: ModuleType, f: object, w: Any, a: Any, scale: float) -> tuple[object, object]:
    """a_i <- grad f_i(-w)."""
    return aspdc(PEPit, f, -w, a, scale)


def _gradient_at(PEPit: ModuleType, f: Any, point: Any, gradient: Any) -> tuple[object, object]:
    value = PEPit.Expression()
    f.add_point((point, gradient, value))
    return gradient, gradient * point - value


def worst_case(n: int, ratio: Fraction, t: int, step: Step = aspdc) -> Worst:
    """max E[D* - D_t]/(D* - D_0) over the class at lam n gamma/R^2 = ratio, capped at CAP."""
    import PEPit  # pyright: ignore[reportMissingImports]
    from PEPit.functions import SmoothConvexFunction  # pyright: ignore[reportMissingImports]

    lam = float(ratio) / n
    program = PEPit.PEP()
    f = [program.declare_function(SmoothConvexFunction, L=1.0) for _ in range(n)]

    def w_of(duals: Any) -> Any:
        return -_sum(a for a, _ in duals) / (lam * n)

    def D(duals: Any) -> Any:
        w = w_of(duals)
        return -_sum(conjugate for _, conjugate in duals) / n - lam / 2 * w**2

    gradients = [PEPit.Point() for _ in range(n)]
    w_star = -_sum(gradients) / (lam * n)
    D_star = D([_gradient_at(PEPit, f_i, w_star, g_i) for f_i, g_i in zip(f, gradients)])
    start = [aspdc(PEPit, f_i, program.set_initial_point(), None, lam * n) for f_i in f]
    program.set_initial_condition(D_star - D(start) <= 1)
    ends = []
    for path in product(range(n), repeat=t):
        duals = list(start)
        for i in path:
            duals[i] = step(PEPit, f[i], w_of(duals), duals[i][0], lam * n)
        ends.append(D_star - D(duals))
    program.set_performance_metric(_sum(ends) / len(ends))
    program.set_performance_metric(PEPit.Expression(is_leaf=False, decomposition_dict={1: CAP}))
    return _solve(program)


def _sum(terms: Any) -> Any:
    first, *others = terms
    return sum(others, first)


def _solve(program: Any) -> Worst:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about inaccurate solutions: the status says the same, and is read
        try:
            upper = program.solve(verbose=0, solver="CLARABEL")
        except Exception as error:  # whatever the solver stack raises, it is no value
            return Worst(0, CAP, f"{type(error).__name__}: {error}")
    status = program.wrapper.prob.status
    if upper is None or status != "optimal":
        return Worst(0, CAP, f"solver status {status}")
    return Worst(float(program.wrapper.objective.value), float(upper))


VARIANTS = ((sdca, 0.6), (missing_n, CAP), (wrong_sign, CAP))  # n = 2, lam n gamma/R^2 = 4, t = 1


def worst_over_class(*table: tuple[int, Fraction, int, Fraction]) -> Source:
    """PEP: for each (n, ratio, t, value), the worst E[D* - D_t]/(D* - D_0) over the class is ``value``.

    The steps of VARIANTS must have their own, different, values: the source raises RuntimeError where not. A
    program that the solver leaves open, a variant's too, is undecided.
    """

    def source(claim: Claim, run: Run) -> Evidence:
        variants = [(step, value, worst_case(2, Fraction(4), 1, step)) for step, value in VARIANTS]
        for step, value, found in variants:
            if not found.reason and not found.is_near(value):
                raise RuntimeError(f"PEP gives {found} for {step.__name__}, whose worst case is {value}")
        values = [worst_case(n, ratio, t) for n, ratio, t, _ in table]
        open_ones = sum(bool(found.reason) for found in values)
        wrong = sum(not found.reason and not found.is_near(float(row[3])) for found, row in zip(values, table))
        if any(found.reason for *_, found in variants):
            open_ones = len(table)
        detail = ", ".join(found.reason or f"{found.upper:.6f}" for found in values)
        return Evidence("PEP", instances=len(table), violations=wrong, undecided=open_ones, detail=detail)

    return source
