"""Registries without a central list: a class is registered where it is defined, and a walk over its folder finds it.

A third-party package registers in the same way when it is imported (``dualgap.proofs_checks.claims.plugins``), and
lookups find it from then on. ``EXTRAS`` belongs to dualgap, but the three packages below do not depend on it: they
import only what ``complete`` finds there, by the names of its files.

>>> from dualgap.reference.problem.losses import LOSSES
>>> LOSSES["hinge"].__name__
'Hinge'
>>> LOSSES["huber"]
Traceback (most recent call last):
ValueError: unknown loss 'huber'; known: squared, smoothed-hinge, squared-hinge, hinge, logistic, absolute; one of \
your own needs @register_loss in a module that is imported
"""

import importlib
import importlib.util
import os
import pkgutil
import sys
from collections.abc import Callable, Collection, Iterator
from functools import partial
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any, Generic, NamedTuple, TypeVar

T = TypeVar("T")
C = TypeVar("C")

EXTRAS = "dualgap.extras"  # the one place outside it that names it
# Packages of EXTRAS that are loaded by their name alone, and whose modules are treated as other people's.
LIBRARIES = (f"{EXTRAS}.errata",)

# The modules outside dualgap that have registered anything, in the order in which they did: kind of thing to its names.
FOREIGN: dict[str, dict[str, list[str]]] = {}


class Place(NamedTuple):
    """The place of a registration. ``code`` is a new object whenever the file is loaded again."""

    module: str
    file: str
    line: int
    code: CodeType | None = None

    @property
    def foreign(self) -> bool:
        """True if other people's code stands there."""
        return outside(self.module)

    @property
    def below(self) -> str:
        """The file of a module of dualgap, as it lies in the repository: "reference/methods/sdca.py"."""
        return f"{self.module.partition('.')[2].replace('.', '/')}.py"

    def __str__(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file


class Registry(dict[str, T], Generic[T]):
    """Names and what is registered under them, one kind of thing in one dictionary.

    Parameters
    ----------
    kind : what a value is, for messages ("loss").
    package : the package whose modules register the built-in ones; ``complete`` imports them.
    prefix : with what the names of those modules begin.
    attribute : a dictionary of each of those modules that is entered, too.
    extras : with what the names of the files in ``EXTRAS`` begin that register further ones: "claims" for claims.py and
        claims_of_steps.py.
    remedy : what to do about a name that is missing, for the message.

    >>> shapes = Registry("shape")
    >>> @shapes.register
    ... class Round:
    ...     name = "round"
    >>> sorted(shapes)
    ['round']
    """

    def __init__(
        self, kind: str, package: str = "", prefix: str = "", attribute: str = "", remedy: str = "", extras: str = ""
    ) -> None:
        super().__init__()
        self.kind, self.package, self.prefix, self.attribute, self.remedy, self.extras = (
            kind,
            package,
            prefix,
            attribute,
            remedy,
            extras,
        )
        self.places: dict[str, Place] = {}
        self._whole = not package

    def register(self, cls: C) -> C:
        """Decorate a class: it is registered under its ``name``. Raises ValueError for a name that another place has
        taken.

        Parameters
        ----------
        cls : the class.
        """
        named: Any = cls
        self.enter(named.name, named)
        return cls

    def enter(self, name: str, value: T, where: Place | None = None) -> None:
        """Register a value. The same place may do so again, as when a module is loaded again.

        Parameters
        ----------
        where : found by itself as the line that called the outermost function that registers.

        Raises
        ------
        ValueError
            The name is taken; the message names both places, file and line.
        """
        here = where or registrant()
        if here.foreign:
            self.complete()  # built-in names take precedence over a user's
        before = self.places.get(name)
        if name in self and not (before and self._again(name, value, before, here)):
            taken = _told(self[name], before) if before else place(self[name])
            raise ValueError(f"{self.kind} {name!r} of {_told(value, here)} is taken by {taken}: choose another name")
        self[name], self.places[name] = value, here
        if here.foreign:
            names = FOREIGN.setdefault(here.module, {}).setdefault(self.kind, [])
            names += [name] if name not in names else []

    def _again(self, name: str, value: T, before: Place, here: Place) -> bool:
        """Return whether the value is the one that is registered, from the same line or from its file loaded again."""
        again = here.line == before.line or here.code is not before.code
        same_file = here.file == before.file or here.module == before.module == "__main__"  # the cells of a notebook
        return again and same_file and _named(value) == _named(self[name])

    def foreign(self) -> dict[str, T]:
        """Return the registrations of third-party modules."""
        return {name: value for name, value in self.items() if name in self.places and self.places[name].foreign}

    def is_foreign(self, name: str) -> bool:
        """Return whether other people's module has registered this name."""
        return name in self and name in self.places and self.places[name].foreign

    def complete(self) -> "Registry[T]":
        """The registry, with all that the package's modules register: these by name, whichever was imported first."""
        if not self._whole:
            for module in (
                *modules_below(self.package, self.prefix),
                *(modules_of_extras(self.extras) if self.extras else ()),
            ):
                for name, value in getattr(module, self.attribute, {}).items() if self.attribute else ():
                    self.enter(name, value, Place(module.__name__, module.__file__ or "", 0))
            self._whole, known = True, sorted(self.items())
            self.clear()
            self.update(known)
        return self

    def __missing__(self, name: str) -> T:
        raise ValueError(
            f"unknown {self.kind} {name!r}; known: {', '.join(self)}{'; ' if self.remedy else ''}{self.remedy}"
        )


def registrant() -> Place:
    """The line that registers: of the innermost frame outside the functions of dualgap by which one registers."""
    frame = sys._getframe(1)
    while frame.f_back and _registers(frame.f_globals.get("__name__", ""), frame.f_code.co_name):
        frame = frame.f_back
    return Place(frame.f_globals.get("__name__", ""), frame.f_code.co_filename, frame.f_lineno, frame.f_code)


def place_in_code(function: Callable[..., object]) -> Place | None:
    """The place where a function is defined, or the ``place`` that an object states; None if it is not Python code."""
    if isinstance(found := getattr(function, "place", None), Place):
        return found
    code = getattr(function, "__code__", None)
    return Place(function.__module__, code.co_filename, code.co_firstlineno, code) if code else None


def _registers(module: str, function: str) -> bool:
    return module.startswith("dualgap.") and function.startswith(("enter", "register", "_register", "registrant"))


def _named(value: Any) -> str:
    """The dotted name of a class or a function, or of an object's class; of one of dualgap's records none: its place
    says all.
    """
    owner = value if hasattr(value, "__qualname__") else type(value)
    return (
        ""
        if owner is not value and owner.__module__.startswith("dualgap.")
        else f"{owner.__module__}.{owner.__qualname__}"
    )


def _told(value: object, where: Place) -> str:
    return f"{_named(value)} ({where})" if _named(value) else str(where)


def place(value: Any) -> str:
    """Return where a class, a function or an object's class is defined: its dotted name and its file."""
    owner = value if hasattr(value, "__qualname__") else type(value)
    file = getattr(sys.modules.get(owner.__module__), "__file__", None)
    return f"{owner.__module__}.{owner.__qualname__}" + (f" ({file})" if file else "")


def outside(module: str) -> bool:
    """Return whether a module is other people's, or of one of LIBRARIES, which have no other rights."""
    return module.partition(".")[0] != "dualgap" or f"{module}.".startswith(tuple(f"{name}." for name in LIBRARIES))


def load_library(key: str) -> None:
    """Import all modules of the package of LIBRARIES with this name, if there is one."""
    name = f"{EXTRAS}.{key}"
    if name in LIBRARIES and importlib.util.find_spec(EXTRAS):
        list(modules_below(name))


def modules_below(package: str, prefix: str = "") -> Iterator[ModuleType]:
    """Import and yield the modules of a package and of its folders, by name; only those whose own name begins with
    ``prefix``.
    """
    for info in pkgutil.walk_packages(importlib.import_module(package).__path__, f"{package}."):
        if info.name.rpartition(".")[2].startswith(prefix):
            yield importlib.import_module(info.name)


def modules_of_extras(prefix: str, words: str = "") -> Iterator[ModuleType]:
    """Import and yield the modules of ``EXTRAS`` and of its folders whose own name begins with ``prefix`` and whose
    text has ``words``, by name; none where it is not installed.

    A folder in which there is none is not imported.
    """
    spec = importlib.util.find_spec(EXTRAS)
    for name in sorted(_named_in(EXTRAS, spec.submodule_search_locations or (), prefix, words)) if spec else ():
        yield importlib.import_module(name)


def _named_in(package: str, folders: Collection[str], prefix: str, words: str) -> Iterator[str]:
    for info in pkgutil.iter_modules(folders, f"{package}."):
        own = info.name.rpartition(".")[2]
        below = [os.path.join(folder, own) for folder in folders]
        if info.ispkg:
            yield from _named_in(info.name, below, prefix, words)
        elif own.startswith(prefix) and (not words or any(map(partial(_has, words), below))):
            yield info.name


def _has(words: str, path: str) -> bool:
    """Return whether the file of that path without .py has the words."""
    return os.path.exists(f"{path}.py") and words in Path(f"{path}.py").read_text(encoding="utf-8")
