"""SDCA, the instances: what claims draw, and the ones that are written down."""

from hypothesis.strategies import SearchStrategy

from dualgap.proofs_checks.claims.extra import further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.pool import Pool
from dualgap.proofs_checks.evidence.levels import enclosed, exact
from dualgap.proofs_checks.papers.vocabulary import EQUAL_PAIR, MIXED_ROWS
from dualgap.proofs_checks.strategies.instances import K_ANY, RATIONAL, RATIONAL_SMOOTH, any_of, instances
from dualgap.reference.problem.losses import losses

LIPSCHITZ = losses(smooth=False, foreign=False)
RATIOS = (*K_ANY, *Qs(10, 100))  # R^2/(lam n gamma), gamma read as 1 for hinge and absolute: lam from huge to tiny
S = Qs("1/2", 0, 1, "1/4", "9/10", "1/3")


def drawn(losses: tuple[str, ...], **options: object) -> SearchStrategy[Instance]:
    """Instances of the method sdca with a free s."""
    return instances(**{"K": RATIOS, "losses": losses, "extra": any_of(s=S), "method": "sdca", **options})


# -- one step ----------------------------------------------------------------------------------------------------------

# Squared, smoothed hinge, squared hinge; L2.
any_smooth = Pool("sdca.any_smooth", drawn, RATIONAL_SMOOTH)
# Hinge and absolute; L2.
any_lipschitz = Pool("sdca.any_lipschitz", drawn, LIPSCHITZ)
# All rational losses; elastic net.
any_net = Pool("sdca.any_net", drawn, RATIONAL_SMOOTH + LIPSCHITZ, l1=Qs("1/10", "1/2", 2))
# Logistic loss; only decimal intervals can run it. No step has been made, so that none repeats exactly.
any_logistic = Pool("sdca.any_logistic", drawn, ("logistic",), K=K_ANY, max_n=3, max_d=2, max_path=0)
# Runs of SDCA with shrinking, long enough that rows are left out; K up to 100.
shrinking = Pool("sdca.shrinking", drawn, RATIONAL, l1=Qs(0, 0, "1/10"), max_path=12, method="sdca-shrinking")
RIDGES = [exact(any_smooth, 0.5), exact(any_lipschitz, 0.5), enclosed(any_logistic, 0.1)]
EVERY = [exact(any_smooth, 0.8), exact(any_lipschitz, 0.6), exact(any_net, 0.3), enclosed(any_logistic, 0.1)]


# -- trajectories ------------------------------------------------------------------------------------------------------

PATH_RATIOS = Qs("1/100", "1/20", "1/4", "1/2", 1, 2)  # R^2/(lam n gamma), gamma read as 1 for hinge and absolute
FROM_START = {"max_d": 2, "max_path": 0}
ONE_OR_TWO, NONE_OR_ONE = any_of(T0=(0, 1, 2), more=(1, 2)), any_of(T0=(0, 1, 2), more=(0, 1))
TO_EPS, TO_LARGE_EPS = any_of(eps=Qs("1/2", "1/10")), any_of(eps=Qs("1/4", "1/2", 1))
# Starts of trajectories, smooth losses.
paths_smooth = Pool("sdca.paths_smooth", drawn, RATIONAL_SMOOTH, K=PATH_RATIOS, max_n=3, extra=ONE_OR_TWO, **FROM_START)
# Starts of trajectories, hinge and absolute.
paths_lipschitz = Pool(
    "sdca.paths_lipschitz", drawn, LIPSCHITZ, K=PATH_RATIOS, max_n=3, extra=NONE_OR_ONE, **FROM_START
)
# Starts of trajectories and an accuracy.
to_eps = Pool("sdca.to_eps", drawn, ("squared",), K=Qs("1/100", "1/4", "1/2"), max_n=2, extra=TO_EPS, **FROM_START)
# Hinge and absolute with steps few enough to be enumerated.
FEW_STEPS = Qs("1/100", "1/20", "1/10")
lipschitz_to_eps = Pool(
    "sdca.lipschitz_to_eps", drawn, LIPSCHITZ, K=FEW_STEPS, max_n=2, extra=TO_LARGE_EPS, **FROM_START
)


# -- written down ------------------------------------------------------------------------------------------------------

# ||x_i|| = 5, 13, q = 75, 507, gamma = 1/3; s = gamma/(gamma + q_2), where Lemma 1 is tight
ILL_CONDITIONED = Instance(
    rows=(Qs(3, 4), Qs(5, 12)),
    y=Qs(1, -2),
    alpha=Qs(0, "1/2"),
    lam=Q(1, 6),
    gamma=Q(1, 3),
    path=(0,),
    method="sdca",
    extra=further(s=Q(1, 3) / (Q(1, 3) + 507)),
)
# q = 1, 2, 1
THREE = MIXED_ROWS.but(method="sdca")
LEGAL = EQUAL_PAIR.but(method="sdca", extra=further(eps=Q(1, 10)))
LARGE_LOSS = LEGAL.but(y=Qs(100, -100))
LARGE_ROWS = LEGAL.but(rows=(Qs(10), Qs(10)))
SLOW = LARGE_ROWS.but(loss="hinge", extra=further(eps=Q(3, 4)))  # q = 50
FAST = LEGAL.but(rows=(Qs(1, 0), Qs(0, 1)), lam=Q(5), loss="hinge", extra=further(eps=Q(1, 2)))
