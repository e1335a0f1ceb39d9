"""The command line: names, JSON keys and exit statuses are a contract; bad input is one line and exit 2."""

import json
import subprocess
import sys
from dataclasses import replace

import pytest
from support import answer, command

from dualgap.proofs_checks.claims.registry import CLAIMS, all_claims
from dualgap.proofs_checks.cli import main as cli
from dualgap.proofs_checks.cli.method_options import general_options, parameters_of
from dualgap.proofs_checks.report import terminal
from dualgap.reference import all_methods, method

pytestmark = pytest.mark.usefixtures("empty_folder")  # so that what a command writes can be counted

DATA = "+1 1:0.6 2:0.8\n-1 1:1\n+1 2:0.5\n"


# -- what is imported -------------------------------------------------------------------------------------------

HEAVY = ("numba", "sklearn", "matplotlib", "rich", "scipy")


def in_new_process(*words):
    """(status, standard output, standard error) of ``dualgap words`` that names the heavy modules it loaded."""
    code = (
        "import sys; from dualgap.proofs_checks.cli.main import main\n"
        "try: status = main(sys.argv[1:])\n"
        "except SystemExit as end: status = end.code\n"
        f"print('loaded', *[name for name in {HEAVY} if name in sys.modules], file=sys.stderr)\n"
        "sys.exit(status)"
    )
    done = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, timeout=600)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize("words", [("--help",), ("--version",), ("claims",), ("solve", "--help")])
def test_light_commands_load_nothing_heavy(words):
    status, out, err = in_new_process(*words)
    assert (status, err.splitlines()[-1]) == (0, "loaded"), err
    assert out


def test_import_watch_sees_a_heavy_import():
    assert in_new_process("data", "orthonormal:n=2")[2].splitlines()[-1] == "loaded scipy"


def test_replay_is_light_and_evaluates_its_claim_once_on_one_instance(capsys, empty_folder, monkeypatch):
    """What makes it fast, counted: the modules that are imported, and one evaluation of one claim."""
    refuted = next(claim.id for claim in all_claims().values() if claim.expected == "REFUTED")
    assert command(capsys, "audit", refuted, "--quick", "--entropy", "5")[0] == 0
    path = empty_folder / "dualgap-report" / f"counterexample-{refuted}.json"
    status, out, err = in_new_process("replay", str(path))
    assert (status, err.splitlines()[-1]) == (0, "loaded"), err
    assert "First false" in out
    evaluated = []
    for claim in all_claims().values():
        monkeypatch.setitem(
            CLAIMS, claim.id, replace(claim, check=lambda c, own=claim: evaluated.append(own.id) or own.check(c))
        )
    assert command(capsys, "replay", str(path))[:2] == (0, out) and evaluated == [refuted]


def test_reader_that_goes_away_ends_the_command_quietly():
    command = [sys.executable, "-m", "dualgap.proofs_checks.cli.main", "claims"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        process.stdout.close()
        assert (process.stderr.read(), process.wait(600)) == ("", 1)


# -- bad input --------------------------------------------------------------------------------------------------

SOLVE = ("solve", "data.txt", "--method", "sdca", "--loss", "squared", "--lam", "1", "--tol", "1e-3")


def changed(option, value, words=SOLVE):
    """The words with one option's value replaced or added."""
    words = list(words)
    if option in words:
        words[words.index(option) + 1] = value
    else:
        words += [option, value]
    return tuple(words)


BAD = {
    "unknown command": (("solv",), "'solv'"),
    "abbreviated option": (("audit", "--qui"), "--qui"),
    "two sizes": (("audit", "--quick", "--full"), "--full"),
    "unknown paper": (("audit", "nopaper"), "'nopaper'"),
    "negative entropy": (("audit", "--entropy", "-1"), "-1"),
    "entropy in words": (("audit", "--entropy", "many"), "'many'"),
    "unwritable folder": (("audit", "aspdc.a6", "--out", "/proc/nowhere"), "/proc/nowhere"),
    "folder is a file": (("audit", "aspdc.a6", "--out", "data.txt"), "data.txt"),
    "unknown claim": (("claims", "aspdc.nothing"), "'aspdc.nothing'"),
    "missing counterexample": (("replay", "nowhere.json"), "nowhere.json"),
    "no counterexample": (("replay", "data.txt"), "data.txt"),
    "unknown data": (("data", "nowhere"), "nowhere"),
    "unknown generator option": (("data", "orthonormal:m=2"), "'m'"),
    "missing file": (changed("--tol", "1", ("solve", "nowhere", *SOLVE[2:])), "nowhere"),
    "a folder for a file": (("solve", "/", *SOLVE[2:]), "/"),
    "lam zero": (changed("--lam", "0"), "lam must be > 0 (got 0.0)"),
    "lam negative": (changed("--lam", "-1e-3"), "lam must be > 0 (got -0.001)"),
    "lam infinite": (changed("--lam", "inf"), "lam"),
    "lam not a number": (changed("--lam", "nan"), "lam"),
    "lam a word": (changed("--lam", "big"), "'big'"),
    "l1 negative": (changed("--l1", "-1"), "l1 must be >= 0"),
    "gamma zero": (changed("--gamma", "0"), "gamma must be > 0"),
    "gamma of a loss without": (changed("--gamma", "1", changed("--loss", "hinge")), "gamma"),
    "unknown loss": (changed("--loss", "cubic"), "'cubic'"),
    "unknown method": (changed("--method", "gauss"), "'gauss'"),
    "tol negative": (changed("--tol", "-1"), "tol must be"),
    "rtol not a number": (changed("--rtol", "nan"), "argument --rtol: must be a decimal"),
    "seed negative": (changed("--seed", "-1"), "seed must be"),
    "passes negative": (changed("--max-epochs", "-1"), "max_epochs must be"),
    "passes not whole": (changed("--max-epochs", "1.5"), "'1.5'"),
    "no time": (changed("--max-seconds", "0"), "max_seconds must be"),
    "unknown mode": (changed("--mode", "brave"), "'brave'"),
    "unknown order": (changed("--order", "cyclic"), "'cyclic'"),
    "unknown backend": (changed("--backend", "gpu"), "'gpu'"),
    "lam below the theorem": (changed("--lam", "1e-3", changed("--method", "aspdc")), "4R^2/(n gamma) = 1.33"),
    "hinge with aspdc": (changed("--loss", "hinge", changed("--method", "aspdc")), "smoothed-hinge"),
    "pure l1": (changed("--l1", "1", changed("--lam", "0")), "pure l1"),
    "option without value": (
        changed("--option", "step", changed("--method", "sag")),
        "give NAME=VALUE; its parameters are step (default practice), divide",
    ),
    "option of no parameter": (
        changed("--option", "eta=1", changed("--method", "sag")),
        "no parameter 'eta'; its parameters are step",
    ),
    "option of a method without": (changed("--option", "m=2"), "method sdca has none"),
    "option of no method": (changed("--option", "m=2", changed("--method", "gauss")), "'gauss'"),
    "option not a number": (
        changed("--option", "eta=fast", changed("--method", "svrg")),
        "eta must be a finite number (got 'fast')",
    ),
    "option divided by zero": (changed("--option", "eta=1/0", changed("--method", "svrg")), "(got '1/0')"),
    "option not whole": (
        changed("--option", "m=2.5", changed("--method", "svrg")),
        "m of method svrg must be a whole number (got '2.5')",
    ),
    "option not a boolean": (
        changed("--option", "gauss_seidel=1", changed("--method", "spd1")),
        "must be true or false (got '1')",
    ),
    "option out of range": (changed("--option", "step=-1/2", changed("--method", "sag")), "step must be"),
    "option not among the words": (
        changed("--option", "option=III", changed("--method", "svrg")),
        "option must be one of I, II",
    ),
    "option twice": (
        (*changed("--method", "svrg"), "--option", "m=2", "--option", "m=3"),
        "by --option m=2; give it once",
    ),
    "option and batch": (
        (*changed("--method", "adaspdc"), "--batch", "2", "--option", "m=2"),
        "by --batch 2; give it once",
    ),
    "option that is a list": (
        changed("--option", "norms=1", changed("--method", "adaspdc")),
        "norms of method adaspdc is a list",
    ),
    "option for threads": (changed("--option", "threads=1", changed("--method", "passcode-lock")), "--threads"),
    "option of auto": (changed("--option", "m=2", changed("--method", "auto")), "method auto chooses"),
    "option of two swept": (
        ("sweep", "data.txt", *changed("--method", "sag,svrg")[2:], "--option", "step=1"),
        "one method (got --method sag,svrg)",
    ),
    "option of a swept method": (
        ("sweep", "data.txt", *changed("--method", "sag")[2:], "--option", "step=-1"),
        "step must be",
    ),
    "no tolerance": (tuple(w for w in SOLVE if w not in ("--tol", "1e-3")), "--tol"),
    "labels 1 and 2": (
        ("solve", "labels12.txt", *changed("--loss", "logistic")[2:]),
        "found (label: rows) 1: 1, 2: 2. Say which become +1, for example --positive 2",
    ),
    "labels 0 and 1": (("solve", "labels01.txt", *changed("--loss", "hinge")[2:]), "--positive 1"),
    "one class": (("solve", "one.txt", *changed("--loss", "hinge")[2:]), "found (label: rows) 1: 2. With one class"),
    "label to map absent": (changed("--positive", "7"), "--positive 7"),
    "unreadable labels": (changed("--positive", "a..b"), "a..b"),
    "bad token": (("solve", "token.txt", *SOLVE[2:]), "line 2"),
    "index zero": (("solve", "zero.txt", *SOLVE[2:]), "line 1"),
    "columns of sparse data": ((*SOLVE, "--standardize"), "--standardize"),
}

FILES = {
    "data.txt": DATA,
    "labels12.txt": "1 1:1\n2 1:2\n2 1:3\n",
    "labels01.txt": "1 1:1\n0 1:2\n",
    "one.txt": "1 1:1\n1 2:1\n",
    "token.txt": "1 1:1\n1 2:x\n",
    "zero.txt": "1 0:1\n",
}


@pytest.fixture
def files(empty_folder):
    """The small data files."""
    for name, text in FILES.items():
        (empty_folder / name).write_text(text)
    return empty_folder


def refused_in_one_line(capsys, files, words, named):
    """Exit 2, one line on standard error that names what was wrong, nothing printed, nothing written."""
    status, out, err = command(capsys, *words)
    assert (status, err.count("\n"), out) == (2, 1, ""), (status, out, err)
    assert named in err and err.startswith("dualgap"), err
    assert {path.name for path in files.iterdir()} == set(FILES), "something was written"


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_line_exit_2_and_nothing_written(case, capsys, files):
    refused_in_one_line(capsys, files, *BAD[case])


def test_missing_extra_is_one_line(capsys, files, monkeypatch):
    for module in ("sklearn", "sklearn.datasets"):
        monkeypatch.setitem(sys.modules, module, None)
    refused_in_one_line(capsys, files, ("data", "digits"), 'pip install "dualgap[cli]"')


def test_refusal_check_would_notice_a_command_that_works(capsys, files):
    with pytest.raises(AssertionError):
        refused_in_one_line(capsys, files, ("data", "data.txt"), "")


@pytest.mark.parametrize("kind", [ValueError, OSError])
def test_error_before_the_commit_is_refused_and_after_it_a_bug(kind):
    with pytest.raises(terminal.Refused, match="^two lines$"), terminal.input_errors():
        raise kind("two\n  lines")
    with pytest.raises(kind), terminal.input_errors() as commit:
        commit()
        raise kind("a bug")


# -- solve ------------------------------------------------------------------------------------------------------

SOLVE_KEYS = {
    "method",
    "loss",
    "lam",
    "n",
    "d",
    "nnz",
    "primal",
    "dual",
    "gap",
    "epochs",
    "seconds",
    "status",
    "seed",
    "backend",
}


def optimum():
    """min P for squared loss, lam = 1, on data.txt, with numpy alone: (1/2n)||Xw - y||^2 + (1/2)||w||^2."""
    import numpy as np

    X, y = np.array([[0.6, 0.8], [1.0, 0.0], [0.0, 0.5]]), np.array([1.0, -1.0, 1.0])
    w = np.linalg.solve(X.T @ X / 3 + np.eye(2), X.T @ y / 3)
    return float((X @ w - y) @ (X @ w - y) / 6 + w @ w / 2)


def test_solve_json_is_one_object_that_brackets_the_optimum(capsys, files):
    status, out, err = command(capsys, *changed("--tol", "1e-9"), "--json")
    found = json.loads(out)
    assert (status, err) == (0, "") and SOLVE_KEYS <= set(found), err
    assert (found["status"], found["n"], found["d"], found["nnz"]) == ("converged", 3, 2, 4)
    # weak duality; 1e-14: rounding of the two evaluations of P, each a sum of a few terms below 1
    assert found["dual"] - 1e-14 <= optimum() <= found["primal"] + 1e-14 and found["gap"] <= 1e-9
    assert found["smallest_lam"] == {"paper": 4 * found["R2"] / 3, "sharp": found["R2"] / 3}
    assert found["history"][-1]["gap"] <= 1e-9 and found["advice"] and found["preparation"] == []


def test_both_backends_print_the_same_numbers(capsys, files):
    one, two = (json.loads(command(capsys, *SOLVE, "--json", "--backend", name)[1]) for name in ("fast", "reference"))
    assert {one.pop("backend"), two.pop("backend")} == {"fast", "reference"}
    for found in (one, two):
        del found["seconds"]
        found["history"] = [{k: v for k, v in entry.items() if k != "seconds"} for entry in found["history"]]
    assert one == two


OPTIONS = {
    "sag": (("step=1/20", "divide=n"), {"step": 0.05, "divide": "n"}),
    "svrg": (("eta=0.05", "option=II", "m=4"), {"eta": 0.05, "option": "II", "m": 4}),
    "spd1": (("gauss_seidel=true",), {"gauss_seidel": True}),
    "spdc-minibatch": (("m=3", "theta=1/2"), {"m": 3, "theta": 0.5}),  # theta is the base class's
    "cocoa": (("parts=3", "H=2", "aggregation=averaging"), {"parts": 3, "H": 2, "aggregation": "averaging"}),
}


def reached(text):
    """What a run reached, from the output of --json: primal, dual, passes."""
    found = json.loads(text)
    return found["primal"], found["dual"], found["epochs"]


@pytest.mark.parametrize("name", OPTIONS)
def test_option_gives_a_parameter_of_the_method_to_both_backends(name, capsys, files):
    from dualgap.fast import solve
    from dualgap.fast.data.load import load
    from dualgap.reference import L2, Problem, Squared

    words = (*changed("--method", name), "--max-epochs", "3", "--json")
    options = [word for text in OPTIONS[name][0] for word in ("--option", text)]
    fast, readable, default = (
        reached(command(capsys, *words, *more)[1]) for more in (options, [*options, "--backend", "reference"], [])
    )
    data = load("data.txt")
    expected = solve(Problem(data.X, data.y, Squared(), L2(1.0)), name, tol=1e-3, max_epochs=3, **OPTIONS[name][1])
    assert fast == readable == (expected.primal, expected.dual, expected.epochs) != default


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("spdc", "theta=0.1", 0.1),
        ("spdc", "theta=paper", "paper"),
        ("aspdc-i", "epsilon=1/3", "1/3"),
        ("aspdc-i-fixed", "m=3", 3),
    ],
)
def test_an_option_that_takes_numbers_is_read_as_one_where_it_is_one(name, text, value):
    assert [(found, type(found)) for found in general_options(name, [text]).values()] == [(value, type(value))]


@pytest.mark.parametrize("name", sorted(all_methods()))
def test_no_parameter_that_wants_an_integer_is_read_as_a_float(name):
    for parameter in parameters_of(all_methods()[name]):
        try:
            options = general_options(name, [f"{parameter}=2"])
            method(name, **options)
        except (ValueError, TypeError) as error:
            assert "integer" not in str(error), (parameter, str(error))


def test_checkpoint_of_a_run_with_another_option_is_refused(capsys, files):
    words = (*changed("--method", "sag"), "--checkpoint", "run.npz", "--option")
    assert command(capsys, *words, "step=1/20", "--max-epochs", "1")[0] == 1
    assert command(capsys, *words, "step=1/20", "--resume")[0] == 0
    status, _, err = command(capsys, *words, "step=1/10", "--resume")
    assert status == 2 and "run.npz" in err and "step" in err, err


def test_sweep_gives_the_option_to_its_one_method(capsys, files):
    words = changed("--method", "sag")[1:]
    one, two = (
        reached(command(capsys, "solve", *words, "--json", *more)[1]) for more in (("--option", "step=1/20"), ())
    )
    swept = json.loads(command(capsys, "sweep", *words, "--json", "--option", "step=1/20")[1])["cells"][0]
    assert (swept["primal"], swept["dual"], swept["epochs"]) == one != two


def test_solve_prints_preparation_result_and_advice(capsys, files):
    status, out, _ = command(capsys, *SOLVE, "--bias", "--unit-rows")
    assert status == 0
    for text in (
        "data.txt: 3 rows, 3 columns",
        "a constant 1 added",
        "rows scaled",
        "primal",
        "gap",
        "converged:",
        "aspdc needs lam >=",
    ):
        assert text in out


def test_relative_tolerance_alone_is_the_only_one_asked_for(capsys, files):
    found = json.loads(
        command(capsys, *(w for w in changed("--rtol", "0.3") if w not in ("--tol", "1e-3")), "--json")[1]
    )
    assert found["tol"] == 0 and found["status"] == "converged" and 1e-6 < found["gap"] <= 0.3 * abs(found["primal"])


def test_tolerance_that_is_not_met_is_exit_1_and_says_what_was_reached(capsys, files):
    status, out, err = command(capsys, *changed("--tol", "1e-12"), "--max-epochs", "1")
    assert (status, err) == (1, "") and "max_epochs: 1 passes were not enough" in out and "primal" in out


def test_interrupted_solve_prints_what_was_reached_and_exits_1(capsys, files, monkeypatch):
    def stop(self, state):
        raise KeyboardInterrupt

    monkeypatch.setattr("dualgap.fast.solver.run.SolverRun.advance", stop)
    status, out, _ = command(capsys, *SOLVE, "--json")
    found = json.loads(out)
    assert (status, found["status"], found["epochs"]) == (1, "interrupted", 0) and found["gap"] > 0


def test_interrupt_before_there_is_a_result_is_one_line(capsys, files, monkeypatch):
    def stop(*_):
        raise KeyboardInterrupt

    monkeypatch.setattr("dualgap.fast.data.load.load", stop)
    status, out, err = command(capsys, *SOLVE)
    assert (status, out, err.count("\n")) == (1, "", 1) and "interrupted" in err


def test_bug_in_a_run_keeps_its_traceback(files, monkeypatch):
    def broken(self, state):
        raise ValueError("a bug")

    monkeypatch.setattr("dualgap.fast.solver.run.SolverRun.advance", broken)
    with pytest.raises(ValueError, match="a bug"):
        cli.main(list(SOLVE))


# -- data -------------------------------------------------------------------------------------------------------


def test_data_lists_sets_and_generators_and_describes_one(capsys, files):
    status, out, _ = command(capsys, "data")
    assert status == 0 and all(
        name in out for name in ("breast_cancer", "digits", "diabetes", "rcv1-like", "orthonormal")
    )
    listed = json.loads(command(capsys, "data", "--json")[1])
    assert "digits" in listed["data_sets"] and "orthonormal" in listed["generators"]
    status, out, _ = command(capsys, "data", "data.txt", "--bias", "--unit-rows", "--json")
    facts = json.loads(out)
    assert status == 0 and (facts["n"], facts["d"], facts["nnz"]) == (3, 3, 7) and len(facts["preparation"]) == 2
    assert "a constant 1 added as the first column" in command(capsys, "data", "data.txt", "--bias")[1]


def test_without_a_method_solve_and_sweep_choose_one_and_say_which(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data.txt").write_text("1 1:1 2:0.5\n-1 2:1\n1 1:2\n", encoding="utf-8")
    words = ("data.txt", "--loss", "hinge", "--lam", "1", "--tol", "1e-3", "--json")
    found = answer(capsys, "solve", *words)
    assert found["method"] != "auto" and found["reason"]
    assert [cell["method"] for cell in answer(capsys, "sweep", *words)["cells"]] == [found["method"]]


@pytest.mark.needs("shtab")
@pytest.mark.parametrize("shell", ["bash", "zsh", "tcsh"])
def test_completion_for_a_shell_names_every_command(shell, capsys):
    with pytest.raises(SystemExit) as exit:
        cli.main(["--print-completion", shell])
    printed = capsys.readouterr().out
    assert exit.value.code == 0 and all(word in printed for word in ("solve", "audit", "conform", "quick"))


def test_completion_without_shtab_is_one_line(capsys, monkeypatch):
    monkeypatch.setitem(sys.modules, "shtab", None)
    with pytest.raises(SystemExit) as exit:
        cli.main(["--print-completion", "bash"])
    said = capsys.readouterr().err
    assert exit.value.code == 2 and "needs shtab" in said and said.count("\n") == 1


def test_python_m_dualgap_is_the_command():
    run = subprocess.run([sys.executable, "-m", "dualgap", "--version"], capture_output=True, text=True)
    assert run.returncode == 0 and run.stdout.startswith("dualgap "), run.stderr
