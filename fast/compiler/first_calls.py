"""First calls on few numbers, which Python makes before a kernel is compiled.

Numba compiles a kernel in 0.1 to 2 seconds, and a fit takes about 70 kernels. On a few thousand numbers Python is
quicker. So inside the blocks of ``interpreting``, a kernel that is not in the cache stays a Python function until its
calls, in all blocks together, have taken about as long as compiling it would take: at most twice the time of the better
of the two (ski rental). Both are bit-identical, because a kernel has the operations of Python's floats, and no others.

Where Python does something else, it raises: numpy divides by zero with a warning, which is made an error here, and
``math.exp`` overflows with an exception. The arrays are then restored, and the kernel is compiled and called.
"""

import logging
import math
import os
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numba.core.registry import CPUDispatcher

# CPU seconds, measured on one machine, so that their ratio counts: 0.7 to 1.1 microseconds of Python for each number of
# a call; of numba 0.2 to 0.5 s for each kernel that is called, and 0.6 to 0.8 ms for each byte of Python's code.
EACH, COMPILING, SHORTEST = 1e-6, 7e-4, 0.3
MOST = 50_000  # numbers of a call: some kernels read each several times


class Here(threading.local):
    """The settings of this thread: whether kernels may stay Python functions (None outside of every block), whether one
    runs so now, and the seconds in which it waited for kernels to be compiled.
    """

    allowed: bool | None = None
    inside = False
    waited = 0.0


class Compilation:
    """What this process compiles: the estimated seconds, whether at the first call, and whether a line said so."""

    seconds, at_once, announced = 0.0, False, False


HERE = Here()
DISPATCHER: Any = CPUDispatcher
compiled_call = DISPATCHER.__call__  # found once: super() takes a third of a short call
LONG = 1.0  # seconds of compilation that are announced


class Interpreted(Exception):
    """This call is one that Python makes."""


class Kernel(DISPATCHER):  # type: ignore[misc]
    """Numba's dispatcher, which compiles a kernel when it is called often enough."""

    spent, worth = 0.0, math.inf  # seconds: of its calls in Python, and what they may take
    quick: Callable[..., Any] | None = None  # instead of its own function in Python, with the same bits

    def __call__(self, *given: Any, **named: Any) -> Any:
        if HERE.inside:
            return (self.quick or self.py_func)(*given, **named)
        try:
            return compiled_call(self, *given, **named)
        except Interpreted:
            return self.in_python(given)

    def _compile_for_args(self, *given: Any, **named: Any) -> Any:
        """Compile for arguments of these types; numba calls this if there is no machine code for them yet."""
        seconds = self.seconds_to_compile()
        if HERE.allowed and not named:
            size = sum(array.size for array in arrays_in(given))
            self.worth = min(self.worth, seconds)
            if size <= MOST and self.spent + EACH * size <= self.worth:
                raise Interpreted
        announce(seconds)
        started = time.perf_counter()
        try:
            return super()._compile_for_args(*given, **named)
        finally:
            HERE.waited += time.perf_counter() - started

    def seconds_to_compile(self) -> float:
        """About the seconds until there is machine code; 0 if the cache has some."""
        cache = getattr(self._cache, "_cache_file", None)
        if cache is not None and os.path.exists(cache._index_path):
            return 0.0
        code = sum(len(kernel.py_func.__code__.co_code) for kernel in self.called() if not kernel.overloads)
        return SHORTEST + COMPILING * code

    def called(self) -> set["Kernel"]:
        """This kernel and those that it calls."""
        found, new = set(), [self]
        while new:
            found.add(kernel := new.pop())
            names, known = kernel.py_func.__code__.co_names, kernel.py_func.__globals__
            new += [k for name in names if isinstance(k := known.get(name), Kernel) and k not in found]
        return found

    def in_python(self, given: tuple[Any, ...]) -> Any:
        """The call by Python; by compiled code if Python raises, from the same arrays."""
        before = [(array, array.copy()) for array in arrays_in(given) if array.flags.writeable]
        started = time.thread_time()
        HERE.inside = True
        try:
            with np.errstate(divide="raise", invalid="raise", over="ignore", under="ignore"):
                found = plain(self.py_func(*given))
        except BaseException as error:
            for array, values in before:
                array[...] = values
            if not isinstance(error, Exception):
                raise
        else:
            self.spent += time.thread_time() - started
            return found
        finally:
            HERE.inside = False
        self.spent = math.inf
        return self(*given)


def quick(kernel: Any) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Decorate the form of a kernel that Python takes for it inside of others: without a call for each number."""

    def keep(function: Callable[..., Any]) -> Callable[..., Any]:
        kernel.quick = function
        return function

    return keep


def arrays_in(given: tuple[Any, ...]) -> Iterator[Any]:
    """The arrays among arguments, and in tuples of them."""
    for value in given:
        if isinstance(value, np.ndarray):
            yield value
        elif isinstance(value, tuple):
            yield from arrays_in(value)


def plain(found: Any) -> Any:
    """Numbers of Python instead of numpy's, as compiled code returns them."""
    if isinstance(found, np.generic):
        return found.item()
    return tuple(map(plain, found)) if type(found) is tuple else found


class interpreting:  # noqa: N801
    """Let kernels stay Python functions at first, in this thread and inside the block. An inner block can only forbid
    it, and so does ``compile_at_once``.

    Examples
    --------
    >>> with interpreting(False), interpreting():
    ...     HERE.allowed
    False
    """

    def __init__(self, allowed: bool = True) -> None:
        self.allowed = allowed

    def __enter__(self) -> None:
        self.before = HERE.allowed
        HERE.allowed = self.allowed and self.before is not False and not Compilation.at_once

    def __exit__(self, *error: object) -> None:
        HERE.allowed = self.before


def compile_at_once() -> None:
    """Compile every kernel at its first call from now on."""
    Compilation.at_once = True


def announce(seconds: float) -> None:
    """Say once that kernels are compiled, before the first that makes it ``LONG``; seconds: of the next one."""
    Compilation.seconds += seconds
    if Compilation.seconds >= LONG and not (Compilation.announced or Compilation.at_once):
        Compilation.announced = True
        logging.getLogger("dualgap").warning(
            "dualgap compiles kernels, which takes about 10 s in all, once on this machine; dualgap.fast.warm_up() does"
            " it beforehand"
        )


def dispatcher(function: Callable[..., Any], options: dict[str, Any]) -> Kernel:
    """Numba's dispatcher of a function that is not compiled yet."""
    return Kernel(function, targetoptions={"nopython": True, "boundscheck": None, **options})
