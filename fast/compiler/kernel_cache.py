"""Machine code on disk that is never trusted: each file ends with the hash of its name and content, in a folder of our
own.

Numba unpickles what it finds, so whoever can write to the folder can run code; and a damaged file is an exception in
every process, or machine code that is not what was compiled. Here a file without its hash is removed and the kernel
compiled again, a file that cannot be written is done without, and a folder that others own or can write to is not used
(``require_private``).

The name of a file is made of the signature: of numba's numbers two processes that compile at once can take the same.
"""

import contextlib
import hashlib
import io
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, BinaryIO

import numba
from numba.core.caching import FunctionCache, IndexDataCacheFile

CONFIG: Any = numba.config  # numba's settings, which it makes when it is imported
UNCACHED = "uncached"  # in the name of a type whose kernels are compiled again in each process


class NotPrivate(OSError):
    """Others could put machine code into a folder."""


class SealedFiles(IndexDataCacheFile):  # type: ignore[misc]
    """Numba's index and data files of one kernel, each followed by its hash, which unpickling does not read."""

    @contextlib.contextmanager
    def _open_for_write(self, filepath: str) -> Iterator[BinaryIO]:
        content = io.BytesIO()
        yield content
        with super()._open_for_write(filepath) as file:
            file.write(content.getvalue() + seal(filepath, content.getvalue()))

    def save(self, key: object, data: object) -> None:
        """Write the data, then the index that leads to them."""
        name = f"{self._index_name.removesuffix('.nbi')}.{hashlib.sha256(repr(key).encode()).hexdigest()[:16]}.nbc"
        self._save_data(name, data)
        self._save_index({**self._load_index(), key: name})

    def _load_index(self) -> Any:
        return super()._load_index() if is_whole(self._index_path) else {}

    def _load_data(self, name: str) -> Any:
        if not is_whole(self._data_path(name)):
            raise FileNotFoundError(name)  # for numba: nothing is kept
        return super()._load_data(name)


class KernelCache(FunctionCache):  # type: ignore[misc]
    """Numba's cache of one kernel, that finds nothing where it would fail, and does without what it cannot write."""

    _cache_file: Any

    def __init__(self, function: object) -> None:
        super().__init__(function)
        files = self._cache_file
        self._cache_file = SealedFiles(self._cache_path, files._index_name.removesuffix(".nbi"), files._source_stamp)

    def load_overload(self, sig: object, target_context: object) -> Any:
        try:
            return super().load_overload(sig, target_context)
        except Exception:  # unpickling, and loading machine code, can raise anything
            return None

    def save_overload(self, sig: object, data: object) -> None:
        if UNCACHED in repr(sig):
            return
        with contextlib.suppress(OSError):  # a full disk
            super().save_overload(sig, data)


def seal(path: str, content: bytes) -> bytes:
    """The hash of a file's name and content."""
    return hashlib.sha256(os.path.basename(path).encode() + b"\0" + content).digest()


def is_whole(path: str) -> bool:
    """Return whether a file is there and ends with its hash; one that does not is removed."""
    try:
        held = Path(path).read_bytes()
    except OSError:
        return False
    if held[-32:] == seal(path, held[:-32]):
        return True
    with contextlib.suppress(OSError):
        os.unlink(path)
    return False


def require_private(folder: Path) -> None:
    """Raise NotPrivate unless a folder is ours and no other user can write to it (on systems that have owners and
    modes).
    """
    found = folder.stat()
    if hasattr(os, "geteuid") and (found.st_uid != os.geteuid() or found.st_mode & 0o022):
        raise NotPrivate(f"{folder} belongs to another user, or others can write to it")
