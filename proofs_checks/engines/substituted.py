"""Replace names of a module by other values, for as long as a block runs."""

from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType


@contextmanager
def substituted(module: ModuleType, **values: object) -> Iterator[None]:
    """Replace names that the module has by these values, and put its own back at the end. All threads see them.

    Raises AttributeError, and changes nothing, where the module has no such name.

    >>> import math
    >>> with substituted(math, pi=3):
    ...     math.pi
    3
    >>> math.pi > 3
    True
    """
    before = {name: getattr(module, name) for name in values}
    try:
        for name, value in values.items():
            setattr(module, name, value)
        yield
    finally:
        for name, value in before.items():
            setattr(module, name, value)
