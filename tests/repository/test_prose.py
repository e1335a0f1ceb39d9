"""No text uses a phrase that the project has retired. Spelling and style are checked by codespell and proselint."""

import re
from pathlib import Path

from support import ROOT

TEXT = re.compile(r"\.(?:py|md|rst|template|html|go|rs|js|c|v|css|yml|toml|cff|txt)$")
FOLDERS = "reference fast proofs_checks extras tests ports docs examples benchmarks .github .ci".split()


RETIRED = {  # a pattern, and what to write
    r"in the place of": "instead of",
    r"text at hand": "our copy",
    r"anew": "again",
    r"but for ": "except for",
    r"ha(?:s|d|ve) the bits of": "is bit-identical to",
    r"other bits than": "differs in bits from",
    r"the bits of Python": "bit-identical to Python",
    r"go(?:es|ing)? on from": "continue from",
    r"(?:comes?|came) out again": "was reproduced",
    r"runs away": "diverges",
    r"hears? of": "depends on",
    r"as legible": "as printed in our copy",
    r"stands? in its place": "replaces it",
    r"(?:process|file|folder) of (?:its|their) own": "separate",
    r"when first asked for": "on first use",
    r"somebody's": "a user's",
    r"nobody says so": "not stated in the paper",
    r"c[oa]mes? out as expected": "give the expected result",
    r"(?:nothing|what) is said of": "it does not cover",
    r"gives? the bits of": "is bit-identical to",
    r"ha(?:s|d|ve) not the bits": "is not bit-identical",
    r"wherever (?:it was |they were )?examined": "on every instance that we tested",
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
        for phrase, use in RETIRED.items()
        for found in re.finditer(phrase.lower(), words)
        if not re.match(r"\w", words[found.start() - 1 : found.start()])  # a \b in front takes twice the time
    ]


def test_no_retired_phrase_is_used() -> None:
    found = {path.relative_to(ROOT).as_posix(): retired(path.read_text("utf-8")) for path in files()}
    del found[Path(__file__).relative_to(ROOT).as_posix()]  # it lists them
    assert {".ci/run", "pyproject.toml", "README.md"} <= found.keys()
    assert {name: phrases for name, phrases in found.items() if phrases} == {}
