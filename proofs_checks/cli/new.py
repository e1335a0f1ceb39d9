"""The command ``new``: a package of one's own to begin with."""

import argparse
from pathlib import Path

from dualgap.proofs_checks.cli.commands import Commands
from dualgap.proofs_checks.report.screen import say
from dualgap.proofs_checks.report.terminal import input_errors, print_lines


def add_new(commands: Commands) -> None:
    """dualgap new paper|method|loss NAME [--out DIR]."""
    text = (
        "write a package with a paper, a method or a loss of your own, which passes its tests and its audit"
        " (docs/plugins.md)"
    )
    command = commands.add_parser("new", help=text, description=text, allow_abbrev=False)
    command.set_defaults(run=new)
    command.add_argument("kind", choices=("paper", "method", "loss"), help="what it is about")
    command.add_argument(
        "name",
        metavar="NAME",
        help="name of the package, its method, loss and claims: lowercase letters, digits and hyphens",
    )
    command.add_argument("--out", metavar="DIR", help="default: ./NAME")


def new(given: argparse.Namespace) -> int:
    """Exit 0 when every file is written."""
    from dualgap.proofs_checks.claims.templates.new_package import write_package

    with input_errors():
        folder = Path(given.out or given.name)
        written = write_package(given.kind, given.name, folder)
    print_lines(map(str, written))
    say("\nNext: pip install -e {0}, python -m pytest {0}, dualgap audit {1}", folder, given.name)
    return 0
