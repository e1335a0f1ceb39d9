"""The pages of docs: their blocks run, their commands exist, their links lead somewhere, every public name has an
entry, and the site builds.
"""

import argparse
import ast
import importlib
import importlib.util
import inspect
import os
import re
import shlex
import shutil
from collections.abc import Callable
from functools import cache
from html.parser import HTMLParser
from pathlib import Path

import pytest
from support import ROOT, by_day, python, succeeds

from dualgap.proofs_checks.cli import main as cli

DOCS = ROOT / "docs"
WRITTEN = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    *sorted(p for p in DOCS.rglob("*.md") if "generated" not in p.parts),
]
REFERENCE = "".join(page.read_text(encoding="utf-8") for page in sorted((DOCS / "reference").glob("*.md")))
LISTED = ["dualgap.reference", "dualgap.fast", "dualgap.fast.data.load", "dualgap.proofs_checks"]
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
    found = {f"{package}.{name}" for package in LISTED for name in importlib.import_module(package).__all__}
    # which scikit-learn may be too absent to import
    (listed,) = [
        node.value
        for node in ast.parse(text_of(ROOT / "extras" / "estimators" / "__init__.py")).body
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__"
    ]
    found |= {f"dualgap.extras.estimators.{name}" for name in ast.literal_eval(listed)}
    public, shown = importlib.import_module(STRATEGIES), importlib.import_module("dualgap.proofs_checks").__all__
    own = {name for name, value in vars(public).items() if getattr(value, "__module__", "") == STRATEGIES}
    strategies = {name for name in own if inspect.isfunction(getattr(public, name)) and not name.startswith("_")}
    return found | {f"{STRATEGIES}.{name}" for name in strategies - set(shown)}


def entries(text: str) -> set[str]:
    return set(re.findall(r"^\.\. (?:auto(?:class|function)|py:data):: (\S+)$", text, re.M))


def test_every_public_name_has_an_entry_in_the_reference() -> None:
    assert len(public_names()) > 100 and sorted(public_names() - entries(REFERENCE)) == []
    assert sorted(public_names() - entries(REFERENCE.replace("autofunction:: dualgap.fast.solve\n", ""))) == [
        "dualgap.fast.solve"
    ], "the control"


def test_the_help_of_every_command_is_shown() -> None:
    (commands,) = [action.choices for action in parser()._actions if action.dest == "command"]
    assert commands is not None and set(commands) == set(
        re.findall(r"command-output\} dualgap ([\w-]+) --help", REFERENCE)
    )


def dead(page: Path, text: str) -> list[str]:
    """Links to files that are not there; those to other hosts are only looked at."""
    found = []
    for target in LINK.findall(FENCE.sub("", text)):
        path, _, _ = target.partition("#")
        if re.match(r"[a-z]+:", target):
            if not re.fullmatch(r"https://[\w.-]+\.[a-z]+(?:/[\w./~%#?=&-]*)?", target):
                found.append(target)
        elif path and not re.match(r"(?:\.\./)?generated/", path) and not (page.parent / path).exists():
            found.append(target)
    return found


@pytest.mark.parametrize("page", WRITTEN, ids=name_of)
def test_every_link_of_a_page_leads_to_a_file(page: Path) -> None:
    assert dead(page, text_of(page)) == []


def commands_of(text: str) -> list[list[str]]:
    """The words of every line of a block that runs ``dualgap``; optional ones included, what follows two spaces or
    belongs to the shell left out.
    """
    blocks = "\n".join(found for block in BLOCKS for found in block.findall(text)).replace("\\\n", " ")
    lines = [re.split(r"\s+#\s|(?<=\S)\s{4,}|\s[>|]\s", line)[0] for line in COMMAND.findall(blocks)]
    return [[VALUES.get(word, word) for word in shlex.split(re.sub(r"[\[\]]| \.\.\.", "", line))[1:]] for line in lines]


@cache
def parser() -> argparse.ArgumentParser:
    return cli.parser()


def refusal(words: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """What the command line says against these words; nothing is run."""
    try:
        parser().parse_args(cli._signed(words))
    except SystemExit as exit:
        said = capsys.readouterr().err
        return "" if exit.code in (0, None) or "needs shtab" in said else f"{words}: {said}"
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
@pytest.mark.parametrize("control", by_day([False, True], False))
def test_the_python_blocks_of_all_pages_run(control: bool, tmp_path: Path) -> None:
    """In a separate process, because what a page registers stays. Sybil runs them; by night a damaged one, too."""
    spec = importlib.util.spec_from_file_location("docs_conftest", DOCS / "conftest.py")
    assert spec is not None and spec.loader is not None
    configuration = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(configuration)
    assert {*configuration.ELSEWHERE, *configuration.NOT_RUN} <= pages_with_blocks()
    assert all(Path(page).name in text_of(ROOT / test) for page, test in configuration.ELSEWHERE.items())

    (tmp_path / "pytest.ini").write_text("[pytest]\n")
    ignored = shutil.ignore_patterns("generated", "results", "measured")
    folder = Path(shutil.copytree(DOCS, tmp_path / "docs", ignore=ignored))
    words = "-m pytest -c pytest.ini -q -p no:cacheprovider -p no:xdist -rA docs".split()
    if not control:
        ran = set(re.findall(r"^PASSED docs/(\S+?)::", succeeds(*words, cwd=tmp_path), re.M))
        assert ran == pages_with_blocks() - {*configuration.ELSEWHERE, *configuration.NOT_RUN}
        return
    page = folder / "tutorials" / "audit_a_paper.md"
    page.write_text(text_of(page).replace("Fraction(17, 64)", "Fraction(17, 65)"), encoding="utf-8")
    assert python(*words[:-1], "docs/tutorials/audit_a_paper.md", cwd=tmp_path).returncode == 1


BUILD = "-m sphinx -q -W --keep-going -b html -d".split()


class Loaded(HTMLParser):
    """What a browser fetches for a page."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        """Scripts, styles and pictures; not links."""
        given = dict(attributes)
        key = "src" if tag in ("script", "img", "iframe") else "href" if tag == "link" else ""
        self.found += [given[key] or ""] if given.get(key) else []


def from_elsewhere(html: str) -> list[str]:
    reader = Loaded()
    reader.feed(html)
    return [address for address in reader.found if re.match(r"(?:[a-z]+:)?//", address)]


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
@pytest.mark.needs("furo")
@pytest.mark.needs("myst_parser")
@pytest.mark.needs("sphinx_design")
@pytest.mark.needs("sphinx_copybutton")
@pytest.mark.needs("latex2mathml")
@pytest.mark.needs("sklearn")
def test_the_site_is_built_without_a_warning_and_loads_nothing_from_elsewhere(site: Path) -> None:
    """Which runs the commands and draws the pictures of all pages; a dead link inside, and a page that no menu has, are
    warnings.
    """
    built = {path.relative_to(site).as_posix(): path for path in site.rglob("*.html")}
    pages = {page.relative_to(DOCS).with_suffix(".html").as_posix() for page in WRITTEN if DOCS in page.parents}
    assert pages <= set(built)
    assert {name: found for name, path in built.items() if (found := from_elsewhere(text_of(path)))} == {}
    html = '<script src="//x.y/z.js"></script><link href="https://a.b/c.css"><a href="https://d.e">'
    assert from_elsewhere(html) == ["//x.y/z.js", "https://a.b/c.css"], "the control"
    assert "<math" in text_of(built["tutorials/solve_and_certify.html"])
    assert "<svg" in text_of(built["experiments/aspdc-table3.html"])
