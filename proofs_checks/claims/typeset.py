r"""Statements and hypotheses are written once, as the paper sets them: words, and formulas in LaTeX between dollars.

Pages that set mathematics show them so; terminals, JSON and lists of claims have the plain text that ``plain`` makes
from it. A text without dollars is plain already.

>>> plain(r"$\mathbb{E}\Vert w^T - w^*\Vert^2 \le$ $\varepsilon$ for every $\lambda \ge 4R^2/(n \gamma)$")
'E||w^T - w*||^2 <= eps for every lam >= 4R^2/(n gamma)'
>>> latex("any $w$"), latex("any w")
('any $w$', '')
"""

import re
from typing import Any

NAMES = {  # without an index lambda is lam, the parameter
    "lambda": "lam",
    "varphi": "phi",
    "varepsilon": "eps",
    "nabla": "grad",
    "infty": "infinity",
    "le": "<=",
    "ge": ">=",
    "ne": "!=",
    "leftarrow": "<-",
    "pm": "+-",
    "times": "x",
    "ldots": "..",
    "dots": "...",
    "prime": "'",
    ",": "",
    "ell_": "l",
    "lambda_": "lambda_",
}
INSIDE = r"((?:[^{}]|\{[^{}]*\})*)"
SHAPES: tuple[tuple[re.Pattern[str], Any], ...] = tuple(
    (re.compile(shape), written)
    for shape, written in (
        (
            r"\\(?!(?:mathbb|mathrm|operatorname|bar|tilde|sqrt|[Vv]ert|langle|rangle)(?![A-Za-z]))((?:ell|lambda)_|[A-Za-z]+|,)",
            lambda command: NAMES.get(command[1], command[1]),
        ),
        (r"\\(?:mathbb|mathrm|operatorname)\{(\w*)\}", r"\1"),
        (r"\blambda_2\b", "lam2"),  # as options are named
        (r"\bT_0\b", "T0"),
        (r"\\bar\{(\w+)\}", r"\1_bar"),
        (r"\\tilde\{(\w+)\}", r"\1~"),
        (r"\\langle (.*?)\\rangle", r"<\1>"),
        (r"\\Vert (.*?)\\Vert", r"||\1||"),
        (r"\\vert (.*?)\\vert", r"|\1|"),
        (r"\\vert", "|"),
        (rf"\\sqrt\{{{INSIDE}\}}", r"sqrt(\1)"),
        (r"\\sqrt", "sqrt"),
        (r"([_^])\{(\w+'?|-\w*|[*(][^{}]*)\}", r"\1\2"),  # one sign, which needs no brackets, or what has some
        (rf"\^\{{{INSIDE}\}}", r"^(\1)"),
        (r"\^(?=[*+])", ""),
        (r"\\([{}])", r"\1"),
    )
)


def plain(text: str) -> str:
    """The text with each formula between dollars as a terminal can show it; all else letter for letter."""
    parts = text.split("$")
    last = len(parts) - 1  # what follows a dollar without its second is no formula
    return "".join(_plain(part) if at % 2 and at < last else "$" * (at % 2) + part for at, part in enumerate(parts))


def _plain(formula: str) -> str:
    for shape, written in SHAPES:
        formula = shape.sub(written, formula)
    return formula


def latex(text: str) -> str:
    """The text where it has formulas that a page can set; "" for a plain one."""
    return text if text.count("$") > 1 else ""
