"""Brackets as plain data, compared with the published rates; and the brackets of an archive of rate files."""

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
