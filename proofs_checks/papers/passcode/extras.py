"""Further numbers of the instances of PASSCoDe."""

from dualgap.proofs_checks.papers.vocabulary import *


@dataclass(frozen=True)
class LongestDelay(Extra):
    """The delay, and the number of rows from which the theorem speaks."""

    tau: Number
    least_n: Number


@dataclass(frozen=True)
class Rounds(Extra):
    """How many rounds are run."""

    rounds: int


@dataclass(frozen=True)
class FixedPoints(Extra):
    """The optimum, the shared memory and w(alpha) of the worked example."""

    w_star: tuple[Number, ...] | None = None
    w_hat: tuple[Number, ...] | None = None
    w_bar: tuple[Number, ...] | None = None


@dataclass(frozen=True)
class Delay(Extra):
    """The delay."""

    tau: int


@dataclass(frozen=True)
class Constants(Extra):
    """u = e tau M/sqrt(n), L_max/R_min^2 and kappa/L_max."""

    u: Number
    ratio: Number
    contraction: Number


@dataclass(frozen=True)
class Rows(Extra):
    """How many rows there are, of which an instance holds two."""

    n: Number
