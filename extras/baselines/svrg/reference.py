"""SVRG: stochastic variance reduced gradient (Johnson and Zhang, NIPS 2013).

Problem    min_w P(w) = (1/n) sum_i f_i(w),  f_i(w) = phi_i(x_i^T w) + (lam/2)||w||^2, smooth losses, L2.
           Every f_i is L-smooth with L = R^2/gamma + lam, R^2 = max ||x_i||^2, the SQUARE of the norm; P is
           lam-strongly convex.
Method     Procedure SVRG:

    1  for s = 1, 2, ..:  w~ = w~_{s-1}
    2      mu~ = grad P(w~)
    3      w_0 = w~
    4      for t = 1 .. m:  i uniform on 1..n
    5          w_t = w_{t-1} - eta (f_i'(w_{t-1}) - f_i'(w~) + mu~)
    6      option I: w~_s = w_m;  option II: w~_s = w_t for t uniform on 0 .. m-1

Guarantee  option II, uniform order, 0 < eta < 1/(2L):
               E P(w~_s) - P* <= rho^s (P(w~_0) - P*),  rho = 1/(lam eta (1 - 2 L eta) m) + 2 L eta/(1 - 2 L eta),
           which says something where rho < 1: eta < 1/(4L) and m large enough. Option I has no such theorem in the
           paper.
Cost       a round is m gradients of single rows and the full gradient, which counts as a pass: f_i'(w~) is kept from
           line 2. With m = 2n three passes.

====== ======== ===== ==========================================================================================
symbol in code  shape meaning
====== ======== ===== ==========================================================================================
w_t    w        (d,)  iterate; w~_s where a round is over
w~     w_tilde  (d,)  the snapshot
mu~    mu_tilde (d,)  grad P(w~)
t      t              steps made in the round, 0 .. m-1
s      s              full gradients made
       kept     (d,)  option II: one of w_0 .. w_{t-1}, each with probability 1/t
====== ======== ===== ==========================================================================================

Option II here needs no t drawn beforehand: step t keeps w_{t-1} with probability 1/t, else what was kept before.
The output at any time is what w~_s would be if the round were over.
"""

from fractions import Fraction
from typing import Any, ClassVar

from dualgap.extras.baselines.gradients import FiniteSum, slopes
from dualgap.reference.methods.base import HypothesisViolated, State
from dualgap.reference.methods.registry import register_method
from dualgap.reference.numbers.arithmetic import Number, NumberLike, convert
from dualgap.reference.problem.problem import Problem, Vector

OPTIONS = ("I", "II")


class SVRGState(State):
    """See the table of the module."""

    __slots__ = ("w", "w_tilde", "mu_tilde", "t", "s")
    w: Vector
    w_tilde: Vector
    mu_tilde: Vector
    t: int
    s: int


class RandomSVRGState(SVRGState):
    """The state with ``kept``."""

    __slots__ = ("kept",)
    kept: Vector


class Rounds(FiniteSum):
    """The base of SVRG and its lazy form: the options, the hypotheses, the choices and the counting.

    Parameters
    ----------
    m : steps of a round, >= 1 (default 2n).
    eta : the step, > 0 (default 1/(10L)).
    option : "I", the last iterate of a round goes on; "II", a random one. A choice is then i, or n + i where w_{t-1} is
        kept.
    """

    def __init__(self, m: int | None = None, eta: NumberLike | None = None, option: str = "I") -> None:
        if m is not None and not (isinstance(m, int) and not isinstance(m, bool) and m >= 1):
            raise ValueError(f"m must be an integer >= 1, the steps of a round (got {m!r})")
        if option not in OPTIONS:
            raise ValueError(f"option must be one of {', '.join(OPTIONS)} (got {option!r})")
        self.m, self.option = m, option
        self.own_eta = None if eta is None else convert(eta, Fraction, "eta")
        if self.own_eta is not None and not self.own_eta > 0:
            raise ValueError(f"eta must be > 0 (got {eta!r})")

    def require(self, problem: Problem, mode: str = "paper", R2: Number | None = None) -> None:
        """But in mode unchecked also eta < 1/(2L)."""
        super().require(problem, mode, R2)
        eta, L = self.eta(problem), self.L(problem)
        if mode != "unchecked" and not 2 * L * eta < 1:
            raise HypothesisViolated(
                f"method {self.name} needs eta < 1/(2L) = {1 / (2 * L)} (got {eta}), L = R^2/gamma + lam with R^2 ="
                f" {problem.R2}: with larger steps it can diverge. Leave eta out, for 1/(10L), or use mode unchecked"
            )

    def require_gradient(self, problem: Problem) -> None:
        super().require_gradient(problem)
        if not self.eta(problem) * problem.regularizer.lam < 1:
            raise HypothesisViolated(
                f"method {self.name} needs eta lam < 1 (got eta = {self.eta(problem)}, lam ="
                f" {problem.regularizer.lam}). Use a smaller eta"
            )

    def notes(self, problem: Problem) -> list[str]:
        """Why the theorem says nothing about the run."""
        if self.option == "I":
            return ["SVRG's theorem is about option II; for option I, which this run uses, the paper proves no rate"]
        if 4 * self.L(problem) * self.eta(problem) < 1 and self.rho(problem) < 1:
            return []
        return [
            "SVRG's theorem says nothing for this eta and m: its factor rho is not below 1; it needs eta < 1/(4L) and"
            " more steps m"
        ]

    def eta(self, problem: Problem) -> Number:
        """The step."""
        return 1 / (10 * self.L(problem)) if self.own_eta is None else convert(self.own_eta, problem.number, "eta")

    def steps_of_round(self, problem: Problem) -> int:
        """m."""
        return 2 * problem.n if self.m is None else self.m

    def rho(self, problem: Problem) -> Number:
        """The theorem's factor, for eta < 1/(2L)."""
        eta, L, lam = self.eta(problem), self.L(problem), problem.regularizer.lam
        rest = 1 - 2 * L * eta
        return 1 / (lam * eta * rest * self.steps_of_round(problem)) + 2 * L * eta / rest

    # -- choices ------------------------------------------------------------------------------------------

    def outcomes(self, problem: Problem) -> int:
        return 2 * problem.n if self.option == "II" else problem.n

    def split(self, problem: Problem, choice: int) -> tuple[int, int]:
        """(whether w_{t-1} is kept, i)."""
        return divmod(choice, problem.n)

    def choices(self, problem: Problem, state: Any) -> list[tuple[int, Fraction]]:
        """Option II: step t keeps w_{t-1} with probability 1/t."""
        uniform = super().choices(problem, state)
        if self.option == "I":
            return uniform
        keep = Fraction(1, state.t + 1)
        kept = [(problem.n + i, probability * keep) for i, probability in uniform]
        return kept if keep == 1 else [(i, probability * (1 - keep)) for i, probability in uniform] + kept

    def draw(self, problem: Problem, order: str, seed: int, epoch: int) -> Any:
        """Choices of n steps; what is kept comes from the stream of (seed, epoch, 1), the rows do not depend on it."""
        rows = super().draw(problem, order, seed, epoch)
        if self.option == "I":
            return rows
        import numpy as np

        t = (epoch * problem.n + np.arange(problem.n)) % self.steps_of_round(problem) + 1
        return rows + problem.n * (np.random.default_rng([seed, epoch, 1]).random(problem.n) * t < 1)

    def passes(self, problem: Problem, state: SVRGState, drawn: int) -> int:
        """n steps are a pass, and so is every full gradient."""
        return drawn + int(state.s)

    def least_passes(self, problem: Problem, state: SVRGState, drawn: int) -> int:
        """n steps, and the full gradients of the rounds that begin with one of them."""
        m = int(self.steps_of_round(problem))
        begun = -(-(state.t + problem.n) // m) - -(-state.t // m)
        return int(drawn + 1 + state.s + begun)

    def output(self, problem: Problem, state: State) -> Vector:
        """Return w~_s as if the round ended now."""
        raise NotImplementedError

    def view(self, problem: Problem, state: Any) -> tuple[Vector, Vector]:
        """(w, alpha), alpha_i = phi_i'(x_i^T w) at the output w."""
        w = self.output(problem, state)
        return w, slopes(problem, w)


@register_method
class SVRG(Rounds):
    """Procedure SVRG, a step of line 5 at a time.

    >>> from dualgap.reference import L2, Problem, Squared
    >>> p = Problem([[1, 0], [1, 1], [0, -1]], [1, -1, 1], Squared(), L2("1/3"), number=Fraction)
    >>> svrg = SVRG(eta="1/8")
    >>> state = svrg.run(p, [0, 1, 2, 0], svrg.init(p, w=[1, 0]))
    >>> [str(mu_j) for mu_j in state.mu_tilde], [str(w_j) for w_j in state.w]
    (['1', '1'], ['16597/27648', '-11483/27648'])
    """

    name = "svrg"
    summary = "stochastic variance reduced gradient, with which ASPDC compares"
    drawn_options: ClassVar[dict[str, tuple[object, ...]]] = {
        "option": ("I", "II"),
        "m": (None, 1, 5),
        "eta": (None, 0.125),
    }

    def init(self, problem: Problem, alpha: Vector | None = None, w: Vector | None = None) -> SVRGState:
        """w~_0 = w (default w(alpha), with alpha = 0 the point 0)."""
        _, w = self.begin(problem, alpha, w)
        fields = dict(w=w, w_tilde=list(w), mu_tilde=[problem.zero] * problem.d, t=0, s=0)
        return SVRGState(**fields) if self.option == "I" else RandomSVRGState(**fields, kept=list(w))

    def advance(self, problem: Problem, state: Any, choice: Any) -> None:
        keep, i = self.split(problem, choice)  # SVRG line 4
        if state.t == 0:
            self.snapshot(problem, state)
        if keep:
            state.kept = list(state.w)  # SVRG line 6, option II
        eta, direction = self.eta(problem), self.direction(problem, state, i)
        state.w = [w_j - eta * v_j for w_j, v_j in zip(state.w, direction)]  # SVRG line 5
        state.t += 1
        if state.t == self.steps_of_round(problem):
            state.w, state.t = self.output(problem, state), 0  # SVRG line 6

    def direction(self, problem: Problem, state: RandomSVRGState, i: int) -> Vector:
        """f_i'(w_{t-1}) - f_i'(w~) + mu~, shape (d,)."""
        now, then = self.gradient(problem, i, state.w), self.gradient(problem, i, state.w_tilde)
        return [now_j - then_j + mu_j for now_j, then_j, mu_j in zip(now, then, state.mu_tilde)]

    def snapshot(self, problem: Problem, state: SVRGState) -> None:
        """The full gradient at w~ = w."""
        state.w_tilde = list(state.w)  # SVRG lines 1, 3
        total = [problem.zero] * problem.d
        for i in range(problem.n):
            total = [total_j + g_j for total_j, g_j in zip(total, self.gradient(problem, i, state.w))]
        state.mu_tilde = [total_j / problem.n for total_j in total]  # SVRG line 2
        state.s += 1

    def gradient(self, problem: Problem, i: int, w: Vector) -> Vector:
        """f_i'(w), shape (d,)."""
        slope = problem.loss.derivative(problem.dot(problem.rows[i], w), problem.y[i])
        gradient = [problem.regularizer.lam * w_j for w_j in w]
        for j, x in problem.rows[i]:
            gradient[j] = gradient[j] + slope * x
        return gradient

    def output(self, problem: Problem, state: Any) -> Vector:
        return list(state.w if self.option == "I" or state.t == 0 else state.kept)
