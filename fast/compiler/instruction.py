"""Functions of kernels that are machine instructions where they are compiled, and Python where they are not."""

from collections.abc import Callable
from typing import TypeVar

from numba.core import types
from numba.core.typing.templates import infer, infer_global, make_intrinsic_template

Function = TypeVar("Function", bound=Callable[..., object])


def compiled_as(typed: Callable[..., object]) -> Callable[[Function], Function]:
    """Let numba compile the decorated function as ``typed`` says, which is what ``numba.extending.intrinsic`` takes.

    Numba's own intrinsics cannot be called from Python.

    Examples
    --------
    >>> from dualgap.fast.compiler.select import select
    >>> select(True, 1.0, 2.0)
    1.0
    """

    def registered(python: Function) -> Function:
        template = make_intrinsic_template(python, typed, python.__name__)
        infer(template)
        infer_global(python, types.Function(template))
        return python

    return registered
