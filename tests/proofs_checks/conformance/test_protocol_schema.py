"""The schemas of the lines of the protocol, by jsonschema: every request and every result that is due follow them,
spoiled ones do not.
"""

import copy
import json
from functools import cache

import pytest
from support import by_day

from dualgap.proofs_checks.cli.main import main
from dualgap.proofs_checks.cli.vectors import requests
from dualgap.proofs_checks.conformance.methods.registry import ROWS
from dualgap.proofs_checks.conformance.protocol import hex_floats
from dualgap.proofs_checks.conformance.vectors import load as vectors
from dualgap.proofs_checks.conformance.vectors import schema as schemas

pytestmark = pytest.mark.needs("jsonschema")
VECTORS = vectors.load()
CASES = list(VECTORS.cases.values())


@cache
def schema(name):
    import jsonschema

    content = json.loads((vectors.HOME / name).read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(content)
    return content


@cache
def validator(name, definition=None):
    import jsonschema

    content = schema(name)
    return jsonschema.Draft202012Validator(
        content if definition is None else {"$ref": f"#/$defs/{definition}", "$defs": content["$defs"]}
    )


EVERY = pytest.mark.parametrize("every", by_day([1, 40], 40))  # of the vectors


@EVERY
def test_every_request_follows_the_schema(every):
    check = validator(schemas.REQUEST)
    asked = [request for request in requests(VECTORS) if request["seq"] % every == 0]
    wrong = [(request["seq"], error.message) for request in asked for error in check.iter_errors(request)]
    assert wrong == []


@EVERY
def test_every_result_that_is_due_follows_the_schema_of_its_call(every):
    line = validator(schemas.ANSWER)
    calls = {case.call for case in CASES}
    of_call = {call: validator(schemas.ANSWER, f"result {call}") for call in calls}
    for case in CASES[::every]:
        if case.due is not None:
            result = hex_floats.plain(case.due)
            assert of_call[case.call].is_valid(result) and line.is_valid({"seq": 3, "result": result}), case.id


@pytest.mark.parametrize(
    "answer, valid",
    [
        ({"seq": 0, "protocol": 1, "name": "a", "language": "b", "version": "1"}, True),
        ({"seq": 0, "protocol": 2}, False),
        ({"seq": 1, "numbers": ["0" * 16]}, True),
        ({"seq": 1, "numbers": ["1.5"]}, False),
        ({"seq": 2, "skipped": "why"}, True),
        ({"seq": 2}, False),
        ({"seq": 2, "skipped": "why", "error": "why"}, False),
        ({"seq": 2, "result": {}}, False),
        ({"seq": 2, "result": {"value": "3ff0000000000000"}}, True),
        ({"seq": 2, "result": {"state": {"v": ["3ff0000000000000"]}}}, False),
    ],
)
def test_answers_by_hand(answer, valid):
    assert validator(schemas.ANSWER).is_valid(answer) is valid


@pytest.mark.parametrize("method", ["svrg", "spdc", "passcode-wild"])
def test_a_method_that_the_schemas_lack_is_added(method, monkeypatch):
    monkeypatch.setattr(schemas, "PUBLISHED", [name for name in ROWS if name != method])
    for name in (schemas.SCHEMA, schemas.REQUEST, schemas.ANSWER):
        lacking, whole = copy.deepcopy(schema(name)), schema(name)
        definitions = lacking["$defs"]
        if name == schemas.SCHEMA and method == "passcode-wild":
            del definitions["state"]["properties"]["pending"]
        if name != schemas.ANSWER:
            definitions["method"]["enum"].remove(method)
        if name == schemas.REQUEST:
            del definitions[f"given of {method}"]
            definitions["any method"]["allOf"] = [x for x in definitions["any method"]["allOf"] if method != named(x)]
        if name == schemas.ANSWER:
            definitions["state"]["anyOf"] = [x for x in definitions["state"]["anyOf"] if method != x["title"]]
        assert in_any_order(schemas.extended(name, lacking)) == in_any_order(whole)
        assert in_any_order(lacking) != in_any_order(whole)


def named(rule):
    """The method that a condition of the schema names."""
    return rule["if"]["properties"]["method"]["const"]


def in_any_order(value):
    """A JSON value whose lists have lost their order."""
    if isinstance(value, dict):
        return {name: in_any_order(part) for name, part in value.items()}
    return sorted(map(json.dumps, map(in_any_order, value))) if isinstance(value, list) else value


def test_the_folder_and_what_lies_beside_it(capsys):
    assert main(["vectors", "--path"]) == 0
    assert capsys.readouterr().out.strip() == str(vectors.HOME)
    assert f"## {len(CASES):,} cases" in (vectors.HOME.parent / "CHANGES.md").read_text(encoding="utf-8")
    assert "BSD" in (vectors.HOME.parent / "LICENSE").read_text(encoding="utf-8")
