"""Further numbers of the instances of SDCA."""

from dualgap.proofs_checks.papers.vocabulary import *


@dataclass(frozen=True)
class FirstStep(Extra):
    """The first step that is averaged."""

    T0: int = 0


@dataclass(frozen=True)
class Window(Extra):
    """The first step that is averaged, and how many beyond the fewest."""

    T0: int = 0
    more: int = 0


@dataclass(frozen=True)
class Share(Extra):
    """The free s in [0, 1] of Lemma 1."""

    s: Number


@dataclass(frozen=True)
class Multipliers(Extra):
    """Two vectors of multipliers (lambda, nu)."""

    first: tuple[Number, ...]
    second: tuple[Number, ...]
