"""PASSCoDe, the instances: what claims draw, and the ones that are written down."""

from collections.abc import Sequence

from hypothesis.strategies import DrawFn, SearchStrategy

from dualgap.proofs_checks.claims import drawing as st
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.pool import Pool
from dualgap.proofs_checks.strategies.instances import COORDINATES, K_ANY, RATIONAL, RATIONAL_SMOOTH, instances


def rational(losses: Sequence[str] = RATIONAL, **limits: object) -> SearchStrategy[Instance]:
    """L2, any lam."""
    return instances(K=K_ANY, losses=losses, **limits)


@st.composite
def interleavings(
    draw: DrawFn, /, names: Sequence[str], delays: Sequence[int], losses: Sequence[str] = RATIONAL, lossy: bool = False
) -> Instance:
    """3 to 6 steps by two or three workers, mostly in turn, any visibility; lossy: any component writes are lost."""
    instance = draw(rational(losses, max_n=3, max_d=2, max_path=0))
    threads, n = draw(st.integers(2, 3)), len(instance.rows)
    skip, masks = st.sampled_from((0, 0, 0, 1)), st.sampled_from((0, 0, -1, 1, 2, 21))
    path = []
    for t in range(draw(st.integers(3, 6))):
        lost = (draw(st.integers(0, 3)),) if lossy else ()
        path.append(((t + draw(skip)) % threads, (t + draw(skip)) % n, draw(masks), *lost))
    options = {"threads": threads, "delay": draw(st.sampled_from(delays))}
    return instance.but(method=draw(st.sampled_from(names)), options=options, path=tuple(path))


def scalings() -> SearchStrategy[Instance]:
    """Every rational loss, L2, one worker, and a w that is not w(alpha)."""

    def with_w(instance: Instance) -> SearchStrategy[Instance]:
        d = len(instance.rows[0])
        point = st.lists(st.sampled_from(COORDINATES), min_size=d, max_size=d).map(tuple)
        return point.map(lambda w: instance.but(extra=further(w=w)))

    return rational(max_n=3, max_path=1, method="passcode-atomic").flatmap(with_w)


# All three variants at tau = 0, several workers, arbitrary visibility.
undelayed = Pool("passcode.undelayed", interleavings, ("passcode-lock", "passcode-atomic", "passcode-wild"), (0,))
# Lock under tau up to 3.
locked = Pool("passcode.locked", interleavings, ("passcode-lock",), (1, 2, 3))
# Atomic under tau up to 3.
delayed = Pool("passcode.delayed", interleavings, ("passcode-atomic",), (1, 2, 3))
# Wild with arbitrary lost component writes; losses whose optimum is rational.
wild = Pool("passcode.wild", interleavings, ("passcode-wild",), (0, 1, 2), losses=RATIONAL_SMOOTH, lossy=True)
# Every rational loss, L2, tau = 0.
duals = Pool("passcode.duals", rational, method="passcode-atomic")
# Squared loss, L2, tau = 0.
squared_duals = Pool("passcode.squared_duals", rational, ("squared",), method="passcode-atomic")


# -- written down ------------------------------------------------------------------------------------------------------


def orthonormal(n: int) -> Instance:
    """x_i = e_i, C = 1, l_i(v) = (v - 1)^2/2, from a = 0."""
    rows = tuple(tuple(Q(int(i == j)) for j in range(n)) for i in range(n))
    return Instance(rows, Qs(1) * n, Qs(0) * n, Q(1, n), method="passcode-atomic")


# two overlapping rows; worker 1 does not see the write of worker 0, which is in flight
PAIR = orthonormal(2).but(
    rows=(Qs(1, 0), Qs(1, 1)),
    y=Qs(1, -1),
    options={"threads": 2, "delay": 1},
    extra=further(w=Qs(1, 2)),
    path=((0, 0, 0), (1, 1, 0)),
)
LOST_WRITE = orthonormal(3).but(  # steps 1, 2, 3; in the second the write to component 1 is lost
    rows=(Qs(1, 0), Qs(1, 1), Qs(0, -1)),
    y=Qs(1, -1, 1),
    method="passcode-wild",
    options={"threads": 2},
    extra=further(w_star=Qs("1/4", "-3/4"), w_hat=Qs("7/16", "-13/16"), w_bar=Qs("-1/16", "-13/16")),
    path=((0, 0, -1, 0), (1, 1, -1, 1), (0, 2, -1, 0)),
)
