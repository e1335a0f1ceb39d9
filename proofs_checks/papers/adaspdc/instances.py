"""AdaSPDC and PDCP, the instances: what claims draw, with rational norms, or rational bounds of them, and c of (10) and
(12) rational, and what is written down.

The ratio c gamma/R is drawn, and lam = c^2 m gamma/n follows from it: R k = n/(m ratio), so a small ratio is an
ill-conditioned problem, where a wrong step shows. Norms go from 1/100 to 30.

An instance's ``extra`` may hold "w" and "before", w^0 and w^-1 (default w^0), and whole block problems (``Blocks``).
"""

from collections.abc import Sequence
from fractions import Fraction

from hypothesis.strategies import DrawFn

from dualgap.proofs_checks.claims import drawing as st
from dualgap.proofs_checks.claims.extra import Blocks, further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.pool import Pool
from dualgap.proofs_checks.papers.spdc.instances import (
    FIXED_GAMMA,
    KINDS,
    L1,
    RATIOS,
    SAMPLINGS,
    WELL,
    nonzero,
    points,
    possible,
    rational_norms,
    root_above,
    starts,
    targets,
)
from dualgap.proofs_checks.papers.vocabulary import EQUAL_PAIR
from dualgap.proofs_checks.strategies.instances import (
    COORDINATES,
    GAMMAS,
    RATIONAL_SMOOTH,
    Drawn,
    among,
    length2,
    matrices,
    nothing,
    on_sphere,
)
from dualgap.reference import L2, ElasticNet
from dualgap.reference.problem.block_losses import Separable
from dualgap.reference.problem.block_problem import BlockProblem
from dualgap.reference.problem.losses import Squared

# -- written down ------------------------------------------------------------------------------------------------------

# norms 5, 1, 2
UNEQUAL_ROWS = Instance(
    rows=(Qs(3, 4), Qs(1, 0), Qs(0, 2)), y=Qs(1, -1, 2), alpha=Qs(0, 0, 0), lam=Q(1, 3), method="adaspdc"
)
UNEQUAL_ROWS_R = UNEQUAL_ROWS.but(method="adaspdc-r", options={"preset": "a"})
UNEQUAL_HINGES = UNEQUAL_ROWS.but(y=Qs(1, -1, 1), loss="smoothed-hinge", gamma=Q(1))
ELASTIC_NET = UNEQUAL_ROWS.but(l1=Q(1, 10))
SAMPLES_OF_TWO = UNEQUAL_ROWS.but(lam=Q(2, 3), options={"m": 2})
EMPTY = Instance(rows=((Q(0),),), y=Qs(0), alpha=Qs(0), lam=Q(1, 2), gamma=Q(1), method="adaspdc")
TWO_BLOCKS = EMPTY.but(  # ||A_1||_2 = 4, Frobenius 5
    extra=Blocks(
        A=((Qs(3, 0), Qs(0, 4)), (Qs(1), Qs(0))), b=(Qs(1, -1), Qs(2)), block_loss="squared", blocks=(Qs(0, 0), Qs(0))
    )
)
THREE_CLASSES = EMPTY.but(
    rows=(Qs(3, 4), Qs(0, 1)),
    extra=Blocks(
        K=3,
        b=(0, 2),
        block_loss="multiclass-smoothed-hinge",
        blocks=(Qs("-2/3", "1/3", "1/3"), Qs("1/3", "1/3", "-2/3")),
        alpha_star=(Qs("-1/6", 0, "1/6"), Qs("2/3", "1/3", -1)),
    )
    | further(w=Qs(0, 0, 0, 0, 0, 0)),
)
PAIR = EQUAL_PAIR.but(  # two equal rows, k = 200: the lines of the proof are nearly equalities
    y=Qs(0, 0),
    alpha=Qs(1, -1),
    lam=Q(1, 20000),
    method="adaspdc-r",
    options={"preset": "b"},
    extra=further(w=Qs(1), before=Qs(2)),
)
TRIPLE = PAIR.but(
    rows=(Qs(3), Qs(1), Qs(3)),
    y=Qs(0, 0, 1),
    alpha=Qs(1, -1, 2),
    lam=Q(2, 3) * Q(9, 40000),
    options={"preset": "b", "m": 2},
)


Rows = tuple[tuple[Fraction, ...], ...]
UNITS = (Qs(1), Qs("3/5", "4/5"), Qs("-4/5", "3/5"), Qs(0, 1), Qs("2/3", "-1/3", "2/3"))


def norm(row: Sequence[Fraction]) -> Fraction:
    """||row||, or a rational bound of it where it is irrational."""
    return root_above(length2(row))


@st.composite
def sampled(draw: DrawFn, /, n: int, m: int, max_path: int) -> tuple[dict[str, object], tuple[object, ...]]:
    """The options m and sampling, and a path."""
    sampling = draw(among([s for s in SAMPLINGS if s != "partition" or n % m == 0]))
    choices = st.lists(st.sampled_from(possible(sampling, n, m)), max_size=max_path)
    return {"m": m, "sampling": sampling}, tuple(draw(choices))


@st.composite
def instances(
    draw: DrawFn,
    /,
    method: str = "adaspdc-r",
    losses: Sequence[str] = RATIONAL_SMOOTH,
    l1: Sequence[Fraction] = L1,
    ratios: Sequence[Fraction] = RATIOS,
    max_n: int = 4,
    max_d: int = 3,
    max_path: int = 2,
    free: bool = True,
    anywhere: bool = False,
    batches: bool = True,
    extra: Drawn = nothing,
) -> Instance:
    """Draw an instance with rows.

    free : independent "w" and "before" half of the time, else only w^0. anywhere : alpha outside the domain half of
        the time.
    batches : any m.
    """
    loss, n = draw(among(losses)), draw(st.integers(1, max_n))
    y = tuple(draw(targets(loss)) for _ in range(n))
    m = draw(st.integers(1, n)) if batches else 1
    rows, options = draw(rational_norms(n, max_d)), {}
    if draw(st.booleans()):
        rows = nonzero(draw(matrices(y, max_d, KINDS)))
        options["norms"] = tuple(norm(row) for row in rows)
    if method == "adaspdc":
        rows = tuple(row if any(row) else tuple(Q(int(j == 0)) for j in range(len(row))) for row in rows)
        options = {"norms": tuple(norm(row) for row in rows)} if options else {}
    else:
        options["preset"] = draw(among("ab"))
    drawn, path = draw(sampled(n, m, max_path))
    gamma = draw(among(GAMMAS)) if loss not in FIXED_GAMMA else None
    c = draw(among(ratios)) * max(norm(row) for row in rows) / FIXED_GAMMA.get(loss, gamma or Q(1))
    return Instance(
        rows=rows,
        y=y,
        lam=c * c * m * FIXED_GAMMA.get(loss, gamma or Q(1)) / n,
        loss=loss,
        gamma=gamma,
        l1=draw(among(l1)),
        method=method,
        options={**options, **drawn},
        alpha=tuple(draw(starts(loss, v, anywhere)) for v in y),
        path=path,
        extra=draw(points(len(rows[0]), free)) | extra(draw),
    )


# -- blocks ------------------------------------------------------------------------------------------------------------


@st.composite
def block(draw: DrawFn, /, d: int) -> tuple[Rows, Fraction]:
    """A_i of shape (d, q_i) and its spectral norm: of rank one, or orthogonal columns along axes."""
    size = draw(among(Qs(1, 1, 2, "1/2", 5, 30, "1/100")))
    if draw(st.booleans()):
        u, a = draw(among(UNITS)), on_sphere([draw(among(Qs(0, 1, -1, "1/2", "1/3"))) for _ in range(d - 1)])
        return tuple(tuple(size * x * v for v in u) for x in a), size
    q = draw(st.integers(1, d))
    scales = [size] + [size * draw(among(Qs(0, 1, "-3/4"))) for _ in range(q - 1)]
    order = draw(st.permutations(range(d)))
    return tuple(tuple(scales[k] if order[k] == j else Q(0) for k in range(q)) for j in range(d)), size


@st.composite
def block_instances(
    draw: DrawFn,
    /,
    ratios: Sequence[Fraction] = RATIOS,
    max_n: int = 3,
    max_path: int = 2,
    free: bool = True,
    method: str = "adaspdc-r",
) -> Instance:
    """Blocks of different sizes, squared loss, L2 or elastic net, and a planted saddle point: b_i = A_i^T w* - gamma
    alpha*_i with w* = w(alpha*).
    """
    n, d = draw(st.integers(1, max_n)), draw(st.integers(1, 3))
    blocks, gamma, m = [draw(block(d)) for _ in range(n)], draw(among(GAMMAS)), draw(st.integers(1, n))
    c = draw(among(ratios)) * max(R for _, R in blocks) / gamma
    lam, l1, A = c * c * m * gamma / n, draw(among(L1)), tuple(rows for rows, _ in blocks)
    start, star = (tuple(tuple(draw(st.sampled_from(COORDINATES)) for _ in rows[0]) for rows in A) for _ in range(2))
    zeros = [[0] * len(a) for a in star]
    problem = BlockProblem(A, zeros, Separable(Squared(gamma)), ElasticNet(lam, l1) if l1 else L2(lam), number=Fraction)
    w = problem.w(list(star))
    b = tuple(tuple(z - gamma * a for z, a in zip(problem.dot(x, w), a_i)) for x, a_i in zip(problem.rows, star))
    drawn, path = draw(sampled(n, m, max_path))
    options = drawn if method == "adaspdc" else {**drawn, "preset": draw(among("ab"))}
    base = EMPTY.but(lam=lam, gamma=gamma, l1=l1, method=method, options=options, path=path)
    planted = Blocks(b=b, block_loss="squared", A=A, blocks=start, alpha_star=star)
    return base.but(extra=planted | draw(points(d, free)))


# -- the named pools ---------------------------------------------------------------------------------------------------

MODERATE = (*WELL, Q(1, 10))


# The published method, any rows but zero ones, every rational smooth loss, reachable and constructed states.
published = Pool("adaspdc.published", instances, method="adaspdc")
# The repaired method, both presets, zero rows included, alpha^0 outside the domain half of the time.
repaired = Pool("adaspdc.repaired", instances, anywhere=True)
# The repaired method on blocks.
repaired_blocks = Pool("adaspdc.repaired_blocks", block_instances)
# The published method on blocks.
published_blocks = Pool("adaspdc.published_blocks", block_instances, method="adaspdc")


# Starts of runs of the repaired method, w_bar^0 = w^0.
runs = Pool("adaspdc.runs", instances, max_n=3, max_d=2, max_path=0, free=False, ratios=MODERATE, anywhere=True)
# The same on blocks.
runs_of_blocks = Pool("adaspdc.runs_of_blocks", block_instances, max_n=2, max_path=0, free=False, ratios=MODERATE)
