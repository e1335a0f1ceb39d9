"""Brackets as plain data, and their page: proved, refuted and published rate over K, so that one sees if a paper is
tight.
"""

import json
import math
import pathlib
import tarfile
from collections.abc import Sequence
from fractions import Fraction

from dualgap.extras.sharpen.bracket import Bracket
from dualgap.extras.sharpen.certificate import PROVED, REFUTED, Record
from dualgap.extras.sharpen.published import CLAIMS
from dualgap.extras.sharpen.quantities import Task
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.report.charts import Chart, Curve
from dualgap.proofs_checks.report.pages import Page, Section

COLUMNS = ("published", "false below", "proved")


def row_of(found: Bracket, files: Sequence[str] = (), claim: str | None = None) -> Json:
    """A bracket, compared with the rate of a claim of ``CLAIMS``."""
    task = found.task
    row: Json = {"method": task.method, "options": task.options, "quantity": task.quantity, "n": task.n}
    row |= {"general": task.general, "spectral": None if task.spectral is None else str(task.spectral)}
    row |= {"K": str(task.R**2 / (task.n * task.lam * task.gamma)), "false_below": str(found.low)}
    row |= {"proved": None if found.high is None else str(found.high), "files": list(files)}
    row["width"] = None if found.high is None else float(found.high - found.low)
    if claim in CLAIMS:
        rate = CLAIMS[claim].rate(task.built(), task.problem())
        row["published"] = {"claim": claim, "rate": str(rate), "outcome": found.outcome(rate)}
    return row


def kept(archive: str | pathlib.Path) -> list[tuple[Bracket, str]]:
    """The brackets of an archive of rate files, each with every claim on its method, quantity and options."""
    found: dict[str, dict[str, Record]] = {}
    with tarfile.open(archive) as files:
        for member in files:
            if (opened := files.extractfile(member)) is not None:
                record = json.load(opened)
                found.setdefault(json.dumps(record["task"]), {})[record["kind"]] = record
    brackets = [Bracket(Task.from_json(json.loads(task)), of[REFUTED], of.get(PROVED)) for task, of in found.items()]
    return [
        (bracket, name)
        for name, claim in CLAIMS.items()
        for bracket in brackets
        if (bracket.task.method, bracket.task.quantity, bracket.task.options)
        == (claim.method, claim.quantity, claim.options)
    ]


def name_of(row: Json) -> str:
    """Method, options, class, quantity and n of a row."""
    options = "".join(f", {name} = {value}" for name, value in row["options"].items())
    options += ", any strongly convex g" * row["general"]
    options += "" if row["spectral"] is None else f", ||X||_2 <= {row['spectral']}"
    return f"{row['method']}{options}, quantity {row['quantity']}, n = {row['n']}"


def rates_of(row: Json) -> list[Fraction | float]:
    """The rates of ``COLUMNS``; NaN where there is none."""
    texts = [row["published"]["rate"] if "published" in row else None, row["false_below"], row["proved"]]
    return [math.nan if text is None else Fraction(text) for text in texts]


def page(rows: Sequence[Json], command: str) -> Page:
    """The page of one command: a figure for each method and n, and the table of all rows."""
    groups: dict[str, list[Json]] = {}
    for row in sorted(rows, key=lambda row: Fraction(row["K"])):
        groups.setdefault(name_of(row), []).append(row)
    closed = sum(row["width"] == 0 for row in rows)
    lead = "Every rate below the lower curve is false. The upper end is proved. Where they meet, this is the best rate."
    table = [[name_of(row), row["K"], *("" if x != x else f"{float(x):.9g}" for x in rates_of(row))] for row in rows]
    return Page(
        "dualgap sharpen",
        "dualgap sharpen",
        f"The best rate is known exactly in {closed} of {len(rows)} cases.",
        [
            Section("Rates over K", lead, [chart(name, group) for name, group in groups.items()]),
            Section("Every case", table=(["method", "K", *COLUMNS], table)),
        ],
        commands=[command],
    )


def chart(name: str, rows: Sequence[Json]) -> Chart:
    """The three rates over K = R^2/(n lam gamma)."""
    x, rates = [float(Fraction(row["K"])) for row in rows], [rates_of(row) for row in rows]
    columns = zip(COLUMNS, zip(*rates), ("stated", "other", "sharp"))
    curves = [Curve(label, x, [float(y) for y in values], role, marked=True) for label, values, role in columns]
    if any(published < below for published, below, _ in rates):
        said = "The published rate is false for some K"
    elif any(published > proved for published, _, proved in rates):
        said = "The published rate is not the best"
    elif all(published == below == proved for published, below, proved in rates):
        said = "The published rate is the best"
    else:
        said = "What is proved, and what is false"
    return Chart(f"{said} ({name})", "K = R²/(nλγ)", "rate of one step", curves, log_x=True)
