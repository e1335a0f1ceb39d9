"""PASSCoDe (Hsieh, Yu and Dhillon, ICML 2015) on real threads: Lock, Atomic and Wild.

Threads share v, which is w: L2 alone, ``require`` refuses l1 > 0. What a thread does to row i, where
N_i = {j : x_ij != 0}:

    step 1    take the next choice i
    step 1.5  Lock: lock all j of N_i, in ascending order, so that no two threads wait for each other in a circle
    step 2    alpha_i <- argmin phi_i*(a) - a x_i^T v + (q_i/2)(a - alpha_i)^2,  q_i = ||x_i||^2/(lam n)   (as SDCA)
    step 3    v <- v - (delta_i/(lam n)) x_i.  Lock: plainly, then unlock. Atomic: each v_j by an indivisible
              addition. Wild: each v_j by a load, a subtraction and a store, between which another thread may write

Each thread owns a block of rows: thread k of T the rows from k n // T to (k+1) n // T. A choice goes to the owner
of its row, which takes its choices in their order. So alpha_i has one writer, without which not even Atomic would
keep v = v(alpha).

On one thread all three make the steps of SDCA, bit for bit. On more, a run cannot be repeated. Lock and Atomic keep
v = v(alpha) up to rounding. Wild does not: what it loses is eps = w(alpha) - v, and v is then next to the minimum of
another problem, which ``perturbed`` names and certifies.
"""

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from dualgap.fast.compiler.atomics import add, barrier, load, lock, require_compiler, store, unlock
from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.methods.base import DualVectors, FastDualMethod, FastDualState, step_numbers
from dualgap.fast.methods.registry import register_compiled_method
from dualgap.fast.problem.arrays import Array, arrays
from dualgap.fast.problem.certificate import Certificate
from dualgap.fast.problem.losses import dual_step
from dualgap.fast.problem.objective import Objective
from dualgap.fast.problem.rows import Sparse, beyond, bounds, column, value
from dualgap.reference.methods.passcode import PasscodeState
from dualgap.reference.problem.problem import Problem
from dualgap.reference.problem.regularizers import L2

LOCK, ATOMIC, WILD = 0, 1, 2

# A thread looks at every 16th step whether another one has worked since: often enough to prove that they ran side
# by side, seldom enough not to slow them down by asking.
LOOK = 16


@kernel(inline=True)
def take_turn(last, thread):
    """1 if the last thread to call this was another one, else 0."""
    if load(last, 0) == thread:
        return 0
    store(last, 0, thread)
    return 1


class Team(NamedTuple):
    """The data that the threads of a run share, apart from the vectors; ``locks`` has a word for every column, or
    none."""

    locks: Array
    arrived: Array
    last: Array
    turns: Array


@kernel
def passcode_steps(rows, run, state, variant, columns, team, thread, choices):
    """The steps of one thread; ``columns`` are the indices of rows, ascending in each row."""
    v, alpha = state
    barrier(team.arrived, team.turns.size)
    for t in range(choices.size):
        if t % LOOK == 0:
            team.turns[thread] += take_turn(team.last, thread)
        i = choices[t]  # PASSCoDe step 1
        first, end = bounds(rows, i)
        if variant == LOCK:
            for place in range(first, end):
                lock(team.locks, columns[place])  # PASSCoDe step 1.5
        z = 0.0
        for place in range(first, end):
            z = z + value(rows, i, place) * beyond(load(v, column(rows, place)), run.threshold)
        alpha_i = dual_step(run.code, run.gamma, z, alpha[i], run.y[i], run.norms2[i] / run.scale)  # PASSCoDe step 2
        delta = alpha_i - alpha[i]
        alpha[i] = alpha_i
        if delta != 0.0:
            c = delta / run.scale
            for place in range(first, end):  # PASSCoDe step 3
                j = column(rows, place)
                if variant == ATOMIC:
                    add(v, j, -(c * value(rows, i, place)))
                else:
                    store(v, j, load(v, j) - c * value(rows, i, place))
        if variant == LOCK:
            for place in range(first, end):
                unlock(team.locks, columns[place])


class FastPasscodeState(FastDualState, PasscodeState):
    """v, alpha and the writes in flight. Between two calls there are none, because the threads have ended."""

    __slots__ = ()


class FastPasscode(FastDualMethod):
    """The base of the three variants.

    Parameters
    ----------
    threads : 1 <= threads <= the cores that this process may use. A thread that waits for a lock spins a while before
        it gives its core away, and one without a core of its own makes no step sooner.

    Attributes
    ----------
    turns : of the last ``advance``, shape (threads,): at how many of the looks that thread k took, one every
        ``LOOK`` steps, another thread had taken one since its own last. With more than one look each, numbers
        beyond 1 prove that the threads worked side by side.

    Raises
    ------
    ValueError
        threads is out of range, or the compiler is switched off (NUMBA_DISABLE_JIT=1).
    """

    kernel = passcode_steps
    variant: ClassVar[int]

    def __init__(self, threads: int = 1) -> None:
        require_compiler(self.name)
        super().__init__(threads=require_threads(threads))
        self.threads = threads
        self.turns = np.zeros(threads, dtype=np.int64)

    def init(self, problem: Problem, alpha: ArrayLike | None = None) -> FastPasscodeState:
        return FastPasscodeState(**super().init(problem, alpha).fields(), pending=())

    def steps(self, problem: Problem, state: Any, choices: Array) -> None:
        objective = self.native(problem)
        run, vectors, locked = step_numbers(objective), DualVectors(state.v, state.alpha), self.variant == LOCK
        words = (np.zeros(size, dtype=np.int64) for size in (problem.d if locked else 0, 1, 1, self.threads))
        team = Team(*words)
        self.turns = team.turns

        def work(thread: int, own: Array) -> None:
            rows = objective.arrays.entries()
            columns = _ascending_columns(problem) if locked and isinstance(rows, Sparse) else rows.indices
            passcode_steps(rows, run, vectors, self.variant, columns, team, thread, own)

        shares = split(choices, problem.n, self.threads)
        if self.threads == 1:
            work(0, shares[0])
            return
        with ThreadPoolExecutor(self.threads) as pool:  # leaving it waits for all of them, whatever happens
            try:
                running = [pool.submit(work, thread, own) for thread, own in enumerate(shares)]
            except BaseException:
                team.arrived[0] = self.threads  # those that have started must not wait for the others
                raise
            for future in running:
                future.result()


@register_compiled_method
class FastPasscodeLock(FastPasscode):
    """PASSCoDe-Lock: some order of the same steps, one after the other, gives the same numbers.

    >>> from dualgap.reference import Hinge, L2, Problem
    >>> problem = Problem([[1.0, 0.0], [0.0, 1.0]], [1, -1], Hinge(), L2(2.0))
    >>> FastPasscodeLock().run(problem, [0, 1]).alpha.tolist()
    [-1.0, 1.0]
    """

    name = "passcode-lock"
    variant = LOCK


@register_compiled_method
class FastPasscodeAtomic(FastPasscode):
    """PASSCoDe-Atomic: a read may mix old and new coordinates, no write is lost."""

    name = "passcode-atomic"
    variant = ATOMIC


@register_compiled_method
class FastPasscodeWild(FastPasscode):
    """PASSCoDe-Wild: writes may be lost; the limit is that of a perturbed problem, see ``perturbed``."""

    name = "passcode-wild"
    variant = WILD

    @property
    def loses_writes(self) -> bool:
        """True if a run may end away from the minimum: on more than one thread."""
        return self.threads > 1


# -- Wild's own certificate -------------------------------------------------------------------------------


def perturbed(problem: Problem, w: Array, alpha: Array) -> Certificate:
    """The certificate of (w, alpha) for the problem that Wild has solved: P plus lam eps^T w, eps = w(alpha) - w.

    That problem is P with (lam/2)||w + eps||^2 for (lam/2)||w||^2, less the constant (lam/2)||eps||^2. Its own
    w(alpha) is w(alpha) - eps = w, so that its gap at (w, alpha) is (1/n) sum_i FY_i(x_i^T w, alpha_i): 0 exactly
    where no step from (w, alpha) changes anything (PASSCoDe, backward error of Wild). The linear term is written
    as a proximal centre of weight lam/2, with lam/2 left for the norm: halving is exact, so the sum is lam again.

    Parameters
    ----------
    problem : Problem over float with L2, with or without a proximal centre (lam is then the modulus)
    w : (d,), what the threads have maintained; alpha : (n,) in the domain

    Examples
    --------
    >>> from dualgap.reference import Problem, Squared
    >>> problem = Problem([[1.0, 0.0], [0.0, 1.0]], [1, -1], Squared(), L2(2.0))
    >>> shifted = perturbed(problem, np.array([0.5, -0.25]), np.array([-0.5, 0.75]))
    >>> Certificate(problem, shifted.w, shifted.alpha).gap, shifted.gap
    (0.14453125, 0.0)
    """
    objective = Objective(problem)
    mu = objective.mu
    eps = objective.w(alpha) - w
    centre = (objective.kappa * objective.centre - mu * eps) / (mu / 2)
    shifted = problem.with_regularizer(L2(mu / 2)).centred(mu / 2, centre.tolist())
    return Certificate(shifted, w, alpha)


# -- who does what ----------------------------------------------------------------------------------------


def split(choices: Array, n: int, threads: int) -> list[Array]:
    """The choices of each thread, in their order: those whose row is in its block.

    >>> [own.tolist() for own in split(np.array([3, 0, 2, 0, 1]), n=4, threads=2)]
    [[0, 0, 1], [3, 2]]
    """
    ends = [thread * n // threads for thread in range(threads + 1)]
    return [choices[(first <= choices) & (choices < end)] for first, end in zip(ends, ends[1:])]


def usable_cores() -> int:
    """Return the number of cores that this process may use: those that it is pinned to (taskset, containers), if the
    system reports them."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def require_threads(threads: object) -> int:
    """threads, an integer from 1 to the number of cores, or ValueError."""
    cores = usable_cores()
    if isinstance(threads, bool) or not isinstance(threads, int) or not 1 <= threads <= cores:
        raise ValueError(
            f"threads must be an integer from 1 to {cores}, the cores that this process may use (got {threads!r}): "
            "a thread without a core of its own makes no step sooner"
        )
    return threads


def _ascending_columns(problem: Problem) -> Array:
    """The columns of sparse rows, ascending in each row: found once."""
    return problem.cached("ascending columns", lambda: sort_rows(*arrays(problem).matrix[:2]))


def sort_rows(indptr: Array, indices: Array) -> Array:
    """The columns of every row in ascending order: ``indices`` itself where they are so already.

    >>> sort_rows(np.array([0, 3, 5]), np.array([4, 0, 2, 9, 1])).tolist()
    [0, 2, 4, 1, 9]
    """
    stored = slice(int(indptr[0]), int(indptr[-1]))
    columns = indices[stored]
    rows = np.repeat(np.arange(indptr.size - 1), np.diff(indptr).astype(np.int64))
    if not np.any((columns[1:] < columns[:-1]) & (rows[1:] == rows[:-1])):
        return indices
    ascending = indices.copy()
    ascending[stored] = columns[np.lexsort((columns, rows))]
    return ascending
