"""Hypothesis strategies for Pegasos: runs of any batches."""

from hypothesis.strategies import DrawFn

from dualgap.proofs_checks.claims import drawing as st
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Instance, Qs
from dualgap.proofs_checks.claims.pool import Pool
from dualgap.proofs_checks.strategies.instances import COORDINATES, K_ANY, instances


@st.composite
def pegasos_run(draw: DrawFn, /, max_d: int, projection: bool, k: int = 2, square: bool = False) -> Instance:
    """Hinge, any batches of up to k rows; square: lam is the square of a rational."""
    instance = draw(
        instances(
            K=K_ANY, losses=("hinge",), max_n=4, max_d=max_d, max_path=0, kinds=("free", "unit", "aligned", "equal")
        )
    )
    n = len(instance.rows)
    lam = draw(st.sampled_from(Qs(1, "1/4", "1/100", "9/4", 4) if square else Qs(1, "1/2", "1/10", 3, "1/100")))
    size = draw(st.integers(1, min(k, n)))
    batch = st.permutations(range(n)).map(lambda order: tuple(order[:size]))
    path = draw(st.lists(batch, min_size=1, max_size=7))
    u = tuple(draw(st.sampled_from(COORDINATES)) for _ in range(len(instance.rows[0])))
    options = {"k": size, "projection": projection}
    return instance.but(
        lam=lam, alpha=Qs(*[0] * n), method="pegasos", options=options, path=tuple(path), extra=further(u=u)
    )


# Without projection, d <= 3.
pegasos_free = Pool("baselines.pegasos_free", pegasos_run, max_d=3, projection=False)
# d = 1, with projection, lam a square: everything is rational, the minimum of a path, too.
pegasos_line = Pool("baselines.pegasos_line", pegasos_run, max_d=1, projection=True, square=True)
# With projection, d <= 3: for enclosures.
pegasos_ball = Pool("baselines.pegasos_ball", pegasos_run, max_d=3, projection=True)
