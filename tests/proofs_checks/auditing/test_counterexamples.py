"""Counterexample files: exact for rational losses, enclosed for the logistic one, the same after a round trip."""

import json
from dataclasses import dataclass

import pytest
from support import refuses

from dualgap.proofs_checks.auditing import counterexamples
from dualgap.proofs_checks.claims.extra import Extra, further
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.registry import all_claims
from dualgap.proofs_checks.cli import main as cli


@dataclass(frozen=True)
class Several(Extra):
    blocks: tuple
    name: str


LOGISTIC = Instance(rows=(Qs(1), Qs(1)), y=Qs(1, 1), alpha=Qs("-1/3", "-1/2"), lam=Q(1, 2), loss="logistic")
RATIONAL = Instance(rows=(Qs(1), Qs(1)), y=Qs(0, 0), alpha=Qs(1, -1), lam=Q(199, 200), extra=further(q=Q(1, 2)))


@pytest.mark.parametrize(("instance", "holds"), [(LOGISTIC, True), (RATIONAL, False)])
def test_a_file_replays_to_the_same_numbers(tmp_path, instance, holds):
    found = counterexamples.replay(counterexamples.write(tmp_path, all_claims()["aspdc.a17"], instance))
    assert found.same_as_file and found.instance == instance
    assert (found.first_false is None) == holds


def test_a_file_is_the_same_to_the_letter(tmp_path):
    """What an instance holds is typed; how it is spelled in a file has not changed, nor has the order of its names."""
    made = RATIONAL.but(
        extra=further(q=Q(1, 2))
        | further(from_=3, to=4)
        | further(w=Qs("1/3", -2))
        | Several((Qs(1), Qs(2, "5/7")), "squared")
    )
    text = counterexamples.write(tmp_path, all_claims()["aspdc.a17"], made).read_text()
    assert (
        "".join(text[text.index(' "extra": {') : text.index(' "p": null')].split())
        == '"extra":{"q":"1/2","from":3,"to":4,"w":["1/3","-2"],"blocks":[["1"],["2","5/7"]],"name":"squared"},'
    )
    assert list(json.loads(text)) == ["schema", "claim", "statement", "instance", "method", "chain"]
    assert (
        list(json.loads(text)["instance"]) == "rows y alpha lam loss gamma l1 method options path extra p ball".split()
    )
    assert text == json.dumps(json.loads(text), indent=1) + "\n"


def test_an_instance_that_no_digits_decide_is_refused_not_guessed(tmp_path):
    # the gap is exactly 0: no enclosure decides 0 <= 0
    equal = LOGISTIC.but(alpha=Qs("-1/2", "-1/2"), rows=(Qs(0), Qs(0)))
    refuses(ValueError, "undecided", lambda: counterexamples.write(tmp_path, all_claims()["aspdc.a17"], equal))
    assert not list(tmp_path.iterdir())


EPOCHS = Instance(
    rows=(Qs("1/20"),),
    y=Qs(1),
    alpha=Qs(0),
    lam=Q(8, 401),
    method="aspdc-i",
    options={"kappa": Q(1596, 401), "eta": "root"},
    extra=further(exponent=1, epochs=(3, 7), epsilon=Q(1, 10)),
)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"lam": "8/401"', '"lam": "1e-10000000"', "exponent of a decimal"),
        ('"lam": "8/401"', f'"lam": "1/{"9" * 1002}"', "at most 1000 digits"),
        ("[\n    3,\n    7\n   ]", "[1000000000, 1000000001]", "between -10000 and 10000"),
        ("[\n    3,\n    7\n   ]", "[" * 100_000, "levels"),
        ("[\n    3,\n    7\n   ]", "[" * 60 + "]" * 60, "levels"),
        ('"kappa": "1596/401"', '"kappa": "1e300"', ""),
        ('"options": {', '"options": true, "p": {', "options must not be bool"),
        ('"schema": 1', '"schema": NaN', "finite"),
    ],
)
def test_what_would_cost_hours_or_a_traceback_is_refused_in_one_line(old, new, words, tmp_path, capsys):
    path = counterexamples.write(tmp_path, all_claims()["aspdc.theorem-2.root"], EPOCHS)
    text = path.read_text()
    assert text.count(old) == 1 and cli.main(["replay", str(path)]) in (0, 1)
    path.write_text(text.replace(old, new))
    capsys.readouterr()
    assert cli.main(["replay", str(path)]) == 2
    said = capsys.readouterr()
    assert not said.out and len(said.err.splitlines()) == 1 and words in said.err and str(path) in said.err
