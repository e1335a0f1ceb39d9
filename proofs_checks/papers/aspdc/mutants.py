"""Planted bugs that real implementations of ASPDC have: Algorithm 1 with one line wrong.

``sdca-step`` is a correct other method, which only an equality can tell from ASPDC.
"""

from fractions import Fraction

from dualgap.proofs_checks.evidence.planted import planted
from dualgap.reference import SmoothedHinge, Squared
from dualgap.reference.methods.aspdc import ASPDC
from dualgap.reference.methods.base import DualState
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.problem import Problem, Vector


class StaleState(DualState):
    """A DualState that also remembers the v of one step ago."""

    __slots__ = ("before",)
    before: Vector


class CyclicState(DualState):
    """A DualState that remembers which row comes next."""

    __slots__ = ("position",)
    position: int


def without_gamma(problem: Problem, z: object, y: object) -> Number:
    """phi' without its division by gamma."""
    if isinstance(problem.loss, (Squared, SmoothedHinge)):
        return type(problem.loss)().over(problem.number).derivative(z, y)
    return problem.loss.derivative(z, y) * problem.gamma


def without_clip(problem: Problem, z: Number, y: Number) -> Number:
    """The smoothed hinge's derivative without its clip, and any other loss' own."""
    return (
        -y * (1 - y * z) / problem.gamma if isinstance(problem.loss, SmoothedHinge) else problem.loss.derivative(z, y)
    )


LINE_5, LINE_7 = "problem.loss.derivative(z, problem.y[i])", "problem.update(i, delta, state.v)"
FIRST = 'families = ("quadratic", "general")\n'  # what ASPDC inherits is planted below this line
INIT = f"""{FIRST}
    def init(self, problem, alpha=None):
        state = super().init(problem, alpha)
        return """
CHOICES = f"""{FIRST}
    def choices(self, problem, state):
        return """
IN_TURN = """

    def choices(self, problem, state):
        return [(state.position, Fraction(1))]
"""
MUTANTS = planted(
    ASPDC,
    "aspdc",
    {
        "sign-flip": ("w <- w + (Delta/(lam n)) x_i", (LINE_7, "problem.update(i, -delta, state.v)")),
        "missing-1/n": (
            "w <- w - (Delta/lam) x_i: the 1/n is lost",
            (LINE_7, "problem.update(i, delta * problem.n, state.v)"),
        ),
        "stale-w": (
            "the step reads the w of one step ago",
            (FIRST, f"{INIT}StaleState(v=state.v, alpha=state.alpha, before=list(state.v))\n"),
            ("problem.inner(i, state.v)", "problem.inner(i, state.before)\n        state.before = list(state.v)"),
        ),
        "half-step": ("alpha_i <- alpha_i + Delta/2", (LINE_5, f"state.alpha[i] + ({LINE_5} - state.alpha[i]) / 2")),
        "never-last": (
            "the sampler never draws the last row",
            (FIRST, f"{CHOICES}[(i, Fraction(1, max(1, problem.n - 1))) for i in range(max(1, problem.n - 1))]\n"),
        ),
        "no-gamma": ("phi' without its division by gamma", (LINE_5, "without_gamma(problem, z, problem.y[i])")),
        "no-clip": (
            "the smoothed hinge's derivative without its clip",
            (LINE_5, "without_clip(problem, z, problem.y[i])"),
        ),
        "overwritten-alpha": (
            "alpha_i is overwritten before the difference is taken: Delta = 0, w never moves",
            ("delta = alpha_i - state.alpha[i]", "delta = alpha_i - alpha_i"),
        ),
        "cyclic-order": (
            "rows in fixed order instead of random ones",
            (FIRST, f"{INIT}CyclicState(v=state.v, alpha=state.alpha, position=0){IN_TURN}"),
            (LINE_7, f"{LINE_7}\n        state.position = (state.position + 1) % problem.n"),
        ),
        "zero-start": (
            "w starts at 0 although alpha does not",
            (FIRST, f"{INIT}type(state)(v=[problem.zero] * problem.d, alpha=state.alpha)\n"),
        ),
        "sdca-step": (
            "SDCA's damped step: a correct method, but not this one",
            (LINE_5, "problem.loss.dual_step(z, state.alpha[i], problem.y[i], problem.norms2[i] / problem.scale)"),
        ),
        "scaled-w": (
            "w <- w - (Delta/(lam (n+1))) x_i",
            (LINE_7, "problem.update(i, delta * problem.n / (problem.n + 1), state.v)"),
        ),
    },
    Fraction=Fraction,
    StaleState=StaleState,
    CyclicState=CyclicState,
    without_gamma=without_gamma,
    without_clip=without_clip,
)
