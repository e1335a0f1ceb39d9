"""The command ``new``, which writes a package, or a port in another language, to start from."""

import argparse
from pathlib import Path

from dualgap.proofs_checks.cli.commands import Commands
from dualgap.proofs_checks.report.screen import say
from dualgap.proofs_checks.report.terminal import Refused, input_errors, print_lines


def add_new(commands: Commands) -> None:
    text = (
        "write a package with a paper, a method or a loss of your own, which passes its tests and its audit"
        " (docs/plugins.md), or a port in another language that is ready for continuous integration (docs/ports.md)"
    )
    command = commands.add_parser("new", help=text, description=text, allow_abbrev=False)
    command.set_defaults(run=new)
    command.add_argument("kind", choices=("paper", "method", "loss", "port"), help="what to write")
    command.add_argument(
        "name",
        metavar="NAME|LANGUAGE",
        help=(
            "name of the package, its method, loss and claims: lowercase letters, digits and hyphens; of a port its"
            " language: c, cpp, go, java, javascript, julia, r, rust or typescript"
        ),
    )
    command.add_argument("--name", dest="port", metavar="NAME", help="name of a port (default my-port)")
    command.add_argument("--out", metavar="DIR", help="folder to write (default: ./NAME)")


def new(given: argparse.Namespace) -> int:
    """Exit 0 when every file is written."""
    if given.kind == "port":
        return port(given.name, "my-port" if given.port is None else given.port, given.out)
    if given.port is not None:
        raise Refused(f"--name is for ports: type dualgap new {given.kind} {given.port}")
    from dualgap.proofs_checks.claims.templates.new_package import write_package

    with input_errors():
        folder = Path(given.out or given.name)
        written = write_package(given.kind, given.name, folder)
    print_lines(map(str, written))
    say("\nNext: pip install -e {0}, python -m pytest {0}, dualgap audit {1}", folder, given.name)
    return 0


def port(language: str, name: str, out: str | None) -> int:
    """Write the skeleton of a port. Exit 0 when every file is written."""
    from dualgap.proofs_checks.conformance.ports.skeleton import write_port

    with input_errors():
        folder = Path(out or name)
        written = write_port(language, name, folder)
    print_lines(map(str, written))
    say("\nNext: dualgap conform -- {}/run", folder)
    return 0
