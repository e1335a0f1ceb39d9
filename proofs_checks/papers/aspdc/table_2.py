"""ASPDC, section 4, Table 2: what a step costs, counted in entries of the iterates.

The counts are those of the reference, whose steps follow the papers' lines: how many entries of w, alpha and what else
a state holds a step reads or writes. An O(.) is an upper bound: a cheaper form of a method does not refute it.
"""

from dualgap.proofs_checks.engines.touched import touched
from dualgap.proofs_checks.papers.aspdc.items import PAPER
from dualgap.proofs_checks.papers.vocabulary import *
from dualgap.proofs_checks.strategies import instances as strategies
from dualgap.reference.methods.aspdc import ASPDC
from dualgap.reference.methods.spd1 import SPD1
from dualgap.reference.methods.spd1_vr import SPD1VR


def wide(d: int) -> Instance:
    """Six rows of two nonzeros each among d columns."""
    rows = tuple(tuple(Q(int(j in (i, d - 1 - i))) for j in range(d)) for i in range(6))
    return Instance(rows=rows, y=Qs(*[1] * 6), alpha=Qs(*[0] * 6), lam=Q(2))


WIDE = golden(wide(20), wide(200), detail="six rows of two nonzeros, d = 20 and 200")


def advanced(problem: Any, method: Any, state: Any, choice: Any) -> int:
    """What one step touches."""
    return touched(state, lambda copy: method.advance(problem, copy, choice))


class Anew(ASPDC):
    """A mistake: line 7 makes w anew from alpha."""

    def advance(self, problem: Any, state: Any, choice: Any) -> None:
        super().advance(problem, state, choice)
        state.v = problem.v(state.alpha)


def sparse_step(method: Any, state: Any, problem: Any) -> Iterable[Relation]:
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
        "w made anew from alpha in every step", lambda c: sparse_step(Anew(), c.state, c.problem), wide(20), wide(200)
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


@claim(
    "aspdc.table-2.spd1",
    "Table 2, SPD1 and SPD1-VR: O(1) a step, O(nd) a pass. A step touches 4 entries of w and alpha (SPD1-VR between"
    " snapshots: 10), also where x_ij = 0",
    hypotheses="constant steps, the last iterate",
    origin=PAPER.reading(
        "Table 2",
        "sparse and high-dimensional",
        note=(
            "SPD1 and SPD1-VR are other papers' methods, defined here by this library under these names; a pass "
            "of nd steps is their choice of columns, which is uniform: nothing of it is held against their papers"
        ),
    ),
    evidence=[WIDE],
    control=altered("a step of SVRG", lambda c: [Le(touched_by_svrg(c, SVRG()), 10, "")], wide(20), wide(200)),
)
def table_2_spd1(c: Context) -> Iterable[Relation]:
    one, reduced = SPD1(eta=1, tau=1, output="last"), SPD1VR(eta=Q(1, 100), tau=Q(1, 100), m=c.n)
    state, with_snapshot = one.init(c.problem), reduced.init(c.problem)
    for i in range(c.n):
        for j in range(c.problem.d):
            yield Le(advanced(c.problem, one, state, (i, j)), 4, "SPD1: entries of w and alpha")
        j = c.problem.d - 1 - i
        for choice in ((i, 0, j, 0), (i, i, 0, 1), (0, i, j, j)):
            yield Le(
                advanced(c.problem, reduced, with_snapshot, choice), 10, "SPD1-VR: entries of w, alpha and the snapshot"
            )


def touched_by_svrg(c: Context, method: Any) -> int:
    """The most that a step with any row touches, the snapshot having been taken by a step before."""
    state = method.step(c.problem, method.init(c.problem), 0)
    return max(advanced(c.problem, method, state, i) for i in range(c.n))


@claim(
    "aspdc.table-2.svrg",
    "Table 2, SVRG: $O(d)$ a step, $O(nd)$ for $n$ of them, as its authors write it: a step touches at most $7 d$"
    " entries, and $d$ at least",
    hypotheses="L2, between snapshots",
    origin=PAPER.printed(
        "Table 2",
        "sparse and high-dimensional",
        note="an upper bound for the steps as written; a lazy form of the same steps is cheaper: aspdc.table-2.lazy",
    ),
    evidence=[WIDE],
    control=false_with("its lazy form", wide(200), form=LazySVRG),
)
def table_2_svrg(c: Context, form: type[Any] = SVRG) -> Iterable[Relation]:
    most = touched_by_svrg(c, form())
    yield Le(most, 7 * c.problem.d, "at most 7d")
    yield Le(c.problem.d, most, "at least d")


@claim(
    "aspdc.table-2.lazy",
    "Table 2, beside its row of SVRG: the lazy form, whose iterates are the same (baselines.svrg.lazy), touches at most"
    " 10 entries for each nonzero of the row and 1 more, O(r): between snapshots sparse data are no disadvantage of"
    " SVRG",
    hypotheses="L2, between snapshots",
    origin=PAPER.ours("Table 2", "sparse and high-dimensional"),
    evidence=[WIDE],
    control=false_with("the dense form", wide(200), form=SVRG),
)
def table_2_lazy(c: Context, form: type[Any] = LazySVRG) -> Iterable[Relation]:
    yield Le(touched_by_svrg(c, form()), 10 * max(map(len, c.problem.rows)) + 1, "at most 10 r + 1")
