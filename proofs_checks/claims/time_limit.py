"""A limit of seconds for Python code of other people, which may never end. Compiled code is interrupted when it returns
to Python. A claim that is slow says where it is.
"""

import signal
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

EVERY = 10.0  # seconds after which a slow claim says again where it is
stage = ""  # where the claim is that runs now


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


def reached(begins: str) -> None:
    """Note the stage of a claim that begins now, such as "instance 3 of 40"."""
    global stage
    stage = begins


@contextmanager
def saying(name: str) -> Iterator[None]:
    """While the block runs, "NAME: instance 3 of 40 (20 s)" is printed on standard error every EVERY seconds."""
    ended, began = threading.Event(), time.monotonic()

    def repeat() -> None:
        while not ended.wait(EVERY):  # a terminal shows the progress on the line before
            said = f"{ascii(name)[1:-1]}: {stage} ({time.monotonic() - began:.0f} s)"
            print("\n" * sys.stderr.isatty() + said, file=sys.stderr, flush=True)

    threading.Thread(target=repeat, daemon=True).start()
    try:
        yield
    finally:
        ended.set()
