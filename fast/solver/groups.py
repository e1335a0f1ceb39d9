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
    """When a run of ``solve`` ends. A parameter that is None has its default.

    Parameters
    ----------
    tol : >= 0; the run ends when gap_bound is at most tol, or at most rtol |P|, whichever is met first. The default is
        1e-6, or 0 if rtol is given.
    rtol : >= 0; see tol. The default is 0.
    max_epochs : >= 0; the passes that the run may make. The default is 1000.
    max_seconds : > 0; the seconds that the run may take. The default is no limit.

    Raises
    ------
    ValueError
        A value is not of its kind or out of its range.

    Examples
    --------
    >>> Stop(rtol=1e-3, max_seconds=60)
    Stop(tol=None, rtol=0.001, max_epochs=None, max_seconds=60)
    """

    tol: float | None = None
    rtol: float | None = None
    max_epochs: int | None = None
    max_seconds: float | None = None

    def __post_init__(self) -> None:
        require(RULES, vars(self))


@dataclass(frozen=True)
class Save:
    """Where a run of ``solve`` is kept, so that it can go on.

    Parameters
    ----------
    checkpoint : a file to which the run is written at every certificate and when it is interrupted.
    resume : whether the run continues from that file where it exists. The default is False.

    Raises
    ------
    ValueError
        A value is not of its kind.

    Examples
    --------
    >>> Save("run.ckpt", resume=True)
    Save(checkpoint='run.ckpt', resume=True)
    """

    checkpoint: str | os.PathLike[str] | None = None
    resume: bool | None = None

    def __post_init__(self) -> None:
        require(RULES, vars(self))


GROUPS: dict[str, type[Stop] | type[Save]] = {"stop": Stop, "save": Save}


def spread(options: Mapping[str, object]) -> dict[str, Any]:
    """The options with what ``stop`` and ``save`` say instead of the two. A text as ``stop`` stays: it is the option of
    that name of method aspdc-i.

    Raises
    ------
    ValueError
        A group is of another type, or a parameter is given both by its own name and in its group.

    Examples
    --------
    >>> spread({"seed": 3, "tol": None, "stop": Stop(tol=1e-3)})
    {'seed': 3, 'tol': 0.001}
    """
    found = {name: value for name, value in options.items() if name not in GROUPS or _of_method(name, value)}
    for name, kind in GROUPS.items():
        group = options.get(name)
        if group is None or _of_method(name, group):
            continue
        names = ", ".join(field.name for field in fields(kind))
        warnings.warn(
            f"{name}={kind.__name__}(...) will leave in the next version: give {names} by their own names",
            DeprecationWarning,
            stacklevel=4,  # who called ``solve``, past ``in_own_context``
        )
        if not isinstance(group, kind):
            raise ValueError(f"{name} must be a {kind.__name__}, or None (got {group!r})")
        for said in (field.name for field in fields(kind)):
            value, other = getattr(group, said), found.get(said)
            if value is not None and other is not None:
                raise ValueError(
                    f"{said} is given twice, as {said}={other!r} and as {name}={kind.__name__}({said}={value!r}): leave"
                    " one of them out"
                )
            if value is not None:
                found[said] = value
    return found


def _of_method(name: str, value: object) -> bool:
    """Return whether a value is an option of a method, not a group."""
    return name == "stop" and isinstance(value, str)
