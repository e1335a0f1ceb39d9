"""What the site has beyond the pages in ``docs``: all statements of each paper, from the registry, and the pictures of
the experiments.
"""

import json
import pathlib
import shutil

import pictures
import statements
from sphinx.application import Sphinx

from dualgap.proofs_checks.auditing.claim_index import Listed, claim_index
from dualgap.proofs_checks.claims.papers import all_papers

DOCS = pathlib.Path(__file__).parents[1]


def write(app: Sphinx) -> None:
    """generated/KEY.md for every paper, and a folder for the commands of the tutorials; nothing of it is part of the
    repository.
    """
    folder = pathlib.Path(app.srcdir) / "generated"
    shutil.rmtree(folder / "work", ignore_errors=True)  # where the commands of the tutorials run
    (folder / "work").mkdir(parents=True)
    for program in (DOCS / "tutorials").glob("*.py"):
        shutil.copy(program, folder / "work")
    for key, claims in audited().items():
        text, path = statements.page(all_papers()[key], claims), folder / f"{key}.md"
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def audited() -> dict[str, list[Listed]]:
    """The statements of each paper that has some."""
    rows = claim_index()
    return {key: found for key in all_papers() if (found := [row for row in rows if row.paper == key])}


def counts() -> dict[str, int]:
    """Numbers that pages mention."""
    rows = claim_index()
    printed = [row for row in rows if row.kind == "printed"]
    return {
        "statements": len(rows),
        "printed": len(printed),
        "printed_refuted": sum(row.expected == "REFUTED" for row in printed),
    }


def extend(app: Sphinx, name: str, source: list[str]) -> None:
    """A paper's page ends with a link to all its statements; an experiment's page has its picture above its
    verdicts.
    """
    keys = [key for key in audited() if all_papers()[key].page == f"docs/{name}.md"]
    if keys:
        links = ", ".join(f"[{key}](generated/{key}.md)" for key in keys)
        source[0] += (
            f"\n## Every statement in full\n\n{links}: hypotheses, place, proof, and the command that examines it.\n"
        )
    if name == "experiments":
        source[0] += "\n```{toctree}\n:hidden:\n:glob:\n\nexperiments/*\n```\n"
    if name.startswith("experiments/"):
        facts = json.loads((DOCS / "results" / f"{pathlib.Path(name).name}.json").read_text(encoding="utf-8"))
        source[0] = source[0].replace(
            "## Verdicts\n", f"{pictures.of_table(name, facts['tables'][0])}\n## Verdicts\n", 1
        )
