"""Further numbers of the instances of PGS."""

from dualgap.proofs_checks.papers.vocabulary import *


@dataclass(frozen=True)
class Law(Extra):
    """The number of a law of sampling."""

    law: int


@dataclass(frozen=True)
class Dual(Extra):
    """A point of the dual space."""

    theta: tuple[Number, ...]


@dataclass(frozen=True)
class Step(Extra):
    """A step from it."""

    h: tuple[Number, ...]


@dataclass(frozen=True)
class Other(Extra):
    """A candidate for the point nearest to w."""

    z: tuple[Number, ...]


@dataclass(frozen=True)
class Subgradient(Extra):
    """f(u) = L |u|, a point and a candidate for a subgradient there."""

    L: tuple[Number, ...]
    w: tuple[Number, ...]
    s: tuple[Number, ...]


@dataclass(frozen=True)
class Range(Extra):
    """The rounds that are summed."""

    from_: int
    to: int


@dataclass(frozen=True)
class Rounds(Extra):
    """How many rounds are played."""

    T: int


@dataclass(frozen=True)
class Pair(Extra):
    """Two points."""

    u: tuple[Number, ...]
    v: tuple[Number, ...]


@dataclass(frozen=True)
class Competitor(Extra):
    """A competitor."""

    u: tuple[Number, ...]


@dataclass(frozen=True)
class Place(Extra):
    """A place on a line."""

    a: Number


@dataclass(frozen=True)
class Constant(Extra):
    """The constant of a bound."""

    C: Number


@dataclass(frozen=True)
class Totals(Extra):
    """The linear regret, its bound and what is left, worked by hand."""

    totals: tuple[Number, ...]


@dataclass(frozen=True)
class Sparsity(Extra):
    """Features, the share of them that a row has, and their number."""

    n: int
    sparsity: Number
    d: int


@dataclass(frozen=True)
class Samples(Extra):
    """||w_0||_p^2, the rounds, the confidence and the number of samples."""

    norm2: Number
    T: int
    delta: Number
    m: int
