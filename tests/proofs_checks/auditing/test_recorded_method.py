"""Counterexamples of a user's own method, missed controls and the index of claims."""

import json
import sys
from dataclasses import replace
from fractions import Fraction

import pytest

from dualgap.proofs_checks import audit
from dualgap.proofs_checks.auditing import counterexamples
from dualgap.proofs_checks.auditing.audit import outcome
from dualgap.proofs_checks.claims.instance import Instance, Q, Qs
from dualgap.proofs_checks.claims.origins import OURS
from dualgap.proofs_checks.claims.registry import CLAIMS, HOLDS, Claim
from dualgap.proofs_checks.claims.relations import Le
from dualgap.proofs_checks.claims.run import Run
from dualgap.proofs_checks.evidence.levels import altered, fails_on, fails_somewhere, holds_on
from dualgap.reference.methods.sdca import SDCA

PROBLEM = Instance(rows=(Qs(1, 0), Qs("1/2", 1)), y=Qs(1, -1), alpha=Qs("1/2", "-1/2"), lam=Q(1, 2), method="sdca")


class Shrinking(SDCA):
    """Every step leads to alpha_i times a factor: D may fall."""

    def __init__(self, factor, label=None):
        self.factor, self.label = factor, label

    def advance(self, problem, state, choice):
        before = state.alpha[choice]
        state.alpha[choice] = before * self.factor
        problem.update(choice, state.alpha[choice] - before, state.v)


class Failing(SDCA):
    def advance(self, problem, state, choice):
        raise KeyError("of mine")


def refuted(folder, method):
    (row,) = audit(["sdca.dual-monotone"], size="quick", entropy=1, out=folder, method=method, problems=[PROBLEM])[
        "claims"
    ]
    return row


@pytest.mark.parametrize("factor", [-3, Fraction(-7, 2)])
def test_it_is_made_again_with_what_it_was_told(factor, tmp_path):
    path = refuted(tmp_path, Shrinking(factor, "a name"))["counterexample"]
    record = json.loads(open(path).read())
    assert record["method"] == {
        "class": f"{__name__}:Shrinking",
        "fields": {"factor": factor if type(factor) is int else str(factor), "label": "a name"},
    }
    assert record["plugins"] == [__name__]
    found = counterexamples.replay(path)
    assert found.first_false is not None and found.same_as_file
    record["method"]["fields"]["factor"] = 0  # another method: D does not fall by a smaller step
    (tmp_path / "other.json").write_text(json.dumps(record))
    assert not counterexamples.replay(tmp_path / "other.json").same_as_file


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            {"plugins": ["nobody.has.this"]},
            "needs the plugin 'nobody.has.this', which is not loaded: give it with --import, or install the package",
        ),
        (
            {"method": {"class": "nobody:Has", "fields": {}}},
            "its method Has is of the module 'nobody', which is not loaded: give it with --import",
        ),
        ({"method": {"class": f"{__name__}:Absent", "fields": {}}}, "has no method 'Absent'"),
        ({"method": {"class": "json:JSONDecoder", "fields": {}}}, "the module 'json' has no method 'JSONDecoder'"),
        ({"method": "Shrinking"}, "names the method 'Shrinking' without the module that has it"),
        ({"method": 3}, "names the method '3' without the module"),
        (
            {"method": {"class": f"{__name__}:Shrinking", "fields": None}},
            "missing 1 required positional argument: 'factor'",
        ),
        (
            {"method": {"class": f"{__name__}:Shrinking", "fields": {"factor": 10**9}}},
            "an integer of an instance lies between",
        ),
    ],
)
def test_what_is_missing_is_named(change, said, tmp_path):
    path = refuted(tmp_path, Shrinking(-3))["counterexample"]
    (tmp_path / "changed.json").write_text(json.dumps({**json.loads(open(path).read()), **change}))
    with pytest.raises(ValueError) as refusal:
        counterexamples.replay(tmp_path / "changed.json")
    assert said in str(refusal.value) and "\n" not in str(refusal.value), str(refusal.value)
    assert "nobody" not in sys.modules, "nothing is imported because a file says so"


def test_a_claim_of_a_notebook_cannot_be_replayed_later(tmp_path):
    path = refuted(tmp_path, Shrinking(-3))["counterexample"]
    record = {**json.loads(open(path).read()), "claim": "notebook.claim", "plugins": ["__main__"]}
    (tmp_path / "changed.json").write_text(json.dumps(record))
    with pytest.raises(ValueError, match="was registered by a script or a notebook: put it into a module"):
        counterexamples.replay(tmp_path / "changed.json")


def test_a_method_that_breaks_is_told_in_one_line_with_its_place(tmp_path):
    error = refuted(tmp_path, Failing())["error"].splitlines()
    assert error[0].startswith(f"{__file__}:")
    assert error[0].endswith(": KeyError: 'of mine'")
    assert error[1].startswith("Traceback")


def test_an_error_in_dualgap_itself_keeps_its_traceback(monkeypatch):
    monkeypatch.setitem(
        CLAIMS, "sdca.dual-monotone", replace(CLAIMS["sdca.dual-monotone"], evidence=(lambda claim, run: {}["ours"],))
    )
    (row,) = audit(["sdca.dual-monotone"], size="quick", entropy=1)["claims"]
    assert row["status"] == "ERROR" and row["error"].startswith("Traceback")


ONE = Instance((Qs(1),), Qs(2), Qs(0), Q(1))


@pytest.mark.parametrize("sign", [1, -1])
@pytest.mark.parametrize(
    "control",
    [
        fails_on(ONE, text="no step"),
        fails_somewhere(lambda: __import__("hypothesis").strategies.just(ONE), "some", 1),
        altered("3 times", lambda c: [Le(c.q(k), c.q(3), f"{k}") for k in (1, 2, 0, 3)], ONE),
        holds_on(ONE, text="it holds"),
    ],
)
def test_a_control_that_does_not_fail_is_missed(control, sign):
    claim = Claim("test.missed", "", lambda c: [Le(c.q(sign), c.q(3 * sign), "label")], HOLDS, "", (), control, OURS)
    missed = control.text == "3 times" or (sign > 0) is (control.text != "it holds")
    assert outcome(claim, Run()) == ("missed" if missed else "caught")
