"""Hypothesis strategies for SAG: runs, starts of trajectories, and states."""

from hypothesis.strategies import DrawFn, SearchStrategy

from dualgap.extras.baselines.primal_sums import FAR, RATIOS, sums, with_holes
from dualgap.proofs_checks.claims import drawing as st
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.pool import Pool
from dualgap.proofs_checks.strategies.instances import RATIONAL_SMOOTH, among

ANALYSED: dict[str, object] = {"step": "theory", "divide": "n", "regularizer_in_table": True}  # the SAG of the theorem
OUTSIDE: dict[str, object] = {"step": "theory", "divide": "n"}


@st.composite
def sag_runs(draw: DrawFn) -> Instance:
    """SAG with the regularizer outside the table, up to 10 steps: smooth rational losses, any step and start."""
    instance = draw(with_holes(sums("sag", RATIOS, known=(0, 1), losses=RATIONAL_SMOOTH, max_n=4, max_d=4)))
    lam, n = instance.lam, len(instance.rows)
    step = draw(st.sampled_from(("practice", "theory", "practice", Q(1, 7), 1 / lam, 3 / lam)))
    options = {"step": step, "divide": draw(among(("seen", "seen", "n")))}
    return instance.but(options=options, path=tuple(draw(st.lists(st.integers(0, n - 1), min_size=1, max_size=10))))


def sag_starts() -> SearchStrategy[Instance]:
    """Starts of the SAG of the theorem, ridge, lam >= R^2/gamma: the bound then says something after some 50 steps."""
    shape: dict[str, object] = {
        "losses": ("squared",),
        "max_n": 3,
        "max_d": 2,
        "kinds": ("equal", "aligned", "unit", "free"),
    }
    return sums("sag", Qs(1, 4, 10), start=FAR, options=ANALYSED, **shape)


# The same with the regularizer outside the table.
sag_starts_outside = Pool(
    "baselines.sag_starts_outside", lambda: sag_starts().map(lambda instance: instance.but(options=OUTSIDE))
)
