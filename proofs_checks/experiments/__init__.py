"""Experiments of papers: their definition, how they are run and resumed, and how results are written. The papers'
experiments themselves are in extras.

Claims and their evidence live in ``papers``; nothing there depends on what is measured here.
May import: claims, report, fast, reference.

An experiment is a list of cells, each a dictionary of plain values (method, lam, repetition, ...) that can be run
separately, and a summary of all results: tables, figures, and one finding for each published claim.
"""

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.reference.problem.registry import Registry

Cell = Json
Options = Json
Results = list[tuple[Cell, Json]]  # every cell and what its run returned

REPRODUCED, NOT_REPRODUCED, CANNOT = "reproduced", "not reproduced", "cannot be tested"
PAPER, CODE, READER = "paper", "code", "reader"


@dataclass(frozen=True)
class Finding:
    """One statement of a paper, our measurement, and the verdict with its reason.

    Attributes
    ----------
    paper : where it stands and what it says.
    measured, verdict : what was found.
    by : who says it: PAPER, CODE (it concerns the companion code), or READER (not stated; a reader of a figure might
        expect it).
    """

    paper: str
    measured: str
    verdict: str
    by: str = PAPER

    def __post_init__(self) -> None:
        if self.by not in (PAPER, CODE, READER):
            raise ValueError(f"by is {PAPER}, {CODE} or {READER} (got {self.by!r})")
        if not self.verdict.startswith((REPRODUCED, NOT_REPRODUCED, CANNOT)):
            raise ValueError(f"a verdict begins with {REPRODUCED}, {NOT_REPRODUCED} or {CANNOT} (got {self.verdict!r})")


@dataclass(frozen=True)
class Table:
    """A table of strings under its caption."""

    caption: str
    columns: Sequence[str]
    rows: Sequence[Sequence[str]]


class Quartiles(NamedTuple):
    """The quartiles of values of which some may be infinite; each is one of the values."""

    low: float
    middle: float
    high: float


@dataclass(frozen=True)
class Picture:
    """A figure: lines with bands on a logarithmic scale.

    Attributes
    ----------
    lines : name to the quartiles at each place of the x axis.
    x, y : what the axes show.
    floor : what is below is drawn there.
    cap : None: a line ends where its median is infinite. Else such a median is a cross at the cap or above, and the x
        axis is logarithmic.
    """

    name: str
    caption: str
    lines: Mapping[str, Mapping[float, Quartiles]]
    x: str = "passes"
    y: str = "P(w) − min P"
    floor: float = 1e-16
    cap: float | None = None


@dataclass(frozen=True)
class Summary:
    """The findings of an experiment."""

    findings: Sequence[Finding]
    tables: Sequence[Table]
    pictures: Sequence[Picture] = ()


@dataclass(frozen=True)
class Experiment:
    """One experiment of a paper.

    Attributes
    ----------
    title : what it shows, and where in the paper.
    defaults : its options, by name; ``dualgap reproduce --set NAME=VALUE`` changes one.
    cells : the units of work, given the options; equal options give equal cells.
    run : one cell's result, plain values only, given the cell and the options.
    summary : of all (cell, result) pairs, in the order of the cells.
    """

    title: str
    defaults: Options
    cells: Callable[[Options], list[Cell]]
    run: Callable[[Cell, Options], dict[str, object]]
    summary: Callable[[Results, Options], Summary]


EXPERIMENT_TABLE: Registry[Experiment] = Registry(
    "experiment", "dualgap.proofs_checks.experiments", attribute="EXPERIMENTS", extras="experiments"
)


def register_experiment(name: str, experiment: Experiment) -> Experiment:
    """Register an experiment of a paper of one's own: ``dualgap reproduce NAME`` runs it. Raises ValueError for a name
    that is taken.

    Parameters
    ----------
    name : by which ``dualgap reproduce`` finds it.
    experiment : what is run.
    """
    EXPERIMENT_TABLE.enter(name, experiment)
    return experiment


def experiments() -> dict[str, Experiment]:
    """All experiments by name: those in EXPERIMENTS of the files ``experiments*.py`` of extras, and other people's."""
    return EXPERIMENT_TABLE.complete()


def seed(*parts: object) -> int:
    """A seed in 0 .. 2^32 - 1 that depends on the parts alone: one for each repetition, whatever else is run.

    >>> seed("spdc-fig1", 0) == seed("spdc-fig1", 0) != seed("spdc-fig1", 1)
    True
    """
    return zlib.crc32("/".join(str(part) for part in parts).encode())
