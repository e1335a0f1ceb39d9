"""The parser to which every command adds its own, the commands of extras, and other people's packages."""

import argparse
import difflib
import re
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stdout
from types import ModuleType
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from dualgap.proofs_checks.report.screen import line
from dualgap.proofs_checks.report.terminal import USAGE, input_errors, one_line_warnings

SYNONYMS = {"--fast": "--quick", "--slow": "--full"}


class Parser(argparse.ArgumentParser):
    """An ArgumentParser whose refusals are one line, with the nearest name for a word that it does not know."""

    def parse_args(self, args=None, namespace=None):  # type: ignore[no-untyped-def]
        """The arguments; words that are left over are refused by the parser of their command."""
        found, unknown = self.parse_known_args(args, namespace)
        if unknown:
            command = self.subcommands().get(getattr(found, "command", ""), self)
            command.error(f"unrecognized arguments: {' '.join(unknown)}")
        return found

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """The arguments, and the words that are left over. The words are kept for ``error``."""
        self._given = list(args or ())
        return super().parse_known_args(args, namespace)

    def error(self, message: str) -> NoReturn:
        """Wrong usage: one line, exit 2. A misspelt option is named before a required one that is then missing."""
        if message.startswith("the following arguments are required"):
            options = [word.partition("=")[0] for word in getattr(self, "_given", ()) if word.startswith("--")]
            unknown = [option for option in options if option not in self._option_string_actions and option != "--"]
            message = f"unrecognized arguments: {unknown[0]}" if unknown else message
        self.exit(USAGE, f"{self.prog}: {line(message)}{self._meant(message)}; see {self.prog} --help\n")

    def subcommands(self) -> "dict[str, Parser]":
        """Return the parsers of the commands of this parser by name."""
        choices = [action.choices for action in self._actions if isinstance(action, argparse._SubParsersAction)]
        return dict(choices[0]) if choices else {}

    def _meant(self, message: str) -> str:
        """The known word that is nearest to the unknown one, as a question; "" if none is near."""
        found = re.match(
            r"unrecognized arguments: (--[^ =]+)|argument (?:COMMAND|KIND): invalid choice: '([^']*)'", message
        )
        if found is None:
            return ""
        word, known = found[1] or found[2], [*self._option_string_actions, *self.subcommands()]
        near = [SYNONYMS.get(word, ""), *difflib.get_close_matches(word, known, 1)]
        return next((f"; did you mean {name}" for name in near if name in known), "")


if TYPE_CHECKING:
    Commands: TypeAlias = argparse._SubParsersAction[Parser]
else:
    Commands = argparse.Action


def further() -> list[ModuleType]:
    """The files ``command*.py`` of extras.

    Each has BEFORE, the command that follows in the list of all; ``add``, which gives argparse the command; and
    REPLAYS, kinds of files that ``dualgap replay`` reads with a function of theirs.

    >>> [command.BEFORE for command in further()]
    ['replay', 'replay']
    """
    from dualgap.reference.problem.registry import modules_of_extras

    return list(modules_of_extras("command"))


def further_replays() -> dict[str, Callable[[str], int]]:
    """Kind of file to the function that evaluates it again, an exit status."""
    return {kind: again for command in further() for kind, again in command.REPLAYS.items()}


@contextmanager
def surroundings(given: argparse.Namespace) -> Iterator[list[str]]:
    """Load other people's packages, whatever they print: standard output is for results. Gives the messages about
    requested files that could not be written (``one_line_warnings``).
    """
    from dualgap.proofs_checks.claims.plugins import load

    with one_line_warnings(f"dualgap {given.command}") as not_written:
        with input_errors(), redirect_stdout(sys.stderr):
            load(given.imports)
        yield not_written
