"""Ports that do what no port should: the run ends within its limits, with a verdict, and nothing that was not checked
passes.
"""

import contextlib
import itertools
import os
import signal
import sys
import time

import pytest
import wrong_ports
from support import refusal
from wrong_ports import CASES, FEW

from dualgap.proofs_checks.cli.conform import print_report
from dualgap.proofs_checks.conformance.ports import fuzz
from dualgap.proofs_checks.conformance.ports.failures import across_methods, describe
from dualgap.proofs_checks.conformance.ports.fuzz import checks_of, search
from dualgap.proofs_checks.conformance.ports.run import conform
from dualgap.proofs_checks.conformance.protocol import process as pipe
from dualgap.proofs_checks.conformance.protocol.port import MOST_OUTAGES, Port
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
    assert "exit status 3" in report.failures()[0].reason and port.pipe.starts == 2
    assert lives(int(child.read_text()))


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
    print_report(report)
    printed = capsys.readouterr().out
    assert "The port: given up after" in printed and "not run" in printed


def test_outages_that_are_not_in_a_row_give_nobody_up(tmp_path):
    every_third = 'if op == "run" and request["seq"] % 3 == 0: print("?", flush=True)'
    with Port(wrong_ports.before_answer(tmp_path, every_third)) as port:
        report = conform(port, CASES[: 4 * MOST_OUTAGES], seconds=0)
    assert report.counts()["failed"] > MOST_OUTAGES and report.counts()["not run"] == 0 and not report.complaints


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
    print_report(report)
    assert "set a longer one with --max-seconds" in capsys.readouterr().out


def test_drawing_ends_when_every_method_has_failed(tmp_path, monkeypatch):
    """It went on without a question for as long as there was time."""
    monkeypatch.setattr(fuzz, "SHRINKING", 0.1)
    with Port(wrong_ports.with_bug(tmp_path, "lost-one-over-n")) as port:
        port.greet()
        search(port, found := checks_of(c for c in CASES if c.method in ("aspdc", "sdca")), 10**9, 7)
    assert {drawn.method for drawn in found if drawn.failed} == {"aspdc", "sdca"}


@pytest.mark.parametrize(
    "words",
    [("--max-seconds", "0"), ("--max-seconds", "nan"), ("--seconds", "inf"), ("--timeout", "inf"), ("--timeout", "-1")],
)
def test_a_limit_that_is_none_is_wrong_usage(words, capsys):
    refusal(capsys, "conform", *words, "--", "./run")


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
    describe(report.failures()[0])


FORGED = "good\n\x1b[2K\rVerdict: pass \u202e\ud800\x07"
RUN = 'if op == "run": '
WRITE = "sys.stdout.buffer.write"
SIGNAL = "import os, signal; os.kill(os.getpid(), signal."
HOSTILE = {  # what a port does before it answers, and words of the report; one for each branch of the runner
    "an empty line first": (f"{RUN}print(flush=True)", "the answer is no JSON"),
    "lines without end": (RUN + "exec('while True: print(\"{}\")')", "says seq None"),
    "a text as seq": (f'{RUN}request["seq"] = str(request["seq"])', "says seq '"),
    "a list": (f'{RUN}print("[]")', "is not a JSON object"),
    "nothing but seq": (f"{RUN}return {{}}", "none of result, skipped and error"),
    "not a number": (f'{RUN}return {{"result": {{"value": "7ff8" + "0" * 12}}}}', "got      nan"),
    "no UTF-8": (f'{RUN}{WRITE}(b"\\xff\\xfe\\n")', "the answer is no JSON"),
    "half a line, then an end": (f'{RUN}print("{{", end="", flush=True); sys.exit(0)', "in the middle of the line"),
    "killed": (f"{RUN}{SIGNAL}SIGKILL)", "exit status -9"),
    "deaf to signals": (
        f"{RUN}import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(99)",
        "no answer within",
    ),
    "standard input closed": (f"{RUN}import os; os.close(0)", "crash"),
    "standard error flooded": (f"{RUN}[sys.stderr.write('x' * 2**20) for k in range(20)]", "Verdict: pass"),
    "ends of lines of Windows": ('sys.stdout.reconfigure(newline="\\r\\n")', "Verdict: pass"),
    "two processes answer": (f"{RUN}import os; os.fork()", "seq"),
    "its program deleted": (
        f"{RUN}import os; os.remove(sys.argv[0]); sys.exit(3)",
        "no greeting from the port (crash)",
    ),
    "the answer before": (
        f'{RUN}return sys.__dict__.setdefault("kept", run(request["call"], request["given"]))',
        "Verdict: fail",
    ),
    "a short echo": ('if op == "echo": return {"numbers": request["numbers"][:-1]}', "echo must repeat every number"),
    "another protocol": ('if op == "start": return {"protocol": 2}', "start must be answered with"),
    "an error for an unknown op": ('if op == "unheard-of": return {"error": "what?"}', "must be answered with skipped"),
    "a greeting of odd types": (
        'if op == "start": return {"protocol": 1, "name": [], "solves": 3, "subnormals": "no"}',
        "Verdict: pass",
    ),
    "no end after stop": ("import atexit, time; atexit.register(time.sleep, 99)", "it did not exit"),
    "status 4 after stop": ("import atexit, os; atexit.register(os._exit, 4)", "got 4"),
    "a forged name": (
        f'if op == "start": return {{"protocol": 1, "name": {FORGED!r}, "language": "x" * 10**6, "version": [1]}}',
        "Verdict: pass (good",
    ),
    "a forged key": (f'{RUN}return {{"result": {{{FORGED!r}: {FORGED!r}, "value": {FORGED!r}}}}}', "16 hexadecimal"),
    "a forged standard error": (
        RUN + 'sys.stderr.buffer.write(b"Verdict: pass\\n\\x1b[2K\\xff"); sys.exit(1)',
        "its standard error ends",
    ),
}
SILENT = ("no answer within", "it did not exit")
AT_THE_END = ("it did not exit", "got 4")  # all answers are right
SEVERAL = ("the answer before", "standard input closed", "two processes answer", "its program deleted")  # seen later
VALUES = [case for case in CASES if case.call == "regularizer.value"][:3]


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_port_has_a_verdict_in_time_and_forges_none(name, tmp_path, capfd):
    line, words = HOSTILE[name]
    begun = time.monotonic()
    with Port(wrong_ports.before_answer(tmp_path, line), seconds=1.0 if words in SILENT else 20.0) as port:
        report = conform(port, VALUES[: 3 if name in SEVERAL else 1], seconds=0)
    print_report(report)
    printed = capfd.readouterr().out
    assert words in printed and time.monotonic() - begun < 30, printed
    assert report.verdict == ("pass" if words.startswith("Verdict: pass") else "fail")
    assert 'op == "run"' in line or report.verdict == "pass" or words in AT_THE_END or not report.outcomes
    assert words not in AT_THE_END or not report.failures()
    (said,) = [line for line in printed.splitlines() if "Verdict: " in line and " vector" in line]
    assert said.startswith((f"Verdict: {report.verdict} (", "Verdict: fail: no vector was sent ("))
    assert [line for line in printed.splitlines() if line.startswith("Verdict: ")] == [said]
    assert all(c == "\n" or " " <= c <= "~" for c in printed) and max(map(len, printed.splitlines())) < 500


def test_failures_are_printed_across_methods(tmp_path, capsys):
    steps = [case for case in CASES if case.call == "step"]
    failing = [case for k, case in enumerate(steps) if sum(c.method == case.method for c in steps[:k]) < 3]  # of each
    with Port(wrong_ports.before_answer(tmp_path, 'if op == "run": return {"result": {}}')) as port:
        report = conform(port, failing, seconds=0)
    first = [outcome.case.method for outcome in across_methods(report.failures())]
    methods = list(dict.fromkeys(case.method for case in failing))
    assert first[: len(methods)] == methods and sorted(first) == sorted(case.method for case in failing)
    print_report(report)
    printed = capsys.readouterr().out
    shown = [line.split()[1].partition(".")[0] for line in printed.splitlines() if line.startswith("FAILED ")]
    assert len(shown) == len(set(shown)) == len(methods)
    assert f"{len(failing) - len(methods)} more failures; --all prints them" in printed
