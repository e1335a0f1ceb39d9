"""PASSCoDe: parallel asynchronous dual coordinate descent (Hsieh, Yu and Dhillon, ICML 2015), every interleaving as
data.

Problem    max_alpha D(alpha), see ``problem``; L2 only (w itself is the shared memory); any loss.
Scaling    The paper minimises D_PC(a) = ||sum a_i x_i||^2/2 + sum l_i*(-a_i), whose primal is
           P_PC(w) = ||w||^2/2 + sum l_i(x_i^T w). With C = 1/(lam n): l_i = C phi_i, l_i*(u) = C phi_i*(u/C),
           a_i = -alpha_i/(lam n), w = sum a_i x_i (the same vector), P_PC = P/lam and D_PC = -D/lam; so its
           step 2, with ||x_i||^2, is the SDCA step with q_i = ||x_i||^2/(lam n).
Guarantee  delay 0: SDCA's, bit for bit. Lock: some sequential order, whatever the delay. Atomic: w = w(alpha)
           once no write is in flight. Wild: w solves the problem perturbed by what was lost. Nothing more: large
           delays diverge.

========= ============= ============== ===================================================================
symbol    in code       shape          meaning
========= ============= ============== ===================================================================
w         state.v       (d,)           shared memory: the writes that every worker sees
alpha     state.alpha   (n,)           dual iterate
          state.pending <= tau updates writes in flight, oldest first: (worker, ((j, amount taken off w_j), ...))
w-hat     w_hat         (d,)           what the worker reads
tau       delay                        a step sees every write of all steps but the last tau
========= ============= ============== ===================================================================

A choice is (worker, index, visible) and, for Wild, optionally (worker, index, visible, lost): integers. Bit k of
``visible`` says whether the worker sees the k-th component write in flight that is not its own, in the order of
``pending``; its own it always sees, and -1 is everything. Bit k of ``lost`` says that the step's k-th component write
never lands. Bits beyond the last write say nothing; a mask of more than 63 bits no longer fits an int64 array and
is a Python integer. A bare index is (0, index, -1): one thread, which has only these choices.

The model: alpha_i is read and written at once (real threads get this from disjoint blocks of rows), and a write once
seen may be unseen by a later read, so it admits every order of a coherent memory, and more. A lost write is one that no
worker ever sees; a write that some saw before another overwrote it is not modelled. ``choices`` draws workers, rows and
masks uniformly, so as to list them all: the theorems are uniform over rows alone.
"""

from fractions import Fraction
from typing import Any, ClassVar

from dualgap.reference.methods.base import DualState, HypothesisViolated, Method
from dualgap.reference.methods.registry import register_method
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.problem import Problem, Vector
from dualgap.reference.problem.validate import require_integer

Writes = tuple[tuple[int, Number], ...]
EVERYTHING = -1  # all bits set


class PasscodeState(DualState):
    """v, alpha, and the component writes in flight."""

    __slots__ = ("pending",)
    pending: list[tuple[int, Writes]]


def land(v: Vector, writes: Writes) -> None:
    """Take the component writes off v, in place."""
    for j, amount in writes:
        v[j] = v[j] - amount


@register_method
class PasscodeAtomic(Method[PasscodeState]):
    """PASSCoDe-Atomic: reads may mix old and new components, no write is lost.

    Parameters
    ----------
    threads : workers, >= 1.
    delay : tau >= 0.

    >>> from fractions import Fraction
    >>> from dualgap.reference import L2, Problem, Squared
    >>> p = Problem([[1, 0], [1, 1]], [1, -1], Squared(), L2("1/2"), number=Fraction)
    >>> method = PasscodeAtomic(threads=2, delay=1)
    >>> state = method.run(p, [(0, 0, 0), (1, 1, 0)])      # worker 1 does not see what worker 0 wrote
    >>> state.v, state.alpha, len(state.pending)
    ([Fraction(1, 2), Fraction(0, 1)], [Fraction(-1, 2), Fraction(1, 3)], 1)
    >>> method.view(p, state)[0] == p.w(state.alpha)       # once the write in flight has landed
    True
    """

    name = "passcode-atomic"
    summary = "asynchronous SDCA with atomic writes; runs on real threads"
    racy: ClassVar[bool] = True  # reads need not see everything
    lossy: ClassVar[bool] = False  # writes may be lost

    def __init__(self, threads: int = 1, delay: int = 0) -> None:
        require_integer("threads", threads, 1)
        require_integer("delay", delay, 0)
        self.threads, self.delay = threads, delay

    def require(self, problem: Problem, mode: str = "paper", R2: Number | None = None) -> None:
        super().require(problem, mode, R2)
        if problem.regularizer.l1 > 0:
            raise HypothesisViolated(
                f"{self.name} keeps w itself in shared memory and needs l1 = 0 (got l1 = {problem.regularizer.l1}). "
                "Use method 'sdca', which takes the elastic net, or l1 = 0"
            )

    def init(self, problem: Problem, alpha: Vector | None = None) -> PasscodeState:
        start = problem.require_alpha([problem.zero] * problem.n if alpha is None else alpha)
        return PasscodeState(v=problem.v(start), alpha=start, pending=[])

    def choices(self, problem: Problem, state: PasscodeState) -> list[tuple[Any, Fraction]]:
        if self.threads == 1:
            return super().choices(problem, state)
        found: list[tuple[tuple[int, ...], Fraction]] = []
        for worker in range(self.threads):
            masks = 2 ** sum(len(writes) for owner, writes in state.pending if self.racy and owner != worker)
            for i in range(problem.n):
                losses = 2 ** len(problem.rows[i]) if self.lossy else 1
                chance = Fraction(1, self.threads * problem.n * masks * losses)
                for visible in range(masks):
                    found += [
                        ((worker, i, visible, lost) if self.lossy else (worker, i, visible), chance)
                        for lost in range(losses)
                    ]
        return found

    def advance(self, problem: Problem, state: PasscodeState, choice: int | tuple[int, ...]) -> None:
        worker, i, visible, lost = self.require_choice(problem, choice)                 # PASSCoDe step 1
        w_hat = self.read(state, worker, visible)                                       # PASSCoDe step 1.5
        z = problem.inner(i, w_hat)
        q = problem.norms2[i] / problem.scale
        alpha_i = problem.loss.dual_step(z, state.alpha[i], problem.y[i], q)            # PASSCoDe step 2
        c = (alpha_i - state.alpha[i]) / problem.scale
        state.alpha[i] = alpha_i
        writes = tuple((j, c * x) for k, (j, x) in enumerate(problem.rows[i]) if not lost >> k & 1)
        state.pending.append((worker, writes))                                          # PASSCoDe step 3
        while len(state.pending) > self.delay:
            land(state.v, state.pending.pop(0)[1])

    def read(self, state: PasscodeState, worker: int, visible: int) -> Vector:
        """w-hat: the shared memory with those writes in flight that the worker sees."""
        w_hat, bit = list(state.v), 0
        for owner, writes in state.pending:
            for write in writes:
                if owner == worker or not self.racy or visible >> bit & 1:
                    land(w_hat, (write,))
                bit += owner != worker
        return w_hat

    def require_choice(self, problem: Problem, choice: int | tuple[int, ...]) -> tuple[int, int, int, int]:
        """(worker, index, visible, lost) of a choice. Raises ValueError for one that this method cannot make."""
        worker, i, visible, *rest = choice if isinstance(choice, (tuple, list)) else (0, choice, EVERYTHING)
        lost = rest[0] if rest else 0
        if not (0 <= worker < self.threads and 0 <= i < problem.n):
            raise ValueError(
                f"choice {choice}: worker must be in 0..{self.threads - 1} and index in 0..{problem.n - 1} "
                "(the option threads sets the workers)"
            )
        if lost and not (self.lossy and self.threads > 1):
            raise ValueError(f"choice {choice}: only passcode-wild with threads >= 2 loses writes; leave lost out")
        return worker, i, visible, lost

    def view(self, problem: Problem, state: PasscodeState) -> tuple[Vector, Vector]:
        """(w, alpha) once every write in flight has landed; predict with this w, also under Wild."""
        w = list(state.v)
        for _, writes in state.pending:
            land(w, writes)
        return w, list(state.alpha)


@register_method
class PasscodeLock(PasscodeAtomic):
    """PASSCoDe-Lock: with all of N_i = {j : x_ij != 0} locked, step 1.5 sees every write to N_i, whatever the delay."""

    name = "passcode-lock"
    summary = "asynchronous SDCA that locks the columns of a row; runs on real threads"
    racy = False


@register_method
class PasscodeWild(PasscodeAtomic):
    """PASSCoDe-Wild: Atomic whose component writes may be lost, so that w = w(alpha) fails."""

    name = "passcode-wild"
    summary = "asynchronous SDCA whose writes may be lost; runs on real threads"
    lossy = True
