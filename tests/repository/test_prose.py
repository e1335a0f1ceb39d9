"""No text uses a phrase that the project has retired. Spelling and style are checked by codespell and proselint."""

import re
from pathlib import Path
from typing import NamedTuple

import pytest
from support import ROOT

TEXT = re.compile(r"\.(?:py|md|rst|template|html|go|rs|js|c|v|css|yml|toml|cff|txt)$")
FOLDERS = "reference fast proofs_checks extras tests ports docs examples benchmarks .github .ci".split()


class Retired(NamedTuple):
    use: str
    bad: str  # a sentence in which the pattern is found
    good: str  # one in which it is not


RETIRED = {  # a pattern, and what to write
    r"in the place of": Retired("instead of", "w in the place of v", "in the first place of all"),
    r"text at hand": Retired("our copy", "lost in the text at hand", "the text near at hand"),
    r"anew": Retired("again", "write the file anew", "a new file"),
    r"but for ": Retired("except for", "right but for its sign", "not for w but forever"),
    r"ha(?:s|d|ve) the bits of": Retired("is bit-identical to", "it has the bits of Python", "all bits of it"),
    r"other bits than": Retired("differs in bits from", "it has other bits than before", "no other bits"),
    r"the bits of Python": Retired("bit-identical to Python", "w has the bits of Python", "the bits of a double"),
    r"go(?:es|ing)? on from": Retired("continue from", "going on from alpha", "it goes on; from there"),
    r"(?:comes?|came) out again": Retired("was reproduced", "the table came out again", "it came out, again"),
    r"runs away": Retired("diverges", "it runs away", "the run awaits"),
    r"hears? of": Retired("depends on", "it hears of nothing else", "the shear of a plane"),
    r"as legible": Retired("as printed in our copy", "the side as legible", "it was illegible"),
    r"stands? in its place": Retired("replaces it", "0 stands in its place", "each stands in place"),
    r"(?:process|file|folder) of (?:its|their) own": Retired("separate", "in a file of its own", "its own file"),
    r"when first asked for": Retired("on first use", "made when first asked for", "first asked for by name"),
    r"somebody's": Retired("a user's", "somebody's own method", "somebody else's file"),
    r"nobody says so": Retired("not stated in the paper", "nobody says so", "nobody says it"),
    r"c[oa]mes? out as expected": Retired(
        "give the expected result", "one check did not come out as expected", "w comes out as v"
    ),
    r"(?:nothing|what) is said of": Retired("it does not cover", "nothing is said of m", "as is said often"),
    r"gives? the bits of": Retired("is bit-identical to", "it gives the bits of the reference", "16 bits of x"),
    r"ha(?:s|d|ve) not the bits": Retired("is not bit-identical", "w has not the bits of v", "w has 64 bits"),
    r"wherever (?:it was |they were )?examined": Retired(
        "on every instance that we tested", "it holds wherever it was examined", "wherever it is defined"
    ),
}


def files() -> list[Path]:
    found = [
        path
        for folder in FOLDERS
        for path in (ROOT / folder).rglob("*")
        if TEXT.search(path.name) or folder == ".ci" and path.is_file()
    ]
    kept = [path for path in found if not {"generated", "__pycache__", "target"} & set(path.parts)]
    return [*kept, *ROOT.glob("*.md"), *ROOT.glob("*.toml"), *ROOT.glob("*.cff")]


def retired(text: str) -> list[str]:
    """The retired phrases of a text, each with what to write. Lines of a comment and string literals that Python joins
    are one text.
    """
    text = re.sub(r"^\s*(?:#|//|\*)", "", text, flags=re.M)
    words = " ".join(re.sub(r"['\"]\s*\n\s*[rbf]{0,2}['\"]", "", text).lower().split())
    return [
        f"{found[0]!r}: write {use!r}"
        for phrase, (use, *_) in RETIRED.items()
        for found in re.finditer(phrase.lower(), words)
        if not re.match(r"\w", words[found.start() - 1 : found.start()])  # a \b in front takes twice the time
    ]


def test_no_retired_phrase_is_used() -> None:
    found = {path.relative_to(ROOT).as_posix(): retired(path.read_text("utf-8")) for path in files()}
    del found[Path(__file__).relative_to(ROOT).as_posix()]  # it lists them
    assert {".ci/run", "pyproject.toml", "README.md"} <= found.keys()
    assert {name: phrases for name, phrases in found.items() if phrases} == {}


@pytest.mark.parametrize("phrase", RETIRED)
def test_a_pattern_finds_its_bad_example_and_not_the_good_one(phrase: str) -> None:
    use, bad, good = RETIRED[phrase]
    assert any(line.endswith(f"write {use!r}") for line in retired(bad)) and retired(good) == []


def test_a_retired_phrase_is_found_across_lines_and_joined_literals() -> None:
    expected = ["'in the place of': write 'instead of'"]
    assert retired("x in the\n# place of y; its room") == expected
    assert retired('("x in the"\n    " place of y")') == retired('("x in the "\n    f"place of y")') == expected
    assert retired("instead of y, again") == []
