"""``dualgap check``: the table, what a failure shows and how to repeat it, expected failures, and one line for what is
no solver.
"""

import pytest
from support import answer, printed, refusal

GAP = "the_gap_is_what_was_asked_for"
OURS = """
from dualgap.fast import solve
from dualgap.reference import LOSSES, ElasticNet, Problem

def right(X, y, *, loss, lam, l1, gamma, tol, seed):
    result = solve(Problem(X, y, LOSSES[loss](gamma), ElasticNet(lam, l1)), "sdca", tol=tol, seed=seed)
    return result.w, result.alpha, result.status == "converged"

def summed(X, y, *, lam, l1, **given):
    return right(X, y, lam=lam / len(y), l1=l1 / len(y), **given)

def known(X, y, **given):
    return summed(X, y, **given)

def stale(X, y, **given):
    return right(X, y, **given)

known.expected_failed_checks = stale.expected_failed_checks = {"%s": "it sums"}
def modest(X, y, **given):
    return (*right(X, y, **given)[:2], False)

def no_seed(X, y, *, loss, lam, l1, gamma, tol):
    return right(X, y, loss=loss, lam=lam, l1=l1, gamma=gamma, tol=tol, seed=1)

number = 3
"""


@pytest.fixture
def module(tmp_path):
    (tmp_path / "ours.py").write_text(OURS % GAP)
    (tmp_path / "broken.py").write_text("def right(:\n")
    (tmp_path / "leaves.py").write_text("raise SystemExit(3)\n")
    return tmp_path


def test_a_right_solver_of_a_module_in_the_working_directory_passes(module, monkeypatch, capsys):
    monkeypatch.chdir(module)
    monkeypatch.syspath_prepend(str(module))
    assert "Verdict: pass (1 checks, 0 failed, entropy " in printed(
        capsys, "check", "ours:right", "--loss", "squared", "--only", GAP
    )


def test_a_failure_says_the_gap_and_how_to_repeat_it(module, capsys):
    spec = f"{module / 'ours.py'}:summed"
    out = printed(capsys, "check", spec, "--loss", "squared", "--loss", "hinge", "--only", f"{GAP}[squared]", status=1)
    assert f"FAILED {GAP}: four rows, loss squared" in out and "the gap is" in out
    again = next(line for line in out.splitlines() if line.startswith("  repeat: ")).removeprefix("  repeat: dualgap ")
    report = answer(capsys, *again.split(), "--json", status=1)
    (row,) = report["checks"]
    assert report["verdict"] == "fail" and (row["check"], row["loss"], row["status"]) == (GAP, "squared", "failed")


def test_who_claims_nothing_is_incomplete_and_exit_3(module, capsys):
    words = [f"{module / 'ours.py'}:modest", "--loss", "squared", "--only", GAP]
    out = printed(capsys, "check", *words, status=3)
    assert (
        "Verdict: incomplete (1 checks, 0 failed, 1 in which the solver did not claim convergence, entropy " in out
        and "14 of 14" in out
    )
    report = answer(capsys, "check", *words, "--json", status=3)
    assert report["verdict"] == report["checks"][0]["status"] == "incomplete"


def test_expected_failures_are_strict(module, capsys):
    words = ["--loss", "squared", "--only", GAP]
    assert "failed as expected" in printed(capsys, "check", f"{module / 'ours.py'}:known", *words)
    assert "listed as an expected failure (it sums): remove it from the list" in printed(
        capsys, "check", f"{module / 'ours.py'}:stale", *words, status=1
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nothing"], "names no solver: there is no such file or program"),
        (["--", "./nothere"], "'./nothere' names no solver: there is no such file or program"),
        (["--", "./ours.py"], "the file is there, but cannot be run (chmod +x"),
        (
            ["ours.py:no_seed"],
            (
                "no_seed must be called as solver(X, y, *, loss, lam, l1, gamma, tol, seed), and raised TypeError:"
                " no_seed() got an unexpected keyword argument 'seed'"
            ),
        ),
        (["no_such_module:f"], "no_such_module cannot be imported: ModuleNotFoundError"),
        (["missing.py:f"], "there is no file missing.py"),
        (["broken.py:right"], "broken.py cannot be imported: SyntaxError"),
        (["leaves.py:right"], "leaves.py cannot be imported: Quit: the code tried to end the process (SystemExit: 3)"),
        (["ours.py:absent"], "ours.py has no 'absent'"),
        (["ours.py:number"], "is no callable"),
        (["ours.py:right", "--loss", "hindge"], "unknown loss 'hindge'"),
        (["ours.py:right", "--only", "no_such"], "--only no_such: there is no such check"),
        *((["ours.py:right", f"--tol={tol}"], "tol must be > 0 and finite") for tol in ("-1", "0")),
        *(
            (["ours.py:right", f"--tol={tol}"], "argument --tol: must be a decimal such as 0.5 or 1e-3, and finite")
            for tol in ("inf", "nan")
        ),
        (["ours.py:right", "--timeout", "0"], "--timeout must be > 0"),
    ],
)
def test_what_is_no_solver_is_one_line(module, monkeypatch, capsys, words, said):
    monkeypatch.chdir(module)
    assert said in refusal(capsys, "check", *words)
