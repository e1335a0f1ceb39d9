"""ASDCA, compiled: the counterpart of ``dualgap.extras.baselines.asdca.reference``.

Between two looks at the inner gap the steps are those of SDCA on P~_t, in SDCA's kernel. The constants come from the
reference method itself, given R^2, so that no list of rows is ever made for them.
"""

from typing import Any, ClassVar

from dualgap.extras.baselines.asdca.reference import ASDCA, ASDCAState, Constants
from dualgap.extras.baselines.compiled_gradients import dot
from dualgap.fast.methods.base import FastDualState, FastMethod, require_finite, run_kernel
from dualgap.fast.methods.registry import register_compiled_method
from dualgap.fast.methods.sdca import FastSDCA
from dualgap.fast.problem.arrays import Array, arrays
from dualgap.fast.problem.objective import Objective
from dualgap.reference.problem.problem import Problem


class FastASDCAState(FastDualState, ASDCAState):
    """The fields of the reference's ``ASDCAState``, arrays for lists."""

    __slots__ = ()


@register_compiled_method
class FastASDCA(FastMethod[FastASDCAState]):
    """Lines 1 to 8; epsilon as in the reference."""

    name: ClassVar[str] = "asdca"
    reference: ASDCA

    def init(self, problem: Problem, alpha: Any = None) -> Any:
        self.reference.require_start(problem)
        objective, constants = Objective(problem), self.reference.constants(problem, arrays(problem).R2)
        start: Any = FastSDCA().init(problem, alpha)
        w = objective.w(start.alpha)  # ASDCA line 2
        bound = objective.gap(w, start.alpha)
        xi = (1 + constants.rho / constants.mu) * bound
        state: Any = FastASDCAState(
            v=start.v,
            alpha=start.alpha,
            w_t=w,
            y_t=w.copy(),
            alpha_t=start.alpha.copy(),
            t=1,
            xi=xi,
            xi_1=xi,
            bound=bound,
            rule=0,
            steps=0,
            gaps=1,
        )
        state.v = self.inner_objective(objective, constants, state).v(state.alpha)
        return state

    def inner_objective(self, objective: Objective, constants: Constants, state: Any) -> Objective:
        """P~_t."""
        return objective.centred(constants.kappa, state.y_t)  # ASDCA line 4

    def steps(self, problem: Problem, state: FastASDCAState, choices: Array) -> None:
        objective, constants = Objective(problem), self.reference.constants(problem, arrays(problem).R2)
        while choices.size and not state.rule:
            inner = self.inner_objective(objective, constants, state)
            count = problem.n - state.steps % problem.n  # up to the next look at the gap
            run_kernel(FastSDCA.kernel, inner, state, choices[:count])  # ASDCA line 5
            state.steps += choices[:count].size
            choices = choices[count:]
            if state.steps % problem.n == 0:
                self.look(inner, constants, state)

    def look(self, inner: Objective, constants: Constants, state: Any) -> None:
        """End the inner call if its gap is within the accuracy of line 5."""
        require_finite(state.alpha)
        w = inner.w_of(state.v)
        sums, _, minus_u = inner.evaluate(w, state.alpha)[:3]
        gap = inner.gap_from(sums, inner.regularizer_residual(w, minus_u))
        state.gaps += 1
        if gap <= constants.share * state.xi:  # ASDCA line 5
            self.finish_call(inner.problem, constants, state, w, gap)
            state.v = self.inner_objective(inner, constants, state).dual_point(minus_u)  # ASDCA line 4

    def finish_call(self, problem: Problem, constants: Constants, state: Any, w: Array, gap: float) -> None:
        """Lines 5 to 8 after an inner call."""
        kappa, mu, rho, eta, beta, _ = constants
        away = w - state.y_t
        state.y_t = w + beta * (w - state.w_t)  # ASDCA line 6
        state.w_t, state.alpha_t, state.t = w, state.alpha.copy(), state.t + 1
        state.xi = (1 - eta / 2) * state.xi  # ASDCA line 7
        state.bound = (1 + rho / mu) * gap + rho * kappa / (2 * mu) * dot(away, away)
        state.rule = self.reference.fired(problem, constants, state)  # ASDCA line 8
        state.steps = 0

    def view(self, problem: Problem, state: Any) -> tuple[Array, Array]:
        return state.w_t.copy(), state.alpha_t.copy()
