"""The files of extras/errata: each is short, has all parts, recomputes its numbers without dualgap, and has the verdict
that it states.
"""

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from support import ROOT, by_day, nothing_left, succeeds

from dualgap.proofs_checks import Context, NumbersInstance, Q, audit, exact, replay, systems
from dualgap.proofs_checks.auditing.audit import examine_claim
from dualgap.proofs_checks.auditing.replay_file import INSIDE
from dualgap.proofs_checks.claims.run import Run

FILES = {path.stem: path for path in sorted((ROOT / "extras" / "errata").glob("[a-z]*.py"))}
LONGEST, MOST_LINES, MOST_QUOTED = 60, 10, 10
ALTERED = "reddi_2018"  # for the controls


def text_of(name: str) -> str:
    return FILES[name].read_text(encoding="utf-8")


def faults(source: str, name: str) -> Iterator[str]:
    """What is wrong with the text of a file, without running it."""
    from dualgap.extras.errata import READ, TOPICS, VERDICTS, read

    if not re.fullmatch(r"[a-z]+_(1[89]|20)\d\d(_[a-z0-9]+)*", name):
        yield "name"
    if len(source.splitlines()) > LONGEST:
        yield "lines"
    try:
        one = read(source, name)
    except ValueError as error:
        yield str(error)
        return
    if one.verdict not in VERDICTS or one.topic not in TOPICS:
        yield "verdict or topic"
    if not one.parts["Read"].startswith(READ):
        yield "read"
    quoted = [words for part in one.parts.values() for words in re.findall(r'"([^"]*)"', part)]
    if any(len(words.split()) > MOST_QUOTED for words in quoted):
        yield "quote"
    if len(one.recompute.splitlines()) > MOST_LINES:
        yield "lines of the program"
    imported = [node for node in ast.walk(ast.parse(one.recompute)) if isinstance(node, (ast.Import, ast.ImportFrom))]
    if {ast.unparse(node) for node in imported} - {"from fractions import Fraction"}:
        yield "imports of the program"
    if succeeds("-I", "-S", "-c", one.recompute) != f"{one.prints}\n":
        yield "prints"
    if foreign := {node.module for node in ast.walk(ast.parse(source)) if isinstance(node, ast.ImportFrom)} - PUBLIC:
        yield f"imports {foreign}"


# what docs/own_theorem.md and docs/gallery/own_kind.py import
PUBLIC = {"dualgap.proofs_checks", "dualgap.reference", "dualgap.proofs_checks.claims", "fractions", "dataclasses"}
PUBLIC |= {"dualgap.proofs_checks.claims.instance", "itertools", "functools", "math"}


@pytest.mark.parametrize("name", FILES)
def test_a_file_says_what_it_must_and_its_program_prints_what_it_says(name: str) -> None:
    with nothing_left():
        assert list(faults(text_of(name), name)) == []


@pytest.mark.parametrize(
    ("old", "new", "found"),
    [
        ('"""\n\nfrom', f'"""\n{chr(10) * LONGEST}from', "lines"),
        ("Known: ", "", "lacks Known"),
        ("Instead: ", "", "lacks Instead"),
        ("PRINTS = ", "OTHER = ", "lacks PRINTS"),
        ('"REFUTED", "Adam', '"FALSE", "Adam', "verdict or topic"),
        ("Read: a page", "Read: something", "read"),
        ("Said: ", f'Said: "{"word " * (MOST_QUOTED + 1)}" ', "quote"),
        ("v1 = (1", "\n" * MOST_LINES + "v1 = (1", "lines of the program"),
        (
            "from fractions import Fraction\nbeta1",
            "from fractions import Fraction\nimport math\nbeta1",
            "imports of the",
        ),
        ('PRINTS = "1 ', 'PRINTS = "2 ', "prints"),
        (
            "from dualgap.proofs_checks import",
            "from dualgap.fast import solve\nfrom dualgap.proofs_checks import",
            "imp",
        ),
    ],
)
def test_control_an_altered_file_is_found(old: str, new: str, found: str) -> None:
    source = text_of(ALTERED)
    assert source.count(old) == 1
    with nothing_left():
        said = list(faults(source.replace(old, new), ALTERED))
    assert said and any(one.startswith(found) or found in one for one in said), said


def wrong(name: str, verdict: str, report: Any) -> list[str]:
    """The claims of a file whose status is not the one that its verdict needs."""
    from dualgap.extras.errata import VERDICTS

    first = f"errata.{name.replace('_', '-')}"
    rows = {row["id"]: row for row in report["claims"]}
    proved = rows[first]["proof"] or verdict not in ("PROVED", "VACUOUS")
    found = [] if rows[first]["status"] == VERDICTS[verdict] and proved else [first]
    return found + [id for id, row in rows.items() if row["status"] != row["expected"] or row["control"] != "caught"]


@pytest.mark.parametrize("name", FILES)
def test_the_audit_gives_the_verdict_of_the_file(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without the fresh process in which a refutation is repeated; one file has it below."""
    monkeypatch.setenv(INSIDE, "1")
    with nothing_left():
        from dualgap.extras.errata import VERDICTS, read
        from dualgap.proofs_checks.claims.registry import select

        one = read(text_of(name), name)
        ids = [claim.id for claim in select(["errata"]) if f"{claim.id}.".startswith(f"{one.claim}.")]
        report = audit(ids, size="quick", jobs=1)
        assert wrong(name, one.verdict, report) == []
        other = next(verdict for verdict, status in VERDICTS.items() if status != VERDICTS[one.verdict])
        assert wrong(name, other, report) == [one.claim], "the control"


def drawn(**sizes: int) -> Any:
    """Systems with one solution, as numbers alone."""
    return systems(method="", max_path=0, **sizes).map(lambda s: NumbersInstance.of(rows=s.rows, start=s.start))


SEARCHED = {
    "chen-2016": lambda: systems(method="errata-admm", max_path=0),
    "jacobi-1845": drawn,
    "recht-2012-order": lambda: drawn(min_n=4, max_d=2),
    "lessard-2016": None,  # its own second level
}


@pytest.mark.parametrize("id", by_day(SEARCHED, "lessard-2016"))
def test_the_audit_finds_it_without_the_written_counterexample(id: str) -> None:
    with nothing_left():
        from dualgap.proofs_checks.claims.registry import select

        (claim,) = select([f"errata.{id}"])
        levels = (exact(SEARCHED[id]),) if SEARCHED[id] else claim.evidence[1:]
        row = examine_claim(replace(claim, evidence=levels, expected="HOLDS"), Run("default", entropy=2), None)
        assert (row.status, row.control.outcome) == ("REFUTED", "caught") and "not shrunk" not in str(row.evidence)


def test_errata_are_loaded_by_name_alone_and_a_counterexample_is_replayed(tmp_path: Any) -> None:
    id = f"errata.{ALTERED.replace('_', '-')}"
    listed = "from dualgap.proofs_checks.claims.registry import all_claims; print('errata' in str(list(all_claims())))"
    assert succeeds("-c", listed) == "False\n"
    succeeds("-m", "dualgap", "audit", id, "--quick", "--jobs", "1", "--out", str(tmp_path))
    assert "First false" in succeeds("-m", "dualgap", "replay", str(tmp_path / f"counterexample-{id}.json"))
    assert f"{id} " in succeeds("-m", f"dualgap.extras.errata.{ALTERED}")
    with nothing_left():
        assert replay(tmp_path / f"counterexample-{id}.json").same_as_file


def test_pictures_are_drawn_from_the_numbers_of_the_program(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.syspath_prepend(str(ROOT / "docs" / "make"))
    with nothing_left():
        from errata_pictures import DRAWN, picture

        from dualgap.extras.errata import read

        for name in DRAWN:
            one = read(text_of(name), name)
            drawn = picture(name, one.recompute)
            assert drawn.count("<svg") == 1 and "currentColor" in drawn and "nan" not in drawn
            assert re.search(r'aria-label="[A-Z][^"]+\."', drawn) and "<figcaption>" in drawn
            assert picture(name, one.recompute) == drawn
        program = read(text_of("lessard_2016"), "lessard_2016").recompute
        before, changed = (picture("lessard_2016", program.replace("792", number)) for number in ("792", "800"))
        assert "<svg" in changed and changed != before
    assert picture("beck_2009", "") == ""


def test_a_claim_about_numbers_that_asks_for_a_problem_is_told_what_it_has() -> None:
    context = Context(NumbersInstance.of(a=Q(1, 2)))
    assert context.given.a == Q(1, 2)
    with pytest.raises(ValueError, match=r"numbers have no problem.*c\.given"):
        context.gap  # noqa: B018
