"""Further numbers of the instances of SPDC."""

from dualgap.proofs_checks.papers.vocabulary import *


@dataclass(frozen=True)
class Law(Extra):
    """The number of a law of sampling."""

    law: int


@dataclass(frozen=True)
class RealRun(Extra):
    """A run on real data."""

    passes: int
    seed: int


@dataclass(frozen=True)
class NormBound(Extra):
    """N >= ||X||_2."""

    N: Number


@dataclass(frozen=True)
class State(Extra):
    """The state that the path leads to, or the saddle point."""

    due_w: tuple[Number, ...] | None = None
    due_w_bar: tuple[Number, ...] | None = None
    due_alpha: tuple[Number, ...] | None = None
    due_u: tuple[Number, ...] | None = None


@dataclass(frozen=True)
class Objectives(Extra):
    """P and D there."""

    due_P: Number
    due_D: Number


@dataclass(frozen=True)
class Sums(Extra):
    """C of the theorem, and E Delta^t for t = 0, 1, ..."""

    due_C: Number
    due: tuple[Number, ...]


@dataclass(frozen=True)
class Response(Extra):
    """A margin, a weight, a competitor and the perturbation of a dual step."""

    z: Number
    q: Number
    x: Number
    delta: Number


@dataclass(frozen=True)
class Lipschitz(Extra):
    """The Lipschitz constant of g."""

    G: Number


@dataclass(frozen=True)
class Share(Extra):
    """The share of 1 - theta that a contraction reaches."""

    share: Number


@dataclass(frozen=True)
class Probabilities(Extra):
    """Any probabilities of the rows, and what multiplies tau."""

    p: tuple[Number, ...]
    longer: Number


@dataclass(frozen=True)
class Tolerance(Extra):
    """What is given up."""

    epsilon: Number


@dataclass(frozen=True)
class Steps(Extra):
    """How many steps are made."""

    t: int


@dataclass(frozen=True)
class SecondMoment(Extra):
    """E w_1^2, by hand."""

    E_w2: Number


@dataclass(frozen=True)
class DualSum(Extra):
    """u^0, where it is not X^T alpha^0/n."""

    u: tuple[Number, ...]


@dataclass(frozen=True)
class Move(Extra):
    """w^t - w^(t-1)."""

    move: tuple[Number, ...]


@dataclass(frozen=True)
class OrbitNumbers(Extra):
    """S steps of a sleeping coordinate from w, under u."""

    w: Number
    u: Number
    l1: Number
    mu: Number
    tau: Number
    S: int


@dataclass(frozen=True)
class Lost(Extra):
    """What (39) loses."""

    lost: Number
