"""Registries that nobody writes by hand: a module that defines METHODS, LAZY, KERNELS, ... is found where it stands.

>>> from dualgap.reference.methods.registry import collected, modules_below
>>> collected(modules_below("dualgap.reference.methods"), "METHODS")["aspdc"].name
'aspdc'
"""

import importlib
import pkgutil
from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import Any


def modules_below(package: str, prefix: str = "") -> Iterator[ModuleType]:
    """Import and yield the modules of a package and of its folders, by name; only those whose own name begins with ``prefix``."""
    for info in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
        if info.name.rpartition(".")[2].startswith(prefix):
            yield importlib.import_module(info.name)


def collected(modules: Iterable[ModuleType], attribute: str) -> dict[str, Any]:
    """The dictionaries that the modules define under that name, in one. Raises ValueError for a key of two modules."""
    found: dict[str, Any] = {}
    for module in modules:
        for name, value in getattr(module, attribute, {}).items():
            if name in found:
                raise ValueError(f"{name} is registered twice, the second time in {module.__name__}.{attribute}: choose another name")
            found[name] = value
    return found
