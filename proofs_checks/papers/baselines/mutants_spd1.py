"""Named mistakes that implementations of SPD1, SPD1-VR and Pegasos make, as methods: one line wrong."""

from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.reference.methods.pegasos import Pegasos, PegasosState
from dualgap.reference.methods.spd1 import SPD1, entry
from dualgap.reference.methods.spd1_vr import SPD1VR, SPD1VRState
from dualgap.reference.problem.problem import Vector

# -- SPD1 ------------------------------------------------------------------------------------------------------------------------


class SkipZeros(SPD1):
    """A step on an entry 0 does nothing: column j then has the regularizer p_j g_j, p_j the share of its entries that are not 0."""

    def advance(self, problem: Problem, state: Any, choice: Any) -> None:
        if entry(problem, *choice) != 0:
            super().advance(problem, state, choice)
        else:
            state.t += 1


class TouchAverage(SPD1):
    """Line 4: w_j and alpha_i are added up when they are drawn, once, and the sums divided by T."""

    def record(self, state: Any, i: int, j: int) -> None:
        if self.output == "average":
            state.total_w[j] = state.total_w[j] + state.w[j]
            state.total_alpha[i] = state.total_alpha[i] + state.alpha[i]
            state.since_w[j] = state.since_alpha[i] = state.t

    def view(self, problem: Problem, state: Any) -> tuple[Vector, Vector]:
        if self.output == "last" or state.t == 0:
            return super().view(problem, state)
        return [total / state.t for total in state.total_w], [total / state.t for total in state.total_alpha]


class Unclipped(SPD1):
    """Line 3 for the smoothed hinge, without its clip."""

    def dual_step(self, problem: Problem, i: int, z: Number, alpha_i: Number, q: Number) -> Number:
        if problem.loss.name != "smoothed-hinge":
            return super().dual_step(problem, i, z, alpha_i, q)
        return (z - problem.y[i] + q * alpha_i) / (problem.gamma + q)


class LostLabel(SPD1):
    """Line 3 for the smoothed hinge, without the factor y in front."""

    def dual_step(self, problem: Problem, i: int, z: Number, alpha_i: Number, q: Number) -> Number:
        found = super().dual_step(problem, i, z, alpha_i, q)
        return problem.y[i] * found if problem.loss.name == "smoothed-hinge" else found


class StepWithoutD(SPD1):
    """eta_t = 2/(mu (t + 4)), tau_t = 2nd/(gamma (t + 4)), as in a published implementation: as if w_j moved in every step."""

    def steps(self, problem: Problem, t: int) -> tuple[Number, Number]:
        if self.eta is not None:
            return super().steps(problem, t)
        return 2 / (problem.regularizer.modulus * (t + 4)), 2 * problem.n * problem.d / (problem.gamma * (t + 4))


class EstimateWithoutD(SPD1VR):
    """SPD1-VR, line 3: the estimate x_ij' (w_j' - w~_j') + z~_i, without d."""

    def estimates(self, problem: Problem, state: SPD1VRState, choice: Any) -> tuple[Number, Number]:
        u_j, z_i = super().estimates(problem, state, choice)
        at_snapshot = state.z_tilde[choice[0]]
        return u_j, at_snapshot + (z_i - at_snapshot) / problem.d


class StaleSums(SPD1VR):
    """A later snapshot renews w~ and alpha~, and not u~ and z~."""

    def refresh(self, problem: Problem, state: SPD1VRState) -> None:
        state.w_tilde, state.alpha_tilde = list(state.w), list(state.alpha)


# -- Pegasos ---------------------------------------------------------------------------------------------------------------------


class FreePegasos(Pegasos):
    """Lines 3 to 7, open to change."""

    def advance(self, problem: Problem, state: PegasosState, choice: Any) -> None:
        slopes = [problem.loss.derivative(problem.dot(problem.rows[i], state.w), problem.y[i]) for i in choice]
        state.t += 1
        eta, share = self.step_size(problem, state.t), self.share(choice)
        w = [(1 - eta * problem.regularizer.lam) * w_j for w_j in state.w]
        for i, slope in zip(choice, slopes):
            for j, x in problem.rows[i]:
                w[j] = w[j] - eta * share * slope * x
        state.w = self.project(problem, w) if self.projection else w

    def step_size(self, problem: Problem, t: int) -> Number:
        """Line 5."""
        return 1 / (problem.regularizer.lam * t)

    def share(self, choice: Any) -> Number:
        """Of one row in the subgradient."""
        return Q(1, len(choice))


class LateStart(FreePegasos):
    """w_1 = (1, .., 1) != 0 with eta_t = 1/(lam (t + 1)), so that the first step does not forget it."""

    def init(self, problem: Problem, alpha: Vector | None = None) -> PegasosState:
        state = super().init(problem, alpha)
        state.w = [problem.zero + 1 for _ in state.w]
        return state

    def step_size(self, problem: Problem, t: int) -> Number:
        return 1 / (problem.regularizer.lam * (t + 1))


class SumForMean(FreePegasos):
    """A mini-batch without its 1/k."""

    def share(self, choice: Any) -> Number:
        return Q(1)


class HalfStep(FreePegasos):
    """eta_t = 1/(2 lam t)."""

    def step_size(self, problem: Problem, t: int) -> Number:
        return 1 / (2 * problem.regularizer.lam * t)


MUTANTS = {
    "baselines.spd1-skip-zeros": SkipZeros, "baselines.spd1-touch-average": TouchAverage, "baselines.spd1-unclipped": Unclipped,
    "baselines.spd1-lost-label": LostLabel, "baselines.spd1-step-without-d": StepWithoutD,
    "baselines.spd1-vr-estimate-without-d": EstimateWithoutD, "baselines.spd1-vr-stale-sums": StaleSums,
    "baselines.pegasos-late-start": LateStart, "baselines.pegasos-sum-for-mean": SumForMean, "baselines.pegasos-half-step": HalfStep,
}  # fmt: skip
