"""What Hypothesis draws from a seed depends on the seed, and on no module that happens to be loaded.

Hypothesis takes one number in forty or so from the constants that stand in the loaded modules, other people's plugins
and what earlier tests have imported among them. So the same seed draws other instances in another process.
``repeatable`` leaves these constants out. It is for draws that must be the same again: from a seed, or derandomised.
Fresh draws profit from the constants and keep them.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def repeatable() -> Iterator[None]:
    """While it lasts Hypothesis draws the same from equal seeds, whatever is loaded. It may be nested."""
    from hypothesis.internal.conjecture import providers

    module = providers
    right = getattr(module, "_get_local_constants", None)
    if right is None:  # versions before 6.131 take none
        yield
        return
    nothing = type(module._local_constants)()  # they are sets of each type, here all empty

    def none() -> Any:
        return nothing

    none.replaced = right  # type: ignore[attr-defined]
    module._get_local_constants = none
    module.CONSTANTS_CACHE.cache.clear()
    try:
        yield
    finally:
        module._get_local_constants = right
        module.CONSTANTS_CACHE.cache.clear()
