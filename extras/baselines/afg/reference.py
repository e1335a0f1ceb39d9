"""AFG: the accelerated full gradient method with adaptive line search (Nesterov, Math. Program. 2013, method (4.9)).

Problem    min_w F(w) = f(w) + Psi(w), f the mean loss, smooth, Psi = g the regularizer: L2 or elastic net, with or
           without a proximal centre, or both for w >= 0. g is mu-strongly convex (mu = lam without a centre).
Method     deterministic; L estimates the smoothness of f, psi_k collects lower bounds of F, v_k = argmin psi_k:
               psi_k(w) = (1/2)||w - x_0||^2 + sum_{i<=k} a_i [f(x_i) + grad f(x_i)^T (w - x_i)] + A_k Psi(w).

    1  x = x_0, s = 0, A = 0, L = L_0
    2  a = the largest root of a^2/(A + a) = 2(1 + mu A)/L
    3  y = (A x + a v)/(A + a),  v = prox_{A Psi}(x_0 - s)
    4  T = prox_{Psi/L}(y - grad f(y)/L)
    5  p = L(y - T) + grad f(T) - grad f(y), a subgradient of F at T
    6  unless p^T (y - T) >= ||p||^2/L or L >= L_f:  L <- up L, and back to line 2
    7  A <- A + a,  s <- s + a grad f(T),  x <- T,  L <- L/down, and back to line 2

====== ======== ===== ======================================================================
symbol in code  shape meaning
====== ======== ===== ======================================================================
x_k    x        (d,)  iterate; x_0 = 0
s_k    s        (d,)  sum_i a_i grad f(x_i)
v_k    v        (d,)  argmin psi_k
A_k    A              a_1 + .. + a_k
L      L              of the next trial
up     up             gamma_u of the paper; down is its gamma_d
L_f    most           an upper bound of the smoothness lambda_max(X^T X)/(n gamma) of f
====== ======== ===== ======================================================================

Guarantees for every k: A_k F(x_k) <= min psi_k, hence F(x_k) - F* <= ||x_0 - w*||^2/(2 A_k), and for L_0 <= L_f
           F(x_k) - F* <= (up L_f/4) ||x_0 - w*||^2 (1 + sqrt(mu/(2 up L_f)))^{-2(k-1)}.
           An accepted L is at most up L_f. The test of line 6 holds for every L >= L_f (grad f is cocoercive); near the
           optimum, where p is rounding noise, it would fail for ever, so that there L_f itself decides. A bound L_f
           that is too low (power iteration gives one) makes that decision wrong and voids all of this.

Cost: a trial takes the gradient at y and at T, two passes.
"""

from fractions import Fraction

from dualgap.extras.baselines.gradients import FirstOrder, dot, gradient, slopes
from dualgap.reference.methods.base import State
from dualgap.reference.methods.registry import register_method
from dualgap.reference.numbers.arithmetic import Number, NumberLike, convert, sqrt
from dualgap.reference.problem.problem import Problem, Vector

LARGEST = 10**100  # A grows geometrically: beyond this F(x_k) - F* is far below rounding, and A^2 no float


class AFGState(State):
    """x_k and s_k, shape (d,); A_k and the L of the next trial; the iterations and the trials made."""

    __slots__ = ("x", "s", "A", "L", "k", "trials")
    x: Vector
    s: Vector
    A: Number
    L: Number
    k: int
    trials: int


@register_method
class AFG(FirstOrder[AFGState]):
    """Lines 1 to 7. There is one choice, 0: one trial of the line search.

    Parameters
    ----------
    L_0 : number > 0
        The first L; default R^2/(n gamma), which is at most L_f.
    L_f : number > 0
        An upper bound of lambda_max(X^T X)/(n gamma); default R^2/gamma.
    up, down : numbers
        What L is multiplied by after a refusal (up > 1) and divided by after an acceptance (down >= 1).

    >>> from dualgap.reference import L2, Problem, Squared
    >>> p = Problem([[1]], [1], Squared(), L2("1/6"), number=Fraction)
    >>> state = AFG(down=1).run(p, [0, 0])
    >>> state.x, state.A
    ([Fraction(6, 7)], Fraction(6, 1))
    """

    name = "afg"
    summary = "accelerated full gradient with a line search, with which SPDC compares"
    drawn_options = {"L_0": (None, 0.5), "up": (2, 1.5), "down": (2, 1, 3)}
    resumable = False
    differentiable = False
    families = ("quadratic", "non-negative")

    def __init__(
        self, L_0: NumberLike | None = None, L_f: NumberLike | None = None, up: NumberLike = 2, down: NumberLike = 2
    ) -> None:
        for name, value in (("L_0", L_0), ("L_f", L_f)):
            if value is not None and not convert(value, Fraction, name) > 0:
                raise ValueError(f"{name} must be > 0 (got {value!r})")
        if not convert(up, Fraction, "up") > 1:
            raise ValueError(f"up must be > 1 (got {up!r}): a trial with the same L is refused again")
        if not convert(down, Fraction, "down") >= 1:
            raise ValueError(f"down must be >= 1 (got {down!r})")
        self.L_0, self.L_f, self.up, self.down = L_0, L_f, up, down

    def require_start(self, problem: Problem, alpha: Vector | None = None) -> None:
        """No start but 0."""
        super().require_start(problem)
        if alpha is not None:
            raise ValueError("method afg starts at x_0 = 0 and keeps no alpha: leave alpha out")

    def most(self, problem: Problem, R2: Number | None = None) -> Number:
        """L_f."""
        if self.L_f is not None:
            return convert(self.L_f, problem.number, "L_f")
        return (problem.R2 if R2 is None else R2) / problem.gamma

    def first(self, problem: Problem, R2: Number | None = None) -> Number:
        """L_0; 1 where every row is 0."""
        if self.L_0 is not None:
            return convert(self.L_0, problem.number, "L_0")
        least = (problem.R2 if R2 is None else R2) / (problem.n * problem.gamma)
        return least if least > 0 else convert(1, problem.number)

    def init(self, problem: Problem, alpha: Vector | None = None) -> AFGState:
        """x_0 = 0."""
        self.require_start(problem, alpha)
        zeros = [problem.zero] * problem.d
        return AFGState(x=zeros, s=list(zeros), A=problem.zero, L=self.first(problem), k=0, trials=0)  # AFG line 1

    def passes(self, problem: Problem, state: AFGState, drawn: int) -> int:
        """Two gradients a trial."""
        return 2 * drawn

    def advance(self, problem: Problem, state: AFGState, choice: object) -> None:
        if state.A > LARGEST:
            return
        g, L = problem.regularizer, state.L
        a = self.weight(problem, state.A, L)  # AFG line 2
        v = g.prox([problem.zero - s_j for s_j in state.s], state.A)  # AFG line 3
        y = [(state.A * x_j + a * v_j) / (state.A + a) for x_j, v_j in zip(state.x, v)]  # AFG line 3
        at_y = gradient(problem, y)
        T = g.prox([y_j - h_j / L for y_j, h_j in zip(y, at_y)], 1 / L)  # AFG line 4
        at_T = gradient(problem, T)
        delta = [y_j - T_j for y_j, T_j in zip(y, T)]
        p = [L * delta_j + (h_T - h_y) for delta_j, h_T, h_y in zip(delta, at_T, at_y)]  # AFG line 5
        state.trials += 1
        if not (dot(problem, p, delta) >= dot(problem, p, p) / L or L >= self.most(problem)):  # AFG line 6
            state.L = convert(self.up, problem.number) * L
            return
        state.A, state.k = state.A + a, state.k + 1  # AFG line 7
        state.s = [s_j + a * h_j for s_j, h_j in zip(state.s, at_T)]
        state.x, state.L = T, L / convert(self.down, problem.number)

    def weight(self, problem: Problem, A: Number, L: Number) -> Number:
        """The largest root a of a^2/(A + a) = 2(1 + mu A)/L; in Fractions it must be rational."""
        b = 2 * (1 + problem.regularizer.modulus * A) / L
        return (b + sqrt(b * b + 4 * b * A)) / 2

    def require_state(self, problem: Problem, state: AFGState) -> None:
        if not (state.L > 0 and state.A >= 0):
            raise ValueError(f"L must be > 0 and A >= 0 (got {state.L} and {state.A})")

    def view(self, problem: Problem, state: AFGState) -> tuple[Vector, Vector]:
        """(x_k, alpha) with alpha_i = phi_i'(x_i^T x_k)."""
        return list(state.x), slopes(problem, state.x)
