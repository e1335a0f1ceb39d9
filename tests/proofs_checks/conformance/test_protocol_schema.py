"""The schemas of the lines of the protocol, by jsonschema: every request and every result that is due follow them,
spoiled ones do not.
"""

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


def test_the_schemas_name_every_method():
    """A method that they lack is added: tests/repository/test_columns.py."""
    for name in (schemas.SCHEMA, schemas.REQUEST, schemas.ANSWER):
        assert schemas.extended(name, schema(name)) == schema(name)
    assert set(schema(schemas.REQUEST)["$defs"]["method"]["enum"]) == set(ROWS)


def test_the_folder_and_what_lies_beside_it(capsys):
    assert main(["vectors", "--path"]) == 0
    assert capsys.readouterr().out.strip() == str(vectors.HOME)
    assert f"## {len(CASES):,} cases" in (vectors.HOME.parent / "CHANGES.md").read_text(encoding="utf-8")
    assert "BSD" in (vectors.HOME.parent / "LICENSE").read_text(encoding="utf-8")
