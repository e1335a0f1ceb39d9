"""ASPDC-i, Algorithms 2 and 3 and the momentum variant, compiled: counterparts of
``dualgap.reference.methods.aspdc_i``.

Between two moves of the centre the steps are those of ASPDC on f~_s, in ASPDC's kernel; an array of choices is
split where the reference would test the inner gap or move the centre. kappa, eta, xi and m come from the reference
method itself, given kappa as a number, so that no list of rows is ever made for them.
"""

from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from dualgap.fast.methods.aspdc import FastASPDC
from dualgap.fast.methods.base import FastDualState, FastMethod, require_finite, run_kernel
from dualgap.fast.methods.registry import register_compiled_method
from dualgap.fast.problem.arrays import Array, arrays
from dualgap.fast.problem.objective import Objective
from dualgap.reference.methods.aspdc_i import MOVES_PER_TEST, ASPDCi, ASPDCiFixed, ProximalPoint, ProximalPointState
from dualgap.reference.numbers.arithmetic import sqrt
from dualgap.reference.problem.problem import Problem


class FastProximalPointState(FastDualState, ProximalPointState):
    """The inner iterate (v, alpha), what the last inner call returned, and the counters (as in the reference)."""

    __slots__ = ()


class FastProximalPoint(FastMethod[FastProximalPointState]):
    """The outer loop shared by the three."""

    reference: ProximalPoint

    def numbers(self, problem: Problem) -> Any:
        """The reference method with kappa as a number: it then never asks the problem for R^2."""
        options = {name: value for name, value in vars(self.reference).items() if name != "kappa"}
        return type(self.reference)(kappa=self.reference.kappa_of(problem, arrays(problem).R2), **options)

    def init(self, problem: Problem, alpha: ArrayLike | None = None) -> Any:
        self.reference.require_uncentred(problem)
        start = FastASPDC().init(problem, alpha)
        # Alg. 2 line 2, Alg. 3 line 2
        w_tilde = np.zeros(problem.d)
        state: Any = FastProximalPointState(
            v=start.v,
            alpha=start.alpha,
            w_tilde=w_tilde,
            alpha_tilde=start.alpha.copy(),
            w_tilde_before=w_tilde.copy(),
            steps=0,
            epoch=0,
            xi=0.0,
        )
        self.start_inner(self.native(problem), self.numbers(problem), state)
        return state

    def centre(self, numbers: ProximalPoint, problem: Problem, state: FastProximalPointState) -> Array:
        """The proximal centre of epoch s: w~_s."""
        return np.asarray(state.w_tilde)

    def inner_objective(self, objective: Objective, numbers: Any, state: FastProximalPointState) -> Objective:
        """f~_s."""
        problem = objective.problem
        return objective.centred(numbers.kappa, self.centre(numbers, problem, state))

    def start_inner(self, objective: Objective, numbers: ProximalPoint, state: Any) -> None:
        """w = (kappa w~_s - X^T alpha/n)/(lam + kappa)."""
        state.v = self.inner_objective(objective, numbers, state).v(state.alpha)  # Alg. 3 line 4
        state.steps = 0

    def move_centre(self, objective: Objective, numbers: ProximalPoint, state: Any) -> None:
        """The inner call returns (w, alpha); the next one starts at alpha."""
        state.w_tilde_before = state.w_tilde
        # Alg. 2 line 4, Alg. 3 line 11
        state.w_tilde = self.inner_objective(objective, numbers, state).w_of(state.v)
        # Alg. 2 line 4, Alg. 3 line 11
        state.alpha_tilde = state.alpha.copy()
        state.epoch += 1
        self.start_inner(objective, numbers, state)

    def inner_steps(self, inner: Objective, state: FastProximalPointState, choices: Array) -> None:
        """ASPDC steps on f~_s."""
        run_kernel(FastASPDC.kernel, inner, state, choices)
        state.steps += choices.size

    def view(self, problem: Problem, state: Any) -> tuple[Array, Array]:
        return state.w_tilde.copy(), state.alpha_tilde.copy()


@register_compiled_method
class FastASPDCi(FastProximalPoint):
    """Algorithm 2; options kappa, eta, epsilon, stop as in the reference, which decides on the last epoch (line 7)."""

    name: ClassVar[str] = "aspdc-i"
    reference: ASPDCi

    def init(self, problem: Problem, alpha: ArrayLike | None = None) -> Any:
        state: Any = super().init(problem, alpha)
        eta = self.numbers(problem).eta_of(problem)
        state.xi = (1 + 1 / eta) * self.native(problem).gap(state.w_tilde, state.alpha_tilde)  # Alg. 2 line 1
        state.epoch = 1
        return state

    def steps(self, problem: Problem, state: FastProximalPointState, choices: Array) -> None:
        objective, numbers = self.native(problem), self.numbers(problem)
        while choices.size:
            if state.steps % problem.n == 0:
                self.finish_inner_calls(objective, numbers, state)
            inner = self.inner_objective(objective, numbers, state)
            count = problem.n - state.steps % problem.n  # up to the next test
            self.inner_steps(inner, state, choices[:count])  # Alg. 2 line 4
            choices = choices[count:]

    def finish_inner_calls(self, objective: Objective, numbers: Any, state: Any) -> None:
        """End the inner call while its gap is within tolerance; alpha, and so s, does not change meanwhile."""
        problem = objective.problem
        eta = numbers.eta_of(problem)
        for _ in range(MOVES_PER_TEST):
            inner = self.inner_objective(objective, numbers, state)
            require_finite(state.alpha)
            w = inner.w_of(state.v)
            sums, _, minus_u = inner.evaluate(w, state.alpha)[:3]
            gap = inner.gap_from(sums, inner.regularizer_residual(w, minus_u))
            if not gap <= numbers.inner_tolerance(problem, state) or numbers.stopped(problem, state):
                return
            before = state.w_tilde
            self.move_centre(objective, numbers, state)
            state.xi = (1 - eta / 2) * state.xi  # Alg. 2 line 5
            if np.array_equal(state.w_tilde, before):
                return


@register_compiled_method
class FastASPDCiFixed(FastProximalPoint):
    """Algorithm 3; options kappa, m as in the reference."""

    name: ClassVar[str] = "aspdc-i-fixed"
    reference: ASPDCiFixed

    def steps(self, problem: Problem, state: FastProximalPointState, choices: Array) -> None:
        objective, numbers = self.native(problem), self.numbers(problem)
        m = numbers.m_of(problem)
        while choices.size:
            inner = self.inner_objective(objective, numbers, state)
            count = m - state.steps
            self.inner_steps(inner, state, choices[:count])  # Alg. 3 lines 6-9
            choices = choices[count:]
            if state.steps == m:
                self.move_centre(objective, numbers, state)


@register_compiled_method
class FastASPDCiMomentum(FastASPDCiFixed):
    """Ours: Algorithm 3 around w~_s + beta (w~_s - w~_{s-1}); beta as in the reference."""

    name: ClassVar[str] = "aspdc-i-momentum"

    def centre(self, numbers: Any, problem: Problem, state: Any) -> Array:
        lam = problem.regularizer.lam
        root = sqrt(lam / (lam + 2 * numbers.kappa))
        beta = (1 - root) / (1 + root)
        centre: Array = state.w_tilde + beta * (state.w_tilde - state.w_tilde_before)
        return centre
