"""The C port with mistakes and harmless variants: its source with texts replaced at places of ``port_mistakes.txt``."""

import re
from functools import partial
from pathlib import Path

REPLACED, PUT_IN, TAKEN_OUT = "«(.*?)»", "‹(.*?)›", "⟨(.*?)⟩"


def read() -> dict[str, str]:
    """The text of every place."""
    found, place = dict[str, str](), ""
    for line in Path(__file__).with_suffix(".txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("    |"):
            found[place] += line[5:]
        elif line.startswith("  "):
            found[place] = line[2:]
        elif not line.startswith("#"):
            assert line not in found, line
            place = line
    escapes = {"\\n": "\n", "\\t": "\t", "\\x20": " ", "\\\\": "\\"}
    plain = partial(re.sub, r"\\(n|t|x20|\\)", lambda met: escapes[met[0]])
    return {name: plain(text) for name, text in found.items()}


PLACES = read()


def planted(edits: list[tuple[str, str]], text: str) -> str:
    """The source of the port with some places replaced.

    edits : place and replacement; "@" in it stands for what is there.
    """
    for place, new in edits:
        for piece in PLACES[place].split(" … "):
            old = re.sub(TAKEN_OUT, r"\1", re.sub(PUT_IN, "", piece, flags=re.DOTALL), flags=re.DOTALL)
            frame = re.sub(PUT_IN, r"\1", re.sub(TAKEN_OUT, "", piece, flags=re.DOTALL), flags=re.DOTALL)
            old = re.sub("[«»]", "", old)
            assert text.count(old) == 1, (place, old, text.count(old))
            first, *rest = re.split(REPLACED, frame, flags=re.DOTALL)  # the texts between, and what is replaced
            filled = (new.replace("@", was) + after for was, after in zip(rest[::2], rest[1::2]))
            text = text.replace(old, first + "".join(filled))
    return text


MISTAKES = {  # the place, and what replaces it
    "columns from 1": ("columns", "(@ + p.d - 1) % p.d"),
    "rows from 1 in SDCA": ("row of SDCA", "(@ + 1) % p->n"),
    "P and D without the last row": ("rows of P and D", "@ - 1"),
    "no label in ASPDC": ("residual of squared", "z"),
    "empty rows passed over": ("new alpha", "((p->starts[i] == p->starts[i + 1]) ? (s->alpha[i]) : (@))"),
    "v without 1/n": ("c", "(alpha - s->alpha[i]) / p->lam"),
    "u of SPDC without 1/n": ("move of u", "change"),
    "the other sign in v": ("move of v", "-(@)"),
    "w_bar as it was": ("w_bar", "s->w_bar[j]"),
    "theta is 0": ("theta", "0.0 * @"),
    "gamma of a derivative": ("gamma of a derivative", "1.0"),
    "no threshold in a step": ("threshold of a step", "0.0 * (@)"),
    "a prox without lam": ("scale of the prox", ""),
    "no delta": ("delta", "0.0 * @"),
    "w moves along the new u": ("direction", "(double)p->n"),
    "no weights": ("weight", "(0.0 * @ + 1.0)"),
    "a round that is not counted": ("rounds", "(@ - 1.0)"),
    "w is added after the step": ("w is added", ""),
    "no ends": ("ends of a step", "-1e300, 1e300"),
    "alpha is not stored": ("stored", "s->alpha[i]"),
    "init of SDCA at 0": ("v of init", "0.0 * (@)"),
    "the view is w_bar": ("w of the view", "w_bar"),
    "branches in turn": ("branches", "false"),
    "a trajectory of first steps": ("trajectory", "true"),
    "lam of the first request": ("kept", "lam"),
    "answers in 32 bits": ("result", "(float)(@)"),
    "text of 15 digits": ("result", "digits(@, 15)"),
    "one round of the root": ("rounds of the root", "1"),
    "e^t that overflows": ("sign of log(1 + e^t)", "false"),
    "a dead zone of 1e-12": ("above the threshold", "v > s + 1e-12"),
    "a threshold that is 1e-9 too small": ("beyond the threshold", "v - (s - 1e-9)"),
    "a gap without its sign": ("gap", "fabs(@)"),
    "four entries of a row": ("entries of a product", "4"),
    "1.01 times the sigmoid": ("sigmoid", "1.01"),
    "g without 1/2": ("g", "2.0 * @"),
    "an inner product with |x|": ("factor of a product", "fabs(@)"),
}
LIMITS = {  # wrong at the limits of the representation: the subject whose cases show it, places and replacements
    "integers of 32 bits": ("integers", ("t as read", "(int)@")),
    "integers through a float": ("integers", ("t as read", "(long)(float)@")),
    "a row buffer of 512": ("long-rows", ("entries of a product", "512")),
    "changes below 1e-14 left out": (
        "tiny-changes",
        ("new alpha", "((fabs(@ - s->alpha[i]) < 1e-14) ? (s->alpha[i]) : (@))"),
    ),
    "a domain with tolerance 1e-9": (
        "domains",
        ("lower end of a domain", "-1.1e-9"),
        ("upper end of a domain", "1.0 + 1.1e-9"),
    ),
    "subnormals flushed": ("subnormals", ("stored", "((fabs(@) < 2.2250738585072014e-308) ? (0.0) : (@))")),
    "a row in a byte": ("many-rows", ("row of SDCA", "(@ % 256)")),
    "rows of P and D counted in a byte": ("many-terms", ("rows of P and D", "@ % 256")),
    "256 steps": ("many-steps", ("steps", "count < 256 ? @ : NULL")),
    "a domain that is open by 1e-300": ("beside-zero", ("lower end of a domain", "-1e-300")),
}
HARMLESS = {  # what only rounds, or writes, otherwise
    "fused product": [("fused", ""), ("total", "fma(p->values[k], w[p->columns[k]], total)")],
    "fused norm": [("fused", ""), ("squares", "fma(p->values[k], p->values[k], total)")],
    "product from the last entry": [("product from the last entry", "")],
    "compensated product": [("compensated product", "")],
    "c by a reciprocal": [("c", "(alpha - s->alpha[i]) * (1.0 / (p->lam * (double)p->n))")],
    "c over n, then lam": [("c", "(alpha - s->alpha[i]) / (double)p->n / p->lam")],
    "lazy": [
        ("stored", "((s->alpha[i] == @) ? (s->alpha[i]) : (@))"),
        ("stored in SPDC", "((change == 0.0) ? (s->alpha[k]) : (@))"),
    ],
    "tanh": [("logistic", "(0.5 + 0.5 * tanh(t / 2.0))")],
    "3.0": [("t as written", '",\\"t\\":%ld.0", s->t')],
    "3e0": [("t as written", '",\\"t\\":%lde0", s->t')],
    "blanks": [("blanks in a line", "")],
}
