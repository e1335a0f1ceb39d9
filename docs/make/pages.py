"""Parts of the site that no file of ``docs`` has: all statements of each paper and its coverage, from the registry, and
the pictures of tables.
"""

import pathlib
import re
import shutil
from collections.abc import Iterable
from fractions import Fraction

import errata
import pictures
import statements
from matplotlib import rc_context
from matplotlib.figure import Figure
from sphinx.application import Sphinx

from dualgap.extras.errata import statements as errata_statements
from dualgap.extras.sharpen.rows import COLUMNS, kept, rates_of, row_of
from dualgap.proofs_checks.auditing import coverage
from dualgap.proofs_checks.claims.papers import all_papers
from dualgap.proofs_checks.claims.registry import Claim, select
from dualgap.proofs_checks.conformance.seeded_bugs.flags import NEW, WAYS
from dualgap.proofs_checks.conformance.vectors.explain import undescribed
from dualgap.proofs_checks.conformance.vectors.load import load
from dualgap.proofs_checks.report.counts import registered
from dualgap.proofs_checks.report.templating import with_signs
from dualgap.reference.methods.registry import METHODS, all_methods

DOCS = pathlib.Path(__file__).parents[1]
SENTENCES = re.compile(r"^(?!To repeat)[A-Z].*|(?<=^\*)\w.*(?=\*$)", re.M)  # an experiment's paragraphs and captions


def write(app: Sphinx) -> None:
    """generated/KEY.md for every paper, generated/coverage.md, and a folder for the commands of the tutorials; nothing
    of it is part of the repository.
    """
    folder = pathlib.Path(app.srcdir) / "generated"
    shutil.rmtree(folder / "work", ignore_errors=True)  # where the commands of the tutorials run
    (folder / "work").mkdir(parents=True)
    for program in (DOCS / "tutorials").glob("*.py"):
        shutil.copy(program, folder / "work")
    made = {key: statements.page(all_papers()[key], claims) for key, claims in audited().items()}
    made["coverage"] = coverage.markdown(coverage.coverage())
    files = {folder / f"{name}.md": text for name, text in made.items()}
    for path, text in {**files, **errata.written(folder)}.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def audited() -> dict[str, list[Claim]]:
    """The statements of each paper that has some."""
    rows = select()
    return {key: found for key in all_papers() if (found := [row for row in rows if row.paper == key])}


def counts() -> dict[str, int]:
    """Numbers that pages mention."""
    return registered()


def extend(app: Sphinx, name: str, source: list[str]) -> None:
    """A paper's page links to all its statements; an experiment's page has its curves, if any, above its verdicts."""
    keys = [key for key in audited() if all_papers()[key].page == f"docs/{name}.md"]
    if keys:
        links = ", ".join(f"[{key}](generated/{key}.md)" for key in keys)
        source[0] += (
            f"\n## All statements\n\n{links}: hypotheses, place, proof, and the command that checks each statement.\n"
        )
    if name == "reference/methods":
        rows = [(f"`{method}`", kind.summary) for method, kind in all_methods().items()]
        source[0] = source[0].replace("<!-- the methods, from the registry -->", table(("method", "what it is"), rows))
        source[0] += (
            "\n## Every method, as it runs\n\nEach file begins with the problem, the notation, the assumptions and the "
            "guarantee. The lines of the paper follow, each with its number.\n"
        )
        for file in sorted({METHODS.places[method].below for method in all_methods()}):
            source[0] += f"\n:::{{dropdown}} {file}\n```{{literalinclude}} ../../{file}\n:language: python\n```\n:::\n"
    if name == "baselines":
        above, head, below = source[0].partition("\n| statement |")
        rows = [
            (f"`{method}`", kind.summary)
            for method, kind in all_methods().items()
            if METHODS.places[method].below.startswith("extras/baselines/") and f"`{method}`" not in above
        ]
        source[0] = above + ("\n" + table(("method", "what it is"), rows) + "\n" if rows else "") + head + below
    if name == "ports-methods":
        about = load().flags | NEW
        rows = [(f"`{flag}`", about[flag].bug, about[flag].effect) for flag in WAYS]
        source[0] = source[0].replace("<!-- the flags, from the registry -->", table(("flag", "bug", "effect"), rows))
        if further := undescribed(source[0] + (DOCS / "ports.md").read_text(encoding="utf-8")):
            source[0] += "\n" + table(("method", "state", "init", "step"), further) + "\n"
    if name == "errata":
        listed = errata.index(errata_statements())
        source[0] = source[0].replace("<!-- the statements, from extras/errata -->", listed)
    if name == "sharpen":
        source[0] = source[0].replace("<!-- the rates, from rates.tar.xz -->", rates())
    if name == "speed":
        grid = pictures.first_table(source[0].partition("## A grid of problems\n")[2], "?")
        source[0] = source[0].replace("<!-- the times, from the table of the grid -->", times(grid))
    if name == "experiments":
        source[0] += (
            "\nThe full results are in the [data release](data.md).\n\n"
            "```{toctree}\n:hidden:\n:glob:\n\nexperiments/*\n```\n"
        )
    if name.startswith("experiments/"):
        source[0] = SENTENCES.sub(lambda found: with_signs(found[0]), source[0])
        before, verdicts, measured = source[0].partition("## Measured\n")
        picture = pictures.of_table(name, pictures.first_table(measured))
        source[0] = before.replace("## Verdicts\n", f"{picture}\n## Verdicts\n", 1) + verdicts + measured


def table(columns: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """A table in Markdown.

    >>> table(("a", "b"), [("1", "|x|")])
    '| a | b |\\n| --- | --- |\\n| 1 | \\\\|x\\\\| |'
    """
    cells = ([cell.replace("|", "\\|") for cell in row] for row in rows)
    return "\n".join(f"| {' | '.join(row)} |" for row in (columns, ["---"] * len(columns), *cells))


def rates() -> str:
    """A panel for each claim: the published, the refuted and the proved rate over K for n = 2, from the kept files."""
    rows = []
    for bracket, claim in sorted(kept(DOCS / "rates.tar.xz"), key=lambda pair: (pair[1], -pair[0].task.lam)):
        if bracket.task.n == 2:
            row = row_of(bracket, (), claim)
            numbers = [Fraction(row["K"]), *rates_of(row)]
            rows.append([claim.removeprefix("baselines."), *(f"{float(x):.9g}" for x in numbers)])
    return pictures.of_table("rates", pictures.Table("rate of one step, n = 2", ["method", "K", *COLUMNS], rows))


def times(table: pictures.Table) -> str:
    """Our time against that of the fastest other solver: a mark for each problem, below the line where ours is less."""
    rows = [dict(zip(table.columns, row)) for row in table.rows]
    with rc_context({**pictures.STYLE, "svg.hashsalt": "times"}):
        figure = Figure(figsize=(7.2, 5.4), layout="constrained")
        axes = figure.subplots()
        for k, loss in enumerate(sorted({row["loss"] for row in rows})):
            x, y = ([float(row[column]) for row in rows if row["loss"] == loss] for column in ("its ms", "ms"))
            axes.loglog(x, y, pictures.MARKS[k], color=pictures.COLOURS[k], label=loss)
        ends = axes.get_xlim()
        axes.plot(ends, ends, color=pictures.INK, linewidth=0.8, label="equal")
        axes.set_xlim(ends)
        axes.set_xlabel("the fastest other solver, CPU milliseconds to a relative gap of 1e-6")
        axes.set_ylabel("dualgap, certified")
        axes.legend()
        return pictures.as_figure(figure, "times", "times of dualgap and of the fastest other solver")
