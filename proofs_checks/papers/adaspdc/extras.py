"""Further numbers of the instances of AdaSPDC and PDCP."""

from dualgap.proofs_checks.papers.vocabulary import *


@dataclass(frozen=True)
class OwnSteps(Extra):
    """"longer" multiplies tau; "share" in (0, 1] is 4 tau sigma_i R_i^2 over its largest allowed value; "slack" raises theta towards 1."""

    longer: Number
    share: Number
    slack: Number


@dataclass(frozen=True)
class Aligned(Extra):
    """1 for two rows on one line."""

    aligned: int


@dataclass(frozen=True)
class Above(Extra):
    """A norm at which the mean square grows."""

    above: Number


@dataclass(frozen=True)
class Law(Extra):
    """The number of a law of sampling."""

    law: int


@dataclass(frozen=True)
class Heavy(Extra):
    """Random rows, one of them factor times as long."""

    n: int
    d: int
    factor: int
    seeds: int


@dataclass(frozen=True)
class Margin(Extra):
    """A margin and a free s in [0, 1]."""

    z: Number
    s: Number


@dataclass(frozen=True)
class Shift(Extra):
    """How far a minimizer is moved."""

    shift: Number


@dataclass(frozen=True)
class Values(Extra):
    """P at -x*, x* and 0."""

    J: tuple[Number, ...]


@dataclass(frozen=True)
class Steps(Extra):
    """How many steps are made."""

    T: int


@dataclass(frozen=True)
class Sides(Extra):
    """The sides of (16), by hand, in the readings of the claims."""

    left_last: Number | None = None
    left_dropped: Number | None = None
    right_expected: Number | None = None
    right_one: Number | None = None


@dataclass(frozen=True)
class Form(Extra):
    """A quadratic form in three variables, row by row."""

    W: tuple[Number, ...]


@dataclass(frozen=True)
class Minors(Extra):
    """Its growth: the leading minors, by hand."""

    minors: tuple[Number, ...]


@dataclass(frozen=True)
class Table(Extra):
    """Sizes of data sets."""

    printed: tuple[Number, ...]
    covtype: tuple[Number, ...]
    rcv1: tuple[Number, ...]


@dataclass(frozen=True)
class Other(Extra):
    """Another primal point."""

    other: tuple[Number, ...]


@dataclass(frozen=True)
class State(Extra):
    """The state that the path leads to."""

    due_alpha: tuple[Number, ...] | None = None
    due_w: tuple[Number, ...] | None = None
    due_w_bar: tuple[Number, ...] | None = None
    due_u: tuple[Number, ...] | None = None
