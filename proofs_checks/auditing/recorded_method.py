"""What a file of a counterexample says of other people's code: the modules it needs, and the method that it was found
with.

Nothing is imported because a file says so: a module that is not loaded is named, and how to load it.
"""

import sys
from typing import Any, cast

from dualgap.proofs_checks.claims.instance import Instance, read_instance
from dualgap.proofs_checks.claims.registry import CLAIMS
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.reference import LOSSES, REGULARIZERS, Method
from dualgap.reference.methods.registry import METHODS, VERBS, lacking
from dualgap.reference.problem.registry import Registry


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
        if isinstance(name, str) and name not in sys.modules:
            raise ValueError(
                f"{path} needs the plugin {name[:80]!r}, which is not loaded: give it with --import, or install the"
                " package that has it"
            )


def method_to_json(method: Method[Any] | None, instance: Instance) -> Any:
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
