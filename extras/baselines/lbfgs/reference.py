"""L-BFGS with an exact line search (Nocedal and Wright, Numerical Optimization, section 7.2).

Problem    min_w P(w) for a smooth loss and g = (lam/2)||w||^2. Deterministic.
Method     p = -B grad P(w), B the inverse Hessian of the last ``memory`` pairs of steps and differences of gradients;
           t nearly minimises P(w + t p), which costs no pass: X(w + t p) = Xw + t Xp.
Guarantee  linear convergence for strongly convex smooth P (Liu and Nocedal 1989), with a constant that says nothing of
           use; none is claimed here. The dual variable alpha_i = phi_i'(x_i^T w) certifies every iterate:
           P(w) - D(alpha) = ||grad P(w)||^2/(2 lam).

One choice, 0, is one step: a product X p and a gradient, a pass. The first is the gradient at the start.

There is no counterpart in plain Python: the steps are those of ``compiled.py``, in both backends.
"""

import math
from typing import Any

from dualgap.extras.baselines.gradients import FirstOrder
from dualgap.reference.methods.registry import register_method
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.problem import Problem, Vector


@register_method
class LBFGS(FirstOrder[Any]):
    """The state is that of the compiled method.

    Parameters
    ----------
    memory : integer >= 1
        The pairs that are kept.

    >>> from dualgap.reference import L2, Problem, Squared
    >>> p = Problem([[1.0, 0.0], [0.0, 1.0]], [1, -1], Squared(), L2(0.5))
    >>> w, alpha = LBFGS().view(p, LBFGS().run(p, [0] * 10))
    >>> [round(float(w_j), 9) for w_j in w], p.gap(w, alpha) < 1e-20
    ([0.5, -0.5], True)
    """

    name = "lbfgs"
    summary = "limited-memory BFGS, with which SPDC and PGS compare"
    vectors_kept = (100, 10)
    long_steps = True
    without_vectors = "it has no counterpart in plain Python, and another order of its sums is as right"

    def __init__(self, memory: int = 30) -> None:
        if not (isinstance(memory, int) and memory >= 1):
            raise ValueError(f"memory must be an integer >= 1 (got {memory!r}): the pairs that are kept")
        self.memory = memory

    def require_start(self, problem: Problem, alpha: Vector | None = None) -> None:
        """Floats alone."""
        super().require_start(problem, alpha)
        if problem.number is not float:
            raise ValueError(
                f"method {self.name} is compiled, on floats (got number={problem.number.__name__}): use number=float"
            )

    def require_state(self, problem: Problem, state: Any) -> None:
        if not (state.pairs >= 0 and state.evaluations >= 0 and state.made >= 0 and state.stride >= 0):
            raise ValueError(
                f"pairs, evaluations, made and stride must be >= 0 (got {state.pairs}, {state.evaluations},"
                f" {state.made} and {state.stride})"
            )
        room, width = state.rho.size, state.w.size
        if not (1 <= room <= self.memory and (state.pairs <= room or room == self.memory)):
            raise ValueError(f"there must be room for the pairs, at most {self.memory} (got {room} for {state.pairs})")
        if state.S.shape != (room, width) or state.U.shape != (room, width):
            raise ValueError(f"S and U must be {room} x {width} (got {state.S.shape} and {state.U.shape})")

    def notes(self, problem: Problem) -> list[str]:
        return [f"No useful bound on the passes of {self.name} is known."]

    def own_gap(self, problem: Problem, state: Any) -> Number | None:
        """||grad P(w)||^2/(2 lam)."""
        return float(state.recent[-1]) / (2 * problem.regularizer.lam) if state.evaluations > 0 else None

    def own_primal(self, problem: Problem, state: Any) -> Number | None:
        """P(w), from the z that the steps keep."""
        return float(self.compiled().primal(problem, state))

    def compiled(self) -> Any:
        """The compiled method with these options."""
        from dualgap.fast.methods.registry import kernels

        return kernels()[self.name](**vars(self))

    def init(self, problem: Problem, alpha: Vector | None = None) -> Any:
        return self.compiled().init(problem, alpha)

    def advance(self, problem: Problem, state: Any, choice: Any, deadline: float = math.inf) -> None:
        self.compiled().advance(problem, state, [choice], deadline)

    def view(self, problem: Problem, state: Any) -> tuple[Vector, Vector]:
        w, alpha = self.compiled().view(problem, state)
        return w.tolist(), alpha.tolist()
