"""What other people's claims may not do, each with the claim beside it that is audited as ever."""

import random

import pytest

from dualgap.proofs_checks import (
    OURS,
    Eq,
    Instance,
    Le,
    Lt,
    Q,
    Qs,
    altered,
    audit,
    claim,
    exact,
    instances,
    register_paper,
)
from dualgap.proofs_checks.auditing import counterexamples
from dualgap.proofs_checks.claims import papers, registry

ONE = Instance(rows=(Qs(1),), y=Qs(1), alpha=Qs(0), lam=Q(1), loss="squared", method="sdca")
CONTROL = altered("x", lambda c: [Lt(1, 0, "")], ONE)
DICE = random.Random(0)


def plain():
    return instances(K=Qs(1), losses=("squared",), method="sdca")


def refusing():
    return plain().filter(lambda instance: False)


def late_refusing():
    return plain().map(lambda instance: instance if DICE.random() < 0.9 else 1 / 0)


def random_check(c):
    yield Le(Q(int(100 * DICE.random()), 100), Q(98, 100), "")


def changing(c):
    c.state.alpha[0] = c.state.alpha[0] + 100
    yield Le(c.state.alpha[0], 90, "")


def changing_the_gap(c):
    c.FY[0] = c.FY[0] + 100
    yield Le(0, c.mean_FY, "")


NONE = float("nan")
CLAIMS = {
    "float": (plain, lambda c: [Le(0.1 * c.gap, c.gap / 10, "")], "a float met an exact number"),
    "float-right": (plain, lambda c: [Le(0, c.gap + 0.5, "")], "a float met an exact number"),
    "float-trivial": (plain, lambda c: [Le(0, c.gap, "", trivial=0.5)], "a float met an exact number"),
    "nan": (plain, lambda c: [Le(NONE, c.gap, "")], "a float met an exact number"),
    "complex": (plain, lambda c: [Eq(c.gap * (1 + 0j), c.gap, "")], "a float met an exact number"),
    "refusing": (refusing, lambda c: [Le(0, 1, "")], "a filter refuses"),
    "late-refusing": (late_refusing, lambda c: [Le(0, 1, "")], "division by zero"),
    "random": (plain, random_check, ""),
    "changing": (plain, changing, "the check changes its context (states"),
    "changing-the-gap": (plain, changing_the_gap, "the check changes its context (FY"),
}


@pytest.fixture(scope="module", autouse=True)
def what_is_registered_here_leaves_with_the_module():
    yield
    for registered in (registry.CLAIMS, papers.PAPERS):
        for name in [name for name in registered if name.partition(".")[0] in ("rules0", "memo0")]:
            del registered[name]
            registered.places.pop(name, None)


@pytest.fixture(scope="module")
def rows(tmp_path_factory):
    """The results of all of them, of a true and of a false claim, in one audit."""
    register_paper("rules0", "rules", "x")
    true, false = (plain, lambda c: [Le(0, c.gap, "")], ""), (plain, lambda c: [Le(c.gap, -1, "")], "")
    for name, (drawn, check, _) in {**CLAIMS, "true": true, "false": false}.items():
        claim(f"rules0.{name}", "x", hypotheses="", origin=OURS, evidence=[exact(drawn)], control=CONTROL)(check)
    found = audit(["rules0"], size="quick", entropy=1, out=tmp_path_factory.mktemp("out"))
    return {row["id"].removeprefix("rules0."): row for row in found["claims"]}


def test_a_claim_that_breaks_a_rule_is_an_error_and_no_other(rows):
    assert (rows["true"]["status"], rows["false"]["status"]) == ("HOLDS", "REFUTED")
    for name, (_, _, said) in CLAIMS.items():
        assert rows[name]["status"] == "ERROR" and said in rows[name]["error"], (name, rows[name])


MEMO = """
from dualgap.proofs_checks import OURS, Instance, Le, Lt, Q, Qs, altered, claim, exact, instances, register_paper
register_paper("memo0", "memory of a module", "x")
ONE = Instance(rows=(Qs(1),), y=Qs(1), alpha=Qs(0), lam=Q(1), loss="squared", method="sdca")
SEEN = {}
def plain(): return instances(K=Qs(1), losses=("squared",), method="sdca")
@claim("memo0.shape", "the gap is at most that of the first", hypotheses="", origin=OURS, evidence=[exact(plain)],
       control=altered("x", lambda c: [Lt(1, 0, "")], ONE))
def check(c):
    yield Le(c.gap, SEEN.setdefault(c.n, c.gap), "")
"""


def test_a_module_that_remembers_is_found_by_a_fresh_process(empty_folder, monkeypatch):
    """The check gives one answer however often this process asks."""
    from dualgap.proofs_checks.claims import plugins

    (empty_folder / "memo0.py").write_text(MEMO)
    plugins.load([str(empty_folder / "memo0.py")])
    (row,) = audit(["memo0"], size="quick", entropy=1)["claims"]
    assert row["status"] == "ERROR" and "does not reproduce in a fresh process (No relation is false" in row["error"]
    monkeypatch.setattr(counterexamples, "loaded", tuple)
    (row,) = audit(["memo0"], size="quick", entropy=1)["claims"]
    assert row["status"] == "REFUTED", "the control: in one process it reproduces"
