"""The compiled methods, found where they stand: every module of this folder that defines KERNELS.

>>> {"adaspdc-r", "sdca", "spdc"} <= set(kernels())
True
"""

from functools import cache
from typing import Any

from dualgap.fast.methods.base import FastMethod
from dualgap.reference.methods.registry import collected, modules_below


@cache
def kernels() -> dict[str, type[FastMethod[Any]]]:
    """All fast methods by name."""
    return collected(modules_below("dualgap.fast.methods"), "KERNELS")
