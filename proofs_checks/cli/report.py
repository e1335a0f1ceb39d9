"""The command ``report``: the page of an audit, made again from what the audit left in its folder."""

import argparse

from dualgap.proofs_checks.cli.commands import Commands
from dualgap.proofs_checks.report.screen import say
from dualgap.proofs_checks.report.terminal import FAILED, Refused, input_errors


def add_report(commands: Commands) -> None:
    """dualgap report [DIR] [--compare OLD]."""
    text = "make report.html again from the report.json of an audit, compared with an earlier one if you like"
    command = commands.add_parser("report", help=text, description=text, allow_abbrev=False)
    command.set_defaults(run=report)
    command.add_argument(
        "folder", metavar="DIR", nargs="?", default="dualgap-report", help="of the audit (default: ./dualgap-report)"
    )
    command.add_argument(
        "--compare", metavar="OLD", help="folder or report.json of an earlier audit: what is new since then"
    )


def report(given: argparse.Namespace) -> int:
    """Exit 0 when the page is written."""
    from dualgap.proofs_checks.report import report as page
    from dualgap.proofs_checks.report import templating

    if not templating.available():
        raise Refused(templating.MISSING)
    with input_errors():
        found, before = page.read(given.folder), page.read(given.compare) if given.compare else None
        path = page.write(found, given.folder, before)
    if path is None:
        return FAILED
    say("{}", path)
    return 0
