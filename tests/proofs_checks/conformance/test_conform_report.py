"""``conform`` on a build server: selected cases, required methods, answers in a file."""

import json
import pathlib

import pytest
from support import answer, by_day
from wrong_ports import CASES, FEW, RIGHT, VECTORS, before_answer, without

from dualgap.proofs_checks.cli.conform import verdict
from dualgap.proofs_checks.cli.main import main
from dualgap.proofs_checks.cli.vectors import judged, requests
from dualgap.proofs_checks.conformance.ports.run import conform
from dualgap.proofs_checks.conformance.protocol.port import Port
from dualgap.proofs_checks.conformance.vectors.load import Vectors


def run(words, command=RIGHT):
    return main(["conform", "--seconds", "0", *words, "--", *command])


def test_only_some_cases_are_asked_and_a_name_that_is_nowhere_is_refused(capsys):
    assert run(["--only", "gap,regularizer", "--json"]) == 0
    counts = json.loads(capsys.readouterr().out)["counts"]
    assert counts == {"passed": sum(c.method in ("gap", "regularizer") for c in CASES)}
    assert run(["--only", "gab"]) == 2
    assert "similar names: gap" in capsys.readouterr().err


def test_a_required_method_that_is_skipped_fails_and_nothing_checked_is_3(capsys, tmp_path):
    few = without(tmp_path, "pegasos")
    assert run(["--only", "pegasos"], few) == 3
    assert run(["--only", "pegasos,gap", "--require", "pegasos"], few) == 1
    assert "--require pegasos: " in capsys.readouterr().out
    assert run(["--only", "gap", "--require", "gap"]) == 2, "what is no method has no such row"
    assert run(["--only", "aspdc", "--require", "aspdc"]) == 0
    assert run(["--only", "gap", "--require", "aspdc"]) == 1, "none of its cases was run"


def test_stray_and_second_answers_fail_a_file_and_the_rest_is_judged(tmp_path):
    few = Vectors({case.id: case for case in FEW}, VECTORS.flags)
    with Port(RIGHT) as port:
        answers = [json.dumps(port.pipe.ask(request)) for request in requests(few) if request["op"] != "stop"]
    path = tmp_path / "answers.jsonl"
    path.write_text("\n".join(answers) + "\n")
    assert judged(few, path).verdict == "pass"
    for line, words in (
        ("hello", "not an answer"),
        (answers[7], "seq 7 was answered before"),
        ('{"seq":999999}', "no request with seq 999999 needs an answer"),
    ):
        path.write_text("\n".join([*answers[:9], line, *answers[9:]]) + "\n")
        report = judged(few, path)
        assert report.verdict == "fail" and words in report.complaints[0] and not report.failures()


TABLE = """_answers = {}
for _case in __import__("dualgap.proofs_checks.conformance.vectors.load", fromlist=["load"]).load().cases.values():
    _answers[_case.call, json.dumps(_case.request, sort_keys=True)] = True

"""
KEY = '(request["call"], json.dumps(request["given"], sort_keys=True))'
PARTS = {  # what a port skips: a condition, and the part of the verdict that names it
    "a loss of a method": (
        'given.get("method") == "sdca" and given["problem"]["loss"] == "hinge"',
        "incomplete: sdca incomplete",
    ),
    "a call of a loss": ('request["call"] == "loss.dual_step"', "hinge"),
    "fresh problems": (f"{KEY} not in _answers", "fresh calls"),
    "a whole method": ('given.get("method") == "sdca"', None),
}


@pytest.mark.parametrize("part", by_day(PARTS, "a loss of a method", "a whole method"))
def test_a_method_that_is_answered_in_part_is_incomplete_and_named(part, tmp_path):
    condition, named = PARTS[part]
    line = f'given = request.get("given", {{}})\n    if op == "run" and ({condition}): return {{"skipped": "later"}}'
    command = before_answer(tmp_path, line)
    path = pathlib.Path(command[-1])
    if KEY in condition:
        path.write_text(path.read_text().replace("def answer", f"{TABLE}def answer", 1))
    cases = [c for c in CASES if c.method in ("sdca", "aspdc", "hinge", "gap")]
    with Port(command) as port:
        report = conform(port, cases, seconds=0.01, entropy=7)
    said = "\n".join(verdict(report))
    assert not report.failures() and (report.verdict == "pass") == (named is None) and (named or "") in said
    assert named is not None or ("sdca" not in report.complete() and "; 3 methods and formulas complete" in said)


@pytest.mark.parametrize(
    "text",
    [
        "[" * 100_000,
        '{"seq":' + "9" * 4000 + "}",
        '{"seq":1e999}',
        '{"seq":"0"}',
        '{"seq":true}',
        "[]",
        '{"seq":0}\n{"seq":0}',
        "\xff",
        '{"seq":0,"t":NaN}',
    ],
)
def test_a_damaged_file_of_answers_has_a_verdict_that_names_the_line(text, tmp_path, capsys):
    path = tmp_path / "answers.jsonl"
    path.write_bytes(text.encode("latin-1"))
    assert main(["vectors", "--judge", str(path)]) == 1
    printed = capsys.readouterr()
    said = [line for line in printed.out.splitlines() if "answers.jsonl, line " in line]
    assert len(said) == 1 and said[0].startswith("The port: ") and "Verdict: fail" in printed.out and not printed.err


def test_a_file_without_an_end_is_refused(capsys):
    for words in (["vectors", "--judge", "/dev/zero"], ["replay", "/dev/zero"]):
        assert main(words) == 2
        assert "it is not a regular file" in capsys.readouterr().err


def test_answers_in_a_file_and_through_the_pipe_are_read_alike(tmp_path, capsys):
    """A result that is no object is garbled in both."""
    lines = [json.dumps({"seq": k, "result": 3}) for k in range(len(CASES) + 2)]
    path = tmp_path / "answers.jsonl"
    path.write_text("\n".join(lines))
    report = answer(capsys, "vectors", "--judge", str(path), "--json", status=1)
    assert report["counts"] == {"failed": len(CASES)}
    assert {f["kind"] for f in report["failures"]} == {"garbled"}
