"""Whole solvers behind a pipe: the wire, what is refused, and the adapter of the page for a program of Debian's."""

import shutil
import sys

import numpy as np
import pytest
from support import blocks, printed, refusal, refuses, text_of

from dualgap.proofs_checks.cli import main as cli
from dualgap.proofs_checks.conformance.protocol.hex_floats import decode
from dualgap.proofs_checks.conformance.solvers.checks import solver_checks
from dualgap.proofs_checks.conformance.solvers.command_solver import CommandSolver, NoAnswer, problem_to_json
from dualgap.proofs_checks.conformance.solvers.trial import CheckFailed

ADAPTER = blocks(text_of("docs/ports.md").split("## Whole solvers")[1])[0]

RIDGE = """
import json, struct, sys
import numpy as np
number = lambda text: struct.unpack(">d", bytes.fromhex(text))[0]
hexes = lambda v: [struct.pack(">d", x).hex() for x in v]

def solve(p):
    y, values, lam, gamma = np.array([number(x) for x in p["y"]]), [number(x) for x in p["values"]], number(p["lam"]), number(p["gamma"])
    if not (0 < lam < np.inf and len(y) == p["n"] > 0 and np.isfinite(y).all() and np.isfinite(values).all()):
        return {"error": "no problem"}
    X = np.zeros((p["n"], p["d"]))
    for i in range(p["n"]):
        for k in range(p["starts"][i], p["starts"][i + 1]):
            X[i, p["columns"][k]] = values[k]
    w = np.linalg.solve(X.T @ X / (len(y) * gamma) + FACTOR * lam * np.eye(p["d"]), X.T @ y / (len(y) * gamma))
    return {"result": {"w": hexes(w), "alpha": hexes((X @ w - y) / gamma), "converged": True, "iterations": 1}}

for line in sys.stdin:
    a = json.loads(line)
    if a["op"] == "stop": break
    out = {"skipped": "?"}
    if a["op"] == "start": out = {"protocol": 1, "name": "ridge", "solves": {"losses": ["squared"], "l1": False}}
    if a["op"] == "echo": out = {"numbers": a["numbers"]}
    if a["op"] == "solve": out = ANSWER
    print(json.dumps({"seq": a["seq"], **out}), flush=True)
"""  # noqa: E501


def program(tmp_path, factor=1, answer='solve(a["given"]["problem"])'):
    path = tmp_path / "ridge.py"
    path.write_text(RIDGE.replace("FACTOR", str(factor)).replace("ANSWER", answer))
    return [sys.executable, str(path)]


def ask(solver, **changes):
    given = {"loss": "squared", "lam": 0.5, "l1": 0.0, "gamma": 0.75, "tol": 1e-6, "seed": 1} | changes
    return solver(np.array([[1.0, 0.0], [0.5, -1.0]]), np.array([1.0, -1.0]), **given)


def test_a_right_program_passes_every_check_and_one_with_another_lam_fails(tmp_path):
    with CommandSolver(program(tmp_path)) as solver:
        checks = solver_checks(solver)
        assert solver.name == "ridge" and len(checks) == 9 and {check.loss for check in checks} == {"squared"}
        for check in checks:
            check(solver)
    with CommandSolver(program(tmp_path, factor=2)) as solver:
        refuses(CheckFailed, "the gap is", checks[0], solver)


def test_a_program_is_checked_from_the_command_line(tmp_path, capsys):
    words = ["check", "--only", "the_gap_is_what_was_asked_for", "--json", "--"]
    assert cli.main([*words, *program(tmp_path)]) == 0 and '"verdict": "pass"' in capsys.readouterr().out
    assert "dualgap check --loss squared --only the_gap_is_what_was_asked_for -- " in printed(
        capsys, *words, *program(tmp_path, factor=2), status=1
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [(["no-such-program", "x"], "cannot start no-such-program"), (["cat", "/dev/null"], "no greeting")],
)
def test_what_is_no_program_is_one_line(words, said, capsys):
    assert said in refusal(capsys, "check", "--", *words)


@pytest.mark.parametrize(
    ("answer", "error", "said"),
    [
        ('{"error": "lam is 0"}', ValueError, "lam is 0"),
        ('{"skipped": "no hinge"}', NoAnswer, "skipped: no hinge"),
        ("sys.exit(3)", NoAnswer, "crash"),
        ('{"result": {"w": ["1"], "converged": True}}', NoAnswer, "16 hexadecimal digits"),
        ('{"result": {"converged": True}}', NoAnswer, "w must be a list"),
        ('{"result": {"w": [], "converged": "yes"}}', NoAnswer, "true or false"),
        ('{"result": []}', NoAnswer, "none of result"),
    ],
)
def test_what_is_no_solution_is_no_answer(answer, error, said, tmp_path):
    with CommandSolver(program(tmp_path, answer=answer)) as solver, pytest.raises(error, match=said):
        ask(solver)


def test_a_silent_program_costs_its_limit_and_the_next_call_starts_it_again(tmp_path):
    silent = 'solve(a["given"]["problem"]) if a["given"]["seed"] else __import__("time").sleep(60)'
    with CommandSolver(program(tmp_path, answer=silent), seconds=2.0) as solver:
        refuses(NoAnswer, "time-out", ask, solver, seed=0)
        w, alpha, converged = ask(solver)
    assert converged and len(w) == len(alpha) == 2 and solver.last["iterations"] == 1


def test_the_data_go_over_the_wire_as_they_are():
    sent = problem_to_json(np.array([[0.0, np.nan], [np.inf, 2.0]]), np.array([0.5]), "hinge", -1.0, 0.25, None)
    assert sent["starts"] == [0, 1, 3] and sent["columns"] == [1, 0, 1] and (sent["n"], sent["d"]) == (2, 2)
    assert str(list(map(decode, sent["values"]))) == "[nan, inf, 2.0]"
    assert [decode(sent[name]) for name in ("lam", "l1", "gamma")] == [-1.0, 0.25, 0.0]
    assert list(map(decode, sent["y"])) == [0.5]
    refuses(ValueError, "shape", lambda: problem_to_json(np.zeros(2), np.zeros(2), "hinge", 1.0, 0.0, None))


@pytest.mark.skipif(
    shutil.which("liblinear-train") is None, reason="liblinear-train is not installed (Debian: liblinear-tools)"
)
def test_the_adapter_of_the_page_passes_every_check_but_the_one_that_the_page_names(tmp_path):
    (tmp_path / "adapter.py").write_text(ADAPTER)
    with CommandSolver([sys.executable, str(tmp_path / "adapter.py")]) as solver:
        checks = solver_checks(solver)
        assert {check.loss for check in checks} == {"logistic", "squared-hinge"}
        failed = {}
        for check in checks:
            try:
                check(solver)
            except AssertionError as error:
                failed[check.name] = str(error)
    assert list(failed) == ["numbers_keep_their_53_bits[squared-hinge]"], failed
