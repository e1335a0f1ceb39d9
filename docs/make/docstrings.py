"""Docstrings of this library as Sphinx reads them: they say ``name : what it is`` and let examples follow without a
heading.
"""

import re

PARAMETER = re.compile(r"(\*{0,2}\w+(?:, \*{0,2}\w+)*) : (.+)")
MARKUP = re.compile(r"(``.*?``|`.*?`)|(\|)|(?<=[^\W_])(_)(?!\w)")


def as_numpy_has_them(app: object, what: str, name: str, obj: object, options: object, lines: list[str]) -> None:
    """What stands behind the colon of a parameter is a description; examples get their heading; a property has no type
    before a colon.
    """
    if what in ("property", "attribute", "data"):
        lines[0] = lines[0].replace(": ", " \N{EN DASH} ", 1)
    sections = {line for line, below in zip(lines, lines[1:]) if set(below) == {"-"}}
    found: list[str] = []
    for line in lines:
        parameter = PARAMETER.fullmatch(line) if sections else None
        if line.startswith(">>>") and sections and "Examples" not in sections:
            found += ["", "Examples", "--------"]
            sections.add("Examples")
        found += [parameter[1], f"    {parameter[2]}"] if parameter else [line]
    lines[:] = found


def plain(app: object, what: str, name: str, obj: object, options: object, lines: list[str]) -> None:
    """Escape |x| and coef_ outside of code: they are neither substitutions nor targets."""
    for k, line in enumerate(lines):
        if not line.lstrip().startswith((">>>", "...")):
            lines[k] = MARKUP.sub(lambda found: found[1] or "\\" + found[0], line)
