"""Code that methods with gradient steps share: their hypotheses, the gradient of the mean loss, and inner products."""

from typing import Any, ClassVar, TypeVar

from dualgap.reference.methods.aspdc import require_smooth
from dualgap.reference.methods.base import Deterministic, HypothesisViolated, Method, State
from dualgap.reference.numbers.arithmetic import Number, convert
from dualgap.reference.problem.problem import Problem, Vector

S = TypeVar("S", bound=State)


class FirstOrder(Deterministic[S]):
    """Methods without a random choice, for smooth losses. The one choice, 0, is one evaluation of the gradient."""

    differentiable: ClassVar[bool] = True  # whether g must be (lam/2)||w||^2

    def require(self, problem: Problem, mode: str = "paper", R2: Number | None = None) -> None:
        """The hypotheses of ``require_start``."""
        super().require(problem, mode, R2)
        self.require_start(problem)

    def require_start(self, problem: Problem, alpha: Vector | None = None) -> None:
        """Hypotheses without which there is no first step: a smooth loss, and where ``differentiable`` says so L2."""
        self.require_family(problem)
        require_smooth(problem, self.name)
        if self.differentiable:
            require_L2(problem, self.name, "afg")


class FiniteSum(Method[Any]):
    """Methods that step along the gradients of f_i(w) = phi_i(x_i^T w) + (lam/2)||w||^2."""

    def require(self, problem: Problem, mode: str = "paper", R2: Number | None = None) -> None:
        """A smooth loss, and g = (lam/2)||w||^2."""
        super().require(problem, mode, R2)
        self.require_gradient(problem)

    def require_gradient(self, problem: Problem) -> None:
        """Raise HypothesisViolated if some f_i has no Lipschitz gradient, or g is not (lam/2)||w||^2."""
        self.require_family(problem)
        require_smooth(problem, self.name)
        require_L2(problem, self.name, "sdca")

    def L(self, problem: Problem) -> Number:
        """R^2/gamma + lam: every f_i is L-smooth."""
        return problem.R2 / problem.gamma + problem.regularizer.lam

    def begin(self, problem: Problem, alpha: Vector | None, w: Vector | None) -> tuple[Vector, Vector]:
        """alpha (default 0), checked, and the w to start from (default w(alpha)), converted."""
        self.require_gradient(problem)
        start = problem.require_alpha([problem.zero] * problem.n if alpha is None else alpha)
        if w is None:
            return start, problem.w(start)
        problem.require_lengths(w=w)
        return start, [convert(w_j, problem.number, "w") for w_j in w]


def require_L2(problem: Problem, name: str, instead: str) -> None:
    """Raise HypothesisViolated if g is not (lam/2)||w||^2, and name a method that can be used instead."""
    g = problem.regularizer
    if g.l1 > 0 or g.centre is not None:
        raise HypothesisViolated(
            f"method {name} needs a differentiable P, g = (lam/2)||w||^2 (got {g!r}). Use L2(lam), or method {instead}"
        )


def slopes(problem: Problem, w: Vector) -> Vector:
    """phi_i'(x_i^T w), shape (n,)."""
    return [problem.loss.derivative(problem.dot(row, w), y) for row, y in zip(problem.rows, problem.y)]


def gradient(problem: Problem, w: Vector) -> Vector:
    """grad f(w) = (1/n) sum_i phi_i'(x_i^T w) x_i, shape (d,)."""
    return [problem.zero - m_j for m_j in problem.minus_u(slopes(problem, w))]


def dot(problem: Problem, p: Vector, q: Vector) -> Number:
    """p^T q."""
    total = problem.zero
    for p_j, q_j in zip(p, q):
        total = total + p_j * q_j
    return total
