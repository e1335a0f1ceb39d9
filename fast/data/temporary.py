"""Folders for temporary files that are gone when their process is, however it has ended.

A folder is removed when its block ends. One whose process was killed is removed when the next one is made: its owner
keeps a file in it locked, and the system lets go of the lock of a process that has ended.
"""

import contextlib
import os
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path

try:
    import fcntl
except ImportError:  # Windows: what a killed process leaves stays
    fcntl = None  # type: ignore[assignment]

PREFIX, LOCK = "dualgap-", ".owner"


@contextlib.contextmanager
def temporary_folder() -> Iterator[Path]:
    """An empty folder of this block alone; the lock lies next to it. Raises OSError if none can be made."""
    remove_left()
    with (
        tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True) as name,
        contextlib.ExitStack() as stack,
    ):
        if fcntl is not None:
            with contextlib.suppress(OSError):  # no space, no locks: then it is only not removed by others
                file = stack.enter_context(open(Path(name, f"{LOCK}.new"), "wb"))
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                Path(name, f"{LOCK}.new").rename(Path(name, LOCK))  # no other process sees it before it is locked
        folder = Path(name, "files")
        folder.mkdir()
        yield folder


def remove_left() -> None:
    """Remove the folders of processes of this user that have ended."""
    if fcntl is None:
        return
    for path in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        with contextlib.suppress(OSError):
            found = path.lstat()
            if stat.S_ISDIR(found.st_mode) and found.st_uid == os.getuid():
                with open(os.open(path / LOCK, os.O_RDWR | os.O_NOFOLLOW), "rb") as file:
                    fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(path, ignore_errors=True)
