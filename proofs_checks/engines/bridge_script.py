"""A Coq file of literal rationals: the lines, the named numbers, and the lemma that speaks of each of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

OFF = Fraction(1, 10**6)
HEADER = """\
(* Written by dualgap.proofs_checks.engines.bridge from a run of the reference; every number is the reference's. *)
From Coq Require Import Reals Lra.
From Dualgap Require Import Definitions Bridge.
Open Scope R_scope.
"""


@dataclass(frozen=True)
class BridgeCase:
    """One recorded run: method, loss, the seed of data and path, and the number that the corrupted copy gets wrong."""

    method: str
    loss: str
    gamma: Fraction
    seed: int
    corrupted: str

    @property
    def name(self) -> str:
        return f"{self.method} with {self.loss}"


class Script:
    """The Coq file of one case: ``text``. With ``corrupt`` the number of that name is off by 10^-6."""

    header = HEADER

    def __init__(self, case: BridgeCase, corrupt: str | None = None) -> None:
        self.case, self.corrupt = case, corrupt
        self.lines = [*map(str, self.header.splitlines())]
        self.line_of: dict[str, int] = {}  # name of a number to the line of the first lemma that speaks of it
        self.known: set[str] = set()
        self.expectations = 0

    @property
    def text(self) -> str:
        """The file."""
        return "\n".join(self.lines) + "\n"

    def notation(self, name: str, meaning: str) -> None:
        self.lines.append(f"Notation {name} := ({meaning}).")

    def number(self, name: str, value: Fraction) -> str:
        """The literal of a named number, which is off where it is the one to be corrupted."""
        return literal(value + OFF if name == self.corrupt else value)

    def vector(self, name: str, values: Sequence[Fraction]) -> str:
        """Two or three named numbers: entry j of ``name`` is ``name``_j."""
        return (
            f"{('two', 'three')[len(values) - 2]}"
            f" {' '.join(self.number(f'{name}_{j}', value) for j, value in enumerate(values))}"
        )

    def lemma(self, name: str, statement: str, speaks_of: str, proof: str = "by_computation.") -> None:
        """Write one lemma on one line, so that the line of an error names it. A lemma is written once."""
        if name not in self.known:
            self.known.add(name)
            self.lines.append(f"Lemma {name} : {statement}. Proof. {proof} Qed.")
            self.line_of.setdefault(speaks_of, len(self.lines))


def literal(value: Fraction) -> str:
    """A rational in Coq's real scope."""
    return f"({value.numerator}/{value.denominator})" if value.denominator != 1 else f"({value.numerator})"


def literals(values: Sequence[Fraction]) -> str:
    """Several rationals as arguments."""
    return " ".join(literal(value) for value in values)
