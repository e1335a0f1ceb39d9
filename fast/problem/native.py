"""Arrays as compiled code takes them: the one place that makes them of what a user or a file gives.

A kernel reads memory without asking what lies there. So every array that comes from outside passes through ``numbers``
or ``places``: it is converted to a type that kernels are compiled for, native, contiguous and aligned, or it is refused
by name. ``checksum`` notices that an array which is read where it lies has been changed since.
"""

import contextlib
from collections.abc import Callable, Iterator
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.compiler.kernel_cache import CONFIG
from dualgap.reference.numbers.arithmetic import convert
from dualgap.reference.problem.validate import require_held

Array = NDArray[Any]
AT_ONCE = 1 << 17  # numbers in a piece of ``checksum``: few enough for a cache
ODD, LEFT, RIGHT, LANES = np.uint64(0x9E3779B97F4A7C15), np.uint64(13), np.uint64(7), 256
NO_WORDS = np.empty(0, np.uint64)
START = ODD + np.arange(LANES, dtype=np.uint64)


def native(array: Array, dtype: Any) -> Array:
    """An array as that type, in native byte order, C-contiguous and aligned, of no subclass: itself where it is all
    that.
    """
    return array if is_native(array, dtype) else np.require(np.asarray(array), dtype, ("C", "A"))


def is_native(array: Any, dtype: Any) -> TypeGuard[Array]:
    """Return whether ``native`` would return the array itself."""
    return type(array) is np.ndarray and array.dtype == dtype and array.flags.c_contiguous and array.flags.aligned


def numbers(values: object, name: str) -> Array:
    """Real numbers as float64, of any shape.

    Raises
    ------
    ValueError
        The values are complex, longer than 64 bits or masked; the message says the name and the type. Or there is an
        integer that no float64 holds.
    NotANumber
        What ``convert`` refuses, of values that are no numbers of numpy (Fractions and strings "p/q" are converted).

    >>> numbers(np.array([1, 2], ">i2"), "w").dtype, numbers(["1/2", 3], "w").tolist()
    (dtype('float64'), [0.5, 3.0])
    """
    if is_native(values, np.float64):
        return values
    try:
        array = np.asarray(values)
    except ValueError:  # of numpy, about lists of several lengths
        raise ValueError(f"{name} must be an array of numbers, with rows of one length") from None
    if hasattr(values, "filled") or array.dtype.kind == "c" or array.dtype.kind in "fiu" and array.dtype.itemsize > 8:
        kind = "a masked array" if hasattr(values, "filled") else f"dtype {array.dtype}"
        raise ValueError(
            f"{name} must hold real numbers of at most 64 bits (got {kind}); convert it, e.g. {name}.astype(float)"
        )
    if array.dtype.kind not in "fiu":
        given = np.asarray(values, dtype=object)
        flat = [convert(value, float, f"{name}[{', '.join(map(str, at))}]") for at, value in np.ndenumerate(given)]
        array = np.array(flat, dtype=np.float64).reshape(given.shape)
    require_held(array, name)
    return native(array, np.float64)


def places(values: Any) -> Array:
    """Integers that are known to be >= 0 (``validate.check``) as unsigned ones of 32 or 64 bits; those of that size are
    the same memory.

    >>> places(np.array([0, 7], np.int16)), places(np.array([0, 7], ">i8"))
    (array([0, 7], dtype=uint32), array([0, 7], dtype=uint64))
    """
    signed, unsigned = (np.int32, np.uint32) if values.dtype.itemsize <= 4 else (np.int64, np.uint64)
    return native(values, unsigned if values.dtype.kind == "u" else signed).view(unsigned)


class Native:
    """Something that holds the native form of one problem: made once, and kept until another problem comes."""

    _native: tuple[Any, Any] = (None, None)

    def native(self, problem: Any) -> Any:
        """Return the native form of the problem that ``make_native`` makes."""
        if self._native[0] is not problem:
            self._native = problem, self.make_native(problem)
        return self._native[1]

    def make_native(self, problem: Any) -> Any:
        """The form of the problem that compiled code takes."""
        raise NotImplementedError


# -- whether an array has changed --------------------------------------------------------------------------------------


def checksum(*arrays: object, beside: Callable[[slice], object] | None = None) -> int:
    """A number of 64 bits that follows from types, shapes and bytes, in the order of the entries and independent
    of the memory layout. ``beside`` is called for the rows of the first array while they are in the cache.

    A change of one word always changes it, and any other change except for one in 2^64: ``step`` is invertible in both
    of its arguments.

    >>> x = np.arange(6.0).reshape(2, 3)
    >>> checksum(x) == checksum(np.asfortranarray(x)), checksum(x) == checksum(-x), checksum(x) == checksum(x[::-1])
    (True, False, False)
    """
    lanes = START.copy()
    with np.errstate(over="ignore") if CONFIG.DISABLE_JIT else contextlib.nullcontext():
        for array in map(np.asarray, arrays):
            head = np.array([ord(array.dtype.kind), array.dtype.itemsize, *array.shape], dtype=np.uint64)
            for rows, words in _words(array):
                mix(head, words, lanes)
                head = NO_WORDS
                if beside is not None:
                    beside(rows)
            if head.size:
                mix(head, NO_WORDS, lanes)
            beside = None
        return int(folded(lanes))


def _words(array: Array) -> Iterator[tuple[slice, Array]]:
    """The bytes of an array as words of 64 bits, piece by piece, copied where they are not read as such; which rows."""
    if array.ndim and array.size <= AT_ONCE and is_native(array, np.float64):  # the usual case of what follows
        yield slice(0, len(array)), array.reshape(-1).view(np.uint64)
        return
    if array.dtype.hasobject:  # no rows of a Problem: its type says that it is another one
        return
    rows = array if array.ndim else array.reshape(-1)
    step = max(8, AT_ONCE // max(1, rows[:1].size))
    for begin in range(0, len(rows), step):
        piece = slice(begin, begin + step)
        raw = np.ascontiguousarray(rows[piece]).reshape(-1).view(np.uint8)
        if raw.size % 8 or raw.ctypes.data % 8:
            padded = np.zeros(-(-raw.size // 8) * 8, np.uint8)
            padded[: raw.size] = raw
            raw = padded
        yield piece, raw.view(np.uint64)


@kernel
def step(h, word):
    """The next h: one to one in h, and in word. Shifts and additions become vector code, a product does not."""
    h = h ^ word
    h = h + (h << LEFT)
    return h ^ (h >> RIGHT)


@kernel
def mix(head, words, lanes):
    """Add the words of a head, of fewer than lanes, and of an array to the lanes, in turns."""
    for k in range(head.size):
        lanes[k] = step(lanes[k], head[k])
    count = lanes.size
    whole = words.size - words.size % count
    for start in range(0, whole, count):
        part = words[start : start + count]
        for k in range(count):
            lanes[k] = step(lanes[k], part[k])
    for k in range(whole, words.size):
        lanes[k - whole] = step(lanes[k - whole], words[k])


@kernel
def folded(lanes):
    """Combine all lanes to one number."""
    h = ODD
    for k in range(lanes.size):
        h = step(h, lanes[k])
    return h
