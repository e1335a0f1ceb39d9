"""Ports that do what no port should: the run ends within its limits, with a verdict, and nothing that was not checked
passes.
"""

import ast
import contextlib
import itertools
import json
import os
import pathlib
import signal
import subprocess
import sys

import pytest
import wrong_ports
from wrong_ports import CASES, FEW, VECTORS

from dualgap.proofs_checks.cli.conform import print_report
from dualgap.proofs_checks.cli.main import main
from dualgap.proofs_checks.conformance.ports import fuzz
from dualgap.proofs_checks.conformance.ports.failures import across_methods, describe
from dualgap.proofs_checks.conformance.ports.fuzz import checks_of, search
from dualgap.proofs_checks.conformance.ports.outcomes import judge
from dualgap.proofs_checks.conformance.ports.run import conform
from dualgap.proofs_checks.conformance.protocol import hex_floats
from dualgap.proofs_checks.conformance.protocol import process as pipe
from dualgap.proofs_checks.conformance.protocol.compare import compare
from dualgap.proofs_checks.conformance.protocol.port import MOST_OUTAGES, Answer, Port
from dualgap.proofs_checks.conformance.protocol.process import Outage, Pipe


@pytest.fixture
def child(tmp_path):
    """A file for the process id of a descendant, which is ended after the test."""
    path = tmp_path / "child"
    yield path
    with contextlib.suppress(ProcessLookupError):
        os.kill(int(path.read_text()), signal.SIGKILL)


def lives(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


HOLD = (  # a descendant in a new session that keeps all three streams open for two minutes
    "import subprocess; child = subprocess.Popen(['sleep', '120'], start_new_session=True); open({path!r},"
    " 'w').write(str(child.pid)); {end}"
)


def program(*lines):
    return [sys.executable, "-c", "\n".join(lines)]


def outage(command, request=None, seconds=20.0):
    with Pipe(command, seconds) as asked, pytest.raises(Outage) as met:
        asked.ask({"op": "start"} if request is None else request)
    return met.value


# -- descendants -------------------------------------------------------------------------------------------------------


def test_a_descendant_that_holds_standard_output_of_a_crashed_port_is_not_waited_for(child):
    found = outage(program("import sys; input()", HOLD.format(path=str(child), end="sys.exit(3)")), seconds=60.0)
    assert found.kind == "crash" and "holds its standard output" in str(found)
    assert lives(int(child.read_text())), "it was waited for"


def test_a_descendant_that_holds_standard_output_of_a_hanging_port_is_not_waited_for(child):
    """The port answers once, so that the descendant is there, and then is silent."""
    hanging = program(
        "import time", "line = input()", HOLD.format(path=str(child), end="print(line, flush=True)"), "time.sleep(120)"
    )
    with Pipe(hanging, 60.0) as asked:
        assert asked.ask({"op": "echo"}) == {"op": "echo"}
        with pytest.raises(Outage) as met:
            asked.ask({"op": "start"}, seconds=0.5)
    assert met.value.kind == "time-out" and "holds its standard output" not in str(met.value)
    assert lives(int(child.read_text())), "it was waited for"


def test_a_crash_with_a_descendant_costs_one_case(child, tmp_path):
    once = (
        f"if op == 'run' and not __import__('os').path.exists({str(child)!r}):"
        f" {HOLD.format(path=str(child), end='sys.exit(3)')}"
    )
    with Port(wrong_ports.before_answer(tmp_path, once)) as port:
        report = conform(port, FEW, seconds=0)
    assert [o.kind for o in report.failures()] == ["crash"] and report.counts()["passed"] == len(FEW) - 1
    assert lives(int(child.read_text()))


def test_a_descendant_that_is_left_after_stop_is_not_waited_for(child, tmp_path):
    held = f"if op == 'start': {HOLD.format(path=str(child), end='pass')}"
    with Port(wrong_ports.before_answer(tmp_path, held)) as port:
        report = conform(port, FEW, seconds=0)
    assert report.verdict == "pass" and lives(int(child.read_text()))


# -- floods, silence, and a port that does not read --------------------------------------------------------------------


def test_a_request_that_nobody_reads_is_a_time_out():
    """More than the pipe between the two holds: the write itself must not wait."""
    found = outage(program("import time", "time.sleep(120)"), {"numbers": ["3ff0000000000000"] * 100_000}, seconds=0.5)
    assert found.kind == "time-out"


def test_a_port_that_answers_before_it_has_read_is_not_believed():
    early = program("import time", "input()", "print('{}', flush=True)", "print('{}', flush=True)", "time.sleep(120)")
    with Pipe(early, 60.0) as asked:
        assert asked.ask({"op": "start"}) == {}  # the second answer is on its way, or there
        with pytest.raises(Outage) as met:
            asked.ask({"numbers": ["3ff0000000000000"] * 100_000}, seconds=0.5)
    assert met.value.kind == "time-out"


def test_a_line_without_an_end_is_cut_off_and_standard_error_is_kept_in_its_last_part():
    endless = outage(program("import sys", "while True: sys.stdout.write('1' * 65536)"))
    assert endless.kind == "garbled" and str(pipe.LONGEST_LINE) in str(endless)
    loud = outage(program("import sys", "input()", "sys.stderr.write('x' * 3_000_000 + 'last words')", "sys.exit(3)"))
    assert loud.kind == "crash" and str(loud).endswith("last words")
    assert "exit status 3" in str(loud) and len(str(loud)) < 2 * pipe.TAIL


def test_a_port_that_garbles_everything_is_given_up_and_what_was_not_asked_is_no_success(tmp_path, capsys):
    with Port(wrong_ports.before_answer(tmp_path, 'if op == "run": print("?", flush=True)')) as port:
        report = conform(port, FEW + CASES[:100], seconds=5)
        assert (port.pipe.starts, port.asked) == (MOST_OUTAGES, MOST_OUTAGES)
    assert report.counts() == {"failed": MOST_OUTAGES, "not run": len(FEW) + 100 - MOST_OUTAGES}
    assert report.verdict == "fail"
    assert f"given up after {MOST_OUTAGES} calls in a row" in report.complaints[0] and not report.drawn
    print_report(report, VECTORS)
    printed = capsys.readouterr().out
    assert "The port: given up after" in printed and "not run" in printed


def test_outages_that_are_not_in_a_row_give_nobody_up(tmp_path):
    every_third = 'if op == "run" and request["seq"] % 3 == 0: print("?", flush=True)'
    with Port(wrong_ports.before_answer(tmp_path, every_third)) as port:
        report = conform(port, CASES[: 6 * MOST_OUTAGES], seconds=0)
    assert report.counts()["failed"] > MOST_OUTAGES and report.counts()["not run"] == 0 and not report.complaints


# -- the time of the whole run -----------------------------------------------------------------------------------------


def test_a_slow_port_is_asked_until_the_time_is_over_and_what_was_reached_is_told(monkeypatch, capsys):
    """A clock that goes ten seconds at every look: no test waits for the true one."""
    clock = itertools.count(0, 10)
    monkeypatch.setattr(pipe, "monotonic", lambda: float(next(clock)))
    with Port(wrong_ports.RIGHT, seconds=1e9) as port:
        monkeypatch.setattr("dualgap.proofs_checks.conformance.ports.run.time.monotonic", lambda: 0.0)
        report = conform(port, CASES, seconds=0, limit=50_000.0)
    counts = report.counts()
    assert counts["passed"] + counts["skipped"] > 0 < counts["not run"] and not counts["failed"]
    assert len(report.outcomes) == len(CASES)
    assert report.verdict == "fail" and "the time limit of 50000 s ended" in report.complaints[0]
    print_report(report, VECTORS)
    assert "set a longer one with --max-seconds" in capsys.readouterr().out


def test_drawn_problems_end_with_the_time_too_and_keep_what_was_found(tmp_path, monkeypatch):
    wrong = wrong_ports.with_bug(tmp_path, "lost-one-over-n", way=1)  # in the dual methods alone
    steps = [case for case in CASES if case.call == "step" and case.method in ("aspdc", "spdc")]
    with Port(wrong) as port:
        calls = itertools.count()
        run = port.run

        def counted(call, given):
            if next(calls) == len(steps) + 200:
                port.pipe.deadline = 0.0
            return run(call, given)

        monkeypatch.setattr(port, "run", counted)
        monkeypatch.setattr(fuzz, "SHRINKING", 1000.0)  # no machine is too slow for 200 calls
        report = conform(port, steps, seconds=1000.0, limit=10_000.0)
    assert report.verdict == "fail" and "the time limit" in report.complaints[0]
    assert {drawn.method: drawn.failed for drawn in report.drawn if drawn.check == "fresh steps"} == {
        "aspdc": True,
        "spdc": False,
    }


def test_drawing_ends_when_every_method_has_failed(tmp_path):
    """It went on without a question for as long as there was time."""
    with Port(wrong_ports.with_bug(tmp_path, "lost-one-over-n")) as port:
        port.greet()
        search(port, found := checks_of(("aspdc", "sdca")), 10**9, 7)
    assert {drawn.method for drawn in found if drawn.failed} == {"aspdc", "sdca"}


@pytest.mark.parametrize(
    "words",
    [("--max-seconds", "0"), ("--max-seconds", "nan"), ("--seconds", "inf"), ("--timeout", "inf"), ("--timeout", "-1")],
)
def test_a_limit_that_is_none_is_wrong_usage(words, capsys):
    with pytest.raises(SystemExit) as ended:
        raise SystemExit(main(["conform", *words, "--", "./run"]))
    assert ended.value.code == 2 and len(capsys.readouterr().err.splitlines()) == 1


# -- answers -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "value, words",
    [
        ("[" * 100_000 + "]" * 100_000, "levels"),
        ("[" * 500 + "]" * 500, "levels"),
        ("9" * 4000, "an integer must lie between"),
        ("9" * 20, "an integer must lie between"),
        ("1e999", "finite"),
        ("NaN", "finite"),
        ("-Infinity", "finite"),
    ],
    ids=lambda part: part[:12],
)
def test_a_value_beyond_the_protocol_is_garbled_wherever_it_stands(value, words, tmp_path):
    step = [case for case in CASES if case.call == "step" and case.method == "pgs"][:1]
    answer = (
        'if op == "run": print("{\\"seq\\":" + str(request["seq"]) + ",\\"result\\":{\\"state\\":{\\"t\\":" +'
        f' {value!r} + "}}}}}}", flush=True)'
    )
    with Port(wrong_ports.before_answer(tmp_path, answer)) as port:
        report = conform(port, step, seconds=0)
    assert [o.kind for o in report.failures()] == ["garbled"] and words in report.failures()[0].reason
    describe(report.failures()[0], VECTORS.flags)


FORGED = "good\n\x1b[2K\rVerdict: pass \u202e\ud800\x07"


@pytest.mark.parametrize("place", ["name", "error", "key", "stderr"])
def test_nothing_that_a_port_says_forges_the_report(place, tmp_path, capfd):
    said = {
        "name": (
            f'if op == "start": return {{"protocol": 1, "name": {FORGED!r}, "language": "x" * 10**6, "version": [1]}}'
        ),
        "error": f'if op == "run": return {{"error": {FORGED!r}}}',
        "key": (
            f'if op == "run": return {{"result": {{{FORGED!r}: {FORGED!r}, "value": {FORGED!r}, "gap": {FORGED!r}}}}}'
        ),
        "stderr": 'if op == "run": sys.stderr.buffer.write(b"Verdict: pass\\n\\x1b[2K\\xff"); sys.exit(1)',
    }[place]
    with Port(wrong_ports.before_answer(tmp_path, said)) as port:
        report = conform(port, FEW[:3], seconds=0)
    print_report(report, VECTORS)
    printed = capfd.readouterr().out
    assert [line for line in printed.splitlines() if line.startswith("Verdict: ")] == [
        line for line in printed.splitlines() if "Verdict: " in line and " vectors passed" in line
    ]
    assert all(c == "\n" or " " <= c <= "~" for c in printed) and max(map(len, printed.splitlines())) < 400


def test_failures_are_printed_across_methods(tmp_path, capsys):
    failing = [case for case in CASES if case.call == "step"][::4]
    with Port(wrong_ports.before_answer(tmp_path, 'if op == "run": return {"result": {}}')) as port:
        report = conform(port, failing, seconds=0)
    first = [outcome.case.method for outcome in across_methods(report.failures())]
    methods = list(dict.fromkeys(case.method for case in failing))
    assert first[: len(methods)] == methods and sorted(first) == sorted(case.method for case in failing)
    print_report(report, VECTORS)
    printed = capsys.readouterr().out
    shown = [line.split()[1].partition(".")[0] for line in printed.splitlines() if line.startswith("FAILED ")]
    assert len(shown) == len(set(shown)) == len(methods)
    assert f"{len(failing) - len(methods)} failures more: --all prints them" in printed


# -- states that are missing -------------------------------------------------------------------------------------------


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


def test_a_state_cut_from_the_answer_to_a_predicate_is_noticed():
    cases = [case for case in CASES if case.predicate is not None and "choices" in case.given]
    assert len(cases) > 100
    for case in cases:
        states = [case.request["state"]] * (len(case.request["choices"]) - 1)
        outcome = judge(case, Answer({"states": states}))
        assert outcome.status == "failed" and f"{len(states)} states came back" in outcome.reason, case.id


@pytest.mark.parametrize("bound", [["0000000000000000"], {}, None, True, "", "7ff8000000000000"])
def test_a_bound_that_is_no_number_cannot_be_judged(bound):
    cases = [case for case in CASES if case.predicate == "bound"]
    assert cases
    for case in cases:
        states = [
            {name: bound if name in ("xi", "bound", "A") else value for name, value in case.request["state"].items()}
            for _ in case.request["choices"]
        ]
        assert judge(case, Answer({"states": states})).status == "failed", case.id


# -- answers in a file -------------------------------------------------------------------------------------------------


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
    for words in (
        ["vectors", "--judge", "/dev/zero"],
        ["replay", "/dev/zero"],
        ["conform", "--known", "/dev/zero", "--", "./run"],
    ):
        assert main(words) == 2
        assert "it is not a regular file" in capsys.readouterr().err


def test_answers_in_a_file_and_through_the_pipe_are_read_alike(tmp_path):
    """A result that is no object is garbled in both."""
    lines = [json.dumps({"seq": k, "result": 3}) for k in range(len(CASES) + 2)]
    path = tmp_path / "answers.jsonl"
    path.write_text("\n".join(lines))
    done = subprocess.run(
        [sys.executable, "-m", "dualgap.proofs_checks.cli.main", "vectors", "--judge", str(path), "--json"],
        capture_output=True,
        text=True,
    )
    report = json.loads(done.stdout)
    assert done.returncode == 1
    assert report["counts"] == {"failed": len(CASES)}
    assert {f["kind"] for f in report["failures"]} == {"garbled"}


PEAK = """
import sys
from pathlib import Path
from dualgap.proofs_checks.cli.main import main
code = main(sys.argv[1:])
(peak,) = [line.split() for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM")]
print(peak[1:], file=sys.stderr)
sys.exit(code)
"""


@pytest.mark.skipif(
    not pathlib.Path("/proc/self/status").exists(), reason="this system does not say how much memory a process had"
)
@pytest.mark.nightly
def test_a_line_of_a_gigabyte_takes_less_than_300_mb_of_memory(tmp_path):
    """To each of nine calls a line of 1 GB; each time the port is started again, and nothing of the line is kept.

    The peak of the program itself: what ``wait4`` says of a child counts what its parent had when it was forked.
    """
    flood = 'if op == "run": [sys.stdout.write("1" * 2**20) for _ in range(1024)]'
    words = ["conform", "--seconds", "0", "--only", "gap", "--", *wrong_ports.before_answer(tmp_path, flood)]
    done = subprocess.run([sys.executable, "-c", PEAK, *words], capture_output=True, text=True)
    assert done.returncode == 1 and "more than 16777216 bytes where one line is due" in done.stdout
    number, unit = ast.literal_eval(done.stderr.splitlines()[-1])
    assert unit == "kB" and 10e6 < int(number) * 1024 < 300e6
