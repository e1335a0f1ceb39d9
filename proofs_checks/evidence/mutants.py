"""The planted bugs of all papers. Each must be killed by a named claim of its paper.

Each has its name "paper.name": a replaced text of the method (``planted``) in MUTANTS of a module ``mutants*.py`` of a
paper's folder, and a class under ``@register_mutant("paper.name")`` anywhere else.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any, TypeVar, cast

from dualgap.proofs_checks.claims.instance import Instance
from dualgap.proofs_checks.claims.papers import require_own_paper
from dualgap.proofs_checks.claims.registry import Claim
from dualgap.proofs_checks.evidence.planted import PlantedBug
from dualgap.reference import Method, all_methods
from dualgap.reference.numbers.arithmetic import NumberType
from dualgap.reference.problem.registry import Registry

C = TypeVar("C")


MUTANTS: Registry[object] = Registry("mutant", "dualgap.proofs_checks.papers", "mutants", "MUTANTS", extras="mutants")


def register_mutant(name: str) -> Callable[[C], C]:
    """Decorate a class with open or wrong lines, a subclass of its method: claims may kill "paper.name".

    Raises ValueError for a name without a paper before its dot, that another place has taken, or under a paper of
    dualgap's.

    Parameters
    ----------
    name : "paper.name", with the paper that its claims' ids begin with.
    """
    if not all(name.partition(".")):
        raise ValueError(f"a mutant is named PAPER.NAME, PAPER being what its claims' ids begin with (got {name!r})")

    def register(cls: C) -> C:
        require_own_paper("mutant", name, getattr(cls, "__module__", ""), MUTANTS)
        MUTANTS.enter(name, cls)
        return cls

    return register


def mutants() -> dict[str, Any]:
    """Every mutant by name."""
    return MUTANTS.complete()


def mutant_class(name: str) -> Any:
    """The mutant of that name as a class of methods."""
    found = mutants()[name]
    return found.of(found.method) if isinstance(found, PlantedBug) else found


def mutant(name: str, instance: Instance) -> Method[Any]:
    """The mutant as a method for the instance, with the instance's options where it is of the instance's method.

    Where that one refines the method that is changed (spdc-minibatch refines spdc), the change is made in its base; a
    class stands before it among the bases.
    """
    found = mutants()[name]
    cls = found.method if isinstance(found, PlantedBug) else found
    own, changed = (all_methods()[name] for name in (instance.method, cls.name))
    if own is changed or not issubclass(own, changed):
        kind = mutant_class(name)
        return cast(Method[Any], kind(**instance.options) if own is changed else kind())
    kind = found.of(own) if isinstance(found, PlantedBug) else type(cls.__name__, (cls, own), {})
    return cast(Method[Any], kind(**instance.options))


def kills(claim: Claim, name: str, instances: Iterable[Instance], number: NumberType = Fraction) -> bool:
    """Return whether the claim's check is false for the mutant on at least one instance."""
    from dualgap.proofs_checks.claims.judge import violates

    return any(violates(claim, instance, mutant(name, instance), number) for instance in instances)
