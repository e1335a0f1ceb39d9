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


def spoiled(request):
    """The request with each member of what is given, of its problem, state and parameters left out, or made something
    else.
    """
    given = request["given"]
    for path in ((), ("problem",), ("state",), ("parameters",)):
        inner = given
        for name in path:
            inner = inner.get(name, {})
        for name in inner:
            for value in (None, {"?": 1}):
                other = copy.deepcopy(request)
                place = other["given"]
                for step in path:
                    place = place[step]
                if value is None:
                    del place[name]
                else:
                    place[name] = value
                yield (*path, name, value), other


MAY_BE_MISSING = {"ball", "p", "kept"}  # of a problem, a p-norm call, svrg's state


@pytest.mark.parametrize("every", by_day([1, 12], 12))  # of the cases chosen
def test_every_member_of_a_request_is_needed_and_has_a_kind(every):
    """One step of each method, and one case of each call."""
    check = validator(schemas.REQUEST)
    chosen = {case.call: case for case in CASES} | {
        f"step {case.method}": case for case in CASES if case.call == "step" and case.request["parameters"]
    }
    assert len(chosen) > len(ROWS)
    for case in list(chosen.values())[::every]:
        request = {"seq": 2, "op": "run", "call": case.call, "given": case.request}
        assert check.is_valid(request)
        for place, other in spoiled(request):
            missing = place[-1] is None
            if not (
                missing
                and (
                    place[-2] in MAY_BE_MISSING
                    or (place[-2] == "parameters" and case.call in ("init", "view"))
                    or case.method == "spd1"
                )
            ):
                assert not check.is_valid(other) or place == ("parameters", {"?": 1}), (case.id, place)


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
