"""The names in schema.json, made of the registries: losses, methods, and the fields of the methods' states.

The handwritten parts of the file stay: the calls, the problem, the lines of the protocol, and the parameters of runs.
"""

import json
import typing

from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.methods.registry import ROWS
from dualgap.proofs_checks.conformance.methods.spec import MethodSpec
from dualgap.reference import BLOCK_LOSSES, LOSSES
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.problem import Vector

TYPES = ((int, "index"), (list[int], "indices"), (Vector, "vector"), (Number, "number"))
Schema = Json


def fields(row: MethodSpec) -> dict[str, Schema]:
    """Field of the row's state to what the schema says of it.

    Raises ValueError: a field has another type than these, and the row's ``fields`` does not describe it.
    """
    described = {name: rule for name, rule in row.fields.items()}
    hints = typing.get_type_hints(row.kind)
    for name in row.kind.names():
        if name not in described:
            kinds = [kind for hint, kind in TYPES if hints.get(name) == hint]
            if not kinds:
                raise ValueError(
                    f"{row.kind.__name__}.{name} of method {row.name} is annotated {hints.get(name)}: say in fields"
                    " what it is in a file"
                )
            described[name] = {"$ref": f"#/$defs/{kinds[0]}"}
    return described


def with_names(schema: Schema) -> Schema:
    """The schema with the names of the registries; those that it has keep their places, others follow."""
    states: dict[str, list[Schema]] = {}
    for row in ROWS.values():
        for name, rule in fields(row).items():
            if rule not in states.setdefault(name, []):
                states[name].append(rule)
    definitions = dict(schema["$defs"])
    wanted = {"loss": [*LOSSES], "block_loss": [name for name in BLOCK_LOSSES if name not in LOSSES], "method": [*ROWS]}
    for name, values in wanted.items():
        definitions[name] = {"enum": _in_order(definitions[name]["enum"], values)}
    known = definitions["state"]["properties"]
    rules = {name: _either(states[name]) for name in _in_order(list(known), list(states))}
    definitions["state"] = definitions["state"] | {"properties": rules}
    return schema | {"$defs": definitions}


def _in_order(before: list[str], now: list[str]) -> list[str]:
    return [*(name for name in before if name in now), *(name for name in now if name not in before)]


def _either(rules: list[Schema]) -> Schema:
    return rules[0] if len(rules) == 1 else {"anyOf": sorted(rules, key=json.dumps)}


def raw(schema: Schema) -> bytes:
    """The bytes of the file: a definition a line, and of the longer ones a property a line."""
    return (_lines(schema, 1, ("$defs",)) + "\n").encode()


def _lines(value: Json, depth: int, opened: tuple[str, ...]) -> str:
    """JSON with a member a line; a member is opened in turn where it is in ``opened`` or has properties."""
    parts = []
    for name, item in value.items():
        inner = name in opened or (isinstance(item, dict) and "properties" in item)
        parts.append(
            " " * depth
            + json.dumps(name)
            + ": "
            + (_lines(item, depth + 1, ("properties",)) if inner else json.dumps(item))
        )
    return "{\n" + ",\n".join(parts) + "\n" + " " * (depth - 1) + "}"
