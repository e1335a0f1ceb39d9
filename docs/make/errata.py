"""The pages of other people's statements, from the files of ``extras/errata``, which are read and not run."""

import json
import re
from dataclasses import asdict
from itertools import groupby
from pathlib import Path

from errata_pictures import picture
from statements import html

from dualgap.extras.errata import Statement, statements
from dualgap.proofs_checks.report.templating import with_signs

LABELS = ("Source", "Said", "Hypotheses", "Counterexample", "Instead", "Known", "Added", "Read")
VERDICT_WORDS = {
    "REFUTED": "false: a rational counterexample is below",
    "HOLDS": "no counterexample was found",
    "PROVED": "proved",
    "VACUOUS": "empty: nothing satisfies the hypotheses",
    "OPEN": "open",
}


def page(one: Statement) -> str:
    """The page of a statement, in Markdown."""
    told = "".join(
        f"<dt>{label.lower()}</dt><dd>{html(one.parts[label])}</dd>" for label in LABELS if one.parts.get(label)
    )
    return f"""# {plain(one.title)}

<div class="claim">
<p class="said"><strong class="{one.verdict.lower()}">{one.verdict.lower()}</strong> {VERDICT_WORDS[one.verdict]}</p>
<blockquote><p>{html(one.statement)}</p></blockquote>
<dl>{told}</dl>
</div>

{picture(one.name, one.recompute)}
## Recompute it without dualgap

```python
{one.recompute.rstrip()}
```

It prints

```text
{one.prints}
```

With dualgap: `dualgap audit {one.claim}`. The claim is `extras/errata/{one.name}.py`.
<a href="{one.name}.json">The same as JSON</a>.
"""


def index(found: list[Statement]) -> str:
    """The tables of the index: a heading for each topic."""
    parts = []
    for topic, group in groupby(found, key=lambda one: one.topic):
        rows = [
            f"| [{plain(one.title)}](generated/errata/{one.name}.md) | {one.verdict} | {plain(source(one))} |"
            for one in group
        ]
        parts.append("\n".join([f"## {topic}\n", "| statement | verdict | source |", "| --- | --- | --- |", *rows]))
    return "\n\n".join(parts)


def plain(text: str) -> str:
    r"""A text without a full stop in which Markdown sees nothing, with signs for the names of letters.

    >>> print(plain("|g_t| <= beta."))
    \|g\_t\| ≤ β
    """
    return re.sub(r"([\\`*_|\[\]])", r"\\\1", with_signs(text.rstrip(".")))


def source(one: Statement) -> str:
    """Authors, as "Source" begins, and the year, as in the name of the file."""
    return f"{one.parts['Source'].partition(': ')[0]}, {one.name.split('_')[1]}"


def written(folder: Path) -> dict[Path, str]:
    """Return each page and each JSON file with its text.

    Parameters
    ----------
    folder : generated, below the sources of the site.
    """
    found = {}
    for one in statements():
        found[folder / "errata" / f"{one.name}.md"] = page(one)
        found[folder / "extra" / "generated" / "errata" / f"{one.name}.json"] = json.dumps(asdict(one), indent=1) + "\n"
    return found
