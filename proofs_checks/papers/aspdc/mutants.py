"""Twelve named mistakes that real implementations of ASPDC make, as methods.

All are ASPDC with one line wrong; ``sdca-step`` is a correct other method, which only an equality can tell
from ASPDC.
"""

from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.reference import SmoothedHinge, Squared
from dualgap.reference.methods.aspdc import ASPDC
from dualgap.reference.problem.problem import Vector


class ASPDCMutant(ASPDC):
    """ASPDC with its lines 5 and 7 open to change."""

    def response(self, problem: Problem, z: Any, y: Any, alpha_i: Any) -> Any:
        """Line 5."""
        return problem.loss.derivative(z, y)

    def move(self, problem: Problem, state: Any, i: int, delta: Any) -> None:
        """Line 7."""
        problem.update(i, delta, state.v)

    def advance(self, problem: Problem, state: Any, choice: Any) -> None:
        i = choice
        alpha_i = self.response(problem, problem.inner(i, state.v), problem.y[i], state.alpha[i])
        delta = alpha_i - state.alpha[i]
        state.alpha[i] = alpha_i
        self.move(problem, state, i, delta)


class SignFlip(ASPDCMutant):
    """w <- w + (Delta/(lam n)) x_i."""

    def move(self, problem: Problem, state: Any, i: int, delta: Any) -> None:
        problem.update(i, -delta, state.v)


class MissingN(ASPDCMutant):
    """w <- w - (Delta/lam) x_i: the 1/n is lost."""

    def move(self, problem: Problem, state: Any, i: int, delta: Any) -> None:
        problem.update(i, delta * problem.n, state.v)


class StaleState(DualState):
    """A DualState that also remembers the v of one step ago."""

    __slots__ = ("before",)
    before: Vector


class StaleW(ASPDCMutant):
    """The step reads the w of one step ago."""

    def init(self, problem: Problem, alpha: Vector | None = None) -> DualState:
        state = super().init(problem, alpha)
        return StaleState(v=state.v, alpha=state.alpha, before=list(state.v))

    def advance(self, problem: Problem, state: Any, choice: Any) -> None:
        current = list(state.v)
        alpha_i = problem.loss.derivative(problem.inner(choice, state.before), problem.y[choice])
        problem.update(choice, alpha_i - state.alpha[choice], state.v)
        state.alpha[choice] = alpha_i
        state.before = current


class HalfStep(ASPDCMutant):
    """alpha_i <- alpha_i + Delta/2."""

    def response(self, problem: Problem, z: Any, y: Any, alpha_i: Any) -> Any:
        return alpha_i + (problem.loss.derivative(z, y) - alpha_i) / 2


class NeverLast(ASPDCMutant):
    """The sampler never draws the last row."""

    def choices(self, problem: Problem, state: Any) -> list[tuple[Any, Fraction]]:
        count = max(1, problem.n - 1)
        return [(i, Fraction(1, count)) for i in range(count)]


class NoGamma(ASPDCMutant):
    """phi' without its division by gamma."""

    def response(self, problem: Problem, z: Any, y: Any, alpha_i: Any) -> Any:
        if isinstance(problem.loss, (Squared, SmoothedHinge)):
            return type(problem.loss)().over(problem.number).derivative(z, y)
        return problem.loss.derivative(z, y) * problem.gamma


class NoClip(ASPDCMutant):
    """The smoothed hinge's derivative without its clip."""

    def response(self, problem: Problem, z: Any, y: Any, alpha_i: Any) -> Any:
        if isinstance(problem.loss, SmoothedHinge):
            return -y * (1 - y * z) / problem.gamma
        return problem.loss.derivative(z, y)


class Overwritten(ASPDCMutant):
    """alpha_i is overwritten before the difference is taken: Delta = 0, w never moves."""

    def move(self, problem: Problem, state: Any, i: int, delta: Any) -> None:
        problem.update(i, state.alpha[i] - state.alpha[i], state.v)


class CyclicState(DualState):
    """A DualState that remembers which row comes next."""

    __slots__ = ("position",)
    position: int


class Cyclic(ASPDCMutant):
    """Rows in fixed order instead of random ones."""

    def init(self, problem: Problem, alpha: Vector | None = None) -> DualState:
        state = super().init(problem, alpha)
        return CyclicState(v=state.v, alpha=state.alpha, position=0)

    def choices(self, problem: Problem, state: Any) -> list[tuple[Any, Fraction]]:
        return [(state.position, Fraction(1))]

    def advance(self, problem: Problem, state: Any, choice: Any) -> None:
        super().advance(problem, state, choice)
        state.position = (state.position + 1) % problem.n


class ZeroStart(ASPDCMutant):
    """w starts at 0 although alpha does not."""

    def init(self, problem: Problem, alpha: Vector | None = None) -> DualState:
        state = super().init(problem, alpha)
        state.v = [problem.zero] * problem.d
        return state


class SDCAStep(ASPDCMutant):
    """SDCA's damped step: a correct method, but not this one."""

    def advance(self, problem: Problem, state: Any, choice: Any) -> None:
        SDCA().advance(problem, state, choice)


class ScaledW(ASPDCMutant):
    """w <- w - (Delta/(lam (n+1))) x_i."""

    def move(self, problem: Problem, state: Any, i: int, delta: Any) -> None:
        problem.update(i, delta * problem.n / (problem.n + 1), state.v)


MUTANTS = {
    "aspdc.sign-flip": SignFlip,
    "aspdc.missing-1/n": MissingN,
    "aspdc.stale-w": StaleW,
    "aspdc.half-step": HalfStep,
    "aspdc.never-last": NeverLast,
    "aspdc.no-gamma": NoGamma,
    "aspdc.no-clip": NoClip,
    "aspdc.overwritten-alpha": Overwritten,
    "aspdc.cyclic-order": Cyclic,
    "aspdc.zero-start": ZeroStart,
    "aspdc.sdca-step": SDCAStep,
    "aspdc.scaled-w": ScaledW,
}

