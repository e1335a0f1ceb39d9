"""The command ``reproduce``: a paper's experiment, run again."""

import argparse
import pathlib
from typing import Any

from dualgap.proofs_checks.claims.strict_json import read_json
from dualgap.proofs_checks.cli.numbers import number, whole
from dualgap.proofs_checks.experiments import Experiment, experiments
from dualgap.proofs_checks.experiments import reproduce as reproduction
from dualgap.proofs_checks.report.screen import say
from dualgap.proofs_checks.report.terminal import FAILED, input_errors, print_json, print_pairs, print_table, progress


def reproduce(given: argparse.Namespace) -> int:
    """Exit 0 when the experiment is complete, whatever it found; 1 when it was interrupted."""
    if given.name is None:
        return _list(experiments(), given.json)

    with input_errors() as commit, progress() as advance:
        if given.name not in experiments():
            raise ValueError(f"unknown experiment {given.name!r}; known: {', '.join(sorted(experiments()))}")
        experiment = experiments()[given.name]
        options = _options(experiment, given.changes)
        folder = pathlib.Path(given.out) / given.name
        folder.mkdir(parents=True, exist_ok=True)
        experiment.cells(options)  # bad options are refused before anything runs
        commit()
        summary, finished, total = reproduction.reproduce(experiment, options, folder, advance)
    if summary is None:
        text = f"interrupted after {finished} of {total} cells; repeat the command to continue"
        print_json({"experiment": given.name, "finished": finished, "total": total}) if given.json else say("{}", text)
        return FAILED
    if given.json:
        print_json(read_json(folder / "summary.json"))
        return 0
    say("{}", experiment.title)
    for table in (reproduction.claims_table(summary), *summary.tables):
        say("\n{}", table.caption)
        print_table(table.columns, table.rows)
    say("\n{}", folder / "summary.md")
    return 0


def _list(known: dict[str, Experiment], as_json: bool) -> int:
    if as_json:
        print_json({name: {"title": known[name].title, "options": known[name].defaults} for name in sorted(known)})
        return 0
    print_pairs([(name, known[name].title) for name in sorted(known)])
    return 0


def _options(experiment: Experiment, changes: list[str]) -> dict[str, object]:
    """The defaults with the changes, each value of the type that its default has."""
    options = dict(experiment.defaults)
    for change in changes:
        name, equals, text = change.partition("=")
        if not equals or name not in options:
            raise ValueError(f"--set takes OPTION=VALUE with OPTION one of {', '.join(options)} (got {change!r})")
        kind = type(options[name])
        try:
            options[name] = _value(kind, text, options[name])
        except ValueError:
            raise ValueError(f"option {name} must be like {options[name]!r} (got {text!r})") from None
    return options


def _value(kind: type, text: str, default: Any) -> Any:
    """Text as a value of a type; lists are separated by commas."""
    if kind is list:
        return [_value(type(default[0]), part, None) for part in text.split(",")]
    if kind is bool:
        return {"yes": True, "no": False}[text] if text in ("yes", "no") else _refuse()
    return {int: whole, float: number}.get(kind, kind)(text)


def _refuse() -> bool:
    raise ValueError
