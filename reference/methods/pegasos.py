"""Pegasos: primal estimated sub-gradient solver for SVM (Shalev-Shwartz, Singer, Srebro and Cotter, Math. Program.
2011).

Problem    min_w P(w) with hinge loss and g = (lam/2)||w||^2: L2, or the p-norm with p = 2 and a ball.
Method     one step of the subgradient method on (lam/2)||w||^2 + g_t with step 1/(lam t), then optionally the
           projection onto a ball, whose radius is 1/sqrt(lam) (it contains the minimizer) or the regularizer's own.
Guarantee  on every path, with c = 4R^2, or (sqrt(lam) + R)^2 with projection, R = max ||x_i||:
               sum_{t=1..T} f(w_t; A_t) - min_u sum_t f(u; A_t) <= c (1 + ln T)/(2 lam),
           hence the rate c (1 + ln T)/(2 lam T) for the expected P at the average, or at a random one, of w_1..w_T.

The PGS paper calls Pegasos a special case of PGS (Figure 1, p = 2, hinge): true for the bound, not for the iterates
(docs/pgs.md, "PGS and Pegasos").
"""

from collections.abc import Sequence
from typing import Any

from dualgap.reference.methods.base import HypothesisViolated, State
from dualgap.reference.methods.pgs import SAMPLINGS, Batched
from dualgap.reference.methods.registry import register_method
from dualgap.reference.numbers.arithmetic import Number, sqrt
from dualgap.reference.problem.problem import Problem, Vector


class PegasosState(State):
    """w_{t+1}, shape (d,), and t, the rounds made; w_1 = 0."""

    __slots__ = ("w", "t")
    w: Vector
    t: int


@register_method
class Pegasos(Batched):
    """The output is the last iterate.

    Parameters
    ----------
    k, sampling : as for PGS.
    projection : whether line 7 is done. A regularizer with a ball needs it.

    >>> from fractions import Fraction
    >>> from dualgap.reference import L2, Hinge, Problem
    >>> p = Problem([[1, 0], [1, 1], [0, -1]], [1, -1, 1], Hinge(), L2("1/3"), number=Fraction)
    >>> [str(w_j) for w_j in Pegasos(projection=False).run(p, [(0,), (1,), (2,), (0,)]).w]
    ['3/4', '-3/4']
    """

    name = "pegasos"
    summary = "a stochastic subgradient method, with which PGS compares"
    drawn_options = {"projection": (True, False), "sampling": SAMPLINGS}
    families = ("quadratic", "p-norm")

    def __init__(self, k: int = 1, projection: bool = True, sampling: str = "subset") -> None:
        super().__init__(k, sampling)
        if not isinstance(projection, bool):
            raise ValueError(f"projection must be True or False (got {projection!r})")
        self.projection = projection

    def require(self, problem: Problem, mode: str = "paper", R2: Number | None = None) -> None:
        """Check that the loss is the hinge in mode paper."""
        super().require(problem, mode, R2)
        if mode == "paper" and problem.loss.name != "hinge":
            raise HypothesisViolated(f"method pegasos needs loss hinge (got {problem.loss.name}). Use method pgs, or mode sharp")

    def require_start(self, problem: Problem, alpha: Vector | None) -> None:
        super().require_start(problem, alpha)
        g: Any = problem.regularizer
        if g.l1 > 0 or g.centre is not None or (g.family == "p-norm" and not g.euclidean):
            raise HypothesisViolated(f"method pegasos needs g = (lam/2)||w||^2 (got {g!r}). Use method pgs")
        if g.family == "p-norm" and g.ball is not None and not self.projection:
            raise HypothesisViolated(f"without projection the iterates leave the ball (got {g!r}). Use L2(lam), or projection")

    def init(self, problem: Problem, alpha: Vector | None = None) -> PegasosState:
        self.require_start(problem, alpha)
        return PegasosState(w=[problem.zero] * problem.d, t=0)

    def advance(self, problem: Problem, state: PegasosState, choice: Sequence[int]) -> None:
        A_t, lam = choice, problem.regularizer.lam                                          # Pegasos line 3
        slopes = [problem.loss.derivative(problem.dot(problem.rows[i], state.w), problem.y[i]) for i in A_t]  # line 4
        state.t += 1
        eta = 1 / (lam * state.t)                                                           # Pegasos line 5
        # Pegasos line 6: eta lam = 1/t
        w = [w_j - w_j / state.t for w_j in state.w]
        for i, slope in zip(A_t, slopes):
            for j, x in problem.rows[i]:
                w[j] = w[j] - eta * slope / len(A_t) * x
        state.w = self.project(problem, w) if self.projection else w                        # Pegasos line 7

    def project(self, problem: Problem, w: Vector) -> Vector:
        """min{1, radius/||w||} w, deciding by squares, so that a root is taken only where w is outside."""
        g: Any = problem.regularizer
        radius2 = g.ball * g.ball if g.family == "p-norm" and g.ball is not None else 1 / g.lam
        norm2 = problem.zero
        for w_j in w:
            norm2 = norm2 + w_j * w_j
        if not norm2 > radius2:
            return w
        shrink = sqrt(radius2 / norm2)
        return [shrink * w_j for w_j in w]

    def view(self, problem: Problem, state: PegasosState) -> tuple[Vector, Vector]:
        """(w_{t+1}, alpha) with alpha_i = phi_i'(x_i^T w_{t+1})."""
        return list(state.w), self.dual(problem, state.w)
