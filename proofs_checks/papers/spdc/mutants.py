"""Named mistakes that real implementations of SPDC make, as methods: Algorithms 1 to 3 with one line wrong.

A mutant is made for an instance: it changes the algorithm that the instance names and keeps its options. Where the
line is not in that algorithm the mutant is the algorithm itself, so it can only be killed on another one. With matrices A_i
the method is ``adaspdc-r``.
"""

from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.reference.methods.spdc import Parameters, SPDCState, shifted
from dualgap.reference.problem.problem import Vector


class SPDCMutant(SPDC):
    """Algorithms 1 to 3 as one, their lines open to change: before ``spdc``'s own class among the bases."""

    def weight(self, problem: Problem, parameters: Parameters, k: int) -> Any:
        """What multiplies delta_k x_k in (8), (14), (27): 1, 1/m, 1/(p_k n)."""
        return 1 / (problem.zero + self.m * parameters.pn(k))

    def share(self, problem: Problem, parameters: Parameters, k: int) -> Any:
        """What multiplies delta_k x_k in (9)."""
        return 1 / (problem.zero + problem.n)

    def difference(self, new: Any, old: Any) -> Any:
        """delta_k."""
        return new - old

    def advance(self, problem: Problem, state: Any, choice: Any) -> None:
        parameters = self.parameters(problem)
        if parameters is not None:
            self.move(problem, state, parameters, (choice,) if isinstance(choice, int) else choice)

    def move(self, problem: Problem, state: Any, parameters: Parameters, K: Any) -> None:
        """One step with the rows K."""
        new = [self.dual_step(problem, state, parameters, k) for k in K]
        direction = list(state.u)
        for k, alpha_k in zip(K, new):
            delta = self.difference(alpha_k, state.alpha[k])
            state.alpha[k] = alpha_k
            direction = shifted(direction, problem, k, self.weight(problem, parameters, k) * delta)
            state.u = shifted(state.u, problem, k, self.share(problem, parameters, k) * delta)
        self.primal_step(problem, state, parameters, direction)


class NoExtrapolation(SPDCMutant):
    """(10): w_bar = w."""

    def primal_step(self, problem: Problem, state: Any, parameters: Parameters, direction: Vector) -> None:
        super().primal_step(problem, state, parameters, direction)
        state.w_bar = list(state.w)


class ScaledStep(SPDCMutant):
    """(8), (14): the 1/n of (9) instead of 1 or 1/m, so the increment of u itself."""

    def weight(self, problem: Problem, parameters: Parameters, k: int) -> Any:
        if isinstance(self, NonUniformSPDC):
            return super().weight(problem, parameters, k)
        return 1 / (problem.zero + problem.n)


class SigmaUnscaled(SPDCMutant):
    """(26): sigma instead of sigma/(p_k n)."""

    def dual_step(self, problem: Problem, state: Any, parameters: Parameters, k: int) -> Any:
        return super().dual_step(problem, state, parameters._replace(weight=None), k)


class WeightOne(SPDCMutant):
    """(27): weight 1 instead of 1/(p_k n)."""

    def weight(self, problem: Problem, parameters: Parameters, k: int) -> Any:
        return 1 / (problem.zero + self.m)


class WeightOneOverN(SPDCMutant):
    """(27): weight 1/n instead of 1/(p_k n)."""

    def weight(self, problem: Problem, parameters: Parameters, k: int) -> Any:
        if isinstance(self, NonUniformSPDC):
            return 1 / (problem.zero + problem.n)
        return super().weight(problem, parameters, k)


class LambdaGammaSwapped(SPDCMutant):
    """(16), (29): lam where gamma belongs and gamma where lam does, in both steps."""

    def make_parameters(self, problem: Problem, norms2: Vector) -> Parameters:
        found = super().make_parameters(problem, norms2)
        ratio = problem.regularizer.modulus / self.gamma(problem)
        return found._replace(tau=found.tau * ratio, sigma=found.sigma / ratio)


class DoubledSteps(SPDCMutant):
    """(16), (29): 1/R and mix/R_bar instead of half of it, in both steps."""

    def make_parameters(self, problem: Problem, norms2: Vector) -> Parameters:
        found = super().make_parameters(problem, norms2)
        return found._replace(tau=2 * found.tau, sigma=2 * found.sigma)


class ThetaWithoutRoot(SPDCMutant):
    """(16): kappa in the place of 2 sqrt(n kappa/m), as in the rate of SDCA."""

    def make_parameters(self, problem: Problem, norms2: Vector) -> Parameters:
        found = super().make_parameters(problem, norms2)
        if isinstance(self, NonUniformSPDC):
            return found
        n_over_m = (problem.zero + problem.n) / self.m
        second = 1 / (1 - found.theta) - n_over_m
        return found._replace(theta=1 - 1 / (n_over_m + second * second / (4 * n_over_m)))


class HalfRadius(SPDCMutant):
    """R: half of the largest norm, the 2 of (16) counted twice."""

    def radius(self, problem: Problem, norms2: Vector) -> Any:
        return super().radius(problem, norms2) / 2


class NoProx(SPDCMutant):
    """(8), (14), (27): a step along the direction alone, g left out."""

    def primal_step(self, problem: Problem, state: Any, parameters: Parameters, direction: Vector) -> None:
        w = [w_j - parameters.tau * v_j for w_j, v_j in zip(state.w, direction)]
        state.w_bar = [new + parameters.theta * (new - old) for new, old in zip(w, state.w)]
        state.w = w


class WrongU(SPDCMutant):
    """u^0 = 0 although alpha^0 is not."""

    def state_of(self, problem: Problem, w: Vector, u: Vector, alpha: Vector) -> Any:
        return super().state_of(problem, w, [problem.zero] * problem.d, alpha)


class StaleState(SPDCState):
    """An SPDCState that also remembers the w_bar of one step ago."""

    __slots__ = ("before",)
    before: Vector


class StaleWBar(SPDCMutant):
    """(7): the w_bar of one step ago is read."""

    def state_of(self, problem: Problem, w: Vector, u: Vector, alpha: Vector) -> Any:
        return StaleState(w=w, w_bar=list(w), u=u, alpha=alpha, before=list(w))

    def move(self, problem: Problem, state: Any, parameters: Parameters, K: Any) -> None:
        current, state.w_bar = list(state.w_bar), state.before
        super().move(problem, state, parameters, K)
        state.before = current


class ScaledIncrement(SPDCMutant):
    """(9): the increment of the primal step is stored in u."""

    def share(self, problem: Problem, parameters: Parameters, k: int) -> Any:
        return self.weight(problem, parameters, k)


class SharedBatchOrder(SPDCMutant):
    """(13): the rows of a batch one after the other, each with the w_bar that the row before it left."""

    def move(self, problem: Problem, state: Any, parameters: Parameters, K: Any) -> None:
        for k in K:
            super().move(problem, state, parameters, (k,))


class Overwritten(SPDCMutant):
    """alpha_k is overwritten before the difference is taken: neither u nor w hears of it."""

    def difference(self, new: Any, old: Any) -> Any:
        return new - new


class NeverLast(SPDCMutant):
    """The sampler never draws the last row, where it can do without."""

    def choices(self, problem: Problem, state: Any) -> list[tuple[Any, Fraction]]:
        last, every = problem.n - 1, super().choices(problem, state)
        kept = [(K, p) for K, p in every if not (last == K if isinstance(K, int) else last in K)] or every
        total = sum((p for _, p in kept), Fraction(0))
        return [(K, p / total) for K, p in kept]


class BlocksRootInverted(AdaSPDC):
    """(16) with matrices A_i: sqrt(n lam/(m gamma)) where its inverse belongs."""

    def make_parameters(self, problem: Problem, R: Vector) -> Any:
        found = super().make_parameters(problem, R)
        return found and found._replace(c=1 / found.c)


MUTANTS = {
    "spdc.no-extrapolation": NoExtrapolation,
    "spdc.scaled-step": ScaledStep,
    "spdc.sigma-unscaled": SigmaUnscaled,
    "spdc.weight-one": WeightOne,
    "spdc.weight-1/n": WeightOneOverN,
    "spdc.lambda-gamma-swapped": LambdaGammaSwapped,
    "spdc.steps-1/R": DoubledSteps,
    "spdc.theta-without-root": ThetaWithoutRoot,
    "spdc.half-radius": HalfRadius,
    "spdc.no-prox": NoProx,
    "spdc.wrong-u0": WrongU,
    "spdc.stale-w_bar": StaleWBar,
    "spdc.u-scaled-increment": ScaledIncrement,
    "spdc.shared-batch-order": SharedBatchOrder,
    "spdc.overwritten-alpha": Overwritten,
    "spdc.never-last": NeverLast,
    "spdc.blocks-root-inverted": BlocksRootInverted,
}
