"""Commands that stand in files ``command*.py`` of extras.

Each such file has BEFORE, the command that follows in the list of all; ``add``, which gives argparse the command;
REPLAYS, kinds of files that ``dualgap replay`` reads with a function of theirs; and ``stays``, what ``dualgap cache
--clear`` says of what it leaves.
"""

from collections.abc import Callable
from types import ModuleType

from dualgap.reference.problem.registry import modules_of_extras


def commands() -> list[ModuleType]:
    """Their modules.

    >>> [command.BEFORE for command in commands()]
    ['claims', 'report']
    """
    return list(modules_of_extras("command"))


def before(name: str) -> list[ModuleType]:
    """Those that stand in front of the command of that name."""
    return [command for command in commands() if command.BEFORE == name]


def replays() -> dict[str, Callable[[str], int]]:
    """Kind of file to the function that evaluates it again, an exit status."""
    return {kind: again for command in commands() for kind, again in command.REPLAYS.items()}
