"""A claim's chain of relations, judged on one instance."""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.exact import require_exact, rounded
from dualgap.proofs_checks.claims.instance import Instance
from dualgap.proofs_checks.claims.registry import CLAIMS, Claim
from dualgap.proofs_checks.claims.relations import Relation
from dualgap.proofs_checks.engines import purity
from dualgap.proofs_checks.engines.lazily import cached_property
from dualgap.reference import Interval, Method
from dualgap.reference.numbers.arithmetic import NumberType
from dualgap.reference.numbers.interval import decide


@dataclass(frozen=True)
class Verdict:
    """All relations of one check on one instance, judged."""

    relations: tuple[Relation, ...]
    violated: Relation | None
    vacuous: bool


def judge(claim: Claim, context: Context) -> Verdict:
    """Evaluate the claim's chain. Raises Undecided in intervals, and whatever the method itself raises."""
    relations = tuple(claim.check(context))
    require_exact(relations, CLAIMS.is_foreign(claim.id), context.number)
    violated = next((r for r in relations if not r.holds()), None)
    return Verdict(relations, violated, all(r.vacuous() for r in relations))


def require_pure(context: Context, whole: bool = True) -> None:
    """Raise Impure if other people's method is no exact function of its state, on this instance: before anything is
    concluded from it.

    whole : also for some steps behind the path; else on the path and one step further. Of the built-in methods the
        tests say it.
    """
    if purity.foreign(context.method):
        context.once(_pure if whole else _pure_here)


def require_repeatable(claim: Claim, instance: Instance, method: Method[Any] | None = None) -> None:
    """Raise Unrepeatable if other people's check gives two answers to one question, or changes the context that it is
    given, which other claims share.
    """
    if not CLAIMS.is_foreign(claim.id) or not getattr(instance, "rational", False):
        return
    used, second, fresh = (Context(instance, method) for _ in range(3))
    relations = tuple(claim.check(used))
    if (found := purity.difference(relations, tuple(claim.check(second)))) is not None:
        raise purity.Unrepeatable(
            f"the check gives two answers on one instance ({found[0]} is {found[1]}, then {found[2]})"
        )
    for name, quantity in _quantities(used, vars(used)).items():
        if (found := purity.difference(_quantities(fresh, (name,))[name], quantity)) is not None:
            raise purity.Unrepeatable(
                f"the check changes its context ({name}: {found[0]} was {found[1]}, then {found[2]}): change a copy"
            )


def _quantities(context: Context, names: Iterable[str]) -> dict[str, object]:
    """The quantities of a context by name, without the objects that may remember what they have computed."""
    taken = {
        name: getattr(context, name) for name in names if isinstance(getattr(Context, name, None), cached_property)
    }
    if "problem" in taken:
        taken["problem"] = [getattr(context.problem, name, None) for name in ("rows", "y", "b")]
    if "successors" in taken:
        taken["successors"] = [tuple(successor[:-1]) for successor in context.successors]
    return taken


def _pure(context: Context, steps: int = purity.STEPS) -> None:
    instance = context.instance
    purity.require_pure(
        context.method,
        context.problem,
        lambda: instance.begin(context.method, context.problem),
        getattr(instance, "path", ()),
        steps,
    )


def _pure_here(context: Context) -> None:
    _pure(context, 0)


def enclose(claim: Claim, instance: Instance, method: Method[Any] | None = None) -> tuple[Verdict | None, int]:
    """(verdict in decimal intervals, digits); None if 160 digits do not decide."""
    return decide(lambda: judge(claim, Context(instance, method, Interval)))


def falsified(
    claim: Claim, instance: Instance, method: Method[Any] | None = None, number: NumberType = Fraction
) -> bool | None:
    """Return whether the claim's check is false on the instance, exactly or in intervals; None if it is true and says
    nothing there.

    A method that breaks there counts as false, but not in intervals, which some checks cannot do.
    """
    try:
        verdict = enclose(claim, instance, method)[0] if number is Interval else judge(claim, Context(instance, method))
    except (ArithmeticError, ValueError, IndexError) as error:
        if method is None or rounded(error):
            raise
        return number is not Interval
    if verdict is not None and verdict.violated is None:
        if verdict.vacuous:
            return None
    return verdict is not None and verdict.violated is not None


def violates(
    claim: Claim, instance: Instance, method: Method[Any] | None = None, number: NumberType = Fraction
) -> bool:
    """Return whether the claim's check is false on the instance; see ``falsified``."""
    return falsified(claim, instance, method, number) is True
