"""JSON Schema, as much of draft 2020-12 as the vectors' own schema uses; any other keyword is refused, not ignored."""

import re
from collections import defaultdict
from collections.abc import Iterator

from dualgap.proofs_checks.claims.strict_json import Json

KINDS: dict[str, type] = {"object": dict, "array": list, "string": str, "integer": int}
SILENT = {"$schema", "$defs", "title", "description"}
Sound = defaultdict[str, set[object]]  # definition: the texts and integers that are known to follow it
KNOWN = SILENT | {
    "$ref",
    "type",
    "properties",
    "required",
    "additionalProperties",
    "items",
    "minItems",
    "minimum",
    "pattern",
    "enum",
    "const",
    "anyOf",
    "oneOf",
}


def errors(
    value: object, schema: Json, root: Json | None = None, path: str = "$", sound: Sound | None = None
) -> Iterator[str]:
    """Why ``value`` does not follow ``schema``, each with the place; nothing where it does.

    Raises ValueError for a keyword that this module does not know: an unknown rule must not count as kept.

    sound : texts and integers that are known to follow a definition, by its name; what is found is added.

    >>> list(errors({"n": 0}, {"type": "object", "properties": {"n": {"type": "integer", "minimum": 1}}}))
    ['$.n: 0 is less than 1']
    """
    root, sound = schema if root is None else root, defaultdict(set) if sound is None else sound
    if not schema.keys() <= KNOWN:
        raise ValueError(f"this checker does not know the keyword {min(schema.keys() - KNOWN)!r} of JSON Schema")
    if "$ref" in schema:
        yield from errors(value, root["$defs"][schema["$ref"].removeprefix("#/$defs/")], root, path, sound)
    if "type" in schema and (not isinstance(value, KINDS[schema["type"]]) or isinstance(value, bool)):
        yield f"{path}: {value!r} is not of type {schema['type']}"
        return
    yield from _values(value, schema, path)
    for keyword in schema.keys() & {"anyOf", "oneOf"}:
        followed = sum(not any(errors(value, s, root, path, sound)) for s in schema[keyword])
        if followed == 0 or (keyword == "oneOf" and followed > 1):
            yield f"{path}: follows {followed} of the {keyword}"
    if isinstance(value, dict):
        yield from _object(value, schema, root, path, sound)
    if isinstance(value, list) and "items" in schema:
        rule: Json = schema["items"]
        known = sound[rule["$ref"]] if rule.keys() == {"$ref"} else set()
        for k, item in enumerate(value):
            plain = type(item) in (str, int)
            if not (plain and item in known):
                yield from (wrong := list(errors(item, rule, root, f"{path}[{k}]", sound)))
                if plain and not wrong:
                    known.add(item)


def _values(value: object, schema: Json, path: str) -> Iterator[str]:
    if "enum" in schema and value not in schema["enum"]:
        yield f"{path}: {value!r} is none of {', '.join(schema['enum'])}"
    if "const" in schema and value != schema["const"]:
        yield f"{path}: {value!r} is not {schema['const']!r}"
    if "minimum" in schema and isinstance(value, int) and value < schema["minimum"]:
        yield f"{path}: {value} is less than {schema['minimum']}"
    if "pattern" in schema and isinstance(value, str) and re.search(schema["pattern"], value) is None:
        yield f"{path}: {value!r} does not match {schema['pattern']}"
    if "minItems" in schema and isinstance(value, list) and len(value) < schema["minItems"]:
        yield f"{path}: fewer than {schema['minItems']} items"


def _object(value: Json, schema: Json, root: Json, path: str, sound: Sound) -> Iterator[str]:
    for name in schema.get("required", ()):
        if name not in value:
            yield f"{path}: {name} is missing"
    described = schema.get("properties", {})
    for name, item in value.items():
        rule = described.get(name, schema.get("additionalProperties", True))
        if rule is False:
            yield f"{path}: {name} is not allowed here"
        elif rule is not True:
            yield from errors(item, rule, root, f"{path}.{name}", sound)
