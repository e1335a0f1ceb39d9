"""SAG in O(nnz of the row) a step, equal to ``sag`` with the regularizer outside the table.

Write w = beta v. With beta' = beta (1 - a lam) line 6' is v' = v - (a/(m beta')) G, and G_j changes only in the columns
of the rows that are drawn. So with S = sum of the a/(m beta') so far a coordinate with an old v_j is, now,

    v_j - G_j (S - mark_j),    mark_j = S when v_j was last written,

and it is written before G_j changes. beta shrinks; where beta' would be below 1/SPAN the step is made for all
coordinates, from beta = 1 on. That is line 6' itself, so a lam may have any value.

======== ===== =======================================================================================================
in code  shape meaning
======== ===== =======================================================================================================
v, mark  (d,)  see above
beta, S        see above
c, seen  (n,)  as in ``sag``
G        (d,)  as in ``sag``
m              as in ``sag``
======== ===== =======================================================================================================

Order of operations, which compiled code repeats bit for bit: z = beta (sum of x v_j in stored order); change = c_new -
c_i; G_j + change x; step = a/m; S + step/beta'; where all move, (1 - a lam) (beta v_j) - step G_j.
"""

from typing import Any, ClassVar

from dualgap.extras.baselines.sag.reference import SAG
from dualgap.reference.methods.base import State
from dualgap.reference.methods.registry import register_lazy_form
from dualgap.reference.numbers.arithmetic import Number, convert
from dualgap.reference.problem.problem import Problem, Vector
from dualgap.reference.problem.validate import require_within

SPAN = 10**100


class LazySAGState(State):
    """See the table of the module."""

    __slots__ = ("v", "mark", "c", "G", "seen", "m", "beta", "S")
    v: Vector
    mark: Vector
    c: Vector
    G: Vector
    seen: list[int]
    m: int
    beta: Number
    S: Number


@register_lazy_form
class LazySAG(SAG):
    """Lines 3 to 6', lazily: options, hypotheses and start of ``SAG``, except for regularizer_in_table.

    >>> from fractions import Fraction
    >>> from dualgap.reference import L2, Problem, Squared
    >>> p = Problem([[1, 0], [1, 1], [0, -1]], [1, -1, 1], Squared(), L2("1/3"), number=Fraction)
    >>> LazySAG().view(p, LazySAG().run(p, [0, 1, 2, 0])) == SAG().view(p, SAG().run(p, [0, 1, 2, 0]))
    True
    """

    span: ClassVar[int] = SPAN

    def __init__(self, step: object = "practice", divide: str = "seen", regularizer_in_table: bool = False) -> None:
        super().__init__(step, divide, regularizer_in_table)
        if regularizer_in_table:
            raise ValueError(
                "with the regularizer in the table SAG keeps n vectors and has no lazy form, and so no compiled one:"
                " leave regularizer_in_table out, or run dualgap.reference.method('sag', regularizer_in_table=True)"
            )

    def init(self, problem: Problem, alpha: Vector | None = None, w: Vector | None = None) -> LazySAGState:
        """Return the first state, as in ``SAG``."""
        start, one = super().init(problem, alpha, w), convert(1, problem.number)
        return LazySAGState(
            v=start.w,
            mark=[problem.zero] * problem.d,
            c=start.c,
            G=start.G,
            seen=start.seen,
            m=start.m,
            beta=one,
            S=problem.zero,
        )

    def advance(self, problem: Problem, state: LazySAGState, choice: Any) -> None:
        i = choice  # SAG line 3
        z = problem.zero
        for j, x in problem.rows[i]:
            self.catch_up(state, j)
            z = z + x * state.v[j]
        c_new = problem.loss.derivative(state.beta * z, problem.y[i])
        self.replace(problem, state, i, c_new)  # SAG lines 4', 5'
        a = self.a(problem)
        self.move(problem, state, 1 - a * problem.regularizer.lam, a / self.divisor(problem, state.m))

    def catch_up(self, state: LazySAGState, j: int) -> None:
        """v_j as it is now."""
        state.v[j] = state.v[j] - state.G[j] * (state.S - state.mark[j])
        state.mark[j] = state.S

    def move(self, problem: Problem, state: LazySAGState, rate: Number, step: Number) -> None:
        """w <- rate w - step G."""
        beta = state.beta * rate
        if beta * self.span < 1:
            for j in range(problem.d):
                self.catch_up(state, j)
                state.v[j] = rate * (state.beta * state.v[j]) - step * state.G[j]  # SAG line 6'
                state.mark[j] = problem.zero
            state.beta, state.S = convert(1, problem.number), problem.zero
        else:
            state.beta, state.S = beta, state.S + step / beta  # SAG line 6'

    def require_state(self, problem: Problem, state: LazySAGState) -> None:
        seen = sum(state.seen)
        require_within("seen", state.seen, 0, 1)
        require_within("m", [state.m], seen, seen)
        if not 0 < state.beta <= 1 or state.beta * self.span < 1:
            raise ValueError(f"beta must lie in 1/{float(self.span)}..1 (got {state.beta})")

    def view(self, problem: Problem, state: LazySAGState) -> tuple[Vector, Vector]:
        w = [state.beta * (v_j - G_j * (state.S - mark_j)) for v_j, G_j, mark_j in zip(state.v, state.G, state.mark)]
        return w, list(state.c)
