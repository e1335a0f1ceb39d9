"""The schemas in the folder of the vectors, with the names of new losses and methods.

``schema.json`` describes a file of cases, ``request.schema.json`` and ``answer.schema.json`` the lines of the protocol
(JSON Schema, draft 2020-12). What is published of them stays; a new method adds its state, its parameters and its
choice.
"""

import copy
import typing
from functools import cache

from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.conformance.methods.registry import PUBLISHED, ROWS
from dualgap.proofs_checks.conformance.methods.spec import MethodSpec
from dualgap.proofs_checks.conformance.protocol.hex_floats import is_number
from dualgap.reference import BLOCK_LOSSES, LOSSES
from dualgap.reference.numbers.arithmetic import Number
from dualgap.reference.problem.problem import Vector

SCHEMA, REQUEST, ANSWER = "schema.json", "request.schema.json", "answer.schema.json"
WRITE = {"worker": "index", "columns": "indices", "amounts": "vector"}  # of a write in flight
TYPES = ((int, "index"), (list[int], "indices"), (Vector, "vector"), (Number, "number"))
Schema = Json


def extended(name: str, kept: Schema) -> Schema:
    """The schema of that file with the losses and methods that it lacks.

    Raises ValueError: a field of a state has another type than ``TYPES``, and the row's ``fields`` does not describe
    it.
    """
    made: Schema = copy.deepcopy(kept)
    definitions = made["$defs"]
    blocks = [loss for loss in BLOCK_LOSSES if loss not in LOSSES]
    for kind, names in (("loss", list(LOSSES)), ("block_loss", blocks), ("method", list(ROWS))):
        if kind in definitions:
            known = definitions[kind]["enum"]
            known += [one for one in names if one not in known]
    add = {SCHEMA: _add_to_files, REQUEST: _add_to_requests, ANSWER: _add_to_answers}[name]
    for row in ROWS.values():
        if row.name not in PUBLISHED:
            add(definitions, row)
    return made


def _add_to_files(definitions: Schema, row: MethodSpec) -> None:
    """State and parameters; what is known under the same name is allowed as well."""
    states, options = definitions["state"]["properties"], definitions["parameters"]["properties"]
    for name, rule in fields(row).items():
        rules = states.get(name, rule).get("anyOf", [states.get(name, rule)])
        states[name] = states.get(name, rule) if rule in rules else {"anyOf": [*rules, rule]}
    definitions["parameters"]["properties"] = parameters(row) | options


def _add_to_requests(definitions: Schema, row: MethodSpec) -> None:
    """State, parameters and choice of one method."""
    rules, choice = parameters(row), ref("indices" if isinstance(row.choice(2, 0), list) else "index")
    definitions[f"given of {row.name}"] = {
        "properties": {
            "state": _state(row),
            "parameters": {"type": "object", "properties": rules, "required": list(rules)},
            "choice": choice,
            "choices": {"type": "array", "items": choice},
        }
    }
    named = {"properties": {"method": {"const": row.name}}, "required": ["method"]}
    definitions["any method"]["allOf"].append({"if": named, "then": ref(f"given of {row.name}")})


def _add_to_answers(definitions: Schema, row: MethodSpec) -> None:
    definitions["state"]["anyOf"].append({"title": row.name, **_state(row)})


def _state(row: MethodSpec) -> Schema:
    described = fields(row)
    return {"type": "object", "properties": described, "required": list(described)}


def fields(row: MethodSpec) -> dict[str, Schema]:
    """Field of the row's state to what the schema says of it."""
    described, hints = dict(row.fields), typing.get_type_hints(row.kind)
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
    kinds = {name: rule.get("$ref", "").rpartition("/")[2] for name, rule in fields(row).items()} | WRITE
    return frozenset(name for name, kind in kinds.items() if kind in ("index", "indices"))


def parameters(row: MethodSpec) -> dict[str, Schema]:
    """Parameter of the method's runs to what the schema says of it: integers, numbers or names."""
    return {name: _parameter(values) for name, values in row.options.items()}


def _parameter(values: tuple[int | str, ...]) -> Schema:
    if isinstance(values[0], int):
        return ref("index")
    return ref("number") if is_number(values[0]) else {"enum": sorted(map(str, values))}
