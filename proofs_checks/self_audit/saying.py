"""Code that the functions that must notice a planted bug share: complaints, refusals, and values put into modules."""

from collections.abc import Callable, Iterator
from types import ModuleType


def differs(what: str, got: object, expected: object) -> Iterator[str]:
    """A complaint where they differ."""
    if got != expected:
        yield f"{what}: {got}, due {expected}"


def refuses(call: Callable[[], object], errors: type[Exception] | tuple[type[Exception], ...] = ValueError) -> bool:
    """Return whether the call raises one of these errors."""
    try:
        call()
    except errors:
        return True
    return False


def refused(what: str, call: Callable[[], object]) -> Iterator[str]:
    """Complain if the call raises neither ValueError nor ArithmeticError."""
    if not refuses(call, (ValueError, ArithmeticError)):
        yield f"{what} is accepted"


def put(module: ModuleType, **stand_ins: object) -> None:
    """Replace names of the module. Inside ``world`` no other code sees the change."""
    for name, value in stand_ins.items():
        setattr(module, name, value)
