"""SPD1, compiled: the counterpart of ``dualgap.extras.baselines.spd1.reference``, same steps, bit-identical results. A
step is O(1) and the search for x_ij in its row.
"""

from typing import Any, NamedTuple

import numpy as np

from dualgap.extras.baselines.spd1.reference import SPD1, AveragedSPD1State, Entrywise, SPD1State
from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.methods.base import FastMethod, FastState, require_choices
from dualgap.fast.methods.registry import register_compiled_method
from dualgap.fast.problem.arrays import Array
from dualgap.fast.problem.losses import dual_step
from dualgap.fast.problem.objective import Objective
from dualgap.fast.problem.rows import DENSE, ONE, bounds, soft
from dualgap.reference.numbers.arithmetic import convert
from dualgap.reference.problem.problem import Problem

# -- one entry --------------------------------------------------------------------------------------------


@kernel
def entry(rows, ascending, i, j):
    """x_ij (reference: spd1.entry): by bisection where columns ascend, else by a scan.

    Of dense rows x_ij + 0, which turns a negative zero, which is no entry of its row, into 0.
    """
    if len(rows) == DENSE:
        return rows.X[i, j] + 0.0
    sought = np.uint64(j)
    low, end = bounds(rows, i)
    if ascending:
        high = end
        while low < high:
            middle = low + ((high - low) >> ONE)
            if rows.indices[middle] < sought:
                low = middle + ONE
            else:
                high = middle
        return rows.data[low] if low < end and rows.indices[low] == sought else 0.0
    for place in range(low, end):
        if rows.indices[place] == sought:
            return rows.data[place]
    return 0.0


class RunNumbers(NamedTuple):
    """Constants of a run, of SPD1-VR too; eta = 0: shrinking steps, ascending for the columns of sparse rows."""

    ascending: bool
    y: Array
    code: int
    gamma: float
    mu: float
    l1: float
    kappa: float
    centre: Array
    eta: float
    tau: float


def run_numbers(problem: Problem, objective: Objective, eta: float, tau: float) -> RunNumbers:
    """Return the run numbers of a problem, its objective and two step sizes."""
    o = objective
    return RunNumbers(o.arrays.ascending, o.arrays.y, o.code, o.gamma, o.mu, o.l1, o.kappa, o.centre, eta, tau)


@kernel
def primal_step(run, eta, j, w_j, u_j):
    """prox_{eta g_j}(w_j - eta u_j) (reference: Entrywise.primal_step); without a centre kappa c_j is 0."""
    return soft(w_j - eta * u_j + eta * run.kappa * run.centre[j], eta * run.l1) / (1.0 + eta * run.mu)


# -- the method -------------------------------------------------------------------------------------------


@kernel
def record(total, since, k, value, t):
    """Add up a value for the steps since it was last drawn; nothing without an average (reference: SPD1.record)."""
    if total.size > 0:
        total[k] = total[k] + (t - since[k]) * value
        since[k] = t


class Averages(NamedTuple):
    """Sums of w and alpha over the steps, and up to which; empty if no average is kept."""

    total_w: Array
    since_w: Array
    total_alpha: Array
    since_alpha: Array


@kernel
def spd1_steps(rows, run, w, alpha, sums, gauss_seidel, t, choices):
    """Lines 1 to 4 for every choice; t steps were made before."""
    n, d, eta, tau = alpha.size, w.size, run.eta, run.tau
    for i, j in choices:  # SPD1 line 1
        x, w_j, alpha_i = entry(rows, run.ascending, i, j), w[j], alpha[i]
        record(sums.total_w, sums.since_w, j, w_j, t)  # SPD1 line 4
        record(sums.total_alpha, sums.since_alpha, i, alpha_i, t)
        t += 1
        if run.eta == 0.0:
            eta, tau = 2 * d / (run.mu * (t + 4 * d)), 2 * n * d / (run.gamma * (t + 4 * n))
        w[j] = primal_step(run, eta, j, w_j, x * alpha_i)  # SPD1 line 2
        z = d * (x * (w[j] if gauss_seidel else w_j))
        alpha[i] = dual_step(run.code, run.gamma, z, alpha_i, run.y[i], d / tau)  # SPD1 line 3


class FastSPD1State(FastState, SPD1State):
    """The fields of the reference's ``SPD1State``, arrays for lists."""

    __slots__ = ()


class FastAveragedSPD1State(FastSPD1State, AveragedSPD1State):
    """The fields of the reference's ``AveragedSPD1State``, arrays for lists."""

    __slots__ = ()


class FastEntrywise(FastMethod[Any]):
    """The base of the methods on single entries: their first state, and choices of a row and a column."""

    reference: Entrywise

    def start(self, problem: Problem, alpha: Any, w: Any) -> tuple[Array, Array]:
        """(w, alpha) (reference: Entrywise.start)."""
        self.reference.require_family(problem)
        objective = Objective(problem)
        alpha = objective.require_alpha(np.zeros(problem.n) if alpha is None else alpha)
        w = objective.w(alpha) if w is None else np.array([convert(w_j, float, "w") for w_j in w])
        problem.require_lengths(w=w)
        return w, alpha

    def advance(self, problem: Problem, state: Any, choices: Any) -> None:
        """Run the steps of all choices, shape (steps, width), each below its end (``Entrywise.ends``), in place."""
        ends = self.reference.ends(problem)
        checked = require_choices(choices, max(ends), len(ends))
        for place, end in enumerate(ends):
            if checked.size and int(checked[:, place].max()) >= end:
                raise ValueError(f"choices[:, {place}] must lie in 0..{end - 1} (got {int(checked[:, place].max())})")
        self.steps(problem, state, checked)


@register_compiled_method
class FastSPD1(FastEntrywise):
    """Options as in the reference.

    >>> from dualgap.reference import L2, Problem, Squared
    >>> problem = Problem([[1.0, 0.0], [1.0, 1.0], [0.0, -1.0]], [1, -1, 1], Squared(), L2("1/4"))
    >>> spd1 = FastSPD1(eta=0.5, tau=2.0, output="last")
    >>> spd1.run(problem, [(0, 0), (1, 1), (2, 0)]).alpha.tolist()
    [-0.5, 0.5, -0.5]
    """

    name = "spd1"
    reference: SPD1

    def init(self, problem: Problem, alpha: object = None, w: object = None) -> FastSPD1State:
        """alpha and w as in the reference."""
        self.reference.require_gamma(problem)
        first_w, first_alpha = self.start(problem, alpha, w)
        if self.reference.output == "last":
            return FastSPD1State(w=first_w, alpha=first_alpha, t=0)
        n, d = problem.n, problem.d
        return FastAveragedSPD1State(
            w=first_w,
            alpha=first_alpha,
            t=0,
            total_w=np.zeros(d),
            since_w=np.zeros(d, dtype=np.int64),
            total_alpha=np.zeros(n),
            since_alpha=np.zeros(n, dtype=np.int64),
        )

    def steps(self, problem: Problem, state: Any, choices: Array) -> None:
        objective, own = Objective(problem), self.reference
        eta, tau = (0.0, 0.0) if own.eta is None else own.steps(problem, 1)
        nothing = np.empty(0), np.empty(0, dtype=np.int64)
        kept = (
            (state.total_w, state.since_w, state.total_alpha, state.since_alpha)
            if own.output == "average"
            else nothing + nothing
        )
        run = run_numbers(problem, objective, eta, tau)
        spd1_steps(
            objective.arrays.matrix, run, state.w, state.alpha, Averages(*kept), own.gauss_seidel, state.t, choices
        )
        state.t += len(choices)

    def view(self, problem: Problem, state: Any) -> tuple[Array, Array]:
        if self.reference.output == "last" or state.t == 0:
            return state.w.copy(), state.alpha.copy()
        return (
            (state.total_w + (state.t - state.since_w) * state.w) / state.t,
            (state.total_alpha + (state.t - state.since_alpha) * state.alpha) / state.t,
        )
