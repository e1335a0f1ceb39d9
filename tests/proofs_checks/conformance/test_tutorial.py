"""Every command of the tutorial for ports runs, with the exit status and the texts that the page promises."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support import ROOT

FOLDER = ROOT / "docs" / "tutorials"
PAGE = (FOLDER / "port_a_method.md").read_text(encoding="utf-8")
BLOCK = re.compile(r"^```\{command-output\} (.*)\n((?::.*\n)*)```", re.M)
SAYS = [  # one for each command
    "no greeting from the port",
    "Verdict: empty",
    "Verdict: incomplete: aspdc incomplete",
    "Likely cause: lost-one-over-n",
    "Likely cause: early-count",
    "2 methods and formulas complete",
    "aspdc.step.e.007",
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The commands run in one folder, one after the other."""
    made: Path = tmp_path_factory.mktemp("tutorial")
    shutil.copy(FOLDER / "port.py", made)
    return made


def test_every_command_says_what_the_page_says(folder: Path) -> None:
    blocks = BLOCK.findall(PAGE)
    assert len(blocks) == len(SAYS) == PAGE.count("command-output")
    for (command, options), words in zip(blocks, SAYS):
        due = int(found[1]) if (found := re.search(r":returncode: (\d)", options)) else 0
        run = re.sub(r"(^|; )dualgap ", rf"\1{sys.executable} -m dualgap.proofs_checks.cli.main ", command)
        run = run.replace("python3 ", f"{sys.executable} ")
        done = subprocess.run(run, shell=True, cwd=folder, capture_output=True, text=True)
        assert done.returncode == due and words in done.stdout, (command, done.stdout, done.stderr)


def test_the_page_shows_the_whole_file() -> None:
    """The parts that the page includes are all of it, in the order of the file except for the loop."""
    text = (FOLDER / "port.py").read_text(encoding="utf-8")
    shown = ""
    for options in re.findall(r"^```\{literalinclude\} port.py\n((?::.*\n)*)```", PAGE, re.M):
        marks = dict(re.findall(r':([a-z-]+): "(.*)"', options))
        part = text[text.index(marks["start-at"]) :] if "start-at" in marks else text
        shown += part[: part.index(marks["end-before"])] if "end-before" in marks else part
    assert sorted(shown.splitlines()) == sorted(text.splitlines())
