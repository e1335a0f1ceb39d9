"""The command line: names, JSON keys and exit statuses are a contract; bad input is one line and exit 2."""

import json
import re
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from cli_words import SOLVE, changed
from support import answer, command, refusal, refuses

from dualgap.fast.data import load
from dualgap.fast.data.dataset import Dataset
from dualgap.proofs_checks.claims.registry import CLAIMS, all_claims
from dualgap.proofs_checks.cli import main as cli
from dualgap.proofs_checks.cli.method_options import general_options, parameters_of
from dualgap.reference import all_methods, method

pytestmark = pytest.mark.usefixtures("empty_folder")  # so that what a command writes can be counted


HEAVY = ("numba", "sklearn", "matplotlib", "scipy")


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
    assert in_new_process("new", "data", "orthonormal:n=2")[2].splitlines()[-1] == "loaded scipy"


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


SOLVE_KEYS = set("method loss lam n d nnz primal dual gap epochs seconds status seed backend".split())


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
        del found["seconds"], found["compile_seconds"]
        found["history"] = [{k: v for k, v in entry.items() if k != "seconds"} for entry in found["history"]]
    assert one == two


OPTIONS = {
    "sag": (("step=1/20", "divide=n"), {"step": 0.05, "divide": "n"}),
    "svrg": (("eta=0.05", "option=II", "m=4"), {"eta": 0.05, "option": "II", "m": 4}),
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
        ("pegasos", "projection=false", False),
    ],
)
def test_an_option_is_read_as_a_value_of_the_kind_that_it_takes(name, text, value):
    assert [(found, type(found)) for found in general_options(name, [text]).values()] == [(value, type(value))]


@pytest.mark.parametrize("name", sorted(all_methods()))
def test_no_parameter_that_wants_an_integer_is_read_as_a_float(name):
    for parameter in parameters_of(all_methods()[name]):
        try:
            method(name, **general_options(name, [f"{parameter}=2"]))
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


def test_without_a_tolerance_it_is_that_of_solve_in_Python(capsys, files):
    found = json.loads(command(capsys, *(w for w in SOLVE if w not in ("--tol", "1e-3")), "--json")[1])
    assert (found["tol"], found["rtol"], found["status"]) == (1e-6, 0.0, "converged")


def test_the_advice_for_three_classes_names_options_of_the_command_alone(capsys, tmp_path):
    (tmp_path / "three.csv").write_text("x,y\n" + "".join(f"{k},{'abc'[k % 3]}\n" for k in range(12)))
    given = (str(tmp_path / "three.csv"), "--loss", "logistic", "--lam", "1e-2", "--target", "y")
    assert "--multinomial" in command(capsys, "solve", *given)[2]
    for name in ("solve", "sweep"):
        advice = command(capsys, name, *given)[2]
        with pytest.raises(SystemExit):
            cli.main([name, "--help"])
        assert set(re.findall(r"--[a-z-]+", advice)) <= set(re.findall(r"--[a-z-]+", capsys.readouterr().out)), name


def test_tolerance_that_is_not_met_is_exit_1_and_says_what_was_reached(capsys, files):
    status, out, err = command(capsys, *changed("--tol", "1e-12"), "--max-epochs", "1")
    assert (status, err) == (1, "") and "max_epochs: 1 passes were not enough" in out and "primal" in out


def test_interrupted_solve_prints_what_was_reached_and_exits_1(capsys, files, monkeypatch):
    def stop(self, state):
        raise KeyboardInterrupt

    monkeypatch.setattr("dualgap.fast.solver.single_run.SingleRun.advance", stop)
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

    monkeypatch.setattr("dualgap.fast.solver.single_run.SingleRun.advance", broken)
    refuses(ValueError, "a bug", lambda: cli.main(list(SOLVE)))


def test_data_lists_sets_and_generators_and_describes_one(capsys, files):
    status, out, _ = command(capsys, "new", "data")
    assert status == 0 and all(
        name in out for name in ("breast_cancer", "digits", "diabetes", "rcv1-like", "orthonormal")
    )
    listed = json.loads(command(capsys, "new", "data", "--json")[1])
    assert "digits" in listed["data_sets"] and "orthonormal" in listed["generators"]
    status, out, _ = command(capsys, "new", "data", "data.txt", "--bias", "--unit-rows", "--json")
    facts = json.loads(out)
    assert status == 0 and (facts["n"], facts["d"], facts["nnz"]) == (3, 3, 7) and len(facts["preparation"]) == 2
    assert "a constant 1 added as the first column" in command(capsys, "new", "data", "data.txt", "--bias")[1]


def test_without_a_method_solve_and_sweep_choose_one_and_say_which(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "data.txt").write_text("1 1:1 2:0.5\n-1 2:1\n1 1:2\n", encoding="utf-8")
    words = ("data.txt", "--loss", "hinge", "--lam", "1", "--tol", "1e-3", "--json")
    found = answer(capsys, "solve", *words)
    assert found["method"] != "auto" and found["reason"]
    assert [cell["method"] for cell in answer(capsys, "sweep", *words)["cells"]] == [found["method"]]
    positive = answer(capsys, "solve", *words, "--non-negative", "--tol", "1e-9")["primal"]
    (cell,) = answer(capsys, "sweep", *words, "--non-negative", "--tol", "1e-9")["cells"]
    assert cell["primal"] == pytest.approx(positive, abs=2e-9) and positive > found["primal"] + 1e-3, "a control"


ADVISED = (
    (("dense",), "scale the data with --unit-rows or --standardize."),
    (("long.txt",), "scale the rows with --unit-rows."),
    (("mapped",), "write the folder again with dualgap new data FILE --map DIR --unit-rows."),
    (
        ("parts/part-0", "parts/part-1"),
        "write the partitions again with dualgap new data FILE --map DIR --parts K --unit-r",
    ),
)


@pytest.mark.parametrize(("data", "way"), ADVISED)
def test_long_rows_are_named_with_a_way_to_scale_them_that_the_data_take(data, way, capsys, monkeypatch, empty_folder):
    dense = Dataset("dense", np.array([[30.0, 40.0], [1.0, 2.0], [2.0, 1.0]]), np.array([1.0, -1.0, 1.0]))
    monkeypatch.setattr(
        load, "load", lambda name, *given, own=load.load: dense if name == "dense" else own(name, *given)
    )
    (empty_folder / "long.txt").write_text("+1 1:30 2:40\n-1 1:1 2:2\n+1 1:2 2:1\n", encoding="utf-8")
    command(capsys, "new", "data", "long.txt", "--map", "mapped")
    command(capsys, "new", "data", "long.txt", "--map", "parts", "--parts", "2")
    words = ("--loss", "hinge", "--lam", "1e-3", "--method", "cocoa" if len(data) > 1 else "sdca", "--json")
    few = ("--tol", "1e-12", "--max-epochs", "1")
    found = answer(capsys, "solve", *data, *words, *few, status=1)
    assert found["status"] == "max_epochs", found["status"]
    assert "The longest row has norm 50. The longer the rows, the more passes are needed: " + way in found["advice"]
    assert "longest row" not in answer(capsys, "solve", *data, *words, "--tol", "1e9")["advice"], "it has converged"
    if data in (("dense",), ("long.txt",)):
        short = answer(capsys, "solve", *data, *words, *few, "--unit-rows", status=1)
        assert short["status"] == "max_epochs" and "longest row" not in short["advice"], "it is scaled"


def test_python_m_dualgap_is_the_command():
    run = subprocess.run([sys.executable, "-m", "dualgap", "--version"], capture_output=True, text=True)
    assert run.returncode == 0 and run.stdout.startswith("dualgap "), run.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("coverage", "aspdc"), "type: dualgap claims --coverage"),
        (("port", "new", "c"), "type: dualgap new port"),
        (("report",), "type: dualgap audit "),
        (("data", "digits"), "type: dualgap new data"),
        (("new", "dat"), "did you mean data"),
        (("solve", "breast_cancer", "--los", "hinge"), "unrecognized arguments: --los; did you mean --loss"),
        (("solve", "breast_cancer"), "required: --loss"),
        (("audit", "apdc"), "did you mean aspdc"),
        (("claims", "aspdc.lema-2"), "did you mean aspdc.lemma-2"),
        (("new", "loss", "mine", "--name", "other"), "unrecognized arguments: --name"),
    ],
)
def test_an_old_or_misspelt_word_is_answered_in_one_line_with_what_to_type(capsys, words, said):
    assert said in refusal(capsys, *words)
