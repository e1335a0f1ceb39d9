"""Letters and issues are short and their programs print what they show; the files that describe a release agree."""

import contextlib
import io
import json
import os
import re
import subprocess
import sys
import zlib

import pytest
from support import ROOT, blocks, text_of

FIELDS = "| told | answered | fixed in |\n|---|---|---|\n"
SENT = [f"docs/to_send/{p.name}" for p in sorted((ROOT / "docs" / "to_send").glob("*.md")) if p.stem != "index"]


# Programs that need the accused package, and what they printed: their checksums since they were run in November 2026.
RAN = [423934831, 213157786, 21548176, 2755304882, 510244681, 3906855233]


def faults(text: str) -> list[str]:
    """What is wrong: the fields, the page of 60 lines of 110 characters, the program or what it prints."""
    (program,) = blocks(text)
    packages = set(re.findall(r"^(?:from|import) (\w+)", program, re.M)) - set(sys.stdlib_module_names)
    shown = program in blocks(text_of("docs/pepit_checked.md"))  # with what it printed
    shown |= zlib.crc32("".join(blocks(text) + blocks(text, "text")).encode()) in RAN
    if packages <= {"numpy", "scipy"}:
        with contextlib.redirect_stdout(io.StringIO()) as output:
            exec(program, {})
        shown = blocks(text, "text") == [output.getvalue()]
    lines = sum(-(-len(line) // 110) or 1 for line in text.splitlines()[5:])
    short = len(program.splitlines()) <= (25 if packages else 10)
    passed = {"fields": FIELDS in text, "page": lines <= 60, "program": short, "output": shown}
    return [name for name in passed if not passed[name]]


@pytest.mark.parametrize("name", SENT)
def test_a_letter_or_an_issue_is_short_and_its_program_prints_what_it_shows(name):
    assert len(SENT) == 12 and faults(text_of(name)) == []


@pytest.mark.parametrize("name", ["docs/to_send/pgs.md", "docs/to_send/glum.md"])
def test_control_each_fault_is_found(name):
    wrong = text_of(name).replace("fixed", "").replace("```text\n", "```text\n7")
    assert faults(wrong.replace("```python\n", "```python\n" + "\n" * 60)) == ["fields", "page", "program", "output"]


def test_the_files_that_describe_a_release_state_its_version_and_what_it_needs():
    ours, recipe = text_of("pyproject.toml"), text_of("recipe/recipe.yaml")
    (version,), (needed,) = (re.findall(rf"^{key} = (.*)$", ours, re.M) for key in ("version", "dependencies"))
    stated = {"CITATION.cff": "version: {}\n", "docs/cite.md": "version = {{{}}}", ".zenodo.json": '"version": "{}"'}
    stated |= {"recipe/recipe.yaml": 'version: "{}"\n', "CHANGELOG.md": "\n## {} (", "docs/plugins.md": "dualgap@v{}\n"}
    wrong = [name for name, form in stated.items() if form.format(json.loads(version)) not in text_of(name)]
    lines = recipe.partition("  run:\n")[2].partition("\n\n")[0].splitlines()
    (title,) = re.findall(r'^title: "(.*)"$', text_of("paper.md"), re.M)
    assert [name for name in (".zenodo.json", "CITATION.cff", "docs/cite.md") if title not in text_of(name)] == []
    assert wrong == [] and [line.replace(" ", "")[1:] for line in lines][1:] == json.loads(needed)


def test_the_checklist_of_a_release_names_every_placeholder_and_no_other():
    """A placeholder is a word that the checklist has, and each file of it still has that word."""
    section = text_of("docs/versioning.md").partition("## Before a release")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| `([^`]+)` \| (.*?) \|", section, re.M)
    files = {word: re.findall(r"`([\w./]+)`|\((\w+\.md)", where) for word, where in rows}
    named = {word: [one or f"docs/{page}" for one, page in found] for word, found in files.items()}
    assert [word for word, where in named.items() for name in where if word not in text_of(name)] == []
    used = {str(p.relative_to(ROOT)) for p in ROOT.glob("docs/**/*.md") if "OWNER" in p.read_text(encoding="utf-8")}
    assert used == {*named["OWNER"], "docs/versioning.md"}


def test_the_action_shows_the_verdict_before_the_table_and_ends_as_the_audit_does(tmp_path):
    script = re.search(r"status=0\n.*?exit \S+\n", text_of("action.yml"), re.S)[0]
    printed = "claim\nrow\n\nmore\n\nVerdict: FAIL $*\n\nend"
    (tmp_path / "dualgap").write_text(f'#!/bin/sh\necho "{printed}"\nexit 1\n')
    (tmp_path / "dualgap").chmod(0o755)
    given = {"RUNNER_TEMP": ".", "GITHUB_STEP_SUMMARY": "summary", "CLAIMS": "a b", "OPTIONS": "--quick"}
    given |= {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    ended = subprocess.run(["bash", "-eo", "pipefail", "-c", script], env=given, cwd=tmp_path)
    shown = blocks((tmp_path / "summary").read_text(), "text")
    assert ended.returncode == 1 and shown == ["Verdict: FAIL audit a b --quick --out dualgap-report\n\nclaim\nrow\n"]
