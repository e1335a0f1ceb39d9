"""What every command adds its own parser to."""

import argparse
from typing import TYPE_CHECKING, NoReturn, TypeAlias

from dualgap.proofs_checks.report.screen import line
from dualgap.proofs_checks.report.terminal import USAGE


class Parser(argparse.ArgumentParser):
    """An ArgumentParser whose refusals are one line."""

    def error(self, message: str) -> NoReturn:
        """Wrong usage: one line, exit 2."""
        self.exit(USAGE, f"{self.prog}: {line(message)}; see {self.prog} --help\n")


if TYPE_CHECKING:
    Commands: TypeAlias = argparse._SubParsersAction[Parser]
else:
    Commands = argparse.Action
