"""Registries that nobody writes by hand: a name is registered where its class stands, and found by a walk over its folder.

>>> from dualgap.reference.problem.losses import LOSSES
>>> LOSSES["hinge"].__name__
'Hinge'
>>> LOSSES["huber"]
Traceback (most recent call last):
ValueError: unknown loss 'huber'; known: squared, smoothed-hinge, squared-hinge, hinge, logistic, absolute; one of your own needs \
@register_loss in a module that is imported
"""

import importlib
import pkgutil
import sys
from collections.abc import Iterable, Iterator
from types import ModuleType
from typing import Any, Generic, TypeVar

T = TypeVar("T")
C = TypeVar("C")


class Registry(dict[str, T], Generic[T]):
    """Names and what is registered under them, one kind of thing in one dictionary.

    Parameters
    ----------
    kind : what a value is, for messages ("loss").
    package : the package whose modules register the built-in ones; ``complete`` imports them.
    remedy : what to do about a name that is missing, for the message.

    >>> shapes = Registry("shape")
    >>> @shapes.register
    ... class Round:
    ...     name = "round"
    >>> sorted(shapes)
    ['round']
    """

    def __init__(self, kind: str, package: str = "", remedy: str = "") -> None:
        super().__init__()
        self.kind, self.package, self.remedy = kind, package, remedy
        self._whole = not package

    def register(self, cls: C) -> C:
        """Decorate a class: it is registered under its ``name``. Raises ValueError for a name that another place has taken."""
        named: Any = cls
        self.enter(named.name, named)
        return cls

    def enter(self, name: str, value: T) -> None:
        """Register a value. The same place may do so again, as when a module is loaded anew.

        Raises
        ------
        ValueError
            The name is taken; the message names both places.
        """
        if name in self and place(self[name]) != place(value):
            raise ValueError(f"{self.kind} {name!r} of {place(value)} is taken by {place(self[name])}: choose another name")
        self[name] = value

    def complete(self) -> "Registry[T]":
        """The registry, with all that the package's modules register: these by name, whichever was imported first."""
        if not self._whole:
            for _ in modules_below(self.package):
                pass
            self._whole, known = True, sorted(self.items())
            self.clear()
            self.update(known)
        return self

    def __missing__(self, name: str) -> T:
        raise ValueError(f"unknown {self.kind} {name!r}; known: {', '.join(self)}{'; ' if self.remedy else ''}{self.remedy}")


def place(value: Any) -> str:
    """Where a class, a function or an object's class is defined: its dotted name and its file."""
    owner = value if hasattr(value, "__qualname__") else type(value)
    file = getattr(sys.modules.get(owner.__module__), "__file__", None)
    return f"{owner.__module__}.{owner.__qualname__}" + (f" ({file})" if file else "")


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
