"""The command ``new``: write a package or a port to start from, or data in a folder."""

import argparse
from pathlib import Path

from dualgap.proofs_checks.report.screen import say
from dualgap.proofs_checks.report.terminal import input_errors, print_lines


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
