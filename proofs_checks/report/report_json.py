"""report.json, read back. A file of another shape is rejected with the place where it differs.

A shape is a type, a set of the values that are allowed, None, a tuple of shapes of which one must fit, a list of one
shape for all its items, or a dictionary of shapes: by name, where "*" stands for names that are not listed. Further
names are let through.
"""

import pathlib
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from dualgap.proofs_checks.claims.origins import KINDS
from dualgap.proofs_checks.claims.registry import ERROR, HOLDS, OPEN, REFUTED, UNDECIDED, VACUOUS
from dualgap.proofs_checks.claims.result import AuditReport, ClaimResult
from dualgap.proofs_checks.claims.strict_json import Json, parse_json, read_bytes

LONGEST = 256 * 2**20  # bytes: 5000 values of tightness for each of a thousand claims are 50 million
LARGEST = 2**256  # the entropy is drawn below 2**64, and a user's own may be larger

NUMBER, NUMBERS = (int, float), [(int, float, None)]
SERIES = {"*": {"*": (str, int, float, None, NUMBERS)}}
ROW = {
    **dict.fromkeys(
        ("id", "paper", "statement", "hypotheses", "place", "quote", "note", "proof", "control_text", "error"), str
    ),
    **dict.fromkeys(("statement_tex", "hypotheses_tex", "file", "gravity", "instead"), str),
    **dict.fromkeys(("instances", "violations", "vacuous", "undecided"), int),
    **dict.fromkeys(("evidence", "killed", "declared_kills", "unmet"), [str]),
    "kind": set(KINDS),
    "status": {HOLDS, REFUTED, OPEN, UNDECIDED, VACUOUS, ERROR},
    "expected": {HOLDS, REFUTED, OPEN},
    "control": {"caught", "missed", "vacuous", "none"},
    "counterexample": (str, None),
    "as_expected": bool,
    "seconds": NUMBER,
    "assumes": [{"text": str, "place": str}],
    "tightness": [NUMBER],
    "series": SERIES,
}
REPORT = {
    "schema": {2},
    "verdict": {"pass", "fail"},
    "claims": [ROW],
    "size": {"quick", "default", "full"},
    "entropy": int,
    "delta_total": NUMBER,
    "mutants": [str],
    "papers": {
        "*": {"name": str, "citation": str, "assessment": {"*": str}, "items": [{"label": str, "claims": [str]}]}
    },
    "interrupted": bool,
    "mutants_without_killer": [str],
    "not_run": [{"id": str, "reason": str}],
    "draw": {"differences": [str]},
    "seconds": NUMBER,
    "environment": {"compiled mathematics": str, "*": (str, {"*": str}, bool, None)},
}
CHAIN = [{"label": str, "sign": str, "holds": bool, "left": {"exact": str}, "right": {"exact": str}}]
COUNTEREXAMPLE = {"chain": CHAIN, "instance": {}}


def misfit(value: Any, shape: Any, place: str = "it") -> str | None:
    """Return a sentence about the first difference between value and shape; None if there is none.

    >>> misfit({"claims": [1, "x"]}, {"claims": [int]})
    "it.claims[1] must be int (got 'x')"
    """
    if isinstance(shape, tuple):
        return (
            None
            if any(misfit(value, one, place) is None for one in shape)
            else f"{place} has another shape (got {value!r:.60})"
        )
    if isinstance(shape, list):
        items = enumerate(value) if isinstance(value, list) else None
        return (
            f"{place} must be a list"
            if items is None
            else _first(misfit(item, shape[0], f"{place}[{k}]") for k, item in items)
        )
    if isinstance(shape, dict):
        if not isinstance(value, dict):
            return f"{place} must be an object"
        if missing := [name for name in shape if name != "*" and name not in value]:
            return f"{place} has no {missing[0]!r}"
        return _first(
            misfit(item, shape.get(name, shape.get("*", object)), f"{place}.{name:.40}") for name, item in value.items()
        )
    if isinstance(shape, set):
        return (
            None
            if isinstance(value, (str, int)) and value in shape
            else f"{place} must be one of {', '.join(map(str, sorted(shape)))} (got {value!r:.60})"
        )
    if shape is None:
        return None if value is None else f"{place} must be null (got {value!r:.60})"
    fits = isinstance(value, shape) and (shape in (bool, object) or not isinstance(value, bool))
    return None if fits else f"{place} must be {shape.__name__} (got {value!r:.60})"


def _first(found: Iterable[str | None]) -> str | None:
    return next((said for said in found if said is not None), None)


def read(path: str | pathlib.Path) -> AuditReport:
    """The report in a folder or a file, with the counterexamples next to it.

    Raises ValueError: there is no report, the file is not the report of an audit, or a counterexample that it names is
    missing or invalid.
    """
    file = pathlib.Path(path)
    file = file / "report.json" if file.is_dir() else file
    report: AuditReport | None = None
    try:
        found = parse_json(read_bytes(file, LONGEST), LARGEST)
        said = misfit(found, REPORT, "the report")
        report = None if said is not None else AuditReport.from_json(found)
    except OSError as error:
        raise ValueError(
            f"{file} cannot be read ({error.strerror}): give the folder of an audit, DIR of dualgap audit --out DIR"
        ) from None
    except ValueError as error:
        said = str(error)
    if said is not None or report is None:
        raise ValueError(f"{file} is not the report.json of an audit of this version ({said}): run dualgap audit again")
    return replace(report, claims=tuple(_beside(row, file) for row in report.claims))


def _beside(row: ClaimResult, file: pathlib.Path) -> ClaimResult:
    """The result with the path of its counterexample beside the report. Raises ValueError if missing or invalid."""
    if row.counterexample is None:
        return row
    beside = file.parent / pathlib.PurePath(row.counterexample).name
    if not beside.is_file():
        raise ValueError(f"{file.name} refers to {beside}, which does not exist: run dualgap audit again")
    counterexample(beside)
    return replace(row, counterexample=str(beside))


def counterexample(path: str | pathlib.Path) -> Json:
    """The record of a counterexample's file, as far as a page shows it. Raises ValueError if it is none."""
    try:
        record = parse_json(read_bytes(path), LARGEST)
        said = misfit(record, COUNTEREXAMPLE, "the record")
    except (OSError, ValueError) as error:
        said = str(getattr(error, "strerror", None) or error)
    if said is not None:
        raise ValueError(
            f"{path} is not the counterexample of an audit of this version ({said}): run dualgap audit again"
        )
    return dict(record)
