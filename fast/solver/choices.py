"""The choices of a run in a file: written while it runs, or taken from there by another run, which then makes the same
steps.

A line of JSON for the run ("method", "order", "seed", "n", "d" and what the caller adds), one for each pass ("pass",
"choices"), one for its end ("passes" and what the caller adds). The file is written as a whole when the run is over.
"""

import json
import os
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from dualgap.fast.data.atomic_file import replacing
from dualgap.fast.data.bounded_file import open_regular
from dualgap.reference.problem.problem import Problem
from dualgap.reference.problem.validate import InputChanged

SCHEMA = 1
LARGEST = 2**30  # bytes of a file that is read


class Recorded:
    """Hand it to ``solve`` as ``draw``: it keeps what each pass draws, ``used``, and the ``implementation``
    that drew.
    """

    def __init__(self) -> None:
        self.used: list[NDArray[np.int64]] = []
        self.implementation: Any = None

    def __call__(self, implementation: Any, problem: Problem, order: str, seed: int, epoch: int) -> NDArray[np.int64]:
        self.implementation = implementation
        self.used.append(implementation.draw(problem, order, seed, epoch))
        return self.used[-1]

    def write(self, path: str | os.PathLike[str], run: Mapping[str, object], end: Mapping[str, object]) -> None:
        """The file. Raises OSError if it cannot be written."""
        lines = [
            {"choices": SCHEMA, **run},
            *({"pass": k, "choices": one.tolist()} for k, one in enumerate(self.used)),
            {"passes": len(self.used), **end},
        ]
        with replacing(str(path)) as file:
            file.write("".join(json.dumps(line) + "\n" for line in lines).encode())


class Replayed:
    """Hand it to ``solve`` as ``draw``: each pass makes the choices of a file.

    Attributes
    ----------
    run, passes, end : the lines of the file.
    used : the passes that the run drew; implementation : what drew them.

    Raises
    ------
    ValueError
        The file cannot be read, or is no such file; later, if another method, order, seed or size asks, or for more
        passes than it has.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self.path = path
        self.used: list[NDArray[np.int64]] = []
        self.implementation: Any = None
        try:
            with open_regular(path, LARGEST) as file:
                self.run, *passes, self.end = [json.loads(line.decode("ascii")) for line in file]
            if (
                self.run["choices"] != SCHEMA
                or self.end["passes"] != len(passes)
                or [one["pass"] for one in passes] != list(range(len(passes)))
            ):
                raise ValueError("there must be one line for the run, one for each pass from 0, and one for the end")
            self.passes = [np.array(one["choices"], dtype=np.int64) for one in passes]
        except (OSError, ValueError, TypeError, KeyError, RecursionError, OverflowError) as error:
            raise ValueError(f"{path} is not a file of choices: {error}") from None

    def require(self, **asked: object) -> None:
        """Raise InputChanged, a ValueError, where the file is another run's."""
        for name, value in asked.items():
            if self.run.get(name) != value:
                raise InputChanged(
                    f"{self.path} has the choices of a run with {name} {self.run.get(name)!r}, not {value!r}; leave it"
                    " out, or name another file"
                )

    def __call__(self, implementation: Any, problem: Problem, order: str, seed: int, epoch: int) -> NDArray[np.int64]:
        self.require(method=implementation.name, order=order, seed=seed, n=problem.n, d=problem.d)
        if epoch >= len(self.passes):
            raise InputChanged(
                f"{self.path} has the choices of {len(self.passes)} passes, but the run needs more: give"
                " --max-epochs, or the tolerance of that run"
            )
        self.implementation = implementation
        outcomes, drawn = getattr(implementation, "reference", implementation).outcomes(problem), self.passes[epoch]
        if drawn.size and not (0 <= drawn.min() and drawn.max() < outcomes):
            raise InputChanged(
                f"{self.path}: the choices of pass {epoch} must lie in 0..{outcomes - 1} (got"
                f" {drawn.min()}..{drawn.max()})"
            )
        self.used.append(drawn)
        return self.used[-1]
