"""ASPDC-i: what is drawn, and the instances that are written down. The modulus mu = lam + kappa is drawn first, then
its share lam/mu.

An inner state is planted: p = prox(v) is drawn, and the centre v follows from it (see ``setting``).
"""

from collections.abc import Sequence
from fractions import Fraction

from hypothesis.strategies import DrawFn, SearchStrategy

from dualgap.proofs_checks.claims import drawing as st
from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.pool import Pool
from dualgap.proofs_checks.papers.vocabulary import LONE_ROW
from dualgap.proofs_checks.strategies.instances import COORDINATES, K_PAPER, RATIONAL_SMOOTH, instances

SHARES = Qs("1/2", "1/5", "9/10", "999/1000", "1/50", "1/10000")  # lam/(lam + kappa)
MILD = SHARES[:-1]
STEPS = {"theorem-a": (2, 1), "theorem-b": (3, 2), "theorem-c": (3, 1)}  # m >= (p/q) n


def fewest_steps(theorem: str, n: int) -> int:
    """The smallest m that the theorem admits."""
    numerator, denominator = STEPS[theorem]
    return -(-numerator * n // denominator)


@st.composite
def with_planted_prox(draw: DrawFn, /, base: SearchStrategy[Instance], shares: Sequence[Fraction] = SHARES) -> Instance:
    """An instance of ``base``, its lam split into lam + kappa, with a planted p and a subgradient s of ||p||_1.

    Shares below MILD are drawn where P* is not needed, or is one linear solve (squared loss with L2).
    """
    instance = draw(base)
    linear = instance.loss == "squared" and instance.l1 == 0
    lam = instance.lam * draw(st.sampled_from(SHARES if linear else shares))
    p = tuple(draw(st.sampled_from(COORDINATES)) for _ in instance.rows[0])
    s = tuple(Q(1 if p_j > 0 else -1) if p_j else draw(st.sampled_from(Qs(0, 1, -1, "1/2"))) for p_j in p)
    return instance.but(lam=lam, extra=instance.extra | further(kappa=instance.lam - lam, p=p, s=s))


@st.composite
def epochs(draw: DrawFn, /, theorem: str, l1: Sequence[Fraction]) -> Instance:
    """The start of an epoch of Algorithm 3 with as few inner steps as the theorem allows, or one more; n <= 2."""
    instance = draw(with_planted_prox(instances(K=K_PAPER, l1=l1, max_n=2, max_d=2, max_path=0), MILD))
    fewest = fewest_steps(theorem, len(instance.rows))
    m = fewest + (draw(st.integers(0, 1)) if fewest < 5 else 0)
    return instance.but(method="aspdc-i-fixed", options={"kappa": instance.extra.kappa, "m": m})


# Theorem A: L2, m >= 2n.
epochs_a = Pool("aspdc_i.epochs_a", epochs, "theorem-a", Qs(0))
# Theorem B: L2, m >= ceil(3n/2).
epochs_b = Pool("aspdc_i.epochs_b", epochs, "theorem-b", Qs(0))
# Theorem C: elastic net (and L2), m >= 3n.
epochs_c = Pool("aspdc_i.epochs_c", epochs, "theorem-c", Qs(0, "1/10", "1/2"))


@st.composite
def outer_runs(draw: DrawFn, /, losses: Sequence[str], l1: Sequence[Fraction], max_n: int = 3) -> Instance:
    """Starts at w~ = 0 with lam + kappa = 4R^2/(n gamma) and 1/eta = 1, 2, 3 or 5."""
    instance = draw(instances(K=Qs("1/4"), losses=losses, l1=l1, max_n=max_n, max_d=2, max_path=4))
    lam = instance.lam * draw(st.sampled_from(Qs(1, "2/3", "1/2", "1/3")))  # eta = t/(2 - t) for lam = t (lam + kappa)
    return instance.but(lam=lam, options={"kappa": instance.lam - lam})


def until_useful(instance: Instance, stop: str = "xi") -> Instance:
    """Algorithm 2 to the accuracy of a twentieth of the first gap: far enough for the bound to say something."""
    problem = instance.problem()
    gap = problem.P([problem.zero] * problem.d) - problem.D(list(instance.alpha))
    return instance.but(method="aspdc-i", options={**instance.options, "epsilon": gap / 20, "stop": stop})


def algorithm_2() -> SearchStrategy[Instance]:
    """Runs of Algorithm 2, L2 and elastic net, to the printed S or to xi_s <= epsilon."""
    return st.builds(until_useful, outer_runs(RATIONAL_SMOOTH, Qs(0, 0, "1/10")), st.sampled_from(("S", "xi")))


@st.composite
def algorithm_3(draw: DrawFn, /) -> Instance:
    """Runs of Algorithm 3, L2 and elastic net, m <= 3."""
    instance = draw(outer_runs(RATIONAL_SMOOTH, Qs(0, 0, "1/10")))
    return instance.but(method="aspdc-i-fixed", options={**instance.options, "m": draw(st.integers(1, 3))})


# -- written down ------------------------------------------------------------------------------------------------------

ZERO, HALF, ONE = Qs(0, "1/2", 1)


def one_row(x: Fraction, share: Fraction = HALF, alpha: Fraction = ZERO) -> Instance:
    """n = d = 1, squared loss, y = 0, lam + kappa = 1, p = 1; x = 0 leaves the regularizer alone."""
    return Instance(rows=((x,),), y=Qs(0), alpha=(alpha,), lam=share, extra=further(kappa=1 - share, p=Qs(1), s=Qs(1)))


ONE_ROW = LONE_ROW.but(
    rows=(Qs("1/20"),), lam=Q(8, 401), method="aspdc-i", options={"kappa": Q(1596, 401), "eta": "root"}
)
LITERAL = ONE_ROW.but(options={**ONE_ROW.options, "epsilon": Q(7, 10**4)}, extra=further(since=379))
LITERAL_UNIT = LITERAL.but(  # R = 1 is attained, kappa = 4R^2/(n gamma) - lam; everything is halved
    rows=(Qs(1, 0), Qs(0, "1/20")),
    y=Qs(0, 1),
    alpha=Qs(0, 0),
    lam=Q(4, 401),
    options={"kappa": Q(798, 401), "eta": "root", "epsilon": Q(35, 10**5)},
)
