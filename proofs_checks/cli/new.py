"""The command ``new``: write a package or a port to start from, or data in a folder."""

import argparse
from pathlib import Path

from dualgap.proofs_checks.cli.commands import Commands, Parser
from dualgap.proofs_checks.cli.data import add_data
from dualgap.proofs_checks.report.screen import say
from dualgap.proofs_checks.report.terminal import input_errors, print_lines


def add_new(commands: Commands) -> None:
    text = "write a package of your own (paper, method or loss), a port in another language, or data in a mapped folder"
    command = commands.add_parser("new", help=text, description=text, allow_abbrev=False)
    kinds = command.add_subparsers(dest="kind", required=True, metavar="KIND")
    words = "name of the package and of what it registers: lowercase letters, digits and hyphens"
    for kind in ("paper", "method", "loss"):
        _add_kind(
            kinds, kind, f"write a package with a {kind} that passes its tests and its audit (docs/plugins.md)", words
        )
    languages = "language of the port: c, cpp, go, java, javascript, julia, r, rust or typescript"
    text = "write a port that is ready for continuous integration (docs/ports.md)"
    port = _add_kind(kinds, "port", text, languages, "LANGUAGE")
    port.add_argument(
        "--name", dest="port", metavar="NAME", default="my-port", help="name of the port (default my-port)"
    )
    add_data(kinds)


def _add_kind(kinds: Commands, kind: str, text: str, words: str, symbol: str = "NAME") -> Parser:
    command = kinds.add_parser(kind, help=text, description=text, allow_abbrev=False)
    command.set_defaults(run=port if kind == "port" else new)
    command.add_argument("name", metavar=symbol, help=words)
    command.add_argument("--out", metavar="DIR", help="write to the folder DIR (default: ./NAME)")
    return command


def new(given: argparse.Namespace) -> int:
    """Exit 0 if all files are written."""
    from dualgap.proofs_checks.claims.templates.new_package import write_package

    with input_errors():
        folder = Path(given.out or given.name)
        written = write_package(given.kind, given.name, folder)
    print_lines(map(str, written))
    say("\nNext: pip install -e {0}, python -m pytest {0}, dualgap audit {1}", folder, given.name)
    return 0


def port(given: argparse.Namespace) -> int:
    """Write the skeleton of a port. Exit 0 if all files are written."""
    from dualgap.proofs_checks.conformance.ports.skeleton import write_port

    with input_errors():
        folder = Path(given.out or given.port)
        written = write_port(given.name, given.port, folder)
    print_lines(map(str, written))
    say("\nNext: dualgap conform -- {}/run", folder)
    return 0
