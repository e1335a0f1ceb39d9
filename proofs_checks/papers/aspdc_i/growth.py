"""How fast the mean square of Algorithm 3 grows for losses that are not quadratic: a population in floating point.

Losses phi_i(z) = s z^2/2 with one slope for z > 0 and another for z < 0, both in [0, 1] = [0, 1/gamma], make an epoch
positively homogeneous: scaling the state scales the next one. Every particle is scaled to size 1, makes one
epoch with its own indices, and is then copied in proportion to its squared size. The mean squared size g_t
before that copying has E[g_1 ... g_t] = E ||z_t||^2 (the usual identity for such populations), so the mean of
log g_t estimates the growth per epoch. It is an estimate, no proof: a search may use it, a theorem may not.
"""

from dualgap.proofs_checks.papers.vocabulary import *

PARTICLES, EPOCHS, BURN_IN, BATCHES = 500, 64, 16, 8


@dataclass(frozen=True)
class Growth:
    """The estimated growth of the mean square per epoch, and the standard error of it from batch means."""

    factor: float
    error: float

    @property
    def surely(self) -> float:
        """Five standard errors below the estimate."""
        return self.factor - 5 * self.error


def growth(rows: object, plus: Sequence[float], minus: Sequence[float], m: int, share: float, seed: int) -> Growth:
    """Growth of E(||v||^2 + ||alpha||^2/(n mu^2)) per epoch of m inner steps.

    Parameters
    ----------
    rows : (n, d) array.
    plus, minus : n slopes each, in [0, 1].
    m : inner steps; share : lam/mu, with mu = 4 R^2/n (K = 1/4); seed : of numpy's frozen RandomState.
    """
    import numpy as np

    X, up, down = np.asarray(rows, float), np.asarray(plus, float), np.asarray(minus, float)
    n, d = X.shape
    mu = 4 * float((X * X).sum(axis=1).max()) / n
    kappa, random = (1 - share) * mu, np.random.RandomState(seed)
    v, alpha, everyone = (
        random.standard_normal((PARTICLES, d)),
        random.standard_normal((PARTICLES, n)),
        np.arange(PARTICLES),
    )
    logs = []
    for _ in range(EPOCHS):
        size = np.sqrt((v * v).sum(axis=1) + (alpha * alpha).sum(axis=1) / (n * mu * mu))[:, None]
        v, alpha = v / size, alpha / size
        w = (kappa * v - alpha @ X / n) / mu
        for _ in range(m):
            i = random.randint(n, size=PARTICLES)
            x = X[i]
            z = (x * w).sum(axis=1)
            best = np.where(z > 0, up[i], down[i]) * z
            w -= ((best - alpha[everyone, i]) / (n * mu))[:, None] * x
            alpha[everyone, i] = best
        v = w
        weight = (v * v).sum(axis=1) + (alpha * alpha).sum(axis=1) / (n * mu * mu)
        logs.append(math.log(weight.mean()))
        copied = random.choice(PARTICLES, size=PARTICLES, p=weight / weight.sum())
        v, alpha = v[copied], alpha[copied]
    batches = np.array(logs[BURN_IN:]).reshape(BATCHES, -1).mean(axis=1)
    factor = math.exp(batches.mean())
    return Growth(factor, factor * float(batches.std(ddof=1)) / math.sqrt(BATCHES))
