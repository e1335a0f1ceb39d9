"""Interrupts that wait: a pass, and the certificate and the checkpoint after it, are made as a whole."""

import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from types import FrameType

ENDING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))


@contextlib.contextmanager
def interrupted_by_signals() -> Iterator[None]:
    """Inside, what ends a process by default (SIGTERM, SIGHUP) is an interrupt; what is ignored or has a handler stays
    so, as after nohup.
    """
    main = threading.current_thread() is threading.main_thread()
    ours = [number for number in ENDING if main and signal.getsignal(number) is signal.SIG_DFL]
    for number in ours:
        signal.signal(number, signal.default_int_handler)
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.SIG_DFL)


@contextlib.contextmanager
def _answered(handler: Callable[[int, FrameType | None], None]) -> Iterator[None]:
    """While this is active, the handler answers every signal that Python's own handler of SIGINT answered. The command
    line also gives it SIGTERM and SIGHUP. Other threads never see one, and a handler of the user's stays.
    """
    main = threading.current_thread() is threading.main_thread()
    ours = [number for number in ENDING if main and signal.getsignal(number) is signal.default_int_handler]
    for number in ours:
        signal.signal(number, handler)
    try:
        yield
    finally:
        for number in ours:
            signal.signal(number, signal.default_int_handler)


@contextlib.contextmanager
def late_interrupt() -> Iterator[None]:
    """Let a first interrupt wait until the block is through; a second one ends it at once."""
    waiting: list[int] = []

    def wait(number: int, frame: FrameType | None) -> None:
        if waiting:
            raise KeyboardInterrupt
        waiting.append(number)

    with _answered(wait):
        yield
    if waiting:
        raise KeyboardInterrupt


@contextlib.contextmanager
def kept_interrupt() -> Iterator[None]:
    """End the block by KeyboardInterrupt after an interrupt in it, even if code inside turns that into another error.

    gmpy2 does so: an interrupt while it reads a Fraction becomes a SystemError.
    """
    seen: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        seen.append(number)
        raise KeyboardInterrupt

    try:
        with _answered(note):
            yield
    finally:
        if seen:
            raise KeyboardInterrupt
