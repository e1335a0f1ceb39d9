"""Run an experiment cell by cell, resume it where it stopped, and write what it found.

The folder of an experiment holds ``cells.jsonl`` (a line for every finished cell, written when it finishes),
``summary.json``, ``summary.md`` and one SVG for every figure. A run resumes from ``cells.jsonl`` where the options are
the same; lines of other options, or cut off by a crash, are left alone and not used.
"""

import json
import math
import os
import pathlib
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Any, BinaryIO

from dualgap.fast.data import bounded_file
from dualgap.fast.data.atomic_file import appending, write_text
from dualgap.proofs_checks import experiments as ex
from dualgap.proofs_checks.claims.strict_json import each, finite, json_text
from dualgap.proofs_checks.report import drawing

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LONGEST_FILE = 2**28  # bytes of cells.jsonl
WIDTH, HEIGHT = 5.2, 3.2  # of a figure, in inches
COLOURS = ("#2b4c73", "#b5482f", "#b98a1d", "#2f6b4f", "#7a5a8c", "#5b9aa8", "#8b6f4e", "#c2577e", "#9aa63c", "#3a3a3a")
FRAME = 1e4  # times the first value
DASHES = ("-", "--", "-.", ":")  # lines may lie on each other


def reproduce(
    experiment: ex.Experiment, options: ex.Options, folder: pathlib.Path, progress: Callable[[str, int, int], None]
) -> tuple[ex.Summary | None, int, int]:
    """Run the cells that the folder does not have, and write what was found.

    Returns
    -------
    (summary, finished, total)
        The summary is None after an interrupt; what is finished is in the folder, and the next call continues from
        there.
    """
    folder.mkdir(parents=True, exist_ok=True)
    cells, path = experiment.cells(options), folder / "cells.jsonl"
    done = dict(finished(path, options))
    try:
        with appending(path) as file:
            if path.stat().st_size and not _ends_a_line(file):
                file.write(b"\n")  # the line before was cut off
            for cell in (cell for cell in cells if _key(cell) not in done):
                progress(", ".join(f"{name} {value}" for name, value in cell.items()), len(done), len(cells))
                started = time.perf_counter()
                result = experiment.run(cell, options)
                result = {**result, "cell_seconds": time.perf_counter() - started}
                done[_key(cell)] = result
                line = json.dumps(finite({"options": options, "cell": cell, "result": result}), allow_nan=False)
                file.write(f"{line}\n".encode())
                file.flush()
    except KeyboardInterrupt:
        return None, sum(_key(cell) in done for cell in cells), len(cells)
    summary = experiment.summary([(cell, done[_key(cell)]) for cell in cells], options)
    write(experiment, summary, options, folder)
    return summary, len(cells), len(cells)


def _ends_a_line(file: BinaryIO) -> bool:
    file.seek(-1, os.SEEK_END)
    return file.read(1) == b"\n"


def _key(cell: ex.Cell) -> str:
    return json.dumps(cell, sort_keys=True)


def finished(path: pathlib.Path, options: ex.Options) -> Iterator[tuple[str, dict[str, object]]]:
    """The cells of these options that are in the file."""
    for line in bounded_file.read_bytes(path, LONGEST_FILE).splitlines() if path.exists() else []:
        try:
            entry = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(entry, dict) and entry.get("options") == json.loads(json.dumps(options)):
            yield _key(entry["cell"]), entry["result"]


# -- what is written ------------------------------------------------------------------------------------------


def write(experiment: ex.Experiment, summary: ex.Summary, options: ex.Options, folder: pathlib.Path) -> None:
    """summary.json, summary.md and the figures."""
    pictures = summary.pictures if drawing.available() else ()
    for one in pictures:
        svg = drawing.draw(f"{folder.name}/{one.name}", partial(paint, picture=one), WIDTH, HEIGHT)
        write_text(folder / f"{one.name}.svg", svg + "\n")
    facts = {
        "schema": 1,
        "experiment": folder.name,
        "title": experiment.title,
        "options": bare(options),
        "findings": [asdict(finding) for finding in summary.findings],
        "tables": [asdict(one) for one in summary.tables],
    }
    write_text(folder / "summary.json", json_text(facts))
    words = ", ".join(f"{name} = {value}" for name, value in bare(options).items()) or "none"
    lines = [f"# {folder.name}", "", experiment.title, "", f"Options: {words}.", ""]
    for table in (claims_table(summary), *summary.tables):
        lines += [f"**{table.caption}**", "", _row(table.columns), "|" + "---|" * len(table.columns)]
        lines += [*map(_row, table.rows), ""]
    lines += [f"![{one.caption}]({one.name}.svg)\n" for one in pictures]
    write_text(folder / "summary.md", "\n".join(lines))


def _row(cells: Any) -> str:
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def paint(axes: "Axes", picture: ex.Picture) -> None:
    """The lines of a figure with their bands."""
    for k, (name, line) in enumerate(picture.lines.items()):
        known = {x: band for x, band in line.items() if band.middle < math.inf}
        low, middle, high = ([max(band[part], picture.floor) for band in known.values()] for part in range(3))
        top = 10 * max(middle) if picture.cap is None else picture.cap
        colour, marker = COLOURS[k % len(COLOURS)], "." if picture.cap else None
        axes.plot(list(known), middle, DASHES[k % len(DASHES)], color=colour, label=name, marker=marker)
        axes.fill_between(list(known), low, [min(value, top) for value in high], color=colour, alpha=0.18, linewidth=0)
        never = [x for x in line if x not in known and picture.cap]
        axes.plot(never, [top * 1.2**k] * len(never), "x", color=colour)  # above each other
    axes.set_yscale("log")
    if picture.cap:
        axes.set_xscale("log")
    else:  # a line that diverges leaves the frame
        start = max(next(iter(line.values())).middle for line in picture.lines.values())
        axes.set_ylim(top=min(axes.get_ylim()[1], FRAME * start))
    axes.set(xlabel=picture.x, ylabel=picture.y)
    axes.legend(fontsize=6.5)


def claims_table(summary: ex.Summary) -> ex.Table:
    """The findings as a table."""
    rows = [(f.paper, f.measured, f.verdict) for f in summary.findings]
    return ex.Table("What the paper says and what was found", ("the paper", "measured here", "verdict"), rows)


def bare(value: object) -> Any:
    """Options as they are reported: only the name of a file, without its folders."""
    return each(value, lambda x: pathlib.PurePath(x).name if isinstance(x, str) else x)
