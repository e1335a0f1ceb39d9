"""Bugs planted in the checkers are noticed, by name, and nothing is reported without a planted bug.

One bug is tried here, with and without it; ``dualgap audit --self`` tries all of them, and every function that must
notice once without.
"""

import re
import sys

import numba
import pytest
from support import printed, refusal

from dualgap.proofs_checks.evidence.mutants import mutants
from dualgap.proofs_checks.evidence.planted import Gone, PlantedBug
from dualgap.proofs_checks.self_audit import running, statuses, worlds
from dualgap.proofs_checks.self_audit.running import ROWS
from dualgap.proofs_checks.self_audit.worlds import Bug

PLACE = "dualgap.proofs_checks.claims.relations"
TEXT = '"""left/right of an inequality with a positive right side: 1 is equality; None if it means nothing."""'
HARMLESS = Bug("H1: nothing", PLACE, TEXT, '"""left/right of an inequality."""', statuses.statuses)


def test_a_planted_bug_is_noticed_and_nothing_is_said_without_it():
    (bug,) = running.chosen(["verdict.not-refuted-is-holds"])
    found = running.tried((bug, True))
    assert found.status == "noticed" and found.words, found
    assert running.tried((bug, False)).status == "survived"


def test_every_bug_has_an_id_that_says_where_and_what():
    ids = [bug.id for bug in ROWS]
    assert [name for name in ids if not re.fullmatch(r"[a-z0-9-]+\.[a-z0-9-]+", name)] == []
    assert len(set(ids)) == len(ids) >= 60


def test_every_planted_bug_still_fits_its_source():
    """Of checkers and of methods; a bug is an edit of a line, and a source that has changed is named with its bug."""
    methods = [bug for bug in mutants().values() if isinstance(bug, PlantedBug)]
    assert len(methods) >= 48
    misfits = []
    for bug, fits in [
        *((bug, lambda bug: bug.new in bug.edited()) for bug in ROWS),
        *((bug, lambda bug: bug.changed) for bug in methods),
    ]:
        try:
            assert fits(bug)
        except (Gone, SyntaxError, AssertionError) as error:
            misfits.append(f"{bug.name}: {error}")
    assert misfits == []


@pytest.mark.parametrize(
    ("old", "new", "needs", "status", "words"),
    [
        (TEXT, HARMLESS.new, None, "survived", ""),
        ("text that is nowhere", "", None, "gone", "must stand once in relations.py (found 0 times)"),
        ("return", "return ", None, "gone", "must stand once"),
        (TEXT, '"""', None, "gone", "unterminated"),
        (TEXT, '"""."""', lambda: "no tool", "not tried", "no tool"),
    ],
)
def test_a_bug_that_is_not_noticed_is_no_pass(old, new, needs, status, words, monkeypatch):
    monkeypatch.setattr(running, "ROWS", (Bug("H2: a row", PLACE, old, new, statuses.statuses, needs=needs), ROWS[0]))
    found = running.self_audit(["H2"])
    assert (found["verdict"], found["counts"], found["unfounded"]) == ("fail", {status: 1}, [])
    assert words in found["rows"][0]["words"]


def test_a_function_that_complains_where_nothing_is_wrong_fails_the_audit(monkeypatch):
    monkeypatch.setattr(running, "said", lambda bug, text: ["something is wrong"])
    found = running.self_audit(["verdict.not-refuted-is-holds"])
    assert found["verdict"] == "fail" and found["unfounded"] == ["statuses: something is wrong"]


def test_a_world_leaves_nothing_behind():
    before = {name: module for name, module in sys.modules.items() if name.startswith("dualgap")}
    finders, plain = list(sys.meta_path), numba.config.DISABLE_JIT
    running.tried((running.chosen(["verdict.not-refuted-is-holds"])[0], True))
    with pytest.raises(ZeroDivisionError), worlds.world():
        raise ZeroDivisionError
    assert {name: module for name, module in sys.modules.items() if name.startswith("dualgap")} == before
    assert sys.meta_path == finders and plain == numba.config.DISABLE_JIT


def test_a_file_is_edited_in_a_copy_of_its_folder():
    old = "From Dualgap Require Import Definitions."
    bug = Bug("H6: a file", "dualgap.proofs_checks", old, "", statuses.statuses, file="formal/Labels.v")
    original = bug.path.read_text()
    with worlds._folder(bug, bug.edited()) as (folder,):
        assert old not in (folder / "Labels.v").read_text() and (folder / "Definitions.v").exists()
    assert bug.path.read_text() == original and not folder.exists()


@pytest.mark.nightly
def test_the_command_lists_what_noticed(capsys):
    out = printed(capsys, "audit", "--self", "verdict.vacuous-and-undecided-count", "formal.any-axioms")
    assert "verdict.vacuous-and-undecided-count: vacuous and undecided instances count" in out
    assert "formal_proof.axioms" in out
    assert "Verdict: pass (2 noticed)" in out


def test_the_command_fails_where_a_mistake_survives(capsys, monkeypatch):
    monkeypatch.setattr(running, "ROWS", (HARMLESS,))
    assert '"survived": 1' in printed(capsys, "audit", "--self", "--json", status=1)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(["D99"], "no planted bug has the id 'D99'"), (["--quick"], "leave out --quick, --full, --entropy, --exact")],
)
def test_what_the_command_cannot_do_is_refused(arguments, words, capsys):
    assert words in refusal(capsys, "audit", "--self", *arguments)
