"""ASPDC, the instances that are written down. Random instances are in ``strategies.instances``."""

from dualgap.proofs_checks.claims.extra import Extras, further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs

EQUAL_ROWS = Instance(rows=(Qs(1), Qs(1)), y=Qs(0, 0), alpha=Qs(1, -1), lam=Q(2), extra=further(q=Q(1, 2)))  # K = 1/4


def equal_rows(n: int, K: Q) -> Instance:
    """n rows x_i = 1, y = 0, squared loss, alpha = (1, -1, 0, ...): w(alpha) = w* although alpha is not alpha*."""
    return EQUAL_ROWS.but(rows=(Qs(1),) * n, y=Qs(*[0] * n), alpha=Qs(1, -1, *[0] * (n - 2)), lam=1 / (n * K))


# y z = 0 < 1 - gamma: the clip decides
FLAT = Instance(rows=(Qs(1),), y=Qs(1), alpha=Qs(0), lam=Q(4), loss="smoothed-hinge", gamma=Q(1, 2))
BELOW_TWO = EQUAL_ROWS.but(lam=Q(199, 200))  # lam n gamma / R^2 = 1.99
ONE_ROW = EQUAL_ROWS.but(rows=(Qs(1),), y=Qs(0), alpha=Qs(1), lam=Q(4), extra=Extras())
BEYOND = (  # lam n gamma/R^2 = 7/5: Lemma 2's bound is first passed at t = 35 and 45
    ONE_ROW.but(lam=Q(7, 5), extra=further(horizon=35)),
    equal_rows(2, Q(5, 7)).but(extra=further(horizon=45)),
)
ORTHONORMAL = Instance(rows=(Qs(1, 0), Qs(0, 1)), y=Qs(1, -1), alpha=Qs(0, 0), lam=Q(2))  # K = 1/4
ORTHONORMAL_NET = ORTHONORMAL.but(l1=Q(1, 10))
THREE_ANGLES = Instance(  # smoothed hinge, K = 1/4: the paths visit 7 states in all
    rows=(Qs(1, 0), Qs("3/5", "4/5"), Qs("3/5", "-4/5")),
    y=Qs(1, 1, 1),
    alpha=Qs(0, 0, 0),
    lam=Q(16, 3),
    loss="smoothed-hinge",
    gamma=Q(1, 4),
)
# Rows x_i = 1, y = 0, squared loss; alpha = (1, 1) is the direction that moves w most.
ALIGNED = EQUAL_ROWS.but(alpha=Qs(1, 1), extra=further(w=Qs(2), kappa=Q(0), centre=Qs(0)))
CENTRED = ALIGNED.but(extra=further(w=Qs(2), kappa=Q(1), centre=Qs(3)))
NET = ALIGNED.but(l1=Q(1, 2), extra=further(w=Qs(2), kappa=Q(0), centre=Qs(0)))
ONE_SAMPLE = Instance(rows=(Qs(1),), y=Qs(1), alpha=Qs(0), lam=Q(2))
