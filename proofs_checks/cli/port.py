"""The command ``port``: a port in another language to begin with."""

import argparse
from pathlib import Path

from dualgap.proofs_checks.cli.commands import Commands
from dualgap.proofs_checks.report.screen import say
from dualgap.proofs_checks.report.terminal import input_errors, print_lines


def add_port(commands: Commands) -> None:
    """dualgap port new LANGUAGE [--name NAME] [--out DIR]."""
    text = (
        "write a port that answers start, echo and stop, skips the rest, and is ready for continuous integration"
        " (docs/ports.md)"
    )
    command = commands.add_parser("port", help=text, description=text, allow_abbrev=False)
    command.set_defaults(run=port)
    command.add_argument("action", choices=("new",), help="what to do")
    command.add_argument(
        "language", metavar="LANGUAGE", help="c, cpp, go, java, javascript, julia, r, rust or typescript"
    )
    command.add_argument(
        "--name", metavar="NAME", default="my-port", help="small letters, digits and hyphens (default my-port)"
    )
    command.add_argument("--out", metavar="DIR", help="default: ./NAME")


def port(given: argparse.Namespace) -> int:
    """Exit 0 when every file is written."""
    from dualgap.proofs_checks.conformance.ports.skeleton import write_port

    with input_errors():
        folder = Path(given.out or given.name)
        written = write_port(given.language, given.name, folder)
    print_lines(map(str, written))
    say("\nNext: dualgap conform -- {}/run", folder)
    return 0
