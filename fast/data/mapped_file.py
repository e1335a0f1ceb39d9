"""One .npy file, mapped read-only. Its header is checked, and a change of the file is noticed.

A mapping shows what the file holds now. If another process writes to it, or cuts it short, while a run reads it,
compiled code would read other places than those that were checked, or be ended by the system (SIGBUS). So size and
time of change are checked before and after every pass (``Stamp.require_unchanged``). What happens between two checks is
not noticed in time.
"""

import os
from typing import Any, NamedTuple

import numpy as np

from dualgap.fast.data.bounded_file import npy_header, open_regular
from dualgap.reference.problem.validate import InputChanged


class Stamp(NamedTuple):
    """A file, and its size and time of change when it was opened."""

    path: str
    size: int
    changed: int  # nanoseconds

    @classmethod
    def of(cls, path: str) -> "Stamp":
        """Return the present facts. Raises OSError if there is no such file."""
        found = os.stat(path)
        return cls(path, found.st_size, found.st_mtime_ns)

    def require_unchanged(self) -> None:
        """Raise InputChanged unless they are still the same."""
        try:
            now = Stamp.of(self.path)
        except OSError as error:
            raise InputChanged(
                f"{self.path} has vanished while it was in use ({error.strerror}); {WHAT_TO_DO}"
            ) from None
        if now != self:
            what = f"had {self.size} bytes and now has {now.size}" if now.size != self.size else "was written to"
            raise InputChanged(f"{self.path} has changed while it was in use: it {what}; {WHAT_TO_DO}")


WHAT_TO_DO = "write the folder again, leave it alone while it is read, and start again"


def open_array(path: str, dtype: str) -> Any:
    """Map the array of a file, one-dimensional and of that dtype.

    Raises
    ------
    ValueError
        There is no such array in the file, or the file is longer or shorter than its header says.
    """
    try:
        with open_regular(path) as file:
            kind, shape, _ = npy_header(file)
            begin, size = file.tell(), os.fstat(file.fileno()).st_size
            if kind != dtype or len(shape) != 1:
                raise ValueError(f"it holds {shape} {kind}, not (...,) {dtype}")
            if size != (expected := begin + kind.itemsize * shape[0]):
                raise ValueError(f"it has {size} bytes, not {expected}")
            return np.memmap(file, kind, "r", begin, shape)
    except OSError as error:
        raise ValueError(f"{path} cannot be mapped ({error.strerror}); write the folder again") from None
    except ValueError as error:
        raise ValueError(f"{path} is damaged: {error}; write the folder again") from None
