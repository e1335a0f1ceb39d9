"""``conform --compare`` and ``--time``: methods by ports, and steps per second of ports, reference and compiled
code.
"""

import shlex

import pytest
import wrong_ports
from support import answer, refusal

from dualgap.proofs_checks.cli.main import main
from dualgap.proofs_checks.conformance.ports import compare
from dualgap.proofs_checks.conformance.ports.compare import speeds
from dualgap.proofs_checks.conformance.protocol.port import Port

RIGHT = shlex.join(wrong_ports.RIGHT)


def cells(text):
    """The rows of the first table: name to cells."""
    lines = text.split("\n\n")[0].splitlines()
    edges = [0, *(k + 2 for k in range(len(lines[1])) if lines[1][k : k + 2] == "  ")]
    return {
        line[: edges[1]].strip(): [line[a:b].strip() for a, b in zip(edges[1:], [*edges[2:], None])] for line in lines
    }


def test_methods_by_ports(tmp_path, capsys):
    wrong = shlex.join(wrong_ports.with_bug(tmp_path, "lost-one-over-n"))
    few = shlex.join(wrong_ports.without(tmp_path, "pegasos"))
    assert main(["conform", "--compare", "--seconds", "0", "--only", "aspdc,gap,pegasos", few, wrong]) == 1
    found = cells(capsys.readouterr().out)
    assert found[""] == ["dualgap-python (1)", "dualgap-python (2)"]
    assert found["gap"] == ["9/9", "9/9"]
    assert found["pegasos"][0] == "skipped"
    assert found["aspdc"][0] == "102/102" and "failed" in found["aspdc"][1] and found["verdict"] == ["pass", "fail"]


def test_the_exit_status_is_the_worst_and_json_has_every_report(capsys, tmp_path):
    few = shlex.join(wrong_ports.without(tmp_path, "pegasos"))
    found = answer(capsys, "conform", "--compare", "--seconds", "0", "--only", "gap", "--json", RIGHT, RIGHT)
    assert [port["verdict"] for port in found["ports"]] == ["pass"] * 2 and found["speed"] == []
    assert main(["conform", "--compare", "--seconds", "0", "--only", "pegasos", few, few]) == 3


@pytest.mark.parametrize(
    "words, said", [(["--tap"], "but --compare shows several"), (["--junit", "x.xml"], "but --compare shows several")]
)
def test_what_goes_with_one_port_alone_is_refused(words, said, capsys):
    assert said in refusal(capsys, "conform", "--compare", *words, RIGHT)


def test_a_command_that_is_none_is_one_line(capsys):
    for command in ("", "'unclosed"):
        refusal(capsys, "conform", "--compare", "--only", "gap", RIGHT, command)


def test_time_shows_the_port_beside_reference_and_compiled_code(monkeypatch, capsys):
    """As few steps as can be: no test waits for a rate."""
    monkeypatch.setattr(compare, "LONG", 0.0)
    monkeypatch.setattr(compare, "MOST", 64)  # choices that are drawn
    assert main(["conform", "--time", "--seconds", "0", "--only", "gap", "--", *shlex.split(RIGHT)]) == 0
    table = capsys.readouterr().out.split("\n\n")[-1].splitlines()
    assert table[0].split() == ["steps", "a", "second", "this", "port", "reference", "compiled"]
    rows = {line.split()[0]: line.split()[1:] for line in table[2:-1]}
    assert set(rows) == set(compare.METHODS) and all(row[0].endswith("*") and len(row) == 3 for row in rows.values())


def test_what_a_port_skips_is_not_timed_and_last_goes_before_trajectory(tmp_path, monkeypatch):
    monkeypatch.setattr(compare, "LONG", 0.0)
    monkeypatch.setattr(compare, "MOST", 64)  # choices that are drawn
    assert set(compare.METHODS) == {"aspdc", "sdca", "spdc", "pgs"}
    with Port(
        wrong_ports.before_answer(
            tmp_path, 'if op == "run" and request["given"]["method"] != "sdca": return {"skipped": "?"}'
        )
    ) as port:
        assert [(name, call) for name, (_, call) in compare.of_port(port, compare.problem_of_speed()).items()] == [
            ("sdca", "trajectory")
        ]
    with Port(
        wrong_ports.before_answer(tmp_path, 'if op == "run" and request["call"] == "last": return {"result": {}}')
    ) as port:
        assert {call for _, call in compare.of_port(port, compare.problem_of_speed()).values()} == {"last"}


def test_a_rate_doubles_the_steps_until_they_take_long_enough(monkeypatch):
    """A clock by which a step takes 0.01 s."""
    clock = [0.0]
    monkeypatch.setattr(compare.time, "perf_counter", lambda: clock[0])

    def run(steps):
        clock[0] += 0.01 * steps + 0.001

    assert compare.rate(run) == pytest.approx(100, rel=0.01) and clock[0] == pytest.approx(0.321)
    assert compare.rate(run, most=16) == pytest.approx(100, rel=0.01)


def test_rates_to_two_digits():
    columns, rows = speeds(
        {"one": {"sdca": (123456.0, "last")}, "two": {"sdca": (99.4, "trajectory"), "pgs": (5.0, "last")}}
    )
    assert columns == ("steps a second", "one", "two") and rows == [("sdca", "120,000", "99*"), ("pgs", "", "5")]
