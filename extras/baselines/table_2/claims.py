"""ASPDC, Table 2: what a step of SVRG costs, counted as for ASPDC (``papers.aspdc.section_4``)."""

from collections.abc import Iterable
from typing import Any

from dualgap.extras.baselines.svrg.lazy import LazySVRG
from dualgap.extras.baselines.svrg.reference import SVRG
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Le, Relation
from dualgap.proofs_checks.evidence.levels import false_with
from dualgap.proofs_checks.papers.aspdc.items import PAPER
from dualgap.proofs_checks.papers.aspdc.section_4 import WIDE, advanced, wide


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
def table_2_svrg(c: Context, form: type[object] = SVRG) -> Iterable[Relation]:
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
def table_2_lazy(c: Context, form: type[object] = LazySVRG) -> Iterable[Relation]:
    yield Le(touched_by_svrg(c, form()), 10 * max(map(len, c.problem.rows)) + 1, "at most 10 r + 1")
