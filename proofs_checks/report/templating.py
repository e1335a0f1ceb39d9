"""Make the pages with Jinja2 and the templates in this folder. Formulas become MathML when a page is made.

Every text is escaped here, and every page forbids the browser to fetch anything and to run any script.

Jinja2, latex2mathml and matplotlib belong to ``dualgap[cli]`` and are imported when a page is made;
``available`` says whether it can be.
"""

import importlib.util
import re
from collections.abc import Container
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

TEMPLATES = Path(__file__).parent / "templates"
MAKERS = ("jinja2", "latex2mathml", "matplotlib")
MISSING = "no page: it is made by Jinja2, latex2mathml and matplotlib (pip install 'dualgap[cli]')"

CLAIM_ID = re.compile(r"[a-z][a-z0-9_-]*(?:\.[a-z0-9_-]+)+")
ELEMENTS = frozenset(
    "mrow mi mn mo mtext mspace msup msub msubsup mfrac msqrt mroot mover munder munderover mtable mtr mtd mstyle"
    " mpadded mphantom".split()
)
GREEK = (
    "alpha beta gamma delta eps epsilon eta theta kappa lam lambda mu nu pi rho sigma tau phi chi psi omega Delta Theta"
    " Phi Psi Omega nabla grad infinity"
).split()
SIGNS: dict[str, str] = dict(zip(GREEK, "αβγδεεηθκλλμνπρστφχψωΔΘΦΨΩ∇∇∞", strict=True))
SIGNS |= {"<=": "≤", ">=": "≥", "!=": "≠", "<-": "←", "->": "→", "||": "‖", "+-": "±", "==": "="}
PLAIN = re.compile(rf"(?<![\w.-])(?:{'|'.join(GREEK)})(?!\.?[A-Za-z0-9]|-[a-z])|<=|>=|!=|<-|->|\|\||\+-|==")
STARTS = frozenset("(,[=≤≥<>⟨")  # a minus sign after one of these belongs to the number


def available() -> bool:
    """Return whether pages can be made."""
    return all(importlib.util.find_spec(name) is not None for name in MAKERS)


def render(template: str, **context: object) -> str:
    """The page of a template. Text in ``context`` is escaped, as is what UTF-8 cannot write."""
    return writable(str(_environment().get_template(template).render(**context)))


def writable(text: str) -> str:
    r"""The text with what UTF-8 cannot write as its escape.

    >>> writable("a\udcffb")
    'a\\udcffb'
    """
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


@lru_cache(maxsize=1)
def _environment() -> "Environment":
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    from dualgap.proofs_checks.report import charts

    found = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters.update(typeset=typeset, maths=lambda text: typeset(with_signs(text)), draw=charts.draw, linked=linked)
    return found


def with_signs(text: str) -> str:
    """The text with the letters and signs of plain formulas outside of dollars, such as λ for lam and ≤ for <=.

    >>> with_signs("E gap <= eps for alpha_i of sag.eta-alpha, lam -> 0"), with_signs("$a <= b$ and a <= b")
    ('E gap ≤ ε for α_i of sag.eta-alpha, λ → 0', '$a <= b$ and a ≤ b')
    """
    parts = text.split("$")
    if len(parts) % 2 == 0:  # an unpaired dollar: formulas cannot be told from words
        return text
    parts[::2] = [PLAIN.sub(lambda found: SIGNS[found[0]], part) for part in parts[::2]]
    return "$".join(parts)


def typeset(text: str) -> "Markup":
    """LaTeX text with its formulas between dollars as MathML, all else escaped, a wrong formula too.

    >>> [typeset(f"$(1{between}-2)$").count('form="prefix"') for between in ", +".split()]
    [1, 0]
    """
    from markupsafe import Markup

    words, *rest = text.split("$")
    parts = [Markup.escape(words)]
    for number, part in enumerate(rest):
        if number % 2:
            parts.append(Markup.escape(part))
        elif number + 1 == len(rest):  # a dollar without its second
            parts.append(Markup.escape(f"${part}"))
        else:
            parts.append(_mathml(part))
    return Markup("").join(parts)


def linked(text: object, ids: Container[str]) -> "Markup":
    """The text, or the markup, with each of these claim ids as a link to its section, outside tags and formulas."""
    from markupsafe import Markup, escape

    parts = re.split(r"(<math>.*?</math>|<[^>]*>)", str(escape(text)), flags=re.DOTALL)
    return Markup("").join(
        Markup(part if k % 2 else CLAIM_ID.sub(partial(_link, ids), part)) for k, part in enumerate(parts)
    )


def _link(ids: Container[str], found: re.Match[str]) -> str:
    return f'<a href="#{found[0]}">{found[0]}</a>' if found[0] in ids else found[0]


@lru_cache(maxsize=4096)
def _mathml(formula: str) -> "Markup":
    """Return one formula with only ``ELEMENTS``; its LaTeX if it has others, addresses or styles, or cannot be read.

    The namespace, which HTML does not need, and the outer row are removed.
    """
    from xml.etree import ElementTree

    from latex2mathml.converter import convert
    from markupsafe import Markup

    source = Markup.escape(f"${formula}$")
    try:
        root = ElementTree.fromstring(convert(formula).replace(' xmlns="http://www.w3.org/1998/Math/MathML"', "", 1))
    except Exception:  # the converter raises whatever it stumbles over
        return source
    inside = list(root.iter())[1:]
    if not all(node.tag in ELEMENTS and not {"href", "style", "class"} & set(node.attrib) for node in inside):
        return source
    for node in root.iter("mrow"):
        for before, sign in zip(node, list(node)[1:]):
            if sign.text == "−" and before.tag == "mo" and before.text in STARTS:
                sign.set("form", "prefix")
    return Markup(
        f"<math>{''.join(ElementTree.tostring(child, encoding='unicode') for row in root for child in row)}</math>"
    )
