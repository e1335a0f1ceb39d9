"""Further numbers of the instances of ASPDC-i."""

from dualgap.proofs_checks.papers.vocabulary import *


@dataclass(frozen=True)
class PlantedProx(Extra):
    """kappa, prox(v), and the subgradient of ||.||_1 there where l1 > 0."""

    kappa: Number
    p: tuple[Number, ...]
    s: tuple[Number, ...] | None = None


@dataclass(frozen=True)
class StartWeights(Extra):
    """The weights before the first epoch."""

    x0: Number
    y0: Number


@dataclass(frozen=True)
class Form(Extra):
    """The coefficients of a quadratic form."""

    form: tuple[Number, ...]


@dataclass(frozen=True)
class Ratio(Extra):
    """K = R^2/(mu n gamma)."""

    K: Number


@dataclass(frozen=True)
class WorstCase(Extra):
    """1 for the worst run that the tolerances admit."""

    worst: int


@dataclass(frozen=True)
class Since(Extra):
    """The first epoch that is looked at."""

    since: int


@dataclass(frozen=True)
class ExactSolves(Extra):
    """The reading of xi_1, the epochs that are looked at, and the accuracy."""

    exponent: Number
    epochs: tuple[int, ...]
    epsilon: Number


@dataclass(frozen=True)
class Slopes(Extra):
    """Slopes of phi_i' on either side of 0, inner steps, and the seed of a search."""

    plus: tuple[Number, ...]
    minus: tuple[Number, ...]
    m: int
    seed: int
