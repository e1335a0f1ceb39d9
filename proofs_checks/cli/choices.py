"""``solve --choices FILE``: what a run draws, written down or made again (docs/ports.md)."""

import argparse
import os
from typing import TYPE_CHECKING

from dualgap.proofs_checks.cli.method_options import method_options
from dualgap.proofs_checks.cli.pages import require_place
from dualgap.proofs_checks.report.terminal import input_errors

if TYPE_CHECKING:
    from dualgap.fast.solver.choices import Recorded, Replayed
    from dualgap.fast.solver.result import Result
    from dualgap.reference import Problem


def choices_of(given: argparse.Namespace) -> "Recorded | Replayed | None":
    """What draws instead of the method, where a file for it is named."""
    if given.choices is None:
        return None
    from dualgap.fast.solver.choices import Recorded, Replayed

    with input_errors():
        if given.checkpoint is not None or given.threads != 1 or isinstance(given.data, list):
            raise ValueError(
                "--choices requires one thread and one data set, and excludes --checkpoint: the file lists all choices"
                " in order"
            )
        if os.path.exists(given.choices):
            return Replayed(given.choices)
    require_place("--choices", given.choices)
    return Recorded()


def keep_choices(
    given: argparse.Namespace, recorder: "Recorded | Replayed", problem: "Problem", result: "Result"
) -> None:
    """Write the file after the run, or compare the run with the bits at its end; warn where it is not written."""
    from dualgap.fast.data.atomic_file import warn_not_written
    from dualgap.proofs_checks.conformance.ports import whole_runs

    with input_errors():
        try:
            whole_runs.keep_choices(given.choices, recorder, problem, result, method_options(given))
        except OSError as error:
            warn_not_written(given.choices, error)
