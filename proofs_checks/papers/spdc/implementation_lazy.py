"""SPDC, the code: the lazy form is the dense one and costs what section 6 says."""

from collections.abc import Iterable
from typing import Any, cast

from hypothesis.strategies import DrawFn

from dualgap.proofs_checks.claims import drawing as st
from dualgap.proofs_checks.claims import origins
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import Extras, further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.registry import claim
from dualgap.proofs_checks.claims.relations import Eq, Le, Relation
from dualgap.proofs_checks.engines.touched import Tally, count
from dualgap.proofs_checks.evidence.levels import exact, false_with, golden
from dualgap.proofs_checks.papers.spdc.instances import (
    THREE_ROWS,
    UNEQUAL_NORMS,
    batch_instances,
    nonuniform_instances,
    nonzero,
)
from dualgap.proofs_checks.papers.spdc.items import PAPER
from dualgap.proofs_checks.papers.spdc.setting import begun, bugs
from dualgap.proofs_checks.papers.vocabulary import each
from dualgap.reference import as_compiled
from dualgap.reference.methods.spdc import SPDC

NAMES = ("spdc", "spdc-minibatch", "spdc-nonuniform")

# -- lazy = dense ------------------------------------------------------------------------------------------------------


@st.composite
def lazy_runs(draw: DrawFn) -> Instance:
    """All three algorithms on rows with zeros, smooth losses and the hinge with delta, up to 10 steps."""
    if draw(st.sampled_from(NAMES)) == "spdc-nonuniform":
        return draw(nonuniform_instances(max_n=4, max_d=4, max_path=10, free=False))
    instance = draw(batch_instances(max_n=5, max_d=5, max_path=10, free=False, ratios=Qs(1, "1/2", "1/10", 10)))
    holes, d = draw(st.sets(st.integers(0, 24), max_size=15)), len(instance.rows[0])
    rows = tuple(
        tuple(Q(0) if i * d + j in holes else x for j, x in enumerate(row)) for i, row in enumerate(instance.rows)
    )
    # R is still a bound if a first row of zeros becomes e_1
    fits = any(map(any, rows)) or Q(instance.options["R"]) >= 1
    return instance.but(rows=nonzero(rows)) if fits else instance


THREE_SPARSE = THREE_ROWS.but(
    rows=(Qs(1, 0, 0), Qs(0, 1, 0), Qs(0, "3/5", "4/5")),
    alpha=Qs(1, "-1/2", 1),
    l1=Q(1, 10),
    extra=further(w=Qs(1, -1, 0)),
    path=(0, 1, 1, 2, 0, 0, 2, 1),
)
NONUNIFORM = UNEQUAL_NORMS.but(rows=(Qs(3, 4, 0), Qs(0, 1, 0), Qs(0, 0, 0)), path=(0, 1, 2, 0, 1))
ONE_OF_EACH = (
    THREE_SPARSE,
    THREE_SPARSE.but(method="spdc-minibatch", options={"m": 2}, lam=Q(2, 3), path=((0, 1), (1, 2), (0, 2), (1, 2))),
    NONUNIFORM.but(alpha=THREE_SPARSE.alpha, l1=THREE_SPARSE.l1, extra=THREE_SPARSE.extra),
)


@claim(
    "spdc.code.lazy",
    r"Section 6, the code: after every step the lazy form has the $w$, $\alpha$ and $u$ of the dense one, exactly",
    hypotheses=r"any smooth loss, L2 or elastic net, Algorithms 1 to 3, $\bar{w}^0 = w^0$",
    origin=PAPER.printed(
        "delayed updates",
        "(37)",
        "(38)",
        "(40)",
        "(44)",
        note=f"We read the sentence as: w, alpha and u are the same. The formulas are missing {origins.RESTORED}.",
    ),
    evidence=[exact(lazy_runs), golden(*ONE_OF_EACH, detail="one run of each algorithm, elastic net")],
    control=false_with("a lazy form whose theta is that of the sharp form", THREE_SPARSE, theta="sharp"),
    kills=bugs(
        "lambda-gamma-swapped no-extrapolation overwritten-alpha scaled-step shared-batch-order sigma-unscaled"
        " stale-w_bar steps-1/R u-scaled-increment weight-1/n weight-one wrong-u0"
    ),
)
def code_lazy(c: Context, **changed: object) -> Iterable[Relation]:
    """w, alpha and u of the method and of its lazy form after every step; ``changed``: options of the lazy form."""
    lazy = cast(SPDC, as_compiled(c.instance.method, **{**c.instance.options, **changed}))
    dense = begun(c).start
    state = lazy.init(c.problem, [c.q(a) for a in c.instance.alpha], list(c.given.w))
    for t, choice in enumerate(c.instance.path, 1):
        dense = c.method.step(c.problem, dense, choice)
        state = lazy.step(c.problem, state, choice)
        (w, alpha), (due_w, due_alpha) = lazy.view(c.problem, state), c.method.view(c.problem, dense)
        label = f"step {t}: (w, alpha, u), lazy = dense"
        yield from each(Eq, (*w, *alpha, *state.u), (*due_w, *due_alpha, *dense.u), label)


# -- what a step costs: reads of stored numbers that have an entry for every column ------------------------------------

WIDER = 50  # columns that no row has
# reads of a sparse step for each entry of its rows: w, u, last and dlt for the product, again for the move, and u twice
# for its step
PER_ENTRY = 10
PER_COLUMN = 4  # reads of a step as it is written for each column: u twice, w twice


def reads(instance: Instance, method: Any) -> list[int]:
    """Entries of the state's d-vectors that each step of the path reads."""
    problem, tally = instance.problem(), Tally()
    state, found = method.init(problem, list(instance.alpha), [problem.zero] * problem.d), []
    for choice in instance.path:
        vectors = [name for name in state.names() if name != "alpha" and isinstance(getattr(state, name), list)]
        before = tally.reads
        count(state, [name for name in vectors if len(getattr(state, name)) == problem.d], tally)
        method.advance(problem, state, choice)
        found.append(tally.reads - before)
    return found


def widened(instance: Instance, columns: int) -> Instance:
    """The instance with so many more columns, which are empty, and without a given start."""
    return instance.but(rows=tuple((*row, *(Q(0),) * columns) for row in instance.rows), extra=Extras())


def entries(instance: Instance, choice: int | tuple[int, ...]) -> int:
    """Nonzero entries of the rows drawn."""
    return sum(x != 0 for k in ((choice,) if isinstance(choice, int) else choice) for x in instance.rows[k])


@claim(
    "spdc.cost",
    "Sections 2 and 6: a step of Algorithms 1 to 3 as they are written costs $O(d)$; with delayed updates it costs in"
    " proportion to the non-zero entries of the rows drawn, whatever $d$ is, for the squared norm and with the"
    r" $\ell_1$ norm",
    hypotheses="reads of stored numbers with an entry for every column, three rows in 3 and in 53 columns",
    origin=PAPER.printed(
        "cost of a step",
        "cost of a sparse step",
        "not recommended",
        note=f"The orders O(d) are missing {origins.RESTORED}.",
    ),
    evidence=[
        golden(*ONE_OF_EACH, *(i.but(l1=Q(0)) for i in ONE_OF_EACH), detail="Algorithms 1, 2 and 3, both regularizers")
    ],
    kills=bugs("stale-w_bar"),
    control=false_with("the dense form instead of the lazy one", *ONE_OF_EACH, dense=True),
)
def cost(c: Context, dense: bool = False) -> Iterable[Relation]:
    """The reads of the lazy form (with ``dense`` of the dense form instead) and of the dense form."""
    sparse = c.method if dense else as_compiled(c.instance.method, **c.instance.options)
    narrow, wide = (widened(c.instance, columns) for columns in (0, WIDER))
    lazy = zip(c.instance.path, reads(narrow, sparse), reads(wide, sparse))
    for t, (choice, few, many) in enumerate(lazy, 1):
        yield Eq(many, few, f"step {t}, delayed updates: {WIDER} more columns cost nothing")
        drawn = entries(narrow, choice)
        yield Le(drawn, few, f"step {t}: every entry of the rows drawn needs a read")
        yield Le(few, PER_ENTRY * drawn, f"step {t}: at most {PER_ENTRY} reads for each entry of the rows drawn")
    for t, (few, many) in enumerate(zip(reads(narrow, c.method), reads(wide, c.method)), 1):
        yield Le(WIDER, many - few, f"step {t}, as the algorithm is written: every column is read")
        yield Le(many - few, PER_COLUMN * WIDER, f"step {t}: at most {PER_COLUMN} times")
