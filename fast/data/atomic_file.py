"""The only place that opens an output file. A file is replaced as a whole: it holds the new content or the old one.

The new content is written next to the file, under one name (``partial``), and renamed when it is complete and on the
disk. A process that is killed leaves that name behind, without a lock. The next process removes it. What is found under
that name is never written to: it may be a link to another user's file.
"""

import contextlib
import errno
import os
import stat
import warnings
from collections.abc import Iterator
from typing import BinaryIO

from dualgap.reference.problem.validate import FileNotWritten

try:
    import fcntl
except ImportError:  # Windows: two processes must not write one file there
    fcntl = None  # type: ignore[assignment]

BINARY, NO_LINKS = getattr(os, "O_BINARY", 0), getattr(os, "O_NOFOLLOW", 0)


def partial(path: str) -> str:
    """The name under which the next content of a file is written."""
    return f"{path}.part"


@contextlib.contextmanager
def replacing(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A file to write to. It takes the place of ``path`` when the block ends, and is removed if the block ends in an
    error.

    Raises OSError, which names ``path``: it cannot be written, or it is a folder, a pipe or a device.

    >>> import tempfile
    >>> name = os.path.join(tempfile.mkdtemp(), "file")
    >>> with replacing(name) as file:
    ...     _ = file.write(b"whole")
    >>> os.path.getsize(name), os.path.exists(partial(name))
    (5, False)
    """
    path = os.fspath(path)
    with _naming(path):
        _require_regular(path)
        with _created(partial(path)) as file:
            try:
                yield file
                file.flush()
                _share(file)
                os.fsync(file.fileno())
                os.replace(partial(path), path)
            except BaseException:
                with contextlib.suppress(OSError):
                    os.unlink(partial(path))
                raise
        _flush_folder(path)


def require_writable(path: str | os.PathLike[str]) -> None:
    """Raise OSError, which names the file, where it cannot be written now. What it holds stays.

    >>> import tempfile
    >>> name = os.path.join(tempfile.mkdtemp(), "file")
    >>> require_writable(name)
    >>> os.path.exists(name)
    False
    """
    with contextlib.suppress(_Tried), replacing(path):
        raise _Tried


class _Tried(Exception):
    """The file can be written, and is not."""


def write_bytes(path: str | os.PathLike[str], content: bytes) -> None:
    """Replace the content of a file. Raises OSError, which names the file."""
    with replacing(path) as file:
        file.write(content)


def write_text(path: str | os.PathLike[str], text: str) -> bool:
    """Replace the content of a file by a text. If that fails, warn and return False."""
    try:
        with replacing(path) as file:
            file.write(text.encode())
        return True
    except OSError as error:
        warn_not_written(path, error)
        return False


@contextlib.contextmanager
def appending(path: str | os.PathLike[str]) -> Iterator[BinaryIO]:
    """A file that grows by what is written, line by line. Raises OSError, which names the file: it is a link or no
    regular file.
    """
    path = os.fspath(path)
    with _naming(path):
        _require_regular(path)
        with open(os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | NO_LINKS | BINARY, 0o666), "r+b") as file:
            yield file
            file.flush()


def warn_not_written(path: str | os.PathLike[str], error: OSError) -> None:
    """Say which file is missing, and why."""
    warnings.warn(f"{os.fspath(path)} was not written ({error.strerror or error})", FileNotWritten, stacklevel=3)


def remove_partial(path: str) -> None:
    """Remove what a killed process has left next to ``path``. What another process is writing now stays."""
    with contextlib.suppress(OSError):  # a folder that cannot be written: it does no harm
        _remove_left_over(partial(path), wait=False)


@contextlib.contextmanager
def _naming(path: str) -> Iterator[None]:
    """Put the file's name into every OSError that does not name a file, or names the partial one."""
    try:
        yield
    except OSError as error:
        if error.filename in (None, partial(path)) and error.errno is not None:
            error.filename = path
        raise


def _require_regular(path: str) -> None:
    """Raise OSError if the name is taken by a folder, a pipe or a device, also by way of a link."""
    try:
        mode = os.stat(path).st_mode
    except OSError:  # there is none, or creating it will say why not
        return
    if not stat.S_ISREG(mode):
        raise OSError(errno.EINVAL, "it exists and is not a regular file", path)


@contextlib.contextmanager
def _created(name: str) -> Iterator[BinaryIO]:
    """A new file of that name, private and locked where the system can lock; other processes wait for their turn."""
    while True:
        try:
            file = open(os.open(name, os.O_RDWR | os.O_CREAT | os.O_EXCL | NO_LINKS | BINARY, 0o600), "r+b")
        except FileExistsError:
            _remove_left_over(name, wait=True)
            continue
        with file:
            if _lock(file, wait=True) and not _is_named(file, name):
                continue  # another process has taken it for a left over one
            yield file
            return


def _remove_left_over(name: str, wait: bool) -> None:
    """Remove what has that name, unless a process is writing it; with ``wait`` after that process has ended."""
    try:
        if not stat.S_ISREG(os.lstat(name).st_mode):
            os.unlink(name)  # a link or a pipe: not ours, and nothing is written to what it leads to
            return
        # a lock of a network file system needs writing
        file = open(os.open(name, os.O_RDWR | NO_LINKS | BINARY), "r+b")
    except FileNotFoundError:
        return
    with file:
        try:
            locked = _lock(file, wait)
        except BlockingIOError:
            return
        if not locked or _is_named(file, name):
            with contextlib.suppress(FileNotFoundError):
                os.unlink(name)


def _lock(file: BinaryIO, wait: bool) -> bool:
    """Lock a file; False on a system or file system without locks. Raises BlockingIOError if another process has it
    and ``wait`` is False.
    """
    if fcntl is None:
        return False
    try:
        fcntl.flock(file, fcntl.LOCK_EX if wait else fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise
    except OSError:
        return False
    return True


def _is_named(file: BinaryIO, name: str) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), os.lstat(name))
    except FileNotFoundError:
        return False


def _share(file: BinaryIO) -> None:
    """Give a complete file the mode that the process's mask requires. The mask can only be read by setting it."""
    mask = os.umask(0o077)  # a file that another thread makes meanwhile is private
    os.umask(mask)
    if hasattr(os, "fchmod"):
        with contextlib.suppress(OSError):  # a file system without modes
            os.fchmod(file.fileno(), 0o666 & ~mask)


def _flush_folder(path: str) -> None:
    """Put the new name on the disk, where the system can do that."""
    with contextlib.suppress(OSError):
        folder = os.open(os.path.dirname(os.path.abspath(path)), os.O_RDONLY | getattr(os, "O_DIRECTORY", 0))
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
