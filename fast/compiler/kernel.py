"""Compilation in the fast package: strict arithmetic, and a cache that is never stale.

Every kernel, and every helper that a kernel calls, is decorated with `kernel`:

- strict IEEE arithmetic: no fast-math flag, so no fused, reordered or approximate operation. The same expression
  is bit-identical to that in Python;
- Python's division: a zero divisor raises `ZeroDivisionError`, as it does in the reference. The test of the divisor
  costs at most 2 ns a row with one division (rows of one entry take 19 ns, of ten 53 ns), and a broken invariant is
  reported at the row where it breaks instead of spreading as an infinity;
- the interpreter's lock is released;
- machine code is kept on disk between processes, and what is found there is always the code of the present sources.

Why a decorator of our own. Numba decides whether cached code is fresh by looking at the file of the cached function
alone: after an edit to a helper in another file the old code still runs. It also ignores its own settings
(`NUMBA_BOUNDSCHECK` finds code compiled without the checks) and, where the chosen folder cannot be written, it
falls back silently to another one. Here the folder's name is the hash of everything the machine code depends on,
so different sources can never meet in one folder. Kernels take numbers from outside the package only as arguments:
a global imported from elsewhere would be compiled in without being part of the hash.
"""

import contextlib
import functools
import hashlib
import importlib.util
import os
import platform
import re
import shutil
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, TypeVar, overload

import llvmlite
import llvmlite.binding
import numba
import numpy as np

from dualgap.fast.compiler.first_calls import dispatcher
from dualgap.fast.compiler.kernel_cache import CONFIG, KernelCache, NotPrivate, require_private
from dualgap.reference.problem.registry import EXTRAS
from dualgap.reference.problem.validate import NotWritten

Function = TypeVar("Function", bound=Callable[..., Any])

HOME = "dualgap.fast"
PACKAGE = Path(sys.modules[HOME].__path__[0]).resolve()  # all of it, wherever in it this module stands
# The folders whose sources the hash covers, each with what the names of these begin with: of EXTRAS those with compiled
# methods.
COVERED = {PACKAGE: ""}
if _extras := importlib.util.find_spec(EXTRAS):
    COVERED |= {Path(folder).resolve(): "compiled" for folder in _extras.submodule_search_locations or ()}

# One folder per version of the sources or of the tools. Eight lets five Python versions and a few branches take
# turns on one machine without compiling each other's code away; a folder holds a few megabytes.
FOLDERS_KEPT = 8
FOLDER_NAME = re.compile("[0-9a-f]{32}")

# Numba settings that change the machine code but are no part of numba's own key (the processor is part of it).
CODE_SETTINGS = (
    "OPT",
    "BOUNDSCHECK",
    "DEBUGINFO_DEFAULT",
    "LOOP_VECTORIZE",
    "SLP_VECTORIZE",
    "LLVM_REFPRUNE_FLAGS",
    "USING_SVML",
)

_decorating = threading.Lock()
_asked: dict[str, tuple[object, bool]] = {}  # by module: its ``__spec__``, and what ``_read_unchanged`` returned for it


# ---------------------------------------------------------------- the decorator


@overload
def kernel(function: Function) -> Function: ...


@overload
def kernel(*, inline: bool) -> Callable[[Function], Function]: ...


def kernel(function: Any = None, *, inline: bool = False) -> Any:
    """Compile a function with numba: strict IEEE, without the interpreter's lock, cached but never stale.

    Parameters
    ----------
    function : callable
        A plain function of numbers and arrays. It is compiled at its first call, once per signature.
    inline : bool
        Paste the function into its callers before they are compiled. LLVM already inlines small helpers; a chain
        of branches over the losses is too long for it and gains 5 to 8 percent on rows of 3 to 14 entries. The
        results are bit-identical either way.

    Returns
    -------
    callable
        Numba's dispatcher, or the function itself when the environment sets `NUMBA_DISABLE_JIT=1`.

    Notes
    -----
    Only functions of this package and of the files ``compiled*.py`` of EXTRAS are cached: the folder's hash covers no
    other source. Anything else, a function in a test or a mutant executed in a namespace of its own, is compiled again
    in each process.

    Examples
    --------
    >>> from dualgap.fast.compiler.kernel import kernel
    >>> @kernel
    ... def twice(x):
    ...     return 2.0 * x
    >>> twice(1.5)
    3.0
    """
    if function is None:
        return functools.partial(kernel, inline=inline)
    if CONFIG.DISABLE_JIT:
        return function
    # Nothing here hands a kernel on as a pointer of C, which is what the wrapper that is left out is for.
    options = {
        "error_model": "python",
        "nogil": True,
        "inline": "always" if inline else "never",
        "no_cfunc_wrapper": True,
    }
    folder = cache_folder() if _belongs_to_package(function) and _read_unchanged(function.__module__) else None
    if folder is not None:
        compiled: Any = dispatcher(function, options)
        with _numba_cache_in(folder):
            compiled._cache = KernelCache(function)
        # Numba goes elsewhere without a word when it cannot use the folder; what lies elsewhere may be stale.
        if Path(compiled.stats.cache_path).is_relative_to(folder):
            return compiled
    return dispatcher(function, options)


def _belongs_to_package(function: Callable[..., object]) -> bool:
    """Tell whether `function` is defined by an imported module that the hash covers, under its own name, not in some
    other way.

    A mutant compiled under the original's file name would be answered with the original's machine code: numba's key
    holds the bytecode, but not the constants. A module under another name leaves types in the cache that nobody else
    can import.
    """
    module, file = sys.modules.get(function.__module__), Path(function.__code__.co_filename).resolve()
    covered = any(file.is_relative_to(folder) and file.name.startswith(prefix) for folder, prefix in COVERED.items())
    inside = covered and function.__module__.startswith((f"{HOME}.", f"{EXTRAS}."))
    return inside and module is not None and vars(module) is function.__globals__


@contextlib.contextmanager
def _numba_cache_in(folder: Path) -> Iterator[None]:
    """Point numba's cache at `folder`, and back afterwards: other users of numba must not notice."""
    with _decorating:
        before = CONFIG.CACHE_DIR
        CONFIG.CACHE_DIR = str(folder)
        try:
            yield
        finally:
            CONFIG.CACHE_DIR = before


# ---------------------------------------------------------------- the folder


@functools.cache
def cache_folder() -> Path | None:
    """Return the folder of this process' machine code, made if need be, or None where there can be no cache.

    It is `dualgap/kernels/<hash>` under `NUMBA_CACHE_DIR` or else under the user's own cache folder. None means that
    this place cannot be written, that it is not ours alone, or that the package was installed without its sources.
    """
    try:
        kernels = cache_root().absolute() / "dualgap" / "kernels"
        stamps, digest = _sources_at_start()
        return _prepare(kernels / digest) if stamps else None
    except NotPrivate as error:
        warnings.warn(
            f"kernels are compiled again by every process: {error}; set NUMBA_CACHE_DIR", NotWritten, stacklevel=2
        )
        return None
    except (OSError, RuntimeError):  # RuntimeError: the user has no home folder
        return None


def cache_root() -> Path:
    """Return numba's own setting if there is one, else the place the operating system has for such things."""
    if CONFIG.CACHE_DIR:
        return Path(CONFIG.CACHE_DIR)
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return Path(local) if local else Path.home() / "AppData" / "Local"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches"
    chosen = os.environ.get("XDG_CACHE_HOME", "")
    # The XDG specification: a relative path is invalid and to be ignored.
    return Path(chosen) if os.path.isabs(chosen) else Path.home() / ".cache"


def _prepare(folder: Path) -> Path:
    """Make `folder`, prove that it can be written, mark it as used now; a new folder pushes out the oldest one."""
    new = not folder.exists()
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.mkdir(mode=0o700, exist_ok=True)
    require_private(folder)
    with tempfile.TemporaryFile(dir=folder) as trial:
        trial.write(bytes(65536))  # as much as a small kernel: a full disk shows here and not in the first call
    os.utime(folder)
    if new:
        _prune(folder.parent)
    return folder


def _prune(kernels: Path, kept: int = FOLDERS_KEPT) -> None:
    """Delete all but the most recently used cache folders; touch nothing whose name is not a hash of ours."""
    ours = [path for path in kernels.iterdir() if FOLDER_NAME.fullmatch(path.name)]
    folders = [path for path in ours if path.is_dir() and not path.is_symlink()]
    for old in sorted(folders, key=_last_use, reverse=True)[kept:]:
        shutil.rmtree(old, ignore_errors=True)  # another process may be deleting it too


def _last_use(folder: Path) -> float:
    try:
        return folder.stat().st_mtime
    except OSError:  # deleted by another process in the meantime
        return 0.0


def _sources(package: Path, prefix: str = "") -> list[Path]:
    return sorted(package.rglob(f"{prefix}*.py"))


def _stamps(covered: Mapping[Path, str]) -> tuple[tuple[str, int, int], ...]:
    """Return name, time of change and size of every source (0.6 ms; through ``Path`` 1.8)."""
    found, folders = [], [(str(package), prefix) for package, prefix in covered.items()]
    while folders:
        folder, prefix = folders.pop()
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.endswith(".py"):
                    if entry.name.startswith(prefix):
                        status = entry.stat()
                        found.append((entry.path, status.st_mtime_ns, status.st_size))
                elif entry.name != "__pycache__" and entry.is_dir():
                    folders.append((entry.path, prefix))
    return tuple(sorted(found))


def _digest(covered: Mapping[Path, str]) -> str:
    """Hash what the machine code depends on: every source with its name, the versions, numba's settings."""
    versions = (sys.version, numba.__version__, llvmlite.__version__, np.__version__)
    settings = tuple((name, getattr(CONFIG, name, None)) for name in CODE_SETTINGS)
    total = hashlib.sha256(repr((versions, settings)).encode())
    named = [
        (f"{k} {path.relative_to(top).as_posix()}", path)
        for k, (top, prefix) in enumerate(covered.items())
        for path in _sources(top, prefix)
    ]
    for name, content in ((name.encode(), path.read_bytes()) for name, path in named):
        # With its lengths in front, no two lists of files give the same stream of bytes.
        total.update(b"%d %d " % (len(name), len(content)) + name + content)
    return total.hexdigest()[:32]


@functools.cache
def _sources_at_start() -> tuple[tuple[tuple[str, int, int], ...], str]:
    """Return stamps and hash of the sources, taken once: the stamps first, so that an edit in between shows."""
    return _stamps(COVERED), _digest(COVERED)


def _sources_unchanged() -> bool:
    """Tell whether the sources are still those that were hashed.

    A module imported after an edit holds code that the hash does not name: saved under it, this code would be found
    again when the edit is taken back. From the first change on, the process therefore saves and finds nothing.
    """
    try:
        return _stamps(COVERED) == _sources_at_start()[0]
    except OSError:  # a source vanished while it was read: that is also a change
        return False


def _read_unchanged(module: str) -> bool:
    """``_sources_unchanged``, asked once each time that a module is executed: all of its kernels are from one reading
    of its source, which precedes the first of them. A module that is reloaded has a new ``__spec__``.
    """
    spec, (asked, unchanged) = sys.modules[module].__spec__, _asked.get(module, (None, False))
    if spec is None or spec is not asked:
        unchanged = _sources_unchanged()
        _asked[module] = spec, unchanged
    return unchanged


# ---------------------------------------------------------------- the report


def environment() -> dict[str, Any]:
    """Describe what the compiled numbers depend on, for reports.

    Returns
    -------
    dict
        `python, numba, llvmlite, numpy` (versions), `system`, `libc`, `cpu` (LLVM's name), `cpu_flags` (those that
        change vector code), `svml` and `jit` (bool), `cache_folder` (str or None), `caching` (bool).
    """
    features, folder, compiling = llvmlite.binding.get_host_cpu_features(), cache_folder(), not CONFIG.DISABLE_JIT
    return {
        "python": platform.python_version(),
        "numba": numba.__version__,
        "llvmlite": llvmlite.__version__,
        "numpy": np.__version__,
        "system": f"{platform.system()} {platform.machine()}",
        "libc": " ".join(platform.libc_ver()).strip() or "unknown",
        "cpu": llvmlite.binding.get_host_cpu_name(),
        "cpu_flags": [flag for flag in ("sse4.2", "avx", "avx2", "avx512f", "fma", "neon") if features.get(flag)],
        "svml": bool(CONFIG.USING_SVML),
        "jit": compiling,
        "cache_folder": None if folder is None else str(folder),
        "caching": compiling and folder is not None and _sources_unchanged(),
    }
