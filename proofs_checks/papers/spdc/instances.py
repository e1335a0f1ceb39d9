"""SPDC, the instances: what claims draw, with rational steps (16) and (29), and the problems that are written down.

The ratio rho gamma/R is drawn, rho = sqrt(n lam/(m gamma)), and lam = rho^2 m gamma/n follows from it. Then
R sqrt(n/(m lam gamma)) = n/(m ratio) and kappa = R^2/(lam gamma) = n/(m ratio^2): a small ratio is an ill-conditioned
problem, where a wrong step has a visible effect. R is a rational upper bound of the norms, mostly the tightest of
denominator 8. Algorithm 3 has rows of rational norm, and the mean of the norms instead of R. No instance has zero rows
only.

The instance's ``extra`` gives a state that a run from w(alpha) would not reach: "w" is w^0 and "before" is w^-1
(default w^0). ``setting.begun`` starts a context from it; alpha may lie outside the domain there.
"""

import math
from collections.abc import Iterable, Sequence
from fractions import Fraction

from hypothesis.strategies import DrawFn, SearchStrategy

from dualgap.proofs_checks.claims import drawing as st
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.extra import Extras, further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.pool import Pool
from dualgap.proofs_checks.papers.spdc.setting import constants
from dualgap.proofs_checks.strategies.instances import (
    GAMMAS,
    RATIONAL_SMOOTH,
    TARGETS,
    Drawn,
    among,
    dual_points,
    length2,
    matrices,
    nothing,
    on_sphere,
    radius2,
    vectors,
)
from dualgap.reference.methods.sampling import batches as batches_of
from dualgap.reference.numbers.arithmetic import sqrt

# -- written down ------------------------------------------------------------------------------------------------------

THREE_ROWS = Instance(  # of norm 1
    rows=(Qs("3/5", "4/5"), Qs(1, 0), Qs(0, 1)), y=Qs(1, -1, 2), alpha=Qs(0, 0, 0), lam=Q(1, 3), method="spdc"
)
THREE_HINGES = THREE_ROWS.but(y=Qs(1, -1, 1), loss="smoothed-hinge", gamma=Q(1), l1=Q(1, 10))
BATCHES_OF_TWO = THREE_ROWS.but(lam=Q(2, 3), method="spdc-minibatch", options={"m": 2})
# 5, 1, 0
UNEQUAL_NORMS = THREE_ROWS.but(rows=(Qs(3, 4), Qs(1, 0), Qs(0, 0)), method="spdc-nonuniform", options={"mix": Q(1, 2)})


def column(rows: Iterable[int | str | Q], lam: int | str | Q, **options: object) -> Instance:
    """Rows of one entry, y = 0, gamma = 1, from w^0 = 1, alpha^0 = 0; the saddle point is 0.

    With a mix the method is Algorithm 3, with an m Algorithm 2. Equal rows are the hardest: all x_i^T w agree, and an
    alpha whose entries sum to 0 does not act on w at all.
    """
    X = tuple(Qs(x) for x in rows)
    kind = "-nonuniform" if "mix" in options else "-minibatch" if "m" in options else ""
    method, zeros = f"spdc{kind}", Qs(0) * len(X)
    return Instance(X, zeros, zeros, Q(lam), gamma=Q(1), method=method, options=options, extra=further(w=Qs(1)))


def with_extra(instance: Instance, **numbers: object) -> Instance:
    """The instance with these further numbers."""
    return instance.but(extra=instance.extra | further(**numbers))


def with_theta(instance: Instance, theta: object) -> Instance:
    """The instance with another theta."""
    return instance.but(options={**instance.options, "theta": theta})


def hurried(instance: Instance, factor: Fraction) -> Instance:
    """A ``column`` of ones with ``factor`` R instead of 2R in theta, as extrapolation and as rate."""
    n, m = len(instance.rows), instance.options.get("m", 1)
    return with_theta(instance, 1 - 1 / (Q(n, m) + factor * sqrt(n / (m * instance.lam))))


HALF = Q(1, 2)
SHARP = tuple(with_theta(i, "sharp") for i in (THREE_ROWS, THREE_HINGES, BATCHES_OF_TWO))
TWO_EQUAL_ROWS = column((1, 1), "1/20000")  # kappa = 20000
HALF_R = with_extra(hurried(column((1, 1), "1/200"), HALF), horizon=120)


# -- the parts of an instance ------------------------------------------------------------------------------------------

ILL = Qs("1/10", "1/100", "1/30")
WELL = Qs(1, 2, "1/2", 10)
RATIOS = (*WELL, *ILL, *ILL)
L1 = Qs(0, 0, "1/10", 1)
SAMPLINGS = ("subset", "systematic", "partition")
FIXED_GAMMA = {"squared-hinge": Q(1, 2), "logistic": Q(4)}
NORMS = Qs(1, 1, 2, "1/2", 5, 30, "1/100", 0)
MIXES = Qs("1/2", "1/2", "4/5", "1/5", "9/10")
OUTSIDE = Qs(3, -3, "-7/2", 10)
KINDS = ("free", "unit", "aligned", "equal", "orthonormal")


def root_above(square: Fraction) -> Fraction:
    """sqrt(square) where it is rational, else an upper bound within 1/8 of the last denominator; square >= 0.

    >>> root_above(Fraction(25, 4)), root_above(Fraction(2))
    (Fraction(5, 2), Fraction(3, 2))
    """
    p, q = int(square.numerator), int(square.denominator)
    if math.isqrt(p) ** 2 == p and math.isqrt(q) ** 2 == q:
        return Fraction(math.isqrt(p), math.isqrt(q))
    return Fraction(math.isqrt(64 * p * q) + 1, 8 * q)


def nonzero(rows: tuple[tuple[Fraction, ...], ...]) -> tuple[tuple[Fraction, ...], ...]:
    """The rows, the first one e_1 where all are zero."""
    if any(x for row in rows for x in row):
        return rows
    return (tuple(Q(int(j == 0)) for j in range(len(rows[0]))), *rows[1:])


def targets(loss: str) -> SearchStrategy[Fraction]:
    """y_i: a label, or a target of the squared loss."""
    return st.sampled_from(TARGETS if loss == "squared" else Qs(1, -1))


def starts(loss: str, y: Fraction, anywhere: bool) -> SearchStrategy[Fraction]:
    """alpha_i, in the domain, or half of the time outside it."""
    inside = dual_points(loss, y)
    return st.one_of(inside, st.sampled_from(OUTSIDE)) if anywhere else inside


@st.composite
def rational_norms(draw: DrawFn, /, n: int, max_d: int) -> tuple[tuple[Fraction, ...], ...]:
    """n rows of rational norm in any directions: zero rows, equal rows, norms from 1/100 to 30."""
    d = draw(st.integers(1, max_d))
    parameter = st.sampled_from(Qs(0, 1, -1, "1/2", "1/3", 2))
    rows = []
    for _ in range(n):
        norm, sign = draw(among(NORMS)), draw(among((1, -1)))
        rows.append(tuple(sign * norm * x for x in on_sphere([draw(parameter) for _ in range(d - 1)])))
    return nonzero(tuple(rows))


def possible(sampling: str, n: int, m: int) -> list[tuple[int, ...]]:
    """The batches that can be drawn."""
    return [batch for batch, _ in batches_of(sampling, n, m)]


@st.composite
def points(draw: DrawFn, /, d: int, free: bool) -> Extras:
    """ "w", and for free ones also nothing at all or a "before"."""
    kind = draw(among(("w(alpha)", "w", "before", "before"))) if free else "w"
    w = None if kind == "w(alpha)" else draw(vectors(d))
    return further(w=w, before=draw(vectors(d)) if kind == "before" else None)


@st.composite
def begun_at(
    draw: DrawFn, /, instance: Instance, choice: SearchStrategy[object], max_path: int, free: bool, anywhere: bool
) -> Instance:
    """The instance with alpha, a path of these choices, and a start."""
    return instance.but(
        alpha=tuple(draw(starts(instance.loss, v, anywhere)) for v in instance.y),
        path=tuple(draw(st.lists(choice, max_size=max_path))),
        extra=draw(points(len(instance.rows[0]), free)),
    )


# -- Algorithms 1 and 2 ------------------------------------------------------------------------------------------------


@st.composite
def batch_instances(
    draw: DrawFn,
    /,
    losses: Sequence[str] = RATIONAL_SMOOTH,
    l1: Sequence[Fraction] = L1,
    ratios: Sequence[Fraction] = RATIOS,
    max_n: int = 4,
    max_d: int = 3,
    max_path: int = 2,
    free: bool = True,
    anywhere: bool = False,
    theta: str = "paper",
    slack: Sequence[Fraction] = Qs(1, 1, 1, 2),
    extra: Drawn = nothing,
) -> Instance:
    """Algorithm 1 (for m = 1, half of the time) or Algorithm 2, every valid sampling.

    free : independent "w" and "before" half of the time; else only w^0, with w_bar^0 = w^0 as in Theorem 1.
    anywhere : alpha outside the domain, half of the time. slack : R is this times the upper bound of the norms.
    """
    loss, n = draw(among(losses)), draw(st.integers(1, max_n))
    y = tuple(draw(targets(loss)) for _ in range(n))
    rows = nonzero(draw(matrices(y, max_d, KINDS)))
    m = draw(st.integers(1, n))
    gamma = draw(among(GAMMAS)) if loss not in FIXED_GAMMA else None
    R = root_above(radius2(rows)) * draw(among(slack))
    options: dict[str, object] = {"R": R, "theta": theta}
    sampling = draw(among([s for s in SAMPLINGS if s != "partition" or n % m == 0]))
    batch: SearchStrategy[object]
    if m == 1 and draw(st.booleans()):
        method, batch = "spdc", st.integers(0, n - 1)
    else:
        method, batch = "spdc-minibatch", st.sampled_from(possible(sampling, n, m))
        options |= {"m": m, "sampling": sampling}
    lam = lam_of(loss, gamma, draw(among(ratios)) * R, Q(m, n))
    made = Instance(rows, y, (), lam, loss, gamma, draw(among(l1)), method, options)
    made = draw(begun_at(made, batch, max_path, free, anywhere))
    return made.but(extra=made.extra | extra(draw))


def lam_of(loss: str, gamma: Fraction | None, scaled: Fraction, share: Fraction) -> Fraction:
    """lam = rho^2 gamma m/n with rho = scaled/gamma, share = m/n."""
    true_gamma = FIXED_GAMMA.get(loss, gamma)
    assert true_gamma is not None
    return scaled * scaled * share / true_gamma


# Algorithms 1 and 2, (16): every rational smooth loss, L2 and elastic net, reachable and constructed states.
batches = Pool("spdc.batches", batch_instances)
# The same with alpha^0 outside the domain half of the time.
batches_anywhere = Pool("spdc.batches_anywhere", batch_instances, anywhere=True)


def runs(theta: str = "paper") -> SearchStrategy[Instance]:
    """Starts of runs where kappa is at most 100 n/m: the bounds say something soon."""
    return batch_instances(max_n=3, max_d=2, max_path=0, free=False, ratios=(*WELL, Q(1, 10)), theta=theta)


@st.composite
def own_steps(draw: DrawFn, /, base: SearchStrategy[Instance]) -> Instance:
    """Half of the time (16), else any tau sigma <= 1/(4R^2), tau up to 100 times longer, or a larger theta."""
    instance = draw(base)
    kind, k = draw(st.sampled_from(("(16)", "(16)", "steps", "theta"))), constants(Context(instance))
    if kind == "steps":
        tau = k.tau * draw(st.sampled_from(Qs("1/100", "1/2", 2, 100)))
        share = draw(st.sampled_from(Qs(1, 1, "1/3")))
        return instance.but(options={**instance.options, "tau": tau, "sigma": share / (4 * k.R * k.R * tau)})
    if kind == "theta":
        return with_theta(instance, 1 - (1 - k.theta) * draw(st.sampled_from(Qs("1/2", "9/10", "1/10"))))
    return instance


# theta "sharp", or steps given by the instance.
runs_sharp = Pool("spdc.runs_sharp", own_steps, runs("sharp"))
# Algorithm 1.
singles = Pool("spdc.singles", lambda: batch_instances().map(single))


def single(instance: Instance) -> Instance:
    """The instance with m = 1 as Algorithm 1, and the same rho."""
    old = instance.options.get("m", 1)
    steps = tuple(choice if isinstance(choice, int) else choice[0] for choice in instance.path)
    options = {name: instance.options[name] for name in ("R", "theta")}
    return instance.but(method="spdc", lam=instance.lam / old, options=options, path=steps)


def logistic() -> SearchStrategy[Instance]:
    """Logistic loss, n <= 3, d <= 2, one step made at most; only decimal intervals can run it.

    l1 is so large that w* = 0 and alpha*_i = -y_i/2, the one saddle point of the logistic loss that is rational.
    """
    return batch_instances(losses=("logistic",), max_n=3, max_d=2, max_path=1, ratios=Qs(1, "1/10")).map(at_zero)


def at_zero(instance: Instance) -> Instance:
    """The instance with l1 > max_j |u*_j|, u* = -(1/(2n)) sum y_i x_i, so that w* = 0."""
    sums = [sum((y * row[j] for row, y in zip(instance.rows, instance.y)), Q(0)) for j in range(len(instance.rows[0]))]
    return instance.but(l1=max(abs(total) for total in sums) / (2 * len(instance.rows)) + Q(1, 10))


# -- Algorithm 3 -------------------------------------------------------------------------------------------------------


@st.composite
def nonuniform_instances(
    draw: DrawFn,
    /,
    losses: Sequence[str] = RATIONAL_SMOOTH,
    l1: Sequence[Fraction] = L1,
    ratios: Sequence[Fraction] = RATIOS,
    max_n: int = 4,
    max_d: int = 3,
    max_path: int = 2,
    free: bool = True,
    anywhere: bool = False,
    extra: Drawn = nothing,
) -> Instance:
    """Algorithm 3; free, anywhere and extra as in ``batch_instances``."""
    loss, n = draw(among(losses)), draw(st.integers(1, max_n))
    y = tuple(draw(targets(loss)) for _ in range(n))
    rows = draw(rational_norms(n, max_d))
    gamma = draw(among(GAMMAS)) if loss not in FIXED_GAMMA else None
    mean = sum((root_above(length2(row)) for row in rows), Q(0)) / n
    lam = lam_of(loss, gamma, draw(among(ratios)) * mean, Q(1, n))
    made = Instance(rows, y, (), lam, loss, gamma, draw(among(l1)), "spdc-nonuniform", {"mix": draw(among(MIXES))})
    made = draw(begun_at(made, st.integers(0, n - 1), max_path, free, anywhere))
    return made.but(extra=made.extra | extra(draw))


# Algorithm 3, (28) and (29): every rational smooth loss, L2 and elastic net, reachable and constructed states.
nonuniform = Pool("spdc.nonuniform", nonuniform_instances)
# The same with alpha^0 outside the domain half of the time.
nonuniform_anywhere = Pool("spdc.nonuniform_anywhere", nonuniform_instances, anywhere=True)


def runs_weighted() -> SearchStrategy[Instance]:
    """Starts of runs from any alpha^0 where kappa_bar is at most 100 n: the bounds say something soon."""
    return nonuniform_instances(max_n=3, max_d=2, max_path=0, free=False, anywhere=True, ratios=(*WELL, Q(1, 10)))
