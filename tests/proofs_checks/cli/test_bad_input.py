"""Bad input is one line and exit 2, and nothing is written."""

import sys

import pytest
from cli_words import FILES, SOLVE, changed
from support import command

from dualgap.proofs_checks.report import terminal

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
    "unknown data": (("new", "data", "nowhere"), "nowhere"),
    "unknown generator option": (("new", "data", "orthonormal:m=2"), "'m'"),
    "missing file": (changed("--tol", "1", ("solve", "nowhere", *SOLVE[2:])), "nowhere"),
    "a folder for a file": (("solve", "/", *SOLVE[2:]), "/"),
    "lam zero": (changed("--lam", "0"), "lam must be > 0 (got 0.0)"),
    "lam negative": (changed("--lam", "-1"), "lam must be > 0 (got -1.0)"),
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
        changed("--option", "projection=1", changed("--method", "pegasos")),
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
        "a single method (got --method sag,svrg)",
    ),
    "option of a swept method": (
        ("sweep", "data.txt", *changed("--method", "sag")[2:], "--option", "step=-1"),
        "step must be",
    ),
    "a constant column with coefficients >= 0": ((*SOLVE, "--non-negative", "--bias"), "--intercept free or none"),
    "multinomial of another loss": (changed("--loss", "hinge", (*SOLVE, "--multinomial")), "is for --loss logistic"),
    "multinomial of two labels": (
        changed("--loss", "logistic", (*SOLVE, "--multinomial")),
        "requires 3 to 1000 different labels (got 2)",
    ),
    "labels 1 and 2": (
        ("solve", "labels12.txt", *changed("--loss", "logistic")[2:]),
        "(got label: rows 1: 1, 2: 2). Choose the labels that become +1, for example --positive 2",
    ),
    "labels 0 and 1": (("solve", "labels01.txt", *changed("--loss", "hinge")[2:]), "--positive 1"),
    "one class": (
        ("solve", "one.txt", *changed("--loss", "hinge")[2:]),
        "(got label: rows 1: 2). Only one class occurs",
    ),
    "label to map absent": (changed("--positive", "7"), "--positive 7"),
    "unreadable labels": (changed("--positive", "a..b"), "a..b"),
    "bad token": (("solve", "token.txt", *SOLVE[2:]), "line 2"),
    "index zero": (("solve", "zero.txt", *SOLVE[2:]), "line 1"),
    "columns of sparse data": ((*SOLVE, "--standardize"), "--standardize"),
}


def refused_in_one_line(capsys, files, words, named):
    """Exit 2, one line on standard error that names what was wrong, nothing printed, nothing written."""
    status, out, err = command(capsys, *words)
    assert (status, err.count("\n"), out) == (2, 1, ""), (status, out, err)
    assert named in err and err.startswith("dualgap"), err
    assert {path.name for path in files.iterdir()} == set(FILES), "something was written"


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (("audit", "aspdc", "--fast"), "dualgap audit: unrecognized arguments: --fast; did you mean --quick; "),
        (("audit", "aspdc", "--slow"), "dualgap audit: unrecognized arguments: --slow; did you mean --full; "),
        (("solve", "data.txt", "--fast"), "dualgap solve: "),
        (("audit", "aspdc", "--quik"), "did you mean --quick; see dualgap audit --help"),
        (("solv",), "did you mean solve; see dualgap --help"),
        (("audit", "--nothing-like-it"), "--nothing-like-it; see dualgap audit --help"),
    ],
)
def test_an_unknown_word_is_answered_by_the_nearest_known_one(words, meant, capsys, files):
    refused_in_one_line(capsys, files, words, meant)


@pytest.mark.parametrize("case", BAD)
def test_bad_input_is_one_line_exit_2_and_nothing_written(case, capsys, files):
    refused_in_one_line(capsys, files, *BAD[case])


def test_missing_extra_is_one_line(capsys, files, monkeypatch):
    for module in ("sklearn", "sklearn.datasets"):
        monkeypatch.setitem(sys.modules, module, None)
    refused_in_one_line(capsys, files, ("new", "data", "digits"), 'pip install "dualgap[cli]"')


def test_refusal_check_would_notice_a_command_that_works(capsys, files):
    with pytest.raises(AssertionError):
        refused_in_one_line(capsys, files, ("new", "data", "data.txt"), "")


@pytest.mark.parametrize("kind", [ValueError, OSError])
def test_error_before_the_commit_is_refused_and_after_it_a_bug(kind):
    with pytest.raises(terminal.Refused, match="^two lines$"), terminal.input_errors():
        raise kind("two\n  lines")
    with pytest.raises(kind), terminal.input_errors() as commit:
        commit()
        raise kind("a bug")
