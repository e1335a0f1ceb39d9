"""How the fast package compiles: strict arithmetic, a cache that is never stale, and a probe of the mathematics.

Every kernel, and every helper that a kernel calls, is decorated with `kernel`:

- strict IEEE arithmetic: no fast-math flag, so no fused, reordered or approximate operation. The same expression
  gives the same bits as in Python;
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
import math
import os
import platform
import re
import shutil
import sys
import tempfile
import threading
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar, overload

import llvmlite
import llvmlite.binding
import numba
import numpy as np

from dualgap.fast.compiler.kernel_cache import CONFIG, KernelCache, NotPrivate, require_private
from dualgap.reference.problem.validate import NotWritten

Function = TypeVar("Function", bound=Callable[..., Any])

HOME = "dualgap.fast"
PACKAGE = Path(sys.modules[HOME].__path__[0]).resolve()  # all of it, wherever in it this module stands

# One folder per version of the sources or of the tools. Eight lets five Python versions and a few branches take
# turns on one machine without compiling each other's code away; a folder holds a few megabytes.
FOLDERS_KEPT = 8
FOLDER_NAME = re.compile("[0-9a-f]{32}")

# Numba settings that change the machine code but are no part of numba's own key (the processor is part of it).
CODE_SETTINGS = ("OPT", "BOUNDSCHECK", "DEBUGINFO_DEFAULT", "LOOP_VECTORIZE", "SLP_VECTORIZE", "LLVM_REFPRUNE_FLAGS", "USING_SVML")

_decorating = threading.Lock()


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
        results have the same bits either way.

    Returns
    -------
    callable
        Numba's dispatcher, or the function itself when the environment sets `NUMBA_DISABLE_JIT=1`.

    Notes
    -----
    Only functions of this package are cached: the folder's hash covers no other source. Anything else, a function
    in a test or a mutant executed in a namespace of its own, is compiled anew in each process.

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
    options = {"error_model": "python", "nogil": True, "inline": "always" if inline else "never"}
    folder = cache_folder() if _belongs_to_package(function) and _sources_unchanged() else None
    if folder is not None:
        compiled: Any = numba.njit(**options)(function)
        with _numba_cache_in(folder):
            compiled._cache = KernelCache(function)
        # Numba goes elsewhere without a word when it cannot use the folder; what lies elsewhere may be stale.
        if Path(compiled.stats.cache_path).is_relative_to(folder):
            return compiled
    return numba.njit(**options)(function)


def _belongs_to_package(function: Callable[..., Any]) -> bool:
    """Tell whether `function` is defined by an imported module of this package, under its own name, not in some other way.

    A mutant compiled under the original's file name would be answered with the original's machine code: numba's key holds
    the bytecode, but not the constants. A module under another name leaves types in the cache that nobody else can import.
    """
    module = sys.modules.get(function.__module__)
    inside = Path(function.__code__.co_filename).resolve().is_relative_to(PACKAGE) and function.__module__.startswith(f"{HOME}.")
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

    It is `dualgap/kernels/<hash>` under `NUMBA_CACHE_DIR` or else under the user's own cache folder. None means that this
    place cannot be written, that it is not ours alone, or that the package was installed without its sources.
    """
    try:
        kernels = _cache_root().absolute() / "dualgap" / "kernels"
        stamps, digest = _sources_at_start()
        return _prepare(kernels / digest) if stamps else None
    except NotPrivate as error:
        warnings.warn(f"kernels are compiled anew by every process: {error}; set NUMBA_CACHE_DIR", NotWritten, stacklevel=2)
        return None
    except (OSError, RuntimeError):  # RuntimeError: the user has no home folder
        return None


def _cache_root() -> Path:
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


def _sources(package: Path) -> list[Path]:
    return sorted(package.rglob("*.py"))


def _stamps(package: Path) -> tuple[tuple[str, int, int], ...]:
    """Return name, time of change and size of every source: cheap enough to ask at each decoration (0.5 ms; through ``Path`` 1.8)."""
    found, folders = [], [str(package)]
    while folders:
        with os.scandir(folders.pop()) as entries:
            for entry in entries:
                if entry.is_dir():
                    folders.append(entry.path)
                elif entry.name.endswith(".py"):
                    status = entry.stat()
                    found.append((entry.path, status.st_mtime_ns, status.st_size))
    return tuple(sorted(found))


def _digest(package: Path) -> str:
    """Hash what the machine code depends on: every source with its name, the versions, numba's settings."""
    versions = (sys.version, numba.__version__, llvmlite.__version__, np.__version__)
    settings = tuple((name, getattr(CONFIG, name, None)) for name in CODE_SETTINGS)
    total = hashlib.sha256(repr((versions, settings)).encode())
    for path in _sources(package):
        name, content = path.relative_to(package).as_posix().encode(), path.read_bytes()
        # With its lengths in front, no two lists of files give the same stream of bytes.
        total.update(b"%d %d " % (len(name), len(content)) + name + content)
    return total.hexdigest()[:32]


@functools.cache
def _sources_at_start() -> tuple[tuple[tuple[str, int, int], ...], str]:
    """Return stamps and hash of the sources, taken once: the stamps first, so that an edit in between shows."""
    return _stamps(PACKAGE), _digest(PACKAGE)


def _sources_unchanged() -> bool:
    """Tell whether the sources are still those that were hashed.

    A module imported after an edit holds code that the hash does not name: saved under it, this code would be found
    again when the edit is taken back. From the first change on, the process therefore saves and finds nothing.
    """
    try:
        return _stamps(PACKAGE) == _sources_at_start()[0]
    except OSError:  # a source vanished while it was looked at: that is a change too
        return False


# ---------------------------------------------------------------- the probe

# The arguments hardest to round of some 400,000 for each function (150,000 for each exponent): the exact value lies
# within 2^-15 of a unit in the last place of the midpoint of two floats. Two mathematical libraries that are not
# the same code most likely part here, while ordinary arguments can hide a difference for thousands of calls.
HARD_ARGUMENTS = {
    "exp": "0x1.9e9cbbfd6080bp-31 0x1.0fc887049cfc0p+8 -0x1.3c67ba7161ff8p-3 0x1.73988a18b16a8p-2 "
    "0x1.bd5922bc54378p-3 0x1.8d2d76ac3c8a8p+7 -0x1.bd50167915d50p+5 0x1.d96c403ae2100p-6",
    "log": "0x1.2d3d9ee17e910p-1 0x1.92723be782081p+1 0x1.a1e96fca65390p-27 0x1.6eaf7dd67a5cap+0 "
    "0x1.e4efcbfe42e15p+0 0x1.72c7e6fe2d940p-2 0x1.b637a0fad1460p+0 0x1.fee4413122c4ap-26",
    "log1p": "0x1.546e5f2a29eb6p-1 -0x1.0822ef3e1ddb0p-24 0x1.23038f16fc45bp+0 -0x1.3c89aa68c4e38p-12 "
    "0x1.89ff27aab6b1fp+5 0x1.9dfd7f6b33134p+29 0x1.f192263136c3cp+9 0x1.d70fb8d1aff98p-8",
    "expm1": "-0x1.afb49d1600040p-6 0x1.c57a99600ded8p-1 0x1.79ed77c931266p-21 0x1.a07e94125b620p-4 "
    "0x1.b334019d329bap-1 -0x1.8f7f06e1bda7ep-1 0x1.162e6dc16f6a4p-1 0x1.f678512a0acb0p-13",
    "pow": "0x1.b8a1a16bdff72p+0 0x1.5628ef2ef8010p+9 0x1.0759c11e8fd1cp+1 0x1.18464230e7b7ap+0 "
    "0x1.d9ba8fef0912dp+0 0x1.2ee1fb7550d4fp+0 0x1.0da84bc437ff6p-1 0x1.11323f8d9bc3cp-1 "
    "0x1.0986c0da4ba56p+0 0x1.a2ef055c76512p-7 0x1.3a8e51a76eefdp+0 0x1.b137c3edd3ca2p+0",
}
EXPONENTS = (2.0, 1.5, 3.0, 0.5, 1.0 / 3.0, -1.25)
EXPONENTS_OF_NORMS = (1.25, 5.0, 20.0, 100.0, -2.0 / 3.0)  # 1/(p-1) and (p-2)/p of PGS, known only when it runs
PROBED = ("exp", "log", "log1p", "expm1", "sqrt", "pow", "pow with a constant exponent")


def probe() -> dict[str, int]:
    """Count the arguments at which compiled mathematics and Python's give different bits.

    Both normally call the same mathematical library of the operating system; a vector library (Intel SVML), another
    compiler or another system need not. Where a count is zero the two backends are compared by bits, elsewhere by a
    bound.

    Returns
    -------
    dict of str to int
        For each of `exp, log, log1p, expm1, sqrt`, `pow` (`x ** p` with p known only when it runs) and `pow with a
        constant exponent`, the number of differing results on a fixed list of a few hundred arguments. The last one
        differs as a rule, and for good reason: LLVM compiles `x ** 2.0` as `x * x` and `x ** 0.5` as a square
        root. So kernels and reference alike write `x * x` and `math.sqrt(x)`, never those powers.

    Examples
    --------
    >>> from dualgap.fast.compiler.kernel import probe
    >>> probe()["sqrt"]  # IEEE prescribes the square root to the last bit
    0
    """
    return dict(_probe_once())


@functools.cache
def _probe_once() -> dict[str, int]:
    return {name: sum(_differences(name, exponent) for exponent in _exponents(name)) for name in PROBED}


def _exponents(name: str) -> tuple[float, ...]:
    if name == "pow":
        return EXPONENTS + EXPONENTS_OF_NORMS
    return EXPONENTS if name.startswith("pow") else (1.0,)


def _differences(name: str, exponent: float, evaluate: Callable[..., None] | None = None) -> int:
    """Count the arguments at which `evaluate` (by default the compiled one) differs from Python in some bit."""
    evaluate = evaluate or _evaluate
    pairs = [(x, y) for x in _arguments(name) if (y := _python_value(name, x, exponent)) is not None]
    arguments, expected = np.array(pairs).T.copy()
    together, singly = np.empty_like(expected), np.empty_like(expected)
    code = PROBED.index(name)
    evaluate(code, arguments, exponent, together)  # a loop that a vector library may take over
    for i in range(len(arguments)):  # what a lone call gives, as in a loop over rows
        evaluate(code, arguments[i : i + 1], exponent, singly[i : i + 1])
    bits = expected.view(np.int64)
    return int(np.sum((together.view(np.int64) != bits) | (singly.view(np.int64) != bits)))


def _arguments(name: str) -> list[float]:
    """Return the fixed arguments: spread over signs and sizes by the golden ratio, the edges, the hard ones."""
    fractions = [math.fmod(k * 0.6180339887498949, 1.0) for k in range(1, 241)]
    spread = [math.ldexp(0.5 + t / 2, k % 60 - 50) for k, t in enumerate(fractions)]
    edges = [0.0, 1.0, 5e-324, 2.0**-1022, 2.0**-53, 1.0 - 2.0**-53, 1.0 + 2.0**-52, 709.5]
    # The squares of odd 27-bit integers lie exactly half-way between two floats.
    ties = [2.0**27 - 1.0 - 2.0 * k for k in range(8)]
    hard = [float.fromhex(text) for text in HARD_ARGUMENTS.get(name.split()[0], "").split()]
    return [*(sign * x for x in spread + edges for sign in (1.0, -1.0)), *ties, *hard]


def _python_value(name: str, x: float, exponent: float) -> float | None:
    """Return Python's value, or None where Python has no finite real answer."""
    try:
        value = x**exponent if name.startswith("pow") else getattr(math, name)(x)
    except (ArithmeticError, ValueError):
        return None
    return value if isinstance(value, float) else None  # a negative base gives a complex number


@kernel
def _evaluate(code, arguments, exponent, out):
    """Write function number `code` of `PROBED` at each of the arguments into `out`: one plain loop for each."""
    if code == 0:
        for i in range(arguments.size):
            out[i] = math.exp(arguments[i])
    elif code == 1:
        for i in range(arguments.size):
            out[i] = math.log(arguments[i])
    elif code == 2:
        for i in range(arguments.size):
            out[i] = math.log1p(arguments[i])
    elif code == 3:
        for i in range(arguments.size):
            out[i] = math.expm1(arguments[i])
    elif code == 4:
        for i in range(arguments.size):
            out[i] = math.sqrt(arguments[i])
    elif code == 5:
        for i in range(arguments.size):
            out[i] = arguments[i] ** exponent
    else:
        for i in range(arguments.size):
            out[i] = _constant_power(arguments[i], exponent)


@kernel
def _constant_power(x, exponent):
    """Return x to one of `EXPONENTS`, each written as a constant, so that LLVM may replace it."""
    if exponent == 2.0:
        return x**2.0
    if exponent == 1.5:
        return x**1.5
    if exponent == 3.0:
        return x**3.0
    if exponent == 0.5:
        return x**0.5
    if exponent == 1.0 / 3.0:
        return x ** (1.0 / 3.0)
    return x**-1.25


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
        "python": platform.python_version(), "numba": numba.__version__, "llvmlite": llvmlite.__version__, "numpy": np.__version__,
        "system": f"{platform.system()} {platform.machine()}", "libc": " ".join(platform.libc_ver()).strip() or "unknown",
        "cpu": llvmlite.binding.get_host_cpu_name(),
        "cpu_flags": [flag for flag in ("sse4.2", "avx", "avx2", "avx512f", "fma", "neon") if features.get(flag)],
        "svml": bool(CONFIG.USING_SVML), "jit": compiling, "cache_folder": None if folder is None else str(folder),
        "caching": compiling and folder is not None and _sources_unchanged(),
    }  # fmt: skip
