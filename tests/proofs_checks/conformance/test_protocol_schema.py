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
from dualgap.proofs_checks.conformance.vectors import protocol_schema

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


def test_the_files_are_those_of_the_registries():
    assert json.loads((vectors.HOME / protocol_schema.REQUEST).read_text()) == protocol_schema.request()
    assert json.loads((vectors.HOME / protocol_schema.ANSWER).read_text()) == protocol_schema.answer()


EVERY = pytest.mark.parametrize("every", by_day([1, 40], 40))  # of the vectors


@EVERY
def test_every_request_follows_the_schema(every):
    check = validator(protocol_schema.REQUEST)
    asked = [request for request in requests(VECTORS) if request["seq"] % every == 0]
    wrong = [(request["seq"], error.message) for request in asked for error in check.iter_errors(request)]
    assert wrong == []


@EVERY
def test_every_result_that_is_due_follows_the_schema_of_its_call(every):
    line = validator(protocol_schema.ANSWER)
    of_call = {call: validator(protocol_schema.ANSWER, f"result {call}") for call in protocol_schema.CALLS}
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
        ({"seq": 2, "error": "why", "more": 3}, True),
        ({"seq": 2}, False),
        ({"skipped": "why"}, False),
        ({"seq": -1, "skipped": "why"}, False),
        ({"seq": 2, "skipped": "why", "error": "why"}, False),
        ({"seq": 2, "result": {}}, False),
        ({"seq": 2, "result": {"value": 1.5}}, False),
        ({"seq": 2, "result": {"value": "3ff0000000000000"}}, True),
        ({"seq": 2, "result": {"state": {"v": ["3ff0000000000000"]}}}, False),
    ],
)
def test_answers_by_hand(answer, valid):
    assert validator(protocol_schema.ANSWER).is_valid(answer) is valid


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
    check = validator(protocol_schema.REQUEST)
    chosen = {case.call: case for case in CASES} | {
        f"step {case.method}": case for case in CASES if case.call == "step" and case.request["parameters"]
    }
    assert len(chosen) > len(protocol_schema.CALLS) - 2
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


def test_every_method_has_its_state_and_its_parameters():
    request = protocol_schema.request()["$defs"]
    assert {f"given of {name}" for name in ROWS} <= set(request)
    spdc = request["given of spdc"]["properties"]
    assert spdc["parameters"]["required"] == ["tau", "sigma", "theta", "delta"]
    assert spdc["state"]["required"] == ["w", "w_bar", "u", "alpha"]
    assert spdc["choice"] == {"$ref": "#/$defs/index"}
    assert request["given of pgs"]["properties"]["choice"] == {"$ref": "#/$defs/indices"}


def test_the_folder_and_what_lies_beside_it(capsys):
    assert main(["vectors", "--path"]) == 0
    assert capsys.readouterr().out.strip() == str(vectors.HOME)
    assert f"## {len(CASES):,} cases" in (vectors.HOME.parent / "CHANGES.md").read_text(encoding="utf-8")
    assert "BSD" in (vectors.HOME.parent / "LICENSE").read_text(encoding="utf-8")
