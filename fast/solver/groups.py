"""The deprecated form of limits and checkpoints: as one argument each. They warn, and leave in the next version."""

import os
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any

from dualgap.fast.solver.parameters import CHECKPOINTS, SETTINGS, optional, require

RULES = {name: optional(rule) for name, rule in (SETTINGS | CHECKPOINTS).items()}


@dataclass(frozen=True)
class Stop:
    """Deprecated: limits of ``solve`` as one argument; give them by their own names.

    Parameters
    ----------
    tol, rtol, max_epochs, max_seconds : as for ``solve``.

    Raises
    ------
    ValueError
        A value is not of its kind or out of its range.
    """

    tol: float | None = None
    rtol: float | None = None
    max_epochs: int | None = None
    max_seconds: float | None = None

    def __post_init__(self) -> None:
        require(RULES, vars(self))


@dataclass(frozen=True)
class Save:
    """Deprecated: the checkpoint of ``solve`` as one argument; give its two parameters by their own names.

    Parameters
    ----------
    checkpoint, resume : as for ``solve``.

    Raises
    ------
    ValueError
        A value is not of its kind.
    """

    checkpoint: str | os.PathLike[str] | None = None
    resume: bool | None = None

    def __post_init__(self) -> None:
        require(RULES, vars(self))


LIMITS = tuple(one.name for one in fields(Stop))
GROUPS: dict[str, type[Stop] | type[Save]] = {"stop": Stop, "save": Save}


def spread(options: Mapping[str, object]) -> dict[str, Any]:
    """The options with the values of ``stop`` and ``save`` instead of the two. A text as ``stop`` stays: it is the
    option of that name of method aspdc-i.

    Raises
    ------
    ValueError
        A group is of another type, or a parameter is given both by its own name and in its group.
    """
    if not GROUPS.keys() & options.keys():
        return dict(options)
    found = {name: value for name, value in options.items() if name not in GROUPS or _of_method(name, value)}
    for name, kind in GROUPS.items():
        group = options.get(name)
        if group is None or _of_method(name, group):
            continue
        if not isinstance(group, kind):
            raise ValueError(f"{name} must be a {kind.__name__}, or None (got {group!r})")
        members = {one.name: getattr(group, one.name) for one in fields(kind)}
        words = (
            f"{name}={kind.__name__}(...) will leave in the next version: give {', '.join(members)} by their own names"
        )
        warnings.warn(words, DeprecationWarning, stacklevel=4)  # who called ``solve``, past ``in_own_context``
        for member, value in members.items():
            if value is not None and found.get(member) is not None:
                raise ValueError(
                    f"{member} is given twice, as {member}={found[member]!r} and as"
                    f" {name}={kind.__name__}({member}={value!r}): leave one of them out"
                )
        found |= {member: value for member, value in members.items() if value is not None}
    return found


def _of_method(name: str, value: object) -> bool:
    """Return whether a value is an option of a method, not a group."""
    return name == "stop" and isinstance(value, str)
