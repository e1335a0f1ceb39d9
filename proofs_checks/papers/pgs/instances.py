"""PGS, the instances: what claims draw (norms, runs, trees), and the ones that are written down.

Where all is rational the claims are exact: p = 2 on R^d; on a Euclidean ball vectors of rational norm; p = 3/2 and the
like along the rays of FAMILIES, all of whose norms are rational (two-dimensional ones there are none for p = 3/2:
Fermat), and in one dimension. Other vectors are for enclosures.

A run is an instance of method pgs with output "last" and its batches as the path.
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction

from hypothesis.strategies import DrawFn, SearchStrategy

from dualgap.proofs_checks.claims import drawing as st
from dualgap.proofs_checks.claims.extra import Extras, further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.pool import Pool
from dualgap.proofs_checks.papers.pgs.setting import LIPSCHITZ, power, signed
from dualgap.proofs_checks.papers.vocabulary import LONE_ROW
from dualgap.proofs_checks.strategies.instances import (
    GAMMAS,
    RATIONAL_SMOOTH,
    TARGETS,
    among,
    matrices,
    on_sphere,
    vectors,
)
from dualgap.reference.methods.sampling import batches

EXPONENTS = Qs("3/2", "4/3", "9/5", "6/5", "11/10", "19/10", "101/100", 2)
BALLS = (None, *Qs(1, "1/3", 3, "1/1000"))
SIGMAS = Qs(1, "1/2", "1/10", 2, "3/7", "1/100")
FAMILIES = {  # p to the rays of which all norms are rational: sum |v_j|^q is a perfect q-th power, sum |v_j|^p its own
    Q(3, 2): (Qs(3, 4, 5), Qs(1, 6, 8), Qs(1, 0, 0), Qs(*[1] * 8)),
    Q(4, 3): (Qs(1, 0), Qs(*[1] * 16), Qs(30, 120, 272, 315)),
    Q(9, 5): (Qs(1), Qs(0, 1)),
    Q(11, 10): (Qs(1), Qs(0, 1, 0)),
    Q(101, 100): (Qs(1),),
}
DRAWN_LOSSES = ("hinge", "hinge", "squared", "smoothed-hinge", "absolute", "squared-hinge")
SLOPES = Qs(1, -1, 2, "-1/2", "3/10", 5, 0)


HINGE = LONE_ROW.but(loss="hinge", method="pgs", options={"output": "last"})


# -- norms: theta, theta + h and a competitor w ------------------------------------------------------------------------


def norm_instance(p: Fraction, ball: Fraction | None, vectors: Extras) -> Instance:
    """An instance that is only a regularizer, sigma = 1, and some vectors."""
    d = len(next(iter(vectors.plain().values())))
    return HINGE.but(rows=(Qs(0) * d,), p=p, ball=ball, extra=vectors)


@st.composite
def norms(draw: DrawFn) -> Instance:
    """Any p < 2, d <= 4, R^d or a ball; theta, h != 0 and w."""
    d = draw(st.integers(1, 4))
    theta, h, w = (draw(vectors(d)) for _ in range(3))
    e = tuple(Q(int(j == 0)) for j in range(d))
    h = h if any(h) else e
    return norm_instance(draw(among(EXPONENTS[:-1])), draw(among(BALLS)), further(theta=theta, h=h, w=w))


# Any p < 2, S = R^d: for enclosures.
norms_free = Pool("pgs.norms_free", lambda: norms().map(lambda i: i.but(ball=None)))


@st.composite
def norms_euclidean(draw: DrawFn) -> Instance:
    """p = 2; theta, theta + h and w of rational norm, R^d or a ball."""
    d = draw(st.integers(1, 3))
    parameter, length = st.sampled_from(Qs(0, 1, -1, "1/2", "1/3", 2)), st.sampled_from(Qs(0, 1, "1/2", 3, "1/100", 7))

    def drawn() -> tuple[Fraction, ...]:
        size = draw(length)
        return tuple(size * x for x in on_sphere([draw(parameter) for _ in range(d - 1)]))

    theta, to, w = drawn(), drawn(), drawn()
    return norm_instance(Q(2), draw(among(BALLS)), further(theta=theta, h=tuple(b - a for a, b in zip(theta, to)), w=w))


@st.composite
def ray(draw: DrawFn, /, p: Fraction) -> tuple[Fraction, ...]:
    """A vector of rational p- and q-norm: a member of the family, its entries permuted, their signs changed."""
    member = draw(st.permutations(draw(among(FAMILIES[p]))))
    return tuple(draw(among((1, -1))) * x for x in member)


@st.composite
def norms_rays(draw: DrawFn) -> Instance:
    """p < 2: theta on a ray and w the gradient of r* at a multiple of a permuted one; no h."""
    p = draw(among(list(FAMILIES)))
    theta = draw(ray(p))
    other = draw(st.permutations(theta))
    size, length = draw(among(Qs(1, "1/7", 12, 0))), draw(among(Qs(1, "1/2", 10, "1/100", -1)))
    w = aligned(other, p, length)
    return norm_instance(p, draw(among(BALLS)), further(theta=tuple(size * x for x in theta), w=w))


def aligned(x: Sequence[Fraction], p: Fraction, length: Fraction) -> tuple[Fraction, ...]:
    """length sgn(x_j) (|x_j|/max |x_j|)^(q-1)."""
    largest = max(abs(x_j) for x_j in x)
    return tuple(signed(x_j, length * power(abs(x_j) / largest, 1 / (p - 1))) if x_j else Q(0) for x_j in x)


# -- runs --------------------------------------------------------------------------------------------------------------


@st.composite
def targets(draw: DrawFn, /, loss: str, n: int) -> tuple[Fraction, ...]:
    """n labels, or targets."""
    return tuple(draw(among(TARGETS if loss in ("squared", "absolute") else Qs(1, -1))) for _ in range(n))


@st.composite
def with_path(draw: DrawFn, /, base: Instance, max_path: int) -> Instance:
    """The instance with k, a sampling and the batches drawn."""
    n = len(base.rows)
    k, sampling = draw(st.integers(1, n)), draw(among(("subset", "replacement")))
    path = draw(st.lists(st.sampled_from([b for b, _ in batches(sampling, n, k)]), min_size=1, max_size=max_path))
    return base.but(method="pgs", options={"k": k, "output": "last", "sampling": sampling}, path=tuple(path))


@st.composite
def plain_run(
    draw: DrawFn,
    /,
    losses: Sequence[str] = DRAWN_LOSSES,
    max_n: int = 3,
    max_d: int = 3,
    max_path: int = 5,
    l1: Sequence[Fraction] = Qs(0),
) -> Instance:
    """A run with p = 2 on R^d, written as L2 or as a p-norm, or with an elastic net; a comparator u."""
    loss, n, net = draw(among(losses)), draw(st.integers(1, max_n)), draw(among(l1))
    y = draw(targets(loss, n))
    rows = draw(matrices(y, max_d, ("free", "unit", "aligned", "equal")))
    base = draw(weighted(rows, y, loss)).but(l1=net, p=None if net else draw(among((None, Q(2)))))
    return draw(with_path(base.but(extra=further(u=draw(vectors(len(rows[0]))))), max_path))


@st.composite
def weighted(draw: DrawFn, /, rows: tuple[tuple[Fraction, ...], ...], y: tuple[Fraction, ...], loss: str) -> Instance:
    """These rows from alpha = 0, with a sigma and a gamma."""
    lam = draw(among(SIGMAS))
    return Instance(rows, y, Qs(0) * len(y), lam, loss, draw(gammas(loss)))


def gammas(loss: str) -> SearchStrategy[Fraction | None]:
    """gamma, where the loss has one to choose; 1/2 is the paper's least squares."""
    return st.sampled_from((*GAMMAS, Q(1, 2))) if loss in ("squared", "smoothed-hinge") else st.none()


@st.composite
def ray_run(
    draw: DrawFn, /, losses: Sequence[str] = DRAWN_LOSSES, max_n: int = 3, max_d: int = 16, max_path: int = 5
) -> Instance:
    """A run with all rows multiples of one vector of rational norm, R^d or a ball; a comparator u of rational norm."""
    p = draw(among((*FAMILIES, Q(2))))
    x = Qs(1) if max_d == 1 else draw(directions()) if p == Q(2) else draw(ray(p))
    loss, n = draw(among(losses)), draw(st.integers(1, max_n))
    y, slopes = draw(targets(loss, n)), [draw(among(SLOPES)) for _ in range(n)]
    rows = tuple(tuple(slope * x_j for x_j in x) for slope in slopes)
    base = draw(weighted(rows, y, loss)).but(p=p, ball=draw(among(BALLS)))
    u = aligned(x, p, draw(among(Qs(0, 1, -1, "1/3", 7))))
    return draw(with_path(base.but(extra=further(u=u)), max_path))


@st.composite
def directions(draw: DrawFn) -> tuple[Fraction, ...]:
    """A rational unit vector, d <= 3."""
    return on_sphere([draw(among(Qs(0, 1, "1/2"))) for _ in range(draw(st.integers(0, 2)))])


runs = Pool("pgs.runs", plain_run)  # p = 2 on R^d.
runs_net = Pool("pgs.runs_net", plain_run, l1=Qs("1/10", "1/2", 2))  # Elastic net.
# Any p, R^d or a ball, all numbers rational.
runs_rays = Pool("pgs.runs_rays", ray_run)


runs_line = Pool("pgs.runs_line", ray_run, max_d=1)  # d = 1, any p, R^d or a ball.
# p = 2 on R^d; hinge, smoothed hinge and absolute.
runs_lipschitz = Pool("pgs.runs_lipschitz", plain_run, losses=LIPSCHITZ)
# Any p, R^d or a ball, all numbers rational; hinge, smoothed hinge and absolute.
runs_rays_lipschitz = Pool("pgs.runs_rays_lipschitz", ray_run, losses=LIPSCHITZ)


# -- trees -------------------------------------------------------------------------------------------------------------

NODES = 100


@st.composite
def tree(draw: DrawFn, /, losses: Sequence[str], outputs: Sequence[str], plane: bool = False) -> Instance:
    """n <= 3 rows, T <= 4 rounds, at most NODES paths; d = 1, any p, R^d or a ball, or p = 2 on the plane."""
    loss, n = draw(among(losses)), draw(st.integers(1, 3))
    y, d = draw(targets(loss, n)), 2 if plane else 1
    base = draw(weighted(tuple(draw(vectors(d)) for _ in range(n)), y, loss))
    if not plane:
        base = base.but(p=draw(among((*EXPONENTS, Q(2), Q(2)))), ball=draw(among(BALLS)))
    base = base.but(extra=further(u=draw(vectors(d)), v=draw(vectors(d))))
    instance: Instance = draw(with_path(base, 1))
    options = {**instance.options, "output": draw(among(outputs))}
    outcomes = len(batches(options["sampling"], n, options["k"]))
    most = max(T for T in range(1, 5) if T == 1 or outcomes**T <= NODES)
    return instance.but(path=(), options=options, extra=instance.extra | further(T=draw(st.integers(1, most))))


# Every rational loss, d = 1, R^d or a ball, the paper's output and the average.
trees = Pool("pgs.trees", tree, losses=DRAWN_LOSSES, outputs=("average", "random"))
# The same, with the iterates themselves as output.
trees_last = Pool("pgs.trees_last", tree, losses=DRAWN_LOSSES, outputs=("last",))
# Smooth losses, p = 2, d = 2.
trees_plane = Pool("pgs.trees_plane", tree, losses=RATIONAL_SMOOTH, outputs=("average", "random"), plane=True)


# -- written down ------------------------------------------------------------------------------------------------------


def run_of(rows: Iterable[tuple[Q, ...]], y: tuple[Q, ...], order: str, lam: Q = Q(1), **fields: object) -> Instance:
    """A run of hinge, k = 1, with the rows of ``order``, counted from 1."""
    rows, options = tuple(rows), {"k": 1, "output": "last", "sampling": "subset"}
    base = Instance(rows=rows, y=y, alpha=(Q(0),) * len(y), lam=lam, loss="hinge", method="pgs", options=options)
    return base.but(path=tuple((int(i) - 1,) for i in order), extra=further(u=rows[0]), **fields)


HINGE_RUN = run_of((Qs(1, 0), Qs(1, 1), Qs(-1, 2)), Qs(1, -1, 1), "123213", Q(1, 2))
HINGE_PAIRS = HINGE_RUN.but(options={**HINGE_RUN.options, "k": 2}, path=((0, 1), (1, 2), (0, 2)))
ONE_SAMPLE = HINGE.but(extra=further(T=1))  # one row: the sample is the population
# w_1 depends on the row that was drawn, and so does the minimum of c_1
TWO_ROWS = ONE_SAMPLE.but(rows=(Qs(1), Qs(2)), y=Qs(1, -1), alpha=Qs(0, 0))
LATE_OUTPUT = ONE_SAMPLE.but(lam=Q(1, 10), loss="absolute")  # |w - 1| at T = 1, w_1 = 5
LATE = LATE_OUTPUT.but(path=((0,),))
OPPOSED = run_of((Qs(1), Qs(1)), Qs(1, -1), "111111")
