"""The same numbers at the speed of memory: compiled twins of the reference's methods, ``solve``, certificates, data.

>>> from dualgap.fast import kernels
>>> sorted(kernels())
['aspdc', 'aspdc-i', 'aspdc-i-fixed', 'aspdc-i-momentum', 'sdca']
"""

import importlib
import pkgutil
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dualgap.fast.method import FastMethod

__all__ = ["kernels"]


@cache
def kernels() -> "dict[str, type[FastMethod[Any]]]":
    """All fast methods by name: every module of this folder that defines KERNELS."""
    found: dict[str, type[FastMethod[Any]]] = {}
    for info in pkgutil.iter_modules(__path__):
        for name, cls in getattr(importlib.import_module(f"{__name__}.{info.name}"), "KERNELS", {}).items():
            if name in found:
                raise ValueError(f"fast method {name} is registered twice")
            found[name] = cls
    return found
