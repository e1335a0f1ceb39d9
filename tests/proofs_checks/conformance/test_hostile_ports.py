"""Ports that do what no port should: the run ends within its limits, with a verdict, and nothing that was not checked
passes.
"""

import ast
import contextlib
import itertools
import os
import pathlib
import signal
import subprocess
import sys
import time

import pytest
import wrong_ports
from support import by_day, refusal
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
    assert lives(int(child.read_text()))


def test_a_descendant_that_is_left_after_stop_is_not_waited_for(child, tmp_path):
    held = f"if op == 'start': {HOLD.format(path=str(child), end='pass')}"
    with Port(wrong_ports.before_answer(tmp_path, held)) as port:
        report = conform(port, FEW, seconds=0)
    assert report.verdict == "pass" and lives(int(child.read_text()))


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


@pytest.mark.nightly
def test_drawn_problems_end_with_the_time_too_and_keep_what_was_found(tmp_path, monkeypatch):
    wrong = wrong_ports.with_bug(tmp_path, "lost-one-over-n", way=1)  # in the dual methods alone
    steps = [case for case in CASES if case.call == "step" and case.method in ("aspdc", "spdc")]
    with Port(wrong) as port:
        calls = itertools.count()
        run = port.run

        def counted(call, given):
            if next(calls) == len(steps) + 100:
                port.pipe.deadline = 0.0
            return run(call, given)

        monkeypatch.setattr(port, "run", counted)
        monkeypatch.setattr(fuzz, "SHRINKING", 1000.0)  # no machine is too slow for 100 calls
        report = conform(port, steps, seconds=1000.0, limit=10_000.0)
    assert report.verdict == "fail" and "the time limit" in report.complaints[0]
    assert {drawn.method: drawn.failed for drawn in report.drawn if drawn.check == "fresh steps"} == {
        "aspdc": True,
        "spdc": False,
    }


def test_drawing_ends_when_every_method_has_failed(tmp_path, monkeypatch):
    """It went on without a question for as long as there was time."""
    monkeypatch.setattr(fuzz, "SHRINKING", 0.1)
    with Port(wrong_ports.with_bug(tmp_path, "lost-one-over-n")) as port:
        port.greet()
        search(port, found := checks_of(("aspdc", "sdca")), 10**9, 7)
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
HOSTILE = {  # what a port does before it answers, and words of the report
    "an empty line first": (f"{RUN}print(flush=True)", "the answer is no JSON"),
    "another line first": (f'{RUN}print("hello", flush=True)', "the answer is no JSON"),
    "an empty line before every answer": ("print(flush=True)", "no greeting from the port (garbled)"),
    "every answer twice": (f'{RUN}print(json.dumps({{"seq": request["seq"], "result": {{}}}}))', "value is missing"),
    "lines without end": (RUN + "exec('while True: print(\"{}\")')", "says seq None"),
    "another seq": ('request["seq"] += op == "run"', "says seq"),
    "a text as seq": (f'{RUN}request["seq"] = str(request["seq"])', "says seq '"),
    "a list": (f'{RUN}print("[]")', "is not a JSON object"),
    "null": (f'{RUN}print("null")', "is not a JSON object"),
    "a result that is a list": (f'{RUN}return {{"result": []}}', "none of result, skipped and error"),
    "nothing but seq": (f"{RUN}return {{}}", "none of result, skipped and error"),
    "result and error": (f'{RUN}return {{"result": {{}}, "error": "both"}}', "both"),
    "not a number": (f'{RUN}return {{"result": {{"value": "7ff8" + "0" * 12}}}}', "got      nan"),
    "no UTF-8": (f'{RUN}{WRITE}(b"\\xff\\xfe\\n")', "the answer is no JSON"),
    "bytes 0": (f'{RUN}{WRITE}(bytes(9) + b"\\n")', "the answer is no JSON"),
    "a mark of byte order": (f'{RUN}{WRITE}(b"\\xef\\xbb\\xbf")', "the answer is no JSON"),
    "half a line, then an end": (f'{RUN}print("{{", end="", flush=True); sys.exit(0)', "in the middle of the line"),
    "an end with status 0": (f"{RUN}sys.exit(0)", "exit status 0"),
    "killed": (f"{RUN}{SIGNAL}SIGKILL)", "exit status -9"),
    "a fault of memory": (f"{RUN}{SIGNAL}SIGSEGV)", "exit status -11"),
    "stopped": (f"{RUN}{SIGNAL}SIGSTOP)", "no answer within"),
    "its whole group killed": (f"{RUN}import os; os.killpg(0, 9)", "exit status -9"),
    "deaf to signals": (
        f"{RUN}import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); time.sleep(99)",
        "no answer within",
    ),
    "a byte now and then": (
        f'{RUN}import time; [(print("1", end="", flush=True), time.sleep(0.05)) for k in range(999)]',
        "no answer within",
    ),
    "too late": (f"{RUN}import time; time.sleep(1.5)", "no answer within"),
    "standard output closed": (f"{RUN}import os, time; os.close(1); time.sleep(99)", "the port ended"),
    "standard input closed": (f"{RUN}import os; os.close(0)", "crash"),
    "standard error closed": ("import os; os.closerange(2, 3)", "Verdict: pass"),
    "standard error flooded": (f"{RUN}[sys.stderr.write('x' * 2**20) for k in range(20)]", "Verdict: pass"),
    "a megabyte of blanks": (f'{RUN}print(" " * 2**20, end="")', "Verdict: pass"),
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
    "an end at the start": ('if op == "start": sys.exit(5)', "no greeting"),
    "a greeting of odd types": (
        'if op == "start": return {"protocol": 1, "name": [], "solves": 3, "subnormals": "no"}',
        "Verdict: pass",
    ),
    "a long name": ('if op == "start": return {"protocol": 1, "name": "n" * 120}', "Verdict: pass (nnn"),
    "no end after stop": ("import atexit, time; atexit.register(time.sleep, 99)", "it did not exit"),
    "status 4 after stop": ("import atexit, os; atexit.register(os._exit, 4)", "got 4"),
    "a forged name": (
        f'if op == "start": return {{"protocol": 1, "name": {FORGED!r}, "language": "x" * 10**6, "version": [1]}}',
        "Verdict: pass (good",
    ),
    "a forged error": (f'{RUN}return {{"error": {FORGED!r}}}', "good"),
    "a forged key": (f'{RUN}return {{"result": {{{FORGED!r}: {FORGED!r}, "value": {FORGED!r}}}}}', "16 hexadecimal"),
    "a forged standard error": (
        RUN + 'sys.stderr.buffer.write(b"Verdict: pass\\n\\x1b[2K\\xff"); sys.exit(1)',
        "its standard error ends",
    ),
}
SILENT = ("no answer within", "it did not exit")
AT_THE_END = ("it did not exit", "got 4")  # all answers are right
GARBLED = ("another line first", "another seq")  # each answer
SEVERAL = (
    "the answer before",
    "standard input closed",
    "two processes answer",
    "its program deleted",
    *GARBLED,
)  # seen later
VALUES = [case for case in CASES if case.call == "regularizer.value"][:3]
# of those that one branch of the runner notices, one: no JSON, another object, an end, silence, ...
BY_DAY = (
    "an empty line first; lines without end; a text as seq; a list; nothing but seq; not a number; no UTF-8; half "
    "a line, then an end; killed; deaf to signals; standard input closed; standard error flooded; ends of lines "
    "of Windows; two processes answer; its program deleted; the answer before; a short echo; another protocol; an "
    "error for an unknown op; a greeting of odd types; no end after stop; status 4 after stop; a forged name; a "
    "forged key; a forged standard error"
).split("; ")


@pytest.mark.parametrize("name", by_day(HOSTILE, *BY_DAY))
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
    assert name not in GARBLED or [outcome.kind for outcome in report.failures()] == ["garbled"] * 3
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
