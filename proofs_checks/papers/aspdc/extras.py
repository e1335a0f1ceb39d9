"""Further numbers of the instances of ASPDC."""

from dualgap.proofs_checks.papers.vocabulary import *


@dataclass(frozen=True)
class Threshold(Extra):
    """What lam n gamma/R^2 is compared with."""

    threshold: Number


@dataclass(frozen=True)
class SquaredNorm(Extra):
    """R^2 of the rows."""

    R2: int


@dataclass(frozen=True)
class RealRun(Extra):
    """A run on real data."""

    passes: int
    seed: int


@dataclass(frozen=True)
class Ceiling(Extra):
    """What no increase may exceed, in units of the gap."""

    ceiling: Number


@dataclass(frozen=True)
class Attained(Extra):
    """1 where a bound is an equality."""

    attained: int


@dataclass(frozen=True)
class Argument(Extra):
    """Where a loss is evaluated."""

    z: Number


@dataclass(frozen=True)
class Carried(Extra):
    """The name of an automatic mutant."""

    mutant: str


@dataclass(frozen=True)
class Coverage(Extra):
    """How many instances were drawn, and the share with all steps in each branch."""

    drawn: int
    flat: Number
    quadratic: Number
    linear: Number


@dataclass(frozen=True)
class Arguments(Extra):
    """The places where a loss is evaluated."""

    z: tuple[Number, ...]
