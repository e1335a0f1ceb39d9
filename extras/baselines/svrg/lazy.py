"""SVRG in O(nnz of the row) a step and O(nnz of X) a round, equal to ``svrg``.

With h = (1/n) sum_i phi_i'(x_i^T w~) x_i, so that mu~ = h + lam w~, the terms lam w~ of line 5 cancel:

    w_t = r w_{t-1} - eta h - eta (phi_i'(x_i^T w_{t-1}) - phi_i'(x_i^T w~)) x_i,    r = 1 - eta lam

A coordinate that no row has touched for k steps is therefore, with e = 1 - r^k,

    w_j <- (1 - e) w_j - (e/lam) h_j

where e is ``shrink`` of the rate eta lam/(1 - eta lam): in floats ``one_minus_exp``, without the cancellation of 1 -
r^k.

======== ===== =======================================================================================================
in code  shape meaning
======== ===== =======================================================================================================
w        (d,)  w_j after last_j steps of the round
last     (d,)  see above; 0 if a round is over
h        (d,)  see above
slopes   (n,)  phi_i'(x_i^T w~)
t, s           as in ``svrg``
kept     (d,)  as in ``svrg``
======== ===== =======================================================================================================

Order of operations, which compiled code repeats bit for bit: (1 - e) w_j - (e/lam) h_j, also where k = 0; z the sum of
x w_j in stored order; change = eta (phi_i'(z) - slopes_i); (r w_j - eta h_j) - change x.
"""

from typing import Any

from dualgap.extras.baselines.gradients import slopes
from dualgap.extras.baselines.svrg.reference import Rounds
from dualgap.reference.methods.base import State
from dualgap.reference.methods.registry import register_lazy_form
from dualgap.reference.numbers.arithmetic import Number, shrink
from dualgap.reference.problem.problem import Problem, Vector
from dualgap.reference.problem.validate import require_within


class LazySVRGState(State):
    """See the table of the module."""

    __slots__ = ("w", "last", "h", "slopes", "t", "s")
    w: Vector
    last: list[int]
    h: Vector
    slopes: Vector
    t: int
    s: int


class RandomLazySVRGState(LazySVRGState):
    """The state with ``kept``."""

    __slots__ = ("kept",)
    kept: Vector


@register_lazy_form
class LazySVRG(Rounds):
    """Procedure SVRG, lazily: options, hypotheses, choices and start of ``SVRG``.

    >>> from fractions import Fraction
    >>> from dualgap.reference import L2, Problem, Squared, method
    >>> p = Problem([[1, 0], [1, 1], [0, -1]], [1, -1, 1], Squared(), L2("1/3"), number=Fraction)
    >>> svrg, choices = method("svrg", m=3), [0, 1, 2, 0]
    >>> LazySVRG(m=3).view(p, LazySVRG(m=3).run(p, choices)) == svrg.view(p, svrg.run(p, choices))
    True
    """

    name = "svrg"

    def init(self, problem: Problem, alpha: Vector | None = None, w: Vector | None = None) -> LazySVRGState:
        """Return the first state, as in ``SVRG``."""
        _, w = self.begin(problem, alpha, w)
        zeros = [problem.zero] * problem.d
        fields = dict(w=w, last=[0] * problem.d, h=zeros, slopes=[problem.zero] * problem.n, t=0, s=0)
        return LazySVRGState(**fields) if self.option == "I" else RandomLazySVRGState(**fields, kept=list(w))

    def advance(self, problem: Problem, state: Any, choice: Any) -> None:
        keep, i = self.split(problem, choice)  # SVRG line 4
        if state.t == 0:
            self.snapshot(problem, state)
        if keep:
            state.kept = self.iterate(problem, state)  # SVRG line 6, option II
        eta, z = self.eta(problem), problem.zero
        for j, x in problem.rows[i]:
            state.w[j] = self.current(problem, state, j)
            z = z + x * state.w[j]
        change = eta * (problem.loss.derivative(z, problem.y[i]) - state.slopes[i])
        r = 1 - eta * problem.regularizer.lam
        for j, x in problem.rows[i]:
            state.w[j] = r * state.w[j] - eta * state.h[j] - change * x  # SVRG line 5
            state.last[j] = state.t + 1
        state.t += 1
        if state.t == self.steps_of_round(problem):
            state.w, state.last, state.t = self.output(problem, state), [0] * problem.d, 0  # SVRG line 6

    def require_state(self, problem: Problem, state: LazySVRGState) -> None:
        require_within("t", [state.t], 0, self.steps_of_round(problem) - 1)
        require_within("last", state.last, 0, state.t)

    def snapshot(self, problem: Problem, state: LazySVRGState) -> None:
        """The loss' part of the full gradient at w~ = w."""
        state.slopes, total = slopes(problem, state.w), [problem.zero] * problem.d  # SVRG lines 1, 3
        for row, slope in zip(problem.rows, state.slopes):
            for j, x in row:
                total[j] = total[j] + slope * x
        state.h = [total_j / problem.n for total_j in total]  # SVRG line 2
        state.s += 1

    def current(self, problem: Problem, state: Any, j: int) -> Number:
        """w_j after t steps."""
        eta_lam = self.eta(problem) * problem.regularizer.lam
        e = shrink(eta_lam / (1 - eta_lam), state.t - state.last[j])
        return (1 - e) * state.w[j] - e / problem.regularizer.lam * state.h[j]

    def iterate(self, problem: Problem, state: object) -> Vector:
        """w_t, shape (d,)."""
        return [self.current(problem, state, j) for j in range(problem.d)]

    def output(self, problem: Problem, state: Any) -> Vector:
        if state.t == 0:
            return list(state.w)
        return self.iterate(problem, state) if self.option == "I" else list(state.kept)
