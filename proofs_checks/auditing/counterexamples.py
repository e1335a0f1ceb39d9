"""Counterexample files: one refutation each, exact, and replayed with nothing but the reference.

JSON with ``schema`` 1, the claim, the instance (rationals as "p/q"), and for every relation of the proof
chain both sides as "p/q", as the 16 hex digits of the nearest float's bits, and as that float in decimal.
"""

import pathlib
import sys
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, cast

from dualgap.proofs_checks.auditing import replay_file
from dualgap.proofs_checks.auditing.replay_file import number_to_json
from dualgap.proofs_checks.claims.context import Context
from dualgap.proofs_checks.claims.exact import require_exact
from dualgap.proofs_checks.claims.instance import Instance, read_instance
from dualgap.proofs_checks.claims.judge import require_pure, require_repeatable
from dualgap.proofs_checks.claims.old_ids import where_it_went
from dualgap.proofs_checks.claims.registry import CLAIMS, Claim, all_claims, require_about
from dualgap.proofs_checks.claims.relations import Relation
from dualgap.proofs_checks.claims.strict_json import Json, read_json
from dualgap.proofs_checks.engines.purity import Unrepeatable
from dualgap.reference import LOSSES, REGULARIZERS, Interval, Method
from dualgap.reference.methods.registry import METHODS, VERBS, lacking
from dualgap.reference.numbers.arithmetic import NumberType
from dualgap.reference.numbers.interval import decide
from dualgap.reference.problem.registry import EXTRAS, Registry, load_library

PARTS = ("claim", "instance", "chain")  # of every counterexample file


def chain(claim: Claim, instance: Instance, method: Method[Any] | None = None) -> list[tuple[Relation, bool]]:
    """The claim's relations on the instance, each with whether it holds.

    In Fractions; for the logistic loss in intervals, with as many digits as decide every sign (at most 160).
    Raises ValueError when that is not enough, and where the method is no exact function of its state
    (``judge.require_pure``).
    """

    def judged(number: NumberType) -> list[tuple[Relation, bool]]:
        context = Context(instance, method, number)
        require_pure(context)
        relations = list(claim.check(context))
        require_exact(relations, CLAIMS.is_foreign(claim.id), number)
        return [(r, r.holds()) for r in relations]

    require_about(claim, instance)
    if instance.rational:
        return judged(Fraction)
    decided, digits = decide(lambda: judged(Interval))
    if decided is None:
        raise ValueError(f"claim {claim.id} is undecided on this instance with {digits} digits")
    return decided


def write(folder: pathlib.Path, claim: Claim, instance: Instance, method: Method[Any] | None = None) -> pathlib.Path:
    """Write the file ``counterexample-<claim id>.json`` into folder and return its path.

    method : the user's own method with which the chain was evaluated. The file names its class, and ``replay`` uses it.

    Raises OSError if it cannot be written. An existing file is then unchanged.
    """
    record = _record(claim, instance, method, chain(claim, instance, method))
    return replay_file.write(path_of(folder, claim.id), record)


def path_of(folder: pathlib.Path, claim: str) -> pathlib.Path:
    """Return the path of a claim's counterexample in the folder of an audit."""
    return folder / f"counterexample-{claim}.json"


def text(claim: Claim, instance: Instance, method: Method[Any] | None = None) -> str:
    """Return the text that ``write`` writes."""
    return replay_file.text_of(_record(claim, instance, method, chain(claim, instance, method)))


REPETITIONS = 5  # of other people's check, which may be random


def reproduced(claim: Claim, instance: Instance, method: Method[Any] | None = None) -> str:
    """``text``, after a refutation in which other people's code has a part was repeated: in fresh contexts, and in a
    fresh process if one can import that code, since a module may remember what it saw before.

    Raises Unrepeatable if the refutation does not reproduce.
    """
    found = text(claim, instance, method)
    if not (modules := modules_of(claim.id, instance, method)):
        return found
    require_repeatable(claim, instance, method)
    relations = chain(claim, instance, method)
    again = [_record(claim, instance, method, chain(claim, instance, method)) for _ in range(REPETITIONS)]
    same = all(replay_file.text_of(record) == found for record in again)
    if not same or all(holds for _, holds in relations):
        raise Unrepeatable(f"the result does not reproduce in a second evaluation of {claim.id}: {replay_file.WHY}")
    replay_file.require_repeated(found, modules)
    return found


def _record(
    claim: Claim, instance: Instance, method: Method[Any] | None, relations: list[tuple[Relation, bool]]
) -> Json:
    """Return the record of a file, with ``plugins`` if third-party modules take part in it."""
    modules = modules_of(claim.id, instance, method)
    return {
        "schema": 1,
        "claim": claim.id,
        "statement": claim.statement,
        "instance": instance.to_json(),
        "method": method_to_json(method, instance),
        **({"plugins": modules} if modules else {}),
        "chain": [
            {
                "label": r.label,
                "sign": r.sign,
                "holds": holds,
                "left": number_to_json(r.left),
                "right": number_to_json(r.right),
            }
            for r, holds in relations
        ],
    }


@dataclass(frozen=True)
class Replay:
    """A replayed file: its chain now, the first false relation, whether the file is what would be written now, and the
    method that it names."""

    claim: Claim
    instance: Instance
    relations: list[tuple[Relation, bool]]
    first_false: Relation | None
    same_as_file: bool
    method: Method[Any] | None = None


def replay(path: str | pathlib.Path) -> Replay:
    """Re-evaluate a counterexample file, exactly, with the method that it names.

    Parameters
    ----------
    path : of a file ``counterexample-*.json`` that an audit has written.

    Raises
    ------
    ValueError
        The file is missing, is not such a file, needs a plugin that is not loaded, names an unknown claim or method, or
        an instance on which its claim means nothing.
    """
    record = read_json(path)
    if lacking := [name for name in PARTS if not isinstance(record, dict) or name not in record]:
        raise ValueError(
            f"{path} is not a counterexample file: it has no {lacking[0]!r}. Give a file counterexample-*.json that an"
            " audit has written"
        )
    require_loaded(record.get("plugins"), path)
    try:
        if (name := record["claim"]) not in all_claims():
            if "__main__" in record.get("plugins", ()):
                raise ValueError(
                    f"its claim {str(name)[:80]!r} was registered by a script or a notebook: put it into a module, and"
                    " audit again"
                )
            raise ValueError(
                where_it_went(str(name))
                or f"it names the claim {str(name)[:80]!r}, which this version does not know (see: dualgap claims)"
            )
        claim = all_claims()[name]
        instance = read_instance(record["instance"])
        method = method_from_json(record.get("method"), record["instance"])
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise ValueError(f"{path} is not a counterexample file: {_said(error)}") from None
    try:
        relations = chain(claim, instance, method)
        again = _record(claim, instance, method, relations)
    except replay_file.FAILURES as error:
        raise ValueError(f"{path}: its claim {name} cannot be evaluated on its instance: {_said(error)}") from error
    first = next((r for r, holds in relations if not holds), None)
    return Replay(claim, instance, relations, first, again == record, method)


def _said(error: Exception) -> str:
    """Return the message of an exception, with its type unless that type always has a full sentence."""
    said = str(error) if type(error) is ValueError else f"{type(error).__name__}: {error}"
    return said if len(said) <= 300 else f"{said[:300]}..."


# -- other people's code: the modules that a file needs, and the method that it was found with -----------------------
# Nothing is imported because a file says so: a module that is not loaded is named, and how to load it.


def modules_of(claim: str, instance: Instance, method: Method[Any] | None) -> list[str]:
    """Modules outside dualgap that registered the claim, the instance's method and its loss, and that of ``method``."""
    found: tuple[tuple[Registry[Any], str], ...] = (
        (CLAIMS, claim),
        (METHODS, instance.method),
        (LOSSES, getattr(instance, "loss", "")),
        (REGULARIZERS, getattr(instance, "regularizer_name", "")),
    )
    homes = {registry.places[name].module for registry, name in found if name in registry.foreign()}
    own = {} if method is None else {type(method).__module__: None}
    return sorted(homes | {name for name in own if name.partition(".")[0] != "dualgap"})


def require_loaded(modules: object, path: object) -> None:
    """Raise ValueError for the first of a file's modules that no plugin has brought."""
    for name in modules if isinstance(modules, list) else ():
        load_library(name.removeprefix(f"{EXTRAS}.").partition(".")[0] if isinstance(name, str) else "")
        if isinstance(name, str) and name not in sys.modules:
            raise ValueError(
                f"{path} needs the plugin {name[:80]!r}, which is not loaded: give it with --import, or install the"
                " package that has it"
            )


def method_to_json(method: Method[Any] | None, instance: Instance) -> Json | None:
    """None, or {"class": "module:qualified name", "fields": its parameters, or None if not all are plain values}."""
    if method is None:
        return None
    kind, told = type(method), dict(getattr(method, "__dict__", {}))
    fields = instance.but(options=told).to_json()["options"]  # a method's fields are spelled as its options are
    return {"class": f"{kind.__module__}:{kind.__qualname__}", "fields": fields if _is_plain(fields) else None}


def _is_plain(value: object) -> bool:
    if isinstance(value, dict):
        return all(isinstance(key, str) and _is_plain(item) for key, item in value.items())
    return (
        all(map(_is_plain, value)) if isinstance(value, list) else value is None or isinstance(value, (str, int, float))
    )


def method_from_json(record: object, instance: Json) -> Method[Any] | None:
    """The method of a file; ``instance`` is the file's.

    Raises ValueError: its class is not in what is loaded, or is no method.
    """
    if record is None:
        return None
    spec, fields = (record.get("class"), record.get("fields")) if isinstance(record, dict) else (record, None)
    module, colon, name = str(spec)[:200].partition(":")
    if not colon:
        raise ValueError(
            f"it names the method {module!r} without the module that has it (module:class): make it again by auditing"
            " again"
        )
    if module not in sys.modules:
        raise ValueError(
            f"its method {name} is of the module {module!r}, which is not loaded: give it with --import, or install the"
            " package that has it"
        )
    kind: Any = sys.modules[module]
    for part in name.split("."):
        kind = getattr(kind, part, None)
    if not isinstance(kind, type) or lacking(kind):
        raise ValueError(
            f"the module {module!r} has no method {name!r}: what is replayed is a class of a module, with"
            f" {', '.join(VERBS)}"
        )
    if not isinstance(fields, dict):
        return cast(Method[Any], kind())
    made: Any = object.__new__(kind)
    for key, value in read_instance({**instance, "options": fields}).options.items():
        setattr(made, key, value)
    return cast(Method[Any], made)
