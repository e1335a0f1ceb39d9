"""The proximal point method on the dual, with Newton's method inside: for losses with kinks, and smooth ones.

Problem    min_w P(w) for a loss of dualgap's own and g = (lam/2)||w||^2. Deterministic.
Method     the semismooth Newton augmented Lagrangian method (Li, Sun and Toh, SIAM J. Optim. 2018). Around a centre c
           in the domain of phi*, each loss is replaced by its smoothed form

               phi_q(z) = max_a { a z - phi*(a) - (q/2)(a - c_i)^2 },      phi_q'(z) = the step of SDCA with weight q,

           and Newton's method with an exact line search minimises the mean of phi_q + (lam/2)||w||^2. Only the rows
           whose alpha_i = phi_q'(x_i^T w) is not at an end of the domain enter the Hessian. When ||grad||^2/(2 lam) is
           at most ``INNER`` times the mean of (q/2)(alpha_i - c_i)^2, alpha is the next centre, and q is multiplied by
           ``FACTOR``. Where roundings of z alone make ||grad|| larger, alpha is the next centre for the same q.
           For n <= d, w = X^T beta/n, and the matrix has a row for every free row of X.
Guarantee  the centres converge to a solution of the dual for inner problems that are solved well enough (Rockafellar
           1976); no rate is claimed here. (w, alpha) certifies every iterate.

Intercept  a free b (``InterceptProblem``) borders H, and has no lam.

One choice, 0, is one step: a product X p and a gradient, a pass. What the matrix costs is not counted.

There is no counterpart in plain Python: the steps are those of ``compiled.py``, in both backends.
"""

import math
from typing import Any

from dualgap.extras.baselines.lbfgs.reference import LBFGS
from dualgap.extras.baselines.newton.reference import LARGEST, is_wide
from dualgap.reference.methods.base import HypothesisViolated
from dualgap.reference.methods.registry import register_method
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.problem import Problem, Vector

LOSSES = ("hinge", "absolute", "smoothed-hinge", "squared-hinge", "squared", "logistic")


@register_method
class ProximalNewton(LBFGS):
    """The state is that of the compiled method.

    >>> from dualgap.reference import Hinge, L2, Problem
    >>> p = Problem([[1.0, 0.0], [0.0, 1.0]], [1, -1], Hinge(), L2(0.75))
    >>> w, alpha = ProximalNewton().view(p, ProximalNewton().run(p, [0] * 10))
    >>> [round(float(w_j), 9) for w_j in w], p.gap(w, alpha) < 1e-15
    ([0.666666667, -0.666666667], True)
    """

    name = "proximal-newton"
    summary = "Newton's method for losses with kinks, which `auto` can choose"
    storage_matters = True
    vectors_kept = (20, 25)

    def __init__(self) -> None:
        super().__init__(1)
        del self.memory  # no pairs are kept

    def require_start(self, problem: Problem, alpha: Vector | None = None) -> None:
        """A loss of dualgap's own, L2, floats, and a matrix that is not too large."""
        self.require_family(problem)
        g = problem.regularizer
        if problem.loss.name not in LOSSES or g.l1 > 0 or g.centre is not None:
            raise HypothesisViolated(
                f"method {self.name} needs one of the losses {', '.join(LOSSES)}, and g = (lam/2)||w||^2 (got"
                f" {problem.loss.name}, {g!r}). Use method sdca"
            )
        if min(problem.n, problem.d) > LARGEST:
            raise HypothesisViolated(
                f"method {self.name} factorizes a matrix of dimension min(n, d), at most {LARGEST} (got {problem.n}"
                f" rows and {problem.d} columns). Use method sdca-shrinking"
            )
        if problem.number is not float:
            raise ValueError(
                f"method {self.name} is compiled, on floats (got number={problem.number.__name__}): use number=float"
            )

    def notes(self, problem: Problem) -> list[str]:
        return []

    def require_state(self, problem: Problem, state: Any) -> None:
        if not (state.q > 0 and state.evaluations >= 0):
            raise ValueError(f"q must be > 0 and evaluations >= 0 (got {state.q} and {state.evaluations})")

    def own_gap(self, problem: Problem, state: Any) -> Number | None:
        """P(w) - D(alpha), as the steps know it; with a free intercept only where an inner problem is solved."""
        return float(state.told) if math.isfinite(state.told) else None

    @classmethod
    def matrix_numbers(cls, problem: Problem) -> int:
        """Return the number of entries of the matrix and of X X^T."""
        if min(problem.n, problem.d) > LARGEST:
            return 0
        return 2 * problem.n**2 if is_wide(problem) else problem.d**2
