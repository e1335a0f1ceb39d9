"""SPDC, what a step costs, counted: reads of stored numbers that have an entry for every column."""

from dualgap.proofs_checks.papers.spdc.implementation_lazy import GOLDENS
from dualgap.proofs_checks.papers.spdc.items import PAPER
from dualgap.proofs_checks.papers.vocabulary import *

WIDER = 50  # columns that no row has
# reads of a sparse step for each entry of its rows: w, u, last and dlt for the product, again for the move, and u twice
# for its step
PER_ENTRY = 10
PER_COLUMN = 4  # reads of a step as it is written for each column: u twice, w twice


class Counted(list[Any]):
    """A list that counts how often its entries are read."""

    reads = 0

    def __getitem__(self, place: Any) -> Any:
        Counted.reads += 1
        return super().__getitem__(place)

    def __iter__(self) -> Iterator[Any]:
        Counted.reads += len(self)
        return super().__iter__()


def reads(instance: Instance, method: Any) -> list[int]:
    """Entries of the state's d-vectors that each step of the path reads."""
    problem = instance.problem()
    state, found = method.init(problem, list(instance.alpha), [problem.zero] * problem.d), []
    for choice in instance.path:
        for name in state.names():
            value = getattr(state, name)
            if isinstance(value, list) and len(value) == problem.d and name != "alpha":
                setattr(state, name, Counted(value))
        Counted.reads = 0
        method.advance(problem, state, choice)
        found.append(Counted.reads)
    return found


def widened(instance: Instance, columns: int) -> Instance:
    """The instance with columns more, empty ones, and no start of its own."""
    return Instance(
        rows=tuple((*row, *(Q(0),) * columns) for row in instance.rows),
        y=instance.y,
        alpha=instance.alpha,
        lam=instance.lam,
        gamma=instance.gamma,
        l1=instance.l1,
        loss=instance.loss,
        method=instance.method,
        options=instance.options,
        path=instance.path,
    )


def entries(instance: Instance, choice: Any) -> int:
    """Entries other than 0 in the rows drawn."""
    return sum(x != 0 for k in ((choice,) if isinstance(choice, int) else choice) for x in instance.rows[k])


def costs(c: Context, sparse: Any) -> Iterable[Relation]:
    """The reads of the dense form, and of what is taken for the sparse one."""
    narrow, wide = (widened(c.instance, columns) for columns in (0, WIDER))
    lazy = zip(c.instance.path, reads(narrow, sparse), reads(wide, sparse))
    for t, (choice, few, many) in enumerate(lazy, 1):
        yield Eq(many, few, f"step {t}, delayed updates: {WIDER} more columns cost nothing")
        yield Le(
            few,
            PER_ENTRY * entries(narrow, choice),
            f"step {t}: at most {PER_ENTRY} reads for each entry of the rows drawn",
        )
    dense = zip(reads(narrow, c.method), reads(wide, c.method))
    for t, (few, many) in enumerate(dense, 1):
        yield Le(WIDER, many - few, f"step {t}, as the algorithm is written: every column is read")
        yield Le(many - few, PER_COLUMN * WIDER, f"step {t}: at most {PER_COLUMN} times")


@claim(
    "spdc.cost",
    "Sections 2 and 6: a step of Algorithms 1 to 3 as they are written costs $O(d)$; with delayed updates it costs in"
    " proportion to the "
    r"non-zero entries of the rows drawn, whatever $d$ is, for the squared norm and with the $\ell_1$ norm",
    hypotheses="reads of stored numbers with an entry for every column, three rows in 3 and in 53 columns",
    origin=PAPER.printed(
        "cost of a step",
        "cost of a sparse step",
        "not recommended",
        note="The orders O(d) are lost in the text at hand and restored.",
    ),
    evidence=[golden(*GOLDENS, *(i.but(l1=Q(0)) for i in GOLDENS), detail="Algorithms 1, 2 and 3, both regularizers")],
    kills=["spdc.stale-w_bar"],
    control=altered("the dense form in the place of the lazy one", lambda c: costs(c, c.method), *GOLDENS),
)
def cost(c: Context) -> Iterable[Relation]:
    yield from costs(c, as_compiled(c.instance.method, **c.instance.options))
