"""The named mistakes of all papers. Each must be killed by a named claim of its own paper.

A module ``mutants*.py`` of a paper's folder defines MUTANTS: "paper.name" to a class, which is the method with one
line wrong. A class with ``of`` is made for the instance, whose method and options it changes.
"""

from collections.abc import Iterable
from fractions import Fraction
from functools import cache
from typing import Any

from dualgap.proofs_checks.claims.instance import Instance
from dualgap.reference import Method
from dualgap.reference.numbers.arithmetic import NumberType
from dualgap.reference.problem.registry import collected, modules_below


@cache
def mutants() -> dict[str, Any]:
    """Every mutant by name: those of each module ``mutants*`` of a paper."""
    return collected(modules_below("dualgap.proofs_checks.papers", "mutants"), "MUTANTS")


def mutant(name: str, instance: Instance) -> Method[Any]:
    """The mutant as a method for the instance."""
    cls = mutants()[name]
    made: Method[Any] = cls.of(instance) if hasattr(cls, "of") else cls()
    return made


def kills(claim: Any, name: str, instances: Iterable[Instance], number: NumberType = Fraction) -> bool:
    """Whether the claim's check is false for the mutant on at least one instance."""
    from dualgap.proofs_checks.claims.judge import violates

    return any(violates(claim, instance, mutant(name, instance), number) for instance in instances)
