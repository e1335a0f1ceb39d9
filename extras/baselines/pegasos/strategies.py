"""Hypothesis strategies for Pegasos: runs of any batches."""

from hypothesis.strategies import DrawFn

from dualgap.proofs_checks.claims import drawing as st
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Instance, Qs
from dualgap.proofs_checks.strategies.instances import COORDINATES, K_ANY, instances


@st.composite
def pegasos_run(draw: DrawFn) -> Instance:
    """Hinge, d <= 3, any batches of one or two rows, no projection."""
    instance = draw(
        instances(K=K_ANY, losses=("hinge",), max_n=4, max_d=3, max_path=0, kinds=("free", "unit", "aligned", "equal"))
    )
    n = len(instance.rows)
    lam, size = draw(st.sampled_from(Qs(1, "1/2", "1/10", 3, "1/100"))), draw(st.integers(1, min(2, n)))
    batch = st.permutations(range(n)).map(lambda order: tuple(order[:size]))
    path = draw(st.lists(batch, min_size=1, max_size=7))
    u = tuple(draw(st.sampled_from(COORDINATES)) for _ in range(len(instance.rows[0])))
    options = {"k": size, "projection": False}
    return instance.but(
        lam=lam, alpha=Qs(*[0] * n), method="pegasos", options=options, path=tuple(path), extra=further(u=u)
    )
