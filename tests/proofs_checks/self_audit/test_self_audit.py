"""The checkers are not blind: bugs planted into them are noticed, by name, and nothing is said where none was planted.

Those of every kind that need no optional tool are tried here, and a few of the others; ``dualgap audit --self``
tries all of them.
"""

import re
import sys

import numba
import pytest
from support import printed, refusal

from dualgap.proofs_checks.evidence.planted import Gone
from dualgap.proofs_checks.self_audit import running, statuses, worlds
from dualgap.proofs_checks.self_audit.rows import OF_EVERY_KIND, ROWS
from dualgap.proofs_checks.self_audit.worlds import Edit

OTHERS = (
    "svrg.choices-keep-too-often",
    "svrg.draws-keep-too-often",
    "spd1-vr.theta-without-c2",
    "enclosed.vacuous-not-counted",
    "relations.zero-against-zero-in-intervals",
    "verdict.refuted-by-every-level",
    "controls.undecided-is-caught",
    "controls.fractions-alone",
    "sampling.last-row-never-drawn",
    "afg.line-5-sign",
    "asdca.line-5-first-xi",
    "asdca.first-rule-last-xi",
    "passcode.bit-for-every-write-in-flight",
)
TRIED = [edit for edit in ROWS if edit.needs is None and (edit in OF_EVERY_KIND or running.id_of(edit) in OTHERS)]
HARMLESS = Edit(
    "H1: nothing",
    "dualgap.proofs_checks.claims.relations",
    '"""left/right of an inequality with a positive right side: 1 is equality; None where it means nothing."""',
    '"""left/right of an inequality with a positive right side."""',
    statuses.statuses,
)


@pytest.mark.parametrize("notices", dict.fromkeys(edit.notices for edit in TRIED), ids=lambda f: f.__name__)
def test_nothing_is_said_where_nothing_is_wrong(notices):
    assert worlds.unedited(notices) == []


@pytest.mark.parametrize("edit", TRIED, ids=lambda edit: edit.name)
def test_a_planted_bug_is_noticed(edit):
    found = worlds.tried(edit)
    assert found.status == "noticed" and found.words, found


@pytest.mark.parametrize("edit", ROWS, ids=lambda edit: edit.name)
def test_what_is_to_be_mistaken_stands_once_in_the_sources(edit):
    assert worlds.edited(edit).count(edit.new) >= 1


def test_every_id_says_where_and_what_is_given_once_and_at_least_48_bugs_are_planted():
    ids = [running.id_of(edit) for edit in ROWS]
    assert [name for name in ids if not re.fullmatch(r"[a-z0-9-]+\.[a-z0-9-]+", name)] == []
    assert len(set(ids)) == len(ids) >= 48


# -- the engine --------------------------------------------------------------------------------------------------------


def test_a_harmless_change_survives_and_fails_the_audit(monkeypatch):
    assert worlds.tried(HARMLESS).status == "survived"
    monkeypatch.setattr(running, "ROWS", (HARMLESS, ROWS[0]))
    found = running.self_audit(["H1"])
    assert (found["verdict"], found["counts"], found["unfounded"]) == ("fail", {"survived": 1}, [])


def test_a_mistake_that_has_lost_its_place_is_an_error_and_no_pass(monkeypatch):
    gone = Edit("H2: gone", HARMLESS.module, "text that is nowhere", "", statuses.statuses)
    twice = Edit("H3: twice", HARMLESS.module, "return", "return ", statuses.statuses)
    broken = Edit("H4: no Python", HARMLESS.module, HARMLESS.old, '"""', statuses.statuses)
    for edit, words in ((gone, r"must stand once in relations.py \(found 0 times\)"), (twice, "must stand once")):
        with pytest.raises(Gone, match=words):
            worlds.tried(edit)
    monkeypatch.setattr(running, "ROWS", (gone, broken))
    found = running.self_audit()
    assert (found["verdict"], found["counts"]) == ("fail", {"gone": 2})


def test_a_mistake_that_cannot_be_tried_is_not_counted_as_noticed(monkeypatch):
    untried = Edit("H5: no tool", HARMLESS.module, HARMLESS.old, '"""."""', statuses.statuses, needs=lambda: "no tool")
    monkeypatch.setattr(running, "ROWS", (untried,))
    found = running.self_audit()
    assert (found["verdict"], found["counts"]) == ("fail", {"not tried": 1}) and found["rows"][0]["words"] == "no tool"


def complains():
    """Says something wherever it is asked."""
    yield "something is wrong"


def test_a_function_that_complains_where_nothing_is_wrong_fails_the_audit(monkeypatch):
    monkeypatch.setattr(running, "unedited", lambda notices, package, file: list(complains()))
    found = running.self_audit(["verdict.not-refuted-is-holds"])
    assert found["verdict"] == "fail" and found["unfounded"] == ["statuses: something is wrong"]


def test_a_world_leaves_nothing_behind():
    before = {name: module for name, module in sys.modules.items() if name.startswith("dualgap")}
    finders, plain = list(sys.meta_path), numba.config.DISABLE_JIT
    worlds.tried(next(edit for edit in ROWS if running.id_of(edit) == "verdict.not-refuted-is-holds"))
    with pytest.raises(ZeroDivisionError), worlds.world():
        raise ZeroDivisionError
    assert {name: module for name, module in sys.modules.items() if name.startswith("dualgap")} == before
    assert sys.meta_path == finders and plain == numba.config.DISABLE_JIT


def test_a_file_is_edited_in_a_copy_of_its_folder(tmp_path):
    edit = Edit(
        "H6: a file",
        "dualgap.proofs_checks",
        "From Dualgap Require Import Definitions.",
        "",
        statuses.statuses,
        file="formal/Labels.v",
    )
    original = worlds.path_of(edit).read_text()
    with worlds._folder(edit.module, edit.file, worlds.edited(edit)) as (folder,):
        assert (
            "Require Import Definitions" not in (folder / "Labels.v").read_text()
            and (folder / "Definitions.v").exists()
        )
    assert worlds.path_of(edit).read_text() == original and not folder.exists()


# -- the command -------------------------------------------------------------------------------------------------------


def test_the_command_lists_what_noticed(capsys):
    out = printed(capsys, "audit", "--self", "verdict.vacuous-and-undecided-count", "formal.any-axioms")
    assert (
        "verdict.vacuous-and-undecided-count: vacuous and undecided instances count" in out
        and "optional_engines.axioms" in out
    )
    assert "Verdict: pass (2 noticed)" in out


def test_the_command_fails_where_a_mistake_survives(capsys, monkeypatch):
    monkeypatch.setattr(running, "ROWS", (HARMLESS,))
    assert '"survived": 1' in printed(capsys, "audit", "--self", "--json", status=1)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(["D99"], "no planted bug has the id 'D99'"), (["--quick"], "leave --quick, --full, --entropy and --exact out")],
)
def test_what_the_command_cannot_do_is_refused(arguments, words, capsys):
    assert words in refusal(capsys, "audit", "--self", *arguments)
