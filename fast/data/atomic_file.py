"""Files that are replaced as a whole: the new content or the old one, whatever happens in between.

What is being written lies beside the file, under one name (``partial``), locked where the system can do that. A process
that is killed leaves it there, unlocked; the next one that starts removes it, or writes over it.
"""

import contextlib
import os
import warnings
from collections.abc import Iterator
from typing import BinaryIO

from dualgap.reference.problem.validate import FileNotWritten

try:
    import fcntl
except ImportError:  # Windows: two processes must not write one file there
    fcntl = None  # type: ignore[assignment]


def partial(path: str) -> str:
    """The name under which the next content of a file is written."""
    return f"{path}.part"


@contextlib.contextmanager
def replacing(path: str) -> Iterator[BinaryIO]:
    """A file to write to, which takes the place of ``path`` when the block ends, and vanishes where it ends in an error.

    >>> import tempfile
    >>> name = os.path.join(tempfile.mkdtemp(), "file")
    >>> with replacing(name) as file:
    ...     _ = file.write(b"whole")
    >>> os.path.getsize(name), os.path.exists(partial(name))
    (5, False)
    """
    file = _locked(partial(path), wait=True)
    assert file is not None
    with file:
        try:
            file.truncate()
            yield file
            file.flush()
            os.fsync(file.fileno())
            os.replace(partial(path), path)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(partial(path))
            raise


def write_text(path: str | os.PathLike[str], text: str) -> bool:
    """Put a text in the place of what the file held; where that cannot be done, warn, and return False."""
    try:
        with replacing(os.fspath(path)) as file:
            file.write(text.encode())
        return True
    except OSError as error:
        warn_not_written(path, error)
        return False


def warn_not_written(path: str | os.PathLike[str], error: OSError) -> None:
    """Say which file is missing, and why."""
    warnings.warn(f"{os.fspath(path)} was not written ({error.strerror or error})", FileNotWritten, stacklevel=3)


def remove_partial(path: str) -> None:
    """Remove what a killed process has left beside ``path``; what another one is writing now stays."""
    if not os.path.exists(partial(path)):
        return
    with contextlib.suppress(OSError):  # a folder that cannot be written: it is in nobody's way
        file = _locked(partial(path), wait=False)
        if file is not None:
            with file:
                os.unlink(partial(path))


def _locked(name: str, wait: bool) -> BinaryIO | None:
    """The file of that name, opened for writing and ours alone; None where it is not, and ``wait`` is False."""
    while True:
        file = open(os.open(name, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0), 0o666), "r+b")
        try:
            if fcntl is None:
                return file
            fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
            if _is_named(file, name):
                return file
        except BlockingIOError:
            file.close()
            return None
        except OSError:  # a file system without locks
            return file
        except BaseException:
            file.close()
            raise
        file.close()  # whoever had it before has put it in its place: take the name again


def _is_named(file: BinaryIO, name: str) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), os.stat(name))
    except FileNotFoundError:
        return False
