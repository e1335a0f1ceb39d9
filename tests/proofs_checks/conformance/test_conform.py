"""The runner of ports: right ports pass, wrong ones fail by name, and nothing a port does ends the run."""

import json
import sys
from fractions import Fraction

import pytest
import wrong_ports
from support import by_day, printed, refusal
from wrong_ports import CASES, FEW

from dualgap.proofs_checks.claims.by_hypothesis import by_hypothesis as draw
from dualgap.proofs_checks.cli.conform import print_report, to_json
from dualgap.proofs_checks.conformance.independent.registry import Independent
from dualgap.proofs_checks.conformance.methods.registry import FIRST_ROWS
from dualgap.proofs_checks.conformance.ports import fuzz
from dualgap.proofs_checks.conformance.ports.failures import describe
from dualgap.proofs_checks.conformance.ports.fuzz import checks_of, search
from dualgap.proofs_checks.conformance.ports.outcomes import FAILED, judge
from dualgap.proofs_checks.conformance.ports.run import MOST_TIMEOUTS, conform
from dualgap.proofs_checks.conformance.protocol import hex_floats
from dualgap.proofs_checks.conformance.protocol.compare import admits, compare
from dualgap.proofs_checks.conformance.protocol.port import Answer, Port
from dualgap.proofs_checks.conformance.protocol.process import Pipe, Unreachable
from dualgap.proofs_checks.conformance.seeded_bugs.planting import planted
from dualgap.proofs_checks.conformance.vectors.predicates import false_predicate

BLOCKS = ("softmax", "ball-huber")
PORTED = (*(row.name for row in FIRST_ROWS), *BLOCKS)  # what a port begins with, and losses of several numbers
MINUS = planted("minus", ["Formulas.dual_step: return a -> return -a"])
RIGHT = wrong_ports.RIGHT


def test_the_python_port_passes_every_vector_in_one_process():
    with Port(RIGHT) as port:
        report = conform(port, CASES, seconds=0)
        assert report.verdict == "pass", [o.case.id for o in report.failures()]
        assert report.counts() == {"passed": len(CASES)}
        assert (port.pipe.starts, port.asked) == (1, len(CASES)), "one process, and one call for each case"


def test_the_report_of_a_wrong_port_as_data(tmp_path):
    command = wrong_ports.with_bug(tmp_path, "absolute-gap")
    with Port(command) as port:
        report = json.loads(json.dumps(to_json(conform(port, FEW, seconds=0), command)))
    assert report["verdict"] == "fail" and report["hints"]["the number is -1 times what is due"] >= 2
    failure = report["failures"][0]
    assert failure["call"] == "gap"
    assert failure["got"]["bits"] == hex_floats.encode(-hex_floats.decode(failure["due"]["bits"]))


def test_the_command_exits_1_and_prints_the_failure_the_table_and_a_hint(tmp_path, capsys):
    wrong = wrong_ports.with_bug(tmp_path, "absolute-gap")
    said = printed(capsys, "conform", "--seconds", "0", "--only", "gap,aspdc", "--", *wrong, status=1)
    for words in (
        "FAILED ",
        "L0 formulas",
        "P(w) - D(alpha), with its sign",
        "ulps away",
        "failures the number is -1 times what is due",
        "hint     the number is -1 times what is due",
    ):
        assert words in said


def test_a_trajectory_that_leaves_the_path_is_shown_at_its_first_wrong_step():
    case = next(c for c in CASES if c.call == "trajectory" and c.method == "aspdc" and c.tolerance_class == "E")
    result = hex_floats.plain(case.due)
    result["states"][2]["alpha"][1] = hex_floats.encode(hex_floats.decode(result["states"][2]["alpha"][1]) + 0.25)
    outcome = judge(case, Answer(result))
    assert outcome.difference.step == 2 and outcome.difference.place == "alpha[1]"
    text = describe(outcome)
    assert f"alpha[1], step 2 (the first that is wrong), choice {case.given['choices'][2]}" in text
    assert repr(hex_floats.decode(result["states"][1]["alpha"][1])) in text[text.index("before") :]


def test_a_port_that_hangs_is_given_up_and_what_was_not_asked_is_no_success(tmp_path, monkeypatch):
    ask = Pipe.ask
    monkeypatch.setattr(
        Pipe, "ask", lambda pipe, request, seconds=None: ask(pipe, request, 0.1 if request["op"] == "run" else 600.0)
    )
    with Port(wrong_ports.before_answer(tmp_path, 'while request["op"] == "run": pass')) as port:
        report = conform(port, FEW, seconds=0)
    assert report.counts() == {"failed": MOST_TIMEOUTS, "not run": len(FEW) - MOST_TIMEOUTS}
    assert report.verdict == "fail" and "without an answer in time" in report.complaints[0]


def test_a_port_that_skips_everything_has_passed_nothing(tmp_path):
    with Port(wrong_ports.before_answer(tmp_path, 'if op == "run": return {"skipped": "later"}')) as port:
        report = conform(port, CASES[:50], seconds=0)
    assert report.verdict == "empty" and report.counts() == {"skipped": 50}


def test_a_program_that_is_not_there_is_wrong_usage(capsys):
    assert "cannot start ./no-such-port" in refusal(capsys, "conform", "--", "./no-such-port")
    with pytest.raises(Unreachable), Pipe(["./no-such-port"]) as pipe:
        pipe.ask({})


def test_a_number_is_right_within_its_tolerance_and_not_beyond():
    third = hex_floats.read("3fd5555555555555 0.3333333333333333 1/3 +-1e-15")
    near = Fraction(1, 3) + Fraction(1, 10**15)
    below, above = float(near) - 2.0**-52, float(near) + 2.0**-52
    assert admits(third, below) and not admits(third, above) and not admits(third, float("nan"))
    assert admits(third, 2 / 3 - below) and not admits(third, 2 / 3 - above)  # the other side
    assert not admits(hex_floats.read("0000000000000000 0.0 0"), 5e-324)
    exact = hex_floats.read("3fd0000000000000 0.25 1/4")
    assert admits(exact, 0.25)
    assert not admits(exact, 0.25 + 2.0**-54)
    assert admits(hex_floats.read("0000000000000000 0.0 0"), -0.0)
    assert admits(hex_floats.read("7ff0000000000000 inf"), float("inf"))
    assert not admits(hex_floats.read("7ff0000000000000 inf"), 1e308)


@pytest.mark.parametrize(
    "result, words",
    [
        ({}, "v is missing"),
        ({"v": ["3ff0000000000000"], "t": 1}, "v must have 2 entries"),
        ({"v": ["3ff0000000000000", "3ff0000000000000 1.0"], "t": 1}, "16 hexadecimal digits"),
        ({"v": ["3ff0000000000000", "3FF0000000000000"], "t": 1}, "16 hexadecimal digits"),
        ({"v": ["3ff0000000000000", 1.0], "t": 1}, "16 hexadecimal digits"),
        ({"v": ["3ff0000000000000", "3ff0000000000000"], "t": True}, "t must be the integer 1"),
        ({"v": ["3ff0000000000000", "7ff8000000000000"], "t": 1}, "nan, due 1.0"),
    ],
)
def test_an_answer_of_another_form_is_wrong_and_said_to_be(result, words):
    one = "3ff0000000000000 1.0 1"
    difference = compare({"state": {"v": [one, one], "t": 1}}, {"state": result})
    assert difference is not None and words in difference.text
    right = {"t": 1, "v": ["3ff0000000000000"] * 2, "beside": 3}
    assert compare({"state": {"v": [one, one], "t": 1}}, {"state": right}) is None


def test_every_predicate_is_false_of_spoiled_states():
    for predicate in ("consistent", "ascent", "expected-ascent"):
        case = next(c for c in CASES if c.predicate == predicate and c.method in ("sdca", "aspdc"))
        with Port(RIGHT) as port:
            result = port.run(case.call, case.request).result
        assert false_predicate(case, result) is None
        worse = json.loads(json.dumps(result))
        if predicate == "consistent":  # by one unit in the last place
            v = worse["states"][0]["v"][0]
            worse["states"][0]["v"][0] = f"{int(v, 16) + 1:016x}"
        else:  # alpha goes nowhere, or as far as it can to no purpose
            for state in worse["states"]:
                state["alpha"] = [hex_floats.encode(-64.0 * hex_floats.decode(y)) for y in case.request["problem"]["y"]]
        assert false_predicate(case, worse) is not None, case.id
        assert false_predicate(case, {"states": result["states"][:-1]}) is not None


def test_a_missing_or_an_added_state_is_noticed_in_every_case_with_states():
    cases = [case for case in CASES if case.due is not None and "states" in case.due]
    assert len(cases) > 200
    for case in cases:
        states = hex_floats.plain(case.due)["states"]
        assert compare(case.due, {"states": states}) is None
        for other in (states[:-1], states[1:], [], [*states, states[-1]]):
            difference = compare(case.due, {"states": other})
            assert (
                difference is not None and difference.text == f"{len(other)} states came back, {len(states)} are due"
            ), case.id


@pytest.mark.parametrize("bound", [["0000000000000000"], {}, None, True, "", "7ff8000000000000"])
def test_a_bound_that_is_no_number_cannot_be_judged(bound):
    cases = [case for case in CASES if case.predicate == "bound"]
    assert cases
    for case in cases:
        states = [
            {name: bound if name in ("xi", "bound", "A") else value for name, value in case.request["state"].items()}
            for _ in case.request["choices"]
        ]
        assert false_predicate(case, {"states": states}) is not None, case.id


def of(*methods):
    return [case for case in CASES if case.method in methods]


@pytest.mark.parametrize("methods", by_day([PORTED, PORTED[::3]], PORTED[::3]), ids=str)
def test_fresh_calls_of_a_right_port_are_right(methods):
    with Port(RIGHT) as port:
        port.greet()
        search(port, found := checks_of(of(*methods)), 0, 7)
    assert not [d for d in found if d.failed] and all(d.problems >= 10 for d in found)


FURTHER = ["aspdc-i-momentum", "passcode-wild", "adaspdc-r", "pegasos", "spd1-vr"]


@pytest.mark.parametrize("method", by_day(FURTHER, "passcode-wild", "pegasos"))  # a dual and a primal one
def test_fresh_calls_of_further_methods_are_right_and_of_one_with_a_seeded_bug_are_not(method):
    """The independent implementation in floats, where it takes no decimals, and with every dual or primal point of the
    wrong sign.
    """
    judged = {Independent: [], MINUS: []}
    cases = [c for c in of(method) if c.call == "step" and c.given["problem"]["loss"] != "logistic"]
    for request in draw(fuzz.calls(cases), 20, 7):
        for kind, outcomes in judged.items():
            if (outcome := fuzz.ask(wrong_ports.Inside(kind), request)) is not None:
                outcomes.append(outcome.status)
    assert len(judged[Independent]) >= 4 and set(judged[Independent]) == {"passed"} and FAILED in judged[MINUS]


@pytest.mark.parametrize("flag, method", [("stale-w-bar", "spdc"), ("lost-one-over-n", "aspdc")])
def test_a_fresh_failure_is_found_and_shrunk(flag, method, tmp_path):
    with Port(wrong_ports.with_bug(tmp_path, flag)) as port:
        port.greet()
        (drawn,) = found = checks_of(case for case in of(method) if case.call == "step")
        search(port, found, 0, entropy=7)
        one = port.run("step", drawn.on).result
    with Port(RIGHT) as port:
        port.greet()
        assert port.run("step", drawn.on).result != one


def test_a_silent_port_is_given_up_at_the_limit_with_the_reason(capsys):
    with Port([sys.executable, "-c", "input()"]) as port:
        report = conform(port, CASES, limit=0.5)
    print_report(report)
    printed = capsys.readouterr().out
    assert report.verdict == "fail" and "no vector was sent" in printed and "of 0 vectors" not in printed


def test_a_port_that_declares_that_it_lacks_subnormals_is_not_asked_for_them(tmp_path):
    lacking = 'if op == "start": return {"protocol": 1, "name": "x", "subnormals": False}'
    few = [case for case in CASES if case.id.split(".")[0] in ("subnormals", "domains")]
    with Port(wrong_ports.before_answer(tmp_path, lacking)) as port:
        report = conform(port, few, seconds=0)
    assert report.without == ("subnormals",) and report.verdict == "pass" and len(report.outcomes) == len(few) - 6
