"""The pages of docs: their blocks run, their commands exist, their links lead somewhere, every public name has an
entry, and the site builds.
"""

import importlib
import inspect
import os
import re
import runpy
import shlex
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from support import ROOT, succeeds

from dualgap.proofs_checks.cli import main as cli

DOCS = ROOT / "docs"
WRITTEN = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    *sorted(p for p in DOCS.rglob("*.md") if "generated" not in p.parts),
]
REFERENCE = "".join(page.read_text(encoding="utf-8") for page in sorted((DOCS / "reference").glob("*.md")))
LISTED = ["reference", "fast", "fast.data.load", "proofs_checks", "extras.estimators"]
STRATEGIES = "dualgap.proofs_checks.strategies.public"
LINK = re.compile(r"(?<!`)\[[^\]\n]*\]\(([^()\s]+)\)")
FENCE = re.compile(r"^```.*?^```$", re.M | re.S)
BLOCKS = [
    re.compile(r"^```sh\n(.*?)^```", re.M | re.S),
    re.compile(r"^```\{command-output\} (.*)$", re.M),
    re.compile(r"(?<=\n\n)((?:    .*\n)+)"),
]
COMMAND = re.compile(r"^ *(dualgap .*)$", re.M)
VALUES = {"Y": "1", "G": "1", "E": "1", "N": "1", "S": "1"}  # letters that stand for a number


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


def public_names() -> set[str]:
    """What the packages list in ``__all__``, and the strategies for other people's tests."""
    found = {f"dualgap.{p}.{name}" for p in LISTED for name in importlib.import_module(f"dualgap.{p}").__all__}
    public, shown = importlib.import_module(STRATEGIES), importlib.import_module("dualgap.proofs_checks").__all__
    own = {name for name, value in vars(public).items() if getattr(value, "__module__", "") == STRATEGIES}
    strategies = {name for name in own if inspect.isfunction(getattr(public, name)) and not name.startswith("_")}
    return found | {f"{STRATEGIES}.{name}" for name in strategies - set(shown)}


@pytest.mark.needs("sklearn")
def test_every_public_name_has_an_entry_in_the_reference() -> None:
    entries = set(re.findall(r"^\.\. (?:auto(?:class|function)|py:data):: (\S+)$", REFERENCE, re.M))
    assert len(public_names()) > 100 and sorted(public_names() - entries) == []


def test_the_help_of_every_command_is_shown() -> None:
    (commands,) = [action.choices for action in cli.parser()._actions if action.dest == "command"]
    assert commands is not None and set(commands) == set(
        re.findall(r"command-output\} dualgap ([\w-]+) --help", REFERENCE)
    )


@pytest.mark.parametrize("page", ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"])
def test_every_link_of_a_page_that_sphinx_does_not_read_leads_to_a_file(page: str) -> None:
    targets = [target.partition("#")[0] for target in LINK.findall(FENCE.sub("", text_of(ROOT / page)))]
    assert [path for path in targets if not path.startswith("https://") and not (ROOT / path).exists()] == []


def commands_of(text: str) -> list[list[str]]:
    """The words of every line of a block that runs ``dualgap``; optional ones included, what follows two spaces or
    belongs to the shell left out.
    """
    blocks = "\n".join(found for block in BLOCKS for found in block.findall(text)).replace("\\\n", " ")
    lines = [re.split(r"\s+#\s|(?<=\S)\s{4,}|\s[>|]\s", line)[0] for line in COMMAND.findall(blocks)]
    return [[VALUES.get(word, word) for word in shlex.split(re.sub(r"[\[\]]| \.\.\.", "", line))[1:]] for line in lines]


def refusal(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """What the command line says against these words; nothing is run."""
    try:
        cli.parser().parse_args(words)
    except SystemExit as exit:
        said = capsys.readouterr().err
        return "" if exit.code in (0, None) else f"{words}: {said}"
    return ""


@pytest.mark.parametrize("page", [page for page in WRITTEN if page.name != "CHANGELOG.md"], ids=name_of)
def test_every_command_of_a_page_is_one(page: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert [said for words in commands_of(text_of(page)) if (said := refusal(words, capsys))] == []


def pages_with_blocks() -> set[str]:
    return {
        page.relative_to(DOCS).as_posix()
        for page in WRITTEN
        if DOCS in page.parents and re.search(r"^```python$", text_of(page), re.M)
    }


@pytest.mark.needs("sybil")
@pytest.mark.needs("sklearn")
def test_the_python_blocks_of_all_pages_run(tmp_path: Path) -> None:
    """In a separate process, because what a page registers stays. Sybil runs them."""
    configuration = runpy.run_path(str(DOCS / "conftest.py"))
    elsewhere = configuration["ELSEWHERE"]
    assert all(Path(page).name in text_of(ROOT / test) for page, test in elsewhere.items())
    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    shutil.copytree(DOCS, tmp_path / "docs", ignore=shutil.ignore_patterns("generated", "results", "measured"))
    words = "-m pytest -c pytest.ini -q -p no:cacheprovider -p no:xdist -rA docs".split()
    ran = set(re.findall(r"^PASSED docs/(\S+?)::", succeeds(*words, cwd=tmp_path), re.M))
    assert ran == pages_with_blocks() - {*elsewhere, *configuration["NOT_RUN"]}


BUILD = "-m sphinx -q -W --keep-going -b html -d".split()


FETCHED = re.compile(r"""<(?:script|img|iframe|link)\b[^>]*\b(?:src|href)=["']((?:[a-z]+:)?//[^"']*)""")


def by_day_if_it_is_built(test: Callable[[Path], None]) -> Callable[[Path], None]:
    """The site takes minutes: by day `.ci/run` builds it, with ``BUILD``, and names its folder."""
    return test if "DUALGAP_SITE" in os.environ else pytest.mark.nightly(test)


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """The folder of the site, which is built unless DUALGAP_SITE names one."""
    if built := os.environ.get("DUALGAP_SITE"):
        return Path(built)
    succeeds(*BUILD, str(tmp_path / "trees"), str(DOCS), str(tmp_path / "site"), cwd=ROOT)
    return tmp_path / "site"


@by_day_if_it_is_built
@pytest.mark.needs("furo")  # of the extra docs, which has all that sphinx needs
@pytest.mark.needs("sklearn")
def test_the_site_is_built_without_a_warning_and_loads_nothing_from_elsewhere(site: Path) -> None:
    """Which runs the commands and draws the pictures of all pages; a dead link inside, and a page that no menu has, are
    warnings.
    """
    built = {path.relative_to(site).as_posix(): path for path in site.rglob("*.html")}
    pages = {page.relative_to(DOCS).with_suffix(".html").as_posix() for page in WRITTEN if DOCS in page.parents}
    assert pages <= set(built)
    assert {name: found for name, path in built.items() if (found := FETCHED.findall(text_of(path)))} == {}
    assert "<math" in text_of(built["tutorials/solve_and_certify.html"])
    assert "<svg" in text_of(built["experiments/aspdc-table3.html"])
