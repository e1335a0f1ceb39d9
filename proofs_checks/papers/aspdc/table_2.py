"""ASPDC, section 4, Table 2: what a step costs, counted in entries of the iterates.

The counts are those of the reference, whose steps follow the papers' lines: how many entries of w, alpha and what else
a state holds a step reads or writes. The rows of other methods stand with these methods. An O(.) is an upper bound: a
cheaper form of a method does not refute it.
"""

from collections.abc import Iterable
from typing import Any

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Le, Relation
from dualgap.proofs_checks.engines.touched import touched
from dualgap.proofs_checks.evidence.levels import altered, exact, golden
from dualgap.proofs_checks.papers.aspdc.items import PAPER
from dualgap.proofs_checks.strategies import instances as strategies
from dualgap.reference.methods.aspdc import ASPDC
from dualgap.reference.methods.aspdc_i import ASPDCiFixed
from dualgap.reference.methods.base import DualState, Method, State
from dualgap.reference.problem.problem import Problem


def wide(d: int) -> Instance:
    """Six rows of two nonzeros each among d columns."""
    rows = tuple(tuple(Q(int(j in (i, d - 1 - i))) for j in range(d)) for i in range(6))
    return Instance(rows=rows, y=Qs(*[1] * 6), alpha=Qs(*[0] * 6), lam=Q(2))


WIDE = golden(wide(20), wide(200), detail="six rows of two nonzeros, d = 20 and 200")


def advanced(problem: Problem, method: Any, state: State, choice: object) -> int:
    """What one step touches."""
    return touched(state, lambda copy: method.advance(problem, copy, choice))


class Recomputing(ASPDC):
    """A planted bug: line 7 recomputes w from alpha."""

    def advance(self, problem: Problem, state: DualState, choice: int) -> None:
        super().advance(problem, state, choice)
        state.v = problem.v(state.alpha)


def sparse_step(method: Method[Any], state: State, problem: Problem) -> Iterable[Relation]:
    """At most 3 entries of w for each nonzero of the row, and 2 of alpha; n uniform steps 3S + 2n in expectation."""
    counts = [advanced(problem, method, state, i) for i in range(problem.n)]
    for count, row in zip(counts, problem.rows):
        yield Le(count, 3 * len(row) + 2, "a step touches at most 3 nnz(x_i) + 2 entries")
    yield Le(sum(counts), 3 * sum(map(len, problem.rows)) + 2 * problem.n, "n times the mean over i: 3S + 2n")


@claim(
    "aspdc.table-2",
    r"Table 2, ASPDC and ASPDC-i: $O(r)$ a step, $O(S)$ a pass. A step touches at most $3 \mathrm{nnz}(x_i)$ entries of"
    r" $w$ and 2 of "
    r"$\alpha$, whatever $d$ is, and $n$ uniform steps $3S + 2n$ in expectation; an epoch of ASPDC-i begins with $4(n +"
    r" d)$ more",
    hypotheses="any smooth loss, L2 or elastic net; rows stored without zeros; the constants are ours",
    origin=PAPER.printed("Table 2", "sparse and high-dimensional", "simple structure"),
    evidence=[WIDE, exact(strategies.one_step_any, 0.3)],
    control=altered(
        "w recomputed from alpha in every step",
        lambda c: sparse_step(Recomputing(), c.state, c.problem),
        wide(20),
        wide(200),
    ),
    kills=["aspdc.stale-w"],
)
def table_2(c: Context) -> Iterable[Relation]:
    yield from sparse_step(c.method, c.state, c.problem)
    outer = ASPDCiFixed()
    epoch = outer.init(c.problem, c.alpha)
    yield from sparse_step(outer.inner, epoch, outer.inner_problem(c.problem, epoch))
    yield Le(
        touched(epoch, lambda copy: outer.move_centre(c.problem, copy)),
        4 * (c.n + c.problem.d),
        "line 4 of ASPDC-i: at most 4(n + d) entries",
    )
