"""Run an experiment cell by cell, resume it where it stopped, and write what it found.

The folder of an experiment holds ``cells.jsonl`` (a line for every finished cell, written when it finishes),
``summary.json``, ``summary.md``, one SVG for every figure and ``index.html``; ``optima.json`` with its vectors where
the experiment needs optimal values (``experiments.optima``). A run resumes from ``cells.jsonl`` where the
options are the same; lines of other options, or cut off by a crash, are left alone and not used.
"""

import json
import os
import pathlib
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any, BinaryIO

from dualgap.fast.data import bounded_file
from dualgap.fast.data.atomic_file import appending, write_text
from dualgap.proofs_checks import experiments as ex
from dualgap.proofs_checks.claims import parallel
from dualgap.proofs_checks.claims.strict_json import Json, each, finite, json_text
from dualgap.proofs_checks.experiments import optima
from dualgap.proofs_checks.report import drawing, pages, templating

LONGEST_FILE = 2**28  # bytes of cells.jsonl

Progress = Callable[[str, int, int], None]


def reproduce(
    name: str, experiment: ex.Experiment, options: ex.Options, folder: pathlib.Path, progress: Progress, jobs: int = 1
) -> tuple[ex.Summary | None, int, int]:
    """Run what is not there yet, with several ``jobs`` so many cells at a time: the same, except for the seconds that a
    cell takes.

    Returns
    -------
    (summary, finished, total)
        The summary is None after an interrupt; what is finished is in the folder, and the next call continues from
        there.
    """
    folder.mkdir(parents=True, exist_ok=True)
    cells, path = experiment.cells(options), folder / "cells.jsonl"
    done = dict(_finished(path, options))
    try:
        with appending(path) as file, optima.kept_in(folder):
            if path.stat().st_size and not _ends_a_line(file):
                file.write(b"\n")  # the line before was cut off
            for cell, result in _results(
                name, experiment, [c for c in cells if _key(c) not in done], options, folder, jobs
            ):
                if result is None:
                    progress(experiment.describe(cell), len(done), len(cells))
                    continue
                done[_key(cell)] = result
                file.write(
                    (
                        json.dumps(finite({"options": options, "cell": cell, "result": result}), allow_nan=False) + "\n"
                    ).encode()
                )
                file.flush()
    except KeyboardInterrupt:
        return None, sum(_key(cell) in done for cell in cells), len(cells)
    summary = experiment.summary([(cell, done[_key(cell)]) for cell in cells], options)
    write(name, experiment, summary, options, folder)
    return summary, len(cells), len(cells)


def _results(
    name: str, experiment: ex.Experiment, cells: list[ex.Cell], options: ex.Options, folder: pathlib.Path, jobs: int
) -> Iterator[tuple[ex.Cell, dict[str, object] | None]]:
    """(cell, None) at its start, (cell, result) at its end. Raises RuntimeError where a process has ended twice."""
    if jobs == 1 and not parallel.on_cluster():
        for cell in cells:
            yield cell, None
            yield cell, _timed(experiment, cell, options)
        return
    work = parallel.Each(_Cell(name, options, folder))
    with parallel.SideBySide(work, cells, [(number,) for number in range(len(cells))], jobs) as running:
        for event in running.events():
            if isinstance(event, parallel.Lost):
                raise RuntimeError(f"{experiment.describe(cells[event.number])}: {event.reason}")
            yield cells[event.number], event.result if isinstance(event, parallel.Finished) else None


@dataclass(frozen=True)
class _Cell:
    """What runs a cell in another process, which knows the experiment by its name."""

    name: str
    options: ex.Options
    folder: pathlib.Path

    def __call__(self, cell: ex.Cell) -> Json:
        with optima.kept_in(self.folder if self.folder.is_dir() else None):
            return _timed(ex.experiments()[self.name], cell, self.options)


def _timed(experiment: ex.Experiment, cell: ex.Cell, options: ex.Options) -> dict[str, object]:
    started = time.perf_counter()
    result = experiment.run(cell, options)
    return {**result, "cell_seconds": time.perf_counter() - started}


def _ends_a_line(file: BinaryIO) -> bool:
    file.seek(-1, os.SEEK_END)
    return file.read(1) == b"\n"


def _key(cell: ex.Cell) -> str:
    return json.dumps(cell, sort_keys=True)


def _finished(path: pathlib.Path, options: ex.Options) -> Iterator[tuple[str, dict[str, object]]]:
    """The cells of these options that are in the file."""
    for line in bounded_file.read_bytes(path, LONGEST_FILE).splitlines() if path.exists() else []:
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(entry, dict) and entry.get("options") == json.loads(json.dumps(options)):
            yield _key(entry["cell"]), entry["result"]


# -- what is written ------------------------------------------------------------------------------------------


def write(name: str, experiment: ex.Experiment, summary: ex.Summary, options: ex.Options, folder: pathlib.Path) -> None:
    """summary.json, summary.md, the figures and index.html."""
    facts = {
        "schema": 1,
        "experiment": name,
        "title": experiment.title,
        "options": bare(options),
        "findings": [asdict(finding) for finding in summary.findings],
        "tables": [asdict(one) for one in summary.tables],
        "notes": list(summary.notes),
    }
    write_text(folder / "summary.json", json_text(facts))
    write_text(folder / "summary.md", markdown(name, experiment, summary, options))
    drawn = {}
    if drawing.available():
        drawn = {p.name: drawing.draw(f"{name}/{p.name}", p.paint, p.width, p.height) for p in summary.pictures}
        for picture, svg in drawn.items():
            write_text(folder / f"{picture}.svg", svg + "\n")
    if templating.available():
        pages.write(page(name, experiment, summary, options, drawn), folder / "index.html")


def claims_table(summary: ex.Summary) -> ex.Table:
    """The findings as a table."""
    rows = [(f.paper, f.measured, f.verdict) for f in summary.findings]
    return ex.Table("What the paper says and what was found", ("the paper", "measured here", "verdict"), rows)


def markdown(name: str, experiment: ex.Experiment, summary: ex.Summary, options: ex.Options) -> str:
    """The findings and the tables, to be put into a document."""
    lines = [f"# {name}", "", experiment.title, "", f"Options: {_words(options)}.", ""]
    for one in (claims_table(summary), *summary.tables):
        lines += [f"**{one.caption}**", "", "| " + " | ".join(one.columns) + " |", "|" + "---|" * len(one.columns)]
        lines += ["| " + " | ".join(cell.replace("|", "\\|") for cell in row) + " |" for row in one.rows] + [""]
    return "\n".join([*lines, *summary.notes]) + "\n"


def page(
    name: str, experiment: ex.Experiment, summary: ex.Summary, options: ex.Options, drawn: dict[str, str]
) -> pages.Page:
    """The same with the figures, as one page that needs no network and no script."""
    found = claims_table(summary)
    counts = [
        sum(f.verdict.startswith(verdict) for f in summary.findings)
        for verdict in (ex.REPRODUCED, ex.NOT_REPRODUCED, ex.CANNOT)
    ]
    missing = [] if drawn or not summary.pictures else ["The figures need matplotlib: pip install 'dualgap[cli]'."]
    alarming = [k for k, f in enumerate(summary.findings) if f.verdict.startswith(ex.NOT_REPRODUCED)]
    pictures = [(p.caption, drawn[p.name]) for p in summary.pictures if p.name in drawn]
    return pages.Page(
        name,
        f"dualgap reproduce {name}",
        experiment.title,
        [
            pages.Section(found.caption, table=(found.columns, found.rows), alarming=alarming),
            *([pages.Section("Figures", drawn=pictures)] if pictures else []),
            *(pages.Section(one.caption, table=(one.columns, one.rows)) for one in summary.tables),
            pages.Section("How it was measured", notes=[*summary.notes, *missing, f"Options: {_words(options)}."]),
        ],
        [(str(count), words) for count, words in zip(counts, ("reproduced", "not reproduced", "cannot be tested"))],
        [f"dualgap reproduce {name}"],
    )


def bare(value: object) -> Any:
    """Options as they are reported: only the name of a file, without its folders."""
    return each(value, lambda x: pathlib.PurePath(x).name if isinstance(x, str) else x)


def _words(options: ex.Options) -> str:
    return ", ".join(f"{name} = {value}" for name, value in bare(options).items()) or "none"
