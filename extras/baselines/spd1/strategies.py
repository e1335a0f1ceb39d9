"""Hypothesis strategies for SPD1 and SPD1-VR: states after a few steps, steps of one's own and those of the theory."""

from fractions import Fraction
from typing import Any

from hypothesis.strategies import DrawFn, SearchStrategy

from dualgap.proofs_checks.claims import drawing as st
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.pool import Pool
from dualgap.proofs_checks.strategies.instances import COORDINATES, K_ANY, RATIONAL, RATIONAL_SMOOTH, instances

STEPS = Qs("1/2", 1, "1/7", 3)


@st.composite
def entry_states(
    draw: DrawFn, /, base: SearchStrategy[Instance], vr: bool, own: bool | None, max_path: int, min_path: int = 0
) -> Instance:
    """An instance of SPD1 or SPD1-VR after a few steps, with a second w. own: with explicit step sizes; None: drawn."""
    instance = draw(base)
    n, d = len(instance.rows), len(instance.rows[0])
    own = draw(st.booleans()) if own is None else own
    options: dict[str, Any] = {"eta": draw(st.sampled_from(STEPS)), "tau": draw(st.sampled_from(STEPS))} if own else {}
    options |= {"m": draw(st.integers(1, 3))} if vr else {"output": "last"}
    ends = (n, n, d, d) if vr else (n, d)
    path = draw(st.lists(st.tuples(*(st.integers(0, end - 1) for end in ends)), min_size=min_path, max_size=max_path))
    w = tuple(draw(st.sampled_from(COORDINATES)) for _ in range(d))
    return instance.but(method="spd1-vr" if vr else "spd1", options=options, path=tuple(path), extra=further(w=w))


def small(
    losses: tuple[str, ...], l1: tuple[Fraction, ...] = Qs(0), max_n: int = 3, max_d: int = 3
) -> SearchStrategy[Instance]:
    """Few rows and columns, zeros among the entries, any K."""
    found = instances(K=K_ANY, losses=losses, l1=l1, max_n=max_n, max_d=max_d, max_path=0)
    return found.map(
        lambda i: i.but(alpha=tuple(max(Q(-1), min(Q(1), a)) for a in i.alpha)) if i.loss == "absolute" else i
    )


NET = Qs(0, "1/10", 1)


# Any rational loss (the steps of one's own), L2 or elastic net.
spd1_states = Pool("baselines.spd1_states", entry_states, small(RATIONAL, NET), vr=False, own=True, max_path=3)
# Smooth rational losses, both kinds of steps, L2 or elastic net.
spd1_smooth = Pool(
    "baselines.spd1_smooth", entry_states, small(RATIONAL_SMOOTH, NET, max_d=2), vr=False, own=None, max_path=3
)


def spd1_averages() -> SearchStrategy[Instance]:
    """Output "average", two to eight steps."""
    base = entry_states(small(RATIONAL_SMOOTH, NET), vr=False, own=None, max_path=8, min_path=2)
    return base.map(lambda i: i.but(options={**i.options, "output": "average"}))


# SPD1-VR: squared loss and L2.
spd1_vr_affine = Pool(
    "baselines.spd1_vr_affine", entry_states, small(("squared",), max_n=3, max_d=2), vr=True, own=None, max_path=4
)


@st.composite
def one_number(draw: DrawFn) -> Instance:
    """SPD1-VR with the steps of the theorem on one row and one column: a run without chance."""
    instance = draw(small(RATIONAL_SMOOTH, NET, max_n=1, max_d=1))
    return instance.but(method="spd1-vr", extra=further(w=(draw(st.sampled_from(COORDINATES)),)))


def spd1_vr_alone() -> SearchStrategy[Instance]:
    """Return an instance with one row and one column, well conditioned so that an epoch is short."""
    return (
        one_number()
        .filter(lambda i: any(i.rows[0]))
        .map(lambda i: i.but(lam=max(i.lam, i.rows[0][0] ** 2 / (i.gamma or Q(1, 2)))))
    )
