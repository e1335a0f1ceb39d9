"""A fresh copy of the whole package with one bug in one of its files, and what the checks say there.

An edit replaces one piece of one source file, in memory. In its *world* every module ``dualgap.*`` is imported
anew, the edited one from the edited text; the function that should notice is looked up there too, so that it
and everything that it calls see the bug. The modules outside, and the files, are never touched. Kernels run as
plain Python in a world: no compiled code of an edited source can reach a cache.

A file that is no module (a Coq file, a vector file) is edited in a temporary copy of its folder, which the function
that should notice is given.
"""

import contextlib
import importlib
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import find_spec
from itertools import islice
from pathlib import Path
from types import CodeType
from typing import Any

from dualgap.fast.data.temporary import temporary_folder
from dualgap.proofs_checks.claims.strict_json import Json
from dualgap.proofs_checks.evidence.planted import Gone, replaced

ROOT = "dualgap"
Notice = Callable[..., Iterable[str]]  # what is wrong, in words; nothing where nothing is


@dataclass(frozen=True)
class Edit:
    """One planted bug.

    Attributes
    ----------
    name : begins with an id ("svrg.draws-keep-too-often: ...") that tests and reports name it by.
    module : the dotted name of the edited module, or of the package that ``file`` belongs to.
    old, new : the text that is replaced, which the source must hold exactly once, and what takes its place.
    notices : the function that must complain; it is given the edited copy of its folder where ``file`` is named.
    file : a file of the package that is no module, such as "formal/Definitions.v".
    needs : why the edit cannot be tried here, "" when it can; None where nothing is needed.
    """

    name: str
    module: str
    old: str
    new: str
    notices: Notice
    file: str = ""
    needs: Callable[[], str] | None = None


@dataclass(frozen=True)
class Outcome:
    """ "noticed", "survived" or "not tried", by whom, and the first words that were said."""

    name: str
    status: str
    by: str
    words: str


def path_of(edit: Edit) -> Path:
    """The file that is edited."""
    if edit.file:
        return Path(importlib.import_module(edit.module).__path__[0]) / edit.file
    spec = find_spec(edit.module)
    if spec is None or spec.origin is None:
        raise Gone(f"{edit.name}: there is no module {edit.module}")
    return Path(spec.origin)


def edited(edit: Edit) -> str:
    """The edited text. Raises Gone, or SyntaxError for a module that would not even compile."""
    path = path_of(edit)
    text = replaced(path.read_text(encoding="utf-8"), edit.old, edit.new, edit.name, path.name)
    if not edit.file:
        compile(text, f"<{edit.name}>", "exec")
    return text


class _Loader(SourceFileLoader):
    """Loads a module from a text of ours."""

    text = ""

    def get_code(self, fullname: str) -> CodeType:
        return compile(self.text, f"<edited copy of {fullname}>", "exec")


class _Finder(MetaPathFinder):
    """Finds one module, as an edited text; leaves all others to those after it."""

    def __init__(self, module: str, text: str) -> None:
        self.module, self.text = module, text

    def find_spec(self, fullname: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        spec = PathFinder.find_spec(fullname, path) if fullname == self.module else None
        if spec is None or spec.origin is None:
            return None
        spec.loader = _Loader(fullname, spec.origin)
        spec.loader.text = self.text
        return spec


def _ours() -> Json:
    return {name: module for name, module in sys.modules.items() if name.partition(".")[0] == ROOT}


@contextlib.contextmanager
def world(module: str = "", text: str = "") -> Iterator[None]:
    """All of ``dualgap`` imported anew, ``module`` from ``text``; afterwards the modules of before are back. One thread
    only.
    """
    from dualgap.fast.compiler.kernel_cache import CONFIG

    before, plain, finder = _ours(), CONFIG.DISABLE_JIT, _Finder(module, text)
    for name in before:
        del sys.modules[name]
    sys.meta_path.insert(0, finder)
    CONFIG.DISABLE_JIT = True
    try:
        yield
    finally:
        CONFIG.DISABLE_JIT = plain
        sys.meta_path.remove(finder)
        for name in _ours():
            del sys.modules[name]
        sys.modules.update(before)


def said(notices: Notice, *arguments: Any) -> list[str]:
    """What the function of that name says first in the present world, or []; what it raises is a complaint, too."""
    try:
        return list(islice(getattr(importlib.import_module(notices.__module__), notices.__name__)(*arguments), 1))
    except Exception as error:  # a bug may break anything
        return [f"{type(error).__name__}: {error}"]


def unedited(notices: Notice, package: str = "", file: str = "") -> list[str]:
    """What the function says where no bug was planted: nothing, or it is of no use."""
    with world(), _folder(package, file, None) as given:
        return said(notices, *given)


def tried(edit: Edit) -> Outcome:
    """Plant the edit and ask. Raises Gone where its text is not found."""
    by = f"{edit.notices.__module__.rpartition('.')[2]}.{edit.notices.__name__}"
    text = edited(edit)
    if edit.needs is not None and (reason := edit.needs()):
        return Outcome(edit.name, "not tried", by, reason)
    planted = world() if edit.file else world(edit.module, text)
    with _folder(edit.module, edit.file, text) as given, planted:
        words = said(edit.notices, *given)
    return Outcome(edit.name, "noticed" if words else "survived", by, words[0] if words else "")


@contextlib.contextmanager
def _folder(package: str, file: str, text: str | None) -> Iterator[list[Path]]:
    """[a temporary copy of the folder of ``file``, with ``text`` in its place], or [] without a file."""
    if not file:
        yield []
        return
    source = Path(importlib.import_module(package).__path__[0]) / file
    with temporary_folder() as temporary:
        folder = temporary / source.parent.name
        shutil.copytree(source.parent, folder)
        if text is not None:
            (folder / source.name).write_text(text, encoding="utf-8")
        yield [folder]
