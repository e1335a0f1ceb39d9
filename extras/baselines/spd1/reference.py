"""SPD1: a stochastic primal-dual step on one entry of X, after Tan, Zhang, Ma and Liu (NeurIPS 2018, arXiv 1811.01182).

This is the project's own consistent definition under that name: the text of the paper's method could not be compared
line by line, and none of its constants is used here. What defines the method is that its mean step vanishes at the
saddle point, and (squared loss, L2) nowhere else.

Problem    min_w max_alpha f(w, alpha) = (1/n) sum_{i,j} [x_ij alpha_i w_j - phi_i*(alpha_i)/d + g_j(w_j)],
           g = sum_j g_j: L2 or elastic net. Any loss.
Step t     1  i uniform on the rows, j uniform on the columns, independent
           2  w_j     <- argmin_w  g_j(w) + x_ij alpha_i w + (w - w_j)^2/(2 eta_t)
           3  alpha_i <- argmax_a  x_ij w_j a - phi_i*(a)/d - (a - alpha_i)^2/(2 tau_t)     with the w_j from before line 2
           4  output: (1/T) sum_{t=1..T} (w^t, alpha^t), or the last iterate
           Both lines are done where x_ij = 0, too: leaving them out there gives column j the regularizer p_j g_j, with
           p_j the share of its entries that are not 0, and every phi_i* another weight: another saddle point.
Cost       one entry of X a step. A pass is n d steps, for sparse data too.

Line 2 is prox_{eta g_j}(w_j - eta x_ij alpha_i), and E x_ij alpha_i = u_j, u = X^T alpha/n. Line 3 times d:

    argmin_a  phi_i*(a) - a z + (q/2)(a - alpha_i)^2,     z = d x_ij w_j,   q = d/tau,     E z = x_i^T w,

which is the dual step that all methods share. With the new w_j in line 3, E z would be off by d E x_ij (w_j+ - w_j),
of the order of eta, and the mean step would not vanish at the saddle point.

Steps. Numbers eta and tau; or, for gamma > 0, with mu the modulus of g and t = 1, 2, ..,

    eta_t = 2d/(mu (t + 4d)),     tau_t = 2nd/(gamma (t + 4n)),

because w_j moves once in d steps and alpha_i once in n: without the d in eta_t the mean of a coordinate that
meets no data contracts like T^(-2/d), with it like T^-2.

In the mean of a step the products of both errors cancel, so that E||w - w*||^2 + E||alpha - alpha*||^2/n = O(1/T); version
0.1.0 has the proof, and checked one step of it exactly.

======== ============ ===== ==================================================
symbol   in code      shape meaning
======== ============ ===== ==================================================
w        w            (d,)  primal iterate
alpha    alpha        (n,)  dual iterate
t        t                  steps made
         total_w      (d,)  w_j^1 + .. + w_j^s with s = since_w[j]
         since_w      (d,)
         total_alpha  (n,)  the same of alpha
         since_alpha  (n,)
======== ============ ===== ==================================================
"""  # noqa: E501

from collections.abc import Iterable
from fractions import Fraction
from itertools import product
from typing import Any, ClassVar

from dualgap.reference.methods import sampling
from dualgap.reference.methods.base import HypothesisViolated, Method, State
from dualgap.reference.methods.registry import register_method
from dualgap.reference.numbers.arithmetic import Number, NumberLike, convert
from dualgap.reference.problem.problem import Problem, Vector
from dualgap.reference.problem.regularizers import soft
from dualgap.reference.problem.validate import require_within

OUTPUTS = ("average", "last")


class SPD1State(State):
    """w, shape (d,), alpha, shape (n,), and t, the steps made."""

    __slots__ = ("w", "alpha", "t")
    w: Vector
    alpha: Vector
    t: int


class AveragedSPD1State(SPD1State):
    """The state with the sums of the iterates, each up to the step at which its coordinate was last drawn."""

    __slots__ = ("total_w", "since_w", "total_alpha", "since_alpha")
    total_w: Vector
    since_w: list[int]
    total_alpha: Vector
    since_alpha: list[int]


class Entrywise(Method[Any]):
    """Methods that read single entries of X: each choice is a list of rows and columns, independent and uniform."""

    orders: ClassVar[tuple[str, ...]] = ("uniform",)
    entries: ClassVar[int]  # of X that a step reads
    eta: Any  # the step sizes given, or None for those of the theory
    tau: Any

    entrywise = True
    without_compiled = "nobody runs it on data: it is kept as a definition to compare ports with"

    def ends(self, problem: Problem) -> tuple[int, ...]:
        """The numbers of a choice lie below these: n for a row, d for a column."""
        raise NotImplementedError

    def outcomes(self, problem: Problem) -> int:
        return max(self.ends(problem))

    def width(self, problem: Problem) -> int | None:
        return len(self.ends(problem))

    def choices(self, problem: Problem, state: object) -> list[tuple[tuple[int, ...], Fraction]]:
        every = list(product(*map(range, self.ends(problem))))
        return [(choice, Fraction(1, len(every))) for choice in every]

    def draw(self, problem: Problem, order: str, seed: int, epoch: int) -> Any:
        """The choices of one pass, shape (steps, width)."""
        import numpy as np

        if order not in self.orders:
            raise ValueError(
                f"order must be uniform for method {self.name}: the proofs need independent draws (got {order!r})"
            )
        steps, ends = self.steps_of_draw(problem, epoch), self.ends(problem)
        return np.random.default_rng([seed, epoch]).integers(ends, size=(steps, len(ends)), dtype=np.int64)

    def steps_of_draw(self, problem: Problem, epoch: int) -> int:
        return sampling.steps_of_pass(problem.n * problem.d, self.entries, epoch)

    def least_passes(self, problem: Problem, state: SPD1State, drawn: int) -> int:
        return self.passes_of(problem, state.t + self.steps_of_draw(problem, drawn))

    def passes_of(self, problem: Problem, t: int) -> int:
        """Passes of the first t steps."""
        raise NotImplementedError

    def start(self, problem: Problem, alpha: Vector | None, w: Iterable[Any] | None) -> tuple[Vector, Vector]:
        """alpha, shape (n,), in the domain of phi* (default 0), and w, shape (d,) (default w(alpha)), as (w, alpha)."""
        self.require_family(problem)
        alpha = problem.require_alpha([problem.zero] * problem.n if alpha is None else alpha)
        w = problem.w(alpha) if w is None else [convert(w_j, problem.number, "w") for w_j in w]
        problem.require_lengths(w=w)
        return w, alpha

    def require_gamma(self, problem: Problem) -> None:
        """The steps of the theory divide by gamma."""
        if self.eta is None and not problem.gamma > 0:
            raise HypothesisViolated(
                f"the steps of method {self.name} need a smooth loss, but {problem.loss.name} has gamma = 0. Give"
                " numbers eta and tau, or use loss smoothed-hinge or squared, or method sdca"
            )

    def primal_step(self, problem: Problem, j: int, w_j: Number, u_j: Number, eta: Number) -> Number:
        """prox_{eta g_j}(w_j - eta u_j)."""
        g = problem.regularizer
        moved = w_j - eta * u_j
        moved = moved if g.centre is None else moved + eta * g.kappa * g.centre[j]
        return soft(moved, eta * g.l1) / (1 + eta * g.modulus)


@register_method
class SPD1(Entrywise):
    """Steps on one entry; the steps shrink unless numbers are given.

    Parameters
    ----------
    eta, tau : both > 0, constant steps instead of the shrinking ones, which need gamma > 0.
    output : "average" of w^1 .. w^T and of alpha^1 .. alpha^T (default), or "last".

    >>> from dualgap.reference import L2, Problem, Squared
    >>> p = Problem([[1, 0], [1, 1], [0, -1]], [1, -1, 1], Squared(), L2("1/3"), number=Fraction)
    >>> spd1 = SPD1(eta="1/2", tau="1/2", output="last")
    >>> w, alpha = spd1.view(p, spd1.run(p, [(0, 0), (1, 1), (0, 0), (2, 0)]))
    >>> [str(w_j) for w_j in w], [str(alpha_i) for alpha_i in alpha]
    (['18/245', '0'], ['-9/25', '1/5', '-1/5'])
    """

    name = "spd1"
    summary = "steps on single entries of the data, without variance reduction"
    sublinear = True
    drawn_options: ClassVar[dict[str, tuple[object, ...]]] = {
        "output": ("average", "last"),
        "eta tau": ((None, None), (0.125, 0.25)),
    }
    entries = 1
    command_line = {"output": "output"}

    def __init__(self, eta: NumberLike | None = None, tau: NumberLike | None = None, output: str = "average") -> None:
        if output not in OUTPUTS:
            raise ValueError(f"output must be one of {', '.join(OUTPUTS)} (got {output!r})")
        require_steps(eta, tau)
        self.eta, self.tau, self.output = eta, tau, output

    def require(self, problem: Problem, mode: str = "paper", R2: Number | None = None) -> None:
        super().require(problem, mode, R2)
        self.require_gamma(problem)

    def notes(self, problem: Problem) -> list[str]:
        if self.eta is None:
            return []
        return [
            "with constant steps the iterates of SPD1 stay at a distance from the saddle point: leave eta and tau out"
        ]

    def ends(self, problem: Problem) -> tuple[int, ...]:
        return problem.n, problem.d

    def passes(self, problem: Problem, state: SPD1State, drawn: int) -> int:
        """n d steps are one pass."""
        return self.passes_of(problem, state.t)

    def passes_of(self, problem: Problem, t: int) -> int:
        return int(-(-t // (problem.n * problem.d)))

    def init(self, problem: Problem, alpha: Vector | None = None, w: Iterable[Any] | None = None) -> SPD1State:
        """alpha, shape (n,), in the domain of phi* (default 0), and w, shape (d,) (default w(alpha))."""
        self.require_gamma(problem)
        first_w, first_alpha = self.start(problem, alpha, w)
        if self.output == "last":
            return SPD1State(w=first_w, alpha=first_alpha, t=0)
        n, d, zero = problem.n, problem.d, problem.zero
        return AveragedSPD1State(
            w=first_w,
            alpha=first_alpha,
            t=0,
            total_w=[zero] * d,
            since_w=[0] * d,
            total_alpha=[zero] * n,
            since_alpha=[0] * n,
        )

    def steps(self, problem: Problem, t: int) -> tuple[Number, Number]:
        """(eta_t, tau_t)."""
        if self.eta is not None:
            return convert(self.eta, problem.number), convert(self.tau, problem.number)
        n, d = problem.n, problem.d
        return 2 * d / (problem.regularizer.modulus * (t + 4 * d)), 2 * n * d / (problem.gamma * (t + 4 * n))

    def advance(self, problem: Problem, state: SPD1State, choice: Any) -> None:
        i, j = choice  # SPD1 line 1
        x, w_j, alpha_i = entry(problem, i, j), state.w[j], state.alpha[i]
        self.record(state, i, j)  # SPD1 line 4
        state.t += 1
        eta, tau = self.steps(problem, state.t)
        state.w[j] = self.primal_step(problem, j, w_j, x * alpha_i, eta)  # SPD1 line 2
        z = problem.d * (x * w_j)
        state.alpha[i] = problem.loss.dual_step(z, alpha_i, problem.y[i], problem.d / tau)  # SPD1 line 3

    def record(self, state: Any, i: int, j: int) -> None:
        """Add up w_j and alpha_i for the steps since they were last drawn, before they change: O(1) a step."""
        if self.output == "average":
            state.total_w[j] = state.total_w[j] + (state.t - state.since_w[j]) * state.w[j]
            state.total_alpha[i] = state.total_alpha[i] + (state.t - state.since_alpha[i]) * state.alpha[i]
            state.since_w[j] = state.since_alpha[i] = state.t

    def require_state(self, problem: Problem, state: SPD1State) -> None:
        for name in ("since_w", "since_alpha") if self.output == "average" else ():
            require_within(name, getattr(state, name), 0, state.t)

    def view(self, problem: Problem, state: Any) -> tuple[Vector, Vector]:
        """(w, alpha), of the output. The average of dual points is one: rounding is monotone, so that the sum of t
        numbers
        <= 1, each times a count, rounds to t at most.
        """
        if self.output == "last" or state.t == 0:
            return list(state.w), list(state.alpha)
        pairs = (state.total_w, state.since_w, state.w), (state.total_alpha, state.since_alpha, state.alpha)
        w, alpha = ([(total + (state.t - s) * value) / state.t for total, s, value in zip(*parts)] for parts in pairs)
        return w, alpha


def entry(problem: Problem, i: int, j: int) -> Number:
    """x_ij, by a scan of the row: its columns may come in any order."""
    for column, x in problem.rows[i]:
        if column == j:
            return x
    return problem.zero


def require_steps(eta: NumberLike | None, tau: NumberLike | None) -> None:
    """Raise ValueError unless both are given, and positive, or neither."""
    if (eta is None) != (tau is None):
        raise ValueError("give eta and tau together, or neither")
    for label, value in (("eta", eta), ("tau", tau)):
        if value is not None and not convert(value, Fraction, label) > 0:
            raise ValueError(f"{label} must be > 0 (got {value!r})")
