"""Code that the claims of SAG and SVRG share: the first states of their runs, L, the lazy form against the dense one,
and instances.

A context of theirs begins where ``begun`` puts it: at the extra w, or at 0; or, where the extra known is 1, at the
instance's alpha, whose table is known.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

from hypothesis.strategies import DrawFn, SearchStrategy

from dualgap.proofs_checks.claims import drawing as st
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.relations import Eq, Relation
from dualgap.proofs_checks.papers.vocabulary import MIXED_ROWS
from dualgap.proofs_checks.strategies.instances import COORDINATES, among, instances, radius2
from dualgap.reference.numbers.arithmetic import Number

FAR = Qs(5, -10, 3, -3, 20)  # starts so far from w* that f_i'(w*) is small in comparison
FIXED_GAMMA = {"squared-hinge": Q(1, 2)}
THREE_ROWS = MIXED_ROWS.but(path=(0, 1, 2, 0))
RATIOS = Qs("1/10", "1/100", 1, "1/3")


def begun(c: Context) -> Context:
    """The context, its method started."""
    return c.started(start_of)


def start_of(c: Context, other: object = None) -> Any:
    """Return the first state of the context's method, or of another one."""
    method: Any = c.method if other is None else other
    w = c.given.get("w")
    return method.init(
        c.problem, [c.q(a) for a in c.instance.alpha] if c.given.get("known") else None, None if w is None else list(w)
    )


def square_of_radius(instance: Instance) -> Fraction:
    """R^2."""
    return radius2(instance.rows)


def smoothness(c: Context) -> Number:
    """R^2/gamma + lam, from the instance."""
    return square_of_radius(c.instance) / c.gamma + c.instance.lam


def same_run(c: Context, lazy: Any, what: str) -> Iterable[Relation]:
    """Yield w, or both vectors of the view, of the context's method and of ``lazy`` after every step."""
    dense, state = begun(c).start, start_of(c, lazy)
    for t, choice in enumerate(c.instance.path, 1):
        dense, state = c.method.step(c.problem, dense, choice), lazy.step(c.problem, state, choice)
        shown = list(zip(lazy.view(c.problem, state), c.method.view(c.problem, dense)))
        for found, due in shown[:1] if what == "w" else shown:
            yield from (Eq(left, right, f"step {t}: {what}, lazy = dense") for left, right in zip(found, due))


@st.composite
def sums(
    draw: DrawFn,
    /,
    method: str,
    ratios: Sequence[Fraction],
    start: Sequence[Fraction] = COORDINATES,
    known: Sequence[int] = (0,),
    **shape: object,
) -> Instance:
    """Finite sums with lam = ratio R^2/gamma, a start w and no path; shape as for ``strategies.instances``."""
    instance: Instance = draw(instances(max_path=0, **shape))
    R2 = square_of_radius(instance)
    gamma = FIXED_GAMMA.get(instance.loss, instance.gamma or Q(1))
    lam = draw(among(ratios)) * R2 / gamma
    d, known_table = len(instance.rows[0]), further(known=draw(among(known)))
    extra = instance.extra | known_table
    if not known_table.get("known"):
        extra |= further(w=tuple(draw(among(start)) for _ in range(d)))
    return instance.but(method=method, lam=lam if lam > 0 else Q(1), extra=extra)


@st.composite
def with_holes(draw: DrawFn, /, base: SearchStrategy[Instance]) -> Instance:
    """The instance with some entries 0, so that columns stand still."""
    instance = draw(base)
    d = len(instance.rows[0])
    holes = draw(st.sets(st.integers(0, len(instance.rows) * d - 1), max_size=8))
    rows = tuple(
        tuple(Q(0) if i * d + j in holes else x for j, x in enumerate(row)) for i, row in enumerate(instance.rows)
    )
    return instance.but(rows=rows)
