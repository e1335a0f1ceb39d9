"""The names in schema.json, made of the registries: losses, methods, and the fields of the methods' states.

The handwritten parts of the file stay: the calls, the problem, the lines of the protocol, and the parameters of runs
that it has; the parameters of other methods follow.
"""

import json
import typing
from collections.abc import Iterator
from functools import cache

from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.methods.random_data import DYADIC, Draw
from dualgap.proofs_checks.conformance.methods.registry import ROWS
from dualgap.proofs_checks.conformance.methods.spec import MethodSpec
from dualgap.proofs_checks.conformance.protocol.hex_floats import is_number
from dualgap.reference import BLOCK_LOSSES, LOSSES
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.problem import Vector

WRITE = "worker:index columns:indices amounts:vector"  # of a write in flight
DRAWS = 32  # of a method's parameters, in which every combination occurs
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
            described[name] = ref(kinds[0])
    return described


def ref(name: str) -> Schema:
    """A reference to a definition."""
    return {"$ref": f"#/$defs/{name}"}


@cache
def integers(row: MethodSpec) -> frozenset[str]:
    """The names of the integers in the row's state and in its writes in flight."""
    kinds = {name: rule.get("$ref", "").rpartition("/")[2] for name, rule in fields(row).items()}
    for word in WRITE.split():
        name, kind = word.split(":")
        kinds[name] = kind
    return frozenset(name for name, kind in kinds.items() if kind in ("index", "indices"))


def draws(row: MethodSpec) -> Iterator[tuple[Draw, Json, Json]]:
    """A source of numbers, and a problem and parameters that it drew."""
    for k in range(DRAWS):
        draw = Draw(f"schema {row.name} {k}")
        p = row.problem(draw, DYADIC, row.losses[0], row.nets[-1], "two-rows")
        yield draw, p, row.parameters(draw, DYADIC, p)


def parameters(row: MethodSpec) -> dict[str, Schema]:
    """Parameter of the method's runs to what the schema says of it."""
    drawn = [own for _, _, own in draws(row)]
    return {name: _parameter([one[name] for one in drawn if name in one]) for one in drawn for name in one}


def _parameter(values: list[str | list[str]]) -> Schema:
    """What the values of a parameter are: integers, numbers, vectors or names."""
    value = values[0]
    if isinstance(value, int):
        return ref("index")
    if isinstance(value, list):
        return ref("indices" if isinstance(value[0], int) else "vector")
    return ref("number") if is_number(value) else {"enum": sorted(set(values))}


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
    options = {name: rule for row in ROWS.values() for name, rule in parameters(row).items()}
    known = definitions["parameters"]["properties"]
    definitions["parameters"] = definitions["parameters"] | {"properties": known | options | known}
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
