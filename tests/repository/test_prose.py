"""No text uses a phrase that the project has retired. Spelling and style are checked by codespell and proselint."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
TEXT = re.compile(r"\.(?:py|md|rst|template|html|go|rs|js|c|v|css|yml|toml|cff)$")
RETIRED = {  # a phrase, and what to write
    r"in the place of": "instead of",
    r"text at hand": "our copy",
    r"anew": "again",
    r"but for (?!the [a-z]+ itself)": "except for",
    r"ha(?:s|d|ve) the bits of": "is bit-identical to",
    r"other bits than": "differs in bits from",
    r"the bits of Python": "bit-identical to Python",
    r"go(?:es)? on from": "continue from",
    r"comes? out again": "was reproduced",
    r"runs away": "diverges",
    r"hears? of": "depends on",
    r"as legible": "as printed in our copy",
    r"stands? in its place": "replaces it",
    r"wherever (?:it was |they were )?examined": "on every instance that we tested",
}


def files() -> list[Path]:
    folders = (
        "reference",
        "fast",
        "proofs_checks",
        "extras",
        "tests",
        "ports",
        "docs",
        "examples",
        "benchmarks",
        ".github",
    )
    found = [path for folder in folders for path in (ROOT / folder).rglob("*") if TEXT.search(path.name)]
    kept = [path for path in found if not {"generated", "__pycache__", "target"} & set(path.parts)]
    return [*kept, *ROOT.glob("*.md"), *ROOT.glob("*.toml"), *ROOT.glob("*.cff")]


def retired(text: str) -> list[str]:
    """The retired phrases of a text, each with what to write."""
    words = " ".join(re.sub(r"^\s*(?:#|//|\*)", "", text, flags=re.M).split())
    return [
        f"{found[0]!r}: write {use!r}"
        for phrase, use in RETIRED.items()
        for found in re.finditer(rf"\b{phrase}", words, re.I)
    ]


def test_no_retired_phrase_is_used() -> None:
    found = {path.relative_to(ROOT).as_posix(): retired(path.read_text("utf-8")) for path in files()}
    del found[Path(__file__).relative_to(ROOT).as_posix()]  # it lists them
    assert {name: phrases for name, phrases in found.items() if phrases} == {}


def test_a_retired_phrase_is_found_across_lines() -> None:
    assert retired("x in the\n# place of y; its room") == ["'in the place of': write 'instead of'"]
    assert retired("instead of y, again") == []
