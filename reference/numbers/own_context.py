"""Public functions under numpy's default settings for floating-point errors."""

import functools
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

DEFAULT: Any = {"divide": "warn", "over": "warn", "under": "ignore", "invalid": "warn"}


def in_own_context(function: Callable[P, T]) -> Callable[P, T]:
    """The function under numpy's default settings for floating-point errors: an underflow is no error of a public
    function, whatever the caller has set by ``np.seterr``. The caller's settings are as before when it returns.

    >>> import numpy as np
    >>> with np.errstate(all="raise"):
    ...     float(in_own_context(np.exp)(-1000.0))
    0.0
    """

    @functools.wraps(function)
    def called(*given: P.args, **named: P.kwargs) -> T:
        import numpy as np

        if np.geterr() == DEFAULT:  # the usual case, and every call inside another one
            return function(*given, **named)
        with np.errstate(**DEFAULT):
            return function(*given, **named)

    return called
