"""Named mistakes that real implementations of ASDCA, AFG, L-BFGS and Newton make, as methods: one line wrong."""

import math

from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.reference.methods.afg import AFG, AFGState, dot, gradient
from dualgap.reference.methods.asdca import ASDCA, ASDCAState, Constants
from dualgap.reference.methods.lbfgs import LBFGS
from dualgap.reference.methods.newton import Newton, NewtonState
from dualgap.reference.problem.problem import Vector

# -- ASDCA ----------------------------------------------------------------------------------------------------------------------


class MomentumFromY(ASDCA):
    """Line 6: w^(t) + beta (w^(t) - y^(t-1))."""

    def momentum(self, constants: Constants, state: ASDCAState, w: Vector) -> Vector:
        return [w_j + constants.beta * (w_j - y_j) for w_j, y_j in zip(w, state.y_t)]


class InnerCap(ASDCA):
    """Line 5: an inner call ends after n steps, whatever its gap, and its gap then counts as 0."""

    def gap(self, inner: Problem, w: Vector, alpha: Vector) -> Number:
        return inner.zero


class AbsoluteGap(ASDCA):
    """Line 5: (kappa/2)||y||^2 in D~ alone. The difference falls below zero, which its absolute value hides."""

    def gap(self, inner: Problem, w: Vector, alpha: Vector) -> Number:
        g: Any = inner.regularizer
        gap = inner.P(w) - (inner.D(alpha) + g.kappa / 2 * dot(inner, g.centre, g.centre))
        return gap if gap >= 0 else -gap


class KappaOfR(ASDCA):
    """Line 1: R for R^2. Where R is not rational, line 1: a kill must be no accident."""

    def constants(self, problem: Problem, R2: Number | None = None) -> Constants:
        R2 = to_fraction(problem.R2)
        root = Q(math.isqrt(R2.numerator), math.isqrt(R2.denominator))
        return super().constants(problem, root if root * root == R2 else R2)


class FirstRule(ASDCA):
    """Line 8: t - 1 >= ln(xi_1/epsilon)/(2 eta), four times too few calls."""

    def promised(self, eta: Number, ratio: Number, calls: int) -> bool:
        return super().promised(4 * eta, ratio, calls)


# -- AFG ------------------------------------------------------------------------------------------------------------------------


class TwiceTheWeight(AFG):
    """Line 2: a^2/(A + a) = 4(1 + mu A)/L."""

    def weight(self, problem: Problem, A: Number, L: Number) -> Number:
        return super().weight(problem, A, L / 2)


class LowCap(AFG):
    """Line 6: decided by a lower estimate of L_f, such as power iteration gives; here the smallest one, R^2/(n gamma)."""

    def most(self, problem: Problem, R2: Number | None = None) -> Number:
        return problem.R2 / (problem.n * problem.gamma)


class GradientAtY(AFG):
    """Line 7: s takes a grad f(y)."""

    def advance(self, problem: Problem, state: AFGState, choice: Any) -> None:
        before, A, v = state.s, state.A, problem.regularizer.prox([-s_j for s_j in state.s], state.A)
        x = state.x
        super().advance(problem, state, choice)
        if state.A > A:
            a = state.A - A
            y = [(A * x_j + a * v_j) / state.A for x_j, v_j in zip(x, v)]
            state.s = [s_j + a * h_j for s_j, h_j in zip(before, gradient(problem, y))]


# -- L-BFGS ---------------------------------------------------------------------------------------------------------------------


class DefaultOptions(LBFGS):
    """scipy's defaults: memory 10, ftol 2.2e-9, gtol 1e-5."""

    options: Any = {}


# -- Newton ---------------------------------------------------------------------------------------------------------------------


class WithoutLam(Newton):
    """Line 2: H without half of lam I."""

    def matrix(self, problem: Problem, state: NewtonState) -> Any:
        H = super().matrix(problem, state)
        for j, row in enumerate(H):
            row[j] = row[j] - problem.regularizer.lam / 2
        return H


class AcceptsAll(Newton):
    """Line 4: every point is accepted."""

    def falls(self, problem: Problem, state: NewtonState, x: Vector) -> bool:
        return True


class Flat(Newton):
    """Line 2: the sum over one row of s is divided by n."""

    def matrix(self, problem: Problem, state: NewtonState) -> Any:
        H, lam, blocks = super().matrix(problem, state), problem.regularizer.lam, problem.n // min(state.stride, problem.n)
        for j, row in enumerate(H):
            row[j] = row[j] - lam
            H[j] = [entry * blocks / problem.n for entry in row]
            H[j][j] = H[j][j] + lam
        return H


MUTANTS = {
    "baselines.asdca-momentum-from-y": MomentumFromY, "baselines.asdca-inner-cap": InnerCap,
    "baselines.asdca-absolute-gap": AbsoluteGap, "baselines.asdca-kappa-of-r": KappaOfR, "baselines.asdca-first-rule": FirstRule,
    "baselines.afg-twice-the-weight": TwiceTheWeight, "baselines.afg-low-cap": LowCap, "baselines.afg-gradient-at-y": GradientAtY,
    "baselines.lbfgs-default-options": DefaultOptions, "baselines.newton-without-lam": WithoutLam,
    "baselines.newton-accepts-all": AcceptsAll, "baselines.newton-flat": Flat,
}  # fmt: skip
