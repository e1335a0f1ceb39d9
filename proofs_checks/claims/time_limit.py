"""A limit of seconds for Python code of other people, which may never end. Compiled code is interrupted when it returns
to Python.
"""

import signal
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn


class Late(BaseException):
    """The code took longer than it may. No Exception, so that ``except Exception`` in that code does not swallow it."""


@contextmanager
def limited(seconds: float | None) -> Iterator[None]:
    """Raise Late in the block after so many seconds, and again each second: in the main thread of systems that have
    SIGALRM; else there is no limit.

    None is no limit. A limit around this one goes on when the block ends, less the time that the block took.
    """
    if seconds is None or not hasattr(signal, "SIGALRM") or threading.current_thread() is not threading.main_thread():
        yield
        return

    interrupted = False

    def late(*_: object) -> NoReturn:
        nonlocal interrupted
        interrupted = True
        raise Late

    before = signal.signal(signal.SIGALRM, late)
    began, (left, again) = time.monotonic(), signal.setitimer(signal.ITIMER_REAL, seconds, 1.0)
    if 0 < left < seconds:  # the limit around this one ends first
        signal.setitimer(signal.ITIMER_REAL, left, 1.0)
    try:
        yield
    except Exception as error:  # of code that a swallowed Late has left unfinished, such as a compilation
        if interrupted:
            raise Late from error
        raise
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        signal.setitimer(signal.ITIMER_REAL, left and max(left - (time.monotonic() - began), 1e-3), again)
