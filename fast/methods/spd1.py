"""SPD1, compiled: the counterpart of ``dualgap.reference.methods.spd1``, same steps, same bits. A step is O(1) and the search for x_ij in its row."""

from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.methods.base import FastMethod, FastState, require_choices
from dualgap.fast.methods.registry import register_compiled_method
from dualgap.fast.problem.arrays import Array, Arrays
from dualgap.fast.problem.losses import dual_step
from dualgap.fast.problem.objective import Objective
from dualgap.fast.problem.rows import soft
from dualgap.reference.methods.spd1 import SPD1, Entrywise
from dualgap.reference.numbers.arithmetic import convert
from dualgap.reference.problem.problem import Problem

# -- one entry --------------------------------------------------------------------------------------------


@kernel
def ascending_sparse(indptr, indices, data):
    """Whether the columns of every row ascend."""
    for i in range(indptr.size - 1):
        for place in range(np.uint64(indptr[i]) + np.uint64(1), np.uint64(indptr[i + 1])):
            if indices[place] < indices[place - np.uint64(1)]:
                return False
    return True


@kernel
def ascending_dense(X):
    """They do."""
    return True


@kernel
def entry_sparse(indptr, indices, data, ascending, i, j):
    """x_ij (reference: spd1.entry): by bisection where columns ascend, else by a scan."""
    low, end, column = np.uint64(indptr[i]), np.uint64(indptr[i + 1]), np.uint64(j)
    if ascending:
        high = end
        while low < high:
            middle = low + ((high - low) >> np.uint64(1))
            if indices[middle] < column:
                low = middle + np.uint64(1)
            else:
                high = middle
        return data[low] if low < end and indices[low] == column else 0.0
    for place in range(low, end):
        if indices[place] == column:
            return data[place]
    return 0.0


@kernel
def entry_dense(X, i, j):
    """x_ij; + 0 turns a negative zero, which is no entry of its row, into 0 (reference: spd1.entry)."""
    return X[i, j] + 0.0


@kernel
def primal_step(w_j, u_j, eta, mu, l1, kappa, c_j):
    """prox_{eta g_j}(w_j - eta u_j) (reference: Entrywise.primal_step); without a centre kappa c_j is 0, which changes nothing."""
    return soft(w_j - eta * u_j + eta * kappa * c_j, eta * l1) / (1.0 + eta * mu)


# -- the method -------------------------------------------------------------------------------------------


@kernel
def record(total, since, k, value, t):
    """Add up a value for the steps since it was last drawn; nothing where no average is kept (reference: SPD1.record)."""
    if total.size > 0:
        total[k] = total[k] + (t - since[k]) * value
        since[k] = t


@kernel
def step(x, i, j, t, y, code, gamma, mu, l1, kappa, centre, eta, tau, gauss_seidel, w, alpha):
    """Lines 2 and 3 of step t with x = x_ij; eta = 0 stands for the shrinking steps."""
    n, d, w_j, alpha_i = alpha.size, w.size, w[j], alpha[i]
    if eta == 0.0:
        eta, tau = 2 * d / (mu * (t + 4 * d)), 2 * n * d / (gamma * (t + 4 * n))
    w[j] = primal_step(w_j, x * alpha_i, eta, mu, l1, kappa, centre[j])                     # SPD1 line 2
    z = d * (x * (w[j] if gauss_seidel else w_j))
    alpha[i] = dual_step(code, gamma, z, alpha_i, y[i], d / tau)                            # SPD1 line 3


@kernel
def spd1_sparse(
    indptr, indices, data, ascending, y, code, gamma, mu, l1, kappa, centre, eta, tau, gauss_seidel, t, w, alpha,
    total_w, since_w, total_alpha, since_alpha, choices,
):  # fmt: skip
    """Lines 1 to 4 for every choice, X in CSR; t steps were made before."""
    for i, j in choices:                                                                    # SPD1 line 1
        x = entry_sparse(indptr, indices, data, ascending, i, j)
        record(total_w, since_w, j, w[j], t)                                                # SPD1 line 4
        record(total_alpha, since_alpha, i, alpha[i], t)
        t += 1
        step(x, i, j, t, y, code, gamma, mu, l1, kappa, centre, eta, tau, gauss_seidel, w, alpha)


@kernel
def spd1_dense(
    X, ascending, y, code, gamma, mu, l1, kappa, centre, eta, tau, gauss_seidel, t, w, alpha,
    total_w, since_w, total_alpha, since_alpha, choices,
):  # fmt: skip
    """Lines 1 to 4 for every choice, X dense; t steps were made before."""
    for i, j in choices:                                                                    # SPD1 line 1
        record(total_w, since_w, j, w[j], t)                                                # SPD1 line 4
        record(total_alpha, since_alpha, i, alpha[i], t)
        t += 1
        step(entry_dense(X, i, j), i, j, t, y, code, gamma, mu, l1, kappa, centre, eta, tau, gauss_seidel, w, alpha)


class FastSPD1State(FastState):
    """The fields of the reference's ``SPD1State``, arrays for lists."""

    __slots__ = ("w", "alpha", "t")
    w: Array
    alpha: Array
    t: int


class FastAveragedSPD1State(FastSPD1State):
    """The fields of the reference's ``AveragedSPD1State``, arrays for lists."""

    __slots__ = ("total_w", "since_w", "total_alpha", "since_alpha")
    total_w: Array
    since_w: Array
    total_alpha: Array
    since_alpha: Array


class FastEntrywise(FastMethod[Any]):
    """What the methods on single entries share: their start, and choices that are rows and columns."""

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
        """Run the steps of all choices, integers of shape (steps, width), each below its end (``Entrywise.ends``), in place."""
        ends = self.reference.ends(problem)
        checked = require_choices(choices, max(ends), len(ends))
        for place, end in enumerate(ends):
            if checked.size and int(checked[:, place].max()) >= end:
                raise ValueError(f"choices[:, {place}] must lie in 0..{end - 1} (got {int(checked[:, place].max())})")
        self.steps(problem, state, checked)


ASCENDING: "WeakKeyDictionary[Arrays, bool]" = WeakKeyDictionary()


def ascending(data: Arrays) -> bool:
    """Whether all columns ascend, looked at once."""
    if data not in ASCENDING:
        ASCENDING[data] = bool(data.run((ascending_sparse, ascending_dense)))
    return ASCENDING[data]


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

    def init(self, problem: Problem, alpha: Any = None, w: Any = None) -> FastSPD1State:
        """alpha and w as in the reference."""
        self.reference.require_gamma(problem)
        first_w, first_alpha = self.start(problem, alpha, w)
        if self.reference.output == "last":
            return FastSPD1State(w=first_w, alpha=first_alpha, t=0)
        n, d = problem.n, problem.d
        return FastAveragedSPD1State(
            w=first_w, alpha=first_alpha, t=0, total_w=np.zeros(d), since_w=np.zeros(d, dtype=np.int64),
            total_alpha=np.zeros(n), since_alpha=np.zeros(n, dtype=np.int64),
        )  # fmt: skip

    def steps(self, problem: Problem, state: Any, choices: Array) -> None:
        objective, own = Objective(problem), self.reference
        data = objective.arrays
        eta, tau = (0.0, 0.0) if own.eta is None else own.steps(problem, 1)
        nothing = np.empty(0), np.empty(0, dtype=np.int64)
        kept = (state.total_w, state.since_w, state.total_alpha, state.since_alpha) if own.output == "average" else nothing + nothing
        data.run(
            (spd1_sparse, spd1_dense), ascending(data), data.y, objective.code, objective.gamma, objective.mu, objective.l1,
            objective.kappa, objective.centre, eta, tau, own.gauss_seidel, state.t, state.w, state.alpha, *kept, choices,
        )  # fmt: skip
        state.t += len(choices)

    def view(self, problem: Problem, state: Any) -> tuple[Array, Array]:
        if self.reference.output == "last" or state.t == 0:
            return state.w.copy(), state.alpha.copy()
        return (
            (state.total_w + (state.t - state.since_w) * state.w) / state.t,
            (state.total_alpha + (state.t - state.since_alpha) * state.alpha) / state.t,
        )
