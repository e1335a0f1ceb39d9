"""The compiled methods by name: every class of this folder, of extras and of other people's modules that is registered.

>>> {"adaspdc-r", "sdca", "spdc"} <= set(kernels())
True
"""

from typing import Any

from dualgap.fast.methods.base import FastMethod
from dualgap.reference.problem.registry import Registry

KERNELS: Registry[type[FastMethod[Any]]] = Registry("compiled method", "dualgap.fast.methods", extras="compiled")

register_compiled_method = KERNELS.register


def kernels() -> dict[str, type[FastMethod[Any]]]:
    """All compiled methods by name."""
    return KERNELS.complete()
