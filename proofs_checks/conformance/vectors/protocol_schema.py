"""JSON Schema (draft 2020-12) of the lines of the protocol: ``request.schema.json`` and ``answer.schema.json``.

Made of the registries as ``schema.json`` is: calls and what each is given and gives back, the state, the parameters and
the choice of each method. Objects are open, for keys that one does not know are to be ignored. What is due for a call
stands under ``$defs`` of the answers as ``result CALL``.
"""

from dualgap.proofs_checks.conformance.methods.random_data import DYADIC
from dualgap.proofs_checks.conformance.methods.registry import ROWS
from dualgap.proofs_checks.conformance.methods.spec import MethodSpec
from dualgap.proofs_checks.conformance.vectors.schema import WRITE, Schema, draws, fields, parameters, ref
from dualgap.reference import BLOCK_LOSSES, LOSSES

REQUEST, ANSWER = "request.schema.json", "answer.schema.json"
DRAFT = "https://json-schema.org/draft/2020-12/schema"
VERSION = 1  # of the protocol
CALLS: dict[str, tuple[str, str]] = {  # call: what it is given, what it gives back; a word with ? may be missing
    "loss.value": ("loss gamma z y", "value"),
    "loss.derivative": ("loss gamma z y", "value"),
    "loss.conjugate": ("loss gamma alpha y", "value"),
    "loss.residual": ("loss gamma z alpha y", "value"),
    "loss.dual_step": ("loss gamma z alpha y q", "value"),
    "regularizer.value": ("lam l1 w:vector", "value"),
    "regularizer.conjugate": ("lam l1 u:vector", "value"),
    "regularizer.minimizer": ("lam l1 u:vector", "w:vector"),
    "regularizer.prox": ("lam l1 w:vector tau", "w:vector"),
    "pnorm.value": ("lam p w:vector ball?", "value"),
    "pnorm.conjugate": ("lam p u:vector ball?", "value"),
    "pnorm.minimizer": ("lam p u:vector ball?", "w:vector"),
    "block.value": ("loss:block_loss gamma target:target z:vector", "value"),
    "block.conjugate": ("loss:block_loss gamma target:target alpha:vector", "value"),
    "block.derivative": ("loss:block_loss gamma target:target z:vector", "alpha:vector"),
    "block.dual_step": ("loss:block_loss gamma target:target z:vector alpha:vector q", "alpha:vector"),
    "gap": ("primal dual", "gap"),
    "certificate": ("problem:problem w:vector alpha:vector", "primal dual gap"),
    "init": ("method:method problem:problem alpha:vector parameters?:object", "state:state"),
    "view": ("method:method problem:problem state:object parameters?:object", "w:vector alpha:vector"),
    "step": ("method:method problem:problem parameters:object state:object choice:choice", "state:state"),
    "trajectory": ("method:method problem:problem parameters:object state:object choices:choices", "states:states"),
    "last": ("method:method problem:problem parameters:object state:object choices:choices", "state:state"),
    "branches": ("method:method problem:problem parameters:object state:object choices:choices", "states:states"),
}


def _object(words: str) -> Schema:
    """An object of the words of CALLS: ``name``, ``name:kind`` (default: a number), with ? where it may be missing."""
    pairs = [
        (name.rstrip("?"), kind.rstrip("?") or "number", "?" in word)
        for word in words.split()
        for name, _, kind in [word.partition(":")]
    ]
    kinds = {name: ref("loss" if name == "loss" and kind == "number" else kind) for name, kind, _ in pairs}
    return {"type": "object", "properties": kinds, "required": [name for name, _, optional in pairs if not optional]}


def _shared() -> Schema:
    """Definitions of both files."""
    index: Schema = {"type": "integer", "minimum": 0}
    return {
        "number": {"type": "string", "pattern": "^[0-9a-f]{16}$"},
        "index": index,
        "object": {"type": "object"},
        "vector": {"type": "array", "items": ref("number")},
        "indices": {"type": "array", "items": ref("index")},
        "write": _object(WRITE),
    }


def request() -> Schema:
    """The schema of a request."""
    definitions = _shared() | {
        "loss": {"enum": list(LOSSES)},
        "block_loss": {"enum": [name for name in BLOCK_LOSSES if name not in LOSSES]},
        "method": {"enum": list(ROWS)},
        "target": {"anyOf": [ref("index"), ref("vector")]},
        "choice": {"anyOf": [ref("index"), ref("indices")]},
        "choices": {"type": "array", "items": ref("choice")},
        "problem": _object(
            "n:index d:index starts:indices columns:indices values:vector y:vector loss gamma lam l1 p? ball?"
        ),
    }
    for call, (given, _) in CALLS.items():
        definitions[f"given {call}"] = _object(given)
    definitions |= {f"given of {name}": _of_method(row) for name, row in ROWS.items()}
    per_call = [_when("call", call, {"given": ref(f"given {call}")}) for call in CALLS]
    per_method = [_when("method", name, ref(f"given of {name}"), whole=True) for name in ROWS]
    definitions["any method"] = {"allOf": per_method}
    run = {
        "required": ["call", "given"],
        "properties": {"call": {"enum": list(CALLS)}, "given": ref("any method")},
        "allOf": per_call,
    }
    ops: dict[str, Schema] = {
        "start": {"required": ["protocol"], "properties": {"protocol": {"const": VERSION}}},
        "echo": {"required": ["numbers"], "properties": {"numbers": ref("vector")}},
        "run": run,
    }
    return _file("request", definitions) | {
        "type": "object",
        "properties": {"seq": ref("index"), "op": {"type": "string"}},
        "required": ["seq", "op"],
        "allOf": [_when("op", op, rule, whole=True) for op, rule in ops.items()],
    }


def answer() -> Schema:
    """The schema of an answer."""
    states = [{"title": name, **_state(row)} for name, row in ROWS.items()]
    definitions = _shared() | {"state": {"anyOf": states}, "states": {"type": "array", "items": ref("state")}}
    definitions |= {f"result {call}": _object(result) for call, (_, result) in CALLS.items()}
    results = list(dict.fromkeys(result for _, result in CALLS.values()))
    bodies: dict[str, Schema] = {
        "protocol": {
            "properties": (
                {name: {"type": "string"} for name in ("name", "language", "version")}
                | {"protocol": {"const": VERSION}}
            )
        },
        "numbers": {"properties": {"numbers": ref("vector")}},
        "result": {"properties": {"result": {"anyOf": [_object(words) for words in results]}}},
        "skipped": {"properties": {"skipped": {"type": "string"}}},
        "error": {"properties": {"error": {"type": "string"}}},
    }
    return _file("answer", definitions) | {
        "type": "object",
        "properties": {"seq": ref("index")},
        "required": ["seq"],
        "oneOf": [{"required": [name], **body} for name, body in bodies.items()],
    }


def _file(name: str, definitions: Schema) -> Schema:
    return {
        "$schema": DRAFT,
        "$id": f"urn:dualgap:protocol:{VERSION}:{name}",
        "title": f"dualgap protocol {VERSION}: {name}",
        "$defs": definitions,
    }


def _when(name: str, value: str, rule: Schema, whole: bool = False) -> Schema:
    """Where the member ``name`` is ``value``, the rule of other members, or of the whole."""
    then = rule if whole else {"properties": rule}
    return {"if": {"properties": {name: {"const": value}}, "required": [name]}, "then": then}


def _state(row: MethodSpec) -> Schema:
    described = fields(row)
    return {
        "type": "object",
        "properties": described,
        "required": [name for name in described if name not in row.optional],
    }


def _of_method(row: MethodSpec) -> Schema:
    """State, parameters and choice of one method, as its rows draw them."""
    choices = {type(row.choice(draw, p, own, row.state(draw, DYADIC, p, own))) for draw, p, own in draws(row)}
    drawn = [own for _, _, own in draws(row)]
    rules = parameters(row)
    always = [name for name in rules if all(name in one for one in drawn)]
    choice = ref("indices" if choices == {list} else "index")
    return {
        "properties": {
            "state": _state(row),
            "parameters": {"type": "object", "properties": rules, "required": always},
            "choice": choice,
            "choices": {"type": "array", "items": choice},
        }
    }
