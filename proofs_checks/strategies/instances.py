"""Hypothesis strategies that reach the hard cases: kinks, thresholds, equality cases, zero and equal rows.

Everything is rational and small, so that shrinking ends at a counterexample that you can check by hand. The
ratio K = R^2/(lam n gamma) is drawn, and lam follows from it: the boundaries K = 1/4, 1/2 and 1 are hit
exactly, not nearly.
"""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from hypothesis.strategies import DrawFn, SearchStrategy

from dualgap.proofs_checks.claims import drawing as st
from dualgap.proofs_checks.claims.extra import Extras, as_tuples, further
from dualgap.proofs_checks.claims.instance import Instance, NumbersInstance, Q, Qs, SystemInstance
from dualgap.proofs_checks.claims.pool import Pool
from dualgap.proofs_checks.engines.integers import over_one_denominator
from dualgap.proofs_checks.engines.optimum import has_one_solution
from dualgap.reference import LOSSES
from dualgap.reference.problem.losses import losses

COORDINATES = Qs(0, 1, -1, "1/2", "-1/2", "3/5", "-4/5", 2, "-3/2", "1/3")
TARGETS = Qs(0, 1, -1, 2, "-1/2", 5, -100)
INSIDE = Qs(0, 1, "1/2", "1/3", "1/4", "9/10", "499/1000", "501/1000", "1/1000000")  # b in [0, 1]
K_PAPER = Qs("1/4", "1/4", "1/5", "1/20", "1/1000")
K_SHARP = (*K_PAPER, *Qs("1/2", "9/10", "999/1000", 1))
K_ANY = (*K_SHARP, *Qs("1001/1000", 2, 4))
GAMMAS = Qs(1, "1/2", "1/4", 3)
# without the losses that other people have registered: a claim draws what its file says
SMOOTH, RATIONAL = losses(smooth=True, foreign=False), losses(rational=True, foreign=False)
RATIONAL_SMOOTH = losses(smooth=True, rational=True, foreign=False)

SIGNS, UNITS = Qs(1, -1), Qs(1, 1, -1)
NOISE, PARAMETERS, NORMS = Qs(0, "1/5", "-1/5", "1/3"), Qs(0, 1, -1, "1/2", "1/3", 2), Qs(1, 1, "3/2")
REAL, NO_UPPER_END, KAPPAS = Qs(0, 1, -1, "1/2", -2, "7/3"), INSIDE + Qs(2, "7/2"), Qs(0, 0, 1, "1/3")
# of the last row: nothing, twice; 0; the first row again; a millionth and a hundred times of it
SPOILT = (None, None, Q(0), "duplicate row", Q(1, 10**6), Q(100))

among, whole = st.sampled_from, st.integers


def vectors(d: int) -> SearchStrategy[tuple[Fraction, ...]]:
    """d coordinates."""
    return st.lists(among(COORDINATES), min_size=d, max_size=d).map(tuple)


def length2(row: Sequence[Fraction]) -> Fraction:
    """||row||^2: integers over one denominator, which takes a third of the time of Fractions.

    >>> length2(Qs("1/2", "2/3"))
    Fraction(25, 36)
    """
    (whole,), divisor = over_one_denominator([row])
    return Q(sum([x * x for x in whole]), divisor * divisor)


def radius2(rows: Sequence[Sequence[Fraction]]) -> Fraction:
    """R^2, the largest ||x_i||^2."""
    return max(map(length2, rows))


def on_sphere(parameters: Sequence[Fraction]) -> tuple[Fraction, ...]:
    """A rational unit vector: the stereographic image (2v, 1 - |v|^2)/(1 + |v|^2) of d - 1 parameters."""
    square = length2(parameters)
    return (*(2 * v / (1 + square) for v in parameters), (1 - square) / (1 + square))


@st.composite
def matrices(
    draw: DrawFn,
    /,
    y: tuple[Fraction, ...],
    max_d: int,
    kinds: Sequence[str],
    min_d: int = 1,
    coordinates: Sequence[Fraction] = COORDINATES,
) -> tuple[tuple[Fraction, ...], ...]:
    """n rows of one kind (free, unit, aligned with the labels, equal up to sign, orthonormal), then spoiled."""
    n, d = len(y), draw(whole(min_d, max_d))
    kind = draw(among(kinds))
    coordinate = among(coordinates)
    if kind == "orthonormal":
        return tuple(tuple(Q(int(i == j)) for j in range(n)) for i in range(n))
    if kind == "equal":
        return tuple((draw(among(UNITS)),) for _ in range(n))
    if kind == "aligned":  # x_i = y_i (e_1 + noise): the quadratic zone of the hinge losses is reached
        noise = among(NOISE)
        return tuple(tuple((1 if v >= 0 else -1) * (int(j == 0) + draw(noise)) for j in range(d)) for v in y)
    unit = kind == "unit"
    rows = [
        on_sphere([draw(coordinate) for _ in range(d - 1)]) if unit else tuple(draw(coordinate) for _ in range(d))
        for _ in range(n)
    ]
    spoilt = draw(among(SPOILT))
    if spoilt == "duplicate row":
        rows[-1] = rows[0]
    elif spoilt is not None:
        rows[-1] = tuple(x * spoilt for x in rows[-1])
    return tuple(rows)


def dual_points(loss: str, y: Fraction) -> SearchStrategy[Fraction]:
    """alpha_i inside the domain, its corners and its middle included."""
    (low, high), margin = LOSSES[loss].ends, LOSSES[loss].margin
    if low is None and high is None:
        return among(REAL)
    if high is None:
        return among(NO_UPPER_END).map(lambda b: -y * b)
    if not margin and low is not None:  # targets are beyond the ends
        least, most = Q(low), Q(high)
        return among(INSIDE).map(lambda b: max(least, min(most, -y * b)))
    return among(INSIDE).map(lambda b: -y * b)


def _paths(n: int, longest: int) -> SearchStrategy[list[int]]:
    return st.lists(whole(0, n - 1), max_size=longest)


Drawn = Callable[[DrawFn], Extras]


def nothing(draw: DrawFn) -> Extras:
    """No further numbers."""
    return Extras()


def any_of(kind: Callable[..., Extras] = further, /, **values: Sequence[object] | SearchStrategy[object]) -> Drawn:
    """Further numbers, each drawn among the values given for it; with a class of records, such a record.

    Parameters
    ----------
    kind : a class of records (``Extra``), or ``further`` for numbers by name.
    values : for each name the values among which it is drawn, or a strategy that draws it. A list becomes a tuple.
    """
    fields = {
        name: choices if isinstance(choices, SearchStrategy) else st.sampled_from(choices)
        for name, choices in values.items()
    }
    return lambda draw: kind(**{name: as_tuples(draw(field)) for name, field in fields.items()})


@st.composite
def numbers(draw: DrawFn, /, **values: Sequence[object] | SearchStrategy[object]) -> NumbersInstance:
    """Numbers alone, each drawn among the values given for it.

    Parameters
    ----------
    values : for each name the values among which it is drawn, or a strategy that draws it: a rational, a whole number,
        a word, or tuples or lists of them.
    """
    return NumbersInstance(any_of(**values)(draw))


@st.composite
def instances(
    draw: DrawFn,
    /,
    K: Sequence[Fraction] = K_PAPER,
    losses: Sequence[str] = RATIONAL_SMOOTH,
    l1: Sequence[Fraction] = Qs(0),
    max_n: int = 4,
    max_d: int = 3,
    max_path: int = 3,
    kinds: Sequence[str] = ("free", "unit", "aligned", "equal", "orthonormal"),
    extra: Drawn = nothing,
    min_n: int = 1,
    min_d: int = 1,
    coordinates: Sequence[Fraction] = COORDINATES,
    **fixed: Any,
) -> Instance:
    """Instances with R^2/(lam n gamma) in ``K``, a start inside the domain, and a few steps already made.

    Parameters
    ----------
    K : the values of R^2/(lam n gamma) that occur.
    losses, l1 : which occur; by default the smooth rational losses of dualgap, and no l1.
    max_n, max_d, max_path : the most rows, columns, and steps before the check looks.
    kinds : of the rows: free, of norm 1, aligned, equal, orthonormal.
    extra : further numbers, drawn (``any_of``).
    min_n, min_d : the fewest rows and columns.
    coordinates : of free rows.
    fixed : other fields of ``Instance``, the same for all: method, options, p, ball.
    """
    loss = draw(among(losses))
    n = draw(whole(min_n, max_n))
    kind = LOSSES[loss]
    y = tuple(draw(among(SIGNS if kind.margin else TARGETS)) for _ in range(n))
    gamma = draw(among(GAMMAS)) if kind.adjustable else None
    able = [name for name in kinds if not (name == "equal" and min_d > 1 or name == "orthonormal" and n < min_d)]
    rows = draw(matrices(y, max_d, able, min_d, coordinates))
    ratio = draw(among(K))
    R2 = radius2(rows)
    lam = R2 / (n * (gamma or kind.default_gamma or Q(1)) * ratio) if R2 else Q(1)
    return Instance(
        rows=rows,
        y=y,
        lam=lam,
        loss=loss,
        gamma=gamma,
        l1=draw(among(l1)),
        alpha=tuple(draw(dual_points(loss, v)) for v in y),
        path=tuple(draw(_paths(n, max_path))),
        extra=extra(draw),
        **fixed,
    )


def systems(
    max_n: int = 4,
    max_d: int = 3,
    max_path: int = 3,
    extra: Drawn = nothing,
    min_n: int = 1,
    min_d: int = 1,
    square: bool = False,
    kinds: Sequence[str] = ("free", "unit", "equal", "orthonormal"),
    coordinates: Sequence[Fraction] = COORDINATES,
    **fixed: object,
) -> SearchStrategy[SystemInstance]:
    """Systems A x = b with one solution, which is drawn: zero, equal, tiny and huge rows; a start, and a path over rows
    that are not 0.

    Parameters
    ----------
    max_n, max_d, max_path : the most rows, columns, and steps before the check looks; orthonormal rows have as many
        columns as rows.
    extra : further numbers, drawn (``any_of``).
    min_n, min_d : the fewest rows and columns.
    square : whether there are as many columns as rows.
    kinds : of the rows: free, of norm 1, equal, orthonormal.
    coordinates : of free rows, of the solution and of the start.
    fixed : other fields of ``SystemInstance``, the same for all: method, options.
    """
    sizes = (min_n, min(max_n, max_d) if square else max_n, min_d, max_d, max_path)
    if square:
        kinds = [kind for kind in kinds if kind != "equal"]

    def has_the_sizes(made: SystemInstance) -> bool:
        n, d = len(made.rows), len(made.rows[0])
        return min_d <= d and (n == d if square else True)

    return _systems(sizes, extra, kinds, coordinates, square, fixed).filter(
        lambda made: has_the_sizes(made) and any(map(any, made.rows)) and has_one_solution(made.problem())
    )


@st.composite
def _systems(
    draw: DrawFn,
    /,
    sizes: tuple[int, int, int, int, int],
    extra: Drawn,
    kinds: Sequence[str],
    coordinates: Sequence[Fraction],
    square: bool,
    fixed: dict[str, Any],
) -> SystemInstance:
    min_n, max_n, min_d, max_d, max_path = sizes
    n = draw(whole(max(min_n, min_d), max_n))
    rows = draw(matrices(Qs(1) * n, min(n, max_d), kinds, n if square else min_d, coordinates))
    points = st.tuples(*[among(coordinates)] * len(rows[0]))
    solution = draw(points)
    able = [i for i, row in enumerate(rows) if any(row)]
    return SystemInstance(
        rows=rows,
        b=tuple(sum((a * x for a, x in zip(row, solution)), Q(0)) for row in rows),
        start=draw(points),
        path=tuple(draw(st.lists(among(able), max_size=max_path))) if able else (),
        extra=extra(draw),
        **fixed,
    )


# -- the named pools of the ASPDC claims ---------------------------------------------------------------------
# K <= 1/4 (the paper's condition), L2, smooth rational losses; a free q in [0, 1].
one_step_paper = Pool("strategies.one_step_paper", instances, K=K_PAPER, extra=any_of(q=Qs("1/2", 0, 1, "1/4", "9/10")))
# K <= 1, L2.
one_step_sharp = Pool("strategies.one_step_sharp", instances, K=K_SHARP, extra=any_of(q=Qs("1/2", 0, 1, "1/4", "9/10")))
# K <= 1, elastic net.
one_step_net = Pool("strategies.one_step_net", instances, K=K_SHARP, l1=Qs("1/10", "1/2", 2))
# Any K up to 4, L2 or elastic net.
one_step_any = Pool(
    "strategies.one_step_any", instances, K=K_ANY, l1=Qs(0, 0, "1/10", 1), extra=any_of(q=Qs("1/2", 0, 1, "1/4"))
)
# K < 1, logistic loss; only decimal intervals can run it.
one_step_logistic = Pool(
    "strategies.one_step_logistic", instances, K=K_SHARP[:-1], losses=("logistic",), max_n=3, max_d=2, max_path=1
)

# -- the problem itself, trajectories and boundaries of the ASPDC claims -------------------------------------------


@st.composite
def with_point(draw: DrawFn, /, base: SearchStrategy[Instance]) -> Instance:
    """An instance with a second, unrelated w, and a proximal centre of weight kappa (0 half of the time)."""
    instance = draw(base)
    vector = vectors(len(instance.rows[0]))
    kappa = draw(among(KAPPAS))
    return instance.but(extra=further(w=draw(vector)) | further(kappa=kappa, centre=draw(vector)))


# Any K, L2 or elastic net, with and without a proximal centre, a w that is not w(alpha).
points = Pool("strategies.points", with_point, instances(K=K_ANY, l1=Qs(0, 0, "1/10", 1)))
# The same for the logistic loss; only decimal intervals can run it.
points_logistic = Pool(
    "strategies.points_logistic",
    with_point,
    instances(K=K_ANY, losses=("logistic",), l1=Qs(0, "1/10"), max_n=2, max_d=2, max_path=0),
)
FEW_ROWS = {"max_n": 3, "max_d": 2, "max_path": 0}  # starts of trajectories
# K <= 1/4, L2, few rows.
paths_paper = Pool("strategies.paths_paper", instances, K=K_PAPER, **FEW_ROWS)
# K <= 1/4, L2, few rows, an accuracy eps to be reached.
paths_to_eps = Pool(
    "strategies.paths_to_eps", instances, K=K_PAPER, **FEW_ROWS, extra=any_of(eps=Qs("1/4", "1/10", "1/20", "1/1000"))
)
# K < 1, L2, few rows.
paths_sharp = Pool(
    "strategies.paths_sharp", instances, K=Qs("1/4", "1/2", "3/4", "9/10", "1/100"), max_n=3, max_d=2, max_path=0
)
# K < 1, elastic net, few rows.
paths_sharp_net = Pool(
    "strategies.paths_sharp_net", instances, K=Qs("1/4", "1/2", "3/4", "9/10"), l1=Qs("1/10", "1/2", 2), **FEW_ROWS
)
# K <= 1/4, logistic loss, at most two rows; only decimal intervals can run it.
paths_logistic = Pool(
    "strategies.paths_logistic", instances, K=K_PAPER, losses=("logistic",), max_n=2, max_d=2, max_path=0
)


@st.composite
def equal_norms(draw: DrawFn, /, K: Sequence[Fraction]) -> Instance:
    """Squared loss, L2, rows of one norm at any angles: where the one-step inequality is an equality."""
    n, d = draw(whole(1, 4)), draw(whole(1, 3))
    parameter = among(PARAMETERS)
    norm = draw(among(NORMS))
    rows = tuple(tuple(norm * x for x in on_sphere([draw(parameter) for _ in range(d - 1)])) for _ in range(n))
    gamma = draw(among(GAMMAS))
    return Instance(
        rows=rows,
        y=tuple(draw(among(TARGETS)) for _ in range(n)),
        gamma=gamma,
        alpha=tuple(draw(dual_points("squared", Q(1))) for _ in range(n)),
        lam=norm * norm / (n * gamma * draw(among(K))),
    )


# K > 1.
equal_norms_above_one = Pool("strategies.equal_norms_above_one", equal_norms, Qs("1001/1000", "3/2", 2, 4))
# lam n gamma/R^2 = 1.99.
just_below_two = Pool("strategies.just_below_two", equal_norms, Qs("100/199"))
