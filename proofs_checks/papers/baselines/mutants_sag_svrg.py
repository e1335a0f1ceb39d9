"""Named mistakes that real implementations of SAG and SVRG make, as methods: each with one line wrong."""

from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.reference.methods.lazy.sag import LazySAG
from dualgap.reference.methods.sag import SAG
from dualgap.reference.problem.problem import Vector

# -- SAG ----------------------------------------------------------------------------------------------------------------


class ForgottenNew(SAG):
    """m grows at every step, not at new rows alone."""

    def replace(self, problem: Problem, state: Any, i: int, c_new: Number) -> None:
        state.seen[i] = 0
        super().replace(problem, state, i, c_new)


class StaleCount(SAG):
    """G is divided by the m before the step, by 1 in the first."""

    def divisor(self, problem: Problem, m: int) -> int:
        return super().divisor(problem, m - self.was_new or 1)

    def replace(self, problem: Problem, state: Any, i: int, c_new: Number) -> None:
        self.was_new = 1 - state.seen[i]
        super().replace(problem, state, i, c_new)


class NoDifference(SAG):
    """The old gradient stays in G."""

    def replace(self, problem: Problem, state: Any, i: int, c_new: Number) -> None:
        if self.regularizer_in_table:
            state.y[i] = (problem.zero,) * problem.d
        state.c[i] = problem.zero
        super().replace(problem, state, i, c_new)


class Radius(SAG):
    """L = R/gamma + lam: R is not squared."""

    def L(self, problem: Problem) -> Number:
        return sqrt(problem.R2) / problem.gamma + problem.regularizer.lam


class LateCatchUp(LazySAG):
    """The lazy form; columns catch up after G has changed."""

    def advance(self, problem: Problem, state: Any, choice: Any) -> None:
        z = problem.zero
        for j, x in problem.rows[choice]:
            z = z + x * (state.v[j] - state.G[j] * (state.S - state.mark[j]))
        self.replace(problem, state, choice, problem.loss.derivative(state.beta * z, problem.y[choice]))
        for j, _ in problem.rows[choice]:
            self.catch_up(state, j)
        a = self.a(problem)
        self.move(problem, state, 1 - a * problem.regularizer.lam, a / self.divisor(problem, state.m))


# -- SVRG ---------------------------------------------------------------------------------------------------------------


class DroppedLabel(SVRG):
    """The smoothed hinge's derivative in its quadratic zone is (y z - 1)/gamma, without the y; labels +1 hide it."""

    def gradient(self, problem: Problem, i: int, w: Vector) -> Vector:
        found, y = super().gradient(problem, i, w), problem.y[i]
        z = problem.dot(problem.rows[i], w)
        if problem.loss.name == "smoothed-hinge" and 1 - problem.gamma < y * z < 1:
            wrong = (y * z - 1) / problem.gamma
            for j, x in problem.rows[i]:
                found[j] = found[j] + (wrong - y * wrong) * x
        return found


class StaleSnapshot(SVRG):
    """mu~ stays that of the first round."""

    def snapshot(self, problem: Problem, state: Any) -> None:
        old = state.mu_tilde
        super().snapshot(problem, state)
        state.mu_tilde = state.mu_tilde if state.s == 1 else old


class NoCorrection(SVRG):
    """Line 5 is a plain stochastic gradient step."""

    def direction(self, problem: Problem, state: Any, i: int) -> Vector:
        return self.gradient(problem, i, state.w)


class CorrectionAdded(SVRG):
    """Line 5 with + f_i'(w~) - mu~."""

    def direction(self, problem: Problem, state: Any, i: int) -> Vector:
        now, right = self.gradient(problem, i, state.w), super().direction(problem, state, i)
        return [2 * now_j - v_j for now_j, v_j in zip(now, right)]


class Unscaled(SVRG):
    """eta = gamma/10, for rows of norm 1 alone."""

    def eta(self, problem: Problem) -> Number:
        return problem.gamma / 10


class LateOutput(SVRG):
    """Option II keeps w_t, so that t is uniform on 1 .. m."""

    def advance(self, problem: Problem, state: Any, choice: Any) -> None:
        keep, i = self.split(problem, choice)
        last = state.t + 1 == self.steps_of_round(problem)
        super().advance(problem, state, i)
        if keep and not last:
            state.kept = list(state.w)


class OneMore(LazySVRG):
    """The lazy form; a column that stood still for k steps makes k + 1."""

    def current(self, problem: Problem, state: Any, j: int) -> Number:
        state.t += int(state.t > state.last[j])
        found = super().current(problem, state, j)
        state.t -= int(state.t > state.last[j] + 1)
        return found


MUTANTS = {
    "baselines.sag-forgotten-new": ForgottenNew,
    "baselines.sag-late-catch-up": LateCatchUp,
    "baselines.sag-no-difference": NoDifference,
    "baselines.sag-radius": Radius,
    "baselines.sag-stale-count": StaleCount,
    "baselines.svrg-correction-added": CorrectionAdded,
    "baselines.svrg-dropped-label": DroppedLabel,
    "baselines.svrg-late-output": LateOutput,
    "baselines.svrg-no-correction": NoCorrection,
    "baselines.svrg-one-more": OneMore,
    "baselines.svrg-stale-snapshot": StaleSnapshot,
    "baselines.svrg-unscaled": Unscaled,
}
