"""PGS in O(nnz of the rows) a round, for every p: w_t is one number times a vector that changes where acc does.

The paper needs O(d) a round for p < 2. But w_t depends on acc outside the rows of the batch through one sum only:

    w_t = c_t bent,   bent_j = sgn(acc_j) (|acc_j|/M)^(1/(p-1)),   c_t from s = sum_j (|acc_j|/M)^q and t (``pnorm``)

so that a changed acc_j costs one power, for bent_j, and s <- s - old term + new term. With p = 2 and R^d not even s is
needed: c_t = M/((t+1) lam). Elastic net: w_t = soft(c_t bent, l1/lam).

======== ===== =======================================================================================================
in code  shape meaning
======== ===== =======================================================================================================
acc      (d,)  as in ``pgs``
bent     (d,)  see above
M              the scale of bent, at first 1
s              the running sum; 0 if it is not needed
drift          2^-53 drift bounds the error of s: the values that s went through, and d - 1 times what it began with
c              c_t
t              rounds made
weight         output "average": the sum of c over the past rounds since the last flush
mark     (d,)  the weight at which bent_j last changed
total    (d,)  w_0 + .. + w_{t-1} = total + (weight - mark) bent
output   (d,)  output "random": the kept iterate
======== ===== =======================================================================================================

Cancellation: s is summed again, over a new M = max |acc_j|, as soon as drift > 4 d s or s leaves [1/HIGH, HIGH],
HIGH = 2^min(d, 100). What is pending is flushed into total before c_t is added to a weight > 64 (t+1) c_t. docs/pgs.md
proves the bounds of both errors.
"""

from typing import Any

from dualgap.reference.methods.base import HypothesisViolated, State
from dualgap.reference.methods.pgs import Output
from dualgap.reference.methods.registry import register_lazy_form
from dualgap.reference.numbers.arithmetic import Number, convert
from dualgap.reference.problem.problem import Problem, Vector
from dualgap.reference.problem.regularizers import soft

SPAN = 64  # how far weight may be above (t+1) c_t


class LazyPGSState(State):
    """See the table of the module. Vectors have shape (d,)."""

    __slots__ = ("acc", "bent", "M", "s", "drift", "c", "t")
    acc: Vector
    bent: Vector
    M: Number
    s: Number
    drift: Number
    c: Number
    t: int


class AveragedLazyPGSState(LazyPGSState):
    """The state with weight, mark and total: w_0 + .. + w_{t-1} = total + (weight - mark) bent."""

    __slots__ = ("weight", "mark", "total")
    weight: Number
    mark: Vector
    total: Vector


class RandomLazyPGSState(LazyPGSState):
    """The state with output, shape (d,): the kept one of w_0 .. w_{t-1}."""

    __slots__ = ("output",)
    output: Vector


@register_lazy_form
class LazyPGS(Output):
    """Figure 1 without its O(d): equal to ``PGS`` in exact arithmetic.

    >>> from fractions import Fraction
    >>> from dualgap.reference import Hinge, Problem
    >>> from dualgap.reference.problem.pnorm import PNorm
    >>> p = Problem([[3, 4, 5], [3, 4, 5]], [1, -1], Hinge(), PNorm("1/2", "3/2", ball=1), number=Fraction)
    >>> pgs = LazyPGS(output="last")
    >>> [str(w_j) for w_j in pgs.view(p, pgs.run(p, [(0,), (0,)]))[0]]
    ['1/4', '4/9', '25/36']
    """

    name = "pgs"

    def init(self, problem: Problem, alpha: Vector | None = None) -> LazyPGSState:
        self.require_start(problem, alpha)
        zero, zeros = problem.zero, [problem.zero] * problem.d
        common = dict(acc=zeros, bent=list(zeros), M=convert(1, problem.number), s=zero, drift=zero, c=zero, t=0)
        if self.output == "average":
            return AveragedLazyPGSState(**common, weight=zero, mark=list(zeros), total=list(zeros))
        if self.output == "random":
            return RandomLazyPGSState(**common, output=list(zeros))
        return LazyPGSState(**common)

    def require_start(self, problem: Problem, alpha: Vector | None) -> None:
        super().require_start(problem, alpha)
        if self.output == "average" and problem.regularizer.l1 > 0:
            raise HypothesisViolated(
                "the average of soft-thresholded iterates has no lazy form here: with l1 > 0 use output random or last "
                "(the O(d) form, dualgap.reference.method('pgs'), has all three)"
            )

    def advance(self, problem: Problem, state: LazyPGSState, choice: tuple[int, ...]) -> None:
        keep, A_t = self.split(choice)                                                      # PGS line 4
        self.record(problem, state, keep)                                                   # PGS line 9
        # PGS lines 5, 6: all at w_{t-1}
        slopes = [self.slope(problem, state, i) / len(A_t) for i in A_t]
        changed = False
        for i, slope in zip(A_t, slopes):
            if slope != 0:
                changed = True
                for j, x in problem.rows[i]:
                    self.change(problem, state, j, state.acc[j] - slope * x)                # PGS line 7
        if changed:
            self.safeguard(problem, state)
        state.t += 1
        self.rescale(problem, state)                                                        # PGS line 8

    def slope(self, problem: Problem, state: LazyPGSState, i: int) -> Number:
        """phi_i'(x_i^T w), x_i^T w summed in stored order; without a threshold c is taken out of the sum."""
        z, thresholded = problem.zero, problem.regularizer.l1 > 0
        for j, x in problem.rows[i]:
            z = z + x * (soft(state.c * state.bent[j], problem.threshold) if thresholded else state.bent[j])
        return problem.loss.derivative(z if thresholded else state.c * z, problem.y[i])

    def change(self, problem: Problem, state: LazyPGSState, j: int, acc_j: Number) -> None:
        """acc_j takes a new value; bent_j, s, drift and total_j follow."""
        g: Any = problem.regularizer
        before = state.bent[j]
        after = g.bend(acc_j, state.M) if g.family == "p-norm" else acc_j
        if self.needs_s(problem):
            less = state.s - state.acc[j] / state.M * before
            state.s = less + acc_j / state.M * after
            state.drift = state.drift + (less if less >= 0 else -less) + (state.s if state.s >= 0 else -state.s)
        if self.output == "average":
            self.catch_up(state, j)
        state.acc[j], state.bent[j] = acc_j, after

    def catch_up(self, state: Any, j: int) -> None:
        """total_j takes what is pending at bent_j."""
        if state.weight > state.mark[j]:  # else bent_j may be new, and infinite until the safeguard
            state.total[j] = state.total[j] + (state.weight - state.mark[j]) * state.bent[j]
            state.mark[j] = state.weight

    def flush(self, problem: Problem, state: Any) -> None:
        """All that is pending goes into total; weight starts again."""
        for j in range(problem.d):
            self.catch_up(state, j)
            state.mark[j] = problem.zero
        state.weight = problem.zero

    def needs_s(self, problem: Problem) -> bool:
        """Return whether the state needs s; it does not for p = 2 on R^d."""
        g: Any = problem.regularizer
        return g.family == "p-norm" and not (g.euclidean and g.ball is None)

    def safeguard(self, problem: Problem, state: LazyPGSState) -> None:
        """Sum s again, over a new scale, where too much of it may be rounding or it is far from 1."""
        high = 1 << min(problem.d, 100)
        if not self.needs_s(problem) or (
            1 <= state.s * high and state.s <= high and state.drift <= 4 * problem.d * state.s
        ):
            return
        g: Any = problem.regularizer
        if self.output == "average":
            self.flush(problem, state)
        state.M, state.s = g.scale(state.acc), problem.zero
        for j, acc_j in enumerate(state.acc):
            state.bent[j] = g.bend(acc_j, state.M)
            state.s = state.s + acc_j / state.M * state.bent[j]
        state.drift = (problem.d - 1) * state.s

    def rescale(self, problem: Problem, state: LazyPGSState) -> None:
        """c_t, for the divisor (t+1) lam."""
        g: Any = problem.regularizer
        divisor = (state.t + 1) * g.lam
        if g.family == "p-norm":
            state.c, _ = g.coefficient(state.M, state.s, divisor)
            g.require_finite(state.c)
        else:
            state.c = 1 / divisor

    def record(self, problem: Problem, state: Any, keep: int) -> None:
        """w_{t-1} goes into the output."""
        if self.output == "average":
            if state.weight > SPAN * (state.t + 1) * state.c:  # before c is added, which might vanish in the sum
                self.flush(problem, state)
            state.weight = state.weight + state.c
        elif keep:
            state.output = self.iterate(problem, state)

    def require_state(self, problem: Problem, state: LazyPGSState) -> None:
        if not state.M > 0:
            raise ValueError(f"M must be > 0 (got {state.M})")

    def iterate(self, problem: Problem, state: LazyPGSState) -> Vector:
        """w_t, shape (d,)."""
        if problem.regularizer.l1 > 0:
            return [soft(state.c * bent_j, problem.threshold) for bent_j in state.bent]
        return [state.c * bent_j for bent_j in state.bent]

    def w_of(self, problem: Problem, state: Any) -> Vector:
        if self.output == "last" or state.t == 0:
            return self.iterate(problem, state)
        if self.output == "random":
            return list(state.output)
        pending = [(state.weight - mark_j) * bent_j for mark_j, bent_j in zip(state.mark, state.bent)]
        return [(total_j + pending_j) / state.t for total_j, pending_j in zip(state.total, pending)]
