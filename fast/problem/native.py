"""Arrays as compiled code takes them: the one place that makes them of what a user or a file gives.

A kernel reads memory without asking what lies there. So every array that comes from outside passes through ``numbers``
or ``places``: it is converted to a type that kernels are compiled for, native, contiguous and aligned, or it is refused
by name. ``checksum`` notices that an array which is read where it lies has been changed since.
"""

from collections.abc import Iterator
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import NDArray

from dualgap.fast.compiler.kernel import kernel
from dualgap.fast.compiler.kernel_cache import CONFIG
from dualgap.reference.numbers.arithmetic import convert
from dualgap.reference.problem.validate import require_held

Array = NDArray[Any]
AT_ONCE = 1 << 18  # numbers in a piece of ``checksum``: whole blocks of words, whatever the size of a number
BLOCK = 1 << 14  # words that ``mix`` reads from four places at once: few enough for a cache
ODD, LEFT, RIGHT = np.uint64(0x9E3779B97F4A7C15), np.uint64(13), np.uint64(7)
START = ODD + np.arange(64, dtype=np.uint64)  # of the lanes


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


def checksum(*arrays: Array) -> tuple[object, ...]:
    """Types, shapes and a number of 64 bits that follows from the bytes, in the order of the entries and independent of
    the memory layout.

    A change of one word always changes it, and any other change except for one in 2^64: ``step`` is invertible in both
    of its arguments.

    >>> x = np.arange(6.0).reshape(2, 3)
    >>> checksum(x) == checksum(np.asfortranarray(x)), checksum(x) == checksum(-x), checksum(x) == checksum(x[::-1])
    (True, False, False)
    """
    lanes = START.copy()
    for array in map(np.asarray, arrays):
        for words in _words(array):
            mix(words, lanes)
    return (*((array.dtype, array.shape) for array in arrays), int(folded(lanes)))


def _words(array: Array) -> Iterator[Array]:
    """The bytes of an array as words of 64 bits, piece by piece, copied where they are not read as such."""
    if array.dtype.hasobject:  # no rows of a Problem: its type says that it is another one
        return
    if array.flags.c_contiguous and array.flags.aligned and array.nbytes % 8 == 0:
        yield array.reshape(-1).view(np.uint64)
        return
    flags: Any = {"flags": ["external_loop", "buffered", "zerosize_ok"], "op_flags": ["readonly", "contig", "aligned"]}
    pieces: Any = np.nditer(array, order="C", buffersize=AT_ONCE, **flags)
    for piece in pieces:
        raw = piece.view(np.uint8)
        whole = raw if raw.size % 8 == 0 else np.concatenate((raw, np.zeros(-raw.size % 8, np.uint8)))
        yield whole.view(np.uint64)


@kernel
def step(h, word):
    """The next h: one to one in h, and in word. Shifts and additions become vector code, a product does not."""
    h = h ^ word
    h = h + (h << LEFT)
    return h ^ (h >> RIGHT)


if CONFIG.DISABLE_JIT:  # a sum that wraps around is a warning of numpy
    step = np.errstate(over="ignore")(step)


@kernel
def mix(words, lanes):
    """Add words to the lanes, in turns. The quarters of a block are read side by side: memory answers several requests
    at once, and this takes two thirds of the time.
    """
    count, quarter, start = lanes.size, BLOCK // 4, 0
    while start + BLOCK <= words.size:
        for place in range(start, start + quarter, count):
            p, q = words[place : place + count], words[place + quarter : place + quarter + count]
            r, s = words[place + 2 * quarter :][:count], words[place + 3 * quarter :][:count]
            for k in range(count):
                lanes[k] = step(step(step(step(lanes[k], p[k]), q[k]), r[k]), s[k])
        start = start + BLOCK
    for place in range(start, words.size, count):
        part = words[place : place + count]
        for k in range(part.size):
            lanes[k] = step(lanes[k], part[k])


@kernel
def folded(lanes):
    """Combine all lanes to one number."""
    h = ODD
    for k in range(lanes.size):
        h = step(h, lanes[k])
    return h
