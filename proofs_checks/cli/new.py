"""The commands ``new`` and ``port``, which write a package, or a port in another language, to start from."""

import argparse
from pathlib import Path

from dualgap.proofs_checks.cli.commands import Commands
from dualgap.proofs_checks.report.screen import say
from dualgap.proofs_checks.report.terminal import input_errors, print_lines


def add_new(commands: Commands) -> None:
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


def add_port(commands: Commands) -> None:
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
