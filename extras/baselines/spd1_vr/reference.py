"""SPD1-VR: SPD1 with control variates around a snapshot, after Tan, Zhang, Ma and Liu (NeurIPS 2018, arXiv 1811.01182).

As ``spd1``, this is the project's own consistent definition under that name; none of the paper's constants is used.
What defines it: the two estimates are unbiased, and both are exact at the saddle point, so that constant steps
converge.

Every m steps, and at the start, the snapshot w~ = w, alpha~ = alpha with u~ = X^T alpha~/n and z~ = X w~. One step:

    1  i, i' uniform on the rows, j, j' uniform on the columns, all independent
    2  w_j     <- prox_{eta g_j}(w_j - eta [x_i'j (alpha_i' - alpha~_i') + u~_j])                      E [..] = u_j
    3  alpha_i <- prox_{tau phi_i*}(alpha_i + tau [d x_ij' (w_j' - w~_j') + z~_i])                     E [..] = x_i^T w

with the w from before line 2. Line 3 is ``dual_step`` with z = [..] and q = 1/tau. A pass is n d entries of X: a step
reads two, a snapshot all of them twice.

The default steps, for gamma > 0, are eta = d theta/mu and tau = n theta/gamma with mu the modulus of g and

    theta = mu gamma / max{10 max(n, d) mu gamma, 4 d max(R^2, C^2)},       m = ceil(3/(2 theta)),

R^2 = max ||x_i||^2, C^2 = max_j sum_i x_ij^2. With these an epoch makes E V at most (3/5) V, V a weighted sum of both
squared errors (ours; version 0.1.0 has the proof and its exact check). In practice steps several times as long do well,
and soon after that they diverge.

======== ============ ===== ==================
symbol   in code      shape meaning
======== ============ ===== ==================
w        w            (d,)  primal iterate
alpha    alpha        (n,)  dual iterate
w~       w_tilde      (d,)  snapshot
alpha~   alpha_tilde  (n,)
u~       u_tilde      (d,)  X^T alpha~/n
z~       z_tilde      (n,)  X w~
t        t                  steps made
======== ============ ===== ==================
"""

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

from dualgap.extras.baselines.spd1.reference import Entrywise, entry, require_steps
from dualgap.reference.methods.base import State
from dualgap.reference.methods.registry import register_method
from dualgap.reference.numbers.arithmetic import Number, NumberLike, convert, maximum
from dualgap.reference.problem.problem import Problem, Vector

LARGEST_COLUMN = "largest ||column||^2"  # the key of C^2 among what a problem has cached


class Parameters(NamedTuple):
    """The constants of a run."""

    eta: Number
    tau: Number
    m: int


class SPD1VRState(State):
    """See the table of the module."""

    __slots__ = ("w", "alpha", "w_tilde", "alpha_tilde", "u_tilde", "z_tilde", "t")
    w: Vector
    alpha: Vector
    w_tilde: Vector
    alpha_tilde: Vector
    u_tilde: Vector
    z_tilde: Vector
    t: int


@register_method
class SPD1VR(Entrywise):
    """The output is the last iterate. A choice is (i, i', j, j').

    Parameters
    ----------
    eta, tau : both > 0, steps of your own.
    m : steps an epoch, >= 1; default as above, and n d with steps of your own.

    >>> from fractions import Fraction
    >>> from dualgap.reference import L2, Problem, Squared
    >>> p = Problem([[1, 0], [1, 1], [0, -1]], [1, -1, 1], Squared(), L2("1/3"), number=Fraction)
    >>> [str(value) for value in SPD1VR().parameters(p)]
    ['1/8', '1/16', '72']
    >>> state = SPD1VR().run(p, [(0, 1, 0, 1), (1, 0, 0, 1)])
    >>> [str(alpha_i) for alpha_i in state.alpha], [str(w_j) for w_j in state.w]
    (['-1/17', '1/17', '0'], ['3/425', '0'])
    """

    name = "spd1-vr"
    summary = "steps on single entries of the data, with variance reduction"
    drawn_options = {"m": (None, 3), "eta tau": ((None, None), (0.125, 0.25))}
    entries = 2

    def __init__(self, eta: NumberLike | None = None, tau: NumberLike | None = None, m: int | None = None) -> None:
        require_steps(eta, tau)
        if m is not None and not (isinstance(m, int) and not isinstance(m, bool) and m >= 1):
            raise ValueError(f"m must be an integer >= 1, the steps of an epoch (got {m!r})")
        self.eta, self.tau, self.m = eta, tau, m
        self._known: tuple[Any, Any] = (None, None)

    def require(self, problem: Problem, mode: str = "paper", R2: Number | None = None) -> None:
        super().require(problem, mode, R2)
        self.parameters(problem)

    def notes(self, problem: Problem) -> list[str]:
        if self.eta is None and self.m is None:
            return []
        return [
            "no theorem says that SPD1-VR converges with these eta, tau and m: leave them out for steps that are proved"
        ]

    def ends(self, problem: Problem) -> tuple[int, ...]:
        return problem.n, problem.n, problem.d, problem.d

    def passes(self, problem: Problem, state: SPD1VRState, drawn: int) -> int:
        """n d entries of X are one pass: a step reads two, a snapshot 2 n d."""
        return self.passes_of(problem, state.t)

    def passes_of(self, problem: Problem, t: int) -> int:
        snapshots = -(-t // self.parameters(problem).m)
        return int(-(-self.entries * t // (problem.n * problem.d)) + 2 * snapshots)

    def parameters(self, problem: Problem) -> Parameters:
        """eta, tau and m: those of the theorem, or one's own."""
        if self._known[0] is not problem:
            self._known = (problem, self.make_parameters(problem))
        found: Parameters = self._known[1]
        return found

    def make_parameters(self, problem: Problem) -> Parameters:
        n, d, mu, gamma = problem.n, problem.d, problem.regularizer.modulus, problem.gamma
        if self.eta is not None:
            return Parameters(convert(self.eta, problem.number), convert(self.tau, problem.number), self.m or n * d)
        self.require_gamma(problem)
        strength = mu * gamma
        theta = strength / maximum(10 * max(n, d) * strength, 4 * d * maximum(problem.R2, C2(problem)))
        length = 3 / (2 * theta)
        return Parameters(d * theta / mu, n * theta / gamma, self.m or math.ceil(getattr(length, "high", length)))

    def init(self, problem: Problem, alpha: Vector | None = None, w: Iterable[Any] | None = None) -> SPD1VRState:
        """alpha, shape (n,), in the domain of phi* (default 0), and w, shape (d,) (default w(alpha))."""
        self.parameters(problem)
        w, alpha = self.start(problem, alpha, w)
        return SPD1VRState(w=w, alpha=alpha, t=0, **self.snapshot(problem, w, alpha))

    def snapshot(self, problem: Problem, w: Vector, alpha: Vector) -> dict[str, Vector]:
        """w~, alpha~, u~ and z~."""
        return {
            "w_tilde": list(w),
            "alpha_tilde": list(alpha),
            "u_tilde": [problem.zero - u_j for u_j in problem.minus_u(alpha)],
            "z_tilde": [problem.dot(row, w) for row in problem.rows],
        }

    def refresh(self, problem: Problem, state: SPD1VRState) -> None:
        """A new snapshot."""
        for name, values in self.snapshot(problem, state.w, state.alpha).items():
            setattr(state, name, values)

    def advance(self, problem: Problem, state: SPD1VRState, choice: Any) -> None:
        eta, tau, m = self.parameters(problem)
        if state.t > 0 and state.t % m == 0:  # the first one was taken by ``init``
            self.refresh(problem, state)
        i, other_i, j, other_j = choice  # SPD1-VR line 1
        u_j, z_i = self.estimates(problem, state, choice)
        state.w[j] = self.primal_step(problem, j, state.w[j], u_j, eta)  # SPD1-VR line 2
        state.alpha[i] = problem.loss.dual_step(z_i, state.alpha[i], problem.y[i], 1 / tau)  # SPD1-VR line 3
        state.t += 1

    def estimates(self, problem: Problem, state: SPD1VRState, choice: Any) -> tuple[Number, Number]:
        """The brackets of lines 2 and 3: unbiased for u_j and x_i^T w."""
        i, other_i, j, other_j = choice
        dual_change = state.alpha[other_i] - state.alpha_tilde[other_i]
        primal_change = state.w[other_j] - state.w_tilde[other_j]
        u_j = entry(problem, other_i, j) * dual_change + state.u_tilde[j]
        return u_j, problem.d * (entry(problem, i, other_j) * primal_change) + state.z_tilde[i]

    def view(self, problem: Problem, state: SPD1VRState) -> tuple[Vector, Vector]:
        return list(state.w), list(state.alpha)


def C2(problem: Problem) -> Number:
    """C^2 = max_j sum_i x_ij^2, computed once."""

    def largest_column() -> Number:
        totals = [problem.zero] * problem.d
        for row in problem.rows:
            for j, x in row:
                totals[j] = totals[j] + x * x
        largest = problem.zero
        for total in totals:
            largest = maximum(largest, total)
        return largest

    return problem.cached(LARGEST_COLUMN, largest_column)
