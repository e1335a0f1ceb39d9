"""Planted bugs: a method with a part of its source text replaced. One mechanism for every bug that is made on purpose.

    MUTANTS = planted(SPDC, "spdc", {
        "no-extrapolation": ("(10): w_bar = w", (W_BAR, "list(w)")),
        "scaled-step": (
            "(8): the 1/n of (9)", ("SPDC.advance", "problem, k, delta)", "problem, k, delta / problem.n)"),
        ),
    })

An edit is (old, new), or (place, old, new), the place being a "Class.member" of the file. The old text must stand there
exactly once, in a member of a class, so that a changed source makes the bug fail and not lie. No file and no module is
touched: the changed members stand in a class below the one that has them, and all that is not changed is the method's
own.
"""

import ast
import contextlib
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from pathlib import Path
from typing import Any

Edit = tuple[str, str] | tuple[str, str, str]
Member = ast.FunctionDef | ast.Assign | ast.AnnAssign


class Gone(LookupError):
    """The text that a planted bug replaces does not stand in its source once: the bug must be brought up to date."""


def replaced(text: str, old: str, new: str, bug: str, where: str, lines: tuple[int, int] | None = None) -> str:
    """The text with ``old``, which must stand once in these lines of it (default: in all), replaced. Raises Gone."""
    rows = text.splitlines(keepends=True)
    first, last = lines or (0, len(rows))
    part = "".join(rows[first:last])
    if (count := part.count(old)) != 1:
        raise Gone(f"{bug}: {old!r} must stand once in {where} (found {count} times); bring the row up to date")
    return "".join(rows[:first]) + part.replace(old, new) + "".join(rows[last:])


def parsed(text: str) -> ast.Module:
    """``ast.parse`` of the text, also while another thread parses.

    CPython 3.11 counts the depth of a tree in one place for all threads (gh-106905). Where two threads parse at the
    same time, as in the worker of a cluster that prints a traceback, one of them raises SystemError though nothing is
    wrong with its text. That one parses again.
    """
    for _ in range(100):
        with contextlib.suppress(SystemError):
            return ast.parse(text)
    return ast.parse(text)


@cache
def members(text: str) -> dict[str, Member]:
    """The functions and the named values in the classes of a module, by "Class.member"."""
    found: dict[str, Member] = {}
    for kind in (node for node in parsed(text).body if isinstance(node, ast.ClassDef)):
        for part in kind.body:
            if isinstance(part, (ast.FunctionDef, ast.Assign, ast.AnnAssign)):
                found[f"{kind.name}.{_name(part)}"] = part
    return found


def _name(part: Member) -> str:
    return (
        part.name
        if isinstance(part, ast.FunctionDef)
        else ast.unparse(part.targets[0] if isinstance(part, ast.Assign) else part.target)
    )


@cache
def _rows(text: str) -> dict[str, list[str]]:
    """The lines of the members of a module."""
    rows = text.splitlines()
    return {
        name: rows[min(node.lineno for node in (part, *getattr(part, "decorator_list", ()))) - 1 : part.end_lineno]
        for name, part in members(text).items()
    }


def differing(before: str, after: str) -> set[str]:
    """The members that only one of two modules has, or that are not the same in both."""
    old, new = _rows(before), _rows(after)
    return {
        name
        for name in old.keys() | new.keys()
        if old.get(name) != new.get(name)
        and not (name in old and name in new and ast.dump(members(before)[name]) == ast.dump(members(after)[name]))
    }


@dataclass(frozen=True, eq=False)
class PlantedBug:
    """A bug of this name in the module of a method's class; ``what`` it is, and the edits that make it.

    names : the names that the new texts use in addition to those of the module.
    """

    name: str
    method: type[Any]
    what: str
    edits: tuple[Edit, ...]
    names: Mapping[str, object] = field(default_factory=dict)

    @cached_property
    def changed(self) -> dict[str, Callable[[type], object]]:
        """The changed members, by "Class.member", as functions of the class. Raises Gone, which names bug and file."""
        module = sys.modules[self.method.__module__]
        file = Path(str(module.__file__))
        right = text = file.read_text(encoding="utf-8")
        for edit in self.edits:
            text = self._edited(text, file.name, *edit)
        known, other = {**vars(module), **self.names}, differing(right, text)
        return {name: _maker(part, known, f"<{self.name}>") for name, part in members(text).items() if name in other}

    def _edited(self, text: str, file: str, *edit: str) -> str:
        place, old, new = edit if len(edit) == 3 else ("", *edit)
        if place and place not in members(text):
            raise Gone(f"{self.name}: there is no {place} in {file}; bring the row up to date")
        lines = (members(text)[place].lineno - 1, members(text)[place].end_lineno or 0) if place else None
        after = replaced(text, old, new, self.name, f"{place} of {file}" if place else file, lines)
        try:
            other = differing(text, after)
        except SyntaxError as error:
            raise SyntaxError(f"{self.name}: {file} with {new!r} is not Python: {error}") from error
        if not other:
            words = "belongs to no member of a class, or its change changes nothing"
            raise Gone(f"{self.name}: {old!r} in {file} {words}; bring the row up to date")
        return after

    def of(self, own: type) -> type[Any]:
        """The method's class with the bug: a changed class below each class of the module in the bases of ``own``."""
        layers = []
        for kind in own.__mro__:
            here = kind.__module__ == self.method.__module__
            part = {
                name.partition(".")[2]: make(kind)
                for name, make in self.changed.items()
                if here and name.startswith(f"{kind.__name__}.")
            }
            if part:
                layers.append(type(kind.__name__, (kind,), part))
        bases = layers if layers and issubclass(layers[0], own) else [own, *layers]
        return type(own.__name__, tuple(bases), {"planted_bug": self})


def _maker(part: Member, known: dict[str, object], file: str) -> Callable[[type[object]], object]:
    """A function of the class, which ``super()`` needs, that returns the member."""
    maker: Any = parsed("def maker(__class__):\n    return member").body[0]
    if isinstance(part, ast.FunctionDef):  # under another name, for its own may be that of something it uses
        named: dict[str, Any] = {**dict(ast.iter_fields(part)), "name": "member"}
        maker.body.insert(0, ast.FunctionDef(**named))
    else:
        maker.body[0].value = part.value
    made: dict[str, Any] = {}
    exec(compile(ast.fix_missing_locations(ast.Module([maker], [])), file, "exec"), known, made)
    found: Callable[[type[Any]], Any] = made["maker"]
    return found


def planted(method: type, paper: str, bugs: Mapping[str, tuple[Any, ...]], **names: object) -> dict[str, PlantedBug]:
    """The planted bugs of a method by "paper.name"; each is given as what it is, and its edits."""
    return {
        f"{paper}.{name}": PlantedBug(f"{paper}.{name}", method, what, tuple(edits), names)
        for name, (what, *edits) in bugs.items()
    }
