"""The option --report and the checks of files that commands share."""

import argparse
import os
import shlex
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from dualgap.proofs_checks.report.screen import note
from dualgap.proofs_checks.report.terminal import Refused

if TYPE_CHECKING:
    from dualgap.proofs_checks.report.pages import Page


def require_page(given: argparse.Namespace) -> None:
    """Raise Refused, before anything runs, if a requested page cannot be made or written."""
    from dualgap.proofs_checks.report import templating

    if given.report is None:
        return
    if not templating.available():
        raise Refused(templating.MISSING)
    require_place("--report", given.report)


def require_different(outputs: Mapping[str, str | None], *inputs: str | None) -> None:
    """Raises Refused if a file that an option writes is an input or the file of another option."""
    taken = {os.path.realpath(file): f"the input {file}" for file in inputs if file}
    for option, file in outputs.items():
        if file is None:
            continue
        if not file:
            raise Refused(f"{option} needs the name of a file (got '')")
        if (named := f"{option} {file}") != (other := taken.setdefault(os.path.realpath(file), named)):
            raise Refused(f"{other} and {named} need different files: name another file for {option}")


def require_place(option: str, file: str) -> None:
    """Raises Refused if the file that an option names cannot be written."""
    from dualgap.fast.data.atomic_file import require_writable

    try:
        require_writable(file)
    except OSError as error:
        raise Refused(
            f"{option} {file} cannot be written ({error.strerror or error}): name a file in a folder that exists and is"
            " yours"
        ) from None


def write_page(page: "Page", file: Any) -> bool:
    """Write the page and say where on standard error; False with a reason where that fails."""
    from dualgap.proofs_checks.report import pages, templating

    if not templating.available():
        note("{}", templating.MISSING)
        return False
    written = pages.write(page, file)
    if written:
        note("{}", file)
    return written


def command_of(given: argparse.Namespace) -> str:
    """The command as it was given."""
    return shlex.join(["dualgap", *given.words])
