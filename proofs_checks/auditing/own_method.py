"""A user's own method instead of the reference's: which claims can be run with it, and why not the others.

A claim cannot be run if it needs something that the method does not have: an attribute of the method or of its state
(``state.xi``), or a dual. A claim is reported so only if no other explanation is possible:

- what is missing is missing from the beginning: neither the class declares it nor has the first state it;
- no line of the method, of its state, or of what they inherit or define was running when it was accessed;
- on no instance of the claim is a relation false, and on none does anything else go wrong.

Every other exception is an ERROR of the method, never a claim that was not run.
"""

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from fractions import Fraction
from types import CodeType, TracebackType
from typing import Any

from dualgap.proofs_checks.claims.context import NoDual
from dualgap.proofs_checks.claims.foreign_code import staying
from dualgap.proofs_checks.claims.instance import Instance
from dualgap.proofs_checks.claims.judge import judge
from dualgap.proofs_checks.claims.plugins import told
from dualgap.proofs_checks.claims.registry import HOLDS, Claim, Evidence
from dualgap.proofs_checks.claims.result import DrawJson, NotRunJson
from dualgap.proofs_checks.claims.run import Run
from dualgap.proofs_checks.engines.drawn import compared
from dualgap.proofs_checks.evidence.levels import Enclosed, Exact, Golden
from dualgap.reference import HypothesisViolated, Method
from dualgap.reference.methods import registry

MISSING = re.compile(r"'([^']+)' object has no attribute '([^']+)'")


class Lacks(Exception):
    """The method lacks something that a claim needs."""


def require_verbs(method: Any) -> None:
    """Raise ValueError, in one line, for what is no method."""
    if missing := registry.lacking(method):
        said = (
            f"{type(method).__name__} has no {', no '.join(missing)}"
            if len(missing) < len(registry.VERBS)
            else f"{type(method).__name__} has none of them"
        )
        raise ValueError(
            f"method must be an object with init, choices, step and view ({said}); see dualgap.reference.AuditedMethod"
        )


def exact_levels(claim: Claim) -> list[Exact]:
    """The levels that can be run with another method instead of the reference's."""
    return [source for source in claim.evidence if isinstance(source, Exact)]


def never_asked(claim: Claim) -> str | None:
    """Why a claim can only be run with the printed method; None if it can be run with others."""
    if claim.expected != HOLDS:
        return f"is {claim.expected}: about the printed method"
    if exact_levels(claim):
        return None
    if any(isinstance(source, Enclosed) for source in claim.evidence):
        return "its level is in intervals"
    if claim.evidence and all(isinstance(source, Golden) for source in claim.evidence):
        return "its instances are written down, for the printed method"
    return "its level is no exact one on drawn instances: statistics, floats or a search"


def asked(claims: Iterable[Claim]) -> tuple[list[Claim], list[NotRunJson]]:
    """The claims that can be run with another method, and the others."""
    reasons = [(claim, never_asked(claim)) for claim in claims]
    return [claim for claim, reason in reasons if reason is None], [
        NotRunJson(id=claim.id, reason=reason) for claim, reason in reasons if reason is not None
    ]


def evidence(claim: Claim, run: Run) -> list[Evidence]:
    """Exact levels for the user's own method or instances. Raises Lacks if the method lacks what the claim needs."""
    levels = exact_levels(claim)
    try:
        return [level(claim, run) for level in levels]
    except Exception as error:
        if run.method is None or (reason := lacking(error, run.method, states(run))) is None:
            raise
        for level in levels:
            _nothing_else_is_wrong(claim, run, level, error)
        raise Lacks(reason) from error


def _nothing_else_is_wrong(claim: Claim, run: Run, level: Exact, error: Exception) -> None:
    """Raise unless every instance of a level is true of the method, or lacks something."""
    for context in run.contexts(level.strategy, run.count(level.scale)):
        try:
            violated = judge(claim, context).violated
        except Exception as other:
            if lacking(other, run.method, states(run)) is None:
                raise
            continue
        if violated is not None:
            raise RuntimeError(
                f"on one instance it is false ({violated}), on another it cannot be evaluated: {error}"
            ) from error


def states(run: Run) -> Iterator[object]:
    """First states of the method on the instances that were drawn, as far as it has any."""
    for context in (context for pool in run.pools.values() for context in pool.contexts):
        try:
            yield context.start
        except Exception:  # its own exception, which the audit of a claim reports
            return


def lacking(error: Exception, method: object, starts: Iterable[object]) -> str | None:
    """Return the attribute that the method lacks if the exception is about that alone; otherwise None."""
    start = next(iter(starts), None)
    if start is None or any(_of_the_method(code, first, method, start) for code, first in _frames(error.__traceback__)):
        return None
    if isinstance(error, NoDual):
        return "needs a dual: view gives (w, None)"
    if not isinstance(error, AttributeError):
        return None
    if (said := MISSING.search(str(error))) is None:
        return None
    kind, name = said.groups()
    asked_of = getattr(error, "obj", None)  # some versions of Python say it, where an attribute is read
    for owner, what in ((method, "method"), (start, "state")):
        same = kind == type(owner).__name__ if asked_of is None else type(asked_of) is type(owner)
        if same and not _has(owner, name):
            return f"needs {what}.{name}" + ("()" if name == "key" else "")
    return None


def _has(owner: object, name: str) -> bool:
    """Return whether a class declares an attribute, be it unset, or the object has it."""
    return name in getattr(owner, "__dict__", {}) or any(name in vars(base) for base in type(owner).__mro__)


def _frames(traceback: TracebackType | None) -> Iterator[tuple[CodeType, object]]:
    """The code of each frame with the value of its first argument."""
    while traceback is not None:
        code = traceback.tb_frame.f_code
        yield code, traceback.tb_frame.f_locals.get(code.co_varnames[0]) if code.co_varnames else None
        traceback = traceback.tb_next


def _of_the_method(code: CodeType, first: object, method: object, start: object) -> bool:
    """Return whether a frame is one of the method or of a state: of what they, their classes or bases define."""
    if isinstance(first, Method) and not any(
        first is owner for owner in (method, *(getattr(value, "__self__", None) for value in _held(method)))
    ):
        return False  # a base of this library at work for another method, which a claim has made
    return code in {c for owner in (method, start) for c in _codes(owner)}


def _held(owner: object) -> list[object]:
    """Return the attributes of the object itself."""
    return list(getattr(owner, "__dict__", {}).values())


def _codes(owner: object) -> Iterator[CodeType]:
    """The code of all callables that an object and its classes hold, wrapped or not, with what is defined inside."""
    held = [value for base in type(owner).__mro__ if base is not object for value in vars(base).values()]
    for value in [*held, *_held(owner)]:
        for part in (value, *(getattr(value, name, None) for name in ("__wrapped__", "__func__", "func", "fget"))):
            code = getattr(part, "__code__", None) or getattr(vars(type(part)).get("__call__"), "__code__", None)
            if isinstance(code, CodeType):
                yield from _with_inner(code)


def _with_inner(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _with_inner(constant)


MOST_SHOWN = 200  # characters of an instance in a message
MOST_PROBLEMS = 6  # instances on which a method's draws are compared with its ``choices``


def drawn(run: Run, claims: Iterable[Claim]) -> DrawJson:
    """Compare a method's draws with its ``choices``, on problems of the claims with 2 to 4 rows of different norms.

    Checks the user's own method. Without one it checks the third-party methods that the claims are about.
    """
    methods: dict[str, list[tuple[Any, Instance]]] = {}
    for instance in _unlike_rows(run, claims):
        if run.method is not None or instance.method in registry.METHODS.foreign():
            methods.setdefault(instance.method if run.method is None else "", []).append(
                (run.method or instance.reference_method(), instance)
            )
    found: dict[str, list[str]] = {}
    for method, instance in (pair for pairs in methods.values() for pair in pairs[:MOST_PROBLEMS]):
        if callable(getattr(method, "draw", None)):
            how, differences = _compared(method, instance)
            if not how:
                continue
            found.setdefault(how, []).extend(differences)
    return {
        "how": ", ".join(found),
        "differences": list(dict.fromkeys(words for differences in found.values() for words in differences)),
    }


def _compared(method: Any, instance: Instance) -> tuple[str, list[str]]:
    """Return the result of ``compared`` in floats, or exactly if the method cannot run in floats; "" for a problem that
    the method refuses."""
    broken: Exception | None = None
    for number in (float, Fraction):
        try:
            with staying():
                problem = instance.problem(number)
                if hasattr(problem, "regularizer") and callable(require := getattr(method, "require", None)):
                    require(problem, "unchecked")
                return compared(method, problem, instance.begin(method, problem))
        except HypothesisViolated:
            return "", []
        except Exception as error:
            broken = broken or error
    if broken is None:
        raise RuntimeError("two numbers were tried, and each returns or raises")
    lines = told(broken, type(method).__module__, "").splitlines()
    said = lines[-1] if lines[0].startswith("Traceback") else lines[0]
    on = f"{getattr(method, 'name', type(method).__name__)} on {str(instance.to_json())[:MOST_SHOWN]}"
    return "not at all", [f"{on}: {said}"]


def _unlike_rows(run: Run, claims: Iterable[Claim]) -> list[Instance]:
    """Instances with 2 to 4 rows, most unequal norms first; without an own method of other people's claims alone."""
    asked = [claim for claim in claims if run.method is not None or not claim.check.__module__.startswith("dualgap.")]
    strategies = dict.fromkeys(level.strategy for claim in asked for level in exact_levels(claim))
    drawn: list[Instance] = []
    for strategy in list(strategies)[:5]:
        with suppress(Exception), staying():  # what a strategy raises is the error of its claim
            drawn += [context.instance for context in run.contexts(strategy, run.count())]
    few = [instance for instance in drawn if 2 <= len(getattr(instance, "rows", ())) <= 4]
    return sorted(few, key=lambda instance: -len({sum(x * x for x in row) for row in instance.rows}))
