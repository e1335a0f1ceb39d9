"""Every number of the command line is read by one function, which reads decimals and nothing else."""

import argparse
import json

import pytest
from support import refusal, refuses

from dualgap.proofs_checks.claims.strict_json import json_text
from dualgap.proofs_checks.cli import main as cli
from dualgap.proofs_checks.cli.numbers import number, seconds, whole

NONSENSE = [
    "1_0",
    "\u0661",
    "\uff11",
    " 1",
    "1 ",
    "inf",
    "-inf",
    "nan",
    "Infinity",
    "1e999",
    "0x10",
    "1e",
    "e1",
    ".",
    "",
    "+-1",
    "1\n",
    "--1",
]


@pytest.mark.parametrize("text", NONSENSE)
@pytest.mark.parametrize("read", [number, whole])
def test_nonsense_is_refused_with_what_was_given(read, text):
    refuses(argparse.ArgumentTypeError, "must be a", read, text)
    refuses(ValueError, "must be a", read, text)


@pytest.mark.parametrize(
    ("text", "value"), [("0", 0.0), ("-1e-3", -1e-3), ("+.5", 0.5), ("5.", 5.0), ("1E5", 1e5), ("1e-999", 0.0)]
)
def test_decimals_are_read(text, value):
    assert number(text) == value and (whole(text) == 0) is (text == "0") if text == "0" else number(text) == value


def options(parser):
    """(command, option, what reads it) of every option that has a type."""
    (commands,) = [action for action in parser._actions if isinstance(action, argparse._SubParsersAction)]
    return [
        (name, action.dest, action.type)
        for name, command in commands.choices.items()
        for action in command._actions
        if action.type is not None
    ]


def test_no_option_reads_numbers_otherwise():
    found = options(cli.parser())
    assert len(found) > 40 and {read for _, _, read in found} == {number, seconds, whole, str}
    control = cli.parser()
    control._actions[-1].choices["claims"].add_argument("--odd", type=float)
    assert float in {read for _, _, read in options(control)}


@pytest.mark.parametrize(
    "words",
    [
        ["solve", "d", "--loss", "squared", "--lam", "1_0", "--tol", "1"],
        ["certify", "w", "a", "d", "--loss", "squared", "--lam", "1", "--tol", "inf"],
        ["check", "a:b", "--tol", "inf"],
        ["sweep", "d", "--loss", "squared", "--lam", "1,\u0661", "--tol", "1"],
        ["conform", "--timeout", "nan", "--", "x"],
        ["sweep", "d", "--loss", "squared", "--lam", "1", "--tol", "1", "--seeds", "\u0660..\u0663"],
        ["audit", "--entropy", "1_0"],
        ["sweep", "d", "--loss", "squared", "--lam", "1", "--tol", "1", "--seeds", "0..999999999999"],
        ["sweep", "d", "--loss", "squared", "--lam", "1", "--tol", "1", "--seeds", f"0..1{'0' * 40}"],
    ],
)
def test_commands_refuse_nonsense_in_one_line(words, capsys):
    assert refusal(capsys, *words).startswith(f"dualgap {words[0]}: ")


def test_json_is_strict_and_null_stands_for_what_is_not_finite():
    value = {"a": [float("inf"), -float("inf"), float("nan"), 1e308], "b": (True, None, "Infinity")}
    assert json.loads(json_text(value), parse_constant=pytest.fail) == {
        "a": [None, None, None, 1e308],
        "b": [True, None, "Infinity"],
    }
    with pytest.raises(pytest.fail.Exception):
        json.loads(json.dumps(value), parse_constant=pytest.fail)
