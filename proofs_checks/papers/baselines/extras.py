"""Further numbers of the instances of the baselines."""

from dualgap.proofs_checks.papers.vocabulary import *


@dataclass(frozen=True)
class Calls(Extra):
    """How many inner calls are made, and the ratio of P(0) - D(0) to the accuracy."""

    calls: int
    ratio: Number


@dataclass(frozen=True)
class Momentum(Extra):
    """w and y after each inner call."""

    w: tuple[Number, ...]
    y: tuple[Number, ...]


@dataclass(frozen=True)
class Iterations(Extra):
    """How many iterations are made."""

    iterations: int


@dataclass(frozen=True)
class Weights(Extra):
    """A_k and x_k of a run by hand."""

    A: tuple[Number, ...]
    x: tuple[Number, ...]


@dataclass(frozen=True)
class Coordinates(Extra):
    """The two coordinates of the iterates."""

    due_1: tuple[Number, ...]
    due_2: tuple[Number, ...]


@dataclass(frozen=True)
class SnapshotGradient(Extra):
    """mu~ of a run by hand."""

    due_mu: tuple[Number, ...]


@dataclass(frozen=True)
class Factor(Extra):
    """The step is 1/(factor L)."""

    factor: int


@dataclass(frozen=True)
class Growth(Extra):
    """What a step multiplies w by."""

    due: Number


@dataclass(frozen=True)
class Iterate(Extra):
    """The iterate that the path leads to."""

    due: tuple[Number, ...]


@dataclass(frozen=True)
class Competitor(Extra):
    """A competitor."""

    u: tuple[Number, ...]


@dataclass(frozen=True)
class Rounds(Extra):
    """How many rounds are played."""

    T: int


@dataclass(frozen=True)
class State(Extra):
    """The state that the path leads to."""

    due_w: tuple[Number, ...]
    due_alpha: tuple[Number, ...]
