"""What other people's claims may not do, each with the claim beside it that is audited as ever."""

import random
import subprocess
import sys
import time
from dataclasses import replace

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
from dualgap.proofs_checks.claims import papers, registry, time_limit
from dualgap.proofs_checks.claims.registry import Evidence
from dualgap.proofs_checks.claims.result import ClaimResult
from dualgap.proofs_checks.report import claim_view

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


TEXTLESS = type("Textless", (Exception,), {"__str__": None})
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
    "textless": (plain, lambda c: (_ for _ in ()).throw(TEXTLESS()), "Textless: <"),
    "ending": (plain, lambda c: sys.exit(0), "the code tried to end the process"),
    "scale": (exact(plain, "x"), None, "invalid literal for int"),
    "unreportable": (lambda *_: Evidence("EXACT", 3, series={"x": object()}), None, "what report.json cannot hold"),
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
    few = (plain, lambda c: [Le(0, 1, "")] * (c.n == 4 and c.P > 30), "")
    for name, (drawn, check, _) in {**CLAIMS, "true": true, "false": false, "few": few}.items():
        level = drawn if name in ("scale", "unreportable") else exact(drawn)
        claim(f"rules0.{name}", "x", hypotheses="", origin=OURS, evidence=[level], control=CONTROL)(check or plain)
    found = audit(["rules0"], size="quick", entropy=1, out=tmp_path_factory.mktemp("out"))
    return {row["id"].removeprefix("rules0."): row for row in found["claims"]}


def test_a_claim_that_breaks_a_rule_is_an_error_and_no_other(rows):
    assert (rows["true"]["status"], rows["false"]["status"]) == ("HOLDS", "REFUTED")
    for name, (_, _, said) in CLAIMS.items():
        first = rows[name]["error"].partition("\n")[0]
        assert rows[name]["status"] == "ERROR" and said in first and f"{__file__}:" in first, (name, rows[name])


def test_a_claim_that_speaks_of_few_draws_says_so(rows):
    """Those of which it does not speak do not count for the share that may be missed: 99 % for one, 90 % for two."""
    silent = rows["few"]["vacuous"]
    sentence, *_ = claim_view.meaning(ClaimResult.from_json(rows["few"]))
    assert 30 < silent < 40 and f" in 40 draws, on {silent} of which the claim says nothing," in sentence
    assert f"up to {100 * (1 - 0.01 ** (1 / (40 - silent))):.2g} %" in sentence


@pytest.mark.parametrize("every", [0.05, 60.0])
def test_a_slow_claim_says_where_it_is(every, rows, monkeypatch, capsys):
    seen = []

    def sleeping(c):
        seen.append(c)
        time.sleep(0.5 * (len(seen) == 4))
        yield Le(0, c.gap, "")

    monkeypatch.setattr(time_limit, "EVERY", every)
    monkeypatch.setitem(registry.CLAIMS, "rules0.true", replace(registry.CLAIMS["rules0.true"], check=sleeping))
    audit(["rules0.true"], size="quick", entropy=1, progress=lambda *begun: None)
    assert ("rules0.true: instance 2 of 40 (0 s)" in capsys.readouterr().err) == (every < 0.5)


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


@pytest.mark.parametrize(("guard", "status"), [('__name__ == "__main__"', "ERROR"), ("True", "REFUTED")])
def test_a_module_that_remembers_is_found_by_a_fresh_process(guard, status, empty_folder):
    """One process gets one answer however often it asks. Without a guard, the control, no other process asks."""
    end = "from dualgap.proofs_checks import audit; row, = audit(['memo0'], 'quick', 1)['claims']"
    (empty_folder / "memo0.py").write_text(f"{MEMO}if {guard}: {end}; print(row['status'], row['error'])\n")
    ran = subprocess.run([sys.executable, "memo0.py"], capture_output=True, text=True, check=True)
    again = "does not reproduce in a fresh process (No relation is false"
    assert ran.stdout.startswith(status) and (again in ran.stdout) == (status == "ERROR")
