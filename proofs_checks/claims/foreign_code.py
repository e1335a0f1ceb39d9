"""Other people's code must not decide how the process ends.

``sys.exit(0)`` in a solver or a method would end a command with success before it has a verdict. Inside ``staying``
such an end is an exception like any other, so it is a failure of the code that asked for it.
"""

import os
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, NoReturn

from dualgap.proofs_checks.claims.time_limit import Late

ENDS = ("_exit", "execv", "execve")  # functions of ``os`` that end this process without an exception
_lock = threading.Lock()
_before: dict[str, Callable[..., Any]] = {}
_depth = 0


class Quit(RuntimeError):
    """Other people's code tried to end the process."""


@contextmanager
def staying() -> Iterator[None]:
    """Raise Quit if the block raises SystemExit, GeneratorExit or another BaseException, or calls ``os._exit``.

    KeyboardInterrupt, which is the user's, and Late stay what they are. Child processes end as they like.
    """
    _guard()
    try:
        yield
    except (Exception, KeyboardInterrupt, Late):
        raise
    except BaseException as end:
        said = f"the code tried to end the process ({type(end).__name__}: {end}), so nothing was judged"
        raise Quit(said).with_traceback(end.__traceback__) from end
    finally:
        _release()


def _guard() -> None:
    """Replace the functions of ``os`` when the outermost block begins."""
    global _depth
    with _lock:
        if _depth == 0:
            for name in ENDS:
                _before[name] = getattr(os, name)
                setattr(os, name, _raising(name, _before[name], os.getpid()))
        _depth += 1


def _release() -> None:
    """Put them back when the outermost block ends."""
    global _depth
    with _lock:
        _depth -= 1
        if _depth == 0:
            for name, function in _before.items():
                setattr(os, name, function)


def _raising(name: str, function: Callable[..., Any], process: int) -> Callable[..., NoReturn]:
    def ends(*given: Any) -> NoReturn:
        if os.getpid() != process:  # a child process
            function(*given)
        raise SystemExit(f"os.{name}{given}")

    return ends
