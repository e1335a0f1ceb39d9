"""A mistake planted at the same place in the sources of several ports (``port_places.txt`` has the places)."""

import re
from collections.abc import Iterator
from functools import partial
from pathlib import Path

LANGUAGES = {"c": "cc", "javascript": "node", "go": "go", "rust": "rustc"}  # and the program that each needs
SELF = {"c": "p->", "javascript": "problem.", "go": "p.", "rust": "p."}
WORDS = {  # how each language says what a replacement contains
    "P.": tuple(SELF.values()),
    "ROWS": ("(double)p->n", "problem.n", "float64(p.n)", "p.rows()"),
    "CHANGE": ("(alpha - s->alpha[i])", "(alpha_i - alpha[i])", "(alpha_i - alpha[i])", "(alpha_i - alpha[i])"),
    "OLD": ("s->alpha[i]", "alpha[i]", "alpha[i]", "alpha[i]"),
    "OLD_K": ("s->alpha[k]", "state.alpha[k]", "alpha[k]", "alpha[k]"),
    "OLD_BAR": ("s->w_bar[j]", "state.w_bar[j]", 's.v("w_bar")', 's.v("w_bar")'),
    "COLUMNS": ("p.d", "this.d", "p.d", "self.d"),
    "IF": ("((", "((", "pick(", "(if "),
    "THEN": (") ? (", ") ? (", ", ", " { "),
    "ELSE": (") : (", ") : (", ", ", " } else { "),
    "END": ("))", "))", ")", " })"),
    "NARROW": ("(float)(", "Math.fround(", "float64(float32(", "(("),
    "WIDE": (")", ")", "))", ") as f32 as f64)"),
    "ABS": ("fabs", "Math.abs", "math.Abs", "f64::abs"),
    "TANH": ("tanh", "Math.tanh", "math.Tanh", "f64::tanh"),
    "FMA": ("fma", "fma", "math.FMA", "fused"),
    "VALUE": ("p->values[k]", "x", "p.values[k]", "x"),
    "ENTRY": ("w[p->columns[k]]", "w[j]", "w[p.columns[k]]", "w[j]"),
}
REPLACED, PUT_IN, TAKEN_OUT = "«(.*?)»", "‹(.*?)›", "⟨(.*?)⟩"


def read() -> dict[str, list[str]]:
    """The texts of every place, in the order of LANGUAGES."""
    found: dict[str, list[str]] = {}
    texts: list[str] = []
    for line in Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("    |"):
            texts[-1] += line[5:]
        elif line.startswith("  "):
            texts.append(line[2:])
        elif not line.startswith("#"):
            assert line not in found, line
            found[line] = texts = []
    escapes = {"\\n": "\n", "\\t": "\t", "\\x20": " ", "\\\\": "\\"}
    plain = partial(re.sub, r"\\(n|t|x20|\\)", lambda met: escapes[met[0]])
    return {name: [plain(text) for text in texts] for name, texts in found.items()}


PLACES = read()


def pieces(place: str, language: str) -> Iterator[tuple[str, str]]:
    """What stands at a place of a language, and the same with what is replaced between « and »."""
    for text in PLACES[place][list(LANGUAGES).index(language)].split(" … "):
        old = re.sub(TAKEN_OUT, r"\1", re.sub(PUT_IN, "", text, flags=re.DOTALL), flags=re.DOTALL)
        frame = re.sub(PUT_IN, r"\1", re.sub(TAKEN_OUT, "", text, flags=re.DOTALL), flags=re.DOTALL)
        yield re.sub("[«»]", "", old), frame


def planted(language: str, edits: list[tuple[str, object]], text: str) -> str:
    """The source of a port with some places replaced.

    edits : place and replacement; "@" in it stands for what is there, WORDS for what the language says. A replacement
        that differs by language is a dict.
    """
    at = list(LANGUAGES).index(language)
    for place, by in edits:
        new = by[language] if isinstance(by, dict) else by
        for word, spelled in WORDS.items():
            end = "" if word.endswith(".") else r"\b"
            new = re.sub(rf"\b{re.escape(word)}{end}", spelled[at].replace("\\", r"\\"), new)
        for old, frame in pieces(place, language):
            assert text.count(old) == 1, (place, language, old, text.count(old))
            first, *rest = re.split(REPLACED, frame, flags=re.DOTALL)  # the texts between, and what is replaced
            filled = (new.replace("@", was) + after for was, after in zip(rest[::2], rest[1::2]))
            text = text.replace(old, first + "".join(filled))
    return text
