"""Named mistakes that implementations of AdaSPDC make, as methods: Algorithm 1, published or repaired, with one line wrong.

A mutant is made for an instance, whose method it changes and whose options it keeps.
"""

from dualgap.proofs_checks.papers.spdc.strategies import root_above
from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.reference.methods.adaspdc import AdaSPDCState, Parameters, largest
from dualgap.reference.problem.losses import Squared
from dualgap.reference.problem.problem import Vector


class AdaSPDCMutant(AdaSPDC):
    """Algorithm 1 with its divisors open to change: before the method's own class among the bases."""

    def divisors(self, problem: Problem) -> tuple[int, int]:
        """Of the sums in (11) and (13): m and n."""
        return self.m, problem.n

    def advance(self, problem: Problem, state: AdaSPDCState, choice: Any) -> None:
        parameters = self.parameters(problem)
        if parameters is None:
            return
        (on_w, on_u), direction = self.divisors(problem), state.u
        tau, theta = self.tau_theta(problem, parameters, choice)
        for i, alpha_i in [(i, self.dual_step(problem, state, parameters, i)) for i in choice]:
            direction = problem.moved(direction, i, alpha_i, state.alpha[i], on_w)
            state.u = problem.moved(state.u, i, alpha_i, state.alpha[i], on_u)
            state.alpha[i] = alpha_i
        w = self.primal_step(problem, state, direction, tau)
        state.w_bar = [w_j + theta * (w_j - old_j) for w_j, old_j in zip(w, state.w)]
        state.w = w


class NoExtrapolation(AdaSPDCMutant):
    """(14): theta = 0."""

    def tau_theta(self, problem: Problem, parameters: Parameters, S: Any) -> tuple[Number, Number]:
        return super().tau_theta(problem, parameters, S)[0], problem.zero


class DoubledSteps(AdaSPDCMutant):
    """(10), (12): both without their 1/2."""

    def sigma(self, parameters: Parameters, i: int) -> Number:
        return 2 * super().sigma(parameters, i)

    def tau_theta(self, problem: Problem, parameters: Parameters, S: Any) -> tuple[Number, Number]:
        tau, theta = super().tau_theta(problem, parameters, S)
        return 2 * tau, theta


class LambdaGammaSwapped(AdaSPDCMutant):
    """(10), (12): lam where gamma belongs and gamma where lam does; theta, where they stand side by side, is right."""

    def make_parameters(self, problem: Problem, R: Vector) -> Parameters | None:
        self.ratio = problem.gamma / problem.regularizer.modulus
        return super().make_parameters(problem, R)

    def sigma(self, parameters: Parameters, i: int) -> Number:
        return super().sigma(parameters, i) * self.ratio

    def tau_theta(self, problem: Problem, parameters: Parameters, S: Any) -> tuple[Number, Number]:
        tau, theta = super().tau_theta(problem, parameters, S)
        return tau / self.ratio, theta


class WeightOneOverN(AdaSPDCMutant):
    """(11): 1/n, the weight of (13), in the place of 1/m."""

    def divisors(self, problem: Problem) -> tuple[int, int]:
        return problem.n, problem.n


class ScaledR(AdaSPDCMutant):
    """(13): 1/m, the weight of (11), in the place of 1/n."""

    def divisors(self, problem: Problem) -> tuple[int, int]:
        return self.m, self.m


class PublishedTau(AdaSPDCMutant):
    """(12): the tau of the sample's largest norm in the repaired method."""

    def tau_theta(self, problem: Problem, parameters: Parameters, S: Any) -> tuple[Number, Number]:
        published = self.from_radius(problem, parameters, largest([parameters.R[i] for i in S]))[0]
        return published, super().tau_theta(problem, parameters, S)[1]


class PlusB(AdaSPDCMutant):
    """The ridge step as it is printed, with +b_i."""

    def dual_step(self, problem: Problem, state: AdaSPDCState, parameters: Parameters, i: int) -> Any:
        loss, b = problem.loss, problem.y[i]
        if isinstance(loss.scalar if isinstance(loss, Separable) else loss, Squared):
            b = tuple(-b_k for b_k in b) if isinstance(b, tuple) else -b
        z = problem.dot(problem.rows[i], state.w_bar)
        return loss.dual_step(z, state.alpha[i], b, 1 / self.sigma(parameters, i))


class Frobenius(AdaSPDCMutant):
    """R_i: the Frobenius norm of a block in the place of the spectral one."""

    def radii(self, problem: Problem) -> Vector:
        R = super().radii(problem)
        if self.norms is not None or not isinstance(problem, BlockProblem):
            return R
        squares = [sum((x * x for column in block.columns for _, x in column), problem.zero) for block in problem.blocks]
        repeats = [block.q // len(block.columns) for block in problem.blocks]  # x_i (x) I_K stores x_i alone
        return [root_above(repeat * square) for repeat, square in zip(repeats, squares)]


MUTANTS = {
    "adaspdc.no-extrapolation": NoExtrapolation,
    "adaspdc.steps-doubled": DoubledSteps,
    "adaspdc.lambda-gamma-swapped": LambdaGammaSwapped,
    "adaspdc.weight-1/n": WeightOneOverN,
    "adaspdc.published-tau": PublishedTau,
    "adaspdc.plus-b": PlusB,
    "adaspdc.frobenius": Frobenius,
    "adaspdc.r-scaled-1/m": ScaledR,
}
